"""The commands of ``blinksim``."""

from __future__ import annotations

from typing import Annotated

import typer

from blinksim.cli import (
    answers,
    bench,
    compare,
    compiling,
    experiments,
    export,
    findings,
    play,
    report,
    rules,
    run,
    runs,
    schema,
    sensitivity,
    sql,
    strategies,
    sweep,
    tournament,
    tune,
)

app = typer.Typer(
    name="blinksim",
    help="Play the civilization game Blink by the thousand, and say honestly what comes of it.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    epilog="Start with: blinksim run baseline, then blinksim report runs/baseline",
)
app.add_typer(experiments.app, name="experiments")
app.add_typer(rules.app, name="rules")
app.add_typer(runs.app, name="runs")
app.add_typer(strategies.app, name="strategies")
for command, example in (
    (run.run, "Example: blinksim run baseline --deals 100 --out runs/small"),
    (report.report, "Example: blinksim report runs/baseline"),
    (compare.compare, "Example: blinksim compare standard quick_start --seconds 30"),
    (sensitivity.sensitivity, "Example: blinksim sensitivity --params tiers,trick --metric rounds"),
    (tune.tune, "Example: blinksim tune --targets targets.toml --free tiers.wall,trick.last_place_gold"),
    (answers.answers, "Example: blinksim answers runs/walls"),
    (sweep.sweep, "Example: blinksim sweep 'tiers.wall[2]=12..16' --deals 50"),
    (sweep.breakpoints, "Example: blinksim breakpoints 'tiers.wall[2]' --metric walled --level 0.1"),
    (findings.findings, "Example: blinksim findings runs/baseline --targets targets.toml"),
    (tournament.tournament, "Example: blinksim tournament builder raider random --players 2,3 --deals 50"),
    (play.play, "Example: blinksim play --players 3 --seats random,builder,raider --seed 7 --deal 12"),
    (play.check, "Example: blinksim check game.blink.jsonl"),
    (play.replay, "Example: blinksim replay runs/baseline --game 3p/d12/v0/l1/h2/s1/r0"),
    (sql.sql, "Example: blinksim sql runs/baseline 'select outcome, count(*) as games from games group by outcome'"),
    (export.export, "Example: blinksim export runs/baseline --csv tables --table games --table seats"),
    (schema.schema, "Example: blinksim schema --table duels"),
    (bench.bench, "Example: blinksim bench --quick"),
):
    app.command(epilog=example)(command)
app.command("compile", epilog="Example: blinksim compile")(compiling.compile_all)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"blinksim {version('blinksim')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Play the civilization game Blink by the thousand, and say honestly what comes of it."""

"""``blinksim tune``: the smallest change of the rules that meets a designer's targets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from blinksim.cli.errors import user_errors
from blinksim.cli.playing import file_name
from blinksim.cli.sensitivity import INTERRUPTED, laboratory, playing, print_table, teller

MANY = 4
"""Changes that are told while the search goes on; of more only how many."""


@user_errors
def tune(
    targets: Annotated[
        Path, typer.Option(metavar="FILE", help=r'TOML with [\[targets]]: metric = "rounds", low, high.')
    ],
    free: Annotated[str, typer.Option(metavar="KEY,…", help="What may change: tiers.wall, trick.last_place_gold …")],
    base: Annotated[str, typer.Argument(metavar="[BASE]", help="A preset, a file or a version.")] = "standard",
    within: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=LOW..HIGH", help="Range of a free number; may be repeated."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter of the base first; may be repeated."),
    ] = None,
    players: Annotated[int, typer.Option(help="Player count.")] = 3,
    line_up: Annotated[
        list[str] | None,
        typer.Option("--line-up", metavar="A,B,C", help="Line-up instead; may be repeated."),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Rulesets that the search plays at most.")] = 150,
    games: Annotated[int | None, typer.Option(min=1, help="Games that the search plays at most.")] = None,
    deals: Annotated[int, typer.Option(min=2, help="Deals that every ruleset of the search plays.")] = 60,
    fresh_deals: Annotated[int, typer.Option(min=2, help="Fresh deals on which its front plays again.")] = 300,
    seed: Annotated[int, typer.Option(help="Seed of the deals and of the search.")] = 1,
    write: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the recommended ruleset as TOML.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="The page.")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores where left out.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON for a script.")] = False,
) -> None:
    """Search the free parameters for the smallest change that meets the targets, and play it on fresh deals.

    Ctrl-C ends the search; the best so far is played again. Exit status: 0 met, 1 missed, 3 not enough games.
    """
    from blinksim.analysis.aims import aims_of
    from blinksim.analysis.tune import search, trials_frame
    from blinksim.analysis.tuned import play_again
    from blinksim.errors import UserError
    from blinksim.report.beside import write_page
    from blinksim.report.tuning import Setting, recommendation, results, tuning_page
    from blinksim.simulate.entries import dials, parse_within, turnable
    from blinksim.simulate.targets import load_targets
    from blinksim.store.runs import write_bytes

    def say(text: str) -> None:
        if not json:
            typer.echo(text, err=True)

    asked = load_targets(targets)
    if write is not None and write.suffix != ".toml":
        raise UserError(f'--write is "{write}"; a ruleset file ends in .toml, such as mine.toml')
    game, version, lab, texts = laboratory(base, changes, players, line_up, seed, workers, json)
    aims, left_out = aims_of(asked, lab.metrics, players)
    ruleset = lab.ruleset(())
    names = [name.strip() for name in free.split(",")]
    free_ones, fixed = turnable(game.ruleset_entries(ruleset), names, "--free")
    turned = dials(free_ones, parse_within(within or ()))
    say(f"Free: {'; '.join(dial.text for dial in turned)}")
    for entry in fixed:
        say(f"Not free: {entry.key}, {entry.fixed}")
    play = playing(lab)
    found = search(play, turned, aims, players, deals, trials, seed, games, None if json else _teller(trials))
    say(recommendation(found))
    try:
        tuned = play_again(play, found, aims, lab.metrics, players, deals, fresh_deals, None if json else teller())
    except KeyboardInterrupt:
        typer.echo(f"Stopped before it was played on fresh deals. {recommendation(found)}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    named = () if write is None else (f'name="{write.stem}"',)
    best = lab.ruleset((*found.best.changes, *named))
    setting = Setting(
        game.title, version.name, game.diff_rulesets(ruleset, best),
        (game.ruleset_hash(ruleset), game.ruleset_hash(best)), texts, players, seed, deals, fresh_deals, lab.games,
        left_out,
    )  # fmt: skip
    if write is not None:
        from blinksim.games.blink.ruleset import as_toml

        write_bytes(write, as_toml(best).encode())
    target = output or Path("reports") / f"{file_name('tune', version.name)}.html"
    frames = {
        "targets": tuned.targets, "front": tuned.front, "effects": tuned.effects, "trials": trials_frame(found, aims)
    }  # fmt: skip
    data = results(setting, found, aims, tuned)
    write_page(tuning_page(setting, found, aims, turned, tuned), frames, data, target)
    if json:
        from json import dumps

        typer.echo(dumps({"page": str(target), "written": str(write) if write else None, **data}, indent=1))
    else:
        _print(found, tuned, target, write)
    raise typer.Exit(tuned.status)


def _teller(trials: int) -> Any:
    """Says every few seconds how far the search is, and how near."""
    from time import monotonic

    last = monotonic()

    def tell(number: int, best: Any) -> None:
        nonlocal last
        now = monotonic()
        if now - last >= 3:
            last = now
            many = len(best.changes) > MANY
            what = f"{len(best.changes)} changes" if many else "; ".join(best.changes) or "the base"
            typer.echo(f"{number:,} of {trials:,}: {best.distance:.2f} margins from the targets with {what}", err=True)

    return tell


def _print(found: Any, tuned: Any, target: Path, write: Path | None) -> None:
    """The recommendation, its targets on fresh deals, the front and the shrinkage."""
    from blinksim.report.tuning import headlines, shrinkage_said

    for line in headlines(found, tuned):
        typer.echo(f"{line.topic}: {line.verdict}. {line.sentence}")
    rows = [
        [
            row["changes"] or "the base", str(row["changed"]), f"{row['distance']:.2f}", f"{row['fresh_distance']:.2f}",
            row["verdict"],
        ]
        for row in tuned.front.iter_rows(named=True)
    ]  # fmt: skip
    print_table(("ruleset", "changed", "distance in the search", "on fresh deals", "targets"), rows, 1)
    if found.best.changes:
        for row in tuned.targets.iter_rows(named=True):
            typer.echo(shrinkage_said(row))
    if write is not None:
        typer.echo(f"{write}: the recommended ruleset")
    typer.echo(f"{target}: the page")

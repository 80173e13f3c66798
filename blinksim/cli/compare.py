"""``blinksim compare``: play the same deals under several versions of the rules, and say what changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blinksim.cli.errors import user_errors
from blinksim.cli.playing import (
    amount,
    entrants_of,
    file_name,
    known_metrics,
    line_ups_of,
    parse_line_up,
    strategies_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from blinksim.analysis.compare import Look
    from blinksim.analysis.comparison import Comparison, Setting
    from blinksim.simulate.batch import Progress

NOT_ANSWERED = 3
"""Exit status where there were not enough games to answer."""
LEVELS = ("scripted", "random", "searcher")
"""Levels of play."""
SLOW = 100
"""The searcher's budget of games is divided by this: it takes so much longer."""


@user_errors
def compare(
    base: Annotated[str, typer.Argument(metavar="BASE", help="A preset or a ruleset file.")],
    variants: Annotated[
        list[str],
        typer.Argument(metavar="VARIANT...", help='Presets, files, "name:tiers.wall[2]=15;setup.hand_size=9".'),
    ],
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter of every version; may be repeated."),
    ] = None,
    players: Annotated[int, typer.Option(help="Player count.")] = 3,
    metric: Annotated[str, typer.Option(help="The metric that decides when to stop.")] = "seat_spread",
    size: Annotated[
        str | None,
        typer.Option(help="The difference that matters, such as 3pp or 0.5; else the metric's margin."),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(help="Play until the interval is this wide either way, such as 0.5pp, instead of deciding."),
    ] = None,
    levels: Annotated[
        str, typer.Option(help="Levels of play, the deciding one first: scripted, random, searcher.")
    ] = "scripted,random",
    line_up: Annotated[
        list[str] | None,
        typer.Option("--line-up", metavar="A,B,C", help="Line-up of the first level instead; may be repeated."),
    ] = None,
    targets: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Targets (TOML) that every version is judged by.")
    ] = None,
    budget: Annotated[
        int, typer.Option(min=1, help="Games of one level at most, but 40 deals, which the first look needs.")
    ] = 100_000,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Seconds for one level at most, but to the first look.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder of the games; runs/compare-… if left out.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="The page.")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores where left out.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; what the folder holds is removed.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON for a script.")] = False,
) -> None:
    """Play the same deals under two or more versions of the rules, until it is clear what changed."""
    from blinksim.analysis.aims import aims_of, status
    from blinksim.analysis.compare import Question
    from blinksim.analysis.comparison import compare_versions, results
    from blinksim.analysis.metrics import find
    from blinksim.analysis.sequential import Decision, RatioTest
    from blinksim.cli.run import FAILED_GAME
    from blinksim.games.game import get_game
    from blinksim.report.comparison import comparison_page, failures
    from blinksim.report.page import render
    from blinksim.simulate.batch import Interrupted
    from blinksim.simulate.targets import load_targets
    from blinksim.simulate.versions import parse_version
    from blinksim.store.runs import write_bytes

    def say(text: str) -> None:
        if not json:
            typer.echo(text, err=True)

    game = get_game("blink")
    first = parse_version(base, game)
    versions = [first, *(parse_version(text, game, first) for text in variants)]
    settings = _settings(levels, line_up, players, budget)
    measured = known_metrics(game, first, settings[0].line_ups, players, changes or ())
    known = find(measured, metric)
    aims: list[Any] = []
    if targets is not None:
        aims, _ = aims_of(load_targets(targets), measured, players)
    test = RatioTest(known.margin if size is None else amount(size, "--size"))
    question = Question(metric, test, None if precision is None else amount(precision, "--precision"), seconds)
    people, entrants = entrants_of(strategies_of([entry for setting in settings for entry in setting.line_ups]))
    game.warm(list(people.values()), False, say)
    folder = out or Path("runs") / file_name("compare", *(version.name for version in versions))
    try:
        found = compare_versions(
            game, versions, settings, entrants, question, players, seed, folder, changes or (), workers, fresh,
            None if json else _teller(), aims,
        )  # fmt: skip
    except Interrupted as stopped:
        typer.echo(str(stopped), err=True)
        raise typer.Exit(130) from None
    for failed in failures(found):
        typer.echo(failed, err=True)
    target = output or Path("reports") / f"{folder.name}.html"
    write_bytes(target, render(comparison_page(found)).encode())
    if json:
        from json import dumps

        typer.echo(dumps({"folder": str(folder), "page": str(target), **results(found)}, indent=1))
    else:
        _print(found, target)
    decided = found.levels[0].watched
    open_ones = Decision.OPEN in decided.decisions.values() if precision is None else decided.stopped != "precise"
    if failures(found):
        raise typer.Exit(FAILED_GAME)
    if aims:  # of the variants: what the base does is known
        judged = found.targets.filter(found.targets["version"] != found.names[0])["verdict"].to_list()
        raise typer.Exit(status(judged))
    raise typer.Exit(NOT_ANSWERED if open_ones else 0)


def _settings(levels: str, line_up: Sequence[str] | None, players: int, budget: int) -> list[Setting]:
    """What is played, the deciding level first."""
    from blinksim.analysis.comparison import Setting
    from blinksim.errors import UserError

    names = [name.strip() for name in levels.split(",")]
    wrong = [name for name in names if name not in LEVELS]
    if wrong or len(set(names)) < len(names):
        what = f'it has "{wrong[0]}"' if wrong else "it has one twice"
        raise UserError(f'--levels is "{levels}": {what}; levels are {", ".join(LEVELS)}, each once, with commas')
    settings = []
    for name in names:
        line_ups = line_ups_of(name, players)
        if line_up and name == names[0]:
            line_ups = [parse_line_up(text) for text in line_up]
        settings.append(Setting(name, line_ups, budget // SLOW if name == "searcher" else budget))
    return settings


def _teller() -> Callable[[str, Progress, Sequence[Look]], None]:
    """Says every few seconds how far a level is and how the answer stands."""
    last: dict[str, Any] = {"level": "", "seconds": 0.0}

    def tell(level: str, progress: Progress, looks: Sequence[Look]) -> None:
        new = level != last["level"]
        if not looks or (not new and progress.seconds - last["seconds"] < 3):
            return
        last.update(level=level, seconds=progress.seconds)
        newest: Mapping[int, Look] = {look.variant: look for look in looks}
        said = "; ".join(f"{look.difference:+.4f} ± {look.half_width:.4f} {look.decision}" for look in newest.values())
        deals = max(look.deals for look in newest.values())
        typer.echo(f"{level}: {deals:,} deals, {progress.games_per_second:,.0f} games/s: {said}", err=True)

    return tell


def _print(found: Comparison, target: Path) -> None:
    """The rule difference, the answers, and what differs at each level."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from blinksim.analysis.compare import DIFFERENT, EQUAL, NOT_ENOUGH
    from blinksim.report.comparison import answers, flips, metric_cells, shown

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=120)
    for i, changed in found.differences.items():
        typer.echo(f"{found.names[i]} against {found.names[0]}:")
        for key, a, b in changed or [("rules", "the same", "the same")]:
            typer.echo(f"  {key}: {a} -> {b}")
    for line in answers(found):
        typer.echo(f"{line.topic}: {line.verdict}. {line.sentence}")
    for row in found.targets.iter_rows(named=True):
        typer.echo(f"target {row['metric']}, {row['version']}: {row['verdict']} ({shown(row['value'], row['unit'])})")
    for level in found.levels:
        table = Table(box=SIMPLE_HEAD, title=f"{level.name} players", title_justify="left")
        for i, column in enumerate(
            ("version", "metric", "verdict", found.names[0], "there", "difference", "interval", "gain")
        ):
            table.add_column(column, justify="left" if i < 3 else "right", no_wrap=True)
        hidden: dict[str, int] = {}
        for row in found.rows.filter(found.rows["level"] == level.name).iter_rows(named=True):
            hidden[row["verdict"]] = hidden.get(row["verdict"], 0) + 1
            if row["verdict"] == DIFFERENT:
                table.add_row(*map(Text, [row["variant"], row["metric"], *metric_cells(row)]))
        if table.row_count:
            console.print(table)
        typer.echo(
            f"{level.name} players: {hidden.get(DIFFERENT, 0)} metrics differ, {hidden.get(EQUAL, 0)} are practically "
            f"equal, {hidden.get(NOT_ENOUGH, 0)} need more games."
        )
    for line_ in flips(found):
        typer.echo(f"The levels of play disagree: {line_}")
    typer.echo(f"{target}: the page")

"""``blinksim sensitivity``: which of all the numbers in the rules moves a metric most."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blinksim.cli.errors import user_errors
from blinksim.cli.playing import entrants_of, file_name, line_ups_of, parse_line_up, strategies_of

if TYPE_CHECKING:
    from blinksim.analysis.laboratory import Laboratory
    from blinksim.analysis.sensitivity import Play

INTERRUPTED = 130


@user_errors
def sensitivity(
    base: Annotated[str, typer.Argument(metavar="[BASE]", help="A preset, a file or a version.")] = "standard",
    metric: Annotated[str, typer.Option(help="Metrics, with commas.")] = "seat_spread,rounds",
    params: Annotated[
        str | None,
        typer.Option(metavar="GROUP,…", help="Only these: tiers, tiers.wall, victory.bands[0] …; all if left out."),
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
    deals: Annotated[int, typer.Option(min=2, help="Deals, each played under every ruleset.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    morris: Annotated[
        int | None,
        typer.Option(min=2, help="Elementary effects as well, of the numbers: so many trajectories (needs SALib)."),
    ] = None,
    morris_deals: Annotated[int, typer.Option(min=2, help="Deals of each trajectory.")] = 20,
    within: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=LOW..HIGH", help="Range of a number for --morris; may be repeated."),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="The page.")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores where left out.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON for a script.")] = False,
) -> None:
    """Change every number of the rules by one step, on the same deals, and rank what that does to a metric."""
    from blinksim.analysis.metrics import find
    from blinksim.analysis.sensitivity import one_at_a_time
    from blinksim.report.beside import write_page
    from blinksim.report.sensitivity import Setting, results, sensitivity_page
    from blinksim.simulate.entries import parse_within, pick, steps_of

    game, version, lab, texts = laboratory(base, changes, players, line_up, seed, workers, json)
    metrics = [find(lab.metrics, name.strip()) for name in metric.split(",")]
    ruleset = lab.ruleset(())
    entries = game.ruleset_entries(ruleset)
    wanted = [name.strip() for name in params.split(",")] if params else list(dict.fromkeys(e.key for e in entries))
    chosen = pick(entries, wanted, "--params")
    ranges = parse_within(within or ())
    elementary = None
    if morris is not None:
        elementary = _morris(lab, chosen, ranges, metrics, players, morris, morris_deals, seed, json)
    steps = [step for entry in chosen for step in steps_of(entry)]
    found = one_at_a_time(playing(lab), steps, metrics, players, deals, None if json else teller())
    setting = Setting(game.title, version.name, game.ruleset_hash(ruleset), texts, players, seed, deals, lab.games)
    target = output or Path("reports") / f"{file_name('sensitivity', version.name)}.html"
    frames = {"effects": found.effects, "impossible": found.impossible}
    if elementary is not None:
        frames["morris"] = elementary.effects
    data = results(setting, found, elementary)
    write_page(sensitivity_page(setting, found, metrics, elementary), frames, data, target)
    if json:
        from json import dumps

        typer.echo(dumps({"page": str(target), **data}, indent=1))
    else:
        _print(found, metrics, version.name, target)
    if found.stopped:
        raise typer.Exit(INTERRUPTED)


def laboratory(
    base: str,
    changes: Sequence[str] | None,
    players: int,
    line_up: Sequence[str] | None,
    seed: int,
    workers: int | None,
    quiet: bool,
) -> tuple[Any, Any, Laboratory, list[str]]:
    """The game, the base, what plays its versions, and the line-ups in words.

    Raises:
        UserError: a ruleset, a strategy or a line-up is not there.
    """
    from blinksim.analysis.laboratory import Laboratory
    from blinksim.games.game import get_game
    from blinksim.simulate.versions import parse_version

    game = get_game("blink")
    version = parse_version(base, game)
    line_ups = [parse_line_up(text) for text in line_up] if line_up else line_ups_of("scripted", players)
    people, entrants = entrants_of(strategies_of(line_ups))
    lab = Laboratory(game, version, line_ups, players, seed, entrants, changes or (), workers)
    game.warm(list(people.values()), False, lambda text: None if quiet else typer.echo(text, err=True))
    texts = [", ".join(entry["mirror"] * players if isinstance(entry, dict) else entry) for entry in line_ups]
    return game, version, lab, texts


def playing(lab: Laboratory) -> Play:
    """What plays one ruleset of a laboratory."""
    return lambda changes, first_deal, num_deals: lab.play([lab.ruleset(changes)], first_deal, num_deals)


def teller() -> Any:
    """Says every few seconds how far it is."""
    from time import monotonic

    first, began, last = -1, 0.0, 0.0

    def tell(number: int, many: int, what: str) -> None:
        nonlocal first, began, last
        now = monotonic()
        if first < 0:
            first, began, last = number, now, now
        elif now - last >= 3:
            last = now
            rest = (now - began) / (number - first) * (many - number)
            typer.echo(f"{number:,} of {many:,}, about {rest:,.0f} s to go: {what}", err=True)

    return tell


def _morris(
    lab: Laboratory, entries: Sequence[Any], ranges: Any, metrics: Any, players: int, many: int, deals: int, seed: int,
    quiet: bool,
) -> Any:  # fmt: skip
    """Elementary effects of the numbers among some entries; those without room to move are left out."""
    from blinksim.analysis.morris import elementary_effects
    from blinksim.simulate.entries import dials

    turned = dials([entry for entry in entries if entry.low is not None and entry.low < entry.high], ranges)
    return elementary_effects(
        playing(lab), lab.ruleset, turned, metrics, players, many, deals, seed, None if quiet else teller()
    )


def _print(found: Any, metrics: Sequence[Any], base: str, target: Path) -> None:
    """What moves each metric most."""
    from blinksim.report.sensitivity import headline, lines

    for metric in metrics:
        line = headline(metric, found)
        typer.echo(f"{line.topic}: {line.verdict}. {line.sentence}")
        rows = lines(found, metric)
        if rows:
            print_table(("change", "was", "verdict", base, "there", "difference", "interval", "gain"), rows, 3)
    typer.echo(f"{found.impossible.height} changes were not played; the page says why.")
    typer.echo(f"{target}: the page")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], heads: int) -> None:
    """A table on the terminal; its first columns are words."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=140)
    table = Table(box=SIMPLE_HEAD)
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i < heads else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)

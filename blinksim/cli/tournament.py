"""``blinksim tournament``: every strategy against every other, and a page about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blinksim.cli.errors import user_errors
from blinksim.cli.report import REPORTS, RUNS
from blinksim.cli.run import FAILED_GAME, play_batch
from blinksim.errors import UserError

if TYPE_CHECKING:
    from blinksim.report.tournament_results import Results


@user_errors
def tournament(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAMES...", help="Strategies or personas; parameters follow a colon: raider:lead=2."),
    ],
    players: Annotated[str, typer.Option(help="Player counts, with commas.")] = "2,3,4",
    deals: Annotated[int, typer.Option(help="Deals of each player count; each is played with all shifts.")] = 50,
    seed: Annotated[int, typer.Option(help="The seed of deals, of strategies' draws and of a sample.")] = 1,
    ruleset: Annotated[str, typer.Option(help="A preset, or the path of a TOML file.")] = "standard",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, such as tiers.wall[2]=15; may be repeated."),
    ] = None,
    line_ups: Annotated[
        int | None,
        typer.Option(help="Line-ups of three and of four players at most (40); more are sampled, in balance."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Run folder; runs/tournament-... where left out.")] = None,
    page: Annotated[Path | None, typer.Option(help="The page; reports/NAME.html where left out.")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores where left out.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; what the folder holds is removed.")] = False,
    extend: Annotated[
        bool, typer.Option("--extend", help="Add deals to a tournament that was played with fewer.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON for a script.")] = False,
) -> None:
    """Let strategies meet in all line-ups, on the same deals, and say who is strongest.

    The same again goes on. With more --deals and --extend only the further deals are played, and the page is about all.
    """
    from blinksim.players.roster import find_player
    from blinksim.report.tournament import write_tournament_page
    from blinksim.report.tournament_results import find_results
    from blinksim.simulate import batch
    from blinksim.simulate import tournament as contests
    from blinksim.store.reading import open_run

    def say(text: str) -> None:
        if not json:
            typer.echo(text, err=True)

    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise UserError(f"{twice[0]} is named twice; name each strategy once")
    entrants = {name: find_player(name) for name in names}
    most = contests.MAX_LINE_UPS if line_ups is None else line_ups
    contest = contests.make_tournament(entrants, _counts(players), deals, seed, ruleset, changes or (), most)
    prepared = batch.prepare(
        contest.experiment, {name: batch.Entrant(name, p, p.fingerprint) for name, p in entrants.items()}
    )
    folder = out or RUNS / contest.name
    notes = [f"{field}, {_games(prepared.plan.schedules[field.players].num_games)}" for field in contest.fields]
    for note in notes:
        say(note)
    say(f"{prepared.plan.num_games:,} games into {folder}")
    summary = play_batch(prepared, entrants, folder, workers, fresh, json, say, extend)
    results = find_results(open_run(folder), contest.ladders, notes)
    target = page or REPORTS / f"{folder.resolve().name}.html"
    write_tournament_page(results, target)
    if json:
        _print_json(results, folder, target)
    else:
        _print(results, folder, target)
    if summary.failed:
        raise typer.Exit(FAILED_GAME)


def _counts(text: str) -> list[int]:
    """Player counts from their text, ascending."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts) or len(set(parts)) < len(parts):
        raise UserError(f'--players is "{text}"; it must be player counts with commas, each once, such as 2,3,4')
    return sorted(map(int, parts))


def _games(count: int) -> str:
    return f"{count:,} game" + ("" if count == 1 else "s")


def _print(results: Results, folder: Path, target: Path) -> None:
    """Shares, matrix and ratings as tables."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from blinksim.report.tournament_results import doubts
    from blinksim.report.words import NOTHING, interval, percent, percent_interval

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=100)

    def show(title: str, columns: list[str], rows: list[list[str]]) -> None:
        typer.echo(f"\n{title}")
        table = Table(box=SIMPLE_HEAD)
        for i, column in enumerate(columns):
            table.add_column(column, justify="left" if i == 0 else "right", no_wrap=True)
        for row in rows:
            table.add_row(*map(Text, row))
        console.print(table)

    if not results.matrix.is_empty():
        by_pair = {(row["strategy"], row["rival"]): row for row in results.matrix.iter_rows(named=True)}
        names = results.shares.filter(results.shares["players"] == 2)["strategy"].to_list()
        found = [
            [name, *(percent(by_pair[name, rival]["value"], 0) if rival != name else NOTHING for rival in names)]
            for name in names
        ]
        show("2 players: wins of the row against the column", ["", *names], found)
    rated = {} if results.ratings is None else {
        (row["players"], row["strategy"]): row for row in results.ratings.iter_rows(named=True)
    }  # fmt: skip
    for players in results.facts.players:
        rows = []
        for row in results.shares.filter(results.shares["players"] == players).iter_rows(named=True):
            rating = rated.get((players, row["strategy"]))
            sure = rating is not None and rating["verdict"] == "rated"
            what = f"{rating['value']:+.0f}" if sure and rating is not None else "not enough games"
            between = interval(rating["low"], rating["high"], 0) if sure and rating is not None else NOTHING
            cells = [row["strategy"], percent(row["value"]), percent_interval(row["low"], row["high"])]
            rows.append([*cells, *([what, between] if rated else []), str(row["n_games"]), str(row["n_blocks"])])
        if not rows:
            typer.echo(f"\n{players} players: no game was decided.")
            continue
        headings = ["strategy", "wins", "interval", *(["rating", "interval"] if rated else []), "games", "deals"]
        show(f"{players} players: share of wins of a seat", headings, rows)
    for doubt in [results.no_ratings] if results.ratings is None else doubts(results.ratings):
        typer.echo(doubt)
    typer.echo(f"{target}: {results.facts.title} tournament, games in {folder}")


def _print_json(results: Results, folder: Path, target: Path) -> None:
    from json import dumps

    from blinksim.report.tournament_results import summary

    typer.echo(dumps({"folder": str(folder), "page": str(target), **summary(results)}, indent=1))

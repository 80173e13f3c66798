"""``blinksim sweep``: a parameter's values on the same deals; ``blinksim breakpoints``: where a metric breaks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
    tier_names,
)

DEFAULT_METRICS = "seat_spread,rounds,reached_civilization,attack_rate,duel_success,objective_rate,points,row_share"
NOT_FOUND = 3
"""Exit status where there were not enough games to find a breakpoint, or there is none."""

Base = Annotated[str, typer.Option(help="A preset, a file or a version; its parameters are changed.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter first; may be repeated.")
]
Players = Annotated[int, typer.Option(help="Player count.")]
LineUps = Annotated[
    list[str] | None,
    typer.Option("--line-up", metavar="A,B,C", help="Line-up instead; may be repeated."),
]
Seed = Annotated[int, typer.Option(help="Seed of the deals.")]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="The page.")]
Json = Annotated[bool, typer.Option("--json", help="Print the results as JSON for a script.")]


@user_errors
def sweep(
    parameter: Annotated[
        str, typer.Argument(metavar="KEY=VALUES", help="'tiers.wall[2]=11..18', 'setup.draft=true,false' …")
    ],
    second: Annotated[
        str | None, typer.Option("--and", metavar="KEY=VALUES", help="A second parameter: a heat map.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help=f"Metrics to show, with commas, or all; {DEFAULT_METRICS} where left out.")
    ] = None,
    base: Base = "standard",
    changes: Changes = None,
    players: Players = 3,
    line_up: LineUps = None,
    deals: Annotated[int, typer.Option(help="Deals, each played at every value.")] = 300,
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option(help="Run folder; runs/sweep-… if left out.")] = None,
    output: Output = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores where left out.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; what the folder holds is removed.")] = False,
    json: Json = False,
) -> None:
    """Play a parameter's values on the same deals: curves with bands; two parameters give a heat map."""
    from blinksim.analysis.sweep import curves, sums_of, sweep_data
    from blinksim.cli.run import FAILED_GAME, play_batch
    from blinksim.games.game import get_game
    from blinksim.report.page import render
    from blinksim.report.sweeping import sweep_page
    from blinksim.simulate.axes import parse_axis
    from blinksim.simulate.experiment import parse_experiment
    from blinksim.simulate.prepared import prepare
    from blinksim.simulate.versions import parse_version
    from blinksim.store.reading import open_run
    from blinksim.store.runs import write_bytes

    def say(text: str) -> None:
        if not json:
            typer.echo(text, err=True)

    game = get_game("blink")
    axes = [parse_axis(text) for text in (parameter, second) if text is not None]
    # As on a page: the parameter with most to see goes across.
    axes = axes[::-1]
    version = parse_version(base, game)
    line_ups = [parse_line_up(text) for text in line_up] if line_up else line_ups_of("scripted", players)
    known = known_metrics(game, version, line_ups, players, changes or ())
    shown = _chosen(known, metric)
    people, entrants = entrants_of(strategies_of(line_ups))
    data = sweep_data(version, axes, players, line_ups, deals, seed, changes or ())
    batch = prepare(parse_experiment(data, "sweep", game), entrants, game)
    folder = out or Path("runs") / file_name("sweep", *(axis.key for axis in axes))
    say(f"{batch.plan.num_games:,} games, {len(batch.rulesets)} rulesets on {deals:,} deals, into {folder}")
    summary = play_batch(batch, people, folder, workers, fresh, json, say)
    schedule = batch.plan.schedules[players]
    mixed = sorted({name for names in schedule.line_ups if len(set(names)) > 1 for name in names})
    # The names that the metrics go by, whatever the values of the parameter call the tiers.
    tiers = tier_names(game, version, changes or ())
    found = curves(sums_of(open_run(folder), tiers, mixed), axes, shown, players)
    target = output or Path("reports") / f"{folder.name}.html"
    texts = [", ".join(names) for names in schedule.line_ups]
    page = sweep_page(found, axes, game.title, version.name, players, texts, seed, summary.failed)
    write_bytes(target, render(page).encode())
    found.write_parquet(target.with_suffix(".parquet"))
    if json:
        from json import dumps

        typer.echo(dumps({"folder": str(folder), "page": str(target), "curves": _plain(found)}, indent=1))
    else:
        _print_curves(found, [axis.key for axis in axes])
        typer.echo(f"{target}: the page; {target.with_suffix('.parquet')}: the numbers")
    if summary.failed:
        raise typer.Exit(FAILED_GAME)


@user_errors
def breakpoints(
    parameter: Annotated[
        str, typer.Argument(metavar="KEY[=LOW..HIGH]", help="Such as 'tiers.wall[2]' or 'tiers.wall[2]=10..20'.")
    ],
    metric: Annotated[str, typer.Option(help="The metric whose curve it is.")] = "duel_success",
    tier: Annotated[str | None, typer.Option(help="Attacks on defenders of this tier alone.")] = None,
    level: Annotated[float, typer.Option(help="The value that the curve is to cross; shares as 0 to 1.")] = 0.5,
    slope: Annotated[bool, typer.Option("--slope", help="Find where the slope changes instead.")] = False,
    precision: Annotated[float, typer.Option(help="Half-width of the interval that is enough.")] = 0.5,
    budget: Annotated[int, typer.Option(help="Games at most.")] = 60_000,
    base: Base = "standard",
    changes: Changes = None,
    players: Players = 3,
    line_up: LineUps = None,
    seed: Seed = 1,
    output: Output = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores where left out.")] = None,
    json: Json = False,
) -> None:
    """Find where a metric crosses a level as a parameter grows, or where its slope changes."""
    from blinksim.analysis.breakpoints import crossing, slope_change
    from blinksim.analysis.laboratory import Laboratory
    from blinksim.analysis.metrics import SHARE, find
    from blinksim.analysis.searching import LEAST_VALUES, LEAST_VALUES_SLOPE, Sampler, axis_of
    from blinksim.games.game import get_game
    from blinksim.report.page import render
    from blinksim.report.sweeping import breakpoint_page
    from blinksim.simulate.versions import parse_version
    from blinksim.store.runs import write_bytes

    def say(text: str) -> None:
        if not json:
            typer.echo(text, err=True)

    game = get_game("blink")
    version = parse_version(base, game)
    line_ups = [parse_line_up(text) for text in line_up] if line_up else line_ups_of("scripted", players)
    people, entrants = entrants_of(strategies_of(line_ups))
    laboratory = Laboratory(game, version, line_ups, players, seed, entrants, changes or (), workers)
    axis = axis_of(parameter, laboratory, LEAST_VALUES_SLOPE if slope else LEAST_VALUES)
    chosen = find(laboratory.metrics, metric if tier is None else f"{metric}_{tier.lower()}")
    amount(f"{precision}", "--precision")
    _check_level(level, chosen)
    game.warm(list(people.values()), False, say)
    sampler = Sampler(laboratory, axis, chosen.name, say)
    most = max(1, budget // laboratory.games_per_deal)
    share = chosen.unit == SHARE
    if slope:
        found = slope_change(sampler, axis.positions(), share, precision, most)
    else:
        found = crossing(sampler, axis.positions(), level, share, precision, most)
    about = {
        "ruleset": version.name, "parameter": f"{axis.key}, {axis.values[0]} to {axis.values[-1]}",
        "line-ups": "; ".join(map(str, line_ups)), "players": str(players), "seed": str(seed),
        "games": f"{laboratory.games:,}",
    }  # fmt: skip
    target = output or Path("reports") / f"{file_name('breakpoints', axis.key, chosen.name)}.html"
    write_bytes(target, render(breakpoint_page(found, axis.key, chosen, None if slope else level, about)).encode())
    if json:
        from json import dumps
        from math import isnan

        numbers = {
            k: None if isnan(v) else v for k, v in (("value", found.value), ("low", found.low), ("high", found.high))
        }
        told = {"found": found.found, "said": found.said, **numbers, "games": laboratory.games, "page": str(target)}
        typer.echo(dumps({**told, "curve": _plain(found.curve)}, indent=1))
    else:
        typer.echo(f"{axis.key}, {chosen.title}: {found.said}; {laboratory.games:,} games")
        typer.echo(f"{target}: the page")
    raise typer.Exit(0 if found.found else NOT_FOUND)


def _chosen(known: list[Any], text: str | None) -> list[Any]:
    """Metrics by their names, with commas, or semicolons where names have commas; the usual ones where none is given.

    Of the usual ones those are left out that rules with other tiers do not have.
    """
    from blinksim.analysis.metrics import find

    if text is None:
        return [metric for metric in known if metric.name in DEFAULT_METRICS.split(",")]
    return known if text == "all" else [find(known, name) for name in parse_line_up(text)]


def _check_level(level: float, metric: Any) -> None:
    """A level that a metric can cross.

    Raises:
        UserError: it is no number, or a share that is not between 0 and 1.
    """
    from math import isfinite

    from blinksim.analysis.metrics import SHARE
    from blinksim.errors import UserError

    if not isfinite(level) or (metric.unit == SHARE and not 0 < level < 1):
        wanted = "between 0 and 1, such as 0.5 for one half" if metric.unit == SHARE else "a number"
        raise UserError(f"--level is {level:g}; for {metric.name} it must be {wanted}")


def _plain(frame: Any) -> list[dict[str, Any]]:
    """Rows for JSON, which knows no nan."""
    import polars as pl

    return frame.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()


def _print_curves(found: Any, keys: list[str]) -> None:
    """A table with a row for each point and a column for each metric."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from blinksim.report.comparison import shown

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=140)
    names = found["metric"].unique(maintain_order=True).to_list()
    table = Table(box=SIMPLE_HEAD)
    for key in keys:
        table.add_column(key)
    for name in names:
        table.add_column(name, justify="right")
    cells: dict[int, dict[str, Any]] = {}
    for row in found.iter_rows(named=True):
        cells.setdefault(row["point"], {})[row["metric"]] = row
    for row in cells.values():
        first = next(iter(row.values()))
        values = [shown(row[name]["value"], row[name]["unit"]) if name in row else "" for name in names]
        table.add_row(*map(Text, [*[first[key] for key in keys], *values]))
    console.print(table)

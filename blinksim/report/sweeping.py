"""The pages of a sweep and of a search for a breakpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from blinksim.analysis import metrics
from blinksim.analysis.breakpoints import Breakpoint
from blinksim.report import figures_sweep
from blinksim.report.common import basis_cells
from blinksim.report.comparison import shown
from blinksim.report.parts import FigureGroup, Headline, Page, Picture, Section, Table
from blinksim.report.words import NOTHING, count, listed, plural
from blinksim.simulate.axes import Axis

FOUND, NONE = "found", "not found"


def _scale(unit: str) -> int:
    return 100 if unit == metrics.SHARE else 1


def _between(low: float | None, high: float | None, unit: str, sign: bool = False) -> str:
    if low is None or high is None:
        return NOTHING
    return f"{shown(low, unit, sign)} to {shown(high, unit, sign)}"


def sweep_page(
    curves: pl.DataFrame,
    axes: Sequence[Axis],
    title: str,
    base: str,
    players: int,
    line_ups: Sequence[str],
    seed: int,
    failed: int = 0,
) -> Page:
    """The page of a sweep.

    Args:
        curves: From :func:`blinksim.analysis.sweep.curves`.
        axes: One or two.
        title: Name of the game.
        base: Name of the version whose parameters were swept.
        players: Player count.
        line_ups: In words.
        seed: Of the deals.
        failed: Games that a mistake stopped.
    """
    keys = listed([axis.key for axis in axes])
    names = curves["metric"].unique(maintain_order=True).to_list()
    games = int(curves.filter(pl.col("metric") == names[0])["n_games"].sum())
    note = (
        "Points: each value of the parameter, with its own 95 % interval (t, over deals). Band: 95 % for all points "
        "of a curve together (Šidák)."
        if len(axes) == 1
        else "Cells: the metric at both values; darker is more. Intervals are in the tables."
    )
    pictures, tables, lines = [], [], []
    for name in names:
        rows = curves.filter(pl.col("metric") == name)
        pictures.append(_picture(rows, axes))
        tables.append(_table(rows, axes))
        lines.append(_headline(rows, axes))
    return Page(
        title=f"{title}: {keys}",
        question=f"What does {keys} do?",
        summary=f"{plural(games, 'game')} with {players} players, every value on the same deals, changed from {base}.",
        warnings=[f"{plural(failed, 'game')} failed and are not counted."] if failed else [],
        headlines=lines,
        sections=[
            Section(
                "curves", "Curves", [f"Line-ups: {'; '.join(line_ups)}."], [FigureGroup("Metrics", pictures, note)]
            ),
            Section(
                "numbers",
                "Numbers",
                tables=tables,
                notes=[
                    "Step: the change from the value before (of the last parameter), paired by deal, with an "
                    "interval that holds for all steps of the table together.",
                    f"The sample is the deal with all its games; deals of seed {seed}.",
                ],
            ),
        ],
    )


def _where(row: Mapping[str, Any], axes: Sequence[Axis]) -> str:
    """The values of a point."""
    return ", ".join(row[axis.key] for axis in axes)


def _picture(rows: pl.DataFrame, axes: Sequence[Axis]) -> Picture:
    unit, name = rows["unit"][0], rows["metric"][0]
    title = f"{name} ({'%' if unit == metrics.SHARE else unit})"
    told = [
        f"{'; '.join(row[axis.key] for axis in axes)}: {shown(row['value'], unit)}"
        for row in rows.iter_rows(named=True)
    ]
    if len(axes) == 1:
        frame = rows.with_columns(x=pl.Series(axes[0].positions(), dtype=pl.Float64)).sort("x")
        labels = () if axes[0].numeric else axes[0].values
        ax = figures_sweep.curve(frame, title=title, xlabel=axes[0].key, labels=labels, scale=_scale(unit))
    else:
        down, across = axes
        ax = figures_sweep.heat_map(
            rows, title=title, across=across.values, down=down.values, names=(across.key, down.key), scale=_scale(unit)
        )
    return Picture(f"sweep-{name.replace('_', '-')}", ax, f"{rows['title'][0]}. {'; '.join(told)}.")


def _table(rows: pl.DataFrame, axes: Sequence[Axis]) -> Table:
    unit = rows["unit"][0]

    def cells(row: dict[str, Any]) -> list[str]:
        return [
            *[row[axis.key] for axis in axes], shown(row["value"], unit), _between(row["low"], row["high"], unit),
            NOTHING if row["change"] is None else shown(row["change"], unit, sign=True),
            _between(row["change_low"], row["change_high"], unit, sign=True), *basis_cells(row),
        ]  # fmt: skip

    columns = [*[axis.key for axis in axes], "value", "interval", "step", "interval of the step", "games", "deals"]
    return Table(
        rows["title"][0], columns, [cells(row) for row in rows.iter_rows(named=True)], heads=len(axes), detail=True
    )


def _headline(rows: pl.DataFrame, axes: Sequence[Axis]) -> Headline:
    unit = rows["unit"][0]
    known = rows.filter(pl.col("value").is_not_nan())
    least, most = known.sort("value").row(0, named=True), known.sort("value").row(-1, named=True)
    where = [_where(row, axes) for row in (least, most)]
    steps = known.filter((pl.col("change_low") > 0) | (pl.col("change_high") < 0)).height
    sure = f"{plural(steps, 'step')} of {max(known['change'].drop_nulls().len(), 0)} beyond its interval"
    sentence = (
        f"From {shown(least['value'], unit)} ({_between(least['low'], least['high'], unit)}) at {where[0]} to "
        f"{shown(most['value'], unit)} ({_between(most['low'], most['high'], unit)}) at {where[1]}; {sure}."
    )
    return Headline(f"{rows['title'][0][0].upper()}{rows['title'][0][1:]}", 0, sentence)


def breakpoint_page(
    found: Breakpoint,
    key: str,
    metric: metrics.Metric,
    level: float | None,
    about: Mapping[str, str],
) -> Page:
    """The page of a search for a breakpoint.

    Args:
        found: What came of it.
        key: The parameter.
        metric: Whose curve it is.
        level: That it was to cross; None for a change of slope.
        about: What was played, by heading.
    """
    scale = _scale(metric.unit)
    place = (found.value, found.low, found.high) if found.found else None
    ax = figures_sweep.breakpoint_curve(
        found.curve,
        title=f"{metric.name} ({'%' if scale == 100 else metric.unit})",
        xlabel=key,
        level=level,
        scale=scale,
        found=place,
    )
    rows = [
        [
            f"{row['value']:g}",
            shown(row["metric"], metric.unit),
            _between(row["low"], row["high"], metric.unit),
            count(row["n_blocks"]),
        ]
        for row in found.curve.iter_rows(named=True)
    ]
    asked = f"cross {shown(level, metric.unit)}" if level is not None else "change its slope"
    return Page(
        title=f"{key}: where it breaks",
        question=f"Where does {metric.title} {asked} as {key} grows?",
        summary=f"{count(found.deals)} deals at all points together; games went where the curve bends.",
        headlines=[
            Headline("Breakpoint", 0, f"{found.said[0].upper()}{found.said[1:]}.", FOUND if found.found else NONE)
        ],
        sections=[
            Section(
                "curve",
                "The curve",
                figures=[
                    FigureGroup(
                        "Points that were played",
                        [Picture("breakpoint", ax, found.said)],
                        "Points with 95 % intervals (over deals, shares on the logit scale). Grey: the breakpoint's "
                        "interval.",
                    )
                ],
                tables=[Table(metric.title, [key, "value", "interval", "deals"], rows)],
                notes=[
                    "Crossing: the interval holds all places at which the curve, drawn straight between points "
                    "(shares on the logit scale), is not significantly away from the level. Change of slope: all "
                    "meeting places of two straight lines that fit nearly as well as the best.",
                ],
            ),
            Section(
                "method",
                "What was played",
                tables=[Table("Setting", ["", ""], [[k, v] for k, v in about.items()], heads=2)],
            ),
        ],
    )

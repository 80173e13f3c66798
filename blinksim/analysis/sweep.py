"""A sweep: one or two parameters over their values, every ruleset on the same deals, metrics as curves with bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis import compare, metrics, paired
from blinksim.analysis.estimates import simultaneous_level, t_half_width
from blinksim.errors import UserError
from blinksim.simulate.axes import Axis, grid
from blinksim.simulate.versions import Version
from blinksim.store.reading import Run

SHARDS_AT_ONCE = 8
"""Shards whose rows are scanned together; their sums are a row a deal."""


class NothingCountedError(UserError):
    """None of the metrics that were asked for counted anything."""


def sweep_data(
    base: Version,
    axes: Sequence[Axis],
    players: int,
    line_ups: Sequence[Any],
    deals: int,
    seed: int,
    changes: Sequence[str] = (),
) -> dict[str, Any]:
    """A sweep as an experiment's data: the first point is the base of the others.

    Args:
        base: Version whose parameters are swept.
        axes: One or two, the last fastest.
        players: Player count.
        line_ups: As in an experiment's file.
        deals: How many.
        seed: Of the deals.
        changes: Overrides "KEY=VALUE" of every point, first.
    """
    first, *others = grid(axes)
    names = ["; ".join(point) for point in others]
    return {
        "question": f"What does {' and '.join(axis.key for axis in axes)} do?",
        "ruleset": base.ruleset,
        "set": [*changes, *base.changes, *first],
        "variants": [{"name": name, "set": list(point)} for name, point in zip(names, others, strict=True)],
        "players": [players],
        "line_ups": list(line_ups),
        "deals": deals,
        "seed": seed,
    }


def sums_of(run: Run, tier_names: Sequence[str], mixed: Sequence[str]) -> pl.DataFrame:
    """The sums of a whole run, some shards at a time, so that memory does not grow with the games."""
    frames = []
    numbers = list(run.shards)
    for first in range(0, len(numbers), SHARDS_AT_ONCE):
        part = replace(run, shards={number: run.shards[number] for number in numbers[first : first + SHARDS_AT_ONCE]})
        frames.append(metrics.sums(part.scan, tier_names, mixed))
    return pl.concat(frames).sort(metrics.KEYS)


def curves(sums: pl.DataFrame, axes: Sequence[Axis], known: Sequence[metrics.Metric], players: int) -> pl.DataFrame:
    """Every metric at every point.

    Args:
        sums: Of the whole sweep; ``variant`` is the number of the point.
        axes: As they were swept.
        known: The metrics to take.
        players: Player count.

    Returns:
        One row per metric and point: ``metric``, ``title``, ``unit``, one column for each axis with its value as text,
        ``point``, ``value``, ``low``, ``high`` (95 % for the point alone), ``band_low``, ``band_high`` (95 % for all
        points of the curve together, Sidak), ``change`` (to the point before along the last axis; null for the first),
        ``change_low``, ``change_high`` (paired by deal, 95 % for all steps of the curve together), ``n_blocks``,
        ``n_games``. Metrics of which nothing was counted anywhere are left out.

    Raises:
        NothingCountedError: none is left.
    """
    points = grid(axes)
    steps = len(axes[-1].values)
    rows: list[dict[str, Any]] = []
    for metric in known:
        arms = {}
        for number in range(len(points)):
            mine = sums.filter(pl.col("variant") == number)
            arms[number] = paired.arm(mine, metric.name, players), mine.height, int(mine["games"].sum())
        if all(np.isnan(arm.value) for arm, _, _ in arms.values()):
            continue
        for number, point in enumerate(points):
            arm, blocks, games = arms[number]
            half = t_half_width(arm.standard_error, arm.counted)
            wide = t_half_width(arm.standard_error, arm.counted, simultaneous_level(len(points)))
            change = step = None
            if number % steps and blocks > 1:
                change = compare.compared(sums, number - 1, number, metric.name, players)
                step = t_half_width(change.standard_error, change.n_blocks, simultaneous_level(steps - 1))
            rows.append(
                {
                    "metric": metric.name, "title": metric.title, "unit": metric.unit,
                    **{change_.partition("=")[0]: change_.partition("=")[2] for change_ in point}, "point": number,
                    "value": arm.value, "low": arm.value - half, "high": arm.value + half,
                    "band_low": arm.value - wide, "band_high": arm.value + wide,
                    "change": change.value if change else None,
                    "change_low": change.value - step if change and step is not None else None,
                    "change_high": change.value + step if change and step is not None else None,
                    "n_blocks": blocks, "n_games": games,
                }
            )  # fmt: skip
    if not rows:
        raise NothingCountedError(
            f"nothing was counted of {', '.join(metric.name for metric in known)} under any of these rules; take other "
            "metrics, more deals or other line-ups"
        )
    return pl.DataFrame(rows, infer_schema_length=None)

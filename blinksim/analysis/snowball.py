"""Snowball: whether who climbs first wins, and how far the others are behind.

A seat reaches a tier in the first round at whose end it stands on it or higher. Win shares are of decided games, a
shared victory split. A block is a deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis.courses import NEVER, Array, Course
from blinksim.analysis.drama import as_frame
from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, crossing, ratio, share, survival

CURVE_BLOCKS = 4096
"""Deals are thrown together into at most so many blocks for the bands of curves; that many tell the variance."""


def snowball(courses: Iterable[Course], num_tiers: int, level: float = LEVEL) -> dict[str, pl.DataFrame]:
    """Who gets to a tier first, second and so on, and what it is worth.

    Args:
        courses: The games of each player count, with who won them.
        num_tiers: How many tiers the ruleset has.
        level: Confidence level.

    Returns:
        ``first_wins``, see :func:`first_wins`; ``order_curves`` and ``order``, see :func:`arrival_order`; ``gap``, see
        :func:`gaps`.
    """
    parts: dict[str, list[pl.DataFrame]] = {"first_wins": [], "order_curves": [], "order": [], "gap": []}
    for course in courses:
        arrivals = course.arrivals(num_tiers)
        parts["first_wins"].append(first_wins(course, arrivals, level))
        curves, summary = arrival_order(course, arrivals, level)
        parts["order_curves"].append(curves)
        parts["order"].append(summary)
        parts["gap"].append(gaps(course, arrivals, level))
    return {name: pl.concat(frames) for name, frames in parts.items()}


def first_wins(course: Course, arrivals: Array, level: float = LEVEL) -> pl.DataFrame:
    """How often the seat wins that alone gets to a tier first.

    Args:
        course: The games of one player count.
        arrivals: (n, tiers, G) from :meth:`blinksim.analysis.courses.Course.arrivals`.
        level: Confidence level.

    Returns:
        ``players``, ``tier`` (from 1), ``alone`` (the share of decided games in which one seat alone was first;
        otherwise several were in the same round, or nobody got there), an estimate of the share of these that it won,
        and ``fair``, one over the number of players.
    """
    shares = course.shares()
    rows: list[tuple[Any, ...]] = []
    for tier, times in enumerate(np.swapaxes(arrivals, 0, 1), start=1):
        first = times.min(axis=0)
        firsts = (times == first) & (first < NEVER)
        alone = course.decided & (firsts.sum(axis=0) == 1)
        won = (shares * firsts).sum(axis=0)
        of_all = float(alone.sum() / max(course.decided.sum(), 1))
        rows.append((course.players, tier, of_all, share(course.per_deal(won, alone), level=level)))
    frame = as_frame(rows, {"players": pl.Int8, "tier": pl.Int64, "alone": pl.Float64})
    return frame.with_columns(fair=1 / pl.col("players").cast(pl.Float64))


def arrival_order(course: Course, arrivals: Array, level: float = LEVEL) -> tuple[pl.DataFrame, pl.DataFrame]:
    """When the first, the second … player got to each tier, games being the members of the curves (Kaplan-Meier).

    Args:
        course: The games of one player count.
        arrivals: (n, tiers, G).
        level: Confidence level.

    Returns:
        The curves: ``players``, ``tier``, ``order`` (1 the first), then the columns of
        :func:`blinksim.analysis.estimates.survival` with ``n_games``. And a row per curve: ``players``, ``tier``,
        ``order``, an estimate of the share of games in which so many got there, and ``median`` (null where less than
        half) with ``median_low`` and ``median_high``.
    """
    in_order = np.sort(arrivals, axis=0)
    deals, index = np.unique(course.deal, return_inverse=True)
    block = index % CURVE_BLOCKS
    curves, rows = [], []
    everyone = np.ones(len(course.deal))
    for order, tiers in enumerate(in_order, start=1):
        for tier, times in enumerate(tiers, start=1):
            there = times < NEVER
            curve = survival(_exits(block, np.where(there, times, course.rounds), there), level=level)
            key = {"players": course.players, "tier": tier, "order": order}
            types = {"players": pl.Int8, "tier": pl.Int64, "order": pl.Int64}
            named = [pl.lit(value, types[name]).alias(name) for name, value in key.items()]
            size = {"n_blocks": pl.lit(len(deals), pl.Int64), "n_games": pl.lit(len(course.deal), pl.Int64)}
            curves.append(curve.with_columns(**size).select(*named, pl.all()))
            median = [None if time != time else time for time in crossing(curve)]
            rows.append((*key.values(), *median, share(course.per_deal(there, everyone), level=level)))
    spread = dict.fromkeys(("median", "median_low", "median_high"), pl.Float64)
    summary = as_frame(rows, {"players": pl.Int8, "tier": pl.Int64, "order": pl.Int64} | spread)
    columns = ["players", "tier", "order", *ESTIMATE_COLUMNS, *spread]
    return pl.concat(curves), summary.select(columns).sort("tier", "order")


def _exits(block: Array, time: Array, there: Array) -> pl.DataFrame:
    """One row per block and time that occurs, as :func:`blinksim.analysis.estimates.survival` takes them."""
    width = int(time.max(initial=0)) + 1
    cell = block * width + time
    reached, left = np.bincount(cell, there), np.bincount(cell, ~there)
    used = np.flatnonzero(reached + left)
    return pl.DataFrame(
        {
            "deal": used // width, "round": used % width,
            "reached": reached[used].astype(np.int64), "left": left[used].astype(np.int64),
        }
    )  # fmt: skip


def gaps(course: Course, arrivals: Array, level: float = LEVEL) -> pl.DataFrame:
    """Rounds between the first and the last player to get to each tier, of games in which all got there.

    Returns:
        ``players``, ``tier``, ``all_there`` (the share of games in which all got there), an estimate of the mean.
    """
    rows: list[tuple[Any, ...]] = []
    for tier, times in enumerate(np.swapaxes(arrivals, 0, 1), start=1):
        all_there = times.max(axis=0) < NEVER
        gap = np.where(all_there, times.max(axis=0) - times.min(axis=0), 0)
        mean = ratio(course.per_deal(gap, all_there), level=level)
        rows.append((course.players, tier, float(all_there.mean()), mean))
    return as_frame(rows, {"players": pl.Int8, "tier": pl.Int64, "all_there": pl.Float64})

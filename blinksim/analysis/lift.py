"""Lift: what it is worth to have something, from who was dealt it and from who came by it.

What is dealt is dealt at random, so that players who are dealt a thing and players of the same deal who are not differ
by luck alone: the difference between their results is what the thing does. What is researched or played is chosen, and
the same difference says only what goes together.

Either way results are compared inside a block, and a block adds two sums: of the products of the deviations of "how
much of it" and "how well it went" from their means, and of the squares of the former. The ratio of the two, over all
blocks, is the slope within blocks (for a thing that one has or has not: the mean difference), and the blocks say how
well it is known (:func:`blinksim.analysis.estimates.ratio`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from blinksim.analysis.estimates import (
    ESTIMATE_COLUMNS,
    LEVEL,
    MARGIN,
    Estimate,
    Verdict,
    as_estimates,
    equivalence,
    ratio,
)
from blinksim.analysis.fairness import TWELFTHS

MIN_BLOCKS = 30
"""With fewer deals that tell anything a cell is not tested: the t interval leans on a mean of about so many blocks."""
LIFT_COLUMNS: dict[str, Any] = ESTIMATE_COLUMNS | {"p": pl.Float64}

Floats = np.ndarray


def outcomes(seats: pl.LazyFrame) -> pl.DataFrame:
    """How each dealt hand did, over all games of its deal that were decided.

    A hand travels with its objectives over seats and players; the table ``seats`` calls it ``position``.

    Returns:
        ``players``, ``deal``, ``position``, ``games``, and the sums ``wins`` (shared victories split) and ``points``.
    """
    keys = ["players", "deal", "position"]
    twelfths = (pl.col("win_share").cast(pl.Float64) * TWELFTHS).round().cast(pl.Int64)
    return (
        seats.filter(pl.col("win_share").is_not_null())
        .group_by(keys)
        .agg(games=pl.len().cast(pl.Int64), wins=twelfths.sum(), points=pl.col("points").cast(pl.Int64).sum())
        .with_columns(pl.col("wins") / TWELFTHS, pl.col("points").cast(pl.Float64))
        .collect(engine="streaming")
        .sort(keys)
    )


def dealt_sums(dealt: np.ndarray, results: Floats, games: np.ndarray) -> tuple[Floats, Floats]:
    """What each deal says of each thing dealt: the two sums of this module, for a mean over its games.

    Args:
        dealt: (deals, players, items) whole numbers: how many of the item the hand was dealt.
        results: (deals, players): sum of the results of the hand over the deal's games.
        games: (deals,): how many games these are.

    Returns:
        Sums of products and of squares, (deals, items) each; the squares are 0 where all hands were dealt alike.
    """
    players = dealt.shape[1]
    # Players times the deviation, in whole numbers: exactly 0 where all hands are alike.
    more = players * dealt.astype(np.int64) - dealt.sum(axis=1, keepdims=True, dtype=np.int64)
    products = np.einsum("dpi,dp->di", more, results) / players
    squares = (more**2).sum(axis=1) / players**2 * games[:, None]
    return products, squares


def slopes(
    names: Sequence[str], products: Floats, squares: Floats, games: np.ndarray, level: float = LEVEL, item: str = "item"
) -> pl.DataFrame:
    """The slope within blocks of every item, tested against none.

    Args:
        names: Of the items.
        products: (blocks, items) sums of products.
        squares: (blocks, items) sums of squares.
        games: (blocks,) games of the block.
        level: Level of each interval.
        item: Name of the column for the items.

    Returns:
        ``item``, the columns of an estimate, and ``p``: the probability of a slope so far from 0 if there were none (t
        test over blocks); null with fewer than ``MIN_BLOCKS`` blocks.
    """
    rows = []
    for i, name in enumerate(names):
        blocks = pl.DataFrame({"total": products[:, i], "count": squares[:, i], "games": games})
        found = ratio(blocks, level=level)
        rows.append({item: name} | asdict(found) | {"p": p_value(found, level)})
    return pl.DataFrame(rows, schema={item: pl.String} | LIFT_COLUMNS)


def p_value(estimate: Estimate, level: float = LEVEL) -> float | None:
    """Two-sided p of a t interval of that level against 0; None where there are too few blocks to test."""
    if estimate.n_blocks < MIN_BLOCKS:
        return None
    free = estimate.n_blocks - 1
    half = estimate.high - estimate.value
    if half <= 0:
        return 1.0 if estimate.value == 0 else 0.0
    t = abs(estimate.value) / half * float(stats.t.ppf(0.5 + level / 2, free))
    return float(2 * stats.t.sf(t, free))


def verdict(lifts: pl.DataFrame, margin: float = MARGIN) -> Verdict:
    """Whether lifts, rows with ``flagged``, are as good as none.

    Fair where every interval lies within the margin, not fair where one of a flagged row lies wholly outside, otherwise
    there are not enough games to say.
    """
    if equivalence(as_estimates(lifts.filter("flagged")), 0.0, margin) == Verdict.NOT_FAIR:
        return Verdict.NOT_FAIR
    within = equivalence(as_estimates(lifts), 0.0, margin) == Verdict.FAIR
    return Verdict.FAIR if within else Verdict.NOT_ENOUGH


def grouped_sums(groups: np.ndarray, block: np.ndarray, have: np.ndarray, results: Floats) -> tuple[Floats, Floats]:
    """The two sums of this module where only members of the same group are compared, added up to blocks.

    Args:
        groups: Where each group begins among the members, ascending from 0.
        block: By group, the number of its block, ascending from 0 without gaps.
        have: (members,) whole numbers: how many of the thing the member has.
        results: (members,): how well it went; whole numbers give the same sums in whatever order members come.

    Returns:
        Sums of products and of squares, (blocks,) each.
    """
    sizes = np.diff(np.append(groups, len(have)))
    x, y = have.astype(np.int64), results
    sum_x, sum_y = np.add.reduceat(x, groups), np.add.reduceat(y, groups)
    products = np.add.reduceat(x * y, groups) - sum_x * sum_y / sizes
    # In whole numbers up to the division: exactly 0 where all members of a group have the same.
    squares = (sizes * np.add.reduceat(x * x, groups) - sum_x**2) / sizes
    first = np.searchsorted(block, np.arange(block[-1] + 1))
    return np.add.reduceat(products, first), np.add.reduceat(squares, first)

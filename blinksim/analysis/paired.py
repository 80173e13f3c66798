"""Paired differences: two rulesets on the same deals, block by block.

A metric is a ratio of two sums over deals. To first order a deal moves it by its *influence*,
``(y - value * x) / mean(x)``; the difference of two rulesets moves by the difference of the two influences of the same
deal, and what the deal's luck does to both cancels (common random numbers; variance of the difference = variance of
either - 2 covariance). How much that helps is the *gain*: the variance of the difference with independent deals over
that with the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from blinksim.analysis.metrics import SEAT_SPREAD

SAME = 1e-12
"""A variance below this is that of rounding."""


@dataclass(frozen=True)
class Arm:
    """A metric under one ruleset.

    Attributes:
        value: nan where nothing was counted.
        influence: (blocks,) by how much each deal moves it, times the number of blocks.
        counted: Blocks in which something was counted; the others move nothing.
    """

    value: float
    influence: np.ndarray
    counted: int

    @property
    def variance(self) -> float:
        """Of a block's influence."""
        return float(np.var(self.influence, ddof=1)) if len(self.influence) > 1 else np.nan

    @property
    def standard_error(self) -> float:
        """Of the value, over the blocks that counted; nan with fewer than two."""
        return _standard_error(self.influence, self.counted, 0.0)


@dataclass(frozen=True)
class Difference:
    """A metric under two rulesets on the same deals.

    Attributes:
        base: Under the first.
        other: Under the second.
        value: Second less first.
        standard_error: Of that, over blocks.
        n_blocks: Deals in which the metric counted something, under the ruleset that has fewer.
        n_games: Games of both rulesets on these deals.
        gain: Variance with independent deals over variance with the same; inf where every block is the same, nan
            where nothing varies at all.
    """

    base: Arm
    other: Arm
    value: float
    standard_error: float
    n_blocks: int
    n_games: int
    gain: float


def arm(sums: pl.DataFrame, metric: str, players: int) -> Arm:
    """A metric of one ruleset.

    Args:
        sums: Its rows of a frame of sums, one per deal, in deal order.
        metric: Name of the metric.
        players: Player count.
    """
    if metric == SEAT_SPREAD:
        return spread([arm(sums, f"seat_{seat}", players) for seat in range(players)])
    y, x = (sums[f"{metric}|{part}"].to_numpy() for part in "yx")
    mean = x.mean() if len(x) else 0.0
    if not mean:
        return Arm(np.nan, np.zeros(len(x)), 0)
    value = float(y.sum() / x.sum())
    return Arm(value, (y - value * x) / mean, int(np.count_nonzero(x)))


def spread(seats: Sequence[Arm]) -> Arm:
    """The largest value less the smallest.

    Both ends are picked by what was seen, so the spread itself is taken for too large when games are few, and the more
    so the nearer the seats are to each other. Under two rulesets alike that cancels in the difference; where one
    spreads more than the other, the difference is taken for a little too small.
    """
    values = [seat.value for seat in seats]
    if np.isnan(values).any():
        return Arm(np.nan, np.zeros(len(seats[0].influence)), 0)
    best, worst = seats[int(np.argmax(values))], seats[int(np.argmin(values))]
    return Arm(best.value - worst.value, best.influence - worst.influence, min(seat.counted for seat in seats))


def _standard_error(influence: np.ndarray, counted: int, apart: float) -> float:
    """Of a mean of influences, over the blocks that counted.

    Where all blocks agree, nothing is seen of how they vary, and zero would be a certainty that nobody has: of the
    blocks one more is taken to have moved, by as much as blocks move that share nothing (the variance ``apart``) or,
    where not even that is seen, by a whole one.
    """
    if counted < 2:
        return np.nan
    blocks, variance = len(influence), float(np.var(influence, ddof=1))
    if variance < SAME:
        return float(np.sqrt(apart * counted / blocks if apart >= SAME else 1.0)) / counted
    return float(np.sqrt(variance * (blocks - 1) / blocks**2 * counted / (counted - 1)))


def difference(base: Arm, other: Arm, n_games: int, same_rules: bool = False) -> Difference:
    """The paired difference of a metric, second less first.

    Args:
        base: Under the first ruleset.
        other: Under the second, the same deals in the same order.
        n_games: Games of both.
        same_rules: Whether the rulesets are the same, so that the games are, to the last one there will ever be.
    """
    blocks = len(base.influence) if same_rules else min(base.counted, other.counted)
    value = other.value - base.value
    if blocks < 2 or np.isnan(value):
        return Difference(base, other, value, np.nan, blocks, n_games, np.nan)
    moved = other.influence - base.influence
    variance = float(np.var(moved, ddof=1))
    apart = base.variance + other.variance
    gain = np.nan if apart < SAME else np.inf if variance < SAME else apart / variance
    error = 0.0 if same_rules else _standard_error(moved, blocks, apart)
    return Difference(base, other, value, error, blocks, n_games, gain)


def same_deals(sums: pl.DataFrame, base: int, other: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of two variants on the deals that both have, in deal order.

    Args:
        sums: Rows of one player count and level.
        base: Number of a variant.
        other: Number of another.
    """
    first, second = (sums.filter(pl.col("variant") == v).sort("deal") for v in (base, other))
    both = first.select("deal").join(second.select("deal"), on="deal")
    return first.join(both, on="deal", how="semi"), second.join(both, on="deal", how="semi")

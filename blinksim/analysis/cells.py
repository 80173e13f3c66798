"""Many cells at once: the estimates of :mod:`blinksim.analysis.estimates` for a table with hundreds of groups.

The same numbers as ``estimate_groups`` with ``share`` or ``ratio`` gives, but worked out for all groups together: a
map of 80 cards by seven uses, or of 20 ranks by 20 kinds of tile, would otherwise be a loop over thousands of groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from blinksim.analysis.estimates import LEVEL, ratio, share

Blocks = pl.DataFrame | pl.LazyFrame
ROUNDING = 1e-12
"""Squares that are less than so much of their terms are nothing but rounding: all blocks agree."""
NOTHING = pl.DataFrame(schema=dict.fromkeys(("total", "count", "games"), pl.Int64))
SAMPLE_GAMES = 20_000
"""Where a measure joins tables it takes about so many games a player count: intervals are narrow long before that."""


def share_cells(
    blocks: Blocks,
    by: Sequence[str],
    total: str = "total",
    count: str = "count",
    games: str = "games",
    level: float = LEVEL,
) -> pl.DataFrame:
    """A share per group, as :func:`blinksim.analysis.estimates.share` makes it.

    Args:
        blocks: One row per group and block, in any order; ``total``, ``count`` and ``games`` are whole numbers.
        by: Columns that name the group.
        total: Column with the block's sum of the quantity, 0 to ``count``.
        count: Column with how many could have been.
        games: Column with what ``n_games`` counts.
        level: Confidence level.

    Returns:
        The columns ``by``, then those of an estimate, sorted by group; groups in which nothing was counted are not
        there.
    """
    cells = _moments(blocks, by, total, count, games)
    value, n = cells["value"].to_numpy(), cells["n_blocks"].to_numpy()
    variance = _variance(cells)
    spread = np.divide(value * (1 - value), variance, out=n.astype(np.float64), where=variance >= 1e-18)
    with np.errstate(invalid="ignore"):
        size = spread * (stats.norm.ppf(0.5 + level / 2) / stats.t.ppf(0.5 + level / 2, n - 1)) ** 2
        low, high = proportion_confint(value * size, size, alpha=1 - level, method="wilson")
    known = n > 1
    method = share(NOTHING, level=level).method
    low, high = np.where(known, np.maximum(low, 0), 0.0), np.where(known, np.minimum(high, 1), 1.0)
    return _estimates(cells, by, low, high, method)


def ratio_cells(
    blocks: Blocks,
    by: Sequence[str],
    total: str = "total",
    count: str = "count",
    games: str = "games",
    level: float = LEVEL,
) -> pl.DataFrame:
    """A mean or ratio per group, as :func:`blinksim.analysis.estimates.ratio` makes it.

    Args:
        blocks: One row per group and block, in any order; whole numbers.
        by: Columns that name the group.
        total: Column with the block's sum of the quantity.
        count: Column with what it is divided by.
        games: Column with what ``n_games`` counts.
        level: Confidence level.

    Returns:
        As :func:`share_cells`.
    """
    cells = _moments(blocks, by, total, count, games)
    value, n = cells["value"].to_numpy(), cells["n_blocks"].to_numpy()
    with np.errstate(invalid="ignore"):
        half = stats.t.ppf(0.5 + level / 2, n - 1) * np.sqrt(_variance(cells))
    method = ratio(NOTHING, level=level).method
    return _estimates(cells, by, value - half, value + half, method)


def _moments(blocks: Blocks, by: Sequence[str], total: str, count: str, games: str) -> pl.DataFrame:
    """Sums over each group's blocks. Whole numbers, so that they are the same in whatever order they are added."""
    y, x = pl.col(total).cast(pl.Int64), pl.col(count).cast(pl.Int64)
    sums = (
        blocks.lazy()
        .filter(pl.col(count) > 0)
        .group_by(by)
        .agg(
            y=y.sum(), x=x.sum(), yy=(y * y).sum(), xy=(x * y).sum(), xx=(x * x).sum(),
            n_blocks=pl.len().cast(pl.Int64), n_games=pl.col(games).cast(pl.Int64).sum(),
        )
        .collect(engine="streaming")
        .sort(by)
    )  # fmt: skip
    value = pl.col("y") / pl.col("x")
    return sums.with_columns(value=value).with_columns(
        squares=pl.col("yy") - 2 * pl.col("value") * pl.col("xy") + pl.col("value") ** 2 * pl.col("xx")
    )


def _variance(cells: pl.DataFrame) -> np.ndarray:
    """Of each value, between blocks; nan with one block alone."""
    n, size, squares, terms = (cells[name].to_numpy().astype(np.float64) for name in ("n_blocks", "x", "squares", "yy"))
    squares = np.where(squares > ROUNDING * terms, squares, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: np.ndarray = np.where(n > 1, n / (n - 1) * squares / size**2, np.nan)
    return found


def _estimates(cells: pl.DataFrame, by: Sequence[str], low: np.ndarray, high: np.ndarray, method: str) -> pl.DataFrame:
    return cells.select(
        *by, "value", pl.Series("low", low, pl.Float64), pl.Series("high", high, pl.Float64), "n_blocks", "n_games",
        pl.lit(method).alias("method"),
    )  # fmt: skip


def tally(table: pl.LazyFrame, keys: Sequence[str | pl.Expr], **sums: pl.Expr) -> pl.LazyFrame:
    """Sums by group, of numbers or of yes and no.

    The columns are made first and summed then: that takes half the time of making them within the groups.

    Args:
        table: Rows; those of one group make fewer than two thousand million in any sum.
        keys: Columns that name the group.
        sums: By name, what is summed.

    Returns:
        The keys, then the sums, as 64-bit whole numbers.
    """
    ready = table.select(*keys, **{name: what.cast(pl.Int32) for name, what in sums.items()})
    names = [key if isinstance(key, str) else key.meta.output_name() for key in keys]
    return ready.group_by(names).agg(pl.all().sum().cast(pl.Int64))


def long_shares(
    blocks: Blocks, by: Sequence[str], measures: dict[str, tuple[str, str]], games: str = "games"
) -> pl.DataFrame:
    """Several shares of the same blocks below each other.

    Args:
        blocks: One row per group and block.
        by: Columns that name the group.
        measures: By name of the measure, its columns of what happened and of what could have.
        games: Column with what ``n_games`` counts.

    Returns:
        ``by``, ``measure``, the columns of an estimate; in the order of ``measures`` within each group.
    """
    return _long(blocks, by, measures, games, share_cells)


def long_ratios(
    blocks: Blocks, by: Sequence[str], measures: dict[str, tuple[str, str]], games: str = "games"
) -> pl.DataFrame:
    """As :func:`long_shares`, with means or ratios."""
    return _long(blocks, by, measures, games, ratio_cells)


def _long(
    blocks: Blocks, by: Sequence[str], measures: dict[str, tuple[str, str]], games: str, estimate: Any
) -> pl.DataFrame:
    order = pl.Enum(list(measures))
    parts = [
        estimate(blocks, by, total, count, games).with_columns(measure=pl.lit(name, order))
        for name, (total, count) in measures.items()
    ]
    found = pl.concat(parts).sort([*by, "measure"]).with_columns(pl.col("measure").cast(pl.String))
    return found.select(*by, "measure", pl.exclude([*by, "measure"]))


def first_deals(games: pl.LazyFrame, most: int = SAMPLE_GAMES) -> pl.Expr:
    """Which rows belong to the first deals of their player count, for measures that join tables.

    A deal is in or out with all its games, so that intervals over deals stay what they are.

    Args:
        games: The table ``games``.
        most: About how many games a player count; at least two deals are in.

    Returns:
        An expression over ``players`` and ``deal``.
    """
    deals = games.group_by("players", "deal").agg(games=pl.len()).collect(engine="streaming").sort("players", "deal")
    enough = (pl.col("games").cum_sum().over("players") <= most) | (pl.int_range(pl.len()).over("players") < 2)
    last = deals.filter(enough).group_by("players", maintain_order=True).agg(pl.col("deal").max())
    rules = [(pl.col("players") == n) & (pl.col("deal") <= deal) for n, deal in last.iter_rows()]
    return pl.any_horizontal(rules) if rules else pl.lit(False)

"""Luck of the deal: how much of what varies from game to game varies between deals, and how much within them.

One-way analysis of variance with random groups (variance components by the method of moments). For the length of a game
the group is the deal: all its games of one line-up. For what a seat gets, points and share of the victory, the group is
the hand: one position of a deal, on whatever seat and with whatever slot it was played. Before that the mean of each
line-up, strategy and seat is taken off, so that a strong strategy or a good seat is not luck. What is left within a
group is the play and the opponents.

    share of the deal = variance between groups / (variance between + variance within)

The interval is that of the linearised share, its variance taken between deals (the hands of a deal belong together), so
that it needs no normal distribution, as a textbook F interval would.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import stats

from blinksim.analysis.courses import Array
from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL

METHOD = "variance components, 95 % t interval of the linearised share, variance between deals"
MEASURES = ("points", "win_share", "rounds")
"""What :func:`luck_of_the_deal` takes apart: points and share of the victory by hand, rounds of a game by deal."""


def luck_of_the_deal(seats: pl.LazyFrame, games: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """The share of the deal in points, victories and length, of decided games.

    Args:
        seats: The table ``seats``.
        games: The table ``games``.
        level: Confidence level.

    Returns:
        ``players``, ``measure``, an estimate of the share (``value`` is nan where every group is one game, so that
        nothing can be told apart), ``between`` and ``within`` (standard deviations, in the measure's unit).
    """
    hands = (
        seats.filter(pl.col("win_share").is_not_null())
        .select("players", "line_up", "deal", "game", "position", "seat", "points", "win_share",
                pl.col("strategy").to_physical().alias("strategy"))
        .collect(engine="streaming")
    )  # fmt: skip
    lengths = (
        games.filter(pl.col("winners") > 0).select("players", "line_up", "deal", "rounds").collect(engine="streaming")
    )
    rows = []
    for players in hands["players"].unique().sort().to_list():
        mine = hands.filter(pl.col("players") == players)
        one_hand = group_codes(mine, ["line_up", "position"])
        alike = group_codes(mine, ["line_up", "strategy", "seat"])
        num_games = mine["game"].n_unique()
        for measure in ("points", "win_share"):
            values = without_means(mine[measure].cast(pl.Float64).to_numpy(), alike)
            rows.append((players, measure, *_components(values, mine["deal"].to_numpy(), one_hand, level), num_games))
        length = lengths.filter(pl.col("players") == players)
        line_up = group_codes(length, ["line_up"])
        values = without_means(length["rounds"].cast(pl.Float64).to_numpy(), line_up)
        rows.append((players, "rounds", *_components(values, length["deal"].to_numpy(), line_up, level), num_games))
    names = ["players", "measure", "value", "low", "high", "n_blocks", "between", "within", "n_games"]
    types = {"players": pl.Int8, "measure": pl.String} | ESTIMATE_COLUMNS
    types |= {"between": pl.Float64, "within": pl.Float64}
    found = pl.DataFrame(rows, schema={name: types[name] for name in names}, orient="row")
    return found.with_columns(method=pl.lit(METHOD)).select(list(types))


def group_codes(frame: pl.DataFrame, by: list[str]) -> Array:
    """(rows,) a small number for each combination of some columns of small whole numbers of 0 or more."""
    columns = [frame[name].to_numpy().astype(np.int64) for name in by]
    code = np.ravel_multi_index(columns, [int(column.max(initial=0)) + 1 for column in columns])
    occurs = np.bincount(code) > 0  # combinations that do not occur get no number
    found: Array = (np.cumsum(occurs) - 1)[code]
    return found


def without_means(values: Array, group: Array) -> Array:
    """Values less the mean of their group."""
    means = np.bincount(group, values) / np.maximum(np.bincount(group), 1)
    found: Array = values - means[group]
    return found


def _components(
    values: Array, deal: Array, within_deal: Array, level: float
) -> tuple[float, float, float, int, float, float]:
    """Share of the groups with its interval, deals, and the standard deviations between and within the groups.

    Args:
        values: (rows,) centred.
        deal: (rows,) the deal, the block of the interval.
        within_deal: (rows,) which group of the deal, from 0.
        level: Confidence level.
    """
    deals, block = np.unique(deal, return_inverse=True)
    width = int(within_deal.max(initial=0)) + 1
    group = block * width + within_deal
    size, total, squares = (
        np.bincount(group, weights, len(deals) * width).reshape(len(deals), width)
        for weights in (None, values, values**2)
    )
    between = np.divide(total**2, size, out=np.zeros(size.shape), where=size > 0)
    groups, freedom = (size > 0).sum(axis=1), np.maximum(size - 1, 0).sum(axis=1)
    num_groups, rows = int(groups.sum()), int(size.sum())
    if num_groups < 2 or not freedom.sum():
        return np.nan, np.nan, np.nan, len(deals), np.nan, np.nan
    mean_between = float(between.sum() / (num_groups - 1))
    inside = squares.sum(axis=1) - between.sum(axis=1)
    mean_within = float(inside.sum() / freedom.sum())
    games = (rows - float((size**2).sum()) / rows) / (num_groups - 1)
    spread = mean_between + (games - 1) * mean_within
    if spread <= 0:
        return np.nan, np.nan, np.nan, len(deals), 0.0, 0.0
    value = (mean_between - mean_within) / spread
    influence = (
        games * mean_within * (between.sum(axis=1) - mean_between * groups) / num_groups
        - games * mean_between * (inside - mean_within * freedom) / freedom.sum()
    ) / spread**2
    num_deals = len(deals)
    half = np.nan
    if num_deals > 1:
        error = np.sqrt(num_deals / (num_deals - 1) * (influence**2).sum())
        half = float(stats.t.ppf(0.5 + level / 2, num_deals - 1) * error)
    deviations = np.sqrt(max(mean_between - mean_within, 0) / games), np.sqrt(mean_within)
    kept = (min(max(end, 0.0), 1.0) if end == end else np.nan for end in (value, value - half, value + half))
    share, low, high = kept
    return share, low, high, num_deals, float(deviations[0]), float(deviations[1])

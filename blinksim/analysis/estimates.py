"""Estimates with intervals from games that go together.

Games on one deal resemble each other: they share hands, market and objectives, and the shifts of a deal are played on
purpose to cancel its luck. So the sample is the *block*, a deal with all its games, and never the single game. Every
estimator takes a frame with one row per block (or per block and value) that holds sums and counts, and looks at how
they vary between blocks:

* ``ratio``: a mean or a ratio of two sums, its variance linearised over blocks (cluster-robust), with a t interval;
* ``share``: the same for a share of 0 to 1, with Wilson's interval at the effective sample size, which is the number
  of games divided by the design effect;
* ``quantile``: a quantile, by Woodruff's method: the interval of the share below it, read back through the shares;
* ``survival``: the Kaplan-Meier curve of a time that not everybody reaches, with a pointwise band over blocks;
* ``simultaneous_level``: the level of each of k intervals that are to hold together;
* ``equivalence``: whether an interval says that a value is near enough to where it should be.

Blocks in which nothing was counted are left out. With fewer than two blocks nothing is known about how blocks vary:
the interval of a share is then 0 to 1, that of a mean open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import polars as pl
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

LEVEL = 0.95
"""Confidence level wherever none is given."""
MARGIN = 0.03
"""How far a share may be from where it should be and still count as the same: 3 points."""
CHUNK_BLOCKS = 4096
"""Blocks held at once, as a matrix with a column per time, while the variance of a curve is summed."""

Floats = np.ndarray


@dataclass(frozen=True)
class Estimate:
    """A number and how well it is known.

    Attributes:
        value: The number; nan where nothing was counted.
        low: Lower end of its interval; nan where that is open.
        high: Upper end; nan where that is open.
        n_blocks: How many blocks it rests on.
        n_games: How many games these hold.
        method: How the interval was made, for a reader.
    """

    value: float
    low: float
    high: float
    n_blocks: int
    n_games: int
    method: str


class Verdict(StrEnum):
    """What an interval says about a value that should be near a target."""

    FAIR = "fair"
    NOT_FAIR = "not fair"
    NOT_ENOUGH = "not enough games"


def ratio(
    blocks: pl.DataFrame, total: str = "total", count: str = "count", games: str = "games", level: float = LEVEL
) -> Estimate:
    """A mean or a ratio: the sum of one column over the sum of another.

    The variance is that of the residuals ``total - value * count`` of the blocks (Taylor linearisation, as in survey
    sampling); the interval is value plus or minus t with blocks - 1 degrees of freedom.

    Args:
        blocks: One row per block.
        total: Column with the block's sum of the quantity.
        count: Column with what it is divided by; the games themselves for a mean per game.
        games: Column with the block's games.
        level: Confidence level.
    """
    y, x, n_games = _columns(blocks, total, count, games)
    method = f"{_percent(level)} t interval, variance between blocks"
    if not len(x):
        return Estimate(np.nan, np.nan, np.nan, 0, 0, method)
    value = float(y.sum() / x.sum())
    half = _t(level, len(x)) * _standard_error(y, x) if len(x) > 1 else np.nan
    return Estimate(value, value - half, value + half, len(x), n_games, method)


def share(
    blocks: pl.DataFrame, total: str = "total", count: str = "count", games: str = "games", level: float = LEVEL
) -> Estimate:
    """A share of 0 to 1: Wilson's interval at the effective sample size.

    The effective sample size is that of independent games with the same variance, ``value * (1 - value) / variance``,
    times ``(z / t) ** 2`` for the variance being estimated from few blocks (Korn and Graubard). Where all blocks agree
    the design effect cannot be seen; then each block counts as one game, as if its games were copies.

    Args:
        blocks: One row per block.
        total: Column with the block's sum of the quantity, 0 to ``count``; fractions (a shared win) are allowed.
        count: Column with how many could have been.
        games: Column with the block's games.
        level: Confidence level.
    """
    y, x, n_games = _columns(blocks, total, count, games)
    method = f"{_percent(level)} Wilson interval at the effective sample size"
    if not len(x):
        return Estimate(np.nan, 0.0, 1.0, 0, 0, method)
    value = float(y.sum() / x.sum())
    if len(x) < 2:
        return Estimate(value, 0.0, 1.0, 1, n_games, method)
    variance = _standard_error(y, x) ** 2
    size = float(len(x)) if variance < 1e-18 else value * (1 - value) / variance
    size *= (_z(level) / _t(level, len(x))) ** 2
    low, high = proportion_confint(value * size, size, alpha=1 - level, method="wilson")
    return Estimate(value, max(0.0, float(low)), min(1.0, float(high)), len(x), n_games, method)


def design_effect(blocks: pl.DataFrame, total: str = "total", count: str = "count") -> float:
    """Variance of a share between blocks over that of as many independent games; nan where it cannot be seen.

    Below 1 the games of a deal cancel its luck, above 1 they repeat it.
    """
    y, x, _ = _columns(blocks, total, count, count)
    value = float(y.sum() / x.sum()) if len(x) else np.nan
    if len(x) < 2 or not 0 < value < 1:
        return float("nan")
    return float(_standard_error(y, x) ** 2 / (value * (1 - value) / x.sum()))


def simultaneous_level(count: int, level: float = LEVEL) -> float:
    """The level of each of ``count`` intervals that are to hold all at once: Sidak's, ``level ** (1 / count)``.

    Sidak's bound holds for normal estimates however they are correlated, the shares of the seats of one table among
    them, and is a little tighter than Bonferroni's ``1 - (1 - level) / count``.
    """
    return float(level ** (1 / max(count, 1)))


def quantile(
    values: pl.DataFrame,
    p: float,
    value: str = "value",
    block: str = "deal",
    games: str = "games",
    level: float = LEVEL,
) -> Estimate:
    """A quantile: the smallest value that at least a share ``p`` of the games does not exceed.

    Args:
        values: One row per block and value.
        p: Which quantile, such as 0.5 for the median.
        value: Column with the value, a number.
        block: Column that names the block.
        games: Column with how many games of the block have that value.
        level: Confidence level.
    """
    method = f"{_percent(level)} Woodruff interval, variance between blocks"
    pooled = values.group_by(value).agg(pl.col(games).sum()).filter(pl.col(games) > 0).sort(value)
    if pooled.is_empty():
        return Estimate(np.nan, np.nan, np.nan, 0, 0, method)
    at = pooled[value].to_numpy()
    below = pooled[games].to_numpy().cumsum() / pooled[games].sum()
    found = at[_first_at(below, p)]
    per_block = (
        values.group_by(block)
        .agg(total=pl.col(games).filter(pl.col(value) <= found).sum(), count=pl.col(games).sum())
        .sort(block)
    )
    y, x, n_games = _columns(per_block, "total", "count", "count")
    if len(x) < 2:
        return Estimate(float(found), np.nan, np.nan, len(x), n_games, method)
    half = _t(level, len(x)) * _standard_error(y, x)
    low, high = (float(at[_first_at(below, p + side)]) for side in (-half, half))
    return Estimate(float(found), low, high, len(x), n_games, method)


SURVIVAL_METHOD = "Kaplan-Meier, pointwise 95 % log-log band, variance between blocks"


def survival(exits: pl.DataFrame, time: str = "round", block: str = "deal", level: float = LEVEL) -> pl.DataFrame:
    """The share that has reached something by each time, when for some the watch ends before they do (Kaplan-Meier).

    Args:
        exits: One row per block and time, with ``reached`` (how many reached it then) and ``left`` (how many the watch
            left then, without having reached it).
        time: Column with the time, a whole number of 0 or more.
        block: Column that names the block.
        level: Confidence level of the pointwise band.

    Returns:
        One row per time from 1 to the last: the column ``time``, ``share`` (one minus Kaplan-Meier), ``low``, ``high``,
        ``at_risk`` (still watched and not there at that time), ``reached`` (then), ``n_blocks``.
    """
    schema: dict[str, Any] = {time: pl.Int64, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    schema |= {"at_risk": pl.Int64, "reached": pl.Int64, "n_blocks": pl.Int64}
    if exits.is_empty():
        return pl.DataFrame(schema=schema)
    names, index = np.unique(exits[block].to_numpy(), return_inverse=True)
    when, events, censored = (exits[name].to_numpy().astype(np.int64) for name in (time, "reached", "left"))
    width = int(when.max()) + 1
    reached = np.bincount(when, events, width)
    at_risk = _still_there(reached + np.bincount(when, censored, width))
    hazard = reached / at_risk
    staying = np.cumprod(1 - hazard)
    variance = _log_variance(index, when, events, censored, hazard, at_risk, len(names))
    low, high = _log_log_band(staying, variance, len(names), level)
    columns = [np.arange(width), 1 - staying, low, high, at_risk, reached, np.full(width, len(names))]
    frame = pl.DataFrame(dict(zip(schema, columns, strict=True))).cast(pl.Schema(schema))
    return frame.filter(pl.col(time) > 0)


def _log_variance(
    index: np.ndarray,
    when: np.ndarray,
    events: np.ndarray,
    censored: np.ndarray,
    hazard: Floats,
    at_risk: Floats,
    num_blocks: int,
) -> Floats:
    """Variance of the logarithm of the curve at each time: squared influences of the blocks, summed.

    A block's influence is minus the sum over times of (its events - hazard * its members at risk) / (all at risk *
    (1 - hazard)). With one member a block this is Greenwood's formula but for terms of the order of 1 / members.
    """
    width = len(hazard)
    weight = np.divide(1, at_risk * (1 - hazard), out=np.zeros(width), where=hazard < 1)
    squares = np.zeros(width)
    order = np.argsort(index, kind="stable")
    for first in range(0, num_blocks, CHUNK_BLOCKS):
        last = min(first + CHUNK_BLOCKS, num_blocks)
        rows = order[np.searchsorted(index, first, sorter=order) : np.searchsorted(index, last, sorter=order)]
        cell = (index[rows] - first) * width + when[rows]
        shape = (last - first, width)
        reached = np.bincount(cell, events[rows], shape[0] * width).reshape(shape)
        gone = reached + np.bincount(cell, censored[rows], shape[0] * width).reshape(shape)
        influence = np.cumsum((hazard * _still_there(gone) - reached) * weight, axis=1)
        squares += (influence**2).sum(axis=0)
    return squares * num_blocks / max(num_blocks - 1, 1)


def _still_there(gone: Floats) -> Floats:
    """How many are there at each time, from how many go then; times along the last axis."""
    there: Floats = np.flip(np.cumsum(np.flip(gone, -1), axis=-1), -1)
    return there


def _log_log_band(staying: Floats, variance: Floats, num_blocks: int, level: float) -> tuple[Floats, Floats]:
    """Low and high of one minus the curve: t interval of log(-log S); Wilson's where nobody or everybody is there."""
    if num_blocks < 2:
        return np.zeros(len(staying)), np.ones(len(staying))
    empty_high = proportion_confint(0, num_blocks, alpha=1 - level, method="wilson")[1]
    low, high = np.zeros(len(staying)), np.full(len(staying), empty_high)
    low[staying <= 0], high[staying <= 0] = 1 - empty_high, 1.0
    inside = (staying > 0) & (staying < 1)
    log = np.log(staying[inside])
    width = _t(level, num_blocks) * np.sqrt(variance[inside]) / -log
    low[inside], high[inside] = 1 - np.exp(log * np.exp(-width)), 1 - np.exp(log * np.exp(width))
    return low, high


def crossing(curve: pl.DataFrame, at: float = 0.5, time: str = "round") -> tuple[float, float, float]:
    """When a curve of :func:`survival` first gets to a share, such as the median: (time, low, high), nan for never.

    The interval holds the times at which the pointwise band includes that share (Brookmeyer and Crowley).
    """
    found = []
    for column in ("share", "high", "low"):
        times = curve.filter(pl.col(column) >= at - 1e-12)[time]
        found.append(float(times[0]) if len(times) else np.nan)
    return found[0], found[1], found[2]


def equivalence(estimates: Sequence[Estimate], target: float, margin: float = MARGIN) -> Verdict:
    """Whether shares are as good as equal to a target, all of them.

    Fair when every interval lies within ``target`` plus or minus ``margin``; not fair when one lies wholly outside;
    otherwise there are not enough games to say. Give simultaneous intervals where there are several.
    """
    inside = [target - margin <= e.low and e.high <= target + margin for e in estimates]
    outside = [e.high < target - margin or e.low > target + margin for e in estimates]
    if any(outside):
        return Verdict.NOT_FAIR
    return Verdict.FAIR if estimates and all(inside) else Verdict.NOT_ENOUGH


ESTIMATE_COLUMNS: dict[str, Any] = {
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n_blocks": pl.Int64,
    "n_games": pl.Int64,
    "method": pl.String,
}


def estimate_groups(
    blocks: pl.DataFrame, by: Sequence[str], estimator: Callable[[pl.DataFrame], Estimate]
) -> pl.DataFrame:
    """One estimate per group: the columns ``by``, then those of :class:`Estimate`, sorted by group.

    Args:
        blocks: One row per group and block.
        by: Columns that name the group.
        estimator: Makes the estimate from the rows of one group.
    """
    rows = [
        dict(zip(by, key, strict=True)) | asdict(estimator(part))
        for key, part in blocks.sort(by, maintain_order=True).group_by(by, maintain_order=True)
    ]
    return pl.DataFrame(rows, schema={name: blocks.schema[name] for name in by} | ESTIMATE_COLUMNS)


def as_estimates(frame: pl.DataFrame) -> list[Estimate]:
    """The rows of a frame with the columns of :class:`Estimate`, as such."""
    return [Estimate(**row) for row in frame.select(list(ESTIMATE_COLUMNS)).to_dicts()]


def _columns(blocks: pl.DataFrame, total: str, count: str, games: str) -> tuple[Floats, Floats, int]:
    kept = blocks.filter(pl.col(count) > 0)
    y, x = kept[total].to_numpy().astype(np.float64), kept[count].to_numpy().astype(np.float64)
    return y, x, int(kept[games].sum())


def _standard_error(y: Floats, x: Floats) -> float:
    """Of the ratio of two sums over blocks, linearised; at least two blocks."""
    residuals = y - y.sum() / x.sum() * x
    return float(np.sqrt(len(x) / (len(x) - 1) * (residuals**2).sum()) / x.sum())


def t_half_width(standard_error: float, num_blocks: int, level: float = LEVEL) -> float:
    """Half of a t interval over blocks; nan with fewer than two."""
    return _t(level, num_blocks) * standard_error


def _t(level: float, num_blocks: int) -> float:
    return float(stats.t.ppf(0.5 + level / 2, num_blocks - 1))


def _z(level: float) -> float:
    return float(stats.norm.ppf(0.5 + level / 2))


def _first_at(below: Floats, p: float) -> int:
    """Where the cumulated shares first get to ``p``, up to rounding."""
    return min(int(np.searchsorted(below, p - 1e-12)), len(below) - 1)


def _percent(level: float) -> str:
    return f"{100 * level:.4g} %"

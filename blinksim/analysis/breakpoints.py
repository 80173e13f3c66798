"""Where a metric crosses a level as a parameter grows, or where its slope changes: games spent where the curve bends.

The parameter takes values on a grid; between them the curve is drawn straight, shares on the logit scale. All values
are played on the same deals, so that luck that moves them together does not count.

*Crossing*: the grid is halved until neighbours lie on either side of the level; then games go to the points that the
interval still touches. The interval holds all places at which the curve is not significantly away from the level (a
test turned round), so that it is right also where the curve is flat: then it is wide.

*Slope*: two straight lines that meet. Games go to the ends and around the meeting place. The interval holds all meeting
places whose weighted squared error lies within the chi-squared distance of the best one's (profile likelihood).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import polars as pl
from scipy import special, stats

from blinksim.analysis.estimates import LEVEL

FIRST_DEALS = 40
"""Deals at a point before anything is said about it."""
LEAST, MOST = 1.2, 3.0
"""Points that matter get between so many times the deals they have, by how far the interval is from narrow enough."""
FINE = 200
"""Places per step of the grid at which the curve is tested."""
BEND_LEVEL = 0.98
"""Asked of the profile of a change of slope: the search ends when its interval is narrow, so 95 % would not hold."""
RIDGE = 1e-9
"""Part of the mean variance that is added to each, where points are the same game for game."""


class Sample(Protocol):
    """Plays points of the grid on deals in a row."""

    def __call__(self, points: Sequence[int], first_deal: int, num_deals: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each point (deals,) sums of the metric and (deals,) what they are divided by, in deal order."""
        ...


@dataclass(frozen=True)
class Breakpoint:
    """What was found.

    Attributes:
        found: Whether there is one.
        said: In words, with what there is instead where there is none.
        value: Where, in the parameter's unit; nan where there is none.
        low: Lower end of the interval.
        high: Upper end.
        curve: ``value`` of the parameter, ``metric``, ``low``, ``high`` (each point's own interval), ``n_blocks``; the
            points that were played.
        deals: Deals at all points together: what it cost.
    """

    found: bool
    said: str
    value: float
    low: float
    high: float
    curve: pl.DataFrame
    deals: int


class _Points:
    """What was played so far, point by point, and how the points hang together."""

    def __init__(self, sample: Sample, grid: Sequence[float], share: bool) -> None:
        self.sample, self.grid, self.share = sample, np.asarray(grid, float), share
        self.data: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def play(self, points: Sequence[int], deals: int) -> None:
        """Bring points to a number of deals; those with the same number so far are played together."""
        by_start: dict[int, list[int]] = {}
        for point in points:
            have = len(self.data[point][0]) if point in self.data else 0
            if have < deals:
                by_start.setdefault(have, []).append(point)
        for have, together in by_start.items():
            for point, (y, x) in zip(together, self.sample(together, have, deals - have), strict=True):
                old_y, old_x = self.data.get(point, (np.zeros(0), np.zeros(0)))
                self.data[point] = (np.concatenate([old_y, y]), np.concatenate([old_x, x]))

    @property
    def played(self) -> list[int]:
        """Points in order of the grid."""
        return sorted(self.data)

    def counted(self, point: int) -> int:
        """Deals of a point in which something was counted: the others say nothing of it."""
        return int(np.count_nonzero(self.data[point][1]))

    def fill(self, most_deals: int) -> list[int]:
        """Play points at which nothing was counted on, as long as there are deals; those that stay so."""
        while blank := [point for point in self.played if self.counted(point) < 2]:
            if self.deals >= most_deals:
                return blank
            self.play(blank, 2 * max(len(self.data[point][0]) for point in blank))
        return []

    @property
    def deals(self) -> int:
        """At all points together."""
        return sum(len(y) for y, _ in self.data.values())

    def most(self) -> int:
        """Deals of the point that has most."""
        return max(len(y) for y, _ in self.data.values())

    def link(self, level: float) -> float:
        """A level on the scale on which the curve is straight."""
        return float(special.logit(level)) if self.share else level

    def fit(self) -> tuple[np.ndarray, np.ndarray]:
        """Values on the straight scale, (points,), and their covariance, (points, points), of the points played."""
        values, influences = [], []
        for point in self.played:
            y, x = self.data[point]
            total, weight = float(y.sum()), float(x.sum())
            value = (total + 0.5) / (weight + 1) if self.share else total / max(weight, 1e-300)
            influence = (y - total / max(weight, 1e-300) * x) / max(x.mean(), 1e-300) / len(y)
            if self.share:
                slope = 1 / (value * (1 - value))
                # Where all blocks agree, nothing is seen of how they vary: each that counts is taken as one game.
                if influence.var() < 1e-18:
                    sure = len(y) * self.counted(point)
                    influence = np.resize([1, -1], len(y)) * math.sqrt(value * (1 - value) / sure)
                value, influence = float(special.logit(value)), influence * slope
            values.append(value)
            influences.append(influence)
        size = len(values)
        covariance = np.zeros((size, size))
        for i in range(size):
            for j in range(i + 1):
                common = min(len(influences[i]), len(influences[j]))
                moved = float((influences[i][:common] * influences[j][:common]).sum())
                covariance[i, j] = covariance[j, i] = moved * common / max(common - 1, 1)
        return np.array(values), covariance

    def curve(self) -> pl.DataFrame:
        """Every point with its own interval."""
        values, covariance = self.fit()
        sizes = [len(self.data[p][0]) for p in self.played]
        known = [self.counted(p) for p in self.played]
        half = np.array([stats.t.ppf(0.5 + LEVEL / 2, max(n - 1, 1)) for n in known]) * np.sqrt(np.diag(covariance))
        back = special.expit if self.share else (lambda v: v)
        columns = {"metric": back(values), "low": back(values - half), "high": back(values + half)}
        return pl.DataFrame({"value": self.grid[self.played], **columns, "n_blocks": sizes})


def crossing(
    sample: Sample,
    grid: Sequence[float],
    level: float,
    share: bool,
    precision: float,
    most_deals: int,
    first_deals: int = FIRST_DEALS,
) -> Breakpoint:
    """Where the curve crosses a level.

    Args:
        sample: Plays points.
        grid: Values of the parameter, ascending.
        level: Of the metric.
        share: Whether the metric is a share of 0 to 1.
        precision: Half-width of the interval, in the parameter's unit, that is enough.
        most_deals: Deals at all points together, at most (the round that passes it is the last).
        first_deals: Deals at a point before anything is said about it.
    """
    points = _Points(sample, grid, share)
    points.play([0, len(grid) - 1], first_deals)
    while True:
        if blank := points.fill(most_deals):
            return _nothing(points, blank)
        places, touched = _accepted(points, level)
        coarse = [(a, b) for a, b in _sides(points, level) if b - a > 1] or [(a, b) for a, b in touched if b - a > 1]
        half = float(places[-1] - places[0]) / 2 if len(places) else 0.0
        if points.deals >= most_deals or (half <= precision and not coarse):
            return _crossed(points, level, places)
        if coarse:
            points.play([(a + b) // 2 for a, b in coarse], first_deals)
        else:
            ends = sorted({end for pair in touched for end in pair})
            wanted = min(max((half / precision) ** 2, LEAST), MOST)
            points.play(ends, math.ceil(wanted * min(len(points.data[end][0]) for end in ends)))


def _sides(points: _Points, level: float) -> list[tuple[int, int]]:
    """Segments whose ends, as they were seen, lie on either side of a level."""
    above = points.fit()[0] > points.link(level)
    return [(a, b) for i, (a, b) in enumerate(pairwise(points.played)) if above[i] != above[i + 1]]


def _accepted(points: _Points, level: float) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Places at which the curve is not significantly away from a level, ascending, and the segments that hold them.

    Where the curve was seen to cross, only the places that hang together with a crossing count: far from it a share of
    nearly 0 or 1 can be so poorly known on the logit scale that nothing could be excluded.
    """
    values, covariance = points.fit()
    played, target = points.played, points.link(level)
    places, kept, crossed, segment = [], [], [], []
    for i, (a, b) in enumerate(pairwise(played)):
        w = np.linspace(0, 1, FINE * (b - a) + 1)
        middle = (1 - w) * values[i] + w * values[i + 1]
        variance = (1 - w) ** 2 * covariance[i, i] + w**2 * covariance[i + 1, i + 1]
        variance += 2 * w * (1 - w) * covariance[i, i + 1]
        blocks = min(points.counted(a), points.counted(b))
        limit = stats.t.ppf(0.5 + LEVEL / 2, max(blocks - 1, 1)) * np.sqrt(np.maximum(variance, 0))
        # Where nothing varies, the level is crossed between two places.
        sides = np.sign(middle - target)
        crosses = np.concatenate([sides[1:] * sides[:-1] <= 0, [False]])
        places.append(points.grid[a] + w * (points.grid[b] - points.grid[a]))
        kept.append((np.abs(middle - target) <= limit) | crosses)
        crossed.append(crosses)
        segment.append(np.full(len(w), i))
    at, keep, cross, index = (np.concatenate(part) for part in (places, kept, crossed, segment))
    if cross.any():
        islands = np.cumsum(np.diff(np.concatenate([[False], keep])) & keep)
        keep &= np.isin(islands, islands[cross])
    return at[keep], [(played[i], played[i + 1]) for i in sorted(set(index[keep].tolist()))]


def _nothing(points: _Points, blank: Sequence[int]) -> Breakpoint:
    """What is said where there is no curve because nothing was counted at some points."""
    where = ", ".join(f"{points.grid[point]:g}" for point in blank)
    deals = points.deals
    points.data = {point: sums for point, sums in points.data.items() if point not in blank}
    said = f"not enough games: hardly anything was counted at {where}, so there is no curve"
    return Breakpoint(False, said, math.nan, math.nan, math.nan, points.curve(), deals)


def _crossed(points: _Points, level: float, places: np.ndarray) -> Breakpoint:
    values, _ = points.fit()
    target, at = points.link(level), points.grid[points.played]
    found = []
    for i in range(len(at) - 1):
        left, right = values[i] - target, values[i + 1] - target
        if left * right <= 0 and left != right:
            found.append(at[i] + left / (left - right) * (at[i + 1] - at[i]))
    curve, deals = points.curve(), points.deals
    if not len(places):
        side = "above" if values[0] > target else "below"
        said = f"no crossing: the curve stays {side} {level:g} from {at[0]:g} to {at[-1]:g}"
        return Breakpoint(False, said, math.nan, math.nan, math.nan, curve, deals)
    low, high = float(places[0]), float(places[-1])
    if not found:
        said = f"not enough games: the curve may or may not reach {level:g} between {low:.2f} and {high:.2f}"
        return Breakpoint(False, said, math.nan, low, high, curve, deals)
    middle = float(np.median(found))
    more = "" if len(found) == 1 else f"; it crosses {len(found)} times as it was seen"
    said = f"crosses {level:g} at {middle:.2f} ({low:.2f} to {high:.2f}){more}"
    return Breakpoint(True, said, middle, low, high, curve, deals)


def slope_change(
    sample: Sample,
    grid: Sequence[float],
    share: bool,
    precision: float,
    most_deals: int,
    first_deals: int = FIRST_DEALS,
) -> Breakpoint:
    """Where the slope of the curve changes; arguments as of :func:`crossing`."""
    points = _Points(sample, grid, share)
    last = len(grid) - 1
    points.play(sorted({round(last * part / 4) for part in range(5)}), first_deals)
    while True:
        if blank := points.fill(most_deals):
            return _nothing(points, blank)
        place, low, high, gained = _bend(points)
        # Lines can only be seen to meet between the second point played and the last but one.
        at = points.grid[points.played]
        outer = [point for point, near in ((1, low <= at[1]), (last - 1, high >= at[-2])) if near]
        if points.deals < most_deals and not set(outer) <= set(points.data):
            points.play(outer, first_deals)
            continue
        if points.deals >= most_deals or (high - low) / 2 <= precision:
            return _bent(points, place, low, high, gained)
        near = int(np.searchsorted(points.grid, place))
        matter = sorted({0, last, *(min(max(near + side, 0), last) for side in (-2, 1))})
        wanted = min(max(((high - low) / 2 / precision) ** 2, LEAST), MOST) if set(matter) <= set(points.data) else 1.0
        points.play(matter, math.ceil(wanted * points.most()))


def _bend(points: _Points) -> tuple[float, float, float, float]:
    """Best meeting place, its interval, and by how much two lines fit better than one (chi-squared, 2 degrees)."""
    values, covariance = points.fit()
    at = points.grid[points.played]
    weight = np.linalg.inv(covariance + RIDGE * np.trace(covariance) / len(at) * np.eye(len(at)))
    # The inverse of a covariance that was estimated is too large (Wishart): by this, with so many points and blocks.
    blocks = min(points.counted(point) for point in points.played)
    weight *= max(blocks - len(at) - 2, 1) / max(blocks - 1, 1)
    inner = np.linspace(at[1], at[-2], max(FINE, 1) + 1)

    def error(design: np.ndarray) -> float:
        normal = design.T @ weight @ design
        fitted = design @ np.linalg.lstsq(normal, design.T @ weight @ values, rcond=None)[0]
        rest = values - fitted
        return float(rest @ weight @ rest)

    line = np.column_stack([np.ones(len(at)), at])
    errors = np.array([error(np.column_stack([line, np.maximum(at - c, 0)])) for c in inner])
    best = int(errors.argmin())
    kept = inner[errors <= errors[best] + stats.chi2.ppf(BEND_LEVEL, 1)]
    return float(inner[best]), float(kept[0]), float(kept[-1]), error(line) - float(errors[best])


def _bent(points: _Points, place: float, low: float, high: float, gained: float) -> Breakpoint:
    curve, deals = points.curve(), points.deals
    # Two more numbers, one of which is searched for: the chi-squared with two degrees is on the safe side of one.
    if gained < stats.chi2.ppf(LEVEL, 2):
        said = "no change of slope was found: one straight line fits as well"
        return Breakpoint(False, said, math.nan, math.nan, math.nan, curve, deals)
    return Breakpoint(
        True, f"the slope changes at {place:.2f} ({low:.2f} to {high:.2f})", place, low, high, curve, deals
    )

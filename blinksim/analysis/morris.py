"""Elementary effects (Morris 1991): which numbers of the rules move a metric when the others move too.

A trajectory starts at a random point of the ranges and turns one number after the other by two thirds of its range; the
metric's change at each turn is that number's elementary effect, here over the whole range. Their mean without
sign, mu* (Campolongo, Cariboni and Saltelli 2007), says how much a number matters; their spread, sigma, that what it
does hangs on the others. Points and effects come from SALib (the extra ``tune``).

All points of a trajectory are played on the same deals, and every trajectory has deals of its own: so how effects vary
between trajectories holds both, where a trajectory lies and the luck of its deals, and the interval of mu* (bootstrap
over trajectories) needs nothing more. Games add noise to every effect, and noise without sign does not cancel:
``noise`` is the mu* that nothing but luck would give.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis import paired
from blinksim.analysis.metrics import Metric
from blinksim.analysis.ratings import MissingLibraryError
from blinksim.analysis.sensitivity import Play
from blinksim.errors import UserError
from blinksim.simulate.entries import Dial, narrowed

LEVELS = 4
"""Values of each number: the ends of its range and two between, as Morris has it."""
TURN = LEVELS / 2 / (LEVELS - 1)
"""Part of the range that one turn goes."""
RESAMPLES = 1000
TRIES = 20
"""Trajectories drawn for each that is wanted, before it is given up."""
NO_SALIB = (
    "Elementary effects need the library SALib, which is not installed; add it with: pip install 'blinksim[tune]', "
    "then run the same again"
)


class NoTrajectoryError(UserError):
    """The ranges hold no points that the rules allow."""


@dataclass(frozen=True)
class Elementary:
    """What came of the trajectories.

    Attributes:
        effects: One row per metric and number, the largest on top: ``metric``, ``title``, ``unit``, ``parameter``,
            ``range``, ``mu_star``, ``mu_star_low``, ``mu_star_high``, ``mu``, ``sigma``, ``noise`` (all in the metric's
            unit over the whole range), ``n_trajectories``, ``n_blocks`` (deals), ``n_games``.
        thrown_away: Trajectories that met a point which the rules do not allow.
        reason: Why the first of them was not allowed.
        left_out: Numbers that the rules let nobody change by themselves.
    """

    effects: pl.DataFrame
    thrown_away: int
    reason: str
    left_out: Sequence[str]


def elementary_effects(
    play: Play,
    allowed: Callable[[Sequence[str]], object],
    dials: Sequence[Dial],
    metrics: Sequence[Metric],
    players: int,
    trajectories: int,
    num_deals: int,
    seed: int,
    tell: Callable[[int, int, str], None] | None = None,
) -> Elementary:
    """Take the elementary effects of numbers.

    Args:
        play: Plays a ruleset.
        allowed: Raises a ``UserError`` where the rules do not allow changes.
        dials: The numbers with their ranges, which are narrowed to what the rules allow each by itself.
        metrics: What is measured.
        players: Player count.
        trajectories: How many.
        num_deals: Deals of each trajectory.
        seed: Of the trajectories.
        tell: Called before each trajectory with its number, how many there are, and what it is.

    Raises:
        MissingLibraryError: SALib is not installed.
        NoTrajectoryError: there are no numbers, or no points that the rules allow.
    """
    draw, analyse = _salib()
    asked = [narrowed(dial, allowed) for dial in dials]
    dials, alone = ([dial for dial in asked if (len(dial.values) > 1) == moves] for moves in (True, False))
    if not dials:
        raise NoTrajectoryError(
            "there is no number among the parameters that can be changed by itself; elementary effects need one or more"
        )
    problem = {"num_vars": len(dials), "names": [dial.key for dial in dials], "bounds": [[0.0, 1.0]] * len(dials)}
    points: list[np.ndarray] = []
    thrown_away, reason = 0, ""
    while len(points) < trajectories:
        x = draw(problem, N=1, num_levels=LEVELS, seed=seed + len(points) + thrown_away)
        try:
            for point in x:
                allowed(_changes(dials, point))
        except UserError as error:
            thrown_away, reason = thrown_away + 1, reason or str(error).splitlines()[0]
            if thrown_away >= TRIES * trajectories:
                raise NoTrajectoryError(
                    f"of {thrown_away + len(points)} trajectories {thrown_away} met rules that are not allowed, such "
                    f"as: {reason}; take fewer parameters or narrower ranges (--within)"
                ) from None
            continue
        points.append(x)
    values = {metric.name: np.zeros((trajectories, len(dials) + 1)) for metric in metrics}
    noise = {metric.name: np.zeros((trajectories, len(dials))) for metric in metrics}
    games = 0
    for number, x in enumerate(points):
        if tell is not None:
            tell(number, trajectories, f"trajectory of {len(x)} rulesets")
        turned = np.abs(np.diff(x, axis=0)).argmax(axis=1)
        before: dict[str, paired.Arm] = {}
        for i, point in enumerate(x):
            sums = play(_changes(dials, point), number * num_deals, num_deals)
            games += int(sums["games"].sum())
            for metric in metrics:
                arm = paired.arm(sums, metric.name, players)
                values[metric.name][number, i] = arm.value
                if i:
                    unsure = paired.difference(before[metric.name], arm, 0).standard_error
                    noise[metric.name][number, turned[i - 1]] = unsure * math.sqrt(2 / math.pi) / TURN
                before[metric.name] = arm
    x = np.vstack(points)
    rows: list[dict[str, Any]] = []
    for metric in metrics:
        y = values[metric.name].ravel()
        if np.isnan(y).any():
            continue
        found = analyse(problem, x, y, num_resamples=RESAMPLES, num_levels=LEVELS, seed=seed)
        for i, dial in enumerate(dials):
            star, half = float(found["mu_star"][i]), float(found["mu_star_conf"][i])
            rows.append(
                {
                    "metric": metric.name, "title": metric.title, "unit": metric.unit, "parameter": dial.key,
                    "range": f"{dial.values[0]} to {dial.values[-1]}", "mu_star": star,
                    "mu_star_low": max(star - half, 0.0), "mu_star_high": star + half, "mu": float(found["mu"][i]),
                    "sigma": float(found["sigma"][i]), "noise": float(noise[metric.name][:, i].mean()),
                    "n_trajectories": trajectories, "n_blocks": trajectories * num_deals, "n_games": games,
                }
            )  # fmt: skip
    frame = pl.DataFrame(rows, infer_schema_length=None)
    if rows:
        order = pl.col("metric").replace_strict({metric.name: i for i, metric in enumerate(metrics)})
        frame = frame.sort(order, "mu_star", descending=[False, True], maintain_order=True)
    return Elementary(frame, thrown_away, reason, [dial.key for dial in alone])


def _changes(dials: Sequence[Dial], point: np.ndarray) -> tuple[str, ...]:
    """The changes of a point of the unit cube; what is as in the base is left out."""
    places = [round(float(at) * (len(dial.values) - 1)) for dial, at in zip(dials, point, strict=True)]
    return tuple(dial.change(place) for dial, place in zip(dials, places, strict=True) if place != dial.base)


def _salib() -> tuple[Any, Any]:
    """The library's functions that draw and analyse."""
    try:
        sampling, analysis = (importlib.import_module(f"SALib.{part}.morris") for part in ("sample", "analyze"))
    except ImportError:
        raise MissingLibraryError(NO_SALIB) from None
    return sampling.sample, analysis.analyze

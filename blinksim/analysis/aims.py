"""Targets whose metrics are those of a comparison: bands in which a ruleset's numbers should lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from blinksim.analysis import metrics as measuring
from blinksim.analysis import paired, sequential
from blinksim.analysis.estimates import LEVEL, simultaneous_level
from blinksim.analysis.metrics import Metric
from blinksim.errors import UserError
from blinksim.simulate.targets import Target

MET, MISSED, NOT_ENOUGH = "met", "missed", "not enough games"
INSIDE = 0.25
"""Part of a band's width by which a number must lie inside it at most."""
UNKNOWN = 100.0
"""Distance in margins of a metric of which nothing was counted."""


class AimError(UserError):
    """A target that no metric of a comparison answers."""


@dataclass(frozen=True)
class Aim:
    """A target with its metric.

    Attributes:
        target: The band.
        metric: What is to lie in it.
    """

    target: Target
    metric: Metric

    def distance(self, value: float, standard_error: float) -> float:
        """How far a number is from lying inside by a standard error, in margins."""
        if math.isnan(value):
            return UNKNOWN
        safe = (
            0.0 if math.isnan(standard_error) else min(standard_error, INSIDE * (self.target.most - self.target.least))
        )
        return max(self.target.least + safe - value, value - (self.target.most - safe), 0.0) / self.metric.margin


def aims_of(targets: Sequence[Target], known: Sequence[Metric], players: int) -> tuple[list[Aim], list[Target]]:
    """Targets with their metrics, and those that are about another player count.

    Raises:
        UnknownMetricError: a target names no metric.
        AimError: a target asks for rows or columns that a metric has not, or none is left.
    """
    aims, left_out = [], []
    for target in targets:
        metric = measuring.find(known, target.metric)
        wrong = [key for key in target.where if key != "players"]
        if wrong or target.column != "value":
            given = f'where with "{wrong[0]}"' if wrong else f'column "{target.column}"'
            raise AimError(
                f"the target {target.metric} has {given}; a metric is one number, so where takes players alone and "
                "column is left out"
            )
        if target.where.get("players", players) == players:
            aims.append(Aim(target, metric))
        else:
            left_out.append(target)
    if not aims:
        raise AimError(f"no target is about {players} players; change where, or choose the count with --players")
    return aims, left_out


def judged(sums: pl.DataFrame, names: Sequence[str], aims: Sequence[Aim], players: int) -> pl.DataFrame:
    """Whether every version's numbers lie in their bands, on games that somebody watched.

    The intervals are confidence sequences that hold together over all versions and targets (Sidak).

    Args:
        sums: Of complete deals of one player count.
        names: Of the versions, the base first.
        aims: The targets.
        players: Player count.

    Returns:
        One row per target and version: ``metric``, ``title``, ``unit``, ``version``, ``target_low``, ``target_high``
        (infinite where open), ``value``, ``low``, ``high``, ``verdict``, ``n_blocks``, ``n_games``.
    """
    level = simultaneous_level(len(names) * len(aims), LEVEL)
    rows = []
    for aim in aims:
        for number, name in enumerate(names):
            mine = sums.filter(pl.col("variant") == number)
            arm = paired.arm(mine, aim.metric.name, players)
            half = sequential.sequence_half_width(arm.standard_error, arm.counted, level)
            low, high = arm.value - half, arm.value + half
            rows.append(
                {
                    "metric": aim.metric.name, "title": aim.metric.title, "unit": aim.metric.unit, "version": name,
                    "target_low": aim.target.least, "target_high": aim.target.most, "value": arm.value, "low": low,
                    "high": high, "verdict": verdict(low, high, aim.target), "n_blocks": mine.height,
                    "n_games": int(mine["games"].sum()),
                }
            )  # fmt: skip
    return pl.DataFrame(rows)


def verdict(low: float, high: float, target: Target) -> str:
    """Met where the whole interval lies in the band, missed where all of it lies outside, else not enough games."""
    if math.isnan(low) or math.isnan(high):
        return NOT_ENOUGH
    if low > target.most or high < target.least:
        return MISSED
    return MET if target.least <= low and high <= target.most else NOT_ENOUGH


def status(verdicts: Sequence[str]) -> int:
    """Exit status: 0 where all are met, 1 where one is missed, 3 where there are too few games to say."""
    return 1 if MISSED in verdicts else 0 if set(verdicts) <= {MET} else 3

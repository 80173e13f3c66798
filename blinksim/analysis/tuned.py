"""What a search found, played again on fresh deals: whether it holds, and how much of what it promised was luck.

The rulesets of a search's front were picked among many for what they did on its deals, so the numbers they had there
flatter them (the winner's curse). On deals that had no part in the picking they have an honest number. *Shrinkage* of a
metric is the effect that the search saw, recommendation less base on the same deals, less the effect on fresh deals,
counted in the direction of the effect that was seen: above 0 some of it was luck.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from scipy import stats

from blinksim.analysis import compare, paired
from blinksim.analysis.aims import MET, MISSED, NOT_ENOUGH, Aim, status, verdict
from blinksim.analysis.estimates import LEVEL, simultaneous_level, t_half_width
from blinksim.analysis.metrics import Metric
from blinksim.analysis.sensitivity import Play, effect_row
from blinksim.analysis.sequential import MIN_BLOCKS
from blinksim.analysis.tune import Found


@dataclass(frozen=True)
class Tuned:
    """A search's recommendation on fresh deals.

    Attributes:
        targets: One row per target: ``metric``, ``title``, ``unit``, ``target_low``, ``target_high`` (null where open),
            ``margin``, ``base`` (fresh), ``searched``, ``searched_low``, ``searched_high``, ``value`` (fresh), ``low``,
            ``high`` (all targets together at 95 %), ``verdict``, ``promised`` and ``kept`` (effect in the search and
            on fresh deals), ``shrinkage``, ``shrinkage_low``, ``shrinkage_high``, ``n_blocks``, ``n_games``.
        front: One row per ruleset of the front: ``changed``, ``steps``, ``changes``, ``distance`` (search),
            ``fresh_distance``, ``verdict``, ``recommended``, ``n_blocks``, ``n_games`` (on fresh deals).
        effects: What the recommendation does to every metric on fresh deals, as
            :func:`~blinksim.analysis.sensitivity.effect_row` has it, with ``q`` and ``verdict``; empty where it changes
            nothing.
    """

    targets: pl.DataFrame
    front: pl.DataFrame
    effects: pl.DataFrame

    @property
    def status(self) -> int:
        """Exit status of a command: 0 all targets met, 1 one is missed, 3 too few games to say."""
        return status(self.targets["verdict"].to_list())


def play_again(
    play: Play,
    found: Found,
    aims: Sequence[Aim],
    known: Sequence[Metric],
    players: int,
    first_deal: int,
    num_deals: int,
    tell: Callable[[int, int, str], None] | None = None,
) -> Tuned:
    """Play a search's front on deals that had no part in it.

    Args:
        play: Plays a ruleset.
        found: What the search found.
        aims: The targets.
        known: All metrics, for what else the recommendation changes.
        players: Player count.
        first_deal: The first deal after those of the search.
        num_deals: How many.
        tell: Called before each ruleset with its number, how many there are, and its changes.
    """
    base, best = found.candidates[0], found.best
    wanted = [*found.front, *([] if any(best is c for c in found.front) else [best])]
    rows, fresh = [], {}
    for number, candidate in enumerate(wanted):
        if tell is not None:
            tell(number, len(wanted), "; ".join(candidate.changes) or "the base")
        sums = fresh[candidate.places] = play(candidate.changes, first_deal, num_deals)
        readings = [_reading(sums, aim, players, len(aims)) for aim in aims]
        distances = [aim.distance(reading.value, reading.error) for aim, reading in zip(aims, readings, strict=True)]
        rows.append(
            {
                "changed": candidate.changed, "steps": candidate.steps, "changes": "; ".join(candidate.changes),
                "distance": candidate.distance,
                "fresh_distance": float(sum(distances)), "verdict": _all([reading.verdict for reading in readings]),
                "recommended": candidate is best, "n_blocks": sums.height, "n_games": int(sums["games"].sum()),
            }
        )  # fmt: skip
    if base.places not in fresh:
        fresh[base.places] = play((), first_deal, num_deals)
    pairs = (base.sums, best.sums), (fresh[base.places], fresh[best.places])
    targets = [_target_row(aim, *pairs, players, len(aims)) for aim in aims]
    effects = pl.DataFrame()
    if best.changes:
        effects = compare.with_verdicts(pl.DataFrame([effect_row(*pairs[1], metric, players) for metric in known]))
        effects = effects.filter(~(pl.col("base").is_nan() & pl.col("other").is_nan()))
    return Tuned(pl.DataFrame(targets, infer_schema_length=None), pl.DataFrame(rows), effects)


@dataclass(frozen=True)
class _Reading:
    """A metric of one ruleset beside its band."""

    value: float
    error: float
    low: float
    high: float
    verdict: str


def _reading(sums: pl.DataFrame, aim: Aim, players: int, together: int) -> _Reading:
    """A metric with an interval that holds together with those of all targets, and whether it lies in its band."""
    arm = paired.arm(sums, aim.metric.name, players)
    error = arm.standard_error
    if arm.counted < MIN_BLOCKS or math.isnan(arm.value):
        return _Reading(arm.value, error, math.nan, math.nan, NOT_ENOUGH)
    half = t_half_width(error, arm.counted, simultaneous_level(together))
    low, high = arm.value - half, arm.value + half
    return _Reading(arm.value, error, low, high, verdict(low, high, aim.target))


def _all(verdicts: Sequence[str]) -> str:
    """One verdict for several targets."""
    return MISSED if MISSED in verdicts else MET if set(verdicts) == {MET} else NOT_ENOUGH


def _target_row(
    aim: Aim,
    searched: tuple[pl.DataFrame, pl.DataFrame],
    fresh: tuple[pl.DataFrame, pl.DataFrame],
    players: int,
    together: int,
) -> dict[str, Any]:
    """One target of the recommendation; each pair holds the sums of the base and of the recommendation."""
    before, after = (_reading(pair[1], aim, players, together) for pair in (searched, fresh))
    promised, kept = (effect_row(*pair, aim.metric, players) for pair in (searched, fresh))
    sign = math.copysign(1.0, promised["value"])
    shrinkage = sign * (promised["value"] - kept["value"])
    half = math.hypot(promised["se"], kept["se"]) * float(stats.norm.ppf(0.5 + LEVEL / 2))
    return {
        "metric": aim.metric.name, "title": aim.metric.title, "unit": aim.metric.unit, "target_low": aim.target.low,
        "target_high": aim.target.high, "margin": aim.metric.margin,
        "base": paired.arm(fresh[0], aim.metric.name, players).value, "searched": before.value,
        "searched_low": before.low, "searched_high": before.high, "value": after.value, "low": after.low,
        "high": after.high, "verdict": after.verdict, "promised": promised["value"], "kept": kept["value"],
        "shrinkage": shrinkage, "shrinkage_low": shrinkage - half, "shrinkage_high": shrinkage + half,
        "n_blocks": fresh[1].height, "n_games": int(fresh[1]["games"].sum()),
    }  # fmt: skip

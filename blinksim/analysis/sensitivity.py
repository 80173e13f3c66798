"""Which entry of the rules moves a metric most: each changed by itself, on the same deals as the base.

One at a time: a number one step down and one step up, a switch turned, a name to each other name. What cannot be
played is listed with its reason. Every difference is paired by deal (:mod:`blinksim.analysis.paired`); all that were
tested are adjusted together (Benjamini and Hochberg).

What one step does says nothing of two entries changed at once; :mod:`blinksim.analysis.morris` looks at that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import polars as pl

from blinksim.analysis import compare, paired
from blinksim.analysis.metrics import Metric
from blinksim.analysis.sequential import MIN_BLOCKS
from blinksim.errors import UserError
from blinksim.simulate.entries import Step

INTERRUPTED = "not played: interrupted"
IMPOSSIBLE = {"parameter": pl.String, "label": pl.String, "reason": pl.String}


class Play(Protocol):
    """Plays one ruleset, the base with changes, on deals in a row."""

    def __call__(self, changes: Sequence[str], first_deal: int, num_deals: int) -> pl.DataFrame:
        """Its frame of sums (:mod:`blinksim.analysis.metrics`), one row a deal.

        Raises:
            UserError: the rules do not allow the changes.
        """
        ...


@dataclass(frozen=True)
class Sensitivity:
    """What came of changing every entry by itself.

    Attributes:
        base: The sums of the base.
        effects: One row per metric and step: ``parameter``, ``label``, ``side``, ``was``, then as :func:`effect_row`
            has it, ``q`` and ``verdict``; by metric, what differs first, then by size.
        impossible: ``parameter``, ``label``, ``reason`` of what could not be played.
        stopped: Whether it was interrupted.
    """

    base: pl.DataFrame
    effects: pl.DataFrame
    impossible: pl.DataFrame
    stopped: bool


Tell = Callable[[int, int, str], None]


def one_at_a_time(
    play: Play, steps: Sequence[Step], metrics: Sequence[Metric], players: int, num_deals: int, tell: Tell | None = None
) -> Sensitivity:
    """Change every entry by itself and take the metrics; an interruption keeps what was played.

    Args:
        play: Plays a ruleset.
        steps: The changes.
        metrics: What is measured.
        players: Player count.
        num_deals: Deals that every ruleset is played on.
        tell: Called before each step with its number, how many there are, and its label.
    """
    base = play((), 0, num_deals)
    rows: list[dict[str, Any]] = []
    impossible = []
    stopped = False
    for number, step in enumerate(steps):
        reason = step.reason or (INTERRUPTED if stopped else "")
        if not reason:
            if tell is not None:
                tell(number, len(steps), step.label)
            try:
                other = play((step.change,), 0, num_deals)
            except UserError as error:
                reason = _reason(error, step.change)
            except KeyboardInterrupt:
                stopped, reason = True, INTERRUPTED
        if reason:
            impossible.append({"parameter": step.entry.key, "label": step.label, "reason": reason})
            continue
        names = {"parameter": step.entry.key, "label": step.label, "side": step.side, "was": step.was}
        rows += [names | effect_row(base, other, metric, players) for metric in metrics]
    return Sensitivity(base, _ranked(rows, metrics), pl.DataFrame(impossible, schema=IMPOSSIBLE), stopped)


def _reason(error: UserError, change: str) -> str:
    """The first line of a message, without where the value came from, which is known."""
    return str(error).splitlines()[0].removeprefix(f"--set {change}: ")


def effect_row(base: pl.DataFrame, other: pl.DataFrame, metric: Metric, players: int) -> dict[str, Any]:
    """What a change does to a metric, paired by deal.

    Args:
        base: Sums of the base.
        other: Sums of the changed rules; the same deals.
        metric: The metric.
        players: Player count.

    Returns:
        ``metric``, ``title``, ``unit``, ``base``, ``other``, ``value`` (the difference), ``low``, ``high`` (95 % t
        interval over deals; nan where these are too few to know how they vary), ``se``, ``p``, ``margin``, ``gain``,
        ``n_blocks``, ``n_games`` (of both).
    """
    before, after = (paired.arm(sums, metric.name, players) for sums in (base, other))
    found = paired.difference(before, after, int(base["games"].sum()) + int(other["games"].sum()))
    enough = found.n_blocks >= MIN_BLOCKS
    return compare.metric_row(metric, found, *(compare.known_at_once(found) if enough else (math.nan, math.nan)))


def _ranked(rows: Sequence[dict[str, Any]], metrics: Sequence[Metric]) -> pl.DataFrame:
    """The rows with their verdicts, metric by metric in the order given, what differs first, the largest on top."""
    if not rows:
        return pl.DataFrame()
    order = pl.col("metric").replace_strict({metric.name: i for i, metric in enumerate(metrics)})
    verdicts = compare.with_verdicts(pl.DataFrame(rows, infer_schema_length=None))
    differs = pl.col("verdict") == compare.DIFFERENT
    size = pl.col("value").abs().fill_nan(-1)
    return verdicts.sort(order, differs, size, descending=[False, True, True], maintain_order=True)

"""Comparing rulesets on the same deals while they are played, and stopping when the answer is clear.

One watch is one level of play: one experiment, one player count, the base and its variants. After every shard, in deal
order, the sums of the new deals are added; at looks that grow by a tenth the question is put again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from blinksim.analysis import metrics, paired, sequential
from blinksim.analysis.estimates import t_half_width
from blinksim.analysis.sequential import Decision, RatioTest
from blinksim.errors import CheckFailed
from blinksim.simulate import batch as batches
from blinksim.store.reading import Run, open_run

LOOK_AGAIN = 1.1
"""The question is put again when there are so many times the deals of the last look."""
FLAGGED = 0.05
"""A metric is flagged where its probability, adjusted over the page, is below this."""

DIFFERENT, EQUAL, NOT_ENOUGH = "different", "practically equal", "not enough games"


class NothingPlayedError(CheckFailed):
    """No game of a version came to its end, so there is nothing to compare."""


@dataclass(frozen=True)
class Question:
    """What a watch is to find out.

    Attributes:
        metric: Name of the metric that decides.
        test: Size of the difference that matters, and the errors allowed.
        precision: Half-width of the confidence sequence that is enough where no decision is asked; None to decide.
        seconds: Play no longer than that, but to the first look; None for no limit.
    """

    metric: str
    test: RatioTest
    precision: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Look:
    """One look at a variant.

    Attributes:
        variant: Number of the variant.
        deals: Deals so far.
        difference: Of the deciding metric, paired.
        half_width: Of its confidence sequence; nan with too few deals.
        log_ratios: Log likelihood ratios of the two directions.
        decision: What the test says.
    """

    variant: int
    deals: int
    difference: float
    half_width: float
    log_ratios: tuple[float, float]
    decision: Decision


@dataclass(frozen=True)
class Watched:
    """What a watch found.

    Attributes:
        run: The run folder, opened; its games may be more than those counted, never fewer.
        sums: The sums of the complete prefix, of all variants.
        metrics: What was measured.
        looks: All looks, by variant.
        decisions: By variant, the first answer of the test; OPEN where there is none.
        seconds: How long it took.
        stopped: Why it ended: ``answered``, ``precise``, ``budget`` or ``time``.
        twins: Variants whose rules are the base's.
    """

    run: Run
    sums: pl.DataFrame
    metrics: list[metrics.Metric]
    looks: list[Look]
    decisions: dict[int, Decision]
    seconds: float
    stopped: str
    twins: Collection[int] = ()


def watch(
    batch: batches.Batch,
    folder: Path,
    question: Question,
    workers: int | None = None,
    fresh: bool = False,
    tell: Callable[[batches.Progress, Sequence[Look]], None] | None = None,
) -> Watched:
    """Play a comparison until its question is answered or its deals are played.

    Args:
        batch: An experiment of one player count with variants; its deals are the budget.
        folder: Run folder; one that is there is gone on with.
        question: What is asked.
        workers: As for a run.
        fresh: Whether to start over.
        tell: Called after every shard with the progress and the looks so far.

    Raises:
        UserError: the folder holds another experiment, or the metric is unknown.
        NothingPlayedError: every game of a variant failed.
    """
    watcher = _Watcher(batch, folder, question)
    began = time.monotonic()

    def enough() -> bool:
        late = question.seconds is not None and time.monotonic() - began > question.seconds
        return watcher.answered() or (late and bool(watcher.looks))

    def progress(now: batches.Progress) -> bool:
        watcher.see(now.shards_done)
        if tell is not None:
            tell(now, watcher.looks)
        return enough()

    try:
        batches.run(batch, folder, workers, fresh, progress)
    except batches.Interrupted:
        if not enough():
            raise  # the user's doing, not ours
    found = open_run(folder)
    _check_played(found, watcher.sums)
    watcher.look()
    seconds = time.monotonic() - began
    out_of_time = question.seconds is not None and seconds > question.seconds
    stopped = watcher.why() or ("time" if out_of_time else "budget")
    return Watched(
        found, watcher.sums, watcher.metrics, watcher.looks, watcher.decisions, seconds, stopped, watcher.twins
    )


def _check_played(run: Run, sums: pl.DataFrame) -> None:
    """That every version has a game that came to its end."""
    there = set() if sums.is_empty() else set(sums["variant"].unique().to_list())
    missing = [name for number, name in enumerate(run.variants) if number not in there]
    if missing and run.failed:
        first = run.failed[0]
        raise NothingPlayedError(
            f"no game of {missing[0]} came to its end, so there is nothing to compare; the first that failed is "
            f"{first['game']}: {first['reason']}"
        )


class _Watcher:
    """Adds up the deals of finished shards in order and looks at them."""

    def __init__(self, batch: batches.Batch, folder: Path, question: Question) -> None:
        (self.players,) = batch.plan.schedules
        self.batch, self.folder, self.question = batch, folder, question
        self.tier_names = list(batch.game.ruleset_data(batch.rulesets[0])["tiers"]["name"])
        line_ups = batch.plan.schedules[self.players].line_ups
        self.mixed = sorted({name for line_up in line_ups if len(set(line_up)) > 1 for name in line_up})
        self.metrics = metrics.metrics_of(self.tier_names, self.mixed, self.players)
        metrics.find(self.metrics, question.metric)
        self.variants = range(1, len(batch.rulesets))
        first = batch.rulesets[0]
        self.twins = [v for v in self.variants if not batch.game.diff_rulesets(first, batch.rulesets[v])]
        self.sums = pl.DataFrame()
        self.seen = 0
        self.next_look = sequential.MIN_BLOCKS
        self.looks: list[Look] = []
        self.decisions = dict.fromkeys(self.variants, Decision.OPEN)

    def see(self, shards_done: int) -> None:
        """Take in what is finished; look wherever there is news enough, also along what an earlier sitting left."""
        shards = self.batch.plan.shards
        if self._deals(shards_done) < self.next_look and shards_done < len(shards):
            return
        run = open_run(self.folder, self.batch.game)
        while self.seen < len(shards) and shards[self.seen].number in run.shards:
            upto = self.seen + 1
            while upto < len(shards) and self._deals(upto) < self.next_look and shards[upto].number in run.shards:
                upto += 1
            if self._deals(upto) < self.next_look and upto < len(shards):
                return
            self._add(run, upto)
            self.look()
            self.next_look = max(self.next_look + 1, math.ceil(self._deals(upto) * LOOK_AGAIN))

    def _deals(self, num_shards: int) -> int:
        """Deals in the first shards."""
        if not num_shards:
            return 0
        last = self.batch.plan.shards[num_shards - 1]
        return last.first_deal + last.num_deals

    def _add(self, run: Run, upto: int) -> None:
        """Add the sums of the shards up to a number to those that are there."""
        news = [shard.number for shard in self.batch.plan.shards[self.seen : upto]]
        part = replace(run, shards={number: run.shards[number] for number in news})
        new = metrics.sums(part.scan, self.tier_names, self.mixed)
        self.sums = new if self.sums.is_empty() else pl.concat([self.sums, new])
        self.seen = upto

    def look(self) -> None:
        """Put the question to what was added up so far, once per number of deals."""
        if self.sums.is_empty():
            return
        for variant in self.variants:
            found = compared(self.sums, 0, variant, self.question.metric, self.players, variant in self.twins)
            deals = len(found.base.influence)
            if (variant, deals) in {(look.variant, look.deals) for look in self.looks}:
                continue
            decision = self.question.test.decide(found.value, found.standard_error, found.n_blocks)
            half = sequential.sequence_half_width(found.standard_error, found.n_blocks)
            ratios = (math.nan, math.nan)
            if not math.isnan(found.standard_error):
                ratios = self.question.test.log_ratios(found.value, found.standard_error)
            self.looks.append(Look(variant, deals, found.value, half, ratios, decision))
            if self.decisions[variant] == Decision.OPEN:
                self.decisions[variant] = decision

    def why(self) -> str:
        """Why it can end here, empty where it cannot."""
        if not self.looks:
            return ""
        if self.question.precision is not None:
            last = {look.variant: look.half_width for look in self.looks}
            return "precise" if all(half <= self.question.precision for half in last.values()) else ""
        return "answered" if Decision.OPEN not in self.decisions.values() else ""

    def answered(self) -> bool:
        """Whether it can end here."""
        return bool(self.why())


def compared(
    sums: pl.DataFrame, base: int, other: int, metric: str, players: int, same_rules: bool = False
) -> paired.Difference:
    """A metric under two variants on the deals that both have."""
    first, second = paired.same_deals(sums, base, other)
    games = int(first["games"].sum()) + int(second["games"].sum())
    arms = [paired.arm(part, metric, players) for part in (first, second)]
    return paired.difference(arms[0], arms[1], games, same_rules)


def table(
    sums: pl.DataFrame,
    known: Sequence[metrics.Metric],
    players: int,
    names: Sequence[str],
    level: str,
    was_watched: bool = True,
    twins: Collection[int] = (),
) -> pl.DataFrame:
    """Every metric of every variant against the base.

    Args:
        sums: Of complete deals.
        known: The metrics.
        players: Player count.
        names: Of the variants, the base first.
        level: Of play, for the rows.
        was_watched: Whether somebody looked while it was played: confidence sequences; otherwise t intervals, which
            are narrower.
        twins: Variants whose rules are the base's.

    Returns:
        One row per variant and metric: ``level``, ``players``, ``variant`` (its name), ``metric``, ``title``,
        ``unit``, ``base``, ``other``, ``value`` (the difference), ``low``, ``high`` (confidence sequence), ``se``,
        ``p`` (valid at whatever moment one stops), ``margin``, ``gain``, ``n_blocks``, ``n_games``. Metrics
        of which neither ruleset counted anything are left out.
    """
    rows: list[dict[str, Any]] = []
    for variant in range(1, len(names)):
        for metric in known:
            found = compared(sums, 0, variant, metric.name, players, variant in twins)
            if math.isnan(found.base.value) and math.isnan(found.other.value):
                continue
            half, p = _known(found) if was_watched else known_at_once(found)
            rows.append(
                {"level": level, "players": players, "variant": names[variant]} | metric_row(metric, found, half, p)
            )
    return pl.DataFrame(rows)


def _known(found: paired.Difference) -> tuple[float, float]:
    """Half-width and probability that hold at whatever moment one stops."""
    if math.isnan(found.value):
        return math.nan, math.nan
    half = sequential.sequence_half_width(found.standard_error, found.n_blocks)
    return half, sequential.sequence_p(found.value, found.standard_error, found.n_blocks)


def metric_row(metric: metrics.Metric, found: paired.Difference, half: float, p: float) -> dict[str, Any]:
    """A metric under two rulesets as a row of a table: ``metric`` to ``n_games``, as :func:`table` has them."""
    return {
        "metric": metric.name, "title": metric.title, "unit": metric.unit, "base": found.base.value,
        "other": found.other.value, "value": found.value, "low": found.value - half, "high": found.value + half,
        "se": found.standard_error, "p": p, "margin": metric.margin, "gain": found.gain, "n_blocks": found.n_blocks,
        "n_games": found.n_games,
    }  # fmt: skip


def known_at_once(found: paired.Difference) -> tuple[float, float]:
    """Half-width and probability for a plan of fixed size, by Student's t over deals."""
    if math.isnan(found.standard_error):
        return math.nan, math.nan
    if found.standard_error == 0:
        return 0.0, float(found.value == 0)
    p = 2 * stats.t.sf(abs(found.value) / found.standard_error, found.n_blocks - 1)
    return t_half_width(found.standard_error, found.n_blocks), float(p)


def with_verdicts(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of all levels of a page with ``q`` (Benjamini and Hochberg over all of them) and ``verdict``.

    Practically equal: the whole interval lies within the margin. Different: it does not, and ``q`` is below 5 %.
    Otherwise there are not enough games to say.
    """
    p = rows["p"].to_numpy()
    known = ~np.isnan(p)
    q = np.full(len(p), np.nan)
    if known.any():
        q[known] = stats.false_discovery_control(p[known])
    within = (pl.col("low") >= -pl.col("margin")) & (pl.col("high") <= pl.col("margin"))
    verdict = (
        pl.when(within.fill_null(False) & pl.col("low").is_not_nan())
        .then(pl.lit(EQUAL))
        .when(pl.col("q").is_not_nan() & (pl.col("q") < FLAGGED))
        .then(pl.lit(DIFFERENT))
        .otherwise(pl.lit(NOT_ENOUGH))
    )
    return rows.with_columns(q=pl.Series(q)).with_columns(verdict=verdict)


def parting(scan: metrics.Scan, variant: int) -> pl.DataFrame:
    """When the games of a variant part from those of the base: the first round after which the table differs.

    Games that failed under either ruleset are left out.

    Returns:
        ``round`` (null: never) and ``games``, sorted, null last.
    """
    game = ["players", "deal", "line_up", "replicate", "hand_shift", "seat_shift"]
    rounds = scan("rounds").filter(pl.col("seat") == 0).select(*game, "variant", "round", "digest")
    both = (
        rounds.filter(pl.col("variant") == 0)
        .join(rounds.filter(pl.col("variant") == variant), on=[*game, "round"], how="full", coalesce=True)
        .group_by(game)
        .agg(
            pl.col("digest", "digest_right").is_not_null().any(),
            round=pl.col("round").filter(pl.col("digest").ne_missing(pl.col("digest_right"))).min(),
        )
        .filter("digest", "digest_right")
    )
    return both.group_by("round").agg(games=pl.len()).collect(engine="streaming").sort("round", nulls_last=True)

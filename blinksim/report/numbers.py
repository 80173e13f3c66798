"""All numbers of a page: what the run is, and its measures as small frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import polars as pl

from blinksim.analysis import endings, fairness, pacing, scores
from blinksim.analysis.estimates import Estimate
from blinksim.errors import UserError
from blinksim.report.words import line_up_text
from blinksim.simulate.batch import experiment_of
from blinksim.simulate.schedule import make_plan
from blinksim.store.reading import Run

SHOWN_VERSIONS = ("matplotlib", "polars", "scipy", "statsmodels")


@dataclass(frozen=True)
class RunFacts:
    """What was played.

    Attributes:
        name: Name of the run's folder.
        title: Name of the game.
        question: What the experiment asks.
        ruleset: Name of the ruleset shown.
        ruleset_hash: Hash of its content.
        differences: (parameter, value in standard, value here).
        tier_names: Names of the tiers, from the first.
        seed: The experiment's seed.
        shifts: How hands and seats were shifted.
        replicates: How often each game was played.
        variants: Names of all variants; the one shown is ``variant``.
        variant: Which variant the page shows.
        players: Player counts of which there are games, ascending.
        line_ups: ``players``, ``line_up``, ``slot``, ``strategy``, ``mirror``.
        plan: By player count: (deals planned, games a deal of all variants, games planned).
        shards: (finished, planned).
        complete: Whether the run is finished.
        rules_version: Which reading of the rules played it.
        tables_version: Version of its tables.
        versions: Of the software, by name: that of the run, then that of the page.
    """

    name: str
    title: str
    question: str
    ruleset: str
    ruleset_hash: str
    differences: Sequence[tuple[str, Any, Any]]
    tier_names: tuple[str, ...]
    seed: int
    shifts: str
    replicates: int
    variants: tuple[str, ...]
    variant: int
    players: tuple[int, ...]
    line_ups: pl.DataFrame
    plan: dict[int, tuple[int, int, int]]
    shards: tuple[int, int]
    complete: bool
    rules_version: int
    tables_version: int
    versions: dict[str, str]

    def line_up(self, players: int, line_up: int) -> str:
        """A line-up in words, such as ``2 builder, 1 raider``."""
        rows = self.line_ups.filter((pl.col("players") == players) & (pl.col("line_up") == line_up))
        return line_up_text(rows["strategy"])

    @property
    def tiers(self) -> tuple[str, ...]:
        """Names of the tiers above the first."""
        return self.tier_names[1:]


@dataclass(frozen=True)
class Numbers:
    """A run's measures; each frame as its function in :mod:`blinksim.analysis` returns it."""

    facts: RunFacts
    outcomes: pl.DataFrame
    stalls: pl.DataFrame
    stalled_overall: Estimate
    seats: pl.DataFrame
    seats_by_line_up: pl.DataFrame
    strategies: pl.DataFrame
    length: pl.DataFrame
    length_by_line_up: pl.DataFrame
    histogram: pl.DataFrame
    armer: pl.DataFrame
    armed_seats: pl.DataFrame
    armed_round: pl.DataFrame
    curves: pl.DataFrame
    tiers: pl.DataFrame
    tiers_by_strategy: pl.DataFrame
    score_results: pl.DataFrame
    score_seats: pl.DataFrame
    score_strategies: pl.DataFrame


def measure(run: Run, variant: int = 0) -> Numbers:
    """Take all measures of a run; its tables are scanned, never held.

    Args:
        run: The run, finished or not.
        variant: Which ruleset of the experiment; 0 is the base.

    Raises:
        RunError: the run has no finished games.
        UserError: there is no such variant, or no finished games of it.
    """
    names = [entry["name"] for entry in run.manifest["rulesets"]]
    if not 0 <= variant < len(names):
        raise UserError(f"{run.folder} has no variant {variant}; it has 0 to {len(names) - 1}: {', '.join(names)}")
    shown = pl.col("variant") == variant
    games, seats, rounds = (run.scan(table).filter(shown) for table in ("games", "seats", "rounds"))
    line_ups = fairness.line_ups(seats)
    if line_ups.is_empty():
        raise UserError(f"{run.folder} has no finished games of variant {variant}; run the experiment again to go on")
    facts = _facts(run, variant, names, line_ups)
    num_tiers = len(facts.tier_names)
    by_strategy = pacing.tier_exits(rounds, num_tiers, line_ups, ["strategy"])
    exits = pacing.pool_exits(by_strategy)
    return Numbers(
        facts=facts,
        outcomes=endings.outcomes(games),
        stalls=endings.stalls(games),
        stalled_overall=endings.stalled_overall(games),
        seats=fairness.seat_win_share(seats),
        seats_by_line_up=fairness.seat_win_share(seats, ["line_up"]),
        strategies=fairness.strategy_win_share(seats),
        length=pacing.game_length(games),
        length_by_line_up=pacing.game_length(games, ["line_up"]),
        histogram=pacing.length_histogram(games),
        armer=endings.armer_win_share(games),
        armed_seats=endings.armed_by_seat(games),
        armed_round=endings.armed_round(games),
        curves=pacing.tier_curves(exits),
        tiers=pacing.tier_summary(exits),
        tiers_by_strategy=pacing.tier_summary(by_strategy, ["strategy"]),
        score_results=scores.score_parts(scores.with_result(seats), ["result"]).sort(
            "players", pl.col("result") == "others", maintain_order=True
        ),
        score_seats=scores.score_parts(seats, ["seat"]),
        score_strategies=scores.score_parts(seats, ["strategy"]),
    )


def _facts(run: Run, variant: int, names: list[str], line_ups: pl.DataFrame) -> RunFacts:
    manifest, game = run.manifest, run.game
    experiment = experiment_of(run)
    plan = make_plan(experiment)
    entry = manifest["rulesets"][variant]
    ruleset = game.parse_ruleset(entry["parameters"])
    versions = {name: str(version) for name, version in manifest["versions"].items()}
    return RunFacts(
        name=run.folder.resolve().name,
        title=game.title,
        question=experiment.question,
        ruleset=str(entry["parameters"].get("name", entry["name"])),
        ruleset_hash=entry["hash"],
        differences=game.diff_rulesets(game.load_ruleset("standard"), ruleset),
        tier_names=tuple(entry["parameters"]["tiers"]["name"]),
        seed=experiment.seed,
        shifts=experiment.shifts,
        replicates=experiment.replicates,
        variants=tuple(names),
        variant=variant,
        players=tuple(line_ups["players"].unique().sort().to_list()),
        line_ups=line_ups,
        plan={n: (s.num_deals, s.games_per_deal, s.num_games) for n, s in plan.schedules.items()},
        shards=(len(run.shards), len(plan.shards)),
        complete=len(run.shards) == len(plan.shards),
        rules_version=manifest["rules_version"],
        tables_version=manifest["tables_version"],
        versions=versions | {name: metadata.version(name) for name in SHOWN_VERSIONS},
    )

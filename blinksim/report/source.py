"""Where a page's numbers come from: the tables of one ruleset's games, and what was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from typing import Any

import polars as pl

from blinksim.analysis import fairness
from blinksim.analysis.courses import Course, courses
from blinksim.errors import UserError
from blinksim.games.game import Game
from blinksim.report.words import line_up_text
from blinksim.simulate.batch import experiment_of
from blinksim.simulate.schedule import make_plan
from blinksim.simulate.targets import Target
from blinksim.store.reading import Run

SHOWN_VERSIONS = ("matplotlib", "polars", "scipy", "statsmodels")


class NotKept(UserError):
    """A table that the run was played without."""


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
        parameters: The ruleset's content, as plain data by section.
        targets: What the experiment itself wants its numbers to be.
        from_records: Whether the games were typed in from records.
        left_out: What was there and could not be counted, a sentence each.
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
    parameters: Mapping[str, Any] = field(default_factory=dict)
    targets: tuple[Target, ...] = ()
    from_records: bool = False
    left_out: tuple[str, ...] = ()

    def line_up(self, players: int, line_up: int) -> str:
        """A line-up in words, such as ``2 builder, 1 raider``."""
        rows = self.line_ups.filter((pl.col("players") == players) & (pl.col("line_up") == line_up))
        return line_up_text(rows["strategy"])

    def planned(self, players: int) -> int:
        """How many games of a player count were to be played under the ruleset shown."""
        games = self.plan[players][2]
        return games if self.from_records else games // len(self.variants)

    @property
    def tiers(self) -> tuple[str, ...]:
        """Names of the tiers above the first."""
        return self.tier_names[1:]


@dataclass(frozen=True)
class Source:
    """The games that a page is about.

    Attributes:
        facts: What was played.
        scan: By table name, its rows as a lazy frame, those of one ruleset alone.
        run: The run, where it is one and not records: what can be played again.
        game: The game, where there is no run to ask.
        files: Of records: by player count and number of a game, its file.
    """

    facts: RunFacts
    scan: Callable[[str], pl.LazyFrame]
    run: Run | None = None
    game: Game | None = None
    files: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @cached_property
    def courses(self) -> list[Course]:
        """The games of each player count round by round; kept, as several sections follow them (about 100 MB a million
        games).

        Raises:
            NotKept: the run was played without the rounds.
        """
        return list(courses(self.scan("rounds"), self.scan("games")))


def source_of(run: Run, variant: int = 0) -> Source:
    """The games of one ruleset of a run.

    Args:
        run: The run, finished or not.
        variant: Which ruleset of the experiment; 0 is the base.

    Raises:
        RunError: the run has no finished games.
        UserError: there is no such variant, or no finished games of it.
    """
    names = [entry["name"] for entry in run.manifest["rulesets"]]
    if not 0 <= variant < len(names):
        raise UserError(f"{run.place} has no variant {variant}; it has 0 to {len(names) - 1}: {', '.join(names)}")

    known = {table.name for table in run.game.tables}

    def scan(table: str) -> pl.LazyFrame:
        if table in known - set(run.table_names):
            raise NotKept(f"{run.place} was played without the table {table}")
        return run.scan(table).filter(pl.col("variant") == variant)

    line_ups = fairness.line_ups(scan("seats"))
    if line_ups.is_empty():
        raise UserError(f"{run.place} has no finished games of variant {variant}; run the experiment again to go on")
    return Source(_facts(run, variant, names, line_ups), scan, run)


def _facts(run: Run, variant: int, names: list[str], line_ups: pl.DataFrame) -> RunFacts:
    manifest, game = run.manifest, run.game
    experiment = experiment_of(run)
    plan = make_plan(experiment)
    entry = manifest["rulesets"][variant]
    ruleset = game.parse_ruleset(entry["parameters"])
    versions = {name: str(version) for name, version in manifest["versions"].items()}
    return RunFacts(
        name=run.name,
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
        versions=versions | page_versions(),
        parameters=entry["parameters"],
        targets=experiment.targets,
    )


def page_versions() -> dict[str, str]:
    """Versions of the libraries that make the page."""
    return {name: metadata.version(name) for name in SHOWN_VERSIONS}

"""A whole comparison: versions of the rules at several levels of play, each watched until its question is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import polars as pl

from blinksim.analysis import compare, metrics
from blinksim.analysis.aims import Aim, judged
from blinksim.analysis.compare import Look, Question, Watched
from blinksim.analysis.sequential import MIN_BLOCKS
from blinksim.games.game import Game
from blinksim.simulate import batch as batches
from blinksim.simulate.batch import Entrant, Progress
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.versions import Version, experiment_data

GAMES_PER_SHARD = 240
"""Small shards: the question can be put again every few hundred games."""
SHOWN_VERSIONS = ("blinksim", "numpy", "numba", "polars", "scipy")


@dataclass(frozen=True)
class Level:
    """One level of play of a comparison.

    Attributes:
        name: Such as ``scripted``.
        line_ups: In words.
        watched: What its watch found.
        parting: By variant number, when games part.
    """

    name: str
    line_ups: Sequence[str]
    watched: Watched
    parting: Mapping[int, pl.DataFrame]


@dataclass(frozen=True)
class Comparison:
    """All that the page tells.

    Attributes:
        title: Name of the game.
        names: Of the versions, the base first.
        differences: By version number, (parameter, value in the base, value there).
        hashes: Of the rulesets.
        players: Player count.
        seed: Of the deals.
        question: What was asked.
        levels: The deciding one first.
        rows: Of all levels, with verdicts.
        versions: Of the software.
        targets: Whether targets are met, as :func:`blinksim.analysis.aims.judged` has it; empty where there are none.
    """

    title: str
    names: Sequence[str]
    differences: Mapping[int, Sequence[tuple[str, Any, Any]]]
    hashes: Sequence[str]
    players: int
    seed: int
    question: Question
    levels: Sequence[Level]
    rows: pl.DataFrame
    versions: Mapping[str, str]
    targets: pl.DataFrame = field(default_factory=pl.DataFrame)


def metric_of(comparison: Comparison) -> metrics.Metric:
    """The metric that decides."""
    return metrics.find(comparison.levels[0].watched.metrics, comparison.question.metric)


@dataclass(frozen=True)
class Setting:
    """How one level of play is played.

    Attributes:
        name: Such as ``scripted``.
        line_ups: As in an experiment's file.
        budget: Games at most, of all versions together.
    """

    name: str
    line_ups: Sequence[Any]
    budget: int


Tell = Callable[[str, Progress, Sequence[Look]], None]


def compare_versions(
    game: Game,
    versions: Sequence[Version],
    settings: Sequence[Setting],
    entrants: Mapping[str, Entrant],
    question: Question,
    players: int,
    seed: int,
    folder: Path,
    changes: Sequence[str] = (),
    workers: int | None = None,
    fresh: bool = False,
    tell: Tell | None = None,
    aims: Sequence[Aim] = (),
) -> Comparison:
    """Play versions of the rules on the same deals, level by level, and take every metric.

    Args:
        game: Whose rules.
        versions: The base first.
        settings: Levels of play, the deciding one first; each has a run folder of its own in ``folder``.
        entrants: By name, all strategies of all levels.
        question: What is asked.
        players: Player count.
        seed: Of the deals.
        folder: Where the run folders go.
        changes: Overrides of every version.
        workers: As for a run.
        fresh: Whether to start over.
        tell: Called with the level's name after every shard.
        aims: Targets, judged at the deciding level.

    Raises:
        UserError: a version, a strategy or the metric is not there, a folder holds something else, or every game of a
            version failed.
    """
    levels, tables = [], []
    names = [version.name for version in versions]
    for setting in settings:
        batch = ready(game, versions, setting, entrants, players, seed, changes)
        told = None if tell is None else _named(tell, setting.name)
        watched = compare.watch(batch, folder / setting.name, question, workers, fresh, told)
        counted = watched.sums["deal"].max() if watched.sums.height else None
        parted = {
            variant: compare.parting(_up_to(watched, counted), variant)
            for variant in watched.decisions
            if counted is not None
        }
        texts = [", ".join(line_up) for line_up in batch.plan.schedules[players].line_ups]
        levels.append(Level(setting.name, texts, watched, parted))
        tables.append(compare.table(watched.sums, watched.metrics, players, names, setting.name, twins=watched.twins))
    rulesets = batch.rulesets
    return Comparison(
        game.title,
        names,
        {i: game.diff_rulesets(rulesets[0], ruleset) for i, ruleset in enumerate(rulesets) if i},
        [game.ruleset_hash(ruleset) for ruleset in rulesets],
        players,
        seed,
        question,
        levels,
        compare.with_verdicts(pl.concat(tables)),
        {name: metadata.version(name) for name in SHOWN_VERSIONS},
        judged(levels[0].watched.sums, names, aims, players) if aims else pl.DataFrame(),
    )


def _named(tell: Tell, name: str) -> Callable[[Progress, Sequence[Look]], None]:
    return lambda progress, looks: tell(name, progress, looks)


def _up_to(watched: Watched, deal: Any) -> metrics.Scan:
    """The tables of the deals that were counted."""
    return lambda table: watched.run.scan(table).filter(pl.col("deal") <= deal)


def ready(
    game: Game,
    versions: Sequence[Version],
    setting: Setting,
    entrants: Mapping[str, Entrant],
    players: int,
    seed: int,
    changes: Sequence[str] = (),
) -> batches.Batch:
    """The batch of one level: all versions on as many deals as the budget allows."""
    question = (
        f"Does it change anything to play {', '.join(v.name for v in versions[1:])} instead of {versions[0].name}?"
    )

    def experiment(deals: int, **more: Any) -> Any:
        data = experiment_data(versions, question, players, setting.line_ups, deals, seed, changes, **more)
        return parse_experiment(data, "comparison", game)

    per_deal = batches.prepare(experiment(1), entrants, game).plan.num_games
    deals = max(MIN_BLOCKS, setting.budget // per_deal)
    return batches.prepare(experiment(deals, deals_per_shard=max(1, GAMES_PER_SHARD // per_deal)), entrants, game)


def results(comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data for a script; numbers that are not known are None."""
    rows = _plain(comparison.rows)
    return {
        "versions": [{"name": n, "hash": h} for n, h in zip(comparison.names, comparison.hashes, strict=True)],
        "differences": {
            comparison.names[i]: [{"parameter": key, "base": a, "here": b} for key, a, b in changed]
            for i, changed in comparison.differences.items()
        },
        "players": comparison.players,
        "seed": comparison.seed,
        "question": {
            "metric": comparison.question.metric,
            "size": comparison.question.test.size,
            "precision": comparison.question.precision,
        },
        "levels": [
            {
                "name": level.name,
                "line_ups": list(level.line_ups),
                "stopped": level.watched.stopped,
                "seconds": round(level.watched.seconds, 1),
                "decisions": {comparison.names[v]: str(said) for v, said in level.watched.decisions.items()},
                "parted": {comparison.names[v]: frame.to_dicts() for v, frame in level.parting.items()},
            }
            for level in comparison.levels
        ],
        "metrics": rows.to_dicts(),
        "targets": _plain(comparison.targets).to_dicts(),
    }


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame whose numbers are all numbers, or null."""
    strange = [float("nan"), float("inf"), -float("inf")]
    return frame.with_columns(pl.col(pl.Float64).replace(strange, [None] * len(strange))) if frame.width else frame

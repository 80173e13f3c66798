"""Answers: what the variants of a finished run change, paired by deal, for every player count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from blinksim.analysis import compare, metrics
from blinksim.analysis.sweep import sums_of
from blinksim.errors import UserError
from blinksim.simulate.prepared import experiment_of
from blinksim.simulate.schedule import make_plan
from blinksim.store.reading import Run


@dataclass(frozen=True)
class Answer:
    """What the variants of one run change.

    Attributes:
        name: Of the run's folder.
        question: What its experiment asks.
        names: Of the variants, the base first.
        differences: By variant number, (parameter, value in the base, value there).
        rows: As :func:`blinksim.analysis.compare.table` has them, all player counts, with verdicts.
        games: In all.
        complete: Whether every shard was there.
    """

    name: str
    question: str
    names: Sequence[str]
    differences: Mapping[int, Sequence[tuple[str, Any, Any]]]
    rows: pl.DataFrame
    games: int
    complete: bool


def answer_of(run: Run) -> Answer:
    """The answer that a run with variants gives: its size was fixed before, so ordinary intervals hold.

    Raises:
        UserError: the run has no variants, or no games.
    """
    entries = run.manifest["rulesets"]
    names = [str(entry["name"]) for entry in entries]
    if len(names) < 2:
        raise UserError(
            f"{run.place} has one ruleset alone, so that there is nothing to hold against it; run an experiment with "
            "variants, such as walls"
        )
    if not run.num_games:
        raise UserError(f"{run.place} has no finished games yet; run the experiment")
    experiment = experiment_of(run)
    plan = make_plan(experiment)
    rulesets = [run.game.parse_ruleset(entry["parameters"]) for entry in entries]
    tiers = list(entries[0]["parameters"]["tiers"]["name"])
    mixed = sorted(
        {
            n
            for schedule in plan.schedules.values()
            for names_ in schedule.line_ups
            if len(set(names_)) > 1
            for n in names_
        }
    )
    sums = sums_of(run, tiers, mixed)
    differences = {i: run.game.diff_rulesets(rulesets[0], ruleset) for i, ruleset in enumerate(rulesets) if i}
    twins = [i for i, changed in differences.items() if not changed]
    tables = [
        compare.table(
            sums.filter(pl.col("players") == players), metrics.metrics_of(tiers, mixed, players), players, names,
            f"{players} players", was_watched=False, twins=twins,
        )
        for players in sums["players"].unique().sort().to_list()
    ]  # fmt: skip
    return Answer(
        run.name,
        experiment.question,
        names,
        differences,
        compare.with_verdicts(pl.concat(tables)),
        run.num_games,
        run.complete,
    )

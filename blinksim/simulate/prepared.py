"""An experiment made ready to be played: checked rulesets, strategies found, games named and cut into shards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blinksim.errors import UserError
from blinksim.games.game import Game, get_game
from blinksim.games.tables import Table
from blinksim.simulate.experiment import Experiment, parse_experiment
from blinksim.simulate.schedule import Plan, make_plan
from blinksim.store import runs, schema
from blinksim.store.reading import Run

SUMMARY, STANDARD, FULL = "summary", "standard", "full"
"""Levels of detail: a few tables; all of them; all of them and a record of every game."""


class MissingStrategyError(UserError):
    """A line-up names a strategy that was not handed in."""


@dataclass(frozen=True)
class Entrant:
    """A strategy that plays.

    Attributes:
        name: As the line-ups name it.
        handle: What the game's ``play_games`` takes for it.
        fingerprint: Hash of all that its choices depend on; a run is not gone on with when it has changed.
    """

    name: str
    handle: Any
    fingerprint: str


@dataclass(frozen=True)
class Batch:
    """An experiment made ready: all that playing a shard takes.

    Attributes:
        experiment: What is asked.
        game: Descriptor of the game.
        plan: Its games and shards.
        rulesets: By variant, the checked ruleset.
        rules: By player count, by variant, the packed ruleset.
        strategies: By player count, by line-up, the strategy handles by slot.
        line_ups: By player count, the names for the tables.
        fingerprints: By strategy.
        check: Whether invariants are checked after every action.
    """

    experiment: Experiment
    game: Game
    plan: Plan
    rulesets: list[Any]
    rules: dict[int, list[np.ndarray]]
    strategies: dict[int, list[list[Any]]]
    line_ups: dict[int, schema.LineUpNames]
    fingerprints: dict[str, str]
    check: bool = False

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that are kept, by the experiment's detail."""
        if self.experiment.detail == SUMMARY:
            return tuple(table for table in self.game.tables if table.name in self.game.summary_tables)
        return self.game.tables

    @property
    def keeps_records(self) -> bool:
        """Whether a record of every game is kept."""
        return self.experiment.detail == FULL

    @property
    def plain_players(self) -> list[Any]:
        """The handles of strategies in plain Python, each once."""
        handles = [h for lists in self.strategies.values() for line_up in lists for h in line_up]
        return list({id(h): h for h in handles if not getattr(h, "compiled", True)}.values())


def prepare(
    experiment: Experiment,
    entrants: Mapping[str, Entrant],
    game: Game | None = None,
    check: bool = False,
    rulesets: Sequence[Any] | None = None,
) -> Batch:
    """Make an experiment ready to be played.

    Args:
        experiment: What is asked.
        entrants: By name, at least ``experiment.strategy_names()``.
        game: The game, where it is not to be looked up by its name.
        check: Whether invariants are checked after every action.
        rulesets: By variant, where they are not to be loaded by name.

    Raises:
        UserError: a ruleset of the experiment does not load, or a strategy is missing.
    """
    game = game or get_game(experiment.game)
    names = experiment.strategy_names()
    missing = [name for name in names if name not in entrants]
    if missing:
        raise MissingStrategyError(
            f'there is no strategy "{missing[0]}"; there are {", ".join(sorted(entrants)) or "none"}'
        )
    checked = _load_rulesets(experiment, game) if rulesets is None else list(rulesets)
    plan = make_plan(experiment)
    line_ups = {n: schedule.line_ups for n, schedule in plan.schedules.items()}
    return Batch(
        experiment,
        game,
        plan,
        checked,
        {n: [game.pack_ruleset(ruleset, n) for ruleset in checked] for n in line_ups},
        {n: [[entrants[name].handle for name in line_up] for line_up in lists] for n, lists in line_ups.items()},
        {
            n: schema.LineUpNames(
                names, np.array([[names.index(s) for s in line_up] for line_up in lists], dtype=np.int16)
            )
            for n, lists in line_ups.items()
        },
        {name: entrants[name].fingerprint for name in names},
        check,
    )


def _load_rulesets(experiment: Experiment, game: Game) -> list[Any]:
    rulesets = []
    for name, ruleset, settings in experiment.rulesets():
        try:
            rulesets.append(game.load_ruleset(ruleset, settings))
        except UserError as error:
            raise UserError(f'variant "{name}": {error}') from error
    return rulesets


def experiment_of(opened: Run) -> Experiment:
    """The experiment that a run holds the games of.

    Raises:
        ExperimentError: the manifest was changed by hand.
    """
    return parse_experiment(opened.manifest["experiment"], opened.place.uri(runs.MANIFEST), opened.game)

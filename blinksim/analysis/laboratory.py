"""A laboratory: rulesets on the same deals, played in memory, for searches that ask many small questions.

What is asked next depends on what came out, so nothing is written to disk: a search that is run again plays the same
games and comes to the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import joblib
import polars as pl

from blinksim.analysis import metrics
from blinksim.errors import CheckFailed, UserError
from blinksim.games.game import Game
from blinksim.simulate.batch import available_cores
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.playing import play_shard
from blinksim.simulate.prepared import Batch, Entrant, prepare
from blinksim.simulate.schedule import Shard
from blinksim.simulate.versions import Version

GAMES_AT_ONCE = 400
"""Games that one worker plays before it sums them up."""


class FailedGameError(CheckFailed):
    """A game was stopped by a mistake, so that what a search would make of the others cannot be trusted."""


class Laboratory:
    """Plays rulesets, which are changes to one version, on deals of one player count.

    Args:
        game: Whose rules.
        base: What the changes are made to.
        line_ups: As in an experiment's file.
        players: Player count.
        seed: Of the deals.
        entrants: By name, all strategies that the line-ups name.
        changes: Made to every ruleset, first.
        workers: Threads; all cores where left out.
    """

    def __init__(
        self,
        game: Game,
        base: Version,
        line_ups: Sequence[Any],
        players: int,
        seed: int,
        entrants: Mapping[str, Entrant],
        changes: Sequence[str] = (),
        workers: int | None = None,
    ) -> None:
        self.game, self.base, self.line_ups = game, base, list(line_ups)
        self.players, self.seed, self.entrants = players, seed, entrants
        self.changes, self.workers = tuple(changes), workers or available_cores()
        self.games = 0
        first = self.ruleset(())
        self.tier_names = list(game.ruleset_data(first)["tiers"]["name"])
        schedule = self._batch([first]).plan.schedules[players]
        self.games_per_deal = schedule.games_per_deal
        self.mixed = sorted({n for line_up in schedule.line_ups if len(set(line_up)) > 1 for n in line_up})
        self.metrics = metrics.metrics_of(self.tier_names, self.mixed, players)

    def ruleset(self, changes: Sequence[str]) -> Any:
        """The version with changes "KEY=VALUE".

        Raises:
            UserError: a change is not allowed.
        """
        return self.game.load_ruleset(self.base.ruleset, [*self.changes, *self.base.changes, *changes])

    def value(self, key: str) -> int:
        """The present value of a whole-number parameter, such as ``tiers.wall[2]``.

        Raises:
            UserError: there is no such parameter, or its value is no whole number.
        """
        data: Any = self.game.ruleset_data(self.ruleset(()))
        for name, place in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
            try:
                data = data[name] if name else data[int(place)]
            except (KeyError, IndexError, TypeError):
                self.ruleset([f"{key}=0"])  # says what there is
                raise UserError(f"there is no parameter {key}") from None
        if isinstance(data, bool) or not isinstance(data, int):
            shown = "a table" if isinstance(data, dict) else repr(data)
            raise UserError(
                f'"{key}" is {shown}; a search needs a whole number, such as tiers.wall[2], or a range of values'
            )
        return data

    def play(self, rulesets: Sequence[Any], first_deal: int, num_deals: int) -> pl.DataFrame:
        """Play rulesets on deals in a row.

        Returns:
            A frame of sums (:mod:`blinksim.analysis.metrics`); ``variant`` is the place in ``rulesets``.

        Raises:
            FailedGameError: a game failed.
        """
        batch = self._batch(rulesets, first_deal + num_deals)
        schedule = batch.plan.schedules[self.players]
        at_once = max(1, GAMES_AT_ONCE // schedule.games_per_deal)
        shards: list[Shard] = []
        for first in range(first_deal, first_deal + num_deals, at_once):
            deals = min(at_once, first_deal + num_deals - first)
            shards.append(Shard(len(shards), self.players, first, deals, deals * schedule.games_per_deal))
        jobs = (joblib.delayed(self._sums)(batch, shard) for shard in shards)
        frames = joblib.Parallel(n_jobs=self.workers, backend="threading")(jobs)
        self.games += sum(shard.num_games for shard in shards)
        return pl.concat(frames).sort(metrics.KEYS)

    def _batch(self, rulesets: Sequence[Any], deals: int = 1) -> Batch:
        data = {
            "question": "A search in memory",
            "ruleset": self.base.ruleset,
            "variants": [{"name": str(i)} for i in range(1, len(rulesets))],
            "players": [self.players],
            "line_ups": self.line_ups,
            "deals": deals,
            "seed": self.seed,
        }
        return prepare(parse_experiment(data, "search", self.game), self.entrants, self.game, rulesets=rulesets)

    def _sums(self, batch: Batch, shard: Shard) -> pl.DataFrame:
        played = play_shard(batch, shard)
        if played.failed:
            failure = played.failed[0]
            raise FailedGameError(f"a game failed, {failure.key}: {failure.reason}")
        tables = {name: pl.DataFrame(pl.from_arrow(table)).lazy() for name, table in played.tables.items()}
        return metrics.sums(lambda name: tables[name], self.tier_names, self.mixed)

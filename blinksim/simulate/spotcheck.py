"""Playing single games of a run again, and holding every row that the run has of them against what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow.compute as pc

from blinksim.games.tables import Table
from blinksim.players.roster import find_player
from blinksim.simulate.prepared import Entrant, experiment_of, prepare
from blinksim.simulate.schedule import GameKey, Shard
from blinksim.store import schema
from blinksim.store.reading import Run
from blinksim.store.runs import part_name
from blinksim.store.verify import read_part


class SpotCheck:
    """A run whose games are played again one by one, as a batch plays them: from the manifest and their keys alone."""

    def __init__(self, run: Run, entrants: Mapping[str, Entrant] | None = None) -> None:
        """Make ready what plays.

        Args:
            run: The run.
            entrants: Its strategies by name, where they are not to be found by their names.

        Raises:
            UserError: the manifest was changed by hand, or a strategy is not there any more.
        """
        experiment = experiment_of(run)
        if entrants is None:
            players = {name: find_player(name) for name in experiment.strategy_names()}
            entrants = {name: Entrant(name, player, player.fingerprint) for name, player in players.items()}
        rulesets = [run.game.parse_ruleset(entry["parameters"]) for entry in run.manifest["rulesets"]]
        self.run = run
        self.batch = prepare(experiment, entrants, run.game, rulesets=rulesets)
        self.changed = _changed(run, self.batch.fingerprints)
        self._shard = -1
        self._parts: dict[str, Any] = {}  # of one shard: games come shard by shard

    def warm(self, say: Callable[[str], None]) -> None:
        """Compile what plays, and say so where it takes long."""
        lists = [line_up for line_ups in self.batch.strategies.values() for line_up in line_ups]
        handles = {id(handle): handle for line_up in lists for handle in line_up}
        self.run.game.warm(list(handles.values()), False, say)

    def hold(self, key: GameKey, shard: Shard) -> list[str]:
        """Play a game again and hold its rows in every table against what comes out.

        Args:
            key: The game.
            shard: Its shard, whose parts can be read.

        Returns:
            A sentence for each table that differs, with the first column that does; none where all is the same.
        """
        batch, game = self.batch, self.run.game
        schedule = batch.plan.schedules[key.players]
        number = schedule.number_of(key)
        of_deal = schedule.keys(key.deal, 1)
        keys = of_deal[of_deal["game"] == number]
        seed = batch.experiment.seed
        deals = [game.make_deals(ruleset, seed, key.players, key.deal, 1) for ruleset in batch.rulesets]
        failed: list[tuple[int, str]] = []
        rows = game.play_games(
            batch.rules[key.players], batch.strategies[key.players], keys, deals, seed, False, reuse=True, failed=failed
        )
        if failed:
            return [f"{key}: the run has its rows, but played again it fails: {failed[0][1]}{self._why()}"]
        problems = []
        for table in batch.tables:
            again = schema.fill_table(table, game.tables_version, rows[table.name], keys, batch.line_ups[key.players])
            there = self._rows(table, number, shard)
            if (told := _difference(there, again)) is not None:
                problems.append(f"{key}: table {table.name} has {told}{self._why()}")
        return problems

    def _rows(self, table: Table, number: int, shard: Shard) -> Any:
        """What the run has of a game in a table."""
        name = part_name(table.name, shard.number)
        if self._shard != shard.number:
            self._shard, self._parts = shard.number, {}
        if name not in self._parts:
            self._parts[name] = read_part(self.run.place.read(name))
        part = self._parts[name]
        return part.filter(pc.equal(part.column("game"), number))

    def _why(self) -> str:
        """Why a game may come out differently with nothing wrong in the files."""
        return f" ({'; '.join(self.changed)})" if self.changed else ""


def _difference(there: Any, again: Any) -> str | None:
    """How the rows of a game differ from those that came out again; None where they are the same."""
    if there.num_rows != again.num_rows:
        return f"{there.num_rows} rows of it; played again it has {again.num_rows}"
    for name in again.column_names:
        old, new = there.column(name).to_pylist(), again.column(name).to_pylist()
        for i, (was, now) in enumerate(zip(old, new, strict=True)):
            if was != now:
                row = f" in row {i + 1} of it" if len(old) > 1 else ""
                return f"{name} {_shown(name, was)}{row}; played again it is {_shown(name, now)}"
    return None


def _changed(run: Run, fingerprints: Mapping[str, str]) -> list[str]:
    """What is not as it was when the run was played."""
    then, now = run.manifest["rules_version"], run.game.rules_version
    changed = [] if then == now else [f"the run was played by version {then} of the rules, this is version {now}"]
    return changed + [
        f'strategy "{name}" or the engine under it has changed since'
        for name, fingerprint in fingerprints.items()
        if run.manifest["strategies"].get(name) != fingerprint
    ]


def _shown(column: str, value: Any) -> str:
    return f"{value:016x}" if column.endswith("digest") and isinstance(value, int) else str(value)

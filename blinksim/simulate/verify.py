"""Verifying a run: its files are whole, every planned game is there once, and games come out as their rows say.

One part file at a time is in memory, however many games the run has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from blinksim.games.tables import GAME_KEY, Table
from blinksim.simulate.prepared import Entrant, experiment_of
from blinksim.simulate.schedule import GameKey, GameKeyError, Plan, Shard, make_plan, parse_key
from blinksim.simulate.spotcheck import SpotCheck
from blinksim.store.reading import Run
from blinksim.store.runs import RECEIPTS, part_name, receipt_name
from blinksim.store.verify import check_file, check_table, read_part

REPLAY = 20
"""Games played again where the caller does not say."""
_KEY = [column.name for column in GAME_KEY]


@dataclass
class Verification:
    """What was looked at, and what is wrong with it.

    Attributes:
        where: Where the run lies.
        problems: A sentence for each thing that is wrong; none where all is well.
        notes: What is nothing wrong and should be known: shards not played yet, games that failed.
        damaged: Numbers of the shards to be played again.
        shards: Shards looked at.
        games: Games in them.
        files: Files held against their checksums.
        num_bytes: Their size.
        failed: Games that a mistake stopped; they have no rows.
        replayed: Games played again.
    """

    where: str
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    damaged: set[int] = field(default_factory=set)
    shards: int = 0
    games: int = 0
    files: int = 0
    num_bytes: int = 0
    failed: int = 0
    replayed: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def add(self, problems: Sequence[str], shard: int) -> None:
        """Take down what is wrong with a shard."""
        self.problems += problems
        if problems:
            self.damaged.add(shard)


def verify_run(
    run: Run,
    replay: int = REPLAY,
    entrants: Mapping[str, Entrant] | None = None,
    tell: Callable[[int, int], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Verification:
    """Hold a run against its receipts, its manifest and its plan, and play a sample of its games again.

    Args:
        run: The run, finished or not; it may be opened without receipts, which are read here one by one.
        replay: How many games are played again, spread over the run at random; which, follows from the number alone.
        entrants: By name the strategies as a batch takes them, where they are not to be found by their names.
        tell: Called after every shard with the shards looked at and the shards to be looked at.
        say: Told what is compiled, and when, before games are played again.

    Raises:
        UserError: the manifest was changed by hand, or a strategy that is to play again is not there.
    """
    found = Verification(str(run.place))
    plan = make_plan(experiment_of(run))
    planned = {shard.number: shard for shard in plan.shards}
    in_manifest = {receipt["number"]: receipt for receipt in run.manifest.get("shards", ())}
    names = run.place.names(RECEIPTS)
    seen, sound = set(), []
    for i, name in enumerate(names):
        receipt = _receipt(run, name, planned, in_manifest, found)
        if receipt is not None:
            seen.add(receipt["number"])
            failed = _check_shard(run, plan, planned[receipt["number"]], receipt, found)
            if receipt["number"] not in found.damaged:
                sound.append((planned[receipt["number"]], failed))
        if tell is not None:
            tell(i + 1, len(names))
    if found.failed:
        found.notes.append(f"{found.failed:,} games failed and have no rows; which: blinksim runs show {run.place}")
    _check_missing(run, planned, seen | found.damaged, found)
    _check_strays(run, planned, seen | found.damaged, found)
    sample = _sample(plan, sound, replay)
    if sample:
        spot_check = SpotCheck(run, entrants)
        if say is not None:
            spot_check.warm(say)
        for key, shard in sample:
            found.add(spot_check.hold(key, shard), shard.number)
            found.replayed += 1
    return found


def _receipt(
    run: Run,
    name: str,
    planned: Mapping[int, Shard],
    in_manifest: Mapping[int, Mapping[str, Any]],
    found: Verification,
) -> dict[str, Any] | None:
    """A receipt, where it is one of this run; what is wrong with it is taken down."""
    try:
        receipt = json.loads(run.place.read(name))
        number, parts, games = receipt["number"], receipt["parts"], receipt["games"]
        told = [part[what] for part in parts.values() for what in ("rows", "bytes", "sha256")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        found.problems.append(f"{name} is not what blinksim writes ({error or type(error).__name__})")
        return None
    shard = planned.get(number)
    if shard is None or name != receipt_name(number) or not told:
        found.problems.append(f"{name} is the receipt of shard {number}, which does not belong there")
        return None
    problems = []
    before = in_manifest.get(number)
    if before is not None and before != receipt:
        keys = [key for key in sorted({*before, *receipt}) if before.get(key) != receipt.get(key)]
        problems.append(f"{name} is not as the manifest has it: {', '.join(keys)} differ")
    expected = {"players": shard.players, "first_deal": shard.first_deal, "deals": shard.num_deals}
    problems += [
        f"{name} has {what} {receipt.get(what)}, the plan has {value}"
        for what, value in expected.items()
        if receipt.get(what) != value
    ]
    failed = len(receipt.get("failed", ()))
    if games + failed != shard.num_games:
        problems.append(f"{name} has {games:,} games and {failed:,} that failed; the plan has {shard.num_games:,}")
    missing = [table for table in run.table_names if table not in parts]
    problems += [f"{name} has no part of table {table}, which other shards have" for table in missing]
    found.add(problems, number)
    return receipt


def _check_shard(run: Run, plan: Plan, shard: Shard, receipt: Mapping[str, Any], found: Verification) -> set[int]:
    """Hold the parts of a shard against its receipt and the plan; the numbers of its games that failed."""
    failed, problems = _failed(plan, shard, receipt)
    tables = {table.name: table for table in run.game.tables}
    for name, told in receipt["parts"].items():
        file = part_name(name, shard.number)
        data, wrong = check_file(run.place, file, told)
        found.files += 1
        found.num_bytes += 0 if data is None else len(data)
        if not wrong and data is not None and name in tables:
            table = tables[name]
            wrong = check_table(table, run.manifest["tables_version"], file, data, told["rows"])
            # A file that is changed is not looked into: what it holds would only say the same in more words.
            wrong = wrong or _check_keys(table, file, data, plan.keys(shard), failed)
        problems += wrong
    rows = receipt["parts"].get("games", {}).get("rows", 0)
    if rows != receipt["games"]:
        problems.append(f"{receipt_name(shard.number)} has {receipt['games']:,} games, its part of games {rows:,} rows")
    found.shards += 1
    found.games += rows
    found.failed += len(failed)
    found.add(problems, shard.number)
    return failed


def _failed(plan: Plan, shard: Shard, receipt: Mapping[str, Any]) -> tuple[set[int], list[str]]:
    """Numbers of a shard's games that failed, and what is wrong with their list."""
    schedule = plan.schedules[shard.players]
    failed: set[int] = set()
    for entry in receipt.get("failed", ()):
        try:
            failed.add(schedule.number_of(parse_key(entry["game"])))
        except (GameKeyError, KeyError, TypeError) as error:
            return failed, [f"{receipt_name(shard.number)} has a failed game that is none: {error}"]
    return failed, []


def _check_keys(table: Table, file: str, data: bytes, keys: np.recarray, failed: set[int]) -> list[str]:
    """What is wrong with the games that the rows of a part belong to.

    Table ``games`` has each planned game once, a table of seats each seat of them once; other tables have rows of no
    other games, in the same order, and where a row is one seat in one round, each once.
    """
    once = _once(table)
    columns = [*_KEY, *once]
    try:
        rows = read_part(data, columns)
    except (OSError, pa.ArrowException) as error:
        return [f"{file} cannot be read: {error}"]
    values = {name: rows.column(name).to_numpy().astype(np.int64) for name in columns}
    games = values["game"]
    first = int(keys["game"][0])
    place = games - first
    strange = (place < 0) | (place >= len(keys))
    if strange.any():
        return [f"{file} has a row of game {games[strange][0]}, which is not one of its shard"]
    for name in _KEY:
        wrong = np.flatnonzero(values[name] != keys[name][place])
        if len(wrong):
            at = wrong[0]
            due = keys[name][place[at]]
            return [f"{file}, row {at + 1}: {name} is {values[name][at]}; game {games[at]} has {due} in the plan"]
    if (np.diff(games) < 0).any():
        return [f"{file} has its games out of order"]
    if failed and np.isin(games, list(failed)).any():
        game = games[np.isin(games, list(failed))][0]
        return [f"{file} has rows of game {game}, which failed"]
    problems = []
    if once or table.name == "games":
        same = np.ones(max(len(games) - 1, 0), dtype=bool)
        order = np.lexsort([values[name] for name in reversed(("game", *once))])
        for name in ("game", *once):
            same &= np.diff(values[name][order]) == 0
        if same.any():
            game = games[order][1:][same][0]
            problems.append(f"{file} has rows twice: {int(same.sum()):,} of them, the first of game {game}")
    if table.name == "games" or once == ("seat",):
        there = np.bincount(place, minlength=len(keys))
        due = np.ones(len(keys), dtype=np.int64) if table.name == "games" else np.asarray(keys["players"])
        due[[number - first for number in failed]] = 0
        lacking = np.flatnonzero(there < due)
        if len(lacking):
            problems.append(f"{file} lacks rows of {len(lacking):,} games, the first is game {first + lacking[0]}")
    return problems


def _once(table: Table) -> tuple[str, ...]:
    """The columns that, with the game, tell a row of a table from all others; none where rows may look the same."""
    parts = table.row.split(" × ")
    return tuple(parts[1:]) if parts[0] == "game" and set(parts[1:]) <= set(table.key) else ()


def _check_missing(run: Run, planned: Mapping[int, Shard], seen: set[int], found: Verification) -> None:
    """Shards of the plan that have no receipt: a mistake where the manifest calls the run complete."""
    missing = [number for number in planned if number not in seen]
    if not missing:
        return
    games = sum(planned[number].num_games for number in missing)
    which = ", ".join(map(str, missing[:5])) + (", …" if len(missing) > 5 else "")
    lost = {receipt["number"] for receipt in run.manifest.get("shards", ())} & set(missing)
    if run.complete or lost:
        said = "says that the run is complete" if run.complete else f"has {len(lost):,} of them"
        found.problems.append(
            f"the receipts of {len(missing):,} shards with {games:,} games are missing ({which}); the manifest {said}"
        )
        found.damaged.update(missing)
    else:
        found.notes.append(f"{len(missing):,} of {len(planned):,} shards ({games:,} games) are not played yet: {which}")


def _check_strays(run: Run, planned: Mapping[int, Shard], seen: set[int], found: Verification) -> None:
    """Part files that no receipt tells of: what a killed run leaves; in a complete one they have no business."""
    for table in run.game.tables:
        known = {part_name(table.name, number) for number in (planned if not run.complete else seen)}
        strays = [name for name in run.place.names(table.name) if name not in known]
        if strays:
            found.problems.append(
                f"{len(strays):,} files in {table.name}/ belong to no shard, the first is {strays[0]}; "
                "tools that read the whole folder would count them: remove them"
            )


def _sample(plan: Plan, sound: Sequence[tuple[Shard, set[int]]], count: int) -> list[tuple[GameKey, Shard]]:
    """Games to be played again, drawn evenly from the sound shards; of those that failed there are no rows to hold."""
    ends = np.cumsum([shard.num_games for shard, _ in sound])
    total = int(ends[-1]) if sound else 0
    games = []
    for at in np.sort(np.random.default_rng(count).choice(total, min(count, total), replace=False)):
        i = int(np.searchsorted(ends, at, side="right"))
        shard, failed = sound[i]
        key = plan.key_at(shard, int(at - ends[i]) + shard.num_games)
        if plan.schedules[key.players].number_of(key) not in failed:
            games.append((key, shard))
    return games

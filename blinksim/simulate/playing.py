"""Plays one shard: a pure function of the experiment and the shard's number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from blinksim.simulate.failures import Failure, reason_of, set_aside
from blinksim.simulate.prepared import Batch
from blinksim.simulate.records import pack_records
from blinksim.simulate.schedule import Shard
from blinksim.store import runs, schema

GAMES_AT_ONCE = 500
"""Games whose rows lie in memory as they were recorded, eight bytes a number."""


@dataclass(frozen=True)
class Played:
    """What came of a shard's games.

    Attributes:
        tables: By name, as Arrow; failed games have no rows.
        failed: Games that failed, in order.
    """

    tables: dict[str, Any]
    failed: tuple[Failure, ...]


@dataclass(frozen=True)
class Encoded:
    """A shard ready to be written (:func:`blinksim.store.runs.write_shard`).

    Attributes:
        receipt: What describes it.
        parts: By table.
        files: Records of failed games by name.
    """

    receipt: dict[str, Any]
    parts: dict[str, runs.EncodedPart]
    files: dict[str, bytes]


def play_shard(batch: Batch, shard: Shard) -> Played:
    """Play one shard; what comes of it depends on the experiment and the shard's number alone.

    Raises:
        Exception: something went wrong that is no single game's.
    """
    game, rules = batch.game, batch.rules[shard.players]
    keys = batch.plan.keys(shard)
    seed = batch.experiment.seed
    deals = [game.make_deals(r, seed, shard.players, shard.first_deal, shard.num_deals) for r in batch.rulesets]
    # Compiled code can write into what it may only read, in silence.
    before = [packed.tobytes() for packed in rules]
    pieces: dict[str, list[Any]] = {table.name: [] for table in batch.tables}
    failures = []
    for begin in range(0, len(keys), GAMES_AT_ONCE):
        some = keys[begin : begin + GAMES_AT_ONCE]
        failed: list[tuple[int, str]] = []
        rows = game.play_games(
            rules, batch.strategies[shard.players], some, deals, seed, batch.check, reuse=True, failed=failed
        )
        failures += [Failure(batch.plan.key_at(shard, begin + i), reason_of(reason)) for i, reason in failed]
        for table in batch.tables:
            filled = schema.fill_table(
                table, game.tables_version, rows[table.name], some, batch.line_ups[shard.players]
            )
            pieces[table.name].append(filled)
    if before != [packed.tobytes() for packed in rules]:
        raise AssertionError(f"shard {shard.number}: a ruleset was written to while its games were played")
    # A table at a time: what is put together or encoded leaves room for the next.
    tables = {name: pa.concat_tables(pieces.pop(name)).combine_chunks() for name in list(pieces)}
    return Played(tables, tuple(failures))


def make_shard(batch: Batch, shard: Shard) -> Encoded:
    """Play one shard and make its files.

    Raises:
        Exception: as from :func:`play_shard`.
    """
    played = play_shard(batch, shard)
    tables, games = played.tables, played.tables["games"]
    receipt: dict[str, Any] = {
        "number": shard.number,
        "players": shard.players,
        "first_deal": shard.first_deal,
        "deals": shard.num_deals,
        "games": games.num_rows,
        "outcomes": outcomes_of(batch, games),
    }
    receipt["failed"], files = set_aside(batch, played.failed)
    records = {}
    if batch.keeps_records:
        schedule = batch.plan.schedules[shard.players]
        numbers, digests = games["game"].to_pylist(), games["digest"].to_pylist()
        records[runs.RECORDS] = pack_records(batch, zip(map(schedule.key_of, numbers), digests, strict=True))
    del games, played
    parts = {name: runs.encode_part(tables.pop(name)) for name in list(tables)} | records
    return Encoded(receipt, parts, files)


def outcomes_of(batch: Batch, games: Any) -> dict[str, int]:
    """How many games of a table ``games`` ended in which way, each way that there is named."""
    table = next(table for table in batch.tables if table.name == "games")
    names = next(column.names for column in table.columns if column.name == "outcome")
    counts = np.zeros(len(names), np.int64)
    for chunk in games["outcome"].chunks:
        counts += np.bincount(chunk.indices.to_numpy(), minlength=len(names))
    return dict(zip(names, counts.tolist(), strict=True))

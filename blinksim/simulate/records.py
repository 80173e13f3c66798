"""The packed records of a run of full detail: one compressed file a shard, one line a game.

A line is ``{"game":"3p/d12/v0/l1/h2/s1/r0","record":[…]}``; the list holds the lines of the game's record as
``record.md`` has them, without the legal choices. They are made by playing the games again one decision at a time, and
each must end with the digest that its row has.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from blinksim.errors import UserError
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.failures import new_table, record_of, seated
from blinksim.simulate.prepared import FULL, Batch
from blinksim.simulate.schedule import GameKey, make_plan
from blinksim.store import runs
from blinksim.store.places import Place, place_of


class RecordsError(UserError):
    """A game's record is asked for that a run does not have."""


def pack_records(batch: Batch, games: Iterable[tuple[GameKey, int]]) -> runs.EncodedPart:
    """The records of some games as the bytes of their file.

    Args:
        batch: What is played.
        games: Keys and the digests of their final states, in order.

    Raises:
        AssertionError: a game ends in another way when it is played again.
    """
    sink = pa.BufferOutputStream()
    count = 0
    with pa.CompressedOutputStream(sink, "zstd") as out:
        for key, digest in games:
            table = new_table(batch, key)
            table.play(seated(batch.strategies[key.players][key.line_up], key))
            if int(table.digest) != digest:
                raise AssertionError(f"{key}: played again it ends with digest {table.digest:016x}, not {digest:016x}")
            lines = record_of(table, legal=False).decode().splitlines()
            out.write(f'{{"game":"{key}","record":[{",".join(lines)}]}}\n'.encode())
            count += 1
    return runs.encoded(memoryview(sink.getvalue()), count)


def read_record(run: str | Path | Place, game: str) -> str:
    """The record of one game of a run, as a record file holds it.

    Args:
        run: The run.
        game: Its key, such as ``3p/d12/v0/l1/h2/s1/r0``, or ``3p/310``.

    Raises:
        UserError: there is no such run or game, or the run keeps no records.
    """
    place = place_of(run)
    manifest = runs.read_manifest(place)
    if manifest is None:
        raise RecordsError(f"there is no run in {place}")
    plan = make_plan(parse_experiment(manifest["experiment"], place.uri(runs.MANIFEST)))
    key = plan.find(game)
    if manifest.get("detail") != FULL:
        raise RecordsError(
            f'{place} was played with detail "{manifest.get("detail")}", which keeps no records; make this one with: '
            f"blinksim replay {place} --game {key} --record FILE"
        )
    shard = next(
        shard
        for shard in plan.shards
        if shard.players == key.players and shard.first_deal <= key.deal < shard.first_deal + shard.num_deals
    )
    name = runs.part_name(runs.RECORDS, shard.number)
    if place.size(runs.receipt_name(shard.number)) is None:
        raise RecordsError(f"{place} has not finished the shard of {key}; run the same again to go on")
    start = f'{{"game":"{key}",'.encode()
    with pa.CompressedInputStream(pa.BufferReader(place.read(name)), "zstd") as packed:
        for line in packed.read().splitlines():
            if line.startswith(start):
                record = json.loads(line)["record"]
                return "".join(json.dumps(part, ensure_ascii=False, separators=(",", ":")) + "\n" for part in record)
    raise RecordsError(f"{key} failed and was set aside; its record so far is in {place.uri(runs.FAILED)}")

"""Verifying a run: every kind of damage is found, named, and told apart from what is only unfinished."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from blinksim.simulate import batch
from blinksim.simulate.verify import Verification, verify_run
from blinksim.store import runs
from blinksim.store.reading import open_run
from tests.simulate.fake_game import ENTRANTS, fake_batch, fake_game

GAMES = 384


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "run"
    batch.run(fake_batch(), folder, workers=1)
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """A run to be damaged."""
    return Path(shutil.copytree(sound, tmp_path / "run"))


def verify(folder: Path, replay: int = 0, play: Any = None) -> Verification:
    return verify_run(open_run(folder, fake_game(play), receipts=False), replay, ENTRANTS)


def change_json(path: Path, change: Callable[[Any], None]) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def change_receipt(folder: Path, number: int, change: Callable[[Any], None]) -> None:
    """Change a receipt, in its file and where the manifest repeats it."""
    change_json(runs.receipt_path(folder, number), change)

    def in_manifest(manifest: Any) -> None:
        for receipt in manifest.get("shards", ()):
            if receipt["number"] == number:
                change(receipt)

    change_json(folder / "manifest.json", in_manifest)


def change_rows(folder: Path, table: str, number: int, change: Callable[[Any], Any]) -> None:
    """Change the rows of a part as somebody would who also writes a receipt that fits."""
    path = runs.part_path(folder, table, number)
    part = runs.encode_part(change(pq.read_table(path)))
    path.write_bytes(part.data)
    told = {"rows": part.rows, "bytes": len(part.data), "sha256": part.sha256}
    change_receipt(folder, number, lambda receipt: receipt["parts"].update({table: told}))


def set_value(table: Any, column: str, row: int, value: Any) -> Any:
    at = table.column_names.index(column)
    values = table.column(column).to_pylist()
    values[row] = value
    return table.set_column(at, table.schema.field(at), pa.array(values, type=table.schema.field(at).type))


def test_a_sound_run(folder: Path) -> None:
    steps: list[tuple[int, int]] = []
    found = verify_run(open_run(folder, fake_game()), GAMES, ENTRANTS, lambda *step: steps.append(step))
    assert found.ok and not found.notes and not found.damaged
    assert (found.shards, found.games, found.files, found.replayed) == (12, GAMES, 24, GAMES)
    assert found.num_bytes == sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    assert steps == [(i, 12) for i in range(1, 13)]


def test_a_flipped_byte(folder: Path) -> None:
    path = runs.part_path(folder, "seats", 4)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    found = verify(folder)
    (problem,) = found.problems
    assert problem.startswith("seats/part-00004.parquet has another checksum than its receipt: ")
    assert found.damaged == {4}


def test_a_missing_part_and_one_cut_short(folder: Path) -> None:
    runs.part_path(folder, "games", 5).unlink()
    path = runs.part_path(folder, "seats", 7)
    path.write_bytes(path.read_bytes()[:-10])
    found = verify(folder)
    size = path.stat().st_size
    assert found.problems == [
        "games/part-00005.parquet is missing",
        f"seats/part-00007.parquet has {size:,} bytes, {size + 10:,} in its receipt",
    ]
    assert found.damaged == {5, 7}


def test_doubled_rows(folder: Path) -> None:
    """Rows that are there twice, with a receipt that fits: in the table of games and in one of seats."""
    change_rows(folder, "seats", 1, lambda t: pa.concat_tables([t.slice(0, 3), t]))
    change_rows(folder, "games", 2, lambda t: pa.concat_tables([t.slice(0, 1), t]))
    found = verify(folder)
    assert found.problems == [
        "seats/part-00001.parquet has rows twice: 3 of them, the first of game 0",
        "games/part-00002.parquet has rows twice: 1 of them, the first of game 16",
        "shards/shard-00002.json has 16 games, its part of games 17 rows",
    ]
    assert found.damaged == {1, 2}


def test_lost_rows(folder: Path) -> None:
    change_rows(folder, "games", 1, lambda t: t.slice(0, t.num_rows - 2))
    change_rows(folder, "seats", 2, lambda t: t.slice(1))
    assert verify(folder).problems == [
        "games/part-00001.parquet lacks rows of 2 games, the first is game 46",
        "shards/shard-00001.json has 48 games, its part of games 46 rows",
        "seats/part-00002.parquet lacks rows of 1 games, the first is game 16",
    ]


def test_games_of_another_shard_another_order_and_another_key(folder: Path) -> None:
    other = pq.read_table(runs.part_path(folder, "games", 0))
    change_rows(folder, "games", 2, lambda t: other)
    change_rows(folder, "games", 4, lambda t: pa.concat_tables([t.slice(1), t.slice(0, 1)]))
    change_rows(folder, "seats", 6, lambda t: set_value(t, "hand_shift", 5, 7))
    assert verify(folder).problems == [
        "games/part-00002.parquet has a row of game 0, which is not one of its shard",
        "games/part-00004.parquet has its games out of order",
        "seats/part-00006.parquet, row 6: hand_shift is 7; game 50 has 1 in the plan",
    ]


def test_a_changed_receipt(folder: Path) -> None:
    """Against the manifest, the plan and its part."""
    change_receipt(folder, 0, lambda receipt: receipt.update(first_deal=3, games=15))
    change_receipt(folder, 1, lambda receipt: receipt["parts"]["games"].update(rows=49))
    found = verify(folder)
    assert found.problems == [
        "shards/shard-00000.json has first_deal 3, the plan has 0",
        "shards/shard-00000.json has 15 games and 0 that failed; the plan has 16",
        "shards/shard-00000.json has 15 games, its part of games 16 rows",
        "games/part-00001.parquet has 48 rows, 49 in its receipt",
        "shards/shard-00001.json has 48 games, its part of games 49 rows",
    ]
    assert found.damaged == {0, 1}


def test_receipts_that_are_none(folder: Path) -> None:
    runs.receipt_path(folder, 3).write_text('{"number": 3}', encoding="utf-8")
    runs.receipt_path(folder, 5).write_bytes(runs.receipt_path(folder, 6).read_bytes())
    problems = verify(folder).problems
    assert "shards/shard-00003.json is not what blinksim writes ('parts')" in problems
    assert "shards/shard-00005.json is the receipt of shard 6, which does not belong there" in problems


def test_a_wrong_digest(folder: Path) -> None:
    """All else fits, checksum and receipt among it: only playing the game again shows it."""
    key = "3p/d0/v0/l1/h0/s1/r0"
    change_rows(folder, "games", 1, lambda t: set_value(t, "digest", 4, 1234))
    change_rows(folder, "seats", 3, lambda t: set_value(t, "strategy", 0, "raider"))
    assert verify(folder).ok
    found = verify(folder, GAMES)
    assert found.replayed == GAMES and found.damaged == {1, 3}
    digest, strategy = found.problems
    assert digest.startswith(f"{key}: table games has digest 00000000000004d2; played again it is ")
    assert strategy == (
        "3p/d2/v0/l0/h0/s0/r0: table seats has strategy raider in row 1 of it; played again it is builder"
    )


def test_what_has_changed_since_is_named(folder: Path) -> None:
    change_rows(folder, "games", 0, lambda t: set_value(t, "winner", 0, 5))

    def change(manifest: Any) -> None:
        manifest["strategies"]["raider"] = "another"
        manifest["rules_version"] = 0

    change_json(folder / "manifest.json", change)
    (problem,) = verify(folder, GAMES).problems
    assert problem.endswith(
        "(the run was played by version 0 of the rules, this is version 1; "
        'strategy "raider" or the engine under it has changed since)'
    )


def test_a_game_that_fails_when_it_is_played_again(folder: Path) -> None:
    def play(*_: Any, failed: list[tuple[int, str]], **__: Any) -> dict[str, Any]:
        failed.append((0, "seat 1 chose nothing"))
        return {}

    (problem,) = verify(folder, 1, play).problems
    assert problem.endswith(": the run has its rows, but played again it fails: seat 1 chose nothing")


def test_games_that_failed_are_set_aside(folder: Path) -> None:
    """They have no rows, are listed in the receipt, and are not played again."""
    change_rows(folder, "games", 0, lambda t: t.slice(1))
    change_rows(folder, "seats", 0, lambda t: t.slice(2))
    entry = {"game": "2p/d0/v0/l0/h0/s0/r0", "reason": "it fell over", "record": None, "again": True}
    change_receipt(folder, 0, lambda receipt: receipt.update(games=15, failed=[entry]))
    found = verify(folder, GAMES)
    assert found.ok and found.replayed == GAMES - 1
    assert found.failed == 1
    assert found.notes == [f"1 games failed and have no rows; which: blinksim runs show {folder}"]
    assert open_run(folder, fake_game()).failed == [entry]

    change_receipt(folder, 0, lambda receipt: receipt["failed"][0].update(game="2p/d0/v0/l0/h0/s1/r0"))
    assert verify(folder).problems == [
        "games/part-00000.parquet has rows of game 1, which failed",
        "seats/part-00000.parquet has rows of game 1, which failed",
    ]
    change_receipt(folder, 0, lambda receipt: receipt["failed"][0].update(game="9p"))
    assert 'shards/shard-00000.json has a failed game that is none: "9p" is not a game' in verify(folder).problems[0]


def test_a_missing_receipt(folder: Path) -> None:
    """A mistake where the manifest calls the run complete; else a note."""
    runs.receipt_path(folder, 13).unlink()
    found = verify(folder)
    assert found.problems == [
        "the receipts of 1 shards with 24 games are missing (13); the manifest says that the run is complete"
    ]
    assert found.damaged == {13}

    def unfinished(manifest: Any) -> None:
        manifest["complete"] = False
        manifest["shards"] = [receipt for receipt in manifest.get("shards", ()) if receipt["number"] != 13]

    change_json(folder / "manifest.json", unfinished)
    found = verify(folder)
    assert found.ok
    assert found.notes == ["1 of 12 shards (24 games) are not played yet: 13"]


def test_a_file_of_no_shard(folder: Path) -> None:
    path = runs.part_path(folder, "games", 12)
    path.write_bytes(runs.part_path(folder, "games", 0).read_bytes())
    (problem,) = verify(folder).problems
    assert problem.startswith("1 files in games/ belong to no shard, the first is games/part-00012.parquet")


def test_another_schema_and_no_table_at_all(folder: Path) -> None:
    change_rows(folder, "games", 0, lambda t: t.drop_columns(["winner"]))
    data = b"not a table"
    runs.part_path(folder, "games", 1).write_bytes(data)
    part = runs.encoded(data, 48)
    told = {"rows": 48, "bytes": len(data), "sha256": part.sha256}
    change_receipt(folder, 1, lambda receipt: receipt["parts"].update(games=told))
    schema, unreadable = verify(folder).problems
    assert schema.startswith("games/part-00000.parquet: column winner of table games is missing")
    assert unreadable.startswith("games/part-00001.parquet cannot be read as a table: ")


def test_the_sample_is_spread_and_always_the_same(folder: Path) -> None:
    """Twenty games of all there are; whichever shards are sound."""
    assert verify(folder, 20).replayed == 20
    players = pc.unique(pq.read_table(folder / "games", columns=["players"]).column("players")).to_pylist()
    assert sorted(players) == [2, 3]
    path = runs.part_path(folder, "games", 0)
    path.write_bytes(path.read_bytes()[:-1])
    assert verify(folder, GAMES).replayed == GAMES - 16

"""Run folders: whole files or none, and reading back with checks."""

import json
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from blinksim.simulate import batch
from blinksim.store import runs, schema
from blinksim.store.reading import open_run
from tests.simulate.fake_game import fake_batch, fake_game


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    batch.run(fake_batch(), tmp_path / "run", workers=1)
    return tmp_path / "run"


def test_layout(folder: Path) -> None:
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert "games/part-00000.parquet" in names and "seats/part-00013.parquet" in names
    assert "manifest.json" in names and "shards/shard-00013.json" in names
    assert not [name for name in names if name.endswith(".tmp")]
    assert pq.ParquetFile(folder / "games/part-00000.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


def test_the_manifest_tells_all_that_made_the_run(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["complete"] is True
    assert manifest["experiment"]["seed"] == 7
    assert [variant["parameters"] for variant in manifest["rulesets"]] == [{"wall": 10}, {"wall": 12}]
    assert manifest["strategies"]["raider"] == "hash of raider"
    assert manifest["games_per_deal"] == {"2": 8, "3": 24}
    assert [shard["number"] for shard in manifest["shards"]] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13]
    assert {"pyarrow", "blinksim"} <= manifest["versions"].keys()
    (sitting,) = manifest["run"]["sittings"]
    assert sitting["games"] == 384 and sitting["workers"] == 1 and sitting["machine"]["cores"] >= 1


def test_receipts_tell_rows_and_checksums(folder: Path) -> None:
    import hashlib

    for number, receipt in runs.read_receipts(folder).items():
        for name, part in receipt["parts"].items():
            path = runs.part_path(folder, name, number)
            assert part["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
            assert part["rows"] == pq.read_metadata(path).num_rows
        assert receipt["parts"]["games"]["rows"] == receipt["games"]


def test_scan_reads_the_parts_in_order(folder: Path) -> None:
    run = open_run(folder, fake_game())
    games = run.scan("games").select("players", "deal", "outcome").collect()
    assert games["players"].to_list()[:40] == [2] * 16 + [3] * 24
    for n in (2, 3):
        deals = games.filter(pl.col("players") == n)["deal"].to_list()
        assert deals == sorted(deals)
    assert set(games["outcome"].cast(pl.String)) <= {"won", "stalled"}
    with pytest.raises(runs.RunError, match=r'there is no table "game".* tables are games, seats'):
        run.scan("game")


def test_a_part_of_another_schema_is_refused_on_reading(folder: Path) -> None:
    path = runs.part_path(folder, "games", 4)
    pq.write_table(pq.read_table(path).drop_columns(["winner"]), path)
    receipt = json.loads(runs.receipt_path(folder, 4).read_text(encoding="utf-8"))
    receipt["parts"]["games"]["bytes"] = path.stat().st_size
    runs.receipt_path(folder, 4).write_text(json.dumps(receipt), encoding="utf-8")
    run = open_run(folder, fake_game())
    with pytest.raises(schema.SchemaError, match=r"part-00004\.parquet: column winner of table games is missing"):
        run.scan("games")
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(runs.RunError, match=r"cannot read .*part-00004\.parquet"):
        run.scan("games")


def test_a_write_that_fails_leaves_nothing_of_itself(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    with pytest.raises(runs.RunError, match=r"cannot write .*taken.*; make room or name another file$"):
        runs.write_bytes(tmp_path / "taken" / "part", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_folders_that_are_no_run_are_explained(tmp_path: Path) -> None:
    with pytest.raises(runs.RunError, match=r"there is no run in .*blinksim run NAME"):
        open_run(tmp_path, fake_game())
    (tmp_path / "manifest.json").write_text('{"manifest": 99}', encoding="utf-8")
    with pytest.raises(runs.RunError, match=r"has the form 99; this blinksim reads 1"):
        open_run(tmp_path, fake_game())
    (tmp_path / "manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(runs.RunError, match=r"cannot read .*manifest\.json"):
        open_run(tmp_path, fake_game())

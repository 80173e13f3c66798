"""``blinksim runs``: what is listed, what is shown of a run, and what is said of a damaged one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from blinksim.cli.app import app
from blinksim.store import runs
from tests.report.tiny import play


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(
        tmp_path_factory.mktemp("runs") / "tiny", variants=[{"name": "poor", "set": ["trick.last_place_gold=0"]}]
    )


@pytest.fixture(autouse=True)
def folder(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with one run; ``chance`` is a player that only the test knows, so it is made known."""
    shutil.copytree(tiny, tmp_path / "runs" / "tiny")
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "chance.toml").write_text('strategy = "random"\nsummary = "any"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs" / "tiny"


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["runs", *arguments])


def unfinish(folder: Path, number: int) -> None:
    """Take a shard away, as if it were not played yet."""
    for path in folder.rglob(f"*-{number:05d}.*"):
        path.unlink()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["complete"] = False
    manifest["shards"] = [shard for shard in manifest.get("shards", ()) if shard["number"] != number]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_list(folder: Path) -> None:
    shutil.copytree(folder, folder.parent / "half")
    unfinish(folder.parent / "half", 0)
    (folder.parent / "broken").mkdir()
    (folder.parent / "broken" / "manifest.json").write_text("{", encoding="utf-8")
    result = call("list")
    assert result.exit_code == 0
    heading, broken, half, whole = result.stdout.splitlines()
    assert heading.split() == ["run", "games", "shards", "size", "last", "played", "question"]
    assert broken.startswith("broken") and "cannot read" in broken
    assert half.split()[:6] == ["half", "66", "of", "90", "4", "of"]
    assert whole.split()[:5] == ["tiny", "90", "5", "of", "5"]
    assert "Does a page <come> out & can it be read?" in whole

    rows = json.loads(call("list", "--json").stdout)
    assert [row["name"] for row in rows] == ["broken", "half", "tiny"]
    assert rows[2]["games"] == rows[2]["games_planned"] == 90
    assert rows[2]["bytes"] == sum(path.stat().st_size for path in folder.rglob("*.parquet"))


def test_list_where_there_is_nothing(tmp_path: Path) -> None:
    empty = call("list", "elsewhere")
    assert empty.exit_code == 0 and empty.stdout == ""
    assert "there are no runs in elsewhere; play one with: blinksim run baseline" in empty.stderr
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert call("list", "file").exit_code == 2


def test_show(folder: Path) -> None:
    result = call("show", "tiny")
    assert result.exit_code == 0
    for line in (
        "runs/tiny: Does a page <come> out & can it be read?",
        "  games     90, complete",
        "  rules     0 base: standard",
        "            1 poor: standard trick.last_place_gold=0",
        "  2 players 72 games: 6 deals of 12, 2 deals a shard",
        "            1 random, chance",
    ):
        assert line in result.stdout.splitlines()
    assert "  sitting   " in result.stdout and "1 workers" in result.stdout
    told: dict[str, Any] = json.loads(call("show", "tiny", "--json").stdout)
    assert told["tables"][0] | {"bytes": 0} == {"table": "games", "rows": 90, "bytes": 0}
    assert told["failed"] == []


def test_games_that_failed_are_shown(folder: Path) -> None:
    path = runs.receipt_path(folder, 0)
    receipt = json.loads(path.read_text(encoding="utf-8"))
    entry = {"game": "2p/d0/v0/l1/h0/s0/r0", "reason": "seat 1: it fell over", "record": None, "again": True}
    path.write_text(json.dumps(receipt | {"failed": [entry]}), encoding="utf-8")
    assert "  failed    2p/d0/v0/l1/h0/s0/r0: seat 1: it fell over" in call("show", "tiny").stdout.splitlines()
    assert "90 (1 failed)" in call("list").stdout


def test_a_sound_run(folder: Path) -> None:
    result = call("verify", "tiny", "--replay", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("runs/tiny is sound: 90 games in 5 shards, 40 files (")
    assert result.stdout.endswith(" as their receipts say, 3 games played again with the same rows\n")
    assert call("verify", "runs/tiny", "--replay", "0", "--quiet").output == ""


def test_an_unfinished_run_is_sound_with_a_note(folder: Path) -> None:
    unfinish(folder, 0)
    result = call("verify", "tiny", "--replay", "0")
    assert result.exit_code == 0
    assert result.stderr == "1 of 5 shards (24 games) are not played yet: 0\n"
    assert "66 games in 4 shards" in result.stdout


def test_a_damaged_run(folder: Path) -> None:
    """What is wrong, and the way to mend it, which does mend it."""
    path = runs.part_path(folder, "duels", 2)
    data = bytearray(path.read_bytes())
    data[100] ^= 255
    path.write_bytes(data)
    result = call("verify", "tiny", "--replay", "0")
    assert result.exit_code == 1 and result.stdout == ""
    first, problem, last = result.stderr.splitlines()
    assert first == "runs/tiny is not sound:"
    assert problem.startswith("  duels/part-00002.parquet has another checksum than its receipt: ")
    assert last == (
        "To mend it, remove shards/shard-00002.json and run the experiment again: the same games are played anew"
    )
    found = json.loads(call("verify", "tiny", "--replay", "0", "--json").stdout)
    assert (found["ok"], found["damaged"], len(found["problems"])) == (False, [2], 1)

    runs.receipt_path(folder, 2).unlink()
    play(folder, variants=[{"name": "poor", "set": ["trick.last_place_gold=0"]}])
    assert call("verify", "tiny", "--replay", "0").exit_code == 0


def test_a_receipt_that_cannot_be_read_is_a_finding(folder: Path) -> None:
    runs.receipt_path(folder, 1).write_text("[", encoding="utf-8")
    result = call("verify", "tiny", "--replay", "0")
    assert result.exit_code == 1
    assert "shards/shard-00001.json is not what blinksim writes" in result.stderr


@pytest.mark.parametrize("command", ["show", "verify"])
def test_there_is_no_such_run(command: str) -> None:
    result = call(command, "tinny")
    assert result.exit_code == 2
    assert result.stderr.startswith("there is no run tinny; runs here are ")

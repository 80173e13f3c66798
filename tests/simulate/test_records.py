"""Full detail: every game's record, packed, and read back."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from blinksim.games.blink.record import check_record
from blinksim.players.roster import find_player
from blinksim.simulate import batch as b
from blinksim.simulate import records
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.replay import replay_game
from blinksim.simulate.schedule import GameKeyError
from blinksim.store import runs
from blinksim.store.reading import open_run


def small_batch(**changes: object) -> b.Batch:
    """Two and three players, six games of few rounds."""
    data = {
        "question": "What happened?",
        "players": [2, 3],
        "line_ups": {"2": [["random", "builder"]], "3": [{"mirror": ["random"]}]},
        "deals": {"2": 2, "3": 1},
        "deals_per_shard": 1,
        "seed": 3,
        "set": ["end.max_rounds=4", "setup.draft_passes=[1]"],
        "detail": "full",
    }
    experiment = parse_experiment(data | changes, "the test")
    players = {name: find_player(name) for name in experiment.strategy_names()}
    return b.prepare(experiment, {name: b.Entrant(name, p, p.fingerprint) for name, p in players.items()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records") / "run"
    b.run(small_batch(), folder, workers=1)
    return folder


def test_every_game_has_its_record_under_its_key(folder: Path, tmp_path: Path) -> None:
    run = open_run(folder)
    assert run.manifest["detail"] == "full"
    keys = run.scan("games").select("players", "game").collect().rows()
    assert len(keys) == 11
    for players, game in keys:
        text = records.read_record(folder, f"{players}p/{game}")
        (tmp_path / "one.blink.jsonl").write_text(text, encoding="utf-8")
        assert check_record(tmp_path / "one.blink.jsonl").finished
        again = replay_game(run, f"{players}p/{game}").table
        assert again.record(tmp_path / "again.blink.jsonl", legal=False).read_text(encoding="utf-8") == text


def test_records_have_a_part_and_a_checksum_like_a_table(folder: Path) -> None:
    receipts = runs.read_receipts(folder)
    assert [receipt["parts"]["records"]["rows"] for receipt in receipts.values()] == [4, 3, 4]
    (folder / "records" / "part-00002.jsonl.zst").rename(folder / "gone")
    assert list(runs.read_receipts(folder)) == [0, 1]
    (folder / "gone").rename(folder / "records" / "part-00002.jsonl.zst")


def test_a_game_that_comes_out_otherwise_is_no_record_of_this_one() -> None:
    batch = small_batch()
    key = batch.plan.key_at(batch.plan.shards[0], 0)
    with pytest.raises(AssertionError, match=f"{key}: played again it ends with digest"):
        records.pack_records(batch, [(key, 1)])


def test_what_there_is_no_record_of(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(GameKeyError, match="deal 7 is not played"):
        records.read_record(folder, "2p/d7/v0/l0/h0/s0/r0")
    with pytest.raises(records.RecordsError, match="there is no run in"):
        records.read_record(tmp_path, "2p/0")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(records.RecordsError, match="has not finished the shard of 2p/d0/"):
        records.read_record(tmp_path, "2p/0")
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"detail": "standard"}), encoding="utf-8")
    with pytest.raises(records.RecordsError, match=r'detail "standard".*blinksim replay .* --game 2p/d0/'):
        records.read_record(tmp_path, "2p/0")


def test_a_game_that_failed_has_its_record_elsewhere(tmp_path: Path) -> None:
    batch = small_batch()

    def fail(*arguments: object, failed: list[tuple[int, str]], **named: object) -> dict[str, object]:
        rows = batch.game.play_games(*arguments, **named)
        failed.append((1, "out of luck"))
        return {name: table[table[:, 0] != 1] for name, table in rows.items()}

    game = dataclasses.replace(batch.game, play_games=fail)
    assert b.run(dataclasses.replace(batch, game=game), tmp_path, workers=1).failed == 3
    with pytest.raises(records.RecordsError, match=r"2p/d0/v0/l0/h0/s1/r0 failed and was set aside"):
        records.read_record(tmp_path, "2p/1")
    assert check_record(tmp_path / "failed/2p-d0-v0-l0-h0-s1-r0.blink.jsonl").finished

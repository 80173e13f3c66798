"""A mistake inside a strategy: its name, the ply, the record so far, the line that replays it; other games are kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner, Result

from blinksim.cli.app import app
from blinksim.games.blink import shards
from blinksim.games.blink import table as tables
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.record import check_record
from blinksim.jit import PLAIN
from blinksim.players.roster import find_player
from blinksim.simulate import batch as b
from blinksim.simulate import failures
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.schedule import GameKey, make_plan
from blinksim.store.places import LocalPlace
from blinksim.store.reading import open_run
from tests.simulate.fake_game import fake_batch
from tests.simulate.test_batch import contents

STRATEGY = '''
from blinksim.games.blink.state import new_records
from blinksim.players.policy import Strategy, kernel

STRATEGY = Strategy(name="faulty", summary="breaks on purpose", compiled={compiled})


{kernel}
def decide(view, rules, actions, n, params, memory, stream, sandbox):
    """Sound until the second round of games that another seat than 0 leads first."""
    if view.round_number >= 2 and view.leader != 0:
        {mistake}
    return 0
'''

BAD_INDEX = "return n"
NEGATIVE = "return -1"
RAISES = 'raise ValueError("no plan for this")'
MISTAKES = {
    BAD_INDEX: "it chose an index that is not one of the legal choices",
    NEGATIVE: "it chose an index that is not one of the legal choices",
    RAISES: "ValueError: no plan for this",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    return tmp_path


def faulty_batch(folder: Path, mistake: str, compiled: bool, check: bool = False) -> b.Batch:
    """Two players, eight deals of one shard each, two rulesets; ``faulty`` plays ``random`` in all of them."""
    text = STRATEGY.format(compiled=compiled, kernel="@kernel" if compiled else "", mistake=mistake)
    (folder / "strategies" / "faulty.py").write_text(text, encoding="utf-8")
    experiment = parse_experiment(
        {
            "question": "What becomes of a mistake?",
            "players": [2],
            "line_ups": [["random", "faulty"]],
            "deals": 8,
            "deals_per_shard": 1,
            "seed": 11,
            "set": ["end.max_rounds=4", "setup.draft_passes=[1]"],
            "variants": [{"name": "higher", "set": ["tiers.wall[2]=15"]}],
        },
        "the test",
    )
    players = {name: find_player(name) for name in experiment.strategy_names()}
    entrants = {name: b.Entrant(name, player, player.fingerprint) for name, player in players.items()}
    return b.prepare(experiment, entrants, check=check)


def sound_batch(folder: Path, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> b.Batch:
    """The same without a mistake, in a working directory of its own: a process takes a file up once."""
    (folder / "elsewhere" / "strategies").mkdir(parents=True)
    monkeypatch.chdir(folder / "elsewhere")
    return faulty_batch(folder / "elsewhere", "pass", compiled)


def run_to_failure(prepared: b.Batch) -> str:
    """What the user is told of the first game that fails."""
    return b.run(prepared, Path("run"), workers=1).failures[0]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("mistake", list(MISTAKES))
def test_a_mistake_names_strategy_ply_record_and_replay(folder: Path, mistake: str, compiled: bool) -> None:
    message = run_to_failure(faulty_batch(folder, mistake, compiled))
    key, reason = message.split(": ", 1)
    path = failures.record_path(Path("run"), GameKey(2, *[int(part[1:]) for part in key.split("/")[1:]]))
    assert path == Path("run/failed") / f"{key.replace('/', '-')}.blink.jsonl"
    assert reason.startswith("faulty at ply ")
    assert f": {MISTAKES[mistake]}; " in reason
    assert message.endswith(f"; the record so far is {path}; replay it with: blinksim replay run --game {key}")
    found = check_record(path)
    assert found.ok
    assert found.result is None
    assert found.plies == int(reason.removeprefix("faulty at ply ").split(" ")[0])
    assert f"(round {found.rounds}, seat " in reason
    assert found.rounds >= 2
    failed = [entry for receipt in open_run("run").shards.values() for entry in receipt["failed"]]
    assert {entry["record"] for entry in failed} == {f"failed/{file.name}" for file in path.parent.iterdir()}


@pytest.mark.parametrize("compiled", [True, False])
def test_other_games_are_played_and_keep_their_rows(
    folder: Path, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same games without the mistake have the same rows, all tables; two variants, so two groups of the driver."""
    mistake = f"if int(view.grid_top[0]) % 8 == 4: {RAISES}"
    summary = b.run(faulty_batch(folder, mistake, compiled), "run", workers=1)
    assert 0 < summary.failed < 16
    kept = open_run(folder / "run")
    failed = {entry["game"] for receipt in kept.shards.values() for entry in receipt["failed"]}
    assert len(failed) == summary.failed and summary.games == kept.num_games == 64 - summary.failed
    b.run(sound_batch(folder, compiled, monkeypatch), "sound", workers=1)
    sound = open_run("sound")
    assert sound.num_games == 64
    plan = make_plan(b.experiment_of(sound))
    gone = [plan.schedules[2].number_of(plan.find(key)) for key in failed]
    for table in (table.name for table in GAME.tables):
        rows, all_rows = (run.scan(table).collect() for run in (kept, sound))
        assert rows.height
        assert_frame_equal(rows, all_rows.filter(~pl.col("game").is_in(gone)))


@pytest.mark.parametrize("crews", [[(2, None)], pytest.param([(2, False), (4, True)], marks=pytest.mark.full)])
def test_the_same_bytes_in_threads_and_in_processes(folder: Path, crews: list[tuple[int, bool | None]]) -> None:
    """Failed games too; a strategy in plain Python plays in processes by itself."""
    mistake = f"if int(view.grid_top[0]) % 8 == 4: {RAISES}"
    prepared = faulty_batch(folder, mistake, False)
    assert (b.choose(prepared, 2).kind, b.choose(prepared, 1).kind) == ("processes", "threads")
    b.run(prepared, "one", workers=1, processes=False)
    first = contents(folder / "one")
    assert any(name.startswith("failed/") for name in first)
    for workers, processes in crews:
        b.run(prepared, f"{workers}", workers=workers, processes=processes)
        assert contents(folder / f"{workers}") == first


def test_a_fresh_run_clears_the_records_away(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_to_failure(faulty_batch(folder, RAISES, True))
    assert (folder / "run" / "failed").exists()
    sound = sound_batch(folder, True, monkeypatch)
    assert b.run(sound, folder / "run", workers=1, fresh=True).games == 64
    assert not (folder / "run" / "failed").exists()


def test_a_strategy_that_fails_in_every_game_does_not_fill_the_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "RECORDS_PER_SHARD", 2)
    prepared = faulty_batch(folder, RAISES, True)
    summary = b.run(prepared, "run", workers=1)
    entries = [entry for receipt in open_run("run").shards.values() for entry in receipt["failed"]]
    assert len(entries) == summary.failed > 8
    assert len(list((folder / "run" / "failed").iterdir())) == sum(entry["record"] is not None for entry in entries)
    assert max(Counter(e["game"].split("/")[1] for e in entries if e["record"] is not None).values()) == 2


def test_without_a_record_the_mistake_is_still_told() -> None:
    """A batch whose game cannot be set up again fails as it did."""
    assert failures.play_again(fake_batch(), GameKey(2, 0)) == (None, True)


def test_a_mistake_that_does_not_come_again_is_said(folder: Path) -> None:
    sound = faulty_batch(folder, "return 0", False)
    key = GameKey(2, 3, 0, 0, 1)
    (entry,), files = failures.set_aside(sound, [failures.Failure(key, "out of luck")])
    name = "failed/2p-d3-v0-l0-h1-s0-r0.blink.jsonl"
    assert failures.sentence(entry, LocalPlace("run")) == (
        f"{key}: out of luck; the record so far is run/{name} (played once more, it did not fail); "
        f"replay it with: blinksim replay run --game {key}"
    )
    LocalPlace("run").write(name, files[name])
    assert check_record(Path("run") / name).finished


def test_a_broken_invariant_is_a_failure_of_the_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``check``: no strategy is blamed; the record holds the choice that led there."""
    monkeypatch.setattr(tables, "broken_invariant", lambda state, rules: 4 if state.ply == 3 else 0)
    sound = faulty_batch(folder, "return 0", False, check=True)

    def fail(*arguments: Any, failed: list[tuple[int, str]], **named: Any) -> dict[str, np.ndarray]:
        rows = shards.play_games(*arguments, **named)
        failed.append((1, "ply 3 (round 0, seat 1, draft_pass): invariant 4 of section 8 is broken"))
        return {name: table[table[:, 0] != 1] for name, table in rows.items()}

    message = run_to_failure(replace(sound, game=replace(sound.game, play_games=fail)))
    assert message.startswith("2p/d0/v0/l0/h0/s1/r0: ply 3 (round 0, seat 1, draft_pass): invariant 4")
    assert check_record(failures.record_path(Path("run"), GameKey(2, 0, seat_shift=1))).plies == 3


def test_a_strategy_that_writes_to_its_parameters_is_stopped(folder: Path) -> None:
    """They are the same in all its games: what it learned would leak from one into the next."""
    (folder / "strategies" / "learner.py").write_text(
        "from blinksim.players.policy import Strategy, kernel\n"
        'STRATEGY = Strategy(name="learner", summary="learns")\n'
        "@kernel\n"
        "def decide(view, rules, actions, n, params, memory, stream, sandbox):\n"
        "    params[0] += 1.0\n"
        "    return 0\n",
        encoding="utf-8",
    )
    prepared = faulty_batch(folder, "return 0", True)
    learner = find_player("learner")
    prepared.strategies[2][0][1] = learner
    with pytest.raises(b.FailedShardError, match=r"^shard 0 .*: learner wrote to its parameters"):
        b.run(prepared, Path("run"), workers=1)


# on the command line


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_the_line_that_replays_it_leads_to_the_mistake(folder: Path) -> None:
    key = run_to_failure(faulty_batch(folder, RAISES, False)).split(": ", 1)[0]
    result = call("replay", "run", "--game", key, "--record", "again.blink.jsonl")
    assert result.exit_code == 3
    assert "faulty failed: ValueError: no plan for this" in result.stderr
    assert "Record so far: again.blink.jsonl" in result.stderr
    assert "Round 2" in result.stdout
    again = check_record(folder / "again.blink.jsonl")
    assert again.ok
    assert again.result is None
    first = failures.record_path(Path("run"), GameKey(2, *[int(part[1:]) for part in key.split("/")[1:]]))
    assert (folder / "again.blink.jsonl").read_bytes() == first.read_bytes()


def test_play_keeps_the_record_so_far(folder: Path) -> None:
    faulty_batch(folder, RAISES, False)
    seats = ("play", "--players", "2", "--seats", "faulty,faulty", "--record", "g.blink.jsonl.gz")
    result = call(*seats, "--set", "setup.start_player=1", "--set", "trick.next_leader=clockwise")
    assert result.exit_code == 3
    assert "faulty failed: ValueError: no plan for this" in result.stderr
    assert "Record so far: g.blink.jsonl.gz" in result.stderr
    assert check_record(folder / "g.blink.jsonl.gz").ok


def test_a_run_ends_with_status_3_and_the_message(folder: Path) -> None:
    faulty_batch(folder, RAISES, True)
    (folder / "experiments").mkdir()
    (folder / "experiments" / "small.toml").write_text(
        'question = "?"\nplayers = [2]\nline_ups = [["random", "faulty"]]\ndeals = 6\nseed = 11\n'
        'set = ["end.max_rounds=4", "setup.draft_passes=[1]"]\n',
        encoding="utf-8",
    )
    result = call("run", "small")
    assert result.exit_code == 3
    assert "faulty at ply " in result.stderr
    assert "the record so far is runs/small/failed/2p-d" in result.stderr
    assert "Traceback" not in result.stderr
    assert PLAIN or "plain Python" not in result.stderr

"""Batches: the same bytes whoever plays them, nothing lost or doubled, changes refused."""

import json
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from blinksim.errors import UserError
from blinksim.simulate import batch as b
from blinksim.store import runs
from blinksim.store.reading import open_run
from tests.simulate.fake_game import ENTRANTS, TABLES, FakePlay, fake_batch, fake_experiment, fake_game


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a run, the manifest without its run block."""
    found = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    manifest = json.loads(found["manifest.json"])
    del manifest["run"]
    return found | {"manifest.json": json.dumps(manifest).encode()}


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_a_run_holds_every_game_once_under_its_key(tmp_path: Path) -> None:
    told: list[b.Progress] = []
    summary = b.run(fake_batch(), tmp_path, workers=2, progress=told.append)
    assert summary.games == summary.games_now == 9 * 8 + 13 * 24
    assert summary.games_by_players == {2: 72, 3: 312}
    assert summary.rows == {"games": 384, "seats": 72 * 2 + 312 * 3}
    assert [p.shards_done for p in told] == list(range(13)) and told[-1].games_done == told[-1].games == 384
    assert told[0].seconds_left is None and told[-1].seconds_left == 0
    assert told[0].outcomes == {} and sum(told[-1].outcomes.values()) == 384 and told[-1].failed == 0
    run = open_run(tmp_path, fake_game())
    assert run.complete and run.num_games == 384
    games = run.scan("games").collect()
    ended = dict(games.group_by(pl.col("outcome").cast(pl.String)).len().iter_rows())
    assert told[-1].outcomes == summary.outcomes == {"won": 0, "stalled": 0} | ended
    for n, count in summary.games_by_players.items():
        assert games.filter(pl.col("players") == n)["game"].to_list() == list(range(count))
    assert b.experiment_of(run) == fake_experiment()


def test_seats_slots_hands_and_strategies_are_filled_from_the_key(tmp_path: Path) -> None:
    """identity.md: in 3p/d12/v1/l1/h2/s1/r0 slot 1 (raider) plays position 0's hand on seat 1."""
    b.run(fake_batch(), tmp_path, workers=1)
    seats = open_run(tmp_path, fake_game()).scan("seats")
    game = seats.filter((pl.col("players") == 3) & (pl.col("game") == 310)).collect()
    assert game["seat"].to_list() == [0, 1, 2]
    assert game["slot"].to_list() == [0, 1, 2]
    assert game["position"].to_list() == [2, 0, 1]
    assert game["strategy"].cast(pl.String).to_list() == ["builder", "raider", "random"]
    names = {entrant.handle: name for name, entrant in ENTRANTS.items()}
    everybody = seats.select(pl.col("strategy").cast(pl.String), "handle").collect()
    assert everybody["strategy"].to_list() == [names[handle] for handle in everybody["handle"]]


def test_same_bytes_with_one_worker_and_two(tmp_path: Path) -> None:
    b.run(fake_batch(), tmp_path / "one", workers=1)
    b.run(fake_batch(FakePlay(pause=0.01)), tmp_path / "two", workers=2)
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert len([name for name in one if name.endswith(".parquet")]) == 2 * 12
    assert one == two


def test_a_shard_is_a_function_of_the_experiment_and_its_number(tmp_path: Path) -> None:
    batch = fake_batch()
    shard = batch.plan.shards[5]
    alone = b.play_shard(batch, shard).tables
    b.run(fake_batch(), tmp_path, workers=2)
    for name, table in alone.items():
        assert_frame_equal(pl.from_arrow(table), pl.read_parquet(runs.part_path(tmp_path, name, shard.number)))
    other = b.play_shard(fake_batch(seed=8), shard).tables
    assert not other["games"].equals(alone["games"])


def test_more_deals_leave_the_first_ones_as_they_were(tmp_path: Path) -> None:
    b.run(fake_batch(), tmp_path / "few", workers=1)
    b.run(fake_batch(deals={"2": 20, "3": 14}), tmp_path / "many", workers=1)
    few, many = (open_run(tmp_path / name, fake_game()).scan("games").collect() for name in ("few", "many"))
    assert_frame_equal(few, many.join(few, on=["players", "game"], how="semi", maintain_order="left"))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_is_valid_and_goes_on_to_the_same_bytes(tmp_path: Path, workers: int) -> None:
    b.run(fake_batch(), tmp_path / "whole", workers=1)
    before = signal.getsignal(signal.SIGINT)
    play = FakePlay(at=4, deed=interrupt, pause=0.005)
    with pytest.raises(b.Interrupted, match="run the same again to go on"):
        b.run(fake_batch(play), tmp_path / "cut", workers=workers)
    assert signal.getsignal(signal.SIGINT) == before
    assert 5 <= play.calls <= 5 + workers
    run = open_run(tmp_path / "cut", fake_game())
    assert not run.complete and len(run.shards) == play.calls
    assert run.scan("games").collect().height == run.num_games

    again = FakePlay()
    summary = b.run(fake_batch(again), tmp_path / "cut", workers=3 - workers)
    assert again.calls == 12 - play.calls
    assert summary.games == 384 and summary.games_now == 384 - run.num_games
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")
    sittings = json.loads((tmp_path / "cut" / "manifest.json").read_text(encoding="utf-8"))["run"]["sittings"]
    assert [sitting["workers"] for sitting in sittings] == [workers, 3 - workers]


def test_a_kill_leaves_temporary_and_unreceipted_parts_that_do_no_harm(tmp_path: Path) -> None:
    b.run(fake_batch(), tmp_path / "whole", workers=1)
    b.run(fake_batch(), tmp_path / "cut", workers=1)
    runs.receipt_path(tmp_path / "cut", 3).unlink()
    cut_short = runs.part_path(tmp_path / "cut", "seats", 4)
    cut_short.write_bytes(cut_short.read_bytes()[:-7])
    (tmp_path / "cut" / "games" / ".part-00003.parquet.1.tmp").write_bytes(b"half")
    assert 4 not in open_run(tmp_path / "cut", fake_game()).shards
    play = FakePlay()
    b.run(fake_batch(play), tmp_path / "cut", workers=1)
    assert play.calls == 2
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_a_finished_run_is_left_alone(tmp_path: Path) -> None:
    b.run(fake_batch(), tmp_path, workers=1)
    manifest = (tmp_path / "manifest.json").read_bytes()
    play = FakePlay()
    summary = b.run(fake_batch(play), tmp_path, workers=1)
    assert play.calls == 0 and summary.games == 384 and summary.games_now == 0
    assert (tmp_path / "manifest.json").read_bytes() == manifest


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 8}, "experiment.seed: 7 in .*, 8 now"),
        ({"deals": {"2": 9, "3": 14}}, "experiment.deals.3: 13 in .*, 14 now"),
        ({"set": ["wall=11"]}, "rulesets.0.parameters.wall: 10 in .*, 11 now"),
        ({"rules_version": 2}, "rules_version: 1 in .*, 2 now"),
        ({"variants": []}, "rulesets.1.name: 'walls' in .*, nothing now"),
        ({"shifts": "both"}, "experiment.shifts: 'auto' in .*, 'both' now"),
    ],
)
def test_a_changed_experiment_is_refused_with_the_difference(
    tmp_path: Path, change: dict[str, Any], difference: str
) -> None:
    b.run(fake_batch(), tmp_path, workers=1)
    before = contents(tmp_path)
    with pytest.raises(b.ChangedExperimentError, match=difference) as caught:
        b.run(fake_batch(**change), tmp_path, workers=1)
    assert "--fresh" in str(caught.value) and "--out" in str(caught.value)
    assert contents(tmp_path) == before
    b.run(fake_batch(**change), tmp_path, workers=1, fresh=True)
    b.run(fake_batch(**change), tmp_path / "new", workers=1)
    new = contents(tmp_path / "new")
    assert {name: data for name, data in contents(tmp_path).items() if not name.startswith("new")} == new


def test_a_changed_strategy_is_refused_and_a_reworded_question_is_not(tmp_path: Path) -> None:
    b.run(fake_batch(), tmp_path, workers=1)
    play = FakePlay()
    b.run(fake_batch(play, question="In other words?"), tmp_path, workers=1)
    assert play.calls == 0 and open_run(tmp_path, fake_game()).manifest["experiment"]["question"] == "In other words?"
    edited = ENTRANTS | {"raider": b.Entrant("raider", 1, "another hash")}
    with pytest.raises(b.ChangedExperimentError, match=r"strategies\.raider"):
        b.run(b.prepare(fake_experiment(), edited, fake_game()), tmp_path, workers=1)


def test_a_folder_of_something_else_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    for fresh in (False, True):
        with pytest.raises(runs.RunError, match="not a run folder"):
            b.run(fake_batch(), tmp_path, workers=1, fresh=fresh)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def every_seventh(key: Any) -> bool:
    """Fails in some games of both player counts."""
    return bool(key["game"] % 7 == 3)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_game_that_fails_is_set_aside_and_all_others_are_played(tmp_path: Path, workers: int) -> None:
    told: list[b.Progress] = []
    summary = b.run(fake_batch(FakePlay(fails=every_seventh)), tmp_path / "run", workers, progress=told.append)
    assert summary.failed == told[-1].failed == 10 + 45
    assert summary.games == 384 - 55 and told[-1].games_done == told[-1].games == 384
    assert len(summary.failures) == 10
    key = "2p/d0/v0/l0/h1/s1/r0"
    reason = "no plan for deal 0, says <object at 0x…>"
    assert summary.failures[0] == f"{key}: {reason}; replay it with: blinksim replay {tmp_path / 'run'} --game {key}"
    run = open_run(tmp_path / "run", fake_game())
    assert run.complete and run.num_games == 329 and run.manifest["failed"] == 55
    assert run.shards[0]["failed"][0] == {"game": key, "reason": reason, "record": None, "again": True}
    b.run(fake_batch(), tmp_path / "sound", workers=1)
    for table in ("games", "seats"):
        kept, sound = (open_run(tmp_path / name, fake_game()).scan(table).collect() for name in ("run", "sound"))
        assert_frame_equal(kept, sound.filter(pl.col("game") % 7 != 3))


def test_failures_are_the_same_bytes_for_any_workers_and_interruptions(tmp_path: Path) -> None:
    b.run(fake_batch(FakePlay(fails=every_seventh)), tmp_path / "one", workers=1)
    with pytest.raises(b.Interrupted):
        b.run(fake_batch(FakePlay(at=5, deed=interrupt, fails=every_seventh, pause=0.005)), tmp_path / "two", workers=2)
    again = b.run(fake_batch(FakePlay(fails=every_seventh)), tmp_path / "two", workers=4)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert again.failed == 55, "those of earlier sittings are told too"


def test_every_game_of_a_run_may_fail(tmp_path: Path) -> None:
    summary = b.run(fake_batch(FakePlay(fails=lambda key: True)), tmp_path, workers=1)
    assert (summary.games, summary.failed, summary.outcomes) == (0, 384, {"won": 0, "stalled": 0})


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_no_single_games_failure_stops_the_run_and_names_the_shard(tmp_path: Path, workers: int) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(b.FailedShardError, match=r"^shard \d+ \([23] players, deals \d+ to \d+\): ZeroDiv") as caught:
        b.run(fake_batch(FakePlay(at=6, deed=fail)), tmp_path, workers=workers)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    if workers == 1:  # the seventh shard is that of 2 players' deals 6 and 7
        assert str(caught.value) == "shard 6 (2 players, deals 6 to 7): ZeroDivisionError"
    run = open_run(tmp_path, fake_game())
    assert 5 <= len(run.shards) < 12 and not run.complete
    assert b.run(fake_batch(), tmp_path, workers=1).games == 384


def test_rules_written_to_by_a_game_are_noticed() -> None:
    class Scribbler(FakePlay):
        def __call__(self, rules: Any, *rest: Any, **named: Any) -> dict[str, np.ndarray]:
            rows = super().__call__(rules, *rest, **named)
            rules[0][0] += 1
            return rows

    batch = fake_batch(Scribbler())
    with pytest.raises(AssertionError, match="shard 0: a ruleset was written to"):
        b.play_shard(batch, batch.plan.shards[0])


def test_a_full_disk_is_a_sentence_and_the_run_goes_on_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, count = os.fsync, [0]
    lock = threading.Lock()

    def full(handle: int) -> None:
        with lock:
            count[0] += 1
        if count[0] > 30:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(runs.RunError, match=r"cannot write .*: No space left on device; .* run the same again"):
        b.run(fake_batch(), tmp_path, workers=2)
    monkeypatch.undo()
    assert not list(tmp_path.rglob("*.tmp"))
    b.run(fake_batch(), tmp_path, workers=2)
    b.run(fake_batch(), tmp_path / "whole", workers=1)
    whole = contents(tmp_path / "whole")
    assert {name: data for name, data in contents(tmp_path).items() if not name.startswith("whole")} == whole


def test_mistakes_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(b.MissingStrategyError, match='there is no strategy "builder"; there are raider'):
        b.prepare(fake_experiment(), {"raider": ENTRANTS["raider"]}, fake_game())
    with pytest.raises(UserError, match='variant "walls": there is no ruleset "standart"'):
        fake_batch(variants=[{"name": "walls", "ruleset": "standart"}])
    with pytest.raises(UserError, match="workers is 0"):
        b.run(fake_batch(), tmp_path, workers=0)
    assert not list(tmp_path.iterdir())
    with pytest.raises(UserError, match="a cluster has its own workers"):
        b.run(fake_batch(), tmp_path, workers=2, cluster="tcp://127.0.0.1:1")


# more deals


def test_extending_keeps_what_is_there_and_gives_the_bytes_of_the_whole(tmp_path: Path) -> None:
    """9 and 13 deals of two a shard: the last shards of both are partial and are played again."""
    more = {"2": 14, "3": 16}
    b.run(fake_batch(), tmp_path / "run", workers=1)
    untouched = runs.part_path(tmp_path / "run", "games", 4).stat().st_mtime_ns
    with pytest.raises(b.ChangedExperimentError, match=r"deals\.2: 9 in (.*\n)+add the .* deals with --extend"):
        b.run(fake_batch(deals=more), tmp_path / "run", workers=1)
    play = FakePlay()
    summary = b.run(fake_batch(play, deals=more), tmp_path / "run", workers=2, extend=True)
    assert play.calls == 3 + 2, "2 players: deals 8-9, 10-11, 12-13; 3 players: 12-13, 14-15"
    assert (summary.games, summary.games_now) == (14 * 8 + 16 * 24, 6 * 8 + 4 * 24)
    assert runs.part_path(tmp_path / "run", "games", 4).stat().st_mtime_ns == untouched
    b.run(fake_batch(deals=more), tmp_path / "whole", workers=1)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    b.run(fake_batch(deals=more), tmp_path / "run", workers=1)


def test_an_extension_that_is_interrupted_goes_on(tmp_path: Path) -> None:
    b.run(fake_batch(), tmp_path / "run", workers=1)
    with pytest.raises(b.Interrupted):
        b.run(
            fake_batch(FakePlay(at=0, deed=interrupt, pause=0.005), deals=20), tmp_path / "run", workers=1, extend=True
        )
    run = open_run(tmp_path / "run", fake_game())
    assert not run.complete and 10 < len(run.shards) < 20, "without the partial ones, with those being played"
    b.run(fake_batch(deals=20), tmp_path / "run", workers=1)
    b.run(fake_batch(deals=20), tmp_path / "whole", workers=1)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


@pytest.mark.parametrize("change", [{"deals": {"2": 8, "3": 99}}, {"deals": 20, "seed": 8}])
def test_extending_changes_nothing_else(tmp_path: Path, change: dict[str, Any]) -> None:
    b.run(fake_batch(), tmp_path, workers=1)
    before = contents(tmp_path)
    with pytest.raises(b.ChangedExperimentError, match="--extend adds deals, and nothing else may differ"):
        b.run(fake_batch(**change), tmp_path, workers=1, extend=True)
    assert contents(tmp_path) == before


# detail


def test_a_summary_keeps_two_tables_and_says_so(tmp_path: Path) -> None:
    third = replace(TABLES[1], name="details")
    game = replace(fake_game(), tables=(*TABLES, third))
    batch = b.prepare(fake_experiment(detail="summary"), ENTRANTS, game)
    summary = b.run(batch, tmp_path / "run", workers=1)
    assert list(summary.rows) == ["games", "seats"] and not (tmp_path / "run" / "details").exists()
    run = open_run(tmp_path / "run", game)
    assert (run.manifest["detail"], run.manifest["tables"]) == ("summary", ["games", "seats"])
    with pytest.raises(b.ChangedExperimentError, match=r"experiment\.detail: 'summary' in .*, 'standard' now"):
        b.run(fake_batch(), tmp_path / "run", workers=1)

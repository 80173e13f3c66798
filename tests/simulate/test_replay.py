"""Games of a run, played again from its manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blinksim.errors import UserError
from blinksim.games.blink.record import check_record
from blinksim.players.roster import find_player
from blinksim.simulate import batch
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.replay import replay_game
from blinksim.simulate.schedule import make_plan
from blinksim.store.reading import open_run

EXPERIMENT = parse_experiment(
    {
        "question": "Does a replay agree?",
        "players": [2, 3],
        "line_ups": [{"mirror": ["random"]}, ["random", "builder"], ["builder", "raider", "random"]],
        "deals": 2,
        "seed": 7,
        "set": ["end.max_rounds=4", "setup.draft_passes=[1]"],
        "variants": [{"name": "quick", "ruleset": "quick_start"}],
    },
    "the test",
)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run: both player counts, mirrors and mixed line-ups, two rulesets."""
    folder = tmp_path_factory.mktemp("replay") / "run"
    players = {name: find_player(name) for name in EXPERIMENT.strategy_names()}
    entrants = {name: batch.Entrant(name, player, player.fingerprint) for name, player in players.items()}
    batch.run(batch.prepare(EXPERIMENT, entrants), folder, workers=1)
    return folder


def test_every_game_comes_out_as_it_did(run_folder: Path) -> None:
    """All variants, line-ups and shifts of both player counts: the driver's game is the table's."""
    opened = open_run(run_folder)
    for schedule in make_plan(EXPERIMENT).schedules.values():
        for number in range(schedule.games_per_deal, schedule.num_games):
            key = schedule.key_of(number)
            replayed = replay_game(opened, key)
            assert replayed.same, str(replayed)
            assert replayed.key == key
            names = [
                replayed.table.header.seats[(k + key.hand_shift + key.seat_shift) % key.players]
                for k in range(key.players)
            ]
            assert tuple(names) == schedule.line_ups[key.line_up]
            assert replayed.table.header.ruleset.name == ("quick_start" if key.variant else "standard")


def test_a_game_by_its_number(run_folder: Path, tmp_path: Path) -> None:
    """``3p/5`` is the sixth game of three players; its record is correct and belongs to its deal."""
    replayed = replay_game(run_folder, "3p/5")
    assert make_plan(EXPERIMENT).schedules[3].number_of(replayed.key) == 5
    assert str(replayed) == f"{replayed.key}: digest {replayed.digest:016x}, the same as in the run"
    assert check_record(replayed.table.record(tmp_path / "game.blink.jsonl")).ok
    assert replayed.table.header.seed == {"experiment": 7, "deal": replayed.key.deal}


def test_a_run_whose_strategy_has_changed_since(run_folder: Path) -> None:
    """The digest may differ; what changed is named."""
    opened = open_run(run_folder)
    opened.manifest["strategies"]["builder"] = "another"
    opened.manifest["rules_version"] = 0
    replayed = replay_game(opened, "2p/d0/v0/l1/h0/s0/r0")
    assert replayed.changed == (
        "the run was played by version 0 of the rules, this is version 1",
        'strategy "builder" or the engine under it has changed since',
    )
    assert replayed.same
    assert replay_game(open_run(run_folder), "2p/d0/v0/l1/h0/s0/r0").changed == ()


def test_a_game_that_came_out_differently(run_folder: Path) -> None:
    """Another seed is another game: the digests differ, and the sentence shows both."""
    opened = open_run(run_folder)
    opened.manifest["experiment"]["seed"] = 8
    replayed = replay_game(opened, "2p/d0/v0/l0/h0/s0/r0")
    assert not replayed.same
    assert f"but the run has {replayed.recorded:016x} (nothing known to have changed" in str(replayed)


def test_a_run_that_has_not_come_so_far(run_folder: Path, tmp_path: Path) -> None:
    """Without the shard there is nothing to compare with."""
    folder = tmp_path / "run"
    folder.mkdir()
    manifest = json.loads((run_folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    replayed = replay_game(folder, "2p/d0/v0/l0/h0/s0/r0")
    assert replayed.recorded is None
    assert not replayed.same
    assert "has not finished this game's shard" in str(replayed)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("3p", '"3p" is not a game'),
        ("4p/d0/v0/l0/h0/s0/r0", "4 players are not played; the experiment has 2, 3"),
        ("2p/d2/v0/l0/h0/s0/r0", "deal 2 is not played; with 2 players there are 0 to 1"),
        ("2p/d0/v0/l0/h1/s0/r0", "shifts h1/s0 are not played"),
    ],
)
def test_games_that_there_are_not(run_folder: Path, key: str, message: str) -> None:
    """What was asked for, and what there is."""
    with pytest.raises(UserError) as error:
        replay_game(run_folder, key)
    assert message in str(error.value)

"""The searcher: what search finds that rules of thumb miss, and that it is honest and the same again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blinksim.games.blink import drive, engine
from blinksim.games.blink.enums import MAX_ACTIONS, Decision
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.invariants import broken_invariant
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.jit import PLAIN
from blinksim.players.roster import find_player
from tests.games.blink.playouts import fresh_game
from tests.games.blink.positions import add_units, set_hand, set_row, start_round, words
from tests.strategies.tables import advice, play, table, turn, view_of, win_share

FAST = "searcher:budget=8,horizon=1"


def last_round(meld: str, *, gold: int = 0, hand: str = "", row: str = "") -> tuple[Any, Any]:
    """As ``table``, in the round after which the game is scored."""
    state, rules = table(meld, gold=gold, hand=hand)
    state.armed, state.last_round = 1, 3
    set_row(state, 0, row)
    return state, rules


# what it finds


@pytest.mark.parametrize(("budget", "laid"), [(0, "meld 10P 11P"), (64, "meld 4P 5P")])
def test_it_keeps_in_hand_what_research_will_retire(budget: int, laid: str) -> None:
    """Both pairs settle two units; the 10 and 11 that stay in hand come to score in the row."""
    state, rules = last_round("", gold=3, row="12F 13F")
    start_round(state, rules, 0, {0: "4P 5P 10P 11P", 1: "9F", 2: "9M"})
    assert advice(f"searcher:budget={budget}", state, rules) == laid


@pytest.mark.parametrize(("meld", "choice"), [("", "end"), ("10M", "fortify 0,0")])
def test_it_walls_only_against_cards_that_can_come(meld: str, choice: str) -> None:
    """A rival stands beside the Mountain, to move next; by rule of thumb the coin goes on it either way."""
    state, rules = last_round("", gold=1)
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_hand(state, 1, "2M 9F")
    state.seen_hand[0, 1] = state.hand[1]
    state.meld[1] = words(meld)
    assert advice("searcher:budget=0", state, rules) == "fortify 0,0"
    assert advice("searcher", state, rules) == choice


# honest


def redealt(view: Any, rules: Any, seed: int) -> Any:
    """A state in which all that the viewer cannot see was dealt again."""
    state = new_records(STATE)[0]
    imagine(view, rules, np.array([seed], np.uint64), state)
    return state


@pytest.mark.parametrize("players", [2, 4])
def test_it_chooses_by_what_it_sees_alone(players: int) -> None:
    """Another deal of what is hidden, and other things left in the spare states: the same choice."""
    state, rules = fresh_game("standard", players, 5)
    parts = engine.ready()
    player = find_player(FAST)
    engine.compile_kernel(player.decide, drive.STRATEGY_SIGNATURE)
    actions = np.zeros(MAX_ACTIONS, np.int64)
    again = np.zeros(MAX_ACTIONS, np.int64)
    memory = np.zeros(drive.MEMORY_WORDS, np.uint64)
    sandbox = new_records(STATE, drive.SANDBOX_STATES)
    facts, events = no_facts()
    seen = set()
    asked = 0
    while state.decision != Decision.OVER:
        n = int(parts["listing"](state, rules, actions))
        choice = 0
        if n > 1:
            asked += 1
            view = view_of(state, rules)
            stream = np.array([1 + int(state.ply)], np.uint64)
            choice = int(player.decide(view, rules, actions, n, player.params, memory, stream, sandbox))
            assert 0 <= choice < n
            seen.add(int(state.decision))
            if asked % 5 == 0:
                other = redealt(view, rules, 99 + asked)
                stream = np.array([1 + int(state.ply)], np.uint64)
                thoughts = new_records(STATE, drive.SANDBOX_STATES)
                thoughts[0] = state
                assert int(parts["listing"](other, rules, again)) == n
                assert (again[:n] == actions[:n]).all()
                view = view_of(other, rules)
                assert int(player.decide(view, rules, again, n, player.params, memory, stream, thoughts)) == choice
        parts["applying"](state, rules, int(actions[choice]), facts, events)
        assert broken_invariant(state, rules) == 0
    assert asked > 100
    assert {Decision.ACT, Decision.MELD, Decision.DRAFT_PASS, Decision.RESEARCH_TAKE} <= seen
    assert not memory.any()


def test_it_reads_the_observation_only() -> None:
    """Neither the view nor the choices change while it thinks."""
    state, rules = table("6P 11M", gold=3, hand="3F 9F 9M")
    view = view_of(state, rules)
    before = view.tobytes()
    actions = np.zeros(MAX_ACTIONS, np.int64)
    n = int(engine.ready()["listing"](state, rules, actions))
    listed = actions.copy()
    player = find_player(FAST)
    player.decide(
        view, rules, actions, n, player.params, np.zeros(drive.MEMORY_WORDS, np.uint64), np.ones(1, np.uint64),
        new_records(STATE, drive.SANDBOX_STATES),
    )  # fmt: skip
    assert view.tobytes() == before
    assert (actions == listed).all()
    assert VIEW.itemsize == len(before)


# what it costs


def test_plies_bound_what_a_decision_costs() -> None:
    """With next to none each of the three stages has one deal, as with a budget for no more: the draws are the same."""
    state, rules = table("6P 11M", gold=3, hand="3F 9F 9M")
    actions = np.zeros(MAX_ACTIONS, np.int64)
    n = int(engine.ready()["listing"](state, rules, actions))
    found = {}
    for parameters in ("budget=64,plies=1", "budget=12,plies=1e6", "budget=64", "budget=64,plies=1e6"):
        player = find_player(f"searcher:horizon=3,{parameters}")
        stream = np.ones(1, np.uint64)
        choice = player.decide(
            view_of(state, rules), rules, actions, n, player.params, np.zeros(drive.MEMORY_WORDS, np.uint64), stream,
            new_records(STATE, drive.SANDBOX_STATES),
        )  # fmt: skip
        found[parameters] = (int(choice), int(stream[0]))
    assert found["budget=64,plies=1"] == found["budget=12,plies=1e6"]
    assert len({stream for _, stream in found.values()}) == 3


# compiled and not


def told() -> list[str]:
    """What it does with a map turn, thinking only to the end of the round."""
    state, rules = table("6P 11M", gold=3, hand="3F 9F 9M")
    return turn("searcher:budget=8,horizon=0", state, rules)


def test_compiled_is_plain_python() -> None:
    """A fresh process with the compiler switched chooses the same; a warning is a failure there."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "from tests.strategies import test_searcher as t; print(*t.told())"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "NUMBA_DISABLE_JIT": "0" if PLAIN else "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == " ".join(told()).split()


# whole games


def test_games_end_and_are_the_same_again() -> None:
    games, _, _ = play([FAST, "generalist", FAST], 2, check=True)
    again, _, _ = play([FAST, "generalist", FAST], 2)
    assert (games["digest"] == again["digest"]).all()
    assert (games["outcome"] != 3).all()
    other, _, _ = play([f"{FAST},roots=3", "generalist", FAST], 2)
    assert (games["digest"] != other["digest"]).any()


@pytest.mark.parametrize("preset", ["quick_start", "no_objectives", "secret", "open", "booklet_effects", "v022_trick"])
def test_it_plays_every_ruleset_to_the_end(preset: str) -> None:
    games, _, _ = play([FAST, "random"], 1, check=True, preset=preset)
    assert (games["outcome"] != 3).all()


@pytest.mark.parametrize("rival", ["generalist", "merchant"])
def test_it_beats_the_others(rival: str) -> None:
    """Well below what longer runs show, already at this small budget."""
    assert win_share([FAST, rival], 15) > 0.6


@pytest.mark.parametrize("memory", [0, 1])
def test_it_thinks_with_the_memory_it_has(memory: int) -> None:
    """States can be imagined from what is left, and it plays on otherwise than with a perfect memory."""
    games, _, _ = play([f"{FAST},memory={memory}"] * 3, 1, check=True)
    perfect, _, _ = play([FAST] * 3, 1)
    assert (games["outcome"] != 3).all()
    assert (games["digest"] != perfect["digest"]).any()


def test_a_budget_pays() -> None:
    """Eight times the playouts win more games than they lose; longer runs show more than two in three."""
    assert win_share(["searcher:budget=32,horizon=1", "searcher:budget=4,horizon=1"], 8) > 0.5

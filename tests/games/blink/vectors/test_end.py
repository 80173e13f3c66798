"""Vectors 7.14: arming the end, the extra round, and the score (3.13, R127 to R133; section 8)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blinksim.games.blink import scoring
from blinksim.games.blink.enums import Decision, Outcome
from tests.games.blink.positions import (
    add_tile,
    choose,
    decision,
    end_round,
    fresh,
    outcome,
    per_seat,
    play_first,
    rules_for,
    set_hand,
    set_objectives,
    set_reserve,
    set_row,
    start_turn,
)

HANDS = ["1P 2P 3P", "1F 2F 3F", "1O 2O 3O"]


def in_round(rules: Any, number: int, reserves: list[int]) -> Any:
    """The starting map in some round, hands of three cards, reserves as given."""
    state = fresh(rules, round_number=number)
    for seat, reserve in enumerate(reserves):
        set_hand(state, seat, HANDS[seat])
        set_reserve(state, seat, reserve)
    return state


def winners(state: Any, rules: Any) -> list[int]:
    """The seats that nobody is ahead of."""
    return [seat for seat in range(int(state.players)) if scoring.is_winner(state, rules, seat)]


def points(state: Any, rules: Any, seat: int) -> list[int]:
    """Units, row, objectives, total."""
    out = np.zeros(4, dtype=np.int64)
    scoring.score(state, rules, seat, out)
    return [int(value) for value in out]


@pytest.mark.parametrize("refilled", [0, 1])
def test_n1_one_extra_round(refilled: int) -> None:
    """7.14 N1: R = 0 at the end of round 9: round 10 is played, then the score, whatever R is then (R128)."""
    rules = rules_for(3)
    state = in_round(rules, 9, [0, 19, 19])
    end_round(state, rules, 2)
    assert (int(state.armed), int(state.last_round), int(state.round_number)) == (1, 10, 10)
    assert decision(state) == Decision.MELD
    set_reserve(state, 0, refilled)
    play_first(state, rules, until_round=12)
    assert (decision(state), int(state.round_number)) == (Decision.OVER, 10)
    assert outcome(state) in (Outcome.WON, Outcome.SHARED)


@pytest.mark.parametrize(("trigger", "armed"), [("reserve_empty_at_round_end", 0), ("reserve_emptied_any_time", 1)])
def test_n2_a_unit_comes_home_before_the_end(trigger: str, armed: int) -> None:
    """7.14 N2: R hits 0 by a settle, a unit is beaten home before the round's end (R127)."""
    rules = rules_for(2, {"end.trigger": trigger})
    state = fresh(rules, start_map=False, round_number=9)
    add_tile(state, rules, 0, 0, "P", 0, 1)
    add_tile(state, rules, 1, 0, "F", 1, 1)
    set_hand(state, 0, "1P")
    set_hand(state, 1, "1F")
    set_reserve(state, 0, 1)
    start_turn(state, rules, 0, "5P")
    choose(state, rules, "settle 5P 0,0")
    assert int(state.reserve[0]) == 0
    start_turn(state, rules, 1, "9P", order=[0, 1])
    choose(state, rules, "attack 9P 0,0", "defend none", "end")
    assert int(state.reserve[0]) == 1
    assert (int(state.armed), int(state.round_number)) == (armed, 10)


def test_n3_two_players_at_zero() -> None:
    """7.14 N3: one extra round (R129), also when another reserve empties in it."""
    rules = rules_for(3)
    state = in_round(rules, 9, [0, 0, 19])
    end_round(state, rules, 2)
    assert int(state.last_round) == 10
    set_reserve(state, 2, 0)
    play_first(state, rules, until_round=12)
    assert (decision(state), int(state.round_number)) == (Decision.OVER, 10)


def test_n4_score() -> None:
    """7.14 N4: 17 units, row 6 9 14 17 and one arrangement: 17 + 13 + 2 = 32."""
    rules = rules_for(2)
    state = fresh(rules, start_map=False)
    for terrain, q in (("M", 0), ("O", 1), ("M", 2)):
        add_tile(state, rules, q, 0, terrain, 0, 1)
    set_reserve(state, 0, 3)
    set_row(state, 0, "6P 9P 14P 17P")
    set_objectives(state, 0, "ocean_mountain", "plains_forest")
    assert points(state, rules, 0) == [17, 13, 2, 32]


@pytest.mark.parametrize(
    ("gold", "expected", "how"), [((3, 1), [0], Outcome.WON), ((2, 2), [0, 1], Outcome.SHARED)], ids=["N5", "N6"]
)
def test_n5_n6_equal_points(gold: tuple[int, int], expected: list[int], how: Outcome) -> None:
    """7.14 N5, N6: 32 v 32: more gold wins, coins on units do not count; then victory is shared (R130)."""
    rules = rules_for(2)
    state = fresh(rules, start_map=False, round_number=10)
    for seat, r in ((0, 0), (1, 5)):
        add_tile(state, rules, 0, r, "P", seat, 2, 2 * seat)
        add_tile(state, rules, 1, r, "P", seat, 2, 2 * seat)
        set_reserve(state, seat, 1)
        set_row(state, seat, f"6{'PF'[seat]} 9{'PF'[seat]} 14{'PF'[seat]} 17{'PF'[seat]}")
        set_hand(state, seat, HANDS[seat])
        state.gold[seat] = gold[seat]
    assert [points(state, rules, seat)[3] for seat in range(2)] == [32, 32]
    state.armed, state.last_round = 1, 10
    end_round(state, rules, 1)
    assert outcome(state) == how
    assert decision(state) == Decision.OVER
    assert winners(state, rules) == expected


def test_a_game_that_does_not_end_is_stalled() -> None:
    """Section 8, R133: the end of round max_rounds without arming: stalled."""
    rules = rules_for(3, {"end.max_rounds": 9})
    state = in_round(rules, 9, [1, 19, 19])
    end_round(state, rules, 2)
    assert (decision(state), outcome(state), int(state.round_number)) == (Decision.OVER, Outcome.STALLED, 9)


def test_an_armed_game_is_played_past_the_cap() -> None:
    """Section 8: armed at the cap: the extra round is played and the outcome is normal."""
    rules = rules_for(3, {"end.max_rounds": 9})
    state = in_round(rules, 9, [0, 19, 19])
    end_round(state, rules, 2)
    assert int(state.round_number) == 10
    play_first(state, rules, until_round=12)
    assert outcome(state) == Outcome.WON
    assert per_seat(state, "reserve")[0] == 0

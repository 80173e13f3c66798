"""Vectors 7.12: in round 1 some rival homelands can already be attacked (R12)."""

from __future__ import annotations

import pytest

from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import choose, decision, fresh, options, rules_for, set_hand, spot, start_turn, tile

HOMES = {
    2: ["-1,0", "2,0"],
    3: ["-1,0", "2,-1", "0,2"],
    4: ["0,-2", "2,-1", "1,2", "-1,1"],
}
OWN_MOUNTAINS = {
    2: ["0,0", "1,0"],
    3: ["0,0", "1,0", "0,1"],
    4: ["0,-1", "1,0", "1,1", "0,0"],
}
STRIKES = {
    2: {0: {1}, 1: {0}},
    3: {0: {1, 2}, 1: {0, 2}, 2: {0, 1}},
    4: {0: {3}, 1: {2, 3}, 2: {1}, 3: {0, 1}},
}
CASES = [(players, seat) for players in STRIKES for seat in range(players)]


def struck(players: int, seat: int, *, settle: bool) -> set[int]:
    """Rivals whose homeland a seat can attack with 9P after its two steps in round 1."""
    rules = rules_for(players)
    home, own = HOMES[players][seat], OWN_MOUNTAINS[players][seat]
    found: set[int] = set()
    for target in set(OWN_MOUNTAINS[players]) - {own}:
        state = fresh(rules)
        for other in range(players):
            set_hand(state, other, "1P")
        start_turn(state, rules, seat, "9P 3M" if settle else "9P 3F", moves=1 if settle else 2)
        choose(state, rules, f"settle 3M {own}" if settle else f"move {home} {own}")
        if target not in options(state, rules, f"move {own}"):
            continue
        choose(state, rules, f"move {own} {target}")
        for rival in range(players):
            if HOMES[players][rival] in options(state, rules, "attack 9P"):
                found.add(rival)
    return found


@pytest.mark.parametrize(("players", "seat"), CASES)
def test_two_movements(players: int, seat: int) -> None:
    """7.12: homeland, own Mountain, another Mountain: which rival homelands are then in reach."""
    assert struck(players, seat, settle=False) == STRIKES[players][seat]


@pytest.mark.parametrize(("players", "seat"), CASES)
def test_settle_and_one_movement(players: int, seat: int) -> None:
    """7.12: a settle on the own Mountain and one movement reach the same homelands."""
    assert struck(players, seat, settle=True) == STRIKES[players][seat]


def test_the_attack_is_allowed() -> None:
    """7.12: the attack that follows is fought like any other."""
    rules = rules_for(2)
    state = fresh(rules)
    set_hand(state, 0, "1P")
    set_hand(state, 1, "1F")
    start_turn(state, rules, 0, "9P 3F")
    choose(state, rules, "move -1,0 0,0", "move 0,0 1,0", "attack 9P 2,0")
    assert decision(state) == Decision.DEFEND
    choose(state, rules, "defend none")
    assert spot(state, "2,0") == "0:1/0"
    assert tile(state, "-1,0") == ("P", None, 0, 0)
    assert int(state.reserve[1]) == 20

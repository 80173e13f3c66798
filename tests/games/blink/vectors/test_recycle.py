"""Vectors 7.9: when a discard is taken back and what it pays (3.9, R87 to R93)."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import (
    add_tile,
    add_units,
    cards,
    choose,
    decision,
    fresh,
    legal_texts,
    options,
    rules_for,
    set_discard,
    set_grid,
    set_hand,
    set_meld,
    set_objectives,
    set_reserve,
    set_upgrade,
    spot,
    start_round,
    start_turn,
)

NINE = "2P 2F 2O 2M 4P 4F 4O 4M 6P"


def holding(rules: Any, *, second_middle: bool = False) -> Any:
    """Seat 0 holds plains_forest: Plains (0,0) between Forests (1,0) and (-1,0); (0,1) is an open Mountain.

    ``second_middle`` adds a Plains that touches both Forests' neighbours so that the pattern stands twice.
    """
    state = fresh(rules, start_map=False)
    add_tile(state, rules, 0, 0, "P", 0, 1)
    add_tile(state, rules, 1, 0, "F", 0, 1)
    add_tile(state, rules, -1, 0, "F", 0, 1)
    add_tile(state, rules, 0, 1, "M")
    if second_middle:
        add_tile(state, rules, 0, -1, "F", 0, 1)
        add_tile(state, rules, 1, -1, "P", 0, 1)
    set_objectives(state, 0, "plains_forest", "forest_mountain")
    set_hand(state, 1, "10P 10F")
    set_discard(state, 0, NINE)
    return state


def research_position(rules: Any, meld: str = "") -> Any:
    """Seat 0 with hand 3P, one coin, 12O to be taken from slot 1; research draws nothing."""
    state = holding(rules)
    set_hand(state, 0, "3P")
    set_grid(state, "12O", "15F", "18O", "13M", "20P", "14F", "19O", "16M", "17P")
    set_upgrade(state, "")
    set_objectives(state, 0, "ocean_plains", "ocean_forest")
    set_reserve(state, 0, 19)
    state.gold[0] = 1
    start_turn(state, rules, 0, meld)
    return state


def test_c1_last_card_cashed() -> None:
    """7.9 C1: a coin for the card, one for the objective; ten cards in hand; the turn goes on."""
    rules = rules_for(2)
    state = holding(rules)
    start_turn(state, rules, 0, "8M")
    choose(state, rules, "gold 8M")
    assert int(state.gold[0]) == 2
    assert int(state.hand_size[0]) == 10
    assert (cards(state.hand[0]), cards(state.discard[0])) == (f"{NINE} 8M", "")
    assert (decision(state), int(state.seat)) == (Decision.ACT, 0)
    assert (int(state.recycles[0]), int(state.last_income[0])) == (1, 1)


def test_c2_the_card_completes_an_objective_first() -> None:
    """7.9 C2: the settle's full effect counts, so both objectives pay (R92)."""
    rules = rules_for(2)
    state = holding(rules)
    add_tile(state, rules, 1, -1, "M", 0, 1)
    add_tile(state, rules, 2, 0, "M")
    start_turn(state, rules, 0, "8M")
    choose(state, rules, "settle 8M 2,0")
    assert int(state.gold[0]) == 2
    assert int(state.hand_size[0]) == 10


def test_c3_research_into_the_discard() -> None:
    """7.9 C3: hand 3P is retired, 12O goes to the discard: recycle, with 12O in the new ten (R104)."""
    rules = rules_for(2)
    state = research_position(rules)
    choose(state, rules, "research", "take 1", "to discard")
    assert cards(state.hand[0]) == f"{NINE} 12O"
    assert cards(state.row[0]) == "3P"
    assert int(state.recycles[0]) == 1


def test_c4_research_into_the_hand() -> None:
    """7.9 C4: hand 12O, no recycle."""
    rules = rules_for(2)
    state = research_position(rules)
    choose(state, rules, "research", "take 1", "to hand")
    assert cards(state.hand[0]) == "12O"
    assert int(state.recycles[0]) == 0


def test_c5_a_meld_card_is_left() -> None:
    """7.9 C5: no recycle until the last meld card is resolved."""
    rules = rules_for(2)
    state = research_position(rules, "8M")
    choose(state, rules, "research", "take 1", "to discard")
    assert (int(state.hand_size[0]), int(state.recycles[0])) == (0, 0)
    choose(state, rules, "gold 8M")
    assert cards(state.hand[0]) == f"{NINE} 8M 12O"


def defence(rules: Any) -> Any:
    """Seat 1 attacks seat 0's Plains (0,0) from (1,-1) with 9P and 10P; seat 0 holds only 9F in hand."""
    state = fresh(rules, start_map=False)
    add_tile(state, rules, 0, 0, "P", 0, 3)
    add_tile(state, rules, 1, -1, "F", 1, 1)
    set_hand(state, 0, "9F")
    set_hand(state, 1, "10P 10F")
    set_discard(state, 0, "2P 2F")
    return state


def test_c6_defending_with_the_last_card_before_the_own_turn() -> None:
    """7.9 C6: two meld cards are still to come: recycle when the second resolves."""
    rules = rules_for(2)
    state = defence(rules)
    start_turn(state, rules, 1, "9P", order=[1, 0])
    set_meld(state, 0, "5M 6M")
    choose(state, rules, "attack 9P 0,0", "defend 9F")
    assert (int(state.hand_size[0]), int(state.recycles[0])) == (0, 0)
    choose(state, rules, "end", "gold 5M")
    assert (int(state.hand_size[0]), int(state.recycles[0])) == (0, 0)
    choose(state, rules, "gold 6M")
    assert cards(state.hand[0]) == "2P 2F 5M 6M 9F"


def test_c7_defending_with_the_last_card_after_the_own_turn() -> None:
    """7.9 C7, R90: no defender until the round's end, where the recycle precedes the end check."""
    rules = rules_for(2)
    state = defence(rules)
    start_turn(state, rules, 1, "9P 10P", order=[0, 1])
    choose(state, rules, "attack 9P 0,0", "defend 9F")
    assert (int(state.hand_size[0]), int(state.recycles[0])) == (0, 0)
    choose(state, rules, "attack 10P 0,0")
    assert options(state, rules, "defend") == {"none"}
    choose(state, rules, "defend none")
    set_reserve(state, 0, 0)
    choose(state, rules, "end")
    assert cards(state.hand[0]) == "2P 2F 9F"
    assert (int(state.recycles[0]), int(state.armed)) == (1, 1)


@pytest.mark.parametrize(("players", "gold"), [(2, 3), (3, 2)], ids=["last", "not last"])
def test_c8_the_whole_meld_set_aside(players: int, gold: int) -> None:
    """7.9 C8, R88: both last cards are set aside, the recycle comes during the dues, the turn has no movement."""
    rules = rules_for(players)
    state = fresh(rules)
    set_discard(state, 1, "2P 2F 2O 2M 4P 4F 4O 4M")
    start_round(state, rules, 0, {0: "11P 1P", 1: "5P 5F", **({2: "1M 3M"} if players == 3 else {})})
    choose(state, rules, "meld 11P")
    choose(state, rules, "meld 5P 5F")
    if players == 3:
        choose(state, rules, "meld 1M")
    choose(state, rules, "aside 5P")
    assert int(state.recycles[1]) == 0
    choose(state, rules, "aside 5F")
    assert (int(state.recycles[1]), int(state.hand_size[1]), int(state.gold[1])) == (1, 10, gold)
    if players == 3:
        choose(state, rules, "aside 1M")
    assert (decision(state), int(state.seat)) == (Decision.ACT, 0)
    choose(state, rules, "gold 11P", "end")
    assert (int(state.seat), int(state.moves_left), int(state.hand_size[1])) == (1, 0, 10)
    assert "end" in legal_texts(state, rules)


def test_c9_a_capture_completes_an_objective() -> None:
    """7.9 C9: the capture's coin, then the income of the objective that it completes."""
    rules = rules_for(2)
    state = fresh(rules, start_map=False)
    add_tile(state, rules, 0, 0, "P", 0, 1)
    add_tile(state, rules, 1, 0, "F", 0, 1)
    add_tile(state, rules, -1, 0, "F", 1, 1)
    set_objectives(state, 0, "plains_forest", "forest_mountain")
    set_hand(state, 1, "10P 10F")
    set_discard(state, 0, NINE)
    start_turn(state, rules, 0, "9F")
    choose(state, rules, "attack 9F -1,0", "defend none")
    assert spot(state, "-1,0") == "0:1/0"
    assert (int(state.gold[0]), int(state.last_income[0]), int(state.hand_size[0])) == (2, 1, 10)


def test_c10_income_counts_objectives_not_arrangements() -> None:
    """7.9 C10: plains_forest stands twice and pays 1."""
    rules = rules_for(2)
    state = holding(rules, second_middle=True)
    start_turn(state, rules, 0, "8M")
    choose(state, rules, "gold 8M")
    assert int(state.last_income[0]) == 1
    assert int(state.gold[0]) == 2


def test_c11_a_card_in_hand() -> None:
    """7.9 C11: hand 1, meld done: no recycle."""
    rules = rules_for(2)
    state = holding(rules)
    set_hand(state, 0, "3P")
    start_turn(state, rules, 0, "8M")
    choose(state, rules, "gold 8M")
    assert (int(state.recycles[0]), cards(state.hand[0]), int(state.gold[0])) == (0, "3P", 1)


def test_two_middles_really_stand() -> None:
    """The position of C10 has two arrangements (section 5)."""
    from blinksim.games.blink import objectives

    rules = rules_for(2)
    state = holding(rules, second_middle=True)
    assert int(objectives.count_arrangements(state, 0, objectives.parse_objective("plains_forest"))) == 2
    add_units(state, rules, 0, 1, 1, 1)
    assert int(objectives.count_arrangements(state, 1, objectives.parse_objective("plains_forest"))) == 0

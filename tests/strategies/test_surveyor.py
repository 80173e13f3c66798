"""The surveyor at a scripted table: middles and ends."""

from __future__ import annotations

from tests.games.blink.positions import (
    add_tile,
    add_units,
    choose,
    decision,
    set_grid,
    set_objectives,
    set_reserve,
    start_round,
    start_turn,
)
from tests.strategies.tables import advice, table


def test_it_explores_where_its_own_tiles_ask_for_it() -> None:
    """Forest between two Plains: of four spaces one touches both of its Plains."""
    state, rules = table("7F")
    add_tile(state, rules, -1, 1, "O")
    add_tile(state, rules, -2, 2, "P", 0, 1)
    set_objectives(state, 0, "forest_plains")
    assert advice("surveyor", state, rules) == "explore 7F -2,1"


def test_it_shifts_a_unit_into_the_gap() -> None:
    """Ocean between two Mountains: one unit of two walks to the second Mountain."""
    state, rules = table("", gold=0)
    start_turn(state, rules, 0, "", moves=1)
    add_units(state, rules, -1, 0, 0, 1)
    add_units(state, rules, 0, 0, 0, 1)
    add_tile(state, rules, -1, 1, "O", 0, 1)
    set_objectives(state, 0, "ocean_mountain")
    assert advice("surveyor", state, rules) == "move -1,0 0,1"


def test_it_lays_the_card_that_completes_an_arrangement() -> None:
    """Each single card has room; the Forest between its Plains is worth two points more."""
    state, rules = table("")
    add_tile(state, rules, -1, 1, "F")
    add_tile(state, rules, -2, 1, "P", 0, 1)
    set_objectives(state, 0, "forest_plains")
    start_round(state, rules, 0, {0: "4P 7F 10M", 1: "9F", 2: "9M"})
    state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
    assert advice("surveyor", state, rules) == "meld 7F"


def test_it_takes_the_suit_of_its_middle() -> None:
    """As a Settlement it may take up to 14; of equal ranks it takes Ocean."""
    state, rules = table("", hand="3P 9F")
    set_grid(state, "14P", "15F", "14O", "14M", "17M", "14F", "19O", "16M", "17P")
    set_objectives(state, 0, "ocean_mountain")
    set_reserve(state, 0, 16)
    choose(state, rules, "research")
    assert advice("surveyor", state, rules) == "take 3"


def test_it_shows_the_objective_that_is_harder_to_come_by() -> None:
    """Mountains are beside it and Plains its home; of Oceans there are few left."""
    state, rules = table("")
    state.supply[2] = 1
    set_objectives(state, 0, "plains_mountain", "ocean_forest")
    state.decision = 3
    assert decision(state).name == "OBJECTIVE_SHOW"
    assert advice("surveyor", state, rules) == "show ocean_forest"

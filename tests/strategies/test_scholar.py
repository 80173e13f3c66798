"""The scholar at a scripted table: high cards, and a row that stays."""

from __future__ import annotations

import pytest

from tests.games.blink.positions import choose, set_grid, set_reserve, set_row, set_upgrade, start_round
from tests.strategies.tables import advice, table, turn

GRID = ("12P", "15F", "18O", "12M", "13M", "14F", "19O", "16M", "17P")


def test_it_researches_twice_when_the_coins_are_there() -> None:
    """Two cards retired, two high ones to hand, and the lower of the row's two founds a colony."""
    state, rules = table("", gold=3, hand="3F 5P 9M")
    set_grid(state, *GRID)
    set_upgrade(state, "19F 20F 20P 19P")
    told = turn("scholar", state, rules)
    assert told.count("research") == 2
    assert told.count("to hand") == 2
    assert "found 3F" in told and "found 5P" not in told


def test_it_takes_the_highest_card_that_its_tier_allows() -> None:
    state, rules = table("", hand="3P 9F")
    set_grid(state, *GRID)
    set_reserve(state, 0, 16)  # Settlement: up to 14
    choose(state, rules, "research")
    assert advice("scholar", state, rules) == "take 6"


def test_it_lays_its_low_cards_and_keeps_what_research_retires_from() -> None:
    state, rules = table("")
    start_round(state, rules, 0, {0: "4P 5P 10P 11P", 1: "9F", 2: "9M"})
    state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
    assert advice("scholar", state, rules) == "meld 4P 5P"
    assert advice("builder", state, rules) == "meld 10P 11P"


@pytest.mark.parametrize(("last", "told"), [(False, ["found 3P"]), (True, ["end"])])
def test_nothing_leaves_the_row_at_the_end(last: bool, told: list[str]) -> None:
    """A full row with a 13 in its centre: its lowest card founds a colony, but not in the last round."""
    state, rules = table("", gold=0)
    set_row(state, 0, "3P 12F 13F 14O 15M")
    if last:
        state.armed, state.last_round = 1, 3
    assert turn("scholar", state, rules, 1) == told


def test_in_the_last_round_it_retires_what_the_centre_gains_by() -> None:
    """With 10M as the lowest card in hand, the centre of the row goes from 8 to 10."""
    state, rules = table("", gold=1, hand="10M 12P")
    state.armed, state.last_round = 1, 3
    set_row(state, 0, "4P 5F 8F 11O 12M")
    assert advice("scholar", state, rules) == "research"
    set_row(state, 0, "11P 11F 12F 13O 14M")
    assert advice("scholar", state, rules) == "end"

"""The warden at a scripted table: walls, guards, and the way back."""

from __future__ import annotations

from tests.games.blink.positions import add_tile, add_units, choose, set_hand, set_meld, start_round
from tests.strategies.tables import advice, table, turn


def test_a_wall_comes_before_research() -> None:
    """Seat 1 stands beside its Mountain with an 11 of Mountain on the table, and has yet to move; one coin is spare."""
    state, rules = table("", gold=4, hand="2P 9F")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_meld(state, 1, "11M")
    assert advice("builder", state, rules) == "research"
    assert turn("warden", state, rules, 3)[:2] == ["fortify 0,0", "research"]


def test_its_best_cards_stay_in_hand_at_a_border() -> None:
    """Away from everybody it lays its two highest; with rivals beside all its tiles they guard."""
    for beside, laid in ((False, "meld 10P 11P"), (True, "meld 4P 5P")):
        state, rules = table("")
        if beside:
            add_tile(state, rules, -1, 1, "F", 1, 1)
        start_round(state, rules, 0, {0: "4P 5P 10P 11P", 1: "9F", 2: "9M"})
        state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
        assert advice("warden", state, rules) == laid


def test_a_beaten_unit_falls_back_out_of_reach() -> None:
    """Behind (2,-1) lie two own Forests; seat 0 stands beside the first of them, with cards that nobody has seen."""
    state, rules = table("11P")
    add_tile(state, rules, 1, -1, "P", 0, 1)
    add_tile(state, rules, 2, -2, "F", 1, 1)
    add_tile(state, rules, 3, -1, "F", 1, 1)
    set_hand(state, 0, "3P 4F 5F")
    choose(state, rules, "attack 11P 2,-1", "defend none")
    assert advice("warden", state, rules) == "retreat 3,-1"


def test_it_answers_for_a_tile_but_not_for_a_step_back() -> None:
    """Two units on the tile and room behind: the attack takes nothing. One unit: the tile would be lost."""
    for units, answer in ((2, "defend none"), (1, "defend 9O")):
        state, rules = table("8P")
        set_hand(state, 1, "3P 7F 9O 11M")
        add_tile(state, rules, 1, -1, "P", 0, 1)
        add_tile(state, rules, 3, -1, "F", 1, 1)
        add_units(state, rules, 2, -1, 1, units - 1)
        choose(state, rules, "attack 8P 2,-1")
        assert advice("warden", state, rules) == answer

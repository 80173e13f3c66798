"""The greedy player at a scripted table: the point in front of it, and nothing else."""

from __future__ import annotations

import pytest

from tests.games.blink.positions import add_tile, add_units, choose, set_hand, set_objectives, set_row
from tests.strategies.tables import advice, table, turn


def test_a_turn_is_points_then_tiles_then_coins() -> None:
    """The 9F finds no Forest until 7F has laid one; there is no coin for research."""
    state, rules = table("6P 7F 9F", gold=0, hand="2O")
    told = turn("greedy", state, rules)
    assert told[:2] == ["settle 6P -1,0", told[1]]
    assert told[1].startswith("explore 7F") and told[2].startswith("settle 9F")
    assert told[3:] == ["end"]


def test_of_two_tiles_it_takes_the_one_that_completes_an_objective() -> None:
    state, rules = table("7F")
    add_tile(state, rules, 0, -1, "F")
    add_tile(state, rules, -1, 1, "F")
    add_tile(state, rules, -2, 1, "P", 0, 1)
    set_objectives(state, 0, "forest_plains")
    assert advice("greedy", state, rules) == "settle 7F -1,1"


@pytest.mark.parametrize(("units", "told"), [(1, "attack 11P 2,-1"), (2, "explore")])
def test_it_attacks_where_a_unit_of_its_own_moves_in(units: int, told: str) -> None:
    """Its Plains are full, and nobody can answer; one of two units sent home is not a point of its own."""
    state, rules = table("11P")
    add_units(state, rules, -1, 0, 0, 2)
    add_tile(state, rules, 1, -1, "F", 0, 2)
    add_units(state, rules, 2, -1, 1, units - 1)
    set_hand(state, 1, "2F")
    state.seen_hand[0, 1] = state.hand[1]
    assert advice("greedy", state, rules).startswith(told)


@pytest.mark.parametrize(("row", "told"), [("", ["research"]), ("12P 13P 14P 15P 16P", [])])
def test_it_researches_for_a_point_only(row: str, told: list[str]) -> None:
    """A card more in the row is a point; a 2 in a full row leaves it at once. It founded a colony this turn."""
    state, rules = table("", hand="2P 9M")
    set_row(state, 0, row)
    state.spends[0] = state.spent_b[0] = 1
    assert turn("greedy", state, rules, 1) == (told or ["end"])


@pytest.mark.parametrize(("falls_back", "answer"), [(True, "defend none"), (False, "defend 9O")])
def test_it_defends_a_unit_that_would_go_home(falls_back: bool, answer: str) -> None:
    state, rules = table("8P")
    add_tile(state, rules, 1, -1, "P", 0, 1)
    set_hand(state, 1, "3P 7F 9O 11M")
    if falls_back:
        add_units(state, rules, 1, 0, 1, 1)
        add_tile(state, rules, 3, -1, "F", 1, 1)
    choose(state, rules, "attack 8P 2,-1")
    assert advice("greedy", state, rules) == answer

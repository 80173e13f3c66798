"""The builder at a scripted table, and over whole games."""

from __future__ import annotations

import pytest

from tests.games.blink.positions import (
    add_tile,
    add_units,
    choose,
    dealt,
    fresh,
    rules_for,
    set_grid,
    set_hand,
    set_market,
    set_objectives,
    set_row,
    set_upgrade,
    start_round,
)
from tests.strategies.tables import advice, play, table, turn, win_share

# cards on the map


def test_it_settles_what_has_room_and_lays_a_tile_for_what_has_none() -> None:
    state, rules = table("6P 7F 8F")
    told = turn("builder", state, rules)
    assert "settle 6P -1,0" in told
    assert sum(choice.startswith("explore") for choice in told) == 1
    assert sum(choice.startswith("settle") for choice in told) == 2
    assert told[-1] == "end"


def test_it_explores_where_a_tile_makes_an_objective() -> None:
    """Forest between two Plains: of four spaces one touches both of its Plains."""
    state, rules = table("7F")
    add_tile(state, rules, -1, 1, "O")
    add_tile(state, rules, -2, 2, "P", 0, 1)
    set_objectives(state, 0, "forest_plains")
    assert advice("builder", state, rules) == "explore 7F -2,1"


def test_it_cashes_a_card_when_no_coin_is_left_for_research() -> None:
    state, rules = table("7F 8F", gold=0, hand="2P 9M")
    assert advice("builder", state, rules).startswith("gold")


def test_a_retired_card_founds_a_colony_at_once() -> None:
    state, rules = table("", gold=1, hand="3F 9P 9M")
    set_grid(state, "12P", "15F", "18O", "13M", "20P", "14F", "19O", "16M", "17P")
    set_upgrade(state, "19F 20F")
    told = turn("builder", state, rules)
    assert told[0] == "research"
    assert "found 3F" in told
    assert told[-1] == "end"


def test_it_walls_only_where_a_rival_stands() -> None:
    state, rules = table("")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_hand(state, 1, "9M 8M")
    set_market(state, "")
    assert turn("builder", state, rules) == ["fortify 0,0", "end"]


@pytest.mark.parametrize(
    ("card", "known", "attacks"),
    [("11M", "4P 5F", True), ("11M", "10M 4P", False), ("2M", "1P 1F", False), ("1M", "", False)],
)
def test_it_attacks_what_nobody_can_answer(card: str, known: str, attacks: bool) -> None:
    """Seat 1 stands alone on a Mountain (defence 2); its hand was seen at a recycle."""
    state, rules = table(card)
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_hand(state, 1, known)
    state.seen_hand[0, 1] = state.hand[1]
    assert (advice("builder", state, rules) == f"attack {card} 1,0") == attacks


# answers


def test_it_defends_with_the_lowest_card_that_holds() -> None:
    state, rules = table("8P")
    set_hand(state, 1, "3P 7F 9O 11M")
    add_tile(state, rules, 1, -1, "P", 0, 1)
    choose(state, rules, "attack 8P 2,-1")
    assert advice("builder", state, rules) == "defend 9O"


def test_it_keeps_its_cards_where_none_holds_or_the_wall_does() -> None:
    state, rules = table("8P")
    set_hand(state, 1, "3P 7F")
    add_tile(state, rules, 1, -1, "P", 0, 1)
    choose(state, rules, "attack 8P 2,-1")
    assert advice("builder", state, rules) == "defend none"
    state, rules = table("8P")
    set_hand(state, 1, "3P 11F")
    add_tile(state, rules, 1, -1, "P", 0, 1)
    state.coins[1] = 1  # homeland of seat 1; a Tribe's wall is worth 10
    choose(state, rules, "attack 8P 2,-1")
    assert advice("builder", state, rules) == "defend none"


def test_a_beaten_unit_falls_back_where_no_wall_is_lost() -> None:
    state, rules = table("11P")
    add_tile(state, rules, 1, -1, "P", 0, 1)
    add_tile(state, rules, 3, -1, "F", 1, 1, coins=1)
    add_tile(state, rules, 3, -2, "F", 1, 1)
    choose(state, rules, "attack 11P 2,-1")
    assert advice("builder", state, rules) == "defend none"
    choose(state, rules, "defend none")
    assert advice("builder", state, rules) == "retreat 3,-2"


# the trick


def test_it_lays_the_longest_meld_that_finds_room() -> None:
    rules = rules_for()
    state = fresh(rules, round_number=2)
    start_round(state, rules, 0, {0: "4P 5P 9O 11O", 1: "1F", 2: "1M"})
    state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
    assert advice("builder", state, rules) == "meld 4P 5P"


def test_it_sets_aside_what_has_no_room() -> None:
    """Seat 1 wins with two cards, so a loser keeps one: the Plains card, since there is no Ocean to settle."""
    rules = rules_for()
    state = fresh(rules, round_number=2)
    start_round(state, rules, 0, {0: "4P 5O 6M", 1: "9F 10F 1P", 2: "1M 8O"})
    choose(state, rules, "meld 4P 5O", "meld 9F 10F", "meld 1M")
    assert int(state.seat) == 0
    assert advice("builder", state, rules) == "aside 5O"


# before the first round


def test_it_passes_the_low_cards_and_those_of_small_terrains() -> None:
    rules = rules_for()
    state = dealt(rules)
    set_hand(state, 0, "1O 2M 3O 1M 2O 3M 8P 9P 10F 11P")
    assert advice("builder", state, rules) == "pass 1O 1M 2O 2M 3O 3M"


# whole games


def test_games_end_and_are_the_same_again() -> None:
    games, _, _ = play(["builder"] * 4, 15, check=True)
    again, _, _ = play(["builder"] * 4, 15)
    assert (games["digest"] == again["digest"]).all()
    for players in (2, 3, 4):
        games, _, _ = play(["builder"] * players, 60)
        assert (games["outcome"] != 3).all()
        assert games["rounds"].max() < 40


@pytest.mark.parametrize("preset", ["quick_start", "no_objectives", "secret", "open", "booklet_effects"])
def test_it_plays_every_ruleset_to_the_end(preset: str) -> None:
    games, _, _ = play(["builder", "random"], 10, check=True, preset=preset)
    assert (games["outcome"] != 3).all()


def test_it_beats_random_play() -> None:
    assert win_share(["builder", "random"], 100) > 0.95
    assert win_share(["builder", "random", "random", "random"], 50) > 0.7


def test_a_row_card_is_never_declared() -> None:
    rules = rules_for()
    state = fresh(rules, round_number=2)
    start_round(state, rules, 0, {0: "4P 5P", 1: "9F", 2: "1M 8O"})
    set_row(state, 0, "9M")
    choose(state, rules, "meld 4P", "meld 9F", "meld 1M")
    assert advice("builder", state, rules) == "declare none"

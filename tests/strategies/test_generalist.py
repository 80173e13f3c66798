"""The generalist at a scripted table: coins late, hands that come round, and a last round counted out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.blink.positions import (
    add_units,
    choose,
    set_grid,
    set_hand,
    set_objectives,
    set_reserve,
    set_row,
    set_upgrade,
    start_round,
    start_turn,
)
from tests.strategies.tables import advice, play, table, turn, win_share

GRID = ("12P", "12F", "18O", "12M", "13M", "14F", "19O", "16M", "17P")


def last_round(meld: str, *, gold: int = 0, hand: str = "", row: str = "") -> tuple[Any, Any]:
    """As ``table``, in the round after which the game is scored."""
    state, rules = table(meld, gold=gold, hand=hand)
    state.armed, state.last_round = 1, 3
    set_row(state, 0, row)
    return state, rules


# while the board is full


@pytest.mark.parametrize(("reserve", "first"), [(19, "settle 6P -1,0"), (5, "gold 6P")])
def test_it_grows_first_and_saves_later(reserve: int, first: str) -> None:
    """One coin short of a second research."""
    state, rules = table("6P", gold=1, hand="3F 9F 9M")
    set_reserve(state, 0, reserve)
    assert advice("generalist", state, rules) == first


@pytest.mark.parametrize(("hand", "to"), [("9F", "to discard"), ("3F 9M", "to hand"), ("3F 5O 9M", "to hand")])
def test_a_hand_that_research_empties_comes_round(hand: str, to: str) -> None:
    """With one coin, that is one research: its taker is the only card left, or one of several."""
    state, rules = table("", gold=1, hand=hand)
    set_grid(state, *GRID)
    set_upgrade(state, "19F 20F 20P 19P")
    choose(state, rules, "research", "take 4")
    assert advice("generalist", state, rules) == to


def test_two_researches_take_the_last_two_cards() -> None:
    """The first goes to the discard because the second can be paid; then the whole hand is there again."""
    state, rules = table("", gold=3, hand="3F 9M")
    set_grid(state, *GRID)
    set_upgrade(state, "19F 20F 20P 19P 19M")
    told = turn("generalist", state, rules)
    assert [choice for choice in told if choice.startswith("to ")] == ["to discard", "to discard"]
    assert int(state.hand_size[0]) == 2


def test_it_takes_the_suits_of_its_objectives() -> None:
    state, rules = table("", gold=1, hand="3P 9O")
    set_grid(state, *GRID)
    set_upgrade(state, "19F 20F 20P 19P")
    choose(state, rules, "research")
    assert advice("generalist", state, rules) == "take 1"  # 12P: the roomiest
    set_objectives(state, 0, "mountain_ocean", "ocean_mountain")
    assert advice("generalist", state, rules) == "take 4"  # 12M


def test_it_takes_a_tile_from_whoever_is_closest_to_the_end() -> None:
    """Both homelands are full, so that neither unit can fall back."""
    state, rules = table("11M")
    for q, r, seat, units in ((2, -1, 1, 2), (0, 2, 2, 2), (0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 2, 1)):
        add_units(state, rules, q, r, seat, units)
    state.reserve[1], state.reserve[2] = 12, 5
    assert advice("generalist", state, rules) == "attack 11M 0,1"
    state.reserve[1], state.reserve[2] = 5, 12
    assert advice("generalist", state, rules) == "attack 11M 1,0"


# the last round


def test_a_card_buys_what_scores_more_than_a_unit() -> None:
    """A third card in the row brings 1 and the 12 in the centre; with an empty hand there is nothing to retire."""
    state, rules = last_round("6P", hand="14M", row="12F 13F")
    assert turn("generalist", state, rules, 2) == ["gold 6P", "research"]
    state, rules = last_round("6P", row="12F 13F")
    assert turn("generalist", state, rules)[0] == "settle 6P -1,0"


def test_the_card_that_a_better_one_pushes_out_founds_first() -> None:
    state, rules = last_round("", gold=1, hand="14M", row="3P 12F 13F 14O 15M")
    told = turn("generalist", state, rules)
    assert told[0] == "found 3P" and "research" in told
    state, rules = last_round("", row="3P 12F 13F 14O 15M")
    assert turn("generalist", state, rules) == ["end"]  # a unit for a point


def test_a_row_card_pays_for_a_better_one() -> None:
    """No unit is left to found; two coins for the 3, and the centre goes from 9 to 12."""
    state, rules = last_round("", hand="15M", row="3P 9F 12F 14O")
    set_reserve(state, 0, 0)
    told = turn("generalist", state, rules)
    assert told[0] == "cash 3P" and "research" in told


def test_it_keeps_in_hand_what_research_will_retire() -> None:
    """Both pairs settle two units; 10 and 11 make a centre of 11."""
    state, rules = last_round("", gold=3, row="12F 13F")
    start_round(state, rules, 0, {0: "4P 5P 10P 11P", 1: "9F", 2: "9M"})
    assert advice("generalist", state, rules) == "meld 4P 5P"


def test_the_last_coins_go_on_walls_only_while_somebody_is_to_come() -> None:
    state, rules = last_round("", gold=1)
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_hand(state, 1, "2M 9F")
    state.seen_hand[0, 1] = state.hand[1]
    assert turn("generalist", state, rules) == ["fortify 0,0", "end"]
    state.coins[:] = 0
    state.gold[0] = 1
    start_turn(state, rules, 0, order=[1, 2, 0])
    assert turn("generalist", state, rules) == ["end"]


# whole games


def test_games_end_and_are_the_same_again() -> None:
    games, _, _ = play(["generalist"] * 3, 10, check=True)
    again, _, _ = play(["generalist"] * 3, 10)
    assert (games["digest"] == again["digest"]).all()
    for line_up in (["generalist", "raider"], ["generalist", "builder", "raider", "generalist"]):
        games, _, _ = play(line_up, 60)
        assert (games["outcome"] != 3).all()
        assert games["rounds"].max() < 40


@pytest.mark.parametrize("preset", ["quick_start", "no_objectives", "booklet_effects", "open", "v022_trick"])
def test_it_plays_every_ruleset_to_the_end(preset: str) -> None:
    games, _, _ = play(["generalist", "random"], 10, check=True, preset=preset)
    assert (games["outcome"] != 3).all()


@pytest.mark.parametrize("rivals", [["builder"], ["raider"], ["builder", "raider"]])
def test_it_beats_the_others(rivals: list[str]) -> None:
    """More than the lower end of what longer runs show, which is 0.8 and 0.6."""
    assert win_share(["generalist", *rivals], 60) > 0.5


def test_it_beats_random_play() -> None:
    assert win_share(["generalist", "random"], 100) > 0.95
    assert win_share(["generalist", "random", "random", "random"], 50) > 0.7

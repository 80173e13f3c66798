"""The raider at a scripted table, and over whole games."""

from __future__ import annotations

from typing import Any

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
    set_objectives,
    set_row,
    start_round,
)
from tests.strategies.tables import advice, play, table, turn, win_share


def lay_melds(row: str, *, mine: str = "7P 8P", theirs: str = "9F 10F") -> tuple[Any, Any]:
    """Three melds revealed, seat 0 to declare; seat 2 laid a 1."""
    rules = rules_for()
    state = fresh(rules, round_number=2)
    start_round(state, rules, 0, {0: f"{mine} 2O", 1: f"{theirs} 2M", 2: "1M 8O"})
    set_row(state, 0, row)
    choose(state, rules, f"meld {mine}", f"meld {theirs}", "meld 1M")
    return state, rules


# raids


def test_a_raid_comes_before_settling() -> None:
    """The Plains card has room at home; nobody can answer the 11, and seat 2 could answer a march on its homeland."""
    state, rules = table("6P 11M")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_hand(state, 2, "9P 9F 9O")
    state.seen_hand[0, 2] = state.hand[2]
    assert turn("raider", state, rules) == ["attack 11M 1,0"]  # then seat 1 is asked
    choose(state, rules, "defend none")
    assert "settle 6P -1,0" in turn("raider", state, rules)


@pytest.mark.parametrize(("known", "raids"), [("4P 5F", True), ("10M 4P", False), ("11O 4P", False)])
def test_it_knows_who_can_answer(known: str, raids: bool) -> None:
    """Against an 11 on a Mountain (defence 2) a 10 holds with 12, an 11 with 13; low cards do not."""
    state, rules = table("11M")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_hand(state, 1, known)
    state.seen_hand[0, 1] = state.hand[1]
    assert (advice("raider", state, rules) == "attack 11M 1,0") == raids


def test_it_takes_a_tile_from_whoever_leads() -> None:
    """Both homelands are full, so that neither unit can fall back."""
    state, rules = table("11M")
    add_units(state, rules, 2, -1, 1, 2)
    add_units(state, rules, 0, 2, 2, 2)
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    add_units(state, rules, 0, 1, 2, 1)
    state.reserve[1], state.reserve[2] = 12, 5
    assert advice("raider", state, rules) == "attack 11M 0,1"


def test_it_leaves_walls_alone_that_its_card_cannot_break() -> None:
    state, rules = table("11M")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1, coins=1)
    assert not advice("raider", state, rules).startswith("attack")


def test_it_marches_up_to_a_prize_and_takes_it() -> None:
    """Two units at home, a rival's homeland two steps away, and the one Plains card that nobody can answer."""
    state, rules = table("11P 11F")
    add_units(state, rules, -1, 0, 0, 1)
    add_units(state, rules, 0, 0, 0, 1)
    set_hand(state, 1, "2F 3F")
    state.seen_hand[0, 1] = state.hand[1]
    told = turn("raider", state, rules)
    march = next(i for i, choice in enumerate(told) if choice.startswith("move") and choice.endswith(" 1,0"))
    assert "attack 11P 2,-1" in told[march:]


# the trick


def test_it_lays_the_meld_that_wins() -> None:
    """Seat 1 is known to hold a 9 and a 10: two elevens beat them, and both have room."""
    rules = rules_for()
    state = fresh(rules, round_number=2)
    start_round(state, rules, 0, {0: "4P 5P 11P 11M", 1: "9F 10F", 2: "1M"})
    state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
    assert advice("raider", state, rules) == "meld 11P 11M"


def test_it_declares_only_what_wins() -> None:
    state, rules = lay_melds("3F")
    assert advice("raider", state, rules) == "declare none"  # 15 and 3 are not more than 19


def test_it_declares_nothing_when_it_leads_anyway() -> None:
    state, rules = lay_melds("9F", mine="10P 11P")
    assert advice("raider", state, rules) == "declare none"


def test_it_declares_when_the_lead_is_worth_more_than_a_colony() -> None:
    state, rules = lay_melds("6F")
    assert advice("raider", state, rules) == "declare none"
    assert advice("raider:lead=5,colony=1", state, rules) == "declare 6F"


def test_it_sets_aside_the_card_that_takes_no_prize() -> None:
    rules = rules_for()
    state = fresh(rules, round_number=2)
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    start_round(state, rules, 0, {0: "11M 10O 2P", 1: "3F 4F", 2: "11O 11F 2F"})
    choose(state, rules, "meld 10O 11M", "meld 3F", "meld 11F 11O")
    assert int(state.seat) == 0
    assert advice("raider", state, rules) == "aside 10O"


# cards


def test_it_passes_the_lowest_cards() -> None:
    rules = rules_for()
    state = dealt(rules)
    set_hand(state, 0, "1P 1F 2P 2F 3P 3F 8P 9P 10F 11P")
    assert advice("raider", state, rules) == "pass 1P 1F 2P 2F 3P 3F"


def test_it_takes_the_highest_card_that_its_tier_allows() -> None:
    state, rules = table("", hand="3P 9F")
    set_grid(state, "12P", "15F", "18O", "12M", "13M", "14F", "19O", "16M", "17P")
    state.reserve[0] = 16  # Settlement: up to 14
    choose(state, rules, "research")
    assert advice("raider", state, rules) == "take 6"


def test_it_answers_with_the_lowest_card_that_holds() -> None:
    state, rules = table("8P")
    set_hand(state, 1, "3P 7F 9O 11M")
    add_tile(state, rules, 1, -1, "P", 0, 1)
    choose(state, rules, "attack 8P 2,-1")
    assert advice("raider", state, rules) == "defend 9O"


def test_a_colony_completes_an_objective() -> None:
    """12O may lay two Oceans; the first goes between the two Mountains."""
    state, rules = table("")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 0, 1, 0, 1)
    set_objectives(state, 0, "ocean_mountain")
    set_row(state, 0, "12O")
    choose(state, rules, "found 12O")
    assert advice("raider", state, rules) == "place -1,1 O"


# whole games


def test_games_end_and_are_the_same_again() -> None:
    games, _, _ = play(["raider"] * 4, 15, check=True)
    again, _, _ = play(["raider"] * 4, 15)
    assert (games["digest"] == again["digest"]).all()
    for line_up in (["raider", "builder"], ["raider"] * 3, ["raider", "builder", "raider", "builder"]):
        games, _, _ = play(line_up, 60)
        assert (games["outcome"] != 3).all()
        assert games["rounds"].max() < 40


@pytest.mark.parametrize("preset", ["quick_start", "keep_both", "secret", "open", "v022_trick"])
def test_it_plays_every_ruleset_to_the_end(preset: str) -> None:
    games, _, _ = play(["raider", "random"], 10, check=True, preset=preset)
    assert (games["outcome"] != 3).all()


def test_it_beats_random_play() -> None:
    assert win_share(["raider", "random"], 100) > 0.95
    assert win_share(["raider", "random", "random", "random"], 50) > 0.7

"""Vectors 7.11: effects B and C, and the allowance (3.12, R109 to R121), on the 3-player start."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import (
    add_tile,
    cards,
    choose,
    decision,
    fresh,
    legal_texts,
    market,
    options,
    rules_for,
    set_hand,
    set_reserve,
    set_row,
    spot,
    start_round,
    start_turn,
    supply,
    tile,
)


def with_row(rules: Any, row: str) -> Any:
    """Seat 0's turn on the starting map, one unit on (-1,0), reserve 19, with a victory row."""
    state = fresh(rules)
    set_row(state, 0, row)
    set_hand(state, 0, "1P")
    start_turn(state, rules, 0)
    return state


def places(state: Any, rules: Any) -> set[str]:
    """The cells offered for the next tile."""
    return {option.split()[0] for option in options(state, rules, "place")}


@pytest.mark.parametrize("preset", ["standard", "booklet_effects"])
def test_e1_colony(preset: str) -> None:
    """7.11 E1: B with 4F: one Forest with one fortified unit; the card leaves the row; the allowance is used."""
    rules = rules_for(3, preset=preset)
    state = with_row(rules, "4F 5O")
    choose(state, rules, "found 4F")
    assert options(state, rules, "place") == {"-1,1 F", "0,-1 F"}
    choose(state, rules, "place -1,1 F")
    assert (tile(state, "-1,1"), spot(state, "-1,1")) == (("F", 0, 1, 1), "0:1/1")
    assert (int(state.reserve[0]), supply(state)["F"], int(state.gold[0])) == (18, 14, 0)
    assert cards(state.row[0]) == "5O"
    if preset == "standard":
        assert market(state).split()[-1] == "4F"
        assert not {"found 5O", "cash 5O"} & set(legal_texts(state, rules))
    else:
        assert cards(state.removed) == "4F"
        assert "found 5O" not in legal_texts(state, rules), "one B a turn"
        assert "cash 5O" in legal_texts(state, rules), "no joint limit"


def test_e2_distant_colony() -> None:
    """7.11 E2: B with 7O reaches two hexes and lays one tile (R118, R119)."""
    rules = rules_for(3)
    state = with_row(rules, "7O")
    choose(state, rules, "found 7O")
    assert places(state, rules) == {"-1,1", "-1,2", "0,-1", "1,-1"}
    choose(state, rules, "place -1,2 O")
    assert spot(state, "-1,2") == "0:1/1"
    assert supply(state)["O"] == 14


def test_e2_lay_suit() -> None:
    """7.11 E2 with lay_suit: (-1,2) needs an open Ocean on (-1,1) first; (1,-1) needs none, (0,0) lies between."""
    rules = rules_for(3, {"victory.b_distant_between": "lay_suit"})
    state = with_row(rules, "7O")
    choose(state, rules, "found 7O")
    assert places(state, rules) == {"-1,1", "-1,2", "0,-1", "1,-1"}
    choose(state, rules, "place -1,2 O")
    assert (decision(state), options(state, rules, "place")) == (Decision.B_PLACE, {"-1,1 O"})
    choose(state, rules, "place -1,1 O")
    assert (tile(state, "-1,1"), tile(state, "-1,2")) == (("O", None, 0, 0), ("O", 0, 1, 1))
    assert (supply(state)["O"], int(state.reserve[0])) == (13, 18)

    state = with_row(rules, "7O")
    choose(state, rules, "found 7O", "place 1,-1 O")
    assert (decision(state), spot(state, "1,-1"), supply(state)["O"]) == (Decision.ACT, "0:1/1", 14)


@pytest.mark.parametrize(("answer", "second"), [("here", {"-1,-1", "-1,1", "1,-1"}), ("later", {"-1,-1", "-1,1"})])
def test_e3_frontier(answer: str, second: set[str]) -> None:
    """7.11 E3: the second tile's reach counts the unit just placed (R116, R117)."""
    rules = rules_for(3)
    state = with_row(rules, "12O")
    choose(state, rules, "found 12O", "place 0,-1 O")
    assert (decision(state), options(state, rules, "unit")) == (Decision.B_UNIT, {"here", "later"})
    choose(state, rules, f"unit {answer}")
    assert places(state, rules) == second
    choose(state, rules, "place -1,1 O")
    assert decision(state) == Decision.ACT
    assert {spot(state, "0,-1"), spot(state, "-1,1")} == {"0:1/1", "open"}
    assert spot(state, "0,-1" if answer == "here" else "-1,1") == "0:1/1"
    assert int(state.reserve[0]) == 18


def test_e4_one_tile_left() -> None:
    """7.11 E4: supply O = 1: one tile, the unit is forced onto it."""
    rules = rules_for(3)
    state = with_row(rules, "12O")
    state.supply[2] = 1
    choose(state, rules, "found 12O", "place 0,-1 O")
    assert decision(state) == Decision.ACT
    assert (spot(state, "0,-1"), int(state.reserve[0]), supply(state)["O"]) == ("0:1/1", 18, 0)


@pytest.mark.parametrize("answer", ["here", "later"])
def test_e5_two_colonies_with_one_unit(answer: str) -> None:
    """7.11 E5: both tiles are laid, the player says which one gets the unit (R115)."""
    rules = rules_for(3)
    state = with_row(rules, "18P")
    set_reserve(state, 0, 1)
    choose(state, rules, "found 18P")
    assert options(state, rules, "place") == {f"{cell} {suit}" for cell in ("-1,1", "0,-1") for suit in "PFOM"}
    choose(state, rules, "place 0,-1 F", f"unit {answer}", "place -1,1 M")
    assert (tile(state, "0,-1")[0], tile(state, "-1,1")[0]) == ("F", "M")
    settled, empty = ("0,-1", "-1,1") if answer == "here" else ("-1,1", "0,-1")
    assert (spot(state, settled), spot(state, empty), int(state.reserve[0])) == ("0:1/1", "open", 0)


def test_two_colonies_with_two_units() -> None:
    """1.7: ranks 16 to 20 lay two tiles of any terrain with a unit on each; nothing is asked."""
    rules = rules_for(3)
    state = with_row(rules, "18P")
    choose(state, rules, "found 18P", "place 0,-1 F", "place -1,1 F")
    assert (spot(state, "0,-1"), spot(state, "-1,1"), int(state.reserve[0])) == ("0:1/1", "0:1/1", 17)


def test_e6_illegal_uses() -> None:
    """7.11 E6: no unit, no tile of the suit, or no space: illegal, the card is kept (R113)."""
    rules = rules_for(3)
    state = with_row(rules, "4F 18P")
    assert {"found 4F", "found 18P"} <= set(legal_texts(state, rules))
    set_reserve(state, 0, 0)
    assert not options(state, rules, "found")
    set_reserve(state, 0, 19)
    state.supply[1] = 0
    assert options(state, rules, "found") == {"18P"}

    lone = fresh(rules, start_map=False)
    add_tile(lone, rules, 0, 0, "P", 0, 1)
    set_row(lone, 0, "4F 18P")
    start_turn(lone, rules, 0)
    assert not options(lone, rules, "found")
    assert cards(lone.row[0]) == "4F 18P"


@pytest.mark.parametrize("wins", [True, False])
@pytest.mark.parametrize("preset", ["standard", "booklet_effects"])
def test_e7_after_declaring_a(preset: str, wins: bool) -> None:
    """7.11 E7: A this round, won or lost, uses the joint allowance; not so in the booklet's preset."""
    rules = rules_for(3, preset=preset)
    state = fresh(rules)
    set_row(state, 0, "4F 5O")
    meld = "9P" if wins else "2P"
    start_round(state, rules, 0, {0: f"{meld} 1P", 1: "7F 1F", 2: "6O 1O"})
    choose(state, rules, f"meld {meld}", "meld 7F", "meld 6O", "declare 4F")
    while decision(state) == Decision.SET_ASIDE or int(state.seat) != 0:
        choose(state, rules, min(legal_texts(state, rules), key=lambda t: (t != "end", not t.startswith("gold"))))
    assert int(state.winner) == (0 if wins else 1)
    assert options(state, rules, "found") | options(state, rules, "cash") == (set() if preset == "standard" else {"5O"})


@pytest.mark.parametrize(("card", "gold"), [("5P", 2), ("6P", 3), ("11P", 4), ("16P", 5)])
def test_e8_effect_c(card: str, gold: int) -> None:
    """7.11 E8."""
    rules = rules_for(3)
    state = with_row(rules, card)
    choose(state, rules, f"cash {card}")
    assert (int(state.gold[0]), cards(state.row[0]), market(state).split()[-1]) == (gold, "", card)


def test_the_touch_count_is_taken_after_the_tile_in_between() -> None:
    """3.12, lay_suit: (-2,2) touches one tile; with a tile in between it touches two and becomes legal."""
    for between, offered in (("none", False), ("lay_suit", True)):
        rules = rules_for(3, {"victory.b_distant_between": between})
        state = with_row(rules, "7O")
        add_tile(state, rules, -3, 2, "P")
        choose(state, rules, "found 7O")
        assert ("-2,2" in places(state, rules)) is offered
        if offered:
            choose(state, rules, "place -2,2 O")
            assert options(state, rules, "place") == {"-2,1 O", "-1,1 O"}
            choose(state, rules, "place -2,1 O")
            assert (spot(state, "-2,1"), spot(state, "-2,2"), supply(state)["O"]) == ("open", "0:1/1", 13)


def test_the_waiver_ends_in_the_middle_of_b() -> None:
    """R51: without units the first tile may lie anywhere; once its unit stands the second must be in reach."""
    rules = rules_for(3)
    state = fresh(rules, start_map=False)
    for q in (0, 1, 10, 11):
        add_tile(state, rules, q, 0, "M")
    set_row(state, 0, "18P")
    start_turn(state, rules, 0)
    choose(state, rules, "found 18P")
    assert places(state, rules) == {"1,-1", "0,1", "11,-1", "10,1"}
    choose(state, rules, "place 10,1 F")
    assert spot(state, "10,1") == "0:1/1"
    assert places(state, rules) == {"11,1", "9,1"}

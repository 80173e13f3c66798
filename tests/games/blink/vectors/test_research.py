"""Vectors 7.10: research, retiring into the row, trade, and the score of a row (3.10, 3.11, 3.13)."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink import scoring
from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import (
    cards,
    choose,
    decision,
    fresh,
    grid,
    legal_texts,
    market,
    options,
    rules_for,
    set_grid,
    set_hand,
    set_market,
    set_meld,
    set_reserve,
    set_row,
    set_upgrade,
    start_turn,
    words,
)

GRID_X = ["12P", "15F", "18O", "13M", "20P", "14F", "19O", "16M", "17P"]


def at_grid(
    rules: Any,
    upgrade: str,
    *,
    hand: str = "3P 7O",
    gold: int = 3,
    row: str = "",
    changes: dict[int, str] | None = None,
    meld: str = "",
) -> Any:
    """Seat 0's turn before grid X with some slots (1 to 9) changed, with a given upgrade deck, top first."""
    state = fresh(rules)
    set_grid(state, *((changes or {}).get(slot, card) for slot, card in enumerate(GRID_X, 1)))
    set_upgrade(state, upgrade)
    set_hand(state, 0, hand)
    set_row(state, 0, row)
    state.gold[0] = gold
    start_turn(state, rules, 0, meld)
    return state


def test_rs1_take_the_card_drawn_or_another() -> None:
    """7.10 RS1: 12O covers slot 5; slots 1 and 5 may be taken; slot 1 is refilled, slot 5 is not (R97, R99)."""
    rules = rules_for(3)
    state = at_grid(rules, "12O 15P 16F")
    choose(state, rules, "research")
    assert grid(state, rules)[4] == "20P 12O"
    assert (decision(state), options(state, rules, "take")) == (Decision.RESEARCH_TAKE, {"1", "5"})
    choose(state, rules, "take 1", "to hand")
    assert (grid(state, rules)[0], int(state.upgrade_count)) == ("15P", 1)
    assert (cards(state.hand[0]), cards(state.row[0])) == ("7O 12P", "3P")

    state = at_grid(rules, "12O 15P 16F")
    choose(state, rules, "research", "take 5", "to discard")
    assert (grid(state, rules)[4], int(state.upgrade_count)) == ("20P", 2)
    assert (cards(state.hand[0]), cards(state.discard[0])) == ("7O", "12O")
    assert int(state.gold[0]) == 2


def test_rs2_a_failed_research() -> None:
    """7.10 RS2: nothing within the cap: nothing retired or paid, one of two used, price unchanged (R95)."""
    rules = rules_for(3)
    state = at_grid(rules, "13O 13F 13P", changes={1: "13P"}, gold=1)
    choose(state, rules, "research")
    assert grid(state, rules)[4] == "20P 13O"
    assert (decision(state), cards(state.hand[0]), cards(state.row[0])) == (Decision.ACT, "3P 7O", "")
    assert (int(state.improve_used), int(state.improve_bought), int(state.gold[0])) == (1, 0, 1)
    assert "research" in legal_texts(state, rules), "the next still costs 1"
    choose(state, rules, "research")
    assert (int(state.improve_used), int(state.gold[0])) == (2, 1)
    assert "research" not in legal_texts(state, rules)


def test_rs3_the_first_of_equal_tops_is_covered() -> None:
    """7.10 RS3: 20s in slots 3 and 8: slot 3 is covered."""
    rules = rules_for(3)
    state = at_grid(rules, "17O", changes={3: "20O", 8: "20F", 5: "14M"})
    choose(state, rules, "research")
    assert grid(state, rules)[2] == "20O 17O"


def test_rs4_equal_lowest_cards() -> None:
    """7.10 RS4: hand 3P 3F 7O: the owner says which 3 is retired."""
    rules = rules_for(3)
    state = at_grid(rules, "12O", hand="3P 3F 7O")
    choose(state, rules, "research")
    assert (decision(state), options(state, rules, "retire")) == (Decision.RESEARCH_RETIRE, {"3P", "3F"})
    choose(state, rules, "retire 3F", "take 1", "to hand")
    assert (cards(state.row[0]), cards(state.hand[0])) == ("3F", "3P 7O 12P")


def test_rs5_the_price_must_be_at_hand() -> None:
    """7.10 RS5: gold 0: neither; gold 1 after one bought: neither (R94, R108)."""
    rules = rules_for(3)
    state = at_grid(rules, "12O", gold=0)
    assert not {"research", "trade"} & set(legal_texts(state, rules))
    state = at_grid(rules, "12O 12F", gold=2)
    choose(state, rules, "research", "take 1", "to hand")
    assert int(state.gold[0]) == 1
    assert not {"research", "trade"} & set(legal_texts(state, rules))
    state = at_grid(rules, "12O 12F", gold=3)
    choose(state, rules, "research", "take 1", "to hand")
    assert {"research", "trade"} <= set(legal_texts(state, rules))


def test_rs6_empty_deck() -> None:
    """7.10 RS6: no draw; the slot taken stays empty, unless it covered a card (R98)."""
    rules = rules_for(3)
    state = at_grid(rules, "", changes={2: "15F 12M"})
    choose(state, rules, "research")
    assert options(state, rules, "take") == {"1", "2"}
    choose(state, rules, "take 1", "to hand")
    assert grid(state, rules)[:2] == ["", "15F 12M"]
    choose(state, rules, "research", "take 2", "to hand")
    assert grid(state, rules)[:2] == ["", "15F"]
    state = at_grid(rules, "", changes={1: "13P"})
    assert "research" not in legal_texts(state, rules)


def test_rs7_the_last_card_of_the_deck() -> None:
    """7.10 RS7: the drawn card covers, the single-card slot taken stays empty."""
    rules = rules_for(3)
    state = at_grid(rules, "17O")
    choose(state, rules, "research", "take 1", "to hand")
    assert (grid(state, rules)[0], grid(state, rules)[4], int(state.upgrade_count)) == ("", "20P 17O", 0)


def test_rs8_the_cap_is_live() -> None:
    """7.10 RS8: reserve 16 has cap 14; after a settle it is 15 and the cap 16 (R20, R103)."""
    rules = rules_for(3)
    state = at_grid(rules, "", meld="5P")
    set_reserve(state, 0, 16)
    choose(state, rules, "research")
    assert options(state, rules, "take") == {"1", "4", "6"}
    state = at_grid(rules, "", meld="5P")
    set_reserve(state, 0, 16)
    choose(state, rules, "settle 5P -1,0", "research")
    assert options(state, rules, "take") == {"1", "2", "4", "6", "8"}


@pytest.mark.parametrize(
    ("row", "hand", "after", "gone"),
    [("4P 5P 6P 7P 9P", "8F", "5P 6P 7P 8F 9P", "4P"), ("4P 5P 6P 7P 9P", "3F", "4P 5P 6P 7P 9P", "3F")],
    ids=["RW1", "RW2"],
)
def test_rw1_rw2_a_sixth_card(row: str, hand: str, after: str, gone: str) -> None:
    """7.10 RW1, RW2: the lowest of six goes to the market bottom, be it the card just retired."""
    rules = rules_for(3)
    state = at_grid(rules, "12O", hand=hand, row=row)
    choose(state, rules, "research", "take 1", "to hand")
    assert cards(state.row[0]) == after
    assert market(state).split()[-1] == gone


@pytest.mark.parametrize(("gone", "stays"), [("4P", "4F"), ("4F", "4P")])
def test_rw3_equal_lowest_of_six(gone: str, stays: str) -> None:
    """7.10 RW3: row 4P 5 6 7 9, retiring 4F: the owner says which 4 leaves (R102)."""
    rules = rules_for(3)
    state = at_grid(rules, "12O", hand="4F", row="4P 5P 6P 7P 9P")
    choose(state, rules, "research")
    assert (decision(state), options(state, rules, "drop")) == (Decision.ROW_OVERFLOW, {"4P", "4F"})
    choose(state, rules, f"drop {gone}", "take 1", "to hand")
    assert set(cards(state.row[0]).split()) == {stays, "5P", "6P", "7P", "9P"}
    assert market(state).split()[-1] == gone


def test_tr1_trade() -> None:
    """7.10 TR1: draw two, bury two in the order chosen."""
    rules = rules_for(3)
    state = at_grid(rules, "", hand="5M 7P", gold=1)
    set_market(state, "2P 9F 4O 6O")
    choose(state, rules, "trade")
    assert cards(state.hand[0]) == "2P 5M 7P 9F"
    assert len(options(state, rules, "bury")) == 12, "ordered pairs of four cards"
    choose(state, rules, "bury 2P 5M")
    assert cards(state.hand[0]) == "7P 9F"
    assert market(state) == "4O 6O 2P 5M"
    assert int(state.gold[0]) == 0


@pytest.mark.parametrize("order", ["2P 9F", "9F 2P"])
def test_tr2_trade_with_an_empty_hand(order: str) -> None:
    """7.10 TR2: legal while the meld is pending; both drawn cards are buried, the order chosen (R105)."""
    rules = rules_for(3)
    state = at_grid(rules, "", hand="", gold=1, meld="5M")
    set_market(state, "2P 9F 4O")
    choose(state, rules, "trade")
    assert options(state, rules, "bury") == {"2P 9F", "9F 2P"}
    choose(state, rules, f"bury {order}")
    assert market(state) == f"4O {order}"
    assert (int(state.hand_size[0]), int(state.recycles[0])) == (0, 0)


def test_tr3_a_market_of_one() -> None:
    """7.10 TR3: illegal."""
    rules = rules_for(3)
    state = at_grid(rules, "", gold=1)
    set_market(state, "2P")
    assert "trade" not in legal_texts(state, rules)
    set_market(state, "2P 9F")
    assert "trade" in legal_texts(state, rules)


def test_the_second_improvement_costs_two() -> None:
    """1.6, R108: prices 1 and 2 by number bought, kinds mixed."""
    rules = rules_for(3)
    state = at_grid(rules, "12O 12F", gold=3)
    set_market(state, "2P 9F 4O")
    choose(state, rules, "trade", "bury 2P 9F", "research", "take 1", "to hand")
    assert int(state.gold[0]) == 0


@pytest.mark.parametrize(
    ("row", "points"),
    [
        ("9P 17P", 2),
        ("6P 9P 17P", 9),
        ("6P 9P 14P 17P", 13),
        ("6P 9P 14P 16P 17P", 19),
        ("", 0),
        ("12P", 1),
        ("3P 3F 3O", 6),
        ("3P 3F 4P 4F", 7),
        ("4P 5P 12P 12F 19P", 17),
        ("1P 20P 20F 20O 20M", 25),
    ],
)
def test_row_score(row: str, points: int) -> None:
    """7.10, last line: a point a card, and the rank in the centre from three cards on (R131)."""
    assert int(scoring.row_score(rules_for(3), words(row))) == points


def test_research_needs_a_hand_card() -> None:
    """R100: with an empty hand research is illegal, trade is not."""
    rules = rules_for(3)
    state = at_grid(rules, "12O", hand="", meld="5M")
    assert "research" not in legal_texts(state, rules)
    assert "trade" in legal_texts(state, rules)
    set_meld(state, 0, "")
    set_hand(state, 0, "3P")
    assert "research" in legal_texts(state, rules)

"""Vector 7.1: the worked round of three players, Ada (seat 0), Bex (seat 1), Cy (seat 2)."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import (
    cards,
    choose,
    decision,
    fresh,
    meld_sizes,
    options,
    per_seat,
    rules_for,
    spot,
    start_round,
    supply,
    tier,
    tile,
)

ADA, BEX, CY = 0, 1, 2
HANDS = {
    ADA: "5P 6P 1P 1F 2O 3F 9M 9F 10O 11P",
    BEX: "8M 8O 1O 2P 2F 3M 4F 6O 10P 11F",
    CY: "4M 2M 3P 3O 5F 6M 7P 9O 10M 11O",
}


@pytest.fixture
def rules() -> Any:
    """The default rules for three."""
    return rules_for(3)


@pytest.fixture
def state(rules: Any) -> Any:
    """The position before the melds."""
    position = fresh(rules)
    start_round(position, rules, ADA, HANDS)
    return position


def to_map_phase(state: Any, rules: Any) -> None:
    """Melds and dues of the worked round."""
    choose(state, rules, "meld 5P 6P", "meld 8O 8M", "meld 4M", "aside 5P")


def test_before(state: Any, rules: Any) -> None:
    """7.1: reserves 19, no gold, market 14, deck 27, supply P12 F15 O15 M12."""
    assert per_seat(state, "reserve") == [19, 19, 19]
    assert per_seat(state, "gold") == [0, 0, 0]
    assert (int(state.market_count), int(state.upgrade_count)) == (14, 27)
    assert supply(state) == {"P": 12, "F": 15, "O": 15, "M": 12}


def test_melds_are_counted_face_down(state: Any, rules: Any) -> None:
    """7.1: visible counts 2, 2, 1; no card is public before the last meld (R24)."""
    choose(state, rules, "meld 5P 6P")
    assert per_seat(state, "meld_size") == [2, 0, 0]
    choose(state, rules, "meld 8O 8M")
    assert per_seat(state, "meld_size") == [2, 2, 0]
    assert meld_sizes(state) == [0, 0, 0]
    choose(state, rules, "meld 4M")
    assert per_seat(state, "hand_size") == [8, 8, 9]


def test_order_and_dues(state: Any, rules: Any) -> None:
    """7.1: no declarations; order Bex, Ada, Cy; Cy is last, Ada sets one card aside."""
    choose(state, rules, "meld 5P 6P", "meld 8O 8M", "meld 4M")
    assert per_seat(state, "order") == [BEX, ADA, CY]
    assert int(state.winner) == BEX
    assert (decision(state), int(state.seat)) == (Decision.SET_ASIDE, ADA)
    assert per_seat(state, "gold") == [0, 0, 1], "dues run clockwise from the winner: Cy before Ada"
    assert options(state, rules, "aside") == {"5P", "6P"}
    choose(state, rules, "aside 5P")
    assert per_seat(state, "gold") == [1, 0, 1]
    assert cards(state.discard[ADA]) == "5P"
    assert meld_sizes(state) == [1, 2, 1]
    assert (decision(state), int(state.seat)) == (Decision.ACT, BEX)


def test_map_turns(state: Any, rules: Any) -> None:
    """7.1: movements 2, 1, 1; settle, explore, settle, gold."""
    to_map_phase(state, rules)
    assert int(state.moves_left) == 2
    choose(state, rules, "settle 8M 1,0")
    assert int(state.reserve[BEX]) == 18
    assert tier(rules, int(state.reserve[BEX])) == (3, 14, 12)
    assert options(state, rules, "explore 8O") == {"1,-1", "1,1", "2,0"}
    choose(state, rules, "explore 8O 2,0")
    assert tile(state, "2,0") == ("O", None, 0, 0)
    assert supply(state)["O"] == 14
    choose(state, rules, "end")
    assert (int(state.seat), int(state.moves_left)) == (ADA, 1)
    choose(state, rules, "settle 6P -1,0", "end")
    assert int(state.reserve[ADA]) == 18
    assert (int(state.seat), int(state.moves_left)) == (CY, 1)
    choose(state, rules, "gold 4M")
    assert (int(state.gold[CY]), int(state.reserve[CY])) == (2, 19)


def test_end_of_round(state: Any, rules: Any) -> None:
    """7.1: the table after the round."""
    to_map_phase(state, rules)
    choose(state, rules, "settle 8M 1,0", "explore 8O 2,0", "end", "settle 6P -1,0", "end", "gold 4M", "end")
    assert per_seat(state, "hand_size") == [8, 8, 9]
    assert [cards(state.discard[seat]) for seat in (ADA, BEX, CY)] == ["5P 6P", "8O 8M", "4M"]
    assert per_seat(state, "gold") == [1, 0, 2]
    assert [tier(rules, int(state.reserve[seat]))[0] for seat in (ADA, BEX, CY)] == [3, 3, 2]
    assert per_seat(state, "recycles") == [0, 0, 0]
    assert not state.armed
    assert (int(state.round_number), int(state.leader), int(state.seat)) == (2, BEX, BEX)
    assert decision(state) == Decision.MELD
    assert {cell: (tile(state, cell)[0], spot(state, cell)) for cell in ("-1,0", "2,-1", "1,0", "0,2")} == {
        "-1,0": ("P", f"{ADA}:2/0"),
        "2,-1": ("P", f"{BEX}:1/0"),
        "1,0": ("M", f"{BEX}:1/0"),
        "0,2": ("P", f"{CY}:1/0"),
    }
    assert {cell: tile(state, cell) for cell in ("0,0", "0,1", "2,0")} == {
        "0,0": ("M", None, 0, 0),
        "0,1": ("M", None, 0, 0),
        "2,0": ("O", None, 0, 0),
    }

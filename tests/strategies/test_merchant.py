"""The merchant at a scripted table: what pays, and what a coin is for."""

from __future__ import annotations

import pytest

from tests.games.blink.positions import set_market, set_reserve, set_row, start_round
from tests.strategies.tables import advice, table, turn


def test_it_lays_many_low_cards_and_lets_others_win() -> None:
    """Rivals lay one card each: of four cards the three that follow each other go for two coins of dues."""
    state, rules = table("")
    set_reserve(state, 0, 17)  # Settlement: three cards
    start_round(state, rules, 0, {0: "3O 4O 5O 11P", 1: "9F", 2: "9M"})
    state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
    assert advice("merchant", state, rules) == "meld 3O 4O 5O"


@pytest.mark.parametrize(("gold", "sold"), [(0, True), (9, False)])
def test_it_sells_a_row_card_while_coins_are_short(gold: int, sold: bool) -> None:
    """A frontier card founds one unit but pays four coins."""
    state, rules = table("", gold=gold, hand="9P")
    set_row(state, 0, "13F")
    assert (advice("merchant", state, rules) == "cash 13F") == sold


@pytest.mark.parametrize(("market", "trades"), [("11F 10O 2P", True), ("1F 1O 2P", False)])
def test_it_trades_for_what_it_knows_to_be_better(market: str, trades: bool) -> None:
    """It knows the two cards on top of the market; its hand is low."""
    state, rules = table("", gold=9, hand="2P 3O")
    set_market(state, market)
    state.market_known[0, :3] = state.market[:3]
    assert (advice("merchant", state, rules) == "trade") == trades


def test_it_buries_the_worst_of_what_it_holds_then() -> None:
    state, rules = table("", gold=9, hand="2P 3O")
    set_market(state, "11F 10O 5P")
    state.market_known[0, :2] = state.market[:2]
    told = turn("merchant", state, rules, 2)
    assert told[0] == "trade"
    assert set(told[1].split()[1:]) == {"2P", "3O"}


def test_coins_of_the_last_round_break_ties() -> None:
    """Nothing that a coin could buy scores any more."""
    state, rules = table("6P", gold=3, hand="2P 3O")
    set_row(state, 0, "12P 13F 14F 15O 16M")
    set_reserve(state, 0, 0)
    state.armed, state.last_round = 1, 3
    assert turn("merchant", state, rules) == ["gold 6P", "end"]

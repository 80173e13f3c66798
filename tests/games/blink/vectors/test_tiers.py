"""Vectors 7.3: the tier in force at a reserve (3.1, R19 to R21)."""

from __future__ import annotations

import pytest

from tests.games.blink.positions import (
    choose,
    fresh,
    options,
    rules_for,
    set_grid,
    set_hand,
    set_reserve,
    set_upgrade,
    start_round,
    start_turn,
    tier,
)

TABLE = [
    ((20, 19), (2, 12, 10)),
    ((18, 16), (3, 14, 12)),
    ((15, 11), (4, 16, 14)),
    ((10, 6), (5, 18, 16)),
    ((5, 1, 0), (6, 20, 18)),
]
CASES = [(reserve, row) for reserves, row in TABLE for reserve in reserves]


@pytest.mark.parametrize(("reserve", "row"), CASES)
def test_tier_row(reserve: int, row: tuple[int, int, int]) -> None:
    """7.3: meld limit, rank cap and wall at a reserve."""
    assert tier(rules_for(3), reserve) == row


@pytest.mark.parametrize(("reserve", "row"), CASES)
def test_meld_limit_is_used(reserve: int, row: tuple[int, int, int]) -> None:
    """3.1: the largest meld a leader may lay from a hand of one long run is the tier's limit."""
    rules = rules_for(2)
    state = fresh(rules)
    set_reserve(state, 0, reserve)
    start_round(state, rules, 0, {0: "1P 2P 3P 4P 5P 6P 7P 8P", 1: "20M"})
    assert max(len(meld.split()) for meld in options(state, rules, "meld")) == row[0]


@pytest.mark.parametrize(("reserve", "row"), CASES)
def test_rank_cap_is_used(reserve: int, row: tuple[int, int, int]) -> None:
    """3.10: research may take exactly the top cards up to the cap."""
    rules = rules_for(2)
    state = fresh(rules)
    set_reserve(state, 0, reserve)
    set_hand(state, 0, "3P 7O")
    set_grid(state, "12P", "13F", "14O", "15M", "16P", "17F", "18O", "19M", "20P")
    set_upgrade(state, "")
    state.gold[0] = 1
    start_turn(state, rules, 0)
    choose(state, rules, "research")
    assert options(state, rules, "take") == {str(slot) for slot in range(1, row[1] - 12 + 2)}

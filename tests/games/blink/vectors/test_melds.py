"""Vectors 7.2: which sets of cards are legal melds (3.2, R23)."""

from __future__ import annotations

import pytest

from tests.games.blink.positions import fresh, options, rules_for, set_reserve, start_round, suited

RESERVE_FOR_LIMIT = {2: 20, 3: 18, 4: 15, 6: 5}

TABLE = [
    (2, [5, 6], True),
    (2, [8, 8], True),
    (2, [4], True),
    (2, [5, 7], False),
    (2, [5, 6, 7], False),
    (3, [5, 5, 6], True),
    (3, [9, 10, 12], False),
    (3, [1, 11], False),
    (4, [5, 6, 6, 7], True),
    (4, [4, 4, 6, 6], False),
    (4, [8, 8, 8, 8], True),
    (6, [1, 2, 2, 3, 3, 4], True),
    (6, [11, 12, 13], True),
]


@pytest.mark.parametrize(("limit", "ranks", "expected"), TABLE)
def test_meld(limit: int, ranks: list[int], expected: bool) -> None:
    """7.2: a non-empty set within the limit whose distinct ranks have no gap."""
    rules = rules_for(2)
    state = fresh(rules)
    hand = suited(ranks, set())
    set_reserve(state, 0, RESERVE_FOR_LIMIT[limit])
    start_round(state, rules, 0, {0: hand, 1: "20M"})
    assert (hand in options(state, rules, "meld")) is expected


def test_every_meld_of_a_hand_is_listed_once() -> None:
    """3.2: hand 5P 5O 6F 8M at limit 3: four singles, 5+5, two of 5+6, and 5+5+6."""
    rules = rules_for(2)
    state = fresh(rules)
    set_reserve(state, 0, 18)
    start_round(state, rules, 0, {0: "5P 5O 6F 8M", 1: "20M"})
    assert options(state, rules, "meld") == {"5P", "5O", "6F", "8M", "5P 5O", "5P 6F", "5O 6F", "5P 5O 6F"}

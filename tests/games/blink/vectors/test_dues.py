"""Vectors 7.5: last-place coin and cards set aside (3.4, R34 to R38)."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import (
    choose,
    decision,
    fresh,
    legal_texts,
    meld_sizes,
    per_seat,
    rules_for,
    set_reserve,
    start_round,
    suited,
)

# id, melds by seat that give the sizes and the order of the table, order, kept, gold from dues
TABLE = [
    ("DU1", [[7, 8], [9, 10], [4]], [1, 0, 2], [1, 2, 1], [1, 0, 1]),
    ("DU2", [[20], [8, 8], [4, 4, 5]], [0, 1, 2], [1, 0, 0], [0, 2, 4]),
    ("DU3", [[9, 9, 9, 9], [8, 8, 8, 8], [7, 7, 7], [6]], [0, 1, 2, 3], [4, 3, 3, 1], [0, 1, 0, 1]),
    ("DU4", [[20, 20], [2, 3, 4, 5, 6]], [0, 1], [2, 1], [0, 5]),
    ("DU5", [[9, 9], [8, 8]], [0, 1], [2, 1], [0, 2]),
    ("DU6", [[12, 12, 13], [3, 3, 4], [20, 20], [5, 5, 6, 6]], [2, 0, 3, 1], [1, 1, 2, 1], [2, 3, 0, 3]),
    ("DU7", [[5], [6], [7]], [2, 1, 0], [0, 0, 1], [2, 1, 0]),
    ("DU8", [[9, 10], [5]], [0, 1], [2, 1], [0, 1]),
]


def pay_dues(rules: Any, melds: list[list[int]]) -> Any:
    """Lay the melds, seat 0 leading, and set aside the lowest card whenever one is due."""
    state = fresh(rules)
    taken = {"1P", "1F", "1O", "1M"}
    laid = [suited(ranks, taken) for ranks in melds]
    for seat in range(len(melds)):
        set_reserve(state, seat, 5)
    start_round(state, rules, 0, {seat: f"{laid[seat]} 1{'PFOM'[seat]}" for seat in range(len(melds))})
    choose(state, rules, *(f"meld {cards}" for cards in laid))
    while decision(state) == Decision.SET_ASIDE:
        choose(state, rules, legal_texts(state, rules)[0])
    return state


@pytest.mark.parametrize(("melds", "order", "kept", "gold"), [c[1:] for c in TABLE], ids=[c[0] for c in TABLE])
def test_dues(melds: list[list[int]], order: list[int], kept: list[int], gold: list[int]) -> None:
    """7.5: how many cards stay in front of each seat, and the coins paid."""
    state = pay_dues(rules_for(len(melds)), melds)
    assert per_seat(state, "order") == order
    assert meld_sizes(state) == kept
    assert per_seat(state, "gold") == gold
    assert int(state.moves_left) == kept[order[0]], "movements are the cards left after dues"


def test_a_loser_may_keep_one() -> None:
    """7.5: DU2 with set_aside_min_kept = 1."""
    state = pay_dues(rules_for(3, {"trick.set_aside_min_kept": 1}), TABLE[1][1])
    assert meld_sizes(state) == [1, 1, 1]
    assert per_seat(state, "gold") == [0, 1, 3]

"""Vectors 7.4: totals and the order of the trick (3.3, R25 to R33)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.blink.positions import (
    choose,
    fresh,
    per_seat,
    rules_for,
    set_meld,
    set_reserve,
    set_row,
    start_round,
    suited,
)

TIE_WINNERS = {"trick.a_rank_scope": "tie_winners"}
BOOKLET_CHAIN = {
    "trick.tie_chain": ["cards", "a_wins_ties", "a_rank", "highest_rank", "laid_earlier"],
    "trick.a_rank_scope": "tie_winners",
}
Melds = list[list[int]]

# id, melds by seat, rank of the card declared for A by seat, leader, totals, order
DEFAULT = [
    ("T1", [[5, 6], [8, 8], [4]], {}, 0, [11, 16, 4], [1, 0, 2]),
    ("T2", [[11], [5, 6]], {}, 0, [11, 11], [1, 0]),
    ("T3", [[8, 8], [5, 5]], {1: 6}, 0, [16, 16], [1, 0]),
    ("T4", [[5, 6, 7], [5, 6]], {1: 7}, 1, [18, 18], [0, 1]),
    ("T5", [[9], [8]], {0: 7, 1: 8}, 0, [16, 16], [1, 0]),
    ("T6", [[10], [4]], {0: 6, 1: 12}, 1, [16, 16], [0, 1]),
    ("T7", [[13], [4]], {0: 3, 1: 12}, 0, [16, 16], [1, 0]),
    ("T8", [[8], [11]], {0: 3}, 1, [11, 11], [0, 1]),
    ("T9", [[6, 6, 6], [5, 6, 7]], {}, 0, [18, 18], [1, 0]),
    ("T10", [[6, 6, 6, 7], [5, 6, 7, 7]], {}, 0, [25, 25], [1, 0]),
    ("T11", [[8, 8], [8, 8], [3]], {}, 1, [16, 16, 3], [1, 0, 2]),
    ("T12", [[9, 10]] * 4, {}, 2, [19] * 4, [2, 3, 0, 1]),
    ("T13", [[11], [5, 5], [3, 4], [2]], {3: 17}, 3, [11, 10, 7, 19], [3, 0, 1, 2]),
    ("T14", [[5], [6], [7]], {0: 16, 1: 15, 2: 14}, 0, [21] * 3, [0, 1, 2]),
    ("T15", [[7], [7]], {0: 9, 1: 9}, 1, [16, 16], [1, 0]),
]
VARIANTS = [
    ("T7", TIE_WINNERS, [0, 1]),
    ("T8", TIE_WINNERS, [1, 0]),
    ("T10", BOOKLET_CHAIN, [0, 1]),
    ("T14", TIE_WINNERS, [0, 2, 1]),
]


def play_trick(rules: Any, melds: Melds, declared: dict[int, int], leader: int) -> Any:
    """Lay the melds from the leader on, declare, and stop where the engine stops: at dues or at the first map turn."""
    state = fresh(rules)
    players, taken = len(melds), {"1P", "1F", "1O", "1M"}
    laid = [suited(ranks, taken) for ranks in melds]
    spent = {seat: suited([rank], taken) for seat, rank in declared.items()}
    for seat in range(players):
        set_reserve(state, seat, 5)  # Civilization: melds up to six cards
        set_row(state, seat, spent.get(seat, ""))
    start_round(state, rules, leader, {seat: f"{laid[seat]} 1{'PFOM'[seat]}" for seat in range(players)})
    seats = [(leader + i) % players for i in range(players)]
    choose(state, rules, *(f"meld {laid[seat]}" for seat in seats))
    choose(state, rules, *(f"declare {spent[seat]}" for seat in seats if seat in spent))
    return state


@pytest.mark.parametrize(
    ("melds", "declared", "leader", "totals", "order"), [c[1:] for c in DEFAULT], ids=[c[0] for c in DEFAULT]
)
def test_order(melds: Melds, declared: dict[int, int], leader: int, totals: list[int], order: list[int]) -> None:
    """7.4: the order of places under the default chain."""
    state = play_trick(rules_for(len(melds)), melds, declared, leader)
    assert per_seat(state, "order") == order
    assert int(state.winner) == order[0]


@pytest.mark.parametrize(
    ("melds", "declared", "leader", "totals", "order"), [c[1:] for c in DEFAULT], ids=[c[0] for c in DEFAULT]
)
def test_totals(melds: Melds, declared: dict[int, int], leader: int, totals: list[int], order: list[int]) -> None:
    """7.4: a total is the ranks of the meld and of the card declared for A."""
    from blinksim.games.blink import trick

    rules = rules_for(len(melds))
    state = fresh(rules)
    taken: set[str] = set()
    for seat, ranks in enumerate(melds):
        set_meld(state, seat, suited(ranks, taken))
        state.declared[seat] = 4 * declared.get(seat, 0)
    assert [int(trick.trick_total(state, rules, seat)) for seat in range(len(melds))] == totals


@pytest.mark.parametrize(("case", "changes", "order"), VARIANTS, ids=[c[0] for c in VARIANTS])
def test_variant(case: str, changes: dict[str, Any], order: list[int]) -> None:
    """7.4, last column: the same tricks under the booklet's readings (R29, R31)."""
    _, melds, declared, leader, _, default = next(row for row in DEFAULT if row[0] == case)
    assert per_seat(play_trick(rules_for(len(melds), changes), melds, declared, leader), "order") == order != default


@pytest.mark.parametrize("case", [c[0] for c in DEFAULT if c[0] not in {v[0] for v in VARIANTS}])
def test_no_variant(case: str) -> None:
    """7.4: where the last column is empty the booklet's chain gives the same order."""
    _, melds, declared, leader, _, order = next(row for row in DEFAULT if row[0] == case)
    assert per_seat(play_trick(rules_for(len(melds), BOOKLET_CHAIN), melds, declared, leader), "order") == order


def test_declared_cards_leave_in_declaration_order() -> None:
    """3.3: declared cards go to the market bottom win or lose, in the order declared: here the leader is seat 1."""
    state = play_trick(rules_for(3), [[5], [6], [9]], {0: 2, 1: 3}, 1)
    bottom = [int(card) >> 2 for card in state.market[: int(state.market_count)]][-2:]
    assert bottom == [3, 2]
    assert per_seat(state, "order") == [1, 2, 0], "9 with an A before 9 without"

"""A small map and ways to change it, for the tests of single choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.games.blink.positions import (
    add_tile,
    add_units,
    fresh,
    rules_for,
    set_grid,
    set_hand,
    set_market,
    set_meld,
    set_reserve,
    set_row,
    set_upgrade,
    start_turn,
)

Changes = dict[str, Any]
Prepare = Callable[[Any, Any], None]


def island(changes: Changes | None = None) -> tuple[Any, Any]:
    """Map G of section 7.8 with a Forest and a Plains beyond, two players, seat 0 in its turn with 5P 5F 5O 5M.

    Seat 0: P(-1,0) 2/1, M(0,0) 1/0, O(0,-1) 1/0. Seat 1: P(2,0) 1/0.
    """
    rules = rules_for(2, changes)
    state = fresh(rules, start_map=False)
    for q, r, terrain in [
        (0, 0, "M"),
        (1, 0, "M"),
        (-1, 0, "P"),
        (2, 0, "P"),
        (0, -1, "O"),
        (1, -1, "O"),
        (2, -1, "O"),
    ]:
        add_tile(state, rules, q, r, terrain)
    add_tile(state, rules, -1, 1, "F")
    add_units(state, rules, -1, 0, 0, 2, 1)
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 0, -1, 0, 1)
    add_units(state, rules, 2, 0, 1, 1)
    for seat, reserve in ((0, 16), (1, 19)):
        set_reserve(state, seat, reserve)
        set_hand(state, seat, "3P 3F 7O")
        state.gold[seat] = 3
    start_turn(state, rules, 0, "5P 5F 5O 5M")
    return state, rules


def set_all(**fields: int) -> Prepare:
    """Set some fields of the state."""

    def prepare(state: Any, rules: Any) -> None:
        for name, value in fields.items():
            state[name] = value

    return prepare


def row(cards: str, **by_seat: int) -> Prepare:
    """Give seat 0 a victory row, and set some fields of it."""

    def prepare(state: Any, rules: Any) -> None:
        set_row(state, 0, cards)
        for name, value in by_seat.items():
            state[name][0] = value

    return prepare


def do(*steps: Prepare) -> Prepare:
    """Several preparations in order."""

    def prepare(state: Any, rules: Any) -> None:
        for step in steps:
            step(state, rules)

    return prepare


def fill_plains(state: Any, rules: Any) -> None:
    """P(-1,0) becomes 3/1."""
    add_units(state, rules, -1, 0, 0, 1, 1)


def wipe_out(state: Any, rules: Any) -> None:
    """Seat 0 has no unit on the map."""
    for tile in range(int(state.num_tiles)):
        if int(state.own[0]) >> tile & 1:
            state.units[tile] = state.coins[tile] = 0
            state.with_room |= np.uint64(1 << tile)
    state.own[0] = 0
    set_reserve(state, 0, 20)


def rival_ship(state: Any, rules: Any) -> None:
    """Seat 1 on O(1,-1)."""
    add_units(state, rules, 1, -1, 1, 1)


def own_ship(state: Any, rules: Any) -> None:
    """Seat 0 on O(1,-1) as well."""
    add_units(state, rules, 1, -1, 0, 1)


def supply(terrain: int, count: int) -> Prepare:
    """Set the supply of one terrain."""

    def prepare(state: Any, rules: Any) -> None:
        state.supply[terrain] = count

    return prepare


def gold(amount: int) -> Prepare:
    """Set seat 0's gold."""

    def prepare(state: Any, rules: Any) -> None:
        state.gold[0] = amount

    return prepare


def deck(cards: str, *grid: str) -> Prepare:
    """Set the upgrade deck and the grid."""

    def prepare(state: Any, rules: Any) -> None:
        set_upgrade(state, cards)
        set_grid(state, *grid)

    return prepare


def nothing(state: Any, rules: Any) -> None:
    """The island as it is."""


def hand(cards: str) -> Prepare:
    """Set seat 0's hand."""
    return lambda state, rules: set_hand(state, 0, cards)


def meld(cards: str) -> Prepare:
    """Set seat 0's meld."""
    return lambda state, rules: set_meld(state, 0, cards)


def market(cards: str) -> Prepare:
    """Set the market."""
    return lambda state, rules: set_market(state, cards)


def reserve(units: int) -> Prepare:
    """Set seat 0's reserve."""
    return lambda state, rules: set_reserve(state, 0, units)

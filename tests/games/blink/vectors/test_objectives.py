"""Vectors 7.13: arrangements of objectives (section 5, R122 to R126)."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink import objectives
from blinksim.games.hexmap import NEIGHBOUR_STEPS, pack_cell, unpack_cell
from tests.games.blink.positions import add_tile, fresh, rules_for

Tiles = list[tuple[str, int, int]]
J1: Tiles = [("M", 0, 0), ("M", 1, 0), ("O", 0, 1), ("O", 1, -1)]
STRAIGHT: Tiles = [("M", 0, 0), ("O", 1, 0), ("M", 2, 0)]
AROUND = [unpack_cell(pack_cell(1, 0) + int(step)) for step in NEIGHBOUR_STEPS]

TABLE: list[tuple[str, Tiles, dict[str, int]]] = [
    ("J1", J1, {"ocean_mountain": 2, "mountain_ocean": 2}),
    ("J2", [t for t in J1 if t != ("O", 0, 1)], {"ocean_mountain": 1, "mountain_ocean": 0}),
    ("J3", [t for t in J1 if t != ("M", 1, 0)], {"ocean_mountain": 0, "mountain_ocean": 1}),
    ("J4-straight", STRAIGHT, {"ocean_mountain": 1}),
    ("J4-bend", [("M", 0, 0), ("O", 1, 0), ("M", 1, 1)], {"ocean_mountain": 1}),
    ("J4-ends-adjacent", [("M", 0, 0), ("O", 1, 0), ("M", 0, 1)], {"ocean_mountain": 1}),
    ("J5", [("O", 1, 0), *(("M", q, r) for q, r in AROUND)], {"ocean_mountain": 1, "mountain_ocean": 0}),
    (
        "J6",
        [("F", 0, 0), ("P", 1, 0), ("F", 2, 0), ("P", 3, 0), ("F", 4, 0)],
        {"plains_forest": 2, "forest_plains": 1},
    ),
]


def count(state: Any, seat: int, name: str) -> int:
    """Arrangements of an objective."""
    return int(objectives.count_arrangements(state, seat, objectives.parse_objective(name)))


@pytest.mark.parametrize(("tiles", "expected"), [c[1:] for c in TABLE], ids=[c[0] for c in TABLE])
def test_arrangements(tiles: Tiles, expected: dict[str, int]) -> None:
    """7.13 J1 to J6: middles with at least two own ends beside them."""
    rules = rules_for(2)
    state = fresh(rules, start_map=False)
    for terrain, q, r in tiles:
        add_tile(state, rules, q, r, terrain, 0, 1)
    assert {name: count(state, 0, name) for name in expected} == expected


@pytest.mark.parametrize("owner", [None, 1])
@pytest.mark.parametrize("end", [0, 2])
def test_j7_empty_and_rival_ends(owner: int | None, end: int) -> None:
    """7.13 J7: an unoccupied or rival end does not count (R126)."""
    rules = rules_for(2)
    state = fresh(rules, start_map=False)
    for i, (terrain, q, r) in enumerate(STRAIGHT):
        seat = owner if i == end else 0
        add_tile(state, rules, q, r, terrain, seat, 0 if seat is None else 1)
    assert count(state, 0, "ocean_mountain") == 0


def test_the_twelve() -> None:
    """Section 5: every ordered pair of different terrains, in the order of its table."""
    words = ("plains", "forest", "ocean", "mountain")
    names = [f"{middle}_{end}" for middle in words for end in words if middle != end]
    assert list(objectives.THE_TWELVE) == names
    assert [objectives.objective_text(objectives.parse_objective(name)) for name in names] == names

"""Hexes: cells and their text, packed numbers, neighbours and distances (rules, "Notation")."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blinksim.games.hexmap import (
    MAX_START_COORDINATE,
    NEIGHBOUR_STEPS,
    cell_distance,
    cell_text,
    pack_cell,
    parse_cell,
    unpack_cell,
)
from tests.games.blink.plans import bounded

COORDINATE = st.integers(-127, 127)
NEAR = st.integers(-63, 63)
NEIGHBOURS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


@given(COORDINATE, COORDINATE)
@bounded(100)
def test_cells_lead_back(q: int, r: int) -> None:
    cell = pack_cell(q, r)
    assert 0 <= cell < 2**16
    assert unpack_cell(cell) == (q, r)
    assert cell_text(cell) == f"{q},{r}"
    assert parse_cell(f"{q},{r}") == cell


def test_texts() -> None:
    assert cell_text(pack_cell(-1, 2)) == "-1,2"
    assert parse_cell("0,0") == pack_cell(0, 0)


@pytest.mark.parametrize(
    "text", ["", "1", "1,", ",1", "1,2,3", "1, 2", " 1,2", "1,2 ", "a,b", "1.0,2", "128,0", "0,-128", "+1,2"]
)
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"is not a cell: a cell is two whole numbers within 127 of 0, such as -1,2"
    ) as error:
        parse_cell(text)
    assert f'"{text}"' in str(error.value)


@given(st.integers(-126, 126), st.integers(-126, 126))
@bounded(60)
def test_a_neighbour_is_one_addition_away(q: int, r: int) -> None:
    """In the order of the rules' notation."""
    found = [unpack_cell(pack_cell(q, r) + int(step)) for step in NEIGHBOUR_STEPS]
    assert found == [(q + dq, r + dr) for dq, dr in NEIGHBOURS]
    assert all(cell_distance(pack_cell(q, r), pack_cell(*cell)) == 1 for cell in found)


@given(NEAR, NEAR, NEAR, NEAR)
@bounded(100)
def test_distance(q: int, r: int, q2: int, r2: int) -> None:
    """Section 0: max(|dq|, |dr|, |dq + dr|), the same both ways."""
    a, b = pack_cell(q, r), pack_cell(q2, r2)
    dq, dr = q - q2, r - r2
    assert cell_distance(a, b) == cell_distance(b, a) == max(abs(dq), abs(dr), abs(dq + dr))
    assert (cell_distance(a, b) == 0) == (a == b)


def test_distance_is_the_length_of_the_shortest_walk() -> None:
    """Rings walked from the origin, neighbour by neighbour."""
    reached = {(0, 0): 0}
    ring = [(0, 0)]
    for steps in range(1, 7):
        ring = [
            cell
            for cell in dict.fromkeys((q + dq, r + dr) for q, r in ring for dq, dr in NEIGHBOURS)
            if cell not in reached
        ]
        assert len(ring) == 6 * steps
        reached.update(dict.fromkeys(ring, steps))
    for (q, r), steps in reached.items():
        assert cell_distance(pack_cell(0, 0), pack_cell(q, r)) == steps


def test_no_map_leaves_the_range() -> None:
    """64 connected tiles and a ring of spaces from a starting map stay inside the packed range."""
    assert MAX_START_COORDINATE + 64 + 2 <= 127

"""Hexes: axial cells and their text, packed numbers, neighbours and distances (rules, "Notation").

A cell ``(q, r)`` is packed as ``(q + 128) * 256 + (r + 128)``, so that a neighbour is one addition away. Tiles are
connected and at most 64, and starting maps lie within 31 of the origin, so no cell ever leaves the range.
"""

from __future__ import annotations

import re

import numpy as np

from blinksim.jit import kernel

MAX_START_COORDINATE = 31
NEIGHBOUR_STEPS = np.array([256, 1, -255, -256, -1, 255], dtype=np.int64)
"""Packed steps to (+1,0) (0,+1) (-1,+1) (-1,0) (0,-1) (+1,-1)."""

_TEXT = re.compile(r"(-?\d{1,3}),(-?\d{1,3})")


def pack_cell(q: int, r: int) -> int:
    """The packed number of a cell."""
    return (q + 128) * 256 + (r + 128)


def unpack_cell(cell: int) -> tuple[int, int]:
    """The axial coordinates of a packed cell."""
    return (int(cell) >> 8) - 128, (int(cell) & 255) - 128


def cell_text(cell: int) -> str:
    """A packed cell as text, such as ``-1,2``."""
    q, r = unpack_cell(cell)
    return f"{q},{r}"


def parse_cell(text: str) -> int:
    """A packed cell from its text.

    Raises:
        ValueError: the text is not two whole numbers with a comma between, or they are beyond 127.
    """
    match = _TEXT.fullmatch(text)
    if match is None or max(abs(int(match[1])), abs(int(match[2]))) > 127:
        raise ValueError(f'"{text}" is not a cell: a cell is two whole numbers within 127 of 0, such as -1,2')
    return pack_cell(int(match[1]), int(match[2]))


@kernel
def cell_distance(a: int, b: int) -> int:
    """Hex distance of two packed cells: max(|dq|, |dr|, |dq + dr|)."""
    dq = (a >> 8) - (b >> 8)
    dr = (a & 255) - (b & 255)
    return max(abs(dq), max(abs(dr), abs(dq + dr)))

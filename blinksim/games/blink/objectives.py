"""Objectives: patterns of own tiles (section 5).

A pattern names a middle terrain and two ends. Its code is ``middle * 16 + end * 4 + end`` with the smaller end first;
its text ``middle_ends`` for two ends of one terrain, ``middle_end_end`` for two different ones.
"""

from __future__ import annotations

import numpy as np

from blinksim.jit import drop_lowest, kernel, lowest, popcount

TERRAIN_WORDS = ("plains", "forest", "ocean", "mountain")
THE_TWELVE = tuple(f"{middle}_{end}" for middle in TERRAIN_WORDS for end in TERRAIN_WORDS if end != middle)
"""The objective deck of the rulebook (section 5), in the order of its numbers."""


def objective_text(code: int) -> str:
    """An objective's id, such as ``ocean_mountain``."""
    middle, first, second = int(code) >> 4, int(code) >> 2 & 3, int(code) & 3
    ends = [TERRAIN_WORDS[first]] + ([TERRAIN_WORDS[second]] if second != first else [])
    return "_".join([TERRAIN_WORDS[middle], *ends])


def parse_objective(text: str) -> int:
    """An objective's code from its id.

    Raises:
        ValueError: not two or three terrain words joined by ``_``, or three with equal ends.
    """
    words = text.split("_")
    known = all(word in TERRAIN_WORDS for word in words)
    if len(words) not in (2, 3) or not known or (len(words) == 3 and words[1] == words[2]):
        raise ValueError(
            f'"{text}" is not an objective: it is a middle terrain and its ends, such as ocean_mountain or '
            f"ocean_forest_mountain; terrains are {', '.join(TERRAIN_WORDS)}"
        )
    middle, *ends = (TERRAIN_WORDS.index(word) for word in words)
    return middle * 16 + min(ends) * 4 + max(ends)


@kernel
def count_arrangements(state: np.recarray, seat: int, objective: int) -> int:
    """How many arrangements of a pattern a seat's tiles form now (section 5, "Counting"; R123, R124, R126)."""
    own = state.own[seat]
    first_end = objective >> 2 & 3
    second_end = objective & 3
    firsts = own & state.of_terrain[first_end]
    seconds = own & state.of_terrain[second_end]
    middles = own & state.of_terrain[objective >> 4]
    count = 0
    while middles != np.uint64(0):
        around = state.neighbours[lowest(middles)]
        middles = drop_lowest(middles)
        if first_end == second_end:
            if popcount(around & firsts) >= 2:
                count += 1
        elif (around & firsts) != np.uint64(0) and (around & seconds) != np.uint64(0):
            count += 1
    return count


@kernel
def num_held(state: np.recarray, seat: int) -> int:
    """How many of a seat's objectives have at least one arrangement now (section 3.9, R92, R125)."""
    held = 0
    for i in range(state.num_objectives[seat]):
        if count_arrangements(state, seat, state.objectives[seat, i]) > 0:
            held += 1
    return held

"""Tiers, the victory row and the final score (sections 3.1 and 3.13)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import TieBreak
from blinksim.games.blink.objectives import count_arrangements
from blinksim.games.cards import next_card, num_cards
from blinksim.jit import kernel

UNITS = 0
ROW = 1
OBJECTIVES = 2
TOTAL = 3


@kernel
def tier(state: np.recarray, rules: np.recarray, seat: int) -> int:
    """The current tier of a seat, from 0; the reserve alone decides it (section 3.1, R19, R20)."""
    return rules.tier_of[state.reserve[seat]]


@kernel
def wall_value(state: np.recarray, rules: np.recarray, seat: int) -> int:
    """What a wall of a seat is worth at this moment (R20, R63)."""
    return rules.tier_wall[tier(state, rules, seat)]


@kernel
def unit_score(state: np.recarray, rules: np.recarray, seat: int) -> int:
    """Points for a seat's units on the map (section 3.13)."""
    return (rules.total_units - state.reserve[seat]) * rules.points_per_unit


@kernel
def row_score(rules: np.recarray, row: np.ndarray) -> int:
    """Points of a victory row: its cards, and the rank of the card in the centre (section 3.13, R131; K3)."""
    n = num_cards(row)
    points = n * rules.points_per_card
    half = (rules.slots + 1) // 2
    if rules.centre_scores != 0 and n >= rules.centre_min_cards and n >= half:
        card = -1
        for _ in range(n - half + 1):
            card = next_card(row, card)
        points += card >> 2
    return points


@kernel
def score(state: np.recarray, rules: np.recarray, seat: int, out: np.ndarray) -> None:
    """The score of a seat if the game ended now (section 3.13).

    Args:
        out: (4,) int64, overwritten: points for units on the map, row, objectives, and their total.
    """
    out[UNITS] = unit_score(state, rules, seat)
    out[ROW] = row_score(rules, state.row[seat])
    arrangements = 0
    for i in range(state.num_objectives[seat]):
        arrangements += count_arrangements(state, seat, state.objectives[seat, i])
    out[OBJECTIVES] = arrangements * rules.objective_points
    out[TOTAL] = out[UNITS] + out[ROW] + out[OBJECTIVES]


@kernel
def tie_break_value(state: np.recarray, rules: np.recarray, seat: int, step: int, points: np.ndarray) -> int:
    """What a seat sets against an equal total at one step of ``score.tie_breaks`` (R130; K14)."""
    which = rules.tie_breaks[step]
    if which == TieBreak.GOLD:
        return state.gold[seat]
    if which == TieBreak.UNITS:
        return points[UNITS]
    if which == TieBreak.ROW:
        return points[ROW]
    return points[OBJECTIVES]


@kernel
def is_ahead(state: np.recarray, rules: np.recarray, seat: int, other: int) -> int:
    """Compare two final results: 1 where ``seat`` is ahead, -1 where behind, 0 where they share (section 3.13)."""
    mine = np.zeros(4, np.int64)
    theirs = np.zeros(4, np.int64)
    score(state, rules, seat, mine)
    score(state, rules, other, theirs)
    if mine[TOTAL] != theirs[TOTAL]:
        return 1 if mine[TOTAL] > theirs[TOTAL] else -1
    for step in range(rules.num_tie_breaks):
        a = tie_break_value(state, rules, seat, step, mine)
        b = tie_break_value(state, rules, other, step, theirs)
        if a != b:
            return 1 if a > b else -1
    return 0


@kernel
def is_winner(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether nobody is ahead of a seat; several such seats share the victory."""
    for other in range(state.players):
        if other != seat and is_ahead(state, rules, seat, other) < 0:
            return False
    return True

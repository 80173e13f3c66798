"""What a seat may know, and its inverse (sections 2.1, R134 and R135).

:func:`observe` copies the public part of a state and what the seat alone knows. :func:`imagine` goes the other way: it
fills a state that agrees with an observation and deals everything unseen at random, for searchers to think with.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import MAX_OBJECTIVES, MAX_SEATS
from blinksim.games.blink.state import PUBLIC_BYTES
from blinksim.games.cards import MAX_CARDS
from blinksim.jit import copy_fields, kernel


@kernel
def observe(state: np.recarray, rules: np.recarray, seat: int, view: np.recarray) -> None:
    """Fill a seat's observation.

    Args:
        state: Game in progress; read only.
        rules: The ruleset.
        seat: Who looks.
        view: Overwritten.
    """
    copy_fields(view, state, PUBLIC_BYTES)
    view.me = seat
    for w in range(2):
        view.hand[w] = state.hand[seat, w]
        view.laid[w] = state.laid[seat, w]
    view.num_objectives = state.num_objectives[seat]
    for i in range(MAX_OBJECTIVES):
        view.objectives[i] = state.objectives[seat, i] if i < state.num_objectives[seat] else 0
    if rules.memory != 0:
        recall(state, seat, view)
    else:
        forget(view)


@kernel
def recall(state: np.recarray, seat: int, view: np.recarray) -> None:
    """What a seat remembers beside the public part (R135)."""
    for w in range(2):
        view.passed[w] = state.passed[seat, w]
    for rival in range(MAX_SEATS):
        view.unsure[rival] = state.unsure[seat, rival]
        for w in range(2):
            view.seen_hand[rival, w] = state.seen_hand[seat, rival, w]
    for i in range(MAX_CARDS):
        view.market_known[i] = state.market_known[seat, i]


@kernel
def forget(view: np.recarray) -> None:
    """``observation.memory = "state_only"``: nothing but what lies open now (R135)."""
    for w in range(2):
        view.passed[w] = 0
        view.deck[w] = 0
    for rival in range(MAX_SEATS):
        view.unsure[rival] = 0
        view.public_unsure[rival] = 0
        view.last_income[rival] = -1
        view.recycles[rival] = 0
        for w in range(2):
            view.seen_hand[rival, w] = 0
            view.public_seen[rival, w] = 0
            view.fresh_seen[rival, w] = 0
    for i in range(MAX_CARDS):
        view.market_known[i] = 0
        view.public_market[i] = 0
        view.under[i] = 0

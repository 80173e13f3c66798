"""Melds and passes: which sets of hand cards may be laid or passed (sections 2.2 and 3.2)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import positions_action
from blinksim.games.blink.enums import Kind
from blinksim.games.cards import MAX_RANK, num_cards, suits_of_rank
from blinksim.jit import kernel, popcount


@kernel
def list_melds(hand: np.ndarray, limit: int, actions: np.ndarray, n: int) -> int:
    """List the legal melds: at most ``limit`` cards whose ranks leave no gap (section 3.2, R23).

    Grows runs rank by rank: a meld that ends on a rank is some of that rank's cards alone, or added to a meld that
    ends on the rank below. Each legal meld is made exactly once and nothing else is tried but what is too large.

    Args:
        hand: (2,) uint64, the cards held.
        limit: Meld limit of the current tier.
        actions: Filled from entry ``n`` on.

    Returns:
        How many entries of ``actions`` are filled.
    """
    below_start = n
    below_end = n
    position = 0  # hand cards of lower ranks
    for rank in range(1, MAX_RANK + 1):
        held = popcount(np.uint64(suits_of_rank(hand, rank)))
        if held == 0:
            below_start = n
            below_end = n
            continue
        here = n
        for some in range(1, 1 << held):
            size = popcount(np.uint64(some))
            if size > limit:
                continue
            positions = some << position
            actions[n] = positions_action(Kind.MELD.value, positions)
            n += 1
            for i in range(below_start, below_end):
                below = actions[i] >> 5
                if size + popcount(np.uint64(below)) <= limit:
                    actions[n] = positions_action(Kind.MELD.value, below | positions)
                    n += 1
        below_start = here
        below_end = n
        position += held
    return n


@kernel
def list_passes(hand: np.ndarray, count: int, actions: np.ndarray, n: int) -> int:
    """List every set of exactly ``count`` hand cards, as in the draft (D02; R8: all cards are eligible).

    Args:
        hand: (2,) uint64, the cards held; at least ``count``.
        count: Cards to pass, at least 1.
        actions: Filled from entry ``n`` on.

    Returns:
        How many entries of ``actions`` are filled.
    """
    end = 1 << num_cards(hand)
    positions = (1 << count) - 1
    while positions < end:
        actions[n] = positions_action(Kind.PASS.value, positions)
        n += 1
        # the next larger number with as many bits: move the lowest run's top bit up, the rest to the bottom
        low = positions & -positions
        carried = positions + low
        positions = carried | ((positions ^ carried) // low >> 2)
    return n

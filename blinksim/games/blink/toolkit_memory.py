"""How much a player remembers of the cards that it has seen in other hands.

A view holds all that its seat may know (R135), more than people keep in mind. A strategy with a parameter ``memory``
calls :func:`recall` on the view it was given before it asks anything else; every question about rivals (who can answer
an attack, who threatens a tile, which total to expect in the trick) is then answered from what is left.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.cards import MAX_CARDS, num_cards
from blinksim.jit import kernel

PERFECT = 2
"""All cards seen in rivals' hands, and known places in the market."""
THIS_CYCLE = 1
"""Only cards that a rival took openly since its last recycle, or since the start; nothing of the market."""
NONE = 0
"""Nothing but what lies open."""


@kernel
def recall(view: np.recarray, memory: float) -> None:
    """Forget what a player of this memory does not remember; with a perfect one nothing happens.

    What is left is still true: of the cards remembered at most ``unsure`` have gone.

    Args:
        view: The strategy's own copy, which the game fills anew for every decision; changed.
        memory: ``PERFECT``, ``THIS_CYCLE`` or ``NONE``; what lies between counts as the nearest.
    """
    if memory >= 1.5:
        return
    for rival in range(view.players):
        for w in range(2):
            kept = view.fresh_seen[rival, w] if memory >= 0.5 else np.uint64(0)
            view.fresh_seen[rival, w] = kept
            view.seen_hand[rival, w] &= kept
            view.public_seen[rival, w] &= kept
        view.unsure[rival] = min(view.unsure[rival], num_cards(view.seen_hand[rival]))
        view.public_unsure[rival] = min(view.public_unsure[rival], num_cards(view.public_seen[rival]))
    for w in range(2):
        view.passed[w] = 0
    for i in range(MAX_CARDS):
        view.market_known[i] = 0
        view.public_market[i] = 0

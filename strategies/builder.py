"""Builder: fill the board before the others do, and make it a pretty one.

"I lay the meld that puts most units on the map; the trick can go to somebody else, and my row cards are too good for
it. A card that has room settles; where a suit is short of room I explore for it, best where a tile helps my objectives.
Every turn starts the next one: a coin, if need be a card cashed, goes into research, and the low card I retire founds a
colony at once; when the end is near the better ones stay in the row. Coins that no research needs wall the tiles that a
rival stands beside. I attack when it is as good as sure and takes somebody's last unit off a tile."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.enums import MAX_HAND, Decision
from blinksim.games.blink.toolkit_memory import recall
from blinksim.players.policy import Strategy, kernel
from blinksim.players.taste import taste_of, taste_parameters

STRATEGY = Strategy(
    name="builder",
    summary="grows, explores towards its objectives, walls its border",
    parameters=taste_parameters(
        objectives=0.25, tile=0.25, walls=1.2, ward=1.0, lead=0.6, colony=3.5, retires=0.9, step=0.2, rank=0.3
    ),
)


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    decision = view.decision
    taste = taste_of(params)
    recall(view, taste.memory)
    if decision == Decision.ACT:
        return usual.best_of(usual.rate_steps(view, rules, actions, n, usual.look(view, rules, taste), taste))
    if decision == Decision.MELD:
        return usual.best_of(usual.rate_melds(view, rules, actions, n, taste, np.zeros(MAX_HAND, np.float64)))
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    by_suit = usual.worth_of_holds(rules, taste.suit)
    if decision == Decision.RESEARCH_RETIRE:  # it founds a colony: the roomiest terrain
        by_suit *= -1.0
    return usual.choose(view, rules, actions, n, by_suit, taste.rank)

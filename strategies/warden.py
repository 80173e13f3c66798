"""Warden: what I hold, I keep.

"My best cards stay in my hand while somebody stands at my border, since only a card in hand can answer. A spare coin
goes on the tile that a rival is about to take, before any research; colonies come walled, so I found them, well away
from the others. I grow inwards: I explore and settle where nobody touches me, and a unit that would be taken walks off.
If I am beaten I fall back to the tile that is safest and has no wall to lose. I answer when it saves a unit, a tile or
an objective, and keep my cards when the beaten unit only takes a step back."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import kind_of, tile_of, to_tile_of
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind
from blinksim.games.blink.mapping import NONE, beside
from blinksim.games.blink.toolkit import can_fall_back, is_last_round, threat, tile_pattern_worth, tiles_of_rivals
from blinksim.games.blink.toolkit_cards import list_cards
from blinksim.games.blink.toolkit_memory import recall
from blinksim.games.cards import bit
from blinksim.jit import popcount
from blinksim.players.policy import Parameter, Strategy, kernel
from blinksim.players.taste import OWN, taste_of, taste_parameters

STRATEGY = Strategy(
    name="warden",
    summary="walls and defends what it holds",
    parameters=(
        *taste_parameters(
            tile=0.3, walls=1.6, hurt=0.4, retires=0.8, border=0.15, lead=0.3, rank=0.6, near_rivals=-0.3, near_own=0.1
        ),
        Parameter("guards", 2.0, 0.0, 10.0, "cards", "How many of its highest cards it likes to keep in hand."),
        Parameter("keep", 0.6, 0.0, 5.0, "units", "What keeping one of them is worth with all tiles under threat."),
        Parameter("shelter", 0.3, 0.0, 5.0, "units", "What it is worth to walk off a tile that is sure to be taken."),
    ),
)
GUARDS, KEEP, SHELTER = OWN, OWN + 1, OWN + 2


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    taste = taste_of(params)
    recall(view, taste.memory)
    decision = view.decision
    if decision == Decision.DEFEND and not worth_a_card(view, rules):
        return 0
    if decision == Decision.RETREAT:
        return fall_back(view, rules, actions, n)
    if decision == Decision.ACT:
        return act(view, rules, actions, n, taste, params[SHELTER])
    if decision == Decision.MELD:
        guards = cost_of_guards(view, params[GUARDS], params[KEEP])
        return usual.best_of(usual.rate_melds(view, rules, actions, n, taste, guards))
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    return usual.choose(view, rules, actions, n, usual.worth_of_holds(rules, taste.suit), taste.rank)


@kernel
def act(view, rules, actions, n, taste, shelter):  # type: ignore[no-untyped-def]
    """D07: the usual judgement, and units walk out of danger; never into it for nothing."""
    worth = usual.rate_steps(view, rules, actions, n, usual.look(view, rules, taste), taste)
    for i in range(n):
        if kind_of(actions[i]) == Kind.MOVE and view.own[view.me] & bit(to_tile_of(actions[i])) == NONE:
            tile = tile_of(actions[i])
            saved = threat(view, rules, tile, int(view.coins[tile])) - threat(view, rules, to_tile_of(actions[i]), 0)
            worth[i] += shelter * saved
    return usual.best_of(worth)


@kernel
def exposure(view):  # type: ignore[no-untyped-def]
    """How much of my land a rival stands beside: walls do not count, since a high card breaks them; 0 to 1."""
    own = view.own[view.me]
    if own == NONE:
        return 0.0
    return popcount(own & beside(view, tiles_of_rivals(view))) / popcount(own)


@kernel
def cost_of_guards(view, guards, keep):  # type: ignore[no-untyped-def]
    """By position in the hand: what laying that card costs, (MAX_HAND,) float64. Nobody is kept in the last round."""
    costs = np.zeros(MAX_HAND, np.float64)
    if is_last_round(view):
        return costs
    hand = np.empty(MAX_HAND, np.int64)
    num_cards = list_cards(view.hand, hand)
    price = keep * exposure(view)
    for p in range(num_cards):
        if p >= num_cards - guards:
            costs[p] = -price
    return costs


@kernel
def worth_a_card(view, rules):  # type: ignore[no-untyped-def]
    """D08: whether a lost duel would hurt: the unit goes home, an objective is broken, or the tile is lost with it."""
    tile = view.attack_tile
    if not can_fall_back(view, tile, view.me) or is_last_round(view):
        return True
    return view.units[tile] == 1 or tile_pattern_worth(view, view.own[view.me], tile, 0.0) > 0.0


@kernel
def fall_back(view, rules, actions, n):  # type: ignore[no-untyped-def]
    """D09: to the tile least in danger, a wall stripped there counted as the danger that it kept off."""
    best = 0
    best_danger = 1e9
    for i in range(n):
        tile = tile_of(actions[i])
        danger = 0.0
        if tile < view.num_tiles:  # else home, where a ruleset offers that
            danger = threat(view, rules, tile, 0) + 0.5 * int(view.coins[tile])
            danger -= 0.1 * popcount(view.neighbours[tile] & view.own[view.me])
        else:
            danger = 9.0
        if danger < best_danger:
            best = i
            best_danger = danger
    return best

"""Greedy: whatever scores most at this very moment.

"I count my points after each thing that I could do and take the best: a unit settled, a tile taken, an objective made,
a card retired that my row can use. Of things that score alike I take the simplest: a new tile before a coin, and no
wall, no trade, no march that leads somewhere later. In the trick I lay what puts most units on the map. I defend a tile
only if losing it would cost a point."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import card_of, kind_of, space_of, tile_of, to_tile_of
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind
from blinksim.games.blink.mapping import NONE
from blinksim.games.blink.toolkit import (
    can_fall_back,
    capture_chance,
    move_worth,
    owner,
    tile_pattern_worth,
    water_worth,
)
from blinksim.games.blink.toolkit_cards import row_change
from blinksim.games.blink.toolkit_memory import recall
from blinksim.games.cards import bit, next_card
from blinksim.players.policy import Parameter, Strategy, kernel
from blinksim.players.taste import OWN, taste_of, taste_parameters

STRATEGY = Strategy(
    name="greedy",
    summary="takes the most points now",
    parameters=(
        *taste_parameters(objectives=1.0, step=0.0, tile=0.0, coin=0.0, lead=0.0, near_rivals=0.0, near_own=0.0),
        Parameter("risk", 0.0, 0.0, 1.0, "times", "How much of an uncertain attack it takes for certain."),
    ),
)
RISK = OWN

NEW_TILE = 0.02
COIN = 0.01
"""Order of the steps that score nothing; ending the turn is worth 0, everything else less."""


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    decision = view.decision
    if decision == Decision.DEFEND and loses_nothing(view):
        return 0
    taste = taste_of(params)
    recall(view, taste.memory)
    if decision == Decision.ACT:
        turn = usual.look(view, rules, taste)
        gains = np.empty(n, np.float64)
        for i in range(n):
            gains[i] = points_now(view, rules, actions[i], turn, params[RISK])
        return usual.best_of(gains)
    if decision == Decision.MELD:
        return usual.best_of(usual.rate_melds(view, rules, actions, n, taste, np.zeros(MAX_HAND, np.float64)))
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    return usual.choose(view, rules, actions, n, usual.worth_of_holds(rules, taste.suit), taste.rank)


@kernel
def points_now(view, rules, action, turn, risk):  # type: ignore[no-untyped-def]
    """What my score changes by at once, and for steps that score nothing their place in the order."""
    kind = kind_of(action)
    tile = tile_of(action)
    if kind == Kind.SETTLE:
        if turn.own & bit(tile) != NONE:
            return 1.0
        return 1.0 + turn.points * tile_pattern_worth(view, turn.own, tile, 0.0)
    if kind == Kind.ATTACK:
        if view.units[tile] > 1 or turn.reserve == 0:
            return -0.1
        chance = capture_chance(view, rules, owner(view, tile), tile, card_of(action) >> 2)
        chance += risk * (1.0 - chance)
        return chance * (1.0 + turn.points * tile_pattern_worth(view, turn.own, tile, 0.0))
    if kind == Kind.MOVE:
        return move_worth(view, tile, to_tile_of(action), False, 0.0, turn.points, 0.0)
    if kind == Kind.WATER:
        return water_worth(view, tile, view.space_touch[space_of(action)], turn.points, 0.0) - 0.01
    if kind == Kind.FOUND:
        band = rules.band_of[card_of(action) >> 2]
        return min(rules.band_units[band], turn.reserve) + row_change(view, rules, card_of(action))
    if kind == Kind.RESEARCH:
        return row_change(view, rules, next_card(view.hand, -1)) - NEW_TILE  # for nothing, it keeps the coin
    if kind == Kind.EXPLORE:
        return NEW_TILE if turn.reserve > 0 else 0.0
    if kind == Kind.GOLD:
        return COIN
    return 0.0 if kind == Kind.END else -1.0


@kernel
def loses_nothing(view):  # type: ignore[no-untyped-def]
    """Whether a lost duel costs no point: the unit falls back, and no objective needs the tile (D08)."""
    tile = view.attack_tile
    if not can_fall_back(view, tile, view.me):
        return False
    return view.units[tile] > 1 or tile_pattern_worth(view, view.own[view.me], tile, 0.0) == 0.0

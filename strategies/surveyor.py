"""Surveyor: the shape of the land decides.

"From the first round I know the arrangement that I want: which middle, which ends. I show the objective that is harder
to come by and build the other in silence. I lay the cards that complete an arrangement, explore the space where the
next one begins, and shift single units, by land or water, into the gaps; each arrangement is worth two settlers and
pays a coin whenever my hand comes round. From the grid I take the suits that my objectives ask for, and my colonies go
where they close a pattern."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import card_of, kind_of, space_of
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind
from blinksim.games.blink.mapping import NONE, tiles_in_reach
from blinksim.games.blink.toolkit import (
    arrangement_weight,
    objective_ease,
    open_tiles,
    pattern_worth,
    tile_pattern_worth,
)
from blinksim.games.blink.toolkit_cards import list_cards
from blinksim.games.blink.toolkit_memory import recall
from blinksim.jit import drop_lowest, lowest
from blinksim.players.policy import Parameter, Strategy, kernel
from blinksim.players.taste import OWN, taste_of, taste_parameters

STRATEGY = Strategy(
    name="surveyor",
    summary="explores, settles and moves for arrangements",
    parameters=(
        *taste_parameters(objectives=0.3, tile=0.25, hurt=0.9, lead=0.4, near_rivals=-0.05, suit=0.05, rank=0.6),
        Parameter("chart", 0.25, 0.0, 2.0, "times", "How much of an arrangement counts for the tile explored for it."),
        Parameter("wanted", 0.8, 0.0, 5.0, "units", "What a card is worth more in the suit of an objective's middle."),
        Parameter("plan", 0.6, 0.0, 2.0, "times", "How much of an arrangement counts for the card that can make it."),
    ),
)
CHART, WANTED, PLAN = OWN, OWN + 1, OWN + 2


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    decision = view.decision
    if decision == Decision.OBJECTIVE_KEEP or decision == Decision.OBJECTIVE_SHOW:
        return choose_objective(view, rules, actions, n)
    taste = taste_of(params)
    recall(view, taste.memory)
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    if decision == Decision.ACT:
        return act(view, rules, actions, n, taste, params[CHART])
    if decision == Decision.MELD:
        points = params[PLAN] * rules.objective_points * arrangement_weight(view, rules, taste.objectives)
        return usual.best_of(
            usual.rate_melds(view, rules, actions, n, taste, worth_of_plans(view, rules, points, taste.step))
        )
    by_suit = wanted_suits(view, rules, taste.suit, params[WANTED])
    if decision == Decision.RESEARCH_RETIRE:  # it founds a colony: the terrain that is wanted most
        by_suit *= -1.0
    return usual.choose(view, rules, actions, n, by_suit, taste.rank)


@kernel
def act(view, rules, actions, n, taste, chart):  # type: ignore[no-untyped-def]
    """D07: the usual judgement, and a tile is explored where my own tiles already ask for it."""
    turn = usual.look(view, rules, taste)
    worth = usual.rate_steps(view, rules, actions, n, turn, taste)
    for i in range(n):
        if kind_of(actions[i]) == Kind.EXPLORE and turn.reserve > 0 and not turn.last:
            touch = view.space_touch[space_of(actions[i])]
            worth[i] += chart * turn.points * pattern_worth(view, turn.own, card_of(actions[i]) & 3, touch, taste.step)
    return usual.best_of(worth)


@kernel
def worth_of_plans(view, rules, points, step):  # type: ignore[no-untyped-def]
    """By position in the hand: what its card could add to an arrangement by settling, (MAX_HAND,) float64."""
    best = np.zeros(4, np.float64)
    tiles = tiles_in_reach(view, rules, view.me) & open_tiles(view)
    while tiles != NONE:
        tile = lowest(tiles)
        tiles = drop_lowest(tiles)
        terrain = int(view.terrain[tile])
        best[terrain] = max(best[terrain], tile_pattern_worth(view, view.own[view.me], tile, step))
    hand = np.empty(MAX_HAND, np.int64)
    plans = np.zeros(MAX_HAND, np.float64)
    for p in range(list_cards(view.hand, hand)):
        plans[p] = points * best[hand[p] & 3]
    return plans


@kernel
def wanted_suits(view, rules, per_unit, wanted):  # type: ignore[no-untyped-def]
    """What a card of each suit is worth, (4,) float64: a middle in full, each end half, room a little."""
    by_suit = np.empty(4, np.float64)
    for suit in range(4):
        by_suit[suit] = per_unit * rules.holds[suit]
        for i in range(view.num_objectives):
            code = view.objectives[i]
            share = 1.0 if suit == code >> 4 else 0.0
            share += 0.5 * (int(suit == code >> 2 & 3) + int(suit == code & 3))
            by_suit[suit] += wanted * share / view.num_objectives
    return by_suit


@kernel
def choose_objective(view, rules, actions, n):  # type: ignore[no-untyped-def]
    """D01 and D03: keep the more promising one, show the other; tiles left to lay count beside those at hand."""
    promise = np.empty(n, np.float64)
    for i in range(n):
        code = card_of(actions[i])
        tiles = min(view.supply[code >> 4], view.supply[code >> 2 & 3], view.supply[code & 3])
        promise[i] = objective_ease(view, code) + 0.1 * tiles
    if view.decision == Decision.OBJECTIVE_SHOW:
        promise *= -1.0
    return usual.best_of(promise)

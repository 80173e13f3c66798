"""Raider: win the trick, move first, and live on other people's land.

"I keep high cards, since they win tricks and nobody can answer them. The winner keeps every card and goes first, so I
lay the meld that wins, with a card of my row on top if that decides it. On the map I look for tiles that a card of mine
takes for certain, the leader's before the others', and sail or march up to more of them. Between raids I settle like
everybody else; my coins buy higher cards, and a wall only where it saves a tile."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import card_of, kind_of, to_tile_of
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind
from blinksim.games.blink.mapping import NONE, beside
from blinksim.games.blink.toolkit import capture_chance, owner, prize, room_by_terrain, tiles_of_rivals
from blinksim.games.blink.toolkit_cards import (
    best_open_total,
    count_suits,
    largest_rival_meld,
    list_cards,
    open_total,
    row_card_worth,
)
from blinksim.games.blink.toolkit_memory import recall
from blinksim.games.cards import bit, next_card
from blinksim.jit import drop_lowest, lowest
from blinksim.players.policy import Parameter, Strategy, kernel
from blinksim.players.taste import OWN, taste_of, taste_parameters

STRATEGY = Strategy(
    name="raider",
    summary="wins tricks and takes ground",
    parameters=(
        *taste_parameters(
            renamed={"hurt": "aggression"},
            hurt=0.8,
            objectives=0.4,
            step=0.4,
            tile=0.15,
            walls=0.3,
            retires=1.2,
            spare=0.01,
            border=0.05,
            spread=6.0,
            rank=0.16,
            suit=0.15,
            near_rivals=0.03,
            near_own=0.0,
        ),
        Parameter("stalk", 1.2, 0.0, 2.0, "times", "What coming within reach of a prize is worth, as a part of it."),
    ),
)
STALK = OWN


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    decision = view.decision
    taste = taste_of(params)
    recall(view, taste.memory)
    if decision == Decision.ACT:
        return act(view, rules, actions, n, taste, params[STALK])
    if decision == Decision.MELD:
        return usual.best_of(usual.rate_melds(view, rules, actions, n, taste, worth_of_raids(view, rules, taste)))
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    if decision == Decision.DECLARE_A:
        return declare(view, rules, actions, n, taste)
    if decision == Decision.SET_ASIDE:
        return set_aside(view, rules, actions, n, taste)
    return usual.choose(view, rules, actions, n, usual.worth_of_holds(rules, taste.suit), taste.rank)


# prey


@kernel
def hurt(view, seat, taste):  # type: ignore[no-untyped-def]
    """What sending home a unit of a seat is worth: less among many rivals, more for whoever is closest to the end."""
    least = 99
    for other in range(view.players):
        if other != view.me:
            least = min(least, view.reserve[other])
    share = 1.0 if view.reserve[seat] == least else 0.5
    return taste.hurt * share * (1.0 if view.players == 2 else 0.7)


@kernel
def best_prize(view, rules, tiles, card, taste):  # type: ignore[no-untyped-def]
    """The best that a card can take among some rival tiles, chance included, in units."""
    best = 0.0
    tiles &= view.of_terrain[card & 3]
    while tiles != NONE:
        tile = lowest(tiles)
        tiles = drop_lowest(tiles)
        seat = owner(view, tile)
        chance = capture_chance(view, rules, seat, tile, card >> 2)
        if chance > 0.0:
            best = max(best, chance * prize(view, rules, seat, tile, hurt(view, seat, taste)))
    return best


# the map turn


@kernel
def act(view, rules, actions, n, taste, stalk):  # type: ignore[no-untyped-def]
    """D07: raids as the prey is worth, and marches up to more of it."""
    turn = usual.look(view, rules, taste)
    for seat in range(view.players):
        turn.hurt[seat] = hurt(view, seat, taste)
    worth = usual.rate_steps(view, rules, actions, n, turn, taste)
    out_of_reach = turn.rivals & ~beside(view, turn.own)
    if stalk * stalked_prize(view, rules, out_of_reach, taste) > 0.0:
        for i in range(n):
            if kind_of(actions[i]) == Kind.MOVE and turn.own & bit(to_tile_of(actions[i])) == NONE:
                prey = view.neighbours[to_tile_of(actions[i])] & out_of_reach
                worth[i] += stalk * stalked_prize(view, rules, prey, taste)
    return usual.best_of(worth)


@kernel
def stalked_prize(view, rules, tiles, taste):  # type: ignore[no-untyped-def]
    """The best prize that a meld card could take among some tiles if it came within reach of them."""
    best = 0.0
    if tiles != NONE:
        card = next_card(view.meld[view.me], -1)
        while card >= 0:
            best = max(best, best_prize(view, rules, tiles, card, taste))
            card = next_card(view.meld[view.me], card)
    return best


# the trick


@kernel
def worth_of_raids(view, rules, taste):  # type: ignore[no-untyped-def]
    """By position in the hand: what a raid with that card brings beyond another use, (MAX_HAND,) float64."""
    hand = np.empty(MAX_HAND, np.int64)
    raids = np.zeros(MAX_HAND, np.float64)
    prey = beside(view, view.own[view.me]) & tiles_of_rivals(view)
    for p in range(list_cards(view.hand, hand)):
        raids[p] = max(best_prize(view, rules, prey, hand[p], taste) - 0.8, 0.0)
    return raids


@kernel
def declare(view, rules, actions, n, taste):  # type: ignore[no-untyped-def]
    """D05: where a card wins the trick and is less missed than the lead is worth, the lowest that does."""
    mine = open_total(view, view.me)
    theirs = best_open_total(view)
    if mine > theirs:
        return 0
    saved = view.meld_size[view.me] - largest_rival_meld(view, rules) + 1  # cards that a loser may set aside
    best = 0
    best_worth = 0.0
    for i in range(1, n):
        card = card_of(actions[i])
        if mine + (card >> 2) > theirs:
            worth = taste.lead + 0.6 * max(saved, 0) - 0.8 * taste.colony
            worth -= row_card_worth(view, rules, card, taste.retires)
            if worth > best_worth:
                best = i
                best_worth = worth
    return best


@kernel
def set_aside(view, rules, actions, n, taste):  # type: ignore[no-untyped-def]
    """D06: the card that neither takes a prize nor has room; of several the lowest."""
    cards = np.empty(4, np.int64)
    room = np.empty(4, np.int64)
    count_suits(view.meld[view.me], cards)
    room_by_terrain(view, rules, room)
    prey = beside(view, view.own[view.me]) & tiles_of_rivals(view)
    best = 0
    best_worth = -1e9
    for i in range(n):
        card = card_of(actions[i])
        suit = card & 3
        worth = -best_prize(view, rules, prey, card, taste) - 0.02 * (card >> 2)
        if room[suit] >= cards[suit]:
            worth = min(worth, -1.0)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best

"""Raider: win the trick, move first, and live on other people's land.

"I keep high cards, since they win tricks and nobody can answer them. The winner keeps every card and goes first, so I
lay the meld that wins, with a card of my row on top if that decides it. On the map I look for tiles that a card of mine
takes for certain, the leader's before the others', and sail or march up to more of them. Between raids I settle like
everybody else; my coins buy higher cards, and a wall only where it saves a tile."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import (
    card_of,
    kind_of,
    positions_action,
    positions_of,
    space_of,
    terrain_of,
    tile_of,
    to_tile_of,
)
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind, Terrain
from blinksim.games.blink.mapping import NONE, beside
from blinksim.games.blink.toolkit import (
    arrangement_weight,
    capture_chance,
    cheapest_answer,
    coin_weight,
    is_last_round,
    move_worth,
    objective_ease,
    open_tiles,
    owner,
    pattern_worth,
    prize,
    room_by_terrain,
    safest_retreat,
    threat,
    tile_pattern_worth,
    tiles_of_rivals,
    water_worth,
    worth_of_suit,
)
from blinksim.games.blink.toolkit_cards import (
    best_open_total,
    card_worth,
    count_suits,
    index_of,
    largest_rival_meld,
    list_cards,
    open_total,
    row_card_worth,
    row_change,
    total_to_beat,
    win_chance,
    worst_burial,
    worst_positions,
)
from blinksim.games.cards import bit, next_card
from blinksim.jit import drop_lowest, lowest, popcount
from blinksim.players.policy import Parameter, Strategy, kernel

STRATEGY = Strategy(
    name="raider",
    summary="wins tricks and takes ground",
    parameters=(
        Parameter("aggression", 0.8, 0.0, 5.0, "units", "What a rival's unit sent home is worth; the leader's more."),
        Parameter("lead", 0.5, 0.0, 5.0, "units", "What it is worth to win the trick."),
        Parameter("objectives", 0.4, 0.0, 1.0, "times", "How much objectives count at first, part of their points."),
        Parameter("tile", 0.15, 0.0, 2.0, "units", "What a tile laid for later is worth."),
        Parameter("coin", 1.2, 0.0, 2.0, "units", "What a coin is worth that buys an improvement."),
        Parameter("walls", 0.3, 0.0, 5.0, "units", "What a wall is worth where an attack is certain."),
        Parameter("colony", 4, 0.0, 5.0, "units", "What a unit founded by a card of the row is worth."),
        Parameter("stalk", 1.2, 0.0, 2.0, "times", "What coming within reach of a prize is worth, as a part of it."),
        Parameter("rank", 0.16, 0.0, 1.0, "units", "What a rank more is worth on a card that is kept or taken."),
        Parameter("retires", 1.2, 0.0, 4.0, "cards", "How many cards a round are expected to go to the row."),
        Parameter("step", 0.4, 0.0, 1.0, "arrangements", "What it is worth to bring an arrangement closer."),
    ),
)
AGGRESSION, LEAD, OBJECTIVES, TILE, COIN, WALLS, COLONY, STALK, RANK, RETIRES, STEP = range(11)

PER_MATE = 0.25
SPREAD = 6.0
"""How far a rival's trick total may lie from the expected one, in ranks."""
LATE = 30
"""Round from which coins are worth little: a game that has gone on so long wants an end."""
OCEAN = int(Terrain.O)


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    decision = view.decision
    if decision == Decision.ACT:
        return act(view, rules, actions, n, params)
    if decision == Decision.MELD:
        return meld(view, rules, actions, n, params)
    if decision == Decision.DEFEND:
        return cheapest_answer(view, rules, actions, n)
    if decision == Decision.DECLARE_A:
        return declare(view, rules, actions, n, params)
    if decision == Decision.B_PLACE:
        return place(view, rules, actions, n, params)
    if decision == Decision.B_UNIT:
        return 0
    if decision == Decision.RETREAT:
        return safest_retreat(view, actions, n)
    return choose_card(view, rules, actions, n, params)


# prey


@kernel
def hurt(view, seat, params):  # type: ignore[no-untyped-def]
    """What sending home a unit of a seat is worth: less among many rivals, more for whoever is closest to the end."""
    least = 99
    for other in range(view.players):
        if other != view.me:
            least = min(least, view.reserve[other])
    share = 1.0 if view.reserve[seat] == least else 0.5
    return params[AGGRESSION] * share * (1.0 if view.players == 2 else 0.7)


@kernel
def best_prize(view, rules, tiles, card, params):  # type: ignore[no-untyped-def]
    """The best that a card can take among some rival tiles, chance included, in units."""
    best = 0.0
    tiles &= view.of_terrain[card & 3]
    while tiles != NONE:
        tile = lowest(tiles)
        tiles = drop_lowest(tiles)
        seat = owner(view, tile)
        chance = capture_chance(view, rules, seat, tile, card >> 2)
        if chance > 0.0:
            best = max(best, chance * prize(view, rules, seat, tile, hurt(view, seat, params)))
    return best


# the map turn


@kernel
def act(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """D07: the best of all single steps; raids and settling first, then coins."""
    me = view.me
    own = view.own[me]
    hopeful = own | open_tiles(view)
    rivals = tiles_of_rivals(view)
    last = is_last_round(view)
    cards = np.empty(4, np.int64)
    room = np.empty(4, np.int64)
    count_suits(view.meld[me], cards)
    total_room = room_by_terrain(view, rules, room)
    meld_left = cards[0] + cards[1] + cards[2] + cards[3]
    reserve = view.reserve[me]
    points = rules.objective_points * arrangement_weight(view, rules, params[OBJECTIVES])
    coin = params[COIN] * coin_weight(view, rules, view.gold[me])
    if view.round_number > LATE:
        coin *= 0.3
    cramped = total_room < min(reserve, 8) and not last
    starved = total_room < min(reserve, 2) and not last
    stalked = params[STALK] * stalked_prize(view, rules, rivals & ~beside(view, own), params)
    best = 0
    best_worth = -1e9
    for i in range(n):
        action = actions[i]
        kind = kind_of(action)
        worth = -1.0
        if kind == Kind.SETTLE:
            tile = tile_of(action)
            worth = 1.0 - 0.01 * (card_of(action) >> 2)
            if own & bit(tile) == NONE:
                worth += 0.1 + points * tile_pattern_worth(view, own, tile, params[STEP])
            else:
                worth -= 0.2 * int(view.coins[tile])
        elif kind == Kind.EXPLORE:
            suit = card_of(action) & 3
            touch = view.space_touch[space_of(action)]
            worth = params[TILE] if cramped else 0.3 * params[TILE]
            if last:
                worth = 0.0
            if starved or (cards[suit] > room[suit] + 1 and reserve > 0):
                worth = 0.95
            worth += 0.4 * points * pattern_worth(view, hopeful, suit, touch, params[STEP])
            worth += 0.03 * popcount(touch & own) - 0.05 * popcount(touch & rivals) + 0.02 * rules.holds[suit]
        elif kind == Kind.ATTACK:
            tile = tile_of(action)
            seat = owner(view, tile)
            rank = card_of(action) >> 2
            chance = capture_chance(view, rules, seat, tile, rank)
            worth = -0.1
            if chance > 0.0:
                worth = prize(view, rules, seat, tile, hurt(view, seat, params)) - 0.01 * rank
                if view.units[tile] == 1 and reserve > 0:
                    worth += coin * rules.capture_gold + points * tile_pattern_worth(view, own, tile, params[STEP])
                worth *= chance
        elif kind == Kind.GOLD:
            worth = coin
        elif kind == Kind.MOVE:
            tile = tile_of(action)
            to_tile = to_tile_of(action)
            terrain = int(view.terrain[tile])
            wants_room = cards[terrain] > room[terrain] and reserve > 0
            worth = move_worth(view, tile, to_tile, wants_room, 0.15 if cramped else 0.0, points, params[STEP])
            if stalked > 0.0 and own & bit(to_tile) == NONE:
                worth += params[STALK] * stalked_prize(
                    view, rules, view.neighbours[to_tile] & rivals & ~beside(view, own), params
                )
        elif kind == Kind.WATER:
            worth = 0.2 if cramped else 0.0
            if cards[OCEAN] > room[OCEAN] and reserve > 0:
                worth = 1.05
            worth += water_worth(view, tile_of(action), view.space_touch[space_of(action)], points, params[STEP]) - 0.01
        elif kind == Kind.FOUND:
            card = card_of(action)
            band = rules.band_of[card >> 2]
            units = min(rules.band_units[band], reserve)
            worth = (1.0 if last else params[COLONY]) * units + 0.1 * rules.band_tiles[band]
            worth -= row_card_worth(view, rules, card, params[RETIRES])
        elif kind == Kind.END:
            worth = 0.0
        elif meld_left == 0:
            worth = coin_worth(view, rules, action, last, params)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


@kernel
def stalked_prize(view, rules, tiles, params):  # type: ignore[no-untyped-def]
    """The best prize that a meld card could take among some tiles if it came within reach of them."""
    best = 0.0
    if tiles != NONE:
        card = next_card(view.meld[view.me], -1)
        while card >= 0:
            best = max(best, best_prize(view, rules, tiles, card, params))
            card = next_card(view.meld[view.me], card)
    return best


@kernel
def coin_worth(view, rules, action, last, params):  # type: ignore[no-untyped-def]
    """What is done with coins and row cards once the meld is spent."""
    kind = kind_of(action)
    if kind == Kind.RESEARCH:
        if last:
            return row_change(view, rules, next_card(view.hand, -1)) - 0.05
        return 0.6 - 0.1 * view.improve_bought
    if kind == Kind.TRADE:
        return 0.1 if view.gold[view.me] >= 5 and not last else -1.0
    if kind == Kind.CASH and not last:
        return 0.2 * rules.band_gold[rules.band_of[card_of(action) >> 2]] - 1.0
    if kind == Kind.FORTIFY and (not last or view.turn < view.players - 1):
        tile = tile_of(action)
        saved = threat(view, rules, tile, 0) - threat(view, rules, tile, 1)
        return saved * params[WALLS] - params[COIN] * coin_weight(view, rules, view.gold[view.me] - 1)
    return -1.0


# the trick


@kernel
def meld(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """D04: the meld that takes most, counting on the lead if it is likely to win, else on what a loser keeps."""
    reserve = view.reserve[view.me]
    room = np.empty(4, np.int64)
    room_by_terrain(view, rules, room)
    brings = np.empty(4 * 16, np.float64)  # by suit and number of its cards
    for suit in range(4):
        for k in range(16):
            brings[16 * suit + k] = worth_of_suit(
                k, min(room[suit], reserve), rules.holds[suit], view.supply[suit], params[TILE], params[COIN]
            )
    hand = np.empty(MAX_HAND, np.int64)
    raids = np.empty(MAX_HAND, np.float64)  # by position: what a raid brings beyond another use
    num_cards = list_cards(view.hand, hand)
    prey = beside(view, view.own[view.me]) & tiles_of_rivals(view)
    for p in range(num_cards):
        raids[p] = max(best_prize(view, rules, prey, hand[p], params) - 0.8, 0.0)
    rival_size = largest_rival_meld(view, rules)
    to_beat = total_to_beat(view, rules)
    best = 0
    best_worth = -1e9
    for i in range(n):
        positions = positions_of(actions[i])
        counts = 0  # four bits for each suit
        total = 0
        size = 0
        worth = 0.0
        for p in range(num_cards):
            if positions >> p & 1 != 0:
                total += hand[p] >> 2
                counts += 1 << 4 * (hand[p] & 3)
                size += 1
                worth += raids[p]
        for suit in range(4):
            worth += brings[16 * suit + (counts >> 4 * suit & 15)]
        chance = win_chance(total, to_beat, SPREAD)
        set_aside = max(size - max(rival_size - 1, 0), 0)
        worth += chance * params[LEAD] - (1.0 - chance) * set_aside * max(worth / size - params[COIN], 0.0)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


@kernel
def declare(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
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
            worth = params[LEAD] + 0.6 * max(saved, 0) - 0.8 * params[COLONY]
            worth -= row_card_worth(view, rules, card, params[RETIRES])
            if worth > best_worth:
                best = i
                best_worth = worth
    return best


# effect B


@kernel
def place(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """D15: where the colony helps the objectives, holds most, and stands beside rivals."""
    own = view.own[view.me]
    rivals = tiles_of_rivals(view)
    points = rules.objective_points * arrangement_weight(view, rules, params[OBJECTIVES])
    best = 0
    best_worth = -1e9
    for i in range(n):
        space = space_of(actions[i])
        terrain = terrain_of(actions[i])
        worth = 0.25 * rules.holds[terrain]
        if space < 255:
            touch = view.space_touch[space]
            worth += points * pattern_worth(view, own, terrain, touch, params[STEP]) + 0.03 * popcount(touch & rivals)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


# cards


@kernel
def choose_card(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """All other decisions: objectives, draft, set aside, retire, overflow, take, to hand or discard, bury."""
    decision = view.decision
    if decision == Decision.RESEARCH_TO:
        return 0
    by_suit = np.empty(4, np.float64)
    for suit in range(4):
        by_suit[suit] = 0.15 * rules.holds[suit]
    if decision == Decision.DRAFT_PASS:
        passed = worst_positions(view.hand, rules.pass_cards[view.pass_number], by_suit, params[RANK], PER_MATE)
        return index_of(actions, n, positions_action(Kind.PASS.value, passed))
    if decision == Decision.TRADE_BURY:
        return worst_burial(view.hand, actions, n, by_suit, params[RANK], PER_MATE)
    if decision == Decision.SET_ASIDE:
        return set_aside(view, rules, actions, n, params)
    best = 0
    best_worth = -1e9
    for i in range(n):
        card = card_of(actions[i])
        if decision == Decision.OBJECTIVE_KEEP:
            worth = objective_ease(view, card)
        elif decision == Decision.OBJECTIVE_SHOW:
            worth = -objective_ease(view, card)
        elif decision == Decision.RESEARCH_TAKE:
            worth = card_worth(view.hand, int(view.grid_top[card]), by_suit, params[RANK], PER_MATE)
        else:
            worth = -by_suit[card & 3] - 0.01 * (card >> 2)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


@kernel
def set_aside(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
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
        worth = -best_prize(view, rules, prey, card, params) - 0.02 * (card >> 2)
        if room[suit] >= cards[suit]:
            worth = min(worth, -1.0)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best

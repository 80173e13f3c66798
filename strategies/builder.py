"""Builder: fill the board before the others do, and make it a pretty one.

"I lay the meld that puts most units on the map; the trick can go to somebody else, and my row cards are too good for
it. A card that has room settles; where a suit is short of room I explore for it, best where a tile helps my objectives.
Every turn starts the next one: a coin, if need be a card cashed, goes into research, and the low card I retire founds a
colony at once; when the end is near the better ones stay in the row. Coins that no research needs wall the tiles that a
rival stands beside. I attack when it is as good as sure and takes somebody's last unit off a tile."
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
from blinksim.games.blink.mapping import NONE
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
    card_worth,
    count_suits,
    index_of,
    largest_rival_meld,
    list_cards,
    row_card_worth,
    row_change,
    total_to_beat,
    win_chance,
    worst_burial,
    worst_positions,
)
from blinksim.games.cards import bit, next_card
from blinksim.jit import popcount
from blinksim.players.policy import Parameter, Strategy, kernel

STRATEGY = Strategy(
    name="builder",
    summary="grows, explores towards its objectives, walls its border",
    parameters=(
        Parameter("objectives", 0.25, 0.0, 1.0, "times", "How much objectives count at first, part of their points."),
        Parameter("tile", 0.25, 0.0, 2.0, "units", "What a tile laid for later is worth."),
        Parameter("coin", 1.2, 0.0, 2.0, "units", "What a coin is worth that buys an improvement."),
        Parameter("lead", 0.6, 0.0, 5.0, "units", "What it is worth to win the trick."),
        Parameter("walls", 1.2, 0.0, 5.0, "units", "What a wall is worth where an attack is certain."),
        Parameter("hurt", 0.6, 0.0, 5.0, "units", "What a rival's unit sent home is worth."),
        Parameter("colony", 3.5, 0.0, 5.0, "units", "What a unit founded by a card of the row is worth."),
        Parameter("rank", 0.3, 0.0, 1.0, "units", "What a rank more is worth on a card that is kept or taken."),
        Parameter("retires", 0.9, 0.0, 4.0, "cards", "How many cards a round are expected to go to the row."),
        Parameter("step", 0.2, 0.0, 1.0, "arrangements", "What it is worth to bring an arrangement closer."),
    ),
)
OBJECTIVES, TILE, COIN, LEAD, WALLS, HURT, COLONY, RANK, RETIRES, STEP = range(10)

PER_MATE = 0.25
SPREAD = 8.0
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
        return 0  # a row card founds a colony or scores; no trick is worth it
    if decision == Decision.B_PLACE:
        return place(view, rules, actions, n, params)
    if decision == Decision.B_UNIT:
        return 0
    if decision == Decision.RETREAT:
        return safest_retreat(view, actions, n)
    return choose_card(view, rules, actions, n, params)


# the map turn


@kernel
def act(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """D07: the best of all single steps; cards first, then coins."""
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
    best = 0
    best_worth = -1e9
    for i in range(n):
        action = actions[i]
        kind = kind_of(action)
        worth = 0.0
        if kind == Kind.SETTLE:
            tile = tile_of(action)
            worth = 1.0
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
            worth += 0.03 * popcount(touch & own) - 0.08 * popcount(touch & rivals) + 0.02 * rules.holds[suit]
        elif kind == Kind.ATTACK:
            tile = tile_of(action)
            seat = owner(view, tile)
            chance = capture_chance(view, rules, seat, tile, card_of(action) >> 2)
            if chance > 0.0:
                gain = prize(view, rules, seat, tile, params[HURT])
                if view.units[tile] == 1 and reserve > 0:
                    gain += coin * rules.capture_gold + points * tile_pattern_worth(view, own, tile, params[STEP])
                worth = chance * gain
            else:
                worth = -0.1
        elif kind == Kind.GOLD:
            worth = coin
        elif kind == Kind.MOVE:
            tile = tile_of(action)
            terrain = int(view.terrain[tile])
            wants_room = cards[terrain] > room[terrain] and reserve > 0
            crowd = 0.15 if cramped else 0.0
            worth = move_worth(view, tile, to_tile_of(action), wants_room, crowd, points, params[STEP])
        elif kind == Kind.WATER:
            worth = 0.2 if cramped else 0.0
            if cards[OCEAN] > room[OCEAN] and reserve > 0:
                worth = 1.05
            worth += water_worth(view, tile_of(action), view.space_touch[space_of(action)], points, params[STEP]) - 0.01
        elif meld_left > 0 and kind != Kind.FOUND:
            worth = -1.0
        elif kind == Kind.FORTIFY:
            tile = tile_of(action)
            worth = -1.0
            if not last or view.turn < view.players - 1:
                danger = threat(view, rules, tile, 0) - threat(view, rules, tile, 1)
                if danger > 0.0:
                    worth = danger * (params[WALLS] + points * tile_pattern_worth(view, own, tile, 0.0))
                    worth -= params[COIN] * coin_weight(view, rules, view.gold[view.me] - 1)
        elif kind == Kind.RESEARCH:
            worth = 0.6 - 0.1 * view.improve_bought
            if last:
                worth = row_change(view, rules, next_card(view.hand, -1)) - 0.05
        elif kind == Kind.TRADE:
            worth = 0.1 if view.gold[me] >= 5 and not last else -1.0
        elif kind == Kind.FOUND:
            card = card_of(action)
            band = rules.band_of[card >> 2]
            units = min(rules.band_units[band], reserve)
            worth = (1.0 if last else params[COLONY]) * units + 0.1 * rules.band_tiles[band]
            worth -= row_card_worth(view, rules, card, params[RETIRES])
        elif kind == Kind.CASH:
            worth = 0.2 * rules.band_gold[rules.band_of[card_of(action) >> 2]] - 1.0
            if last:
                worth = -1.0
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


# the trick


@kernel
def meld(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """D04: the meld that brings most on the map, counting only what a loser keeps unless it is likely to win."""
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
    num_cards = list_cards(view.hand, hand)
    rival_size = largest_rival_meld(view, rules)
    to_beat = total_to_beat(view, rules)
    best = 0
    best_worth = -1e9
    for i in range(n):
        positions = positions_of(actions[i])
        counts = 0  # four bits for each suit
        total = 0
        size = 0
        for p in range(num_cards):
            if positions >> p & 1 != 0:
                total += hand[p] >> 2
                counts += 1 << 4 * (hand[p] & 3)
                size += 1
        worth = 0.0
        for suit in range(4):
            worth += brings[16 * suit + (counts >> 4 * suit & 15)]
        chance = win_chance(total, to_beat, SPREAD)
        set_aside = max(size - max(rival_size - 1, 0), 0)
        worth += chance * params[LEAD] - (1.0 - chance) * set_aside * max(worth / size - params[COIN], 0.0)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


# effect B


@kernel
def place(view, rules, actions, n, params):  # type: ignore[no-untyped-def]
    """D15: where the colony helps the objectives, holds most and keeps away from rivals."""
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
            worth += points * pattern_worth(view, own, terrain, touch, params[STEP]) - 0.15 * popcount(touch & rivals)
            worth += 0.03 * popcount(touch & own)
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
        by_suit[suit] = 0.2 * rules.holds[suit]
    if decision == Decision.DRAFT_PASS:
        passed = worst_positions(view.hand, rules.pass_cards[view.pass_number], by_suit, params[RANK], PER_MATE)
        return index_of(actions, n, positions_action(Kind.PASS.value, passed))
    if decision == Decision.TRADE_BURY:
        return worst_burial(view.hand, actions, n, by_suit, params[RANK], PER_MATE)
    if decision == Decision.SET_ASIDE:
        cards = np.empty(4, np.int64)
        room = np.empty(4, np.int64)
        count_suits(view.meld[view.me], cards)
        room_by_terrain(view, rules, room)
        for suit in range(4):
            by_suit[suit] = min(float(room[suit] - cards[suit]), 0.0)
            if room[suit] > 0:
                by_suit[suit] += 1.0
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
        elif decision == Decision.RESEARCH_RETIRE:
            worth = by_suit[card & 3]
        else:
            worth = -by_suit[card & 3] - 0.01 * (card >> 2)
        if worth > best_worth:
            best = i
            best_worth = worth
    return best

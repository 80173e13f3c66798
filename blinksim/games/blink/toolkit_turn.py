"""The usual judgement: what every step, meld, place and card is worth to a player of a given taste.

A strategy starts from these ratings, one for each legal choice, changes those that it sees differently, and takes the
best. Units of all ratings: a unit settled is worth 1. Every function reads an observation (record ``VIEW``) and the
ruleset, and changes neither.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
from blinksim.games.blink.enums import MAX_HAND, MAX_SEATS, Decision, Kind, Terrain
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
from blinksim.jit import kernel, popcount

PER_MATE = 0.25
"""Worth of a card that another could lie beside in a meld, in units."""
LATE = 30
"""Round from which coins are worth little: a game that has gone on so long wants an end."""
REFUSED = -1.0
"""Rating of a step not worth taking; ending the turn is worth 0."""
OCEAN = int(Terrain.O)


class Taste(NamedTuple):
    """What a player makes of things; in units settled unless said otherwise."""

    objectives: float  # times; how much an objective's points count while it can still be lost or had later
    step: float  # arrangements; what it is worth to bring one closer
    tile: float  # a tile laid for later
    coin: float  # a coin that buys an improvement
    walls: float  # a wall where an attack is certain
    ward: float  # times; how much of the objectives on a tile its wall is taken to save
    hurt: float  # a rival's unit sent home
    colony: float  # a unit founded by a card of the row
    retires: float  # cards a round that are expected to go to the row
    spare: float  # a rank of the card used, where several would do
    border: float  # a rival's tile beside one that is explored, as a cost
    lead: float  # winning the trick
    spread: float  # ranks; how far a rival's trick total may lie from the expected one
    rank: float  # a rank more on a card that is kept or taken
    suit: float  # of a card, for each unit that its terrain holds
    near_rivals: float  # a rival's tile beside a colony
    near_own: float  # an own tile beside a colony
    memory: float  # of the rivals' hands: 2 perfect, 1 this cycle only, 0 none (toolkit_memory)


class Turn(NamedTuple):
    """How things stand in a map turn."""

    own: Any  # uint64; my tiles
    hopeful: Any  # uint64; my tiles and those that nobody occupies
    rivals: Any  # uint64; tiles that rivals occupy
    cards: Any  # (4,) int64; cards left in the meld, by suit
    room: Any  # (4,) int64; units that tiles in reach still hold, by terrain
    hurt: Any  # (4,) float64; what a unit of each seat sent home is worth; a strategy may change it
    meld_left: int
    reserve: int
    last: bool  # the game is scored at the end of this round
    coin: float  # what one more coin is worth now
    points: float  # what an arrangement is worth now
    cramped: bool  # more room will be wanted soon
    starved: bool  # there is next to none


@kernel
def look(view: np.recarray, rules: np.recarray, taste: Taste) -> Turn:
    """How things stand in my map turn."""
    me = view.me
    own = view.own[me]
    last = is_last_round(view)
    cards = np.empty(4, np.int64)
    room = np.empty(4, np.int64)
    count_suits(view.meld[me], cards)
    total_room = room_by_terrain(view, rules, room)
    reserve = view.reserve[me]
    coin = taste.coin * coin_weight(view, rules, view.gold[me])
    if view.round_number > LATE:
        coin *= 0.3
    return Turn(
        own,
        own | open_tiles(view),
        tiles_of_rivals(view),
        cards,
        room,
        np.full(MAX_SEATS, taste.hurt),
        cards[0] + cards[1] + cards[2] + cards[3],
        reserve,
        last,
        coin,
        rules.objective_points * arrangement_weight(view, rules, taste.objectives),
        total_room < min(reserve, 8) and not last,
        total_room < min(reserve, 2) and not last,
    )


@kernel
def best_of(worth: np.ndarray) -> int:
    """The index of the highest rating, the first of equal ones."""
    best = 0
    for i in range(1, len(worth)):
        if worth[i] > worth[best]:
            best = i
    return best


# D07, the map turn


@kernel
def rate_steps(
    view: np.recarray, rules: np.recarray, actions: np.ndarray, n: int, turn: Turn, taste: Taste
) -> np.ndarray:
    """What each step of a map turn is worth: cards and row cards as they come, coins once the meld is spent.

    Returns:
        (n,) float64, units.
    """
    worth = np.empty(n, np.float64)
    for i in range(n):
        action = actions[i]
        kind = kind_of(action)
        if kind == Kind.SETTLE or kind == Kind.EXPLORE or kind == Kind.ATTACK or kind == Kind.GOLD:
            worth[i] = card_step(view, rules, action, turn, taste)
        elif kind == Kind.MOVE or kind == Kind.WATER:
            worth[i] = walk_step(view, action, turn, taste)
        elif kind == Kind.FOUND:
            worth[i] = found_step(view, rules, card_of(action), turn, taste)
        elif turn.meld_left > 0:
            worth[i] = REFUSED
        else:
            worth[i] = coin_step(view, rules, action, turn, taste)
    return worth


@kernel
def card_step(view: np.recarray, rules: np.recarray, action: int, turn: Turn, taste: Taste) -> float:
    """A meld card used (section 3.6): it settles, explores where its suit lacks room, attacks, or turns into a coin."""
    kind = kind_of(action)
    if kind == Kind.GOLD:
        return turn.coin
    rank = card_of(action) >> 2
    suit = card_of(action) & 3
    tile = tile_of(action)
    if kind == Kind.SETTLE:
        worth = 1.0 - taste.spare * rank
        if turn.own & bit(tile) != NONE:
            return worth - 0.2 * int(view.coins[tile])
        return worth + (0.1 + turn.points * tile_pattern_worth(view, turn.own, tile, taste.step))
    if kind == Kind.EXPLORE:
        touch = view.space_touch[space_of(action)]
        worth = taste.tile if turn.cramped else 0.3 * taste.tile
        if turn.last:
            worth = 0.0
        if turn.starved or (turn.cards[suit] > turn.room[suit] + 1 and turn.reserve > 0):
            worth = 0.95
        worth += 0.4 * turn.points * pattern_worth(view, turn.hopeful, suit, touch, taste.step)
        return worth + (
            0.03 * popcount(touch & turn.own) - taste.border * popcount(touch & turn.rivals) + 0.02 * rules.holds[suit]
        )
    seat = owner(view, tile)
    chance = capture_chance(view, rules, seat, tile, rank)
    if chance <= 0.0:
        return -0.1
    worth = prize(view, rules, seat, tile, turn.hurt[seat]) - taste.spare * rank
    if view.units[tile] == 1 and turn.reserve > 0:
        worth += turn.coin * rules.capture_gold + turn.points * tile_pattern_worth(view, turn.own, tile, taste.step)
    return chance * worth


@kernel
def walk_step(view: np.recarray, action: int, turn: Turn, taste: Taste) -> float:
    """A movement, also by the water advantage (section 3.8): it makes room for a card, or completes an objective."""
    tile = tile_of(action)
    terrain = int(view.terrain[tile])
    wants_room = turn.cards[terrain] > turn.room[terrain] and turn.reserve > 0
    if kind_of(action) == Kind.MOVE:
        crowd = 0.15 if turn.cramped else 0.0
        return move_worth(view, tile, to_tile_of(action), wants_room, crowd, turn.points, taste.step)
    worth = 0.2 if turn.cramped else 0.0
    if turn.cards[OCEAN] > turn.room[OCEAN] and turn.reserve > 0:
        worth = 1.05
    return worth + (water_worth(view, tile, view.space_touch[space_of(action)], turn.points, taste.step) - 0.01)


@kernel
def found_step(view: np.recarray, rules: np.recarray, card: int, turn: Turn, taste: Taste) -> float:
    """Effect B of a row card (section 3.12): the units that it founds, less what it would score in the row."""
    band = rules.band_of[card >> 2]
    units = min(rules.band_units[band], turn.reserve)
    worth = (1.0 if turn.last else taste.colony) * units + 0.1 * rules.band_tiles[band]
    return worth - row_card_worth(view, rules, card, taste.retires)


@kernel
def coin_step(view: np.recarray, rules: np.recarray, action: int, turn: Turn, taste: Taste) -> float:
    """What is done with coins and row cards once the meld is spent (sections 3.10 to 3.12); 0 to end the turn."""
    kind = kind_of(action)
    if kind == Kind.RESEARCH:
        if turn.last:
            return row_change(view, rules, next_card(view.hand, -1)) - 0.05
        return 0.6 - 0.1 * view.improve_bought
    if kind == Kind.FORTIFY:
        return wall_step(view, rules, tile_of(action), turn, taste)
    if kind == Kind.TRADE:
        return 0.1 if view.gold[view.me] >= 5 and not turn.last else REFUSED
    if kind == Kind.CASH:
        if turn.last:
            return REFUSED
        return 0.2 * rules.band_gold[rules.band_of[card_of(action) >> 2]] - 1.0
    return 0.0


@kernel
def wall_step(view: np.recarray, rules: np.recarray, tile: int, turn: Turn, taste: Taste) -> float:
    """A coin put on a tile: the attacks that it keeps off, less the coin. Refused where nobody comes any more."""
    if turn.last and view.turn >= view.players - 1:
        return REFUSED
    saved = threat(view, rules, tile, 0) - threat(view, rules, tile, 1)
    if saved <= 0.0:
        return REFUSED
    at_stake = taste.walls + taste.ward * turn.points * tile_pattern_worth(view, turn.own, tile, 0.0)
    return saved * at_stake - taste.coin * coin_weight(view, rules, view.gold[view.me] - 1)


# D04, the trick


@kernel
def rate_melds(
    view: np.recarray, rules: np.recarray, actions: np.ndarray, n: int, taste: Taste, by_card: np.ndarray
) -> np.ndarray:
    """What each meld is worth: what its cards bring on the map, less what a loser sets aside, and the lead.

    Args:
        view: The observation.
        rules: The ruleset.
        actions: The melds.
        n: How many there are.
        taste: The player's.
        by_card: (MAX_HAND,) float64, by position in the hand: what laying that card is worth beyond its use.

    Returns:
        (n,) float64, units.
    """
    reserve = view.reserve[view.me]
    room = np.empty(4, np.int64)
    room_by_terrain(view, rules, room)
    brings = np.empty(4 * 16, np.float64)  # by suit and number of its cards
    for suit in range(4):
        for k in range(16):
            brings[16 * suit + k] = worth_of_suit(
                k, min(room[suit], reserve), rules.holds[suit], view.supply[suit], taste.tile, taste.coin
            )
    hand = np.empty(MAX_HAND, np.int64)
    num_cards = list_cards(view.hand, hand)
    rival_size = largest_rival_meld(view, rules)
    to_beat = total_to_beat(view, rules)
    worth = np.empty(n, np.float64)
    for i in range(n):
        positions = positions_of(actions[i])
        counts = 0  # four bits for each suit
        total = 0
        size = 0
        laid = 0.0
        for p in range(num_cards):
            if positions >> p & 1 != 0:
                total += hand[p] >> 2
                counts += 1 << 4 * (hand[p] & 3)
                size += 1
                laid += by_card[p]
        for suit in range(4):
            laid += brings[16 * suit + (counts >> 4 * suit & 15)]
        chance = win_chance(total, to_beat, taste.spread)
        set_aside = max(size - max(rival_size - 1, 0), 0)
        worth[i] = laid + (chance * taste.lead - (1.0 - chance) * set_aside * max(laid / size - taste.coin, 0.0))
    return worth


# D15, effect B


@kernel
def rate_places(view: np.recarray, rules: np.recarray, actions: np.ndarray, n: int, taste: Taste) -> np.ndarray:
    """What each place of effect B is worth: the objectives that it helps, what it holds, whom it stands beside.

    Returns:
        (n,) float64, units.
    """
    own = view.own[view.me]
    others = tiles_of_rivals(view)
    points = rules.objective_points * arrangement_weight(view, rules, taste.objectives)
    worth = np.empty(n, np.float64)
    for i in range(n):
        space = space_of(actions[i])
        terrain = terrain_of(actions[i])
        worth[i] = 0.25 * rules.holds[terrain]
        if space < 255:
            touch = view.space_touch[space]
            helps = points * pattern_worth(view, own, terrain, touch, taste.step)
            worth[i] += helps + taste.near_rivals * popcount(touch & others)
            worth[i] += taste.near_own * popcount(touch & own)
    return worth


# the other decisions


@kernel
def choose(
    view: np.recarray, rules: np.recarray, actions: np.ndarray, n: int, by_suit: np.ndarray, per_rank: float
) -> int:
    """The index of the usual choice in every decision but D04, D07 and D15.

    Objectives: keeps the easier, shows the harder. Draft and trade: gives away the least worth holding. No row card is
    declared. Sets aside what finds no room; retires or drops, among equal ranks, the least wanted suit. Answers an
    attack with the lowest card that holds; falls back where fewest coins are stripped. Takes the best card, to hand; a
    colony's unit goes on its first tile.

    Args:
        view: The observation.
        rules: The ruleset.
        actions: The choices.
        n: How many there are.
        by_suit: (4,) float64, worth of a card of each suit, units.
        per_rank: Worth of a rank, units.
    """
    decision = view.decision
    if decision == Decision.DEFEND:
        return cheapest_answer(view, rules, actions, n)
    if decision == Decision.RETREAT:
        return safest_retreat(view, actions, n)
    if decision == Decision.DECLARE_A or decision == Decision.B_UNIT or decision == Decision.RESEARCH_TO:
        return 0
    if decision == Decision.DRAFT_PASS:
        passed = worst_positions(view.hand, rules.pass_cards[view.pass_number], by_suit, per_rank, PER_MATE)
        return index_of(actions, n, positions_action(Kind.PASS.value, passed))
    if decision == Decision.TRADE_BURY:
        return worst_burial(view.hand, actions, n, by_suit, per_rank, PER_MATE)
    wanted = worth_of_room(view, rules) if decision == Decision.SET_ASIDE else by_suit
    worth = np.empty(n, np.float64)
    for i in range(n):
        card = card_of(actions[i])
        if decision == Decision.OBJECTIVE_KEEP:
            worth[i] = objective_ease(view, card)
        elif decision == Decision.OBJECTIVE_SHOW:
            worth[i] = -objective_ease(view, card)
        elif decision == Decision.RESEARCH_TAKE:
            worth[i] = card_worth(view.hand, int(view.grid_top[card]), by_suit, per_rank, PER_MATE)
        else:
            worth[i] = -wanted[card & 3] - 0.01 * (card >> 2)
    return best_of(worth)


@kernel
def worth_of_holds(rules: np.recarray, per_unit: float) -> np.ndarray:
    """What a card of each suit is worth by what its terrain holds: (4,) float64, units."""
    by_suit = np.empty(4, np.float64)
    for suit in range(4):
        by_suit[suit] = per_unit * rules.holds[suit]
    return by_suit


@kernel
def worth_of_room(view: np.recarray, rules: np.recarray) -> np.ndarray:
    """What a meld card of each suit is worth to keep (D06): one that has room more than one too many.

    Returns:
        (4,) float64: 1 where a tile has room, less the cards of the suit that will not find any.
    """
    cards = np.empty(4, np.int64)
    room = np.empty(4, np.int64)
    count_suits(view.meld[view.me], cards)
    room_by_terrain(view, rules, room)
    by_suit = np.empty(4, np.float64)
    for suit in range(4):
        by_suit[suit] = min(float(room[suit] - cards[suit]), 0.0)
        if room[suit] > 0:
            by_suit[suit] += 1.0
    return by_suit

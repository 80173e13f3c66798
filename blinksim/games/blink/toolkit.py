"""What strategies ask about the map: room, objectives, walls, threats and duels, all from one seat's observation.

Every function reads an observation (record ``VIEW``) and the ruleset, and changes neither. Questions about cards, melds
and the victory row are in :mod:`blinksim.games.blink.toolkit_cards`. The functions are small on purpose: a strategy
compiles all that it calls once more, so it should call only what it needs.

Values are in points unless said otherwise. Sets of tiles are uint64, bit = tile number.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import tile_of
from blinksim.games.blink.enums import LevelTotal
from blinksim.games.blink.mapping import NONE, beside, occupied, tiles_in_reach
from blinksim.games.blink.scoring import wall_value
from blinksim.games.cards import MAX_RANK, bit, has_card, num_cards
from blinksim.jit import drop_lowest, kernel, lowest, popcount

UNKNOWN_ATTACKER = 0.35
"""Chance that a rival whose cards nobody has seen can break an unwalled tile beside it: a suit in four, a few cards."""


# the game


@kernel
def is_last_round(view: np.recarray) -> bool:
    """Whether the game is scored at the end of this round (section 3.13)."""
    return view.armed != 0 and view.round_number >= view.last_round


@kernel
def rounds_left(view: np.recarray, rules: np.recarray) -> float:
    """Rounds still to come after this one, as a guess: the fullest map places about 2.5 units a round.

    Exact once the end is announced (section 3.13).
    """
    if view.armed != 0:
        return float(max(view.last_round - view.round_number, 0))
    least = view.reserve[0]
    for seat in range(1, view.players):
        least = min(least, view.reserve[seat])
    return float(least) / 2.5 + float(rules.extra_rounds)


@kernel
def coin_weight(view: np.recarray, rules: np.recarray, gold: int) -> float:
    """How much one more coin counts for a seat that has ``gold``: dear while it buys the improvements of the next turn.

    Returns:
        1.2 for the first improvement, 0.8 for the others of a turn, 0.3 beyond; 0.03 in the last round, when coins only
        break ties.
    """
    if is_last_round(view):
        return 0.03
    price = rules.costs[0]
    if gold < price:
        return 1.2
    for bought in range(1, rules.improve_per_turn):
        price += rules.costs[min(bought, rules.num_costs - 1)]
    return 0.8 if gold < price else 0.3


@kernel
def arrangement_weight(view: np.recarray, rules: np.recarray, early: float) -> float:
    """How much an arrangement counts now: ``early`` while it can still be lost or had later, 1 in the last round."""
    return early + (1.0 - early) * max(1.0 - rounds_left(view, rules) / 3.0, 0.0)


# room and tiles


@kernel
def open_tiles(view: np.recarray) -> np.uint64:
    """Tiles that nobody occupies."""
    every = ~NONE if view.num_tiles >= 64 else bit(view.num_tiles) - np.uint64(1)
    return every & ~occupied(view)


@kernel
def tiles_of_rivals(view: np.recarray) -> np.uint64:
    """Tiles that rivals occupy."""
    return occupied(view) & ~view.own[view.me]


@kernel
def room_by_terrain(view: np.recarray, rules: np.recarray, room: np.ndarray) -> int:
    """How many units my cards could settle as the map lies, whatever the reserve (section 2.4, "settle").

    Args:
        room: (4,) int64, overwritten: units that tiles of each terrain in reach still hold.

    Returns:
        Their sum.
    """
    own = view.own[view.me]
    tiles = tiles_in_reach(view, rules, view.me) & view.with_room & (own | ~occupied(view))
    total = 0
    for terrain in range(4):
        here = tiles & view.of_terrain[terrain]
        free = popcount(here) * rules.holds[terrain]
        here &= own
        while here != NONE:
            free -= int(view.units[lowest(here)])
            here = drop_lowest(here)
        room[terrain] = free
        total += free
    return total


@kernel
def worth_of_suit(cards: int, room: int, holds: int, supply: int, tile_worth: float, coin_worth: float) -> float:
    """What some meld cards of one suit bring on the map: a unit each while there is room, tiles where it is short.

    Args:
        cards: Cards of the suit.
        room: Units that tiles of the terrain in reach still hold.
        holds: Units on a tile of the terrain.
        supply: Tiles of the terrain left to lay.
        tile_worth: A tile laid, in units settled.
        coin_worth: A card cashed, in units settled.
    """
    worth = float(min(cards, room))
    left = cards - room
    while left > 0 and supply > 0:
        left -= 1
        supply -= 1
        here = min(left, holds)
        worth += tile_worth + here
        left -= here
    if left > 0:
        worth += coin_worth * left
    return worth


# objectives (section 5)


@kernel
def pattern_worth(view: np.recarray, tiles: np.uint64, terrain: int, around: np.uint64, step: float) -> float:
    """What one more own tile does for my objectives, in arrangements (section 5, "Counting").

    Args:
        view: The observation; its own objectives count.
        tiles: The tiles taken for own ones beside it: those I occupy, or those I may hope for.
        terrain: Terrain of the tile.
        around: The tiles beside it; for a tile not yet laid those that its space touches.
        step: What an arrangement counts that is brought closer, not completed.

    Returns:
        Arrangements completed, plus ``step`` for each one in which the tile fills the first of two ends, or is a middle
        with one end.
    """
    worth = 0.0
    near = around & tiles
    if near == NONE:
        return worth
    for i in range(view.num_objectives):
        code = view.objectives[i]
        middle = code >> 4
        first = view.of_terrain[code >> 2 & 3]
        second = view.of_terrain[code & 3]
        same = code >> 2 & 3 == code & 3
        if terrain == middle:
            ends = popcount(near & first) if same else int(near & first != NONE) + int(near & second != NONE)
            if ends >= 2:
                worth += 1.0
            elif ends == 1:
                worth += step
        if terrain == code >> 2 & 3 or terrain == code & 3:
            middles = near & view.of_terrain[middle]
            while middles != NONE:
                beside_it = view.neighbours[lowest(middles)] & tiles
                middles = drop_lowest(middles)
                if same:
                    ends = popcount(beside_it & first)
                elif terrain == code >> 2 & 3:
                    ends = 2 if beside_it & first != NONE else int(beside_it & second != NONE)
                else:
                    ends = 2 if beside_it & second != NONE else int(beside_it & first != NONE)
                if ends == 1:
                    worth += 1.0
                elif ends == 0:
                    worth += step
    return worth


@kernel
def tile_pattern_worth(view: np.recarray, tiles: np.uint64, tile: int, step: float) -> float:
    """:func:`pattern_worth` of a tile on the map; for a tile among ``tiles`` what would be lost without it."""
    return pattern_worth(view, tiles & ~bit(tile), int(view.terrain[tile]), view.neighbours[tile], step)


@kernel
def objective_ease(view: np.recarray, code: int) -> float:
    """How easily an objective is had, for a choice before the first round: terrains at hand and on the map count."""
    ease = 0.0
    for terrain in range(4):
        weight = 1.0 if terrain == code >> 4 else 0.0
        weight += 0.5 * (int(terrain == code >> 2 & 3) + int(terrain == code & 3))
        if weight > 0.0:
            near = beside(view, view.own[view.me]) | view.own[view.me]
            ease += weight * min(popcount(near & view.of_terrain[terrain]), 2)
            mask = np.uint64(0x1111111111111111) << np.uint64(terrain)
            ease += 0.4 * weight * (popcount(view.hand[0] & mask) + popcount(view.hand[1] & mask))
    return ease


# movement (section 3.8)


@kernel
def move_worth(
    view: np.recarray, tile: int, to_tile: int, wants_room: bool, crowded: float, points: float, step: float
) -> float:
    """What one unit going from tile to tile is worth, in units settled.

    It makes room for a card of the tile's terrain, completes an objective, or takes a tile of its own out of a crowd.
    From own tile to own tile only the first counts; walls that it would strip are kept.

    Args:
        view: The observation.
        tile: Where the unit stands.
        to_tile: Where it goes.
        wants_room: Whether a card waits for room on the terrain of ``tile``.
        crowded: Worth of a further tile for later.
        points: What an arrangement scores.
        step: What an arrangement counts that is brought closer.
    """
    own = view.own[view.me]
    frees = wants_room and view.with_room & bit(tile) == NONE
    if own & bit(to_tile) != NONE:
        return 0.6 if frees and view.coins[to_tile] == 0 else -1.0
    worth = 0.95 if frees else -0.05
    without = own
    if view.units[tile] > 1:
        worth += crowded
    else:
        without = own & ~bit(tile)
        worth -= 0.15
        if not frees:  # else a card settles it again
            worth -= points * tile_pattern_worth(view, without, tile, step)
    return worth + points * tile_pattern_worth(view, without, to_tile, step)


@kernel
def water_worth(view: np.recarray, tile: int, touch: np.uint64, points: float, step: float) -> float:
    """What the water advantage does for my objectives: the ship leaves its tile for a new one (section 3.8).

    Arguments as in :func:`move_worth`; ``touch`` are the tiles beside the new one.
    """
    without = view.own[view.me] & ~bit(tile)
    ocean = int(view.terrain[tile])
    return points * (pattern_worth(view, without, ocean, touch, step) - tile_pattern_worth(view, without, tile, step))


# duels (section 3.7)


@kernel
def owner(view: np.recarray, tile: int) -> int:
    """The seat with units on a tile, or -1."""
    here = bit(tile)
    for seat in range(view.players):
        if view.own[seat] & here != NONE:
            return seat
    return -1


@kernel
def wall_on(view: np.recarray, rules: np.recarray, tile: int, seat: int) -> int:
    """Value of the wall on a seat's tile, 0 without one (R20, R85)."""
    return wall_value(view, rules, seat) if rules.fortify != 0 and view.coins[tile] > 0 else 0


@kernel
def breaking_rank(rules: np.recarray, terrain: int, wall: int) -> int:
    """The lowest rank that takes a tile which nobody answers for (section 3.7; R55, R58).

    Args:
        terrain: Of the tile.
        wall: Value of its wall, 0 without one.
    """
    total = wall
    if wall > 0 or rules.terrain_when_declined != 0:
        total += rules.defence[terrain]
    if rules.level_total == LevelTotal.ATTACKER:
        return max(total, 1)
    if rules.level_total == LevelTotal.DEFENDER or (wall > 0 and rules.wall_is_native != 0):
        return total + 1
    return max(total, 1)


@kernel
def num_at_least(low: np.uint64, high: np.uint64, card: int) -> int:
    """How many cards of a set (its two words) have this number, 0 to 127, or a higher one."""
    if card < 64:
        return popcount(low >> np.uint64(card)) + popcount(high)
    return popcount(high >> np.uint64(card - 64))


@kernel
def answer_chance(view: np.recarray, rules: np.recarray, seat: int, terrain: int, wall: int, attack: int) -> float:
    """The chance that a seat holds a card that beats off an attack (D08; section 3.7).

    Cards seen in its hand count fully, less those that may be gone; each card never seen counts as one of the starting
    deck, since better ones are taken openly.

    Args:
        seat: Owner of the tile.
        terrain: Of the tile.
        wall: Value of its wall, 0 without one; an answer must be above it (R57).
        attack: Rank of the attacking card.
    """
    level = attack - rules.defence[terrain]  # an answer of this rank makes a level total
    needed = level if rules.level_total == LevelTotal.DEFENDER else level + 1
    needed = max(needed, wall + 1)
    seen = view.seen_hand[seat]
    strong = num_at_least(seen[0], seen[1], 4 * min(max(needed, 1), MAX_RANK))
    if needed == level + 1 and level > wall and level >= 1 and rules.level_total == LevelTotal.ATTACKER_UNLESS_NATIVE:
        strong += int(has_card(seen, 4 * level + terrain))
    if strong > view.unsure[seat]:
        return 1.0
    misses = 0.5**strong if strong > 0 else 1.0
    unseen = view.hand_size[seat] - num_cards(seen) + view.unsure[seat]
    weak = min(max(float(needed - rules.rank_min) / float(rules.starting_rank_max - rules.rank_min + 1), 0.0), 1.0)
    for _ in range(unseen):
        misses *= weak
    return 1.0 - misses


@kernel
def capture_chance(view: np.recarray, rules: np.recarray, seat: int, tile: int, attack: int) -> float:
    """The chance that an attack on a seat's tile is won if its owner answers whenever that helps."""
    terrain = int(view.terrain[tile])
    wall = wall_on(view, rules, tile, seat)
    if attack < breaking_rank(rules, terrain, wall):
        return 0.0
    return 1.0 - answer_chance(view, rules, seat, terrain, wall, attack)


@kernel
def prize(view: np.recarray, rules: np.recarray, seat: int, tile: int, hurt: float) -> float:
    """What a won attack on a seat's tile brings, in units: mine that moves in, and the rival's that goes home.

    Args:
        hurt: What a rival's unit sent home is worth to me.
    """
    worth = 0.0 if can_fall_back(view, tile, seat) else hurt
    if view.units[tile] == 1:
        worth += 1.0 if view.reserve[view.me] > 0 else 0.3
    return worth


@kernel
def num_of_suit(cards: np.ndarray, suit: int, rank: int) -> int:
    """How many cards of a suit, of at least a rank (0 to 31), a set holds."""
    of_suit = np.uint64(0x1111111111111111) << np.uint64(suit)
    return num_at_least(cards[0] & of_suit, cards[1] & of_suit, 4 * rank)


@kernel
def threat(view: np.recarray, rules: np.recarray, tile: int, coins: int) -> float:
    """The chance that some rival beside one of my tiles can take a unit off it before I play again.

    Rivals beside it attack with a card of its terrain that breaks the wall; melds still on the table count where the
    turn is to come, cards seen in hand otherwise.

    Args:
        tile: The tile; as if mine.
        coins: Coins on it, 0 or more, as in a question what a wall would change.
    """
    me = view.me
    terrain = int(view.terrain[tile])
    wall = wall_value(view, rules, me) if coins > 0 and rules.fortify != 0 else 0
    needed = min(breaking_rank(rules, terrain, wall), MAX_RANK)
    safe = 1.0
    for seat in range(view.players):
        if seat == me or view.neighbours[tile] & view.own[seat] == NONE:
            continue
        if view.turn_done[seat] == 0 and num_of_suit(view.meld[seat], terrain, needed) > 0:
            safe *= 0.3
        elif num_of_suit(view.seen_hand[seat], terrain, needed) > 0:
            safe *= 0.6
        elif num_cards(view.seen_hand[seat]) < view.hand_size[seat] and needed <= rules.starting_rank_max:
            safe *= 1.0 - UNKNOWN_ATTACKER
    return 1.0 - safe


@kernel
def can_fall_back(view: np.recarray, tile: int, seat: int) -> bool:
    """Whether a beaten unit of a seat has a tile to retreat to (R65)."""
    return view.neighbours[tile] & view.own[seat] & view.with_room != NONE


@kernel
def cheapest_answer(view: np.recarray, rules: np.recarray, actions: np.ndarray, n: int) -> int:
    """The lowest card that beats off the attack under way (D08).

    Returns:
        Its index among ``actions``; 0, which answers with nothing, where the wall holds alone or no card helps.
    """
    terrain = int(view.terrain[view.attack_tile])
    attack = view.attack_card >> 2
    wall = wall_on(view, rules, view.attack_tile, view.me)
    if attack < breaking_rank(rules, terrain, wall):
        return 0
    for i in range(1, n):  # cards ascend
        card = actions[i] >> 5 & 127
        total = (card >> 2) + rules.defence[terrain]
        if total > attack:
            return i
        native = card & 3 == terrain and rules.level_total == LevelTotal.ATTACKER_UNLESS_NATIVE
        if total == attack and (native or rules.level_total == LevelTotal.DEFENDER):
            return i
    return 0


@kernel
def safest_retreat(view: np.recarray, actions: np.ndarray, n: int) -> int:
    """The index of the retreat that strips fewest coins (D09; R66)."""
    best = 0
    for i in range(1, n):
        if view.coins[tile_of(actions[i])] < view.coins[tile_of(actions[best])]:
            best = i
    return best

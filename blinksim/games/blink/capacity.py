"""Whether the engine's fixed sizes are enough for what a ruleset can produce.

The limits buy speed (:mod:`blinksim.games.blink.enums`). Each check works with an upper bound, so a ruleset that passes
can never run into a limit; the message names the limit and the parameters behind the number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb, perm
from typing import TYPE_CHECKING

from blinksim.games.blink.enums import MAX_ACTIONS, MAX_SPACES, MAX_TILES
from blinksim.games.blink.maps import bordering_spaces, start_map
from blinksim.games.blink.problems import Problem

if TYPE_CHECKING:
    from blinksim.games.blink.ruleset_model import Ruleset

NEW_SPACES = {1: 2, 2: 1}
"""Most spaces that a newly laid tile adds, less the one it takes, by the tiles it must touch; 3 or more: none.

A tile has six neighbours. Beside one tile two of the other five border that tile already, which leaves three new
spaces; beside two tiles at least two fewer; beside three at most one.
"""


def tiles_in_all(ruleset: Ruleset) -> int:
    """All tiles in the box."""
    terrain = ruleset.terrain
    return terrain.P.tiles + terrain.F.tiles + terrain.O.tiles + terrain.M.tiles


def most_spaces(ruleset: Ruleset, players: int) -> int:
    """An upper bound of the spaces beside the map once every tile is laid."""
    cells = start_map(ruleset.setup.map, players).cells()
    per_tile = NEW_SPACES.get(ruleset.turn.explore_min_touch, 0)
    return len(bordering_spaces(cells)) + per_tile * max(0, tiles_in_all(ruleset) - len(cells))


@lru_cache(maxsize=256)
def most_melds(hand_size: int, limit: int, num_ranks: int) -> int:
    """The most legal melds (section 3.2) that a hand can hold.

    Exact where hands of the size could exceed ``MAX_ACTIONS``; an upper bound where they cannot.

    Args:
        hand_size: Cards in the hand.
        limit: Most cards in a meld.
        num_ranks: Ranks in the deck; there are four cards of each.
    """
    subsets = sum(comb(hand_size, size) for size in range(1, min(limit, hand_size) + 1))
    if subsets <= MAX_ACTIONS:
        return subsets
    # The best hand has no gap between its ranks. Try every way to spread the cards over neighbouring ranks. Melds are
    # counted by the rank they end on; the counts by size are one number in base 2^20, which makes a rank a product,
    # the size limit a mask, and the sum of the counts (below 2^17) the remainder by base - 1.
    base = 1 << 20
    mask = base ** (limit + 1) - 1
    take = {cards: sum(comb(cards, size) * base**size for size in range(1, cards + 1)) for cards in range(1, 5)}

    def best(cards: int, ranks: int, ending_here: int) -> int:
        if cards == 0 or ranks == 0:
            return 0
        most = 0
        for count in range(1, min(4, cards) + 1):
            ending = (ending_here + 1) * take[count] & mask
            most = max(most, ending % (base - 1) + best(cards - count, ranks - 1, ending))
        return most

    return best(hand_size, num_ranks, 0)


def most_acts(ruleset: Ruleset, players: int) -> int:
    """An upper bound of the choices of D07 (section 2.4)."""
    terrain, move = ruleset.terrain, ruleset.move
    tiles = tiles_in_all(ruleset)
    spaces = most_spaces(ruleset, players)
    meld = min(max(ruleset.tiers.meld_limit), ruleset.setup.hand_size)
    own = min(tiles, sum(ruleset.tiers.units))
    of_a_suit = max(terrain.P.tiles, terrain.F.tiles, terrain.O.tiles, terrain.M.tiles)
    acts = meld * ((of_a_suit if ruleset.turn.suit_must_match else tiles) + spaces + 1)
    if move.per_card and (move.land or move.sea):
        acts += own * (tiles - 1)
    if move.per_card and move.water_advantage:
        acts += min(own, terrain.O.tiles) * spaces
    fortify, found_and_cash, research_trade_end = own, 2 * ruleset.victory.slots, 3
    return acts + fortify + found_and_cash + research_trade_end


def capacity_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """What the engine has no room for."""
    setup, tiers, trade = ruleset.setup, ruleset.tiers, ruleset.trade
    tiles = tiles_in_all(ruleset)
    if tiles > MAX_TILES:
        keys = tuple(f"terrain.{suit}.tiles" for suit in "PFOM")
        yield Problem(keys, f"terrain.*.tiles add up to {tiles}; at most {MAX_TILES} (MAX_TILES) are possible")
    if setup.draft:
        for i, passed in enumerate(setup.draft_passes):
            if passed <= setup.hand_size:
                yield from _too_many(
                    comb(setup.hand_size, passed),
                    f"passing {passed} of {setup.hand_size} cards (setup.draft_passes[{i}], setup.hand_size)",
                    ("setup.draft_passes", "setup.hand_size"),
                )
    limit = max(tiers.meld_limit)
    num_ranks = ruleset.cards.rank_max - ruleset.cards.rank_min + 1
    if num_ranks > 0:
        yield from _too_many(
            most_melds(setup.hand_size, limit, num_ranks),
            f"melds of up to {limit} of {setup.hand_size} cards (tiers.meld_limit, setup.hand_size)",
            ("tiers.meld_limit", "setup.hand_size", "cards.rank_min", "cards.rank_max"),
        )
    yield from _too_many(
        perm(setup.hand_size + trade.draw, trade.bury),
        f"burying {trade.bury} of {setup.hand_size + trade.draw} cards in order (trade.bury, trade.draw, "
        "setup.hand_size)",
        ("trade.bury", "trade.draw", "setup.hand_size"),
    )
    yield from _map_problems(ruleset)


def _map_problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Spaces and map turns, for the player count that has the most."""
    fewest, most = ruleset.setup.players
    counts = range(fewest, most + 1)
    if not counts:
        return
    tile_keys = tuple(f"terrain.{suit}.tiles" for suit in "PFOM")
    space_keys = (*tile_keys, "turn.explore_min_touch", "setup.map", "setup.players")
    spaces = max(most_spaces(ruleset, players) for players in counts)
    if spaces > MAX_SPACES:
        yield Problem(
            space_keys,
            f"up to {spaces} spaces can lie beside the map (terrain.*.tiles, turn.explore_min_touch, setup.map); "
            "at most "
            f"{MAX_SPACES} (MAX_SPACES) are possible",
        )
    yield from _too_many(
        max(most_acts(ruleset, players) for players in counts),
        "a map turn (tiers.units, tiers.meld_limit, terrain.*.tiles, turn.explore_min_touch)",
        (*space_keys, "tiers.units", "tiers.meld_limit", "turn.suit_must_match", "move.per_card"),
    )


def _too_many(choices: int, decision: str, keys: tuple[str, ...]) -> Iterator[Problem]:
    if choices > MAX_ACTIONS:
        yield Problem(keys, f"{decision} can have {choices} choices; at most {MAX_ACTIONS} (MAX_ACTIONS) are possible")

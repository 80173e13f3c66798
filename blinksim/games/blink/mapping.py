"""The map: laying tiles, units coming and going, owners and reach (sections 0, 3.6 and 3.8).

Tiles are numbered in the order laid. A space is a hex without a tile that touches one; each knows the tiles it touches.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import MAX_SPACES, MAX_TILES
from blinksim.games.cards import bit
from blinksim.games.hexmap import NEIGHBOUR_STEPS, cell_distance
from blinksim.jit import drop_lowest, kernel, lowest, popcount

NONE = np.uint64(0)


@kernel
def find_space(state: np.recarray, cell: int) -> int:
    """The number of a space in the list, or -1 where the cell touches no tile or has one."""
    for s in range(state.num_spaces):
        if state.space_cell[s] == cell:
            return s
    return -1


@kernel
def lay_tile(state: np.recarray, rules: np.recarray, cell: int, terrain: int) -> int:
    """Lay an unoccupied tile from the supply on a space, or on any empty cell of a starting map.

    Returns:
        The tile's number.

    Raises:
        ValueError: more than 64 tiles, or more spaces around them than the state has room for. Rulesets that could
            come so far are refused when they are loaded.
    """
    tile = int(state.num_tiles)
    if tile >= MAX_TILES:
        raise ValueError("the map is full: it has room for 64 tiles")
    here = bit(tile)
    touch = NONE
    space = find_space(state, cell)
    if space >= 0:
        touch = state.space_touch[space]
        last = state.num_spaces - 1
        state.space_cell[space] = state.space_cell[last]
        state.space_touch[space] = state.space_touch[last]
        state.num_spaces = last
    state.num_tiles = tile + 1
    state.tile_cell[tile] = cell
    state.terrain[tile] = terrain
    state.units[tile] = 0
    state.coins[tile] = 0
    state.neighbours[tile] = touch
    state.of_terrain[terrain] |= here
    state.with_room |= here
    state.supply[terrain] -= 1
    rest = touch
    while rest != NONE:
        state.neighbours[lowest(rest)] |= here
        rest = drop_lowest(rest)
    for i in range(6):
        beside = cell + NEIGHBOUR_STEPS[i]
        is_tile = False
        rest = touch
        while rest != NONE:
            if state.tile_cell[lowest(rest)] == beside:
                is_tile = True
            rest = drop_lowest(rest)
        if is_tile:
            continue
        space = find_space(state, beside)
        if space < 0:
            space = int(state.num_spaces)
            if space >= MAX_SPACES:
                raise ValueError("the map is too ragged: it has room for 128 spaces around its tiles")
            state.num_spaces = space + 1
            state.space_cell[space] = beside
            state.space_touch[space] = NONE
        state.space_touch[space] |= here
    return tile


@kernel
def put_unit(state: np.recarray, rules: np.recarray, tile: int, seat: int) -> None:
    """One more unit of a seat on a tile that is its own or unoccupied."""
    units = int(state.units[tile]) + 1
    state.units[tile] = units
    state.own[seat] |= bit(tile)
    if units >= rules.holds[state.terrain[tile]]:
        state.with_room &= ~bit(tile)


@kernel
def take_unit(state: np.recarray, tile: int, seat: int) -> None:
    """One unit of a seat leaves a tile; a tile without units has no owner."""
    units = int(state.units[tile]) - 1
    state.units[tile] = units
    state.with_room |= bit(tile)
    if units == 0:
        state.own[seat] &= ~bit(tile)


@kernel
def occupied(state: np.recarray) -> np.uint64:
    """All tiles with an owner."""
    return state.own[0] | state.own[1] | state.own[2] | state.own[3]


@kernel
def owner_of(state: np.recarray, tile: int) -> int:
    """The seat with units on a tile, or -1."""
    here = bit(tile)
    for seat in range(state.players):
        if state.own[seat] & here != NONE:
            return seat
    return -1


@kernel
def all_tiles(state: np.recarray) -> np.uint64:
    """Every tile of the map."""
    if state.num_tiles >= 64:
        return ~NONE
    return bit(state.num_tiles) - np.uint64(1)


@kernel
def beside(state: np.recarray, tiles: np.uint64) -> np.uint64:
    """All tiles that have a neighbour in a set; may hold tiles of the set itself."""
    around = NONE
    while tiles != NONE:
        around |= state.neighbours[lowest(tiles)]
        tiles = drop_lowest(tiles)
    return around


@kernel
def distance_to_own(state: np.recarray, seat: int, cell: int) -> int:
    """Hex distance from a cell to the nearest own tile, 999 without one."""
    nearest = 999
    own = state.own[seat]
    while own != NONE:
        nearest = min(nearest, cell_distance(cell, int(state.tile_cell[lowest(own)])))
        own = drop_lowest(own)
    return nearest


@kernel
def tiles_in_reach(state: np.recarray, rules: np.recarray, seat: int) -> np.uint64:
    """Tiles that a seat's cards may be used on (section 0 "in reach"; ``turn.reach``; waiver of R51)."""
    own = state.own[seat]
    if own == NONE:
        return all_tiles(state) if rules.reach_waived != 0 else NONE
    if rules.reach == 1:
        return own | beside(state, own)
    reached = NONE
    for t in range(state.num_tiles):
        if distance_to_own(state, seat, int(state.tile_cell[t])) <= rules.reach:
            reached |= bit(t)
    return reached


@kernel
def space_within(state: np.recarray, rules: np.recarray, seat: int, space: int, reach: int) -> bool:
    """Whether a space is within ``reach`` of an own tile, or the seat's reach is waived (R51)."""
    own = state.own[seat]
    if own == NONE:
        return rules.reach_waived != 0
    if state.space_touch[space] & own != NONE:
        return True
    return reach > 1 and distance_to_own(state, seat, int(state.space_cell[space])) <= reach


@kernel
def touches(state: np.recarray, space: int) -> int:
    """How many tiles a space touches, whatever their terrain or owner (R49)."""
    return popcount(state.space_touch[space])

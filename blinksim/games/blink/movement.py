"""Movement: land chains, ships, the water advantage, fortifying (sections 2.4 and 3.8)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import move_action, space_action, tile_action
from blinksim.games.blink.duel import coins_that_leave, strip_arrival
from blinksim.games.blink.enums import Kind, Terrain
from blinksim.games.blink.facts import Sink, pay
from blinksim.games.blink.mapping import NONE, beside, lay_tile, occupied, put_unit, take_unit, touches
from blinksim.games.cards import bit
from blinksim.jit import drop_lowest, kernel, lowest


@kernel
def connected(state: np.recarray, start: np.uint64, within: np.uint64) -> np.uint64:
    """All tiles of a set that a start set is connected with through the set; holds the start."""
    found = start
    fresh = start
    while fresh != NONE:
        fresh = beside(state, fresh) & within & ~found
        found |= fresh
    return found


@kernel
def sailing(state: np.recarray, rules: np.recarray, seat: int, tile: int) -> np.uint64:
    """W(f): the Ocean a ship on a tile commands, its own tile included (section 3.8; R76)."""
    ocean = state.of_terrain[Terrain.O]
    water = ocean & ~occupied(state)
    if rules.sea_through_own != 0:
        water |= ocean & state.own[seat]
    return connected(state, bit(tile), water)


@kernel
def list_moves(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray, n: int) -> int:
    """List the movements of one unit from tile to tile (section 3.8; R73 to R77, R83)."""
    own = state.own[seat]
    taken = occupied(state)
    rest = own
    while rest != NONE:
        chain = connected(state, bit(lowest(rest)), own)
        rest &= ~chain
        by_land = NONE
        if rules.move_land != 0:
            by_land = (beside(state, chain) & ~taken) | (chain & state.with_room)
        members = chain
        while members != NONE:
            tile = lowest(members)
            members = drop_lowest(members)
            to = by_land & ~bit(tile)
            if rules.move_sea != 0 and state.terrain[tile] == Terrain.O:
                to |= sailing(state, rules, seat, tile) & ~taken
            while to != NONE:
                actions[n] = move_action(tile, lowest(to))
                to = drop_lowest(to)
                n += 1
    return n


@kernel
def may_use_water(state: np.recarray, rules: np.recarray) -> bool:
    """Whether the water advantage is free this turn, wherever it is used (R81)."""
    return (
        rules.water_advantage != 0
        and state.water_used < rules.water_per_turn
        and state.moves_left >= rules.water_cost
        and state.supply[Terrain.O] >= 1
    )


@kernel
def list_water(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray, n: int) -> int:
    """List the water advantages: a ship lays Ocean beside the water it commands and sails there (section 3.8, R81)."""
    ships = state.own[seat] & state.of_terrain[Terrain.O]
    while ships != NONE:
        tile = lowest(ships)
        ships = drop_lowest(ships)
        water = sailing(state, rules, seat, tile)
        for s in range(state.num_spaces):
            if state.space_touch[s] & water != NONE and touches(state, s) >= rules.explore_min_touch:
                actions[n] = space_action(Kind.WATER.value, 0, tile, s, int(state.space_cell[s]), 0)
                n += 1
    return n


@kernel
def list_fortify(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray, n: int) -> int:
    """List the own tiles that can take another coin (section 2.4, R84)."""
    if rules.fortify == 0 or state.gold[seat] < rules.fortify_cost:
        return n
    own = state.own[seat]
    while own != NONE:
        tile = lowest(own)
        own = drop_lowest(own)
        if int(state.coins[tile]) < rules.max_per_unit * int(state.units[tile]):
            actions[n] = tile_action(Kind.FORTIFY.value, tile)
            n += 1
    return n


@kernel
def move_unit(state: np.recarray, rules: np.recarray, seat: int, tile: int, to_tile: int) -> None:
    """One unit goes from tile to tile; coins as in R79 and R80."""
    leaving = coins_that_leave(state, rules, tile)
    state.coins[tile] -= leaving
    take_unit(state, tile, seat)
    if state.units[to_tile] > 0:
        strip_arrival(state, rules, to_tile)
    put_unit(state, rules, to_tile, seat)
    if rules.strip_on_move == 0:
        state.coins[to_tile] += leaving


@kernel
def use_water(state: np.recarray, rules: np.recarray, seat: int, tile: int, cell: int) -> None:
    """The water advantage: lay Ocean on a space and move the ship there (section 3.8)."""
    state.moves_left -= rules.water_cost
    state.water_used += 1
    new = lay_tile(state, rules, cell, Terrain.O.value)
    move_unit(state, rules, seat, tile, new)


@kernel
def fortify(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int, tile: int) -> None:
    """One coin on an own tile (section 2.4)."""
    pay(state, facts, seat, Sink.FORTIFY.value, rules.fortify_cost)
    state.coins[tile] += 1

"""A position as plain Python: sets of cells, tiles by cell, distances and floods (sections 0, 3.1 and 3.8).

The second reading of a state, beside the sets of bits that the compiled rules use; :mod:`blinksim.games.blink.check`
judges choices by it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from blinksim.games.blink.enums import Decision, Terrain
from blinksim.games.cards import cards_in
from blinksim.games.hexmap import unpack_cell

Cell = tuple[int, int]
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
NOBODY = -1


class Tile(NamedTuple):
    """One tile: its number, terrain, owner (-1 nobody), units and coins."""

    number: int
    terrain: int
    owner: int
    units: int
    coins: int


def neighbours(cell: Cell) -> set[Cell]:
    """The six cells beside a cell (section 0)."""
    return {(cell[0] + dq, cell[1] + dr) for dq, dr in STEPS}


def distance(a: Cell, b: Cell) -> int:
    """Hex distance (section 0)."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


class Position:
    """A state as the deciding seat's plain sets and dicts, read once."""

    def __init__(self, state: Any, rules: Any) -> None:
        """Read one STATE record; both records are kept for what is looked up seldom."""
        self.state = state
        self.rules = rules
        self.decision = Decision(int(state.decision))
        self.seat = int(state.seat)
        count = int(state.num_tiles)
        owners = [int(state.own[seat]) for seat in range(int(state.players))]
        self.cells: list[Cell] = [unpack_cell(int(cell)) for cell in state.tile_cell[:count]]
        self.tiles: dict[Cell, Tile] = {}
        for number, cell in enumerate(self.cells):
            owner = next((seat for seat, tiles in enumerate(owners) if tiles >> number & 1), NOBODY)
            units, coins = int(state.units[number]), int(state.coins[number])
            self.tiles[cell] = Tile(number, int(state.terrain[number]), owner, units, coins)
        self.own: set[Cell] = {cell for cell, tile in self.tiles.items() if tile.owner == self.seat}
        self.holds = [int(holds) for holds in rules.holds]
        self.supply = [int(tiles) for tiles in state.supply]
        self.hand = cards_in(state.hand[self.seat])
        self.meld = set(cards_in(state.meld[self.seat]))
        self.row = cards_in(state.row[self.seat])
        self.reserve = int(state.reserve[self.seat])
        self.gold = int(state.gold[self.seat])
        self.min_touch = int(rules.explore_min_touch)
        self.first_colony: dict[int, bool] = {}  # by row card, filled as asked

    @cached_property
    def tier(self) -> int:
        """The current tier of the deciding seat: the last whose preceding tiers are placed (section 3.1)."""
        units = [int(u) for u in self.rules.tier_units[: int(self.rules.num_tiers)]]
        placed = sum(units) - self.reserve
        return max(i for i in range(len(units)) if sum(units[:i]) <= placed)

    @cached_property
    def rank_cap(self) -> int:
        """The highest rank the deciding seat may take in research, as of now (R103)."""
        return int(self.rules.tier_rank_cap[self.tier])

    def has_room(self, cell: Cell) -> bool:
        """Whether a tile holds fewer units than its terrain can (section 0)."""
        tile = self.tiles[cell]
        return tile.units < self.holds[tile.terrain]

    def touch(self, cell: Cell) -> int:
        """Tiles beside a cell, whatever their terrain or owner (section 0)."""
        return sum(beside in self.tiles for beside in neighbours(cell))

    def to_own(self, cell: Cell) -> int:
        """Distance to the nearest own tile; only with units on the map."""
        return min(distance(cell, own) for own in self.own)

    @cached_property
    def fringe(self) -> set[Cell]:
        """Cells without a tile at distance 1 or 2 of one."""
        near = {beside for cell in self.tiles for beside in neighbours(cell)}
        return {beside for cell in near for beside in neighbours(cell)} - self.tiles.keys()

    @cached_property
    def bands_of_own(self) -> dict[Cell, set[Cell]]:
        """For each own tile its connected set of own tiles, C(f) of section 3.8."""
        found: dict[Cell, set[Cell]] = {}
        for start in self.own:
            if start not in found:
                group = flood(start, self.own)
                found.update(dict.fromkeys(group, group))
        return found

    def water(self, ship: Cell) -> set[Cell]:
        """Ocean that a ship can reach and its own tile, W(f) of section 3.8; through own ships by a switch (R76)."""
        passable = {
            cell
            for cell, tile in self.tiles.items()
            if tile.terrain == Terrain.O
            and (tile.owner == NOBODY or (tile.owner == self.seat and bool(self.rules.sea_through_own)))
        }
        return flood(ship, passable | {ship})

    @cached_property
    def waters(self) -> dict[Cell, set[Cell]]:
        """W(f) of every own ship."""
        return {cell: self.water(cell) for cell in self.own if self.tiles[cell].terrain == Terrain.O}

    @cached_property
    def destinations(self) -> dict[Cell, set[Cell]]:
        """Where one movement may take a unit of each own tile, by land or sea (section 3.8, R73 to R77, R83)."""
        found = {}
        for start in self.own:
            ends: set[Cell] = set()
            if self.rules.move_land:
                group = self.bands_of_own[start]
                shore = {beside for cell in group for beside in neighbours(cell) if beside in self.tiles}
                ends |= {cell for cell in shore if self.tiles[cell].owner == NOBODY}
                ends |= {cell for cell in group if self.has_room(cell)}
            if self.rules.move_sea and start in self.waters:
                ends |= {cell for cell in self.waters[start] if self.tiles[cell].owner == NOBODY}
            found[start] = ends - {start}
        return found


def flood(start: Cell, passable: set[Cell]) -> set[Cell]:
    """All cells of a set connected to ``start`` by adjacency, with ``start`` itself."""
    found, todo = {start}, [start]
    while todo:
        for cell in neighbours(todo.pop()) & passable - found:
            found.add(cell)
            todo.append(cell)
    return found

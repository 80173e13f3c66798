"""Starting maps: the built-in ones, and what is wrong with a map of one's own (rules 1.9 and 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from blinksim.games.blink.parameters import OwnMap, OwnMaps
from blinksim.games.cards import SUITS

MIN_START_DISTANCE = 3
Cell = tuple[int, int]
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps to the six neighbours (section 0)."""


@dataclass(frozen=True)
class StartMap:
    """The tiles on the table before the first round, as axial cells.

    ``homelands`` are Plains in seat order, ``other`` has a terrain letter with each cell.
    """

    mountains: tuple[Cell, ...]
    homelands: tuple[Cell, ...]
    other: tuple[tuple[int, int, str], ...] = field(default=())

    def tiles(self) -> list[tuple[Cell, str]]:
        """Cells and terrains in the order of the packed ruleset: homelands, Mountains, other tiles."""
        return [
            *((cell, "P") for cell in self.homelands),
            *((cell, "M") for cell in self.mountains),
            *(((q, r), terrain) for q, r, terrain in self.other),
        ]

    def cells(self) -> list[Cell]:
        """The cells in the same order."""
        return [cell for cell, _ in self.tiles()]

    def tiles_used(self) -> dict[str, int]:
        """How many tiles of each terrain the map takes from the supply."""
        counts = Counter(terrain for _, terrain in self.tiles())
        return {terrain: counts[terrain] for terrain in SUITS}


BUILTIN = {
    2: StartMap(mountains=((0, 0), (1, 0)), homelands=((-1, 0), (2, 0))),
    3: StartMap(mountains=((0, 0), (1, 0), (0, 1)), homelands=((-1, 0), (2, -1), (0, 2))),
    4: StartMap(mountains=((0, -1), (0, 0), (1, 0), (1, 1)), homelands=((0, -2), (2, -1), (1, 2), (-1, 1))),
}
"""The maps of section 4 by player count."""


def start_map(choice: str | OwnMaps, players: int) -> StartMap:
    """The starting map for a player count.

    Args:
        choice: ``setup.map`` of a ruleset.
        players: 2 to 4.
    """
    own = choice.for_players(players) if isinstance(choice, OwnMaps) else None
    return BUILTIN[players] if own is None else own_map(own)


def own_map(own: OwnMap) -> StartMap:
    """The starting map that a ruleset spells out."""
    return StartMap(own.mountains, own.homelands, own.other)


def distance(a: Cell, b: Cell) -> int:
    """Hex distance of two cells (section 0)."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def neighbours(cell: Cell) -> list[Cell]:
    """The six cells beside a cell."""
    return [(cell[0] + q, cell[1] + r) for q, r in STEPS]


def bordering_spaces(cells: Iterable[Cell]) -> dict[Cell, int]:
    """The spaces beside some tiles, each with the number of tiles it touches."""
    tiles = set(cells)
    return dict(Counter(space for cell in tiles for space in neighbours(cell) if space not in tiles))


def is_connected(cells: Sequence[Cell]) -> bool:
    """Whether some cells form one block; no cells do."""
    rest = set(cells)
    todo = [rest.pop()] if rest else []
    while todo:
        beside = [cell for cell in neighbours(todo.pop()) if cell in rest]
        rest.difference_update(beside)
        todo += beside
    return not rest


def map_problems(layout: StartMap, players: int, layout_rules: bool) -> list[str]:
    """What is wrong with a starting map, one sentence each; empty where nothing is.

    Args:
        layout: The map.
        players: Its player count.
        layout_rules: Whether the three layout rules of section 4 hold for it too (``setup.map_rules``).
    """
    problems = []
    if len(layout.homelands) != players:
        problems.append(
            f"it has {_count(len(layout.homelands), 'homeland')}; {players} players need {players}, in seat order"
        )
    doubled = [cell for cell, times in Counter(layout.cells()).items() if times > 1]
    if doubled:
        problems.append(f"two tiles lie on {_cells(doubled)}; every tile needs a cell of its own")
    if not is_connected(layout.cells()):
        problems.append("its tiles are not connected; they must form one block")
    return problems + (_layout_problems(layout, players) if layout_rules else [])


def _layout_problems(layout: StartMap, players: int) -> list[str]:
    """What breaks the three layout rules of section 4. Mountains and Plains among the other tiles count as such."""
    mountains = [cell for cell, terrain in layout.tiles() if terrain == "M"]
    plains = [cell for cell, terrain in layout.tiles() if terrain == "P"]
    problems = []
    if len(mountains) != players:
        problems.append(f"layout rule 1: it has {_count(len(mountains), 'Mountain')}; {players} players need {players}")
    if not is_connected(mountains):
        problems.append("layout rule 1: its Mountains are not one connected block")
    if len(plains) != players:
        problems.append(f"layout rule 2: it has {len(plains)} Plains; {players} players need {players}")
    for cell in plains:
        touched = len(set(neighbours(cell)) & set(mountains))
        if touched != 1:
            problems.append(
                f"layout rule 2: the Plains at {_cells([cell])} touches {_count(touched, 'Mountain')}, not 1"
            )
    for i, a in enumerate(layout.homelands):
        for b in layout.homelands[i + 1 :]:
            if distance(a, b) < MIN_START_DISTANCE:
                problems.append(
                    f"layout rule 3: homelands {_cells([a])} and {_cells([b])} are {distance(a, b)} apart, "
                    f"not {MIN_START_DISTANCE} or more"
                )
    if problems:
        problems[-1] += "; set setup.map_rules = false for a map that need not obey the layout rules"
    return problems


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _cells(cells: Iterable[Cell]) -> str:
    return " and ".join(f"{q},{r}" for q, r in cells)

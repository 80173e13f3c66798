"""A position drawn for the terminal: the map, and the table of seats beside it.

Hexes are pointy-top as in ``rules.md``: one step of q goes right, one of r goes down and half a hex right. Colours are
those of Okabe and Ito, which most colour-blind people can tell apart; letters say the same without colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from blinksim.games.blink.objectives import count_arrangements, num_held, objective_text
from blinksim.games.blink.ruleset import Ruleset
from blinksim.games.blink.scoring import OBJECTIVES, ROW, TOTAL, UNITS, score
from blinksim.games.cards import SUITS, cards_in, cards_text
from blinksim.games.hexmap import unpack_cell

SEAT_LETTERS = "abcd"
SEAT_COLOURS = ("#56b4e9", "#e69f00", "#cc79a7", "#009e73")
QUIET = "bright_black"
TERRAIN_NAMES = ("Plains", "Forest", "Ocean", "Mountain")
LEGEND = "P Plains, F Forest, O Ocean, M Mountain; a2•1: two units of seat a, one coin on them"
ROWS = 3  # of text for one row of hexes


def label(seat: int, names: Sequence[str]) -> str:
    """How the story calls a seat: its letter on the map and its name, such as ``b raider``."""
    return f"{SEAT_LETTERS[seat]} {names[seat]}"


def seat_style(seat: int) -> str:
    """The colour of a seat's units and name."""
    return f"bold {SEAT_COLOURS[seat]}"


def tile_owner(state: Any, tile: int) -> int:
    """The seat whose units stand on a tile, -1 for nobody."""
    return next((seat for seat in range(int(state.players)) if int(state.own[seat]) >> tile & 1), -1)


def tile_content(state: Any, tile: int) -> str:
    """A tile in a few letters: terrain, then owner, units and coins, such as ``P a2•1``; an open tile ``M``."""
    terrain = SUITS[int(state.terrain[tile])]
    owner = tile_owner(state, tile)
    if owner < 0:
        return terrain
    coins = int(state.coins[tile])
    return f"{terrain} {SEAT_LETTERS[owner]}{int(state.units[tile])}" + (f"•{coins}" if coins else "")


def draw_map(state: Any) -> Text:
    """The map as a drawing of hexes, each with its cell, terrain, owner, units and coins.

    Args:
        state: One STATE or VIEW record.
    """
    tiles = []
    for tile in range(int(state.num_tiles)):
        q, r = unpack_cell(int(state.tile_cell[tile]))
        tiles.append((q, r, f"{q},{r}", tile_content(state, tile), tile_owner(state, tile)))
    if not tiles:
        return Text("(no tile)")
    # Slanted edges are two rows high; a cell's text stands between the lower halves of the upper two.
    wide = any(len(cell) > 5 or len(content) > 6 for _, _, cell, content, _ in tiles)
    half, near, far = (6, 2, 4) if wide else (4, 1, 3)
    left = min(2 * q + r for q, r, *_ in tiles) * half - half
    top = min(r for _, r, *_ in tiles) * ROWS
    drawn: dict[tuple[int, int], tuple[str, str]] = {}

    def put(row: int, column: int, text: str, style: str) -> None:
        for i, letter in enumerate(text):
            drawn[row, column + i] = (letter, style)

    for q, r, cell, content, owner in tiles:
        row, middle = r * ROWS - top, (2 * q + r) * half - left
        for dy, dx, ends in ((0, near, "/\\"), (1, far, "/\\"), (2, half, "||"), (3, far, "\\/"), (4, near, "\\/")):
            put(row + dy, middle - dx, ends[0], QUIET)
            put(row + dy, middle + dx, ends[1], QUIET)
        put(row + 1, middle - len(cell) // 2, cell, QUIET)
        put(row + 2, middle - half + 2, content[:1], "bold")
        put(row + 2, middle - half + 4, content[2:], seat_style(owner) if owner >= 0 else "")
    picture = Text(no_wrap=True, overflow="ignore")
    for y in range(max(row for row, _ in drawn) + 1):
        columns = [x for row, x in drawn if row == y]
        for x in range(max(columns) + 1 if columns else 0):
            letter, style = drawn.get((y, x), (" ", ""))
            picture.append(letter, style)
        picture.append("\n")
    picture.right_crop(1)
    return picture


def map_text(state: Any) -> str:
    """The drawing of :func:`draw_map` without colours."""
    return draw_map(state).plain


def tier_name(state: Any, rules: Any, ruleset: Ruleset, seat: int) -> str:
    """The name of a seat's current tier."""
    return str(ruleset.tiers.name[int(rules.tier_of[int(state.reserve[seat])])])


def points_of(state: Any, rules: Any, seat: int) -> list[int]:
    """A seat's points if the game ended now: for units, row and objectives, and in all (section 3.13)."""
    points = np.zeros(4, dtype=np.int64)
    score(state, rules, seat, points)
    return [int(points[i]) for i in (UNITS, ROW, OBJECTIVES, TOTAL)]


def objectives_text(state: Any, seat: int, scored: bool = False) -> str:
    """A seat's objectives; with ``scored`` only those with an arrangement, and how many."""
    codes = [int(code) for code in state.objectives[seat][: int(state.num_objectives[seat])]]
    if not scored:
        shown = int(state.shown[seat])
        return ", ".join(objective_text(code) + (" (shown)" if code == shown else "") for code in codes) or "none"
    counts = [(objective_text(code), int(count_arrangements(state, seat, code))) for code in codes]
    return ", ".join(f"{name} x{count}" for name, count in counts if count) or "none"


def blank_table(*columns: str) -> Table:
    """A plain table; a column whose name begins with ``#`` is set flush right."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for column in columns:
        number = column.startswith("#")
        table.add_column(column.removeprefix("#"), justify="right" if number else "left", no_wrap=number)
    return table


def seats_table(state: Any, rules: Any, ruleset: Ruleset, names: Sequence[str]) -> Table:
    """What every seat has: tier, units at home and on the map, gold, row, cards in hand, objectives held, score."""
    table = blank_table("seat", "player", "tier", "#reserve", "#map", "#gold", "victory row", "#hand", "obj.", "#score")
    for column in table.columns:
        column.no_wrap = column.header != "victory row"  # on a narrow terminal the longest one gives way
    for seat in range(int(state.players)):
        held, of = int(num_held(state, seat)), int(state.num_objectives[seat])
        reserve = int(state.reserve[seat])
        cells = (
            str(seat),
            Text(label(seat, names), seat_style(seat)),
            tier_name(state, rules, ruleset, seat),
            str(reserve),
            str(int(rules.total_units) - reserve),
            str(int(state.gold[seat])),
            cards_text(cards_in(state.row[seat])) or "-",
            str(int(state.hand_size[seat])),
            f"{held} of {of}" if of else "-",
            str(points_of(state, rules, seat)[3]),
        )
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))
    return table


def result_table(state: Any, rules: Any, names: Sequence[str]) -> Table:
    """The final score, best first: what every seat has points for."""
    table = blank_table("player", "#units", "#row", "victory row", "#obj.", "objectives", "#total", "#gold")
    points = {seat: points_of(state, rules, seat) for seat in range(int(state.players))}
    for seat in sorted(points, key=lambda seat: (-points[seat][3], -int(state.gold[seat]), seat)):
        units, row, objectives, total = points[seat]
        cells = (
            Text(label(seat, names), seat_style(seat)),
            str(units),
            str(row),
            cards_text(cards_in(state.row[seat])) or "-",
            str(objectives),
            objectives_text(state, seat, scored=True),
            str(total),
            str(int(state.gold[seat])),
        )
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))
    return table

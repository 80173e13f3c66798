"""Small pictures of a map of hexes, as SVG that stands inside a page.

A picture is a list of references, one for each hex, to what the key of the maps draws once: a hex with the letter of
its terrain, with an outline where it is a homeland, a counter with the letter of its owner and how many units it stands
for, and coins. So a game's pictures stay small. What a colour says a letter says too. Colours are the game's and the
same on a dark page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from blinksim.games.game import MapTile, Mark

HALF, SIDE, ROW = 14, 16, 24
"""Half the width of a pointy-top hex, its side, and the distance of two rows; whole numbers are short."""

HEX = f"M0-{SIDE}L{HALF}-8V8L0 {SIDE}L-{HALF} 8V-8Z"
INNER = "M0-14.1L12.4-7.1V7.1L0 14.1L-12.4 7.1V-7.1Z"
INK, EDGE = "#1b1c1d", "#5f6163"
COIN = "#ffd24d"

Box = tuple[int, int, int, int]
"""Left, top, width and height of what a picture shows."""


def box_of(rounds: Sequence[Sequence[MapTile]]) -> Box:
    """What all maps of a game need, so that a tile stands in the same place in each."""
    places = [_place(tile) for tiles in rounds for tile in tiles] or [(0, 0)]
    left, right = min(x for x, _ in places) - HALF - 1, max(x for x, _ in places) + HALF + 1
    top, bottom = min(y for _, y in places) - SIDE - 1, max(y for _, y in places) + SIDE + 1
    return left, top, right - left, bottom - top


def map_svg(tiles: Sequence[MapTile], seats: Sequence[Mark], box: Box, alternative: str) -> str:
    """One map.

    Args:
        tiles: Its hexes and what stands on them.
        seats: Who owns them; those of the key, or the first of them.
        box: From :func:`box_of`.
        alternative: What it shows, in words.
    """
    drawn = "".join(_use(_tile(tile, seats), *_place(tile)) for tile in tiles)
    return _svg(box, alternative, drawn)


def key_svg(terrains: Sequence[Mark], seats: Sequence[Mark], rounds: Sequence[Sequence[MapTile]]) -> str:
    """The key: the signs with their names; it must stand on the page for the maps to be drawn.

    Args:
        terrains: What a tile may be.
        seats: Who may own one.
        rounds: Every map on the page, whose signs the key defines.
    """
    plain = MapTile(0, 0, terrains[0].letter, -1, -1, 0, 0)
    held = replace(plain, owner=0, units=2)
    named = [(replace(plain, terrain=mark.letter), mark.name) for mark in terrains]
    named += [(replace(plain, home=seat), f"homeland of {mark.letter}") for seat, mark in enumerate(seats)]
    named += [(held, f"2 units of {seats[0].letter}"), (replace(held, coins=1), "2 units, 1 coin")]
    tiles = {_tile(tile, seats): tile for tile in [*(tile for tile, _ in named), *(t for of in rounds for t in of)]}
    counters = {(tile.owner, tile.units) for tile in tiles.values() if tile.owner >= 0}
    signs = [
        *(_group(_hex(mark), _hex_sign(mark)) for mark in terrains),
        *(_group(_home(mark), _home_sign(mark)) for mark in seats),
        *(_group(_counter(seats[owner], many), _counter_sign(seats[owner], many)) for owner, many in sorted(counters)),
        *(_group(_coins(many), _coins_sign(many)) for many in sorted({tile.coins for tile in tiles.values()} - {0})),
        *(_group(name, _tile_sign(tile, terrains, seats)) for name, tile in sorted(tiles.items())),
    ]
    cells = []
    for number, (tile, name) in enumerate(named):
        x, y = number % 2 * 150, number // 2 * 36
        sign = _use(_tile(tile, seats), 0, 0)
        cells.append(
            f'<g transform="translate({x} {y})">{sign}<text class="name" x="22" y="4">{escape(name)}</text></g>'
        )
    box = (-HALF - 1, -SIDE - 1, 300, (len(named) + 1) // 2 * 36)
    said = f"The signs of the maps: {', '.join(name for _, name in named)}."
    return _svg(box, said, f"<defs>{''.join(signs)}</defs>{''.join(cells)}")


def _place(tile: MapTile) -> tuple[int, int]:
    """The middle of a hex: a step of q is a hex to the right, one of r a row down and half a hex to the right."""
    return HALF * (2 * tile.q + tile.r), ROW * tile.r


def _svg(box: Box, alternative: str, content: str) -> str:
    view = " ".join(map(str, box))
    return f'<svg class="map" viewBox="{view}" role="img" aria-label="{escape(alternative)}">{content}</svg>'


def _use(name: str, x: int, y: int) -> str:
    where = (f' x="{x}"' if x else "") + (f' y="{y}"' if y else "")
    return f'<use href="#{name}"{where}/>'


def _group(name: str, content: str) -> str:
    return f'<g id="{name}">{content}</g>'


def _hex(terrain: Mark) -> str:
    return f"mt{terrain.letter}"


def _home(seat: Mark) -> str:
    return f"mh{seat.letter}"


def _counter(seat: Mark, units: int) -> str:
    return f"mu{seat.letter}{units}"


def _coins(many: int) -> str:
    return f"mg{many}"


def _tile(tile: MapTile, seats: Sequence[Mark]) -> str:
    """What a hex with all that is on it is called: ``m-Pha-b2-1``, terrain, homeland, counter and coins."""
    home = f"h{seats[tile.home].letter}" if tile.home >= 0 else ""
    held = f"-{seats[tile.owner].letter}{tile.units}" if tile.owner >= 0 else ""
    return f"m-{tile.terrain}{home}{held}" + (f"-{tile.coins}" if tile.coins else "")


def _tile_sign(tile: MapTile, terrains: Sequence[Mark], seats: Sequence[Mark]) -> str:
    names = [_hex(mark) for mark in terrains if mark.letter == tile.terrain]
    names += [_home(seats[tile.home])] if tile.home >= 0 else []
    names += [_counter(seats[tile.owner], tile.units)] if tile.owner >= 0 else []
    names += [_coins(tile.coins)] if tile.coins else []
    return "".join(_use(name, 0, 0) for name in names)


def _text(x: float, y: float, text: str, size: float = 7, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{INK}"{more}>{escape(text)}</text>'


def _hex_sign(terrain: Mark) -> str:
    edge = f'stroke="{EDGE}" stroke-width=".8"'
    return f'<path d="{HEX}" fill="{terrain.colour}" {edge}/>{_text(0, -5.6, terrain.letter)}'


def _home_sign(seat: Mark) -> str:
    """An outline in the seat's colour, dark behind so that it stands out from every terrain, and the seat's letter."""
    return (
        f'<path d="{INNER}" fill="none" stroke="{INK}" stroke-width="3"/>'
        f'<path d="{INNER}" fill="none" stroke="{seat.colour}" stroke-width="1.9"/>'
        f"{_text(8.2, -2.6, seat.letter)}"
    )


def _counter_sign(seat: Mark, units: int) -> str:
    disc = f'<circle cx="-2" cy="3" r="7" fill="{seat.colour}" stroke="{INK}" stroke-width=".9"/>'
    return disc + _text(-2, 6, f"{seat.letter}{units}", 8.5, ' font-weight="700"')


def _coins_sign(many: int) -> str:
    disc = f'<circle cx="9.4" cy="4.4" r="3.6" fill="{COIN}" stroke="{INK}" stroke-width=".9"/>'
    return disc + (_text(9.4, 6.6, str(many), 6) if many > 1 else "")

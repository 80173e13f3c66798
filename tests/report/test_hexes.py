"""Pictures of maps as SVG: what stands where, and that every sign is defined once."""

import re
from html.parser import HTMLParser

from blinksim.games.game import MapTile, Mark
from blinksim.report.hexes import box_of, key_svg, map_svg

TERRAINS = [Mark("P", "Plains", "#eee000"), Mark("O", "Ocean", "#0000ee")]
SEATS = [Mark("a", "seat 0", "#111111"), Mark("b", "seat 1", "#222222"), Mark("g", "a <seat>", "#333333")]
TILES = [
    MapTile(0, 0, "P", 0, 1, 2, 1),
    MapTile(1, 0, "O", -1, -1, 0, 0),
    MapTile(0, 1, "P", -1, 2, 1, 0),
    MapTile(0, -1, "O", -1, 0, 1, 3),
]


def uses(svg: str) -> list[tuple[str, int, int]]:
    found = re.findall(r'<use href="#([^"]*)"(?: x="(-?\d+)")?(?: y="(-?\d+)")?/>', svg)
    return [(name, int(x or 0), int(y or 0)) for name, x, y in found]


def test_a_hex_stands_where_its_cell_is_with_what_is_on_it() -> None:
    """One step of q is a hex to the right, one of r a row down and half a hex to the right."""
    svg = map_svg(TILES, SEATS, box_of([TILES]), "three <tiles> & their signs")
    assert uses(svg) == [("m-Pha-b2-1", 0, 0), ("m-O", 28, 0), ("m-P-g1", 14, 24), ("m-O-a1-3", -14, -24)]
    assert 'role="img" aria-label="three &lt;tiles&gt; &amp; their signs"' in svg


def test_the_box_holds_every_map_of_a_game() -> None:
    left, top, width, height = box_of([TILES[:1], TILES])
    assert (left, top, left + width, top + height) == (-14 - 15, -24 - 17, 28 + 15, 24 + 17)
    assert box_of([[]]) == box_of([[MapTile(0, 0, "P", -1, -1, 0, 0)]])


def test_the_key_defines_each_sign_once_and_names_it() -> None:
    key = key_svg(TERRAINS, SEATS, [TILES, TILES[:2]])
    ids = re.findall(r'id="([^"]*)"', key)
    assert len(ids) == len(set(ids))
    needed = {name for name, *_ in uses(map_svg(TILES, SEATS, (0, 0, 1, 1), "")) + uses(key)}
    assert needed <= set(ids)
    for words in ("Plains", "Ocean", "homeland of a", "2 units of a", "2 units, 1 coin"):
        assert f">{words}</text>" in key
    assert "#eee000" in key and "#333333" in key
    HTMLParser().feed(key)


def test_letters_say_what_colours_say() -> None:
    key = key_svg(TERRAINS, SEATS, [TILES])
    for sign, parts in {"m-Pha-b2-1": ["mtP", "mha", "mub2", "mg1"], "m-O": ["mtO"], "m-P-g1": ["mtP", "mug1"]}.items():
        drawn = re.search(rf'<g id="{sign}">(.*?)</g>', key)
        assert drawn is not None and [name for name, *_ in uses(drawn[1])] == parts
    for sign, text in {"mtP": ["P"], "mha": ["a"], "mub2": ["b2"], "mg1": [], "mg3": ["3"]}.items():
        drawn = re.search(rf'<g id="{sign}">(.*?)</g>', key)
        assert drawn is not None and re.findall(r">([^<>]+)</text>", drawn[1]) == text

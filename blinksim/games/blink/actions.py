"""Actions: one whole number each, with named accessors. :mod:`blinksim.games.blink.text` gives them words.

================  ===========================================================================
bits              meaning
================  ===========================================================================
0 to 4            :class:`~blinksim.games.blink.enums.Kind`
5 to 11           card (settle … gold, declare, aside, found, cash, defend, retire, drop); objective; slot
12 to 17          tile (from-tile of move and water)
18 to 23          second tile (to-tile of move)
24 to 31          number of the space in the state's list, 255 where it is not in it (explore, water, place)
32 to 47          packed cell (explore, water, place)
48 to 49          terrain (place)
5 to 20           positions in the hand, bit i = i-th lowest card (pass, meld)
5 to 25           three cards of seven bits, the first ends highest (bury)
================  ===========================================================================

``declare`` and ``defend`` with card 0 say none; ``unit`` has tile 1 for here and 0 for later; ``to`` has tile 0 for
hand and 1 for discard; ``retreat`` with tile 63 and second tile 1 goes home. ``place`` and ``unit`` of effect B name
the tile or cell.

The compiler does not turn an enumeration member into a number, so kernels pass ``Kind.GOLD.value``.
"""

from __future__ import annotations

from blinksim.games.blink.enums import Kind
from blinksim.jit import kernel

NO_SPACE = 255
HERE = 1
LATER = 0
TO_HAND = 0
TO_DISCARD = 1


@kernel
def card_action(kind: int, card: int) -> int:
    """An action on one card, objective or slot."""
    return kind | card << 5


@kernel
def tile_action(kind: int, tile: int) -> int:
    """An action on one tile; also unit (HERE, LATER) and to (TO_HAND, TO_DISCARD)."""
    return kind | tile << 12


@kernel
def card_on_tile(kind: int, card: int, tile: int) -> int:
    """Settle or attack."""
    return kind | card << 5 | tile << 12


@kernel
def move_action(tile: int, to_tile: int) -> int:
    """One unit from tile to tile."""
    return Kind.MOVE.value | tile << 12 | to_tile << 18


@kernel
def space_action(kind: int, card: int, tile: int, space: int, cell: int, terrain: int) -> int:
    """Explore (card), water advantage (tile the unit leaves) or a place of effect B (terrain)."""
    return kind | card << 5 | tile << 12 | space << 24 | cell << 32 | terrain << 48


@kernel
def positions_action(kind: int, positions: int) -> int:
    """A pass or a meld."""
    return kind | positions << 5


@kernel
def bury_action(first: int, second: int, third: int) -> int:
    """Cards for the market bottom, the first ends highest; 0 where fewer than three are buried."""
    return Kind.BURY.value | first << 5 | second << 12 | third << 19


RETREAT_HOME = int(Kind.RETREAT) | 63 << 12 | 1 << 18


@kernel
def kind_of(action: int) -> int:
    """The Kind of an action."""
    return action & 31


@kernel
def card_of(action: int) -> int:
    """The card, objective or slot of an action; of a bury the first card."""
    return action >> 5 & 127


@kernel
def tile_of(action: int) -> int:
    """The tile of an action."""
    return action >> 12 & 63


@kernel
def to_tile_of(action: int) -> int:
    """The tile a unit moves to."""
    return action >> 18 & 63


@kernel
def space_of(action: int) -> int:
    """The number of the space in the state's list of spaces."""
    return action >> 24 & 255


@kernel
def cell_of(action: int) -> int:
    """The packed cell of an action."""
    return action >> 32 & 0xFFFF


@kernel
def terrain_of(action: int) -> int:
    """The terrain of a place of effect B."""
    return action >> 48 & 3


@kernel
def positions_of(action: int) -> int:
    """The hand positions of a pass or a meld."""
    return action >> 5 & 0xFFFF


@kernel
def buried_card(action: int, i: int) -> int:
    """The i-th card of a bury, from 0; 0 where there is none."""
    return action >> (5 + 7 * i) & 127

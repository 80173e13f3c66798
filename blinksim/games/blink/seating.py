"""Seats that a starting map makes different: which are alike, which lie farther in, which farther out (rules 4)."""

from __future__ import annotations

from blinksim.games.blink.maps import distance, start_map
from blinksim.games.blink.ruleset_model import Ruleset

NAMES = {1: (), 2: ("inner", "outer"), 3: ("inner", "middle", "outer"), 4: ("innermost", "inner", "outer", "outermost")}
"""Names of the classes by how many there are, from the nearest to the middle of the map."""


def seat_classes(ruleset: Ruleset, players: int) -> tuple[str, ...]:
    """The class of each seat: seats whose homelands have the same distances to everything on the map are of one.

    Args:
        ruleset: With the map.
        players: Player count.

    Returns:
        A name per seat, such as ``("outer", "inner", "outer", "inner")``, classes ordered by the mean distance to the
        other starting tiles; empty where all seats are alike.
    """
    layout = start_map(ruleset.setup.map, players)
    sights = []
    for home in layout.homelands:
        far = sorted((terrain, distance(home, cell)) for cell, terrain in layout.tiles() if cell != home)
        sights.append((sum(steps for _, steps in far), tuple(far)))
    classes = sorted(set(sights))
    names = NAMES[len(classes)]
    return tuple(names[classes.index(sight)] for sight in sights) if names else ()

"""The map of a game through its rounds as plain data, for whoever draws it outside the terminal.

Terrain colours are tints of those of Okabe and Ito, light enough for black letters and for the marks of seats on them,
which have the full colours; letters say the same without colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from blinksim.games.blink.drawing import SEAT_COLOURS, SEAT_LETTERS, TERRAIN_NAMES, tile_owner
from blinksim.games.blink.record import Replay, Step, round_ended
from blinksim.games.blink.table import Moment, Table
from blinksim.games.cards import SUITS
from blinksim.games.game import MapCourse, MapTile, Mark
from blinksim.games.hexmap import unpack_cell

TERRAIN_COLOURS = ("#f7eea2", "#a9dcc4", "#bfe1f6", "#cdcdcd")
"""Plains yellow, Forest green, Ocean blue, Mountain grey."""


def map_course(game: Table | str | Path) -> MapCourse:
    """The map of a game at its start and after each round; of an unfinished one as far as it went.

    Args:
        game: A game that was played, or the path of a record.

    Raises:
        RecordError: the record is not what the rules give.
    """
    if isinstance(game, Table):
        moments: Iterable[Moment | Step] = game.moments
        header, start = game.header, game.moments[0].before if game.moments else game.state
    else:
        replay = Replay(game)
        header, start, moments = replay.header, replay.start, replay
    names = header.seats
    return MapCourse(
        terrains=tuple(map(Mark, SUITS, TERRAIN_NAMES, TERRAIN_COLOURS)),
        seats=tuple(Mark(SEAT_LETTERS[seat], name, SEAT_COLOURS[seat]) for seat, name in enumerate(names)),
        rounds=tuple(_tiles(state) for state in _round_ends(start, moments)),
    )


def _round_ends(start: Any, moments: Iterable[Moment | Step]) -> Iterator[Any]:
    """The state at the start, then that after each round."""
    yield start
    for moment in moments:
        if round_ended(moment.before, moment.after):
            yield moment.after


def _tiles(state: Any) -> tuple[MapTile, ...]:
    tiles = []
    for tile in range(int(state.num_tiles)):
        q, r = unpack_cell(int(state.tile_cell[tile]))
        home = tile if tile < int(state.players) else -1  # homelands are the first tiles, in seat order
        owner = tile_owner(state, tile)
        terrain = SUITS[int(state.terrain[tile])]
        tiles.append(MapTile(q, r, terrain, home, owner, int(state.units[tile]), int(state.coins[tile])))
    return tuple(tiles)

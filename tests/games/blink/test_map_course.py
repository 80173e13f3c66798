"""The map of a game through its rounds, against the states that it is taken from."""

import pytest

import blinksim
from blinksim.games.blink import GAME
from blinksim.games.blink.map_course import map_course
from blinksim.games.blink.table import Table
from blinksim.games.game import MapCourse


@pytest.fixture(scope="module")
def table() -> Table:
    return blinksim.new_game(players=3, seed=7).play(["random"] * 3)


@pytest.fixture(scope="module")
def course(table: Table) -> MapCourse:
    assert GAME.map_course is not None
    return GAME.map_course(table)


def test_there_is_a_map_for_the_start_and_for_every_round(table: Table, course: MapCourse) -> None:
    assert len(course.rounds) == table.round + 1
    assert [(mark.letter, mark.name) for mark in course.seats] == [(letter, "random") for letter in "abc"]
    assert [mark.letter for mark in course.terrains] == list("PFOM")
    start = course.rounds[0]
    assert [(t.q, t.r, t.terrain, t.home, t.owner, t.units) for t in start[:3]] == [
        (-1, 0, "P", 0, 0, 1),
        (2, -1, "P", 1, 1, 1),
        (0, 2, "P", 2, 2, 1),
    ]
    assert [(t.terrain, t.home, t.owner, t.units, t.coins) for t in start[3:]] == [("M", -1, -1, 0, 0)] * 3


def test_tiles_are_added_and_stay_where_they_are(course: MapCourse) -> None:
    for before, after in zip(course.rounds, course.rounds[1:], strict=False):
        assert [(t.q, t.r, t.terrain, t.home) for t in before] == [
            (t.q, t.r, t.terrain, t.home) for t in after[: len(before)]
        ]
    assert len({(t.q, t.r) for t in course.rounds[-1]}) == len(course.rounds[-1]) > 6


def test_each_map_is_that_of_the_end_of_its_round(table: Table, course: MapCourse) -> None:
    """Units on the map and in reserve are all there are; the first decision of the next round sees the same map."""
    for number, tiles in enumerate(course.rounds):
        later = [moment.before for moment in table.moments if int(moment.before.round_number) > number]
        state = later[0] if later else table.state
        for seat in range(3):
            own = [tile for tile in tiles if tile.owner == seat]
            assert sum(tile.units for tile in own) == 20 - int(state.reserve[seat])
        assert sum(tile.coins for tile in tiles) == int(state.coins[: len(tiles)].sum())


def test_a_game_that_has_not_begun_has_its_start_alone() -> None:
    assert len(map_course(blinksim.new_game(players=2, seed=7)).rounds) == 1

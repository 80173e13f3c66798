"""Starting maps (rules 4 and 1.9)."""

from __future__ import annotations

from itertools import combinations

import pytest

from blinksim.games.blink.maps import (
    BUILTIN,
    StartMap,
    bordering_spaces,
    distance,
    is_connected,
    map_problems,
    neighbours,
    start_map,
)
from blinksim.games.blink.ruleset import Ruleset, RulesetError, from_dict

SYMMETRY = {
    # a turn that keeps the map, and where it takes the seats (section 4)
    2: (lambda q, r: (1 - q, -r), [1, 0]),
    3: (lambda q, r: (1 - q - r, q), [1, 2, 0]),
    4: (lambda q, r: (1 - q, -r), [2, 3, 0, 1]),
}


@pytest.mark.parametrize("players", BUILTIN)
def test_built_in_maps_obey_the_layout_rules(players: int) -> None:
    assert map_problems(BUILTIN[players], players, layout_rules=True) == []


@pytest.mark.parametrize(
    ("players", "distances"),
    [(2, {(0, 1): 3}), (3, dict.fromkeys(combinations(range(3), 2), 3)), (4, {(0, 2): 5})],
)
def test_start_distances(players: int, distances: dict[tuple[int, int], int]) -> None:
    homelands = BUILTIN[players].homelands
    for a, b in combinations(range(players), 2):
        assert distance(homelands[a], homelands[b]) == distances.get((a, b), 3)


@pytest.mark.parametrize("players", BUILTIN)
def test_symmetry(players: int) -> None:
    turn, seats = SYMMETRY[players]
    layout = BUILTIN[players]
    assert {turn(*cell) for cell in layout.mountains} == set(layout.mountains)
    assert [turn(*cell) for cell in layout.homelands] == [layout.homelands[seat] for seat in seats]


def test_four_players_have_two_seat_classes() -> None:
    layout = BUILTIN[4]
    distances = [sorted(distance(home, mountain) for mountain in layout.mountains) for home in layout.homelands]
    assert distances == [[1, 2, 3, 4], [1, 2, 2, 2], [1, 2, 3, 4], [1, 2, 2, 2]]


@pytest.mark.parametrize(
    ("players", "by_seat"),
    [
        (2, [{(-1, 1), (0, -1)}, {(1, 1), (2, -1)}]),
        (3, [{(-1, 1), (0, -1)}, {(1, -1), (2, 0)}, {(-1, 2), (1, 1)}]),
        (4, [{(-1, -1), (1, -2)}, {(1, -1), (2, 0)}, {(0, 2), (2, 1)}, {(-1, 0), (0, 1)}]),
    ],
)
def test_first_explore_spaces(players: int, by_seat: list[set[tuple[int, int]]]) -> None:
    layout = BUILTIN[players]
    spaces = bordering_spaces(layout.cells())
    for seat, expected in enumerate(by_seat):
        beside = set(neighbours(layout.homelands[seat]))
        assert {space for space, touched in spaces.items() if touched >= 2 and space in beside} == expected


def test_supply_left_after_the_starting_map() -> None:
    left = {n: {suit: 15 - used for suit, used in BUILTIN[n].tiles_used().items()} for n in BUILTIN}
    assert left == {
        2: {"P": 13, "F": 15, "O": 15, "M": 13},
        3: {"P": 12, "F": 15, "O": 15, "M": 12},
        4: {"P": 11, "F": 15, "O": 15, "M": 11},
    }


def test_order_of_tiles() -> None:
    layout = StartMap(((0, 0), (1, 0)), ((-1, 0), (2, 0)), ((0, 1, "O"),))
    assert layout.tiles() == [((-1, 0), "P"), ((2, 0), "P"), ((0, 0), "M"), ((1, 0), "M"), ((0, 1), "O")]


def test_connected() -> None:
    assert is_connected([])
    assert is_connected([(0, 0), (0, 1), (1, 0)])
    assert not is_connected([(0, 0), (0, 2)])


def test_spaces_and_what_they_touch() -> None:
    assert bordering_spaces([(0, 0)]) == dict.fromkeys(neighbours((0, 0)), 1)
    spaces = bordering_spaces([(0, 0), (1, 0)])
    assert len(spaces) == 8
    assert {space for space, touched in spaces.items() if touched == 2} == {(0, 1), (1, -1)}


LINE = StartMap(((0, 0), (1, 0)), ((-1, 0), (2, 0)))


@pytest.mark.parametrize(
    ("layout", "layout_rules", "expected"),
    [
        (LINE, True, []),
        (StartMap(LINE.mountains, LINE.homelands, ((0, 1, "O"), (1, 1, "F"))), True, []),
        (StartMap(LINE.mountains, ((-1, 0),)), False, ["it has 1 homeland; 2 players need 2, in seat order"]),
        (
            StartMap(LINE.mountains, ((-1, 0), (0, 0))),
            False,
            ["two tiles lie on 0,0; every tile needs a cell of its own"],
        ),
        (
            StartMap(LINE.mountains, ((-1, 0), (4, 0))),
            False,
            ["its tiles are not connected; they must form one block"],
        ),
        (StartMap((), ((0, 0), (1, 0))), False, []),
        (
            StartMap(((0, 0), (1, 0), (0, 1)), ((-1, 0), (2, 0))),
            True,
            ["layout rule 1: it has 3 Mountains; 2 players need 2"],
        ),
        (
            StartMap(((0, 0), (3, 0)), ((-1, 0), (4, 0)), ((1, 0, "O"), (2, 0, "O"))),
            True,
            ["layout rule 1: its Mountains are not one connected block"],
        ),
        (
            StartMap(LINE.mountains, LINE.homelands, ((-1, 1, "P"),)),
            True,
            ["layout rule 2: it has 3 Plains; 2 players need 2"],
        ),
        (
            StartMap(LINE.mountains, ((-1, 0), (2, -1)), ()),
            True,
            [],
        ),
        (
            StartMap(LINE.mountains, ((1, -1), (0, 2)), ((0, 1, "F"),)),
            True,
            [
                "layout rule 2: the Plains at 1,-1 touches 2 Mountains, not 1",
                "layout rule 2: the Plains at 0,2 touches 0 Mountains, not 1",
            ],
        ),
        (
            StartMap(LINE.mountains, ((-1, 0), (0, -1))),
            True,
            ["layout rule 3: homelands -1,0 and 0,-1 are 1 apart, not 3 or more"],
        ),
    ],
)
def test_what_is_wrong_with_a_map(layout: StartMap, layout_rules: bool, expected: list[str]) -> None:
    hint = "; set setup.map_rules = false for a map that need not obey the layout rules"
    assert [text.removesuffix(hint) for text in map_problems(layout, 2, layout_rules)] == expected


def test_own_maps_in_a_ruleset() -> None:
    own = {"3": {"mountains": [[0, 0], [1, 0], [0, 1]], "homelands": [[0, -1], [2, 0], [-1, 2]]}}
    ruleset = from_dict({"setup": {"map": own}}, "here")
    assert start_map(ruleset.setup.map, 3).homelands == ((0, -1), (2, 0), (-1, 2))
    assert start_map(ruleset.setup.map, 4) == BUILTIN[4] == start_map(Ruleset().setup.map, 4)
    close = {"2": {"mountains": [[0, 0]], "homelands": [[-1, 0], [1, 0]], "other": [[0, 1, "P"]]}}
    assert from_dict({"setup": {"map": close, "map_rules": False}}, "here").setup.map_rules is False
    with pytest.raises(RulesetError, match=r"here: setup.map.2: layout rule 1: it has 1 Mountain; 2 players need 2"):
        from_dict({"setup": {"map": close}}, "here")
    with pytest.raises(RulesetError, match=r"terrain.M.tiles is 2; the starting map for 3 players needs 3"):
        from_dict({"setup": {"map": own, "players": [2, 3]}, "terrain": {"M": {"tiles": 2}}}, "here")

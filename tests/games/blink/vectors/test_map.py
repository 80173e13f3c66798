"""Vectors 7.8: explore, reach, movement and coins on moves (3.6, 3.8; map G)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.blink.positions import (
    add_tile,
    add_units,
    choose,
    fresh,
    options,
    rules_for,
    set_hand,
    set_row,
    spot,
    start_turn,
    supply,
)

LAND_ONLY = {"move.sea": False}
SEA_ONLY = {"move.land": False}
ONE_OF_EACH = "5P 5F 5O 5M"


def map_g(rules: Any, *, rival: bool = True) -> Any:
    """Map G: seat 0 on (-1,0) twice, (0,0) and (0,-1); seat 1 on (2,0) unless ``rival`` is off."""
    state = fresh(rules, start_map=False)
    for q, r, terrain in [
        (0, 0, "M"),
        (1, 0, "M"),
        (-1, 0, "P"),
        (2, 0, "P"),
        (0, -1, "O"),
        (1, -1, "O"),
        (2, -1, "O"),
    ]:
        add_tile(state, rules, q, r, terrain)
    add_tile(state, rules, -1, 1, "F")
    add_units(state, rules, -1, 0, 0, 2)
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 0, -1, 0, 1)
    if rival:
        add_units(state, rules, 2, 0, 1, 1)
    for seat in range(int(rules.players)):
        set_hand(state, seat, "1P")
    return state


def on_tiles(state: Any, rules: Any, word: str) -> set[str]:
    """The tiles on which a settle or attack with the 5 of the tile's suit is legal, as suit and cell."""
    return {f"{suit}({cell})" for suit in "PFOM" for cell in options(state, rules, f"{word} 5{suit}")}


def cells(text: str) -> set[str]:
    """Cells listed with blanks between."""
    return set(text.split())


def test_settle_and_attack_of_seat_0() -> None:
    """7.8: settle P(-1,0), F(-1,1), O(1,-1), M(1,0), not the full (0,0), (0,-1); no attack, (2,0) is too far."""
    rules = rules_for(2)
    state = map_g(rules)
    start_turn(state, rules, 0, ONE_OF_EACH)
    assert on_tiles(state, rules, "settle") == {"P(-1,0)", "F(-1,1)", "O(1,-1)", "M(1,0)"}
    assert on_tiles(state, rules, "attack") == set()


def test_settle_of_seat_1() -> None:
    """7.8: P(2,0), O(2,-1), M(1,0)."""
    rules = rules_for(2)
    state = map_g(rules)
    start_turn(state, rules, 1, ONE_OF_EACH)
    assert on_tiles(state, rules, "settle") == {"P(2,0)", "O(2,-1)", "M(1,0)"}


@pytest.mark.parametrize("card", ONE_OF_EACH.split())
def test_explore_spaces(card: str) -> None:
    """7.8: four spaces, whatever the suit."""
    rules = rules_for(2)
    state = map_g(rules)
    start_turn(state, rules, 0, ONE_OF_EACH)
    assert options(state, rules, f"explore {card}") == cells("-2,1 -1,-1 0,1 1,-2")


def test_effect_b_spaces_at_reach_2() -> None:
    """7.8: those four, (1,1) and (2,-2)."""
    rules = rules_for(2)
    state = map_g(rules)
    set_row(state, 0, "7F")
    start_turn(state, rules, 0)
    choose(state, rules, "found 7F")
    assert options(state, rules, "place") == {f"{cell} F" for cell in cells("-2,1 -1,-1 0,1 1,-2 1,1 2,-2")}


def test_spaces_without_units() -> None:
    """7.8: a player with no units reaches those six and (3,-1)."""
    rules = rules_for(3)
    state = map_g(rules)
    start_turn(state, rules, 2, "5F")
    assert options(state, rules, "explore 5F") == cells("-2,1 -1,-1 0,1 1,-2 1,1 2,-2 3,-1")


@pytest.mark.parametrize(
    ("changes", "start", "expected"),
    [
        (LAND_ONLY, "-1,0", "-1,1 1,-1 1,0"),
        (LAND_ONLY, "0,0", "-1,0 -1,1 1,-1 1,0"),
        (LAND_ONLY, "0,-1", "-1,0 -1,1 1,-1 1,0"),
        (SEA_ONLY, "0,-1", "1,-1 2,-1"),
        (SEA_ONLY, "-1,0", ""),
        (SEA_ONLY, "0,0", ""),
        ({}, "0,-1", "-1,0 -1,1 1,-1 1,0 2,-1"),
        ({}, "-1,0", "-1,1 1,-1 1,0"),
    ],
)
def test_moves(changes: dict[str, Any], start: str, expected: str) -> None:
    """7.8: by land, by sea, and both."""
    rules = rules_for(2, changes)
    state = map_g(rules)
    start_turn(state, rules, 0, "5P")
    assert options(state, rules, f"move {start}") == cells(expected)


def test_water_advantage() -> None:
    """7.8: from (0,-1); no other own tile is Ocean."""
    rules = rules_for(2)
    state = map_g(rules)
    start_turn(state, rules, 0, "5P")
    assert options(state, rules, "water") == {f"0,-1 {cell}" for cell in cells("-1,-1 1,-2 2,-2 3,-1")}


@pytest.mark.parametrize(
    ("changes", "word", "expected"),
    [
        (SEA_ONLY, "move 0,-1", ""),
        ({}, "water 0,-1", "-1,-1 1,-2"),
        (SEA_ONLY, "move 1,-1", "2,-1"),
        (LAND_ONLY, "move 0,-1", "-1,0 -1,1 1,0 2,-1"),
    ],
)
def test_second_own_ship(changes: dict[str, Any], word: str, expected: str) -> None:
    """7.8: an own ship on (1,-1) blocks the sea (R76) and is crossed by land."""
    rules = rules_for(2, changes)
    state = map_g(rules)
    add_units(state, rules, 1, -1, 0, 1)
    start_turn(state, rules, 0, "5P")
    assert options(state, rules, word) == cells(expected)


@pytest.mark.parametrize(
    ("changes", "word", "expected"),
    [
        (SEA_ONLY, "move 0,-1", ""),
        ({}, "water 0,-1", "-1,-1 1,-2"),
        (LAND_ONLY, "move 0,-1", "-1,0 -1,1 1,0"),
    ],
)
def test_rival_ship(changes: dict[str, Any], word: str, expected: str) -> None:
    """7.8: a rival on (1,-1) blocks sea and land."""
    rules = rules_for(2, changes)
    state = map_g(rules)
    add_units(state, rules, 1, -1, 1, 1)
    start_turn(state, rules, 0, "5P")
    assert options(state, rules, word) == cells(expected)


def test_waiver() -> None:
    """7.8: seat 1 has no unit: reach is waived until its first unit stands on the map (R51)."""
    rules = rules_for(2)
    state = map_g(rules, rival=False)
    start_turn(state, rules, 1, f"{ONE_OF_EACH} 6M")
    assert on_tiles(state, rules, "settle") == {"F(-1,1)", "M(1,0)", "O(1,-1)", "O(2,-1)", "P(2,0)"}
    assert on_tiles(state, rules, "attack") == {"P(-1,0)", "M(0,0)", "O(0,-1)"}
    choose(state, rules, "settle 6M 1,0")
    assert on_tiles(state, rules, "settle") == {"O(1,-1)", "O(2,-1)", "P(2,0)"}
    assert on_tiles(state, rules, "attack") == {"M(0,0)"}


def line(rules: Any, *tiles: tuple[str, int, int]) -> Any:
    """A row of tiles from (0,0) eastwards, as terrain, units and coins, all units seat 0's."""
    state = fresh(rules, start_map=False)
    for q, (terrain, units, coins) in enumerate(tiles):
        add_tile(state, rules, q, 0, terrain, 0 if units else None, units, coins)
    set_hand(state, 0, "1P")
    return state


@pytest.mark.parametrize(
    ("tiles", "choice", "expected"),
    [
        ([("P", 2, 1), ("F", 0, 0)], "move 0,0 1,0", ["0:1/1", "0:1/0"]),
        ([("P", 1, 1), ("F", 0, 0)], "move 0,0 1,0", ["open", "0:1/0"]),
        ([("F", 1, 0), ("P", 2, 2)], "move 0,0 1,0", ["open", "0:3/0"]),
        ([("P", 1, 1)], "settle 5P 0,0", ["0:2/0"]),
        ([("P", 1, 0), ("F", 1, 1), ("M", 0, 0)], "move 0,0 2,0", ["open", "0:1/1", "0:1/0"]),
    ],
    ids=["uncoined unit goes", "coined unit goes", "arrival strips", "settle strips", "crossing"],
)
def test_coins_on_moves(tiles: list[tuple[str, int, int]], choice: str, expected: list[str]) -> None:
    """7.8, last line (R73, R79, R80)."""
    rules = rules_for(2)
    state = line(rules, *tiles)
    start_turn(state, rules, 0, "5P")
    choose(state, rules, choice)
    assert [spot(state, f"{q},0") for q in range(len(tiles))] == expected


@pytest.mark.parametrize(
    ("players", "spaces"),
    [
        (2, ["-1,1 0,-1", "1,1 2,-1"]),
        (3, ["-1,1 0,-1", "1,-1 2,0", "-1,2 1,1"]),
        (4, ["-1,-1 1,-2", "1,-1 2,0", "0,2 2,1", "-1,0 0,1"]),
    ],
)
def test_explore_spaces_at_the_start(players: int, spaces: list[str]) -> None:
    """Section 4, last table: two spaces a seat, never shared."""
    rules = rules_for(players)
    state = fresh(rules)
    for seat in range(players):
        set_hand(state, seat, "1P")
        start_turn(state, rules, seat, "5F")
        assert options(state, rules, "explore 5F") == cells(spaces[seat])


@pytest.mark.parametrize(("players", "market", "plains"), [(2, 24, 13), (3, 14, 12), (4, 4, 11)])
def test_what_is_left_at_the_start(players: int, market: int, plains: int) -> None:
    """1.1, 1.3, R9: market 24, 14, 4; supply of Plains and Mountains 13, 12, 11; upgrade deck 27."""
    state = fresh(rules_for(players))
    assert (int(state.market_count), int(state.upgrade_count)) == (market, 27)
    assert supply(state) == {"P": plains, "F": 15, "O": 15, "M": plains}

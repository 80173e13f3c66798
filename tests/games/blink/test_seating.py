"""Seats that a map makes alike or not (rules 4)."""

from blinksim.games.game import get_game

GAME = get_game("blink")


def test_the_map_of_four_has_inner_and_outer_seats_those_of_two_and_three_none() -> None:
    ruleset = GAME.load_ruleset("standard")
    assert GAME.seat_classes(ruleset, 4) == ("outer", "inner", "outer", "inner")
    assert GAME.seat_classes(ruleset, 2) == GAME.seat_classes(ruleset, 3) == ()


def test_an_own_map_is_looked_at_as_it_lies() -> None:
    mountains = [[0, 0], [1, 0], [2, 0]]
    between = [[q, 0, "F"] for q in (-2, -1, 3, 4, 5, 6)] + [[0, r, "F"] for r in (-2, -1)]
    own_map = {"3": {"mountains": mountains, "homelands": [[-3, 0], [0, -3], [7, 0]], "other": between}}
    data = GAME.ruleset_data(GAME.load_ruleset("standard"))
    own = GAME.parse_ruleset(dict(data) | {"setup": dict(data["setup"]) | {"map": own_map, "map_rules": False}})
    assert GAME.seat_classes(own, 3) == ("inner", "inner", "outer")
    assert GAME.seat_classes(own, 4) == ("outer", "inner", "outer", "inner")

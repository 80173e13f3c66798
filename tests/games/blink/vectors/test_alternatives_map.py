"""Alternatives of sections 1.3, 1.5 and 1.9: cards on the map, duels, movement, coins. Each row names its parameter."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import (
    add_tile,
    add_units,
    cards,
    choose,
    decision,
    fresh,
    legal_texts,
    meld_sizes,
    options,
    rules_for,
    set_hand,
    set_reserve,
    set_row,
    spot,
    start_round,
    start_turn,
    supply,
    tile,
)
from tests.games.blink.vectors.test_duel import facing
from tests.games.blink.vectors.test_map import line, map_g


def cells(text: str) -> set[str]:
    """Cells listed with blanks between."""
    return set(text.split())


def test_holds() -> None:
    """terrain.O.holds (1.3): an Ocean that holds two takes a second unit."""
    for holds, legal in ((1, set()), (2, {"0,0"})):
        rules = rules_for(2, {"terrain.O.holds": holds})
        state = line(rules, ("O", 1, 0))
        start_turn(state, rules, 0, "5O")
        assert options(state, rules, "settle 5O") == legal


def test_defence() -> None:
    """terrain.M.defence (1.3): with 3, an attack of 2 fails on an unanswered Mountain and 3 takes it."""
    rules = rules_for(2, {"terrain.M.defence": 3})
    for rank, result in ((2, "1:1/0"), (3, "0:1/0")):
        state = facing(rules, "M")
        start_turn(state, rules, 0, f"{rank}M")
        choose(state, rules, f"attack {rank}M 1,0", "defend none")
        assert spot(state, "1,0") == result


def test_tiles() -> None:
    """terrain.F.tiles (1.3): one Forest in all: a second cannot be explored."""
    rules = rules_for(3, {"terrain.F.tiles": 1})
    state = fresh(rules)
    set_hand(state, 0, "1P")
    start_turn(state, rules, 0, "5F 6F 5O")
    choose(state, rules, "explore 5F -1,1")
    assert supply(state)["F"] == 0
    assert not options(state, rules, "explore 6F")
    assert options(state, rules, "explore 5O")


def test_cash_gold() -> None:
    """turn.cash_gold (1.5)."""
    rules = rules_for(2, {"turn.cash_gold": 3})
    state = line(rules, ("P", 1, 0))
    start_turn(state, rules, 0, "5O")
    choose(state, rules, "gold 5O")
    assert int(state.gold[0]) == 3


def test_must_resolve_all() -> None:
    """turn.must_resolve_all = false (1.9, K7): ending is legal with cards left; they go to the discard for nothing."""
    rules = rules_for(2)
    state = line(rules, ("P", 1, 0))
    start_turn(state, rules, 0, "5O 6O")
    assert "end" not in legal_texts(state, rules)
    rules = rules_for(2, {"turn.must_resolve_all": False})
    state = line(rules, ("P", 1, 0))
    start_turn(state, rules, 0, "5O 6O")
    choose(state, rules, "gold 5O", "end")
    assert (int(state.gold[0]), cards(state.discard[0]), meld_sizes(state)[0]) == (1, "5O 6O", 0)
    assert int(state.seat) == 1


def test_left_cards_come_back_at_the_end_of_the_round() -> None:
    """K7: cards left by the last hand are in the discard before the round's last recycles."""
    rules = rules_for(2, {"turn.must_resolve_all": False})
    state = line(rules, ("P", 1, 0))
    set_hand(state, 0, "")
    set_hand(state, 1, "1F")
    start_turn(state, rules, 0, "5O 6O", order=[1, 0])
    choose(state, rules, "end")
    assert (int(state.round_number), cards(state.hand[0]), int(state.recycles[0])) == (2, "5O 6O", 1)


def test_reach() -> None:
    """turn.reach = 2 (1.5): tiles and spaces two hexes from an own tile."""
    rules = rules_for(2, {"turn.reach": 2})
    state = map_g(rules)
    start_turn(state, rules, 0, "5P 5F 5O 5M")
    assert options(state, rules, "settle 5P") == {"-1,0"}
    assert options(state, rules, "attack 5P") == {"2,0"}
    assert options(state, rules, "settle 5O") == cells("1,-1 2,-1")
    assert options(state, rules, "explore 5F") == cells("-2,1 -1,-1 0,1 1,-2 1,1 2,-2")


def test_reach_waived_without_units() -> None:
    """turn.reach_waived_without_units = false (1.5): a player without units has no use of the map."""
    rules = rules_for(3, {"turn.reach_waived_without_units": False})
    state = map_g(rules)
    set_row(state, 2, "7F")
    start_turn(state, rules, 2, "5P 5F 5O 5M")
    assert {text.split()[0] for text in legal_texts(state, rules)} == {"gold", "cash"}


def test_suit_must_match() -> None:
    """turn.suit_must_match = false (1.9): settle and attack with any suit; explore still lays the card's suit."""
    rules = rules_for(2, {"turn.suit_must_match": False})
    state = map_g(rules)
    add_units(state, rules, 1, 0, 1, 1)
    start_turn(state, rules, 0, "5P 6P")
    assert options(state, rules, "settle 5P") == cells("-1,0 -1,1 1,-1")
    assert options(state, rules, "attack 5P") == {"1,0"}
    choose(state, rules, "explore 5P 0,1")
    assert tile(state, "0,1")[0] == "P"
    choose(state, rules, "attack 6P 1,0")
    assert decision(state) == Decision.DEFEND


@pytest.mark.parametrize(
    ("touch", "spaces"),
    [(1, "-2,0 -2,1 -1,-1 0,-2 0,1 1,-2"), (2, "-2,1 -1,-1 0,1 1,-2"), (3, "0,1"), (4, "")],
)
def test_explore_min_touch(touch: int, spaces: str) -> None:
    """turn.explore_min_touch (1.9): explore and effect B alike; no space in reach touches four tiles."""
    rules = rules_for(2, {"turn.explore_min_touch": touch})
    state = map_g(rules)
    set_row(state, 0, "4F")
    start_turn(state, rules, 0, "5F")
    assert options(state, rules, "explore 5F") == cells(spaces)
    if spaces:
        choose(state, rules, "found 4F")
        assert {option.split()[0] for option in options(state, rules, "place")} == cells(spaces)
    else:
        assert not options(state, rules, "found")


@pytest.mark.parametrize(
    ("touch", "spaces"), [(1, "-1,-1 0,-2 1,-2 2,-2 3,-2 3,-1"), (2, "-1,-1 1,-2 2,-2 3,-1"), (3, "")]
)
def test_water_min_touch(touch: int, spaces: str) -> None:
    """turn.explore_min_touch (1.9) for the water advantage."""
    rules = rules_for(2, {"turn.explore_min_touch": touch})
    state = map_g(rules)
    start_turn(state, rules, 0, "5F")
    assert options(state, rules, "water 0,-1") == cells(spaces)


def test_capture_gold() -> None:
    """turn.capture_gold (1.5)."""
    rules = rules_for(2, {"turn.capture_gold": 4})
    state = facing(rules, "P")
    start_turn(state, rules, 0, "9P")
    choose(state, rules, "attack 9P 1,0", "defend none")
    assert int(state.gold[0]) == 4


@pytest.mark.parametrize(("round_number", "legal"), [(1, False), (2, False), (3, True)])
def test_no_attack_rounds(round_number: int, legal: bool) -> None:
    """turn.no_attack_rounds = 2 (1.9): no attack in rounds 1 and 2."""
    rules = rules_for(2, {"turn.no_attack_rounds": 2})
    state = facing(rules, "P")
    state.round_number = round_number
    start_turn(state, rules, 0, "9P")
    assert ("attack 9P 1,0" in legal_texts(state, rules)) is legal


@pytest.mark.parametrize(("per_card", "moves"), [(0, 0), (1, 2), (3, 6)])
def test_moves_per_card(per_card: int, moves: int) -> None:
    """move.per_card (1.5): the winner keeps two cards."""
    rules = rules_for(2, {"move.per_card": per_card})
    state = fresh(rules)
    start_round(state, rules, 0, {0: "9P 10P 1P", 1: "3O 1O"})
    choose(state, rules, "meld 9P 10P", "meld 3O")
    assert (int(state.seat), int(state.moves_left)) == (0, moves)
    assert bool(options(state, rules, "move")) is (moves > 0)


def test_no_movement_at_all() -> None:
    """move.land and move.sea = false (1.5): only the water advantage moves a unit."""
    rules = rules_for(2, {"move.land": False, "move.sea": False})
    state = map_g(rules)
    start_turn(state, rules, 0, "5P")
    assert not options(state, rules, "move")
    assert options(state, rules, "water")


def test_sea_through_own() -> None:
    """move.sea_through_own = true (1.9): own ships are passed, never joined; rivals still block."""
    rules = rules_for(2, {"move.sea_through_own": True, "move.land": False})
    state = map_g(rules)
    add_units(state, rules, 1, -1, 0, 1)
    start_turn(state, rules, 0, "5P")
    assert options(state, rules, "move 0,-1") == {"2,-1"}
    assert options(state, rules, "move 1,-1") == {"2,-1"}
    assert options(state, rules, "water 0,-1") == cells("-1,-1 1,-2 2,-2 3,-1")
    rival = map_g(rules)
    add_units(rival, rules, 1, -1, 1, 1)
    start_turn(rival, rules, 0, "5P")
    assert not options(rival, rules, "move 0,-1")


@pytest.mark.parametrize(
    ("changes", "moves", "after_one", "left"),
    [
        ({}, 2, False, 1),
        ({"move.water_advantage_per_turn": 2}, 2, True, 1),
        ({"move.water_advantage_cost": 2}, 2, False, 0),
        ({"move.water_advantage_per_turn": 2, "move.water_advantage_cost": 0}, 0, True, 0),
    ],
)
def test_water_advantage_uses_and_price(changes: dict[str, Any], moves: int, after_one: bool, left: int) -> None:
    """move.water_advantage_per_turn and _cost (1.5)."""
    rules = rules_for(2, changes)
    state = map_g(rules)
    start_turn(state, rules, 0, "5P", moves=moves)
    choose(state, rules, "water 0,-1 1,-2")
    assert (spot(state, "1,-2"), spot(state, "0,-1"), supply(state)["O"]) == ("0:1/0", "open", 11)
    assert int(state.moves_left) == left
    assert bool(options(state, rules, "water")) is after_one


@pytest.mark.parametrize(
    ("changes", "moves"),
    [
        ({"move.water_advantage": False}, 3),
        ({"move.water_advantage_cost": 2}, 1),
        ({"move.water_advantage_per_turn": 0}, 3),
    ],
)
def test_water_advantage_not_available(changes: dict[str, Any], moves: int) -> None:
    """move.water_advantage off, too dear, or without uses (1.5)."""
    rules = rules_for(2, changes)
    state = map_g(rules)
    start_turn(state, rules, 0, "5P", moves=moves)
    assert not options(state, rules, "water")


def test_fortify_disabled() -> None:
    """fortify.enabled = false (1.5, K1): no coins on units, none with the units of effect B either."""
    rules = rules_for(3, {"fortify.enabled": False})
    state = fresh(rules)
    state.gold[0] = 5
    set_hand(state, 0, "1P")
    set_row(state, 0, "4F")
    start_turn(state, rules, 0)
    assert not options(state, rules, "fortify")
    choose(state, rules, "found 4F", "place -1,1 F")
    assert spot(state, "-1,1") == "0:1/0"


@pytest.mark.parametrize(("gold", "legal"), [(1, False), (2, True)])
def test_fortify_cost(gold: int, legal: bool) -> None:
    """fortify.cost = 2 (1.5)."""
    rules = rules_for(2, {"fortify.cost": 2})
    state = line(rules, ("P", 1, 0))
    state.gold[0] = gold
    start_turn(state, rules, 0)
    assert bool(options(state, rules, "fortify")) is legal
    if legal:
        choose(state, rules, "fortify 0,0")
        assert (int(state.gold[0]), spot(state, "0,0")) == (0, "0:1/1")


def test_max_per_unit_buying() -> None:
    """fortify.max_per_unit = 2 (1.9): up to two coins a unit."""
    rules = rules_for(2, {"fortify.max_per_unit": 2})
    state = line(rules, ("P", 1, 0))
    state.gold[0] = 5
    start_turn(state, rules, 0)
    choose(state, rules, "fortify 0,0", "fortify 0,0")
    assert not options(state, rules, "fortify")
    assert (spot(state, "0,0"), int(state.gold[0])) == ("0:1/2", 3)


@pytest.mark.parametrize(
    ("rank", "before", "after"),
    [(10, (1, 2), "1:1/1"), (11, (2, 4), "1:1/2"), (11, (2, 2), "1:1/1"), (11, (1, 2), "0:1/0")],
)
def test_max_per_unit_in_a_duel(rank: int, before: tuple[int, int], after: str) -> None:
    """fortify.max_per_unit = 2 (1.9): the wall is still 10, one coin is spent, the rest is cut to the limit."""
    rules = rules_for(2, {"fortify.max_per_unit": 2})
    state = facing(rules, "P", *before)
    start_turn(state, rules, 0, f"{rank}P")
    choose(state, rules, f"attack {rank}P 1,0", "defend none")
    assert spot(state, "1,0") == after


@pytest.mark.parametrize(
    ("changes", "tiles", "expected"),
    [
        ({"fortify.max_per_unit": 2}, [("P", 2, 3), ("F", 0, 0)], ["0:1/2", "0:1/0"]),
        ({"fortify.max_per_unit": 2}, [("P", 2, 2), ("F", 0, 0)], ["0:1/2", "0:1/0"]),
        ({"fortify.strip_on_move": False}, [("P", 2, 2), ("F", 0, 0)], ["0:1/1", "0:1/1"]),
        ({"fortify.strip_on_move": False}, [("P", 2, 1), ("F", 0, 0)], ["0:1/1", "0:1/0"]),
        ({"fortify.strip_on_move": False}, [("P", 1, 1), ("P", 2, 2)], ["open", "0:3/1"]),
        ({"fortify.strip_on_move": False, "fortify.max_per_unit": 2}, [("P", 1, 2), ("F", 0, 0)], ["open", "0:1/2"]),
        ({"fortify.strip_on_arrival": False}, [("P", 1, 1), ("P", 2, 2)], ["open", "0:3/2"]),
        (
            {"fortify.strip_on_arrival": False, "fortify.strip_on_move": False},
            [("P", 1, 1), ("P", 2, 2)],
            ["open", "0:3/3"],
        ),
    ],
)
def test_coins_on_a_move(changes: dict[str, Any], tiles: list[tuple[str, int, int]], expected: list[str]) -> None:
    """fortify.max_per_unit, strip_on_move, strip_on_arrival (1.9): a move from (0,0) to (1,0)."""
    rules = rules_for(2, changes)
    state = line(rules, *tiles)
    start_turn(state, rules, 0, "5P")
    choose(state, rules, "move 0,0 1,0")
    assert [spot(state, f"{q},0") for q in range(len(tiles))] == expected


def test_strip_on_arrival_by_settle() -> None:
    """fortify.strip_on_arrival = false (1.5): a settle leaves the coins."""
    rules = rules_for(2, {"fortify.strip_on_arrival": False})
    state = line(rules, ("P", 1, 1))
    start_turn(state, rules, 0, "5P")
    choose(state, rules, "settle 5P 0,0")
    assert spot(state, "0,0") == "0:2/1"


@pytest.mark.parametrize(
    ("changes", "tile_coins", "beside", "after"),
    [
        # one of two coins is spent, the other would go with the unit: it travels
        ({"fortify.strip_on_move": False, "fortify.max_per_unit": 2}, (1, 2), (1, 1), "1:2/1"),
        ({"fortify.strip_on_arrival": False}, (1, 1), (1, 1), "1:2/1"),
        ({}, (1, 1), (1, 1), "1:2/0"),
    ],
)
def test_coins_on_a_retreat(
    changes: dict[str, Any], tile_coins: tuple[int, int], beside: tuple[int, int], after: str
) -> None:
    """fortify.strip_on_move and strip_on_arrival (1.9, K2, R66): a beaten unit falls back to (2,0)."""
    rules = rules_for(2, changes)
    state = facing(rules, "P", *tile_coins)
    add_tile(state, rules, 2, 0, "P", 1, *beside)
    set_reserve(state, 1, 19)
    start_turn(state, rules, 0, "11P")
    choose(state, rules, "attack 11P 1,0", "defend none")
    assert (spot(state, "1,0"), spot(state, "2,0")) == ("0:1/0", after)


def test_coins_are_lost_on_the_way_home() -> None:
    """K2: with strip_on_move off a unit that goes home loses the coins that would have travelled."""
    rules = rules_for(2, {"fortify.strip_on_move": False, "fortify.max_per_unit": 2})
    state = facing(rules, "P", 1, 2)
    start_turn(state, rules, 0, "11P")
    choose(state, rules, "attack 11P 1,0", "defend none")
    assert (spot(state, "1,0"), int(state.reserve[1])) == ("0:1/0", 20)


@pytest.mark.parametrize(
    ("level", "terrain", "attack", "coins", "answer", "wins"),
    [
        ("attacker_unless_native", "P", 7, 0, "7F", True),
        ("attacker_unless_native", "F", 8, 0, "7F", False),
        ("attacker_unless_native", "P", 10, 1, "none", False),
        ("attacker", "F", 8, 0, "7F", True),
        ("attacker", "P", 10, 1, "none", True),
        ("defender", "P", 7, 0, "7F", False),
        ("defender", "F", 1, 0, "none", False),
        ("defender", "P", 8, 0, "7F", True),
    ],
)
def test_level_total(level: str, terrain: str, attack: int, coins: int, answer: str, wins: bool) -> None:
    """duel.level_total (1.5)."""
    rules = rules_for(2, {"duel.level_total": level})
    state = facing(rules, terrain, 1, coins, hand="7F 3O")
    start_turn(state, rules, 0, f"{attack}{terrain}")
    choose(state, rules, f"attack {attack}{terrain} 1,0", f"defend {answer}")
    assert spot(state, "1,0") == ("0:1/0" if wins else "1:1/0")


@pytest.mark.parametrize(
    ("terrain", "attack", "coins", "answer", "wins"),
    [("M", 1, 0, "none", True), ("M", 8, 0, "7P", False), ("M", 12, 1, "none", False)],
)
def test_terrain_counts_when_declined(terrain: str, attack: int, coins: int, answer: str, wins: bool) -> None:
    """duel.terrain_counts_when_declined = false (1.5): only without a card and without a wall."""
    rules = rules_for(2, {"duel.terrain_counts_when_declined": False})
    state = facing(rules, terrain, 1, coins, hand="7P 3O")
    start_turn(state, rules, 0, f"{attack}{terrain}")
    choose(state, rules, f"attack {attack}{terrain} 1,0", f"defend {answer}")
    assert spot(state, "1,0") == ("0:1/0" if wins else "1:1/0")


@pytest.mark.parametrize(("attack", "wins"), [(9, False), (10, True)])
def test_wall_is_native(attack: int, wins: bool) -> None:
    """duel.wall_is_native = false (1.5): a level total against the wall is the attacker's."""
    rules = rules_for(2, {"duel.wall_is_native": False})
    state = facing(rules, "P", 1, 1)
    start_turn(state, rules, 0, f"{attack}P")
    choose(state, rules, f"attack {attack}P 1,0", "defend none")
    assert spot(state, "1,0") == ("0:1/0" if wins else "1:1/0")


@pytest.mark.parametrize(
    ("spent", "attack", "answer", "before", "after"),
    [
        ("every_attack", 10, "none", (3, 3), "1:3/2"),
        ("every_attack", 11, "12F", (3, 3), "1:3/2"),
        ("every_attack", 11, "none", (3, 3), "1:2/2"),
        ("only_if_wall_fights", 10, "none", (3, 3), "1:3/2"),
        ("only_if_wall_fights", 11, "12F", (3, 3), "1:3/3"),
        ("only_if_wall_fights", 12, "11O", (3, 3), "1:2/2"),
        ("only_if_wall_fights", 12, "11O", (3, 1), "1:2/1"),
        ("only_if_lost", 10, "none", (3, 3), "1:3/3"),
        ("only_if_lost", 11, "12F", (3, 3), "1:3/3"),
        ("only_if_lost", 11, "none", (3, 3), "1:2/2"),
        ("only_if_lost", 12, "11O", (3, 1), "1:2/0"),
        ("only_if_wall_fights", 12, "11O", (1, 1), "0:1/0"),
    ],
)
def test_coin_spent(spent: str, attack: int, answer: str, before: tuple[int, int], after: str) -> None:
    """duel.coin_spent (1.9, K8): a coin not spent stays, within the limit of the units left."""
    rules = rules_for(2, {"duel.coin_spent": spent})
    state = facing(rules, "P", *before, hand="3M 12F 11O")
    start_turn(state, rules, 0, f"{attack}P")
    choose(state, rules, f"attack {attack}P 1,0", f"defend {answer}")
    assert spot(state, "1,0") == after


def test_retreat_disabled() -> None:
    """retreat.enabled = false (1.5): always home."""
    rules = rules_for(2, {"retreat.enabled": False})
    state = facing(rules, "P")
    add_tile(state, rules, 2, 0, "P", 1, 1)
    set_reserve(state, 1, 18)
    start_turn(state, rules, 0, "9P")
    choose(state, rules, "attack 9P 1,0", "defend none")
    assert (spot(state, "2,0"), int(state.reserve[1])) == ("1:1/0", 19)


@pytest.mark.parametrize(("answer", "beside", "reserve"), [("home", "1:1/0", 19), ("2,0", "1:2/0", 18)])
def test_retreat_optional(answer: str, beside: str, reserve: int) -> None:
    """retreat.optional = true (1.9): D09 is asked with one tile too, and home is offered."""
    rules = rules_for(2, {"retreat.optional": True})
    state = facing(rules, "P")
    add_tile(state, rules, 2, 0, "P", 1, 1)
    set_reserve(state, 1, 18)
    start_turn(state, rules, 0, "9P")
    choose(state, rules, "attack 9P 1,0", "defend none")
    assert (decision(state), options(state, rules, "retreat")) == (Decision.RETREAT, {"2,0", "home"})
    choose(state, rules, f"retreat {answer}")
    assert (spot(state, "2,0"), int(state.reserve[1]), spot(state, "1,0")) == (beside, reserve, "0:1/0")


def test_retreat_optional_without_a_tile() -> None:
    """retreat.optional = true (1.9): with no retreat tile nothing is asked."""
    rules = rules_for(2, {"retreat.optional": True})
    state = facing(rules, "P")
    start_turn(state, rules, 0, "9P")
    choose(state, rules, "attack 9P 1,0", "defend none")
    assert (decision(state), int(state.reserve[1])) == (Decision.ACT, 20)


def test_retreat_optional_means_nothing_without_retreats() -> None:
    """K17: retreat.enabled = false: D09 is never asked."""
    rules = rules_for(2, {"retreat.enabled": False, "retreat.optional": True})
    state = facing(rules, "P")
    add_tile(state, rules, 2, 0, "P", 1, 1)
    set_reserve(state, 1, 18)
    start_turn(state, rules, 0, "9P")
    choose(state, rules, "attack 9P 1,0", "defend none")
    assert (decision(state), int(state.reserve[1])) == (Decision.ACT, 19)

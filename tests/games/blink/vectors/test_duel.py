"""Vectors 7.6 and 7.7: what a duel adds up to and what follows from it (3.7, R53 to R72)."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.enums import Decision
from tests.games.blink.positions import (
    add_tile,
    cards,
    choose,
    decision,
    end_round,
    fresh,
    options,
    rules_for,
    set_hand,
    set_meld,
    set_reserve,
    spot,
    start_turn,
    tier,
)

RESERVE_FOR_WALL = {10: 19, 12: 18, 14: 15, 16: 10, 18: 5}

# id, terrain, attack rank, wall or None, answer or None, attacker wins, the answer fights
ARITHMETIC: list[tuple[str, str, int, int | None, str | None, bool]] = [
    ("DA1-P", "P", 1, None, None, True),
    ("DA1-O", "O", 1, None, None, True),
    ("DA2", "F", 1, None, None, True),
    ("DA3", "M", 1, None, None, False),
    ("DA4", "M", 2, None, None, True),
    ("DA5", "P", 7, None, "7F", True),
    ("DA6", "P", 7, None, "8F", False),
    ("DA7", "F", 8, None, "7F", False),
    ("DA8", "F", 8, None, "7O", True),
    ("DA9", "F", 9, None, "7F", True),
    ("DA10", "M", 9, None, "7M", False),
    ("DA11", "M", 9, None, "7P", True),
    ("DA12", "M", 8, None, "7P", False),
    ("DA13", "P", 10, 10, None, False),
    ("DA14-P", "P", 11, 10, None, True),
    ("DA14-O", "O", 11, 10, None, True),
    ("DA15", "F", 11, 10, None, False),
    ("DA16-11", "M", 11, 10, None, False),
    ("DA16-12", "M", 12, 10, None, False),
    ("DA16-13", "M", 13, 10, None, True),
    ("DA17", "P", 11, 10, "11O", True),
    ("DA18", "P", 11, 10, "12F", False),
    ("DA20", "F", 12, 10, "11F", False),
    ("DA21", "F", 12, 10, "11M", True),
    ("DA22", "M", 20, 18, None, False),
]
LOWEST_BREACH: dict[str, list[int | None]] = {
    "P": [11, 13, 15, 17, 19],
    "O": [11, 13, 15, 17, 19],
    "F": [12, 14, 16, 18, 20],
    "M": [13, 15, 17, 19, None],
}


def facing(rules: Any, terrain: str, units: int = 1, coins: int = 0, *, reserve: int = 19, hand: str = "2P") -> Any:
    """Seat 0 on Plains (0,0) beside seat 1 on (1,0); the defender's reserve is given, the attacker's is 19."""
    state = fresh(rules, start_map=False)
    add_tile(state, rules, 0, 0, "P", 0, 1)
    add_tile(state, rules, 1, 0, terrain, 1, units, coins)
    set_reserve(state, 1, reserve)
    set_hand(state, 0, "1F")
    set_hand(state, 1, hand)
    return state


def duel(terrain: str, attack: int, wall: int | None, answer: str | None) -> Any:
    """One attack on one unit, with a coin where there is a wall."""
    rules = rules_for(2)
    reserve = 19 if wall is None else RESERVE_FOR_WALL[wall]
    filler = "3M" if terrain != "M" else "3P"
    state = facing(rules, terrain, 1, int(wall is not None), reserve=reserve, hand=f"{answer or ''} {filler}")
    start_turn(state, rules, 0, f"{attack}{terrain}")
    choose(state, rules, f"attack {attack}{terrain} 1,0", f"defend {answer or 'none'}")
    return state


@pytest.mark.parametrize(
    ("terrain", "attack", "wall", "answer", "wins"), [c[1:] for c in ARITHMETIC], ids=[c[0] for c in ARITHMETIC]
)
def test_arithmetic(terrain: str, attack: int, wall: int | None, answer: str | None, wins: bool) -> None:
    """7.6: who wins; a coin is gone either way; the cards played lie in the discards."""
    state = duel(terrain, attack, wall, answer)
    assert spot(state, "1,0") == ("0:1/0" if wins else "1:1/0")
    assert cards(state.discard[0]) == f"{attack}{terrain}"
    assert cards(state.discard[1]) == (answer or "")
    assert int(state.hand_size[1]) == 1
    assert int(state.gold[0]) == int(wins)


def test_answer_below_the_wall_is_not_offered() -> None:
    """7.6 DA19: on a fortified tile only cards above the wall are offered; the wall fights, 10F stays in hand."""
    rules = rules_for(2)
    state = facing(rules, "P", 1, 1, hand="9O 10F 11O 12F")
    start_turn(state, rules, 0, "11P")
    choose(state, rules, "attack 11P 1,0")
    assert (decision(state), int(state.seat)) == (Decision.DEFEND, 1)
    assert options(state, rules, "defend") == {"none", "11O", "12F"}
    choose(state, rules, "defend none")
    assert spot(state, "1,0") == "0:1/0"
    assert cards(state.hand[1]) == "9O 10F 11O 12F"


def test_any_card_is_offered_without_a_coin() -> None:
    """R54, R56: without a coin every hand card may answer, also one that cannot win."""
    rules = rules_for(2)
    state = facing(rules, "P", 1, 0, hand="2M 9O 10F")
    start_turn(state, rules, 0, "11P")
    choose(state, rules, "attack 11P 1,0")
    assert options(state, rules, "defend") == {"none", "2M", "9O", "10F"}


@pytest.mark.parametrize("terrain", LOWEST_BREACH)
@pytest.mark.parametrize("row", range(5))
def test_lowest_rank_that_breaks_a_lone_wall(terrain: str, row: int) -> None:
    """7.6, last line: by the defender's tier, Tribe to Civilization; one rank less fails."""
    wall = sorted(RESERVE_FOR_WALL)[row]
    lowest = LOWEST_BREACH[terrain][row]
    if lowest is not None:
        assert spot(duel(terrain, lowest, wall, None), "1,0") == "0:1/0"
    assert spot(duel(terrain, 20 if lowest is None else lowest - 1, wall, None), "1,0") == "1:1/0"


def attack(state: Any, rules: Any, *card_texts: str) -> None:
    """Seat 0 attacks (1,0) with each card in turn; the defender declines."""
    start_turn(state, rules, 0, " ".join(card_texts))
    for card in card_texts:
        choose(state, rules, f"attack {card} 1,0", "defend none")


def test_u1_last_unit_goes_home() -> None:
    """7.7 U1."""
    rules = rules_for(2)
    state = facing(rules, "F", reserve=16)
    set_reserve(state, 0, 18)
    attack(state, rules, "9F")
    assert (int(state.reserve[1]), int(state.reserve[0]), int(state.gold[0])) == (17, 17, 1)
    assert spot(state, "1,0") == "0:1/0"


def test_u2_the_only_retreat_is_taken() -> None:
    """7.7 U2: one adjacent own Plains 2/1 becomes 3/0 without a question."""
    rules = rules_for(2)
    state = facing(rules, "F", reserve=15)
    add_tile(state, rules, 2, 0, "P", 1, 2, 1)
    set_reserve(state, 1, 15)
    attack(state, rules, "9F")
    assert decision(state) == Decision.ACT
    assert spot(state, "2,0") == "1:3/0"
    assert int(state.reserve[1]) == 15
    assert (spot(state, "1,0"), int(state.gold[0])) == ("0:1/0", 1)


def test_u3_a_won_duel_on_a_held_tile() -> None:
    """7.7 U3, R70: one unit falls back, the tile stays the defender's, no entry and no gold."""
    rules = rules_for(2)
    state = facing(rules, "F", 2, 1)
    attack(state, rules, "12F")
    assert spot(state, "1,0") == "1:1/0"
    assert (int(state.reserve[1]), int(state.reserve[0]), int(state.gold[0])) == (20, 19, 0)


def test_u4_a_failed_attack_spends_a_coin() -> None:
    """7.7 U4: Plains 3/2 after an attack that fails on the wall: 3/1."""
    rules = rules_for(2)
    state = facing(rules, "P", 3, 2)
    attack(state, rules, "10P")
    assert spot(state, "1,0") == "1:3/1"


def test_u5_one_unit_with_its_coin() -> None:
    """7.7 U5: Plains 3/2 after a won attack: 2/1 (R62)."""
    rules = rules_for(2)
    state = facing(rules, "P", 3, 2)
    attack(state, rules, "11P")
    assert spot(state, "1,0") == "1:2/1"


def test_u6_no_unit_to_put_in() -> None:
    """7.7 U6: the attacker's reserve is empty: the tile is left open, no gold (R53, R69)."""
    rules = rules_for(2)
    state = facing(rules, "P")
    set_reserve(state, 0, 0)
    attack(state, rules, "9P")
    assert (spot(state, "1,0"), int(state.gold[0]), int(state.reserve[0])) == ("open", 0, 0)


@pytest.mark.parametrize(("before", "after", "row"), [(18, 19, (2, 12, 10)), (15, 16, (3, 14, 12))], ids=["U7", "U8"])
def test_u7_u8_a_unit_home_can_lower_the_tier(before: int, after: int, row: tuple[int, int, int]) -> None:
    """7.7 U7, U8 (R67)."""
    rules = rules_for(2)
    state = facing(rules, "P", reserve=before)
    attack(state, rules, "9P")
    assert int(state.reserve[1]) == after
    assert tier(rules, int(state.reserve[1])) == row


@pytest.mark.parametrize(("last_unit", "armed"), [(1, 0), (0, 1)])
def test_u9_arming_looks_at_the_end_of_the_round(last_unit: int, armed: int) -> None:
    """7.7 U9: a unit comes home to an empty reserve; armed only if the reserve is 0 at the round's end."""
    rules = rules_for(2)
    state = facing(rules, "P", reserve=0)
    attack(state, rules, "9P")
    assert int(state.reserve[1]) == 1
    assert tier(rules, int(state.reserve[1])) == (6, 20, 18)
    set_reserve(state, 1, last_unit)
    end_round(state, rules, 1)
    assert int(state.armed) == armed


def test_u10_the_last_unit_turns_the_waiver_on() -> None:
    """7.7 U10, R72: no unit left: Tribe, and reach no longer binds the player's cards."""
    rules = rules_for(2)
    state = facing(rules, "P", reserve=19)
    add_tile(state, rules, -1, 0, "P")
    add_tile(state, rules, -2, 0, "P")
    attack(state, rules, "9P")
    assert int(state.reserve[1]) == 20
    assert tier(rules, 20) == (2, 12, 10)
    choose(state, rules, "end")
    set_meld(state, 1, "5P")
    assert options(state, rules, "settle 5P") == {"-1,0", "-2,0"}


def test_u11_full_neighbours_are_no_retreat() -> None:
    """7.7 U11: Ocean 1/0 and Mountain 1/0 beside the tile are full: home."""
    rules = rules_for(2)
    state = facing(rules, "P")
    add_tile(state, rules, 2, 0, "O", 1, 1)
    add_tile(state, rules, 1, 1, "M", 1, 1)
    set_reserve(state, 1, 17)
    attack(state, rules, "9P")
    assert int(state.reserve[1]) == 18
    assert (spot(state, "2,0"), spot(state, "1,1")) == ("1:1/0", "1:1/0")


@pytest.mark.parametrize(("chosen", "plains", "forest"), [("2,0", "1:2/0", "1:1/0"), ("1,1", "1:1/1", "1:2/0")])
def test_u12_the_owner_chooses_among_retreats(chosen: str, plains: str, forest: str) -> None:
    """7.7 U12: D09 between Plains 1/1 and Forest 1/0; going home is not offered (R64, R66)."""
    rules = rules_for(2)
    state = facing(rules, "P")
    add_tile(state, rules, 2, 0, "P", 1, 1, 1)
    add_tile(state, rules, 1, 1, "F", 1, 1)
    attack(state, rules, "9P")
    assert (decision(state), int(state.seat)) == (Decision.RETREAT, 1)
    assert options(state, rules, "retreat") == {"2,0", "1,1"}
    choose(state, rules, f"retreat {chosen}")
    assert (spot(state, "2,0"), spot(state, "1,1")) == (plains, forest)
    assert spot(state, "1,0") == "0:1/0"
    assert (decision(state), int(state.seat)) == (Decision.ACT, 0)


def test_u13_a_capture_can_empty_the_reserve() -> None:
    """7.7 U13: the last unit is placed by a capture; the round's end arms the end (R68)."""
    rules = rules_for(2)
    state = facing(rules, "P")
    set_reserve(state, 0, 1)
    attack(state, rules, "9P")
    assert (int(state.reserve[0]), int(state.gold[0])) == (0, 1)
    assert not state.armed
    end_round(state, rules, 1)
    assert state.armed


def test_u14_the_wall_is_live() -> None:
    """7.7 U14, R63: 13 beats wall 12, the unit sent home lowers the wall to 10, 11 beats that."""
    rules = rules_for(2)
    state = facing(rules, "P", 2, 2, reserve=18)
    start_turn(state, rules, 0, "11P 13P")
    choose(state, rules, "attack 13P 1,0", "defend none")
    assert (spot(state, "1,0"), int(state.reserve[1])) == ("1:1/1", 19)
    choose(state, rules, "attack 11P 1,0", "defend none")
    assert (spot(state, "1,0"), int(state.reserve[1])) == ("0:1/0", 20)


def test_u15_a_full_neighbour_is_no_retreat() -> None:
    """7.7 U15: the only own tile beside Plains 2/0 is a full Plains 3/0: home."""
    rules = rules_for(2)
    state = facing(rules, "P", 2)
    add_tile(state, rules, 2, 0, "P", 1, 3)
    set_reserve(state, 1, 15)
    attack(state, rules, "9P")
    assert (spot(state, "1,0"), spot(state, "2,0"), int(state.reserve[1])) == ("1:1/0", "1:3/0", 16)

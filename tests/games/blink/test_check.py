"""Reasons why choices of the map turn are not legal: a table of position, choice and reason."""

from __future__ import annotations

import pytest

from blinksim.games.blink.check import why_not
from blinksim.games.blink.text import parse_action
from tests.games.blink.islands import (
    Changes,
    Prepare,
    deck,
    do,
    fill_plains,
    gold,
    hand,
    island,
    market,
    meld,
    nothing,
    own_ship,
    reserve,
    rival_ship,
    row,
    set_all,
    supply,
    wipe_out,
)
from tests.games.blink.positions import (
    add_units,
    legal_actions,
)

ACT_TABLE: list[tuple[str, Changes, Prepare, str, str | None]] = [
    # 2.4 and 3.6 settle
    ("2.4 settle", {}, nothing, "settle 5P -1,0", None),
    ("2.4 settle", {}, nothing, "settle 5F -1,1", None),
    ("2.4 settle", {}, nothing, "settle 9P -1,0", "the meld does not hold 9P"),
    ("2.4 settle", {}, reserve(0), "settle 5P -1,0", "the reserve is empty"),
    ("R46", {}, fill_plains, "settle 5P -1,0", "that tile is full"),
    ("2.4 settle", {}, nothing, "settle 5P -1,1", "5P does not match the terrain F"),
    ("1.9 suit_must_match", {"turn.suit_must_match": False}, nothing, "settle 5P -1,1", None),
    ("2.4 settle", {}, nothing, "settle 5P 2,0", "that tile is held by seat 1"),
    ("R45", {}, nothing, "settle 5O 2,-1", "2,-1 is out of reach: it is 2 from the nearest own tile, 1 is allowed"),
    ("1.5 reach", {"turn.reach": 2}, nothing, "settle 5O 2,-1", None),
    ("R51", {}, wipe_out, "settle 5O 2,-1", None),
    (
        "1.5 reach_waived_without_units",
        {"turn.reach_waived_without_units": False},
        wipe_out,
        "settle 5O 2,-1",
        "the seat has no unit on the map, and reach is not waived",
    ),
    # explore
    ("2.4 explore", {}, nothing, "explore 5F -2,1", None),
    ("2.4 explore", {}, nothing, "explore 9F -2,1", "the meld does not hold 9F"),
    ("2.4 explore", {}, nothing, "explore 5F 1,0", "there is already a tile at 1,0"),
    ("R49", {}, nothing, "explore 5F -2,0", "the space touches only 1 tile, 2 are needed"),
    ("R49", {}, nothing, "explore 5F 9,9", "the space touches only 0 tiles, 2 are needed"),
    ("1.5 explore_min_touch", {"turn.explore_min_touch": 1}, nothing, "explore 5F -2,0", None),
    ("R47", {}, supply(1, 0), "explore 5F -2,1", "the supply has no F tiles, 1 needed"),
    ("R50", {}, nothing, "explore 5F 3,-1", "3,-1 is out of reach: it is 3 from the nearest own tile, 1 is allowed"),
    ("R51", {}, wipe_out, "explore 5F 3,-1", None),
    # attack
    ("2.4 attack", {}, rival_ship, "attack 5O 1,-1", None),
    ("R53", {}, do(rival_ship, reserve(0)), "attack 5O 1,-1", None),
    ("2.4 attack", {}, rival_ship, "attack 8O 1,-1", "the meld does not hold 8O"),
    ("2.4 attack", {}, rival_ship, "attack 5P 1,-1", "5P does not match the terrain O"),
    ("2.4 attack", {}, nothing, "attack 5O 1,-1", "that tile is unoccupied"),
    ("2.4 attack", {}, nothing, "attack 5P -1,0", "that tile is the seat's own"),
    (
        "2.4 attack",
        {},
        nothing,
        "attack 5P 2,0",
        "2,0 is out of reach: it is 2 from the nearest own tile, 1 is allowed",
    ),
    (
        "1.9 no_attack_rounds",
        {"turn.no_attack_rounds": 2},
        do(rival_ship, set_all(round_number=2)),
        "attack 5O 1,-1",
        "attacks are not allowed before round 3",
    ),
    (
        "1.9 no_attack_rounds",
        {"turn.no_attack_rounds": 2},
        do(rival_ship, set_all(round_number=3)),
        "attack 5O 1,-1",
        None,
    ),
    # gold, end
    ("2.4 gold", {}, nothing, "gold 5P", None),
    ("2.4 gold", {}, nothing, "gold 3P", "the meld does not hold 3P"),
    ("R41", {}, meld("5P 8M"), "end", "5P 8M must be resolved first"),
    ("R41", {}, meld(""), "end", None),
    ("1.9 must_resolve_all", {"turn.must_resolve_all": False}, nothing, "end", None),
    # 3.8 movement
    ("R73", {}, nothing, "move -1,0 1,0", None),
    ("R83", {}, nothing, "move -1,0 -1,0", "a movement must end on another tile"),
    ("3.8 move", {}, nothing, "move 0,0 -1,0", None),
    ("3.8 move", {}, nothing, "move -1,0 0,0", "that tile is full"),
    ("3.8 move", {}, set_all(moves_left=0), "move -1,0 1,0", "no movements left"),
    ("3.8 move", {}, nothing, "move 1,0 -1,1", "the seat has no unit at 1,0"),
    ("3.8 move", {}, nothing, "move 2,0 1,0", "the seat has no unit at 2,0"),
    ("3.8 move", {}, nothing, "move -1,0 2,0", "that tile is held by seat 1"),
    ("R77", {}, nothing, "move -1,0 2,-1", "no way leads from -1,0 to 2,-1, by land or sea"),
    ("3.8 sea", {}, nothing, "move 0,-1 2,-1", None),
    ("1.5 move.sea", {"move.sea": False}, nothing, "move 0,-1 2,-1", "no way leads from 0,-1 to 2,-1, by land or sea"),
    ("1.5 move.land", {"move.land": False}, nothing, "move -1,0 1,0", "no way leads from -1,0 to 1,0, by land or sea"),
    ("R76", {"move.land": False}, own_ship, "move 0,-1 2,-1", "no way leads from 0,-1 to 2,-1, by land or sea"),
    ("1.9 sea_through_own", {"move.land": False, "move.sea_through_own": True}, own_ship, "move 0,-1 2,-1", None),
    (
        "1.9 sea_through_own",
        {"move.land": False, "move.sea_through_own": True},
        own_ship,
        "move 0,-1 1,-1",
        "that tile is full",
    ),
    # water advantage
    ("R81", {}, nothing, "water 0,-1 3,-1", None),
    ("R81", {}, nothing, "water 0,-1 -2,1", "no water leads from 0,-1 to a tile beside -2,1"),
    ("3.8 water", {}, nothing, "water -1,0 -2,1", "the seat has no unit on an Ocean tile at -1,0"),
    ("3.8 water", {}, nothing, "water 1,-1 3,-1", "the seat has no unit on an Ocean tile at 1,-1"),
    ("3.8 water", {}, nothing, "water 0,-1 0,-2", "the space touches only 1 tile, 2 are needed"),
    ("3.8 water", {}, supply(2, 0), "water 0,-1 3,-1", "the supply has no O tiles, 1 needed"),
    ("3.8 water", {}, set_all(water_used=1), "water 0,-1 3,-1", "the water advantage is used up this turn"),
    ("3.8 water", {}, set_all(moves_left=0), "water 0,-1 3,-1", "the water advantage costs 1 movement(s), 0 left"),
    (
        "1.5 water_advantage",
        {"move.water_advantage": False},
        nothing,
        "water 0,-1 3,-1",
        "the water advantage is switched off",
    ),
    ("3.8 water", {}, own_ship, "water 0,-1 3,-1", "no water leads from 0,-1 to a tile beside 3,-1"),
    ("1.9 sea_through_own", {"move.sea_through_own": True}, own_ship, "water 0,-1 3,-1", None),
    # fortify
    ("R84", {}, nothing, "fortify -1,0", None),
    (
        "2.4 fortify",
        {},
        lambda state, rules: add_units(state, rules, -1, 0, 0, 0, 2),
        "fortify -1,0",
        "every unit of that tile has its coins",
    ),
    (
        "1.9 max_per_unit",
        {"fortify.max_per_unit": 2},
        lambda state, rules: add_units(state, rules, -1, 0, 0, 0, 3),
        "fortify -1,0",
        None,
    ),
    ("2.4 fortify", {}, gold(0), "fortify -1,0", "a coin costs 1 gold, the seat has 0"),
    ("2.4 fortify", {}, nothing, "fortify 1,0", "the seat has no unit at 1,0"),
    ("2.4 fortify", {}, nothing, "fortify 2,0", "the seat has no unit at 2,0"),
    ("1.5 fortify", {"fortify.enabled": False}, nothing, "fortify -1,0", "fortifying is switched off"),
    # 3.10 research, 3.11 trade
    ("2.4 research", {}, nothing, "research", None),
    ("R100", {}, hand(""), "research", "the hand is empty, nothing could be retired"),
    ("R94", {}, gold(0), "research", "the next improvement costs 1 gold, the seat has 0"),
    (
        "R108",
        {},
        do(gold(1), set_all(improve_bought=1)),
        "research",
        "the next improvement costs 2 gold, the seat has 1",
    ),
    ("1.9 improve.costs", {"improve.costs": [1]}, do(gold(1), set_all(improve_bought=1)), "research", None),
    ("3.10", {}, set_all(improve_used=2), "research", "2 improvements a turn are allowed, and used"),
    ("R98", {}, deck("", "14P", ""), "research", None),
    ("R98", {}, deck("", "15P"), "research", "the upgrade deck is empty and no top card is within the rank cap 14"),
    ("R98", {}, deck("19P", "15P"), "research", None),
    ("R98", {"research.when_deck_empty": "forbid"}, deck("", "12P"), "research", "the upgrade deck is empty"),
    ("1.6 research", {"research.enabled": False}, nothing, "research", "research is switched off"),
    ("R105", {}, do(market("2P 3O"), hand("")), "trade", None),
    ("3.11", {}, market("2P"), "trade", "the market has 1 cards, 2 are needed"),
    ("1.9 trade", {"trade.draw": 3, "trade.bury": 3}, market("2P 3O"), "trade", "the market has 2 cards, 3 are needed"),
    ("3.11", {}, gold(0), "trade", "the next improvement costs 1 gold, the seat has 0"),
    ("1.6 trade", {"trade.enabled": False}, nothing, "trade", "trade is switched off"),
    # 3.12 effects
    ("R112", {}, row("12O"), "cash 12O", None),
    ("3.12 C", {}, row("12O"), "cash 12F", "the victory row does not hold 12F"),
    ("R109", {}, row("12O", spends=1), "cash 12O", "1 victory card(s) a round may be spent, and were"),
    ("R109", {"victory.spends_per_round": 2}, row("12O", spends=1), "cash 12O", None),
    (
        "R109",
        {"victory.spends_per_round": 2},
        row("12O", spends=1, spent_c=1),
        "cash 12O",
        "effect C may be used 1 time(s) a round, and was",
    ),
    ("1.7 effects", {"victory.effects": ["A"]}, row("12O"), "cash 12O", "effect C is switched off"),
    ("R113", {}, row("12O"), "found 12O", None),
    ("R113", {}, do(row("12O"), reserve(0)), "found 12O", "the reserve is empty"),
    ("R113", {}, do(row("12O 18P"), supply(2, 0)), "found 12O", "there is no place for the first tile"),
    ("R121", {}, do(row("12O 18P"), supply(2, 0)), "found 18P", None),
    ("3.12 B", {}, row("18P", spent_b=1), "found 18P", "effect B may be used 1 time(s) a round, and was"),
    ("1.7 effects", {"victory.effects": ["A", "C"]}, row("12O"), "found 12O", "effect B is switched off"),
]


@pytest.mark.parametrize(
    ("section", "changes", "prepare", "choice", "reason"), ACT_TABLE, ids=[f"{r[0]}: {r[3]}" for r in ACT_TABLE]
)
def test_map_turn(section: str, changes: Changes, prepare: Prepare, choice: str, reason: str | None) -> None:
    """Sections 2.4, 3.6 to 3.8, 3.10 to 3.12: one choice of D07 and the reason against it."""
    state, rules = island(changes)
    prepare(state, rules)
    action = parse_action(state, rules, choice)
    assert why_not(state, rules, action) == reason, section
    assert (action in legal_actions(state, rules)) == (reason is None), section

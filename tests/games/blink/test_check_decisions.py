"""Reasons why choices of the decisions outside the map turn's menu are not legal."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.actions import (
    NO_SPACE,
    RETREAT_HOME,
    bury_action,
    card_action,
    card_on_tile,
    positions_action,
    space_action,
    tile_action,
)
from blinksim.games.blink.check import why_not
from blinksim.games.blink.enums import Decision, Kind
from blinksim.games.blink.text import parse_action
from blinksim.games.cards import parse_card
from blinksim.games.hexmap import parse_cell
from tests.games.blink.islands import (
    Changes,
    Prepare,
    deck,
    do,
    hand,
    island,
    nothing,
    reserve,
    row,
    supply,
)
from tests.games.blink.positions import (
    add_tile,
    fresh,
    rules_for,
    set_hand,
    set_objectives,
    start_turn,
    tile_number,
)


def test_attacked(section: str = "3.7") -> None:
    """D08, R54, R57, R63: on a tile with a coin only cards above the live wall answer; Settlement's is 12."""
    state, rules = island()
    start_turn(state, rules, 1, "9P")
    state.decision, state.seat = int(Decision.DEFEND), 0
    state.attack_tile, state.attack_card = tile_number(state, -1, 0), parse_card("9P")
    set_hand(state, 0, "12P 13F")
    reasons = {text: why_not(state, rules, parse_action(state, rules, text)) for text in ("defend none", "defend 13F")}
    assert reasons == {"defend none": None, "defend 13F": None}, section
    wall = why_not(state, rules, parse_action(state, rules, "defend 12P"))
    assert wall == "12P is not above the wall 12"
    assert why_not(state, rules, parse_action(state, rules, "defend 14M")) == "the hand does not hold 14M"
    state.coins[tile_number(state, -1, 0)] = 0
    assert why_not(state, rules, parse_action(state, rules, "defend 12P")) is None


DECISION_TABLE: list[tuple[str, Decision, Changes, Prepare, str, str | None]] = [
    ("3.2", Decision.MELD, {}, hand("5P 6O 7M"), "meld 5P 6O 7M", None),
    ("3.2", Decision.MELD, {}, hand("8P 8O 8M"), "meld 8P 8O 8M", None),
    ("R23", Decision.MELD, {}, hand("5P 7M 8O"), "meld 5P 7M", "the ranks do not follow one another: 6 is missing"),
    ("3.2", Decision.MELD, {}, hand("4P 5P 6P 7P"), "meld 4P 5P 6P 7P", "a meld of 4 cards is over the limit of 3"),
    ("3.1", Decision.MELD, {}, do(hand("4P 5P 6P 7P"), reserve(15)), "meld 4P 5P 6P 7P", None),
    ("R109", Decision.DECLARE_A, {}, row("7F"), "declare none", None),
    ("R109", Decision.DECLARE_A, {}, row("7F"), "declare 7F", None),
    ("R109", Decision.DECLARE_A, {}, row("7F"), "declare 8F", "the victory row does not hold 8F"),
    (
        "R26",
        Decision.DECLARE_A,
        {},
        row("7F", spent_a=1),
        "declare 7F",
        "effect A may be used 1 time(s) a round, and was",
    ),
    (
        "1.7 effects",
        Decision.DECLARE_A,
        {"victory.effects": ["B"]},
        row("7F"),
        "declare 7F",
        "effect A is switched off",
    ),
    ("3.4", Decision.SET_ASIDE, {}, nothing, "aside 5P", None),
    ("3.4", Decision.SET_ASIDE, {}, nothing, "aside 3P", "the meld does not hold 3P"),
    ("3.10", Decision.RESEARCH_RETIRE, {}, nothing, "retire 3F", None),
    ("3.10", Decision.RESEARCH_RETIRE, {}, nothing, "retire 7O", "7O is not of the lowest rank in hand, 3"),
    ("1.9 research.retire", Decision.RESEARCH_RETIRE, {"research.retire": "any"}, nothing, "retire 7O", None),
    ("3.10", Decision.RESEARCH_RETIRE, {}, nothing, "retire 5P", "the hand does not hold 5P"),
    ("R102", Decision.ROW_OVERFLOW, {}, row("4P 4F 5P 6P 7P 8P"), "drop 4F", None),
    (
        "R102",
        Decision.ROW_OVERFLOW,
        {},
        row("4P 4F 5P 6P 7P 8P"),
        "drop 5P",
        "5P is not of the lowest rank of the row, 4",
    ),
    ("R102", Decision.ROW_OVERFLOW, {}, row("4P 4F 5P 6P 7P 8P"), "drop 9P", "the victory row does not hold 9P"),
    ("1.9 overflow", Decision.ROW_OVERFLOW, {"victory.overflow": "choice"}, row("4P 4F 5P 6P 7P 8P"), "drop 5P", None),
    ("R103", Decision.RESEARCH_TAKE, {}, deck("", "14P", "", "12F 15O"), "take 1", None),
    ("R103", Decision.RESEARCH_TAKE, {}, deck("", "14P", "", "12F 15O"), "take 2", "that slot is empty"),
    ("R103", Decision.RESEARCH_TAKE, {}, deck("", "14P", "", "12F 15O"), "take 3", "15O is above the rank cap 14"),
    ("3.10", Decision.RESEARCH_TO, {}, nothing, "to hand", None),
    ("3.10", Decision.RESEARCH_TO, {}, nothing, "to discard", None),
    (
        "1.6 destinations",
        Decision.RESEARCH_TO,
        {"research.destinations": ["discard"]},
        nothing,
        "to hand",
        "a card taken may not go to the hand",
    ),
    (
        "1.6 destinations",
        Decision.RESEARCH_TO,
        {"research.destinations": ["hand"]},
        nothing,
        "to discard",
        "a card taken may not go to the discard",
    ),
    ("3.11", Decision.TRADE_BURY, {}, nothing, "bury 7O 3P", None),
    ("3.11", Decision.TRADE_BURY, {}, nothing, "bury 7O 4P", "the hand does not hold 4P"),
    ("3.12", Decision.B_UNIT, {}, nothing, "unit here", None),
    ("3.12", Decision.B_UNIT, {}, nothing, "unit later", None),
]


@pytest.mark.parametrize(
    ("section", "decision", "changes", "prepare", "choice", "reason"),
    DECISION_TABLE,
    ids=[f"{r[0]}: {r[4]}" for r in DECISION_TABLE],
)
def test_other_decisions(
    section: str, decision: Decision, changes: Changes, prepare: Prepare, choice: str, reason: str | None
) -> None:
    """Sections 2.3, 3.2 to 3.4, 3.10 and 3.11: one choice of a decision outside the map turn's menu."""
    state, rules = island(changes)
    prepare(state, rules)
    state.decision = int(decision)
    assert why_not(state, rules, parse_action(state, rules, choice)) == reason, section


def test_retreat() -> None:
    """D09, R64, R65: an adjacent own tile with room; home only by the switch."""
    state, rules = island()
    state.decision, state.seat = int(Decision.RETREAT), 0
    state.attack_tile = tile_number(state, 0, 0)
    expected = {
        "retreat -1,0": None,
        "retreat 0,-1": "that tile is full",
        "retreat 1,0": "the seat has no unit at 1,0",
        "retreat home": "a beaten unit must retreat where it can",
    }
    assert {text: why_not(state, rules, parse_action(state, rules, text)) for text in expected} == expected
    assert why_not(state, rules_for(2, {"retreat.optional": True}), RETREAT_HOME) is None
    state.attack_tile = tile_number(state, 2, -1)
    assert why_not(state, rules, parse_action(state, rules, "retreat -1,0")) == "-1,0 is not beside the tile attacked"


def test_objectives_and_passes() -> None:
    """D01, D02, D03: what was dealt; exactly the number of the pass."""
    secret = rules_for(2, {"objectives.mode": "secret"})
    state, rules = island()
    set_objectives(state, 0, "ocean_mountain", "plains_forest")
    state.decision = int(Decision.OBJECTIVE_KEEP)
    assert why_not(state, secret, parse_action(state, secret, "keep plains_forest")) is None
    not_dealt = why_not(state, secret, parse_action(state, secret, "keep forest_plains"))
    assert not_dealt == "the seat was not dealt forest_plains"
    state.decision = int(Decision.OBJECTIVE_SHOW)
    assert why_not(state, rules, parse_action(state, rules, "show plains_forest")) is None
    state.decision = int(Decision.DRAFT_PASS)
    state.pass_number = 2
    assert why_not(state, rules, parse_action(state, rules, "pass 3P 7O")) is None
    assert why_not(state, rules, parse_action(state, rules, "pass 3P")) == "2 cards are passed, not 1"


def colony(card: str, changes: Changes | None = None) -> tuple[Any, Any]:
    """The three-player start of section 7.11, seat 0 spending a card on effect B and about to lay the first tile."""
    rules = rules_for(3, changes)
    state = fresh(rules)
    state.decision = int(Decision.B_PLACE)
    state.b_card = parse_card(card)
    state.b_owed = 1
    return state, rules


PLACE_TABLE: list[tuple[str, str, Changes, Prepare, str, str | None]] = [
    ("E1", "4F", {}, nothing, "place -1,1 F", None),
    ("E1", "4F", {}, nothing, "place -1,1 P", "4F lays only F"),
    ("E1", "4F", {}, nothing, "place -1,2 F", "-1,2 is out of reach: it is 2 from the nearest own tile, 1 is allowed"),
    ("E1", "4F", {}, nothing, "place 0,0 F", "there is already a tile at 0,0"),
    ("E1", "4F", {}, nothing, "place -2,0 F", "the space touches only 1 tile, 2 are needed"),
    ("E2", "7O", {}, nothing, "place -1,2 O", None),
    ("E2", "7O", {}, nothing, "place 1,1 O", "1,1 is out of reach: it is 3 from the nearest own tile, 2 is allowed"),
    ("E3", "12O", {}, supply(2, 0), "place 0,-1 O", "the supply has no O tiles, 1 needed"),
    ("R121", "18P", {}, nothing, "place 0,-1 M", None),
    ("E2 lay_suit", "7O", {"victory.b_distant_between": "lay_suit"}, nothing, "place -1,2 O", None),
    (
        "E2 lay_suit",
        "7O",
        {"victory.b_distant_between": "lay_suit"},
        supply(2, 1),
        "place -1,2 O",
        "the supply has 1 O tile, 2 needed with the one in between",
    ),
    ("E2 lay_suit", "7O", {"victory.b_distant_between": "lay_suit"}, supply(2, 1), "place 1,-1 O", None),
    (
        "R119",
        "7O",
        {"victory.b_distant_between": "lay_suit"},
        nothing,
        "place -3,0 O",
        "no hex can carry the tile in between",
    ),
]


@pytest.mark.parametrize(
    ("section", "card", "changes", "prepare", "choice", "reason"),
    PLACE_TABLE,
    ids=[f"{r[0]}: {r[1]} {r[4]}" for r in PLACE_TABLE],
)
def test_effect_b(section: str, card: str, changes: Changes, prepare: Prepare, choice: str, reason: str | None) -> None:
    """D15, section 3.12 and 7.11: where a colony may be laid."""
    state, rules = colony(card, changes)
    prepare(state, rules)
    assert why_not(state, rules, parse_action(state, rules, choice)) == reason, section


def test_the_tile_in_between() -> None:
    """Section 3.12 with ``lay_suit``, E2: (-1,2) is reached over (-1,1) alone, with a tile of the card's suit."""
    state, rules = colony("7O", {"victory.b_distant_between": "lay_suit"})
    state.b_distant = parse_cell("-1,2")
    expected = {
        "place -1,1 O": None,
        "place -1,1 F": "the tile in between is of the card's suit O",
        "place -2,2 O": "-2,2 is not beside an own tile",
        "place 0,-1 O": "0,-1 is not beside the distant space -1,2",
    }
    assert {text: why_not(state, rules, parse_action(state, rules, text)) for text in expected} == expected


def test_a_distant_space_is_counted_with_the_tile_in_between() -> None:
    """Section 3.12 with ``lay_suit``: the space's touch count is taken after the tile in between is laid."""
    state, rules = island({"victory.b_distant_between": "lay_suit"})
    state.decision = int(Decision.B_PLACE)
    state.b_card = parse_card("7F")
    add_tile(state, rules, -3, 1, "M")
    touching_one = parse_action(state, rules, "place -3,2 F")
    assert why_not(state, rules, touching_one) is None
    plain = rules_for(2)
    assert why_not(state, plain, touching_one) == "the space touches only 1 tile, 2 are needed"


def test_numbers_that_name_no_choice() -> None:
    """A number with stray bits, a tile that is not there or another number for the space is refused."""
    state, rules = island()
    cell = parse_cell("-2,1")
    five = parse_card("5F")
    good = parse_action(state, rules, "explore 5F -2,1")
    assert why_not(state, rules, good) is None
    bad = [
        card_on_tile(int(Kind.SETTLE), five, 60),
        tile_action(int(Kind.FORTIFY), 60),
        space_action(int(Kind.EXPLORE), five, 0, NO_SPACE, cell, 0),
        space_action(int(Kind.EXPLORE), five, 1, 0, cell, 0),
        good | 1 << 48,
        int(Kind.END) | 1 << 5,
        card_action(int(Kind.GOLD), five) | 1 << 12,
        -1 << 5 | int(Kind.GOLD),
    ]
    for action in bad:
        assert why_not(state, rules, action) == f"{action} is not the number of a choice in this position"
    state.decision = int(Decision.MELD)
    beyond = positions_action(int(Kind.MELD), 1 << 5)
    assert why_not(state, rules, beyond) == f"{beyond} is not the number of a choice in this position"
    assert why_not(state, rules, int(Kind.END)) == "meld is due, and end is not a choice of it"
    assert why_not(state, rules, 31) == "meld is due, and kind 31 is not a choice of it"
    state.decision = int(Decision.TRADE_BURY)
    assert why_not(state, rules, bury_action(parse_card("3P"), 0, 0)) == "2 cards are buried"
    assert why_not(state, rules, bury_action(parse_card("3P"), parse_card("3P"), 0)) == "a card is buried twice"
    state.decision = int(Decision.OVER)
    assert why_not(state, rules, good) == "the game has ended"

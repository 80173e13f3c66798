"""Text forms of decisions and choices: every kind both ways, and what is said about texts that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.errors import UserError
from blinksim.games.blink.actions import (
    NO_SPACE,
    RETREAT_HOME,
    bury_action,
    card_action,
    card_on_tile,
    move_action,
    positions_action,
    space_action,
    tile_action,
)
from blinksim.games.blink.enums import Decision, Kind
from blinksim.games.blink.objectives import parse_objective
from blinksim.games.blink.text import (
    FORMS,
    KINDS,
    ActionTextError,
    action_text,
    decision_text,
    parse_action,
    parse_decision,
    space_number,
)
from blinksim.games.cards import parse_card
from blinksim.games.hexmap import parse_cell
from tests.games.blink.positions import fresh, rules_for, set_hand, start_turn, tile_number

HAND = "3P 4F 4O 5M 6P 7P 9F 10M 11O 11M"


def position(decision: Decision) -> tuple[Any, Any]:
    """The three-player start with ten cards in the hand of seat 1, which has to decide."""
    rules = rules_for(3)
    state = fresh(rules)
    start_turn(state, rules, 1, "8M 8O")
    set_hand(state, 1, HAND)
    state.decision = int(decision)
    return state, rules


def space(state: Any, cell: str) -> int:
    """The number of a space that is in the list."""
    number = space_number(state, parse_cell(cell))
    assert number != NO_SPACE
    return number


def card(text: str) -> int:
    """A card's number."""
    return parse_card(text)


ROUND_TRIPS: list[tuple[Decision, str, Any]] = [
    (Decision.OBJECTIVE_KEEP, "keep ocean_mountain", card_action(0, parse_objective("ocean_mountain"))),
    (Decision.OBJECTIVE_SHOW, "show plains_forest_ocean", card_action(2, parse_objective("plains_forest_ocean"))),
    (Decision.DRAFT_PASS, "pass 3P 4F 4O 5M 6P 7P", positions_action(1, 0b111111)),
    (Decision.MELD, "meld 11O 11M", positions_action(3, 0b1100000000)),
    (Decision.DECLARE_A, "declare none", card_action(4, 0)),
    (Decision.DECLARE_A, "declare 7F", card_action(4, card("7F"))),
    (Decision.SET_ASIDE, "aside 8M", card_action(5, card("8M"))),
    (Decision.ACT, "gold 8M", card_action(9, card("8M"))),
    (Decision.ACT, "research", 13),
    (Decision.ACT, "trade", 14),
    (Decision.ACT, "found 12O", card_action(15, card("12O"))),
    (Decision.ACT, "cash 12O", card_action(16, card("12O"))),
    (Decision.ACT, "end", 17),
    (Decision.DEFEND, "defend none", card_action(18, 0)),
    (Decision.DEFEND, "defend 9F", card_action(18, card("9F"))),
    (Decision.RETREAT, "retreat home", RETREAT_HOME),
    (Decision.RESEARCH_RETIRE, "retire 3P", card_action(20, card("3P"))),
    (Decision.ROW_OVERFLOW, "drop 4F", card_action(21, card("4F"))),
    (Decision.RESEARCH_TAKE, "take 5", card_action(22, 4)),
    (Decision.RESEARCH_TO, "to hand", tile_action(23, 0)),
    (Decision.RESEARCH_TO, "to discard", tile_action(23, 1)),
    (Decision.TRADE_BURY, "bury 11M 3P", bury_action(card("11M"), card("3P"), 0)),
    (Decision.B_UNIT, "unit here", tile_action(26, 1)),
    (Decision.B_UNIT, "unit later", tile_action(26, 0)),
]


@pytest.mark.parametrize(("decision", "text", "action"), ROUND_TRIPS, ids=[row[1] for row in ROUND_TRIPS])
def test_choices_without_a_map_go_both_ways(decision: Decision, text: str, action: int) -> None:
    """Record "Decisions": each form gives the number of the choice, and the number the form."""
    state, rules = position(decision)
    assert parse_action(state, rules, text) == action
    assert action_text(state, action) == text


def test_choices_on_the_map_go_both_ways() -> None:
    """Record "Decisions": tiles and spaces are found by their cells; a cell that is no space has number 255."""
    state, rules = position(Decision.ACT)
    own, mountain, rival = (tile_number(state, *cell) for cell in [(2, -1), (1, 0), (-1, 0)])
    table = {
        "settle 8M 1,0": card_on_tile(Kind.SETTLE.value, card("8M"), mountain),
        "attack 9P -1,0": card_on_tile(Kind.ATTACK.value, card("9P"), rival),
        "explore 8O 2,0": space_action(Kind.EXPLORE.value, card("8O"), 0, space(state, "2,0"), parse_cell("2,0"), 0),
        "explore 8O 20,-9": space_action(Kind.EXPLORE.value, card("8O"), 0, NO_SPACE, parse_cell("20,-9"), 0),
        "move 2,-1 1,0": move_action(own, mountain),
        "water 2,-1 2,0": space_action(Kind.WATER.value, 0, own, space(state, "2,0"), parse_cell("2,0"), 0),
        "fortify 2,-1": tile_action(Kind.FORTIFY.value, own),
    }
    for text, action in table.items():
        assert parse_action(state, rules, text) == action, text
        assert action_text(state, action) == text


def test_retreats_and_places_go_both_ways() -> None:
    """Record "Decisions": D09 and D15."""
    state, rules = position(Decision.RETREAT)
    action = tile_action(Kind.RETREAT.value, tile_number(state, 1, 0))
    assert parse_action(state, rules, "retreat 1,0") == action
    assert action_text(state, action) == "retreat 1,0"
    state.decision = int(Decision.B_PLACE)
    action = space_action(Kind.PLACE.value, 0, 0, space(state, "2,0"), parse_cell("2,0"), 1)
    assert parse_action(state, rules, "place 2,0 F") == action
    assert action_text(state, action) == "place 2,0 F"


def test_cards_are_written_ascending_and_read_in_any_order() -> None:
    """Record "Notation": by rank, then suit in the order P F O M; a bury keeps the player's order."""
    state, rules = position(Decision.MELD)
    action = parse_action(state, rules, "meld 5M 4O 4F")
    assert action == positions_action(Kind.MELD.value, 0b1110)
    assert action_text(state, action) == "meld 4F 4O 5M"
    state.decision = int(Decision.TRADE_BURY)
    assert parse_action(state, rules, "bury 3P 4F") != parse_action(state, rules, "bury 4F 3P")


def test_three_cards_are_buried_where_the_ruleset_says_so() -> None:
    """Section 1.9 ``trade.draw``, ``trade.bury``."""
    state, _ = position(Decision.TRADE_BURY)
    three = rules_for(3, {"trade.draw": 3, "trade.bury": 3})
    action = parse_action(state, three, "bury 11M 3P 4F")
    assert action == bury_action(card("11M"), card("3P"), card("4F"))
    assert action_text(state, action) == "bury 11M 3P 4F"


def test_every_kind_belongs_to_one_decision_and_has_a_form() -> None:
    """Section 2: D01 to D16 share no kind of choice."""
    kinds = [kind for kinds in KINDS.values() for kind in kinds]
    assert sorted(kinds) == sorted(Kind)
    assert set(KINDS) == set(Decision)
    assert set(FORMS) == set(Kind)


def test_decisions_have_the_names_of_records() -> None:
    """Record "Decisions"."""
    names = (
        "objective_keep draft_pass objective_show meld declare_a set_aside act defend retreat research_retire "
        "row_overflow research_take research_to trade_bury b_place b_unit"
    )
    assert [decision_text(i) for i in range(1, 17)] == names.split()
    assert [parse_decision(name) for name in names.split()] == list(range(1, 17))
    with pytest.raises(UserError, match=r'"draw" is not a decision: the decisions are objective_keep, draft_pass'):
        parse_decision("draw")


BAD_TEXTS: list[tuple[Decision, str, str]] = [
    (Decision.ACT, "", '"" is not a kind of choice'),
    (Decision.ACT, "sail 0,0 1,0", '"sail" is not a kind of choice'),
    (Decision.ACT, "Settle 8M 1,0", '"Settle" is not a kind of choice'),
    (Decision.ACT, "meld 8M", '"meld" is not a choice of this decision'),
    (Decision.MELD, "end", '"end" is not a choice of this decision'),
    (Decision.ACT, "settle 8M", '"settle 8M" has 1 word(s) after the first, "settle CARD CELL" has 2'),
    (Decision.ACT, "settle 8M  1,0", '"settle 8M  1,0" has 3 word(s) after the first, "settle CARD CELL" has 2'),
    (Decision.ACT, "end now", '"end now" has 1 word(s) after the first, "end" has 0'),
    (Decision.ACT, "settle 8X 1,0", '"8X" is not a card'),
    (Decision.ACT, "settle 8M 1.0", '"1.0" is not a cell'),
    (Decision.ACT, "settle 8M 5,5", "there is no tile at 5,5"),
    (Decision.ACT, "move 1,0 2,2", "there is no tile at 2,2"),
    (Decision.ACT, "fortify home", '"home" is not a cell'),
    (Decision.MELD, "meld 3P 8M", "the hand does not hold 8M"),
    (Decision.MELD, "meld 3P 3P", "3P is named twice"),
    (Decision.MELD, "meld none", '"none" is not a card'),
    (Decision.TRADE_BURY, "bury 3P", '"bury 3P" has 1 word(s) after the first'),
    (Decision.TRADE_BURY, "bury 3P 3P", "3P is named twice"),
    (Decision.OBJECTIVE_KEEP, "keep fjord", '"fjord" is not an objective'),
    (Decision.RESEARCH_TAKE, "take 0", '"0" is not a slot: the slots of the grid are 1 to 9'),
    (Decision.RESEARCH_TAKE, "take 10", '"10" is not a slot: the slots of the grid are 1 to 9'),
    (Decision.RESEARCH_TAKE, "take 05", '"05" is not a slot'),
    (Decision.RESEARCH_TO, "to row", 'the forms are "to hand, to discard"'),
    (Decision.B_PLACE, "place 2,0 X", '"X" is not a terrain: the terrains are P, F, O, M'),
    (Decision.B_PLACE, "place 2,0 PF", '"PF" is not a terrain'),
    (Decision.B_UNIT, "unit", 'the forms are "unit here, unit later"'),
]


@pytest.mark.parametrize(("decision", "text", "reason"), BAD_TEXTS, ids=[row[1] or "nothing" for row in BAD_TEXTS])
def test_texts_that_cannot_be_read_are_explained(decision: Decision, text: str, reason: str) -> None:
    """The message has the text, the reason, and the forms that the decision allows."""
    state, rules = position(decision)
    with pytest.raises(ActionTextError) as caught:
        parse_action(state, rules, text)
    assert caught.value.reason.startswith(reason)
    assert str(caught.value).startswith(f'"{text}" cannot be read: {reason}')
    for kind in KINDS[decision]:
        assert FORMS[kind] in str(caught.value)


def test_no_choice_can_be_read_once_the_game_has_ended() -> None:
    """The message says so instead of listing forms."""
    state, rules = position(Decision.OVER)
    with pytest.raises(ActionTextError, match=r"the game has ended$"):
        parse_action(state, rules, "end")

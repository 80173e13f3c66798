"""Alternatives of sections 1.6, 1.7 and 1.9: recycle, research, trade, victory row. Each row names its parameter."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink import scoring
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.rules_record import RULES
from blinksim.games.blink.state import new_records
from tests.games.blink.positions import (
    add_tile,
    cards,
    choose,
    decision,
    fresh,
    grid,
    legal_texts,
    market,
    options,
    per_seat,
    rules_for,
    set_discard,
    set_hand,
    set_market,
    set_meld,
    set_row,
    spot,
    start_round,
    start_turn,
    supply,
    tile,
    words,
)
from tests.games.blink.vectors.test_effects import places, with_row
from tests.games.blink.vectors.test_recycle import defence, holding
from tests.games.blink.vectors.test_research import at_grid

ONE_BAND = {
    "name": "all",
    "ranks": [1, 20],
    "a": True,
    "wins_ties": False,
    "tiles": 1,
    "units": 1,
    "terrain": "suit",
    "reach": 1,
    "gold": 7,
}


# 1.6 recycle


@pytest.mark.parametrize(("income", "gold"), [(0, 1), (1, 2), (3, 4)])
def test_income_per_objective(income: int, gold: int) -> None:
    """recycle.income_per_objective (1.6): a cashed last card with one objective held."""
    rules = rules_for(2, {"recycle.income_per_objective": income})
    state = holding(rules)
    start_turn(state, rules, 0, "8M")
    choose(state, rules, "gold 8M")
    assert (int(state.gold[0]), int(state.last_income[0])) == (gold, income)


@pytest.mark.parametrize(("when", "during_dues"), [("immediate", 1), ("own_turn_start", 0)])
def test_recycle_due_during_dues(when: str, during_dues: int) -> None:
    """recycle.before_own_turn (1.9, K10): own_turn_start waits for the start of the own turn."""
    rules = rules_for(2, {"recycle.before_own_turn": when})
    state = fresh(rules)
    set_discard(state, 1, "2P 2F 2O 2M 4P 4F 4O 4M")
    start_round(state, rules, 0, {0: "11P 1P", 1: "5P 5F"})
    choose(state, rules, "meld 11P", "meld 5P 5F", "aside 5P", "aside 5F")
    assert (int(state.seat), per_seat(state, "recycles")) == (0, [0, during_dues])
    choose(state, rules, "gold 11P", "end")
    assert (int(state.seat), per_seat(state, "recycles")) == (1, [0, 1])
    assert (int(state.hand_size[1]), int(state.moves_left)) == (10, 0)


@pytest.mark.parametrize(("when", "at_once"), [("immediate", 1), ("own_turn_start", 0)])
def test_recycle_due_by_defending_before_the_own_turn(when: str, at_once: int) -> None:
    """recycle.before_own_turn (1.9, R89): the last hand card defends, the meld is already gone."""
    rules = rules_for(2, {"recycle.before_own_turn": when})
    state = defence(rules)
    start_turn(state, rules, 1, "9P", order=[1, 0])
    choose(state, rules, "attack 9P 0,0", "defend 9F")
    assert int(state.recycles[0]) == at_once
    choose(state, rules, "end")
    assert (int(state.seat), int(state.recycles[0]), cards(state.hand[0])) == (0, 1, "2P 2F 9F")


@pytest.mark.parametrize(("when", "at_once"), [("round_end", 0), ("immediate", 1)])
def test_recycle_after_own_turn(when: str, at_once: int) -> None:
    """recycle.after_own_turn (1.9): immediate: an empty hand recycles at once, so it can defend again."""
    rules = rules_for(2, {"recycle.after_own_turn": when})
    state = defence(rules)
    start_turn(state, rules, 1, "9P 10P", order=[0, 1])
    choose(state, rules, "attack 9P 0,0", "defend 9F")
    assert int(state.recycles[0]) == at_once
    choose(state, rules, "attack 10P 0,0")
    assert options(state, rules, "defend") == ({"none", "2P", "2F", "9F"} if at_once else {"none"})


# 1.6 improvements


@pytest.mark.parametrize(
    ("changes", "gold", "after"),
    [
        ({}, 9, [8, 6]),
        ({"improve.per_turn": 1}, 9, [8]),
        ({"improve.per_turn": 0}, 9, []),
        ({"improve.per_turn": 3}, 9, [8, 6, 4]),
        ({"improve.costs": [3]}, 9, [6, 3]),
        ({"improve.per_turn": 4, "improve.costs": [0, 1, 2]}, 9, [9, 8, 6, 4]),
    ],
)
def test_per_turn_and_costs(changes: dict[str, Any], gold: int, after: list[int]) -> None:
    """improve.per_turn, improve.costs (1.6, 1.9): trades until no more is legal; the last price repeats."""
    rules = rules_for(3, changes)
    state = at_grid(rules, "", gold=gold)
    seen = []
    while "trade" in legal_texts(state, rules):
        choose(state, rules, "trade")
        choose(state, rules, legal_texts(state, rules)[0])
        seen.append(int(state.gold[0]))
    assert seen == after
    assert "research" not in legal_texts(state, rules)


@pytest.mark.parametrize(
    ("changes", "researches", "price"),
    [
        ({}, 2, None),
        ({"improve.failed_counts": False}, 4, 1),
        ({"improve.failed_raises_price": True}, 2, None),
        ({"improve.failed_counts": False, "improve.failed_raises_price": True}, 4, 2),
    ],
)
def test_failed_research(changes: dict[str, Any], researches: int, price: int | None) -> None:
    """improve.failed_counts, failed_raises_price (1.6, K12): four draws above the cap, then a trade if one is left."""
    rules = rules_for(3, changes)
    state = at_grid(rules, "13O 13F 13M 14P", changes={1: "13P"}, gold=9)
    done = 0
    while done < 4 and "research" in legal_texts(state, rules):
        choose(state, rules, "research")
        done += 1
        assert decision(state) == Decision.ACT
    assert done == researches
    assert int(state.gold[0]) == 9
    if price is None:
        assert "trade" not in legal_texts(state, rules)
    else:
        choose(state, rules, "trade")
        assert int(state.gold[0]) == 9 - price


def test_a_failure_raises_the_next_price() -> None:
    """improve.failed_raises_price (1.6, K12): after one failure the next improvement costs 2."""
    for raises, price in ((False, 1), (True, 2)):
        rules = rules_for(3, {"improve.failed_raises_price": raises})
        state = at_grid(rules, "13O 13F", changes={1: "13P"}, gold=2)
        choose(state, rules, "research", "trade")
        assert int(state.gold[0]) == 2 - price


@pytest.mark.parametrize(("group", "other"), [("research", "trade"), ("trade", "research")])
def test_switched_off(group: str, other: str) -> None:
    """research.enabled, trade.enabled = false (1.6)."""
    rules = rules_for(3, {f"{group}.enabled": False})
    texts = legal_texts(at_grid(rules, "12O"), rules)
    assert group not in texts
    assert other in texts


def test_grid() -> None:
    """research.grid = [2, 4] (1.6, K11): eight slots; the last is slot 8."""
    rules = rules_for(3, {"research.grid": [2, 4]})
    state = fresh(rules)
    state.gold[0] = 1
    set_hand(state, 0, "3P")
    start_turn(state, rules, 0)
    choose(state, rules, "research")
    # the deal is unshuffled: 12P 12F 12O 12M / 13P 13F 13O 13M, and 14P is drawn onto the first 13
    assert grid(state, rules) == ["12P", "12F", "12O", "12M", "13P 14P", "13F", "13O", "13M"]
    assert options(state, rules, "take") == {"1", "2", "3", "4"}


def test_cover_lowest() -> None:
    """research.cover = lowest (1.9): the drawn card covers the lowest top card, the first of equals."""
    rules = rules_for(3, {"research.cover": "lowest"})
    state = at_grid(rules, "17O 12F", changes={4: "12M"})
    choose(state, rules, "research")
    assert grid(state, rules)[:4] == ["12P 17O", "15F", "18O", "12M"]
    assert options(state, rules, "take") == {"4"}


def test_retire_any() -> None:
    """research.retire = any (1.9): D10 offers every hand card."""
    rules = rules_for(3, {"research.retire": "any"})
    state = at_grid(rules, "12O", hand="3P 7O 11F")
    choose(state, rules, "research")
    assert (decision(state), options(state, rules, "retire")) == (Decision.RESEARCH_RETIRE, {"3P", "7O", "11F"})
    choose(state, rules, "retire 11F", "take 1", "to hand")
    assert (cards(state.row[0]), cards(state.hand[0])) == ("11F", "3P 7O 12P")


@pytest.mark.parametrize("destination", ["hand", "discard"])
def test_destinations(destination: str) -> None:
    """research.destinations (1.6): with one destination D13 offers only that one."""
    rules = rules_for(3, {"research.destinations": [destination]})
    state = at_grid(rules, "12O")
    choose(state, rules, "research", "take 1")
    assert legal_texts(state, rules) == [f"to {destination}"]


def test_forbidden_with_an_empty_deck() -> None:
    """research.when_deck_empty = forbid (1.6, R98): no research without a card to draw."""
    rules = rules_for(3, {"research.when_deck_empty": "forbid"})
    assert "research" not in legal_texts(at_grid(rules, ""), rules)
    assert "research" in legal_texts(at_grid(rules, "13O"), rules)


@pytest.mark.parametrize(("number", "choices", "buried"), [(1, 3, "9M"), (2, 12, "9M 9F"), (3, 60, "9M 9F 9P")])
def test_trade_cards(number: int, choices: int, buried: str) -> None:
    """trade.draw = trade.bury (1.9, K9): that many cards, in order, for the price of one improvement."""
    rules = rules_for(3, {"trade.draw": number, "trade.bury": number})
    state = at_grid(rules, "", hand="9P 9M" if number < 3 else "9P 9F")
    set_market(state, {1: "2P 4P", 2: "9F 2P 4P", 3: "9M 2P 2F 4P"}[number])
    choose(state, rules, "trade")
    assert len(options(state, rules, "bury")) == choices
    choose(state, rules, f"bury {buried}")
    assert market(state) == f"4P {buried}"
    assert (int(state.gold[0]), int(state.improve_used), int(state.hand_size[0])) == (2, 1, 2)


@pytest.mark.parametrize(("number", "size", "legal"), [(1, 0, False), (1, 1, True), (3, 2, False), (3, 3, True)])
def test_trade_needs_the_market(number: int, size: int, legal: bool) -> None:
    """trade.draw (1.9): the market must have that many cards."""
    rules = rules_for(3, {"trade.draw": number, "trade.bury": number})
    state = at_grid(rules, "")
    set_market(state, " ".join(["2P", "2F", "2O"][:size]))
    assert ("trade" in legal_texts(state, rules)) is legal


# 1.7 victory row


@pytest.mark.parametrize(
    ("changes", "row", "points"),
    [
        ({}, "6P 9P 17P", 9),
        ({"victory.points_per_card": 2}, "6P 9P 17P", 12),
        ({"victory.points_per_card": 0}, "6P 9P 17P", 6),
        ({"victory.centre_scores": False}, "6P 9P 14P 17P", 4),
        ({"victory.centre_min_cards": 4}, "6P 9P 17P", 3),
        ({"victory.centre_min_cards": 4}, "6P 9P 14P 17P", 13),
        ({"victory.slots": 3, "victory.centre_min_cards": 2}, "9P 17P", 11),
        ({"victory.slots": 3}, "9P 17P", 2),
        ({"victory.slots": 3}, "9P 14P 17P", 17),
        ({"victory.slots": 7, "victory.centre_min_cards": 4}, "6P 9P 17P", 3),
        ({"victory.slots": 7, "victory.centre_min_cards": 4}, "6P 9P 14P 17P", 10),
        ({"victory.slots": 1, "victory.centre_min_cards": 1}, "9P", 10),
    ],
)
def test_row_score(changes: dict[str, Any], row: str, points: int) -> None:
    """victory.slots, points_per_card, centre_scores, centre_min_cards (1.7, 3.13): v[n - (S + 1)/2]."""
    assert int(scoring.row_score(rules_for(3, changes), words(row))) == points


@pytest.mark.parametrize(
    ("slots", "row", "points"), [(5, "9P 17P", 2), (5, "6P 9P 17P", 9), (3, "9P", 1), (3, "9P 17P", 11)]
)
def test_the_centre_must_be_reached(slots: int, row: str, points: int) -> None:
    """K3: the centre needs (S + 1)/2 cards even where centre_min_cards asks for fewer."""
    rules = new_records(RULES)
    rules[0] = rules_for(3, {"victory.slots": slots})
    rules[0].centre_min_cards = 1
    assert int(scoring.row_score(rules[0], words(row))) == points


def test_slots() -> None:
    """victory.slots = 3 (1.7): a fourth card pushes the lowest out."""
    rules = rules_for(3, {"victory.slots": 3})
    state = at_grid(rules, "12O", hand="8F", row="4P 5P 9P")
    choose(state, rules, "research", "take 1", "to hand")
    assert (cards(state.row[0]), market(state).split()[-1]) == ("5P 8F 9P", "4P")


def test_overflow_choice() -> None:
    """victory.overflow = choice (1.9): any card of the overfull row may leave, the newcomer too."""
    rules = rules_for(3, {"victory.overflow": "choice"})
    state = at_grid(rules, "12O", hand="8F", row="4P 5P 6P 7P 9P")
    choose(state, rules, "research")
    assert options(state, rules, "drop") == {"4P", "5P", "6P", "7P", "8F", "9P"}
    choose(state, rules, "drop 7P", "take 1", "to hand")
    assert (cards(state.row[0]), market(state).split()[-1]) == ("4P 5P 6P 8F 9P", "7P")


def test_overflow_to_removed() -> None:
    """victory.overflow_to = removed (1.7)."""
    rules = rules_for(3, {"victory.overflow_to": "removed"})
    state = at_grid(rules, "12O", hand="8F", row="4P 5P 6P 7P 9P")
    before = market(state)
    choose(state, rules, "research", "take 1", "to hand")
    assert (cards(state.removed), market(state)) == ("4P", before)


@pytest.mark.parametrize("effect", ["A", "B", "C"])
def test_spent_to_removed(effect: str) -> None:
    """victory.spent_to = removed (1.7, R27): for A, B and C alike."""
    rules = rules_for(3, {"victory.spent_to": "removed"})
    state = with_row(rules, "4F")
    before = market(state)
    if effect == "A":
        start_round(state, rules, 0, {0: "5P 1P", 1: "6F 1F", 2: "7O 1O"})
        choose(state, rules, "meld 5P", "meld 6F", "meld 7O", "declare 4F")
    else:
        choose(state, rules, *(["found 4F", "place -1,1 F"] if effect == "B" else ["cash 4F"]))
    assert (cards(state.removed), cards(state.row[0]), market(state)) == ("4F", "", before)


@pytest.mark.parametrize("effects", [["A"], ["B"], ["C"], ["A", "C"], []])
def test_effects(effects: list[str]) -> None:
    """victory.effects (1.7): those not in play are not offered; D05 does not occur without A."""
    rules = rules_for(3, {"victory.effects": effects})
    state = with_row(rules, "4F")
    assert bool(options(state, rules, "found")) is ("B" in effects)
    assert bool(options(state, rules, "cash")) is ("C" in effects)
    start_round(state, rules, 0, {0: "9P 1P", 1: "6F 1F", 2: "7O 1O"})
    choose(state, rules, "meld 9P", "meld 6F", "meld 7O")
    assert (decision(state) == Decision.DECLARE_A) is ("A" in effects)


@pytest.mark.parametrize(
    ("changes", "legal"),
    [
        ({}, set()),
        ({"victory.spends_per_round": 2}, {"found 5O"}),
        ({"victory.spends_per_round": 2, "victory.limit_c": 2}, {"found 5O", "cash 5O"}),
        ({"victory.spends_per_round": None, "victory.limit_c": None}, {"found 5O", "cash 5O"}),
        ({"victory.spends_per_round": None, "victory.limit_b": 0}, set()),
    ],
)
def test_allowances(changes: dict[str, Any], legal: set[str]) -> None:
    """victory.spends_per_round, limit_b, limit_c (1.7, 1.9): what is left for 5O after 4F was spent on C."""
    rules = rules_for(3, changes)
    state = with_row(rules, "4F 5O")
    choose(state, rules, "cash 4F")
    assert {"found 5O", "cash 5O"} & set(legal_texts(state, rules)) == legal


@pytest.mark.parametrize(("limit", "legal"), [(1, False), (2, True), (None, True)])
def test_limit_b(limit: int | None, legal: bool) -> None:
    """victory.limit_b (1.7): a second B in the same round."""
    rules = rules_for(3, {"victory.spends_per_round": None, "victory.limit_b": limit})
    state = with_row(rules, "4F 5O")
    choose(state, rules, "found 4F", "place -1,1 F")
    assert ("found 5O" in legal_texts(state, rules)) is legal


def test_limit_a() -> None:
    """victory.limit_a = 0 (1.9): no declarations."""
    rules = rules_for(3, {"victory.limit_a": 0})
    state = with_row(rules, "4F")
    start_round(state, rules, 0, {0: "9P 1P", 1: "6F 1F", 2: "7O 1O"})
    choose(state, rules, "meld 9P", "meld 6F", "meld 7O")
    assert (decision(state), int(state.seat)) != (Decision.DECLARE_A, 0)


@pytest.mark.parametrize(("own", "supply_left", "distant"), [(True, 15, True), (True, 1, False), (False, 15, True)])
def test_lay_suit_supply_and_waiver(own: bool, supply_left: int, distant: bool) -> None:
    """victory.b_distant_between = lay_suit (1.9, 3.12): a second tile is needed; not by a player without units."""
    rules = rules_for(3, {"victory.b_distant_between": "lay_suit"})
    state = fresh(rules)
    seat = 0
    if not own:
        state.own[0] = 0
        state.units[:1] = 0
        state.with_room |= state.with_room.dtype.type(1)
        state.reserve[0] = 20
    state.supply[2] = supply_left
    set_row(state, seat, "7O")
    start_turn(state, rules, seat)
    choose(state, rules, "found 7O")
    assert ("-1,2" in places(state, rules)) is distant
    if distant and not own:
        choose(state, rules, "place -1,2 O")
        assert (decision(state), supply(state)["O"], spot(state, "-1,2")) == (Decision.ACT, 14, "0:1/1")


def test_all_tiles_before_the_units() -> None:
    """victory.b_sequential = false (1.9, R116): reach is measured before any unit stands; then D16 for each tile."""
    rules = rules_for(3, {"victory.b_sequential": False})
    for answers, settled in ((["unit here"], "0,-1"), (["unit later"], "-1,1")):
        state = with_row(rules, "12O")
        choose(state, rules, "found 12O", "place 0,-1 O")
        assert (decision(state), places(state, rules)) == (Decision.B_PLACE, {"-1,-1", "-1,1"})
        choose(state, rules, "place -1,1 O")
        assert options(state, rules, "unit") == {"here", "later"}
        choose(state, rules, *answers)
        assert decision(state) == Decision.ACT
        other = {"0,-1": "-1,1", "-1,1": "0,-1"}[settled]
        assert (spot(state, settled), spot(state, other), int(state.reserve[0])) == ("0:1/1", "open", 18)


def test_all_tiles_and_as_many_units() -> None:
    """victory.b_sequential = false (1.9): nothing is asked where every tile gets its unit."""
    rules = rules_for(3, {"victory.b_sequential": False})
    state = with_row(rules, "18P")
    choose(state, rules, "found 18P", "place 0,-1 F", "place -1,1 M")
    assert decision(state) == Decision.ACT
    assert (spot(state, "0,-1"), spot(state, "-1,1"), int(state.reserve[0])) == ("0:1/1", "0:1/1", 17)


def test_own_bands() -> None:
    """victory.bands (1.9): one band of all ranks: C pays 7, B lays one tile of the suit, A never wins ties."""
    rules = rules_for(3, {"victory.bands": [ONE_BAND]})
    state = with_row(rules, "18F")
    choose(state, rules, "cash 18F")
    assert int(state.gold[0]) == 7
    state = with_row(rules, "18F")
    choose(state, rules, "found 18F")
    assert options(state, rules, "place") == {"-1,1 F", "0,-1 F"}
    choose(state, rules, "place 0,-1 F")
    assert (decision(state), tile(state, "0,-1")) == (Decision.ACT, ("F", 0, 1, 1))


def test_a_band_without_effect_a() -> None:
    """victory.bands (1.9): a band with a = false cannot be declared, so D05 does not occur."""
    rules = rules_for(3, {"victory.bands": [{**ONE_BAND, "a": False}]})
    state = with_row(rules, "18F")
    start_round(state, rules, 0, {0: "9P 1P", 1: "6F 1F", 2: "7O 1O"})
    choose(state, rules, "meld 9P", "meld 6F", "meld 7O")
    assert decision(state) != Decision.DECLARE_A


def test_three_tiles_and_two_units() -> None:
    """victory.bands (1.9): three tiles of any terrain and two units, across up to two hexes."""
    band = {**ONE_BAND, "tiles": 3, "units": 2, "terrain": "any", "reach": 2}
    rules = rules_for(3, {"victory.bands": [band]})
    state = with_row(rules, "18F")
    choose(state, rules, "found 18F", "place 0,-1 F", "unit later", "place -1,1 M", "place -1,2 P")
    assert decision(state) == Decision.ACT
    assert [spot(state, cell) for cell in ("0,-1", "-1,1", "-1,2")] == ["open", "0:1/1", "0:1/1"]


def test_meld_left_in_front_is_no_recycle_after_the_dues() -> None:
    """3.9: with cards still in front nothing is due, whichever way recycle.before_own_turn is set."""
    for when in ("immediate", "own_turn_start"):
        rules = rules_for(2, {"recycle.before_own_turn": when})
        state = fresh(rules)
        add_tile(state, rules, 5, 5, "P")
        set_discard(state, 1, "2P 2F")
        set_meld(state, 1, "5P")
        start_turn(state, rules, 0, order=[0, 1])
        set_hand(state, 0, "1P")
        choose(state, rules, "end")
        assert (int(state.seat), int(state.recycles[1]), int(state.moves_left)) == (1, 0, 1)


@pytest.mark.parametrize("sequential", [True, False])
def test_tiles_without_units(sequential: bool) -> None:
    """K20: a band with units = 0 lays its tiles and places nothing; a unit in reserve is still needed."""
    rules = rules_for(3, {"victory.bands": [{**ONE_BAND, "tiles": 2, "units": 0}], "victory.b_sequential": sequential})
    state = with_row(rules, "18F")
    state.reserve[0] = 0
    assert not options(state, rules, "found")
    state.reserve[0] = 19
    choose(state, rules, "found 18F", "place 0,-1 F", "place -1,1 F")
    assert (decision(state), spot(state, "0,-1"), spot(state, "-1,1")) == (Decision.ACT, "open", "open")
    assert (int(state.reserve[0]), supply(state)["F"]) == (19, 13)

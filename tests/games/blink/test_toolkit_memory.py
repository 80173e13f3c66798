"""Players that do not remember every hand: what is kept, that it is true, and that choices follow from it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blinksim.games.blink import drive, engine, toolkit, toolkit_cards
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.invariants import broken_invariant
from blinksim.games.blink.state import STATE, new_records
from blinksim.games.blink.toolkit_memory import NONE, PERFECT, THIS_CYCLE, recall
from blinksim.games.cards import card_set, cards_in, num_cards
from blinksim.players.roster import StrategyError, find_player
from tests.games.blink.plans import STYLES, Plan, decisions, view_of
from tests.games.blink.positions import SUITS, add_units, set_hand, tile_number, words
from tests.strategies.tables import play, table

NAMES = ("standard", "keep_both", "scholars", "traders of three", "row of 1, removed", "recycle at once", "hand of 3")


def in_sight(state: Any) -> set[int]:
    """Cards that lie open in front of somebody, or are out of the game."""
    seen = {int(state.attack_card), int(state.answer_card), *cards_in(state.removed)}
    for seat in range(int(state.players)):
        for place in (state.meld, state.discard, state.row):
            seen |= set(cards_in(place[seat]))
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_fresh_cards_are_those_taken_openly_since_the_last_recycle(name: str) -> None:
    """Kept once more from what everybody sees: cards taken to hand, hands come round, cards in the open."""
    most = 0
    for players in (2, 3):
        for style in ("hoard", "grow"):
            plan = Plan(name, players, 40 + players, style)
            fresh: list[set[int]] = [set() for _ in range(players)]
            taker, card, rounds_of = -1, 0, [0] * players
            for state, _ in decisions(plan):
                if taker >= 0 and card in cards_in(state.hand[taker]):
                    fresh[taker].add(card)
                for seat in range(players):
                    if int(state.recycles[seat]) != rounds_of[seat]:
                        rounds_of[seat] = int(state.recycles[seat])
                        fresh[seat] = set()
                    fresh[seat] -= in_sight(state)
                    assert set(cards_in(state.fresh_seen[seat])) == fresh[seat], f"{plan}, ply {state.ply}"
                    assert fresh[seat] <= set(cards_in(state.public_seen[seat]))
                    most = max(most, len(fresh[seat]))
                research = state.decision == Decision.RESEARCH_TO
                taker, card = (int(state.active), int(state.taken_card)) if research else (-1, 0)
    assert most > 0


def missing(state: Any, rival: int, seen: np.ndarray) -> int:
    """How many of some cards have left a rival's hand and face-down meld."""
    return len(set(cards_in(seen)) - set(cards_in(state.hand[rival])) - set(cards_in(state.laid[rival])))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_remembered_is_less_and_true(name: str) -> None:
    """All three memories in whole games; a searcher can still imagine a state from what is left."""
    kept = dict.fromkeys((NONE, THIS_CYCLE, PERFECT), 0)
    for players in (2, 3, 4):
        plan = Plan(name, players, 70 + players, STYLES[players - 1])
        for state, _ in decisions(plan):
            if state.ply > 50 and state.ply % 11:
                continue
            seat = int(state.seat)
            whole = view_of(state, plan.rules, seat)
            for memory in kept:
                view = view_of(state, plan.rules, seat)
                recall(view, float(memory))
                if memory == PERFECT:
                    assert view.tobytes() == whole.tobytes()
                for rival in range(players):
                    seen = set(cards_in(view.seen_hand[rival]))
                    assert seen <= set(cards_in(whole.seen_hand[rival]))
                    if memory == THIS_CYCLE:
                        assert seen == set(cards_in(whole.seen_hand[rival])) & set(cards_in(state.fresh_seen[rival]))
                    if rival != seat:
                        assert missing(state, rival, view.seen_hand[rival]) <= view.unsure[rival] <= len(seen)
                        assert missing(state, rival, view.public_seen[rival]) <= view.public_unsure[rival]
                    kept[memory] += len(seen)
                if memory != PERFECT:
                    assert not view.market_known.any()
                    assert not view.public_market.any()
                other = new_records(STATE)[0]
                imagine(view, plan.rules, np.array([int(state.ply) + 1], np.uint64), other)
                assert broken_invariant(other, plan.rules) == 0
                again = view_of(other, plan.rules, seat)
                recall(again, float(memory))
                assert again.tobytes() == view.tobytes(), f"{plan}, ply {state.ply}"
    assert kept[NONE] == 0
    assert kept[THIS_CYCLE] < kept[PERFECT]


def test_values_between_count_as_the_nearest() -> None:
    state, rules = table("6P")
    state.seen_hand[0, 1] = state.public_seen[1] = words("9F 10M")
    state.fresh_seen[1] = words("10M")
    left = {}
    for memory in (0.0, 0.4, 0.5, 1.4, 1.5, 2.0):
        view = view_of(state, rules, 0)
        recall(view, memory)
        left[memory] = num_cards(view.seen_hand[1])
    assert left == {0.0: 0, 0.4: 0, 0.5: 1, 1.4: 1, 1.5: 2, 2.0: 2}


@pytest.mark.parametrize(("fresh", "memory"), [("9F", 0), ("9F", 1), ("", 1), ("9F", 2), ("", 2)])
def test_questions_about_rivals_are_answered_from_what_is_left(fresh: str, memory: int) -> None:
    """Seat 1 holds a 9 of Forest and two more; whoever remembers it knows the answer, the threat and the total."""
    state, rules = table("6P")
    set_hand(state, 1, "9F 2P 2O")
    state.seen_hand[0, 1] = state.public_seen[1] = state.hand[1]
    state.fresh_seen[1] = card_set(cards_in(words(fresh)))
    view, blank = view_of(state, rules, 0), view_of(state, rules, 0)
    blank.seen_hand[:] = 0
    recall(view, float(memory))
    knows = memory == PERFECT or (memory == THIS_CYCLE and fresh != "")
    forest, attack = SUITS.index("F"), 8
    answer = float(toolkit.answer_chance(view, rules, 1, forest, 0, attack))
    unknown = float(toolkit.answer_chance(blank, rules, 1, forest, 0, attack))
    assert answer == (1.0 if knows else unknown)
    assert unknown < 1.0
    total = float(toolkit_cards.likely_total(view, rules, 1))
    assert (total == float(toolkit_cards.likely_total(blank, rules, 1))) == (memory != PERFECT)


def test_a_threat_is_forgotten_with_the_card() -> None:
    """Seat 1 stands beside an own Mountain and was seen with a card that takes it."""
    state, rules = table("6P")
    add_units(state, rules, 0, 0, owner=0, units=1)
    add_units(state, rules, 1, 0, owner=1, units=1)
    tile = tile_number(state, 0, 0)
    set_hand(state, 1, "9M")
    threats = []
    for seen in ("9M", ""):
        for memory in (PERFECT, NONE):
            state.seen_hand[0, 1] = words(seen)
            view = view_of(state, rules, 0)
            recall(view, float(memory))
            threats.append(float(toolkit.threat(view, rules, tile, 0)))
    remembered, forgotten, *never_seen = threats
    assert remembered > forgotten > 0.0
    assert never_seen == [forgotten, forgotten]


# the parameter


TASTE = ("builder", "raider", "warden", "scholar", "merchant", "surveyor", "greedy", "generalist")


@pytest.mark.parametrize("name", TASTE)
def test_every_player_that_looks_at_hands_may_forget_them(name: str) -> None:
    """Perfect memory is the default; without any, some game comes out otherwise."""
    player = find_player(name)
    engine.compile_kernel(player.decide, drive.STRATEGY_SIGNATURE)
    parameter = next(p for p in player.strategy.parameters if p.name == "memory")
    assert (parameter.default, parameter.low, parameter.high) == (PERFECT, NONE, PERFECT)
    digests = {}
    for memory in ("", ":memory=2", ":memory=1", ":memory=0"):
        games, _, _ = play([f"{name}{memory}", "builder"], 20)
        digests[memory] = games["digest"].tolist()
    assert digests[""] == digests[":memory=2"]
    assert digests[":memory=0"] != digests[""]
    assert digests[":memory=1"] != digests[""]


def test_a_memory_better_than_perfect_is_refused() -> None:
    with pytest.raises(StrategyError, match=r"builder:memory is 3; it must be a number from 0 to 2"):
        find_player("builder:memory=3")

"""The usual judgement at a table: what each choice is rated at, and which ratings order how."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.enums import MAX_HAND
from blinksim.games.blink.text import action_text
from tests.games.blink.positions import (
    add_tile,
    add_units,
    legal_actions,
    set_meld,
    set_row,
    start_round,
)
from tests.strategies.tables import table, view_of

TASTE = usual.Taste(
    objectives=0.5, step=0.5, tile=0.25, coin=1.0, walls=2.0, ward=0.0, hurt=0.5, colony=4.0, retires=1.0, spare=0.0,
    border=0.1, lead=0.0, spread=8.0, rank=0.2, suit=0.2, near_rivals=-0.1, near_own=0.1, memory=2.0,
)  # fmt: skip


def steps(state: Any, rules: Any, **changes: float) -> dict[str, float]:
    """The rating of every step of the turn, by its text."""
    view, taste = view_of(state, rules), TASTE._replace(**changes)
    actions = np.array(legal_actions(state, rules), dtype=np.int64)
    worth = usual.rate_steps(view, rules, actions, len(actions), usual.look(view, rules, taste), taste)
    return {action_text(state, int(action)): float(w) for action, w in zip(actions, worth, strict=True)}


@pytest.mark.parametrize(("worth", "best"), [([0.0], 0), ([1.0, 3.0, 2.0], 1), ([-1.0, -1.0, -2.0], 0)])
def test_the_first_of_the_best_is_taken(worth: list[float], best: int) -> None:
    assert usual.best_of(np.array(worth)) == best


def test_a_card_settles_before_it_becomes_a_coin_that_buys_nothing() -> None:
    state, rules = table("6P 7F")
    worth = steps(state, rules)
    assert worth["settle 6P -1,0"] == pytest.approx(1.0)
    assert worth["gold 6P"] == pytest.approx(0.3)
    assert worth["gold 6P"] < worth["explore 7F -1,1"] < worth["settle 6P -1,0"]
    state.gold[0] = 0
    assert steps(state, rules)["gold 6P"] == pytest.approx(1.2)


def test_coins_are_spent_once_the_meld_is() -> None:
    """Research, and a wall only where a rival stands; both are refused while a card lies on the table."""
    state, rules = table("", hand="2P 9F")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    set_meld(state, 1, "11M")
    worth = steps(state, rules)
    assert worth["research"] > worth["end"] == 0.0
    assert worth["fortify 0,0"] == pytest.approx(0.7 * 2.0 - 0.3)
    assert worth["fortify -1,0"] == usual.REFUSED
    set_meld(state, 0, "6P")
    worth = steps(state, rules)
    assert worth["research"] == worth["fortify 0,0"] == usual.REFUSED


def test_a_colony_is_worth_its_units_and_costs_its_card() -> None:
    """In the last round a unit is a unit, and a card of a row of three costs its point and the centre."""
    state, rules = table("")
    set_row(state, 0, "4F 9O 12M")
    assert steps(state, rules)["found 4F"] > 3.0
    state.armed, state.last_round = 1, 3
    worth = steps(state, rules)
    assert worth["found 4F"] == pytest.approx(1.0 + 0.1 - 5.0)
    assert worth["cash 4F"] == usual.REFUSED


def test_a_certain_attack_counts_what_it_takes_and_sends_home() -> None:
    state, rules = table("11M")
    add_units(state, rules, 0, 0, 0, 1)
    add_units(state, rules, 1, 0, 1, 1)
    add_units(state, rules, 2, -1, 1, 2)
    add_tile(state, rules, 1, -1, "O")
    assert steps(state, rules)["attack 11M 1,0"] == pytest.approx(1.0 + 0.5 + 0.3)
    assert steps(state, rules, hurt=2.0)["attack 11M 1,0"] == pytest.approx(1.0 + 2.0 + 0.3)


def test_a_meld_is_rated_by_what_finds_room_and_by_the_lead() -> None:
    """Two Plains have room, two Oceans need tiles first; seat 1 lays at most 1F, so that any pair wins."""
    state, rules = table("")
    start_round(state, rules, 0, {0: "4P 5P 9O 11O", 1: "1F", 2: "1M"})
    state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
    view = view_of(state, rules)
    actions = np.array(legal_actions(state, rules), dtype=np.int64)
    texts = [action_text(state, int(action)) for action in actions]

    def rated(by_card: list[float], **changes: float) -> dict[str, float]:
        extra = np.zeros(MAX_HAND)
        extra[: len(by_card)] = by_card
        worth = usual.rate_melds(view, rules, actions, len(actions), TASTE._replace(**changes), extra)
        return dict(zip(texts, worth.tolist(), strict=True))

    plain = rated([])
    assert plain["meld 4P 5P"] > plain["meld 4P"] > plain["meld 9O"]
    assert rated([], lead=2.0)["meld 4P 5P"] - plain["meld 4P 5P"] == pytest.approx(2.0 * 0.98)
    assert rated([-3.0])["meld 4P 5P"] < plain["meld 4P"]


def test_what_finds_no_room_is_set_aside_first() -> None:
    state, rules = table("4P 5O 6O")
    worth = usual.worth_of_room(view_of(state, rules), rules)
    assert worth.tolist() == [1.0, 0.0, -2.0, 1.0]

"""What a game leaves behind while it is played: counters and unfinished rows, kept in one record.

The rules call the small functions here where something happens; :mod:`blinksim.games.blink.fact_rows` turns the record
into rows of the fact tables. With ``facts.on == 0`` (searchers, replays) nothing is recorded.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from blinksim.games.blink.enums import MAX_OBJECTIVES, MAX_SEATS
from blinksim.games.cards import MAX_CARDS, add_card
from blinksim.jit import kernel, record_type


class Source(IntEnum):
    """Where gold comes from."""

    CASHED = 0  # a card turned into gold on the map
    LAST_PLACE = 1
    SET_ASIDE = 2
    CAPTURE = 3
    INCOME = 4
    EFFECT_C = 5


class Sink(IntEnum):
    """Where gold goes."""

    FORTIFY = 0
    RESEARCH = 1
    TRADE = 2


class Use(IntEnum):
    """What a card is used for; PLAYED counts melds it was laid in."""

    PLAYED = 0
    SETTLE = 1
    EXPLORE = 2
    ATTACK = 3
    GOLD = 4
    SET_ASIDE = 5
    DEFENCE = 6
    DROPPED = 7  # left in the meld at the end of a turn (turn.must_resolve_all off)


class Came(IntEnum):
    """How a card came to a player."""

    NOT = 0
    DEALT = 1
    DRAFTED = 2
    TRADED = 3
    RESEARCHED = 4


class Went(IntEnum):
    """How a card left a player's ten."""

    KEPT = 0
    PASSED = 1
    RETIRED = 2
    BURIED = 3


FACTS = np.dtype(
    [
        ("on", "i8"),
        ("game", "i8"),  # number of the game in the chunk
        ("rows", "i8"),  # entries of the event buffer in use
        # whole game
        ("decisions", "i8", (17,)),  # by Decision
        ("actions", "i8", (MAX_SEATS, 27)),  # by Kind
        ("gold_in", "i8", (MAX_SEATS, 6)),  # by Source
        ("gold_out", "i8", (MAX_SEATS, 3)),  # by Sink
        ("lowest_reserve", "i8", (MAX_SEATS,)),
        ("owned", "u8", (MAX_SEATS, 2)),  # cards that ever were a seat's
        ("came", "i1", (MAX_SEATS, MAX_CARDS)),
        ("went", "i1", (MAX_SEATS, MAX_CARDS)),
        ("uses", "i2", (MAX_SEATS, MAX_CARDS, 8)),  # by Use
        ("first_held", "i8", (MAX_SEATS, MAX_OBJECTIVES)),  # round, 0 never
        ("rounds_held", "i8", (MAX_SEATS, MAX_OBJECTIVES)),
        ("objective_gold", "i8", (MAX_SEATS, MAX_OBJECTIVES)),
        ("objective_lost", "i8", (MAX_SEATS, MAX_OBJECTIVES)),
        ("armed_seats", "i8"),  # seats whose empty reserve armed the end, bit s = seat s; 0 before
        ("armed_round", "i8"),
        # round under way
        ("lay_tier", "i8", (MAX_SEATS,)),
        ("lay_hand", "i8", (MAX_SEATS,)),  # cards in hand before laying
        ("lay_gold", "i8", (MAX_SEATS,)),
        ("total", "i8", (MAX_SEATS,)),  # trick total
        ("cards", "i8", (MAX_SEATS,)),  # physical cards laid
        ("place", "i8", (MAX_SEATS,)),  # 1 = won
        ("aside", "i8", (MAX_SEATS,)),
        ("dues_gold", "i8", (MAX_SEATS,)),
        ("units_gained", "i8", (MAX_SEATS,)),  # from reserve to map
        ("units_lost", "i8", (MAX_SEATS,)),  # home from the map
        # duel under way
        ("held_before", "i8", (MAX_OBJECTIVES,)),
        ("defender", "i8"),
        ("attacker_tier", "i8"),
        ("defender_tier", "i8"),
        ("units_before", "i8"),
        ("coins_before", "i8"),
        ("wall", "i8"),  # value of the wall, 0 without one
        ("answered", "i8"),  # card, 0 none
        ("duel_won", "i8"),
        ("unit_fate", "i8"),  # 0 stays, 1 falls back, 2 home
        ("captured", "i8"),
        # improvement or spend under way
        ("price", "i8"),
        ("retired", "i8"),
        ("dropped", "i8"),
        ("place_before", "i8", (MAX_SEATS,)),  # place without the declared A
        ("b_units", "i8"),
        ("b_between", "i8"),
    ],
    align=True,
)
FACTS_TYPE = record_type(FACTS)


def no_facts() -> tuple[Any, np.ndarray]:
    """A facts record and an event buffer that record nothing."""
    return np.zeros(1, FACTS).view(np.recarray)[0], np.zeros(1, np.int64)


@kernel
def gain(state: np.recarray, facts: np.recarray, seat: int, source: int, amount: int) -> None:
    """A seat receives gold."""
    state.gold[seat] += amount
    if facts.on != 0:
        facts.gold_in[seat, source] += amount


@kernel
def pay(state: np.recarray, facts: np.recarray, seat: int, sink: int, amount: int) -> None:
    """A seat pays gold."""
    state.gold[seat] -= amount
    if facts.on != 0:
        facts.gold_out[seat, sink] += amount


@kernel
def use_card(facts: np.recarray, seat: int, card: int, use: int) -> None:
    """A seat uses a card."""
    if facts.on != 0:
        facts.uses[seat, card, use] += 1


@kernel
def card_came(facts: np.recarray, seat: int, card: int, how: int) -> None:
    """A card joins a seat's ten."""
    if facts.on != 0:
        add_card(facts.owned[seat], card)
        facts.came[seat, card] = how
        facts.went[seat, card] = 0


@kernel
def card_went(facts: np.recarray, seat: int, card: int, how: int) -> None:
    """A card leaves a seat's ten."""
    if facts.on != 0:
        facts.went[seat, card] = how


@kernel
def from_reserve(state: np.recarray, facts: np.recarray, seat: int) -> None:
    """A unit leaves the reserve for the map (sections 3.1 and 3.6)."""
    state.reserve[seat] -= 1
    if state.reserve[seat] == 0:
        state.emptied = 1
    if facts.on != 0:
        facts.units_gained[seat] += 1
        facts.lowest_reserve[seat] = min(facts.lowest_reserve[seat], state.reserve[seat])


@kernel
def to_reserve(state: np.recarray, facts: np.recarray, seat: int) -> None:
    """A unit goes home from the map (sections 3.1 and 3.7; R67)."""
    state.reserve[seat] += 1
    if facts.on != 0:
        facts.units_lost[seat] += 1

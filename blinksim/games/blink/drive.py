"""The driver: plays games with compiled strategies, and waits where a seat decides in Python.

Listing, observing, applying and the strategies are called through typed pointers, so that each compiles once, alone,
and a new line-up compiles nothing.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numba import types

from blinksim.games.blink.deals import lay_deal, slot_of_seat
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.facts import FACTS_TYPE
from blinksim.games.blink.rules_record import RULES_TYPE
from blinksim.games.blink.state import STATE_TYPE, VIEW_TYPE
from blinksim.games.tables import KEYS
from blinksim.jit import clear_fields, function_type, kernel, record_type

MEMORY_WORDS = 64
"""uint64 words of private memory that a strategy keeps over a game."""
MAX_PARAMETERS = 32
SANDBOX_STATES = 4

NUMBERS = types.Array(types.int64, 1, "C")
_NUMBERS_2D = types.Array(types.int64, 2, "C")
_FLOATS = types.Array(types.float64, 1, "C")
_WORDS = types.Array(types.uint64, 1, "C")
_WORDS_2D = types.Array(types.uint64, 2, "C")
_WORDS_3D = types.Array(types.uint64, 3, "C")
STATES = types.Array(STATE_TYPE, 1, "C")
_KEYS = types.Array(record_type(KEYS), 1, "C")

LIST_SIGNATURE = (types.int64, STATE_TYPE, RULES_TYPE, NUMBERS)
OBSERVE_SIGNATURE = (types.none, STATE_TYPE, RULES_TYPE, types.int64, VIEW_TYPE)
APPLY_SIGNATURE = (types.none, STATE_TYPE, RULES_TYPE, types.int64, FACTS_TYPE, NUMBERS)
SET_UP_SIGNATURE = (types.none, STATE_TYPE, RULES_TYPE, FACTS_TYPE, types.int64, NUMBERS, NUMBERS, NUMBERS)
CHECK_SIGNATURE = (types.int64, STATE_TYPE, RULES_TYPE)
STRATEGY_SIGNATURE = (types.int64, VIEW_TYPE, RULES_TYPE, NUMBERS, types.int64, _FLOATS, _WORDS, _WORDS, STATES)
"""``decide(view, rules, actions, n, params, memory, stream, sandbox) -> index``: the strategy contract."""

POINTERS = tuple(
    function_type(*signature)
    for signature in (LIST_SIGNATURE, OBSERVE_SIGNATURE, APPLY_SIGNATURE, CHECK_SIGNATURE, *[STRATEGY_SIGNATURE] * 4)
)
RUN_SIGNATURE = (
    types.int64, STATE_TYPE, RULES_TYPE, FACTS_TYPE, NUMBERS, VIEW_TYPE, NUMBERS, types.int64, NUMBERS, NUMBERS,
    types.Array(types.float64, 2, "C"), _WORDS_2D, _WORDS_2D, STATES, *POINTERS,
)  # fmt: skip
PLAY_SIGNATURE = (
    types.UniTuple(types.int64, 2), STATES, RULES_TYPE, FACTS_TYPE, NUMBERS, VIEW_TYPE, NUMBERS,
    _KEYS, NUMBERS, types.int64, types.int64, types.int64, NUMBERS, _NUMBERS_2D, _NUMBERS_2D, _NUMBERS_2D,
    _NUMBERS_2D, types.Array(types.float64, 3, "C"), _WORDS_3D, function_type(*SET_UP_SIGNATURE), *POINTERS,
)  # fmt: skip


class Status(IntEnum):
    """How :func:`run` left a game."""

    OVER = 0
    WAITING = 1  # a seat decides in Python
    BAD_CHOICE = 2  # a strategy chose an index that is not below n
    BROKEN = 3  # an invariant does not hold


@kernel
def no_check(state: Any, rules: Any) -> int:
    """Stands in for the invariants where they are not checked."""
    return 0


@kernel
def run(
    state: Any, rules: Any, facts: Any, events: Any, view: Any, actions: Any, waiting_seats: int, slots: Any,
    who: Any, params: Any, memory: Any, streams: Any, sandbox: Any,
    list_actions: Any, observe: Any, apply_action: Any, check: Any,
    strategy_0: Any, strategy_1: Any, strategy_2: Any, strategy_3: Any,
) -> int:  # fmt: skip
    """Play on until the game ends or a seat that waits for Python must choose.

    Args:
        state: (record) the game; changed.
        view, actions: Room to work in.
        waiting_seats: Bit s says that seat s is decided in Python.
        slots: (4,) int64, which slot sits on a seat.
        who: (4,) int64, which of the strategies plays a slot.
        params, memory, streams: One row for each slot: parameters, private memory, random stream.
        sandbox: Spare states for strategies to think in.
        list_actions, observe, apply_action, check: The engine, as pointers; ``check`` gives 0 where all is well.
        strategy_0 ... strategy_3: The strategies, as pointers.

    Returns:
        A Status.
    """
    legal = np.empty(len(actions), np.int64)  # the driver's own: what a strategy writes into its list changes nothing
    while state.decision != Decision.OVER:
        seat = state.seat
        if waiting_seats >> seat & 1 != 0:
            return Status.WAITING.value
        n = list_actions(state, rules, legal)
        choice = 0
        if n > 1:  # a seat without a choice is not asked
            for i in range(n):
                actions[i] = legal[i]
            observe(state, rules, seat, view)
            slot = slots[seat]
            if who[slot] == 0:
                choice = strategy_0(view, rules, actions, n, params[slot], memory[slot], streams[slot], sandbox)
            elif who[slot] == 1:
                choice = strategy_1(view, rules, actions, n, params[slot], memory[slot], streams[slot], sandbox)
            elif who[slot] == 2:
                choice = strategy_2(view, rules, actions, n, params[slot], memory[slot], streams[slot], sandbox)
            else:
                choice = strategy_3(view, rules, actions, n, params[slot], memory[slot], streams[slot], sandbox)
        if choice < 0 or choice >= n:
            return Status.BAD_CHOICE.value
        apply_action(state, rules, legal[choice], facts, events)
        if check(state, rules) != 0:
            return Status.BROKEN.value
    return Status.OVER.value


@kernel
def play(
    states: Any, rules: Any, facts: Any, events: Any, view: Any, actions: Any,
    keys: Any, which: Any, begin: int, room: int, first_deal: int,
    start_players: Any, starting_decks: Any, upgrade_decks: Any, objectives: Any,
    who: Any, params: Any, streams: Any, set_up: Any,
    list_actions: Any, observe: Any, apply_action: Any, check: Any,
    strategy_0: Any, strategy_1: Any, strategy_2: Any, strategy_3: Any,
) -> Any:  # fmt: skip
    """Play games of one ruleset, one after the other, until done or out of room for rows.

    Args:
        states: The game is played in entry 0; the others are spare states for strategies.
        keys: (games,) keys of a chunk.
        which: Numbers of the games to play within the chunk.
        begin: First entry of ``which`` to play.
        room: Entries of ``events`` that a game may need.
        first_deal: Number of the first deal in the arrays that follow (:class:`~blinksim.games.blink.deals.Deals`).
        who: (line-ups, 4) int64, which of the strategies plays a slot.
        params: (line-ups, 4, MAX_PARAMETERS) float64.
        streams: (games, 4, 1) uint64, start of each slot's stream in each game of the chunk; changed.

    Returns:
        The entry of ``which`` to go on with, and a Status: not OVER where that game failed.
    """
    slots = np.zeros(4, np.int64)
    memory = np.zeros((4, MEMORY_WORDS), np.uint64)
    deck = np.zeros(starting_decks.shape[1], np.int64)
    dealt = np.zeros(objectives.shape[1], np.int64)
    state = states[0]
    sandbox = states[1:]
    on = facts.on
    used = 0
    for i in range(begin, len(which)):
        if used + room > len(events):
            return i, Status.OVER.value
        game = which[i]
        key = keys[game]
        d = key.deal - first_deal
        clear_fields(facts)
        facts.on = on
        facts.game = game
        facts.rows = used
        for seat in range(rules.players):
            slots[seat] = slot_of_seat(seat, rules.players, key.hand_shift, key.seat_shift)
        lay_deal(rules, starting_decks[d], objectives[d], key.seat_shift, deck, dealt)
        set_up(state, rules, facts, start_players[d], deck, upgrade_decks[d], dealt)
        memory[:] = np.uint64(0)
        status = run(
            state, rules, facts, events, view, actions, 0, slots, who[key.line_up], params[key.line_up], memory,
            streams[game], sandbox, list_actions, observe, apply_action, check,
            strategy_0, strategy_1, strategy_2, strategy_3,
        )  # fmt: skip
        if status != Status.OVER:
            return i, status
        used = facts.rows
    facts.rows = used
    return len(which), Status.OVER.value

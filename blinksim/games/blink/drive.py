"""The driver: plays games with compiled strategies, and waits where a seat decides in Python.

Listing, observing, applying and the strategies are called through typed pointers, so that each compiles once, alone,
and a new line-up compiles nothing.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numba import types

from blinksim.games.blink.enums import Decision
from blinksim.games.blink.facts import FACTS_TYPE
from blinksim.games.blink.rules_record import RULES_TYPE
from blinksim.games.blink.state import STATE_TYPE, VIEW_TYPE
from blinksim.jit import function_type, kernel

_ACTIONS = types.Array(types.int64, 1, "C")
_EVENTS = types.Array(types.int32, 2, "C")
_WORDS = types.Array(types.uint64, 1, "C")
_STATES = types.Array(STATE_TYPE, 1, "C")

LIST_SIGNATURE = types.int64(STATE_TYPE, RULES_TYPE, _ACTIONS)
OBSERVE_SIGNATURE = types.none(STATE_TYPE, RULES_TYPE, types.int64, VIEW_TYPE)
APPLY_SIGNATURE = types.none(STATE_TYPE, RULES_TYPE, types.int64, FACTS_TYPE, _EVENTS)
SET_UP_SIGNATURE = types.none(STATE_TYPE, RULES_TYPE, FACTS_TYPE, types.int64, _ACTIONS, _ACTIONS, _ACTIONS)
CHECK_SIGNATURE = types.int64(STATE_TYPE, RULES_TYPE)
STRATEGY_SIGNATURE = types.int64(
    VIEW_TYPE, RULES_TYPE, _ACTIONS, types.int64, types.Array(types.float64, 1, "C"), _WORDS, _WORDS, _STATES
)
"""``decide(view, rules, actions, n, params, memory, stream, sandbox) -> index``: the strategy contract."""


class Status(IntEnum):
    """How :func:`run` left a game."""

    OVER = 0
    WAITING = 1


@kernel
def run(
    state: Any, rules: Any, facts: Any, events: Any, view: Any, actions: Any, waiting_seats: int, slot_of_seat: Any,
    params: Any, memory: Any, streams: Any, sandbox: Any,
    list_actions: Any, observe: Any, apply_action: Any, check: Any, checked: bool,
    slot_0: Any, slot_1: Any, slot_2: Any, slot_3: Any,
) -> int:  # fmt: skip
    """Play on until the game ends or a seat that waits for Python must choose.

    Args:
        state: (record) the game; changed.
        view, actions: Room to work in; after WAITING ``actions`` holds nothing of use.
        waiting_seats: Bit s says that seat s is decided in Python.
        slot_of_seat: (4,) int64, which slot sits where.
        params, memory, streams: One row for each slot.
        sandbox: Spare states for strategies to think in.
        list_actions, observe, apply_action, check: The engine, as pointers.
        checked: Whether to check the invariants after every action.
        slot_0 ... slot_3: The strategies, as pointers.

    Returns:
        A Status.

    Raises:
        ValueError: a strategy chose an index that is not below n, or an invariant broke.
    """
    while state.decision != Decision.OVER:
        seat = state.seat
        if waiting_seats >> seat & 1 != 0:
            return Status.WAITING.value
        n = list_actions(state, rules, actions)
        choice = 0
        if n > 1:  # a seat without a choice is not asked
            observe(state, rules, seat, view)
            slot = slot_of_seat[seat]
            if slot == 0:
                choice = slot_0(view, rules, actions, n, params[0], memory[0], streams[0], sandbox)
            elif slot == 1:
                choice = slot_1(view, rules, actions, n, params[1], memory[1], streams[1], sandbox)
            elif slot == 2:
                choice = slot_2(view, rules, actions, n, params[2], memory[2], streams[2], sandbox)
            else:
                choice = slot_3(view, rules, actions, n, params[3], memory[3], streams[3], sandbox)
        if choice < 0 or choice >= n:
            raise ValueError("a strategy chose an index that is not one of the legal choices")
        apply_action(state, rules, actions[choice], facts, events)
        if checked and check(state, rules) != 0:
            raise ValueError("an invariant of section 8 is broken")
    return Status.OVER.value

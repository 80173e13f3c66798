"""Measures the engine's parts: nanoseconds for listing, observing and applying, and how many choices there are."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numba import types

from blinksim.games.blink import engine
from blinksim.games.blink.deals import table_deal
from blinksim.games.blink.drive import NUMBERS, POINTERS, STATES
from blinksim.games.blink.enums import MAX_ACTIONS, Decision
from blinksim.games.blink.facts import FACTS, FACTS_TYPE
from blinksim.games.blink.rules_record import RULES_TYPE
from blinksim.games.blink.state import STATE, STATE_BYTES, STATE_TYPE, VIEW, VIEW_TYPE, new_records
from blinksim.games.chance import below
from blinksim.jit import copy_fields, kernel

SAMPLES = 2000
"""Positions of random games that are timed."""
REPEATS = 50

_LIST, _OBSERVE, _APPLY = POINTERS[:3]
_WORDS = types.Array(types.uint64, 1, "C")


@kernel
def sample_positions(
    states: Any, choices: Any, rules: Any, facts: Any, events: Any, actions: Any, stream: Any, list_actions: Any,
    apply_action: Any, begin: int,
) -> int:  # fmt: skip
    """Play on at random from ``states[begin]``, keeping every position and a choice in it.

    Returns:
        The number of the last position.
    """
    at = begin
    while states[at].decision != Decision.OVER and at + 1 < len(states):
        n = list_actions(states[at], rules, actions)
        choices[at] = actions[below(stream, n)]
        copy_fields(states[at + 1], states[at], STATE_BYTES)
        apply_action(states[at + 1], rules, choices[at], facts, events)
        at += 1
    return at


@kernel
def time_listing(states: Any, rules: Any, actions: Any, list_actions: Any, repeats: int) -> int:
    """List all positions again and again; returns the choices seen."""
    total = 0
    for _ in range(repeats):
        for i in range(len(states)):
            total += list_actions(states[i], rules, actions)
    return total


@kernel
def time_observing(states: Any, rules: Any, view: Any, observe: Any, repeats: int) -> int:
    """Observe all positions again and again."""
    for _ in range(repeats):
        for i in range(len(states)):
            observe(states[i], rules, max(states[i].seat, 0), view)
    return view.ply


@kernel
def time_applying(
    states: Any, choices: Any, rules: Any, facts: Any, events: Any, spare: Any, apply_action: Any, repeats: int
) -> int:
    """Carry out the choices in copies of all positions; with ``repeats`` below 0 only copy."""
    for _ in range(abs(repeats)):
        for i in range(len(states)):
            copy_fields(spare, states[i], STATE_BYTES)
            if repeats > 0:
                apply_action(spare, rules, choices[i], facts, events)
    return spare.ply


_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "sample_positions": (
        types.int64, STATES, NUMBERS, RULES_TYPE, FACTS_TYPE, NUMBERS, NUMBERS, _WORDS, _LIST, _APPLY, types.int64,
    ),
    "time_listing": (types.int64, STATES, RULES_TYPE, NUMBERS, _LIST, types.int64),
    "time_observing": (types.int64, STATES, RULES_TYPE, VIEW_TYPE, _OBSERVE, types.int64),
    "time_applying": (
        types.int64, STATES, NUMBERS, RULES_TYPE, FACTS_TYPE, NUMBERS, STATE_TYPE, _APPLY, types.int64,
    ),
}  # fmt: skip


def time_parts(ruleset: Any, make_deals: Any, pack: Any, players: int) -> dict[str, float]:
    """Nanoseconds per call of the engine's parts over positions of random games.

    Args:
        ruleset: A checked ruleset.
        make_deals, pack: Those of the game's descriptor.
        players: Player count.

    Returns:
        ``list_ns``, ``observe_ns``, ``apply_ns`` and ``choices``, the mean number of legal choices.
    """
    rules = pack(ruleset, players)[0]
    parts = engine.ready()
    for name, signature in _SIGNATURES.items():
        engine.compile_kernel(globals()[name], signature)
    states = new_records(STATE, SAMPLES)
    choices = np.zeros(SAMPLES, np.int64)
    actions = np.zeros(MAX_ACTIONS, np.int64)
    facts, events, view = new_records(FACTS)[0], np.zeros(1, np.int64), new_records(VIEW)[0]
    stream = np.array([88172645463325252], np.uint64)
    deals = make_deals(ruleset, 1, players, 0, SAMPLES // 100)
    filled = 0
    for deal in range(SAMPLES // 100):
        if filled >= SAMPLES - 1:
            break
        table = table_deal(rules, deals, deal)
        parts["setup"](
            states[filled], rules, facts, table.start_player, table.starting_deck, table.upgrade_deck, table.objectives
        )
        filled = sample_positions(
            states, choices, rules, facts, events, actions, stream, parts["listing"], parts["applying"], filled
        )
    sample = states[: filled - 1]
    running = np.array([sample[i].decision != Decision.OVER for i in range(len(sample))])
    sample, choices = sample[running], choices[: filled - 1][running]
    calls = len(sample) * REPEATS

    def clock(function: Any, *arguments: Any) -> tuple[float, int]:
        times, result = [], 0
        for _ in range(3):
            begin = time.perf_counter_ns()
            result = function(*arguments)
            times.append(time.perf_counter_ns() - begin)
        return float(np.median(times)) / calls, int(result)

    listing, total = clock(time_listing, sample, rules, actions, parts["listing"], REPEATS)
    observing, _ = clock(time_observing, sample, rules, view, parts["observing"], REPEATS)
    spare = new_records(STATE)[0]
    both, _ = clock(time_applying, sample, choices, rules, facts, events, spare, parts["applying"], REPEATS)
    copying, _ = clock(time_applying, sample, choices, rules, facts, events, spare, parts["applying"], -REPEATS)
    return {
        "list_ns": listing,
        "observe_ns": observing,
        "apply_ns": both - copying,
        "copy_ns": copying,
        "choices": total / calls,
    }

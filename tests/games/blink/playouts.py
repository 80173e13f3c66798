"""Random playouts of the real engine, step by step, for property tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from blinksim.games.blink import engine
from blinksim.games.blink.deals import table_deal
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.enums import MAX_ACTIONS, Decision
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.ruleset import load
from blinksim.games.blink.state import STATE, new_records

PRESETS = (
    "standard",
    "quick_start",
    "no_objectives",
    "secret",
    "open",
    "keep_both",
    "booklet_effects",
    "v022_trick",
)


@cache
def packed(preset: str, players: int, overrides: tuple[str, ...] = ()) -> np.recarray:
    """The packed ruleset, length 1."""
    return GAME.pack_ruleset(load(preset, overrides), players)


def fresh_game(preset: str, players: int, seed: int, overrides: tuple[str, ...] = ()) -> tuple[Any, Any]:
    """A state before its first decision, and its rules."""
    rules = packed(preset, players, overrides)[0]
    deal = table_deal(rules, GAME.make_deals(load(preset, overrides), seed, players, 0, 1), 0)
    state = new_records(STATE)[0]
    engine.compile_part("setup")
    facts, _ = no_facts()
    engine.PARTS["setup"][0](
        state, rules, facts, deal.start_player, deal.starting_deck, deal.upgrade_deck, deal.objectives
    )
    return state, rules


def playout(
    preset: str,
    players: int,
    seed: int,
    visit: Callable[[Any, Any, np.ndarray], None],
    overrides: tuple[str, ...] = (),
    max_plies: int = 100_000,
) -> Any:
    """Play at random and call ``visit(state, rules, legal actions)`` at every decision; returns the last state."""
    parts = engine.ready()
    state, rules = fresh_game(preset, players, seed, overrides)
    actions = np.zeros(MAX_ACTIONS, np.int64)
    facts, events = no_facts()
    chance = np.random.default_rng(seed)
    while state.decision != Decision.OVER and state.ply < max_plies:
        n = parts["listing"](state, rules, actions)
        visit(state, rules, actions[:n])
        parts["applying"](state, rules, int(actions[chance.integers(n)]), facts, events)
    return state

"""Scripted tables: a position, a question, and what a strategy answers, as a record would write it."""

from __future__ import annotations

from typing import Any

import numpy as np

from blinksim.games.blink import drive, engine, observe, text
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.shards import play_games
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.games.blink.tables import TABLES
from blinksim.games.tables import KEYS
from blinksim.players.roster import find_player
from tests.games.blink.positions import choose, fresh, legal_actions, rules_for, set_hand, start_turn

RICH = 9
"""Gold that no improvement needs."""


def table(meld: str, *, gold: int = RICH, hand: str = "") -> tuple[Any, Any]:
    """The third round on the 3-player map: seat 0 stands on its homeland (-1,0), to move first."""
    rules = rules_for()
    state = fresh(rules, round_number=3)
    start_turn(state, rules, 0, meld)
    set_hand(state, 0, hand)
    state.gold[0] = gold
    return state, rules


def view_of(state: Any, rules: Any, seat: int | None = None) -> Any:
    """What a seat sees; the one to decide by default."""
    engine.compile_part("observing")
    view = new_records(VIEW)[0]
    observe.observe(state, rules, int(state.seat) if seat is None else seat, view)
    return view


def advice(name: str, state: Any, rules: Any) -> str:
    """What a strategy chooses for the seat to decide."""
    player = find_player(name)
    engine.compile_kernel(player.decide, drive.STRATEGY_SIGNATURE)
    listed = legal_actions(state, rules)
    actions = np.array(listed, dtype=np.int64)
    memory = np.zeros(drive.MEMORY_WORDS, np.uint64)
    stream = np.ones(1, np.uint64)
    index = int(
        player.decide(
            view_of(state, rules), rules, actions, len(listed), player.params, memory, stream,
            new_records(STATE, drive.SANDBOX_STATES),
        )
    )  # fmt: skip
    return text.action_text(state, listed[index])


def turn(name: str, state: Any, rules: Any, steps: int = 40) -> list[str]:
    """What a strategy does with a map turn until it ends it, or somebody else must decide."""
    seat = int(state.seat)
    told = []
    while int(state.seat) == seat and int(state.active) == seat and len(told) < steps:
        told.append(advice(name, state, rules))
        choose(state, rules, told[-1])
    return told


def play(line_up: list[str], deals: int, *, seed: int = 11, check: bool = False, preset: str = "standard") -> Any:
    """Play a line-up on some deals, every strategy with every hand.

    Returns:
        The rows of ``games`` and of ``seats`` as columns by name, and by row of ``seats`` the slot that sat there.
    """
    n = len(line_up)
    ruleset = GAME.load_ruleset(preset)
    keys = np.zeros(deals * n, KEYS).view(np.recarray)
    keys.players = n
    keys.deal = np.repeat(np.arange(deals), n)
    keys.hand_shift = np.tile(np.arange(n), deals)
    keys.game = np.arange(deals * n)
    rows = play_games(
        [GAME.pack_ruleset(ruleset, n)], [[find_player(name) for name in line_up]], keys,
        [GAME.make_deals(ruleset, seed, n, 0, deals)], seed, check,
    )  # fmt: skip
    found = {}
    for table in TABLES:
        if table.name in ("games", "seats"):
            names = ["game", *(getattr(column, "name", column) for column in table.recorded)]
            found[table.name] = {name: rows[table.name][:, i] for i, name in enumerate(names)}
    seats = found["seats"]
    slots = (seats["seat"] - keys.hand_shift[seats["game"]]) % n
    return found["games"], seats, slots


def win_share(line_up: list[str], deals: int) -> float:
    """The share of games that the first of a line-up wins."""
    _, seats, slots = play(line_up, deals)
    return float(seats["win_share"][slots == 0].mean()) / 12

"""Plays lists of games and gathers the rows of their fact tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from blinksim.games.blink import drive, engine
from blinksim.games.blink.deals import Deals, table_deal
from blinksim.games.blink.drive import Status
from blinksim.games.blink.enums import MAX_ACTIONS, Decision
from blinksim.games.blink.fact_rows import count_rows, split_rows
from blinksim.games.blink.facts import FACTS
from blinksim.games.blink.invariants import MEANINGS, broken_invariant
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.games.blink.tables import TABLES
from blinksim.games.streams import play_streams
from blinksim.jit import kernel

WIDTHS = np.array([len(table.recorded) for table in TABLES])
BUFFER_GAMES = 64
"""Typical games that the row buffer holds beside the room kept free for one that is as long as can be."""


class GameFailed(RuntimeError):
    """A game stopped on a mistake inside a strategy or the engine.

    Attributes:
        game: Its number among the keys.
        reason: What happened.
    """

    def __init__(self, game: int, reason: str) -> None:
        super().__init__(reason)
        self.game = game
        self.reason = reason


def row_room(rules: Any) -> int:
    """Entries of the row buffer that one game may need at most.

    A turn attacks at most once a card, and cards are at most the hand; improvements and spends are bounded too.
    """
    per_turn = 20 * int(rules.hand_size) + 14 * (int(rules.improve_per_turn) + 1) + 12 * 20 + 23
    return int(rules.players) * (int(rules.max_rounds) + int(rules.extra_rounds) + 1) * per_turn + 40_000


class Workspace:
    """The room in which games of one ruleset are played."""

    def __init__(self, rules: Any, facts_on: bool, check: bool) -> None:
        self.rules = rules
        self.parts = engine.ready(check)
        self.check = self.parts["invariants" if check else "no check"]
        self.states = new_records(STATE, 1 + drive.SANDBOX_STATES)
        self.view = new_records(VIEW)[0]
        self.facts = new_records(FACTS)[0]
        self.facts.on = 1 if facts_on else 0
        self.actions = np.zeros(MAX_ACTIONS, np.int64)
        self.room = row_room(rules) if facts_on else 0
        self.events = np.zeros(self.room + BUFFER_GAMES * 8000 if facts_on else 1, np.int64)

    def take_rows(self) -> list[np.ndarray]:
        """The rows written so far, one array per table; the buffer is free again."""
        counts = np.zeros(len(TABLES), np.int64)
        count_rows(self.events, self.facts.rows, WIDTHS, counts)
        rows = [np.empty((int(counts[t]), 1 + WIDTHS[t]), np.int64) for t in range(len(TABLES))]
        for t in range(len(TABLES)):
            split_rows(self.events, self.facts.rows, WIDTHS, t, rows[t])
        self.facts.rows = 0
        return rows


def failure(status: int, state: Any, rules: Any) -> str:
    """What a status other than OVER means."""
    where = (
        f"ply {state.ply} (round {state.round_number}, seat {state.seat}, {Decision(int(state.decision)).name.lower()})"
    )
    if status == Status.BROKEN:
        number = int(broken_invariant(state, rules))
        return f"{where}: invariant {number} of section 8 is broken: {MEANINGS.get(number, 'unknown')}"
    return f"{where}: the strategy chose an index that is not one of the legal choices"


def play_group(
    space: Workspace, players: Sequence[Any], keys: np.ndarray, which: np.ndarray, deals: Deals, streams: np.ndarray
) -> list[list[np.ndarray]]:
    """Play the games of one ruleset and one line-up.

    Args:
        space: Room to play in.
        players: One per slot, each with ``decide``, ``params``, ``compiled``.
        keys: (games,) keys of the chunk.
        which: Numbers of the games to play.
        deals: Their shuffles.
        streams: (games, 4, 1) uint64, start of each slot's stream.

    Returns:
        Batches of rows, one array per table each.

    Raises:
        GameFailed: a game stopped on a mistake.
    """
    params = np.zeros((4, drive.MAX_PARAMETERS))
    for slot, player in enumerate(players):
        params[slot] = player.params
        if player.compiled:
            engine.compile_kernel(player.decide, drive.STRATEGY_SIGNATURE)
    if not all(player.compiled for player in players):
        return play_group_in_python(space, players, keys, which, deals, streams, params)
    pointers = [player.decide for player in players]
    pointers += [pointers[0]] * (4 - len(pointers))
    parts = space.parts
    batches = []
    at, status = 0, int(Status.OVER)
    while at < len(which):
        try:
            at, status = parts["games"](
                space.states, space.rules, space.facts, space.events, space.view, space.actions,
                keys, which, at, space.room, deals.first_deal, *deals[1:],
                params, streams, parts["setup"], parts["listing"], parts["observing"], parts["applying"], space.check,
                *pointers,
            )  # fmt: skip
        except Exception as error:
            raise GameFailed(int(space.facts.game), f"{type(error).__name__}: {error}") from error
        if status != Status.OVER:
            raise GameFailed(int(which[at]), failure(status, space.states[0], space.rules))
        batches.append(space.take_rows())
    return batches


@kernel
def never(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """Stands where a seat is decided in Python; the driver never calls it."""
    return -1


def play_group_in_python(
    space: Workspace, players: Sequence[Any], keys: np.ndarray, which: np.ndarray, deals: Deals, streams: np.ndarray,
    params: np.ndarray,
) -> list[list[np.ndarray]]:  # fmt: skip
    """Like :func:`play_group` where some players are plain Python: the driver waits for them."""
    parts, rules, state, facts = space.parts, space.rules, space.states[0], space.facts
    engine.compile_kernel(never, drive.STRATEGY_SIGNATURE)
    pointers = [player.decide if player.compiled else never for player in players]
    pointers += [never] * (4 - len(pointers))
    batches = []
    on = int(facts.on)
    for game in which:
        key = keys[int(game)]
        table = table_deal(rules, deals, int(key.deal), int(key.hand_shift), int(key.seat_shift))
        for name in FACTS.names or ():
            facts[name] = 0
        facts.on, facts.game = on, int(game)
        dealt = (table.start_player, table.starting_deck, table.upgrade_deck, table.objectives)
        parts["setup"](state, rules, facts, *dealt)
        slots = np.array([*table.slot_of_seat, 0, 0][:4])
        memory = np.zeros((4, drive.MEMORY_WORDS), np.uint64)
        waiting = sum(1 << seat for seat, slot in enumerate(table.slot_of_seat) if not players[slot].compiled)
        while True:
            status = parts["driver"](
                state, rules, facts, space.events, space.view, space.actions, waiting, slots, params, memory,
                streams[int(game)], space.states[1:], parts["listing"], parts["observing"], parts["applying"],
                space.check, *pointers,
            )  # fmt: skip
            if status != Status.WAITING:
                break
            slot = int(slots[state.seat])
            n = parts["listing"](state, rules, space.actions)
            choice = 0
            if n > 1:
                parts["observing"](state, rules, state.seat, space.view)
                mine = (params[slot], memory[slot], streams[int(game)][slot], space.states[1:])
                try:
                    choice = int(players[slot].decide(space.view, rules, space.actions[:n].copy(), n, *mine))
                except Exception as error:
                    where = f"{players[slot].name} at {failure(Status.BAD_CHOICE, state, rules).split(':')[0]}"
                    raise GameFailed(int(game), f"{where}: {type(error).__name__}: {error}") from error
            if not 0 <= choice < n:
                status = int(Status.BAD_CHOICE)
                break
            parts["applying"](state, rules, int(space.actions[choice]), facts, space.events)
            if space.check(state, rules) != 0:
                status = int(Status.BROKEN)
                break
        if status != Status.OVER:
            raise GameFailed(int(game), failure(status, state, rules))
        batches.append(space.take_rows())
    return batches


def play_games(
    rules: Sequence[np.ndarray],
    strategies: Sequence[Sequence[Any]],
    keys: np.ndarray,
    deals: Sequence[Deals],
    seed: int,
    check: bool,
    facts_on: bool = True,
) -> dict[str, np.ndarray]:
    """Play games of one player count (see :class:`blinksim.games.game.PlayGames`).

    Raises:
        GameFailed: a game stopped on a mistake inside a strategy or the engine.
    """
    streams = np.zeros((len(keys), 4), np.uint64)
    play_streams(np.uint64(seed), keys, streams)
    groups: dict[tuple[int, int], list[int]] = {}
    for i, (variant, line_up) in enumerate(zip(keys["variant"].tolist(), keys["line_up"].tolist(), strict=True)):
        groups.setdefault((variant, line_up), []).append(i)
    batches: list[list[np.ndarray]] = []
    spaces: dict[int, Workspace] = {}
    for (variant, line_up), which in groups.items():
        if variant not in spaces:
            spaces[variant] = Workspace(rules[variant][0], facts_on, check)
        batches += play_group(
            spaces[variant], strategies[line_up], keys, np.array(which), deals[variant], streams[:, :, None]
        )
    tables = {}
    for t, table in enumerate(TABLES):
        rows = np.concatenate([batch[t] for batch in batches]) if batches else np.empty((0, 1 + WIDTHS[t]), np.int64)
        if len(groups) > 1:
            rows = rows[np.argsort(rows[:, 0], kind="stable")]
        tables[table.name] = rows
    return tables

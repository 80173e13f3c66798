"""Plays lists of games and gathers the rows of their fact tables."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from blinksim.games.blink import drive, engine
from blinksim.games.blink.deals import Deals, slot_of_seat, table_deal
from blinksim.games.blink.drive import Status
from blinksim.games.blink.enums import MAX_ACTIONS, Decision
from blinksim.games.blink.fact_rows import RowBuffers
from blinksim.games.blink.facts import FACTS
from blinksim.games.blink.invariants import MEANINGS, broken_invariant
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.games.blink.tables import TABLES
from blinksim.games.streams import play_streams
from blinksim.jit import kernel

BUFFER_GAMES = 32
"""Long games that the row buffer holds beside the room kept free for one that is as long as can be."""
MAX_STRATEGIES = 4
"""Different strategies that one call of the driver has room for."""

_own = threading.local()


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

    def __init__(
        self,
        rules: Any,
        facts_on: bool,
        check: bool,
        buffers: RowBuffers,
        failed: list[tuple[int, str]] | None = None,
    ) -> None:
        self.rules = rules
        self.failed = failed
        self.parts = engine.ready(check)
        self.check = self.parts["invariants" if check else "no check"]
        self.states = new_records(STATE, 1 + drive.SANDBOX_STATES)
        self.view = new_records(VIEW)[0]
        self.facts = new_records(FACTS)[0]
        self.facts.on = 1 if facts_on else 0
        self.actions = np.zeros(MAX_ACTIONS, np.int64)
        self.room = row_room(rules) if facts_on else 0
        self.buffers = buffers
        if len(buffers.events) < self.room + BUFFER_GAMES * 8000 and facts_on:
            buffers.events = np.zeros(self.room + BUFFER_GAMES * 8000, np.int64)

    def take_rows(self) -> None:
        """Sort the rows written so far into their tables; the buffer is free again."""
        self.buffers.take(int(self.facts.rows))
        self.facts.rows = 0

    def set_aside(self, failed: GameFailed) -> None:
        """Note a game that failed, where play is to go on; the rows it has so far are dropped at the end.

        Raises:
            GameFailed: play is not to go on.
        """
        if self.failed is None:
            raise failed
        self.failed.append((failed.game, failed.reason))
        self.take_rows()


def where(state: Any) -> str:
    """The decision that is due, in words."""
    decision = Decision(int(state.decision)).name.lower()
    return f"ply {state.ply} (round {state.round_number}, seat {state.seat}, {decision})"


def failure(status: int, state: Any, rules: Any, players: Sequence[Any], key: Any) -> str:
    """What a status other than OVER means.

    Args:
        status: How the driver left the game.
        state: Where.
        rules: The ruleset.
        players: The line-up, by slot.
        key: The game's key.
    """
    if status == Status.BROKEN:
        number = int(broken_invariant(state, rules))
        return f"{where(state)}: invariant {number} of section 8 is broken: {MEANINGS.get(number, 'unknown')}"
    return f"{decider(state, players, key)}: it chose an index that is not one of the legal choices"


def decider(state: Any, players: Sequence[Any], key: Any) -> str:
    """Who decides where: the strategy's name and the decision that is due."""
    if not 0 <= state.seat < len(players):
        return where(state)
    slot = int(slot_of_seat(int(state.seat), len(players), int(key.hand_shift), int(key.seat_shift)))
    return f"{players[slot].name} at {where(state)}"


def line_up_arrays(line_ups: Sequence[Sequence[Any]], pointers: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Which pointer plays each slot of each line-up, (line-ups, 4), and the parameters, (line-ups, 4, parameters)."""
    who = np.zeros((len(line_ups), 4), np.int64)
    params = np.zeros((len(line_ups), 4, drive.MAX_PARAMETERS))
    for i, players in enumerate(line_ups):
        for slot, player in enumerate(players):
            if player.compiled and player.decide in pointers:
                who[i, slot] = pointers.index(player.decide)
            params[i, slot] = player.params
    return who, params


def play_group(
    space: Workspace,
    line_ups: Sequence[Sequence[Any]],
    keys: np.ndarray,
    which: np.ndarray,
    deals: Deals,
    streams: np.ndarray,
) -> None:
    """Play games of one ruleset, at most ``MAX_STRATEGIES`` different strategies among them.

    Args:
        space: Room to play in; the rows land in its buffers.
        line_ups: All line-ups that keys may name; one player per slot, each with ``decide``, ``params``, ``compiled``.
        keys: (games,) keys of the chunk.
        which: Numbers of the games to play.
        deals: Their shuffles.
        streams: (games, 4, 1) uint64, start of each slot's stream.

    Raises:
        GameFailed: a game stopped on a mistake, and play is not to go on.
        RuntimeError: a strategy wrote to its parameters, which are the same in all its games.
    """
    played = [line_ups[i] for i in sorted(set(keys["line_up"][which].tolist()))]
    pointers = list({id(p.decide): p.decide for players in played for p in players if p.compiled}.values())
    for pointer in pointers:
        engine.compile_kernel(pointer, drive.STRATEGY_SIGNATURE)
    who, params = line_up_arrays(line_ups, pointers)
    given = params.copy()
    play_all(space, line_ups, keys, which, deals, streams, who, params, pointers, played)
    for i, slot in np.argwhere((params != given).any(axis=2)).tolist():
        name = line_ups[i][slot].name
        raise RuntimeError(f"{name} wrote to its parameters; what it learns in a game goes into its memory")


def play_all(
    space: Workspace,
    line_ups: Sequence[Sequence[Any]],
    keys: np.ndarray,
    which: np.ndarray,
    deals: Deals,
    streams: np.ndarray,
    who: np.ndarray,
    params: np.ndarray,
    pointers: list[Any],
    played: Sequence[Sequence[Any]],
) -> None:
    """Play what :func:`play_group` has made ready; arguments as there and in the driver."""
    if not all(player.compiled for players in played for player in players):
        engine.compile_kernel(never, drive.STRATEGY_SIGNATURE)
        pointers += [never] * (MAX_STRATEGIES - len(pointers))
        for game in which.tolist():
            try:
                play_in_python(space, line_ups, keys[game], game, deals, streams[game], who, params, pointers)
            except GameFailed as failed:
                space.set_aside(failed)
        return
    pointers += [pointers[0]] * (MAX_STRATEGIES - len(pointers))
    parts = space.parts
    at = 0
    while at < len(which):
        try:
            at, status = parts["games"](
                space.states, space.rules, space.facts, space.buffers.events, space.view, space.actions,
                keys, which, at, space.room, deals.first_deal, *deals[1:], who, params, streams,
                parts["setup"], parts["listing"], parts["observing"], parts["applying"], space.check, *pointers,
            )  # fmt: skip
        except Exception as error:
            game = int(space.facts.game)
            who_failed = decider(space.states[0], line_ups[int(keys[game].line_up)], keys[game])
            broken = GameFailed(game, f"{who_failed}: {type(error).__name__}: {error}")
            broken.__cause__ = error
            space.set_aside(broken)
            at = int(np.flatnonzero(which == game)[0]) + 1
            continue
        if status != Status.OVER:
            game = int(which[at])
            players = line_ups[int(keys[game].line_up)]
            space.set_aside(GameFailed(game, failure(status, space.states[0], space.rules, players, keys[game])))
            at += 1
            continue
        space.take_rows()


@kernel
def never(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """Stands where a seat is decided in Python; the driver never calls it."""
    return -1


def play_in_python(
    space: Workspace,
    line_ups: Sequence[Sequence[Any]],
    key: Any,
    game: int,
    deals: Deals,
    streams: np.ndarray,
    who: np.ndarray,
    params: np.ndarray,
    pointers: Sequence[Any],
) -> None:
    """Play one game in which some players are plain Python: the driver waits for them."""
    parts, rules, state, facts = space.parts, space.rules, space.states[0], space.facts
    line_up = int(key.line_up)
    players = line_ups[line_up]
    table = table_deal(rules, deals, int(key.deal), int(key.hand_shift), int(key.seat_shift))
    on = int(facts.on)
    for name in FACTS.names or ():
        facts[name] = 0
    facts.on, facts.game = on, game
    parts["setup"](state, rules, facts, table.start_player, table.starting_deck, table.upgrade_deck, table.objectives)
    slots = np.array([*table.slot_of_seat, 0, 0][:4])
    memory = np.zeros((4, drive.MEMORY_WORDS), np.uint64)
    waiting = sum(1 << seat for seat, slot in enumerate(table.slot_of_seat) if not players[slot].compiled)
    status = int(Status.WAITING)
    while status == Status.WAITING:
        status = parts["driver"](
            state, rules, facts, space.buffers.events, space.view, space.actions, waiting, slots,
            who[line_up], params[line_up], memory, streams, space.states[1:],
            parts["listing"], parts["observing"], parts["applying"], space.check, *pointers,
        )  # fmt: skip
        if status == Status.WAITING:
            slot = int(slots[state.seat])
            mine = (params[line_up, slot], memory[slot], streams[slot], space.states[1:])
            status = choose_in_python(space, players[slot], game, mine)
    if status != Status.OVER:
        raise GameFailed(game, failure(status, state, rules, players, key))
    space.take_rows()


def choose_in_python(space: Workspace, player: Any, game: int, mine: tuple[Any, ...]) -> int:
    """Let a player in plain Python make one choice and carry it out.

    Returns:
        WAITING where play may go on, or the status of what went wrong.
    """
    parts, rules, state = space.parts, space.rules, space.states[0]
    n = parts["listing"](state, rules, space.actions)
    choice = 0
    if n > 1:
        parts["observing"](state, rules, state.seat, space.view)
        try:
            choice = int(player.decide(space.view, rules, space.actions[:n].copy(), n, *mine))
        except Exception as error:
            raise GameFailed(game, f"{player.name} at {where(state)}: {type(error).__name__}: {error}") from error
    if not 0 <= choice < n:
        return int(Status.BAD_CHOICE)
    parts["applying"](state, rules, int(space.actions[choice]), space.facts, space.buffers.events)
    return int(Status.BROKEN if space.check(state, rules) != 0 else Status.WAITING)


def groups_of(strategies: Sequence[Sequence[Any]], keys: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Cut a chunk into groups of one variant whose strategies fit into one call of the driver.

    Returns:
        Variant and numbers of the games of each group; one group wherever that is enough.
    """
    group_of_line_up: dict[int, int] = {}
    members: list[set[int]] = []
    for i in sorted(set(keys["line_up"].tolist())):
        kernels = {id(player.decide) for player in strategies[i] if player.compiled}
        if not members or len(members[-1] | kernels) > MAX_STRATEGIES:
            members.append(set())
        members[-1] |= kernels
        group_of_line_up[i] = len(members) - 1
    group = np.array([group_of_line_up[i] for i in keys["line_up"].tolist()])
    return [
        (variant, np.flatnonzero((keys["variant"] == variant) & (group == g)))
        for variant in sorted(set(keys["variant"].tolist()))
        for g in range(len(members))
    ]


def play_games(
    rules: Sequence[np.ndarray],
    strategies: Sequence[Sequence[Any]],
    keys: np.ndarray,
    deals: Sequence[Deals],
    seed: int,
    check: bool,
    facts_on: bool = True,
    reuse: bool = False,
    failed: list[tuple[int, str]] | None = None,
) -> dict[str, np.ndarray]:
    """Play games of one player count (see :class:`blinksim.games.game.PlayGames`).

    Raises:
        GameFailed: a game stopped on a mistake inside a strategy or the engine, and ``failed`` is not given.
    """
    streams = np.zeros((len(keys), 4), np.uint64)
    play_streams(np.uint64(seed), keys, streams)
    buffers = getattr(_own, "buffers", None) if reuse else None
    if buffers is None:
        buffers = RowBuffers()
        if reuse:
            _own.buffers = buffers
    buffers.ends[:] = 0
    spaces: dict[int, Workspace] = {}
    groups = [(variant, which) for variant, which in groups_of(strategies, keys) if len(which)]
    for variant, which in groups:
        if variant not in spaces:
            spaces[variant] = Workspace(rules[variant][0], facts_on, check, buffers, failed)
        play_group(spaces[variant], strategies, keys, which, deals[variant], streams[:, :, None])
    tables = dict(zip((table.name for table in TABLES), buffers.rows(), strict=True))
    if len(groups) > 1:  # back into the order of the keys
        tables = {name: rows[np.argsort(rows[:, 0], kind="stable")] for name, rows in tables.items()}
    if failed:
        failed.sort()
        gone = [game for game, _ in failed]
        tables = {name: rows[~np.isin(rows[:, 0], gone)] for name, rows in tables.items()}
    return tables

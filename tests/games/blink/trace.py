"""The trace of some seeded games, line by line, to compare one way of running the engine with another.

``python -m tests.games.blink.trace`` prints it. Every ply has a line with the legal choices, the choice, hashes of the
whole state and of the deciding seat's observation, the invariants, and now and then an imagined state; a game ends with
its fact rows.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator

import numpy as np

from blinksim.games.blink import engine, shards
from blinksim.games.blink.deals import table_deal
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.digest import state_digest
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Kind
from blinksim.games.blink.fact_rows import WIDTHS
from blinksim.games.blink.facts import FACTS
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.invariants import broken_invariant
from blinksim.games.blink.observe import observe
from blinksim.games.blink.ruleset import load
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.games.blink.tables import TABLES
from blinksim.games.tables import KEYS
from blinksim.players.roster import find_player

QUICK = ("setup.draft_passes=[2]", "setup.starting_gold=12", "improve.costs=[0,1]")
GAMES: tuple[tuple[str, tuple[str, ...], int, int], ...] = (
    ("standard", ("end.max_rounds=5",), 3, 5),
    ("booklet_effects", (*QUICK, "victory.b_sequential=false", "victory.bands[0].tiles=2", "end.max_rounds=6"), 2, 6),
    ("secret", (*QUICK, "observation.memory=state_only", "trade.draw=3", "trade.bury=3", "end.max_rounds=4"), 2, 4),
    ("open", ("setup.draft=false", "setup.start_units=3", "tiers.units=[1,1,1,1,2]", "retreat.optional=true"), 4, 40),
    (
        "booklet_effects",
        (
            *QUICK,
            *(f"terrain.{suit}.tiles=9" for suit in "PFOM"),
            "turn.explore_min_touch=1",
            "victory.bands[0].reach=2",
            "fortify.cost=0",
            "end.max_rounds=5",
        ),
        2,
        5,
    ),
    ("v022_trick", (*QUICK, "victory.overflow=choice", "victory.slots=1", "end.max_rounds=5"), 3, 5),
)
"""Preset, changes, player count, and after how many rounds the game is over at the latest."""
LIKED = (Kind.ATTACK, Kind.FOUND, Kind.RESEARCH)
"""Chosen more often than chance would, so that short games come to every decision."""


def short(data: bytes) -> str:
    """A hash that fits on a line."""
    return hashlib.sha256(data).hexdigest()[:16]


def events_as_rows(events: np.ndarray, used: int) -> Iterator[str]:
    """The rows in a buffer of fact rows, one text each."""
    at = 0
    while at < used:
        table = int(events[at])
        yield f"{TABLES[table].name} {events[at + 1 : at + 2 + int(WIDTHS[table])].tolist()}"
        at += 2 + int(WIDTHS[table])


def trace_of(number: int) -> Iterator[str]:
    """One of ``GAMES``, ply by ply."""
    preset, changes, players, _ = GAMES[number]
    ruleset = load(preset, changes)
    rules = GAME.pack_ruleset(ruleset, players)[0]
    deal = table_deal(rules, GAME.make_deals(ruleset, 100 + number, players, 0, 1), 0)  # type: ignore[arg-type]
    parts = engine.ready(checked=True)
    states, view, imagined = new_records(STATE), new_records(VIEW), new_records(STATE)
    state = states[0]
    facts = new_records(FACTS)[0]
    facts.on = 1
    events = np.zeros(100_000, np.int64)
    actions = np.zeros(MAX_ACTIONS, np.int64)
    stream = np.array([7], np.uint64)
    chance = np.random.default_rng(number)
    parts["setup"](state, rules, facts, deal.start_player, deal.starting_deck, deal.upgrade_deck, deal.objectives)
    while state.decision != Decision.OVER:
        n = parts["listing"](state, rules, actions)
        liked = np.flatnonzero(np.isin(actions[:n] & 31, LIKED)) if chance.random() < 0.5 else ()
        choice = int(actions[liked[chance.integers(len(liked))] if len(liked) else chance.integers(n)])
        observe(state, rules, int(state.seat), view[0])
        line = f"{preset} ply {state.ply} seat {state.seat} {Decision(int(state.decision)).name} of {n}"
        line += f" {short(np.sort(actions[:n]).tobytes())} choice {choice}"
        line += f" state {short(states.tobytes())} view {short(view.tobytes())}"
        if state.ply % 9 == 0 or state.round_number == 0:
            imagine(view[0], rules, stream, imagined[0])
            line += f" imagined {short(imagined.tobytes())}"
        yield f"{line} broken {broken_invariant(state, rules)}"
        parts["applying"](state, rules, choice, facts, events)
    yield f"{preset} ended {state.outcome} after {state.round_number}, digest {state_digest(state, rules)}"
    yield from events_as_rows(events, int(facts.rows))


def driven_games(players: int, games: int, max_rounds: int) -> Iterator[str]:
    """The fact rows of games played by the driver, random against random, as a batch plays them."""
    ruleset = load("quick_start", (f"end.max_rounds={max_rounds}",))
    keys = np.zeros(games, KEYS).view(np.recarray)
    keys.players = players
    keys.deal = np.arange(games)
    keys.seat_shift = np.arange(games) % players
    line_up = [find_player("random")] * players
    deals = GAME.make_deals(ruleset, 9, players, 0, games)
    tables = shards.play_games([GAME.pack_ruleset(ruleset, players)], [line_up], keys, [deals], 9, True)  # type: ignore[list-item]
    for name, rows in tables.items():
        for row in rows.tolist():
            yield f"driven {name} {row}"


def trace() -> Iterator[str]:
    """All games."""
    for number in range(len(GAMES)):
        yield from trace_of(number)
    yield from driven_games(players=2, games=2, max_rounds=7)


if __name__ == "__main__":
    sys.stdout.writelines(line + "\n" for line in trace())

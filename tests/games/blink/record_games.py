"""Short random games and their records, for the tests of records."""

from __future__ import annotations

import json
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from blinksim.games.blink import ruleset as rulesets
from blinksim.games.blink.deal_data import Deal
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.objectives import parse_objective
from blinksim.games.blink.record import (
    RecordWriter,
    begin_game,
    legal_actions,
    next_state,
)
from blinksim.games.blink.record_lines import (
    Header,
    make_header,
)

Line = dict[str, Any]
Lines = list[Line]


@cache
def ruleset(preset: str = "standard", *changes: str) -> Any:
    """A preset with some parameters changed."""
    return rulesets.load(preset, changes)


def header(chosen: Any, players: int = 2, seed: int = 3) -> Header:
    """A header with some deal of a ruleset."""
    rng = np.random.default_rng(seed)
    rules = rulesets.pack(chosen, players)[0]
    split = 4 * (int(rules.starting_rank_max) + 1)
    codes = [parse_objective(name) for name in chosen.objectives.list]
    deal = Deal.of(
        int(rng.integers(players)),
        rng.permutation(np.arange(4 * int(rules.rank_min), split)),
        rng.permutation(np.arange(split, 4 * (int(rules.rank_max) + 1))),
        rng.permutation(codes),
    )
    return make_header(chosen, [f"player {seat}" for seat in range(players)], deal, {"experiment": 7, "deal": 12})


def random_choices(begun: Header, seed: int = 4) -> list[int]:
    """The choices of a whole game of random players."""
    rng = np.random.default_rng(seed)
    state = begin_game(begun)
    choices = []
    while state.decision != Decision.OVER:
        choices.append(int(rng.choice(legal_actions(state, begun.rules))))
        state = next_state(state, begun.rules, choices[-1])
    return choices


@cache
def game(preset: str = "standard", players: int = 2, *changes: str) -> tuple[Header, tuple[int, ...]]:
    """A header and the choices of a random game of three rounds at most."""
    begun = header(ruleset(preset, "end.max_rounds=3", "setup.draft_passes=[1]", *changes), players)
    return begun, tuple(random_choices(begun))


@cache
def game_text() -> str:
    """A whole record as text."""
    begun, choices = game()
    out = StringIO()
    state = begin_game(begun)
    writer = RecordWriter(out, begun)
    writer.begin(state)
    for action in choices:
        writer.choose(state, action, legal_actions(state, begun.rules))
        state = next_state(state, begun.rules, action)
        writer.follow(state)
    return out.getvalue()


def game_lines() -> Lines:
    """The same as data, to be changed at will."""
    return [json.loads(line) for line in game_text().splitlines()]


def write(path: Path, lines: Lines) -> Path:
    """Write lines as a record."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def find(lines: Lines, **fields: Any) -> int:
    """The place of the first decision line with some fields."""
    return next(i for i, line in enumerate(lines) if all(line.get(key) == value for key, value in fields.items()))


def state_places(lines: Lines) -> list[int]:
    """The places of the state lines."""
    return [i for i, line in enumerate(lines) if "state" in line]

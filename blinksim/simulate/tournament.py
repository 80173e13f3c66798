"""Tournaments: every strategy meets every other, on the same deals, from every hand and seat.

A tournament is an experiment like any other: its line-ups are all ways of seating the strategies that differ by more
than who sits where (all shifts are played, so that order does not matter), mirrors left out. Where there are too many
for three and four players, a balanced sample of them is played: every strategy takes part about as often, and meets
every other about as often.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

import numpy as np

from blinksim.errors import UserError
from blinksim.games.game import Game, get_game
from blinksim.players.roster import Player
from blinksim.simulate.experiment import Experiment, parse_experiment
from blinksim.simulate.line_ups import LineUp

MAX_LINE_UPS = 40
"""Line-ups of three and of four players that are played unless said otherwise."""
CANDIDATES = 2000
"""Line-ups among which a sample is chosen, where there are more."""
SEATS_WEIGHT = 8
"""How much more it matters that all sit down equally often than that all meet equally often."""
BUDGET = "budget"
"""The parameter that buys skill: entrants that differ in it alone are a ladder."""
NAME_LENGTH = 40


class TournamentError(UserError):
    """A tournament that cannot be played."""


@dataclass(frozen=True)
class Field:
    """The line-ups of one player count.

    Attributes:
        players: Player count.
        line_ups: Those that are played, in order.
        possible: How many there are.
    """

    players: int
    line_ups: tuple[LineUp, ...]
    possible: int

    @property
    def complete(self) -> bool:
        """Whether all are played."""
        return len(self.line_ups) == self.possible

    def __str__(self) -> str:
        """One sentence part for people."""
        if self.complete:
            which = f"all {self.possible:,} line-ups" if self.possible > 1 else "the only line-up"
            return f"{self.players} players: {which}"
        return f"{self.players} players: a balanced sample of {len(self.line_ups):,} of {self.possible:,} line-ups"


@dataclass(frozen=True)
class Ladder:
    """Entrants that are one strategy with several budgets.

    Attributes:
        strategy: Its name.
        rungs: (name of the entrant, its budget), ascending.
        unit: Unit of the budget.
    """

    strategy: str
    rungs: tuple[tuple[str, float], ...]
    unit: str


@dataclass(frozen=True)
class Tournament:
    """A tournament made ready.

    Attributes:
        experiment: What is played.
        fields: By player count, its line-ups.
        ladders: Ladders among the entrants.
    """

    experiment: Experiment
    fields: tuple[Field, ...]
    ladders: tuple[Ladder, ...]

    @property
    def name(self) -> str:
        """Name of its run folder: who plays, and a few digits of the hash of all that is asked but how many deals.

        More deals of one tournament are the same tournament, further on: they belong in the same folder.
        """
        names = re.sub(r"[^a-z0-9_.]+", "-", "-".join(self.experiment.strategy_names()).lower()).strip("-")
        asked = {key: value for key, value in self.experiment.data().items() if key != "deals"}
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        return f"tournament-{names[:NAME_LENGTH].rstrip('-')}-{digest[:6]}"


def make_tournament(
    entrants: Mapping[str, Player],
    players: Sequence[int],
    deals: int,
    seed: int = 1,
    ruleset: str = "standard",
    changes: Sequence[str] = (),
    most: int = MAX_LINE_UPS,
    game: Game | None = None,
) -> Tournament:
    """A tournament of some strategies.

    Args:
        entrants: By name, in the order in which they were named.
        players: Player counts, ascending.
        deals: Deals of each player count.
        seed: Of the deals, of the strategies' own draws and of the sample of line-ups.
        ruleset: A preset or a file.
        changes: Rule changes, such as ``tiers.wall[2]=15``.
        most: Line-ups of three and of four players at most; two players always play all.
        game: The game, where it is not to be looked up by its name.

    Raises:
        TournamentError: fewer than two strategies, a player count that the game has not, or no line-up allowed.
        ExperimentError: player counts, deals or seed cannot be.
    """
    names = list(entrants)
    if len(names) < 2:
        raise TournamentError(
            f"a tournament has at least two strategies, each named once; given: {', '.join(names) or 'none'}"
        )
    if most < 1:
        raise TournamentError(f"the number of line-ups is {most}; it must be 1 or more")
    game = game or get_game("blink")
    wrong = [n for n in players if n not in game.players]
    if wrong:
        raise TournamentError(f"{wrong[0]} players: {game.title} is played by {', '.join(map(str, game.players))}")
    fields = tuple(make_field(names, n, most, seed) for n in players)
    asked = {
        "question": f"Who is strongest: {', '.join(names)}?",
        "ruleset": ruleset,
        "set": list(changes),
        "players": list(players),
        "line_ups": {str(field.players): [list(line_up) for line_up in field.line_ups] for field in fields},
        "deals": deals,
        "shifts": "both",
        "seed": seed,
    }
    return Tournament(parse_experiment(asked, "tournament", game), fields, tuple(find_ladders(entrants)))


def make_field(names: Sequence[str], players: int, most: int, seed: int) -> Field:
    """The line-ups of one player count: all, or a balanced sample.

    Args:
        names: The strategies.
        players: How many play, 2 or more.
        most: Line-ups at most; raised to the number of strategies, so that each can take part. Not for two players.
        seed: The sample depends on it, the player count and the number of strategies.
    """
    possible = math.comb(len(names) + players - 1, players) - len(names)
    most = max(most, len(names))
    if players == 2 or possible <= most:
        return Field(players, tuple(_mixed(names, players)), possible)
    draw = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(players, len(names))))
    if possible <= CANDIDATES:
        candidates = list(_mixed(names, players))
    else:
        candidates = _some(names, players, draw)
    draw.shuffle(candidates)
    return Field(players, tuple(sorted(_balanced(candidates, most), key=_place_in(names))), possible)


def _mixed(names: Sequence[str], players: int) -> Iterator[LineUp]:
    """All line-ups but mirrors, up to order."""
    return (each for each in combinations_with_replacement(names, players) if len(set(each)) > 1)


def _some(names: Sequence[str], players: int, draw: np.random.Generator) -> list[LineUp]:
    """Some of the line-ups, drawn."""
    found: dict[LineUp, None] = {}
    while len(found) < CANDIDATES:
        places = sorted(int(i) for i in draw.integers(len(names), size=players))
        if len(set(places)) > 1:
            found[tuple(names[i] for i in places)] = None
    return list(found)


def _place_in(names: Sequence[str]) -> Callable[[LineUp], list[int]]:
    order = {name: i for i, name in enumerate(names)}
    return lambda line_up: [order[name] for name in line_up]


def _balanced(candidates: Sequence[LineUp], most: int) -> list[LineUp]:
    """Line-ups chosen one by one, each the one that adds least to the squares of appearances and of meetings."""
    seats: Counter[str] = Counter()
    meetings: Counter[tuple[str, str]] = Counter()
    counts = [(line_up, sorted(Counter(line_up).items())) for line_up in candidates]
    chosen: list[LineUp] = []

    def cost(entry: tuple[LineUp, list[tuple[str, int]]]) -> int:
        found = SEATS_WEIGHT * sum(2 * seats[name] * c + c * c for name, c in entry[1])
        for (a, x), (b, y) in combinations(entry[1], 2):
            found += 2 * meetings[a, b] * x * y + x * x * y * y
        return found

    while len(chosen) < most and counts:
        best = min(range(len(counts)), key=lambda i: cost(counts[i]))
        line_up, parts = counts.pop(best)
        chosen.append(line_up)
        seats.update(dict(parts))
        for (a, x), (b, y) in combinations(parts, 2):
            meetings[a, b] += x * y
    return chosen


def find_ladders(entrants: Mapping[str, Player]) -> list[Ladder]:
    """Entrants that are one strategy and differ in nothing but its parameter ``budget``."""
    groups: dict[tuple[str, bytes], list[tuple[float, str, Player]]] = {}
    for name, player in entrants.items():
        names = [parameter.name for parameter in player.strategy.parameters]
        if BUDGET in names:
            others = player.params.copy()
            budget = float(others[names.index(BUDGET)])
            others[names.index(BUDGET)] = 0
            groups.setdefault((str(player.path), others.tobytes()), []).append((budget, name, player))
    found = []
    for group in groups.values():
        budgets = {budget: name for budget, name, _ in reversed(group)}  # of two with one budget the first named
        if len(budgets) > 1:
            strategy = group[0][2].strategy
            unit = next(p.unit for p in strategy.parameters if p.name == BUDGET)
            found.append(Ladder(strategy.name, tuple((budgets[b], b) for b in sorted(budgets)), unit))
    return found

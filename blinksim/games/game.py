"""The descriptor that each game package exports, and how to get it by name.

Everything above the games (schedules, stores, estimates, pages, the command line) asks the descriptor and imports no
game by name. A descriptor is cheap: its callables import what they need when they are called, so that asking which
games there are compiles nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from blinksim.errors import UserError
from blinksim.games.tables import Table

GAMES = ("blink",)
"""Games that can be named, one package of ``blinksim.games`` each."""


class UnknownGameError(UserError):
    """A game was named that is not there."""


class Deals(Protocol):
    """The shuffles of some deals in a row, as a game makes them; opaque to everything above the game."""

    @property
    def first_deal(self) -> int:
        """Number of the first deal."""
        ...


class PlayGames(Protocol):
    """How a game plays a list of games and says what happened."""

    def __call__(
        self,
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
        """Play games of one player count.

        Args:
            rules: By variant, the packed ruleset (record array of length 1).
            strategies: By line-up, one strategy handle per slot.
            keys: (games,) record array of dtype ``tables.KEYS``, in the order in which rows are to come.
            deals: By variant, the shuffles; game i is dealt number ``keys[i].deal - deals[v].first_deal`` of them.
            seed: The experiment's seed, 0 to 2**64 - 1; strategies draw from the streams that follow from it.
            check: Whether the invariants are checked after every action.
            facts_on: Whether rows are recorded; without, every table is empty (for measuring speed).
            reuse: Whether the tables may lie in memory that this thread's next call overwrites, which is faster.
            failed: Where given, a game that fails is noted here with its place among ``keys`` and the reason,
                ascending; it leaves no rows, and the others are played.

        Returns:
            By table, int64 (rows, 1 + recorded columns), rows in the order of ``keys`` (see ``blinksim.games.tables``).

        Raises:
            Exception: a game failed and ``failed`` is not given; its attribute ``game`` is that game's place among
                ``keys``. Or something went wrong that is no single game's.
        """
        ...


@dataclass(frozen=True)
class RecordedGame:
    """A finished game as its record has it, with the rows of its fact tables.

    Attributes:
        players: How many played.
        ruleset: The checked ruleset that it was played by.
        seats: Names of strategies or people, by seat.
        block: The same for games with the same shuffle.
        rows: By table, int64 (rows, 1 + recorded columns), the game numbered 0 (see ``blinksim.games.tables``).
        path: The record.
    """

    players: int
    ruleset: Any
    seats: tuple[str, ...]
    block: str
    rows: Mapping[str, np.ndarray]
    path: str = ""


@dataclass(frozen=True)
class Entry:
    """One entry of a ruleset, a number of a list by itself, and what it may be instead.

    Attributes:
        key: As a change names it, such as ``tiers.wall[2]``.
        value: What it is, as plain data.
        what: What it means, with its unit where it has one.
        low: Least that a number may be; None for what is no number.
        high: Most that a number may be; None for what is no number.
        step: One step of a number.
        others: The values that it may take besides numbers, as a change writes them, without the present one.
        fixed: Why it has no other value; empty where it has.
    """

    key: str
    value: Any
    what: str
    low: float | None = None
    high: float | None = None
    step: float = 1
    others: tuple[str, ...] = ()
    fixed: str = ""


@dataclass(frozen=True)
class Mark:
    """A letter with its name and colour, such as a terrain of a map, or a seat."""

    letter: str
    name: str
    colour: str


@dataclass(frozen=True)
class MapTile:
    """One hex of a map and what stands on it.

    Attributes:
        q: Axial column.
        r: Axial row; hexes are pointy-top, one step of r goes down and half a hex right.
        terrain: Letter of its terrain.
        home: The seat whose homeland it is, -1 for nobody's.
        owner: The seat whose units stand on it, -1 for nobody.
        units: How many units.
        coins: How many coins fortify them.
    """

    q: int
    r: int
    terrain: str
    home: int
    owner: int
    units: int
    coins: int


@dataclass(frozen=True)
class MapCourse:
    """The map of a game through its rounds.

    Attributes:
        terrains: What a tile may be.
        seats: Who plays, by seat.
        rounds: By round from 0, the start, to the last one: the tiles after it, in an order that stays.
    """

    terrains: tuple[Mark, ...]
    seats: tuple[Mark, ...]
    rounds: tuple[tuple[MapTile, ...], ...]


@dataclass(frozen=True)
class Game:
    """What everything above the games knows about a game.

    Attributes:
        name: Name of the package, as in ``game = "blink"``.
        title: Name for a reader.
        players: Player counts that can be played.
        rules_version: Which reading of the rules the code implements.
        tables: Fact tables with their columns.
        tables_version: Raised when a column changes its name, type or meaning.
        ruleset_names: () -> names of the presets.
        load_ruleset: (name or path, overrides "KEY=VALUE") -> checked ruleset.
        ruleset_data: (ruleset) -> every parameter, as nested plain data; goes into manifests and record headers.
        parse_ruleset: (nested plain data) -> checked ruleset; the way back.
        ruleset_hash: (ruleset) -> hash of its content.
        ruleset_entries: (ruleset) -> every ``Entry`` of it, in the order of the rules.
        diff_rulesets: (a, b) -> (key, value in a, value in b) of the parameters that differ.
        pack_ruleset: (ruleset, players) -> record array of length 1 for compiled code.
        make_deals: (ruleset, seed, players, first deal, count) -> shuffles.
        play_games: Plays a list of games, see ``PlayGames``.
        new_game: (players, ruleset, seed, deal, overrides, hand shift, seat shift, replicate, find_player) -> one game
            to look at and to play; its ``play(strategies, check)`` plays it, its ``record(path, legal)`` writes it.
        warm: (strategies, checked, say) -> seconds by part; compiles what they need.
        record_suffixes: How the names of game records end.
        read_game: (path of a record) -> ``RecordedGame``.
        summary_tables: Names of the tables that a run of detail ``summary`` keeps.
        seat_classes: (ruleset, players) -> the class of each seat where the map makes seats differ, else empty.
        map_course: (game of ``new_game`` that was played, or path of a record) -> its map through the rounds; None
            where a game has no map.
    """

    name: str
    title: str
    players: tuple[int, ...]
    rules_version: int
    tables: tuple[Table, ...]
    tables_version: int
    ruleset_names: Callable[[], list[str]]
    load_ruleset: Callable[..., Any]
    ruleset_data: Callable[[Any], Mapping[str, Any]]
    parse_ruleset: Callable[[Mapping[str, Any]], Any]
    ruleset_hash: Callable[[Any], str]
    diff_rulesets: Callable[[Any, Any], Sequence[tuple[str, Any, Any]]]
    pack_ruleset: Callable[[Any, int], np.ndarray]
    make_deals: Callable[[Any, int, int, int, int], Deals]
    play_games: PlayGames
    warm: Callable[..., dict[str, float]]
    new_game: Callable[..., Any]
    record_suffixes: tuple[str, ...]
    read_game: Callable[[str | Path], RecordedGame]
    summary_tables: tuple[str, ...] = ("games", "seats")
    seat_classes: Callable[[Any, int], Sequence[str]] = lambda ruleset, players: ()
    map_course: Callable[[Any], MapCourse] | None = None
    ruleset_entries: Callable[[Any], Sequence[Entry]] = lambda ruleset: ()


def get_game(name: str) -> Game:
    """The descriptor of a game.

    Raises:
        UnknownGameError: no game has that name.
    """
    if name not in GAMES:
        raise UnknownGameError(f'there is no game "{name}"; games are: {", ".join(GAMES)}')
    game = importlib.import_module(f"blinksim.games.{name}.descriptor").GAME
    assert isinstance(game, Game), f"blinksim.games.{name}.descriptor.GAME is no descriptor"
    return game

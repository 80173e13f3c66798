"""The descriptor that each game package exports, and how to get it by name.

Everything above the games (schedules, stores, estimates, pages, the command line) asks the descriptor and imports no
game by name. A descriptor is cheap: its callables import what they need when they are called, so that asking which
games there are compiles nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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

        Returns:
            By table, int64 (rows, 1 + recorded columns), rows in the order of ``keys`` (see ``blinksim.games.tables``).

        Raises:
            Exception: a game failed; its attribute ``game``, where it has one, is that game's place among ``keys``.
        """
        ...


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
        diff_rulesets: (a, b) -> (key, value in a, value in b) of the parameters that differ.
        pack_ruleset: (ruleset, players) -> record array of length 1 for compiled code.
        make_deals: (ruleset, seed, players, first deal, count) -> shuffles.
        play_games: Plays a list of games, see ``PlayGames``.
        new_game: (players, ruleset, seed, deal, overrides, hand shift, seat shift, replicate, find_player) -> one game
            to look at and to play.
        warm: (strategies, checked, say) -> seconds by part; compiles what they need.
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

"""Speed by pytest-benchmark: ``make bench``. These measure; they judge nothing."""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.games.blink.timing import time_parts
from blinksim.games.game import get_game
from blinksim.players.roster import find_player
from blinksim.simulate.bench import line_ups, play_timed

NAMES = ("random", "builder", "raider")


@pytest.fixture(scope="module")
def game() -> Any:
    blink = get_game("blink")
    blink.warm([find_player(name) for name in NAMES])
    return blink


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("label", ["random", "builder/raider"])
def test_games(benchmark: Any, game: Any, label: str, players: int) -> None:
    """200 games on one core, facts off."""
    line_up = line_ups(NAMES, players)[label]
    play_timed(game, line_up, 2, False)
    benchmark.pedantic(play_timed, args=(game, line_up, 200, False), rounds=5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_parts(benchmark: Any, game: Any, players: int) -> None:
    """The parts of the engine; the figures per call are in ``extra_info``."""
    ruleset = game.load_ruleset("standard", ())
    figures = benchmark.pedantic(time_parts, args=(ruleset, game.make_deals, game.pack_ruleset, players), rounds=1)
    benchmark.extra_info.update(figures)

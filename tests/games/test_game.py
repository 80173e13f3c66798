"""Games are found by name, and asking costs nothing."""

import subprocess
import sys

import pytest

import blinksim.games.blink
from blinksim.games.game import UnknownGameError, get_game


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGameError, match='there is no game "blnk"; games are: blink'):
        get_game("blnk")


def test_neither_the_package_nor_its_tables_load_the_compiler() -> None:
    code = "import sys, blinksim.games.blink.tables, blinksim.games.game; assert 'numba' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_blink_is_found_by_its_name() -> None:
    game = get_game("blink")
    assert game is blinksim.games.blink.GAME
    assert "standard" in game.ruleset_names()
    standard, quick = game.load_ruleset("standard"), game.load_ruleset("quick_start")
    assert game.diff_rulesets(standard, quick) == [("setup.start_units", 1, 2)]
    assert game.ruleset_hash(game.parse_ruleset(game.ruleset_data(quick))) == game.ruleset_hash(quick)
    assert game.pack_ruleset(quick, 3)[0].start_units == 2
    with pytest.raises(AttributeError, match="no attribute 'GAMES'"):
        _ = blinksim.games.blink.GAMES

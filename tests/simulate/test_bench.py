"""What ``blinksim bench`` times, and that it times the right thing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blinksim.errors import UserError
from blinksim.games.game import get_game
from blinksim.players.roster import list_strategies
from blinksim.simulate import bench

THINKER = '''
"""Draws a number on the map alone, as often as it may."""
from blinksim.games.chance import below
from blinksim.players.policy import Parameter, Strategy

STRATEGY = Strategy(
    name="thinker", summary="thinks on the map", compiled=False,
    parameters=(
        Parameter("budget", 2, 0, 64, "playouts", "How often it draws."),
        Parameter("plies", 1, 1, 99, "plies", "Whether it stops after the first."),
    ),
)


def decide(view, rules, actions, n, params, memory, stream, sandbox):
    if view.round_number == 0:
        return 0
    choice = 0
    for i in range(int(params[0])):
        if i < params[1]:
            choice = below(stream, n)
    return choice
'''


@pytest.fixture
def thinker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "thinker.py").write_text(THINKER, encoding="utf-8")
    return "thinker"


def test_the_whole_roster_is_timed_at_three_players(thinker: str) -> None:
    """Plain Python is left out; a strategy that thinks is watched at every player count."""
    found = bench.roster([2, 3, 4])
    assert set(found[3]) == set(list_strategies()) - {thinker}
    assert found[2] == found[4] == ["random", "builder", "raider", "searcher"]
    assert set(bench.roster([4])[4]) == set(found[3])


def test_who_thinks(thinker: str) -> None:
    assert bench.is_thinker(thinker) and bench.is_thinker("searcher:budget=16")
    assert not bench.is_thinker("generalist") and not bench.is_thinker("hermit")


def test_decisions_that_a_strategy_thinks_about_are_timed(thinker: str) -> None:
    game = get_game("blink")
    seconds = bench.decision_seconds(game, thinker, 2, 1e-9)
    game_of_it = game.new_game(2, "standard", 1, 0).play([bench.Watched(bench.find_player(thinker))] * 2)
    asked = [m for m in game_of_it.moments if int(m.before.round_number) > 0]
    assert 0 < len(seconds) <= len(asked)
    assert (seconds > 0).all()
    with pytest.raises(UserError, match="thinker:budget=0 thought about no decision of a whole game"):
        bench.decision_seconds(game, f"{thinker}:budget=0", 2, 1e-9)


def test_playouts_are_counted_by_the_budget(thinker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Timed with the parameter that ends thinking early at its highest; the decisions are those of the default."""
    asked: list[str] = []

    def seconds(game: object, name: str, players: int, seconds: float) -> np.ndarray:
        asked.append(name)
        return np.full(20, 0.004 if "plies" in name else 0.002)

    monkeypatch.setattr(bench, "decision_seconds", seconds)
    found = bench.thinking(get_game("blink"), f"{thinker}:budget=8", 2, 1.0)
    assert asked == ["thinker:budget=8", "thinker:budget=8,plies=99"]
    assert found == pytest.approx(
        {
            "budget": 8,
            "decisions_per_s": 500,
            "mean_ms": 2,
            "p95_ms": 2,
            "max_ms": 2,
            "playouts_per_s": 2000,
            "decisions_timed": 20,
        }
    )

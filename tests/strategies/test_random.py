"""The player that plays anything."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.players.roster import find_player
from tests.games.blink.positions import rules_for
from tests.strategies.tables import play


def choices(stream: int, n: int, count: int) -> list[int]:
    player = find_player("random")
    rules, view, sandbox = rules_for(), new_records(VIEW)[0], new_records(STATE, 4)
    words = np.array([stream], dtype=np.uint64)
    actions, memory = np.zeros(n, np.int64), np.zeros(64, np.uint64)
    return [int(player.decide(view, rules, actions, n, player.params, memory, words, sandbox)) for _ in range(count)]


def test_every_choice_comes_up_about_alike() -> None:
    drawn = np.bincount(choices(5, 7, 7000), minlength=7)
    assert len(drawn) == 7
    assert drawn.min() > 880 and drawn.max() < 1120


def test_the_stream_alone_decides() -> None:
    assert choices(5, 30, 50) == choices(5, 30, 50)
    assert choices(5, 30, 50) != choices(6, 30, 50)


def test_games_end_and_are_the_same_again() -> None:
    games, _, _ = play(["random"] * 3, 20, check=True)
    again, _, _ = play(["random"] * 3, 20)
    assert (games["digest"] == again["digest"]).all()
    assert len(set(games["digest"].tolist())) == len(games["digest"])
    assert (games["outcome"] != 3).all()

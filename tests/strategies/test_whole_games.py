"""Whole games of the personas: they end, are legal and the same again, and beat random play."""

from __future__ import annotations

import pytest

from tests.strategies.tables import play, win_share

PERSONAS = ["greedy", "warden", "scholar", "merchant", "surveyor"]
PRESETS = ["quick_start", "no_objectives", "secret", "open", "booklet_effects", "keep_both", "v022_trick"]


@pytest.mark.parametrize("name", PERSONAS)
def test_games_end_and_are_the_same_again(name: str) -> None:
    """Every invariant holds after every ply; the second time nobody looks."""
    games, _, _ = play([name] * 4, 15, check=True)
    again, _, _ = play([name] * 4, 15)
    assert (games["digest"] == again["digest"]).all()
    for line_up in ([name, "builder"], [name] * 3, [name, "raider", name, "builder"]):
        games, _, _ = play(line_up, 60)
        assert (games["outcome"] != 3).all()
        assert games["rounds"].max() < 60


def test_all_of_them_at_one_table() -> None:
    for i in range(len(PERSONAS)):
        games, _, _ = play((PERSONAS[i:] + PERSONAS[:i])[:4], 40)
        assert (games["outcome"] != 3).all()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", PERSONAS)
def test_they_play_every_ruleset_to_the_end(name: str, preset: str) -> None:
    games, _, _ = play([name, "random"], 10, check=True, preset=preset)
    assert (games["outcome"] != 3).all()


@pytest.mark.parametrize("name", PERSONAS)
def test_they_beat_random_play(name: str) -> None:
    assert win_share([name, "random"], 100) > 0.95
    assert win_share([name, "random", "random", "random"], 50) > 0.7

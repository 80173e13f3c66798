"""Elementary effects: a straight line gives back its slopes, what does nothing stays in the noise."""

import sys

import polars as pl
import pytest

from blinksim.analysis.metrics import Metric
from blinksim.analysis.morris import NoTrajectoryError, elementary_effects
from blinksim.analysis.ratings import MissingLibraryError
from blinksim.games.game import Entry
from blinksim.simulate.entries import Dial, dials
from tests.analysis.planted import Planted

ROUNDS = Metric("rounds", "rounds", "rounds", 0.25)
DIALS = dials([Entry(name, 10, "", 0, 20) for name in "abc"], {name: (7.0, 13.0) for name in "abc"})


def planted(noise: float) -> Planted:
    metrics = {"rounds": lambda n: 20 + 2 * (n["a"] - 10) - 0.5 * (n["b"] - 10)}
    return Planted({name: 10.0 for name in "abc"}, metrics, noise)


def test_a_straight_line_gives_back_its_slopes() -> None:
    game = planted(0.0)
    found = elementary_effects(game, game.allowed, DIALS, [ROUNDS], 3, 6, 5, 1)
    rows = {row["parameter"]: row for row in found.effects.iter_rows(named=True)}
    assert list(rows) == ["a", "b", "c"]
    assert rows["a"]["mu_star"] == pytest.approx(12) and rows["a"]["mu"] == pytest.approx(12)
    assert rows["b"]["mu_star"] == pytest.approx(3) and rows["b"]["mu"] == pytest.approx(-3)
    assert rows["c"]["mu_star"] == pytest.approx(0, abs=1e-9)
    assert rows["a"]["sigma"] == pytest.approx(0, abs=1e-9) and rows["a"]["range"] == "7 to 13"
    assert (rows["a"]["n_trajectories"], rows["a"]["n_blocks"], rows["a"]["n_games"]) == (6, 30, 6 * 4 * 5 * 2)


def test_what_does_nothing_stays_in_the_noise() -> None:
    game = planted(1.5)
    found = elementary_effects(game, game.allowed, DIALS, [ROUNDS], 3, 20, 20, 1)
    rows = {row["parameter"]: row for row in found.effects.iter_rows(named=True)}
    assert rows["a"]["mu_star_low"] < 12 < rows["a"]["mu_star_high"] and rows["a"]["mu_star_low"] > rows["a"]["noise"]
    assert rows["c"]["mu_star_low"] < rows["c"]["noise"] < rows["c"]["mu_star_high"]


def test_trajectories_that_are_not_allowed_are_drawn_anew() -> None:
    game = Planted(
        {name: 10.0 for name in "abc"}, {"rounds": lambda n: n["a"]}, 0.0,
        forbidden=lambda n: "too much" if n["a"] + n["b"] > 24 else "",
    )  # fmt: skip
    found = elementary_effects(game, game.allowed, DIALS, [ROUNDS], 3, 4, 2, 1)
    assert found.thrown_away > 0 and "too much" in found.reason
    never = Planted(
        {name: 10.0 for name in "abc"}, {"rounds": lambda n: n["a"]}, 0.0,
        forbidden=lambda n: "never" if n["a"] != 10 and n["b"] != 10 else "",
    )  # fmt: skip
    with pytest.raises(NoTrajectoryError, match="never"):
        elementary_effects(never, never.allowed, DIALS[:2], [ROUNDS], 3, 2, 2, 1)


def test_numbers_that_cannot_move_alone_are_left_out() -> None:
    game = Planted(
        {name: 10.0 for name in "abc"}, {"rounds": lambda n: n["a"]}, 0.0,
        forbidden=lambda n: "must be ten" if n["c"] != 10 else "",
    )  # fmt: skip
    assert elementary_effects(game, game.allowed, DIALS, [ROUNDS], 3, 2, 2, 1).left_out == ["c"]
    with pytest.raises(NoTrajectoryError, match="no number"):
        elementary_effects(game, game.allowed, DIALS[2:], [ROUNDS], 3, 2, 2, 1)
    none: list[Dial] = []
    with pytest.raises(NoTrajectoryError, match="no number"):
        elementary_effects(game, game.allowed, none, [ROUNDS], 3, 2, 2, 1)


def test_same_seed_same_effects() -> None:
    one, two = planted(0.5), planted(0.5)
    found = [elementary_effects(game, game.allowed, DIALS, [ROUNDS], 3, 3, 4, 7).effects for game in (one, two)]
    assert found[0].equals(found[1])


def test_a_metric_of_which_nothing_was_counted_is_left_out() -> None:
    game = Planted({"a": 10.0}, {"rounds": lambda n: float("nan"), "gold_unspent": lambda n: n["a"]}, 0.0)
    both = [ROUNDS, Metric("gold_unspent", "gold", "gold", 0.5)]
    found = elementary_effects(game, game.allowed, DIALS[:1], both, 3, 2, 2, 1)
    assert found.effects.select(pl.col("metric").unique()).to_series().to_list() == ["gold_unspent"]


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib.sample.morris", None)
    with pytest.raises(MissingLibraryError, match=r"SALib.*blinksim\[tune\]"):
        elementary_effects(planted(0), planted(0).allowed, DIALS, [ROUNDS], 3, 2, 2, 1)

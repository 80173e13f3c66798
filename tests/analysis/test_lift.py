"""Lift within deals, against plain arithmetic, ordinary least squares, and data with a known effect."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm

from blinksim.analysis.estimates import Estimate
from blinksim.analysis.lift import MIN_BLOCKS, dealt_sums, grouped_sums, outcomes, p_value, slopes, verdict
from tests.analysis.frames import seats


def with_fixed_effects(x: np.ndarray, y: np.ndarray, group: np.ndarray) -> float:
    """The slope on x of a regression with a constant for every group."""
    dummies = (group[:, None] == np.unique(group)).astype(float)
    return float(sm.OLS(y, np.column_stack([x, dummies])).fit().params[0])


def test_outcomes_follow_the_hand_over_seats_and_leave_stalled_games_out() -> None:
    table = seats(
        [
            (2, 0, 0, 0, 0, "builder", 1), (2, 0, 0, 0, 1, "raider", 0),
            (2, 0, 0, 1, 0, "raider", 0.5), (2, 0, 0, 1, 1, "builder", 0.5),
            (2, 0, 0, 2, 0, "builder", None), (2, 0, 0, 2, 1, "raider", None),
        ],
        position=[0, 1, 1, 0, 0, 1],
        points=[30, 20, 25, 24, 9, 9],
    )  # fmt: skip
    found = outcomes(table)
    assert found.select("position", "games", "wins", "points").rows() == [(0, 2, 1.5, 54), (1, 2, 0.5, 45)]


def test_a_thing_that_one_hand_has_is_the_mean_difference_to_the_others() -> None:
    dealt = np.array([[[1], [0], [0]], [[0], [1], [0]], [[0], [0], [0]]])
    wins = np.array([[3.0, 1, 0], [1, 2, 1], [4, 0, 0]])
    games = np.array([4, 4, 4])
    products, squares = dealt_sums(dealt, wins, games)
    assert squares[2, 0] == 0  # nobody had it: the deal says nothing
    found = slopes(["it"], products, squares, games).row(0, named=True)
    by_deal = [3 / 4 - (1 + 0) / 2 / 4, 2 / 4 - (1 + 1) / 2 / 4]
    assert found["value"] == pytest.approx(np.mean(by_deal))
    assert (found["n_blocks"], found["n_games"]) == (2, 8)


def test_counts_give_the_slope_of_a_regression_with_a_constant_for_each_deal() -> None:
    rng = np.random.default_rng(3)
    dealt = rng.integers(0, 4, (40, 3, 2))
    wins = rng.random((40, 3)) + 0.2 * dealt[:, :, 0]
    products, squares = dealt_sums(dealt, wins, np.ones(40, np.int64))
    found = slopes(["a", "b"], products, squares, np.ones(40, np.int64))
    deal = np.repeat(np.arange(40), 3)
    expected = [with_fixed_effects(dealt[:, :, i].ravel(), wins.ravel(), deal) for i in range(2)]
    assert found["value"].to_list() == pytest.approx(expected)


def test_members_are_compared_inside_their_group_only() -> None:
    rng = np.random.default_rng(4)
    block = np.sort(rng.integers(0, 5, 60))
    group = block * 10 + rng.integers(0, 3, 60)
    order = np.argsort(group, kind="stable")
    block, group = np.unique(block[order], return_inverse=True)[1], group[order]
    have, result = rng.integers(0, 3, 60), rng.random(60) + group
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    products, squares = grouped_sums(starts, block[starts], have, result)
    assert len(products) == len(np.unique(block))
    assert products.sum() / squares.sum() == pytest.approx(with_fixed_effects(have, result, group))


def test_members_alone_in_their_group_say_nothing() -> None:
    products, squares = grouped_sums(np.array([0, 1]), np.array([0, 1]), np.array([3, 0]), np.array([1.0, 0.0]))
    assert list(products) == [0, 0] and list(squares) == [0, 0]


def test_intervals_cover_a_known_effect_and_p_is_even_where_there_is_none() -> None:
    rng = np.random.default_rng(5)
    covered, p = [], []
    for _ in range(600):
        hand = rng.permuted(np.tile([1, 0, 0], (60, 1)), axis=1)
        dealt = np.stack([hand, rng.permuted(hand, axis=1)], axis=2)
        shared = rng.normal(0, 2, (60, 1))  # what the deal does to everybody
        result = shared + rng.normal(0, 1, (60, 3)) + 0.5 * hand
        games = np.ones(60, np.int64)
        found = slopes(["effect", "none"], *dealt_sums(dealt, result, games), games)
        covered.append(found["low"][0] <= 0.5 <= found["high"][0])
        p.append(found["p"][1])
    assert 0.93 <= np.mean(covered) <= 0.97
    assert 0.03 <= np.mean(np.array(p) < 0.05) <= 0.07


def test_few_deals_are_not_tested_and_an_interval_that_just_reaches_none_has_p_of_its_level() -> None:
    games = np.ones(MIN_BLOCKS, np.int64)
    total = np.linspace(-1, 3, MIN_BLOCKS)[:, None]
    found = slopes(["it"], total, np.ones_like(total), games)
    few = slopes(["it"], total[1:], np.ones_like(total[1:]), games[1:])
    assert found["p"][0] is not None and few["p"][0] is None
    shifted = slopes(["it"], total - found["low"][0], np.ones_like(total), games)
    assert shifted["p"][0] == pytest.approx(0.05)


def test_p_of_lifts_without_any_spread() -> None:
    same = np.ones((40, 1))
    games = np.ones(40, np.int64)
    assert slopes(["it"], same, same, games)["p"][0] == 0
    assert slopes(["it"], 0 * same, same, games)["p"][0] == 1


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ([(-0.02, 0.02, False), (0.0, 0.01, True)], "fair"),
        ([(-0.02, 0.02, False), (0.04, 0.08, True)], "not fair"),
        ([(-0.02, 0.02, False), (0.04, 0.08, False)], "not enough games"),
        ([(-0.02, 0.05, False)], "not enough games"),
        ([(float("nan"), float("nan"), False)], "not enough games"),
    ],
)
def test_verdict(intervals: list[tuple[float, float, bool]], expected: str) -> None:
    rows = [(0.0, low, high, 40, 80, "t", flagged) for low, high, flagged in intervals]
    names = ["value", "low", "high", "n_blocks", "n_games", "method", "flagged"]
    assert verdict(pl.DataFrame(rows, schema=names, orient="row"), margin=0.03) == expected


def test_p_value_needs_no_frame() -> None:
    assert p_value(Estimate(0.0, -1.0, 1.0, 50, 50, "t")) == pytest.approx(1.0)
    assert p_value(Estimate(9.0, 8.0, 10.0, MIN_BLOCKS - 1, 50, "t")) is None

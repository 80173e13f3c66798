"""Paired differences by hand, against an ordinary paired t, and what pairing gains."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

from blinksim.analysis.metrics import SEAT_SPREAD
from blinksim.analysis.paired import arm, difference, same_deals, spread


def sums(y: list[float], x: list[float], name: str = "rounds", variant: int = 0) -> pl.DataFrame:
    n = len(y)
    return pl.DataFrame(
        {"players": [3] * n, "variant": [variant] * n, "deal": list(range(n)), "games": [2] * n,
         f"{name}|y": y, f"{name}|x": x}
    )  # fmt: skip


def test_equal_counts_give_the_paired_t_test() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(8, 1, 60), rng.normal(8.2, 1, 60)
    base, other = (arm(sums(list(v), [1.0] * 60), "rounds", 3) for v in (a, b))
    found = difference(base, other, 120)
    t = stats.ttest_rel(b, a)
    assert found.value == pytest.approx(b.mean() - a.mean())
    assert found.value / found.standard_error == pytest.approx(t.statistic)


def test_a_ratio_weighs_blocks_by_their_count() -> None:
    found = arm(sums([2.0, 6.0], [1.0, 3.0]), "rounds", 3)
    assert found.value == 2.0
    assert found.influence == pytest.approx([0, 0])


def test_gain_is_what_the_shared_luck_is_worth() -> None:
    rng = np.random.default_rng(6)
    luck = rng.normal(0, 3, 4000)
    a, b = 10 + luck + rng.normal(0, 1, 4000), 10 + luck + rng.normal(0, 1, 4000)
    found = difference(*(arm(sums(list(v), [1.0] * 4000), "rounds", 3) for v in (a, b)), 8000)
    assert found.gain == pytest.approx(10, rel=0.1)  # (9 + 1 + 9 + 1) / (1 + 1)


def test_games_that_are_all_the_same_gain_without_bound_and_nothing_varying_gains_nothing() -> None:
    base = arm(sums([1.0, 2.0, 4.0], [1.0] * 3), "rounds", 3)
    assert difference(base, base, 6).gain == math.inf
    flat = arm(sums([1.0] * 3, [1.0] * 3), "rounds", 3)
    assert math.isnan(difference(flat, flat, 6).gain)


def test_nothing_counted_is_not_known() -> None:
    found = arm(sums([0.0, 0.0], [0.0, 0.0]), "rounds", 3)
    assert math.isnan(found.value)
    assert math.isnan(difference(found, found, 4).standard_error)


def test_spread_is_largest_less_smallest() -> None:
    frame = sums([1, 0, 1], [1, 1, 1], "seat_0").with_columns(
        pl.Series("seat_1|y", [0.0, 1.0, 0.0]), pl.Series("seat_1|x", [1.0] * 3),
        pl.Series("seat_2|y", [0.0, 0.0, 0.0]), pl.Series("seat_2|x", [1.0] * 3),
    )  # fmt: skip
    found = arm(frame, SEAT_SPREAD, 3)
    assert found.value == pytest.approx(2 / 3)
    seats = [arm(frame, f"seat_{s}", 3) for s in range(3)]
    assert found.influence == pytest.approx(seats[0].influence - seats[2].influence)
    assert math.isnan(spread([arm(sums([0.0], [0.0]), "rounds", 3)] * 2).value)


def test_same_deals_leaves_out_what_one_version_lacks() -> None:
    base, other = sums([1, 2, 3], [1, 1, 1]), sums([5, 6, 7], [1, 1, 1], variant=1).slice(1)
    first, second = same_deals(pl.concat([other, base]), 0, 1)
    assert first["deal"].to_list() == second["deal"].to_list() == [1, 2]
    assert first["rounds|y"].to_list() == [2, 3]


def test_interval_covers_in_simulation() -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(400):
        luck = rng.normal(0, 1, 80)
        counts = rng.integers(1, 4, 80).astype(float)
        a = (5 + luck + rng.normal(0, 1, 80)) * counts
        b = (5.5 + luck + rng.normal(0, 1, 80)) * counts
        found = difference(*(arm(sums(list(v), list(counts)), "rounds", 3) for v in (a, b)), 160)
        covered += abs(found.value - 0.5) <= 1.99 * found.standard_error
    assert 0.92 <= covered / 400 <= 0.98

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


def test_blocks_that_all_agree_are_not_certain_unless_the_rules_are_the_same() -> None:
    never = arm(sums([0.0] * 50, [6.0] * 50), "rounds", 3)
    assert difference(never, never, 600).standard_error == pytest.approx(1 / 50)
    assert difference(never, never, 600, same_rules=True).standard_error == 0
    assert never.standard_error == pytest.approx(1 / 50)
    lively = arm(sums([1.0, 2.0] * 25, [1.0] * 50), "rounds", 3)
    # As if one more block had parted, with the variance of two that share nothing: 2 * 25 / 98.
    assert difference(lively, lively, 100).standard_error == pytest.approx(math.sqrt(50 / 98) / 50)


def test_what_was_counted_in_one_deal_of_many_is_not_known() -> None:
    y, x = [0.0] * 60, [0.0] * 60
    x[3] = 1.0
    base = arm(sums(y, x), "rounds", 3)
    other = arm(sums(x, x), "rounds", 3)
    found = difference(base, other, 720)
    assert (found.value, found.n_blocks) == (1.0, 1)
    assert math.isnan(found.standard_error)


def test_deals_in_which_nothing_was_counted_do_not_add_to_what_is_known() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(8, 1, 30), rng.normal(8, 1, 30)
    short = difference(*(arm(sums(list(v), [1.0] * 30), "rounds", 3) for v in (a, b)), 60)
    padded = [arm(sums([*v, *[0.0] * 200], [1.0] * 30 + [0.0] * 200), "rounds", 3) for v in (a, b)]
    long = difference(*padded, 460)
    assert (long.n_blocks, short.n_blocks) == (30, 30)
    assert long.standard_error == pytest.approx(short.standard_error)
    assert padded[0].standard_error == pytest.approx(float(np.std(a, ddof=1)) / math.sqrt(30))

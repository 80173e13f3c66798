"""Variance components: against textbook sums, against known truth, and where nothing can be told."""

import numpy as np
import polars as pl
import pytest

from blinksim.analysis import luck


def tables(points: np.ndarray, seat_gain: float = 0.0) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Seats and games of two players from (deals, games a deal, hands) points; game g turns the table g times."""
    _, each, hands = points.shape
    deal, game, hand = (index.ravel() for index in np.indices(points.shape))
    seat = (hand + game) % hands
    seats = pl.DataFrame(
        {
            "players": 2, "line_up": 0, "deal": deal, "game": deal * each + game, "position": hand, "seat": seat,
            "points": points.ravel() + seat_gain * seat, "win_share": 0.5, "strategy": "random",
        },
        schema_overrides={"players": pl.Int8, "strategy": pl.Enum(["random"])},
    )  # fmt: skip
    longest = pl.DataFrame({"players": 2, "line_up": 0, "deal": deal, "rounds": points.ravel(), "winners": 1})
    return seats.lazy(), longest.cast({"players": pl.Int8}).filter(hand == 0).lazy()


def of(found: pl.DataFrame, measure: str) -> dict[str, float]:
    return found.filter(pl.col("measure") == measure).row(0, named=True)


def test_balanced_groups_give_the_textbook_components() -> None:
    random = np.random.default_rng(1)
    points = random.normal(size=(40, 1, 1)) * 2 + random.normal(size=(40, 5, 1))
    row = of(luck.luck_of_the_deal(*tables(points)), "rounds")
    within = points.var(axis=1, ddof=1).mean()
    between = 5 * points.mean(axis=1).var(ddof=1)
    assert row["between"] ** 2 == pytest.approx((between - within) / 5)
    assert row["within"] ** 2 == pytest.approx(within)
    assert row["value"] == pytest.approx((between - within) / (between + 4 * within))
    assert row["n_blocks"] == 40 and row["n_games"] == 200


def test_a_better_seat_is_not_luck_of_the_deal() -> None:
    random = np.random.default_rng(2)
    points = random.normal(size=(400, 1, 2)) + random.normal(size=(400, 2, 2))
    plain, better = (of(luck.luck_of_the_deal(*tables(points, gain)), "points") for gain in (0.0, 50.0))
    assert better["value"] == pytest.approx(plain["value"], abs=0.01) and plain["value"] == pytest.approx(0.5, abs=0.1)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    random = np.random.default_rng(3)
    truth, held, trials = 0.5, 0, 300
    for _ in range(trials):
        # Not normal on purpose: a textbook F interval would be too short.
        points = random.exponential(size=(60, 1, 1)) + random.exponential(size=(60, 4, 1))
        row = of(luck.luck_of_the_deal(*tables(points)), "rounds")
        held += row["low"] <= truth <= row["high"]
    assert 0.88 <= held / trials <= 0.99


def test_nothing_can_be_told_where_every_hand_is_played_once() -> None:
    found = luck.luck_of_the_deal(*tables(np.random.default_rng(4).normal(size=(30, 1, 2))))
    assert found["value"].is_nan().to_list() == [True] * 3 and found["measure"].to_list() == list(luck.MEASURES)


def test_what_never_varies_has_no_share() -> None:
    found = of(luck.luck_of_the_deal(*tables(np.zeros((10, 2, 2)))), "win_share")
    assert np.isnan(found["value"]) and found["between"] == found["within"] == 0


def test_one_deal_gives_no_interval() -> None:
    random = np.random.default_rng(5)
    row = of(luck.luck_of_the_deal(*tables(random.normal(size=(1, 4, 2)))), "points")
    assert 0 <= row["value"] <= 1 and np.isnan(row["low"])

"""Length of games and pace of tiers, on tables small enough to count by hand."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from blinksim.analysis import fairness, pacing
from blinksim.analysis.courses import courses
from tests.analysis.frames import games, rounds, seats

GAMES = games(
    [
        (2, 0, "won", 10, 200, 0, 1),
        (2, 0, "won", 12, 220, 1, 1),
        (2, 1, "shared", 13, 260, 1, 3),
        (2, 1, "won", 13, 240, 0, 2),
        (2, 1, "stalled", 200, 5000, None, 0),
    ]
)


def test_length_is_that_of_decided_games() -> None:
    row = pacing.game_length(GAMES).filter(pl.col("measure") == "rounds").row(0, named=True)
    assert (row["mean"], row["median"], row["p05"], row["p95"]) == (12, 12, 10, 13)
    assert (row["n_games"], row["n_blocks"]) == (4, 2)
    # Block residuals 22 - 24 and 26 - 24: variance 2 * 8 / 16 = 1, t with one degree of freedom 12.706.
    assert row["mean_high"] - row["mean"] == pytest.approx(12.706, abs=1e-3)
    decisions = pacing.game_length(GAMES).filter(pl.col("measure") == "decisions").row(0, named=True)
    assert (decisions["mean"], decisions["median"], decisions["median_low"]) == (230, 220, None)


def test_histogram_counts_decided_games() -> None:
    found = pacing.length_histogram(GAMES)
    assert found.select("rounds", "games", "share").rows() == [(10, 1, 0.25), (12, 1, 0.25), (13, 2, 0.5)]


# Two games on one deal, one on another. A seat may fall back; one never gets to tier 2, one gets nowhere.
ROUNDS = rounds(
    [
        (0, 0, 0, 0, [0, 1, 1, 2]),
        (0, 0, 1, 1, [1, 0, 1, 1]),
        (0, 1, 0, 1, [1, 2, 2]),
        (0, 1, 1, 0, [0, 0, 0]),
        (1, 2, 0, 0, [0, 1, 2, 2, 2]),
        (1, 2, 1, 1, [0, 0, 1, 1, 2]),
    ]
)


def test_exits_are_first_rounds_at_a_tier_or_the_end_of_the_game() -> None:
    found = pacing.tier_exits(courses(ROUNDS), 3)
    assert found.select("tier", "deal", "round", "reached", "left").rows() == [
        (1, 0, 1, 2, 0),
        (1, 0, 2, 1, 0),
        (1, 0, 3, 0, 1),
        (1, 1, 2, 1, 0),
        (1, 1, 3, 1, 0),
        (2, 0, 2, 1, 0),
        (2, 0, 3, 0, 1),
        (2, 0, 4, 1, 1),
        (2, 1, 3, 1, 0),
        (2, 1, 5, 1, 0),
    ]


def test_curves_take_out_seats_whose_game_is_over() -> None:
    curves = pacing.tier_curves(pacing.tier_exits(courses(ROUNDS), 3))
    first = curves.filter(pl.col("tier") == 1)
    # 2 of 6 in round 1, 2 of the other 4 in round 2, 1 of 2 in round 3, when the last one's game ends.
    assert first["at_risk"].to_list() == [6, 4, 2]
    assert first["share"].to_list() == pytest.approx([1 / 3, 2 / 3, 5 / 6])
    second = curves.filter(pl.col("tier") == 2)
    # In round 4 one of the three still there gets there and one game ends: 5/6 * 4/5 * 2/3 stay.
    assert second["share"].to_list() == pytest.approx([0, 1 / 6, 1 / 3, 5 / 9, 1])
    assert set(curves["n_seats"]) == {6} and set(curves["n_blocks"]) == {2}


def test_summary_says_who_got_there_and_when() -> None:
    found = pacing.tier_summary(pacing.tier_exits(courses(ROUNDS), 3))
    assert found["value"].to_list() == [pytest.approx(5 / 6), pytest.approx(4 / 6)]
    assert found["median"].to_list() == [2, 4]
    assert found["n_games"].to_list() == [6, 6]
    stuck = rounds([(0, 0, seat, seat, [0, 0]) for seat in (0, 1)])
    slow = pacing.tier_summary(pacing.tier_exits(courses(stuck), 3))
    assert slow["median"].to_list() == [None, None] and slow["value"].to_list() == [0, 0]


def test_pace_by_strategy_follows_the_slot_not_the_seat() -> None:
    slots = fairness.line_ups(seats([(2, 0, 0, 0, 0, "builder", 1.0), (2, 0, 0, 0, 1, "raider", 0.0)]))
    exits = pacing.tier_exits(courses(ROUNDS), 3, slots, ["strategy"])
    found = pacing.tier_summary(exits, ["strategy"]).filter(pl.col("tier") == 1)
    assert found["strategy"].to_list() == ["builder", "raider"]
    assert found["value"].to_list() == [pytest.approx(2 / 3), 1]
    assert_frame_equal(pacing.pool_exits(exits), pacing.tier_exits(courses(ROUNDS), 3))


def test_empty_tables_keep_their_columns() -> None:
    exits = pacing.tier_exits(courses(ROUNDS), 3)
    assert pacing.tier_curves(exits.clear()).schema == pacing.tier_curves(exits).schema
    assert pacing.tier_summary(exits.clear()).schema == pacing.tier_summary(exits).schema
    stalled = GAMES.filter(pl.col("outcome") == "stalled")
    assert pacing.game_length(stalled).columns == pacing.game_length(GAMES).columns

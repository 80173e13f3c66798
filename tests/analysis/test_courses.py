"""Games laid out round by round, on tables small enough to read."""

import numpy as np
import polars as pl
import pytest

from blinksim.analysis.courses import NEVER, Course, courses
from blinksim.analysis.fairness import line_ups
from tests.analysis.frames import games, rounds, seats

SCORES = {(0, 0): [3, 5, 5], (0, 1): [3, 4, 9], (1, 0): [1, 2], (1, 1): [2, 2]}
ROUNDS = rounds(
    [(0, 0, 0, 0, [0, 2, 1]), (0, 0, 1, 1, [1, 1, 2]), (7, 1, 0, 1, [0, 0]), (7, 1, 1, 0, [1, 0])], scores=SCORES
)
GAMES = games([(2, 0, "won", 3, 9, 1, 2), (2, 7, "stalled", 2, 9, 0, 0)])


def course() -> Course:
    return next(courses(ROUNDS, GAMES))


def test_rounds_stand_in_a_row_seat_by_seat_whatever_the_order_of_the_table() -> None:
    for table in (ROUNDS, ROUNDS.sort("game", "round", "seat"), ROUNDS.reverse()):
        found = next(courses(table, GAMES))
        assert found.players == 2 and found.deal.tolist() == [0, 7] and found.game.tolist() == [0, 1]
        assert found.rounds.tolist() == [3, 2] and found.start.tolist() == [0, 3] and found.last.tolist() == [2, 4]
        assert found.score.tolist() == [[3, 5, 5, 1, 2], [3, 4, 9, 2, 2]]
        assert found.tier.tolist() == [[0, 2, 1, 0, 0], [1, 1, 2, 1, 0]]
        assert found.slot.tolist() == [[0, 1], [1, 0]]
        assert found.number.tolist() == [1, 2, 3, 1, 2]


def test_who_is_level_does_not_lead() -> None:
    assert course().leaders().tolist() == [-1, 0, 1, 1, -1]


def test_arrivals_are_first_rounds_at_a_tier_or_above() -> None:
    assert course().arrivals(3).tolist() == [[[2, NEVER], [2, NEVER]], [[1, 1], [3, NEVER]]]


def test_shares_are_nothing_where_the_game_stalled_and_parts_where_it_is_shared() -> None:
    assert course().shares().tolist() == [[0, 0], [1, 0]]
    shared = next(courses(ROUNDS, games([(2, 0, "shared", 3, 9, 1, 3), (2, 7, "won", 2, 9, 0, 1)])))
    assert shared.shares().tolist() == [[0.5, 1], [0.5, 0]]
    assert shared.decided.all() and course().decided.tolist() == [True, False]


def test_without_the_games_nobody_has_won() -> None:
    assert next(courses(ROUNDS)).winners.tolist() == [0, 0]


def test_sums_by_deal_leave_out_what_does_not_count() -> None:
    found = course().per_deal(np.array([2.0, 5.0]))
    assert found.rows() == [(2, 0, 2.0, 1.0, 1), (2, 7, 0.0, 0.0, 0)]
    assert course().per_deal(np.ones(2), np.array([3, 4]))["count"].to_list() == [3, 4]


def test_names_follow_the_slot() -> None:
    slots = line_ups(seats([(2, 0, 0, 0, 0, "builder", 1.0), (2, 0, 0, 0, 1, "raider", 0.0)]))
    codes, names = course().of_slots(slots, "strategy")
    assert names == ["builder", "raider"] and codes.tolist() == [[0, 1], [1, 0]]


def test_player_counts_come_one_by_one_and_broken_tables_are_refused() -> None:
    three = rounds([(0, 0, seat, seat, [0]) for seat in range(3)], players=3)
    assert [found.players for found in courses(pl.concat([three, ROUNDS]))] == [2, 3]
    with pytest.raises(AssertionError, match="a row for every seat"):
        next(courses(ROUNDS.filter((pl.col("seat") == 0) | (pl.col("round") > 1))))

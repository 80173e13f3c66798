"""Endings, on a table small enough to count by hand."""

import polars as pl
import pytest

from blinksim.analysis import endings
from tests.analysis.frames import games

# Three players: seat 0 announces and wins; seats 1 and 2 announce, seat 2 wins; seat 2 announces and shares with
# seat 0; all three share; a stall. Two players: one game, won by the other.
GAMES = games(
    [
        (3, 0, "won", 10, 100, 0b001, 0b001),
        (3, 0, "won", 11, 100, 0b110, 0b100),
        (3, 1, "shared", 12, 100, 0b100, 0b101),
        (3, 1, "shared", 13, 100, 0b001, 0b111),
        (3, 2, "stalled", 200, 900, 0, 0),
        (2, 0, "won", 9, 80, 0b01, 0b10),
    ]
)


def test_outcomes_are_of_all_games_and_none_is_left_out() -> None:
    found = endings.outcomes(GAMES)
    assert found.select("players", "outcome", "games", "n_games").rows() == [
        (2, "won", 1, 1),
        (2, "shared", 0, 1),
        (2, "stalled", 0, 1),
        (3, "won", 2, 5),
        (3, "shared", 2, 5),
        (3, "stalled", 1, 5),
    ]
    assert found["value"].to_list() == [1, 0, 0, 0.4, 0.4, 0.2]


def test_stalls_by_line_up() -> None:
    assert endings.stalls(GAMES).select("players", "line_up", "games", "value").rows() == [(2, 0, 0, 0), (3, 0, 1, 0.2)]
    overall = endings.stalled_overall(GAMES)
    assert (overall.value, overall.n_blocks, overall.n_games) == (pytest.approx(1 / 6), 4, 6)


def test_wins_of_who_announces_the_end_are_split_like_victories() -> None:
    found = endings.armer_win_share(GAMES)
    assert found["players"].to_list() == [2, 3]
    assert found["value"].to_list() == [0, pytest.approx((1 + 1 / 2 + 1 / 2 + 1 / 3) / 4)]
    assert found["n_games"].to_list() == [1, 4]
    assert found["fair"].to_list() == [1 / 2, 1 / 3]


def test_which_seat_announces_has_a_row_for_every_seat() -> None:
    found = endings.armed_by_seat(GAMES)
    assert found.select("players", "seat", "value").rows() == [
        (2, 0, 1.0),
        (2, 1, 0.0),
        (3, 0, 0.5),
        (3, 1, 0.125),
        (3, 2, 0.375),
    ]
    assert found.filter(pl.col("players") == 3)["value"].sum() == pytest.approx(1)


def test_the_round_of_the_announcement() -> None:
    assert endings.armed_round(GAMES)["value"].to_list() == [8, 10.5]


def test_stalled_games_alone_give_empty_tables_with_columns() -> None:
    stalled = GAMES.filter(pl.col("outcome") == "stalled")
    for measure in (endings.armer_win_share, endings.armed_by_seat):
        assert measure(stalled).is_empty()
        assert measure(stalled).columns == measure(GAMES).columns
    assert endings.armed_round(stalled).columns == endings.armed_round(GAMES).columns

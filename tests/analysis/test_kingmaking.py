"""Who makes the king, in games of three that can be followed by eye."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from blinksim.analysis import kingmaking
from blinksim.analysis.courses import courses
from tests.analysis.frames import games, rounds

# Seat 0 leads before the last round of every game, seat 2 is far behind.
BEFORE = (10, 9, 1)
AFTER = [(12, 11, 2)] * 200 + [(10, 11, 3), (10, 11, 3), (10, 13, 3), (12, 11, 3)]
"""In the last four games seat 2 hits somebody: the leader, seat 1, the leader, the leader."""
HITS = [(200, 0, "home"), (201, 1, "home"), (202, 0, "home"), (203, 0, "falls_back")]


def duels(hits: Sequence[tuple[int, int, str]], seat: int = 2, number: int = 2) -> pl.LazyFrame:
    rows = [(3, game, number, seat, defender, "beaten", fate) for game, defender, fate in hits]
    types = {"players": pl.Int8, "game": pl.Int64, "round": pl.Int16, "seat": pl.Int8, "defender": pl.Int8}
    types |= {"result": pl.Enum(["held", "beaten"]), "unit_fate": pl.Enum(["stays", "home", "falls_back"])}
    return pl.DataFrame(rows, schema=types, orient="row").lazy()


def tables() -> tuple[pl.LazyFrame, pl.LazyFrame]:
    scores = {(game, seat): [BEFORE[seat], after[seat]] for game, after in enumerate(AFTER) for seat in range(3)}
    table = rounds([(game // 4, game, seat, seat, [0, 0]) for game, seat in scores], players=3, scores=scores)
    won = [2 ** int(np.argmax(after)) for after in AFTER]
    return table, games([(3, game // 4, "won", 2, 9, 1, winner) for game, winner in enumerate(won)])


def measured(table: pl.LazyFrame) -> dict[str, tuple[float, int]]:
    found, _ = kingmaking.kingmaking(courses(*tables()), table)
    assert found["measure"].to_list() == list(kingmaking.MEASURES)
    return {row["measure"]: (row["value"], row["n_games"]) for row in found.iter_rows(named=True)}


def test_out_of_it_is_as_far_behind_as_seats_that_never_win() -> None:
    course = next(courses(*tables()))
    leader = np.zeros(len(AFTER), dtype=np.int64)
    gaps = np.tile(np.array([[0], [1], [9]]), len(AFTER))
    # Seat 1, a point behind, wins three games of 204; with seat 2, which never wins, three of 408.
    assert kingmaking.hopeless_distance(course, leader, gaps) == 1
    assert kingmaking.hopeless_distance(course, leader - 1, gaps) is None
    found, distance = kingmaking.kingmaking(courses(*tables()), duels(HITS))
    assert distance.rows() == [(3, 1)] and found["n_blocks"][0] == 51


def test_the_king_is_made_where_the_leader_lacks_no_more_than_it_lost() -> None:
    found = measured(duels(HITS))
    assert found["out_of_it"] == (1, 204)
    assert found["leader_hit"] == (pytest.approx(3 / 204), 204)
    # Hit leaders: the first loses by one point and lost a unit, the second by three, the third wins.
    assert found["overturned_hit"] == (pytest.approx(2 / 3), 3)
    assert found["overturned_not_hit"] == (pytest.approx(1 / 201), 201)
    assert found["made"] == (pytest.approx(1 / 204), 204)


def test_only_hits_of_the_last_round_by_seats_that_are_out_of_it_count() -> None:
    for other in (duels(HITS, number=1), duels(HITS, seat=0)):
        assert measured(other)["leader_hit"][0] == 0 and measured(other)["made"][0] == 0


def test_two_players_cannot_make_kings() -> None:
    two = rounds([(0, 0, seat, seat, [0, 0]) for seat in (0, 1)])
    found, distance = kingmaking.kingmaking(courses(two, games([(2, 0, "won", 2, 9, 1, 1)])), duels([]))
    assert found.is_empty() and distance.is_empty()

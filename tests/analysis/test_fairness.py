"""Win shares by seat and by strategy, on tables small enough to count by hand."""

import polars as pl
import pytest

from blinksim.analysis import fairness
from blinksim.analysis.estimates import Verdict, share, simultaneous_level
from tests.analysis.frames import seats

# Two deals of two games each between builder (0) and raider (1); a shared game and a stalled one among them.
TABLE = seats(
    [
        (2, 0, 0, 0, 0, "builder", 1.0),
        (2, 0, 0, 0, 1, "raider", 0.0),
        (2, 0, 0, 1, 0, "raider", 0.5),
        (2, 0, 0, 1, 1, "builder", 0.5),
        (2, 0, 1, 2, 0, "builder", 1.0),
        (2, 0, 1, 2, 1, "raider", 0.0),
        (2, 0, 1, 3, 0, "raider", None),
        (2, 0, 1, 3, 1, "builder", None),
    ]
)


def test_shared_wins_are_split_and_stalled_games_left_out() -> None:
    found = fairness.seat_win_share(TABLE)
    assert found.select("players", "seat").rows() == [(2, 0), (2, 1)]
    assert found["value"].to_list() == [pytest.approx(2.5 / 3), pytest.approx(0.5 / 3)]
    assert found["n_games"].to_list() == [3, 3] and found["n_blocks"].to_list() == [2, 2]
    assert found["fair"].to_list() == [0.5, 0.5]
    assert found["verdict"].to_list() == ["not enough games"] * 2


def test_intervals_of_the_seats_hold_together() -> None:
    blocks = pl.DataFrame({"total": [1.5, 1.0], "count": [2, 1], "games": [2, 1]})
    expected = share(blocks, level=simultaneous_level(2))
    row = fairness.seat_win_share(TABLE).row(0, named=True)
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))
    assert row["method"].startswith("97.47 % Wilson")


def test_thirds_add_up_exactly() -> None:
    third = seats([(3, 0, deal, deal, seat, "random", 1 / 3) for deal in range(7) for seat in range(3)])
    blocks = fairness.win_blocks(third, ["seat"])
    assert blocks["total"].to_list() == [4 / 12] * 21


def test_strategies_are_compared_per_seat_and_mirrors_left_out() -> None:
    rows = []
    for deal in range(4):
        # Line-up 0: two builders and a raider; the raider wins on even deals, a builder on odd ones.
        rows += [(3, 0, deal, 2 * deal, 0, "builder", float(deal % 2)), (3, 0, deal, 2 * deal, 1, "builder", 0.0)]
        rows += [(3, 0, deal, 2 * deal, 2, "raider", float(deal % 2 == 0))]
        rows += [(3, 1, deal, 2 * deal + 1, seat, "raider", float(seat == 0)) for seat in range(3)]
    found = fairness.strategy_win_share(seats(rows))
    assert found.select("line_up", "strategy").rows() == [(0, "builder"), (0, "raider")]
    assert found["value"].to_list() == [pytest.approx(2 / 8), pytest.approx(2 / 4)]
    assert found["n_games"].to_list() == [4, 4]
    assert fairness.strategy_win_share(seats(rows).filter(pl.col("line_up") == 1)).is_empty()


def test_line_ups_are_named_by_slot() -> None:
    found = fairness.line_ups(TABLE.filter(pl.col("game").is_in([0, 2])))
    assert found.rows() == [(2, 0, 0, "builder", False), (2, 0, 1, "raider", False)]
    mirror = fairness.line_ups(seats([(2, 3, 0, 0, seat, "random", 0.5) for seat in range(2)]))
    assert mirror["mirror"].to_list() == [True, True]


def rigged(first: float, deals: int = 3000) -> pl.LazyFrame:
    """Single games of two players of which seat 0 wins a share."""
    wins = [int(i * first) < int((i + 1) * first) for i in range(deals)]
    return seats(
        [
            (2, 0, deal, deal, seat, "random", float(won == (seat == 0)))
            for deal, won in enumerate(wins)
            for seat in (0, 1)
        ]
    )


@pytest.mark.parametrize(
    ("first", "deals", "verdict"),
    [
        (0.5, 3000, Verdict.FAIR),
        (0.6, 3000, Verdict.NOT_FAIR),
        (0.5, 300, Verdict.NOT_ENOUGH),
        (0.53, 3000, Verdict.NOT_ENOUGH),
    ],
)
def test_verdicts(first: float, deals: int, verdict: Verdict) -> None:
    found = fairness.seat_win_share(rigged(first, deals))
    assert fairness.table_verdict(found) == verdict
    assert found["verdict"].to_list() == [str(verdict)] * 2
    assert fairness.table_verdict(found, margin=0.5) == Verdict.FAIR


def test_a_table_without_decided_games_has_no_rows_but_its_columns() -> None:
    found = fairness.seat_win_share(TABLE.filter(pl.col("win_share").is_null()))
    assert found.is_empty()
    assert found.columns == fairness.seat_win_share(TABLE).columns

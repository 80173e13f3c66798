"""Score composition, on a table small enough to count by hand."""

import polars as pl
import pytest

from blinksim.analysis import scores
from tests.analysis.frames import seats

TABLE = seats(
    [
        (2, 0, 0, 0, 0, "builder", 1.0),
        (2, 0, 0, 0, 1, "raider", 0.0),
        (2, 0, 1, 1, 0, "raider", 0.5),
        (2, 0, 1, 1, 1, "builder", 0.5),
        (2, 0, 1, 2, 0, "raider", None),
        (2, 0, 1, 2, 1, "builder", None),
    ],
    points_units=[20, 12, 16, 18, 99, 99],
    points_row=[10, 4, 8, 6, 99, 99],
    points_objectives=[6, 2, 4, 4, 99, 99],
    points=[36, 18, 28, 28, 297, 297],
)


def parts(frame: pl.DataFrame, **where: object) -> dict[str, float]:
    rows = frame.filter(*[pl.col(name) == value for name, value in where.items()])
    return dict(zip(rows["part"], rows["value"], strict=True))


def test_points_by_seat() -> None:
    found = scores.score_parts(TABLE, ["seat"])
    assert parts(found, seat=0) == {"units": 18, "row": 9, "objectives": 5, "total": 32}
    assert parts(found, seat=1) == {"units": 15, "row": 5, "objectives": 3, "total": 23}
    assert found["n_games"].to_list() == [2] * 8


def test_winners_include_those_who_share_and_stalled_games_are_left_out() -> None:
    found = scores.score_parts(scores.with_result(TABLE), ["result"])
    assert parts(found, result="winners") == {
        "units": pytest.approx(54 / 3),
        "row": 8,
        "objectives": pytest.approx(14 / 3),
        "total": pytest.approx(92 / 3),
    }
    assert parts(found, result="others") == {"units": 12, "row": 4, "objectives": 2, "total": 18}
    winners = found.filter(pl.col("result") == "winners")
    assert winners["of_total"].to_list() == pytest.approx([54 / 92, 24 / 92, 14 / 92, 1])


def test_points_by_strategy_are_named() -> None:
    found = scores.score_parts(TABLE, ["strategy"])
    assert found["strategy"].dtype == pl.String
    assert parts(found, strategy="builder")["total"] == 32


def test_parts_add_up_to_the_total() -> None:
    for part in scores.score_parts(TABLE, ["seat"]).partition_by("seat"):
        values = part["value"].to_list()
        assert sum(values[:3]) == pytest.approx(values[3])

"""What opens a section: the middle player count, the range over all, and what intervals say."""

import polars as pl

from blinksim.report.topics import findings

FRAME = pl.DataFrame(
    {
        "players": [4, 2, 3], "value": [0.62, 0.47, 0.50], "low": [0.6, 0.4, 0.45], "high": [0.65, 0.5, 0.55],
        "n_blocks": [40, 40, 40],
    }
)  # fmt: skip


def thin(*players: int) -> pl.DataFrame:
    """The frame with too few deals of some player counts."""
    few = pl.col("players").is_in(players)
    return FRAME.with_columns(n_blocks=pl.when(few).then(3).otherwise("n_blocks"))


def test_the_middle_player_count_speaks_of_those_with_enough_deals() -> None:
    row = findings.typical(FRAME)
    assert row is not None and findings.at(row) == "with 3 players"
    other = findings.typical(thin(3, 4))
    assert other is not None and findings.at(other) == "with 2 players"
    assert findings.typical(thin(2, 3, 4)) is None and findings.typical(FRAME.clear()) is None


def test_the_range_stands_beside_it_where_there_is_one() -> None:
    assert findings.span(FRAME) == " (47 to 62\u00a0% by player count)"
    assert findings.span(thin(4)) == " (47 to 50\u00a0% by player count)"
    assert findings.span(thin(3, 4)) == ""
    assert findings.span(FRAME.with_columns(value=0.5)) == " (about 50\u00a0% by player count)"
    assert findings.span_number(FRAME) == " (0.5 to 0.6 by player count)"
    assert findings.span_number(FRAME, 2) == " (0.47 to 0.62 by player count)"
    assert findings.span_number(thin(2), 0) == " (0 to 1 by player count)"


def test_sides_are_told_by_intervals() -> None:
    row = {"low": 0.4, "high": 0.5}
    assert [findings.side(row, *other) for other in ((0.6, 0.7), (0.45, 0.6), (0.5, 0.5), (0.1, 0.3))] == [0, 1, 1, 2]


def test_paragraphs_leave_out_what_says_nothing() -> None:
    assert findings.joined(["One.", "", "Two."]) == ["One. Two."] and findings.joined(["", ""]) == []

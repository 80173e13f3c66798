"""Estimates for many cells are those for one, cell by cell."""

from functools import partial

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from blinksim.analysis import cells
from blinksim.analysis.abreast import rivals, round_before
from blinksim.analysis.estimates import estimate_groups, ratio, share


def blocks(num_deals: int = 30) -> pl.DataFrame:
    """Four kinds of cell with their deals: of all sorts, always, never, and once in three in every deal."""
    rng = np.random.default_rng(4)
    rows = []
    for deal in range(num_deals):
        count = int(rng.integers(0, 7))
        rows.append(("mixed", deal, int(rng.binomial(count, 0.4)), count, 2))
        rows += [("always", deal, 4, 4, 2), ("never", deal, 0, 3, 2), ("third", deal, deal + 1, 3 * (deal + 1), 2)]
    rows.append(("alone", 0, 1, 2, 2))
    return pl.DataFrame(rows, ["cell", "deal", "total", "count", "games"], orient="row")


def test_shares_and_ratios_are_those_of_single_groups() -> None:
    frame = blocks()
    for many, one in ((cells.share_cells, share), (cells.ratio_cells, ratio)):
        expected = estimate_groups(frame, ["cell"], partial(one, level=0.9))
        assert_frame_equal(many(frame, ["cell"], level=0.9), expected, abs_tol=1e-9)


def test_blocks_may_come_in_any_order_and_lazily() -> None:
    frame = blocks()
    turned = frame.sample(fraction=1, shuffle=True, seed=2)
    assert_frame_equal(cells.share_cells(turned.lazy(), ["cell"]), cells.share_cells(frame, ["cell"]), check_exact=True)


def test_cells_in_which_nothing_was_counted_are_not_there() -> None:
    frame = blocks().with_columns(count=pl.when(pl.col("cell") == "never").then(0).otherwise("count"))
    assert "never" not in cells.share_cells(frame, ["cell"])["cell"].to_list()
    empty = cells.ratio_cells(frame.clear(), ["cell"])
    assert empty.height == 0 and empty.schema == cells.ratio_cells(frame, ["cell"]).schema


def test_measures_stand_below_each_other_in_their_order() -> None:
    measures = {"won": ("total", "count"), "games": ("games", "games")}
    found = cells.long_shares(blocks().filter(pl.col("cell") == "always"), ["cell"], measures)
    assert found.select("cell", "measure", "value").rows() == [("always", "won", 1.0), ("always", "games", 1.0)]
    means = cells.long_ratios(blocks().filter(pl.col("cell") == "never"), ["cell"], {"a game": ("count", "games")})
    assert means["value"].to_list() == [1.5]


def test_the_first_deals_are_whole_and_no_more_than_asked() -> None:
    games = pl.DataFrame({"players": [2] * 12 + [3] * 9, "deal": [0, 1, 2, 3] * 3 + [0, 1, 2] * 3})
    kept = games.filter(cells.first_deals(games.lazy(), 9))
    assert kept.group_by("players").agg(pl.col("deal").unique().sort()).sort("players")["deal"].to_list() == [
        [0, 1, 2],
        [0, 1, 2],
    ]
    few = games.filter(cells.first_deals(games.lazy(), 1))
    assert few["deal"].unique().sort().to_list() == [0, 1]  # two deals at least, for an interval


def test_no_games_no_first_deals() -> None:
    nothing = pl.DataFrame(schema={"players": pl.Int8, "deal": pl.Int32})
    assert nothing.filter(cells.first_deals(nothing.lazy())).is_empty()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rows_abreast_find_rivals_and_the_round_before(players: int) -> None:
    rows = [(game, number, seat) for game in range(2) for number in (1, 2, 3) for seat in range(players)]
    frame = pl.DataFrame(rows, ["game", "round", "seat"], orient="row").with_columns(
        mine=pl.col("game") * 100 + pl.col("round") * 10 + pl.col("seat")
    )
    others = [expr.alias(f"r{i}") for i, expr in enumerate(rivals(players, "mine"))]
    found = frame.with_columns(*others, before=round_before(players, "mine"))
    for row in found.iter_rows(named=True):
        table = row["game"] * 100 + row["round"] * 10
        assert [row[f"r{i}"] for i in range(players - 1)] == [
            table + (row["seat"] + step) % players for step in range(1, players)
        ]
        if row["round"] > 1:
            assert row["before"] == row["mine"] - 10

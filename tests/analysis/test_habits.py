"""What strategies do, by hand."""

import polars as pl
import pytest

from blinksim.analysis import habits
from blinksim.analysis.fairness import line_ups
from blinksim.games.blink.tables import TABLES
from tests.analysis.frames import seats

TABLE = seats(
    [
        (2, 0, 0, 0, 0, "builder", 1.0),
        (2, 0, 0, 0, 1, "raider", 0.0),
        (2, 0, 1, 1, 0, "builder", None),
        (2, 0, 1, 1, 1, "raider", None),
    ],
    **{column: [1, 2, 3, 4] for column in habits.DEEDS.values()},
)


def test_deeds_are_means_of_a_seat_and_game_stalled_ones_too() -> None:
    found = habits.habits(TABLE)
    assert found["deed"].unique(maintain_order=True).to_list() == list(habits.DEEDS)
    walls = found.filter(pl.col("deed") == "coins on units")
    assert walls.select("strategy", "value", "n_games", "n_blocks").rows() == [
        ("builder", 2, 2, 2),
        ("raider", 3, 2, 2),
    ]
    assert (found["low"] >= 0).all()


def test_every_deed_is_a_column_of_the_table() -> None:
    table = next(table for table in TABLES if table.name == "seats")
    assert set(habits.DEEDS.values()) <= {column.name for column in table.columns}


def test_fights_are_told_from_both_sides() -> None:
    rows = [(2, 0, 0, 0, 1, "beaten"), (2, 0, 0, 0, 1, "held"), (2, 0, 1, 1, 0, "held"), (2, 0, 1, 0, 1, "beaten")]
    types = {"players": pl.Int8, "line_up": pl.Int16, "deal": pl.Int32, "slot": pl.Int8, "defender_slot": pl.Int8}
    duels = pl.DataFrame(rows, schema=types | {"result": pl.Enum(["held", "beaten"])}, orient="row")
    found = habits.fights(duels.lazy(), line_ups(TABLE))
    told = {(row["strategy"], row["side"]): (row["value"], row["n_games"]) for row in found.iter_rows(named=True)}
    assert told == {
        ("builder", "attacks"): (pytest.approx(2 / 3), 3),
        ("builder", "is attacked"): (1, 1),
        ("raider", "attacks"): (0, 1),
        ("raider", "is attacked"): (pytest.approx(1 / 3), 3),
    }

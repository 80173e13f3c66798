"""Time on tiers, steps back, and melds against the limit, counted by hand."""

import polars as pl
import pytest

from blinksim.analysis import climbing

LIMITS = (2, 3)
COLUMNS = ["deal", "round", "lay_tier", "tier", "lay_hand", "meld_cards", "units_lost", "units_gained"]
ROWS = [
    (0, 1, 0, 1, 9, 2, 0, 2),
    (0, 2, 1, 1, 7, 3, 0, 1),
    (0, 3, 1, 0, 2, 2, 3, 1),  # thrown back by three units, one regained; too few cards for the limit
    (1, 1, 0, 0, 9, 1, 0, 1),
    (1, 2, 0, 1, 8, 2, 0, 1),
    (1, 3, 1, 0, 6, 1, 1, 0),  # thrown back by a single unit
]
ROUNDS = pl.DataFrame(ROWS, schema=dict.fromkeys(COLUMNS, pl.Int8), orient="row").with_columns(
    players=pl.lit(2, pl.Int8)
)
FOUND = climbing.turns(ROUNDS.lazy(), LIMITS)


def test_time_on_a_tier_is_rounds_begun_there_by_seat() -> None:
    found = climbing.time_in_tier(FOUND)
    assert found["tier"].to_list() == [0, 1] and found["value"].to_list() == [1.5, 1.5]
    assert found["n_games"].to_list() == [2, 2] and found["of_game"].to_list() == [0.5, 0.5]


def test_seats_that_never_came_to_a_tier_count_with_no_time() -> None:
    early = climbing.turns(ROUNDS.filter((pl.col("deal") == 0) | (pl.col("round") < 3)).lazy(), LIMITS)
    upper = climbing.time_in_tier(early).row(1, named=True)
    assert upper["value"] == pytest.approx(2 / 2) and upper["n_blocks"] == 2


def test_steps_back_say_how_many_units_did_it() -> None:
    row = climbing.steps_back(FOUND).row(0, named=True)
    assert row["tier"] == 1 and row["value"] == pytest.approx(2 / 3) and row["n_games"] == 3
    assert (row["units_lost"], row["units_gained"], row["one_unit"], row["per_seat"]) == (2, 0.5, 0.5, 1)


def test_melds_are_held_against_the_limit_where_the_hand_had_enough() -> None:
    lower, upper = climbing.melds(FOUND, LIMITS).iter_rows(named=True)
    assert (lower["limit"], lower["value"], lower["at_limit"], lower["could"]) == (
        2,
        pytest.approx(5 / 3),
        pytest.approx(2 / 3),
        1,
    )
    assert (upper["limit"], upper["value"], upper["at_limit"]) == (3, 2, 0.5)
    assert upper["could"] == pytest.approx(2 / 3) and upper["n_games"] == 3


def test_units_come_home_from_behind_cards_walls_or_nothing() -> None:
    rows = [(0, 0, 0, "home", True), (0, 0, 12, "home", False), (1, 9, 12, "home", True), (1, 0, 0, "falls_back", True)]
    types = {"deal": pl.Int32, "answer_rank": pl.Int8, "wall": pl.Int8}
    types |= {"unit_fate": pl.Enum(["stays", "home", "falls_back"]), "captured": pl.Boolean}
    duels = pl.DataFrame(rows, schema=types, orient="row").with_columns(players=pl.lit(2, pl.Int8))
    found = climbing.sent_home(duels.lazy())
    assert dict(found.select("defence", "value").iter_rows()) == pytest.approx(dict.fromkeys(climbing.DEFENCES, 1 / 3))
    assert dict(found.select("defence", "captured").iter_rows()) == {"nothing": 1, "a wall": 0, "a card": 1}
    assert found["n_games"].to_list() == [3, 3, 3]

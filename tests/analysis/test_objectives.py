"""What became of objectives and what being dealt them does, on small tables made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from blinksim.analysis.objectives import MEASURES, holdings, lift, scored

NAMES = pl.Enum(["ocean_mountain", "plains_forest", "forest_plains"])


def table(rows: Sequence[Sequence[Any]]) -> pl.LazyFrame:
    """The table ``objectives``: players, deal, game, slot, objective, shown, first held, arrangements, gold, lost.

    Hands are not shifted; an arrangement is worth 2 points.
    """
    schema: dict[str, Any] = {"players": pl.Int8, "deal": pl.Int32, "game": pl.Int64, "slot": pl.Int8}
    schema |= {"objective": NAMES, "shown": pl.Boolean, "first_held": pl.Int16, "arrangements": pl.Int8}
    schema |= {"gold": pl.Int32, "times_lost": pl.Int16}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    shifts = [pl.lit(0, pl.Int8).alias(name) for name in ("hand_shift", "seat_shift")]
    return frame.with_columns(*shifts, seat=pl.col("slot"), points=2 * pl.col("arrangements").cast(pl.Int32)).lazy()


HELD = table(
    [
        (2, 0, 0, 0, "plains_forest", True, 3, 2, 1, 0),
        (2, 0, 0, 1, "ocean_mountain", True, 0, 0, 0, 0),
        (2, 0, 1, 0, "plains_forest", False, 5, 0, 2, 1),
        (2, 1, 2, 0, "plains_forest", False, 4, 1, 0, 0),
        (2, 1, 3, 0, "plains_forest", False, 0, 0, 0, 0),
    ]
)  # fmt: skip


def test_holdings_of_those_who_had_it() -> None:
    found = holdings(HELD)
    rows = {(row["objective"], row["measure"]): row for row in found.iter_rows(named=True)}
    assert {measure for _, measure in rows} == set(MEASURES)
    forest = {measure: row["value"] for (name, measure), row in rows.items() if name == "plains_forest"}
    assert forest["shown"] == pytest.approx(1 / 4)
    assert forest["ever_held"] == pytest.approx(3 / 4)
    assert forest["held_at_end"] == pytest.approx(2 / 4)
    assert forest["held_at_end_if_shown"] == 1 and forest["held_at_end_if_hidden"] == pytest.approx(1 / 3)
    assert forest["first_round"] == pytest.approx((3 + 5 + 4) / 3)
    assert forest["arrangements"] == pytest.approx(3 / 4) and forest["points"] == pytest.approx(6 / 4)
    assert forest["coins"] == pytest.approx(3 / 4) and forest["broken"] == pytest.approx(1 / 4)
    assert rows["plains_forest", "shown"]["n_games"] == 4 and rows["plains_forest", "shown"]["n_blocks"] == 2
    assert rows["ocean_mountain", "first_round"]["n_blocks"] == 0  # never held


def test_dead_alive_and_not_enough_games() -> None:
    rows = []
    for deal in range(200):
        rows.append((2, deal, deal, 0, "plains_forest", True, 1, 1, 0, 0))
        rows.append((2, deal, deal, 1, "ocean_mountain", True, 0, 0, 0, 0))
    rows += [(3, deal, deal, 0, "forest_plains", True, 0, 0, 0, 0) for deal in range(3)]
    verdicts = {row["objective"]: row["verdict"] for row in scored(holdings(table(rows))).iter_rows(named=True)}
    assert verdicts == {"plains_forest": "alive", "ocean_mountain": "dead", "forest_plains": "not enough games"}


def outcomes(wins: np.ndarray) -> pl.DataFrame:
    """One game a deal of two players; points are ten times the wins."""
    deals, players = wins.shape
    return pl.DataFrame(
        {
            "players": pl.Series([players] * wins.size, dtype=pl.Int8),
            "deal": pl.Series(np.repeat(np.arange(deals), players), dtype=pl.Int32),
            "position": pl.Series(list(range(players)) * deals, dtype=pl.Int8),
            "games": [1] * wins.size,
            "wins": wins.ravel(),
            "points": 10 * wins.ravel(),
        }
    )


def test_lift_sets_the_dealt_against_the_others_of_the_deal() -> None:
    rng = np.random.default_rng(1)
    holder = rng.integers(0, 2, 60)
    wins = np.where(rng.random(60) < 0.8, holder, 1 - holder)[:, None] == np.arange(2)
    rows = []
    for deal, seat in enumerate(holder.tolist()):
        rows.append((2, deal, deal, seat, "ocean_mountain", True, 0, 0, 0, 0))
        rows.append((2, deal, deal, 1 - seat, "plains_forest", True, 0, 0, 0, 0))
    found = lift(table(rows), outcomes(wins.astype(float)))
    by = {(row["objective"], row["result"]): row for row in found.iter_rows(named=True)}
    won = float((wins[np.arange(60), holder]).mean())
    assert by["ocean_mountain", "win_share"]["value"] == pytest.approx(2 * won - 1)
    assert by["plains_forest", "win_share"]["value"] == pytest.approx(1 - 2 * won)
    assert by["ocean_mountain", "points"]["value"] == pytest.approx(10 * (2 * won - 1))
    assert by["ocean_mountain", "win_share"]["p"] < 0.01
    assert by["ocean_mountain", "win_share"]["n_blocks"] == 60


def test_hands_shift_over_slots() -> None:
    rows = [(2, 0, 0, 0, "ocean_mountain", True, 0, 0, 0, 0), (2, 0, 1, 1, "ocean_mountain", True, 0, 0, 0, 0)]
    shifted = table(rows).with_columns(hand_shift=pl.col("game").cast(pl.Int8))  # game 1: slot 1 plays position 0
    found = lift(shifted, outcomes(np.array([[1.0, 0.0]])))
    assert found.filter(pl.col("result") == "win_share")["value"].to_list() == [1.0]


def test_deals_of_which_a_hand_is_missing_and_no_deals_at_all() -> None:
    rows = [(2, 0, 0, 0, "ocean_mountain", True, 0, 0, 0, 0)]
    part = outcomes(np.array([[1.0, 0.0]])).head(1)
    assert lift(table(rows), part).is_empty()
    assert lift(table(rows), part.clear()).is_empty()
    assert holdings(table([])).is_empty()

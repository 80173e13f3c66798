"""Who beats whom, and what each strategy does, on small tables made by hand."""

from __future__ import annotations

import polars as pl
import pytest

from blinksim.analysis.meetings import doings, duels, head_to_head, win_shares
from tests.analysis.frames import seats

COINS = {"cash": "a", "income": "b"}
TABLE = seats(
    [
        (2, 0, 0, 0, 0, "builder", 1), (2, 0, 0, 0, 1, "raider", 0),
        (2, 0, 0, 1, 0, "raider", 1), (2, 0, 0, 1, 1, "builder", 0),
        (2, 0, 1, 2, 0, "builder", 1), (2, 0, 1, 2, 1, "raider", 0),
        (2, 0, 1, 3, 0, "raider", 0.5), (2, 0, 1, 3, 1, "builder", 0.5),
        (2, 1, 0, 4, 0, "builder", 1), (2, 1, 0, 4, 1, "random", 0),
        (2, 1, 1, 5, 0, "builder", None), (2, 1, 1, 5, 1, "random", None),
    ],
    a=[1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0],
    b=[1] * 12,
).with_columns(slot=pl.when(pl.col("strategy") == "builder").then(0).otherwise(1))  # fmt: skip


def test_head_to_head_both_ways_round() -> None:
    found = head_to_head(TABLE)
    pairs = {(row["strategy"], row["rival"]): row for row in found.iter_rows(named=True)}
    assert set(pairs) == {("builder", "raider"), ("raider", "builder"), ("builder", "random"), ("random", "builder")}
    assert pairs["builder", "raider"]["value"] == pytest.approx(2.5 / 4)
    assert pairs["raider", "builder"]["value"] == pytest.approx(1.5 / 4)
    assert pairs["builder", "random"]["value"] == 1  # the stalled game does not count
    assert (pairs["builder", "raider"]["n_games"], pairs["builder", "raider"]["n_blocks"]) == (4, 2)
    low, high = pairs["builder", "raider"]["low"], pairs["builder", "raider"]["high"]
    assert (pairs["raider", "builder"]["high"], pairs["raider", "builder"]["low"]) == pytest.approx((1 - low, 1 - high))


def test_head_to_head_of_a_mirror_is_empty() -> None:
    mirror = seats([(2, 0, 0, 0, 0, "builder", 1), (2, 0, 0, 0, 1, "builder", 0)])
    assert head_to_head(mirror).is_empty()


def test_win_shares_of_all_line_ups_together_the_best_first() -> None:
    found = win_shares(TABLE)
    assert found["strategy"].to_list() == ["builder", "raider", "random"]
    assert found["value"].to_list() == pytest.approx([3.5 / 5, 1.5 / 4, 0])
    assert set(found["fair"]) == {0.5}


def test_doings_are_means_of_a_seat_in_a_game_stalled_ones_too() -> None:
    found = doings(TABLE, COINS)
    rows = {(row["strategy"], row["part"]): row for row in found.iter_rows(named=True)}
    assert rows["builder", "cash"]["value"] == pytest.approx((1 + 4 + 5 + 8) / 6)
    assert rows["builder", "income"]["value"] == 1
    assert rows["builder", "total"]["value"] == pytest.approx(4)
    assert found.filter(pl.col("strategy") == "builder")["part"].to_list() == ["cash", "income", "total"]


def test_duels_of_attackers_and_defenders() -> None:
    rows = [(2, 0, 0, 0, 1, "beaten"), (2, 0, 0, 0, 1, "held"), (2, 0, 1, 0, 1, "beaten"), (2, 0, 1, 1, 0, "held")]
    schema = {"players": pl.Int8, "line_up": pl.Int16, "deal": pl.Int32, "slot": pl.Int8, "defender_slot": pl.Int8}
    attacks = pl.DataFrame(rows, schema | {"result": pl.Enum(["held", "beaten"])}, orient="row")
    found = {(row["strategy"], row["side"]): row for row in duels(TABLE, attacks.lazy()).iter_rows(named=True)}
    assert set(found) == {(name, side) for name in ("builder", "raider") for side in ("attacks", "defends")}
    assert found["builder", "attacks"]["value"] == pytest.approx(2 / 3)
    assert found["raider", "defends"]["value"] == pytest.approx(1 / 3)
    assert found["raider", "attacks"]["value"] == 0 and found["builder", "defends"]["value"] == 1
    assert found["builder", "attacks"]["per_game"] == pytest.approx(3 / 6)
    assert found["raider", "attacks"]["n_games"] == 1

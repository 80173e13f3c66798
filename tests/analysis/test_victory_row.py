"""Rows at the end, what becomes of their cards, what spending costs: against plain arithmetic on random rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from blinksim.analysis.victory_row import FATES, RowRules, end_blocks, fates, rows_at_end, rows_by_size, spend_blocks
from blinksim.analysis.victory_row import spending as spending_of
from tests.analysis.frames import seats

BANDS = [{"name": "low", "ranks": [1, 10]}, {"name": "high", "ranks": [11, 20]}]
VICTORY = {"slots": 5, "points_per_card": 1, "centre_scores": True, "centre_min_cards": 3, "bands": BANDS}
RULES = RowRules.of({"victory": VICTORY})


def rules(**changes: Any) -> RowRules:
    return RowRules.of({"victory": VICTORY | changes})


def row_score(row: Sequence[int], of: RowRules) -> int:
    """Points of a row, as the rulebook puts it."""
    points = len(row) * of.points_per_card
    half = (of.slots + 1) // 2
    if of.centre and len(row) >= of.centre_from:
        points += sorted(row)[len(row) - half]
    return points


def ends(rows: Sequence[Sequence[int]], of: RowRules = RULES) -> pl.LazyFrame:
    """The table ``seats`` of two-player games with these rows; even seats win, deals have two games."""
    games = [(2, 0, i // 4, i // 2, i % 2, "builder", 1 - i % 2) for i in range(len(rows))]
    slots = {f"row_{k + 1}": [sorted(row)[k] if k < len(row) else 0 for row in rows] for k in range(9)}
    points = [row_score(row, of) for row in rows]
    return seats(games, points_row=points, points=[2 * p + 1 for p in points], **slots)


def random_rows(count: int, slots: int = 5, seed: int = 7) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [sorted(rng.integers(1, 21, rng.integers(0, slots + 1)).tolist()) for _ in range(count)]


SPEND = {"players": pl.Int8, "deal": pl.Int32, "game": pl.Int64, "seat": pl.Int8, "card_rank": pl.Int8}
SPEND |= {"band": pl.Int8, "effect": pl.Enum(["A", "B", "C"]), "place_before": pl.Int8, "place_after": pl.Int8}
SPEND |= {"tiles": pl.Int8, "units": pl.Int8, "gold": pl.Int32}


def spends(rows: Sequence[Sequence[Any]]) -> pl.LazyFrame:
    return pl.DataFrame(rows, schema=SPEND, orient="row").lazy()


def test_rows_of_the_rulebook() -> None:
    printed = {(9, 17): 2, (6, 9, 17): 9, (6, 9, 14, 17): 13, (6, 9, 14, 16, 17): 19, (): 0, (3, 3, 4, 4): 7}
    assert {row: row_score(row, RULES) for row in printed} == printed
    table = ends([list(row) for row in printed])
    blocks = end_blocks(table, RULES)
    scored = blocks.with_columns(score=pl.col("cards") + pl.col("centre"))
    assert scored["score"].to_list() == scored["row"].to_list()


@pytest.mark.parametrize("of", [RULES, rules(slots=3), rules(slots=9), rules(centre_scores=False), rules(slots=1)])
def test_worth_of_a_card_is_the_mean_loss_over_all_cards_of_the_row(of: RowRules) -> None:
    rows = random_rows(80, of.slots)
    found = rows_by_size(end_blocks(ends(rows, of), of))
    worth = {row["size"]: row["value"] for row in found.filter(pl.col("measure") == "last_card").to_dicts()}
    for size in range(1, of.slots + 1):
        of_size = [row for row in rows if len(row) == size]
        losses = [row_score(r, of) - row_score(r[:k] + r[k + 1 :], of) for r in of_size for k in range(size)]
        assert worth[size] == pytest.approx(np.mean(losses))
    assert 0 not in worth


@pytest.mark.parametrize("of", [RULES, rules(slots=3), rules(slots=9), rules(centre_scores=False), rules(slots=1)])
def test_cost_of_a_card_is_what_the_row_at_the_end_lacks_for_want_of_it(of: RowRules) -> None:
    rows = random_rows(40, of.slots)
    rng = np.random.default_rng(8)
    drawn, costs = [], []
    for i, row in enumerate(rows):
        rank = int(rng.integers(1, 21))
        with_it = sorted([*row, rank])[-of.slots :]
        costs.append(row_score(with_it, of) - row_score(row, of))
        drawn.append((2, i // 4, i // 2, i % 2, rank, 0, "B", 0, 0, 1, 1, 0))
    found = spending_of(spend_blocks(ends(rows, of), spends(drawn), of), of)
    cost = found.filter(pl.col("measure") == "cost").row(0, named=True)
    assert cost["value"] == pytest.approx(np.mean(costs))
    assert cost["n_games"] == 40 and cost["band_name"] == "low"


def test_what_spending_brings_by_effect() -> None:
    rows = [
        (2, 0, 0, 0, 15, 1, "A", 2, 1, 0, 0, 0),
        (2, 0, 0, 1, 15, 1, "A", 2, 2, 0, 0, 0),
        (2, 0, 1, 0, 4, 0, "B", 0, 0, 1, 1, 0),
        (2, 0, 1, 0, 14, 1, "B", 0, 0, 2, 1, 0),
        (2, 0, 1, 1, 20, 1, "C", 0, 0, 0, 0, 5),
    ]
    table = ends([[], [], [], []])
    found = spending_of(spend_blocks(table, spends(rows), RULES), RULES)
    values = {(r["effect"], r["band_name"], r["measure"]): r["value"] for r in found.iter_rows(named=True)}
    assert values == {
        ("A", "high", "cost"): 1, ("A", "high", "places"): 0.5, ("A", "high", "to_first"): 0.5,
        ("B", "low", "cost"): 1, ("B", "low", "tiles"): 1, ("B", "low", "units"): 1,
        ("B", "high", "cost"): 1, ("B", "high", "tiles"): 2, ("B", "high", "units"): 1,
        ("C", "high", "cost"): 1, ("C", "high", "coins"): 5,
    }  # fmt: skip


def test_a_card_of_a_stalled_game_has_no_cost_but_what_it_brought_counts() -> None:
    table = ends([[], [], [], []]).with_columns(
        win_share=pl.when(pl.col("game") == 0).then(None).otherwise(pl.col("win_share"))
    )
    rows = [(2, 0, 0, 0, 4, 0, "B", 0, 0, 1, 1, 0), (2, 0, 1, 0, 4, 0, "B", 0, 0, 1, 0, 0)]
    blocks = spend_blocks(table, spends(rows), RULES).row(0, named=True)
    assert (blocks["cards"], blocks["priced"], blocks["cost"], blocks["units"]) == (2, 1, 1, 1)


def test_rows_at_the_end_of_all_of_winners_and_of_others() -> None:
    table = ends([[9, 17], [6, 9, 17], [6, 9, 14, 16, 17], []])  # seats 0 and 2 in the list win
    found = {(r["who"], r["measure"]): r["value"] for r in rows_at_end(end_blocks(table, RULES)).iter_rows(named=True)}
    assert found["all", "cards"] == 2.5 and found["winners", "cards"] == 3.5 and found["others", "cards"] == 1.5
    assert found["winners", "score"] == pytest.approx((2 + 19) / 2)
    assert found["all", "share_of_score"] == pytest.approx(30 / (5 + 19 + 39 + 1))
    assert found["all", "centre_scores"] == 0.5 and found["all", "centre_rank"] == pytest.approx((6 + 14) / 2)
    assert found["winners", "full"] == 0.5 and found["others", "full"] == 0


def test_rows_by_size_share_wins_and_score() -> None:
    table = ends([[9, 17], [6, 9, 17], [6, 9, 14, 16, 17], [1, 2]])
    found = {
        (r["size"], r["measure"]): r["value"] for r in rows_by_size(end_blocks(table, RULES)).iter_rows(named=True)
    }
    assert found[2, "share_of_seats"] == 0.5 and found[5, "share_of_seats"] == 0.25
    assert found[2, "win_share"] == 0.5 and found[3, "win_share"] == 0 and found[5, "win_share"] == 1
    assert found[5, "score"] == 19 and found[5, "centre_rank"] == 14 and (2, "centre_rank") not in found


def test_a_size_that_a_deal_lacks_counts_as_none_there() -> None:
    table = ends([[1], [1], [1], [1], [1, 2], [1], [1], [1]])
    found = rows_by_size(end_blocks(table, RULES)).filter(pl.col("measure") == "share_of_seats")
    pairs = found.filter(pl.col("size") == 2).row(0, named=True)
    assert pairs["value"] == pytest.approx(1 / 8) and pairs["n_blocks"] == 2 and pairs["n_games"] == 8


def test_cards_that_entered_are_kept_spent_or_overflow() -> None:
    retired = pl.DataFrame(
        [(2, 0, 3, None), (2, 0, 12, None), (2, 0, 4, 3), (2, 1, 5, None), (2, 1, None, None), (2, 0, 13, None)],
        schema={"players": pl.Int8, "deal": pl.Int32, "retired_rank": pl.Int8, "overflow_rank": pl.Int8},
        orient="row",
    ).lazy()
    table = ends([[4], [], [], [], [], []])
    drawn = [(2, 0, 0, 0, 12, 1, "A", 2, 1, 0, 0, 0), (2, 0, 0, 0, 13, 1, "C", 0, 0, 0, 0, 4)]
    drawn.append((2, 1, 2, 0, 5, 0, "B", 0, 0, 1, 1, 0))
    found = fates(table, retired, spend_blocks(table, spends(drawn), RULES), RULES)
    shares = {(r["band_name"], r["fate"]): r["value"] for r in found.iter_rows(named=True)}
    assert {name for name, value in shares.items() if value > 0} == {
        ("low", "kept"), ("low", "overflow"), ("low", "B"), ("high", "A"), ("high", "C"),
    }  # fmt: skip
    for band in ("low", "high"):
        assert sum(shares[band, fate] for fate in FATES) == pytest.approx(1)
    assert shares["low", "kept"] == pytest.approx(1 / 3) and shares["high", "A"] == 0.5
    kept = found.filter((pl.col("band") == 0) & (pl.col("fate") == "kept")).row(0, named=True)
    assert kept["n_games"] == 3 and kept["per_seat"] == pytest.approx(1 / 6)

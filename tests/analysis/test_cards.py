"""Lifts of cards, on small tables and hands made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from blinksim.analysis import cards as cards_module
from blinksim.analysis.cards import came_by_lift, dealt_lift
from blinksim.games.cards import SUITS, parse_card
from tests.analysis.frames import seats
from tests.analysis.test_objectives import outcomes

RANKS = range(1, 21)
WAYS = pl.Enum(["not", "dealt", "drafted", "traded", "researched"])


def cards(rows: Sequence[tuple[int, int, str, str, int]]) -> pl.LazyFrame:
    """The table ``cards`` from (game, seat, card, came, times played), two players."""
    numbers = [parse_card(text) for _, _, text, _, _ in rows]
    data: dict[str, Any] = {
        "players": pl.Series([2] * len(rows), dtype=pl.Int8),
        "game": pl.Series([row[0] for row in rows], dtype=pl.Int64),
        "seat": pl.Series([row[1] for row in rows], dtype=pl.Int8),
        "card_rank": pl.Series([n >> 2 for n in numbers], dtype=pl.Int8),
        # Categories in another order than the suits': a file may have them so.
        "card_suit": pl.Series([SUITS[n & 3] for n in numbers], dtype=pl.Categorical),
        "came": pl.Series([row[3] for row in rows], dtype=WAYS),
        "played": pl.Series([row[4] for row in rows], dtype=pl.Int16),
    }
    return pl.DataFrame(data).lazy()


def hands_of(texts: Sequence[Sequence[str]]) -> cards_module.Hands:
    numbers = np.array([[[parse_card(card) for card in hand.split()] for hand in deal] for deal in texts])

    def hands(players: int, first: int, many: int) -> np.ndarray:
        assert players == 2
        return numbers[first : first + many]

    return hands


def found_by(frame: pl.DataFrame) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["way"], row["item"]): row for row in frame.iter_rows(named=True)}


DEALT = [["11P 3F", "4F 5M"], ["2O 1P", "11M 11O"], ["3P 3O", "4P 4M"], ["1P 11O", "11M 2P"]]
WINS = np.array([[1.0, 0], [0, 1], [0, 1], [1, 0]])


def test_one_more_card_in_the_hand_dealt() -> None:
    by = found_by(dealt_lift(outcomes(WINS), hands_of(DEALT), range(1, 12)))
    # 11s: one more in deal 0 and won, two more in deal 1 and won; deals 2 and 3 say nothing.
    assert by["dealt", "11"]["value"] == pytest.approx((1 * 1 + 2 * 1) / (1 + 4))
    assert by["dealt", "11"]["n_blocks"] == 2 and by["dealt", "11"]["kind"] == "rank"
    assert by["dealt", "P"]["kind"] == "suit" and by["dealt", "P"]["value"] == pytest.approx((1 - 1) / 2)
    assert {item for _, item in by} == {*map(str, range(1, 12)), *SUITS}


def test_hands_are_looked_up_in_pieces_and_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = dealt_lift(outcomes(WINS), hands_of(DEALT), range(1, 12))
    monkeypatch.setattr(cards_module, "CHUNK_DEALS", 2)
    pieces = dealt_lift(outcomes(WINS), hands_of(DEALT), range(1, 12))
    assert pieces.equals(whole, null_equal=True)
    without = outcomes(WINS).filter(pl.col("deal") != 1)
    by = found_by(dealt_lift(without, hands_of(DEALT), range(1, 12)))
    assert by["dealt", "11"]["value"] == 1 and by["dealt", "11"]["n_blocks"] == 1


def test_no_deals_no_lift() -> None:
    assert dealt_lift(outcomes(WINS).clear(), hands_of(DEALT), range(1, 12)).is_empty()


SEATS = seats(
    [
        (2, 0, 0, 0, 0, "builder", 1), (2, 0, 0, 0, 1, "builder", 0),
        (2, 0, 0, 1, 0, "builder", 1), (2, 0, 0, 1, 1, "raider", 0),
        (2, 0, 1, 2, 0, "builder", 0.5), (2, 0, 1, 2, 1, "builder", 0.5),
        (2, 0, 1, 3, 0, "builder", None), (2, 0, 1, 3, 1, "builder", None),
    ]
)  # fmt: skip
OWNED = cards(
    [
        (0, 0, "12M", "researched", 2), (0, 0, "20P", "researched", 0), (0, 0, "1M", "dealt", 1),
        (0, 1, "12P", "researched", 0), (0, 1, "12O", "researched", 1), (0, 1, "2F", "drafted", 0),
        (1, 0, "12F", "researched", 1), (1, 1, "20O", "researched", 3), (1, 1, "20F", "researched", 1),
        (2, 0, "20M", "researched", 1), (2, 1, "12M", "researched", 0), (2, 1, "7M", "dealt", 1),
        (3, 0, "12M", "researched", 9), (3, 1, "20M", "researched", 9),
    ]
)  # fmt: skip


def test_researched_compares_seats_of_one_strategy_that_took_as_many() -> None:
    by = found_by(came_by_lift(OWNED, SEATS, RANKS))
    # Deal 0: the two builders of game 0 took two cards each; the builder of game 1 one, the raider stands alone.
    # Deal 1: two builders with one card each share the victory.
    assert by["researched", "12"]["value"] == pytest.approx(-0.5 / (0.5 + 0.5))
    assert by["researched", "20"]["value"] == pytest.approx(0.5 / (0.5 + 0.5))
    assert by["researched", "20"]["n_blocks"] == 2 and by["researched", "20"]["n_games"] == 3
    assert by["researched", "20"]["p"] is None and ("researched", "13") not in by
    # Mountain: one in deal 0 by the winner; in deal 1 both builders took one.
    assert by["researched", "M"]["value"] == pytest.approx(0.5 / 0.5)


def test_played_is_a_tally_of_cards_less_an_even_share() -> None:
    by = found_by(came_by_lift(OWNED, SEATS, RANKS))
    twelves = [1, 0, 1]  # 12M of game 0, 12O of the loser, 12F of game 1; that of the stalled game does not count
    assert by["played", "12"]["value"] == pytest.approx(np.mean(twelves) - 0.5)
    assert by["played", "20"]["value"] == pytest.approx(np.mean([0, 0, 0.5]) - 0.5)
    assert by["played", "1"]["value"] == pytest.approx(0.5) and ("played", "2") not in by
    assert by["played", "M"]["value"] == pytest.approx(np.mean([1, 1, 0.5, 0.5]) - 0.5)
    assert by["played", "12"]["p"] is None and by["played", "12"]["low"] < by["played", "12"]["high"]


def test_many_ranks_go_into_several_words() -> None:
    rows = [(0, 0, f"{rank}F", "dealt", 1) for rank in (1, 19, 20, 21, 22, 31)]
    by = found_by(came_by_lift(cards(rows), SEATS, range(1, 32)))
    assert {item for way, item in by if way == "played"} == {"1", "19", "20", "21", "22", "31", "F"}
    assert by["played", "31"]["value"] == 0.5


def test_no_cards_no_lift() -> None:
    assert came_by_lift(cards([]), SEATS, RANKS).is_empty()

"""Small hand-made fact tables, with the column types of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from blinksim.games.blink.tables import OUTCOMES

NAMES = pl.Enum(["builder", "raider", "random"])


def seats(rows: Sequence[Sequence[Any]], **columns: Sequence[Any]) -> pl.LazyFrame:
    """The table ``seats`` from (players, line_up, deal, game, seat, strategy, win_share) and further columns."""
    schema = {"players": pl.Int8, "line_up": pl.Int16, "deal": pl.Int32, "game": pl.Int64, "seat": pl.Int8}
    schema |= {"strategy": NAMES, "win_share": pl.Float32}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(slot=pl.col("seat"), **{k: pl.Series(v) for k, v in columns.items()}).lazy()


def games(rows: Sequence[Sequence[Any]]) -> pl.LazyFrame:
    """The table ``games`` from (players, deal, outcome, rounds, decisions, armed_seats, winners)."""
    schema = {"players": pl.Int8, "deal": pl.Int32, "outcome": pl.Enum(OUTCOMES), "rounds": pl.Int16}
    schema |= {"decisions": pl.Int32, "armed_seats": pl.UInt8, "winners": pl.UInt8}
    frame = pl.DataFrame(rows, schema=schema, orient="row").with_row_index("game")
    return frame.with_columns(armed_round=pl.col("rounds") - 1, line_up=pl.lit(0, pl.Int16)).lazy()


def rounds(
    tiers: Sequence[tuple[int, int, int, int, list[int]]],
    players: int = 2,
    scores: Mapping[tuple[int, int], Sequence[int]] | None = None,
) -> pl.LazyFrame:
    """The table ``rounds`` from (deal, game, seat, slot, the tier at the end of each round).

    Args:
        tiers: One row per game and seat.
        players: Player count.
        scores: By (game, seat), the score after each round; 0 where left out.
    """
    known = scores or {}
    rows = [
        (players, 0, deal, game, seat, slot, number, tier, known[game, seat][number - 1] if known else 0)
        for deal, game, seat, slot, ends in tiers
        for number, tier in enumerate(ends, start=1)
    ]
    schema = {"players": pl.Int8, "line_up": pl.Int16, "deal": pl.Int32, "game": pl.Int64, "seat": pl.Int8}
    schema |= {"slot": pl.Int8, "round": pl.Int16, "tier": pl.Int8, "score": pl.Int32}
    return pl.DataFrame(rows, schema=schema, orient="row").lazy()

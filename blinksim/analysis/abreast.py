"""A round's rows side by side: the same seat a round before, and its rivals in the same round.

The table ``rounds`` holds a game's rows round by round, and seat by seat within a round; so what belongs together lies
a fixed number of rows apart, and neither a join nor a sort of the largest table is needed. Both expressions hold for
the rows of one player count, taken in the order in which they were written.
"""

from __future__ import annotations

import polars as pl


def round_before(players: int, column: str) -> pl.Expr:
    """A column of the same seat's row of the round before; of no meaning in round 1."""
    return pl.col(column).shift(players)


def rivals(players: int, column: str) -> list[pl.Expr]:
    """A column of each rival's row of the same round, clockwise from the seat."""
    return [
        pl.when(pl.col("seat") + step < players)
        .then(pl.col(column).shift(-step))
        .otherwise(pl.col(column).shift(players - step))
        for step in range(1, players)
    ]


def of_players(rounds: pl.LazyFrame, players: int) -> pl.LazyFrame:
    """The rows of one player count."""
    return rounds.filter(pl.col("players") == players)

"""A seat of a game as one number, on which tables are joined and grouped in half the time that its parts take."""

from __future__ import annotations

import polars as pl

MOST_SEATS = 8


def seat_number(seat: str = "seat") -> pl.Expr:
    """One number for a seat of a game, the same in every table; it rises with the number of the game.

    Args:
        seat: Column with the seat, such as that of the defender.
    """
    game, place, players = (pl.col(name).cast(pl.Int64) for name in ("game", seat, "players"))
    return (game * MOST_SEATS + place) * MOST_SEATS + players

"""What the sections share: rows of tables, panels by player count, cells that say a share and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from blinksim.report.parts import Picture
from blinksim.report.words import count, interval, number, percent, percent_interval

BASIS = ("games", "deals")
"""Headings of the last columns of every table: what a row rests on."""

SHIFTS = {
    "auto": "every hand on every map seat; where strategies differ, every strategy also plays every hand",
    "seats": "every hand on every map seat",
    "hands": "every strategy plays every hand",
    "both": "every strategy plays every hand on every map seat",
    "none": "each deal is played once as it lies",
}
"""What an experiment's ``shifts`` mean for its plan, in words."""


def basis_cells(row: dict[str, Any]) -> list[str]:
    """How many games and deals a row rests on."""
    return [count(row["n_games"]), count(row["n_blocks"])]


def share_cells(row: dict[str, Any]) -> list[str]:
    """A share and its interval, in per cent."""
    return [percent(row["value"]), percent_interval(row["low"], row["high"])]


def number_cells(row: dict[str, Any], digits: int = 1) -> list[str]:
    """A number and its interval."""
    return [number(row["value"], digits), interval(row["low"], row["high"], digits)]


def said_shares(part: pl.DataFrame) -> list[str]:
    """Every row's ``label`` with its share and interval, in words; for text alternatives."""
    return [
        f"{row['label']} {percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
        for row in part.iter_rows(named=True)
    ]


def table_rows(frame: pl.DataFrame, cells: Callable[[dict[str, Any]], list[str]]) -> list[list[str]]:
    """The cells of every row of a frame."""
    return [cells(row) for row in frame.iter_rows(named=True)]


def of_players(frame: pl.DataFrame, players: int) -> pl.DataFrame:
    """The rows of one player count."""
    return frame.filter(pl.col("players") == players)


def panels(
    players: Iterable[int],
    name: str,
    frame: pl.DataFrame,
    draw: Callable[[pl.DataFrame, int], Axes],
    say: Callable[[pl.DataFrame], Iterable[str]],
    what: str,
) -> list[Picture]:
    """One panel for each player count that has rows.

    Args:
        players: Player counts, in order.
        name: Begins the names of the panels; unique on the page.
        frame: Rows with ``players``.
        draw: Draws the rows of one player count.
        say: Says them in words, for the text alternative.
        what: What the panel shows, in words.
    """
    pictures = []
    for n in players:
        part = of_players(frame, n)
        if not part.is_empty():
            alternative = f"{what}, {n} players: {'; '.join(say(part))}."
            pictures.append(Picture(f"{name}-{n}p", draw(part, n), alternative))
    return pictures


def players_title(players: int) -> str:
    """Heading of what belongs to one player count."""
    return f"{players} players"

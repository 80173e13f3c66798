"""What opens a section: one player count in the middle speaks for the run, the range over the others stands beside it.

Sentences that list every player count are not read; the tables below have them all.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from blinksim.report.telling import ENOUGH, Row
from blinksim.report.words import interval, number, percent, percent_interval


def known(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows that rest on enough deals to be told, by player count."""
    return frame.filter(pl.col("n_blocks") >= ENOUGH).sort("players", maintain_order=True)


def typical(frame: pl.DataFrame) -> Row | None:
    """The row of the middle player count, of those with enough deals; none where there are not enough games.

    Args:
        frame: One row a player count, with ``n_blocks``.
    """
    rows = known(frame)
    return rows.row(rows.height // 2, named=True) if rows.height else None


def of_players_of(frame: pl.DataFrame, row: Row) -> pl.DataFrame:
    """The rows of the player count of another row, with enough deals."""
    return known(frame).filter(pl.col("players") == row["players"])


def at(row: Row) -> str:
    """Of how many players a row speaks."""
    return f"with {row['players']} players"


def span(frame: pl.DataFrame, digits: int = 0) -> str:
    """The range of a share over player counts, to stand behind that of one: `` (47 to 62 % by player count)``.

    Args:
        frame: One row a player count, with ``value``.
        digits: Of the per cent.
    """
    values = known(frame)["value"].to_list()
    if len(values) < 2:
        return ""
    low, high = percent(min(values), digits), percent(max(values), digits)
    said = f"about {low}" if low == high else percent_interval(min(values), max(values), digits)
    return f" ({said} by player count)"


def span_number(frame: pl.DataFrame, digits: int = 1) -> str:
    """The same of a number: `` (8.5 to 8.9 by player count)``."""
    values = known(frame)["value"].to_list()
    if len(values) < 2:
        return ""
    low, high = number(min(values), digits), number(max(values), digits)
    said = f"about {low}" if low == high else interval(min(values), max(values), digits)
    return f" ({said} by player count)"


def side(row: Row, low: float, high: float) -> int:
    """How an interval lies to another: 0 wholly below it, 2 wholly above it, 1 where they meet."""
    return 0 if row["high"] < low else 2 if row["low"] > high else 1


def upper(text: str) -> str:
    """A sentence with a capital letter."""
    return text[:1].upper() + text[1:]


def joined(sentences: Iterable[str]) -> list[str]:
    """One paragraph of the sentences that say something, none where nothing does."""
    text = " ".join(sentence for sentence in sentences if sentence)
    return [text] if text else []

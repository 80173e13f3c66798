"""Words where there are many cells: names of terrains, cells too thin to tell, shares and numbers said."""

from __future__ import annotations

from typing import Any

from blinksim.report.common import number_cells, share_cells
from blinksim.report.words import PER_CENT, interval, listed, number, percent, percent_interval

TERRAINS = {"P": "Plains", "F": "Forest", "O": "Ocean", "M": "Mountain"}
"""Terrains, which are the suits too, by the letter that tables have."""
ENOUGH = 20
"""A cell that rests on fewer deals is not told as a number."""
NOT_ENOUGH = "not enough games"
Row = dict[str, Any]


def is_thin(row: Row) -> bool:
    """Whether a cell rests on too few deals."""
    return row["n_blocks"] is None or row["n_blocks"] < ENOUGH


def thin_share(row: Row) -> list[str]:
    """A share and its interval, or that there are not enough games."""
    return [NOT_ENOUGH, ""] if is_thin(row) else share_cells(row)


def thin_number(row: Row, digits: int = 2) -> list[str]:
    """A number and its interval, or that there are not enough games."""
    return [NOT_ENOUGH, ""] if is_thin(row) else number_cells(_tidy(row, digits), digits)


def _tidy(row: Row, digits: int) -> Row:
    """With ends of an interval that are as good as zero set to it, so that none reads as minus zero."""
    return row | {name: round(row[name], digits) + 0.0 for name in ("value", "low", "high")}


def said_share(row: Row) -> str:
    """A share with its interval, inside a sentence."""
    return f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"


def said_number(row: Row, digits: int = 2) -> str:
    """A number with its interval, inside a sentence."""
    row = _tidy(row, digits)
    return f"{number(row['value'], digits)} ({interval(row['low'], row['high'], digits)})"


def rough(value: float) -> str:
    """A share in whole per cent, for a list of many."""
    return f"under 1{PER_CENT}" if 0 < value < 0.01 else percent(value, 0)


def tier_words(tiers: tuple[str, ...], values: list[str]) -> str:
    """A value for each tier: ``Tribe 11, Settlement 13 and Kingdom 15``."""
    return listed(f"{tier} {value}" for tier, value in zip(tiers, values, strict=True))

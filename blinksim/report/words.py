"""Numbers in words: shares as per cent, intervals, counts, line-ups."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

NOTHING = "–"
PER_CENT = "\u00a0%"
"""Not to be torn from its number."""


def percent(value: float | None, digits: int = 1) -> str:
    """A share as per cent, such as ``33.3 %``, the space not to be broken; small ones with more digits."""
    if value is None or math.isnan(value):
        return NOTHING
    if 0 < abs(value) < 0.001:
        digits = max(digits, 3 if abs(value) < 0.0001 else 2)
    return f"{100 * value:.{digits}f}{PER_CENT}"


def number(value: float | None, digits: int = 1) -> str:
    """A number with its digits, thousands set apart by commas."""
    return NOTHING if value is None or math.isnan(value) else f"{value:,.{digits}f}"


def count(value: int | float) -> str:
    """A whole number, thousands set apart by commas."""
    return f"{round(value):,}"


def percent_interval(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval of a share, such as ``32.1 to 34.5 %``."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return NOTHING
    if 0 < abs(high) < 0.001:
        digits = max(digits, 3 if abs(high) < 0.0001 else 2)
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}{PER_CENT}"


def interval(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval of a number, such as ``14.1 to 14.6``; an open end is said."""
    if low is None or math.isnan(low):
        return NOTHING
    if high is None or math.isnan(high):
        return f"{low:,.{digits}f} or more"
    return f"{low:,.{digits}f} to {high:,.{digits}f}"


def said_interval(low: float, high: float, digits: int = 1) -> str:
    """An interval inside a sentence, where one deal alone gives none."""
    return "one deal gives no interval" if math.isnan(low) else interval(low, high, digits)


def plural(value: int, one: str, many: str | None = None) -> str:
    """A count with its noun: ``1 game``, ``2,000 games``."""
    return f"{count(value)} {one if value == 1 else many or one + 's'}"


def basis(games: int, blocks: int, what: str = "game") -> str:
    """What a number rests on: ``1,920 games, 80 deals``."""
    return f"{plural(games, what)}, {plural(blocks, 'deal')}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in a row: ``a, b and c``."""
    *front, end = list(words)
    return f"{', '.join(front)} {last} {end}" if front else end


def line_up_text(strategies: Iterable[str]) -> str:
    """A line-up as ``2 builder, 1 raider``; who sits where does not matter where all shifts are played."""
    counts = Counter(strategies)
    return ", ".join(f"{many} {name}" for name, many in counts.items())

"""Numbers in words."""

import math

import pytest

from blinksim.report import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1 / 3, "33.3 %"),
        (0, "0.0 %"),
        (1, "100.0 %"),
        (0.0004, "0.04 %"),
        (0.00004, "0.004 %"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_percent(value: float | None, text: str) -> None:
    assert words.percent(value).replace("\u00a0", " ") == text


def test_intervals() -> None:
    assert words.percent_interval(0.321, 0.3449).replace("\u00a0", " ") == "32.1 to 34.5 %"
    assert words.percent_interval(math.nan, math.nan) == words.NOTHING
    assert words.interval(14.06, 14.61) == "14.1 to 14.6"
    assert words.interval(7, None, 0) == "7 or more"
    assert words.interval(None, None) == words.NOTHING
    assert words.said_interval(math.nan, math.nan) == "one deal gives no interval"


def test_counts_and_lists() -> None:
    assert words.plural(1, "game") == "1 game"
    assert words.plural(2000, "game") == "2,000 games"
    assert words.basis(1, 1) == "1 game, 1 deal"
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
    assert words.line_up_text(["builder", "raider", "builder"]) == "2 builder, 1 raider"

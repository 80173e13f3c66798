"""First there and first to win, and who follows when."""

import pytest

from blinksim.analysis import snowball
from blinksim.analysis.courses import courses
from tests.analysis.frames import games, rounds

# Tier 1 is reached by seat 0 first and alone in games 0 and 2, by both at once in game 1, by nobody in game 3.
ROUNDS = rounds(
    [
        (0, 0, 0, 0, [1, 2, 2]), (0, 0, 1, 1, [0, 0, 1]),
        (0, 1, 0, 0, [1, 1]), (0, 1, 1, 1, [1, 0]),
        (1, 2, 0, 0, [0, 1, 0]), (1, 2, 1, 1, [0, 0, 0]),
        (1, 3, 0, 0, [0]), (1, 3, 1, 1, [0]),
    ]
)  # fmt: skip
GAMES = games(
    [(2, 0, "won", 3, 9, 1, 1), (2, 0, "won", 2, 9, 1, 1), (2, 1, "won", 3, 9, 1, 2), (2, 1, "won", 1, 9, 1, 1)]
)
FOUND = snowball.snowball(courses(ROUNDS, GAMES), 3)


def test_only_who_is_first_alone_counts() -> None:
    tier_1, tier_2 = FOUND["first_wins"].iter_rows(named=True)
    assert tier_1["alone"] == 0.5 and tier_1["n_games"] == 2 and tier_1["value"] == 0.5 and tier_1["fair"] == 0.5
    assert tier_2["n_games"] == 1 and tier_2["value"] == 1 and tier_2["n_blocks"] == 1


def test_order_of_arrival_says_who_never_gets_there() -> None:
    first, second = FOUND["order"].filter(tier=1).iter_rows(named=True)
    assert (first["order"], first["value"], first["n_games"]) == (1, pytest.approx(3 / 4), 4)
    assert (second["order"], second["value"]) == (2, pytest.approx(2 / 4))
    assert first["median"] == 1 and second["median"] == 3
    assert FOUND["order"].filter(tier=2, order=2)["value"].item() == 0


def test_curves_take_out_games_that_are_over() -> None:
    second = FOUND["order_curves"].filter(tier=1, order=2)
    # Round 1: one of four gets there and one game ends; round 2: nobody of two; round 3: one of two.
    assert second["at_risk"].to_list() == [4, 2, 2]
    assert second["share"].to_list() == pytest.approx([1 / 4, 1 / 4, 1 - 3 / 4 / 2])
    assert set(second["n_blocks"]) == {2} and set(second["n_games"]) == {4}


def test_gaps_are_of_games_in_which_all_get_there() -> None:
    gap = FOUND["gap"].row(0, named=True)
    assert gap["all_there"] == 0.5 and gap["value"] == pytest.approx((2 + 0) / 2) and gap["n_games"] == 2


def test_deals_beyond_the_blocks_of_a_curve_are_thrown_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snowball, "CURVE_BLOCKS", 1)
    pooled = snowball.snowball(courses(ROUNDS, GAMES), 3)["order_curves"]
    assert pooled["share"].to_list() == FOUND["order_curves"]["share"].to_list()
    assert set(pooled["n_blocks"]) == {2}

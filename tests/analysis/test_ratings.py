"""Ratings: against truth that rankings were drawn from, against a jackknife done in full, and where there are none."""

from __future__ import annotations

import random
import sys

import choix
import numpy as np
import polars as pl
import pytest
from scipy import stats

from blinksim.analysis.ratings import (
    MAX_HALF_WIDTH,
    MIN_BLOCKS,
    POINTS,
    MissingLibraryError,
    comparable,
    fit,
    rankings_of,
    ratings,
)
from tests.analysis.frames import seats

TRUTH = np.array([0.9, 0.2, -0.3, -0.8])
NAMES = ["ada", "bex", "cy", "dot"]


def draw(params: np.ndarray, sets: list[list[int]], generator: np.random.Generator) -> list[list[int]]:
    """A ranking of each set of items: exponential waiting times, the shortest first; items may come several times."""
    return [
        [items[i] for i in np.argsort(generator.exponential(size=len(items)) / np.exp(params[items]))] for items in sets
    ]


def test_it_finds_what_choix_drew_rankings_from() -> None:
    random.seed(3)
    np.random.seed(3)
    drawn = choix.generate_rankings(TRUTH, 4000, 3)
    found = fit(4, [list(ranking) for ranking in drawn], range(4000))
    assert np.abs(found.params - TRUTH).max() < 0.08
    error = np.sqrt(np.diag(found.covariance))
    assert (np.abs(found.params - TRUTH) < 3.5 * error).all() and (error < 0.03).all()


def test_a_strategy_on_several_seats_counts_for_each() -> None:
    """Two of one kind win together about as often as the model says, and the strengths come out the same."""
    generator = np.random.default_rng(5)
    sets = [[0, 0, 1, 3], [0, 1, 1, 2], [2, 2, 2, 3], [0, 3, 3, 3]] * 2000
    found = fit(4, draw(TRUTH, sets, generator), range(len(sets)))
    assert np.abs(found.params - TRUTH).max() < 0.1


def test_covariance_is_that_of_leaving_out_block_after_block() -> None:
    generator = np.random.default_rng(7)
    rankings, blocks = [], []
    for block in range(60):  # strengths vary from deal to deal, sizes of rankings and of blocks differ
        tilted = TRUTH + generator.normal(0, 0.5, 4)
        sets = [list(generator.permutation(4)[:size]) for size in (2, 3, 4)] * (1 + block % 3)
        rankings += [[int(i) for i in ranking] for ranking in draw(tilted, sets, generator)]
        blocks += [block] * len(sets)
    found = fit(4, rankings, blocks)
    left_out = []
    for block in range(60):
        kept = [ranking for ranking, own in zip(rankings, blocks, strict=True) if own != block]
        params = choix.ilsr_rankings(4, kept)
        left_out.append(params - params.mean())
    deviations = np.array(left_out) - np.mean(left_out, axis=0)
    jackknife = 59 / 60 * deviations.T @ deviations
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx(np.sqrt(np.diag(jackknife)), rel=0.06)
    assert found.num_blocks == 60


def test_intervals_hold_what_they_promise_where_games_of_a_deal_go_together() -> None:
    """Copies of a deal's games would halve intervals over games; those over blocks hold the truth 95 % of the time."""
    generator = np.random.default_rng(11)
    t = stats.t.ppf(0.975, 59)
    held = over_games = 0
    for _ in range(200):
        once = draw(TRUTH[:3], [[0, 1, 2]] * 60, generator)
        truth = TRUTH[:3] - TRUTH[:3].mean()
        found = fit(3, once * 4, list(range(60)) * 4)
        apart = fit(3, once * 4, range(240))
        held += int(abs(found.params[0] - truth[0]) < t * np.sqrt(found.covariance[0, 0]))
        over_games += int(abs(apart.params[0] - truth[0]) < t * np.sqrt(apart.covariance[0, 0]))
    assert 182 <= held <= 198
    assert over_games < 160


def frame(rankings: list[list[int]], players: int, deals: list[int]) -> pl.DataFrame:
    named = [[NAMES[i] for i in ranking] for ranking in rankings]
    return pl.DataFrame({"players": [players] * len(named), "deal": deals, "ranking": named})


def test_ratings_by_player_count_and_together() -> None:
    generator = np.random.default_rng(13)
    two = draw(TRUTH, [[0, 1], [0, 2], [1, 3], [2, 3], [1, 2]] * 200, generator)
    four = draw(TRUTH, [[0, 1, 2, 3]] * 300, generator)
    both = pl.concat([frame(two, 2, [i // 5 for i in range(1000)]), frame(four, 4, list(range(300)))])
    found = ratings(both)
    assert found["players"].unique(maintain_order=True).to_list() == [2, 4, 0]
    assert set(found["verdict"]) == {"rated"}
    for players, games in ((2, (400, 600)), (4, (300, 300)), (0, (700, 900))):
        part = found.filter(pl.col("players") == players)
        assert part["strategy"].to_list() == NAMES  # strongest first
        assert part["value"].sum() == pytest.approx(0, abs=1e-6)
        assert (part["low"] < POINTS * TRUTH).sum() >= 3 and (part["high"] > POINTS * TRUTH).sum() >= 3
        assert part["n_games"].is_between(*games).all()
    assert found["n_blocks"].to_list() == [200] * 4 + [300] * 4 + [500] * 4


def test_100_points_are_64_in_100() -> None:
    rankings = [[0, 1]] * 64 + [[1, 0]] * 36
    found = ratings(frame(rankings, 2, list(range(100))))
    ada, bex = found["value"]
    assert ada - bex == pytest.approx(100, abs=0.1)


def test_too_few_deals_and_too_wide_intervals_say_so() -> None:
    few = ratings(frame([[0, 1], [1, 0], [0, 1]] * 100, 2, [i // 60 for i in range(300)]))
    assert set(few["verdict"]) == {"not enough games"}
    assert set(few["reason"]) == {f"5 deals, fewer than {MIN_BLOCKS}"}
    wide = ratings(frame([[0, 1]] * 14 + [[1, 0]], 2, list(range(15))))
    assert (wide["high"] - wide["low"]).min() > 2 * MAX_HALF_WIDTH
    assert set(wide["reason"]) == {"the interval is wider than 100 points to either side"}
    one = ratings(frame([[0, 1], [1, 0]], 2, [0, 0]))
    assert one["low"].is_nan().all() and set(one["verdict"]) == {"not enough games"}


def test_who_never_wins_is_left_out_and_the_others_are_rated_as_if_it_were_not_there() -> None:
    generator = np.random.default_rng(17)
    three = draw(TRUTH, [[0, 1, 2]] * 300, generator)
    found = ratings(frame([[*ranking, 3] for ranking in three], 4, list(range(300))))
    alone = ratings(frame(three, 3, list(range(300))))
    assert found["value"].to_list()[:3] == pytest.approx(alone["value"].to_list())
    last = found.row(3, named=True)
    assert (last["strategy"], last["verdict"]) == ("dot", "not enough games")
    assert last["reason"] == "never ahead of any that is rated" and np.isnan(last["value"])
    first = ratings(frame([[3, *ranking] for ranking in three], 4, list(range(300))))
    assert first.row(3, named=True)["reason"] == "never behind any that is rated"
    assert ratings(frame([[0, 1]] * 50, 2, list(range(50))))["value"].is_nan().all()


def test_comparable_is_the_largest_group_that_was_ahead_of_each_other() -> None:
    assert comparable(4, [[0, 1, 2], [2, 0], [3, 0]]).tolist() == [True, True, True, False]
    assert comparable(4, [[0, 1], [1, 0], [2, 3], [3, 2]]).tolist() == [True, True, False, False]
    assert not comparable(3, [[0, 1, 2]]).any()


def test_rankings_come_from_places_of_decided_games_and_ties_go_either_way() -> None:
    table = seats(
        [
            (2, 0, 0, 0, 0, "builder", 0), (2, 0, 0, 0, 1, "raider", 1),
            (2, 0, 0, 2, 0, "builder", 0.5), (2, 0, 0, 2, 1, "raider", 0.5),
            (2, 0, 1, 3, 0, "builder", 0.5), (2, 0, 1, 3, 1, "raider", 0.5),
            (2, 0, 1, 4, 0, "builder", None), (2, 0, 1, 4, 1, "raider", None),
        ],
        rank=[2, 1, 1, 1, 1, 1, 1, 2],
    )  # fmt: skip
    found = rankings_of(table)
    assert found["ranking"].to_list() == [["raider", "builder"], ["builder", "raider"], ["raider", "builder"]]
    assert found["deal"].to_list() == [0, 0, 1]


def test_without_choix_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'blinksim\[ratings\]'"):
        ratings(frame([[0, 1], [1, 0]], 2, [0, 1]))

"""Who starts, who sits where, and who ends it."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from blinksim.analysis import starting
from blinksim.analysis.estimates import ESTIMATE_COLUMNS
from blinksim.analysis.fairness import line_ups
from tests.analysis.frames import games, seats

GAMES = games(
    [
        (3, 0, "won", 9, 9, 1, 0b010),  # seat 2 leads, so seat 1 is third from it
        (3, 0, "shared", 9, 9, 1, 0b101),
        (3, 1, "won", 9, 9, 6, 0b100),
        (3, 1, "stalled", 9, 9, 0, 0),
    ]
).with_columns(start_seat=pl.Series([2, 0, 2, 1], dtype=pl.Int8))


def test_places_are_counted_from_who_leads_the_first_round() -> None:
    found = starting.first_leader(GAMES)
    assert found["place"].to_list() == [0, 1, 2]
    assert found["value"].to_list() == pytest.approx([(0 + 0.5 + 1) / 3, 0, (1 + 0.5) / 3])
    assert set(found["n_games"]) == {3} and set(found["n_blocks"]) == {2} and found["method"][0].startswith("98.")
    assert found["fair"].to_list() == pytest.approx([1 / 3] * 3)


def test_probabilities_are_those_of_a_t_test_over_deals() -> None:
    wins = np.random.default_rng(1).integers(0, 3, 50)
    blocks = pl.DataFrame({"total": wins, "count": 2})
    assert starting.against(blocks, 0.4) == pytest.approx(stats.ttest_1samp(wins - 0.8, 0).pvalue)
    assert np.isnan(starting.against(blocks.head(1), 0.4))
    assert np.isnan(starting.against(pl.DataFrame({"total": [1, 1], "count": [2, 2]}), 0.4))


def test_chance_is_flagged_about_as_often_as_it_should_be() -> None:
    random = np.random.default_rng(2)
    found = [
        starting.against(pl.DataFrame({"total": random.binomial(8, 0.25, 60), "count": 8}), 0.25) for _ in range(400)
    ]
    assert 0.02 <= np.mean(np.array(found) < 0.05) <= 0.09


def test_classes_put_like_seats_together() -> None:
    found = starting.seat_classes(GAMES, {3: ("outer", "inner", "outer"), 2: ("a", "b"), 4: ("same",) * 4})
    assert found["seats"].to_list() == ["inner", "outer"]
    assert found["value"].to_list() == pytest.approx([1 / 3, 2 / 6]) and found["n_games"].to_list() == [3, 6]
    assert starting.seat_classes(GAMES, {}).is_empty()


def test_mirrors_are_told_strategy_by_strategy() -> None:
    slots = line_ups(seats([(3, 0, 0, 0, seat, "raider", 0.0) for seat in range(3)]))
    found = starting.mirror_seats(GAMES, slots)
    assert found.select("strategy", "seat").rows() == [("raider", seat) for seat in range(3)]
    assert found["value"].to_list() == pytest.approx([0.5 / 3, 1 / 3, 1.5 / 3])
    mixed = starting.mirror_seats(GAMES, slots.with_columns(mirror=False))
    assert mixed.is_empty() and mixed.columns == found.columns


def test_announcers_count_for_their_part() -> None:
    names = ["builder", "raider", "raider"]
    table = seats(
        [(3, 0, 0, 0, s, names[s], float(s == 1)) for s in range(3)]
        + [(3, 0, 0, 1, s, names[s], 0.5 * float(s != 1)) for s in range(3)]
        + [(3, 0, 1, 2, s, names[s], float(s == 2)) for s in range(3)]
    )
    found = starting.announcers(table, GAMES)
    builder, raider = found.iter_rows(named=True)
    # The builder announces games 0 and 1 and wins half of the second; two raiders announce game 2, one of them wins.
    assert builder["value"] == pytest.approx(2 / 3) and builder["wins"] == pytest.approx(0.5 / 2)
    assert raider["value"] == pytest.approx(1 / 6) and raider["wins"] == pytest.approx(0.5)
    assert found.columns == ["players", "strategy", *ESTIMATE_COLUMNS, "fair", "wins"]
    assert starting.announcers(table.filter(pl.col("strategy") == "raider"), GAMES).is_empty()

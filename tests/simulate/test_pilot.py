"""Pilots: a few deals are played and measured, nothing is written, and the estimate is plain arithmetic."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from blinksim.simulate.batch import run
from blinksim.simulate.pilot import Pilot, estimate, run_pilot
from tests.simulate.fake_game import fake_batch


def ticking(step: float) -> Callable[[], float]:
    """A clock that goes on by one step each time it is looked at."""
    ticks = count()
    return lambda: next(ticks) * step


def test_where_a_deal_is_quick_a_pilot_plays_a_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    batch = fake_batch()
    two, three = run_pilot(batch, 1.0, ticking(0.125))
    assert (two.players, two.deals, two.games, two.seconds) == (2, 2, 2 * 8, 0.125)
    assert (three.players, three.deals, three.games) == (3, 2, 2 * 24)
    assert list(tmp_path.iterdir()) == []


def test_where_a_deal_is_slow_a_pilot_plays_one() -> None:
    two, three = run_pilot(fake_batch(), 1.0, ticking(0.5))
    assert (two.deals, two.games, three.deals, three.games) == (1, 8, 1, 24)


def test_the_first_deal_counts_only_where_it_is_very_slow() -> None:
    """What is played first also loads compiled code."""

    def first_of(seconds: list[float]) -> Pilot:
        looks = iter([moment for length in seconds for moment in (0.0, length)])
        batch = fake_batch(players=[2], deals={"2": 9}, line_ups=[["builder", "raider"]])
        return run_pilot(batch, 1.0, looks.__next__)[0]

    assert (first_of([4.9, 0.7]).seconds, first_of([5.0]).seconds) == (0.7, 5.0)


def test_a_longer_pilot_of_many_deals_grows_until_its_time_is_spent() -> None:
    (only, _) = run_pilot(fake_batch(deals=1000, deals_per_shard=500), 8.0, ticking(1.0))
    assert only.deals == 500  # 1, then 8 in the same second, then 64, then a whole shard


def test_no_more_is_played_than_there_is() -> None:
    pilots = run_pilot(fake_batch(deals=1), 1.0, ticking(0.001))
    assert [pilot.deals for pilot in pilots] == [1, 1]


def test_the_bytes_are_those_that_a_run_writes(tmp_path: Path) -> None:
    batch = fake_batch(deals=2)
    run(batch, tmp_path / "run", workers=1)
    written = sum(path.stat().st_size for path in (tmp_path / "run").rglob("*.parquet"))
    assert sum(pilot.num_bytes for pilot in run_pilot(batch, 1.0, ticking(0.001))) == written


def test_an_estimate_weighs_each_player_count_by_its_games() -> None:
    batch = fake_batch()  # 9 deals of 8 games and 13 deals of 24 games
    pilots = (Pilot(2, 2, 16, 0.5, 1600), Pilot(3, 1, 24, 2.0, 4800))
    assert (pilots[0].games_per_second, pilots[1].bytes_per_game) == (32, 200)
    whole = estimate(batch, pilots, workers=2)
    assert whole.seconds == pytest.approx((72 / 32 + 312 / 12) / 2)
    assert whole.num_bytes == pytest.approx(72 * 100 + 312 * 200)
    assert whole.games == 40

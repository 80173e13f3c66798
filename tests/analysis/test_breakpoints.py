"""Breakpoints planted in synthetic curves: intervals cover, at a quarter of an even grid's games."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import special

from blinksim.analysis.breakpoints import Breakpoint, Sample, crossing, slope_change

GRID = [float(v) for v in range(8, 33)]


class Planted:
    """Blocks of a few games around a curve; the luck of a deal moves all points together."""

    def __init__(self, curve: Callable[[float], float], seed: int, noise: float | None = None) -> None:
        self.curve, self.seed, self.noise = curve, seed, noise

    def __call__(self, points: list[int], first_deal: int, num_deals: int) -> list[tuple[np.ndarray, np.ndarray]]:
        luck = np.random.default_rng((self.seed, 0)).normal(0, 1, first_deal + num_deals)[first_deal:]
        drawn = []
        for point in points:
            rng = np.random.default_rng((self.seed, 1 + point, first_deal))
            middle = self.curve(GRID[point])
            if self.noise is None:
                x = rng.integers(4, 9, num_deals).astype(float)
                y = rng.binomial(x.astype(int), _share(middle, luck))
            else:
                x = np.ones(num_deals)
                y = middle + 0.5 * self.noise * luck + self.noise * rng.normal(0, 1, num_deals)
            drawn.append((y.astype(float), x))
        return drawn


def _share(middle: float, luck: np.ndarray) -> np.ndarray:
    """A share that the luck of the deal moves, its mean that of the curve."""
    share = special.expit(middle)
    return share + 0.3 * min(share, 1 - share) * np.clip(luck, -1, 1)


def trials(
    number: int, find: Callable[[Sample], Breakpoint], plant: Callable[[int], Sample], truth: float
) -> tuple[float, list[Breakpoint]]:
    found = [find(plant(seed)) for seed in range(number)]
    return float(np.mean([f.found and f.low <= truth <= f.high for f in found])), found


def test_crossings_cover_in_93_per_cent_of_500_trials_with_a_quarter_of_an_even_grids_games() -> None:
    truth = 17.37

    def find(sample: Sample) -> Breakpoint:
        return crossing(sample, GRID, 0.5, True, precision=0.15, most_deals=20_000)

    covered, found = trials(500, find, lambda seed: Planted(lambda v: 0.9 * (v - truth), seed), truth)
    assert covered >= 0.93
    # An even grid has every point as well known as the best known point here, which the width rests on.
    even = [len(GRID) * int(f.curve["n_blocks"].max()) for f in found]  # type: ignore[arg-type]
    assert np.mean([f.deals for f in found]) <= 0.25 * np.mean(even)
    assert np.mean([(f.high - f.low) / 2 for f in found]) <= 0.15


def test_slope_changes_cover_in_93_per_cent_of_500_trials_with_a_quarter_of_an_even_grids_games() -> None:
    truth = 19.6

    def find(sample: Sample) -> Breakpoint:
        return slope_change(sample, GRID, False, precision=0.7, most_deals=20_000)

    covered, found = trials(
        500, find, lambda seed: Planted(lambda v: 5 - 0.3 * v + 0.5 * max(v - truth, 0), seed, noise=1.0), truth
    )
    assert covered >= 0.93
    even = [len(GRID) * int(f.curve["n_blocks"].max()) for f in found]  # type: ignore[arg-type]
    assert np.mean([f.deals for f in found]) <= 0.25 * np.mean(even)


def test_slope_changes_near_an_end_of_the_grid_cover() -> None:
    truth = 10.4

    def find(sample: Sample) -> Breakpoint:
        return slope_change(sample, GRID, False, precision=1.0, most_deals=6000)

    covered, _ = trials(
        80, find, lambda seed: Planted(lambda v: 5 - 0.3 * v + 0.5 * max(v - truth, 0), seed, noise=1.0), truth
    )
    assert covered >= 0.9


def test_a_curve_that_never_reaches_the_level_says_so() -> None:
    found = crossing(Planted(lambda v: -4.0, 3), GRID, 0.5, True, 0.3, 5000)
    assert not found.found
    assert "stays below 0.5" in found.said
    assert np.isnan(found.value)


def test_a_flat_curve_at_the_level_is_not_pinned_down() -> None:
    found = crossing(Planted(lambda v: 0.0, 4), GRID, 0.5, True, 0.3, 3000)
    assert found.high - found.low > 12


def test_a_straight_line_has_no_change_of_slope() -> None:
    found = slope_change(Planted(lambda v: 0.2 * v, 5, noise=1.0), GRID, False, 0.5, 3000)
    assert not found.found
    assert "one straight line" in found.said


def test_a_step_without_noise_is_found_between_its_neighbours() -> None:
    def step(points: list[int], first_deal: int, num_deals: int) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(np.full(num_deals, 1.0 if GRID[p] > 20.5 else 0.0), np.ones(num_deals)) for p in points]

    found = crossing(step, GRID, 0.5, True, 0.5, 4000)
    assert 20 <= found.low <= found.value <= found.high <= 21


def test_same_games_again_give_the_same_answer() -> None:
    def find() -> Breakpoint:
        return crossing(Planted(lambda v: 0.8 * (v - 14.2), 9), GRID, 0.5, True, 0.4, 20_000)

    assert find().said == find().said
    assert find().value == pytest.approx(14.2, abs=1.0)


def rarely(points: list[int], first_deal: int, num_deals: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """A share that jumps from 0 to 1, counted in every 50th deal."""
    x = (np.arange(first_deal, first_deal + num_deals) % 50 == 49).astype(float)
    return [(x * (GRID[point] > 20.5), x) for point in points]


def test_points_at_which_nothing_was_counted_yet_are_played_on_and_not_taken_for_one_half() -> None:
    found = crossing(rarely, GRID, 0.5, True, 0.5, 20_000)
    assert 20 <= found.low <= found.value <= found.high <= 21
    assert found.curve["n_blocks"].min() >= 100  # type: ignore[operator]


@pytest.mark.parametrize(
    "find",
    [
        lambda sample: crossing(sample, GRID, 0.5, True, 0.5, 900),
        lambda sample: slope_change(sample, GRID, True, 0.5, 900),
    ],
)
def test_where_nothing_is_ever_counted_there_is_no_curve(find: Callable[[Sample], Breakpoint]) -> None:
    def nothing(points: list[int], first_deal: int, num_deals: int) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(np.zeros(num_deals), np.full(num_deals, float(point < 12))) for point in points]

    found = find(nothing)
    assert not found.found
    assert "hardly anything was counted at" in found.said and "32" in found.said
    assert found.curve["value"].max() < 20  # type: ignore[operator]
    assert found.deals >= 900

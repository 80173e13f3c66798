"""The sequential tools against their definitions, and by simulation: errors as promised, however often one looks."""

import math

import numpy as np
import pytest

from blinksim.analysis.sequential import (
    MIN_BLOCKS,
    Decision,
    RatioTest,
    fixed_size,
    mixture_variance,
    sequence_half_width,
    sequence_p,
)

LOOKS = np.unique(np.geomspace(MIN_BLOCKS, 4000, 40).astype(int))


def paths(mean: float, number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Running means and their standard errors at every look, of blocks that are lumpy and skewed as wins are."""
    rng = np.random.default_rng(seed)
    won = rng.binomial(3, 1 / 3 + mean, size=(number, LOOKS[-1])) / 3
    other = rng.binomial(3, 1 / 3, size=(number, LOOKS[-1])) / 3
    moved = won - other
    sums, squares = moved.cumsum(axis=1)[:, LOOKS - 1], (moved**2).cumsum(axis=1)[:, LOOKS - 1]
    means = sums / LOOKS
    variance = (squares - LOOKS * means**2) / (LOOKS - 1)
    return means, np.sqrt(variance / LOOKS)


def test_half_width_is_the_published_formula() -> None:
    t, sd, alpha, rho = 1000, 0.4, 0.05, math.sqrt(mixture_variance(0.95))
    published = sd * math.sqrt(2 * (t * rho**2 + 1) / (t**2 * rho**2) * math.log(math.sqrt(t * rho**2 + 1) / alpha))
    assert sequence_half_width(sd / math.sqrt(t), t) == pytest.approx(published)


def test_p_is_the_level_at_which_the_sequence_just_touches_zero() -> None:
    se, blocks = 0.02, 300
    edge = sequence_half_width(se, blocks)
    assert sequence_p(edge, se, blocks) == pytest.approx(0.05)
    assert sequence_p(1.2 * edge, se, blocks) < 0.05 < sequence_p(0.8 * edge, se, blocks)


def test_sequence_is_wider_than_an_interval_looked_at_once() -> None:
    assert sequence_half_width(1.0, 400) > 1.96
    assert sequence_half_width(1.0, 400) < 3.2


def test_few_blocks_say_nothing() -> None:
    assert math.isnan(sequence_half_width(0.1, MIN_BLOCKS - 1))
    assert sequence_p(5.0, 0.1, MIN_BLOCKS - 1) == 1.0
    assert RatioTest(0.03).decide(5.0, 0.1, MIN_BLOCKS - 1) == Decision.OPEN


def test_blocks_that_are_all_the_same_are_certain() -> None:
    test = RatioTest(0.03)
    assert test.decide(0.0, 0.0, 50) == Decision.SAME
    assert test.decide(0.05, 0.0, 50) == Decision.DIFFERENT
    assert test.decide(-0.05, 0.0, 50) == Decision.DIFFERENT
    assert sequence_p(0.0, 0.0, 50) == 1.0 and sequence_p(0.1, 0.0, 50) == 0.0


def test_sequence_misses_at_any_of_forty_looks_in_at_most_five_per_cent() -> None:
    means, errors = paths(0.0, 1500, seed=1)
    widths = np.array([[sequence_half_width(e, int(t)) for e, t in zip(row, LOOKS, strict=True)] for row in errors])
    missed = (np.abs(means) > widths).any(axis=1).mean()
    fooled = (np.abs(means) > 1.96 * errors).any(axis=1).mean()
    assert missed <= 0.05
    assert fooled > 0.2, "what an ordinary interval does when it is looked at forty times"


def decided(mean: float, number: int, seed: int, test: RatioTest) -> tuple[list[Decision], list[int]]:
    means, errors = paths(mean, number, seed)
    answers, deals = [], []
    for row, error in zip(means, errors, strict=True):
        for value, se, blocks in zip(row, error, LOOKS, strict=True):
            said = test.decide(float(value), float(se), int(blocks))
            if said != Decision.OPEN:
                break
        answers.append(said)
        deals.append(int(blocks))
    return answers, deals


def test_ratio_test_keeps_its_errors() -> None:
    test = RatioTest(0.03)
    none, _ = decided(0.0, 800, 2, test)
    there, _ = decided(0.03, 800, 3, test)
    assert np.mean([a == Decision.DIFFERENT for a in none]) <= 0.05 + 0.02
    assert np.mean([a == Decision.SAME for a in there]) <= 0.05 + 0.02
    assert np.mean([a == Decision.OPEN for a in none + there]) < 0.05


def test_a_true_effect_of_three_points_is_decided_with_sixty_per_cent_of_a_fixed_plan() -> None:
    test = RatioTest(0.03)
    _, deals = decided(0.03, 800, 4, test)
    variance = 2 * (1 / 3) * (2 / 3) / 3  # of the difference of two means of three
    assert np.median(deals) <= 0.6 * fixed_size(variance, test)


def test_fixed_size_is_the_textbook_number() -> None:
    # (1.95996 + 1.64485)^2 = 12.995 for 5 % two-sided and 95 % power.
    assert fixed_size(1.0, RatioTest(1.0)) == 13
    assert fixed_size(0.25, RatioTest(0.1)) == 325

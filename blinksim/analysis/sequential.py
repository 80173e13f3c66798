"""Watching a comparison as it is played: deciding and estimating without fooling oneself.

Looking at ordinary intervals again and again until one excludes zero raises false alarms without bound. Two tools,
kept apart, that allow any number of looks:

* *deciding*: the sequential probability ratio test (Wald 1945) of "no difference" against "a difference of a stated
  size", on blocks, with the variance put in as it is estimated, as chess engines are tested;
* *estimating*: an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021, their
  equation 10): an interval that holds at all times together, wider than one that is looked at once, and the
  probability that goes with it.

Both take a mean over blocks with its standard error, on a complete prefix of deals in deal order: games must not count
in the order in which they finish, since short ones come first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from blinksim.analysis.estimates import LEVEL

MIN_BLOCKS = 40
"""Blocks before the first look: with fewer, the variance between blocks is not known well enough."""
TUNED_FOR = 400
"""Blocks at which the confidence sequence is as narrow as it gets; elsewhere it is valid and a little wider."""
ERROR = 0.05
"""Probability of either mistake of the sequential test where none is given."""


class Decision(StrEnum):
    """What the sequential test says."""

    DIFFERENT = "different"
    SAME = "no difference of that size"
    OPEN = "not enough games"


def mixture_variance(level: float = LEVEL, tuned_for: int = TUNED_FOR) -> float:
    """The variance of the normal mixture that makes the sequence narrowest at ``tuned_for`` blocks."""
    log = -2 * math.log(1 - level)
    return (log + math.log(log + 1)) / tuned_for


def sequence_half_width(standard_error: float, num_blocks: int, level: float = LEVEL) -> float:
    """Half the width of the confidence sequence of a mean.

    Args:
        standard_error: Of the mean over the blocks so far.
        num_blocks: How many.
        level: Probability that the sequence holds at all looks together.

    Returns:
        nan below ``MIN_BLOCKS``.
    """
    if num_blocks < MIN_BLOCKS or math.isnan(standard_error):
        return math.nan
    v = num_blocks * mixture_variance(level)
    # In units of the standard error: sqrt((t r + 1) / (t r) * log((t r + 1) / alpha^2)), t blocks, r the mixture.
    return standard_error * math.sqrt((v + 1) / v * math.log((v + 1) / (1 - level) ** 2))


def sequence_p(difference: float, standard_error: float, num_blocks: int, level: float = LEVEL) -> float:
    """The probability that goes with the sequence: one less the highest level at which it still excludes zero.

    Valid at whatever moment one stops (Ville's inequality on the mixture's likelihood ratio).
    """
    if num_blocks < MIN_BLOCKS or math.isnan(standard_error):
        return 1.0
    if standard_error == 0:
        return 0.0 if difference else 1.0
    v = num_blocks * mixture_variance(level)
    log_ratio = (difference / standard_error) ** 2 / 2 * v / (v + 1) - math.log(v + 1) / 2
    return min(1.0, math.exp(-log_ratio))


@dataclass(frozen=True)
class RatioTest:
    """The sequential test of no difference against one of a size, in either direction.

    Attributes:
        size: The difference that matters.
        alpha: Probability of saying "different" where there is none, both directions together.
        beta: Probability of saying "no difference of that size" where there is one.
    """

    size: float
    alpha: float = ERROR
    beta: float = ERROR

    @property
    def upper(self) -> float:
        """A direction is taken as different from here on."""
        return math.log((1 - self.beta) / (self.alpha / 2))

    @property
    def lower(self) -> float:
        """A direction is ruled out from here down."""
        return math.log(self.beta / (1 - self.alpha / 2))

    def log_ratios(self, difference: float, standard_error: float) -> tuple[float, float]:
        """Log likelihood ratios of a difference of ``+size`` and of ``-size`` to none."""
        if standard_error == 0:
            # The same rules, so the same games: whatever sits nearer is certain.
            return tuple(
                math.inf if abs(difference - s) < abs(difference) else -math.inf for s in (self.size, -self.size)
            )  # type: ignore[return-value]
        scale = self.size / standard_error**2
        return scale * (difference - self.size / 2), scale * (-difference - self.size / 2)

    def decide(self, difference: float, standard_error: float, num_blocks: int) -> Decision:
        """What can be said after ``num_blocks`` blocks; the first answer other than OPEN stands."""
        if num_blocks < MIN_BLOCKS or math.isnan(standard_error):
            return Decision.OPEN
        ratios = self.log_ratios(difference, standard_error)
        if max(ratios) >= self.upper:
            return Decision.DIFFERENT
        return Decision.SAME if max(ratios) <= self.lower else Decision.OPEN


def fixed_size(variance: float, test: RatioTest) -> int:
    """Blocks that a test looked at once would need for the same errors.

    Args:
        variance: Of a block's difference.
        test: Size and errors.
    """
    from scipy import stats

    z = stats.norm.ppf(1 - test.alpha / 2) + stats.norm.ppf(1 - test.beta)
    return math.ceil(variance * float(z) ** 2 / test.size**2)

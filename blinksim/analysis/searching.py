"""What a search for a breakpoint plays: a parameter's values in the laboratory, and one metric's sums of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from blinksim.analysis.laboratory import Laboratory
from blinksim.analysis.metrics import SEAT_SPREAD
from blinksim.errors import UserError
from blinksim.simulate.axes import Axis, AxisError, parse_axis

LEAST_VALUES = 3
"""Values between which a crossing can be sought."""
LEAST_VALUES_SLOPE = 5
"""Values along which two straight lines can be told from one: two of each, and where they meet."""
MOST_VALUES = 8
"""Values to either side of the present one that are taken where no range is given."""


def axis_of(text: str, laboratory: Laboratory, least: int = LEAST_VALUES) -> Axis:
    """The values of a parameter, ascending: those given, or all lawful whole numbers around the present one.

    Args:
        text: ``KEY`` or ``KEY=VALUES``.
        laboratory: Whose ruleset has the parameter.
        least: Values that are needed.

    Raises:
        AxisError: the values are names, or there are too few.
        UserError: there is no such parameter, or a value is not allowed.
    """
    key, equals, _ = text.partition("=")
    if equals:
        axis = parse_axis(text)
        if not axis.numeric or len(axis.values) < least:
            raise AxisError(f'"{text}": {least} numbers or more are needed here, such as "{axis.key}=10..20"')
        for value in axis.values:
            laboratory.ruleset([f"{axis.key}={value}"])
        return Axis(axis.key, tuple(sorted(axis.values, key=float)))
    present = laboratory.value(key)
    lawful = [present]
    for step in (-1, 1):
        place = present + step
        while abs(place - present) <= MOST_VALUES and _lawful(laboratory, key, place):
            lawful.append(place)
            place += step
    if len(lawful) < least:
        raise AxisError(
            f"{key} is {present} and has {len(lawful)} lawful values around it, where {least} are needed; name them, "
            f"such as {key}=10..20"
        )
    return Axis(key, tuple(map(str, sorted(lawful))))


def _lawful(laboratory: Laboratory, key: str, value: int) -> bool:
    try:
        laboratory.ruleset([f"{key}={value}"])
    except UserError:
        return False
    return True


class Sampler:
    """Plays values of a parameter; see :class:`blinksim.analysis.breakpoints.Sample`.

    Args:
        laboratory: Where they are played.
        axis: The parameter and its values.
        metric: Name of the metric.
        say: Told what is played.
    """

    def __init__(self, laboratory: Laboratory, axis: Axis, metric: str, say: Callable[[str], None]) -> None:
        if metric == SEAT_SPREAD:
            raise UserError(
                f"{SEAT_SPREAD} is no single ratio, so no breakpoint can be sought in it; take a seat's win share, "
                "such as seat_0"
            )
        self.laboratory, self.axis, self.metric, self.say = laboratory, axis, metric, say

    def __call__(self, points: Sequence[int], first_deal: int, num_deals: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Sums of the metric at points of the axis on deals in a row."""
        values = [self.axis.values[point] for point in points]
        self.say(f"{self.axis.key} = {', '.join(values)}: deals {first_deal:,} to {first_deal + num_deals - 1:,}")
        rulesets = [self.laboratory.ruleset([f"{self.axis.key}={value}"]) for value in values]
        sums = self.laboratory.play(rulesets, first_deal, num_deals)
        found = []
        for number in range(len(points)):
            mine = sums.filter(pl.col("variant") == number).sort("deal")
            found.append((mine[f"{self.metric}|y"].to_numpy(), mine[f"{self.metric}|x"].to_numpy()))
        return found

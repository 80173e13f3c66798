"""Axes of a sweep: a parameter of the rules and the values that it is to take.

``tiers.wall[2]=11..18`` (whole numbers), ``KEY=0..10:2`` (in steps), ``KEY=0.1..0.5:0.1`` (real numbers need a step),
``KEY=true,false`` and ``KEY=left,right`` (named values, one after the other).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import product

from blinksim.errors import UserError

MAX_POINTS = 400
"""Points of a sweep at most: each is a ruleset that plays every deal."""
_RANGE = re.compile(r"\s*(?P<low>-?[\d.]+?)\s*\.\.\s*(?P<high>-?[\d.]+?)\s*(?::\s*(?P<step>[\d.]+)\s*)?")


class AxisError(UserError):
    """An axis was given in words that name none."""


@dataclass(frozen=True)
class Axis:
    """A parameter and its values.

    Attributes:
        key: The parameter, such as ``tiers.wall[2]``.
        values: As they are written in a ruleset, in order.
    """

    key: str
    values: tuple[str, ...]

    @property
    def numeric(self) -> bool:
        """Whether the values lie on a line."""
        return all(_number(value) is not None for value in self.values)

    def positions(self) -> list[float]:
        """Where the values lie on a figure: themselves, or their places where they are names."""
        numbers = [_number(value) for value in self.values]
        return [float(i) if n is None or not self.numeric else float(n) for i, n in enumerate(numbers)]


def parse_axis(text: str) -> Axis:
    """An axis from its text.

    Raises:
        AxisError: it has another form, or too many values.
    """
    key, equals, rest = text.partition("=")
    key = key.strip()
    found = _RANGE.fullmatch(rest)
    if not equals or not key or not rest.strip():
        raise _wrong(text, "it has no values")
    values = _from_range(text, found) if found else [part.strip() for part in _split(rest)]
    if len(values) < 2 or len(set(values)) < len(values) or not all(values):
        raise _wrong(text, "it needs two values or more, each once")
    if len(values) > MAX_POINTS:
        raise _wrong(text, f"it has {len(values)} values; at most {MAX_POINTS} can be played")
    return Axis(key, tuple(values))


def _from_range(text: str, found: re.Match[str]) -> list[str]:
    numbers = [_number(found[name] or "1") for name in ("low", "high", "step")]
    low, high, step = numbers
    if low is None or high is None or step is None or step <= 0 or low >= high:
        raise _wrong(text, "a range goes from a number up to a larger one, in steps above 0")
    if found["step"] is None and (low != int(low) or high != int(high)):
        raise _wrong(text, "a range of real numbers needs a step, such as 0.1..0.5:0.1")
    count = int((high - low) / step) + 1
    if count > MAX_POINTS:
        raise _wrong(text, f"it has {count} values; at most {MAX_POINTS} can be played")
    return [f"{low + i * step:f}" for i in range(count)]


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _split(text: str) -> list[str]:
    """Values between commas; a list in brackets is one value."""
    return re.split(r",(?![^\[]*\])", text)


def _wrong(text: str, why: str) -> AxisError:
    return AxisError(
        f'"{text}" is not a range of values: {why}; expected a parameter with values such as "tiers.wall[2]=11..18", '
        '"trick.last_place_gold=0,1,2" or "setup.draft=true,false"'
    )


def grid(axes: Sequence[Axis]) -> list[tuple[str, ...]]:
    """The changes "KEY=VALUE" of every point, the last axis fastest.

    Raises:
        AxisError: two axes have one parameter, or there are too many points.
    """
    keys = [axis.key for axis in axes]
    if len(set(keys)) < len(keys):
        raise AxisError(f"{keys[0]} is swept twice; name each parameter once")
    points = [
        tuple(f"{key}={value}" for key, value in zip(keys, values, strict=True))
        for values in product(*(axis.values for axis in axes))
    ]
    if len(points) > MAX_POINTS:
        raise AxisError(f"{len(points)} points; at most {MAX_POINTS} can be played: take fewer values or larger steps")
    return points

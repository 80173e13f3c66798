"""Targets: bands in which a designer wants a metric to lie, as checked plain data.

::

    [[targets]]
    metric = "seats.win_share"                   # a measure of the report
    where = { players = 3, seat = 0 }            # which of its rows; all where left out
    high = 0.36                                  # at least one of low and high, in the metric's unit
    column = "value"                             # the column of the metric that is meant; "value" where left out
    note = "No seat should be worth choosing."   # what it is good for, where one wants to say so

They stand in the experiment, or in a TOML file of their own that holds nothing else. Which metrics there are is the
report's business.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from blinksim.errors import UserError
from blinksim.simulate.line_ups import Model, Name, as_tuple
from blinksim.simulate.mistakes import messages

ALLOWED = "tables [[targets]] with metric, where, low and high, or the path of a TOML file of them in quotes"


class TargetsError(UserError):
    """A file of targets says something that is no target."""


def _scalar(value: Any) -> Any:
    if not isinstance(value, str | int | float):
        raise ValueError("neither text, number, true nor false")
    return value


Bound = Annotated[float, Field(allow_inf_nan=False)]


class Target(Model):
    """A band in which a metric should lie; ``low`` and ``high`` belong to it."""

    metric: Name = Field(description="the name of a metric of the report")
    where: dict[Name, Annotated[Any, AfterValidator(_scalar)]] = Field(
        {}, description="a table of texts, numbers, true or false, such as { players = 3 }"
    )
    low: Bound | None = Field(None, description="a number: the least that is wanted")
    high: Bound | None = Field(None, description="a number: the most that is wanted")
    column: Name = Field("value", description='the column of the metric that holds the number; "value" where left out')
    note: str = Field("", description="what it is good for, in a sentence")

    @property
    def least(self) -> float:
        """The least that is wanted, minus infinity where that is open."""
        return -math.inf if self.low is None else self.low

    @property
    def most(self) -> float:
        """The most that is wanted, infinity where that is open."""
        return math.inf if self.high is None else self.high

    def mistake(self) -> str | None:
        """What is wrong with the bounds taken together; None where nothing is."""
        if self.low is None and self.high is None:
            return "has neither low nor high; give one of them or both"
        if self.low is not None and self.high is not None and self.low > self.high:
            return f"has low {self.low:g} above high {self.high:g}; low may not lie above high"
        return None


Targets = Annotated[tuple[Target, ...], BeforeValidator(as_tuple)]


class _File(Model):
    targets: Targets = Field(min_length=1, description="tables [[targets]] with metric, where, low and high")


def load_targets(path: str | Path) -> tuple[Target, ...]:
    """The targets of a TOML file.

    Raises:
        TargetsError: there is no such file, it is not TOML, or mistakes in it; one line for each.
    """
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TargetsError(f"targets cannot be read from {path}: {error.strerror}; expected {ALLOWED}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TargetsError(f"{path} is not a TOML file: {error}") from None
    try:
        targets = _File.model_validate(data).targets
    except ValidationError as error:
        raise TargetsError("\n".join(messages(str(path), data, error.errors(), _File, {"targets": Target}))) from None
    if found := bound_mistakes(targets):
        raise TargetsError("\n".join(f"{path}: {mistake}" for mistake in found))
    return targets


def bound_mistakes(targets: Sequence[Target]) -> list[str]:
    """What is wrong with the bounds of some targets."""
    told = [(i, target, target.mistake()) for i, target in enumerate(targets)]
    return [f'targets[{i}] ("{target.metric}") {mistake}' for i, target, mistake in told if mistake]

"""Personas: a strategy with a temper of its own, in ``strategies/NAME.toml``.

::

    strategy = "raider"                       # a strategy of the roster
    summary = "attacks first and asks later"

    [parameters]                              # those that differ from the strategy's own
    aggression = 3.0

Line-ups and commands name a persona like a strategy; ``hothead:lead=2`` changes it further.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blinksim.errors import UserError

KEYS = {
    "strategy": "the name of a strategy, such as raider",
    "summary": "the temper in a few words",
    "parameters": "a table [parameters] of numbers by the names that blinksim strategies show NAME lists",
}


class StrategyError(UserError):
    """A strategy's file or parameters are not as they should be."""


@dataclass(frozen=True)
class Persona:
    """What a persona's file says.

    Attributes:
        name: Name of its file.
        strategy: The strategy that it builds on.
        summary: Its temper in a few words.
        parameters: Values that differ from the strategy's own, as given; the roster checks them.
        path: Its file.
    """

    name: str
    strategy: str
    summary: str
    parameters: Mapping[str, Any]
    path: Path


def read_persona(path: Path) -> Persona:
    """A persona from its file.

    Raises:
        StrategyError: it is not TOML, or has unknown keys, missing ones, or values of the wrong kind.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StrategyError(f"{path} is not a TOML file: {error}") from None
    for key in data:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1)
            hint = f'did you mean "{near[0]}"? ' if near else ""
            raise StrategyError(f'{path}: unknown key "{key}"; {hint}Known keys: {", ".join(KEYS)}')
    for key in ("strategy", "summary"):
        value = data.get(key)
        if not isinstance(value, str) or not value.strip():
            given = f"{key} is {value!r}" if key in data else f'the key "{key}" is missing'
            raise StrategyError(f"{path}: {given}; it must be {KEYS[key]}")
    parameters = data.get("parameters", {})
    if not isinstance(parameters, dict):
        raise StrategyError(f"{path}: parameters is {parameters!r}; it must be {KEYS['parameters']}")
    return Persona(path.stem, data["strategy"], data["summary"], parameters, path)

"""The roster: finds strategies by name, with parameters changed where asked.

``raider`` is ``strategies/raider.py`` in the working directory, or else the one that is shipped;
``raider:aggression=1.5`` changes a parameter.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from blinksim.errors import UserError
from blinksim.jit import source_key
from blinksim.paths import STRATEGIES, find_file, list_names
from blinksim.players.policy import Strategy

MAX_PARAMETERS = 32


class StrategyError(UserError):
    """A strategy's file or parameters are not as they should be."""


@dataclass(frozen=True)
class Player:
    """A strategy ready to play.

    Attributes:
        name: As it was asked for, parameters included.
        strategy: What its file says about it.
        decide: Its function.
        params: (MAX_PARAMETERS,) float64.
        path: Its file.
    """

    name: str
    strategy: Strategy
    decide: Any
    params: np.ndarray
    path: Path

    @property
    def compiled(self) -> bool:
        """Whether it plays inside the compiled driver."""
        return self.strategy.compiled

    @property
    def fingerprint(self) -> str:
        """Hash of all that its choices depend on: its sources and parameters."""
        return hashlib.sha256(source_key(self.path).encode() + self.params.tobytes()).hexdigest()


def list_strategies() -> dict[str, Path]:
    """Names of all strategies and their files."""
    return list_names(STRATEGIES, ".py")


def load_module(path: Path) -> ModuleType:
    """Import a strategy's file.

    Raises:
        StrategyError: it has a mistake, or lacks ``STRATEGY`` or ``decide``.
    """
    # By content, not place: the compiled form on disk names its module, and is shared by copies of a file.
    name = f"blinksim_strategy_{path.stem}_{source_key(path.resolve())[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise StrategyError(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(getattr(module, "STRATEGY", None), Strategy) or not callable(getattr(module, "decide", None)):
        del sys.modules[name]
        raise StrategyError(f"{path}: a strategy needs a constant STRATEGY = Strategy(...) and a function decide(...)")
    return module


def find_player(text: str) -> Player:
    """A strategy by name, with parameters: ``raider`` or ``raider:aggression=1.5,patience=2``.

    Raises:
        UserError: there is no such strategy or parameter, or a value is out of range; the known ones are named.
    """
    name, _, settings = text.partition(":")
    path = find_file(STRATEGIES, name, ".py")
    module = load_module(path)
    strategy: Strategy = module.STRATEGY
    params = np.zeros(MAX_PARAMETERS)
    params[: len(strategy.parameters)] = [p.default for p in strategy.parameters]
    names = [p.name for p in strategy.parameters]
    for setting in filter(None, settings.split(",")):
        key, equals, value = setting.partition("=")
        if key not in names:
            near = difflib.get_close_matches(key, names, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise StrategyError(f'{name} has no parameter "{key}"{hint} It has: {", ".join(names) or "none"}')
        parameter = strategy.parameters[names.index(key)]
        try:
            number = float(value) if equals else np.nan
        except ValueError:
            number = np.nan
        if not parameter.low <= number <= parameter.high:
            raise StrategyError(
                f"{name}:{key} is {value or 'missing'}; it must be a number from {parameter.low:g} to "
                f"{parameter.high:g} ({parameter.unit}): {parameter.meaning}"
            )
        params[names.index(key)] = number
    return Player(text, strategy, module.decide, params, path)

"""The roster: finds strategies and personas by name, with parameters changed where asked.

``raider`` is ``strategies/raider.py`` in the working directory, or else the one that is shipped;
``raider:aggression=1.5`` changes a parameter. A persona is a strategy with a temper of its own, in
``strategies/NAME.toml`` (:mod:`blinksim.players.personas`), and is named, changed and found in the same way.
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

from blinksim.jit import source_key
from blinksim.paths import STRATEGIES, UnknownNameError, find_file, folders
from blinksim.players.personas import Persona, StrategyError, read_persona
from blinksim.players.policy import Strategy

__all__ = ["MAX_PARAMETERS", "Player", "StrategyError", "find_player", "list_strategies", "load_module"]

MAX_PARAMETERS = 32
PERSONA = ".toml"
SCRIPT = ".py"


@dataclass(frozen=True)
class Player:
    """A strategy ready to play.

    Attributes:
        name: As it was asked for, parameters included.
        strategy: What its file says about it.
        decide: Its function.
        params: (MAX_PARAMETERS,) float64.
        path: The strategy's file.
        persona: What ``strategies/NAME.toml`` says, where it is a persona.
    """

    name: str
    strategy: Strategy
    decide: Any
    params: np.ndarray
    path: Path
    persona: Persona | None = None

    @property
    def summary(self) -> str:
        """The plan in a few words."""
        return self.persona.summary if self.persona is not None else self.strategy.summary

    @property
    def compiled(self) -> bool:
        """Whether it plays inside the compiled driver."""
        return self.strategy.compiled

    @property
    def fingerprint(self) -> str:
        """Hash of all that its choices depend on: its sources and parameters."""
        return hashlib.sha256(source_key(self.path).encode() + self.params.tobytes()).hexdigest()


def list_strategies() -> dict[str, Path]:
    """Names of all strategies and personas and their files; the working directory hides what is shipped."""
    names: dict[str, Path] = {}
    for folder in folders(STRATEGIES):
        here: dict[str, Path] = {}
        for path in sorted((*folder.glob(f"*{SCRIPT}"), *folder.glob(f"*{PERSONA}"))):
            if not path.name.startswith("_"):
                here.setdefault(path.stem, path)  # of two with one name the script; asking for it is an error
        names = here | names
    return dict(sorted(names.items()))


def _find(name: str) -> Path:
    """The file of a strategy or a persona.

    Raises:
        UnknownNameError: there is none of that name.
        StrategyError: a folder has both.
    """
    for suffix in (SCRIPT, PERSONA):
        if name.endswith(suffix):
            return find_file(STRATEGIES, name, suffix)
    known = list_strategies()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        where = " or ".join(map(str, folders(STRATEGIES))) or f"{Path.cwd() / STRATEGIES} (no such folder)"
        hint = f'; did you mean "{near[0]}"?' if near else "."
        raise UnknownNameError(
            f"there is no {name}{SCRIPT} in {where}, and no {name}{PERSONA}{hint} Known {STRATEGIES}: "
            f"{', '.join(known) or 'none'}"
        )
    path = known[name]
    twin = path.with_suffix(PERSONA if path.suffix == SCRIPT else SCRIPT)
    if twin.is_file():
        raise StrategyError(f"{path} and {twin} have one name; rename one of them, or name the file with its suffix")
    return path


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
    """A strategy or persona by name, with parameters: ``raider`` or ``raider:aggression=1.5,lead=2``.

    Raises:
        UserError: there is no such strategy or parameter, or a value is out of range; the known ones are named.
    """
    name, _, settings = text.partition(":")
    path = _find(name)
    persona = read_persona(path) if path.suffix == PERSONA else None
    if persona is not None:
        path = _script_of(persona)
    module = load_module(path)
    strategy: Strategy = module.STRATEGY
    params = np.zeros(MAX_PARAMETERS)
    params[: len(strategy.parameters)] = [p.default for p in strategy.parameters]
    for key, value in persona.parameters.items() if persona is not None else ():
        _set(params, strategy, key, value, f"{persona.path}: " if persona is not None else "", strategy.name)
    for setting in filter(None, settings.split(",")):
        key, _, value = setting.partition("=")
        _set(params, strategy, key, value, "", name)
    return Player(text, strategy, module.decide, params, path, persona)


def _script_of(persona: Persona) -> Path:
    """The file of a persona's strategy.

    Raises:
        StrategyError: there is none, or it is another persona.
    """
    scripts = [name for name, path in list_strategies().items() if path.suffix == SCRIPT]
    try:
        path = _find(persona.strategy)
    except UnknownNameError as error:
        raise StrategyError(f"{persona.path}: strategy: {error}") from None
    if path.suffix != SCRIPT:
        raise StrategyError(
            f'{persona.path}: strategy is "{persona.strategy}", which is a persona itself; name the strategy that it '
            f"builds on: {', '.join(scripts)}"
        )
    return path


def _set(params: np.ndarray, strategy: Strategy, key: str, value: Any, where: str, name: str) -> None:
    """Change one parameter.

    Args:
        params: Changed.
        strategy: Whose parameters they are.
        key: Name of the parameter.
        value: A number, or its text.
        where: Begins a message, such as the file.
        name: How the strategy is called in a message.
    """
    names = [p.name for p in strategy.parameters]
    if key not in names:
        near = difflib.get_close_matches(key, names, n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise StrategyError(f'{where}{name} has no parameter "{key}"{hint} It has: {", ".join(names) or "none"}')
    parameter = strategy.parameters[names.index(key)]
    try:
        number = np.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not parameter.low <= number <= parameter.high:
        given = "missing" if value == "" else str(value)
        raise StrategyError(
            f"{where}{name}:{key} is {given}; it must be a number from {parameter.low:g} to "
            f"{parameter.high:g} ({parameter.unit}): {parameter.meaning}"
        )
    params[names.index(key)] = number

"""The contract between a strategy and the game.

A strategy is one file with a module constant ``STRATEGY`` and a function ``decide``::

    decide(view, rules, actions, n, params, memory, stream, sandbox) -> index

It is called only where its seat has a choice, and returns an index below ``n`` into ``actions``.

============  =====================================================================================================
argument      meaning
============  =====================================================================================================
``view``      what the seat may know (record ``VIEW`` of the game)
``rules``     the ruleset (record ``RULES``)
``actions``   int64, the legal choices; only the first ``n`` count
``params``    float64, the strategy's parameters in the order of ``STRATEGY.parameters``
``memory``    uint64, private to this seat and game; all zero at the start, kept between calls
``stream``    (1,) uint64, the seat's own random stream; draw with ``blinksim.games.chance``
``sandbox``   spare states to think in
============  =====================================================================================================

A compiled strategy decorates ``decide`` with ``@kernel``; one in plain Python leaves that out and says
``compiled=False``.
"""

from __future__ import annotations

from dataclasses import dataclass

from blinksim.jit import kernel

__all__ = ["Parameter", "Strategy", "kernel"]


@dataclass(frozen=True)
class Parameter:
    """A number that tunes a strategy.

    Attributes:
        name: As on the command line.
        default: Its value unless changed.
        low, high: Allowed range, both included.
        unit: Unit of the value, such as ``points``.
        meaning: What it does, in a sentence.
    """

    name: str
    default: float
    low: float
    high: float
    unit: str
    meaning: str

    def __post_init__(self) -> None:
        assert self.low <= self.default <= self.high, f"parameter {self.name}: default outside its range"


@dataclass(frozen=True)
class Strategy:
    """What a strategy says about itself.

    Attributes:
        name: Name of its file.
        summary: The plan in a few words.
        parameters: In the order in which ``decide`` gets them.
        random: Whether it draws from its stream.
        remembers: What it keeps in ``memory`` between calls; empty for nothing.
        compiled: Whether ``decide`` is a kernel.
        game: The game it plays.
    """

    name: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    random: bool = False
    remembers: str = ""
    compiled: bool = True
    game: str = "blink"

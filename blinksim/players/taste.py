"""The parameters that strategies of the game Blink share: a player's taste, and how a strategy declares and reads it.

A strategy that judges by :mod:`blinksim.games.blink.toolkit_turn` begins its parameters with
``*taste_parameters(lead=2.0, ...)``, naming only the defaults that differ from the common ones, and reads them with
``taste_of(params)``; its own parameters follow, from number ``OWN`` on. Before it asks anything about rivals it calls
``recall(view, taste.memory)`` (:mod:`blinksim.games.blink.toolkit_memory`), which forgets what it does not remember.
"""

from __future__ import annotations

from typing import Any

from blinksim.games.blink.toolkit_turn import Taste
from blinksim.jit import kernel
from blinksim.players.policy import Parameter

_SHARED = (
    Parameter("objectives", 0.3, 0.0, 1.0, "times", "How much objectives count at first, part of their points."),
    Parameter("step", 0.3, 0.0, 1.0, "arrangements", "What it is worth to bring an arrangement closer."),
    Parameter("tile", 0.2, 0.0, 2.0, "units", "What a tile laid for later is worth."),
    Parameter("coin", 1.2, 0.0, 2.0, "units", "What a coin is worth that buys an improvement."),
    Parameter("walls", 0.5, 0.0, 5.0, "units", "What a wall is worth where an attack is certain."),
    Parameter("ward", 0.0, 0.0, 1.0, "times", "How much of the objectives on a tile its wall is taken to save."),
    Parameter("hurt", 0.6, 0.0, 5.0, "units", "What a rival's unit sent home is worth."),
    Parameter("colony", 4.0, 0.0, 5.0, "units", "What a unit founded by a card of the row is worth."),
    Parameter("retires", 1.0, 0.0, 4.0, "cards", "How many cards a round are expected to go to the row."),
    Parameter("spare", 0.0, 0.0, 0.5, "units", "What a rank less is worth where several cards would do."),
    Parameter("border", 0.08, 0.0, 1.0, "units", "What a rival's tile beside a tile explored costs."),
    Parameter("lead", 0.5, -5.0, 5.0, "units", "What it is worth to win the trick."),
    Parameter("spread", 8.0, 1.0, 40.0, "ranks", "How far a rival's trick total may lie from the expected one."),
    Parameter("rank", 0.2, 0.0, 1.0, "units", "What a rank more is worth on a card that is kept or taken."),
    Parameter("suit", 0.2, 0.0, 1.0, "units", "What a card is worth for each unit that its terrain holds."),
    Parameter("near_rivals", -0.15, -1.0, 1.0, "units", "What a rival's tile beside a colony is worth."),
    Parameter("near_own", 0.03, -1.0, 1.0, "units", "What an own tile beside a colony is worth."),
    Parameter("memory", 2.0, 0.0, 2.0, "level", "Rivals' cards it remembers: 2 all seen, 1 this cycle's, 0 none."),
)
assert tuple(parameter.name for parameter in _SHARED) == Taste._fields

OWN = len(_SHARED)
"""Number of a strategy's first parameter of its own."""


def taste_parameters(renamed: dict[str, str] | None = None, **defaults: float) -> tuple[Parameter, ...]:
    """The shared parameters with a strategy's own defaults.

    Args:
        renamed: Shared parameters that go by another name in this strategy.
        defaults: Defaults by shared name; the common ones hold for those not named.

    Raises:
        AssertionError: a name is not that of a shared parameter, or a default lies outside its range.
    """
    renamed = renamed or {}
    assert {*defaults, *renamed} <= set(Taste._fields), f"shared parameters are {', '.join(Taste._fields)}"
    return tuple(
        Parameter(renamed.get(p.name, p.name), defaults.get(p.name, p.default), p.low, p.high, p.unit, p.meaning)
        for p in _SHARED
    )


@kernel
def taste_of(params: Any) -> Taste:
    """The taste in a strategy's parameters."""
    return Taste(
        params[0], params[1], params[2], params[3], params[4], params[5], params[6], params[7], params[8],
        params[9], params[10], params[11], params[12], params[13], params[14], params[15], params[16], params[17],
    )  # fmt: skip


def sound_parameters() -> tuple[Parameter, ...]:
    """The defaults of the strongest rules of thumb, the generalist's, and its three parameters beside a taste.

    In order: what all share, then ``ripen``, ``next`` and ``wanted``.
    """
    return (
        *taste_parameters(
            objectives=0.2,
            step=0.3,
            tile=0.15,
            coin=1.45,
            walls=0.3,
            hurt=0.8,
            colony=4.0,
            retires=1.2,
            spare=0.01,
            border=0.05,
            lead=-0.1,
            spread=3.7,
            rank=0.22,
            suit=0.1,
            near_rivals=0.03,
            near_own=0.0,
        ),
        Parameter("ripen", 0.4, -1.0, 2.0, "times", "How much dearer a coin is with no unit left than with half."),
        Parameter("next", 0.13, 0.0, 2.0, "units", "What it is worth to leave a card more for the next meld."),
        Parameter(
            "wanted", 0.5, 0.0, 5.0, "units", "What a card is worth more for each place of its suit in objectives."
        ),
    )

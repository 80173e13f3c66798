"""Plays any legal choice, all alike: the floor that every plan must beat, and the widest search for odd positions."""

from __future__ import annotations

from blinksim.games.chance import below
from blinksim.players.policy import Strategy, kernel

STRATEGY = Strategy(name="random", summary="any legal choice, all alike", random=True)


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """One of the ``n`` choices, drawn from the seat's own stream."""
    return below(stream, n)

"""The current edition of Blink. ``GAME`` is its descriptor; importing this package alone compiles nothing."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "GAME":
        from blinksim.games.blink.descriptor import GAME

        return GAME
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

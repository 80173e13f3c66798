"""The engine compiled: its parts with the signatures that the driver calls them by.

Each part compiles alone and is kept on disk (:mod:`blinksim.jit`). Compiling all takes half a minute on one core the
first time and a fraction of a second later; :func:`compile_part` lets a second process take a share.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from blinksim.games.blink import apply, deal, drive, invariants, legal, observe
from blinksim.jit import PLAIN

PARTS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "applying": (apply.apply_action, drive.APPLY_SIGNATURE),
    "listing": (legal.list_actions, drive.LIST_SIGNATURE),
    "observing": (observe.observe, drive.OBSERVE_SIGNATURE),
    "setup": (deal.set_up, drive.SET_UP_SIGNATURE),
    "no check": (drive.no_check, drive.CHECK_SIGNATURE),
    "driver": (drive.run, drive.RUN_SIGNATURE),
    "games": (drive.play, drive.PLAY_SIGNATURE),
    "invariants": (invariants.broken_invariant, drive.CHECK_SIGNATURE),
}
"""What an unchecked run needs, slowest first, and the invariants."""


_compiling = threading.Lock()


def compile_kernel(function: Any, signature: tuple[Any, ...]) -> float:
    """Compile a kernel for one signature, or load it from the cache, and let it compile for no other.

    Returns:
        Seconds it took.
    """
    begin = time.perf_counter()
    if not PLAIN:
        with _compiling:  # workers may come here together
            if not function.signatures:
                result, *arguments = signature
                function.compile(result(*arguments))
                function.disable_compile()
    return time.perf_counter() - begin


def compile_part(name: str) -> float:
    """Compile one of ``PARTS``; returns the seconds it took."""
    return compile_kernel(*PARTS[name])


@cache
def ready(checked: bool = False) -> dict[str, Callable[..., Any]]:
    """All parts by name, compiled; with ``checked`` the invariants too."""
    for name in PARTS:
        if name != "invariants" or checked:
            compile_part(name)
    return {name: function for name, (function, _) in PARTS.items()}

"""Compiles what a line-up needs before play starts, on two cores, saying what is being done."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from blinksim.errors import UserError
from blinksim.games.blink import drive, engine
from blinksim.jit import is_cacheable, is_cached

_SLOWEST = "applying"
_IN_ANOTHER_PROCESS = f"from blinksim.games.blink.engine import compile_part; compile_part({_SLOWEST!r})"


def warm(
    players: Sequence[Any] = (), checked: bool = False, say: Callable[[str], None] | None = None
) -> dict[str, float]:
    """Have the engine and some strategies compiled.

    The slowest part compiles in a second process meanwhile; both leave their work in the cache.

    Args:
        players: Strategies with ``name``, ``decide`` and ``compiled``.
        checked: Whether the invariants are wanted too.
        say: Told what is being done, where anything has to be compiled.

    Returns:
        Seconds by part; what came from the cache is under a tenth of a second.

    Raises:
        UserError: a strategy does not compile.
    """
    names = [name for name in engine.PARTS if checked or name != "invariants"]
    kernels = [(name, *engine.PARTS[name]) for name in names]
    kernels += [(f"strategy {p.name}", p.decide, drive.STRATEGY_SIGNATURE) for p in players if p.compiled]
    missing = [name for name, function, _ in kernels if not function.signatures and not is_cached(function)]
    if missing and say is not None:
        say(f"Compiling {', '.join(missing)}; this happens once and takes up to a minute ...")
    helper = None
    if _SLOWEST in missing and len(missing) > 1 and is_cacheable(engine.PARTS[_SLOWEST][0]):
        helper = subprocess.Popen([sys.executable, "-c", _IN_ANOTHER_PROCESS], stderr=subprocess.DEVNULL)
        kernels.sort(key=lambda job: job[0] == _SLOWEST)  # last: by then the other process has it
    seconds = {}
    try:
        for name, function, signature in kernels:
            begin = time.perf_counter()
            if name == _SLOWEST and helper is not None:
                helper.wait()
            try:
                engine.compile_kernel(function, signature)
            except Exception as error:
                if name.startswith("strategy "):
                    raise UserError(f"{name} does not compile: {error}") from error
                raise
            seconds[name] = time.perf_counter() - begin
            if name in missing and say is not None:
                say(f"  {name}: {seconds[name]:.1f} s")
    finally:
        if helper is not None and helper.poll() is None:
            helper.terminate()
            helper.wait()
    return seconds

"""The same source compiled, as plain Python, and compiled with bounds checks plays the same games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from blinksim.games.blink.enums import Decision
from blinksim.jit import PLAIN
from tests.games.blink.trace import GAMES, trace

ROOT = Path(__file__).resolve().parents[3]


def trace_in_other_process(**environment: str) -> list[str]:
    """The trace as a fresh process with other switches prints it; a warning is a failure there."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.games.blink.trace"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def assert_same(mine: list[str], theirs: list[str]) -> None:
    """Equal line by line; the first difference names its game and ply."""
    for line, other in zip(mine, theirs, strict=False):
        assert line == other
    assert len(mine) == len(theirs)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """The trace in this process."""
    return list(trace())


def test_compiled_is_plain_python(lines: list[str]) -> None:
    """Legal choices, states, observations, imagined states and fact rows, ply by ply."""
    assert_same(lines, trace_in_other_process(NUMBA_DISABLE_JIT="0" if PLAIN else "1"))


def test_the_trace_tells_whole_games(lines: list[str]) -> None:
    """Every game of the trace ends in time with all invariants kept, and together they know every decision."""
    ended = [line.split() for line in lines if " ended " in line]
    assert [words[0] for words in ended] == [preset for preset, _, _, _ in GAMES]
    for words, (_, _, _, most) in zip(ended, GAMES, strict=True):
        assert int(words[4].rstrip(",")) <= most
    plies = [line for line in lines if " ply " in line]
    assert len(plies) > 400
    assert all(line.endswith("broken 0") for line in plies)
    kinds = {line.split()[5] for line in plies}
    assert kinds == {decision.name for decision in Decision} - {"OVER"}
    tables = {line.split()[0] for line in lines if " ply " not in line}
    assert {"games", "seats", "rounds", "duels", "improvements", "spends", "objectives", "cards", "driven"} <= tables


@pytest.mark.full
def test_with_bounds_checks_nothing_is_out_of_bounds(lines: list[str], tmp_path: Path) -> None:
    """Compiled once more with every index checked; the switch is part of the cache's key, so nothing stale is used."""
    checked = trace_in_other_process(NUMBA_DISABLE_JIT="0", NUMBA_BOUNDSCHECK="1", BLINKSIM_CACHE_DIR=str(tmp_path))
    assert_same(lines, checked)
    assert any(tmp_path.rglob("*.nbc"))
    assert {path.name for path in (tmp_path / "kernels").iterdir()} == {"opt3-bounds1"}

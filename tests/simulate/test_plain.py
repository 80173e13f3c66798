"""How much slower plain Python is: measured, or not said."""

from __future__ import annotations

from pathlib import Path

import pytest

from blinksim.jit import PLAIN
from blinksim.simulate.plain import Slowness, measure_slowness
from tests.simulate.fake_game import fake_batch
from tests.simulate.test_failures import RAISES, faulty_batch


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    return tmp_path


def test_the_line_up_with_plain_python_is_timed_against_a_compiled_one(folder: Path) -> None:
    found = measure_slowness(faulty_batch(folder, "pass", False))
    assert found is not None
    assert (found.names, found.line_up) == (("faulty",), ("random", "faulty"))
    assert PLAIN or 0 < found.plain < found.compiled


def test_nothing_is_said_of_compiled_strategies_or_games_that_fail(folder: Path) -> None:
    assert measure_slowness(fake_batch()) is None
    assert measure_slowness(faulty_batch(folder, f"pass\n    {RAISES}", False)) is None


def test_the_sentence() -> None:
    assert str(Slowness(("slow",), ("slow", "random"), 2.5, 1250.0)) == (
        "slow is plain Python: 2.5 games/s on one core here (slow,random), 500 times slower than with compiled random "
        "in its place (1,250 games/s)"
    )
    assert str(Slowness(("a", "b"), ("a", "b"), 20.0, 1000.0)).startswith("a and b are plain Python: 20 games/s")

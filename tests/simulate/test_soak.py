"""Long runs (``make soak``): hundreds of thousands of games, and runs that are killed again and again."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from blinksim.store.reading import open_run

pytestmark = pytest.mark.soak

COMMAND = [sys.executable, "-c", "from blinksim.cli import main; main()", "run", "baseline", "--quiet"]


def test_fewer_than_one_game_in_ten_thousand_stalls(tmp_path: Path) -> None:
    """224,000 games among builder and raider with the standard rules."""
    subprocess.run([*COMMAND, "--deals", "4000", "--out", "run"], check=True, cwd=tmp_path)
    games = open_run(tmp_path / "run").scan("games")
    found = games.select(pl.len(), stalled=(pl.col("outcome") == "stalled").sum()).collect().row(0)
    assert found[0] == 224_000
    assert found[1] < 22


def test_a_run_that_is_killed_again_and_again_gives_the_same_bytes(tmp_path: Path) -> None:
    """``kill -9`` at random moments until the run is through: nothing lost, nothing doubled."""
    subprocess.run([*COMMAND, "--out", "whole"], check=True, cwd=tmp_path)
    chance, kills = random.Random(1), 0
    while True:
        started = subprocess.Popen([*COMMAND, "--out", "killed"], cwd=tmp_path)
        try:
            if started.wait(timeout=chance.uniform(1.5, 4.0)) == 0:
                break
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()
            kills += 1
            time.sleep(0.1)
    assert kills > 0
    parts = sorted(path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").rglob("*.parquet"))
    assert parts == sorted(path.relative_to(tmp_path / "killed") for path in (tmp_path / "killed").rglob("*.parquet"))
    for part in parts:
        assert (tmp_path / "whole" / part).read_bytes() == (tmp_path / "killed" / part).read_bytes()

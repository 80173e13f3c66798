"""``blinksim bench``: what it passes on, prints and gives to scripts; how it measures: ``simulate/test_bench.py``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from blinksim.cli.bench import bench
from blinksim.simulate import bench as measuring

app = typer.Typer()
app.command()(bench)

SECTIONS: dict[str, Any] = {
    "machine": {"processor": "abacus", "cores": 1},
    "speed": {
        "greedy": {
            "3": {
                "games_per_s": 1234.0, "decisions_per_s": 99_000.0, "decisions_per_game": 80.2,
                "games_per_s_with_facts": 1100.0, "games_timed": 700,
            }
        }
    },
    "thinking": {
        "searcher": {
            "2": {
                "budget": 64.0, "decisions_per_s": 200.0, "mean_ms": 5.04, "p95_ms": 8.26, "max_ms": 9.6,
                "playouts_per_s": 12_345.0, "decisions_timed": 300,
            }
        }
    },
    "parts": {"2": {"list_ns": 94.71, "observe_ns": 77.9, "apply_ns": 46.6, "copy_ns": 92.0, "choices": 25.6}},
    "tables": {"line_up": ["greedy"]},
    "memory": {"mb_after_1000": 300.0},
    "starting": {"help_s": 0.2, "kernels_s": {"setup": 1.0}},
}  # fmt: skip


def call(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[Result, list[Any]]:
    """Run the command on canned figures; also gives what it asked to be measured."""
    asked: list[Any] = []

    def measure(names: Any, players: Any, quick: bool, say: Any) -> Iterator[tuple[str, Any]]:
        asked.append((names, players, quick))
        yield from SECTIONS.items()

    monkeypatch.setattr(measuring, "measure", measure)
    monkeypatch.setenv("COLUMNS", "140")
    return CliRunner().invoke(app, list(words)), asked


def test_it_measures_the_roster_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert call(monkeypatch)[1] == [(None, [2, 3, 4], False)]
    words = ("--strategies", "random,greedy", "--players", "3", "--quick")
    assert call(monkeypatch, *words)[1] == [(["random", "greedy"], [3], True)]


def test_figures_as_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    result, _ = call(monkeypatch)
    assert result.exit_code == 0, result.output
    rows = [line.replace("│", " ").split() for line in result.stdout.splitlines()]
    assert ["greedy", "3", "1,234", "99,000", "80", "1,100"] in rows
    assert ["searcher", "2", "64", "200", "5.0", "8.3", "9.6", "12,345"] in rows
    assert ["2", "94.7", "77.9", "46.6", "92.0", "25.6"] in rows
    assert "processor abacus" in result.stdout and "kernels_s: setup 1.00" in result.stdout


def test_figures_for_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    result, _ = call(monkeypatch, "--json")
    assert json.loads(result.stdout) == SECTIONS

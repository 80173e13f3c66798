"""``docs/``: commands exist with their options, experiments are what the text says, and the Python runs."""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
import typer.main

from tests.report.tiny import play

PAGE = Path(__file__).parents[1] / "docs" / "many_games.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


def parse(words: list[str]) -> None:
    """Let the command line read a command without doing it; what it does not know it refuses."""
    from blinksim.cli.app import app

    command: Any = typer.main.get_command(app)
    context: Any = None
    while hasattr(command, "commands"):
        context = click.Context(command, parent=context)
        assert words and words[0] in command.commands, f"there is no command {words[:1]}"
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, list(words), parent=context)


COMMANDS = [line for text in blocks("sh") for line in text.splitlines() if line.startswith("blinksim ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_real(command: str) -> None:
    parse(shlex.split(command)[1:])


def test_a_command_that_is_not_real_would_be_found() -> None:
    assert len(COMMANDS) == 8
    for words in (["runs", "lists"], ["run", "many", "--clusters", "x"]):
        with pytest.raises((AssertionError, Exception), match=r"no command|No such option"):
            parse(words)


def test_the_experiment_is_what_the_text_says() -> None:
    from blinksim.simulate.experiment import parse_experiment
    from blinksim.simulate.schedule import make_plan

    (text,) = blocks("toml")
    plan = make_plan(parse_experiment(tomllib.loads(text), "many.toml"))
    assert plan.schedules[3].games_per_deal == 24
    assert f"{plan.num_games:,}" == "100,800,000" and "are 100,800,000 games" in TEXT
    assert len(plan.shards) == 10_000 and {shard.num_games for shard in plan.shards} == {10_080}


def test_the_sums_add_up_to_what_the_library_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import polars as pl

    from blinksim.analysis.estimates import estimate_groups, ratio

    play(tmp_path / "runs" / "many", players=[3], deals=8, line_ups=[["random", "random", "chance"]])
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for text in blocks("python"):
        exec(compile(text, PAGE.name, "exec"), names)
    assert "mean" in capsys.readouterr().out
    rows = names["deals"].with_columns(games=pl.col("count")).collect()
    expected = estimate_groups(rows, ["strategy", "seat"], partial(ratio, level=0.95))
    assert expected.height == 6
    added = names["added"].with_columns(error=names["error"]).sort("strategy", "seat")
    from scipy import stats

    half = stats.t.ppf(0.975, 7) * added["error"].to_numpy()
    assert added["mean"].to_list() == pytest.approx(expected["value"].to_list())
    assert half.tolist() == pytest.approx((expected["high"] - expected["value"]).to_list())


def numbers(row: str) -> list[float]:
    """The numbers of a table's row, as they are written."""
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*\.?\d*", row)]


@pytest.mark.parametrize(
    ("start", "compute"),
    [
        ("| with tables, which cost", lambda n: (n[1] * n[2], n[3])),
        ("| two workers, 1.95 times one", lambda n: (n[1] * n[2], n[3])),
        ("| time on two cores", lambda n: (n[0] / n[1], n[2])),
        ("| work |", lambda n: (n[0] / n[1] / n[2], n[3])),
        ("| on disk |", lambda n: (n[0] * n[1] / 1e9, n[2])),
        ("| computing |", lambda n: (n[0] * n[1], n[2])),
        ("| keeping |", lambda n: (n[0] * n[1], n[2])),
        ("| writing, 10,080", lambda n: (n[1] * n[2] / 1000, n[3])),
        ("| writing, 1,008", lambda n: (n[1] * n[2] / 1000, n[3])),
    ],
)
def test_the_arithmetic(start: str, compute: Any) -> None:
    """Every sum of the tables comes to what stands beside it, as far as it is rounded."""
    (row,) = [line for line in TEXT.splitlines() if line.startswith(start)]
    computed, told = compute(numbers(row))
    assert told == pytest.approx(computed, rel=0.01)

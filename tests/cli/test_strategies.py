"""``blinksim strategies``: the list, one of them, and a new one that plays and passes its test."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from blinksim.cli.strategies import app as commands
from blinksim.players.roster import find_player
from blinksim.simulate.batch import Entrant, prepare, run
from blinksim.simulate.experiment import parse_experiment

ROOT = Path(__file__).parents[2]
app = typer.Typer()
app.add_typer(commands, name="strategies")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, as a designer may begin with."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(app, ["strategies", *words])


def persona(folder: Path, name: str, text: str) -> None:
    (folder / "strategies").mkdir(exist_ok=True)
    (folder / "strategies" / f"{name}.toml").write_text(text, encoding="utf-8")


def test_the_list_has_strategies_and_personas_and_what_is_wrong_with_others(folder: Path) -> None:
    persona(folder, "angry", 'strategy = "raider"\nsummary = "always angry"\n')
    persona(folder, "torn", 'strategy = "nobody"\nsummary = "is it?"\n')
    result = call("list")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert {"angry", "builder", "raider", "random", "torn"} <= set(lines)
    assert lines["angry"].endswith("always angry (raider)")
    assert "cannot be used: " in lines["torn"] and "nobody" in lines["torn"]


def test_show_has_the_plan_and_every_parameter(folder: Path) -> None:
    result = call("show", "raider:lead=2")
    assert "Raider: win the trick" in result.stdout
    for parameter in find_player("raider").strategy.parameters:
        assert f"\n{parameter.name} = " in result.stdout and parameter.meaning in result.stdout
        changed = f"{parameter.name} = 2 {parameter.unit}, {parameter.low:g} to {parameter.high:g}, by default "
        assert (changed in result.stdout) == (parameter.name == "lead")
    persona(folder, "angry", 'strategy = "raider"\nsummary = "always angry"\n[parameters]\naggression = 3\n')
    result = call("show", "angry")
    assert result.stdout.startswith("angry (a persona of raider, compiled), ")
    assert "angry.toml: always angry" in result.stdout
    assert "\naggression = 3 units, " in result.stdout


def test_a_new_strategy_plays_and_passes_its_test(folder: Path) -> None:
    result = call("new", "night_owl")
    assert result.exit_code == 0, result.output
    script, test = Path("strategies/night_owl.py"), Path("tests/test_night_owl.py")
    assert str(script) in result.stdout and str(test) in result.stdout
    assert re.search(r"^night_owl +fills the map first$", call("list").stdout, re.MULTILINE)
    assert "Night_owl: fill the map first" in call("show", "night_owl").stdout
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "6 passed" in tested.stdout


def test_a_new_strategy_takes_part_in_a_run(folder: Path) -> None:
    assert call("new", "night_owl").exit_code == 0
    data = {"question": "?", "players": [2], "deals": 3, "seed": 1, "line_ups": [["night_owl:tile=0.9", "random"]]}
    experiment = parse_experiment(data, "test")
    players = {name: find_player(name) for name in experiment.strategy_names()}
    prepared = prepare(experiment, {n: Entrant(n, p, p.fingerprint) for n, p in players.items()}, check=True)
    assert run(prepared, folder / "run", 1).games == 12


def test_its_test_notices_a_changed_plan(folder: Path) -> None:
    """The test that is written tests something: a strategy that explores first fails it."""
    assert call("new", "night_owl").exit_code == 0
    script = folder / "strategies" / "night_owl.py"
    script.write_text(script.read_text(encoding="utf-8").replace("worth = 1.0", "worth = 0.3"), encoding="utf-8")
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", "-k", "room or cards"],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert tested.returncode == 1
    assert "1 failed, 1 passed" in tested.stdout


def test_nothing_is_overwritten(folder: Path) -> None:
    assert call("new", "night_owl").exit_code == 0
    (folder / "strategies" / "night_owl.py").write_text("mine", encoding="utf-8")
    again = call("new", "night_owl")
    assert again.exit_code == 2
    assert "night_owl.py is there already, and is left as it is" in again.stderr
    assert (folder / "strategies" / "night_owl.py").read_text(encoding="utf-8") == "mine"
    (folder / "strategies" / "night_owl.py").unlink()
    assert "test_night_owl.py is there already" in call("new", "night_owl").stderr
    assert not (folder / "strategies" / "night_owl.py").exists()
    persona(folder, "angry", "")
    assert "angry.toml is there already" in call("new", "angry").stderr
    assert "choose another name than raider" in call("new", "raider").stderr


@pytest.mark.parametrize("name", ["Night", "night-owl", "1st", "me", "class", "a.b", "../x", ""])
def test_a_name_that_cannot_be(folder: Path, name: str) -> None:
    result = call("new", name)
    assert result.exit_code == 2
    assert f'"{name}" cannot be the name of a strategy; it must be a lower-case letter' in result.stderr
    assert list(folder.iterdir()) == []

"""``blinksim sensitivity`` and ``blinksim tune``: play, print, write pages; and what a wrong call says."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from blinksim.cli.sensitivity import sensitivity
from blinksim.cli.tune import tune

app = typer.Typer()
app.command()(sensitivity)
app.command()(tune)
RANDOM = ("--line-up", "random,random,random")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "dumb")
    (tmp_path / "targets.toml").write_text('[[targets]]\nmetric = "gold_unspent"\nlow = 0.0\nhigh = 40.0\n')
    (tmp_path / "far.toml").write_text('[[targets]]\nmetric = "rounds"\nhigh = 1.0\n')
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_sensitivity_ranks_prints_and_writes(folder: Path) -> None:
    words = ("sensitivity", *RANDOM, "--params", "trick.last_place_gold,score,setup.map", "--metric", "rounds,points")
    result = call(*words, "--deals", "40")
    assert result.exit_code == 0, result.output
    assert "score.points_per_unit=2" in result.stdout and "points: different." in result.stdout
    assert "1 changes were not played" in result.stdout
    page = Path("reports/sensitivity-standard.html").read_text()
    assert "it has no single step" in page and "win share" not in page
    assert Path("reports/sensitivity-standard_files/csv/effects.csv").read_text().startswith("parameter,label,side")
    again = json.loads(call(*words, "--deals", "40", "--json").stdout)
    numbers = json.loads(Path("reports/sensitivity-standard_files/numbers.json").read_text())
    assert again["effects"] == numbers["effects"] and again["games"] == 40 * 3 * 6


def test_sensitivity_with_elementary_effects() -> None:
    result = call(
        "sensitivity", *RANDOM, "--params", "trick.last_place_gold,score.points_per_unit", "--metric", "points",
        "--deals", "4", "--morris", "2", "--morris-deals", "3", "--within", "score.points_per_unit=1..4", "--json",
    )  # fmt: skip
    data = json.loads(result.stdout)
    top, second = data["morris"]["effects"]
    assert (top["parameter"], top["range"]) == ("score.points_per_unit", "1 to 4")
    assert second["parameter"] == "trick.last_place_gold" and top["mu_star"] > second["mu_star"]
    assert {row["verdict"] for row in data["effects"]} == {"not enough games"}


def test_tune_recommends_writes_and_ends_with_its_verdict(folder: Path) -> None:
    words = ("tune", "--free", "trick.last_place_gold,setup.draft", *RANDOM, "--trials", "4")
    met = call(*words, "--targets", "targets.toml", "--deals", "4", "--fresh-deals", "40", "--write", "mine.toml")
    assert met.exit_code == 0, met.output
    assert "recommendation: met. Change nothing" in met.stdout and "Free: setup.draft true, false" in met.stderr
    assert tomllib.loads(Path("mine.toml").read_text())["name"] == "mine"
    missed = call(*words, "--targets", "far.toml", "--deals", "4", "--fresh-deals", "40", "--json")
    assert missed.exit_code == 1
    data = json.loads(missed.stdout)
    assert data["status"] == 1 and data["targets"][0]["verdict"] == "missed" and len(data["trials"]) == 4
    few = call(*words, "--targets", "targets.toml", "--deals", "4", "--fresh-deals", "4")
    assert few.exit_code == 3 and "not enough games" in few.stdout
    assert Path("reports/tune-standard_files/csv/trials.csv").is_file()


def test_the_written_ruleset_is_the_recommended_one(folder: Path) -> None:
    from blinksim.games.blink.ruleset import load

    (folder / "points.toml").write_text('[[targets]]\nmetric = "points"\nlow = 120.0\n')
    words = ("tune", "--free", "score.points_per_unit", "--within", "score.points_per_unit=1..9", "--trials", "9")
    result = call(
        *words,
        *RANDOM,
        "--targets",
        "points.toml",
        "--deals",
        "4",
        "--fresh-deals",
        "40",
        "--write",
        "b.toml",
        "--json",
    )
    data = json.loads(result.stdout)
    assert data["recommendation"]["changes"] == [f"score.points_per_unit={load('b.toml').score.points_per_unit}"]
    assert load("b.toml").content_hash() == data["recommendation"]["hash"]
    assert load("b.toml").score.points_per_unit > 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sensitivity", "--metric", "round"), 'there is no metric "round"; did you mean "rounds"?'),
        (
            ("sensitivity", "--params", "tiers.wal"),
            '--params has "tiers.wal", which no parameter of the rules is called',
        ),
        (("sensitivity", "standrd"), 'did you mean "standard"'),
        (("sensitivity", "--set", "tiers.wall[9]=1"), "there is no tiers.wall[9]"),
        (("sensitivity", "--morris", "2", "--within", "x=1"), '--within is "x=1"'),
        (("sensitivity", "--line-up", "random,random"), "names 2"),
        (("sensitivity", "--line-up", "nobody,nobody,nobody"), "nobody"),
        (("tune", "--targets", "none.toml", "--free", "trick"), "targets cannot be read from none.toml"),
        (("tune", "--targets", "targets.toml", "--free", "trik"), '--free has "trik"'),
        (("tune", "--targets", "targets.toml", "--free", "coins.count"), "coins.count cannot be free: stated"),
        (("tune", "--targets", "targets.toml", "--free", "trick.set_aside", "--write", "x.txt"), "ends in .toml"),
        (("tune", "--targets", "seats.toml", "--free", "trick"), "Metrics are: seat_spread"),
    ],
)
def test_wrong_words_are_told(folder: Path, words: tuple[str, ...], said: str) -> None:
    (folder / "seats.toml").write_text('[[targets]]\nmetric = "seats.win_share"\nhigh = 0.4\n')
    more = () if "--line-up" in words else RANDOM
    result = call(*words, *more)
    assert result.exit_code == 2, result.output
    assert said in result.stderr and "Traceback" not in result.output
    assert not Path("reports").exists()


def test_progress_is_told_with_what_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import time

    from blinksim.cli.sensitivity import teller

    clock = iter([10.0, 11.0, 14.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    tell = teller()
    for number, what in ((2, "first"), (3, "second"), (4, "third")):
        tell(number, 10, what)
    assert capsys.readouterr().err == "4 of 10, about 12 s to go: third\n"

"""``blinksim experiments``: what it lists, what a check says, what a plan says, and their exit statuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from blinksim.cli.app import app

SMALL = """
question = "Small and quick?"
players = [2, 3]
deals = 4
seed = 5
line_ups = [{ mirror = ["random"] }, { one = "random", against = ["builder"] }]

[grid]
trick.last_place_gold = [0]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    write("small", SMALL)
    return tmp_path


def write(name: str, text: str) -> None:
    Path("experiments", f"{name}.toml").write_text(text, encoding="utf-8")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["experiments", *arguments])


def test_list_has_name_games_and_question() -> None:
    write("broken", "players = 3")
    result = call("list")
    assert result.exit_code == 0
    assert re.search(r"small +144 +Small and quick\?", result.stdout)
    assert re.search(r"baseline +29,200 +How do the standard rules", result.stdout)
    assert re.search(r"broken +- +has mistakes: blinksim experiments check", result.stdout)


def test_check_says_ok() -> None:
    result = call("check", "small", "baseline")
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert first.endswith("experiments/small.toml: ok; 2 rulesets, 2 strategies, 144 games")
    assert second.endswith("baseline.toml: ok; 1 ruleset, 2 strategies, 29,200 games")


def test_check_says_which_variants_have_the_same_rules() -> None:
    write("twice", SMALL.replace("[0]", "[1]"))
    result = call("check", "twice")
    assert result.exit_code == 0
    assert 'variant "trick.last_place_gold=1" has the same rules as "base": it plays the same games' in result.stdout


def test_check_says_every_mistake_of_every_experiment() -> None:
    write("rules", SMALL.replace('["builder"]', '["bilder", "raidr"]').replace("[0]", "[0, 100, 101]"))
    write("file", SMALL.replace("seed = 5", "sed = 5"))
    result = call("check", "rules", "small", "file")
    assert result.exit_code == 1
    assert result.stdout.count("\n") == 1 and "small.toml: ok" in result.stdout
    lines = result.stderr.splitlines()
    assert len(lines) == 5
    for line, words in zip(
        lines,
        [
            ("rules.toml", 'variant "trick.last_place_gold=100"', "trick.last_place_gold is 100", "0 to 99"),
            ("rules.toml", 'variant "trick.last_place_gold=101"', "trick.last_place_gold is 101", "0 to 99"),
            ("rules.toml: line_ups", "bilder", 'did you mean "builder"?'),
            ("rules.toml: line_ups", "raidr", 'did you mean "raider"?'),
            ("file.toml", 'unknown key "sed"', 'did you mean "seed"?'),
        ],
        strict=True,
    ):
        assert all(word in line for word in words), line


def test_an_unknown_experiment_is_a_wrong_call() -> None:
    result = call("check", "smal")
    assert result.exit_code == 2
    assert 'did you mean "small"?' in result.stderr


def test_plan_says_what_would_be_played_and_that_it_is_an_estimate(folder: Path) -> None:
    result = call("plan", "small", "--workers", "3")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "small: Small and quick?",
        "2 rulesets: base; trick.last_place_gold=0",
        "2 players: 2 line-ups and 2 rulesets make 12 games a deal; 4 deals, 24 games of each ruleset, 48 games in "
        "1 shard",
        "  line-ups: l0 random random, l1 random builder",
    ]
    assert re.fullmatch(r"  pilot: \d+ games on \d deals?, [\d,]+ games/s on one core, [\d,]+ bytes a game", lines[4])
    assert lines[5].startswith("3 players: 2 line-ups and 2 rulesets make 24 games a deal; 4 deals, 48 games of each")
    assert re.fullmatch(r"In all 144 games in 2 shards: about 1 s on 3 workers, about \d+ KB\.", lines[8])
    assert re.match(r"That is an estimate from a pilot of n = \d+ games on one core", lines[9])
    assert sorted(path.name for path in folder.iterdir()) == ["experiments"]


def test_plan_takes_the_deals_and_changes_of_a_run() -> None:
    result = call("plan", "small", "--deals", "1", "--set", "tiers.wall[2]=15")
    assert "In all 36 games in 2 shards" in result.stdout
    wrong = call("plan", "small", "--set", "tiers.wal=1")
    assert wrong.exit_code == 2 and "tiers.wall" in wrong.stderr


def test_plan_names_the_first_rulesets_of_many() -> None:
    write("many", SMALL.replace("[0]", "[0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]"))
    result = call("plan", "many", "--deals", "1")
    assert "14 rulesets: base; trick.last_place_gold=0; " in result.stdout
    assert result.stdout.splitlines()[1].endswith("trick.last_place_gold=11 and 2 more")

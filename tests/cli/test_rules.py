"""``blinksim rules``: what it prints, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from blinksim.cli.rules import app
from blinksim.games.blink.ruleset import load


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "220")
    monkeypatch.setenv("TERM", "dumb")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def row(result: Result, key: str) -> str:
    """The line of a table that begins with a word."""
    return next(line for line in result.stdout.splitlines() if line.split()[:1] == [key])


def test_list() -> None:
    result = run("list")
    assert result.exit_code == 0
    assert row(result, "standard").rstrip().endswith(" -")
    assert row(result, "quick_start").rstrip().endswith("setup.start_units")


def test_show() -> None:
    result = run("show", "standard", "--set", "tiers.wall[2]=15", "--set", "victory.limit_b=none")
    assert result.exit_code == 0
    assert row(result, "tiers.wall").startswith("  tiers.wall *")
    assert "[10, 12, 15, 16, 18]" in row(result, "tiers.wall")
    assert "none" in row(result, "victory.limit_b")
    words = row(result, "end.max_rounds").split()
    assert words[:7] == ["end.max_rounds", "200", "rounds", "1", "to", "1000", "1.8"]
    assert "[victory.bands[0]]" not in result.stdout
    assert row(result, "victory.bands[3]")


def test_show_changed() -> None:
    result = run("show", "quick_start", "--changed")
    assert row(result, "setup.start_units")
    assert "turn.reach" not in result.stdout


def test_show_toml_can_be_read_again() -> None:
    result = run("show", "secret", "--set", "turn.reach=2", "--toml")
    Path("copy.toml").write_text(result.stdout, encoding="utf-8")
    assert load("copy.toml") == load("secret", ["turn.reach=2"])


def test_show_wrong_change() -> None:
    result = run("show", "standard", "--set", "turn.reach=far")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        '--set turn.reach=far: turn.reach is "far"; it should be a whole number, 1 to 31 '
        "(distance a card reaches from an own tile, rules §1.5)\n"
    )


def test_show_unknown_ruleset() -> None:
    result = run("show", "stndard")
    assert result.exit_code == 2
    assert 'did you mean "standard"?' in result.stderr


def test_diff() -> None:
    result = run("diff", "standard", "booklet_effects")
    assert result.exit_code == 0
    assert row(result, "victory.limit_c").split() == ["victory.limit_c", "1", "none"]
    assert "standard and standard are the same in every parameter." in run("diff", "standard", "standard").stdout


def test_check() -> None:
    Path("mine.toml").write_text('extends = "open"\n[turn]\nreach = 2\n', encoding="utf-8")
    result = run("check", "mine.toml")
    assert result.exit_code == 0
    assert result.stdout.startswith('mine.toml: ruleset "mine" is fine; 2 values differ from standard; hash ')
    assert "is fine; the same as standard; hash" in run("check", "standard").stdout


def test_check_lists_mistakes_and_fails() -> None:
    Path("mine.toml").write_text("[turn]\nreach = 99\nreech = 1\n", encoding="utf-8")
    result = run("check", "mine.toml")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        'mine.toml: unknown key "turn.reech"; did you mean "turn.reach"?',
        "mine.toml: turn.reach is 99; allowed 1 to 31 (distance a card reaches from an own tile, rules §1.5)",
    ]


def test_check_without_a_file_is_wrong_usage() -> None:
    assert run("check", "none.toml").exit_code == 2
    assert run("check").exit_code == 2


@pytest.mark.parametrize("command", ["list", "show", "diff", "check"])
def test_help_ends_in_an_example_that_runs(command: str) -> None:
    help_text = run(command, "--help").stdout
    example = next(line for line in reversed(help_text.splitlines()) if "Example: blinksim rules" in line)
    words = example.split("blinksim rules", 1)[1].split()
    Path("mine.toml").write_text('extends = "standard"\n', encoding="utf-8")
    assert run(*words).exit_code == 0

"""``blinksim compare``, ``sweep`` and ``breakpoints``: what they print, write and answer; what a wrong call says."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
import typer
from typer.testing import CliRunner, Result

from blinksim.cli.compare import compare
from blinksim.cli.sweep import breakpoints, sweep

app = typer.Typer()
app.command()(compare)
app.command()(sweep)
app.command()(breakpoints)
FAST = ("--players", "2", "--line-up", "random,random")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_a_comparison_says_what_is_different_and_writes_a_page(folder: Path) -> None:
    words = ("compare", "standard", "rich:setup.starting_gold=8", *FAST, "--levels", "scripted", "--budget", "500")
    found = call(*words, "--metric", "gold_income", "--size", "5")
    assert found.exit_code in (0, 3), found.output
    assert "setup.starting_gold: 0 -> 8" in found.stdout
    assert "rich: " in found.stdout
    page = Path("reports/compare-standard-rich.html")
    assert found.stdout.splitlines()[-1] == f"{page}: the page"
    text = page.read_text(encoding="utf-8")
    assert "setup.starting_gold" in text and "When the games part" in text
    assert Path("runs/compare-standard-rich/scripted/manifest.json").is_file()


def test_the_same_rules_are_answered_at_once_with_status_0() -> None:
    found = call("compare", "standard", "twin:setup.starting_gold=0", *FAST, "--levels", "scripted", "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["levels"][0]["decisions"] == {"twin": "no difference of that size"}
    assert told["differences"] == {"twin": []}


def test_too_few_games_to_answer_have_status_3() -> None:
    words = ("compare", "standard", "rich:setup.starting_gold=8", *FAST, "--levels", "scripted", "--size", "0.01pp")
    found = call(*words, "--budget", "200", "--json")
    assert found.exit_code == 3, found.output
    assert json.loads(found.stdout)["levels"][0]["stopped"] == "budget"


def test_levels_that_disagree_are_named() -> None:
    words = ("compare", "standard", "rich:setup.starting_gold=20", "--players", "2", "--levels", "scripted,random")
    found = call(*words, "--line-up", "builder,builder", "--budget", "800", "--metric", "rounds")
    assert "The levels of play disagree: rich, " in found.stdout


@pytest.mark.parametrize(
    ("low", "code", "verdict"), [(0.0, 0, "met"), (90.0, 1, "missed"), (38.5, 3, "not enough games")]
)
def test_targets_make_the_exit_status(low: float, code: int, verdict: str, folder: Path) -> None:
    (folder / "targets.toml").write_text(f'[[targets]]\nmetric = "rounds"\nlow = {low}\nhigh = 99.0\n', "utf-8")
    words = ("compare", "standard", "twin:setup.starting_gold=0", *FAST, "--levels", "scripted", "--budget", "400")
    found = call(*words, "--targets", "targets.toml")
    assert found.exit_code == code, found.output
    assert f"target rounds, twin: {verdict}" in found.stdout
    assert "Targets" in Path("reports/compare-standard-twin.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "standard", "quik_start"), "quick_start"),
        (("compare", "standard", "open", "--metric", "glory"), 'there is no metric "glory"'),
        (("compare", "standard", "open", "--size", "3%"), '--size is "3%"'),
        (("compare", "standard", "open", "--levels", "clever"), "levels are scripted, random, searcher"),
        (("compare", "standard", "open", "--line-up", "builder,nobody,random"), 'nobody'),
        (("compare", "standard", "a:tiers.wal=1"), "tiers.wall"),
        (("compare", "standard", "open", "--players", "7"), "2, 3, 4"),
        (("sweep", "tiers.wall[2]=18..11"), "up to a larger one"),
        (("sweep", "tiers.wal[2]=11..12"), 'did you mean "tiers.wall"'),
        (("sweep", "tiers.wall[2]=11..12", "--metric", "glory"), 'there is no metric "glory"'),
        (("breakpoints", "tiers.wall"), "whole number"),
        (("breakpoints", "tiers.wall[2]", "--tier", "city"), 'duel_success_city'),
        (("breakpoints", "tiers.wall[2]", "--precision", "-1"), "--precision"),
        (("breakpoints", "tiers.wall[2]", "--level", "1.5"), "between 0 and 1"),
        (("breakpoints", "tiers.wall[2]=1..4", "--slope"), "5 numbers or more"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_a_sentence_and_plays_nothing(words: tuple[str, ...], said: str, folder: Path) -> None:
    found = call(*words)
    assert found.exit_code == 2, found.output
    assert said in found.stderr
    assert "Traceback" not in found.output
    assert not list(folder.rglob("*.parquet"))


def test_a_sweep_prints_a_table_and_writes_page_and_parquet() -> None:
    found = call("sweep", "setup.starting_gold=0..4:2", *FAST, "--deals", "6", "--metric", "rounds,gold_income")
    assert found.exit_code == 0, found.output
    assert "setup.starting_gold" in found.stdout and "gold_income" in found.stdout
    table = pl.read_parquet("reports/sweep-setup.starting_gold.parquet")
    assert table["setup.starting_gold"].to_list() == ["0", "2", "4"] * 2
    assert "What does setup.starting_gold do?" in Path("reports/sweep-setup.starting_gold.html").read_text("utf-8")


def test_a_sweep_of_two_parameters_has_every_pair() -> None:
    words = ("sweep", "setup.draft=true,false", "--and", "trick.last_place_gold=0,1", *FAST, "--deals", "3", "--json")
    found = call(*words, "--metric", "all")
    assert found.exit_code == 0, found.output
    rows = [row for row in json.loads(found.stdout)["curves"] if row["metric"] == "rounds"]
    assert [(row["trick.last_place_gold"], row["setup.draft"]) for row in rows] == [
        ("0", "true"), ("0", "false"), ("1", "true"), ("1", "false"),
    ]  # fmt: skip


def test_a_breakpoint_is_found() -> None:
    words = ("breakpoints", "setup.starting_gold=0..8", *FAST, "--metric", "gold_unspent", "--level", "0.2", "--json")
    found = call(*words, "--precision", "4", "--budget", "1500")
    told = json.loads(found.stdout)
    assert found.exit_code == (0 if told["found"] else 3)
    assert told["games"] > 0 and told["curve"]
    assert Path(told["page"]).is_file()


def test_a_curve_that_does_not_reach_the_level_has_status_3() -> None:
    words = (
        "breakpoints",
        "setup.starting_gold=0..2",
        *FAST,
        "--metric",
        "rounds",
        "--level",
        "1000",
        "--budget",
        "300",
    )
    found = call(*words)
    assert found.exit_code == 3, found.output
    assert "stays below 1000" in found.stdout


def test_a_sweep_of_rules_with_other_tiers_leaves_out_what_they_do_not_have() -> None:
    words = ("sweep", "setup.starting_gold=4,0", *FAST, "--deals", "3", "--set", 'tiers.name=["A","B","C","D","E"]')
    found = call(*words, "--json")
    assert found.exit_code == 0, found.output
    names = {row["metric"] for row in json.loads(found.stdout)["curves"]}
    assert "rounds" in names and "reached_civilization" not in names
    assert call(*words, "--metric", "reached_e,rounds").exit_code == 0


def test_a_sweep_of_what_never_happens_says_so() -> None:
    words = ("sweep", "setup.starting_gold=0,4", *FAST, "--deals", "3", "--base", "no_objectives")
    found = call(*words, "--metric", "objective_rate")
    assert found.exit_code == 2
    assert "nothing was counted of objective_rate" in found.stderr


def test_a_precision_that_is_not_reached_is_not_said_to_be() -> None:
    words = ("compare", "standard", "rich:setup.starting_gold=8", *FAST, "--levels", "scripted", "--budget", "200")
    found = call(*words, "--precision", "0.01pp")
    assert found.exit_code == 3
    assert "the budget ended before the interval was" in found.stdout


FAULTY = """
from blinksim.players.policy import Strategy

STRATEGY = Strategy(name="faulty", summary="breaks on purpose", compiled=False)


def decide(view, rules, actions, n, params, memory, stream, sandbox):
    return {index}
"""


def faulty(index: str) -> tuple[str, ...]:
    Path("strategies").mkdir()
    Path("strategies/faulty.py").write_text(FAULTY.format(index=index), encoding="utf-8")
    return ("--players", "2", "--line-up", "random,faulty")


def test_versions_of_which_every_game_fails_are_not_compared() -> None:
    words = ("compare", "standard", "open", *faulty("n"), "--levels", "scripted", "--budget", "160", "--workers", "1")
    found = call(*words)
    assert found.exit_code == 1, found.output
    assert "came to its end" in found.stderr and "faulty at ply" in found.stderr


def test_a_search_stops_at_a_game_that_fails() -> None:
    words = ("breakpoints", "setup.starting_gold=0..4", *faulty("n"), "--metric", "gold_income", "--budget", "100")
    found = call(*words, "--workers", "1")
    assert found.exit_code == 1, found.output
    assert "a game failed, 2p/d0/v0" in found.stderr


def test_games_that_failed_are_told(folder: Path) -> None:
    some = faulty("n if int(view.grid_top[0]) % 8 == 4 and view.round_number > 3 else 0")
    words = (
        "compare",
        "standard",
        "open",
        *some,
        "--levels",
        "scripted",
        "--budget",
        "160",
        "--set",
        "end.max_rounds=5",
    )
    found = call(*words, "--workers", "1")
    assert found.exit_code == 3, found.output
    assert "failed and are not counted" in found.stderr
    assert "failed and are not counted" in Path("reports/compare-standard-open.html").read_text("utf-8")


def test_a_long_version_has_a_folder_of_its_own() -> None:
    from blinksim.cli.playing import file_name

    long, longer = (file_name("compare", "standard", "a;" * number) for number in (100, 101))
    assert len(long) < 120 and long != longer
    assert file_name("sweep", "tiers.wall[2]") == "sweep-tiers.wall_2"

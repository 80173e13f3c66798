"""Answers from finished runs: what variants changed, what pairing gained, and what a run without variants says."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from blinksim.analysis.answers import Answer, answer_of
from blinksim.analysis.pairing import luck_bounds
from blinksim.cli.answers import answers as command
from blinksim.errors import UserError
from blinksim.players.roster import find_player
from blinksim.report.answers import answers_page
from blinksim.simulate.batch import run
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.prepared import Entrant, prepare
from blinksim.store.reading import Run, open_run


def played(folder: Path, **plan: Any) -> Run:
    data = {
        "question": "What do riches do?",
        "players": [2],
        "deals": 8,
        "seed": 5,
        "line_ups": [{"mirror": ["random"]}],
    } | plan
    experiment = parse_experiment(data, "test")
    people = {name: find_player(name) for name in experiment.strategy_names()}
    run(prepare(experiment, {n: Entrant(n, p, p.fingerprint) for n, p in people.items()}), folder, workers=2)
    return open_run(folder)


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    variants = [{"name": "rich", "set": ["setup.starting_gold=9"]}, {"name": "same", "set": ["setup.starting_gold=0"]}]
    folder = tmp_path_factory.mktemp("runs") / "riches"
    return answer_of(played(folder, variants=variants, players=[2, 3], deals={"2": 8, "3": 4}))


@pytest.fixture(scope="module")
def luck(tmp_path_factory: pytest.TempPathFactory) -> Run:
    line_ups = [{"mirror": ["random"]}, {"mirror": ["builder"]}, {"mirror": ["builder:tile=0.9"]}]
    return played(tmp_path_factory.mktemp("runs") / "luck", line_ups=line_ups, replicates=2, deals=6)


def test_an_answer_has_every_player_count_and_variant(answer: Answer) -> None:
    assert answer.question == "What do riches do?"
    assert set(answer.rows.select("players", "variant").iter_rows()) == {
        (n, v) for n in (2, 3) for v in ("rich", "same")
    }
    assert answer.differences == {1: [("setup.starting_gold", 0, 9)], 2: []}
    assert answer.games == 3 * (8 * 2 + 4 * 3)


def test_riches_are_seen_in_the_gold(answer: Answer) -> None:
    row = answer.rows.filter((pl.col("variant") == "rich") & (pl.col("metric") == "rounds") & (pl.col("players") == 2))
    assert row["n_blocks"][0] == 8
    assert row["low"][0] < row["value"][0] < row["high"][0]


def test_the_same_rules_change_nothing(answer: Answer) -> None:
    same = answer.rows.filter(pl.col("variant") == "same")
    assert set(same["value"].to_list()) == {0.0}
    assert set(same["verdict"]) == {"practically equal"}


def test_the_page_tells_question_rules_and_numbers(answer: Answer, luck: Run) -> None:
    text = answers_page([answer], luck_bounds(luck))
    assert "## What do riches do?" in text
    assert "**rich** (`setup.starting_gold` 0 → 9)." in text
    assert "**same** (no difference in the rules). Nothing differs beyond doubt." in text
    assert "| rich | 3 | " in text and "| *bound* random, drawing anew | 2 | " in text
    assert text == answers_page([answer], luck_bounds(luck))


def test_bounds_hold_players_against_their_like(luck: Run) -> None:
    found = luck_bounds(luck)
    assert found["pair"].unique(maintain_order=True).to_list() == [
        "random, drawing anew",
        "builder, weighing otherwise",
    ]
    assert found["n_blocks"].max() == 6
    rounds = found.filter(pl.col("metric") == "rounds")
    assert rounds["n_blocks"].to_list() == [6, 6]
    assert rounds["gain"].is_not_nan().all()


def test_a_run_without_variants_or_without_pairs_says_so(luck: Run, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="one ruleset alone"):
        answer_of(luck)
    with pytest.raises(UserError, match="no line-up twice"):
        luck_bounds(played(tmp_path / "single", deals=2))


def test_the_command(answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played(tmp_path / "runs" / "riches", variants=[{"name": "rich", "set": ["setup.starting_gold=9"]}], deals=3)
    app = typer.Typer()
    app.command()(command)
    found = CliRunner().invoke(app, ["riches"])
    assert found.exit_code == 0, found.output
    assert found.stdout == "reports/answers.md: answers of 1 runs\n"
    assert "**rich**" in (tmp_path / "reports" / "answers.md").read_text("utf-8")
    wrong = CliRunner().invoke(app, ["nothing"])
    assert wrong.exit_code == 2 and "nothing" in wrong.stderr

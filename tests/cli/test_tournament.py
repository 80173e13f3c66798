"""``blinksim tournament``: plays, goes on, prints, writes a page; and what a wrong call says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from blinksim.cli.tournament import tournament

app = typer.Typer()
app.command()(tournament)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_a_tournament_and_the_same_again(folder: Path) -> None:
    words = ("builder", "random", "--players", "2,3", "--deals", "2")
    first = call(*words)
    assert first.exit_code == 0, first.output
    assert "2 players: the only line-up, 8 games" in first.stderr
    assert "3 players: all 2 line-ups, 36 games" in first.stderr
    assert "2 players: wins of the row against the column" in first.stdout
    assert "3 players: share of wins of a seat" in first.stdout
    assert "not enough games" in first.stdout
    (run,) = Path("runs").iterdir()
    assert run.name.startswith("tournament-builder-random-")
    page = Path("reports") / f"{run.name}.html"
    assert first.stdout.splitlines()[-1] == f"{page}: Blink tournament, games in {run}"
    before = page.read_bytes()
    again = call(*words)
    assert "0 games/s" in again.stderr
    assert again.stdout == first.stdout and page.read_bytes() == before


def test_it_goes_on_where_it_stopped(folder: Path) -> None:
    words = ("builder", "random", "--players", "2,3", "--deals", "2", "--out", "run", "--json")
    assert call(*words).exit_code == 0
    parts = {path: path.read_bytes() for path in (folder / "run").rglob("*.parquet")}
    next(iter((folder / "run" / "shards").iterdir())).unlink()
    assert call(*words).exit_code == 0
    assert parts == {path: path.read_bytes() for path in (folder / "run").rglob("*.parquet")}


def test_more_deals_are_added_to_the_same_folder_where_that_is_asked(folder: Path) -> None:
    """They give what all of them at once give, byte for byte; without ``--extend`` nothing is played over."""
    words = ("builder", "random", "--players", "2,3")
    assert call(*words, "--deals", "2").exit_code == 0
    refused = call(*words, "--deals", "4")
    assert refused.exit_code == 2
    assert "experiment.deals.2: 2 in runs/tournament-builder-random-" in refused.stderr
    assert "add the further deals with --extend" in refused.stderr
    extended = call(*words, "--deals", "4", "--extend")
    assert extended.exit_code == 0, extended.output
    whole = call(*words, "--deals", "4", "--out", "whole")
    (run,) = Path("runs").iterdir()
    parts = {path.relative_to(run): path.read_bytes() for path in run.rglob("*.parquet")}
    assert parts == {path.relative_to("whole"): path.read_bytes() for path in Path("whole").rglob("*.parquet")}
    assert extended.stdout.splitlines()[:-1] == whole.stdout.splitlines()[:-1]
    fewer = call(*words, "--deals", "2", "--extend")
    assert fewer.exit_code == 2 and "nothing else may differ" in fewer.stderr


def test_json_has_all_findings(folder: Path) -> None:
    result = call("builder", "random", "--players", "2", "--deals", "3", "--out", "mine", "--page", "p.html", "--json")
    data = json.loads(result.stdout)
    assert result.stderr == ""
    assert (data["folder"], data["page"]) == ("mine", "p.html") and Path("p.html").is_file()
    assert {(row["strategy"], row["rival"]) for row in data["wins_against"]} == {
        ("builder", "random"), ("random", "builder")
    }  # fmt: skip
    assert data["wins"][0]["strategy"] == "builder" and data["wins"][0]["n_games"] == 12
    assert {row["strategy"] for row in data["ratings"]} == {"builder", "random"}
    assert data["line_ups"] == ["2 players: the only line-up, 12 games"]


def test_personas_parameters_and_rules(folder: Path) -> None:
    (folder / "strategies").mkdir()
    (folder / "strategies" / "angry.toml").write_text('strategy = "raider"\nsummary = "angry"\n', encoding="utf-8")
    result = call("angry", "raider:lead=2", "random", "--players", "3", "--deals", "1", "--line-ups", "3")
    assert result.exit_code == 0, result.output
    assert "3 players: a balanced sample of 3 of 7 line-ups, 27 games" in result.stderr
    assert "angry" in result.stdout and "raider:lead=2" in result.stdout


def test_games_that_stall_are_said_to_be(folder: Path) -> None:
    result = call("builder", "random", "--players", "3", "--deals", "1", "--set", "end.max_rounds=2")
    assert result.exit_code == 0, result.output
    assert "3 players: no game was decided." in result.stdout
    (page,) = Path("reports").iterdir()
    assert "No game was decided." in page.read_text(encoding="utf-8")


def test_budgets_of_one_strategy_are_a_ladder(folder: Path) -> None:
    (folder / "strategies").mkdir()
    (folder / "strategies" / "thinker.py").write_text(
        '"""Thinks a little."""\n'
        "from blinksim.games.chance import below\n"
        "from blinksim.players.policy import Parameter, Strategy\n"
        'BUDGET = Parameter("budget", 1, 1, 64, "playouts", "How much it thinks.")\n'
        'STRATEGY = Strategy(name="thinker", summary="thinks", compiled=False, parameters=(BUDGET,))\n\n\n'
        "def decide(view, rules, actions, n, params, memory, stream, sandbox):\n"
        "    return below(stream, n)\n",
        encoding="utf-8",
    )
    result = call(
        "thinker", "thinker:budget=4", "--players", "2", "--deals", "1", "--page", "p.html"
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "Ladder of skill: thinker" in Path("p.html").read_text(encoding="utf-8")


def test_a_strategy_that_fails_is_said_and_the_others_games_count(folder: Path) -> None:
    (folder / "strategies").mkdir()
    (folder / "strategies" / "broken.py").write_text(
        '"""Fails in the second round."""\n'
        "from blinksim.players.policy import Strategy\n"
        'STRATEGY = Strategy(name="broken", summary="fails", compiled=False)\n\n\n'
        "def decide(view, rules, actions, n, params, memory, stream, sandbox):\n"
        "    return n if view.round_number == 2 and view.me == 1 else 0\n",
        encoding="utf-8",
    )
    result = call("broken", "random", "--players", "2", "--deals", "1", "--set", "end.max_rounds=3", "--workers", "1")
    assert result.exit_code == 3
    assert "broken" in result.stderr and "blinksim replay runs/tournament-broken-random-" in result.stderr
    assert "2 games failed and are in no table; all the others were played." in result.stderr
    assert "tournament, games in" in result.stdout


def test_without_choix_it_plays_and_says_how_to_get_ratings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    result = call("builder", "random", "--players", "2", "--deals", "1")
    assert result.exit_code == 0, result.output
    assert "Ratings need the library choix" in result.stdout and "rating" not in result.stdout.split("Ratings")[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("random",), "at least two strategies"),
        (("random", "random"), "random is named twice"),
        (("random", "bilder"), 'did you mean "builder"'),
        (("random", "builder", "--players", "2,x"), '--players is "2,x"; it must be player counts with commas'),
        (("random", "builder", "--players", "2,2"), "each once"),
        (("random", "builder", "--players", "5"), "is played by 2, 3, 4"),
        (("random", "builder", "--players", "1"), "is played by 2, 3, 4"),
        (("random", "builder", "--deals", "0"), "deals is 0"),
        (("random", "builder", "--line-ups", "0"), "number of line-ups is 0"),
        (("random", "builder", "--set", "tiers.wal=1"), "tiers.wall"),
    ],
)
def test_a_wrong_call(words: tuple[str, ...], says: str, folder: Path) -> None:
    result = call(*words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert list(folder.iterdir()) == []

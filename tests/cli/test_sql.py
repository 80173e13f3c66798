"""``blinksim sql``: a table, CSV and JSON, and what a wrong query is told."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from blinksim.cli.app import app
from tests.report.tiny import play

QUERY = "select players, outcome, count(*) as games, avg(rounds) / 3 as third from games group by players, outcome"


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    play(folder / "runs" / "tiny")
    return folder


@pytest.fixture(autouse=True)
def there(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["sql", *arguments])


def test_a_table() -> None:
    result = call("tiny", f"{QUERY} order by players, outcome")
    assert result.exit_code == 0, result.output
    heading, *rows = result.stdout.splitlines()
    assert heading.split() == ["players", "outcome", "games", "third"]
    assert sum(int(row.split()[2]) for row in rows) == 45
    assert not [line for line in result.stdout.splitlines() if line.endswith(" ")]


def test_a_table_shows_its_first_rows_and_says_so() -> None:
    result = call("runs/tiny", "select game, armed_round from games where players = 2 order by game", "--rows", "3")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["game", "0", "1", "2"]
    assert "only the first 3 rows are shown; --rows shows more, --csv and --json print all" in result.stderr


def test_csv_and_json_say_the_same() -> None:
    query = "select players, game, outcome, armed_round, rounds / 7 as part from games order by players, game"
    text = call("tiny", query, "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    data = json.loads(call("tiny", query, "--json").stdout)
    assert len(rows) == len(data) == 45
    for row, same in zip(rows, data, strict=True):
        assert row == {name: "" if value is None else str(value) for name, value in same.items()}


def test_an_empty_result() -> None:
    query = "select game, outcome from games where players = 4"
    assert call("tiny", query).stdout.split() == ["game", "outcome"]
    assert call("tiny", query, "--csv").stdout == "game,outcome\n"
    assert json.loads(call("tiny", query, "--json").stdout) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tiny", "select * from game"), ["'game'", 'did you mean "games"?', "tables: games, seats, rounds"]),
        (("tiny", "select roundz from games"), ['did you mean "rounds"?', "columns of games: "]),
        (("tiny", "selec"), ["sql parser error"]),
        (("tinny", "select 1"), ["there is no run tinny", "runs/tiny"]),
        (("tiny", "select * from games", "--csv", "--json"), ["give one of them"]),
    ],
)
def test_a_wrong_call(arguments: tuple[str, ...], words: list[str]) -> None:
    result = call(*arguments)
    assert result.exit_code == 2 and result.stdout == ""
    for word in words:
        assert word in result.stderr
    assert "Traceback" not in result.stderr


def test_a_part_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    folder = play(tmp_path / "broken", players=[2], deals=1, line_ups=[{"mirror": ["random"]}])
    path = folder / "games" / "part-00000.parquet"
    data = bytearray(path.read_bytes())
    data[4:200] = bytes(196)
    path.write_bytes(data)
    result = call(str(folder), "select * from games")
    assert result.exit_code == 2 and "the query cannot be answered: " in result.stderr

"""``blinksim run``, ``strategies`` and ``schema``: what they print, their exit statuses, and what a wrong call says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from blinksim.cli.app import app

EXPERIMENT = """
question = "Small and quick?"
ruleset = "standard"
players = [2, 3]
deals = 2
seed = 5

[line_ups]
2 = [{ mirror = ["random"] }]
3 = [["random", "random", "random"]]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "small.toml").write_text(EXPERIMENT, encoding="utf-8")
    two = EXPERIMENT.replace("[2, 3]", "[2]").replace('3 = [["random", "random", "random"]]\n', "")
    (tmp_path / "experiments" / "two.toml").write_text(two, encoding="utf-8")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_run_prints_a_summary_and_goes_on_where_it_stopped() -> None:
    first = call("run", "small")
    assert first.exit_code == 0
    assert "10 games in 2 shards" in first.stderr
    assert re.search(r"10 of 10 games, shard 2 of 2, \d+ games/s; \d+ ", first.stderr), "progress where no terminal is"
    assert "2 players: 4 games, " in first.stdout
    assert "Next: blinksim report runs/small" in first.stdout
    again = call("run", "small")
    assert "Nothing left to play: runs/small holds all 10 games" in again.stdout
    assert "4 games in 1 shard into two" in call("run", "two", "--out", "two").stderr


def test_json_and_quiet() -> None:
    result = call("run", "small", "--json", "--out", "elsewhere")
    data = json.loads(result.stdout)
    assert (data["games"], data["folder"]) == (10, "elsewhere")
    assert [row["players"] for row in data["outcomes"]] == [2, 3]
    assert sum(row["won"] + row["shared"] + row["stalled"] for row in data["outcomes"]) == 10
    assert (data["failed"], data["failures"]) == (0, [])
    quiet = call("run", "small", "--quiet", "--fresh")
    assert (quiet.exit_code, quiet.output) == (0, "")


def test_invariants_are_checked_on_demand() -> None:
    assert call("run", "small", "--check", "--deals", "1", "--quiet").exit_code == 0


def test_the_same_bytes_for_any_number_of_workers(folder: Path) -> None:
    for workers in ("1", "2", "4"):
        assert call("run", "small", "--workers", workers, "--out", workers, "--quiet").exit_code == 0
    parts = sorted(path.relative_to(folder / "1") for path in (folder / "1").rglob("*.parquet"))
    assert len(parts) == 16
    for part in parts:
        one = (folder / "1" / part).read_bytes()
        assert one == (folder / "2" / part).read_bytes() == (folder / "4" / part).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "smal"), ["smal", "small", "baseline"]),
        (("run", "small", "--set", "tiers.wal=1"), ["tiers.wal", "tiers.wall"]),
        (("run", "small", "--deals", "0"), ["deals", "0"]),
        (("run", "small", "--workers", "0"), ["workers is 0"]),
        (("schema", "--table", "dules"), ["dules", "duels"]),
        (("strategies", "show", "bilder"), ["bilder", "builder"]),
        (("bench", "--players", "5"), ["--players", "2 to 4"]),
    ],
)
def test_a_wrong_call_names_what_is_known(arguments: tuple[str, ...], words: list[str]) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    for word in words:
        assert word in result.stderr
    assert "Traceback" not in result.stderr


def test_a_changed_experiment_is_refused_with_the_difference() -> None:
    assert call("run", "small", "--quiet").exit_code == 0
    result = call("run", "small", "--set", "tiers.wall[2]=15")
    assert result.exit_code == 2
    assert "tiers.wall" in result.stderr
    assert "--fresh" in result.stderr
    assert call("run", "small", "--set", "tiers.wall[2]=15", "--fresh", "--quiet").exit_code == 0


def test_more_deals_are_added_on_demand() -> None:
    assert call("run", "small", "--quiet").exit_code == 0
    refused = call("run", "small", "--deals", "4")
    assert refused.exit_code == 2 and "add the further deals with --extend" in refused.stderr
    added = json.loads(call("run", "small", "--deals", "4", "--extend", "--json").stdout)
    assert (added["games"], added["games_now"]) == (20, 20), "both shards had room for more deals"


def test_a_cluster_that_is_not_there() -> None:
    result = call("run", "small", "--cluster", "nonsense://here")
    assert result.exit_code == 2
    assert "there is no Dask cluster at nonsense://here" in result.stderr
    assert "Traceback" not in result.stderr
    both = call("run", "small", "--cluster", "tcp://127.0.0.1:9", "--workers", "2")
    assert both.exit_code == 2 and "a cluster has its own workers" in both.stderr


def test_a_folder_that_cannot_be_written_to_is_a_sentence(folder: Path) -> None:
    (folder / "taken").write_text("a file", encoding="utf-8")
    for out in ("taken", "taken/run"):
        result = call("run", "small", "--out", out)
        assert result.exit_code == 2
        assert "name another" in result.stderr and "--out" in result.stderr
        assert "Traceback" not in result.stderr


PLAIN = '''
"""Plain Python."""
from blinksim.players.policy import Strategy

STRATEGY = Strategy(name="plain", summary="the last choice", compiled=False)


def decide(view, rules, actions, n, params, memory, stream, sandbox):
    {body}
'''


def with_plain(folder: Path, body: str) -> None:
    (folder / "strategies").mkdir()
    (folder / "strategies" / "plain.py").write_text(PLAIN.format(body=body), encoding="utf-8")
    text = EXPERIMENT.replace('[["random", "random", "random"]]', '[["random", "plain", "random"]]')
    (folder / "experiments" / "small.toml").write_text(text.replace("deals = 2", "deals = 1"), encoding="utf-8")


def test_a_plain_python_strategy_plays_through_the_same_loop(folder: Path) -> None:
    with_plain(folder, "return n - 1 - int(view.round_number > 900)")
    result = call("run", "small")
    assert result.exit_code == 0
    assert re.search(
        r"plain is plain Python: [\d.,]+ games/s on one core here \(random,plain,random\), [\d,]+ times slower than "
        r"with compiled random in its place \([\d.,]+ games/s\); playing in processes\.",
        result.stderr,
    )
    alone = call("run", "small", "--workers", "1", "--out", "one", "--quiet")
    assert alone.exit_code == 0
    for part in (folder / "one").rglob("*.parquet"):
        assert part.read_bytes() == (folder / "runs" / "small" / part.relative_to(folder / "one")).read_bytes()


@pytest.mark.parametrize(
    ("body", "words"),
    [("return n", ["not one of the legal choices"]), ("return 1 // 0", ["plain at ply", "ZeroDivisionError"])],
)
def test_a_mistake_in_a_strategy_names_the_game_and_the_line_that_replays_it(
    folder: Path, body: str, words: list[str]
) -> None:
    """The other games are played, and the exit status says that some failed."""
    with_plain(folder, body)
    result = call("run", "small", "--workers", "1")
    assert result.exit_code == 3
    for word in [*words, "3p/d0/v0/l0/", "blinksim replay runs/small --game 3p/d0/v0/l0/"]:
        assert word in result.stderr
    assert "9 games failed and are in no table; all the others were played." in result.stderr
    assert "2 players: 2 games" in result.stdout
    assert "plain: plain Python, which is slow; playing one game at a time." in result.stderr
    again = call("run", "small", "--json")
    assert again.exit_code == 3 and json.loads(again.stdout)["failed"] == 9
    key = re.search(r"--game (\S+)", result.stderr)
    assert key is not None
    replayed = call("replay", "runs/small", "--game", key[1])
    assert replayed.exit_code == 3 and "plain " in replayed.stderr


def test_of_many_failed_games_ten_are_told(folder: Path) -> None:
    with_plain(folder, "return n")
    text = (folder / "experiments" / "small.toml").read_text(encoding="utf-8")
    (folder / "experiments" / "small.toml").write_text(text.replace("deals = 1", "deals = 2"), encoding="utf-8")
    result = call("run", "small", "--workers", "1", "--quiet")
    assert result.exit_code == 3
    assert result.stderr.count("replay it with") == 10
    assert "18 games failed and are in no table; all the others were played. The first 10" in result.stderr


def test_schema() -> None:
    assert "attack_rank" in call("schema", "--table", "duels").stdout
    data = json.loads(call("schema", "--json").stdout)
    assert {row["table"] for row in data} == {
        "games", "seats", "rounds", "duels", "improvements", "spends", "objectives", "cards"
    }  # fmt: skip


def test_strategies() -> None:
    assert "builder" in call("strategies", "list").stdout
    assert "plain Python" not in call("strategies", "show", "builder").stdout


@pytest.mark.full
def test_bench() -> None:
    data = json.loads(call("bench", "--quick", "--json", "--players", "3", "--strategies", "random").stdout)
    assert data["speed"]["random"]["3"]["games_per_s"] > 0
    assert set(data) == {"machine", "speed", "parts", "tables", "memory", "starting"}

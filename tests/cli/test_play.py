"""``blinksim play``, ``check`` and ``replay``: what they print, and how they end."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from blinksim.cli import play as commands
from blinksim.games.blink.record import check_record
from blinksim.games.blink.table import Table
from blinksim.players.roster import find_player
from blinksim.simulate import batch
from blinksim.simulate.experiment import parse_experiment

RECORDS = Path(__file__).parents[1] / "records"
app = typer.Typer()
for command in (commands.play, commands.check, commands.replay):
    app.command()(command)

SHORT = ("--set", "end.max_rounds=3", "--set", "setup.draft_passes=[1]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands run in a folder of their own, far from the project."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def play(*words: str) -> Result:
    """A game of three rounds at most."""
    return run("play", *SHORT, *words)


def copy_record(name: str, folder: Path) -> Path:
    """A golden record as plain text, to be changed."""
    path = folder / f"{name}.blink.jsonl"
    path.write_bytes(gzip.decompress((RECORDS / f"{name}.blink.jsonl.gz").read_bytes()))
    return path


# play


def test_play_tells_a_story() -> None:
    """From the seats to the result."""
    result = play("--players", "2", "--seats", "builder,random", "--seed", "7", "--deal", "12")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert ' Blink: 2 players, ruleset "standard", seed 7, deal 12 ' in lines[0]
    assert lines[1] == "Seats, clockwise: 0 = a builder, 1 = b random."
    for round_number in (1, 2, 3):
        assert f"After round {round_number}" in lines
    assert "Stalled after 3 rounds: no reserve was emptied, nobody wins. The scores as they stand:" in lines


def test_play_again_is_the_same_game() -> None:
    """Seed and deal say all."""
    first, again = (play("--players", "3", "--seed", "5") for _ in range(2))
    assert first.stdout == again.stdout
    assert first.stdout != play("--players", "3", "--seed", "6").stdout


def test_quiet_is_the_result_alone() -> None:
    """A line for the outcome, a line for every seat."""
    result = play("--players", "2", "--quiet", "--check")
    assert result.exit_code == 0
    assert "Stalled after 3 rounds" in result.stdout.splitlines()[1]
    assert len(result.stdout.splitlines()) == 6


def test_a_record_is_written_checked_and_told_again(folder: Path) -> None:
    """Play, check and replay agree."""
    played = play(
        "--players", "3", "--ruleset", "secret", "--seats", "random,builder,raider", "--record", "g.blink.jsonl"
    )
    assert played.stdout.splitlines()[-1] == "Record: g.blink.jsonl"
    assert check_record(folder / "g.blink.jsonl").ok
    checked = run("check", "g.blink.jsonl")
    assert (checked.exit_code, checked.stdout) == (0, "g.blink.jsonl: ok: 3 players, 3 rounds, stalled\n")
    told = run("replay", "g.blink.jsonl")
    assert told.exit_code == 0
    assert told.stdout.splitlines() == played.stdout.splitlines()[:-1]


def test_a_record_without_legal_choices(folder: Path) -> None:
    """``--no-legal`` leaves them out, ``.gz`` compresses."""
    assert play("--players", "2", "--no-legal", "--record", "g.blink.jsonl.gz", "-q").exit_code == 0
    with gzip.open(folder / "g.blink.jsonl.gz", "rt", encoding="utf-8") as record:
        lines = [json.loads(line) for line in record]
    assert all("legal" not in line for line in lines)
    assert run("check", "g.blink.jsonl.gz").exit_code == 0
    assert play("--players", "2", "--record", "h.blink.jsonl", "-q").exit_code == 0
    assert "legal" in json.loads((folder / "h.blink.jsonl").read_text(encoding="utf-8").splitlines()[1])


def test_shifts_seat_the_line_up_elsewhere(folder: Path) -> None:
    """Slot k sits on seat k + h + t."""
    seats = ["--seats", "builder,raider,random", "--quiet"]
    assert play(*seats, "--hand-shift", "2", "--seat-shift", "2", "--record", "g.blink.jsonl").exit_code == 0
    header = json.loads((folder / "g.blink.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["seats"] == ["random", "builder", "raider"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seats", "random,nobody,random"], "there is no nobody.py in"),
        (["--seats", "random,random"], '--seats is "random,random", which names 2; with --players 3 it must name 3'),
        (["--seats", "random,,random"], "which names 2"),
        (["--set", "trick.foo=1"], 'unknown key "trick.foo"'),
        (["--ruleset", "standart"], "standart"),
        (["--players", "5"], "is for 2 to 4 players"),
        (["--hand-shift", "3"], "hand_shift is 3; with 3 players it must be 0 to 2"),
        (["--no-legal"], "--no-legal is about a record: name one with --record FILE"),
        (["--record", "none/g.blink.jsonl"], "cannot write none/g.blink.jsonl: No such file or directory"),
    ],
)
def test_mistakes_are_one_clear_paragraph(words: list[str], message: str) -> None:
    """Exit status 2, the message on stderr, no traceback."""
    result = play(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert "\n\n" not in result.stderr


def test_a_strategy_that_fails_ends_with_status_3(folder: Path) -> None:
    """A fault of a strategy names it and says how to play the game again."""
    (folder / "strategies").mkdir()
    (folder / "strategies" / "broken.py").write_text(
        "from blinksim.players.policy import Strategy\n"
        'STRATEGY = Strategy(name="broken", summary="breaks", compiled=False)\n'
        "def decide(*arguments):\n"
        "    return 1 // 0\n",
        encoding="utf-8",
    )
    result = play("--players", "2", "--seats", "broken,random", "--seed", "4")
    assert result.exit_code == commands.FAILED_GAME
    assert "ply 0 (round 0, seat 0, draft_pass): broken failed: ZeroDivisionError" in result.stderr
    assert "seed 4, deal 0, seats broken,random" in result.stderr


def test_line_ups() -> None:
    """A comma stands between strategies, and between the parameters of one."""
    assert commands.line_up(None, 2) == ["random", "random"]
    assert commands.line_up("a, b:x=1,y=2,c", 3) == ["a", "b:x=1,y=2", "c"]


# check


def test_check_says_what_every_record_is() -> None:
    """One line a file, whatever came of the game."""
    names = ["standard-3p-mix-001", "no_objectives-2p-builder-001", "standard-3p-stall-001"]
    files = [str(RECORDS / f"{name}.blink.jsonl.gz") for name in names]
    result = run("check", *files)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{files[0]}: ok: 3 players, 21 rounds, won by seat 1",
        f"{files[1]}: ok: 2 players, 21 rounds, shared by seat 0 and seat 1",
        f"{files[2]}: ok: 3 players, 10 rounds, stalled",
    ]


def test_check_names_the_first_line_that_is_wrong(folder: Path) -> None:
    """Exit status 1; the other files are checked all the same."""
    path = copy_record("standard-3p-stall-001", folder)
    lines = path.read_text(encoding="utf-8").splitlines()
    place = next(i for i, line in enumerate(lines) if '"decision":"meld"' in line.replace(" ", ""))
    wrong = json.loads(lines[place])
    wrong["choice"] = "meld 1P 11M"
    path.write_text("\n".join([*lines[:place], json.dumps(wrong), *lines[place + 1 :]]), encoding="utf-8")
    good = str(RECORDS / "open-2p-stall-001.blink.jsonl.gz")
    result = run("check", path.name, good, "nothing.blink.jsonl")
    assert result.exit_code == 1
    assert result.stdout == f"{good}: ok: 2 players, 14 rounds, stalled\n"
    bad, missing = result.stderr.splitlines()
    assert bad.startswith(f"{path.name}:{place + 1}: ply ")
    assert 'choice "meld 1P 11M" is not legal: ' in bad
    assert missing == "nothing.blink.jsonl:1: cannot be read: No such file or directory"


def test_check_of_an_unfinished_record(folder: Path) -> None:
    """It is correct as far as it goes."""
    path = copy_record("standard-3p-stall-001", folder)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:20]), encoding="utf-8")
    result = run("check", path.name)
    assert result.exit_code == 0
    assert "ok as far as it goes: unfinished after " in result.stdout


# replay


def test_replay_stops_at_the_first_wrong_line(folder: Path) -> None:
    """The story up to there, then the reason; exit status 1."""
    path = copy_record("standard-3p-stall-001", folder)
    lines = path.read_text(encoding="utf-8").splitlines()
    place = next(i for i, line in enumerate(lines) if '"round":2' in line.replace(" ", "") and "choice" in line)
    path.write_text("\n".join([*lines[:place], lines[place].replace("meld", "melt")]), encoding="utf-8")
    result = run("replay", path.name)
    assert result.exit_code == 1
    assert "After round 1" in result.stdout
    assert result.stderr.startswith(f"{path.name}:{place + 1}: ")


def test_replay_quietly() -> None:
    """Only the result."""
    result = run("replay", str(RECORDS / "standard-3p-stall-001.blink.jsonl.gz"), "-q")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 7
    assert "Stalled after 10 rounds" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.blink.jsonl"], "there is no file nothing.blink.jsonl"),
        (["."], "is a folder: say which game of the run, such as --game 3p/d0/v0/l0/h0/s0/r0"),
        ([".", "--game", "3p/d0/v0/l0/h0/s0/r0"], ". is not a run folder"),
        (["s3://bucket/run"], "s3://bucket/run is a run: say which game of the run"),
        (["a.blink.jsonl", "--record", "b.blink.jsonl"], "--record goes with --game"),
    ],
)
def test_replay_mistakes(words: list[str], message: str, folder: Path) -> None:
    """Exit status 2."""
    if "a.blink.jsonl" in words:
        (folder / "a.blink.jsonl").touch()
    result = run("replay", *words)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.fixture
def tiny_run(folder: Path) -> Path:
    """A run of two games with two line-ups."""
    experiment = parse_experiment(
        {
            "question": "Does a replay agree?",
            "players": [2],
            "line_ups": [["random", "builder"]],
            "deals": 1,
            "seed": 7,
            "shifts": "seats",
            "set": ["end.max_rounds=3", "setup.draft_passes=[1]"],
        },
        "the test",
    )
    players = {name: find_player(name) for name in experiment.strategy_names()}
    entrants = {name: batch.Entrant(name, player, player.fingerprint) for name, player in players.items()}
    batch.run(batch.prepare(experiment, entrants), folder / "tiny", workers=1)
    return folder / "tiny"


def test_replay_of_a_runs_game(tiny_run: Path, folder: Path) -> None:
    """Its story, its record, and that it is the same game."""
    result = run("replay", "tiny", "--game", "2p/d0/v0/l0/h0/s1/r0", "--record", "g.blink.jsonl.gz")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[1] == "Seats, clockwise: 0 = a builder, 1 = b random."
    assert "After round 3" in lines
    assert lines[-2] == "Record: g.blink.jsonl.gz"
    assert lines[-1].startswith("2p/d0/v0/l0/h0/s1/r0: digest ")
    assert lines[-1].endswith(", the same as in the run")
    assert check_record(folder / "g.blink.jsonl.gz").ok


def test_replay_of_a_game_that_comes_out_differently(tiny_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit status 1, with both digests."""
    monkeypatch.setattr(Table, "digest", property(lambda table: 255))
    result = run("replay", "tiny", "--game", "2p/d0/v0/l0/h0/s0/r0", "--quiet")
    assert result.exit_code == 1
    assert "2p/d0/v0/l0/h0/s0/r0: digest 00000000000000ff, but the run has " in result.stderr


def test_replay_of_a_game_that_was_not_played(tiny_run: Path) -> None:
    """Exit status 2, and what there is."""
    assert "tiny is a folder: say which game" in run("replay", "tiny").stderr
    (tiny_run.parent / "runs").mkdir()
    tiny_run.rename(tiny_run.parent / "runs" / "tiny")
    assert "tiny is a run: say which game" in run("replay", "tiny").stderr
    result = run("replay", "tiny", "--game", "2p/d1/v0/l0/h0/s0/r0")
    assert result.exit_code == 2
    assert "deal 1 is not played; with 2 players there are 0 to 0" in result.stderr

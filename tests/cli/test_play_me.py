"""``blinksim play --seats me,...``: a person at the terminal, fed from a pipe."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from blinksim.cli import play as commands
from blinksim.games.blink.record import check_record

app = typer.Typer()
app.command()(commands.play)
SHORT = ("--set", "end.max_rounds=2", "--set", "setup.draft_passes=[1]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path


def sit(lines: list[str], *words: str) -> Result:
    """Type these lines into a game of two rounds."""
    return CliRunner().invoke(app, [*SHORT, *words], input="".join(f"{line}\n" for line in lines))


def me(lines: list[str], *words: str) -> Result:
    """Against a random player."""
    return sit(lines, "--players", "2", "--seats", "me,random", "--seed", "7", *words)


def test_a_game_to_its_end_leaves_a_record_that_checks(folder: Path) -> None:
    result = me(["1"] * 200)
    assert result.exit_code == 0, result.output
    assert "Setup, a me: which cards do you pass on?" in result.stdout
    assert "Round 2, a me: your turn" in result.stdout
    assert "Stalled after 2 rounds" in result.stdout
    path = Path("blink-s7-d0.blink.jsonl")
    assert result.stdout.splitlines()[-1] == f"Record: {path}"
    assert check_record(path).ok
    assert '"seats":["me","random"]' in path.read_text(encoding="utf-8").replace(" ", "")
    me(["1"] * 200)
    assert Path("blink-s7-d0-1.blink.jsonl").is_file()


def test_the_record_goes_where_it_is_sent(folder: Path) -> None:
    result = me(["1"] * 200, "--record", "mine.blink.jsonl.gz", "--no-legal", "--check")
    assert result.exit_code == 0, result.output
    assert check_record(Path("mine.blink.jsonl.gz")).ok
    assert [path.name for path in folder.iterdir()] == ["mine.blink.jsonl.gz"]


def test_the_end_of_a_pipe_and_quit_stop_the_game(folder: Path) -> None:
    for lines in (["1", "1"], ["1", "1", "quit"]):
        result = me(lines)
        assert result.exit_code == 0
        assert "Stopped after" in result.stdout.splitlines()[-1]
        assert list(folder.iterdir()) == []
    kept = me(["1", "1", "quit"], "--record", "half.blink.jsonl")
    assert kept.stdout.splitlines()[-1] == "Record: half.blink.jsonl"
    found = check_record(Path("half.blink.jsonl"))
    assert found.ok and found.result is None


def test_a_choice_by_its_words_in_any_order_of_cards(folder: Path) -> None:
    two = ("--set", "setup.draft_passes=[2]")
    choice = re.search(r"1 pass (\S+) (\S+)", me(["quit"], *two).stdout)
    assert choice is not None
    first, second = choice.groups()
    again = me([f"pass {second} {first}"], *two)
    assert f"a me: pass {first} {second}" in again.stdout


def test_many_choices_are_counted_filtered_and_paged(folder: Path) -> None:
    result = me(["", "more", "more", "quit"], "--set", "setup.draft_passes=[3]")
    assert "pass: 120 choices, such as 1 pass" in result.stdout
    assert "120 choices: type a word to see those that have it" in result.stdout
    assert "80 more: type more" in result.stdout and "40 more: type more" in result.stdout
    hand = re.search(r"your hand: (.*)", result.stdout)
    assert hand is not None
    a, b = hand[1].split()[:2]
    filtered = me([f"{a} {b}", "quit"], "--set", "setup.draft_passes=[3]").stdout.partition("> ")[2]
    listed = re.findall(r"\d+ pass ((?:\d+[PFOM] ?)+)", filtered)
    assert len(listed) == 8  # the third card is one of the other eight
    assert all({a, b} <= set(cards.split()) for cards in listed)


def test_what_cannot_be_is_said_and_asked_again(folder: Path) -> None:
    result = me(["999", "settle", "pass 99P", "0", "save", "save nowhere/x.jsonl", "help", "1", "quit"])
    assert "There is no choice 999; there are 1 to" in result.stdout
    assert 'No choice has "settle": "settle" is not a choice of this decision' in result.stdout
    assert 'No choice has "pass 99P"' in result.stdout
    assert "There is no choice 0" in result.stdout
    assert "save needs the name of a file" in result.stdout
    assert "cannot write nowhere/x.jsonl" in result.stdout
    assert "takes back your last choice" in result.stdout
    assert "a me: pass" in result.stdout


def test_save_writes_the_record_so_far(folder: Path) -> None:
    result = me(["1", "1", "save so_far.blink.jsonl", "1", "quit"])
    assert "Record so far: so_far.blink.jsonl" in result.stdout
    assert check_record(Path("so_far.blink.jsonl")).ok


def turn_of(result: Result) -> list[str]:
    """What was printed from the first map turn on."""
    return result.stdout.partition("Round 1, a me: your turn")[2].splitlines()


def test_undo_takes_back_a_step_on_the_map(folder: Path) -> None:
    """The first seat to move cashes a card, takes it back, and is asked the same again."""
    lines = ["1", "1", "1"]
    before = turn_of(me([*lines, "quit"]))
    number = re.search(r"(\d+) gold \d+[PFOM]", "\n".join(before))
    assert number is not None
    after = turn_of(me([*lines, number[1], "undo", "quit"]))
    assert "Taken back." in "\n".join(after)
    offered = [line for line in before if " gold " in line]
    assert offered[-1] in after[after.index(next(line for line in after if "Taken back." in line)) :]
    told = "\n".join(after)
    assert told.count("cashes") == 1


def test_undo_stops_where_something_hidden_came_to_light(folder: Path) -> None:
    result = me(["undo", "1", "undo", "1", "1", "undo", "quit"])
    assert "There is no choice of yours to take back." in result.stdout
    assert result.stdout.count("Something hidden has come to light since your last choice; it stands.") >= 1
    assert "Taken back." not in result.stdout


def test_several_persons_take_turns_and_see_only_their_own(folder: Path) -> None:
    result = sit(["1"] * 400, "--players", "3", "--seats", "me,random,me", "--seed", "7")
    assert result.exit_code == 0, result.output
    assert "Now a me." in result.stdout and "Now c me." in result.stdout
    seats = re.findall(r"(?:Setup|Round \d+), (\w) me: ", result.stdout)
    assert {"a", "c"} == set(seats)
    assert check_record(Path("blink-s7-d0.blink.jsonl")).ok


def test_the_same_answers_give_the_same_game(folder: Path) -> None:
    first, again = (me(["1"] * 200, "--record", "game.blink.jsonl") for _ in range(2))
    assert first.stdout == again.stdout


def test_a_wrong_rival_is_an_error(folder: Path) -> None:
    result = sit([], "--players", "2", "--seats", "me,bilder")
    assert result.exit_code == 2
    assert 'did you mean "builder"' in result.stderr


BROKEN = '''
"""Goes wrong in the first round."""
from blinksim.players.policy import Strategy

STRATEGY = Strategy(name="broken", summary="goes wrong", compiled=False)


def decide(view, rules, actions, n, params, memory, stream, sandbox):
    return {body} if view.round_number == 1 else 0
'''


@pytest.mark.parametrize(
    ("body", "says"),
    [("1 // 0", "broken failed: ZeroDivisionError"), ("n", "broken chose ")],
)
@pytest.mark.parametrize("record", ["", "mine.blink.jsonl"])
def test_a_rival_that_fails_is_named_and_leaves_the_record_so_far(
    body: str, says: str, record: str, folder: Path
) -> None:
    (folder / "strategies").mkdir()
    (folder / "strategies" / "broken.py").write_text(BROKEN.format(body=body), encoding="utf-8")
    asked = ("--record", record) if record else ()
    result = sit(["1"] * 200, "--players", "2", "--seats", "me,broken", "--seed", "7", *asked)
    assert result.exit_code == 3
    path = record or "blink-s7-d0.blink.jsonl"
    assert result.stderr.splitlines()[-2] == f"Record so far: {path}"
    said = re.fullmatch(r"ply (\d+) \(round 1, seat 1, \w+\): (.*); to play it again: .* seats me,broken", last(result))
    assert said is not None
    assert said[2].startswith(says)
    found = check_record(Path(path))
    assert found.ok and found.result is None and found.plies == int(said[1])


def last(result: Result) -> str:
    """The last line on stderr."""
    return result.stderr.splitlines()[-1]


def test_a_record_that_cannot_be_written_does_not_hide_what_failed(folder: Path) -> None:
    (folder / "strategies").mkdir()
    (folder / "strategies" / "broken.py").write_text(BROKEN.format(body="1 // 0"), encoding="utf-8")
    result = sit(["1"] * 200, "--players", "2", "--seats", "me,broken", "--record", "nowhere/x.blink.jsonl")
    assert result.exit_code == 3
    assert "cannot write nowhere/x.blink.jsonl" in result.stderr
    assert "broken failed: ZeroDivisionError" in last(result)

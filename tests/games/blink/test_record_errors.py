"""Game records that are refused, and what is said about them (``record.md``, "Reading a record")."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blinksim.games.blink.record import (
    Replay,
    check_record,
    write_record,
)
from blinksim.games.blink.record_lines import (
    RecordError,
)
from tests.games.blink.record_games import (
    Line,
    Lines,
    find,
    game,
    game_lines,
    game_text,
    state_places,
    write,
)

# what is refused

Change = Callable[[Lines], int]


def first_meld(lines: Lines) -> int:
    """Place of the first meld."""
    return find(lines, decision="meld")


def change_choice(lines: Lines) -> int:
    i = first_meld(lines)
    lines[i]["choice"] = "meld 20M"
    return i


def meld_too_much(lines: Lines) -> int:
    i = first_meld(lines)
    hand = next(line for line in lines if "state" in line)["state"]["seats"][lines[i]["seat"]]["hand"]
    lines[i]["choice"] = "meld " + " ".join(hand[:3])
    return i


def unreadable_choice(lines: Lines) -> int:
    i = first_meld(lines)
    lines[i]["choice"] = "melt 4P"
    return i


def numeric_choice(lines: Lines) -> int:
    i = first_meld(lines)
    lines[i]["choice"] = 4
    return i


def legal_lacks(lines: Lines) -> int:
    i = first_meld(lines)
    lines[i]["legal"].remove(min(lines[i]["legal"]))
    return i


def legal_has_more(lines: Lines) -> int:
    i = first_meld(lines)
    lines[i]["legal"].append("meld 20M")
    return i


def legal_twice(lines: Lines) -> int:
    i = first_meld(lines)
    lines[i]["legal"].append(lines[i]["legal"][0])
    return i


def legal_text(lines: Lines) -> int:
    i = first_meld(lines)
    lines[i]["legal"] = "all"
    return i


def wrong_field(key: str, value: Any) -> Change:
    def change(lines: Lines) -> int:
        i = first_meld(lines)
        lines[i][key] = value
        return i

    return change


def without(key: str) -> Change:
    def change(lines: Lines) -> int:
        i = first_meld(lines)
        del lines[i][key]
        return i

    return change


def in_state(*path: Any, value: Any) -> Change:
    """Change one value of the state after round 1."""

    def change(lines: Lines) -> int:
        i = state_places(lines)[1]
        inside = lines[i]["state"]
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = value
        return i

    return change


def drop_market_card(lines: Lines) -> int:
    i = state_places(lines)[1]
    lines[i]["state"]["market"].pop()
    return i


def drop_state_key(lines: Lines) -> int:
    i = state_places(lines)[1]
    del lines[i]["state"]["grid"]
    return i


def state_with_more(lines: Lines) -> int:
    i = state_places(lines)[1]
    lines[i]["round"] = 1
    return i


def state_twice(lines: Lines) -> int:
    i = state_places(lines)[1]
    lines.insert(i, lines[i])
    return i + 1


def state_early(lines: Lines) -> int:
    i = first_meld(lines)
    lines.insert(i + 1, lines[state_places(lines)[0]])
    return i + 1


def result_early(lines: Lines) -> int:
    i = first_meld(lines)
    lines.insert(i, lines[-1])
    return i


def drop_line(lines: Lines) -> int:
    i = first_meld(lines)
    del lines[i]
    return i


def line_after_result(lines: Lines) -> int:
    lines.append(lines[-1])
    return len(lines) - 1


def decision_after_end(lines: Lines) -> int:
    lines.insert(len(lines) - 1, lines[first_meld(lines)])
    return len(lines) - 2


def in_result(key: str, value: Any) -> Change:
    def change(lines: Lines) -> int:
        lines[-1]["result"][key] = value
        return len(lines) - 1

    return change


def score_of_seat_1(lines: Lines) -> int:
    lines[-1]["result"]["scores"][1]["row"] += 1
    return len(lines) - 1


def no_score(lines: Lines) -> int:
    lines[-1]["result"]["scores"].pop()
    return len(lines) - 1


REFUSED: list[tuple[Change, str]] = [
    (change_choice, 'choice "meld 20M" is not legal: the hand does not hold 20M'),
    (meld_too_much, "is not legal: a meld of 3 cards is over the limit of 2"),
    (unreadable_choice, 'choice "melt 4P" is not legal: "melt" is not a kind of choice'),
    (numeric_choice, 'choice is 4; it must be a text such as "meld '),
    (legal_lacks, 'legal lacks "meld '),
    (legal_has_more, 'legal has "meld 20M", not legal: the hand does not hold 20M'),
    (legal_twice, 'legal has "meld '),
    (legal_text, 'legal must be a list of texts such as "meld '),
    (wrong_field("ply", 77), "the line says ply 77"),
    (wrong_field("round", 2), "the line says round 2"),
    (wrong_field("seat", 9), "the line says seat 9"),
    (wrong_field("seat", True), "the line says seat true"),
    (wrong_field("decision", "act"), 'the line says decision "act"'),
    (
        wrong_field("comment", "!"),
        'the line has the unknown key "comment"; the keys are ply, round, seat, decision, legal, choice',
    ),
    (without("seat"), 'the line lacks the key "seat"'),
    (without("choice"), 'the line lacks the key "choice"'),
    (in_state("seats", 1, "gold", value=99), "state after round 1: state.seats[1].gold is 99, the rules give "),
    (in_state("armed", value=0), "state after round 1: state.armed is 0, the rules give false"),
    (in_state("leader", value=7), "state after round 1: state.leader is 7, the rules give "),
    (in_state("tiles", 0, 1, value="X"), 'state.tiles[0][1] is "X", the rules give "'),
    (in_state("supply", "P", value=3), "state.supply.P is 3, the rules give 1"),
    (in_state("turn", value=3), 'state has the unknown key "turn"; the keys are round, leader, armed, tiles, supply'),
    (drop_market_card, "state.market has 2"),
    (drop_state_key, 'state lacks the key "grid"'),
    (state_with_more, 'the line has the unknown key "round"; a state line has the key state'),
    (state_twice, "a state line stands once after setup and once after every round, not here: ply "),
    (state_early, "a state line stands once after setup and once after every round, not here: ply "),
    (result_early, "a result, but the game goes on: ply "),
    (drop_line, "the line says ply "),
    (line_after_result, "a line after the result; a record ends with it"),
    (decision_after_end, "the game ended in round 3, and only a state and the result may follow"),
    (in_result("outcome", "won"), 'result.outcome is "won", the rules give "stalled"'),
    (in_result("rounds", 4), "result.rounds is 4, the rules give 3"),
    (in_result("winners", [0]), "result.winners has 1 entries, the rules give 0"),
    (score_of_seat_1, "result.scores[1].row is "),
    (no_score, "result.scores has 1 entries, the rules give 2"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[f"{i}: {row[1][:40]}" for i, row in enumerate(REFUSED)])
def test_the_first_difference_is_named_with_its_line(change: Change, message: str, tmp_path: Path) -> None:
    """Record "Reading a record": file, line, decision and what is wrong."""
    lines = game_lines()
    i = change(lines)
    path = write(tmp_path / "game.blink.jsonl", lines)
    result = check_record(path)
    assert result.problem is not None
    assert result.problem.startswith(f"{path}:{i + 1}: ")
    assert message in result.problem
    assert not result.ok
    assert str(result) == result.problem
    with pytest.raises(RecordError):
        list(Replay(path))


def test_an_illegal_choice_is_reported_in_the_form_of_the_format(tmp_path: Path) -> None:
    """Record "Reading a record": FILE:LINE: ply 31 (round 2, seat 1, act): choice "..." is not legal: reason."""
    lines = game_lines()
    i = find(lines, decision="act")
    line = lines[i]
    line["choice"] = "attack 20M 0,0"
    path = write(tmp_path / "game.blink.jsonl", lines)
    assert check_record(path).problem == (
        f"{path}:{i + 1}: ply {line['ply']} (round 1, seat {line['seat']}, act): "
        'choice "attack 20M 0,0" is not legal: the meld does not hold 20M'
    )


# headers


def in_header(*path: Any, value: Any) -> Callable[[Line], None]:
    def change(line: Line) -> None:
        for step in path[:-1]:
            line = line[step]
        line[path[-1]] = value

    return change


def header_without(*path: Any) -> Callable[[Line], None]:
    def change(line: Line) -> None:
        for step in path[:-1]:
            line = line[step]
        del line[path[-1]]

    return change


def repeat_card(line: Line) -> None:
    line["deal"]["starting_deck"][5] = line["deal"]["starting_deck"][6]


def short_deck(line: Line) -> None:
    line["deal"]["upgrade_deck"] = [card for card in line["deal"]["upgrade_deck"] if card != "12P"]


def strange_objective(line: Line) -> None:
    line["deal"]["objectives"][0] = "plains_plains"


BAD_HEADERS: list[tuple[Callable[[Line], None], str]] = [
    (in_header("record", value=2), ":1: record is 2; this reader knows 1"),
    (in_header("game", value="chess"), ":1: game is 'chess'; this reader knows 'blink'"),
    (in_header("rules_version", value=99), ":1: rules_version is 99; this reader knows "),
    (in_header("players", value=5), ":1: players is 5; the ruleset allows 2 to 4"),
    (in_header("players", value=True), ":1: players is True; the ruleset allows 2 to 4"),
    (in_header("players", value=3), ":1: seats is ['player 0', 'player 1']; it must be a list of 3 names"),
    (in_header("table", value=1), ':1: the header has the unknown key "table"; the keys are record, game'),
    (header_without("deal"), ':1: the header lacks the key "deal"'),
    (in_header("seed", value=7), ":1: seed is 7; it must be an object with the keys experiment, deal"),
    (in_header("seed", "deal", value=-1), ":1: seed.deal is -1; it must be a whole number from 0"),
    (in_header("seed", "run", value=1), ':1: seed has the unknown key "run"; the keys are experiment, deal'),
    (in_header("deal", value=[]), ":1: deal is []; it must be an object with the keys start_player"),
    (in_header("deal", "start_player", value=2), ":1: deal.start_player is 2; it must be a seat from 0 to 1"),
    (in_header("deal", "start", value=1), ':1: deal has the unknown key "start"; the keys are start_player'),
    (header_without("deal", "upgrade_deck"), ':1: deal lacks the key "upgrade_deck"'),
    (header_without("deal", "objectives"), ':1: deal lacks the key "objectives"'),
    (
        in_header("deal", "starting_deck", 3, value="12P"),
        "deal.starting_deck, entry 4: 12P does not belong to this deck",
    ),
    (in_header("deal", "starting_deck", 3, value="P4"), 'deal.starting_deck, entry 4: "P4" is not a card'),
    (in_header("deal", "starting_deck", value="4P"), ":1: deal.starting_deck must be a list of texts, top first"),
    (repeat_card, "is there twice"),
    (short_deck, "deal.upgrade_deck has 35 entries and must be complete with 36; it lacks 12P"),
    (strange_objective, "deal.objectives, entry 1: plains_plains does not belong to this deck under the ruleset"),
]


@pytest.mark.parametrize(("change", "message"), BAD_HEADERS, ids=[row[1][:50] for row in BAD_HEADERS])
def test_bad_headers_are_refused(change: Callable[[Line], None], message: str, tmp_path: Path) -> None:
    """Record "Header": keys, versions, seats, and a deal that is complete under the ruleset."""
    lines = game_lines()
    change(lines[0])
    path = write(tmp_path / "game.blink.jsonl", lines)
    with pytest.raises(RecordError) as caught:
        Replay(path)
    assert str(caught.value).startswith(f"{path}:1: ")
    assert message in str(caught.value)


def test_a_bad_ruleset_is_refused_with_file_and_line(tmp_path: Path) -> None:
    """Record "Header": the parameters are checked, unknown ones are errors."""
    lines = game_lines()
    lines[0]["ruleset"]["turn"]["speed"] = 3
    path = write(tmp_path / "game.blink.jsonl", lines)
    problem = check_record(path).problem
    assert problem is not None
    assert problem.startswith(f"{path}:1: ruleset")
    assert "speed" in problem


# files that are no records

BAD_FILES: list[tuple[bytes, str]] = [
    (b"", ":1: the file is empty; a record begins with a header"),
    (b"\n\n", ":1: the file is empty; a record begins with a header"),
    (b'{"record": 1,\n', ":1: not a line of JSON: "),
    (b"[1]\n", ":1: a line of a record is an object {...}"),
    (b'{"record": 1, "record": 1}\n', ':1: not a line of JSON: the key "record" is there twice'),
    (b"\xff\xfe\n", ":1: cannot be read: "),
]


@pytest.mark.parametrize(("data", "message"), BAD_FILES)
def test_files_that_are_no_records(data: bytes, message: str, tmp_path: Path) -> None:
    """Every mistake is one line with file and line."""
    path = tmp_path / "game.blink.jsonl"
    path.write_bytes(data)
    problem = check_record(path).problem
    assert problem is not None
    assert problem.startswith(f"{path}{message}")


def test_files_that_are_not_there_or_not_whole(tmp_path: Path) -> None:
    """A missing file, and compressed ones that are cut off or not compressed."""
    missing = check_record(tmp_path / "no.blink.jsonl").problem
    assert missing == f"{tmp_path / 'no.blink.jsonl'}:1: cannot be read: No such file or directory"
    path = tmp_path / "game.blink.jsonl.gz"
    path.write_bytes(gzip.compress(game_text().encode())[:-2000])
    assert "cannot be read: " in (check_record(path).problem or "")
    path.write_bytes(game_text().encode())
    assert ":1: cannot be read: " in (check_record(path).problem or "")


def test_an_illegal_choice_is_not_written(tmp_path: Path) -> None:
    """``write_record`` checks each choice."""
    begun, _ = game()
    with pytest.raises(RecordError, match=r"ply 0: choice 17 is not legal: draft_pass is due, and end is not a choice"):
        write_record(tmp_path / "game.blink.jsonl", begun, [17])

"""Game records: written, read and replayed (``record.md``)."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from blinksim.games.blink.deal_data import Deal, deal_text, parse_deal
from blinksim.games.blink.enums import Outcome
from blinksim.games.blink.objectives import parse_objective
from blinksim.games.blink.record import (
    Replay,
    begin_game,
    check_record,
    next_state,
    open_record,
    write_record,
)
from blinksim.games.blink.record_lines import (
    header_line,
    parse_header,
    result_line,
    state_line,
    winners,
)
from blinksim.games.cards import card_text
from tests.games.blink.record_games import (
    game,
    game_lines,
    game_text,
    header,
    ruleset,
    state_places,
    write,
)

# writing and reading back

GAMES: list[tuple[str, int, tuple[str, ...]]] = [
    ("standard", 2, ()),
    ("standard", 4, ()),
    ("quick_start", 3, ()),
    ("secret", 2, ()),
    ("open", 3, ()),
    ("keep_both", 2, ()),
    ("no_objectives", 2, ("setup.draft=false",)),
    ("booklet_effects", 2, ("setup.starting_gold=9",)),
    ("standard", 2, ("trade.draw=3", "trade.bury=3", "research.retire=any", "victory.overflow=choice")),
]


@pytest.mark.parametrize(("preset", "players", "changes"), GAMES)
def test_a_game_written_is_a_correct_record(
    preset: str, players: int, changes: tuple[str, ...], tmp_path: Path
) -> None:
    """A record written is read back without a difference, with one state after setup and one after every round."""
    begun, choices = game(preset, players, *changes)
    path = tmp_path / "game.blink.jsonl"
    end = write_record(path, begun, choices)
    result = check_record(path)
    assert result.ok, result.problem
    assert result.finished
    assert (result.plies, result.rounds) == (len(choices), int(end.round_number))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [lines[i]["state"]["round"] for i in state_places(lines)] == list(range(int(end.round_number) + 1))
    assert "result" in lines[-1]
    assert "state" in lines[-2]
    assert str(result).startswith(f"{path}: correct, {len(choices)} decisions, {int(end.round_number)} rounds, ")


def test_a_setup_without_decisions_is_followed_by_its_state(tmp_path: Path) -> None:
    """Record "States": the state after setup is the second line where nothing is decided in it."""
    begun, choices = game("no_objectives", 2, "setup.draft=false")
    write_record(tmp_path / "game.blink.jsonl", begun, choices[:3])
    lines = (tmp_path / "game.blink.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[1])["state"]["round"] == 0
    assert json.loads(lines[2])["decision"] == "meld"


def test_the_written_text_is_that_of_the_writer(tmp_path: Path) -> None:
    """``write_record`` and ``RecordWriter`` write the same lines."""
    begun, choices = game()
    write_record(tmp_path / "game.blink.jsonl", begun, choices)
    assert (tmp_path / "game.blink.jsonl").read_text(encoding="utf-8") == game_text()


def test_a_compressed_record_reads_the_same_and_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    """``.jsonl.gz`` holds the same text; name and time are not in it."""
    begun, choices = game()
    first, second = tmp_path / "a.blink.jsonl.gz", tmp_path / "b.blink.jsonl.gz"
    write_record(first, begun, choices)
    write_record(second, begun, choices)
    assert first.read_bytes() == second.read_bytes()
    assert gzip.decompress(first.read_bytes()).decode() == game_text()
    assert check_record(first).ok
    with open_record(first, "r") as lines:
        assert json.loads(next(lines))["game"] == "blink"


def test_choices_only_are_enough(tmp_path: Path) -> None:
    """Record "Reading": without legal sets, states, result and seed nothing of them is compared."""
    lines = [line for line in game_lines() if "state" not in line and "result" not in line]
    del lines[0]["seed"]
    for line in lines:
        line.pop("legal", None)
    path = write(tmp_path / "table.blink.jsonl", lines)
    result = check_record(path)
    assert result.ok, result.problem
    assert not result.finished
    assert result.plies == len(lines) - 1


def test_a_record_without_its_end_is_unfinished(tmp_path: Path) -> None:
    """Record "Result": one without is read as far as it goes and called unfinished."""
    path = write(tmp_path / "game.blink.jsonl", game_lines()[:9])
    result = check_record(path)
    assert result.ok, result.problem
    assert not result.finished
    assert "unfinished after" in str(result)
    header_only = write(tmp_path / "header.blink.jsonl", game_lines()[:1])
    assert str(check_record(header_only)).endswith("unfinished after 0 decisions, 0 rounds")


def test_keys_may_come_in_any_order_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    """JSON Lines with keys in any order."""
    lines = [dict(reversed(line.items())) for line in game_lines()]
    path = tmp_path / "game.blink.jsonl"
    path.write_text("\n\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    assert check_record(path).ok


def test_the_order_of_legal_choices_does_not_matter(tmp_path: Path) -> None:
    """Record "Decisions": readers compare ``legal`` as a set."""
    lines = game_lines()
    for line in lines:
        line.get("legal", []).reverse()
    assert check_record(write(tmp_path / "game.blink.jsonl", lines)).ok


# replaying


def test_a_replay_goes_step_by_step(tmp_path: Path) -> None:
    """Every decision comes with its line, the states around it and the round it ended."""
    path = tmp_path / "game.blink.jsonl"
    path.write_text(game_text(), encoding="utf-8")
    begun, choices = game()
    replay = Replay(path)
    assert replay.header.deal == begun.deal
    assert replay.header.seats == ("player 0", "player 1")
    assert replay.result is None
    steps = list(replay)
    lines = game_lines()
    assert tuple(step.action for step in steps) == choices
    for step in steps:
        line = lines[step.line - 1]
        assert line["choice"] == step.choice
        assert (line["ply"], line["round"], line["seat"]) == (step.ply, step.round, step.seat)
        assert line["decision"] == step.decision.name.lower()
        assert step.action in step.legal
        assert int(step.before.ply) == step.ply
        assert int(step.after.ply) == step.ply + 1
    ended = [step.round_ended for step in steps if step.round_ended is not None]
    assert ended == [0, 1, 2, 3]
    assert replay.result == lines[-1]["result"]
    assert int(replay.state.outcome) != Outcome.RUNNING


def test_a_state_that_follows_leaves_the_one_before_alone() -> None:
    """``next_state`` makes a new record."""
    begun, choices = game()
    state = begin_game(begun)
    before = state.tobytes()
    after = next_state(state, begun.rules, choices[0])
    assert state.tobytes() == before
    assert int(after.ply) == 1


# headers


def test_a_parameter_left_out_has_its_default() -> None:
    """Record "Header": records written before a parameter existed read the same."""
    line = header_line(header(ruleset()))
    del line["ruleset"]["trick"]["next_leader"]
    del line["ruleset"]["objectives"]["list"]
    assert parse_header(line, "here:1").ruleset == ruleset()


def test_a_header_goes_both_ways() -> None:
    """What is written is read back."""
    begun = header(ruleset("booklet_effects"), 4)
    again = parse_header(json.loads(json.dumps(header_line(begun))), "here:1")
    assert replace(again, rules=None) == replace(begun, rules=None)
    assert again.rules.tobytes() == begun.rules.tobytes()


def test_objectives_may_be_absent_where_nobody_has_any() -> None:
    """Record "Header": in mode ``none``."""
    line = header_line(header(ruleset("no_objectives")))
    del line["deal"]["objectives"]
    assert parse_header(line, "here:1").deal.objectives == tuple(map(parse_objective, ruleset().objectives.list))


def test_a_start_player_that_the_ruleset_fixes_is_kept() -> None:
    """Section 1.1 ``setup.start_player``: a seat."""
    fixed = ruleset("standard", "setup.start_player=1")
    begun = header(fixed)
    line = header_line(replace(begun, deal=replace(begun.deal, start_player=0)))
    with pytest.raises(ValueError, match=r"deal\.start_player is 0; the ruleset has seat 1 begin"):
        parse_header(line, "here:1")
    line["deal"]["start_player"] = 1
    assert parse_header(line, "here:1").deal.start_player == 1


def test_a_deal_has_the_cards_of_its_ruleset() -> None:
    """Section 1.1: other ranks, other decks; the text form goes both ways."""
    small = ruleset("standard", "cards.rank_max=18")
    begun = header(small)
    assert {card_text(card) for card in begun.deal.upgrade_deck} == {f"{r}{s}" for r in range(12, 19) for s in "PFOM"}
    codes = begun.deal.objectives
    assert parse_deal(deal_text(begun.deal), begun.rules, codes, True, "deal") == begun.deal


# results


def test_winners_share_or_nobody_wins() -> None:
    """Sections 3.13 and 8: the best total, then the tie breaks, then shared; a stalled game has no winner."""
    begun = header(ruleset())
    state = begin_game(begun)
    assert winners(state, begun.rules) == []
    state.outcome = int(Outcome.STALLED)
    assert winners(state, begun.rules) == []
    assert result_line(state, begun.rules)["result"]["outcome"] == "stalled"
    state.outcome = int(Outcome.SHARED)
    assert winners(state, begun.rules) == [0, 1]
    state.outcome = int(Outcome.WON)
    state.gold[1] = 2
    result = result_line(state, begun.rules)["result"]
    assert result["winners"] == [1]
    assert result["scores"][1] == {"units": 1, "row": 0, "objectives": 0, "total": 1, "gold": 2}
    state.reserve[0] -= 1
    assert winners(state, begun.rules) == [0]


def test_the_state_after_setup_shows_the_deal() -> None:
    """Record "Header" and "States": hands, market, grid and deck as they were dealt."""
    begun = header(ruleset("open", "setup.draft=false"), 3)
    state = state_line(begin_game(begun), begun.rules)["state"]
    deck = [card_text(card) for card in begun.deal.starting_deck]
    upgrade = [card_text(card) for card in begun.deal.upgrade_deck]
    assert state["round"] == 0
    assert state["leader"] == begun.deal.start_player
    assert [set(seat["hand"]) for seat in state["seats"]] == [set(deck[10 * s : 10 * s + 10]) for s in range(3)]
    assert state["market"] == deck[30:]
    assert state["grid"] == [[card] for card in upgrade[:9]]
    assert state["upgrade"] == upgrade[9:]
    assert state["supply"] == {"P": 12, "F": 15, "O": 15, "M": 12}
    assert state["tiles"] == [
        ["-1,0", "P", 0, 1, 0],
        ["0,0", "M", None, 0, 0],
        ["0,1", "M", None, 0, 0],
        ["0,2", "P", 2, 1, 0],
        ["1,0", "M", None, 0, 0],
        ["2,-1", "P", 1, 1, 0],
    ]
    both = deal_text(begun.deal)["objectives"][:2]
    assert [(seat["objectives"], seat["shown"]) for seat in state["seats"]] == [(both, None)] * 3


def test_a_deal_goes_to_arrays_and_back() -> None:
    """The engine takes arrays, a record has tuples of whole numbers."""
    deal = header(ruleset()).deal
    again = Deal.of(*deal.arrays())
    assert again == deal
    assert {type(number) for deck in (again.starting_deck, again.objectives) for number in deck} == {int}

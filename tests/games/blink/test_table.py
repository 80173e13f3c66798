"""The table: a game to look at and to play by hand."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blinksim
from blinksim.errors import UserError
from blinksim.games.blink import table as tables
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.observe import observe
from blinksim.games.blink.record import Replay, check_record
from blinksim.games.blink.ruleset import load
from blinksim.games.blink.state import VIEW, new_records
from blinksim.games.blink.table import BrokenGameError, IllegalChoiceError, Table, TableError
from blinksim.games.cards import cards_in

SHORT = ("end.max_rounds=3", "setup.draft_passes=[1]")
"""Changes that make a game of a few dozen decisions."""


def short_game(players: int = 2, **options: Any) -> Table:
    """A game of three rounds at most."""
    return blinksim.new_game(players, overrides=SHORT, **options)


@dataclass
class Scripted:
    """A strategy in plain Python that gives the answers of a list, then always the first choice."""

    answers: list[int]
    name: str = "scripted"
    compiled: bool = False
    params: np.ndarray = field(default_factory=lambda: np.zeros(32))
    asked: list[tuple[int, int]] = field(default_factory=list)

    def decide(
        self, view: Any, rules: Any, actions: Any, n: int, params: Any, memory: Any, stream: Any, sandbox: Any
    ) -> int:
        """The next answer; notes who looked and how many choices there were, and counts in its memory."""
        assert len(actions) == n
        memory[0] += np.uint64(1)
        self.asked.append((int(view.me), int(memory[0])))
        return self.answers.pop(0) if self.answers else 0


# looking


def test_a_new_game() -> None:
    """Before its first decision: seat 0 of the draft."""
    table = blinksim.new_game(players=3, seed=7, deal=12)
    assert (table.players, table.seat, table.decision, table.round, table.ply) == (3, 0, "draft_pass", 0, 0)
    assert not table.over
    assert table.result() is None
    assert len(table.legal()) == 210
    assert table.scores()[0] == {"units": 1, "row": 0, "objectives": 0, "total": 1, "gold": 0}
    assert repr(table) == "<Blink: 3 players, ply 0 (round 0, seat 0, draft_pass)>"


def test_printing_shows_the_board() -> None:
    """Whose decision it is, what lies before that seat, every seat, and the map."""
    table = short_game(players=2, ruleset="no_objectives", seed=3)
    while table.decision != "act":
        table.choose(0)
    state, seat = table.state, table.seat
    lines = str(table).splitlines()
    assert lines[0] == f"ply {table.ply} (round 1, seat {seat}, act), {'ab'[seat]} player: {len(table.legal())} choices"
    assert lines[1].startswith("  hand ")
    assert len(lines[1].split()) == 1 + len(cards_in(state.hand[seat]))
    assert lines[2].endswith(f"movements left {int(state.moves_left)}")
    assert lines[3].startswith("  grid ")
    assert lines[3].endswith("upgrade deck 27, market 24")
    assert lines[4].split()[:3] == ["seat", "player", "tier"]
    assert [line.split()[:4] for line in lines[6:8]] == [["0", "a", "player", "Tribe"], ["1", "b", "player", "Tribe"]]
    assert any("/-1,0 \\" in line for line in lines)
    secret = blinksim.new_game(2, "secret")
    both = ", ".join(choice.removeprefix("keep ") for choice in secret.legal())
    assert str(secret).splitlines()[2] == f"  objectives {both}"


def test_an_observation_is_what_the_seat_may_know() -> None:
    """The seat that decides, or any other."""
    table = short_game()
    table.choose(3)
    for seat in range(2):
        view = new_records(VIEW)[0]
        observe(table.state, table.header.rules, seat, view)
        assert table.observation(seat).tobytes() == view.tobytes()
    assert int(table.observation().me) == table.seat == 1
    with pytest.raises(TableError, match="seat is 2; it must be 0 to 1"):
        table.observation(2)


# choosing


def test_choices_in_words_and_by_number() -> None:
    """Both ways are one choice; choose gives the table back."""
    one, two = short_game(), short_game()
    assert one.choose(2) is one
    two.choose(two.legal()[2])
    assert one.state.tobytes() == two.state.tobytes()
    assert (one.ply, one.seat) == (1, 1)
    assert [moment.action for moment in one.moments] == [moment.action for moment in two.moments]


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("settle 8M 1,0", '"settle" is not a choice of this decision'),
        ("jump", '"jump" is not a kind of choice'),
        (10, "there are 10 choices, 0 to 9"),
        (-1, "there are 10 choices, 0 to 9"),
    ],
)
def test_an_illegal_choice_says_why(choice: str | int, reason: str) -> None:
    """And changes nothing."""
    table = short_game()
    before = table.state.tobytes()
    with pytest.raises(IllegalChoiceError) as error:
        table.choose(choice)
    assert str(error.value) == f'ply 0 (round 0, seat 0, draft_pass): "{choice}" is not legal: {reason}'
    assert error.value.reason == reason
    assert isinstance(error.value, UserError)
    assert (table.state.tobytes(), table.ply, table.moments) == (before, 0, ())


def test_a_choice_against_the_rules_says_which() -> None:
    """The reasons of the rules, not only of the words."""
    table = short_game()
    cards = table.legal()[0].removeprefix("pass "), table.legal()[1].removeprefix("pass ")
    with pytest.raises(IllegalChoiceError, match="1 cards are passed, not 2"):
        table.choose(f"pass {cards[0]} {cards[1]}")


def test_nothing_can_be_chosen_after_the_end() -> None:
    """Nothing is legal any more."""
    table = short_game().play(["random", "random"])
    assert table.legal() == []
    for choice in (0, "end"):
        with pytest.raises(IllegalChoiceError):
            table.choose(choice)


# taking back, copying


def test_undo() -> None:
    """The position before, and what strategies remembered and drew with it."""
    table = short_game().play(["random", "random"])
    end, plies = table.digest, table.ply
    before = table.moments[-10].before.tobytes()
    assert table.undo(10) is table
    assert (table.ply, table.state.tobytes()) == (plies - 10, before)
    assert table.play(["random", "random"]).digest == end
    table.undo(plies)
    assert (table.ply, table.decision) == (0, "draft_pass")
    assert table.play(["random", "random"]).digest == end
    with pytest.raises(TableError, match=f"{plies + 1} decisions cannot be taken back: {plies} were made"):
        table.undo(plies + 1)


def test_undo_gives_strategies_their_memory_back() -> None:
    """A strategy that counts its calls counts those taken back again."""
    table = short_game()
    scripted = Scripted([])
    table.play([scripted, None]).choose(0).play([scripted, None])
    count = scripted.asked[-1][1]
    table.undo(table.ply).play([scripted, None])
    assert scripted.asked[-1] == (0, 1)
    assert count > 1


def test_copies_are_independent() -> None:
    """What happens to one does not happen to the other."""
    table = short_game()
    table.choose(1)
    other = table.copy()
    other.play(["random", "random"])
    assert (table.ply, table.over, other.over) == (1, False, True)
    assert table.header.seats == ("player", "player")
    assert table.play(["random", "random"]).digest == other.digest
    other.undo(3)
    assert table.over


# strategies


def test_play_to_the_end() -> None:
    """The result, the scores and the digest of a game that is over."""
    table = short_game(players=3, seed=5).play(["random", "random", "random"], check=True)
    result = table.result()
    assert result is not None
    assert table.over
    assert (table.seat, table.decision) == (-1, "over")
    assert result["outcome"] == "stalled"
    assert result["scores"] == table.scores()
    assert 0 <= table.digest < 2**64
    assert str(table).startswith("Stalled after 3 rounds: no reserve was emptied")
    assert repr(table) == f"<Blink: 3 players, over after round 3, {table.ply} decisions>"
    assert table.header.seats == ("random",) * 3


def test_play_waits_for_a_seat_without_a_strategy() -> None:
    """Seat 1 is played by hand."""
    table = short_game()
    steps = 0
    while not table.play(["random", None]).over:
        assert table.seat == 1
        table.choose(-1 + len(table.legal()))
        steps += 1
    assert steps > 5
    assert table.header.seats == ("random", "player")


def test_the_same_draws_on_the_same_deal() -> None:
    """The seed, the deal, the shifts and the replicate are all that random players depend on."""
    digests = [
        short_game(**options).play(["random", "random"]).digest
        for options in ({}, {}, {"seed": 2}, {"deal": 1}, {"hand_shift": 1}, {"seat_shift": 1})
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 5


def test_shifts() -> None:
    """A seat shift moves hands round the map; a hand shift moves no card, only who draws from which stream."""
    plain, seats, hands = (
        short_game(players=3),
        short_game(players=3, seat_shift=1),
        short_game(players=3, hand_shift=1),
    )
    for seat in range(3):
        assert cards_in(seats.state.hand[(seat + 1) % 3]) == cards_in(plain.state.hand[seat])
    assert hands.state.tobytes() == plain.state.tobytes()


def test_a_strategy_in_plain_python() -> None:
    """It is asked at its own decisions only, and only where it has a choice; its memory is its own."""
    first, second = Scripted([4, 0, 2]), Scripted([])
    table = short_game().play([first, second])
    assert table.over
    assert {seat for seat, _ in first.asked} == {0}
    assert [count for _, count in first.asked] == list(range(1, len(first.asked) + 1))
    by_choice = [m for m in table.moments if int(m.before.seat) == 1]
    assert 0 < len(second.asked) <= len(by_choice)


def test_a_strategy_that_breaks_its_contract() -> None:
    """The message says where, and how to play the game again; the table stays where it was."""
    table = short_game(seed=9, deal=4)
    scripted = Scripted([10, 0])
    with pytest.raises(BrokenGameError) as error:
        table.play([scripted, "random"])
    assert str(error.value) == (
        "ply 0 (round 0, seat 0, draft_pass): scripted chose 10, an index must be from 0 to 9; to play it again: "
        '2 players, ruleset "standard", seed 9, deal 4, seats scripted,random'
    )
    assert table.ply == 0
    table.play([scripted, None])
    assert (scripted.asked, table.ply) == ([(0, 1), (0, 1)], 1)


def test_a_strategy_that_fails() -> None:
    """Its own error is the cause."""

    class Failing(Scripted):
        def decide(self, *arguments: Any) -> int:
            raise KeyError("plan")

    with pytest.raises(BrokenGameError, match="failing failed: KeyError: 'plan'") as error:
        short_game().play([Failing([], name="failing"), "random"])
    assert isinstance(error.value.__cause__, KeyError)


def test_check_finds_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    """The invariants are looked at after every decision where asked for."""
    monkeypatch.setattr(tables, "broken_invariant", lambda state, rules: 4 if state.ply == 3 else 0)
    with pytest.raises(BrokenGameError, match=r"^ply 3 .*: invariant 4 is broken: reserve and map of a player"):
        short_game().play(["random", "random"], check=True)
    assert short_game().play(["random", "random"]).over


def test_strategies_must_be_one_per_seat() -> None:
    """Names by seat, and known ones."""
    table = short_game()
    for strategies in (["random"], "random", ["random"] * 3):
        with pytest.raises(TableError, match="it must be a list of 2, one per seat"):
            table.play(strategies)
    with pytest.raises(UserError, match=r"there is no nobody\.py"):
        table.play(["random", "nobody"])
    with pytest.raises(TableError, match=r'knows no strategy by name, such as "random"; use blinksim\.new_game'):
        tables.new_game(2).play(["random", None])


# records and stories


def test_a_record(tmp_path: Path) -> None:
    """What is written is correct, with or without the legal choices, and tells the same story."""
    table = short_game(players=3, ruleset="booklet_effects").play(["random"] * 3)
    full, brief = table.record(tmp_path / "a.blink.jsonl"), table.record(tmp_path / "b.blink.jsonl.gz", legal=False)
    for path in (full, brief):
        assert check_record(path).ok
        assert check_record(path).result == table.result()
    assert '"legal"' in full.read_text(encoding="utf-8")
    replay = Replay(brief)
    assert replay.header.seats == ("random",) * 3
    assert replay.header.seed == {"experiment": 1, "deal": 0}
    again = Table(replay.header)
    for step in replay:
        assert step.before.tobytes() == again.state.tobytes()
        again.choose(step.choice)
    assert again.digest == table.digest
    assert again.story() == table.story()
    assert "Stalled after 3 rounds" in table.story()
    with pytest.raises(TableError, match="cannot write"):
        table.record(tmp_path / "none" / "a.blink.jsonl")


def test_the_story_of_a_game_that_goes_on() -> None:
    """As far as it goes."""
    table = short_game()
    table.choose(0)
    assert "Unfinished: round 0, 1 decision so far" in table.story(80)
    assert max(len(line) for line in table.story(80).splitlines()) == 80


# asking for a game


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "is for 2 to 4 players"),
        ({"seed": -1}, "seed is -1; it must be a whole number of 0 to"),
        ({"deal": -2}, "deal is -2; it must be a whole number of 0 to"),
        ({"hand_shift": 3}, "hand_shift is 3; with 3 players it must be 0 to 2"),
        ({"seat_shift": -1}, "seat_shift is -1; with 3 players it must be 0 to 2"),
        ({"ruleset": "standart"}, "standart"),
        ({"overrides": ["tiers.wal[0]=3"]}, "tiers.wal"),
    ],
)
def test_a_game_that_there_is_not(options: dict[str, Any], message: str) -> None:
    """Mistakes of the user say what was given and what is expected."""
    with pytest.raises(UserError) as error:
        blinksim.new_game(**options)
    assert message in str(error.value)


def test_a_ruleset_may_be_given_whole() -> None:
    """By name, or as checked before; changes are made to both."""
    by_name = blinksim.new_game(2, "quick_start", overrides=["setup.starting_gold=3"])
    whole = blinksim.new_game(2, load("quick_start"), overrides=["setup.starting_gold=3"])
    assert by_name.state.tobytes() == whole.state.tobytes()
    assert [score["gold"] for score in whole.scores()] == [3, 3]
    assert blinksim.new_game(2, load("quick_start")).scores()[0]["units"] == 2


def test_a_fixed_start_player_leads() -> None:
    """``setup.start_player`` of the ruleset, whatever the deal says."""
    for seat in range(2):
        table = blinksim.new_game(3, "no_objectives", overrides=[f"setup.start_player={seat}", "setup.draft=false"])
        assert (table.decision, table.seat) == ("meld", seat)
        assert int(table.state.decision) == Decision.MELD


def test_the_package_has_both_names_and_imports_nothing_heavy() -> None:
    """``import blinksim`` is immediate."""
    assert blinksim.Table is Table
    with pytest.raises(AttributeError, match="has no attribute 'Tabel'"):
        _ = blinksim.Tabel
    heavy = "{'numpy', 'numba', 'rich', 'pydantic', 'polars', 'pyarrow'}"
    program = f"import sys, blinksim; sys.exit(sorted({heavy} & set(sys.modules)) != [])"
    root = Path(blinksim.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", program], cwd=root, check=False).returncode == 0

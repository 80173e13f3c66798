"""Game records: reading, replaying, checking and writing them (``record.md``).

A replay makes every choice of a record in the engine and compares all that the record says with what the rules give.
Files may be compressed with gzip (``*.blink.jsonl.gz``).
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from blinksim.errors import UserError
from blinksim.games.blink.apply import apply_action
from blinksim.games.blink.check import why_not
from blinksim.games.blink.deal import set_up
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Outcome
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.legal import list_actions
from blinksim.games.blink.record_lines import (
    DECISION_KEYS,
    Header,
    RecordError,
    check_keys,
    decision_line,
    difference,
    finished_round,
    header_line,
    parse_header,
    result_line,
    same,
    state_line,
)
from blinksim.games.blink.state import STATE, new_records
from blinksim.games.blink.text import ActionTextError, action_text, decision_text, parse_action

NAMED_AT_MOST = 5  # choices of a legal set that one message names


@dataclass(frozen=True)
class Step:
    """One decision of a replay.

    Attributes:
        line: Line of the record, from 1.
        ply: Decisions before this one.
        round: 0 during setup.
        seat: Who decided.
        decision: Which kind.
        legal: Every legal choice, in the engine's order.
        action: The choice.
        choice: The choice in words.
        before: The state in which it was made; one STATE record.
        after: The state that followed, with the next decision due.
        round_ended: The round that this choice brought to its end, 0 for setup; None within a round.
    """

    line: int
    ply: int
    round: int
    seat: int
    decision: Decision
    legal: tuple[int, ...]
    action: int
    choice: str
    before: Any
    after: Any
    round_ended: int | None


@dataclass(frozen=True)
class CheckResult:
    """What checking one record found.

    Attributes:
        path: The file.
        problem: The first difference from the rules, with file and line; None where there is none.
        finished: Whether the record goes on to a result.
        plies: Decisions replayed.
        rounds: Rounds begun.
        result: The ``result`` object of a finished record.
    """

    path: str
    problem: str | None
    finished: bool
    plies: int
    rounds: int
    result: dict[str, Any] | None

    @property
    def ok(self) -> bool:
        """Whether the record is what the rules give, as far as it goes."""
        return self.problem is None

    def __str__(self) -> str:
        """One line for people: the problem, or how far the record goes."""
        if self.problem is not None:
            return self.problem
        size = f"{self.plies} decisions, {self.rounds} rounds"
        if self.result is None:
            return f"{self.path}: correct as far as it goes, unfinished after {size}"
        by = ", ".join(str(seat) for seat in self.result["winners"])
        return f"{self.path}: correct, {size}, {self.result['outcome']}" + (f" by seat {by}" if by else "")


def begin_game(header: Header) -> Any:
    """A new state with the header's deal, before its first decision; one STATE record."""
    state = new_records(STATE)[0]
    set_up(state, header.rules, no_facts()[0], *header.deal.arrays())
    return state


def legal_actions(state: Any, rules: Any) -> list[int]:
    """Every legal choice of the decision that is due, in the engine's order."""
    actions = np.zeros(MAX_ACTIONS, dtype=np.int64)
    count = list_actions(state, rules, actions)
    return [int(action) for action in actions[:count]]


def next_state(state: Any, rules: Any, action: int) -> Any:
    """The state after a legal choice, as a new record; ``state`` stays as it is."""
    states = new_records(STATE)
    states[0] = state
    after = states[0]
    apply_action(after, rules, action, *no_facts())
    return after


def round_ended(before: Any, after: Any) -> int | None:
    """The round that ended between two states in a row (0 for setup), None within a round."""
    if int(after.outcome) != Outcome.RUNNING or int(after.round_number) != int(before.round_number):
        return finished_round(after)
    return None


class Replay:
    """A record, replayed decision by decision: iterate over it once for its :class:`Step` objects.

    Attributes:
        path: The file, as given.
        header: The first line.
        start: The state before the first decision; one STATE record.
        state: The state reached.
        result: The ``result`` object once the record came to it, None before and in an unfinished record.
    """

    def __init__(self, path: str | Path) -> None:
        """Read the header of a record and deal.

        Raises:
            RecordError: the file cannot be read, or its first line is not a header that the rules allow.
        """
        self.path = str(path)
        self._lines = _json_lines(self.path)
        number, data = next(self._lines, (1, None))
        if data is None:
            raise RecordError(f"{self.path}:1: the file is empty; a record begins with a header")
        try:
            self.header = parse_header(data, f"{self.path}:{number}")
        except UserError as error:
            raise RecordError(str(error)) from None
        self.start = begin_game(self.header)
        self.state = self.start
        self.result: dict[str, Any] | None = None
        self._boundary = int(self.state.round_number) > 0  # a state line may stand here

    def __iter__(self) -> Iterator[Step]:
        """Make the choices one by one.

        Raises:
            RecordError: the first line that is not what the rules give, with file, line and decision.
        """
        for number, data in self._lines:
            where = f"{self.path}:{number}"
            if self.result is not None:
                raise RecordError(f"{where}: a line after the result; a record ends with it")
            if "state" in data:
                self._check_state(data, where)
            elif "result" in data:
                self._check_result(data, where)
            else:
                yield self._decide(data, number)

    def _due(self) -> str:
        """The decision that is due, for messages."""
        state = self.state
        if int(state.decision) == Decision.OVER:
            return f"the game ended in round {int(state.round_number)}"
        place = f"round {int(state.round_number)}, seat {int(state.seat)}, {decision_text(state.decision)}"
        return f"ply {int(state.ply)} ({place})"

    def _check_state(self, data: dict[str, Any], where: str) -> None:
        if not self._boundary:
            raise RecordError(
                f"{where}: a state line stands once after setup and once after every round, not here: {self._due()}"
            )
        wanted = state_line(self.state, self.header.rules)
        name = f"after round {wanted['state']['round']}" if wanted["state"]["round"] else "after setup"
        if found := _whole_difference(data, wanted, "state"):
            raise RecordError(f"{where}: state {name}: {found}")
        self._boundary = False

    def _check_result(self, data: dict[str, Any], where: str) -> None:
        if int(self.state.outcome) == Outcome.RUNNING:
            raise RecordError(f"{where}: a result, but the game goes on: {self._due()} is due")
        wanted = result_line(self.state, self.header.rules)
        if found := _whole_difference(data, wanted, "result"):
            raise RecordError(f"{where}: {found}")
        self.result = wanted["result"]

    def _decide(self, data: dict[str, Any], number: int) -> Step:
        """Check one decision line and make its choice."""
        state, rules = self.state, self.header.rules
        where = f"{self.path}:{number}: {self._due()}"
        if int(state.decision) == Decision.OVER:
            raise RecordError(f"{where}, and only a state and the result may follow")
        try:
            check_keys(data, DECISION_KEYS, "the line")
        except UserError as error:
            raise RecordError(f"{where}: {error}") from None
        for key, wanted in _due_fields(state).items():
            if not same(data[key], wanted):
                given = json.dumps(data[key], ensure_ascii=False)
                raise RecordError(f"{where}: the line says {key} {given}")
        legal = legal_actions(state, rules)
        action = self._choice(data["choice"], legal, where)
        if "legal" in data:
            self._compare_legal(data["legal"], legal, where)
        after = next_state(state, rules, action)
        ended = round_ended(state, after)
        self.state = after
        self._boundary = ended is not None
        return Step(
            number,
            int(state.ply),
            int(state.round_number),
            int(state.seat),
            Decision(int(state.decision)),
            tuple(legal),
            action,
            action_text(state, action),
            state,
            after,
            ended,
        )

    def _choice(self, text: Any, legal: list[int], where: str) -> int:
        """The number of the choice that a line names."""
        state, rules = self.state, self.header.rules
        if not isinstance(text, str):
            raise RecordError(
                f"{where}: choice is {json.dumps(text)}; it must be a text such as {_example(state, legal)}"
            )
        try:
            action = parse_action(state, rules, text)
        except ActionTextError as error:
            raise RecordError(f'{where}: choice "{text}" is not legal: {error.reason}') from None
        if action not in legal:
            reason = why_not(state, rules, action) or "it is not among the legal choices"
            raise RecordError(f'{where}: choice "{text}" is not legal: {reason}')
        return action

    def _compare_legal(self, texts: Any, legal: list[int], where: str) -> None:
        """Compare a line's legal choices with the engine's as sets; each may stand in the line once."""
        state, rules = self.state, self.header.rules
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise RecordError(f"{where}: legal must be a list of texts such as {_example(state, legal)}")
        wanted = {action_text(state, action) for action in legal}
        given = set(texts)
        if len(given) < len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            raise RecordError(f'{where}: legal has "{twice}" twice')
        lacking = sorted(wanted - given)
        if lacking:
            raise RecordError(f"{where}: legal lacks {_named(lacking)}")
        extra = sorted(given - wanted)
        if extra:
            raise RecordError(f"{where}: legal has {_named(extra)}, not legal: {_reason(state, rules, extra[0])}")


def _due_fields(state: Any) -> dict[str, Any]:
    """What a decision line says besides choices."""
    return {
        "ply": int(state.ply),
        "round": int(state.round_number),
        "seat": int(state.seat),
        "decision": decision_text(state.decision),
    }


def _example(state: Any, legal: list[int]) -> str:
    return f'"{action_text(state, legal[0])}"'


def _reason(state: Any, rules: Any, text: str) -> str:
    """Why a text is not a legal choice."""
    try:
        reason = why_not(state, rules, parse_action(state, rules, text))
    except ActionTextError as error:
        return error.reason
    return reason or "it is not written in this form"


def _named(texts: Sequence[str]) -> str:
    """A few of some choices, for a message."""
    shown = ", ".join(f'"{text}"' for text in texts[:NAMED_AT_MOST])
    more = len(texts) - NAMED_AT_MOST
    return f"{shown} and {more} more" if more > 0 else shown


def _whole_difference(data: dict[str, Any], wanted: dict[str, Any], key: str) -> str | None:
    """The first difference of a state or result line, which has one key."""
    for other in data:
        if other != key:
            return f'the line has the unknown key "{other}"; a {key} line has the key {key}'
    return difference(data[key], wanted[key], key)


def check_record(path: str | Path) -> CheckResult:
    """Replay a record and compare all that it says with what the rules give, up to the first difference."""
    replay = None
    problem = None
    try:
        replay = Replay(path)
        for _ in replay:
            pass
    except RecordError as error:
        problem = str(error)
    state = replay.state if replay else None
    return CheckResult(
        str(path),
        problem,
        replay is not None and replay.result is not None,
        int(state.ply) if state is not None else 0,
        int(state.round_number) if state is not None else 0,
        replay.result if replay else None,
    )


class RecordWriter:
    """Writes a game line by line while it is played.

    In turn: :meth:`begin` with the state before the first decision, then for every decision :meth:`choose` before the
    choice takes effect and :meth:`follow` after it. State lines and the result come by themselves.
    """

    def __init__(self, out: TextIO, header: Header, states: bool = True) -> None:
        """Write the header; without ``states`` no state line is written."""
        self._out = out
        self._rules = header.rules
        self._states = states
        self._round = 0
        self._write(header_line(header))

    def _write(self, line: dict[str, Any]) -> None:
        self._out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")

    def begin(self, state: Any) -> None:
        """Before the first decision; without decisions in setup the state after it is written."""
        if self._states and int(state.round_number) > 0:
            self._write(state_line(state, self._rules))

    def choose(self, state: Any, action: int, legal: Iterable[int] | None = None) -> None:
        """One choice, in the state in which it is made; with all legal choices where given."""
        self._round = int(state.round_number)
        self._write(decision_line(state, action, legal))

    def follow(self, state: Any) -> None:
        """The state after the choice: writes what a finished round or game asks for."""
        over = int(state.outcome) != Outcome.RUNNING
        if self._states and (over or int(state.round_number) != self._round):
            self._write(state_line(state, self._rules))
        if over:
            self._write(result_line(state, self._rules))


def write_record(
    path: str | Path, header: Header, actions: Iterable[int], legal: bool = True, states: bool = True
) -> Any:
    """Play a game from its choices and write its record; compressed where the name ends in ``.gz``.

    Args:
        path: The file, overwritten.
        header: What the game begins with.
        actions: Its choices in order, as numbers; they may end before the game does.
        legal: Whether to write every legal choice.
        states: Whether to write the states.

    Returns:
        The last state; one STATE record.

    Raises:
        RecordError: a choice is not legal.
    """
    state = begin_game(header)
    with open_record(path, "w") as out:
        writer = RecordWriter(out, header, states)
        writer.begin(state)
        for action in actions:
            choices = legal_actions(state, header.rules)
            if action not in choices:
                reason = why_not(state, header.rules, action) or "it is not among the legal choices"
                raise RecordError(f"{path}: ply {int(state.ply)}: choice {action} is not legal: {reason}")
            writer.choose(state, action, choices if legal else None)
            state = next_state(state, header.rules, action)
            writer.follow(state)
    return state


@contextmanager
def open_record(path: str | Path, mode: str) -> Iterator[TextIO]:
    """A record as a text file, ``"r"`` or ``"w"``; one whose name ends in ``.gz`` is compressed, in the same bytes."""
    if not str(path).endswith(".gz"):
        with open(path, mode, encoding="utf-8", newline="\n") as text:
            assert isinstance(text, io.TextIOWrapper)
            yield text
        return
    with open(path, f"{mode}b") as raw, gzip.GzipFile("", f"{mode}b", fileobj=raw, mtime=0) as packed:  # noqa: SIM117
        with io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text:
            yield text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys must differ."""
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f'the key "{next(key for key in keys if keys.count(key) > 1)}" is there twice')
    return data


def _json_lines(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file with their line numbers; blank lines are passed over."""
    number = 0
    try:
        with open_record(path, "r") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    data = json.loads(line, object_pairs_hook=_unique)
                except ValueError as error:
                    raise RecordError(f"{path}:{number}: not a line of JSON: {error}") from None
                if not isinstance(data, dict):
                    raise RecordError(f"{path}:{number}: a line of a record is an object {{...}}")
                yield number, data
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RecordError(f"{path}:{number + 1}: cannot be read: {reason}") from None

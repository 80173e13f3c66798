"""A person at the terminal: ``blinksim play --seats me,builder`` shows what the seat may see and asks what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from blinksim.cli.play import ME, fail, patience, tell

if TYPE_CHECKING:
    from blinksim.games.blink.seat_story import SeatStory
    from blinksim.games.blink.table import Table

PAGE = 40
"""Choices shown at a time."""
COLUMNS = 96
"""Width of the list of choices."""
HELP = f"""\
  a number      makes that choice; so does the choice itself, such as: settle 8M 1,0
  a word        lists the choices with that word: settle, 8M, 1,0; several words: explore 8M
  more          goes on with a list; list shows all groups again
  board         shows seats, map and your cards; rivals' objectives and scores are those that lie open
  undo          takes back your last choice, as long as nothing hidden has come to light since
  save FILE     writes the record so far; it tells everything, hidden cards too
  quit          stops here
  On the map {{legend}}. A list has {PAGE} choices at most."""

Ask = Callable[[str], str]


class Quit(Exception):
    """The person has had enough."""


class Sitting:
    """One game with persons on some of its seats.

    Attributes:
        table: The game.
        persons: Seats that persons play.
    """

    def __init__(self, table: Table, names: Sequence[str], check: bool = False, ask: Ask = input) -> None:
        """A game about to begin.

        Args:
            table: Before its first decision.
            names: By seat a strategy, or ``me``.
            check: Whether to check the invariants after every decision of a strategy.
            ask: Reads a line, after a prompt.
        """
        self.table = table
        self.persons = [seat for seat, name in enumerate(names) if name == ME]
        table.header = replace(table.header, seats=tuple(names))
        self._strategies = [None if name == ME else name for name in names]
        self._check = check
        self._ask = ask
        self._start = table.state
        self._tellers: dict[int, SeatStory] = {}
        self._told: dict[int, int] = {}
        self._shown = (-1, -1, "")  # round, seat and decision of what stands above
        self._listed: list[int] = []  # places of the choices last listed, for "more"
        self._from = 0
        self._last = -1  # the person who decided last
        for seat in self.persons:
            self._begin_telling(seat)

    # the game

    def play(self) -> None:
        """Play to the end.

        Raises:
            Quit: the person stopped it.
        """
        while True:
            with patience():
                self.table.play(self._strategies, check=self._check)
            if self.table.over:
                break
            self._decide()
        for seat in self.persons[:1]:
            self._catch_up(seat)
        tell(self.table.result_pieces())

    def _decide(self) -> None:
        """One decision of a person: shown, asked, made; or what a command changes."""
        seat = self.table.seat
        choices = self.table.legal()
        if len(choices) == 1 and self.table.decision != "act":
            self.table.choose(0)  # as strategies, persons are asked only where they have a choice
            return
        if self._last not in (seat, -1):
            self._hand_over(seat)
        self._last = seat
        self._catch_up(seat)
        self._show(seat, choices)
        ply = self.table.ply
        while self.table.ply == ply and self.table.seat == seat:
            try:
                line = self._ask("> ").strip()
            except (EOFError, KeyboardInterrupt):
                typer.echo("")
                raise Quit from None
            if not self._command(line, seat, choices):
                self._answer(line, choices)

    def _hand_over(self, seat: int) -> None:
        """Another person's turn: cover what the last one saw, where there is a screen."""
        import sys

        from rich.console import Console

        who = self._name(seat)
        if sys.stdout.isatty() and sys.stdin.isatty():
            self._ask(f"Now {who}: take the screen, then press Enter ")
            Console().clear()
        else:
            typer.echo(f"\nNow {who}.")

    # commands and answers

    def _command(self, line: str, seat: int, choices: list[str]) -> bool:
        """Do what a command says; whether it was one."""
        from blinksim.errors import UserError
        from blinksim.games.blink.drawing import LEGEND

        word, _, rest = line.partition(" ")
        if word == "quit":
            raise Quit
        if word == "undo":
            self._undo(seat)
        elif word == "save":
            path = rest.strip()
            if not path:
                typer.echo("save needs the name of a file, such as: save game.blink.jsonl")
            else:
                try:
                    typer.echo(f"Record so far: {self.table.record(path)}")
                except UserError as error:
                    typer.echo(str(error))
        elif word == "board":
            tell(self._tellers[seat].seen_board(self.table.state))
            tell(self._tellers[seat].situation(self.table.state))
        elif word in ("help", "?"):
            typer.echo(HELP.format(legend=LEGEND))
        elif word == "more":
            self._list(choices, self._listed, self._from)
        elif word in ("list", ""):
            self._offer(choices)
        else:
            return False
        return True

    def _answer(self, line: str, choices: list[str]) -> None:
        """Make the choice that a line names, or list those that have its words."""
        from blinksim.games.blink.table import IllegalChoiceError

        if line.isdecimal():
            if 1 <= int(line) <= len(choices):
                self.table.choose(int(line) - 1)
            else:
                typer.echo(f"There is no choice {line}; there are 1 to {len(choices)}.")
            return
        words = line.split()
        try:
            self.table.choose(" ".join(words))
        except IllegalChoiceError as error:
            found = [
                i
                for i, choice in enumerate(choices)
                if all(any(part.startswith(word) for part in choice.split()) for word in words)
            ]
            if found:
                self._list(choices, found, 0)
            else:
                typer.echo(f'No choice has "{line}": {error.reason}. Type help for what can be typed.')

    def _undo(self, seat: int) -> None:
        """Take back the last choice of this seat, where that is still fair."""
        moments = self.table.moments
        last = next((i for i in range(len(moments) - 1, -1, -1) if self._was_choice(moments[i], seat)), None)
        if last is None:
            typer.echo("There is no choice of yours to take back.")
            return
        if self._came_to_light(moments[last:], seat):
            typer.echo("Something hidden has come to light since your last choice; it stands.")
            return
        self.table.undo(len(moments) - last)
        self._begin_telling(seat)
        self._skip(seat)
        typer.echo("Taken back.")

    def _was_choice(self, moment: Any, seat: int) -> bool:
        """Whether a seat was asked at a moment."""
        from blinksim.games.blink.enums import Decision
        from blinksim.games.blink.record import legal_actions

        if int(moment.before.seat) != seat:
            return False
        return moment.before.decision == Decision.ACT or len(legal_actions(moment.before, self.table.header.rules)) > 1

    def _came_to_light(self, moments: Sequence[Any], seat: int) -> bool:
        """Whether since then anybody else chose, or the seat saw something that it did not know."""
        from blinksim.games.blink.record import legal_actions
        from blinksim.games.blink.seat_story import reveals

        rules = self.table.header.rules
        for moment in moments:
            other = int(moment.before.seat) != seat
            if other and len(legal_actions(moment.before, rules)) > 1:
                return True
            if not other and reveals(moment.before, rules, moment.action, seat):
                return True
        return False

    # telling

    def _name(self, seat: int) -> str:
        from blinksim.games.blink.drawing import label

        return label(seat, self.table.header.seats)

    def _begin_telling(self, seat: int) -> None:
        """A teller that has told nothing yet."""
        from blinksim.games.blink.seat_story import SeatStory

        self._told[seat] = -1
        self._tellers[seat] = SeatStory(self.table.header, seat)

    def _pieces(self, seat: int) -> list[Any]:
        """What a seat has not been told yet."""
        from blinksim.games.blink.seat_story import seen_state

        teller, moments, pieces = self._tellers[seat], self.table.moments, []
        if self._told[seat] < 0:
            pieces += list(teller.opening(seen_state(self._start, self.table.header.rules, seat)))
            self._told[seat] = 0
        for moment in moments[self._told[seat] :]:
            pieces += list(teller.tell(moment))
        self._told[seat] = len(moments)
        return pieces

    def _catch_up(self, seat: int) -> None:
        """Tell a seat what happened since it was last asked."""
        tell(self._pieces(seat))

    def _skip(self, seat: int) -> None:
        """Take as told what the seat has seen before an undo."""
        self._pieces(seat)

    def _show(self, seat: int, choices: list[str]) -> None:
        """What the seat decides, what it has, and what it can do."""
        table, teller = self.table, self._tellers[seat]
        when = f"Round {table.round}" if table.round else "Setup"
        typer.echo(f"\n{when}, {self._name(seat)}: {_QUESTIONS.get(table.decision, table.decision)}")
        at = (table.round, seat, table.decision)
        if at != self._shown:
            if (table.round == 1 and table.decision == "meld") or table.decision == "act":
                tell(teller.seen_board(table.state))
            tell(teller.situation(table.state))
        else:
            tell(teller.left(table.state))
        self._shown = at
        self._offer(choices)

    def _offer(self, choices: list[str]) -> None:
        """The choices, kind by kind; of many only how many there are."""
        self._listed, self._from = list(range(len(choices))), 0
        if len(choices) <= PAGE:
            self._list(choices, self._listed, 0)
            return
        groups: dict[str, list[int]] = {}
        for i, choice in enumerate(choices):
            groups.setdefault(choice.split()[0], []).append(i)
        for word, members in groups.items():
            if len(members) <= 6:
                self._columns([f"{i + 1} {choices[i]}" for i in members])
            else:
                first = members[0]
                typer.echo(f"  {word}: {len(members)} choices, such as {first + 1} {choices[first]}")
        typer.echo(f"  {len(choices)} choices: type a word to see those that have it, or more for the first {PAGE}")

    def _list(self, choices: list[str], places: list[int], start: int) -> None:
        """A page of choices, each with its number, kind by kind."""
        if start >= len(places):
            start = 0
        page = places[start : start + PAGE]
        groups: dict[str, list[str]] = {}
        for i in page:
            groups.setdefault(choices[i].split()[0], []).append(f"{i + 1} {choices[i]}")
        # Single ones share a line; a kind with several has its own.
        single = [cells[0] for cells in groups.values() if len(cells) == 1]
        for cells in groups.values():
            if len(cells) > 1:
                self._columns(cells)
        if single:
            self._columns(single)
        self._listed, self._from = places, start + PAGE
        if start + PAGE < len(places):
            typer.echo(f"  {len(places) - start - PAGE} more: type more, or a word to see those that have it")

    def _columns(self, cells: list[str]) -> None:
        """Cells side by side, as many as fit."""
        width = max(map(len, cells)) + 3
        each = max(COLUMNS // width, 1)
        for i in range(0, len(cells), each):
            typer.echo("  " + "".join(cell.ljust(width) for cell in cells[i : i + each]).rstrip())


_QUESTIONS = {
    "objective_keep": "which objective do you keep?",
    "draft_pass": "which cards do you pass on?",
    "objective_show": "which objective do you show?",
    "meld": "which cards do you lay?",
    "declare_a": "do you declare a card of your row?",
    "set_aside": "which card do you set aside?",
    "act": "your turn",
    "defend": "how do you answer the attack?",
    "retreat": "where does the beaten unit go?",
    "research_retire": "which card do you retire?",
    "row_overflow": "which card leaves your row?",
    "research_take": "which slot of the grid do you take from?",
    "research_to": "where does the card go?",
    "trade_bury": "which cards do you bury, the first on top?",
    "b_place": "where does the tile go?",
    "b_unit": "does a unit go there now?",
}


def sit_down(table: Table, names: Sequence[str], check: bool, record: Path | None, legal: bool) -> None:
    """Play a game with persons and leave its record.

    Args:
        table: Before its first decision.
        names: By seat a strategy, or ``me``.
        check: Whether to check the invariants after every decision of a strategy.
        record: Where the record goes; a new file of the working directory where left out, and nowhere when the
            person stops the game.
        legal: Whether the record has every legal choice.

    Raises:
        UserError: there is no strategy of a name.
        typer.Exit: the game stopped on a mistake inside a strategy or the engine; its record so far is written.
    """
    from blinksim.games.blink.table import BrokenGameError

    sitting = Sitting(table, names, check)
    typer.echo("Type help for what can be typed.")
    try:
        sitting.play()
    except Quit:
        typer.echo(f"Stopped after {table.ply} decisions.")
        if record is None:
            return
    except BrokenGameError as broken:
        fail(broken, record or _new_file(table), legal)
    typer.echo(f"Record: {table.record(record or _new_file(table), legal=legal)}")


def _new_file(table: Table) -> Path:
    """A name for the record that is not taken."""
    seed = table.header.seed or {}
    name = f"blink-s{seed.get('experiment', 0)}-d{seed.get('deal', 0)}"
    paths = (Path(f"{name}{f'-{i}' if i else ''}.blink.jsonl") for i in range(10**6))
    return next(path for path in paths if not path.exists())

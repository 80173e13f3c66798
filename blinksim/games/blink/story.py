"""The story of a game: melds, tricks, dues, turns and duels in words, and the map after every round.

Told from moments (:class:`~blinksim.games.blink.story_words.Moment`): those of a record that is replayed, or of a game
that was just played. The teller sees everything, hidden objectives and face-down cards included.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from blinksim.games.blink.actions import card_of, kind_of
from blinksim.games.blink.drawing import (
    LEGEND,
    SEAT_COLOURS,
    blank_table,
    draw_map,
    label,
    objectives_text,
    result_table,
    seat_style,
    seats_table,
    tier_name,
)
from blinksim.games.blink.enums import Decision, Kind, Outcome
from blinksim.games.blink.objectives import objective_text
from blinksim.games.blink.record import round_ended
from blinksim.games.blink.record_lines import Header, winners
from blinksim.games.blink.story_words import ActionWords, Moment, band_name, plural, trick_reason
from blinksim.games.blink.text import action_text
from blinksim.games.blink.trick import trick_total
from blinksim.games.cards import card_text, cards_in, cards_text

WIDTH = 100
"""Columns of a story as text."""

_FOLLOW_UPS = (
    Decision.DEFEND,
    Decision.RETREAT,
    Decision.RESEARCH_RETIRE,
    Decision.ROW_OVERFLOW,
    Decision.RESEARCH_TAKE,
    Decision.RESEARCH_TO,
    Decision.TRADE_BURY,
    Decision.B_PLACE,
    Decision.B_UNIT,
)
"""Decisions within an action of the map turn."""


class Sentence:
    """A line of text, indented; what does not fit goes on below, indented further."""

    def __init__(self, text: Text, indent: int) -> None:
        self.text = text
        self.indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines, for the console to print."""
        for i, line in enumerate(self.text.wrap(console, options.max_width - self.indent - 4)):
            yield Text.assemble(" " * (self.indent + (4 if i else 0)), line)


class Story:
    """Tells a game moment by moment: :meth:`opening`, then :meth:`tell` for every moment, then :meth:`close`."""

    def __init__(self, header: Header) -> None:
        """The game that is told: its ruleset, its seats."""
        self.header = header
        self.rules = header.rules
        self.ruleset = header.ruleset
        self.names = header.seats
        self._words = ActionWords(header.rules, header.ruleset, header.seats)
        self._open: list[Moment] = []  # map action or dues under way
        self._acted = False  # something was done in this turn

    # lines

    def _line(self, text: str, indent: int = 2) -> RenderableType:
        """A line of the story, the names of seats in their colours."""
        line = Text(text)
        for seat in range(self.header.players):
            line.highlight_words([label(seat, self.names)], seat_style(seat))
        return Sentence(line, indent)

    def _head(self, title: str) -> RenderableType:
        return Padding(Text(title, style="bold"), (1, 0, 0, 0))

    def _who(self, seat: int) -> str:
        return label(int(seat), self.names)

    # the whole

    def opening(self, state: Any) -> Iterator[RenderableType]:
        """Who plays what; ``state`` is the one before the first decision."""
        header = self.header
        seed = header.seed
        origin = f", seed {seed['experiment']}, deal {seed['deal']}" if seed is not None else ""
        yield Rule(f'Blink: {plural(header.players, "player")}, ruleset "{self.ruleset.name}"{origin}', style="bold")
        yield self._line(
            "Seats, clockwise: " + ", ".join(f"{seat} = {self._who(seat)}" for seat in range(header.players)) + ".", 0
        )
        yield Text(f"On the map: {LEGEND}.", style="bright_black")
        if int(state.round_number) > 0:
            yield from self._after_setup(state)

    def tell(self, moment: Moment) -> Iterator[RenderableType]:
        """What one decision and its consequences add to the story."""
        before, after = moment.before, moment.after
        decision = Decision(int(before.decision))
        if decision in (Decision.OBJECTIVE_KEEP, Decision.OBJECTIVE_SHOW, Decision.DRAFT_PASS):
            yield from self._setup_choice(moment, decision)
        elif decision == Decision.SET_ASIDE:
            yield from self._set_aside(moment)
        elif decision == Decision.ACT or decision in _FOLLOW_UPS:
            yield from self._map_action(moment)
        if before.winner < 0 <= after.winner:
            yield from self._trick(after)
        yield from self._recycles(before, after)
        yield from self._tiers(before, after)
        if int(after.turn) >= 0 and int(after.turn) != int(before.turn):
            yield from self._turn_head(after)
        ended = round_ended(before, after)
        if ended == 0:
            yield from self._after_setup(after)
        elif ended is not None:
            yield from self._round_end(ended, before, after)

    def close(self, state: Any) -> Iterator[RenderableType]:
        """The end: the result, or where an unfinished game stands."""
        if self._open:
            yield self._line(self._under_way(), 4)
        outcome = Outcome(int(state.outcome))
        if outcome == Outcome.RUNNING:
            made = plural(int(state.ply), "decision")
            yield Rule(f"Unfinished: round {int(state.round_number)}, {made} so far", style="bold")
            yield from self.board(state)
            return
        yield Rule("Result", style="bold")
        yield self._line(outcome_text(state, self.rules, self.names), 0)
        yield Padding(result_table(state, self.rules, self.names), (0, 0, 0, 2))

    def _under_way(self) -> str:
        """The action or the dues that are not done yet."""
        first = self._open[0]
        if first.before.decision == Decision.SET_ASIDE:
            cards = " ".join(card_text(card_of(each.action)) for each in self._open)
            return f"{self._who(int(first.before.seat))} sets {cards} aside ..."
        return f"{self._words.tell(self._open)} ..."

    def board(self, state: Any) -> Iterator[RenderableType]:
        """Seats and map."""
        yield Padding(seats_table(state, self.rules, self.ruleset, self.names), (0, 0, 0, 2))
        yield Padding(draw_map(state), (1, 0, 1, 2))

    # setup

    def _setup_choice(self, moment: Moment, decision: Decision) -> Iterator[RenderableType]:
        before = moment.before
        seat = int(before.seat)
        if decision == Decision.DRAFT_PASS:
            number = int(before.pass_number)
            if seat == 0:
                cards = plural(int(self.rules.pass_cards[number]), "card")
                yield self._head(f"Draft, pass {number + 1} of {int(self.rules.num_passes)}: {cards}")
            to = self._who((seat + int(self.rules.pass_step[number])) % self.header.players)
            cards = action_text(before, moment.action).removeprefix("pass ")
            yield self._line(f"{self._who(seat)} passes {cards} to {to}")
            return
        if seat == 0:
            yield self._head("Objectives")
        codes = [int(code) for code in before.objectives[seat][: int(before.num_objectives[seat])]]
        others = ", ".join(objective_text(code) for code in codes if code != card_of(moment.action))
        chosen = objective_text(card_of(moment.action))
        if decision == Decision.OBJECTIVE_KEEP:
            yield self._line(f"{self._who(seat)} keeps {chosen} and gives back {others or 'nothing'}")
        else:
            yield self._line(f"{self._who(seat)} shows {chosen}" + (f", hidden: {others}" if others else ""))

    def _after_setup(self, state: Any) -> Iterator[RenderableType]:
        yield self._head("After setup")
        table = blank_table("player", "hand", "objectives")
        for seat in range(self.header.players):
            who = Text(self._who(seat), seat_style(seat))
            hand = Text(cards_text(cards_in(state.hand[seat])))
            table.add_row(who, hand, Text(objectives_text(state, seat)))
        yield Padding(table, (0, 0, 0, 2))
        yield Padding(draw_map(state), (1, 0, 1, 2))
        yield self._round_head(state)

    # rounds

    def _round_head(self, state: Any) -> RenderableType:
        last = ", the last" if state.armed and int(state.round_number) == int(state.last_round) else ""
        return Rule(f"Round {int(state.round_number)}{last}: {self._who(state.leader)} leads", style="bold")

    def _trick(self, state: Any) -> Iterator[RenderableType]:
        """Melds and order (sections 3.3 and 3.4)."""
        yield Padding(Text("Trick", style="bold"), 0)
        table = blank_table("#place", "player", "meld", "declared", "#total", "")
        for place in range(self.header.players):
            seat = int(state.order[place])
            declared = int(state.declared[seat])
            band = band_name(self.rules, self.ruleset, declared) if declared else ""
            notes = [trick_reason(state, self.rules, place)]
            if place == self.header.players - 1 and self.rules.last_place_gold:
                notes.append(f"last: {int(self.rules.last_place_gold)} gold")
            table.add_row(
                str(place + 1),
                Text(self._who(seat), seat_style(seat)),
                Text(cards_text(cards_in(state.meld[seat]))),
                Text(f"{card_text(declared)} ({band})" if declared else "-"),
                str(int(trick_total(state, self.rules, seat))),
                Text(", ".join(filter(None, notes))),
            )
        yield Padding(table, (0, 0, 0, 2))

    def _set_aside(self, moment: Moment) -> Iterator[RenderableType]:
        """Dues: all cards that one seat sets aside in one line (section 3.4)."""
        self._open.append(moment)
        seat, after = int(moment.before.seat), moment.after
        if after.decision == Decision.SET_ASIDE and int(after.seat) == seat:
            return
        cards = " ".join(card_text(card_of(each.action)) for each in self._open)
        gold = int(self.rules.set_aside_gold) * len(self._open)
        self._open = []
        yield self._line(f"{self._who(seat)} sets {cards} aside" + (f" for {gold} gold" if gold else ""))

    def _recycles(self, before: Any, after: Any) -> Iterator[RenderableType]:
        """Hands taken up again, and what objectives paid for it (section 3.9)."""
        for seat in range(self.header.players):
            if int(after.recycles[seat]) > int(before.recycles[seat]):
                income = int(after.last_income[seat])
                paid = f"objectives pay {income} gold" if income else "no objective pays"
                yield self._line(f"* {self._who(seat)} recycles: {plural(int(self.rules.hand_size), 'card')}, {paid}")

    def _tiers(self, before: Any, after: Any) -> Iterator[RenderableType]:
        """Tiers reached and lost (section 3.1)."""
        for seat in range(self.header.players):
            old, new = (int(self.rules.tier_of[int(state.reserve[seat])]) for state in (before, after))
            if old != new:
                verb = "reaches" if new > old else "falls back to"
                limits = (
                    f"melds to {int(self.rules.tier_meld_limit[new])}, ranks to {int(self.rules.tier_rank_cap[new])}, "
                    f"walls {int(self.rules.tier_wall[new])}"
                )
                name = tier_name(after, self.rules, self.ruleset, seat)
                yield self._line(f"* {self._who(seat)} {verb} {name}: {limits}")

    def _turn_head(self, state: Any) -> Iterator[RenderableType]:
        seat = int(state.active)
        self._acted = False
        cards = cards_text(cards_in(state.meld[seat]))
        moves = plural(int(state.moves_left), "movement")
        title = f"{self._who(seat)}: {cards or 'no card'}, {moves}, {int(state.gold[seat])} gold"
        yield Padding(Text(title, style=seat_style(seat)), (1, 0, 0, 0))

    def _map_action(self, moment: Moment) -> Iterator[RenderableType]:
        """One map action, told once all its decisions are made (sections 3.5 to 3.12)."""
        self._open.append(moment)
        if Decision(int(moment.after.decision)) in _FOLLOW_UPS:
            return
        moments, self._open = self._open, []
        if Kind(kind_of(moments[0].action)) != Kind.END:
            self._acted = True
            yield self._line(self._words.tell(moments))
            return
        said = self._words.tell(moments)
        if not self._acted or said != "ends the turn":
            yield self._line(said)

    def _round_end(self, number: int, before: Any, state: Any) -> Iterator[RenderableType]:
        if state.armed and not before.armed:
            empty = [self._who(seat) for seat in range(self.header.players) if int(state.reserve[seat]) == 0]
            cause = f"{' and '.join(empty)} without a unit in reserve" if empty else "a reserve was empty"
            yield self._line(f"* the end is near, {cause}: round {int(state.last_round)} is the last")
        yield self._head(f"After round {number}")
        yield from self.board(state)
        if int(state.outcome) == Outcome.RUNNING:
            yield self._round_head(state)


def outcome_text(state: Any, rules: Any, names: Sequence[str]) -> str:
    """Who won a game that has ended, in a sentence (section 3.13)."""
    won = " and ".join(f"seat {seat} ({label(seat, names)})" for seat in winners(state, rules))
    rounds = plural(int(state.round_number), "round")
    outcome = Outcome(int(state.outcome))
    if outcome == Outcome.STALLED:
        return f"Stalled after {rounds}: no reserve was emptied, nobody wins. The scores as they stand:"
    return f"Won by {won} after {rounds}." if outcome == Outcome.WON else f"Victory shared by {won} after {rounds}."


def tell_story(header: Header, start: Any, moments: Iterable[Moment]) -> Iterator[RenderableType]:
    """The whole story of a game, piece by piece, for :meth:`rich.console.Console.print`.

    Args:
        header: What the game began with.
        start: The STATE record before the first decision.
        moments: Its decisions in order, such as a :class:`~blinksim.games.blink.record.Replay`.

    Raises:
        RecordError: as the moments do, after all that came before it was told.
    """
    story = Story(header)
    yield from story.opening(start)
    state = start
    for moment in moments:
        yield from story.tell(moment)
        state = moment.after
    yield from story.close(state)


def print_story(console: Console, header: Header, start: Any, moments: Iterable[Moment]) -> None:
    """Print a story as it unfolds."""
    for piece in tell_story(header, start, moments):
        console.print(piece, highlight=False)


def as_text(pieces: Iterable[RenderableType], width: int = WIDTH) -> str:
    """Pieces of a story as plain text, no colours, no trailing blanks."""
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None, force_terminal=False, highlight=False)
    console.print(Group(*pieces))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def story_text(header: Header, start: Any, moments: Iterable[Moment], width: int = WIDTH) -> str:
    """A whole story as plain text."""
    return as_text(tell_story(header, start, moments), width)


assert len(SEAT_COLOURS) == 4, "one colour for each seat"

"""A game as one seat may see it: the position without what is hidden, its story, and whether a step revealed anything.

Everything is made from observations (:mod:`blinksim.games.blink.observe`), so that what a seat may not know is not
there to be told (rules, section 2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from blinksim.games.blink.actions import kind_of
from blinksim.games.blink.drawing import label, objectives_text
from blinksim.games.blink.enums import Decision, Kind, ObjectiveMode
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.improve import improvement_price
from blinksim.games.blink.observe import observe
from blinksim.games.blink.record import next_state
from blinksim.games.blink.record_lines import Header
from blinksim.games.blink.state import PUBLIC_FIELDS, STATE, VIEW, new_records
from blinksim.games.blink.story import Story
from blinksim.games.blink.story_words import Moment
from blinksim.games.blink.text import action_text
from blinksim.games.blink.trick import trick_total
from blinksim.games.cards import card_text, cards_in, cards_text

IMAGINED = 24
"""Deals of the unseen in which a step is tried; a card that could be one of two stays undetected once in 2**24."""


@dataclass(frozen=True)
class Seen:
    """A decision with what one seat sees before and after it, as STATE records."""

    before: Any
    action: int
    after: Any


def view_of(state: Any, rules: Any, seat: int) -> Any:
    """What a seat observes: one VIEW record."""
    view = new_records(VIEW)[0]
    observe(state, rules, seat, view)
    return view


def seen_state(state: Any, rules: Any, seat: int) -> Any:
    """A position without what a seat does not see, for the functions that draw and tell positions.

    Rivals have no cards in hand, and of objectives those that lie open; their scores are then those of what is open.

    Args:
        state: One STATE record; not changed.
        rules: One RULES record.
        seat: Who looks.
    """
    view, seen = view_of(state, rules, seat), new_records(STATE)[0]
    for name in (field[0] for field in PUBLIC_FIELDS):
        seen[name] = view[name]
    seen.hand[seat] = view.hand
    seen.laid[seat] = view.laid
    seen.pending[:] = -1
    for other in range(int(view.players)):
        if other == seat or rules.objective_mode == ObjectiveMode.OPEN:
            seen.objectives[other] = view.objectives
            seen.num_objectives[other] = view.num_objectives
        elif view.shown[other] >= 0:
            seen.objectives[other][0] = view.shown[other]
            seen.num_objectives[other] = 1
    return seen


def reveals(before: Any, rules: Any, action: int, seat: int) -> bool:
    """Whether a decision of a seat lets it see something that it did not know.

    The unseen is dealt again in many ways; where the seat would then see something else afterwards, it has learned.

    Args:
        before: The STATE record at its decision.
        rules: One RULES record.
        action: What it chose.
        seat: Who chose.
    """
    seen = view_of(next_state(before, rules, action), rules, seat).tobytes()
    view, state = view_of(before, rules, seat), new_records(STATE)[0]
    stream = np.ones(1, np.uint64)
    for _ in range(IMAGINED):
        imagine(view, rules, stream, state)
        if view_of(next_state(state, rules, action), rules, seat).tobytes() != seen:
            return True
    return False


class SeatStory(Story):
    """Tells a game as one seat sees it.

    Attributes:
        seat: Who is told.
    """

    def __init__(self, header: Header, seat: int) -> None:
        """The game that is told, and to whom."""
        super().__init__(header)
        self.seat = seat

    def tell(self, moment: Moment) -> Iterator[RenderableType]:
        """What one decision and its consequences add; ``moment`` has the whole states, hidden cards included."""
        before, after = (seen_state(state, self.rules, self.seat) for state in (moment.before, moment.after))
        yield from super().tell(Seen(before, moment.action, after))

    def situation(self, state: Any) -> Iterator[RenderableType]:
        """What the seat that is told has before it: its cards, what is under way, the cards for all."""
        seen, seat = seen_state(state, self.rules, self.seat), self.seat
        if self._open:
            first = self._open[0].before
            who = "" if first.decision == Decision.SET_ASIDE else f"{self._who(int(first.active))} "
            yield self._line(who + self._under_way())
        yield from self._melds(seen)
        yield self._line(f"your hand: {cards_text(cards_in(seen.hand[seat])) or 'empty'}")
        yield from self.left(state)
        if int(seen.num_objectives[seat]):
            yield self._line(f"your objectives: {objectives_text(seen, seat)}")
        if int(seen.round_number):
            tops = [int(card) for card in seen.grid_top[: int(self.rules.grid_slots)]]
            grid = " ".join(card_text(card) if card else "-" for card in tops)
            counts = f"upgrade deck {int(seen.upgrade_count)}, market {int(seen.market_count)}"
            yield self._line(f"grid: {grid}; {counts}")

    def left(self, state: Any) -> Iterator[RenderableType]:
        """What is left of one's own map turn."""
        if int(state.active) == self.seat:
            meld = cards_text(cards_in(state.meld[self.seat])) or "used up"
            coins = int(state.gold[self.seat])
            yield self._line(f"your meld: {meld}; movements left {int(state.moves_left)}, gold {coins}")

    def seen_board(self, state: Any) -> Iterator[RenderableType]:
        """Seats and map; rivals' scores are those of what lies open."""
        yield from self.board(seen_state(state, self.rules, self.seat))

    def _melds(self, seen: Any) -> Iterator[RenderableType]:
        """What lies in the trick before it is settled (section 3.3)."""
        if int(seen.winner) >= 0 or seen.decision not in (Decision.MELD, Decision.DECLARE_A):
            return
        for seat in range(self.header.players):
            cards = cards_text(cards_in(seen.meld[seat]))
            if cards:
                declared = f", declares {card_text(int(seen.declared[seat]))}" if int(seen.declared[seat]) else ""
                total = int(trick_total(seen, self.rules, seat))
                yield self._line(f"{self._who(seat)} laid {cards}{declared}: {total}")
            elif int(seen.meld_size[seat]):
                yield self._line(f"{self._who(seat)} laid {int(seen.meld_size[seat])} cards face down")

    def _setup_choice(self, moment: Moment, decision: Decision) -> Iterator[RenderableType]:
        """Choices of setup are made together and face down: only one's own is told."""
        if int(moment.before.seat) == self.seat:
            yield self._line(f"{self._who(self.seat)}: {action_text(moment.before, moment.action)}")

    def _after_setup(self, state: Any) -> Iterator[RenderableType]:
        yield self._head("After setup")
        for seat in range(self.header.players):
            if int(state.num_objectives[seat]):
                yield self._line(f"{label(seat, self.names)}: objectives {objectives_text(state, seat)}")
        yield Text("")
        yield self._round_head(state)

    def _map_action(self, moment: Moment) -> Iterator[RenderableType]:
        """One map action; what a rival's trade draws and buries is not seen (section 3.11, R106)."""
        first = self._open[0] if self._open else moment
        if Kind(kind_of(first.action)) != Kind.TRADE or int(first.before.active) == self.seat:
            yield from super()._map_action(moment)
            return
        self._open.append(moment)
        if moment.after.decision != Decision.TRADE_BURY:
            self._open, self._acted = [], True
            price = int(improvement_price(first.before, self.rules))
            yield self._line(f"trades for {price} gold: draws and buries {int(self.rules.trade_cards)} cards unseen")

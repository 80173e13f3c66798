"""The table: one game of Blink to look at and to play by hand, for notebooks, tests and the command line.

::

    import blinksim

    table = blinksim.new_game(players=3, seed=7)
    print(table, table.legal()[:5])
    table.choose(0)
    table.play(["random", "random", "random"])
    print(table.story())

Everything here is plain Python around the compiled rules; batches go through :mod:`blinksim.games.blink.shards`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from rich.console import RenderableType

from blinksim.errors import UserError
from blinksim.games.blink import engine
from blinksim.games.blink import ruleset as rulesets
from blinksim.games.blink.check import why_not
from blinksim.games.blink.deal_data import Deal
from blinksim.games.blink.deals import Deals, table_deal
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.digest import state_digest
from blinksim.games.blink.drawing import label, objectives_text
from blinksim.games.blink.drive import MEMORY_WORDS, SANDBOX_STATES, STRATEGY_SIGNATURE
from blinksim.games.blink.enums import MAX_SEATS, Decision
from blinksim.games.blink.invariants import MEANINGS, broken_invariant
from blinksim.games.blink.observe import observe
from blinksim.games.blink.record import begin_game, legal_actions, next_state, write_record
from blinksim.games.blink.record_lines import Header, make_header, result_line
from blinksim.games.blink.ruleset import Ruleset
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.games.blink.story import Story, as_text, outcome_text, tell_story
from blinksim.games.blink.text import ActionTextError, action_text, decision_text, parse_action
from blinksim.games.cards import card_text, cards_in, cards_text
from blinksim.games.streams import play_stream

MAX_SEED = 2**64 - 1
MAX_DEAL = 2**31 - 1


class TableError(UserError):
    """A game was asked for that there is not, or a step that cannot be taken."""


class IllegalChoiceError(UserError):
    """A choice that the rules do not allow now.

    Attributes:
        reason: Why, in a few words.
    """

    def __init__(self, text: str, where: str, reason: str) -> None:
        self.reason = reason
        super().__init__(f'{where}: "{text}" is not legal: {reason}')


class BrokenGameError(RuntimeError):
    """The engine contradicts itself, or a strategy broke its contract; the text says how to play the game again.

    Attributes:
        table: The game as far as it went.
    """

    def __init__(self, text: str, table: Table) -> None:
        super().__init__(text)
        self.table = table


class Player(Protocol):
    """A strategy ready to play, such as :class:`blinksim.players.roster.Player`."""

    @property
    def name(self) -> str: ...

    @property
    def decide(self) -> Any: ...

    @property
    def params(self) -> np.ndarray: ...

    @property
    def compiled(self) -> bool: ...


@dataclass(frozen=True)
class Moment:
    """One decision of a game: the choice, and the STATE records before and after it, which are not to be changed."""

    before: Any
    action: int
    after: Any


@dataclass(frozen=True)
class _Minds:
    """What the seats keep to themselves between decisions, by slot: private memory and random streams."""

    memory: np.ndarray
    streams: np.ndarray

    def copy(self) -> _Minds:
        """An independent copy."""
        return _Minds(self.memory.copy(), self.streams.copy())


class Table:
    """One game, at any of its decisions. Printing it shows the board.

    Attributes:
        header: Ruleset, deal and names: what the game's record begins with.
    """

    def __init__(
        self,
        header: Header,
        slot_of_seat: Sequence[int] | None = None,
        streams: np.ndarray | None = None,
        find_player: Callable[[str], Player] | None = None,
    ) -> None:
        """A game before its first decision; :func:`new_game` is the easy way.

        Args:
            header: Ruleset, deal and names.
            slot_of_seat: By seat, whose random stream it draws from; each its own where left out.
            streams: (4, 1) uint64, where each slot's stream begins; fixed words where left out.
            find_player: Finds a strategy by name, for :meth:`play`.
        """
        self.header = header
        self._slots = tuple(slot_of_seat or range(header.players))
        begin = np.arange(1, MAX_SEATS + 1, dtype=np.uint64)[:, None] if streams is None else streams
        self._minds = _Minds(np.zeros((MAX_SEATS, MEMORY_WORDS), np.uint64), np.ascontiguousarray(begin))
        self._find_player = find_player
        for part in ("setup", "listing", "applying", "observing"):
            engine.compile_part(part)
        self._moments: list[Moment] = []
        self._past_minds: list[_Minds] = []
        self._state = self._start = begin_game(header)

    # what stands on the table

    @property
    def state(self) -> Any:
        """The whole position, hidden cards included: one STATE record, not to be changed."""
        return self._state

    @property
    def moments(self) -> tuple[Moment, ...]:
        """All decisions so far."""
        return tuple(self._moments)

    @property
    def players(self) -> int:
        """How many play."""
        return self.header.players

    @property
    def seat(self) -> int:
        """Who decides, from 0; -1 once the game is over."""
        return int(self._state.seat)

    @property
    def decision(self) -> str:
        """The decision that is due, as records call it: ``meld``, ``act``, ``defend``, ...; ``over`` at the end."""
        return decision_text(self._state.decision)

    @property
    def round(self) -> int:
        """The round, from 1; 0 during setup."""
        return int(self._state.round_number)

    @property
    def ply(self) -> int:
        """Decisions taken so far."""
        return int(self._state.ply)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._state.decision == Decision.OVER)

    @property
    def digest(self) -> int:
        """The 64-bit digest of the whole position, as it stands in the table ``games`` once the game is over."""
        return int(state_digest(self._state, self.header.rules)) & MAX_SEED

    def legal(self) -> list[str]:
        """Every legal choice in words, such as ``settle 8M 1,0``; empty once the game is over."""
        return [action_text(self._state, action) for action in self._legal()]

    def _legal(self) -> list[int]:
        return [] if self.over else legal_actions(self._state, self.header.rules)

    def observation(self, seat: int | None = None) -> Any:
        """What a seat may know: one VIEW record.

        Args:
            seat: Who looks; the seat that decides where left out.

        Raises:
            TableError: there is no such seat, or the game is over and no seat is named.
        """
        who = self.seat if seat is None else seat
        if not 0 <= who < self.players:
            raise TableError(f"seat is {who}; it must be 0 to {self.players - 1}")
        view = new_records(VIEW)[0]
        observe(self._state, self.header.rules, who, view)
        return view

    def scores(self) -> list[dict[str, int]]:
        """By seat ``units``, ``row``, ``objectives`` and ``total`` in points if the game ended now, and ``gold``."""
        scores: list[dict[str, int]] = result_line(self._state, self.header.rules)["result"]["scores"]
        return scores

    def result(self) -> dict[str, Any] | None:
        """``outcome``, ``winners``, ``rounds`` and ``scores`` as in a record; None while the game goes on."""
        if not self.over:
            return None
        result: dict[str, Any] = result_line(self._state, self.header.rules)["result"]
        return result

    def describe(self) -> str:
        """Whose decision it is, every seat's possessions, and the map."""
        return as_text(self.pieces())

    def pieces(self) -> Iterator[RenderableType]:
        """The same for a console with colours."""
        if self.over:
            yield outcome_text(self._state, self.header.rules, self.header.seats)
        else:
            count = len(self._legal())
            choices = f"{count} choice" + ("" if count == 1 else "s")
            yield f"{self._where()}, {label(self.seat, self.header.seats)}: {choices}"
            yield from self._in_front()
        yield from Story(self.header).board(self._state)

    def _in_front(self) -> Iterator[str]:
        """What the seat that decides has before it: its cards, and the cards for all."""
        state, seat = self._state, self.seat
        yield f"  hand {cards_text(cards_in(state.hand[seat])) or '-'}"
        meld = cards_text(cards_in(state.meld[seat]))
        if meld:
            yield f"  meld {meld}, movements left {int(state.moves_left) if seat == int(state.active) else 0}"
        if int(state.num_objectives[seat]):
            yield f"  objectives {objectives_text(state, seat)}"
        if self.round:
            tops = [int(card) for card in state.grid_top[: int(self.header.rules.grid_slots)]]
            grid = " ".join(card_text(card) if card else "-" for card in tops)
            counts = f"upgrade deck {int(state.upgrade_count)}, market {int(state.market_count)}"
            yield f"  grid {grid}; {counts}"

    def __str__(self) -> str:
        return self.describe().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Blink: {self.players} players, {self._where()}>"

    def _where(self) -> str:
        if self.over:
            return f"over after round {self.round}, {self.ply} decisions"
        return f"ply {self.ply} (round {self.round}, seat {self.seat}, {self.decision})"

    def story(self, width: int = 100) -> str:
        """The game so far as a readable story, ``width`` columns wide."""
        return as_text(self.story_pieces(), width)

    def story_pieces(self) -> Iterator[RenderableType]:
        """The same for a console with colours, piece by piece."""
        return tell_story(self.header, self._start, self._moments)

    def result_pieces(self) -> Iterator[RenderableType]:
        """The result with its scores, or the board of a game that goes on, for a console with colours."""
        return Story(self.header).close(self._state)

    # what can be done

    def choose(self, choice: str | int) -> Table:
        """Make a choice for the seat that decides.

        Args:
            choice: In words as :meth:`legal` has them, or its place in that list.

        Returns:
            The table itself.

        Raises:
            IllegalChoiceError: the rules do not allow it; the text says why.
        """
        legal = self._legal()
        if isinstance(choice, str):
            action = self._read(choice, legal)
        elif 0 <= choice < len(legal):
            action = legal[choice]
        else:
            reason = f"there are {len(legal)} choices, 0 to {len(legal) - 1}" if legal else "the game has ended"
            raise IllegalChoiceError(str(choice), self._where(), reason)
        self._apply(action, self._minds.copy())
        return self

    def _read(self, text: str, legal: Sequence[int]) -> int:
        """The number of a choice in words."""
        try:
            action = parse_action(self._state, self.header.rules, text)
        except ActionTextError as error:
            raise IllegalChoiceError(text, self._where(), error.reason) from None
        if action not in legal:
            reason = why_not(self._state, self.header.rules, action) or "it is not among the legal choices"
            raise IllegalChoiceError(text, self._where(), reason)
        return action

    def _apply(self, action: int, minds: _Minds) -> None:
        """Go on with a legal choice; ``minds`` are those before it was thought about, for :meth:`undo`."""
        before = self._state
        self._past_minds.append(minds)
        self._state = next_state(before, self.header.rules, action)
        self._moments.append(Moment(before, action, self._state))

    def undo(self, count: int = 1) -> Table:
        """Take back the last decisions, whoever made them; strategies forget what they learned since.

        Returns:
            The table itself.

        Raises:
            TableError: there are not that many.
        """
        if not 0 <= count <= len(self._moments):
            raise TableError(f"{count} decisions cannot be taken back: {len(self._moments)} were made")
        if count:
            self._state = self._moments[-count].before
            self._minds = self._past_minds[-count]
            del self._moments[-count:], self._past_minds[-count:]
        return self

    def copy(self) -> Table:
        """The same game at the same decision, independent of this one."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other._moments, other._past_minds = list(self._moments), list(self._past_minds)
        other._minds = self._minds.copy()
        return other

    def play(self, strategies: Sequence[str | Player | None], check: bool = False) -> Table:
        """Play on with strategies, to the end or to the next decision of a seat without one.

        As in the driver a seat is asked only where it has a choice, and draws from its own stream.

        Args:
            strategies: One per seat: a name such as ``raider`` or ``raider:patience=2``, a player, or None for a seat
                that you play with :meth:`choose`.
            check: Whether to check the invariants of rules 8 after every decision.

        Returns:
            The table itself.

        Raises:
            TableError: not one per seat.
            UserError: there is no strategy of a name.
            BrokenGameError: an invariant does not hold, or a strategy failed.
        """
        if isinstance(strategies, str) or len(strategies) != self.players:
            raise TableError(f"strategies is {strategies!r}; it must be a list of {self.players}, one per seat")
        players = [self._player(strategy) for strategy in strategies]
        named = [p.name if p is not None else n for p, n in zip(players, self.header.seats, strict=True)]
        self.header = replace(self.header, seats=tuple(named))
        sandbox = new_records(STATE, SANDBOX_STATES)
        while not self.over:
            player = players[self.seat]
            if player is None:
                return self
            legal, minds = self._legal(), self._minds.copy()
            try:
                choice = self._ask(player, legal, sandbox) if len(legal) > 1 else 0
            except BrokenGameError:
                self._minds = minds
                raise
            self._apply(legal[choice], minds)
            if check and (broken := int(broken_invariant(self._state, self.header.rules))):
                raise self._broken(f"invariant {broken} is broken: {MEANINGS[broken]}")
        return self

    def _player(self, strategy: str | Player | None) -> Player | None:
        if not isinstance(strategy, str):
            player = strategy
        elif self._find_player is None:
            raise TableError(f'this table knows no strategy by name, such as "{strategy}"; use blinksim.new_game')
        else:
            player = self._find_player(strategy)
        if player is not None and player.compiled:
            engine.compile_kernel(player.decide, STRATEGY_SIGNATURE)
        return player

    def _ask(self, player: Player, legal: Sequence[int], sandbox: np.recarray) -> int:
        """Where in the legal choices a strategy's choice is."""
        slot, minds = self._slots[self.seat], self._minds
        actions = np.array(legal, dtype=np.int64)
        arguments = (actions, len(legal), player.params, minds.memory[slot], minds.streams[slot], sandbox)
        try:
            choice = int(player.decide(self.observation(), self.header.rules, *arguments))
        except Exception as error:
            reason = f"{player.name} failed: {type(error).__name__}: {error}"
            raise self._broken(reason) from error
        if not 0 <= choice < len(legal):
            reason = f"{player.name} chose {choice}, an index must be from 0 to {len(legal) - 1}"
            raise self._broken(reason)
        return choice

    def _broken(self, reason: str) -> BrokenGameError:
        """What is wrong, where, and how to come here again."""
        seed, names = self.header.seed, ",".join(self.header.seats)
        origin = f"seed {seed['experiment']}, deal {seed['deal']}" if seed is not None else "the deal of its header"
        again = f'{self.players} players, ruleset "{self.header.ruleset.name}", {origin}, seats {names}'
        return BrokenGameError(f"{self._where()}: {reason}; to play it again: {again}", self)

    def record(self, path: str | Path, legal: bool = True) -> Path:
        """Write the game so far as a record (``record.md``), compressed where the name ends in ``.gz``.

        Args:
            path: The file, overwritten; ``game.blink.jsonl`` by custom.
            legal: Whether to write every legal choice of every decision.

        Returns:
            The file.

        Raises:
            TableError: it cannot be written.
        """
        try:
            write_record(path, self.header, [moment.action for moment in self._moments], legal)
        except OSError as error:
            raise TableError(f"cannot write {path}: {error.strerror or error}") from None
        return Path(path)


def new_game(
    players: int = 3,
    ruleset: str | Path | Ruleset = "standard",
    seed: int = 1,
    deal: int = 0,
    overrides: Sequence[str] = (),
    hand_shift: int = 0,
    seat_shift: int = 0,
    replicate: int = 0,
    find_player: Callable[[str], Player] | None = None,
) -> Table:
    """A game before its first decision: the deal of an experiment's seed, laid out after the shifts.

    Args:
        players: 2 to 4.
        ruleset: A preset, a TOML file, or a ruleset.
        seed: The experiment's seed, from 0; with ``deal`` it says what is dealt.
        deal: Number of the deal, from 0.
        overrides: Changed rules, such as ``tiers.wall[2]=15``.
        hand_shift: Slot k of a line-up plays the hand dealt to position k + this.
        seat_shift: The hand of position j lies on map seat j + this.
        replicate: Which random streams strategies draw from.
        find_player: Finds a strategy by name, for :meth:`Table.play`.

    Raises:
        UserError: a ruleset that is not there or cannot be, or a number out of its range.
    """
    limits = {"seed": (seed, MAX_SEED), "deal": (deal, MAX_DEAL), "replicate": (replicate, MAX_DEAL)}
    for name, (value, most) in limits.items():
        if not 0 <= value <= most:
            raise TableError(f"{name} is {value}; it must be a whole number of 0 to {most}")
    if isinstance(ruleset, Ruleset):
        chosen = rulesets.with_overrides(ruleset, overrides, "overrides") if overrides else ruleset
    else:
        chosen = rulesets.load(ruleset, overrides)
    rules = rulesets.pack(chosen, players)[0]
    for name, value in (("hand_shift", hand_shift), ("seat_shift", seat_shift)):
        if not 0 <= value < players:
            raise TableError(f"{name} is {value}; with {players} players it must be 0 to {players - 1}")
    deals = GAME.make_deals(chosen, seed, players, deal, 1)
    assert isinstance(deals, Deals)
    laid = table_deal(rules, deals, deal, hand_shift, seat_shift)
    decks = (tuple(cards.tolist()) for cards in (laid.starting_deck, laid.upgrade_deck, laid.objectives))
    streams = np.ones((MAX_SEATS, 1), np.uint64)
    for slot in range(players):
        streams[slot] = play_stream(np.uint64(seed), players, deal, slot, hand_shift, seat_shift, replicate)
    origin: Mapping[str, int] = {"experiment": seed, "deal": deal}
    header = make_header(chosen, ["player"] * players, Deal(laid.start_player, *decks), origin)
    return Table(header, laid.slot_of_seat, streams, find_player)

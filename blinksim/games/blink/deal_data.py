"""A deal: all that is random about one game of Blink, as data (sections 2.1 and 2.2), with its text form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from blinksim.errors import UserError
from blinksim.games.blink.objectives import objective_text, parse_objective
from blinksim.games.cards import card_text, parse_card

DEAL_KEYS = ("start_player", "starting_deck", "upgrade_deck", "objectives")


@dataclass(frozen=True)
class Deal:
    """The shuffles of one game, as they lie on the table.

    Attributes:
        start_player: Seat that leads the first round.
        starting_deck: Card numbers, top first; seat s is dealt ``[hand_size * s : hand_size * (s + 1)]``, what is left
            is the market.
        upgrade_deck: Card numbers, top first; the first cards fill the grid in reading order.
        objectives: Objective codes, top first; seat s is dealt ``[d * s : d * (s + 1)]``.
    """

    start_player: int
    starting_deck: tuple[int, ...]
    upgrade_deck: tuple[int, ...]
    objectives: tuple[int, ...]

    @classmethod
    def of(
        cls, start_player: int, starting_deck: Iterable[int], upgrade_deck: Iterable[int], objectives: Iterable[int]
    ) -> Deal:
        """A deal from arrays or lists of numbers, such as those of :class:`blinksim.games.blink.deals.TableDeal`."""
        decks = (tuple(int(number) for number in deck) for deck in (starting_deck, upgrade_deck, objectives))
        return cls(int(start_player), *decks)

    def arrays(self) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
        """Start player and the three decks as int64 arrays, in the order in which ``deal.set_up`` takes them."""
        return (
            self.start_player,
            np.array(self.starting_deck, dtype=np.int64),
            np.array(self.upgrade_deck, dtype=np.int64),
            np.array(self.objectives, dtype=np.int64),
        )


def deal_text(deal: Deal) -> dict[str, Any]:
    """A deal as the ``deal`` object of a record's header."""
    return {
        "start_player": deal.start_player,
        "starting_deck": [card_text(card) for card in deal.starting_deck],
        "upgrade_deck": [card_text(card) for card in deal.upgrade_deck],
        "objectives": [objective_text(code) for code in deal.objectives],
    }


def parse_deal(data: Any, rules: Any, objectives: Iterable[int], needs_objectives: bool, where: str) -> Deal:
    """A deal from the ``deal`` object of a record's header, checked against the ruleset.

    Args:
        data: The object as read from JSON.
        rules: The ruleset; one RULES record.
        objectives: Codes of the ruleset's objective deck.
        needs_objectives: False where objectives may be left out (mode ``none``); the ruleset's list then stands in.
        where: Named in messages, such as ``game.blink.jsonl:1: deal``.

    Raises:
        UserError: a key is missing or unknown; a deck lacks a card, holds one twice or one that does not belong there;
            the start player is not a seat.
    """
    if not isinstance(data, Mapping):
        raise UserError(f"{where} is {data!r}; it must be an object with the keys {', '.join(DEAL_KEYS)}")
    unknown = [key for key in data if key not in DEAL_KEYS]
    if unknown:
        raise UserError(f'{where} has the unknown key "{unknown[0]}"; the keys are {", ".join(DEAL_KEYS)}')
    wanted = DEAL_KEYS if needs_objectives else DEAL_KEYS[:3]
    missing = [key for key in wanted if key not in data]
    if missing:
        raise UserError(f'{where} lacks the key "{missing[0]}"; a deal has {", ".join(wanted)}')
    start = data["start_player"]
    players = int(rules.players)
    if type(start) is not int or not 0 <= start < players:
        raise UserError(f"{where}.start_player is {start!r}; it must be a seat from 0 to {players - 1}")
    split = int(rules.starting_rank_max)
    low = range(4 * int(rules.rank_min), 4 * (split + 1))
    high = range(4 * (split + 1), 4 * (int(rules.rank_max) + 1))
    codes = tuple(objectives)
    return Deal(
        start,
        _deck(data["starting_deck"], low, parse_card, card_text, f"{where}.starting_deck"),
        _deck(data["upgrade_deck"], high, parse_card, card_text, f"{where}.upgrade_deck"),
        _deck(data["objectives"], codes, parse_objective, objective_text, f"{where}.objectives")
        if "objectives" in data
        else codes,
    )


def _deck(data: Any, belong: Iterable[int], parse: Any, text: Any, where: str) -> tuple[int, ...]:
    """One deck from its list of texts; every number of ``belong`` must be in it once."""
    if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
        raise UserError(f"{where} must be a list of texts, top first")
    expected = set(belong)
    found: list[int] = []
    for place, item in enumerate(data, 1):
        try:
            number = int(parse(item))
        except ValueError as error:
            raise UserError(f"{where}, entry {place}: {error}") from None
        if number not in expected:
            raise UserError(f"{where}, entry {place}: {item} does not belong to this deck under the ruleset")
        if number in found:
            raise UserError(f"{where}, entry {place}: {item} is there twice")
        found.append(number)
    lacking = sorted(expected - set(found))
    if lacking:
        names = ", ".join(text(number) for number in lacking[:6]) + (" ..." if len(lacking) > 6 else "")
        raise UserError(f"{where} has {len(found)} entries and must be complete with {len(expected)}; it lacks {names}")
    return tuple(found)

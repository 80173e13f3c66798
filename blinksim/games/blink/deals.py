"""Deals: all shuffles of Blink, made ahead in bulk, and how a deal comes to lie on the table after the shifts.

Randomness of the game is its setup alone (section 2.1): start player, starting deck, upgrade deck, objectives, each
from a stream of its own (:mod:`blinksim.games.streams`), so that a rule that changes one leaves the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from blinksim.games.blink.deal_data import Deal
from blinksim.games.blink.enums import ObjectiveMode
from blinksim.games.streams import OBJECTIVES, START_SEAT, STARTING_DECK, UPGRADE_DECK, deal_words, shuffle
from blinksim.jit import kernel

RANDOM_START = -1
"""Start player drawn from its stream (``setup.start_player = "random"``)."""


class Deals(NamedTuple):
    """Some deals in a row, as shuffled: before any shift.

    Attributes:
        first_deal: Number of the first.
        start_players: (deals,) int64, map seats.
        starting_decks: (deals, cards) int64, card numbers, top first; position j's hand is cards ``hand_size * j`` on.
        upgrade_decks: (deals, cards) int64, card numbers, top first.
        objectives: (deals, patterns) int64, pattern codes; position j's are ``d * j`` on.
    """

    first_deal: int
    start_players: np.ndarray
    starting_decks: np.ndarray
    upgrade_decks: np.ndarray
    objectives: np.ndarray


@kernel
def fill_deals(
    rules: np.record,
    seed: int | np.uint64,
    first_deal: int,
    start_player: int,
    objective_list: np.ndarray,
    start_players: np.ndarray,
    starting_decks: np.ndarray,
    upgrade_decks: np.ndarray,
    objectives: np.ndarray,
) -> None:
    """Shuffle as many deals as ``start_players`` has room for; the arrays are those of :class:`Deals`."""
    first_upgrade = 4 * (rules.starting_rank_max + 1)
    starting = np.arange(4 * rules.rank_min, first_upgrade)
    upgrade = np.arange(first_upgrade, 4 * (rules.rank_max + 1))
    words = np.zeros(max(len(starting), max(len(upgrade), max(len(objective_list), 1))), dtype=np.uint64)
    for i in range(len(start_players)):
        deal = first_deal + i
        start_players[i] = start_player
        if start_player < 0:
            deal_words(seed, rules.players, deal, START_SEAT, words[:1])
            start_players[i] = int(words[0] % np.uint64(rules.players))
        deal_words(seed, rules.players, deal, STARTING_DECK, words[: len(starting)])
        shuffle(words, starting, starting_decks[i])
        deal_words(seed, rules.players, deal, UPGRADE_DECK, words[: len(upgrade)])
        shuffle(words, upgrade, upgrade_decks[i])
        deal_words(seed, rules.players, deal, OBJECTIVES, words[: len(objective_list)])
        shuffle(words, objective_list, objectives[i])


def make_deals(
    rules: np.record,
    seed: int,
    first_deal: int,
    count: int,
    objective_list: Sequence[int] | np.ndarray,
    start_player: int = RANDOM_START,
) -> Deals:
    """Shuffle some deals in a row.

    Section 2.2. A deal depends on the seed, the player count and its number alone, never on how many are made.

    Args:
        rules: One packed ruleset; its ranks and player count are used.
        seed: The experiment's seed, 0 to 2**64 - 1.
        first_deal: Number of the first, from 0.
        count: How many.
        objective_list: Pattern codes of the objective deck, in the order of the ruleset.
        start_player: A seat where the ruleset fixes one.
    """
    patterns = np.ascontiguousarray(objective_list, dtype=np.int64)
    num_starting = 4 * (int(rules.starting_rank_max) - int(rules.rank_min) + 1)
    num_upgrade = 4 * (int(rules.rank_max) - int(rules.starting_rank_max))
    deals = Deals(
        first_deal,
        np.empty(count, dtype=np.int64),
        np.empty((count, num_starting), dtype=np.int64),
        np.empty((count, num_upgrade), dtype=np.int64),
        np.empty((count, len(patterns)), dtype=np.int64),
    )
    fill_deals(rules, np.uint64(seed), first_deal, start_player, patterns, *deals[1:])
    return deals


@kernel
def seat_of_slot(slot: int, players: int, hand_shift: int, seat_shift: int) -> int:
    """The map seat on which a slot of the line-up sits: it plays position (slot + h), which sits on (position + t)."""
    return (slot + hand_shift + seat_shift) % players


@kernel
def slot_of_seat(seat: int, players: int, hand_shift: int, seat_shift: int) -> int:
    """The slot of the line-up that sits on a map seat."""
    return (seat - hand_shift - seat_shift) % players


@kernel
def position_of_seat(seat: int, players: int, seat_shift: int) -> int:
    """The dealt position whose hand and objectives lie on a map seat."""
    return (seat - seat_shift) % players


@kernel
def lay_deal(
    rules: np.record,
    starting_deck: np.ndarray,
    objectives: np.ndarray,
    seat_shift: int,
    table_deck: np.ndarray,
    table_objectives: np.ndarray,
) -> None:
    """One deal as it lies on the table: the hand and the objectives of position j on seat (j + t) mod players.

    The market, the upgrade deck and the start seat stay, and so do objectives that belong to everybody or nobody. The
    hand shift moves no card: it says which slot plays which position (:func:`seat_of_slot`).

    Args:
        rules: One packed ruleset.
        starting_deck: (cards,) int64 as dealt.
        objectives: (patterns,) int64 as dealt.
        seat_shift: t, 0 to players - 1.
        table_deck: (cards,) int64, overwritten: ``table_deck[hand_size * s:]`` starts with the hand of map seat s.
        table_objectives: (patterns,) int64, overwritten: seat s has ``table_objectives[d * s : d * s + d]``.
    """
    players = rules.players
    table_deck[:] = starting_deck
    table_objectives[:] = objectives
    dealt = rules.objectives_dealt
    if rules.objective_mode == ObjectiveMode.OPEN or rules.objective_mode == ObjectiveMode.NONE:
        dealt = 0
    for seat in range(players):
        position = position_of_seat(seat, players, seat_shift)
        for i in range(rules.hand_size):
            table_deck[rules.hand_size * seat + i] = starting_deck[rules.hand_size * position + i]
        for i in range(dealt):
            table_objectives[dealt * seat + i] = objectives[dealt * position + i]


class TableDeal(NamedTuple):
    """One deal as it lies on the table, in the form in which ``deal.set_up`` takes it.

    Attributes:
        start_player: Map seat that leads first.
        starting_deck: (cards,) int64, top first.
        upgrade_deck: (cards,) int64, top first.
        objectives: (patterns,) int64.
        slot_of_seat: By map seat, the slot of the line-up that sits there.
    """

    start_player: int
    starting_deck: np.ndarray
    upgrade_deck: np.ndarray
    objectives: np.ndarray
    slot_of_seat: tuple[int, ...]

    def deal(self) -> Deal:
        """The deal in the form in which a record's header takes it."""
        decks = (tuple(deck.tolist()) for deck in (self.starting_deck, self.upgrade_deck, self.objectives))
        return Deal(self.start_player, *decks)


def table_deal(rules: np.record, deals: Deals, deal: int, hand_shift: int = 0, seat_shift: int = 0) -> TableDeal:
    """One of some deals as it lies on the table after the shifts.

    Raises:
        ValueError: ``deals`` does not hold that deal.
    """
    i = deal - deals.first_deal
    if not 0 <= i < len(deals.start_players):
        last = deals.first_deal + len(deals.start_players) - 1
        raise ValueError(f"deal {deal} is not among these deals, which are {deals.first_deal} to {last}")
    players = int(rules.players)
    deck = np.empty_like(deals.starting_decks[i])
    objectives = np.empty_like(deals.objectives[i])
    lay_deal(rules, deals.starting_decks[i], deals.objectives[i], seat_shift, deck, objectives)
    slots = tuple(int(slot_of_seat(seat, players, hand_shift, seat_shift)) for seat in range(players))
    return TableDeal(int(deals.start_players[i]), deck, deals.upgrade_decks[i].copy(), objectives, slots)

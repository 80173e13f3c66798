"""What strategies ask about cards: which to pass, keep and bury, what a meld may place, what the row is worth.

Every function reads an observation (record ``VIEW``) and the ruleset, and changes neither. Questions about the map are
in :mod:`blinksim.games.blink.toolkit`.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.scoring import tier
from blinksim.games.blink.toolkit import rounds_left
from blinksim.games.cards import bit, has_card, next_card, num_cards, suits_of_rank
from blinksim.jit import drop_lowest, kernel, lowest, popcount

TYPICAL_RANK = 0.62
"""Rank that a card of an unseen meld has on average, as a part of the highest rank of the starting deck."""


# melds and the trick


@kernel
def meld_limit(view: np.recarray, rules: np.recarray, seat: int) -> int:
    """How many cards a seat may lay now (section 1.2)."""
    return rules.tier_meld_limit[tier(view, rules, seat)]


@kernel
def best_total(cards: np.ndarray, limit: int) -> int:
    """The highest total of a legal meld of at most ``limit`` of some cards (section 3.2)."""
    best = 0
    for top in range(31, 0, -1):
        total = 0
        left = limit
        rank = top
        while left > 0 and rank > 0:
            held = popcount(np.uint64(suits_of_rank(cards, rank)))
            if held == 0:
                break
            used = min(held, left)
            total += used * rank
            left -= used
            rank -= 1
        best = max(best, total)
    return best


@kernel
def likely_total(view: np.recarray, rules: np.recarray, seat: int) -> float:
    """The trick total to expect of a rival that tries: from its hand as far as known, its meld limit and cards laid.

    What lies open counts exactly.
    """
    size = view.meld_size[seat]
    if size == 0:
        size = min(meld_limit(view, rules, seat), view.hand_size[seat])
    seen = view.seen_hand[seat]
    typical = TYPICAL_RANK * rules.starting_rank_max * size
    if num_cards(seen) == 0:
        return typical
    known = float(best_total(seen, size))
    if num_cards(seen) - view.unsure[seat] >= view.hand_size[seat]:
        return known
    return max(known, typical)


@kernel
def total_to_beat(view: np.recarray, rules: np.recarray) -> float:
    """The highest total to expect among my rivals."""
    most = 0.0
    for seat in range(view.players):
        if seat != view.me:
            most = max(most, likely_total(view, rules, seat))
    return most


@kernel
def win_chance(total: int, to_beat: float, spread: float) -> float:
    """The chance that a total wins the trick, before the melds are revealed.

    Args:
        total: Of my meld.
        to_beat: As of :func:`total_to_beat`.
        spread: How far the rivals' best total may lie from that, in ranks.
    """
    return min(max(0.5 + 0.5 * (total - to_beat) / spread, 0.02), 0.98)


@kernel
def largest_rival_meld(view: np.recarray, rules: np.recarray) -> int:
    """The most cards that a rival has laid or may lay: a loser keeps one fewer than the winner laid (section 3.4)."""
    most = 1
    for seat in range(view.players):
        if seat != view.me:
            size = view.meld_size[seat]
            if size == 0:
                size = min(meld_limit(view, rules, seat), view.hand_size[seat])
            most = max(most, size)
    return most


@kernel
def open_total(view: np.recarray, seat: int) -> int:
    """The trick total that lies open before a seat: its revealed meld and the card it declared."""
    total = view.declared[seat] >> 2
    card = next_card(view.meld[seat], -1)
    while card >= 0:
        total += card >> 2
        card = next_card(view.meld[seat], card)
    return total


@kernel
def best_open_total(view: np.recarray) -> int:
    """The highest open total among my rivals."""
    best = 0
    for seat in range(view.players):
        if seat != view.me:
            best = max(best, open_total(view, seat))
    return best


# hands


@kernel
def count_suits(cards: np.ndarray, counts: np.ndarray) -> None:
    """How many cards of each suit a set holds. Overwrites ``counts``, (4,) int64."""
    for suit in range(4):
        mask = np.uint64(0x1111111111111111) << np.uint64(suit)
        counts[suit] = popcount(cards[0] & mask) + popcount(cards[1] & mask)


@kernel
def list_cards(cards: np.ndarray, listed: np.ndarray) -> int:
    """The cards of a set, ascending: entry i stands at position i.

    Args:
        listed: int64, with room for all; overwritten from the front.

    Returns:
        How many there are.
    """
    n = 0
    card = next_card(cards, -1)
    while card >= 0:
        listed[n] = card
        n += 1
        card = next_card(cards, card)
    return n


@kernel
def num_beside(cards: np.ndarray, card: int) -> int:
    """How many other cards of a set could lie in a meld right beside a card: same rank, one more, one less."""
    rank = card >> 2
    beside = popcount(np.uint64(suits_of_rank(cards, rank))) - int(has_card(cards, card))
    if rank > 1:
        beside += popcount(np.uint64(suits_of_rank(cards, rank - 1)))
    if rank < 31:
        beside += popcount(np.uint64(suits_of_rank(cards, rank + 1)))
    return beside


@kernel
def card_worth(cards: np.ndarray, card: int, by_suit: np.ndarray, per_rank: float, per_mate: float) -> float:
    """What it is worth to hold a card: its suit on the map, its rank in tricks and duels, the melds that it joins.

    Args:
        cards: The cards it would be held with; may hold it.
        card: The card.
        by_suit: (4,) float64, worth of a card of each suit.
        per_rank: Worth of one rank.
        per_mate: Worth of one card that it could lie beside; three count at most.
    """
    return by_suit[card & 3] + per_rank * (card >> 2) + per_mate * min(num_beside(cards, card), 3)


@kernel
def worst_positions(cards: np.ndarray, count: int, by_suit: np.ndarray, per_rank: float, per_mate: float) -> int:
    """The cards to give away: the ``count`` least worth holding.

    Arguments as in :func:`card_worth`.

    Returns:
        Their positions in the hand, bit i = i-th lowest card.
    """
    n = num_cards(cards)
    worth = np.empty(n, np.float64)
    card = -1
    for i in range(n):
        card = next_card(cards, card)
        worth[i] = card_worth(cards, card, by_suit, per_rank, per_mate)
    positions = 0
    for _ in range(count):
        worst = -1
        for i in range(n):
            if positions >> i & 1 == 0 and (worst < 0 or worth[i] < worth[worst]):
                worst = i
        positions |= 1 << worst
    return positions


@kernel
def index_of(actions: np.ndarray, n: int, action: int) -> int:
    """Where an action stands among the first ``n``; 0 where it is not among them."""
    for i in range(n):
        if actions[i] == action:
            return i
    return 0


@kernel
def worst_burial(
    cards: np.ndarray, actions: np.ndarray, n: int, by_suit: np.ndarray, per_rank: float, per_mate: float
) -> int:
    """The index of the burial that loses least (D14). Arguments as in :func:`card_worth`."""
    worth = np.empty(128, np.float64)
    worth[0] = 0.0
    card = next_card(cards, -1)
    while card >= 0:
        worth[card] = card_worth(cards, card, by_suit, per_rank, per_mate)
        card = next_card(cards, card)
    best = 0
    least = 1e9
    for i in range(n):
        lost = worth[actions[i] >> 5 & 127] + worth[actions[i] >> 12 & 127] + worth[actions[i] >> 19 & 127]
        if lost < least:
            best = i
            least = lost
    return best


# the victory row (section 3.13)


@kernel
def row_points(rules: np.recarray, low: np.uint64, high: np.uint64) -> int:
    """What a row would score; from an overfull one the lowest cards leave first.

    Args:
        rules: The ruleset.
        low, high: The two words of the set of its cards.
    """
    n = popcount(low) + popcount(high)
    too_many = max(n - rules.slots, 0)
    n -= too_many
    points = n * rules.points_per_card
    half = (rules.slots + 1) // 2
    if rules.centre_scores == 0 or n < max(rules.centre_min_cards, half):
        return points
    for _ in range(n - half + too_many):
        if low != np.uint64(0):
            low = drop_lowest(low)
        else:
            high = drop_lowest(high)
    return points + ((lowest(low) if low != np.uint64(0) else 64 + lowest(high)) >> 2)


@kernel
def row_change(view: np.recarray, rules: np.recarray, card: int) -> int:
    """Points that my row gains with one card more, or loses (negative) without one of its own."""
    row = view.row[view.me]
    other = bit(card & 63)
    changed = row_points(rules, row[0] ^ other, row[1]) if card < 64 else row_points(rules, row[0], row[1] ^ other)
    return changed - row_points(rules, row[0], row[1])


@kernel
def row_card_worth(view: np.recarray, rules: np.recarray, card: int, per_round: float) -> float:
    """What a card of my row is likely to score if it stays: all of it near the end, little while better ones may come.

    Args:
        view: The observation.
        rules: The ruleset.
        card: A card of my row.
        per_round: Cards that I retire in a round.
    """
    coming = per_round * rounds_left(view, rules)
    if coming <= 0.0:
        return -float(row_change(view, rules, card))
    free = rules.slots - num_cards(view.row[view.me]) + 1.0 - coming
    return min(max(0.5 * free + 0.5, 0.0), 1.0) * (1.0 + 0.3 * (card >> 2))

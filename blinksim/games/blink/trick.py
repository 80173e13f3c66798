"""The trick: totals, ties and the initiative order (section 3.3)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import TieStep
from blinksim.games.blink.victory import band
from blinksim.games.cards import next_card, num_cards
from blinksim.jit import kernel, popcount


@kernel
def sum_of_ranks(cards: np.ndarray) -> int:
    """The ranks of a set of cards added up."""
    total = 0
    card = next_card(cards, -1)
    while card >= 0:
        total += card >> 2
        card = next_card(cards, card)
    return total


@kernel
def trick_total(state: np.recarray, rules: np.recarray, seat: int) -> int:
    """Ranks of the meld and of the card declared for A; in mode ``most_cards`` A adds no rank (R28, section 1.9)."""
    total = sum_of_ranks(state.meld[seat])
    if rules.most_cards == 0:
        total += state.declared[seat] >> 2
    return total


@kernel
def declared_wins_ties(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether the card declared for A belongs to a band that wins ties."""
    card = state.declared[seat]
    return card != 0 and rules.band_wins_ties[band(rules, card)] != 0


@kernel
def rank_spent_on_a(state: np.recarray, rules: np.recarray, seat: int) -> int:
    """The rank that counts at the step ``a_rank``, 0 for none (R31)."""
    if rules.a_rank_tie_winners != 0 and not declared_wins_ties(state, rules, seat):
        return 0
    return state.declared[seat] >> 2


@kernel
def compare_ranks(mine: np.ndarray, theirs: np.ndarray) -> int:
    """Compare two melds rank by rank, highest first; a missing card counts as none (step ``ranks_desc``)."""
    for rank in range(31, 0, -1):
        a = (mine[rank >> 4] >> np.uint64((rank & 15) * 4)) & np.uint64(15)
        b = (theirs[rank >> 4] >> np.uint64((rank & 15) * 4)) & np.uint64(15)
        many_a = popcount(a)
        many_b = popcount(b)
        if many_a != many_b:
            return 1 if many_a > many_b else -1
    return 0


@kernel
def highest_rank(cards: np.ndarray) -> int:
    """The highest rank in a set of cards, 0 when empty."""
    best = 0
    card = next_card(cards, -1)
    while card >= 0:
        best = card >> 2
        card = next_card(cards, card)
    return best


@kernel
def compare_at(state: np.recarray, rules: np.recarray, step: int, seat: int, other: int) -> int:
    """Compare two seats at one step of ``trick.tie_chain``: positive where ``seat`` is ahead."""
    if step == TieStep.CARDS:
        return num_cards(state.meld[seat]) - num_cards(state.meld[other])
    if step == TieStep.A_WINS_TIES:
        return int(declared_wins_ties(state, rules, seat)) - int(declared_wins_ties(state, rules, other))
    if step == TieStep.A_RANK:
        return rank_spent_on_a(state, rules, seat) - rank_spent_on_a(state, rules, other)
    if step == TieStep.RANKS_DESC:
        return compare_ranks(state.meld[seat], state.meld[other])
    return highest_rank(state.meld[seat]) - highest_rank(state.meld[other])


@kernel
def cards_with_bonus(state: np.recarray, rules: np.recarray, seat: int) -> int:
    """First key of mode ``most_cards``: cards laid and the bonus of the declared card (R40, section 1.9)."""
    cards = num_cards(state.meld[seat])
    if state.declared[seat] != 0:
        cards += rules.band_bonus[band(rules, state.declared[seat])]
    return cards


@kernel
def is_ahead_in_trick(state: np.recarray, rules: np.recarray, seat: int, other: int) -> bool:
    """Whether a seat ranks before another in the trick (section 3.3, R33)."""
    if rules.most_cards != 0:
        lead = cards_with_bonus(state, rules, seat) - cards_with_bonus(state, rules, other)
        if lead != 0:
            return lead > 0
    lead = trick_total(state, rules, seat) - trick_total(state, rules, other)
    if lead != 0:
        return lead > 0
    for i in range(rules.tie_steps):
        lead = compare_at(state, rules, rules.tie_chain[i], seat, other)
        if lead != 0:
            return lead > 0
    n = state.players
    return (seat - state.leader + n) % n < (other - state.leader + n) % n  # laid earlier


@kernel
def rank_trick(state: np.recarray, rules: np.recarray, order: np.ndarray) -> None:
    """Sort all seats by the trick, best first (section 3.3).

    Args:
        order: (4,) int64; its first ``players`` entries are overwritten.
    """
    for seat in range(state.players):
        i = seat
        while i > 0 and is_ahead_in_trick(state, rules, seat, order[i - 1]):
            order[i] = order[i - 1]
            i -= 1
        order[i] = seat

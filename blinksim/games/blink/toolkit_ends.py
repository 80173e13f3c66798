"""What strategies ask about rivals and the end: whose loss is my gain, and what the last turn can make of a row.

Every function reads an observation (record ``VIEW``) and the ruleset, and changes neither. Values are in points unless
said otherwise.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import card_of, kind_of
from blinksim.games.blink.enums import Kind
from blinksim.games.blink.toolkit_cards import row_points
from blinksim.games.cards import add_card, has_card, is_empty, lowest_card, next_card, remove_card
from blinksim.jit import kernel


@kernel
def rival_share(view: np.recarray, seat: int) -> float:
    """How much of a seat's loss is my gain: less among many rivals, and most from whoever is closest to the end."""
    least = 99
    for other in range(view.players):
        if other != view.me:
            least = min(least, view.reserve[other])
    return (1.0 if view.reserve[seat] == least else 0.5) * (1.0 if view.players == 2 else 0.7)


@kernel
def retire_lowest(hand: np.ndarray, row: np.ndarray) -> None:
    """The lowest card of a hand goes to a row, as by a research (section 3.10). Changes both; the hand is not empty."""
    card = lowest_card(hand)
    remove_card(hand, card)
    add_card(row, card)


@kernel
def last_row_points(
    view: np.recarray, rules: np.recarray, row: np.ndarray, hand: np.ndarray, gold: int, bought: int, left: int,
    may_spend: bool,
) -> float:  # fmt: skip
    """The most that a row scores in my last turn of a game, with the units that one of its cards may still found.

    Tries every number of researches that the coins buy, each retiring the lowest card of the hand (section 3.10), and
    with each of them every card to found or to cash (section 3.12), as far as this round still allows. A card that a
    research takes counts as never lowest.

    Args:
        view: The observation; its row and hand do not count.
        rules: The ruleset.
        row, hand: (2,) uint64, sets of cards.
        gold: Coins to spend.
        bought: Improvements bought this turn.
        left: Improvements still allowed.
        may_spend: False where a card of the row was spent already, beside those that the observation counts.
    """
    me = view.me
    then_row = row.copy()
    then_hand = hand.copy()
    may_spend = may_spend and view.spends[me] < rules.spends_per_round
    may_found = may_spend and rules.effect_b != 0 and view.spent_b[me] < rules.limit_b
    may_cash = may_spend and rules.effect_c != 0 and view.spent_c[me] < rules.limit_c
    best = 0.0
    cost = 0
    for research in range(left + 1):
        if research > 0:
            if is_empty(then_hand):
                break
            retire_lowest(then_hand, then_row)
            cost += rules.costs[min(bought + research - 1, rules.num_costs - 1)]
        if cost <= gold:
            best = max(best, float(row_points(rules, then_row[0], then_row[1])))
        card = next_card(then_row, -1)
        while card >= 0:
            band = rules.band_of[card >> 2]
            founds = may_found and cost <= gold
            if founds or (may_cash and has_card(row, card) and cost <= gold + rules.band_gold[band]):
                remove_card(then_row, card)
                points = float(row_points(rules, then_row[0], then_row[1]))
                add_card(then_row, card)
                if founds:
                    points += min(rules.band_units[band], view.reserve[me]) * rules.points_per_unit
                best = max(best, points)
            card = next_card(then_row, card)
    return best


@kernel
def points_with(view: np.recarray, rules: np.recarray, gold: int) -> float:
    """:func:`last_row_points` of my row and hand as they are, in my map turn, with so many coins."""
    me = view.me
    left = rules.improve_per_turn - view.improve_used
    return last_row_points(view, rules, view.row[me], view.hand, gold, view.improve_bought, left, True)


@kernel
def points_after(view: np.recarray, rules: np.recarray, action: int) -> float:
    """:func:`last_row_points` after a step of my map turn that changes the row.

    Args:
        view: The observation, in my map turn.
        rules: The ruleset.
        action: A research, or a card of the row to found or to cash; units that the step founds count.
    """
    me = view.me
    row = view.row[me].copy()
    hand = view.hand.copy()
    gold = view.gold[me]
    bought = view.improve_bought
    left = rules.improve_per_turn - view.improve_used
    if kind_of(action) == Kind.RESEARCH:
        retire_lowest(hand, row)
        gold -= rules.costs[min(bought, rules.num_costs - 1)]
        return last_row_points(view, rules, row, hand, gold, bought + 1, left - 1, True)
    card = card_of(action)
    band = rules.band_of[card >> 2]
    remove_card(row, card)
    if kind_of(action) == Kind.CASH:
        return last_row_points(view, rules, row, hand, gold + rules.band_gold[band], bought, left, False)
    units = min(rules.band_units[band], view.reserve[me])
    return last_row_points(view, rules, row, hand, gold, bought, left, False) + units * rules.points_per_unit

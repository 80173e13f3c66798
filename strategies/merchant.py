"""Merchant: everything has its price.

"The winner of a trick gets nothing; the last gets a coin, and a coin for each card that is set aside. So I lay many low
cards and let others win. While coins are short I sell a card of my row, which pays more than a card of the meld; that
one can settle instead. Coins become research first, a trade when my hand is clearly worse than what the market holds,
and walls with what is left. I end with a few coins, because they break ties."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import card_of, kind_of, positions_of
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind
from blinksim.games.blink.toolkit_cards import largest_rival_meld, list_cards, row_card_worth
from blinksim.games.blink.toolkit_memory import recall
from blinksim.jit import popcount
from blinksim.players.policy import Parameter, Strategy, kernel
from blinksim.players.taste import OWN, taste_of, taste_parameters

STRATEGY = Strategy(
    name="merchant",
    summary="lives on coins: dues, cashes, trades",
    parameters=(
        *taste_parameters(
            tile=0.35, coin=1.1, walls=1.0, colony=3.0, retires=0.8, lead=-0.6, rank=1.0, near_rivals=-0.03
        ),
        Parameter("dues", 0.4, 0.0, 2.0, "units", "What a coin for a card set aside is worth in choosing a meld."),
        Parameter("sell", 2.0, 0.0, 5.0, "units", "What a coin of a row card is worth while improvements need it."),
        Parameter("bargain", 0.08, 0.0, 2.0, "units", "What a rank more in hand is worth when it is traded for."),
    ),
)
DUES, SELL, BARGAIN = OWN, OWN + 1, OWN + 2


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    taste = taste_of(params)
    recall(view, taste.memory)
    decision = view.decision
    if decision == Decision.MELD:
        worth = usual.rate_melds(view, rules, actions, n, taste, low_cards_first(view))
        most = largest_rival_meld(view, rules)
        for i in range(n):  # the more cards than the winner's, the more coins
            size = popcount(np.uint64(positions_of(actions[i])))
            worth[i] += params[DUES] * rules.set_aside_gold * max(size - most + 1, 0)
        return usual.best_of(worth)
    if decision == Decision.ACT:
        turn = usual.look(view, rules, taste)
        worth = usual.rate_steps(view, rules, actions, n, turn, taste)
        deal_in_cards(view, rules, actions, n, turn, taste, params, worth)
        return usual.best_of(worth)
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    return usual.choose(view, rules, actions, n, usual.worth_of_holds(rules, taste.suit), taste.rank)


@kernel
def low_cards_first(view):  # type: ignore[no-untyped-def]
    """By position in the hand: of equal melds the lower ranks come last in the trick, (MAX_HAND,) float64."""
    hand = np.empty(MAX_HAND, np.int64)
    by_card = np.zeros(MAX_HAND, np.float64)
    for p in range(list_cards(view.hand, hand)):
        by_card[p] = -0.01 * (hand[p] >> 2)
    return by_card


@kernel
def deal_in_cards(view, rules, actions, n, turn, taste, params, worth):  # type: ignore[no-untyped-def]
    """D07: row cards sold while coins are short, trades when they pay. Changes ``worth``."""
    gold = view.gold[view.me]
    wanted = 0  # coins that the improvements of this turn still cost
    for bought in range(view.improve_bought, rules.improve_per_turn):
        wanted += rules.costs[min(bought, rules.num_costs - 1)]
    for i in range(n):
        kind = kind_of(actions[i])
        if kind == Kind.GOLD and turn.last:
            worth[i] += 0.2  # it may break a tie, a tile laid now scores nothing
        elif kind == Kind.CASH and not turn.last:
            card = card_of(actions[i])
            price = rules.band_gold[rules.band_of[card >> 2]]
            bought = min(price, max(wanted - gold, 0))
            worth[i] = params[SELL] * (bought + 0.3 * (price - bought)) - row_card_worth(
                view, rules, card, taste.retires
            )
        elif kind == Kind.TRADE and turn.meld_left == 0 and not turn.last:
            price = rules.costs[min(view.improve_bought, rules.num_costs - 1)]
            worth[i] = params[BARGAIN] * ranks_won(view, rules) - 0.2 * price


@kernel
def ranks_won(view, rules):  # type: ignore[no-untyped-def]
    """What a trade raises the ranks in hand by: known market cards at their rank, others at the average (D14)."""
    hand = np.empty(MAX_HAND, np.int64)
    num_cards = list_cards(view.hand, hand)
    won = 0.0
    for i in range(rules.trade_cards):
        drawn = float(view.market_known[i] >> 2)
        if drawn == 0.0:
            drawn = 0.5 * (rules.rank_min + rules.starting_rank_max)
        if i < num_cards:
            won += max(drawn - (hand[i] >> 2), 0.0)
    return won

"""Generalist: grow first, then learn, and know what the last turn is worth.

"While my board is full of units I settle them; the fewer are left, the dearer a coin, since late coins turn into the
cards that score. The trick I can do without: whoever comes last is paid for it. A hand that comes round again is worth
more than one more card in it, so I lay melds that leave little behind, and when research takes the last cards of my
hand, what I learn goes to the discard and all ten come back at once. Of what I may learn, the suits of my objectives
come first. A rival's unit counts for less among many rivals, and most on the land of whoever is closest to the end. The
last round I count out: how many researches my coins buy, what each puts into the row, which card of it founds or pays
for more than it scores, and which cards to keep in hand for that when I choose my meld."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import kind_of, positions_of, tile_of
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind
from blinksim.games.blink.toolkit import is_last_round, threat, tile_pattern_worth
from blinksim.games.blink.toolkit_cards import list_cards, meld_limit, row_points
from blinksim.games.blink.toolkit_ends import last_row_points, points_after, points_with, rival_share
from blinksim.games.blink.toolkit_memory import recall
from blinksim.games.blink.toolkit_turn import Taste
from blinksim.games.cards import bit
from blinksim.players.policy import Strategy, kernel
from blinksim.players.taste import OWN, sound_parameters, taste_of

STRATEGY = Strategy(
    name="generalist",
    summary="weighs everything, and counts the last round out",
    parameters=sound_parameters(),
)
RIPEN, NEXT, WANTED = range(OWN, OWN + 3)
TILE, COIN = (Taste._fields.index(name) for name in ("tile", "coin"))
TIE_BREAK = 0.03
"""What a coin is worth in the last round, when it only breaks ties; points."""
EPSILON = 0.05
"""What any step of the last turn costs, so that none is taken for nothing; points."""


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    decision = view.decision
    if decision == Decision.RESEARCH_TO:
        return to_hand_or_discard(view, rules, n)
    taste = taste_of(in_this_phase(view, rules, params))
    recall(view, taste.memory)
    if decision == Decision.ACT:
        return act(view, rules, actions, n, taste)
    if decision == Decision.MELD:
        return meld(view, rules, actions, n, taste, params[NEXT])
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    return usual.choose(view, rules, actions, n, wanted_suits(view, rules, taste, params[WANTED]), taste.rank)


@kernel
def in_this_phase(view, rules, params):  # type: ignore[no-untyped-def]
    """The parameters for this moment: coins dearer as the board empties; nothing for later in the last round."""
    now = params.copy()
    if is_last_round(view):
        now[TILE] = 0.0
        now[COIN] = TIE_BREAK
    else:
        half = 0.5 * rules.total_units
        now[COIN] *= 1.0 + params[RIPEN] * (half - view.reserve[view.me]) / half
    return now


@kernel
def wanted_suits(view, rules, taste, wanted):  # type: ignore[no-untyped-def]
    """What a card of each suit is worth, (4,) float64: its terrain's room, and its places in my objectives."""
    by_suit = usual.worth_of_holds(rules, taste.suit)
    for i in range(view.num_objectives):
        code = view.objectives[i]
        by_suit[code >> 4] += wanted
        by_suit[code >> 2 & 3] += wanted
        by_suit[code & 3] += wanted
    return by_suit


@kernel
def to_hand_or_discard(view, rules, n):  # type: ignore[no-untyped-def]
    """D13: to the discard where the researches of this turn empty the hand, which then comes round whole."""
    if is_last_round(view) or n < 2:
        return 0
    left = rules.improve_per_turn - view.improve_used
    if left > 0 and view.gold[view.me] < rules.costs[min(view.improve_bought, rules.num_costs - 1)]:
        left = 0
    return 1 if view.hand_size[view.me] <= left else 0


# the map turn


@kernel
def act(view, rules, actions, n, taste):  # type: ignore[no-untyped-def]
    """D07: the usual judgement, with rivals weighed; in the last round coins and row cards by the points they bring."""
    turn = usual.look(view, rules, taste)
    for seat in range(view.players):
        loss = float(rules.points_per_unit) if turn.last else taste.hurt
        turn.hurt[seat] = loss * rival_share(view, seat)
    worth = usual.rate_steps(view, rules, actions, n, turn, taste)
    if turn.last:
        count_out(view, rules, actions, n, turn, worth)
    return usual.best_of(worth)


@kernel
def count_out(view, rules, actions, n, turn, worth):  # type: ignore[no-untyped-def]
    """Rate what coins and row cards bring in the last turn, in points. Changes ``worth``."""
    row = view.row[view.me]
    gold = view.gold[view.me]
    scored = row_points(rules, row[0], row[1]) + EPSILON
    best = points_with(view, rules, gold)
    coin = turn.coin
    for more in range(1, turn.meld_left + 1):
        coin = max(coin, (points_with(view, rules, gold + more * rules.cash_gold) - best) / more)
    for i in range(n):
        kind = kind_of(actions[i])
        if kind == Kind.GOLD:
            worth[i] = coin
        elif kind == Kind.RESEARCH or kind == Kind.FOUND or kind == Kind.CASH or kind == Kind.FORTIFY:
            worth[i] = usual.REFUSED
            if turn.meld_left > 0:
                continue
            if kind != Kind.FORTIFY:
                worth[i] = points_after(view, rules, actions[i]) - scored
                if kind == Kind.FOUND:
                    worth[i] += 0.01  # before a research pushes the card out of the row
            elif view.turn < view.players - 1:
                tile = tile_of(actions[i])
                saved = threat(view, rules, tile, 0) - threat(view, rules, tile, 1)
                saved *= rules.points_per_unit + turn.points * tile_pattern_worth(view, turn.own, tile, 0.0)
                worth[i] = saved + points_with(view, rules, gold - rules.fortify_cost) - scored


# the trick


@kernel
def meld(view, rules, actions, n, taste, per_card):  # type: ignore[no-untyped-def]
    """D04: the usual judgement, and what stays in hand: a next meld, or in the last round what research retires."""
    me = view.me
    row = view.row[me]
    last = is_last_round(view)
    limit = meld_limit(view, rules, me)
    worth = usual.rate_melds(view, rules, actions, n, taste, np.zeros(MAX_HAND, np.float64))
    hand = np.empty(MAX_HAND, np.int64)
    num_cards = list_cards(view.hand, hand)
    kept = np.empty(2, np.uint64)
    for i in range(n):
        positions = positions_of(actions[i])
        size = 0
        run = 0  # kept cards that could lie in one meld
        longest = 0
        before = -9
        kept[0] = kept[1] = np.uint64(0)
        for p in range(num_cards):
            if positions >> p & 1 != 0:
                size += 1
                continue
            rank = hand[p] >> 2
            run = run + 1 if rank - before <= 1 else 1
            longest = max(longest, run)
            before = rank
            kept[hand[p] >> 6] |= bit(hand[p] & 63)
        if not last:
            comes_round = num_cards - size <= rules.improve_per_turn
            worth[i] += per_card * (limit if comes_round else min(longest, limit))
            continue
        spare = max(size - view.reserve[me], 0)  # cards that cannot settle anyway
        most = 0.0
        for cashed in range(size + 1):
            gold = view.gold[me] + cashed * rules.cash_gold
            points = last_row_points(view, rules, row, kept, gold, 0, rules.improve_per_turn, True)
            most = max(most, points - max(cashed - spare, 0))
        worth[i] += most
    return usual.best_of(worth)

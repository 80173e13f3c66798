"""Scholar: the best row at the table.

"I research whenever I can, twice a turn if the coins are there. The lowest card of my hand goes to the row, so I lay my
low cards and keep the high ones; with a high hand everything that I retire is good. What I take goes to hand, the
highest that I may. Five cards and a strong one in the centre are worth a tier, so once the end is near nothing leaves
my row; before that one of it founds a colony each round, the lowest if no better does more, and makes room for the
next. The trick goes to those who need it."
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink import toolkit_turn as usual
from blinksim.games.blink.actions import card_of, kind_of
from blinksim.games.blink.enums import MAX_HAND, Decision, Kind
from blinksim.games.blink.toolkit import rounds_left
from blinksim.games.blink.toolkit_cards import list_cards, row_change
from blinksim.games.blink.toolkit_memory import recall
from blinksim.games.cards import next_card, num_cards
from blinksim.players.policy import Parameter, Strategy, kernel
from blinksim.players.taste import OWN, taste_of, taste_parameters

STRATEGY = Strategy(
    name="scholar",
    summary="researches, and keeps a strong row",
    parameters=(
        *taste_parameters(tile=0.25, coin=1.0, walls=0.25, colony=3.25, retires=0.6, lead=0.15, rank=0.6, suit=0.1),
        Parameter("study", 0.3, 0.0, 5.0, "units", "What research is worth beyond the usual while rounds are left."),
        Parameter("row", 0.35, 0.0, 2.0, "times", "How much a point that the row gains or loses now counts early on."),
        Parameter("save", 0.12, 0.0, 1.0, "units", "What a rank less than the hand's average is worth in a meld."),
        Parameter("close", 1.0, 0.0, 9.0, "rounds", "How long before the end no card leaves the row any more."),
    ),
)
STUDY, ROW, SAVE, CLOSE = OWN, OWN + 1, OWN + 2, OWN + 3


@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice (contract: :mod:`blinksim.players.policy`)."""
    decision = view.decision
    taste = taste_of(params)
    recall(view, taste.memory)
    if decision == Decision.MELD:
        return usual.best_of(usual.rate_melds(view, rules, actions, n, taste, worth_of_low_cards(view, params[SAVE])))
    if decision == Decision.ACT:
        worth = usual.rate_steps(view, rules, actions, n, usual.look(view, rules, taste), taste)
        mind_the_row(view, rules, actions, n, params, worth)
        return usual.best_of(worth)
    if decision == Decision.B_PLACE:
        return usual.best_of(usual.rate_places(view, rules, actions, n, taste))
    return usual.choose(view, rules, actions, n, usual.worth_of_holds(rules, taste.suit), taste.rank)


@kernel
def mind_the_row(view, rules, actions, n, params, worth):  # type: ignore[no-untyped-def]
    """D07: research counts what the row gains; its lowest card leaves first, none near the end. Changes ``worth``."""
    near_end = rounds_left(view, rules) <= params[CLOSE]
    gain = row_change(view, rules, next_card(view.hand, -1))
    lowest = next_card(view.row[view.me], -1)
    full = num_cards(view.row[view.me]) >= rules.slots
    for i in range(n):
        kind = kind_of(actions[i])
        card = card_of(actions[i])
        if kind == Kind.RESEARCH and worth[i] > 0.0:
            worth[i] += params[STUDY] + params[ROW] * gain
        elif kind == Kind.FOUND or kind == Kind.CASH:
            lost = -row_change(view, rules, card)
            if near_end:
                worth[i] -= 2.0 * lost
            elif card != lowest:
                worth[i] -= params[ROW] * lost
            elif full:  # it would leave for nothing when the next card comes
                worth[i] += 1.0


@kernel
def worth_of_low_cards(view, save):  # type: ignore[no-untyped-def]
    """By position in the hand: what laying that card does to the hand that is retired from, (MAX_HAND,) float64."""
    hand = np.empty(MAX_HAND, np.int64)
    num_held = list_cards(view.hand, hand)
    average = 0.0
    for p in range(num_held):
        average += float(hand[p] >> 2) / num_held
    worth = np.zeros(MAX_HAND, np.float64)
    for p in range(num_held):
        worth[p] = save * (average - (hand[p] >> 2))
    return worth

"""Research and trade (sections 3.10 and 3.11)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import buried_card
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.facts import Came, Sink, Went, card_came, card_went, pay
from blinksim.games.blink.knowledge import (
    card_shown,
    card_taken_openly,
    cards_gone_unseen,
    draw_from_market,
    put_under_market,
)
from blinksim.games.blink.scoring import tier
from blinksim.games.blink.victory import leave_row, lowest_cards_of_row
from blinksim.games.cards import add_card, lowest_card, next_card, num_cards, remove_card
from blinksim.jit import kernel


@kernel
def improvement_price(state: np.recarray, rules: np.recarray) -> int:
    """What the next improvement costs, by the number already bought this turn; the last price repeats (R108)."""
    return rules.costs[min(state.improve_bought, rules.num_costs - 1)]


@kernel
def rank_cap(state: np.recarray, rules: np.recarray, seat: int) -> int:
    """The highest rank a seat may take now (R103)."""
    return rules.tier_rank_cap[tier(state, rules, seat)]


@kernel
def can_take(state: np.recarray, rules: np.recarray, seat: int, slot: int) -> bool:
    """Whether the top card of a grid slot is within the seat's rank cap (D12)."""
    return state.grid_top[slot] != 0 and int(state.grid_top[slot]) >> 2 <= rank_cap(state, rules, seat)


@kernel
def can_take_any(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether some top card is within the seat's rank cap."""
    for slot in range(rules.grid_slots):
        if can_take(state, rules, seat, slot):
            return True
    return False


@kernel
def may_research(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether research is legal now (section 3.10; R94, R98, R100)."""
    if (
        rules.research == 0
        or state.improve_used >= rules.improve_per_turn
        or state.hand_size[seat] == 0
        or state.gold[seat] < improvement_price(state, rules)
    ):
        return False
    if state.upgrade_count > 0:
        return True
    return rules.empty_deck_forbids == 0 and can_take_any(state, rules, seat)


@kernel
def may_trade(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether trade is legal now (section 3.11; R105)."""
    return (
        rules.trade != 0
        and state.improve_used < rules.improve_per_turn
        and state.market_count >= rules.trade_cards
        and state.gold[seat] >= improvement_price(state, rules)
    )


@kernel
def cover_slot(state: np.recarray, rules: np.recarray) -> int:
    """Which slot a drawn card covers: the highest (or lowest) top rank, first in reading order (R97)."""
    best = -1
    for slot in range(rules.grid_slots):
        rank = int(state.grid_top[slot]) >> 2
        if rank == 0:
            continue
        if best < 0:
            best = slot
            continue
        than = int(state.grid_top[best]) >> 2
        if rank < than if rules.cover_lowest != 0 else rank > than:
            best = slot
    return best


@kernel
def draw_upgrade(state: np.recarray, slot: int) -> None:
    """The top card of the upgrade deck goes face up on a grid slot."""
    state.upgrade_count -= 1
    card = int(state.upgrade[state.upgrade_count])
    state.upgrade[state.upgrade_count] = 0
    remove_card(state.deck, card)
    state.under[card] = state.grid_top[slot]
    state.grid_top[slot] = card
    state.grid_depth[slot] += 1


@kernel
def num_lowest(hand: np.ndarray) -> int:
    """How many cards of a set share its lowest rank (D10)."""
    first = lowest_card(hand)
    count = 0
    card = first
    while card >= 0 and card >> 2 == first >> 2:
        count += 1
        card = next_card(hand, card)
    return count


@kernel
def begin_research(state: np.recarray, rules: np.recarray, facts: np.recarray) -> bool:
    """Research: draw, cover, and go on to the card that is retired (section 3.10, steps 1 to 3).

    Returns:
        Whether a decision is due; False where the research failed.
    """
    seat = state.active
    state.covered_slot = -1
    if facts.on != 0:
        facts.price = improvement_price(state, rules)
        facts.retired = 0
        facts.dropped = 0
    if state.upgrade_count > 0:
        state.covered_slot = cover_slot(state, rules)
        draw_upgrade(state, state.covered_slot)
    if not can_take_any(state, rules, seat):  # R95
        state.improve_used += rules.failed_counts
        state.improve_bought += rules.failed_raises_price
        return False
    state.improve_used += 1
    choices = state.hand_size[seat] if rules.retire_any != 0 else num_lowest(state.hand[seat])
    if choices > 1:
        state.decision = Decision.RESEARCH_RETIRE
    else:
        retire(state, rules, facts, lowest_card(state.hand[seat]))
    return True


@kernel
def retire(state: np.recarray, rules: np.recarray, facts: np.recarray, card: int) -> None:
    """A hand card goes to the victory row; an overfull row loses its lowest (step 3, D10 and D11)."""
    seat = state.active
    remove_card(state.hand[seat], card)
    state.hand_size[seat] -= 1
    card_shown(state, seat, card)
    card_went(facts, seat, card, Went.RETIRED.value)
    add_card(state.row[seat], card)
    state.retired_card = card
    facts.retired = card
    if num_cards(state.row[seat]) > rules.slots:
        if rules.overflow_choice != 0 or lowest_cards_of_row(state, seat) > 1:
            state.decision = Decision.ROW_OVERFLOW
            return
        overflow(state, rules, facts, lowest_card(state.row[seat]))
        return
    pay_research(state, rules, facts)


@kernel
def overflow(state: np.recarray, rules: np.recarray, facts: np.recarray, card: int) -> None:
    """A card leaves an overfull row (R102, R111)."""
    leave_row(state, state.active, card, rules.overflow_removed)
    facts.dropped = card
    pay_research(state, rules, facts)


@kernel
def pay_research(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """The price is paid, a card is due (step 4)."""
    pay(state, facts, state.active, Sink.RESEARCH.value, improvement_price(state, rules))
    state.improve_bought += 1
    state.decision = Decision.RESEARCH_TAKE


@kernel
def take(state: np.recarray, slot: int) -> None:
    """The top card of a slot is taken, what it covered lies open again (D12, R99)."""
    card = int(state.grid_top[slot])
    state.grid_top[slot] = state.under[card]
    state.under[card] = 0
    state.grid_depth[slot] -= 1
    state.taken_card = card
    state.decision = Decision.RESEARCH_TO


@kernel
def finish_research(state: np.recarray, rules: np.recarray, facts: np.recarray, to_hand: bool) -> None:
    """The card taken goes to hand or discard; empty slots are filled again (D13, step 5)."""
    seat = state.active
    card = state.taken_card
    card_came(facts, seat, card, Came.RESEARCHED.value)
    if to_hand:
        add_card(state.hand[seat], card)
        state.hand_size[seat] += 1
        card_taken_openly(state, seat, card)
    else:
        add_card(state.discard[seat], card)
    fill_grid(state, rules)


@kernel
def fill_grid(state: np.recarray, rules: np.recarray) -> None:
    """Empty slots are filled from the deck in reading order while it lasts (step 5)."""
    for slot in range(rules.grid_slots):
        if state.grid_top[slot] == 0 and state.upgrade_count > 0:
            draw_upgrade(state, slot)


@kernel
def begin_trade(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """Trade: pay, and draw the top of the market unseen by others (section 3.11)."""
    seat = state.active
    if facts.on != 0:
        facts.price = improvement_price(state, rules)
    state.improve_used += 1
    pay(state, facts, seat, Sink.TRADE.value, improvement_price(state, rules))
    state.improve_bought += 1
    for _ in range(rules.trade_cards):
        card = draw_from_market(state, seat)
        card_came(facts, seat, card, Came.TRADED.value)
    state.decision = Decision.TRADE_BURY


@kernel
def bury(state: np.recarray, rules: np.recarray, facts: np.recarray, action: int) -> None:
    """Hand cards go under the market in the order chosen, the first ends highest (D14, R106)."""
    seat = state.active
    for i in range(rules.trade_cards):
        card = buried_card(action, i)
        remove_card(state.hand[seat], card)
        state.hand_size[seat] -= 1
        card_went(facts, seat, card, Went.BURIED.value)
        put_under_market(state, card, seat)
    cards_gone_unseen(state, seat, rules.trade_cards)

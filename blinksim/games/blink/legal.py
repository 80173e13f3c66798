"""What is legal: the list of choices of the decision that is due (section 2).

One dispatch on the decision, each branch a function of its own. :mod:`blinksim.games.blink.check` judges single choices
and gives reasons; it is written separately, so that tests can hold one against the other.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import (
    HERE,
    LATER,
    RETREAT_HOME,
    TO_DISCARD,
    TO_HAND,
    bury_action,
    card_action,
    card_on_tile,
    space_action,
    tile_action,
)
from blinksim.games.blink.duel import has_wall, retreat_tiles
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Kind
from blinksim.games.blink.improve import can_take, may_research, may_trade
from blinksim.games.blink.mapping import NONE, occupied, space_within, tiles_in_reach, touches
from blinksim.games.blink.melds import list_melds, list_passes
from blinksim.games.blink.movement import list_fortify, list_moves, list_water, may_use_water
from blinksim.games.blink.scoring import tier, wall_value
from blinksim.games.blink.victory import (
    band,
    can_place,
    may_declare,
    may_found_on,
    may_lie_between,
    may_use_b,
    may_use_c,
    next_bridged_cell,
)
from blinksim.games.cards import is_empty, next_card
from blinksim.games.hexmap import NEIGHBOUR_STEPS
from blinksim.jit import drop_lowest, kernel, lowest


@kernel
def list_actions(state: np.recarray, rules: np.recarray, actions: np.ndarray) -> int:
    """List the legal choices of the decision that is due, each once (section 2).

    Args:
        state: Game in progress; read only.
        rules: The ruleset.
        actions: (MAX_ACTIONS,) int64, filled from the front.

    Returns:
        How many entries of ``actions`` are filled; 0 once the game is over.

    Raises:
        ValueError: more choices than ``actions`` has room for.
    """
    decision = state.decision
    seat = state.seat
    if decision == Decision.ACT:
        n = list_turn(state, rules, seat, actions)
    elif decision == Decision.MELD:
        n = list_melds(state.hand[seat], rules.tier_meld_limit[tier(state, rules, seat)], actions, 0)
    elif decision == Decision.DECLARE_A:
        n = list_declarations(state, rules, seat, actions)
    elif decision == Decision.SET_ASIDE:
        n = list_cards(state.meld[seat], Kind.ASIDE.value, actions, 0)
    elif decision == Decision.DEFEND:
        n = list_answers(state, rules, seat, actions)
    elif decision == Decision.RETREAT:
        n = list_retreats(state, rules, seat, actions)
    elif decision == Decision.RESEARCH_RETIRE:
        n = list_retirable(state, rules, seat, actions)
    elif decision == Decision.ROW_OVERFLOW:
        n = list_overflow(state, rules, seat, actions)
    elif decision == Decision.RESEARCH_TAKE:
        n = list_takes(state, rules, seat, actions)
    elif decision == Decision.RESEARCH_TO:
        n = list_destinations(rules, actions)
    elif decision == Decision.TRADE_BURY:
        n = list_burials(state, rules, seat, actions)
    elif decision == Decision.B_PLACE:
        n = list_places(state, rules, seat, actions)
    elif decision == Decision.B_UNIT:
        actions[0] = tile_action(Kind.UNIT.value, HERE)
        actions[1] = tile_action(Kind.UNIT.value, LATER)
        n = 2
    elif decision == Decision.DRAFT_PASS:
        n = list_passes(state.hand[seat], rules.pass_cards[state.pass_number], actions, 0)
    elif decision == Decision.OBJECTIVE_KEEP:
        n = list_objectives(state, seat, Kind.KEEP.value, actions)
    elif decision == Decision.OBJECTIVE_SHOW:
        n = list_objectives(state, seat, Kind.SHOW.value, actions)
    else:
        n = 0
    if n > MAX_ACTIONS:
        raise ValueError("more legal choices than MAX_ACTIONS")
    return n


@kernel
def list_cards(cards: np.ndarray, kind: int, actions: np.ndarray, n: int) -> int:
    """One action for each card of a set."""
    card = next_card(cards, -1)
    while card >= 0:
        actions[n] = card_action(kind, card)
        n += 1
        card = next_card(cards, card)
    return n


@kernel
def list_objectives(state: np.recarray, seat: int, kind: int, actions: np.ndarray) -> int:
    """Which objective to keep or to show (D01, D03)."""
    n = state.num_objectives[seat]
    for i in range(n):
        actions[i] = card_action(kind, state.objectives[seat, i])
    return n


@kernel
def list_declarations(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """None, or a row card (D05)."""
    actions[0] = card_action(Kind.DECLARE.value, 0)
    n = 1
    card = next_card(state.row[seat], -1)
    while card >= 0:
        if may_declare(state, rules, seat, card):
            actions[n] = card_action(Kind.DECLARE.value, card)
            n += 1
        card = next_card(state.row[seat], card)
    return n


@kernel
def list_answers(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """None, or a hand card; against a wall only cards above it are offered (D08, R54, R56, R57)."""
    actions[0] = card_action(Kind.DEFEND.value, 0)
    n = 1
    above = wall_value(state, rules, seat) if has_wall(state, rules, state.attack_tile) else 0
    card = next_card(state.hand[seat], 4 * above + 3)
    while card >= 0:
        actions[n] = card_action(Kind.DEFEND.value, card)
        n += 1
        card = next_card(state.hand[seat], card)
    return n


@kernel
def list_retreats(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """Where a beaten unit falls back to (D09, R64, R65)."""
    n = 0
    where = retreat_tiles(state, rules, seat)
    while where != NONE:
        actions[n] = tile_action(Kind.RETREAT.value, lowest(where))
        where = drop_lowest(where)
        n += 1
    if rules.retreat_optional != 0:
        actions[n] = RETREAT_HOME
        n += 1
    return n


@kernel
def list_lowest(cards: np.ndarray, kind: int, every: bool, actions: np.ndarray) -> int:
    """The cards that share a set's lowest rank, or every card."""
    n = 0
    first = next_card(cards, -1)
    card = first
    while card >= 0 and (every or card >> 2 == first >> 2):
        actions[n] = card_action(kind, card)
        n += 1
        card = next_card(cards, card)
    return n


@kernel
def list_retirable(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """Which hand card goes to the row (D10)."""
    return list_lowest(state.hand[seat], Kind.RETIRE.value, rules.retire_any != 0, actions)


@kernel
def list_overflow(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """Which card leaves an overfull row (D11)."""
    return list_lowest(state.row[seat], Kind.DROP.value, rules.overflow_choice != 0, actions)


@kernel
def list_takes(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """Which grid card is taken (D12)."""
    n = 0
    for slot in range(rules.grid_slots):
        if can_take(state, rules, seat, slot):
            actions[n] = card_action(Kind.TAKE.value, slot)
            n += 1
    return n


@kernel
def list_destinations(rules: np.recarray, actions: np.ndarray) -> int:
    """Where the card taken goes (D13)."""
    n = 0
    if rules.to_hand != 0:
        actions[n] = tile_action(Kind.TO.value, TO_HAND)
        n += 1
    if rules.to_discard != 0:
        actions[n] = tile_action(Kind.TO.value, TO_DISCARD)
        n += 1
    return n


@kernel
def list_burials(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """Ordered hand cards for the market bottom (D14)."""
    hand = state.hand[seat]
    n = 0
    a = next_card(hand, -1)
    while a >= 0:
        b = next_card(hand, -1) if rules.trade_cards > 1 else 0
        while b >= 0:
            if b != a:
                c = next_card(hand, -1) if rules.trade_cards > 2 else 0
                while c >= 0:
                    if c == 0 or (c != a and c != b):
                        actions[n] = bury_action(a, b, c)
                        n += 1
                    c = next_card(hand, c) if c > 0 else -1
            b = next_card(hand, b) if b > 0 else -1
        a = next_card(hand, a)
    return n


@kernel
def list_places(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """Where effect B lays its next tile, and of which terrain (D15; section 3.12)."""
    n = 0
    card = state.b_card
    suit = card & 3
    if state.b_distant >= 0:
        for s in range(state.num_spaces):
            if may_lie_between(state, rules, seat, s, state.b_distant):
                actions[n] = space_action(Kind.PLACE.value, 0, 0, s, int(state.space_cell[s]), suit)
                n += 1
        return n
    any_terrain = rules.band_any[band(rules, card)] != 0
    for s in range(state.num_spaces):
        if not may_found_on(state, rules, seat, card, s):
            continue
        for terrain in range(4):
            if state.supply[terrain] >= 1 and (any_terrain or terrain == suit):
                actions[n] = space_action(Kind.PLACE.value, 0, 0, s, int(state.space_cell[s]), terrain)
                n += 1
    number = next_bridged_cell(state, rules, seat, card, -1)
    while number >= 0:
        cell = int(state.space_cell[number // 6]) + NEIGHBOUR_STEPS[number % 6]
        actions[n] = space_action(Kind.PLACE.value, 0, 0, 255, cell, suit)
        n += 1
        number = next_bridged_cell(state, rules, seat, card, number)
    return n


@kernel
def list_turn(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """The menu of a map turn (D07; section 2.4)."""
    n = list_card_actions(state, rules, seat, actions)
    if state.moves_left >= 1:
        n = list_moves(state, rules, seat, actions, n)
    if may_use_water(state, rules):
        n = list_water(state, rules, seat, actions, n)
    n = list_fortify(state, rules, seat, actions, n)
    if may_research(state, rules, seat):
        actions[n] = Kind.RESEARCH.value
        n += 1
    if may_trade(state, rules, seat):
        actions[n] = Kind.TRADE.value
        n += 1
    if not is_empty(state.row[seat]):
        n = list_row_actions(state, rules, seat, actions, n)
    if rules.must_resolve_all == 0 or is_empty(state.meld[seat]):
        actions[n] = Kind.END.value
        n += 1
    return n


@kernel
def list_card_actions(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray) -> int:
    """Settle, explore, attack and gold with each meld card (section 2.4; R41, R45, R46, R53)."""
    meld = state.meld[seat]
    if is_empty(meld):
        return 0
    n = 0
    reach = tiles_in_reach(state, rules, seat)
    taken = occupied(state)
    own = state.own[seat]
    settle = reach & state.with_room & (own | ~taken) if state.reserve[seat] >= 1 else NONE
    attack = reach & taken & ~own if state.round_number > rules.no_attack_rounds else NONE
    first_space = -1  # where the explored spaces of an earlier card stand in the list
    last_space = -1
    card = next_card(meld, -1)
    while card >= 0:
        suit = card & 3
        of_suit = state.of_terrain[suit] if rules.suit_must_match != 0 else ~NONE
        tiles = settle & of_suit
        while tiles != NONE:
            actions[n] = card_on_tile(Kind.SETTLE.value, card, lowest(tiles))
            tiles = drop_lowest(tiles)
            n += 1
        tiles = attack & of_suit
        while tiles != NONE:
            actions[n] = card_on_tile(Kind.ATTACK.value, card, lowest(tiles))
            tiles = drop_lowest(tiles)
            n += 1
        if state.supply[suit] >= 1:
            if first_space < 0:
                first_space = n
                for s in range(state.num_spaces):
                    if touches(state, s) >= rules.explore_min_touch and space_within(
                        state, rules, seat, s, rules.reach
                    ):
                        actions[n] = space_action(Kind.EXPLORE.value, card, 0, s, int(state.space_cell[s]), 0)
                        n += 1
                last_space = n
            else:
                for i in range(first_space, last_space):
                    actions[n] = (actions[i] & ~(127 << 5)) | card << 5
                    n += 1
        actions[n] = card_action(Kind.GOLD.value, card)
        n += 1
        card = next_card(meld, card)
    return n


@kernel
def list_row_actions(state: np.recarray, rules: np.recarray, seat: int, actions: np.ndarray, n: int) -> int:
    """Effects B and C of each row card (section 3.12; R110, R113)."""
    b_free = may_use_b(state, rules, seat)
    c_free = may_use_c(state, rules, seat)
    card = next_card(state.row[seat], -1)
    while card >= 0:
        if b_free and can_place(state, rules, seat, card):
            actions[n] = card_action(Kind.FOUND.value, card)
            n += 1
        if c_free:
            actions[n] = card_action(Kind.CASH.value, card)
            n += 1
        card = next_card(state.row[seat], card)
    return n

"""The course of a round: melds, declarations, dues, turns, recycles, the end (sections 3.3 to 3.5, 3.9 and 3.13)."""

from __future__ import annotations

from typing import Any

import numpy as np

from blinksim.games.blink.actions import positions_of
from blinksim.games.blink.enums import Decision, NextLeader, Outcome
from blinksim.games.blink.fact_rows import end_of_game, end_of_round, note_laying, note_trick
from blinksim.games.blink.facts import Source, Use, gain, use_card
from blinksim.games.blink.knowledge import cards_shown, hand_known
from blinksim.games.blink.objectives import count_arrangements, num_held
from blinksim.games.blink.scoring import is_winner
from blinksim.games.blink.trick import rank_trick
from blinksim.games.blink.victory import leave_row, may_declare
from blinksim.games.cards import add_card, cards_at, is_empty, next_card, num_cards, remove_card
from blinksim.jit import kernel


@kernel
def recycle(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int) -> None:
    """A seat takes its discard as its new hand and is paid for its objectives (section 3.9; R92, R140)."""
    income = rules.income_per_objective * num_held(state, seat)
    gain(state, facts, seat, Source.INCOME.value, income)
    if facts.on != 0:
        for i in range(state.num_objectives[seat]):
            if count_arrangements(state, seat, state.objectives[seat, i]) > 0:
                facts.objective_gold[seat, i] += rules.income_per_objective
    state.last_income[seat] = income
    state.recycles[seat] += 1
    for w in range(2):
        state.hand[seat, w] = state.discard[seat, w]
        state.discard[seat, w] = 0
    state.hand_size[seat] = num_cards(state.hand[seat])
    hand_known(state, seat)


@kernel
def recycle_check(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int) -> None:
    """Recycle between two actions where hand and meld are empty (section 3.9; R87 to R90; K10)."""
    if state.hand_size[seat] != 0 or not is_empty(state.meld[seat]):
        return
    if state.turn_done[seat] != 0:
        if rules.recycle_after_turn == 0:
            return
    elif rules.recycle_at_turn_start != 0 and seat != state.active:
        return
    recycle(state, rules, facts, seat)


# Melds and declarations


@kernel
def start_round(state: np.recarray, rules: np.recarray) -> None:
    """A new round: every allowance is fresh, the leader lays first (sections 2.3 and 3.5)."""
    state.round_number += 1
    state.winner = -1
    state.turn = -1
    state.active = -1
    for seat in range(state.players):
        state.turn_done[seat] = 0
        state.spends[seat] = 0
        state.spent_a[seat] = 0
        state.spent_b[seat] = 0
        state.spent_c[seat] = 0
        state.declared[seat] = 0
        state.meld_size[seat] = 0
    state.decision = Decision.MELD
    state.seat = state.leader


@kernel
def lay_meld(state: np.recarray, rules: np.recarray, facts: np.recarray, action: int) -> None:
    """A meld is laid face down; after the last all are revealed (D04, R24)."""
    seat = state.seat
    note_laying(state, rules, facts, seat)
    cards_at(state.hand[seat], positions_of(action), state.laid[seat])
    for w in range(2):
        state.hand[seat, w] &= ~state.laid[seat, w]
    size = num_cards(state.laid[seat])
    state.meld_size[seat] = size
    state.hand_size[seat] -= size
    state.seat = (seat + 1) % state.players
    if state.seat == state.leader:
        reveal_melds(state, rules, facts)


@kernel
def reveal_melds(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """All melds are turned up; declarations follow (section 2.3)."""
    for seat in range(state.players):
        for w in range(2):
            state.meld[seat, w] = state.laid[seat, w]
            state.laid[seat, w] = 0
        cards_shown(state, seat, state.meld[seat])
        if facts.on != 0:
            card = next_card(state.meld[seat], -1)
            while card >= 0:
                use_card(facts, seat, card, Use.PLAYED.value)
                card = next_card(state.meld[seat], card)
    next_declaration(state, rules, facts, 0)


@kernel
def can_declare(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether a seat has anything it may declare (D05)."""
    card = next_card(state.row[seat], -1)
    while card >= 0:
        if may_declare(state, rules, seat, card):
            return True
        card = next_card(state.row[seat], card)
    return False


@kernel
def next_declaration(state: np.recarray, rules: np.recarray, facts: np.recarray, first: int) -> None:
    """Ask the next seat that may declare an A, from the ``first`` after the leader on; then the trick (R25, R136)."""
    for i in range(first, state.players):
        seat = (state.leader + i) % state.players
        if can_declare(state, rules, seat):
            state.decision = Decision.DECLARE_A
            state.seat = seat
            return
    resolve_trick(state, rules, facts)


@kernel
def declare(state: np.recarray, rules: np.recarray, facts: np.recarray, card: int) -> None:
    """A seat declares a row card for effect A, or none (D05; R26)."""
    seat = state.seat
    if card != 0:
        state.declared[seat] = card
        state.spends[seat] += 1
        state.spent_a[seat] += 1
        leave_row(state, seat, card, rules.spent_removed)
    next_declaration(state, rules, facts, (seat - state.leader + state.players) % state.players + 1)


@kernel
def resolve_trick(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """The trick is ranked and the dues begin with its winner (sections 3.3 and 3.4)."""
    rank_trick(state, rules, state.order)
    state.winner = state.order[0]
    state.winner_cards = num_cards(state.meld[state.winner])
    note_trick(state, rules, facts)
    state.dues = 0
    pay_last_place(state, rules, facts, state.winner)
    go_on_with_dues(state, rules, facts)


# Dues


@kernel
def pay_last_place(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: Any) -> None:
    """Gold for the seat that ranked last, when its dues come (section 3.4, R36)."""
    if seat == state.order[state.players - 1]:
        gain(state, facts, seat, Source.LAST_PLACE.value, rules.last_place_gold)
        if facts.on != 0:
            facts.dues_gold[seat] += rules.last_place_gold


@kernel
def must_set_aside(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether a seat owes another card (section 3.4; R34, R35)."""
    if rules.set_aside == 0 or (seat == state.winner and rules.set_aside_winner_exempt != 0):
        return False
    size = num_cards(state.meld[seat])
    return size >= state.winner_cards and size > rules.set_aside_min_kept


@kernel
def go_on_with_dues(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """Dues clockwise from the winner; stops where a card must be chosen (R37), ends with the first map turn."""
    n = state.players
    while state.dues < n:
        seat = (state.winner + state.dues) % n
        if must_set_aside(state, rules, seat):
            state.decision = Decision.SET_ASIDE
            state.seat = seat
            return
        recycle_check(state, rules, facts, seat)
        state.dues += 1
        if state.dues < n:
            pay_last_place(state, rules, facts, (seat + 1) % n)
    state.turn = 0
    begin_turn(state, rules, facts)


@kernel
def set_aside(state: np.recarray, rules: np.recarray, facts: np.recarray, card: int) -> None:
    """One card of the own meld is set aside for gold (D06; R38)."""
    seat = state.seat
    remove_card(state.meld[seat], card)
    add_card(state.discard[seat], card)
    use_card(facts, seat, card, Use.SET_ASIDE.value)
    gain(state, facts, seat, Source.SET_ASIDE.value, rules.set_aside_gold)
    if facts.on != 0:
        facts.aside[seat] += 1
        facts.dues_gold[seat] += rules.set_aside_gold
    go_on_with_dues(state, rules, facts)


# Turns


@kernel
def begin_turn(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """The next seat in initiative order takes its map turn (section 3.5; R43, R44; K10)."""
    seat = state.order[state.turn]
    state.active = seat
    if rules.recycle_at_turn_start != 0:
        recycle_check(state, rules, facts, seat)
    state.moves_left = rules.move_per_card * num_cards(state.meld[seat])
    state.improve_used = 0
    state.improve_bought = 0
    state.water_used = 0
    back_to_turn(state)


@kernel
def back_to_turn(state: np.recarray) -> None:
    """The active seat chooses its next action; nothing else is under way."""
    state.decision = Decision.ACT
    state.seat = state.active
    state.attack_card = 0
    state.attack_tile = -1
    state.answer_card = 0
    state.retreat_coins = 0
    state.retired_card = 0
    state.covered_slot = -1
    state.taken_card = 0
    state.b_card = 0
    state.b_tile_number = 0
    state.b_owed = 0
    state.b_last = -1
    state.b_open = 0
    state.b_distant = -1


@kernel
def action_done(state: np.recarray, rules: np.recarray, facts: np.recarray, defender: int) -> None:
    """After every completed action: recycles of the active seat, then of the defender if any (section 3.5, R71)."""
    recycle_check(state, rules, facts, state.active)
    if defender >= 0:
        recycle_check(state, rules, facts, defender)
    back_to_turn(state)


@kernel
def end_turn(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray) -> None:
    """The turn is over; unused movements and improvements vanish (section 3.5, R82; K7)."""
    seat = state.active
    card = next_card(state.meld[seat], -1)
    while card >= 0:
        use_card(facts, seat, card, Use.DROPPED.value)
        remove_card(state.meld[seat], card)
        add_card(state.discard[seat], card)
        card = next_card(state.meld[seat], card)
    state.turn_done[seat] = 1
    recycle_check(state, rules, facts, seat)
    state.turn += 1
    if state.turn < state.players:
        begin_turn(state, rules, facts)
    else:
        end_round(state, rules, facts, events)


# The end of the round and of the game


@kernel
def next_leader(state: np.recarray, rules: np.recarray) -> int:
    """Who leads the next round (``trick.next_leader``; R39)."""
    if rules.next_leader == NextLeader.CLOCKWISE:
        return (state.leader + 1) % state.players
    if rules.next_leader == NextLeader.LAST:
        return state.order[state.players - 1]
    return state.winner


@kernel
def end_is_triggered(state: np.recarray, rules: np.recarray) -> bool:
    """Whether a round's end arms the end of the game (R127, R129; K4)."""
    if rules.end_any_time != 0 and state.emptied != 0:
        return True
    for seat in range(state.players):
        if state.reserve[seat] == 0:
            return True
    return False


@kernel
def end_round(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray) -> None:
    """Last recycles, the next leader, and the end of the game where it is due (section 3.13; R90, R128)."""
    for i in range(state.players):
        if state.hand_size[state.order[i]] == 0:
            recycle(state, rules, facts, state.order[i])
    state.leader = next_leader(state, rules)
    back_to_turn(state)
    state.turn = -1
    state.active = -1
    if state.armed == 0 and end_is_triggered(state, rules):
        state.armed = 1
        state.last_round = state.round_number + rules.extra_rounds
    end_of_round(state, rules, facts, events)
    if state.armed != 0:
        if state.round_number == state.last_round:
            finish_game(state, rules, facts, events)
            return
    elif state.round_number >= rules.max_rounds:  # R133
        state.outcome = Outcome.STALLED
        close_game(state, rules, facts, events)
        return
    start_round(state, rules)


@kernel
def finish_game(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray) -> None:
    """The game is scored (section 3.13)."""
    winners = 0
    for seat in range(state.players):
        if is_winner(state, rules, seat):
            winners += 1
    state.outcome = Outcome.WON if winners == 1 else Outcome.SHARED
    close_game(state, rules, facts, events)


@kernel
def close_game(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray) -> None:
    """Nothing is to be decided any more."""
    state.decision = Decision.OVER
    state.seat = -1
    end_of_game(state, rules, facts, events)

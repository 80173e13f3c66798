"""Setup: the deal, the draft, the map and the objectives (section 2.2)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import card_of, positions_of
from blinksim.games.blink.enums import Decision, ObjectiveMode
from blinksim.games.blink.facts import Came, Went, card_came, card_went
from blinksim.games.blink.improve import fill_grid
from blinksim.games.blink.knowledge import clamp_unsure, viewer_got_card
from blinksim.games.blink.mapping import lay_tile, put_unit
from blinksim.games.blink.rounds import start_round
from blinksim.games.cards import add_card, cards_at, next_card
from blinksim.jit import clear_fields, kernel


@kernel
def set_up(
    state: np.recarray,
    rules: np.recarray,
    facts: np.recarray,
    start_player: int,
    starting_deck: np.ndarray,
    upgrade_deck: np.ndarray,
    objectives: np.ndarray,
) -> None:
    """Make a state the game before its first decision (section 2.2).

    Args:
        state: Overwritten.
        facts: Cleared by the caller; notes how cards came.
        start_player: Seat that leads the first round.
        starting_deck: Card numbers, top first; seat s is dealt entries ``hand_size * s`` to ``hand_size * (s + 1)``.
        upgrade_deck: Card numbers, top first.
        objectives: Codes; seat s is dealt ``dealt * s`` to ``dealt * (s + 1)``; in mode ``open`` the first are
            everybody's.
    """
    clear_fields(state)
    state.players = rules.players
    state.start_player = start_player
    state.leader = -1
    state.winner = -1
    state.turn = -1
    state.active = -1
    state.attack_tile = -1
    state.covered_slot = -1
    state.b_last = -1
    state.b_distant = -1
    for t in range(4):
        state.supply[t] = rules.tiles[t]
    for i in range(rules.start_tiles):
        lay_tile(state, rules, rules.start_cell[i], rules.start_terrain[i])
    for seat in range(rules.players):
        state.pending[seat] = -1
        state.shown[seat] = -1
        state.last_income[seat] = -1
        state.gold[seat] = rules.starting_gold
        state.reserve[seat] = rules.total_units - rules.start_units
        facts.lowest_reserve[seat] = state.reserve[seat]
        if state.reserve[seat] == 0:
            state.emptied = 1
        for _ in range(rules.start_units):
            put_unit(state, rules, seat, seat)  # the homelands are the first tiles, in seat order
        state.hand_size[seat] = rules.hand_size
        for i in range(rules.hand_size):
            card = starting_deck[rules.hand_size * seat + i]
            add_card(state.hand[seat], card)
            card_came(facts, seat, card, Came.DEALT.value)
        for i in range(rules.objectives_dealt):
            if rules.objective_mode == ObjectiveMode.OPEN:
                state.objectives[seat, i] = objectives[i]
            elif rules.objective_mode != ObjectiveMode.NONE:
                state.objectives[seat, i] = objectives[rules.objectives_dealt * seat + i]
    first = rules.hand_size * rules.players
    for i in range(first, len(starting_deck)):
        state.market[i - first] = starting_deck[i]
        state.market_count += 1
    state.upgrade_count = len(upgrade_deck)
    for i in range(len(upgrade_deck)):
        state.upgrade[len(upgrade_deck) - 1 - i] = upgrade_deck[i]
        add_card(state.deck, upgrade_deck[i])
    if rules.objective_mode == ObjectiveMode.SECRET:  # dealt before the draft (R14)
        hand_out_objectives(state, rules)
        state.decision = Decision.OBJECTIVE_KEEP
        state.seat = 0
        return
    begin_draft(state, rules)


@kernel
def hand_out_objectives(state: np.recarray, rules: np.recarray) -> None:
    """Every seat may look at its objectives (section 2.2; R17)."""
    for seat in range(state.players):
        state.num_objectives[seat] = rules.objectives_dealt


@kernel
def keep_objective(state: np.recarray, rules: np.recarray, action: int) -> None:
    """A seat keeps one objective, the others go back unseen; all at once (D01, R16)."""
    state.pending[state.seat] = action
    state.seat += 1
    if state.seat < state.players:
        return
    for seat in range(state.players):
        state.objectives[seat, 0] = card_of(state.pending[seat])
        for i in range(1, rules.objectives_dealt):
            state.objectives[seat, i] = 0
        state.num_objectives[seat] = 1
        state.pending[seat] = -1
    begin_draft(state, rules)


@kernel
def begin_draft(state: np.recarray, rules: np.recarray) -> None:
    """The first pass of the draft, or none (section 2.2, step 3; K5)."""
    state.pass_number = 0
    state.seat = 0
    if rules.num_passes > 0:
        state.decision = Decision.DRAFT_PASS
    else:
        end_draft(state, rules)


@kernel
def pass_cards(state: np.recarray, rules: np.recarray, facts: np.recarray, action: int) -> None:
    """A seat chooses the cards it passes; after the last seat all move at once (D02, R8)."""
    state.pending[state.seat] = action
    state.seat += 1
    if state.seat < state.players:
        return
    move_passes(state, rules, facts)
    state.pass_number += 1
    state.seat = 0
    if state.pass_number == rules.num_passes:
        end_draft(state, rules)


@kernel
def move_passes(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """All passes of one turn of the draft change hands, and what that shows to whom is noted."""
    n = state.players
    step = rules.pass_step[state.pass_number]
    passed = np.zeros((4, 2), np.uint64)
    for giver in range(n):
        cards_at(state.hand[giver], positions_of(state.pending[giver]), passed[giver])
        state.pending[giver] = -1
        for w in range(2):
            state.hand[giver, w] &= ~passed[giver, w]
    for giver in range(n):
        receiver = (giver + step + n) % n
        for viewer in range(n):
            if viewer != giver and viewer != receiver:
                state.unsure[viewer, giver] += rules.pass_cards[state.pass_number]
        card = next_card(passed[giver], -1)
        while card >= 0:
            viewer_got_card(state, receiver, card, giver)
            add_card(state.hand[receiver], card)
            card_went(facts, giver, card, Went.PASSED.value)
            card_came(facts, receiver, card, Came.DRAFTED.value)
            card = next_card(passed[giver], card)
    for seat in range(n):
        clamp_unsure(state, seat)
    for giver in range(n):
        receiver = (giver + step + n) % n
        for w in range(2):
            state.seen_hand[giver, receiver, w] |= passed[giver, w]
            state.passed[giver, w] |= passed[giver, w]


@kernel
def end_draft(state: np.recarray, rules: np.recarray) -> None:
    """Grid and objectives after the draft (section 2.2, steps 6 and 7; R10, R14, R15)."""
    fill_grid(state, rules)
    if rules.objective_mode != ObjectiveMode.NONE and rules.objective_mode != ObjectiveMode.SECRET:
        hand_out_objectives(state, rules)
    if rules.objective_mode == ObjectiveMode.SHOW_ONE:
        state.decision = Decision.OBJECTIVE_SHOW
        state.seat = 0
        return
    end_setup(state, rules)


@kernel
def show_objective(state: np.recarray, rules: np.recarray, action: int) -> None:
    """A seat chooses which objective lies face up; all are turned at once (D03, R15)."""
    state.pending[state.seat] = action
    state.seat += 1
    if state.seat < state.players:
        return
    for seat in range(state.players):
        state.shown[seat] = card_of(state.pending[seat])
        state.pending[seat] = -1
    end_setup(state, rules)


@kernel
def end_setup(state: np.recarray, rules: np.recarray) -> None:
    """The start player becomes the first leader and the first round begins (step 8, R11)."""
    state.leader = state.start_player
    start_round(state, rules)

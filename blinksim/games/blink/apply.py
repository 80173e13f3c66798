"""What follows: one choice is carried out and the next decision made due (section 3).

One dispatch on the decision, and one on the kind of action within a map turn; each branch is a rule function.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import HERE, TO_HAND, card_of, cell_of, kind_of, terrain_of, tile_of, to_tile_of
from blinksim.games.blink.deal import keep_objective, pass_cards, show_objective
from blinksim.games.blink.duel import begin_duel, defend, retreat, strip_arrival
from blinksim.games.blink.enums import Decision, Kind
from blinksim.games.blink.fact_rows import duel_row, note_decision, research_row, spend_row, trade_row
from blinksim.games.blink.facts import Source, Use, from_reserve, gain, use_card
from blinksim.games.blink.improve import begin_research, begin_trade, bury, finish_research, overflow, retire, take
from blinksim.games.blink.mapping import lay_tile, put_unit
from blinksim.games.blink.movement import fortify, move_unit, use_water
from blinksim.games.blink.rounds import action_done, declare, end_turn, lay_meld, set_aside
from blinksim.games.blink.victory import answer_unit, cash, found, place
from blinksim.games.cards import add_card, remove_card
from blinksim.jit import kernel


@kernel
def apply_action(state: np.recarray, rules: np.recarray, action: int, facts: np.recarray, events: np.ndarray) -> None:
    """Carry out a legal choice and go on to the next decision.

    Args:
        state: Game in progress; changed in place.
        rules: The ruleset.
        action: One of the legal choices; not checked.
        facts: What the game leaves behind; nothing where ``facts.on`` is 0.
        events: Rows of the fact tables.
    """
    note_decision(state, facts, action)
    state.ply += 1
    decision = state.decision
    if decision == Decision.ACT:
        apply_turn(state, rules, action, facts, events)
    elif decision == Decision.MELD:
        lay_meld(state, rules, facts, action)
    elif decision == Decision.DECLARE_A:
        declare(state, rules, facts, card_of(action))
    elif decision == Decision.SET_ASIDE:
        set_aside(state, rules, facts, card_of(action))
    elif decision == Decision.DEFEND or decision == Decision.RETREAT:
        apply_duel(state, rules, action, facts, events)
    elif decision == Decision.DRAFT_PASS:
        pass_cards(state, rules, facts, action)
    elif decision == Decision.OBJECTIVE_KEEP:
        keep_objective(state, rules, action)
    elif decision == Decision.OBJECTIVE_SHOW:
        show_objective(state, rules, action)
    elif decision == Decision.B_PLACE or decision == Decision.B_UNIT:
        apply_founding(state, rules, action, facts, events)
    else:
        apply_improvement(state, rules, action, facts, events)


@kernel
def apply_turn(state: np.recarray, rules: np.recarray, action: int, facts: np.recarray, events: np.ndarray) -> None:
    """An action of the map turn (D07; sections 3.6 to 3.12)."""
    kind = kind_of(action)
    seat = state.active
    card = card_of(action)
    if kind == Kind.SETTLE:
        settle(state, rules, facts, seat, card, tile_of(action))
    elif kind == Kind.EXPLORE:
        lay_tile(state, rules, cell_of(action), card & 3)
        card_resolved(state, facts, seat, card, Use.EXPLORE.value)
    elif kind == Kind.GOLD:
        gain(state, facts, seat, Source.CASHED.value, rules.cash_gold)
        card_resolved(state, facts, seat, card, Use.GOLD.value)
    elif kind == Kind.ATTACK:
        begin_duel(state, rules, facts, card, tile_of(action))
        return
    elif kind == Kind.MOVE:
        state.moves_left -= 1
        move_unit(state, rules, seat, tile_of(action), to_tile_of(action))
    elif kind == Kind.WATER:
        use_water(state, rules, seat, tile_of(action), cell_of(action))
    elif kind == Kind.FORTIFY:
        fortify(state, rules, facts, seat, tile_of(action))
    elif kind == Kind.RESEARCH:
        if begin_research(state, rules, facts):
            return
        research_row(state, rules, facts, events, True, False)
    elif kind == Kind.TRADE:
        begin_trade(state, rules, facts)
        return
    elif kind == Kind.FOUND:
        found(state, rules, facts, seat, card)
        return
    elif kind == Kind.CASH:
        cash(state, rules, facts, seat, card)
        spend_row(state, rules, facts, events, seat, card, 2)
    else:
        end_turn(state, rules, facts, events)
        return
    action_done(state, rules, facts, -1)


@kernel
def settle(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int, card: int, tile: int) -> None:
    """A unit from the reserve on a tile (section 3.6, R48)."""
    from_reserve(state, facts, seat)
    if state.units[tile] > 0:
        strip_arrival(state, rules, tile)
    put_unit(state, rules, tile, seat)
    card_resolved(state, facts, seat, card, Use.SETTLE.value)


@kernel
def card_resolved(state: np.recarray, facts: np.recarray, seat: int, card: int, use: int) -> None:
    """A meld card has done its work and goes to the discard (section 3.6)."""
    remove_card(state.meld[seat], card)
    add_card(state.discard[seat], card)
    use_card(facts, seat, card, use)


@kernel
def apply_duel(state: np.recarray, rules: np.recarray, action: int, facts: np.recarray, events: np.ndarray) -> None:
    """The defender's answer or retreat (D08, D09; section 3.7)."""
    defender = state.seat
    if state.decision == Decision.DEFEND:
        if defend(state, rules, facts, card_of(action)):
            return
    else:
        retreat(state, rules, facts, defender, -1 if to_tile_of(action) != 0 else tile_of(action))
    duel_row(state, rules, facts, events, defender)
    action_done(state, rules, facts, defender)


@kernel
def apply_founding(state: np.recarray, rules: np.recarray, action: int, facts: np.recarray, events: np.ndarray) -> None:
    """A tile or a unit of effect B (D15, D16; section 3.12)."""
    card = state.b_card
    if state.decision == Decision.B_PLACE:
        goes_on = place(state, rules, facts, cell_of(action), terrain_of(action))
    else:
        goes_on = answer_unit(state, rules, facts, tile_of(action) == HERE)
    if not goes_on:
        spend_row(state, rules, facts, events, state.active, card, 1)
        action_done(state, rules, facts, -1)


@kernel
def apply_improvement(
    state: np.recarray, rules: np.recarray, action: int, facts: np.recarray, events: np.ndarray
) -> None:
    """The steps of research and trade (D10 to D14; sections 3.10 and 3.11)."""
    if state.decision == Decision.RESEARCH_RETIRE:
        retire(state, rules, facts, card_of(action))
    elif state.decision == Decision.ROW_OVERFLOW:
        overflow(state, rules, facts, card_of(action))
    elif state.decision == Decision.RESEARCH_TAKE:
        take(state, card_of(action))
    elif state.decision == Decision.RESEARCH_TO:
        to_hand = tile_of(action) == TO_HAND
        finish_research(state, rules, facts, to_hand)
        research_row(state, rules, facts, events, False, to_hand)
        action_done(state, rules, facts, -1)
    else:
        bury(state, rules, facts, action)
        trade_row(state, rules, facts, events, action)
        action_done(state, rules, facts, -1)

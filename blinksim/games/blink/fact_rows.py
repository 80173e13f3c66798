"""Rows of the fact tables (stub while columns settle)."""
import numpy as np
from blinksim.jit import kernel
@kernel
def note_decision(state, facts, action):
    pass
@kernel
def note_laying(state, rules, facts, seat):
    pass
@kernel
def note_trick(state, rules, facts):
    pass
@kernel
def end_of_round(state, rules, facts, events):
    pass
@kernel
def end_of_game(state, rules, facts, events):
    pass
@kernel
def duel_row(state, rules, facts, events, defender):
    pass
@kernel
def research_row(state, rules, facts, events, failed, to_hand):
    pass
@kernel
def trade_row(state, rules, facts, events, action):
    pass
@kernel
def spend_row(state, rules, facts, events, seat, card, effect):
    pass

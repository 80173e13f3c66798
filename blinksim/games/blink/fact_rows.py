"""Rows of the fact tables, written while a game is played.

Rows go one behind the other into a buffer of int64: number of the table (its place in ``tables.TABLES``), number of the
game in the chunk, then the recorded columns in the order in which :mod:`blinksim.games.blink.tables` declares them.
:func:`split_rows` sorts them into one array per table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from blinksim.games.blink.actions import buried_card, card_of, kind_of
from blinksim.games.blink.digest import public_digest, state_digest
from blinksim.games.blink.enums import Kind, ObjectiveMode, Outcome
from blinksim.games.blink.facts import Use, Went
from blinksim.games.blink.objectives import count_arrangements
from blinksim.games.blink.scoring import OBJECTIVES as OBJECTIVE_POINTS
from blinksim.games.blink.scoring import ROW, TOTAL, UNITS, is_ahead, is_winner, row_score, score, tier, unit_score
from blinksim.games.blink.tables import MAX_ROW, TABLES
from blinksim.games.blink.trick import highest_rank, is_ahead_in_trick, trick_total
from blinksim.games.cards import next_card, num_cards
from blinksim.games.tables import NULL
from blinksim.jit import kernel

GAMES, SEATS, ROUNDS, DUELS, IMPROVEMENTS, SPENDS, OBJECTIVES, CARDS = range(8)

WIDTHS = np.array([len(table.recorded) for table in TABLES])
"""Recorded columns by table."""

EFFECT_A, EFFECT_B, EFFECT_C = range(3)


@kernel
def open_row(facts: np.recarray, events: np.ndarray, table: int) -> int:
    """Begin a row.

    Returns:
        Where its first recorded column goes.

    Raises:
        ValueError: the buffer is full; the driver starts no game that might not fit.
    """
    if facts.rows + 80 > len(events):
        raise ValueError("the buffer for fact rows is full")
    events[facts.rows] = table
    events[facts.rows + 1] = facts.game
    return facts.rows + 2


@kernel
def put(events: np.ndarray, at: int, value: int) -> int:
    """Write one column and return where the next one goes."""
    events[at] = value
    return at + 1


@kernel
def note_decision(state: np.recarray, facts: np.recarray, action: int) -> None:
    """Count a decision and its action; declarations and defences only where a card is used."""
    if facts.on == 0:
        return
    facts.decisions[state.decision] += 1
    kind = kind_of(action)
    if (kind == Kind.DECLARE or kind == Kind.DEFEND) and card_of(action) == 0:
        return
    facts.actions[state.seat, kind] += 1


@kernel
def note_laying(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int) -> None:
    """How a seat stands before it lays its meld."""
    if facts.on != 0:
        facts.lay_tier[seat] = tier(state, rules, seat)
        facts.lay_hand[seat] = state.hand_size[seat]
        facts.lay_gold[seat] = state.gold[seat]


@kernel
def note_trick(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """Totals and places of a trick, and the places without each declared A."""
    if facts.on == 0:
        return
    for i in range(state.players):
        seat = state.order[i]
        facts.total[seat] = trick_total(state, rules, seat)
        facts.cards[seat] = num_cards(state.meld[seat])
        facts.place[seat] = i + 1
        facts.place_before[seat] = i + 1
        if state.declared[seat] != 0:
            declared = state.declared[seat]
            state.declared[seat] = 0
            place = 1
            for other in range(state.players):
                if other != seat and is_ahead_in_trick(state, rules, other, seat):
                    place += 1
            state.declared[seat] = declared
            facts.place_before[seat] = place


@kernel
def end_of_round(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray) -> None:
    """One row per seat, and one per card declared for A."""
    if facts.on == 0:
        return
    if state.armed != 0 and facts.armed_round == 0:
        facts.armed_round = state.round_number
        for seat in range(state.players):
            if state.reserve[seat] == 0:
                facts.armed_seats |= 1 << seat
        if facts.armed_seats == 0:  # end.trigger may count a reserve that was empty earlier
            for seat in range(state.players):
                if facts.lowest_reserve[seat] == 0:
                    facts.armed_seats |= 1 << seat
    digest = public_digest(state, rules)
    for seat in range(state.players):
        if state.declared[seat] != 0:
            spend_row(state, rules, facts, events, seat, state.declared[seat], EFFECT_A)
        held = 0
        total = unit_score(state, rules, seat) + row_score(rules, state.row[seat])
        for i in range(state.num_objectives[seat]):
            arrangements = count_arrangements(state, seat, state.objectives[seat, i])
            total += arrangements * rules.objective_points
            if arrangements > 0:
                held += 1
                facts.rounds_held[seat, i] += 1
                if facts.first_held[seat, i] == 0:
                    facts.first_held[seat, i] = state.round_number
        p = open_row(facts, events, ROUNDS)
        p = put(events, p, seat)
        p = put(events, p, state.round_number)
        p = put(events, p, facts.lay_tier[seat])
        p = put(events, p, facts.lay_hand[seat])
        p = put(events, p, facts.lay_gold[seat])
        p = put(events, p, facts.cards[seat])
        p = put(events, p, facts.total[seat])
        p = put(events, p, facts.place[seat])
        p = put(events, p, state.declared[seat] >> 2)
        p = put(events, p, facts.aside[seat])
        p = put(events, p, facts.dues_gold[seat])
        p = put(events, p, tier(state, rules, seat))
        p = put(events, p, state.reserve[seat])
        p = put(events, p, state.gold[seat])
        p = put(events, p, num_cards(state.row[seat]))
        p = put(events, p, total)
        p = put(events, p, facts.units_gained[seat])
        p = put(events, p, facts.units_lost[seat])
        p = put(events, p, held)
        p = put(events, p, highest_rank(state.hand[seat]))
        p = put(events, p, digest)
        facts.rows = p
        facts.aside[seat] = 0
        facts.dues_gold[seat] = 0
        facts.units_gained[seat] = 0
        facts.units_lost[seat] = 0


@kernel
def duel_row(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray, defender: int) -> None:
    """A duel that is over."""
    if facts.on == 0:
        return
    tile = int(state.attack_tile)
    terrain = int(state.terrain[tile])
    fought = facts.answered >> 2 if facts.answered != 0 else facts.wall
    defence = fought
    if fought > 0 or rules.terrain_when_declined != 0:
        defence += rules.defence[terrain]
    native = fought > 0 and rules.wall_is_native != 0
    if facts.answered != 0:
        native = facts.answered & 3 == terrain
    p = open_row(facts, events, DUELS)
    p = put(events, p, state.active)
    p = put(events, p, state.round_number)
    p = put(events, p, defender)
    p = put(events, p, facts.attacker_tier)
    p = put(events, p, facts.defender_tier)
    p = put(events, p, int(state.tile_cell[tile]))
    p = put(events, p, terrain)
    p = put(events, p, tile if tile < state.players else -1)
    p = put(events, p, facts.units_before)
    p = put(events, p, facts.coins_before)
    p = put(events, p, state.attack_card >> 2)
    p = put(events, p, facts.wall)
    p = put(events, p, facts.answered >> 2)
    p = put(events, p, 1 if native else 0)
    p = put(events, p, (state.attack_card >> 2) - defence)
    p = put(events, p, facts.duel_won)
    p = put(events, p, facts.unit_fate)
    p = put(events, p, facts.captured)
    facts.rows = p


@kernel
def improvement_row(
    state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray, kind: int, failed: int, to_hand: int
) -> int:
    """The beginning of a row for a research (kind 0) or a trade (1): all but the cards buried and dropped."""
    seat = state.active
    p = open_row(facts, events, IMPROVEMENTS)
    p = put(events, p, seat)
    p = put(events, p, state.round_number)
    p = put(events, p, kind)
    p = put(events, p, 0 if failed != 0 else facts.price)
    p = put(events, p, failed)
    p = put(events, p, rules.tier_rank_cap[tier(state, rules, seat)])
    p = put(events, p, facts.retired if kind == 0 else 0)
    p = put(events, p, state.taken_card)
    return put(events, p, to_hand)


@kernel
def research_row(
    state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray, failed: bool, to_hand: bool
) -> None:
    """A research that is done or has failed."""
    if facts.on == 0:
        return
    p = improvement_row(state, rules, facts, events, 0, 1 if failed else 0, 1 if to_hand else 0)
    for _ in range(3):
        p = put(events, p, 0)
    facts.rows = put(events, p, facts.dropped)


@kernel
def trade_row(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray, action: int) -> None:
    """A trade that is done."""
    if facts.on == 0:
        return
    p = improvement_row(state, rules, facts, events, 1, 0, 0)
    for i in range(3):
        p = put(events, p, buried_card(action, i))
    facts.rows = put(events, p, 0)


@kernel
def spend_row(
    state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray, seat: int, card: int, effect: int
) -> None:
    """A victory card that was spent."""
    if facts.on == 0:
        return
    band = rules.band_of[card >> 2]
    p = open_row(facts, events, SPENDS)
    p = put(events, p, seat)
    p = put(events, p, state.round_number)
    p = put(events, p, card)
    p = put(events, p, band)
    p = put(events, p, effect)
    p = put(events, p, facts.place_before[seat] if effect == EFFECT_A else 0)
    p = put(events, p, facts.place[seat] if effect == EFFECT_A else 0)
    p = put(events, p, state.b_tile_number + facts.b_between if effect == EFFECT_B else 0)
    p = put(events, p, facts.b_units if effect == EFFECT_B else 0)
    p = put(events, p, rules.band_gold[band] if effect == EFFECT_C else 0)
    facts.rows = p


@kernel
def end_of_game(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray) -> None:
    """The rows of the game, its seats, their objectives and cards."""
    if facts.on == 0:
        return
    winners = 0
    num_winners = 0
    if state.outcome != Outcome.STALLED:
        for seat in range(state.players):
            if is_winner(state, rules, seat):
                winners |= 1 << seat
                num_winners += 1
    p = open_row(facts, events, GAMES)
    p = put(events, p, state.outcome)
    p = put(events, p, state.round_number)
    p = put(events, p, state.start_player)
    p = put(events, p, facts.armed_round if facts.armed_round > 0 else NULL)
    p = put(events, p, facts.armed_seats)
    p = put(events, p, winners)
    p = put(events, p, state.ply)
    for decision in range(1, 17):
        p = put(events, p, facts.decisions[decision])
    facts.rows = put(events, p, state_digest(state, rules))
    for seat in range(state.players):
        share = 12 // num_winners if winners >> seat & 1 != 0 else 0
        seat_row(state, rules, facts, events, seat, share if num_winners > 0 else NULL)
        objective_rows(state, rules, facts, events, seat)
        card_rows(facts, events, seat)


@kernel
def seat_row(
    state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray, seat: int, win_share: int
) -> None:
    """How a seat ended; ``win_share`` in twelfths."""
    points = np.zeros(4, np.int64)
    score(state, rules, seat, points)
    place = 1
    for other in range(state.players):
        if other != seat and is_ahead(state, rules, other, seat) > 0:
            place += 1
    p = open_row(facts, events, SEATS)
    p = put(events, p, seat)
    p = put(events, p, place)
    p = put(events, p, win_share)
    p = put(events, p, points[TOTAL])
    p = put(events, p, points[UNITS])
    p = put(events, p, points[ROW])
    p = put(events, p, points[OBJECTIVE_POINTS])
    p = put(events, p, state.gold[seat])
    p = put(events, p, state.reserve[seat])
    p = put(events, p, tier(state, rules, seat))
    p = put(events, p, rules.tier_of[facts.lowest_reserve[seat]])
    card = -1
    for i in range(MAX_ROW):
        if i == 0 or card >= 0:
            card = next_card(state.row[seat], card)
        p = put(events, p, card >> 2 if card >= 0 else 0)
    for kind in range(Kind.DECLARE.value, Kind.CASH.value + 1):
        p = put(events, p, facts.actions[seat, kind])
    p = put(events, p, facts.actions[seat, Kind.DEFEND.value])
    p = put(events, p, facts.actions[seat, Kind.RETREAT.value])
    p = put(events, p, state.recycles[seat])
    for source in range(6):
        p = put(events, p, facts.gold_in[seat, source])
    for sink in range(3):
        p = put(events, p, facts.gold_out[seat, sink])
    facts.rows = p


@kernel
def objective_rows(state: np.recarray, rules: np.recarray, facts: np.recarray, events: np.ndarray, seat: int) -> None:
    """What became of each of a seat's objectives."""
    for i in range(state.num_objectives[seat]):
        objective = state.objectives[seat, i]
        arrangements = count_arrangements(state, seat, objective)
        shown = objective == state.shown[seat] or rules.objective_mode == ObjectiveMode.OPEN
        p = open_row(facts, events, OBJECTIVES)
        p = put(events, p, seat)
        p = put(events, p, objective)
        p = put(events, p, 1 if shown else 0)
        p = put(events, p, facts.first_held[seat, i])
        p = put(events, p, facts.rounds_held[seat, i])
        p = put(events, p, facts.objective_gold[seat, i])
        p = put(events, p, arrangements)
        p = put(events, p, arrangements * rules.objective_points)
        p = put(events, p, facts.objective_lost[seat, i])
        facts.rows = p


@kernel
def card_rows(facts: np.recarray, events: np.ndarray, seat: int) -> None:
    """What became of each card that a seat owned; cards only passed on in the draft are left out."""
    card = next_card(facts.owned[seat], -1)
    while card >= 0:
        came = int(facts.came[seat, card])
        went = int(facts.went[seat, card])
        this, card = card, next_card(facts.owned[seat], card)
        if went == Went.PASSED:
            continue
        p = open_row(facts, events, CARDS)
        p = put(events, p, seat)
        p = put(events, p, this)
        p = put(events, p, came)
        p = put(events, p, went)
        for use in range(Use.DROPPED.value + 1):
            p = put(events, p, int(facts.uses[seat, this, use]))
        facts.rows = p


@kernel
def count_rows(events: np.ndarray, used: int, widths: np.ndarray, counts: np.ndarray) -> None:
    """How many rows of each table a buffer holds.

    Args:
        widths: (8,) int64, recorded columns by table.
        counts: (8,) int64, overwritten.
    """
    counts[:] = 0
    at = 0
    while at < used:
        table = events[at]
        counts[table] += 1
        at += 2 + widths[table]


@kernel
def split_rows(events: np.ndarray, used: int, widths: np.ndarray, ends: np.ndarray, tables: tuple[Any, ...]) -> None:
    """Append all rows in a buffer to those of their tables, in one pass and in order.

    Args:
        ends: (8,) int64, entries of each table in use; moved on.
        tables: Eight (entries,) int64 arrays with room for the rows: number of the game in the chunk, then the
            recorded columns.
    """
    at = 0
    while at < used:
        table = events[at]
        rows = tables[table]
        to = ends[table]
        for i in range(1 + widths[table]):
            rows[to + i] = events[at + 1 + i]
        ends[table] = to + 1 + widths[table]
        at += 2 + widths[table]


class RowBuffers:
    """Room for rows that is used again and again: fresh memory costs more than what is written into it."""

    def __init__(self) -> None:
        self.events = np.zeros(1, np.int64)
        self.tables = tuple(np.zeros(1, np.int64) for _ in TABLES)
        self.ends = np.zeros(len(TABLES), np.int64)

    def take(self, used: int) -> None:
        """Sort the first ``used`` entries of ``events`` into the tables."""
        counts = np.zeros(len(TABLES), np.int64)
        count_rows(self.events, used, WIDTHS, counts)
        needed = self.ends + counts * (1 + WIDTHS)
        self.tables = tuple(
            table if len(table) >= n else np.resize(table, n + n // 4)
            for table, n in zip(self.tables, needed.tolist(), strict=True)
        )
        split_rows(self.events, used, WIDTHS, self.ends, self.tables)

    def rows(self) -> list[np.ndarray]:
        """The rows taken, one (rows, 1 + recorded columns) view per table, in the order of ``tables.TABLES``."""
        parts = zip(self.tables, self.ends.tolist(), WIDTHS.tolist(), strict=True)
        return [table[:end].reshape(-1, 1 + width) for table, end, width in parts]


def rows_by_table(events: np.ndarray, used: int) -> list[np.ndarray]:
    """The rows in a buffer, one int64 (rows, 1 + recorded columns) array per table."""
    buffers = RowBuffers()
    buffers.events = events
    buffers.take(used)
    return buffers.rows()

"""The invariants of section 8 as a checker, run after every action in tests and under ``--check``."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import NO_LIMIT, Decision
from blinksim.games.blink.mapping import NONE, occupied
from blinksim.games.cards import MAX_CARDS, has_card, num_cards
from blinksim.jit import kernel, popcount

MEANINGS = {
    1: "hand, meld and discard of a player do not add up to the hand size",
    2: "a card is in two places or in none",
    3: "supply and map of a terrain do not add up to its tiles",
    4: "reserve and map of a player do not add up to the units of all tiers",
    5: "a tile has more coins than its units may carry, more units than it holds, or an owner without units",
    6: "a tile beyond the starting map was laid touching too few tiles",
    7: "a victory row is overfull, gold is negative, or a player spent more victory cards than the allowance",
    8: "counts of market and deck do not match their cards",
    9: "a hand is empty when a meld is due, or a meld is left at the round's end",
    10: "a grid slot is empty while the upgrade deck has cards",
    11: "more movements, improvements or water advantages than a turn has",
    12: "what a seat remembers of a rival's hand is not so",
}
"""Number of an invariant and what is wrong where it does not hold; 12 is ours, for R135."""


@kernel
def broken_invariant(state: np.recarray, rules: np.recarray) -> int:
    """The number of the first invariant that does not hold between two decisions, or 0 (section 8)."""
    for broken in (
        wrong_cards(state, rules),
        wrong_map(state, rules),
        wrong_seats(state, rules),
        wrong_memory(state),
    ):
        if broken != 0:
            return broken
    return 0


@kernel
def count_card(counts: np.ndarray, words: np.ndarray) -> None:
    """Add a set of cards to counts by card."""
    for card in range(MAX_CARDS):
        if has_card(words, card):
            counts[card] += 1


@kernel
def wrong_cards(state: np.recarray, rules: np.recarray) -> int:
    """Invariants 1, 2, 8 and 10; in the middle of an action cards on their way count where they lie."""
    counts = np.zeros(MAX_CARDS, np.int64)
    for seat in range(state.players):
        if num_cards(state.hand[seat]) != state.hand_size[seat]:
            return 1
        held = num_cards(state.hand[seat]) + num_cards(state.laid[seat]) + num_cards(state.meld[seat])
        held += num_cards(state.discard[seat])
        allowed = rules.hand_size
        if seat == state.active:
            if state.attack_card != 0:
                allowed -= 1
            if state.decision == Decision.TRADE_BURY:
                allowed += rules.trade_cards
            if state.retired_card != 0:
                allowed -= 1
        elif state.answer_card != 0 and seat == state.seat:
            allowed -= 1
        if held != allowed:
            return 1
        count_card(counts, state.hand[seat])
        count_card(counts, state.laid[seat])
        count_card(counts, state.meld[seat])
        count_card(counts, state.discard[seat])
        count_card(counts, state.row[seat])
    count_card(counts, state.removed)
    for card in (state.attack_card, state.answer_card, state.taken_card):
        if card != 0:
            counts[card] += 1
    for i in range(state.market_count):
        counts[int(state.market[i])] += 1
    for i in range(state.upgrade_count):
        counts[int(state.upgrade[i])] += 1
        if not has_card(state.deck, int(state.upgrade[i])):
            return 8
    if num_cards(state.deck) != state.upgrade_count:
        return 8
    for slot in range(rules.grid_slots):
        depth = 0
        card = int(state.grid_top[slot])
        while card != 0:
            counts[card] += 1
            depth += 1
            card = int(state.under[card])
        if depth != state.grid_depth[slot]:
            return 8
        if depth == 0 and state.upgrade_count > 0 and state.round_number > 0 and state.decision != Decision.RESEARCH_TO:
            return 10
    for card in range(MAX_CARDS):
        expected = 1 if rules.rank_min <= card >> 2 <= rules.rank_max else 0
        if counts[card] != expected:
            return 2
    return 0


@kernel
def wrong_map(state: np.recarray, rules: np.recarray) -> int:
    """Invariants 3, 4, 5 and 6."""
    for t in range(4):
        if state.supply[t] < 0 or state.supply[t] + popcount(state.of_terrain[t]) != rules.tiles[t]:
            return 3
    for seat in range(state.players):
        on_map = 0
        for t in range(state.num_tiles):
            if (state.own[seat] >> np.uint64(t)) & np.uint64(1) != NONE:
                on_map += int(state.units[t])
        beaten = 0
        if state.decision == Decision.RETREAT and seat == state.seat:
            beaten = 1
        if state.reserve[seat] < 0 or state.reserve[seat] + on_map + beaten != rules.total_units:
            return 4
    taken = occupied(state)
    owners = 0
    for seat in range(state.players):
        owners += popcount(state.own[seat])
    if owners != popcount(taken):
        return 5
    for t in range(state.num_tiles):
        units = int(state.units[t])
        holds = rules.holds[state.terrain[t]]
        if int(state.coins[t]) < 0 or int(state.coins[t]) > rules.max_per_unit * units or units > holds:
            return 5
        if ((taken >> np.uint64(t)) & np.uint64(1) != NONE) != (units > 0):
            return 5
        if ((state.with_room >> np.uint64(t)) & np.uint64(1) != NONE) != (units < holds):
            return 5
        earlier = state.neighbours[t] & ((np.uint64(1) << np.uint64(t)) - np.uint64(1))
        if t >= rules.start_tiles and popcount(earlier) < rules.explore_min_touch:
            return 6
    return 0


@kernel
def wrong_seats(state: np.recarray, rules: np.recarray) -> int:
    """Invariants 7, 9 and 11."""
    for seat in range(state.players):
        over = 1 if state.decision == Decision.ROW_OVERFLOW and seat == state.active else 0
        if num_cards(state.row[seat]) > rules.slots + over or state.gold[seat] < 0:
            return 7
        if rules.spends_per_round < NO_LIMIT and state.spends[seat] > rules.spends_per_round:
            return 7
        if state.decision == Decision.MELD and (
            (state.hand_size[seat] + num_cards(state.laid[seat]) == 0) or num_cards(state.meld[seat]) != 0
        ):
            return 9
    if state.moves_left < 0 or state.water_used > rules.water_per_turn:
        return 11
    if rules.failed_counts != 0 and state.improve_used > rules.improve_per_turn:
        return 11
    return 0


@kernel
def wrong_memory(state: np.recarray) -> int:
    """Invariant 12: of the cards last seen in a rival's hand, all but the unsure ones are there (R135)."""
    for rival in range(state.players):
        for viewer in range(state.players):
            if viewer != rival and not is_so(state, rival, state.seen_hand[viewer, rival], state.unsure[viewer, rival]):
                return 12
        if not is_so(state, rival, state.public_seen[rival], state.public_unsure[rival]):
            return 12
    return 0


@kernel
def is_so(state: np.recarray, rival: int, seen: np.ndarray, unsure: int) -> bool:
    """Whether at most ``unsure`` of the cards seen have left a rival's hand and face-down meld."""
    missing = 0
    for w in range(2):
        missing += popcount(seen[w] & ~(state.hand[rival, w] | state.laid[rival, w]))
    return missing <= unsure

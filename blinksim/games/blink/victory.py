"""The victory row: retiring, overflow, allowances, and the effects B and C (sections 1.7, 3.10 and 3.12)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import Decision
from blinksim.games.blink.facts import Source, from_reserve, gain
from blinksim.games.blink.knowledge import put_under_market
from blinksim.games.blink.mapping import (
    NONE,
    beside,
    distance_to_own,
    find_space,
    lay_tile,
    put_unit,
    space_within,
    touches,
)
from blinksim.games.cards import add_card, bit, next_card, remove_card
from blinksim.games.hexmap import NEIGHBOUR_STEPS, cell_distance
from blinksim.jit import drop_lowest, kernel, lowest

NO_CELL = -1


@kernel
def band(rules: np.recarray, card: int) -> int:
    """The band of a row card (section 1.7)."""
    return rules.band_of[card >> 2]


@kernel
def may_spend(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether the joint allowance of A, B and C still has room this round (R109)."""
    return state.spends[seat] < rules.spends_per_round


@kernel
def may_declare(state: np.recarray, rules: np.recarray, seat: int, card: int) -> bool:
    """Whether a row card may be declared for effect A (D05)."""
    return (
        rules.effect_a != 0
        and may_spend(state, rules, seat)
        and state.spent_a[seat] < rules.limit_a
        and rules.band_a[band(rules, card)] != 0
    )


@kernel
def may_use_b(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether effect B is free for a seat, whatever the card (section 3.12, R113)."""
    return (
        rules.effect_b != 0
        and may_spend(state, rules, seat)
        and state.spent_b[seat] < rules.limit_b
        and state.reserve[seat] >= 1
    )


@kernel
def may_use_c(state: np.recarray, rules: np.recarray, seat: int) -> bool:
    """Whether effect C is free for a seat."""
    return rules.effect_c != 0 and may_spend(state, rules, seat) and state.spent_c[seat] < rules.limit_c


@kernel
def leave_row(state: np.recarray, seat: int, card: int, removed: int) -> None:
    """A card leaves the row: out of the game, or to the market bottom where everybody saw it go (R27)."""
    remove_card(state.row[seat], card)
    if removed != 0:
        add_card(state.removed, card)
    else:
        put_under_market(state, card, -1)


@kernel
def cash(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int, card: int) -> None:
    """Effect C: a row card for gold (section 3.12)."""
    state.spends[seat] += 1
    state.spent_c[seat] += 1
    leave_row(state, seat, card, rules.spent_removed)
    gain(state, facts, seat, Source.EFFECT_C.value, rules.band_gold[band(rules, card)])


# Effect B


@kernel
def has_tile_between(state: np.recarray, seat: int, cell: int) -> bool:
    """Whether some tile lies beside both a cell and an own tile (``lay_suit``, section 3.12)."""
    near = beside(state, state.own[seat])
    while near != NONE:
        if cell_distance(cell, int(state.tile_cell[lowest(near)])) == 1:
            return True
        near = drop_lowest(near)
    return False


@kernel
def may_lie_between(state: np.recarray, rules: np.recarray, seat: int, space: int, cell: int) -> bool:
    """Whether a space may carry the tile between an own tile and a distant cell (``lay_suit``, section 3.12)."""
    return (
        cell_distance(cell, int(state.space_cell[space])) == 1
        and state.space_touch[space] & state.own[seat] != NONE
        and touches(state, space) >= rules.explore_min_touch
    )


@kernel
def needs_tile_between(state: np.recarray, rules: np.recarray, seat: int, cell: int) -> bool:
    """Whether laying on a cell needs a tile in between first (``victory.b_distant_between = "lay_suit"``)."""
    return (
        rules.b_lay_suit != 0
        and state.own[seat] != NONE
        and distance_to_own(state, seat, cell) == 2
        and not has_tile_between(state, seat, cell)
    )


@kernel
def can_bridge(state: np.recarray, rules: np.recarray, seat: int, cell: int, touch: int, suit: int) -> bool:
    """Whether a tile in between can be laid and the distant cell then touches enough tiles (section 3.12)."""
    if state.supply[suit] < 2 or touch + 1 < rules.explore_min_touch:
        return False
    for m in range(state.num_spaces):
        if may_lie_between(state, rules, seat, m, cell):
            return True
    return False


@kernel
def may_found_on(state: np.recarray, rules: np.recarray, seat: int, card: int, space: int) -> bool:
    """Whether effect B of a card may lay a tile on a space now (section 3.12; supply is checked elsewhere)."""
    reach = rules.band_reach[band(rules, card)]
    if not space_within(state, rules, seat, space, reach):
        return False
    if reach >= 2 and rules.b_lay_suit != 0 and state.space_touch[space] & state.own[seat] == NONE:
        cell = int(state.space_cell[space])
        if needs_tile_between(state, rules, seat, cell):
            return can_bridge(state, rules, seat, cell, touches(state, space), card & 3)
    return touches(state, space) >= rules.explore_min_touch


@kernel
def next_bridged_cell(state: np.recarray, rules: np.recarray, seat: int, card: int, after: int) -> int:
    """Cells that touch no tile yet but may be founded on after a tile in between, one by one.

    They exist only where a space need touch just one tile (``turn.explore_min_touch = 1``) under ``lay_suit``.

    Args:
        after: The number returned last, or -1 to start. A number is ``space * 6 + direction``.

    Returns:
        The next number, or -1; the cell is ``space_cell[number // 6] + NEIGHBOUR_STEPS[number % 6]``.
    """
    if rules.b_lay_suit == 0 or rules.explore_min_touch > 1 or rules.band_reach[band(rules, card)] < 2:
        return -1
    for number in range(after + 1, 6 * state.num_spaces):
        space = number // 6
        cell = int(state.space_cell[space]) + NEIGHBOUR_STEPS[number % 6]
        if find_space(state, cell) >= 0 or state.supply[card & 3] < 2:
            continue
        if not may_lie_between(state, rules, seat, space, cell) or distance_to_own(state, seat, cell) != 2:
            continue
        is_tile = False
        for t in range(state.num_tiles):
            if state.tile_cell[t] == cell:
                is_tile = True
        first = True
        for m in range(space):
            if may_lie_between(state, rules, seat, m, cell):
                first = False
        if first and not is_tile:
            return number
    return -1


@kernel
def has_supply(state: np.recarray, rules: np.recarray, card: int) -> bool:
    """Whether the supply has a tile that effect B of a card may lay (R113, R121)."""
    if rules.band_any[band(rules, card)] == 0:
        return state.supply[card & 3] >= 1
    return state.supply[0] + state.supply[1] + state.supply[2] + state.supply[3] >= 1


@kernel
def can_place(state: np.recarray, rules: np.recarray, seat: int, card: int) -> bool:
    """Whether effect B of a card can lay its next tile somewhere (section 3.12)."""
    if not has_supply(state, rules, card):
        return False
    own = state.own[seat]
    for s in range(state.num_spaces):  # next to an own tile: the common case, and cheap
        if state.space_touch[s] & own != NONE and touches(state, s) >= rules.explore_min_touch:
            return True
    for s in range(state.num_spaces):
        if may_found_on(state, rules, seat, card, s):
            return True
    return next_bridged_cell(state, rules, seat, card, -1) >= 0


@kernel
def found(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int, card: int) -> None:
    """Effect B begins: the card leaves the row and the first tile is due (D15; section 3.12)."""
    state.spends[seat] += 1
    state.spent_b[seat] += 1
    leave_row(state, seat, card, rules.spent_removed)
    state.b_card = card
    state.b_tile_number = 0
    state.b_owed = min(rules.band_units[band(rules, card)], state.reserve[seat])
    state.b_open = NONE
    state.b_last = -1
    state.b_distant = NO_CELL
    state.decision = Decision.B_PLACE
    facts.b_units = 0
    facts.b_between = 0


@kernel
def found_unit(state: np.recarray, rules: np.recarray, facts: np.recarray, seat: int, tile: int) -> None:
    """Effect B places a unit, fortified for nothing where walls exist (section 1.7; K1)."""
    from_reserve(state, facts, seat)
    put_unit(state, rules, tile, seat)
    state.coins[tile] = 1 if rules.fortify != 0 else 0
    state.b_owed -= 1
    facts.b_units += 1


@kernel
def next_place(state: np.recarray, rules: np.recarray, facts: np.recarray) -> bool:
    """Go on to the next tile of effect B, or to its open units.

    Returns:
        Whether a decision is due; False once the effect is done.
    """
    seat = state.active
    if state.b_tile_number < rules.band_tiles[band(rules, state.b_card)] and can_place(
        state, rules, seat, state.b_card
    ):
        state.decision = Decision.B_PLACE
        return True
    return next_open_unit(state, rules, facts)


@kernel
def next_open_unit(state: np.recarray, rules: np.recarray, facts: np.recarray) -> bool:
    """Units of effect B after all its tiles lie (``victory.b_sequential = false``, section 1.9).

    Returns:
        Whether D16 is due for ``b_last``.
    """
    seat = state.active
    while state.b_open != NONE and state.b_owed > 0:
        tile = lowest(state.b_open)
        left = 0
        rest = state.b_open
        while rest != NONE:
            left += 1
            rest = drop_lowest(rest)
        state.b_last = tile
        if state.b_owed < left:
            state.decision = Decision.B_UNIT
            return True
        state.b_open = drop_lowest(state.b_open)
        found_unit(state, rules, facts, seat, tile)
    state.b_card = 0
    return False


@kernel
def place(state: np.recarray, rules: np.recarray, facts: np.recarray, cell: int, terrain: int) -> bool:
    """Effect B lays a tile on a cell (D15; section 3.12).

    Returns:
        Whether a decision of this effect is due; False once it is done.
    """
    seat = state.active
    if state.b_distant != NO_CELL:  # the tile in between: laid first, left open
        lay_tile(state, rules, cell, terrain)
        cell = state.b_distant
        state.b_distant = NO_CELL
        facts.b_between += 1
    elif needs_tile_between(state, rules, seat, cell):
        state.b_distant = cell
        return True
    tile = lay_tile(state, rules, cell, terrain)
    state.b_tile_number += 1
    state.b_last = tile
    if rules.b_sequential == 0:
        state.b_open |= bit(tile)
        return next_place(state, rules, facts)
    if state.b_owed > 0:
        to_come = rules.band_tiles[band(rules, state.b_card)] - state.b_tile_number
        if state.b_owed <= to_come and can_place(state, rules, seat, state.b_card):
            state.decision = Decision.B_UNIT
            return True
        found_unit(state, rules, facts, seat, tile)
    return next_place(state, rules, facts)


@kernel
def answer_unit(state: np.recarray, rules: np.recarray, facts: np.recarray, here: bool) -> bool:
    """The owner says where a unit of effect B goes (D16).

    Returns:
        Whether a decision of this effect is due; False once it is done.
    """
    if here:
        found_unit(state, rules, facts, state.active, state.b_last)
    if rules.b_sequential == 0:
        state.b_open &= ~bit(state.b_last)
        return next_open_unit(state, rules, facts)
    return next_place(state, rules, facts)


@kernel
def lowest_cards_of_row(state: np.recarray, seat: int) -> int:
    """How many cards share the lowest rank of a row (D11, R102)."""
    first = next_card(state.row[seat], -1)
    count = 0
    card = first
    while card >= 0 and card >> 2 == first >> 2:
        count += 1
        card = next_card(state.row[seat], card)
    return count

"""Whether one choice is legal and, where it is not, why (sections 1 to 3).

Written from the rules alone, in plain Python on sets of cells, beside the compiled listing of
:mod:`blinksim.games.blink.legal`: tests hold one against the other. Each kind of choice has one function that gives
the reason against it in words, or None; those of the map turn are in :mod:`blinksim.games.blink.check_act`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

from blinksim.games.blink.actions import (
    RETREAT_HOME,
    TO_DISCARD,
    buried_card,
    bury_action,
    card_action,
    card_of,
    card_on_tile,
    cell_of,
    kind_of,
    move_action,
    positions_action,
    positions_of,
    space_action,
    terrain_of,
    tile_action,
    tile_of,
    to_tile_of,
)
from blinksim.games.blink.check_act import ACT_CHECKS, at, meld_card_reason, spend_reason
from blinksim.games.blink.enums import Decision, Kind, ObjectiveMode
from blinksim.games.blink.objectives import objective_text
from blinksim.games.blink.position import Position, neighbours
from blinksim.games.blink.text import KINDS, decision_text, space_number
from blinksim.games.cards import card_text
from blinksim.games.hexmap import pack_cell


def why_not(state: Any, rules: Any, action: int) -> str | None:
    """The reason, in words, why a choice is not legal now; None where it is legal.

    Args:
        state: One STATE record; the deciding seat is ``state.seat``.
        rules: The ruleset; one RULES record.
        action: A choice as a number (:mod:`blinksim.games.blink.actions`).
    """
    return why_not_at(Position(state, rules), int(action))


def why_not_at(position: Position, action: int) -> str | None:
    """As :func:`why_not`, for many choices of one position."""
    if position.decision == Decision.OVER:
        return "the game has ended"
    code = kind_of(action)
    if code not in KINDS[position.decision]:
        name = Kind(code).name.lower() if code in list(Kind) else f"kind {code}"
        return f"{decision_text(position.decision)} is due, and {name} is not a choice of it"
    kind = Kind(code)
    if action < 0 or not _is_canonical(position, kind, action):
        return f"{action} is not the number of a choice in this position"
    return _CHECKS[kind](position, action)


def legal_by_check(state: Any, rules: Any) -> set[int]:
    """Every choice that :func:`why_not` finds legal, out of :func:`action_universe`."""
    position = Position(state, rules)
    return {action for action in action_universe(state, rules) if why_not_at(position, action) is None}


_ON_TILE = (Kind.SETTLE, Kind.ATTACK)
_ON_SPACE = (Kind.EXPLORE, Kind.WATER, Kind.PLACE)
_WORD = (Kind.RESEARCH, Kind.TRADE, Kind.END)


def _is_canonical(position: Position, kind: Kind, action: int) -> bool:
    """Whether the number is the one that the choice has: no stray bits, tiles that exist, the space's own number."""
    count = len(position.cells)
    if kind in _WORD:
        return action == int(kind)
    if kind in (Kind.PASS, Kind.MELD):
        inside = positions_of(action) < 1 << len(position.hand)
        return inside and action == positions_action(int(kind), positions_of(action))
    if kind == Kind.BURY:
        return action == bury_action(buried_card(action, 0), buried_card(action, 1), buried_card(action, 2))
    if kind in (Kind.TO, Kind.UNIT):
        return action in (tile_action(int(kind), 0), tile_action(int(kind), 1))
    if action == RETREAT_HOME:
        return True
    if kind in (Kind.FORTIFY, Kind.RETREAT):
        return tile_of(action) < count and action == tile_action(int(kind), tile_of(action))
    if kind in _ON_TILE:
        return tile_of(action) < count and action == card_on_tile(int(kind), card_of(action), tile_of(action))
    if kind == Kind.MOVE:
        tile, to_tile = tile_of(action), to_tile_of(action)
        return tile < count and to_tile < count and action == move_action(tile, to_tile)
    if kind in _ON_SPACE:
        card = card_of(action) if kind == Kind.EXPLORE else 0
        tile = tile_of(action) if kind == Kind.WATER else 0
        terrain = terrain_of(action) if kind == Kind.PLACE else 0
        space = space_number(position.state, cell_of(action))
        return tile < count and action == space_action(int(kind), card, tile, space, cell_of(action), terrain)
    return action == card_action(int(kind), card_of(action))


def _keep(position: Position, action: int) -> str | None:
    """D01 and D03: any objective dealt to the seat (section 2.2)."""
    dealt = position.state.objectives[position.seat][: int(position.state.num_objectives[position.seat])]
    if card_of(action) not in [int(code) for code in dealt]:
        name = objective_text(card_of(action)) if card_of(action) < 64 else str(card_of(action))
        return f"the seat was not dealt {name}"
    mode = ObjectiveMode.SECRET if position.decision == Decision.OBJECTIVE_KEEP else ObjectiveMode.SHOW_ONE
    return None if int(position.rules.objective_mode) == mode else "the mode of objectives has no such choice"


def _pass(position: Position, action: int) -> str | None:
    """D02: exactly the number of this pass (section 2.2, R8)."""
    needed = int(position.rules.pass_cards[int(position.state.pass_number)])
    given = positions_of(action).bit_count()
    return None if given == needed else f"{needed} cards are passed, not {given}"


def _meld(position: Position, action: int) -> str | None:
    """D04: section 3.2."""
    cards = [card for i, card in enumerate(position.hand) if positions_of(action) >> i & 1]
    limit = int(position.rules.tier_meld_limit[position.tier])
    if not cards:
        return "a meld has at least one card"
    if len(cards) > limit:
        return f"a meld of {len(cards)} cards is over the limit of {limit}"
    ranks = {card >> 2 for card in cards}
    if max(ranks) - min(ranks) + 1 != len(ranks):
        gap = next(rank for rank in range(min(ranks), max(ranks)) if rank not in ranks)
        return f"the ranks do not follow one another: {gap} is missing"
    return None


def _declare(position: Position, action: int) -> str | None:
    """D05: section 3.3, R26, R109."""
    card = card_of(action)
    if card == 0:
        return None
    if reason := spend_reason(position, card, "a"):
        return reason
    if not position.rules.band_a[int(position.rules.band_of[card >> 2])]:
        return f"the band of {card_text(card)} has no effect A"
    return None


def _aside(position: Position, action: int) -> str | None:
    """D06: any card of the own meld (section 3.4)."""
    return meld_card_reason(position, card_of(action))


def _hand_card_reason(position: Position, card: int) -> str | None:
    return None if card in position.hand else f"the hand does not hold {card_text(card)}"


def _defend(position: Position, action: int) -> str | None:
    """D08: section 3.7, R54, R56, R57, R63."""
    card = card_of(action)
    if card == 0:
        return None
    if reason := _hand_card_reason(position, card):
        return reason
    wall = int(position.rules.tier_wall[position.tier])
    if position.tiles[position.cells[int(position.state.attack_tile)]].coins and card >> 2 <= wall:
        return f"{card_text(card)} is not above the wall {wall}"
    return None


def _retreat(position: Position, action: int) -> str | None:
    """D09: section 3.7, R64, R65."""
    if action == RETREAT_HOME:
        return None if position.rules.retreat_optional else "a beaten unit must retreat where it can"
    cell = position.cells[tile_of(action)]
    if cell not in position.own:
        return f"the seat has no unit at {at(cell)}"
    if cell not in neighbours(position.cells[int(position.state.attack_tile)]):
        return f"{at(cell)} is not beside the tile attacked"
    return None if position.has_room(cell) else "that tile is full"


def _lowest_reason(cards: list[int], card: int, place: str) -> str | None:
    """Against a card that is not of the lowest rank among some."""
    lowest = min(cards) >> 2
    return None if card >> 2 == lowest else f"{card_text(card)} is not of the lowest rank {place}, {lowest}"


def _retire(position: Position, action: int) -> str | None:
    """D10: section 3.10 step 3; ``research.retire`` of section 1.9."""
    if (reason := _hand_card_reason(position, card_of(action))) or position.rules.retire_any:
        return reason
    return _lowest_reason(position.hand, card_of(action), "in hand")


def _drop(position: Position, action: int) -> str | None:
    """D11: section 3.10 step 3, R102; ``victory.overflow`` of section 1.9."""
    card = card_of(action)
    if card not in position.row:
        return f"the victory row does not hold {card_text(card)}"
    return None if position.rules.overflow_choice else _lowest_reason(position.row, card, "of the row")


def _take(position: Position, action: int) -> str | None:
    """D12: section 3.10 step 4, R103."""
    slot, slots = card_of(action), int(position.rules.grid_slots)
    if slot >= slots:
        return f"the grid has slots 1 to {slots}"
    top = int(position.state.grid_top[slot])
    if top == 0:
        return "that slot is empty"
    return None if top >> 2 <= position.rank_cap else f"{card_text(top)} is above the rank cap {position.rank_cap}"


def _to(position: Position, action: int) -> str | None:
    """D13: section 3.10; ``research.destinations``."""
    discard = tile_of(action) == TO_DISCARD
    open_to = position.rules.to_discard if discard else position.rules.to_hand
    return None if open_to else f"a card taken may not go to the {'discard' if discard else 'hand'}"


def _bury(position: Position, action: int) -> str | None:
    """D14: an ordered choice of different hand cards (section 3.11)."""
    needed = int(position.rules.trade_cards)
    cards = [buried_card(action, i) for i in range(3)]
    if 0 in cards[:needed] or any(cards[needed:]):
        return f"{needed} cards are buried"
    cards = cards[:needed]
    if len(set(cards)) < needed:
        return "a card is buried twice"
    return next((reason for card in cards if (reason := _hand_card_reason(position, card))), None)


_CHECKS: dict[Kind, Callable[[Position, int], str | None]] = {
    **ACT_CHECKS,
    Kind.KEEP: _keep,
    Kind.PASS: _pass,
    Kind.SHOW: _keep,
    Kind.MELD: _meld,
    Kind.DECLARE: _declare,
    Kind.ASIDE: _aside,
    Kind.DEFEND: _defend,
    Kind.RETREAT: _retreat,
    Kind.RETIRE: _retire,
    Kind.DROP: _drop,
    Kind.TAKE: _take,
    Kind.TO: _to,
    Kind.BURY: _bury,
}


def action_universe(state: Any, rules: Any) -> Iterator[int]:
    """Every number that could name a choice of the due decision, legal or not, once each.

    All cards of the ruleset on all tiles, all pairs of tiles, all empty cells within 2 of a tile, all positions of the
    hand, all objectives. Three buried cards are taken from the hand and two cards beyond it.
    """
    position = Position(state, rules)
    for kind in KINDS[position.decision]:
        yield from _universe_of(position, kind)


def _universe_of(position: Position, kind: Kind) -> Iterator[int]:
    code = int(kind)
    cards = range(4 * int(position.rules.rank_min), 4 * (int(position.rules.rank_max) + 1))
    tiles = range(len(position.cells))
    spaces = [(space_number(position.state, cell), cell) for cell in sorted(pack_cell(*c) for c in position.fringe)]
    if kind in _WORD:
        yield code
    elif kind in (Kind.PASS, Kind.MELD):
        yield from (positions_action(code, positions) for positions in range(1 << len(position.hand)))
    elif kind == Kind.BURY:
        count = int(position.rules.trade_cards)
        strangers = [card for card in cards if card not in position.hand]
        choice = [*cards] if count < 3 else [*position.hand, *strangers[:2]]
        yield from (bury_action(*(*chosen, 0, 0)[:3]) for chosen in permutations(choice, count))
    elif kind in (Kind.TO, Kind.UNIT):
        yield from (tile_action(code, 0), tile_action(code, 1))
    elif kind in (Kind.FORTIFY, Kind.RETREAT):
        yield from (tile_action(code, tile) for tile in tiles)
        if kind == Kind.RETREAT:
            yield RETREAT_HOME
    elif kind in _ON_TILE:
        yield from (card_on_tile(code, card, tile) for card in cards for tile in tiles)
    elif kind == Kind.MOVE:
        yield from (move_action(tile, to_tile) for tile in tiles for to_tile in tiles)
    elif kind == Kind.EXPLORE:
        yield from (space_action(code, card, 0, space, cell, 0) for card in cards for space, cell in spaces)
    elif kind == Kind.WATER:
        yield from (space_action(code, 0, tile, space, cell, 0) for tile in tiles for space, cell in spaces)
    elif kind == Kind.PLACE:
        yield from (space_action(code, 0, 0, space, cell, terrain) for space, cell in spaces for terrain in range(4))
    elif kind in (Kind.KEEP, Kind.SHOW):
        yield from (card_action(code, objective) for objective in range(64))
    elif kind == Kind.TAKE:
        yield from (card_action(code, slot) for slot in range(int(position.rules.grid_slots) + 1))
    else:
        none = (0,) if kind in (Kind.DECLARE, Kind.DEFEND) else ()
        yield from (card_action(code, card) for card in (*none, *cards))

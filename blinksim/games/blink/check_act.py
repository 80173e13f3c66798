"""Why a choice of the map turn (D07) or of effect B (D15, D16) is not legal (sections 2.4, 3.6 to 3.8, 3.10 to 3.12).

Each function gives the reason against one kind of choice in words, or None where it is legal.
"""

from __future__ import annotations

from collections.abc import Callable

from blinksim.games.blink.actions import card_of, cell_of, terrain_of, tile_of, to_tile_of
from blinksim.games.blink.enums import Kind, Terrain
from blinksim.games.blink.position import NOBODY, Cell, Position, neighbours
from blinksim.games.cards import SUITS, card_text, cards_text
from blinksim.games.hexmap import unpack_cell


def at(cell: Cell) -> str:
    """A cell as text."""
    return f"{cell[0]},{cell[1]}"


def _reach_reason(position: Position, cell: Cell, reach: int) -> str | None:
    """Section 0 "in reach", with the waiver of a seat without units (section 3.6, R51)."""
    if not position.own:
        return None if position.rules.reach_waived else "the seat has no unit on the map, and reach is not waived"
    away = position.to_own(cell)
    if away > reach:
        return f"{at(cell)} is out of reach: it is {away} from the nearest own tile, {reach} is allowed"
    return None


def meld_card_reason(position: Position, card: int) -> str | None:
    """Against a card that is not in the own meld."""
    return None if card in position.meld else f"the meld does not hold {card_text(card)}"


def _space_reason(position: Position, cell: Cell, laid_beside: int = 0) -> str | None:
    """Whether a tile may go on a cell as far as other tiles matter (``turn.explore_min_touch``)."""
    if cell in position.tiles:
        return f"there is already a tile at {at(cell)}"
    touch = position.touch(cell) + laid_beside
    if touch < position.min_touch:
        return f"the space touches only {touch} tile{'s' * (touch != 1)}, {position.min_touch} are needed"
    return None


def _supply_reason(position: Position, terrain: int, needed: int = 1) -> str | None:
    if position.supply[terrain] < needed:
        left = position.supply[terrain] or "no"
        return f"the supply has {left} {SUITS[terrain]} tile{'s' * (left != 1)}, {needed} needed"
    return None


def _settle(position: Position, action: int) -> str | None:
    """Sections 2.4 and 3.6."""
    card, cell = card_of(action), position.cells[tile_of(action)]
    tile = position.tiles[cell]
    if reason := meld_card_reason(position, card):
        return reason
    if position.reserve < 1:
        return "the reserve is empty"
    if position.rules.suit_must_match and tile.terrain != card & 3:
        return f"{card_text(card)} does not match the terrain {SUITS[tile.terrain]}"
    if tile.owner not in (NOBODY, position.seat):
        return f"that tile is held by seat {tile.owner}"
    if not position.has_room(cell):
        return "that tile is full"
    return _reach_reason(position, cell, int(position.rules.reach))


def _explore(position: Position, action: int) -> str | None:
    """Sections 2.4 and 3.6, R49, R50."""
    card, cell = card_of(action), unpack_cell(cell_of(action))
    return (
        meld_card_reason(position, card)
        or _space_reason(position, cell)
        or _supply_reason(position, card & 3)
        or _reach_reason(position, cell, int(position.rules.reach))
    )


def _attack(position: Position, action: int) -> str | None:
    """Sections 2.4 and 3.7; ``turn.no_attack_rounds`` of section 1.9."""
    card, cell = card_of(action), position.cells[tile_of(action)]
    tile = position.tiles[cell]
    if reason := meld_card_reason(position, card):
        return reason
    peace = int(position.rules.no_attack_rounds)
    if int(position.state.round_number) <= peace:
        return f"attacks are not allowed before round {peace + 1}"
    if tile.owner == NOBODY:
        return "that tile is unoccupied"
    if tile.owner == position.seat:
        return "that tile is the seat's own"
    if position.rules.suit_must_match and tile.terrain != card & 3:
        return f"{card_text(card)} does not match the terrain {SUITS[tile.terrain]}"
    return _reach_reason(position, cell, int(position.rules.reach))


def _gold(position: Position, action: int) -> str | None:
    """Section 2.4."""
    return meld_card_reason(position, card_of(action))


def _move(position: Position, action: int) -> str | None:
    """Section 3.8, R73 to R78, R83."""
    start, end = position.cells[tile_of(action)], position.cells[to_tile_of(action)]
    if int(position.state.moves_left) < 1:
        return "no movements left"
    if start not in position.own:
        return f"the seat has no unit at {at(start)}"
    if end in position.destinations[start]:
        return None
    if start == end:
        return "a movement must end on another tile"
    tile = position.tiles[end]
    if tile.owner not in (NOBODY, position.seat):
        return f"that tile is held by seat {tile.owner}"
    if end in position.own and not position.has_room(end):
        return "that tile is full"
    return f"no way leads from {at(start)} to {at(end)}, by land or sea"


def _water(position: Position, action: int) -> str | None:
    """The water advantage: section 3.8, R81."""
    rules = position.rules
    start, cell = position.cells[tile_of(action)], unpack_cell(cell_of(action))
    if not rules.water_advantage:
        return "the water advantage is switched off"
    if int(position.state.water_used) >= int(rules.water_per_turn):
        return "the water advantage is used up this turn"
    if int(position.state.moves_left) < int(rules.water_cost):
        return f"the water advantage costs {int(rules.water_cost)} movement(s), {int(position.state.moves_left)} left"
    if start not in position.waters:
        return f"the seat has no unit on an Ocean tile at {at(start)}"
    if reason := _space_reason(position, cell) or _supply_reason(position, Terrain.O):
        return reason
    if not neighbours(cell) & position.waters[start]:
        return f"no water leads from {at(start)} to a tile beside {at(cell)}"
    return None


def _fortify(position: Position, action: int) -> str | None:
    """Section 2.4, R84; ``fortify.max_per_unit`` of section 1.9."""
    rules = position.rules
    if not rules.fortify:
        return "fortifying is switched off"
    cell = position.cells[tile_of(action)]
    tile = position.tiles[cell]
    if cell not in position.own:
        return f"the seat has no unit at {at(cell)}"
    if tile.coins >= tile.units * int(rules.max_per_unit):
        return "every unit of that tile has its coins"
    if position.gold < int(rules.fortify_cost):
        return f"a coin costs {int(rules.fortify_cost)} gold, the seat has {position.gold}"
    return None


def _improve_reason(position: Position) -> str | None:
    """What research and trade have in common (sections 3.10 and 3.11, R94, R108; the last price repeats)."""
    state, rules = position.state, position.rules
    if int(state.improve_used) >= int(rules.improve_per_turn):
        return f"{int(rules.improve_per_turn)} improvements a turn are allowed, and used"
    price = int(rules.costs[min(int(state.improve_bought), int(rules.num_costs) - 1)])
    if position.gold < price:
        return f"the next improvement costs {price} gold, the seat has {position.gold}"
    return None


def _research(position: Position, action: int) -> str | None:
    """Section 3.10, R94, R98, R100."""
    state, rules = position.state, position.rules
    if not rules.research:
        return "research is switched off"
    if reason := _improve_reason(position):
        return reason
    if not position.hand:
        return "the hand is empty, nothing could be retired"
    if int(state.upgrade_count) > 0:
        return None
    if rules.empty_deck_forbids:
        return "the upgrade deck is empty"
    tops = [int(card) for card in state.grid_top[: int(rules.grid_slots)] if card]
    if not any(card >> 2 <= position.rank_cap for card in tops):
        return f"the upgrade deck is empty and no top card is within the rank cap {position.rank_cap}"
    return None


def _trade(position: Position, action: int) -> str | None:
    """Section 3.11, R105."""
    if not position.rules.trade:
        return "trade is switched off"
    if reason := _improve_reason(position):
        return reason
    needed, there = int(position.rules.trade_cards), int(position.state.market_count)
    return f"the market has {there} cards, {needed} are needed" if there < needed else None


def spend_reason(position: Position, card: int, effect: str) -> str | None:
    """The allowance for a row card (section 3.12, R26, R109)."""
    state, rules, seat = position.state, position.rules, position.seat
    if not rules[f"effect_{effect}"]:
        return f"effect {effect.upper()} is switched off"
    if card not in position.row:
        return f"the victory row does not hold {card_text(card)}"
    if int(state.spends[seat]) >= int(rules.spends_per_round):
        return f"{int(rules.spends_per_round)} victory card(s) a round may be spent, and were"
    if int(state[f"spent_{effect}"][seat]) >= int(rules[f"limit_{effect}"]):
        return f"effect {effect.upper()} may be used {int(rules[f'limit_{effect}'])} time(s) a round, and was"
    return None


def _found(position: Position, action: int) -> str | None:
    """Effect B: section 3.12, R113."""
    card = card_of(action)
    if reason := spend_reason(position, card, "b"):
        return reason
    if position.reserve < 1:
        return "the reserve is empty"
    if not int(position.rules.band_tiles[int(position.rules.band_of[card >> 2])]):
        return f"the band of {card_text(card)} lays no tile"
    return None if _has_first_colony(position, card) else "there is no place for the first tile"


def _has_first_colony(position: Position, card: int) -> bool:
    """Whether effect B of a card has a legal first placement (R113)."""
    if card not in position.first_colony:
        position.first_colony[card] = any(
            why_not_placed(position, card, cell, terrain) is None for cell in position.fringe for terrain in range(4)
        )
    return position.first_colony[card]


def _cash(position: Position, action: int) -> str | None:
    """Effect C: section 3.12, R112."""
    return spend_reason(position, card_of(action), "c")


def _end(position: Position, action: int) -> str | None:
    """Section 2.4, R41."""
    if position.meld and position.rules.must_resolve_all:
        return f"{cards_text(position.meld)} must be resolved first"
    return None


def why_not_placed(position: Position, card: int, cell: Cell, terrain: int) -> str | None:
    """The reason against laying a tile of effect B of a card on a cell; None where it is legal (section 3.12)."""
    rules = position.rules
    band = int(rules.band_of[card >> 2])
    if not rules.band_any[band] and terrain != card & 3:
        return f"{card_text(card)} lays only {SUITS[card & 3]}"
    if cell in position.tiles:
        return f"there is already a tile at {at(cell)}"
    reach = int(rules.band_reach[band])
    if reason := _reach_reason(position, cell, reach) or _supply_reason(position, terrain):
        return reason
    if not _needs_between(position, cell):
        return _space_reason(position, cell)
    if reason := _supply_reason(position, terrain, 2):
        return f"{reason} with the one in between"
    if not any(_between_reason(position, cell, between) is None for between in neighbours(cell)):
        return "no hex can carry the tile in between"
    return _space_reason(position, cell, laid_beside=1)


def _needs_between(position: Position, cell: Cell) -> bool:
    """Whether a distant space needs a tile in between first (``b_distant_between = "lay_suit"``, R119)."""
    if not position.rules.b_lay_suit or not position.own or position.to_own(cell) != 2:
        return False
    return not any(beside in position.tiles and neighbours(beside) & position.own for beside in neighbours(cell))


def _between_reason(position: Position, distant: Cell, cell: Cell) -> str | None:
    """Why a hex cannot carry the tile in between an own tile and a distant space; None where it can."""
    if cell not in neighbours(distant):
        return f"{at(cell)} is not beside the distant space {at(distant)}"
    if not neighbours(cell) & position.own:
        return f"{at(cell)} is not beside an own tile"
    return _space_reason(position, cell)


def _place(position: Position, action: int) -> str | None:
    """D15: section 3.12, R114, R116, R118, R119, R121."""
    card, cell, terrain = int(position.state.b_card), unpack_cell(cell_of(action)), terrain_of(action)
    if int(position.state.b_distant) < 0:
        return why_not_placed(position, card, cell, terrain)
    if terrain != card & 3:
        return f"the tile in between is of the card's suit {SUITS[card & 3]}"
    return _between_reason(position, unpack_cell(int(position.state.b_distant)), cell)


def _unit(position: Position, action: int) -> str | None:
    """D16: both answers are legal whenever the question is due (section 3.12)."""
    return None


ACT_CHECKS: dict[Kind, Callable[[Position, int], str | None]] = {
    Kind.SETTLE: _settle,
    Kind.EXPLORE: _explore,
    Kind.ATTACK: _attack,
    Kind.GOLD: _gold,
    Kind.MOVE: _move,
    Kind.WATER: _water,
    Kind.FORTIFY: _fortify,
    Kind.RESEARCH: _research,
    Kind.TRADE: _trade,
    Kind.FOUND: _found,
    Kind.CASH: _cash,
    Kind.END: _end,
    Kind.PLACE: _place,
    Kind.UNIT: _unit,
}
"""The check of each kind of choice of the map turn and of effect B."""

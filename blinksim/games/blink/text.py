"""The words of decisions and choices, both ways (``record.md``, "Decisions").

A choice is written for the position in which it is made: ``settle 8M 1,0`` names the card and the cell, and
:func:`parse_action` finds the number of the tile there. Reading checks the words, not the rules; whether a choice is
legal is :func:`blinksim.games.blink.check.why_not`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from blinksim.errors import UserError
from blinksim.games.blink.actions import (
    HERE,
    LATER,
    NO_SPACE,
    RETREAT_HOME,
    TO_DISCARD,
    TO_HAND,
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
from blinksim.games.blink.enums import Decision, Kind
from blinksim.games.blink.objectives import objective_text, parse_objective
from blinksim.games.cards import SUITS, card_text, cards_in, cards_text, parse_card
from blinksim.games.hexmap import cell_text, parse_cell

KINDS: dict[Decision, tuple[Kind, ...]] = {
    Decision.OVER: (),
    Decision.OBJECTIVE_KEEP: (Kind.KEEP,),
    Decision.DRAFT_PASS: (Kind.PASS,),
    Decision.OBJECTIVE_SHOW: (Kind.SHOW,),
    Decision.MELD: (Kind.MELD,),
    Decision.DECLARE_A: (Kind.DECLARE,),
    Decision.SET_ASIDE: (Kind.ASIDE,),
    Decision.ACT: (
        Kind.SETTLE,
        Kind.EXPLORE,
        Kind.ATTACK,
        Kind.GOLD,
        Kind.MOVE,
        Kind.WATER,
        Kind.FORTIFY,
        Kind.RESEARCH,
        Kind.TRADE,
        Kind.FOUND,
        Kind.CASH,
        Kind.END,
    ),
    Decision.DEFEND: (Kind.DEFEND,),
    Decision.RETREAT: (Kind.RETREAT,),
    Decision.RESEARCH_RETIRE: (Kind.RETIRE,),
    Decision.ROW_OVERFLOW: (Kind.DROP,),
    Decision.RESEARCH_TAKE: (Kind.TAKE,),
    Decision.RESEARCH_TO: (Kind.TO,),
    Decision.TRADE_BURY: (Kind.BURY,),
    Decision.B_PLACE: (Kind.PLACE,),
    Decision.B_UNIT: (Kind.UNIT,),
}
"""The kinds of choice at each decision (section 2)."""

FORMS: dict[Kind, str] = {
    Kind.KEEP: "keep OBJECTIVE",
    Kind.PASS: "pass CARD CARD ...",
    Kind.SHOW: "show OBJECTIVE",
    Kind.MELD: "meld CARD ...",
    Kind.DECLARE: "declare none, declare CARD",
    Kind.ASIDE: "aside CARD",
    Kind.SETTLE: "settle CARD CELL",
    Kind.EXPLORE: "explore CARD CELL",
    Kind.ATTACK: "attack CARD CELL",
    Kind.GOLD: "gold CARD",
    Kind.MOVE: "move CELL CELL",
    Kind.WATER: "water CELL CELL",
    Kind.FORTIFY: "fortify CELL",
    Kind.RESEARCH: "research",
    Kind.TRADE: "trade",
    Kind.FOUND: "found CARD",
    Kind.CASH: "cash CARD",
    Kind.END: "end",
    Kind.DEFEND: "defend none, defend CARD",
    Kind.RETREAT: "retreat CELL, retreat home",
    Kind.RETIRE: "retire CARD",
    Kind.DROP: "drop CARD",
    Kind.TAKE: "take SLOT",
    Kind.TO: "to hand, to discard",
    Kind.BURY: "bury CARD CARD ...",
    Kind.PLACE: "place CELL TERRAIN",
    Kind.UNIT: "unit here, unit later",
}
"""How each kind of choice is written, for messages."""

_WORDS = {kind.name.lower(): kind for kind in Kind}
_DECISIONS = {decision.name.lower(): decision for decision in Decision if decision != Decision.OVER}


class ActionTextError(UserError):
    """A choice that cannot be read in the position given.

    Attributes:
        reason: What is wrong, without the text and the forms allowed.
    """

    def __init__(self, text: str, reason: str, decision: Decision) -> None:
        self.reason = reason
        forms = ", ".join(FORMS[kind] for kind in KINDS[decision])
        allowed = f"at {decision_text(decision)} a choice is written: {forms}" if forms else "the game has ended"
        super().__init__(f'"{text}" cannot be read: {reason}; {allowed}')


def decision_text(decision: int) -> str:
    """The name of a decision in records, such as ``objective_keep``; ``over`` once the game has ended."""
    return Decision(int(decision)).name.lower()


def parse_decision(text: str) -> Decision:
    """A decision from its name.

    Raises:
        UserError: no decision has that name; the text lists the names.
    """
    if text not in _DECISIONS:
        raise UserError(f'"{text}" is not a decision: the decisions are {", ".join(_DECISIONS)}')
    return _DECISIONS[text]


def action_text(state: Any, action: int) -> str:
    """A choice in words, such as ``settle 8M 1,0``.

    Args:
        state: The position in which the choice is made (one STATE record); its tiles and the hand of the deciding seat
            give cells and cards their names.
        action: A choice of that position (:mod:`blinksim.games.blink.actions`).
    """
    action = int(action)
    kind = Kind(kind_of(action))
    word = kind.name.lower()
    if kind in (Kind.RESEARCH, Kind.TRADE, Kind.END):
        return word
    return f"{word} {_WRITERS[kind](state, action)}"


def _tile_text(state: Any, tile: int) -> str:
    return cell_text(int(state.tile_cell[tile]))


def _write_card(state: Any, action: int) -> str:
    return card_text(card_of(action)) if card_of(action) else "none"


def _write_objective(state: Any, action: int) -> str:
    return objective_text(card_of(action))


def _write_positions(state: Any, action: int) -> str:
    hand = cards_in(state.hand[int(state.seat)])
    return cards_text(card for i, card in enumerate(hand) if positions_of(action) >> i & 1)


def _write_card_on_tile(state: Any, action: int) -> str:
    return f"{card_text(card_of(action))} {_tile_text(state, tile_of(action))}"


def _write_retreat(state: Any, action: int) -> str:
    return "home" if action == RETREAT_HOME else _tile_text(state, tile_of(action))


def _write_bury(state: Any, action: int) -> str:
    cards = [buried_card(action, i) for i in range(3)]
    return " ".join(card_text(card) for card in cards if card)


_WRITERS: dict[Kind, Callable[[Any, int], str]] = {
    Kind.KEEP: _write_objective,
    Kind.PASS: _write_positions,
    Kind.SHOW: _write_objective,
    Kind.MELD: _write_positions,
    Kind.DECLARE: _write_card,
    Kind.ASIDE: _write_card,
    Kind.SETTLE: _write_card_on_tile,
    Kind.EXPLORE: lambda state, action: f"{card_text(card_of(action))} {cell_text(cell_of(action))}",
    Kind.ATTACK: _write_card_on_tile,
    Kind.GOLD: _write_card,
    Kind.MOVE: lambda state, action: f"{_tile_text(state, tile_of(action))} {_tile_text(state, to_tile_of(action))}",
    Kind.WATER: lambda state, action: f"{_tile_text(state, tile_of(action))} {cell_text(cell_of(action))}",
    Kind.FORTIFY: lambda state, action: _tile_text(state, tile_of(action)),
    Kind.FOUND: _write_card,
    Kind.CASH: _write_card,
    Kind.DEFEND: _write_card,
    Kind.RETREAT: _write_retreat,
    Kind.RETIRE: _write_card,
    Kind.DROP: _write_card,
    Kind.TAKE: lambda state, action: str(card_of(action) + 1),
    Kind.TO: lambda state, action: "discard" if tile_of(action) == TO_DISCARD else "hand",
    Kind.BURY: _write_bury,
    Kind.PLACE: lambda state, action: f"{cell_text(cell_of(action))} {SUITS[terrain_of(action)]}",
    Kind.UNIT: lambda state, action: "here" if tile_of(action) == HERE else "later",
}


def parse_action(state: Any, rules: Any, text: str) -> int:
    """A choice from its words, as the same number that the list of legal choices would hold.

    Words are separated by single spaces. The cards of a pass or a meld may come in any order; those of a bury are taken
    in the order given (the first goes above the next).

    Args:
        state: The position in which the choice is made; one STATE record.
        rules: The ruleset; one RULES record.
        text: Such as ``settle 8M 1,0``.

    Raises:
        ActionTextError: the text is not a choice of the decision that is due, or names a card that the hand of a pass
            or meld does not hold or a tile that is not there. Whether the rules allow the choice is not looked at.
    """
    decision = Decision(int(state.decision))
    words = text.split(" ")
    kind = _WORDS.get(words[0])
    if kind is None:
        raise ActionTextError(text, f'"{words[0]}" is not a kind of choice', decision)
    if kind not in KINDS[decision]:
        raise ActionTextError(text, f'"{words[0]}" is not a choice of this decision', decision)
    try:
        return int(_READERS[kind](state, rules, kind, words[1:]))
    except ValueError as error:
        raise ActionTextError(text, str(error), decision) from None


def _expect(kind: Kind, words: list[str], count: int) -> None:
    """Raise ValueError unless there are ``count`` words after the first."""
    if len(words) != count:
        given = " ".join([kind.name.lower(), *words])
        raise ValueError(f'"{given}" has {len(words)} word(s) after the first, "{FORMS[kind]}" has {count}')


def _tile_at(state: Any, text: str) -> int:
    """The number of the tile at a cell given as text."""
    cell = parse_cell(text)
    for tile in range(int(state.num_tiles)):
        if int(state.tile_cell[tile]) == cell:
            return tile
    raise ValueError(f"there is no tile at {cell_text(cell)}")


def space_number(state: Any, cell: int) -> int:
    """The number of a cell in the state's list of spaces, or ``NO_SPACE`` (255) where it is not in it."""
    for space in range(int(state.num_spaces)):
        if int(state.space_cell[space]) == cell:
            return space
    return NO_SPACE


def _cards(words: list[str]) -> list[int]:
    cards = [parse_card(word) for word in words]
    for card in cards:
        if cards.count(card) > 1:
            raise ValueError(f"{card_text(card)} is named twice")
    return cards


def _read_word(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 0)
    return int(kind)


def _read_card(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 1)
    return card_action(int(kind), parse_card(words[0]))


def _read_card_or_none(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    if words == ["none"]:
        return card_action(int(kind), 0)
    return _read_card(state, rules, kind, words)


def _read_objective(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 1)
    return card_action(int(kind), parse_objective(words[0]))


def _read_positions(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    hand = cards_in(state.hand[int(state.seat)])
    positions = 0
    for card in _cards(words):
        if card not in hand:
            raise ValueError(f"the hand does not hold {card_text(card)}")
        positions |= 1 << hand.index(card)
    return positions_action(int(kind), positions)


def _read_card_on_tile(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 2)
    return card_on_tile(int(kind), parse_card(words[0]), _tile_at(state, words[1]))


def _read_explore(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 2)
    cell = parse_cell(words[1])
    return space_action(int(kind), parse_card(words[0]), 0, space_number(state, cell), cell, 0)


def _read_move(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 2)
    return move_action(_tile_at(state, words[0]), _tile_at(state, words[1]))


def _read_water(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 2)
    cell = parse_cell(words[1])
    return space_action(int(kind), 0, _tile_at(state, words[0]), space_number(state, cell), cell, 0)


def _read_tile(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 1)
    return tile_action(int(kind), _tile_at(state, words[0]))


def _read_retreat(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    return RETREAT_HOME if words == ["home"] else _read_tile(state, rules, kind, words)


def _read_take(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 1)
    slots = int(rules.grid_slots)
    if words[0] not in [str(i + 1) for i in range(slots)]:
        raise ValueError(f'"{words[0]}" is not a slot: the slots of the grid are 1 to {slots}')
    return card_action(int(kind), int(words[0]) - 1)


def _read_bury(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, int(rules.trade_cards))
    cards = [*_cards(words), 0, 0]
    return bury_action(cards[0], cards[1], cards[2])


def _read_place(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    _expect(kind, words, 2)
    cell = parse_cell(words[0])
    if words[1] not in list(SUITS):
        raise ValueError(f'"{words[1]}" is not a terrain: the terrains are {", ".join(SUITS)}')
    return space_action(int(kind), 0, 0, space_number(state, cell), cell, SUITS.index(words[1]))


def _read_choice(state: Any, rules: Any, kind: Kind, words: list[str]) -> int:
    codes = {"hand": TO_HAND, "discard": TO_DISCARD} if kind == Kind.TO else {"here": HERE, "later": LATER}
    if len(words) != 1 or words[0] not in codes:
        raise ValueError(f'the forms are "{FORMS[kind]}"')
    return tile_action(int(kind), codes[words[0]])


_READERS: dict[Kind, Callable[[Any, Any, Kind, list[str]], int]] = {
    Kind.KEEP: _read_objective,
    Kind.PASS: _read_positions,
    Kind.SHOW: _read_objective,
    Kind.MELD: _read_positions,
    Kind.DECLARE: _read_card_or_none,
    Kind.ASIDE: _read_card,
    Kind.SETTLE: _read_card_on_tile,
    Kind.EXPLORE: _read_explore,
    Kind.ATTACK: _read_card_on_tile,
    Kind.GOLD: _read_card,
    Kind.MOVE: _read_move,
    Kind.WATER: _read_water,
    Kind.FORTIFY: _read_tile,
    Kind.RESEARCH: _read_word,
    Kind.TRADE: _read_word,
    Kind.FOUND: _read_card,
    Kind.CASH: _read_card,
    Kind.END: _read_word,
    Kind.DEFEND: _read_card_or_none,
    Kind.RETREAT: _read_retreat,
    Kind.RETIRE: _read_card,
    Kind.DROP: _read_card,
    Kind.TAKE: _read_take,
    Kind.TO: _read_choice,
    Kind.BURY: _read_bury,
    Kind.PLACE: _read_place,
    Kind.UNIT: _read_choice,
}

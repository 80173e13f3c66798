"""What a game's fact tables look like: columns with type, unit, meaning and moment, and the key of a game.

A game package declares its tables with these classes and nothing else; ``blinksim.store.schema`` turns them into Arrow
schemas, fills them, checks them and prints them. The recorder of a game delivers, for every table, one int64 array of
``1 + len(table.recorded)`` columns: first the index of the game within the chunk, then ``table.recorded`` in order.
Everything else (the key, ``slot``, names of strategies) follows from the game's key and is filled in by the store.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

NULL = -(2**31)
"""What a recorder writes into an optional column where there is nothing to say; fits event buffers of int32."""

INTEGER_TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")
TYPES = (*INTEGER_TYPES, "bool", "float32", "digest", "enum", "strategy", "card", "cell")
DERIVED = ("slot", "position", "strategy")


@dataclass(frozen=True)
class Column:
    """One column of a fact table.

    Attributes:
        name: Name in the file; a ``card`` is stored as ``NAME_rank`` and ``NAME_suit``, a ``cell`` as ``NAME_q`` and
            ``NAME_r``.
        type: One of ``TYPES``. ``digest`` is a uint64 delivered as its int64 bit pattern, ``enum`` a code delivered as
            a number and stored as a name, ``card`` a card number (0 none, stored as null), ``cell`` a packed cell.
        unit: Unit of the value, such as ``gold`` or ``cards``.
        meaning: What it says, in a sentence.
        moment: When it is taken.
        fill: How the recorder, or the store, comes by it; for whoever writes the recorder.
        names: Names of an ``enum`` by code.
        optional: Whether ``NULL`` may be delivered; stored as null.
        scale: Of ``float32``: the stored value is what is delivered divided by this.
        derived: (what, from which seat column) for columns that the store fills; what is one of ``DERIVED``.
    """

    name: str
    type: str
    unit: str
    meaning: str
    moment: str
    fill: str = ""
    names: tuple[str, ...] = ()
    optional: bool = False
    scale: int = 1
    derived: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        assert self.type in TYPES, f"column {self.name}: type {self.type} is not one of {', '.join(TYPES)}"
        assert (self.type == "enum") == bool(self.names), (
            f"column {self.name}: names belong to type enum, and only there"
        )
        assert self.derived is None or self.derived[0] in DERIVED, f"column {self.name}: derived from {self.derived}"


_GAME = "of the whole game"
GAME_KEY = (
    Column("variant", "int16", "number", "Which ruleset of the experiment; 0 is the base.", _GAME),
    Column("players", "int8", "players", "How many play.", _GAME),
    Column("line_up", "int16", "number", "Which list of strategies, counted per player count from 0.", _GAME),
    Column("deal", "int32", "number", "Which shuffle, counted per player count from 0.", _GAME),
    Column("hand_shift", "int8", "positions", "h: slot k plays what was dealt to position (k + h) mod players.", _GAME),
    Column("seat_shift", "int8", "seats", "t: the hand of position j sits on map seat (j + t) mod players.", _GAME),
    Column("replicate", "int32", "number", "The same game with fresh play streams, from 0.", _GAME),
    Column("game", "int64", "number", "Number of the game within its player count.", _GAME),
)
"""Columns that every row of every table starts with."""

KEYS = np.dtype([(column.name, "i8") for column in GAME_KEY])
"""The key of one game as compiled code reads it: one int64 for each column of ``GAME_KEY``."""

ROW_KEYS = {
    "slot": Column(
        "slot",
        "int8",
        "slot",
        "The player as the line-up counts them, from 0.",
        _GAME,
        "from seat",
        derived=("slot", "seat"),
    ),
    "seat": Column("seat", "int8", "seat", "The seat on the map, clockwise from 0.", _GAME, "recorded: the seat"),
    "round": Column("round", "int16", "round", "The round, from 1.", "when it happens", "recorded: state.round_number"),
}
"""Further key columns, for the tables that need them."""


@dataclass(frozen=True)
class Table:
    """One fact table.

    Attributes:
        name: Name of the table and of its folder in a run.
        row: What one row stands for, as in "one row per ...".
        key: Which of ``ROW_KEYS`` follow the key of the game, in order.
        columns: Everything else.
        recorded: Names of the columns that a recorder delivers, in order, after the index of the game.
    """

    name: str
    row: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    recorded: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        names = [column.name for column in self.all_columns]
        assert len(names) == len(set(names)), f"table {self.name} names a column twice"
        object.__setattr__(
            self, "recorded", tuple(c.name for c in self.all_columns[len(GAME_KEY) :] if c.derived is None)
        )

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """Key and other columns, in the order of the file."""
        return (*GAME_KEY, *(ROW_KEYS[name] for name in self.key), *self.columns)

    def index(self, name: str) -> int:
        """Where a recorder puts a column in the array that it delivers; 0 is the index of the game."""
        return self.recorded.index(name) + 1

"""Fact tables as Arrow: schema, filling from what a recorder delivers, checks on write and read, and printing.

Columns are declared once, in the tables of a game (:mod:`blinksim.games.tables`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from blinksim.errors import UserError
from blinksim.games.tables import GAME_KEY, NULL, Column, Table

if TYPE_CHECKING:
    import rich.table

SUITS = ("P", "F", "O", "M")
_CODES = pa.int8()
_ENUM = pa.dictionary(_CODES, pa.string())
_ARROW: dict[str, Any] = {
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "uint8": pa.uint8(),
    "uint16": pa.uint16(),
    "uint32": pa.uint32(),
    "bool": pa.bool_(),
    "float32": pa.float32(),
    "digest": pa.uint64(),
    "enum": _ENUM,
    "strategy": pa.dictionary(pa.int16(), pa.string()),
}
_VERSION_KEY = b"blinksim_tables"


class SchemaError(UserError):
    """A table is not what its schema says."""


@dataclass(frozen=True)
class LineUpNames:
    """Who sits in which slot, for one player count.

    Attributes:
        names: All strategies of the experiment.
        codes: (line-ups, slots) int16, numbers into ``names``.
    """

    names: tuple[str, ...]
    codes: np.ndarray


def stored_fields(column: Column) -> list[tuple[str, Any]]:
    """The (name, Arrow type) of what a column is stored as: one field, or two for a card or a cell."""
    if column.type == "card":
        return [(f"{column.name}_rank", pa.int8()), (f"{column.name}_suit", _ENUM)]
    if column.type == "cell":
        return [(f"{column.name}_q", pa.int8()), (f"{column.name}_r", pa.int8())]
    return [(column.name, _ARROW[column.type])]


def arrow_schema(table: Table, version: int) -> Any:
    """The Arrow schema of a table, with the version of the tables in its metadata."""
    fields = []
    for column in table.all_columns:
        nullable = column.optional or column.type == "card"
        fields += [pa.field(name, type_, nullable=nullable) for name, type_ in stored_fields(column)]
    return pa.schema(fields, metadata={_VERSION_KEY: f"{table.name} {version}".encode()})


def fill_table(table: Table, version: int, rows: np.ndarray, keys: np.ndarray, line_ups: LineUpNames) -> Any:
    """Make the Arrow table of some games from what the recorder delivered.

    Args:
        table: Declaration of the table.
        version: Version of the game's tables.
        rows: (rows, 1 + recorded columns) int64, see :mod:`blinksim.games.tables`.
        keys: (games,) of dtype ``tables.KEYS``, the games that the first column counts.
        line_ups: Names of who plays.

    Raises:
        SchemaError: the array has another shape, a game that is not there, or a value that its column cannot hold.
    """
    width = 1 + len(table.recorded)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise SchemaError(
            f"table {table.name}: delivered as {rows.shape}, expected (rows, {width}): "
            f"game, {', '.join(table.recorded)}"
        )
    # One pass turns rows into columns that lie together in memory; everything after works on whole columns.
    columns = np.ascontiguousarray(rows.T, dtype=np.int64)
    games = columns[0]
    if len(games) and not (games.min() >= 0 and games.max() < len(keys)):
        raise SchemaError(f"table {table.name}: game {games.min()} to {games.max()} delivered of {len(keys)} games")
    recorded = dict(zip(table.recorded, columns[1:], strict=True))
    arrays: list[Any] = []
    for column in GAME_KEY:
        narrow = _narrow(table, column, keys[column.name], column.type)
        arrays.append(_array(narrow[games]))
    for column in table.all_columns[len(GAME_KEY) :]:
        if column.derived is None:
            arrays += _arrays(table, column, recorded[column.name])
        else:
            arrays.append(_derived(table, column, recorded, keys, games, line_ups))
    return pa.Table.from_arrays(arrays, schema=arrow_schema(table, version))


def _derived(
    table: Table,
    column: Column,
    recorded: dict[str, np.ndarray],
    keys: np.ndarray,
    games: np.ndarray,
    line_ups: LineUpNames,
) -> Any:
    """A column that follows from the key of the game and the number of a seat."""
    assert column.derived is not None
    what, seat_column = column.derived
    seat = recorded[seat_column]
    players, hand, turn = (np.asarray(keys[name])[games] for name in ("players", "hand_shift", "seat_shift"))
    position = (seat - turn) % players
    if what == "position":
        return _arrays(table, column, position)[0]
    slot = (position - hand) % players
    if what == "slot":
        return _arrays(table, column, slot)[0]
    codes = line_ups.codes[np.asarray(keys["line_up"])[games], slot].astype(np.int16)
    return _named(codes, line_ups.names)


def _arrays(table: Table, column: Column, values: np.ndarray) -> list[Any]:
    """What one recorded column is stored as."""
    if column.type == "card":
        missing = values == 0
        _check_range(table, column, values, 0, 127)
        return [
            _array((values >> 2).astype(np.int8), missing),
            _named((values & 3).astype(np.int8), SUITS, missing),
        ]
    if column.type == "cell":  # packed as blinksim.games.hexmap.pack_cell does
        _check_range(table, column, values, 0, 0xFFFF)
        return [_array(part.astype(np.int8)) for part in ((values >> 8) - 128, (values & 255) - 128)]
    if column.type == "digest":
        return [_array(values.view(np.uint64))]
    missing = values == NULL if column.optional else None
    if missing is not None:
        values = np.where(missing, 0, values)
    if column.type == "enum":
        _check_range(table, column, values, 0, len(column.names) - 1)
        return [_named(values.astype(np.int8), column.names, missing)]
    if column.type == "float32":
        return [_array((values / column.scale).astype(np.float32), missing)]
    if column.type == "bool":
        _check_range(table, column, values, 0, 1)
        return [_array(values.astype(np.bool_), missing)]
    return [_array(_narrow(table, column, values, column.type), missing)]


def _array(values: np.ndarray, missing: np.ndarray | None = None) -> Any:
    """A column of plain values around the array's own memory.

    Made from buffers because ``pa.array`` imports pandas on its first call, a quarter of a second at every start.
    """
    valid = None if missing is None or not missing.any() else pa.py_buffer(np.packbits(~missing, bitorder="little"))
    if values.dtype == np.bool_:
        data = pa.py_buffer(np.packbits(values, bitorder="little"))
        return pa.Array.from_buffers(pa.bool_(), len(values), [valid, data])
    data = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, data])


def _named(codes: np.ndarray, names: Sequence[str], missing: np.ndarray | None = None) -> Any:
    """A column of names, one code each."""
    encoded = [name.encode() for name in names]
    ends = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    words = pa.StringArray.from_buffers(len(names), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))
    return pa.DictionaryArray.from_arrays(_array(codes, missing), words)


def _narrow(table: Table, column: Column, values: np.ndarray, type_: str) -> np.ndarray:
    """Whole numbers in the column's own width, loudly where they do not fit."""
    limits = np.iinfo(type_)
    _check_range(table, column, values, int(limits.min), int(limits.max))
    return values.astype(type_)


def _check_range(table: Table, column: Column, values: np.ndarray, low: int, high: int) -> None:
    if len(values) and not (low <= values.min() and values.max() <= high):
        wrong = values[(values < low) | (values > high)][0]
        raise SchemaError(
            f"table {table.name}, column {column.name}: {wrong} delivered; {column.type} takes {low} to {high}"
        )


def check(table: Table, version: int, schema: Any, where: str) -> None:
    """Hold the schema of a file against the declaration.

    Args:
        table: Declaration of the table.
        version: Version of the game's tables.
        schema: Arrow schema found.
        where: Named in the message, such as the file.

    Raises:
        SchemaError: a column is missing, unknown, misplaced or of another type, or the tables have another version.
    """
    expected = arrow_schema(table, version)
    tag = (schema.metadata or {}).get(_VERSION_KEY, b"no version").decode()
    known, found = expected.names, schema.names
    for name in known:
        if name not in found:
            raise SchemaError(f"{where}: column {name} of table {table.name} is missing ({tag}); {_AGAIN}")
    for name in found:
        if name not in known:
            raise SchemaError(f"{where}: table {table.name} has no column {name} ({tag}); {_AGAIN}")
    for i, field in enumerate(expected):
        if found[i] != field.name:
            raise SchemaError(f"{where}: column {i + 1} is {found[i]}, expected {field.name}; {_AGAIN}")
        if schema.field(i).type != field.type:
            raise SchemaError(
                f"{where}: column {field.name} is {schema.field(i).type}, expected {field.type}; {_AGAIN}"
            )
    if tag != f"{table.name} {version}":
        raise SchemaError(f'{where}: written as "{tag}", expected "{table.name} {version}"; {_AGAIN}')


_AGAIN = "the file was written by another version or changed since; run the experiment again with --fresh"


def schema_rows(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """Every stored column as plain data: table, column, type, nullable, unit, meaning, moment, and names of codes."""
    rows = []
    for table in tables:
        for column in table.all_columns:
            for name, type_ in stored_fields(column):
                row: dict[str, Any] = {"table": table.name, "row": table.row, "column": name, "type": _type_text(type_)}
                row["nullable"] = column.optional or column.type == "card"
                row |= {"unit": _unit(column, name), "meaning": column.meaning, "moment": column.moment}
                names = SUITS if name == f"{column.name}_suit" and column.type == "card" else column.names
                rows.append(row | ({"names": list(names)} if names else {}))
    return rows


def _type_text(type_: Any) -> str:
    if pa.types.is_dictionary(type_):
        return "name"
    return "float32" if type_ == pa.float32() else str(type_)


def _unit(column: Column, name: str) -> str:
    if column.type == "card":
        return "rank" if name.endswith("_rank") else "suit"
    return column.unit


def rich_tables(tables: Sequence[Table]) -> list[rich.table.Table]:
    """One table for the terminal per fact table; the key of a game stands in the first only."""
    from rich.table import Table as RichTable

    pages = []
    for i, table in enumerate(tables):
        page = RichTable(title=f"{table.name}: one row per {table.row}", title_justify="left", title_style="bold")
        for heading in ("column", "type", "unit", "meaning", "taken"):
            page.add_column(heading, overflow="fold")
        key = [column.name for column in GAME_KEY]
        if i:
            page.add_row("...", "", "", f"key of the game: {', '.join(key)}", "")
        for row in schema_rows([table]):
            if i and row["column"] in key:
                continue
            kind = row["type"] + ("?" if row["nullable"] else "")
            page.add_row(row["column"], kind, row["unit"], row["meaning"], row["moment"])
        pages.append(page)
    return pages

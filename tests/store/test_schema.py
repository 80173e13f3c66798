"""Columns as Arrow: filled, checked and printed."""

import io

import numpy as np
import pyarrow as pa
import pytest
from rich.console import Console

from blinksim.games.blink.objectives import THE_TWELVE, parse_objective
from blinksim.games.blink.tables import OBJECTIVE_NAMES, TABLES, TABLES_VERSION
from blinksim.games.cards import parse_card
from blinksim.games.hexmap import pack_cell
from blinksim.games.tables import GAME_KEY, KEYS, NULL, Column, Table
from blinksim.store import schema

TABLE = Table(
    "things",
    "thing",
    ("slot", "seat", "round"),
    (
        Column("small", "int8", "u", "m", "t"),
        Column("maybe", "int16", "u", "m", "t", optional=True),
        Column("share", "float32", "u", "m", "t", optional=True, scale=12),
        Column("yes", "bool", "u", "m", "t"),
        Column("kind", "enum", "u", "m", "t", names=("x", "y")),
        Column("card", "card", "u", "m", "t"),
        Column("cell", "cell", "u", "m", "t"),
        Column("digest", "digest", "u", "m", "t"),
        Column("who", "strategy", "u", "m", "t", derived=("strategy", "seat")),
        Column("rival", "int8", "u", "m", "t"),
        Column("rival_slot", "int8", "u", "m", "t", derived=("slot", "rival")),
    ),
)
LINE_UPS = schema.LineUpNames(("ann", "bob"), np.array([[0, 1, 1]], dtype=np.int16))


def keys() -> np.ndarray:
    made = np.zeros(2, dtype=KEYS)
    made["players"], made["deal"], made["game"] = 3, [4, 5], [40, 50]
    made["hand_shift"], made["seat_shift"] = 2, 1
    return made


def row(**changes: int) -> list[int]:
    values = dict(game=1, seat=1, round=7, small=-3, maybe=NULL, share=4, yes=1, kind=1, card=parse_card("11F"))
    values |= dict(cell=pack_cell(-2, 5), digest=-1, rival=2)
    return list((values | changes).values())


def fill(*rows: list[int]) -> pa.Table:
    return schema.fill_table(TABLE, 3, np.array(rows, dtype=np.int64).reshape(-1, 12), keys(), LINE_UPS)


def test_a_row_is_filled_from_what_was_delivered_and_from_the_key() -> None:
    assert TABLE.recorded == (
        "seat",
        "round",
        "small",
        "maybe",
        "share",
        "yes",
        "kind",
        "card",
        "cell",
        "digest",
        "rival",
    )
    assert TABLE.index("seat") == 1 and TABLE.index("rival") == 11
    second = fill(row(game=0, card=0, share=NULL, maybe=5), row()).to_pylist()[1]
    assert second.pop("share") == pytest.approx(1 / 3)
    assert second == {
        "variant": 0,
        "players": 3,
        "line_up": 0,
        "deal": 5,
        "hand_shift": 2,
        "seat_shift": 1,
        "replicate": 0,
        "game": 50,
        "slot": 1,
        "seat": 1,
        "round": 7,
        "small": -3,
        "maybe": None,
        "yes": True,
        "kind": "y",
        "card_rank": 11,
        "card_suit": "F",
        "cell_q": -2,
        "cell_r": 5,
        "digest": 2**64 - 1,
        "who": "bob",
        "rival": 2,
        "rival_slot": 2,
    }


def test_nothing_is_null_where_there_was_nothing() -> None:
    first = fill(row(card=0, share=NULL, maybe=5)).to_pylist()[0]
    assert (first["card_rank"], first["card_suit"], first["share"], first["maybe"]) == (None, None, None, 5)


def test_a_table_without_rows_has_the_same_schema() -> None:
    empty = fill()
    assert empty.num_rows == 0
    schema.check(TABLE, 3, empty.schema, "x")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"small": 128}, "table things, column small: 128 delivered; int8 takes -128 to 127"),
        ({"small": NULL}, "column small: -2147483648 delivered"),
        ({"yes": 2}, "column yes: 2 delivered; bool takes 0 to 1"),
        ({"kind": 2}, "column kind: 2 delivered; enum takes 0 to 1"),
        ({"kind": -1}, "column kind: -1 delivered"),
        ({"card": 128}, "column card: 128 delivered; card takes 0 to 127"),
        ({"cell": -1}, "column cell: -1 delivered"),
        ({"game": 2}, "table things: game 2 to 2 delivered of 2 games"),
    ],
)
def test_a_value_that_does_not_fit_is_loud(change: dict[str, int], message: str) -> None:
    with pytest.raises(schema.SchemaError, match=message):
        fill(row(**change))


def test_an_array_of_another_width_is_loud() -> None:
    with pytest.raises(
        schema.SchemaError, match=r"table things: delivered as \(3, 5\), expected \(rows, 12\): game, seat, round"
    ):
        schema.fill_table(TABLE, 3, np.zeros((3, 5), dtype=np.int64), keys(), LINE_UPS)


def test_check_names_what_differs() -> None:
    good = fill(row())
    schema.check(TABLE, 3, good.schema, "x")
    swapped = good.select([*good.schema.names[:-2], good.schema.names[-1], good.schema.names[-2]])
    for changed, message in [
        (good.drop_columns(["kind"]), "f: column kind of table things is missing"),
        (good.append_column("odd", good["small"]), "f: table things has no column odd"),
        (swapped, "f: column 23 is rival_slot, expected rival"),
        (good.cast(good.schema.set(11, pa.field("small", pa.int16()))), "f: column small is int16, expected int8"),
    ]:
        with pytest.raises(schema.SchemaError, match=f"{message}.*--fresh"):
            schema.check(TABLE, 3, changed.schema, "f")
    with pytest.raises(schema.SchemaError, match='f: written as "things 3", expected "things 4"'):
        schema.check(TABLE, 4, good.schema, "f")


def test_blink_has_the_eight_tables_under_the_key_of_the_game() -> None:
    assert [t.name for t in TABLES] == [
        "games",
        "seats",
        "rounds",
        "duels",
        "improvements",
        "spends",
        "objectives",
        "cards",
    ]
    for table in TABLES:
        names = schema.arrow_schema(table, TABLES_VERSION).names
        assert names[: len(GAME_KEY)] == list(KEYS.names or ())
        assert len(names) == len(set(names))
        for column in table.all_columns:
            assert column.unit and column.meaning.endswith(".") and column.moment
            assert column.fill or column.derived or column in GAME_KEY, (
                f"{table.name}.{column.name} says not how it is filled"
            )


def test_objective_names_are_those_of_the_patterns() -> None:
    assert all(
        OBJECTIVE_NAMES[parse_objective(text)] == text
        for text in (*THE_TWELVE, "ocean_forest_mountain", "plains_plains")
    )
    assert len(set(OBJECTIVE_NAMES)) == 64


def test_every_stored_column_is_printed() -> None:
    rows = schema.schema_rows(TABLES)
    assert {"duels.cell_q", "duels.cell_r", "spends.card_rank", "spends.card_suit"} <= {
        f"{r['table']}.{r['column']}" for r in rows
    }
    outcome = next(r for r in rows if (r["table"], r["column"]) == ("games", "outcome"))
    assert outcome["type"] == "name" and outcome["names"] == ["running", "won", "shared", "stalled"]
    share = next(r for r in rows if r["column"] == "win_share")
    assert (share["type"], share["nullable"], share["unit"]) == ("float32", True, "games")
    console = Console(width=200, record=True, file=io.StringIO())
    for page in schema.rich_tables(TABLES):
        console.print(page)
    text = console.export_text()
    assert all(r["column"] in text for r in rows)

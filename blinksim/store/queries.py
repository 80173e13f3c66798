"""SQL over the tables of a run, by polars' SQL context: lazy, streaming, and with mistakes explained."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from blinksim.errors import UserError
from blinksim.store.schema import stored_fields

if TYPE_CHECKING:
    import polars as pl

    from blinksim.store.reading import Run

_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"'[^']*'")
_UNKNOWN = re.compile(r"""(?:relation|column)s? (?:named )?['"](\w+)['"]""")


class QueryError(UserError):
    """A query names what is not there, or is no SQL."""


def query(run: Run, sql: str) -> pl.LazyFrame:
    """The result of a ``select`` over the tables of a run, by their names; nothing is computed yet.

    Whole numbers are 64 bits wide here and fractions double, so that sums and products of the small types in the files
    do not overflow or lose digits. Digests stay what they are.

    Args:
        run: The run.
        sql: Such as ``select seat, avg(units) from seats group by seat order by seat``.

    Raises:
        QueryError: a table or column is not there (known ones are listed), or the text is no SQL that polars knows.
        RunError: a table that the query names is not in this run.
    """
    import polars as pl
    import polars.selectors as cs

    words = _WORD.findall(_QUOTED.sub("", sql))
    named = [table.name for table in run.game.tables if table.name in words]
    with explained(run, sql, named):
        wide = {
            name: run.scan(name).with_columns(
                (cs.integer() - cs.by_dtype(pl.UInt64)).cast(pl.Int64), cs.by_dtype(pl.Float32).cast(pl.Float64)
            )
            for name in named
        }
        result = pl.SQLContext(wide, eager=False).execute(sql)
        result.collect_schema()  # what is misspelt shows here, not when the rows are asked for
    return result


@contextmanager
def explained(run: Run, text: str, tables: list[str]) -> Iterator[None]:
    """Turn what polars says of a query into a sentence that lists what there is.

    Raises:
        QueryError: instead of any error of polars.
    """
    import polars as pl

    try:
        yield
    except pl.exceptions.PolarsError as error:
        raise QueryError(_sentence(run, text, tables, str(error))) from None


def _sentence(run: Run, text: str, tables: list[str], said: str) -> str:
    first = said.split("\n", 1)[0].split("; valid columns", 1)[0].strip()
    columns = {name: _columns(run, name) for name in tables}
    known = [*run.table_names, *(column for names in columns.values() for column in names)]
    found = _UNKNOWN.search(first)
    near = difflib.get_close_matches(found[1], known, n=1) if found else []
    hint = f'; did you mean "{near[0]}"?' if near else ""
    lines = [f"the query cannot be answered: {first}{hint}", f"  query: {text}"]
    lines.append(f"  tables: {', '.join(run.table_names)}")
    lines += [f"  columns of {name}: {', '.join(names)}" for name, names in columns.items()]
    lines.append("  what each column means: blinksim schema --table NAME")
    return "\n".join(lines)


def _columns(run: Run, name: str) -> list[str]:
    table: Any = next(table for table in run.game.tables if table.name == name)
    return [field for column in table.all_columns for field, _ in stored_fields(column)]

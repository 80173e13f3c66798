"""``blinksim export``: the tables of a run as CSV, or as one Parquet file each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blinksim.cli.errors import user_errors


@user_errors
def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run folder, or its name in runs/.")],
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="DIR", help="Write TABLE.csv of each table into this folder.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="DIR", help="Write TABLE.parquet of each, one file a table.")
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option("--table", metavar="NAME", help="Only this table; may be repeated.")
    ] = None,
) -> None:
    """Write the tables of a run for other tools. Rows flow through; no table is ever whole in memory."""
    from blinksim.errors import UserError
    from blinksim.store.exporting import export_table
    from blinksim.store.reading import find_run, open_run

    if csv is None and parquet is None:
        raise UserError(f"say where the tables are to go, such as: blinksim export {run} --csv tables")
    opened = open_run(find_run(run))
    for name in table or opened.table_names:
        opened.scan(name)  # a wrong name is told before anything is written
    for folder, form in ((csv, "csv"), (parquet, "parquet")):
        for name in () if folder is None else table or opened.table_names:
            assert folder is not None
            path = export_table(opened, name, folder / f"{name}.{form}")
            typer.echo(f"{path}: {opened.num_rows(name):,} rows, {path.stat().st_size:,} bytes")

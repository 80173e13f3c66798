"""``blinksim sql``: ask a run in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from blinksim.cli.errors import user_errors

if TYPE_CHECKING:
    import polars as pl


@user_errors
def sql(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run folder, or its name in runs/.")],
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A select over the run's tables, by their names.")],
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, every row.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows, every row.")] = False,
    rows: Annotated[int, typer.Option(min=1, help="Rows of the table shown; --csv and --json print all.")] = 50,
) -> None:
    """Ask a run in SQL. Tables and columns: blinksim schema."""
    from blinksim.errors import UserError
    from blinksim.store.queries import explained
    from blinksim.store.reading import find_run, open_run

    if csv and json:
        raise UserError("--csv and --json were both given; give one of them")
    opened = open_run(find_run(run))
    result = opened.sql(query)
    with explained(opened, query, []):
        if csv:
            _print_csv(result)
        elif json:
            _print_json(result)
        else:
            _print_table(result, rows)


def _print_csv(result: pl.LazyFrame) -> None:
    """A header, then rows as they come: never all of them in memory."""
    typer.echo(",".join(result.collect_schema().names()))
    for batch in result.collect_batches(maintain_order=True, engine="streaming"):
        typer.echo(batch.write_csv(include_header=False), nl=False)


def _print_json(result: pl.LazyFrame) -> None:
    """One JSON list, a row a line, written as rows come."""
    separator = "["
    for batch in result.collect_batches(maintain_order=True, engine="streaming"):
        for line in batch.write_ndjson().splitlines():
            typer.echo(f"{separator}\n {line}", nl=False)
            separator = ","
    typer.echo("[]" if separator == "[" else "\n]")


def _print_table(result: pl.LazyFrame, rows: int) -> None:
    from rich.table import Table

    from blinksim.cli.tables import print_table

    frame = result.head(rows + 1).collect(engine="streaming")
    table = Table(box=None, pad_edge=False)
    for name, type_ in frame.schema.items():
        table.add_column(name, justify="right" if type_.is_numeric() else "left")
    for row in frame.head(rows).iter_rows():
        table.add_row(*map(_shown, row))
    print_table(table)
    if len(frame) > rows:
        typer.echo(f"only the first {rows} rows are shown; --rows shows more, --csv and --json print all", err=True)


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)

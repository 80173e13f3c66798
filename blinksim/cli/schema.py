"""``blinksim schema``: every column of every fact table."""

from __future__ import annotations

from typing import Annotated

import typer

from blinksim.cli.errors import user_errors


@user_errors
def schema(
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    game: Annotated[str, typer.Option(help="Which game's tables.")] = "blink",
    json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """Print every column of the fact tables: type, unit, meaning, and the moment it is taken at."""
    from blinksim.errors import UserError
    from blinksim.games.game import get_game
    from blinksim.store.schema import rich_tables, schema_rows

    tables = [t for t in get_game(game).tables if table in (None, t.name)]
    if not tables:
        names = ", ".join(t.name for t in get_game(game).tables)
        raise UserError(f'there is no table "{table}"; tables are: {names}')
    if json:
        from json import dumps

        typer.echo(dumps(schema_rows(tables), indent=1))
        return
    from rich.console import Console

    console = Console()
    for shown in rich_tables(tables):
        console.print(shown)

"""Tables on a terminal, and in a file or a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

WIDEST = 10_000
"""Columns of text of the widest table in a file."""


def print_table(table: Table) -> None:
    """Print a table: folded to the width of a terminal; as wide as it is, no colours, no trailing blanks elsewhere."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if console.is_terminal:
        console.print(table)
        return
    console = Console(highlight=False, markup=False, no_color=True, width=WIDEST)
    with console.capture() as captured:
        console.print(table)
    typer.echo("\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n"))

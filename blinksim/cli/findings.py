"""``blinksim findings``: the verdicts of a report, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from blinksim.cli.errors import user_errors
from blinksim.cli.report import RecordsOption, Runs, TargetsOption, VariantOption, make

if TYPE_CHECKING:
    from blinksim.report.page import Report


@user_errors
def findings(
    runs: Runs = None,
    targets: TargetsOption = None,
    variant: VariantOption = None,
    records: RecordsOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print them as JSON for a script.")] = False,
) -> None:
    """Print what the report of a run finds, without writing a page.

    Exit status: 0, or with targets 1 when one is missed, 3 when none is but there are not enough games to say.
    """
    found = make(runs or [], targets, variant, records)
    if json:
        _print_json(found)
    else:
        _print(found)
    raise typer.Exit(found.status)


def _print(found: Report) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    styles = {"fair": "green", "met": "green", "not fair": "bold red", "missed": "bold red"}
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=120)
    for warning in found.page.warnings:
        typer.echo(warning, err=True)
    typer.echo(found.page.summary)
    table = Table(box=SIMPLE_HEAD)
    for column in ("about", "players", "verdict"):
        table.add_column(column, no_wrap=True)
    table.add_column("finding", overflow="fold")
    topic = ""
    for line in found.page.headlines:
        about, topic = (line.topic if line.topic != topic else ""), line.topic
        verdict = Text(line.verdict, styles.get(line.verdict, ""))
        table.add_row(about, str(line.players or "all"), verdict, Text(line.sentence.replace("\u00a0", " ")))
    console.print(table)
    if found.outcomes:
        typer.echo(found.page.sections[0].lead[0])


def _print_json(found: Report) -> None:
    from json import dumps

    from blinksim.report.exports import facts_data, findings_data

    typer.echo(dumps({"run": facts_data(found.facts), **findings_data(found)}, indent=1, ensure_ascii=False))

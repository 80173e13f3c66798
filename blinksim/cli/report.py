"""``blinksim report``: one page from runs and records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blinksim.cli.errors import user_errors

if TYPE_CHECKING:
    from blinksim.report.page import Report

RUNS = Path("runs")
REPORTS = Path("reports")

Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN...", help="Run folders such as runs/baseline, or their names in runs/."),
]
VariantOption = Annotated[
    str | None,
    typer.Option("--variant", metavar="NAME", help="The ruleset that the sections are about, by name or number."),
]
TargetsOption = Annotated[
    Path | None,
    typer.Option("--targets", metavar="FILE", help="A TOML file of bands that numbers should lie in."),
]
RecordsOption = Annotated[
    Path | None,
    typer.Option("--records", metavar="FOLDER", help="Game records to report on, as of games between people."),
]


@user_errors
def report(
    runs: Runs = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The page; reports/NAME.html where left out."),
    ] = None,
    targets: TargetsOption = None,
    variant: VariantOption = None,
    records: RecordsOption = None,
    files: Annotated[
        bool,
        typer.Option(
            "--files/--no-files",
            help="Also write figures and numbers as files, into NAME_files beside the page.",
        ),
    ] = True,
) -> None:
    """Write the balance report of a run: one HTML page that needs nothing else, and its numbers as data.

    Several runs, and the variants of a run, stand side by side; the sections are about the first. Exit status: 0, or
    with targets 1 when one is missed, 3 when none is but there are not enough games to say.
    """
    from blinksim.report.exports import files_folder, write_report

    found = make(runs or [], targets, variant, records)
    target = output or REPORTS / f"{found.facts.name}.html"
    write_report(found, target, files)
    for warning in found.page.warnings:
        typer.echo(warning, err=True)
    typer.echo(f"{target}: {found.page.summary}")
    if files:
        typer.echo(
            f"{files_folder(target)}: figures as SVG and PNG, numbers.json, and csv with a file for each measure"
        )
    if found.outcomes:
        typer.echo(found.page.sections[0].lead[0])
    raise typer.Exit(found.status)


def make(runs: list[str], targets: Path | None, variant: str | None, records: Path | None) -> Report:
    """The report of what a command line names.

    Raises:
        UserError: something named is not there.
    """
    from blinksim.errors import UserError
    from blinksim.report.gather import gather
    from blinksim.report.page import make_report
    from blinksim.simulate.targets import load_targets

    if not runs and records is None:
        raise UserError("name a run such as runs/baseline, or a folder of game records with --records")
    wanted = load_targets(targets) if targets is not None else ()
    (label, source), *others = gather(runs, variant, records)
    return make_report(source, wanted, others, label)

"""``blinksim report``: one page from a run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from blinksim.cli.errors import user_errors

RUNS = Path("runs")
REPORTS = Path("reports")


@user_errors
def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run folder such as runs/baseline, or its name in runs/.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The page; reports/NAME.html where left out."),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", metavar="DIR", help="Also write every figure as SVG and PNG into this folder."),
    ] = None,
) -> None:
    """Write the balance report of a run: one HTML page that needs nothing else."""
    from blinksim.report.page import write_page
    from blinksim.store.reading import open_run

    opened = open_run(find_run(run))
    name = opened.folder.resolve().name
    target = output or REPORTS / f"{name}.html"
    page = write_page(opened, target, figures)
    for warning in page.warnings:
        typer.echo(warning, err=True)
    typer.echo(f"{target}: {opened.num_games:,} games of {opened.folder}")
    if figures is not None:
        typer.echo(f"{figures}: the figures as SVG and PNG")


def find_run(text: str) -> Path:
    """A run folder by its path, or by its name in ``runs/``.

    Raises:
        RunError: neither is a run folder; the known ones are named.
    """
    from blinksim.store.runs import MANIFEST, RunError

    for path in (Path(text), RUNS / text):
        if (path / MANIFEST).is_file():
            return path
    known = sorted(str(found.parent) for found in RUNS.glob(f"*/{MANIFEST}"))
    there = f"{text} is not a run folder: it has no {MANIFEST}" if Path(text).exists() else f"there is no run {text}"
    here = f"runs here are {', '.join(known)}" if known else f"there are none in {RUNS}{os.sep} yet"
    raise RunError(f"{there}; {here}; play one with: blinksim run baseline")

"""``blinksim answers``: a short page of what the variants of finished runs change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blinksim.cli.errors import user_errors


@user_errors
def answers(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Runs of experiments with variants.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The page, as Markdown.")] = Path(
        "reports/answers.md"
    ),
    luck: Annotated[
        str | None, typer.Option(metavar="RUN", help="A run of the experiment luck: what pairing can gain at most.")
    ] = None,
) -> None:
    """Write a short page of answers: what each variant of each run changed, on the same deals, with intervals."""
    from blinksim.analysis.answers import answer_of
    from blinksim.analysis.pairing import luck_bounds
    from blinksim.report.answers import answers_page
    from blinksim.store.reading import find_run, open_run
    from blinksim.store.runs import write_bytes

    found = []
    for name in runs:
        opened = open_run(find_run(name))
        typer.echo(f"{opened.place}: {opened.num_games:,} games", err=True)
        found.append(answer_of(opened))
    bounds = None if luck is None else luck_bounds(open_run(find_run(luck)))
    write_bytes(output, answers_page(found, bounds).encode())
    typer.echo(f"{output}: answers of {len(found)} runs")

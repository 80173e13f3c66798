"""Files beside a page that is no run's report: its frames as CSV, its results as JSON, its figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from blinksim.report import figures
from blinksim.report.exports import files_folder
from blinksim.report.page import render
from blinksim.report.parts import Page
from blinksim.store.runs import write_bytes


def write_page(page: Page, frames: Mapping[str, pl.DataFrame], results: Mapping[str, Any], target: Path) -> None:
    """Write a page, and beside it ``NAME_files/numbers.json``, ``csv/FRAME.csv`` and ``figures/FIGURE.svg, .png``.

    Args:
        page: The page.
        frames: By name.
        results: Plain data, as a script gets it.
        target: The HTML file; folders are made.

    Raises:
        RunError: a file cannot be written.
    """
    write_bytes(target, render(page).encode())
    folder = files_folder(target)
    write_bytes(folder / "numbers.json", (json.dumps(results, indent=1, ensure_ascii=False) + "\n").encode())
    for name, frame in frames.items():
        write_bytes(folder / "csv" / f"{name}.csv", plain(frame).write_csv().encode())
    for section in page.sections:
        for group in section.figures:
            for picture in group.pictures:
                figures.save(picture.ax, folder / "figures", picture.name)


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame in which numbers that are not known, or without bound, are null."""
    floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    return frame.with_columns(pl.when(pl.col(name).is_finite()).then(pl.col(name)).alias(name) for name in floats)

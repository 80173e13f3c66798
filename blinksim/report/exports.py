"""The page as files: the HTML, and beside it the figures and every number as data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from blinksim.report import figures
from blinksim.report.flags import tests_by_measure
from blinksim.report.page import PAGE_VERSION, Report, render
from blinksim.report.source import RunFacts
from blinksim.store.runs import write_bytes


def files_folder(target: Path) -> Path:
    """Where the files of a page go: ``baseline_files`` beside ``baseline.html``, as browsers name them."""
    return target.with_name(f"{target.stem}_files")


def write_report(report: Report, target: Path, files: bool = True) -> None:
    """Write a page, and beside it its figures and numbers.

    Args:
        report: What to write.
        target: The HTML file; folders are made.
        files: Whether to write, into :func:`files_folder`, ``figures/NAME.svg`` and ``.png``, ``numbers.json`` and
            ``csv/MEASURE.csv``. Figures and measures of an earlier page that this one has not are removed.

    Raises:
        RunError: a file cannot be written.
    """
    write_bytes(target, render(report.page).encode("utf-8"))
    if not files:
        return
    folder = files_folder(target)
    write_bytes(folder / "numbers.json", numbers_json(report).encode("utf-8"))
    written = set()
    for name, frame in report.frames.items():
        path = folder / "csv" / f"{name}.csv"
        write_bytes(path, _csv(frame).encode("utf-8"))
        written.add(path)
    for section in report.page.sections:
        for group in section.figures:
            for picture in group.pictures:
                written |= set(figures.save(picture.ax, folder / "figures", picture.name))
    for pattern in ("csv/*.csv", "figures/*.svg", "figures/*.png"):
        for stale in set(folder.glob(pattern)) - written:
            stale.unlink()


def numbers_json(report: Report) -> str:
    """Every number of a page, one row of a measure on a line; what is not there is null."""
    head = {
        "page_version": PAGE_VERSION,
        "run": facts_data(report.facts),
        **findings_data(report),
    }
    text = json.dumps(_without_nan(head), indent=1, ensure_ascii=False)
    frames = ",\n".join(
        f"  {json.dumps(name)}: [" + ",".join(f"\n   {_line(row)}" for row in frame.iter_rows(named=True)) + "]"
        for name, frame in report.frames.items()
    )
    return f'{text[:-2]},\n "measures": {{\n{frames}\n }}\n}}\n'


def findings_data(report: Report) -> dict[str, Any]:
    """Verdicts, targets and flags as plain data; ``status`` as the exit status of a command."""
    targets = [{"name": o.name} | asdict(o) | {"target": o.target.model_dump()} for o in report.outcomes]
    found: dict[str, Any] = {
        "status": report.status,
        "headlines": [asdict(line) for line in report.page.headlines],
        "targets": targets,
        "tests": tests_by_measure(report.frames).to_dicts(),
        "warnings": list(report.page.warnings),
    }
    plain: dict[str, Any] = _without_nan(found)
    return plain


def facts_data(facts: RunFacts) -> dict[str, Any]:
    """What was played, as plain data."""
    return {
        "name": facts.name,
        "game": facts.title,
        "question": facts.question,
        "from_records": facts.from_records,
        "left_out": list(facts.left_out),
        "ruleset": {
            "name": facts.ruleset,
            "hash": facts.ruleset_hash,
            "differs_from_standard": [{"parameter": k, "standard": a, "here": b} for k, a, b in facts.differences],
        },
        "variants": list(facts.variants),
        "variant": facts.variant,
        "seed": facts.seed,
        "shifts": facts.shifts,
        "replicates": facts.replicates,
        "players": list(facts.players),
        "line_ups": facts.line_ups.to_dicts(),
        "plan": {str(n): {"deals": d, "games_per_deal": g, "games": a} for n, (d, g, a) in facts.plan.items()},
        "shards": {"finished": facts.shards[0], "planned": facts.shards[1]},
        "complete": facts.complete,
        "rules_version": facts.rules_version,
        "tables_version": facts.tables_version,
        "versions": dict(facts.versions),
    }


def _csv(frame: pl.DataFrame) -> str:
    nan = [pl.col(name).fill_nan(None) for name, dtype in frame.schema.items() if dtype.is_float()]
    return frame.with_columns(nan).write_csv()


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(_without_nan(row), ensure_ascii=False)


def _without_nan(value: Any) -> Any:
    """Plain data of the same shape without what JSON does not know."""
    if isinstance(value, Mapping):
        return {str(key): _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)

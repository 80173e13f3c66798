"""What goes onto one page: the games that its sections are about, and those that stand beside them."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from blinksim.errors import UserError
from blinksim.report.records import PEOPLE, read_records, source_of_records
from blinksim.report.source import Source, source_of
from blinksim.store.reading import Run, find_run, open_run

PLAYERS = "simulated"
"""Simulated games, where they stand beside those of people."""


def gather(runs: Sequence[str], variant: str | None = None, records: Path | None = None) -> list[tuple[str, Source]]:
    """Open what a page is to be about, each with a name.

    Args:
        runs: Folders of runs, or their names; only the first may bring its other variants.
        variant: Which variant of the first comes first, by name or number.
        records: A folder of records, which then comes before the runs.

    Returns:
        The games of the sections first; then records' or runs' other games: the other variants of the first run, and
        the base of each further run.

    Raises:
        UserError: there is no such run, variant or record, or a run has no finished games.
    """
    found = _of_records(records, variant) if records is not None else []
    opened = [open_run(find_run(run)) for run in runs]
    if records is None:
        found = _of_first(opened[0], variant, len(opened) > 1)
        opened = opened[1:]
    elif len(opened) == 1:
        return [*found, (PLAYERS, source_of(opened[0]))]
    taken = [name for name, _ in found]
    for run in opened:
        name = run.name if run.name not in taken else str(run.place)
        taken.append(name)
        found.append((name, source_of(run)))
    return found


def _of_records(folder: Path, variant: str | None) -> list[tuple[str, Source]]:
    records = read_records(folder)
    base = source_of_records(records)
    name = PEOPLE if PEOPLE in base.facts.line_ups["strategy"] else base.facts.name
    if variant is None:
        return [(name, base)]
    return [(name, source_of_records(records, _number(variant, base.facts.variants, str(folder))))]


def _of_first(run: Run, variant: str | None, among_runs: bool) -> list[tuple[str, Source]]:
    names = run.variants
    shown = 0 if variant is None else _number(variant, names, str(run.place))
    order = [shown, *(number for number in range(len(names)) if number != shown)]
    if len(names) == 1:
        return [(run.name, source_of(run))]
    label = f"{run.name}: " if among_runs else ""
    return [(label + names[number], source_of(run, number)) for number in order]


def _number(text: str, names: Sequence[str], where: str) -> int:
    """The number of a variant by its name or its number.

    Raises:
        UserError: there is none such; the known ones are named.
    """
    if text in names:
        return names.index(text)
    if text.isdecimal() and int(text) < len(names):
        return int(text)
    near = difflib.get_close_matches(text, names, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    known = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    raise UserError(f'{where} has no variant "{text}"{hint}; it has {known}')

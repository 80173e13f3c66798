"""Golden records: whole games from a separate implementation, compared line by line (``record.md``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from blinksim.games.blink.record import check_record

RECORDS = sorted((Path(__file__).parents[2] / "records").glob("*.jsonl.gz"))


def test_all_thirty_are_here() -> None:
    assert len(RECORDS) == 30


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name.removesuffix(".blink.jsonl.gz"))
def test_every_choice_set_state_and_result_agrees(path: Path) -> None:
    checked = check_record(path)
    assert checked.ok, str(checked)
    assert checked.finished

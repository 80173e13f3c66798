"""The page as files: every number, nothing that JSON does not know, no leftovers, always the same bytes."""

import csv
import json
import math
from pathlib import Path

import pytest

from blinksim.report.exports import files_folder, numbers_json, write_report
from blinksim.report.page import Report, make_report
from blinksim.report.source import source_of
from blinksim.store.reading import open_run
from tests.report.tiny import CORE, play


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """One deal, so that there are numbers without intervals."""
    folder = play(tmp_path_factory.mktemp("runs") / "one", players=[2], deals=1, line_ups=[["random", "chance"]])
    return make_report(source_of(open_run(folder)), names=CORE)


def refuse(text: str) -> float:
    raise AssertionError(f"{text} is not JSON")


def test_json_holds_every_number(report: Report) -> None:
    data = json.loads(numbers_json(report), parse_constant=refuse)
    assert list(data["measures"]) == list(report.frames)
    for name, frame in report.frames.items():
        rows = data["measures"][name]
        assert len(rows) == frame.height
        for row, wanted in zip(rows, frame.iter_rows(named=True), strict=True):
            plain = {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in wanted.items()}
            assert row == plain
    length = data["measures"]["length.length"][0]
    assert length["mean_low"] is None and length["mean"] > 0
    assert data["run"]["name"] == "one" and len(data["run"]["ruleset"]["hash"]) == 64
    assert data["run"]["versions"]["polars"] and data["page_version"] == 1 and data["status"] == 0
    assert [line["topic"] for line in data["headlines"]] == [line.topic for line in report.page.headlines]


def test_every_measure_is_a_csv_and_every_panel_a_picture(report: Report, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    folder = files_folder(target)
    (folder / "csv").mkdir(parents=True)
    (folder / "csv" / "gone.csv").write_text("of an earlier page", encoding="utf-8")
    write_report(report, target)
    assert {file.stem for file in (folder / "csv").iterdir()} == set(report.frames)
    with (folder / "csv" / "seats.win_share.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["seat"] for row in rows] == ["0", "1"]
    assert float(rows[0]["value"]) == report.frames["seats.win_share"]["value"][0]
    for file in (folder / "csv").iterdir():
        assert "NaN" not in file.read_text(encoding="utf-8")
    panels = {p.name for section in report.page.sections for group in section.figures for p in group.pictures}
    assert {file.name for file in (folder / "figures").iterdir()} == {
        f"{n}.{end}" for n in panels for end in ("svg", "png")
    }
    assert (folder / "numbers.json").read_text(encoding="utf-8") == numbers_json(report)


def test_the_page_alone(report: Report, tmp_path: Path) -> None:
    write_report(report, tmp_path / "page.html", files=False)
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]

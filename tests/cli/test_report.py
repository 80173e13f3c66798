"""``blinksim report``: where the page goes, and what is said when there is no run."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from blinksim.cli.report import report
from tests.report.tiny import play

app = typer.Typer()
app.command()(report)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    play(folder / "runs" / "tiny", players=[2], deals=2, line_ups=[{"mirror": ["random"]}])
    return folder


def test_the_page_lands_in_reports_under_the_name_of_the_run(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    result = CliRunner().invoke(app, ["runs/tiny"])
    assert result.exit_code == 0, result.output
    page = Path("reports") / "tiny.html"
    assert str(page) in result.stdout and "4 games" in result.stdout
    first = page.read_bytes()
    assert CliRunner().invoke(app, ["tiny"]).exit_code == 0
    assert page.read_bytes() == first


def test_page_and_files_go_where_they_are_sent(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    result = CliRunner().invoke(app, ["runs/tiny", "-o", "new/page.html"])
    assert result.exit_code == 0, result.output
    assert Path("new/page.html").is_file() and Path("new/page_files/figures/seats-2p.png").is_file()
    assert Path("new/page_files/numbers.json").is_file()
    alone = CliRunner().invoke(app, ["runs/tiny", "-o", "alone/page.html", "--no-files"])
    assert alone.exit_code == 0 and [file.name for file in Path("alone").iterdir()] == ["page.html"]


def test_there_is_no_such_run(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    missing = CliRunner().invoke(app, ["runs/tinny"])
    assert missing.exit_code == 2
    known = Path("runs") / "tiny"
    assert missing.stderr.strip() == (
        f"there is no run runs/tinny; runs here are {known}; play one with: blinksim run baseline"
    )
    other = CliRunner().invoke(app, ["runs"])
    assert other.exit_code == 2 and other.stderr.startswith("runs is not a run folder: it has no manifest.json; ")


def test_an_unfinished_run_is_reported_with_a_note(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    play(Path("runs/cut"), players=[2, 3], deals=1, line_ups=[{"mirror": ["random"]}])
    next(iter(Path("runs/cut/shards").iterdir())).unlink()
    result = CliRunner().invoke(app, ["runs/cut"])
    assert result.exit_code == 0
    assert "This run is not finished: 1 of 2 shards are there" in result.stderr

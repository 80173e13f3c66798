"""``blinksim findings``: verdicts in the terminal, as JSON, and as an exit status."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from blinksim.cli.findings import findings
from blinksim.cli.report import report
from tests.report.tiny import play

app = typer.Typer()
app.command()(findings)
app.command("report")(report)

MEAN = '[[targets]]\nmetric = "length.length"\ncolumn = "mean"\nwhere = { players = 2, measure = "rounds" }\n'


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    play(folder / "runs" / "tiny", players=[2], deals=3, line_ups=[{"mirror": ["random"]}])
    (folder / "met.toml").write_text(f"{MEAN}low = 1\n", encoding="utf-8")
    (folder / "missed.toml").write_text(f"{MEAN}high = 1\n", encoding="utf-8")
    open_target = '[[targets]]\nmetric = "seats.win_share"\nlow = 0.499\nhigh = 0.501\n'
    (folder / "open.toml").write_text(open_target, encoding="utf-8")
    (folder / "wrong.toml").write_text('[[targets]]\nmetric = "seat.win_share"\nlow = 0\n', encoding="utf-8")
    return folder


def test_findings_are_a_table(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    result = CliRunner().invoke(app, ["findings", "tiny"])
    assert result.exit_code == 0, result.output
    assert "6 games of Blink" in result.stdout and "rounds on average" in result.stdout
    assert [line for line in result.stdout.splitlines() if line.strip().startswith("Seats")]
    assert not Path("reports").exists()


@pytest.mark.parametrize(("file", "status"), [("met", 0), ("missed", 1), ("open", 3), ("wrong", 2)])
def test_the_exit_status_is_the_verdict(work: Path, monkeypatch: pytest.MonkeyPatch, file: str, status: int) -> None:
    monkeypatch.chdir(work)
    result = CliRunner().invoke(app, ["findings", "tiny", "--targets", f"{file}.toml", "--json"])
    assert result.exit_code == status, result.output
    if file == "wrong":
        assert result.stderr.startswith('there is no measure "seat.win_share"; did you mean seats.win_share?')
        return
    data = json.loads(result.stdout)
    assert data["status"] == status and data["run"]["name"] == "tiny"
    assert {entry["verdict"] for entry in data["targets"]} == {{"open": "not enough games"}.get(file, file)}
    page = CliRunner().invoke(app, ["report", "tiny", "--targets", f"{file}.toml", "--no-files", "-o", f"{file}.html"])
    assert page.exit_code == status and "Targets" in Path(f"{file}.html").read_text(encoding="utf-8")


def test_something_must_be_named(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    result = CliRunner().invoke(app, ["findings"])
    assert result.exit_code == 2 and "name a run such as runs/baseline" in result.stderr

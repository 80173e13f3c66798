"""Records become the same rows as the run that they are from, and the same page; bad ones are named and left out."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from blinksim.report.exports import write_report
from blinksim.report.gather import gather
from blinksim.report.page import make_report
from blinksim.report.records import PEOPLE, Records, RecordsError, read_records, source_of_records
from blinksim.report.source import source_of
from blinksim.simulate.batch import experiment_of
from blinksim.simulate.replay import replay_game
from blinksim.simulate.schedule import make_plan
from blinksim.store.reading import Run, open_run
from tests.report.tiny import CORE, play


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    line_ups = {"2": [{"mirror": ["random"]}], "3": [["random", "random", "greedy"]]}
    folder = tmp_path_factory.mktemp("runs") / "few"
    return open_run(play(folder, players=[2, 3], deals=2, line_ups=line_ups))


@pytest.fixture(scope="module")
def folder(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of every game of the run, named so that they come in the run's order."""
    folder = tmp_path_factory.mktemp("records")
    for players, schedule in make_plan(experiment_of(run)).schedules.items():
        for number in range(schedule.num_games):
            name = f"{players}p-{number:03d}.blink.jsonl" + (".gz" if number % 2 else "")
            replay_game(run, f"{players}p/{number}").table.record(folder / name, legal=False)
    return folder


@pytest.fixture(scope="module")
def records(folder: Path) -> Records:
    return read_records(folder)


def test_records_have_the_rows_of_the_run(run: Run, records: Records) -> None:
    """All but what follows from shifts and numbers of games, of which a record tells nothing."""
    source = source_of_records(records)
    for table in run.game.tables:
        unknown = {"variant", "line_up", "hand_shift", "seat_shift", "replicate"}
        unknown |= {c.name for c in table.all_columns if c.derived is not None and c.derived[0] != "strategy"}
        wanted, found = (
            tables.collect().drop(unknown, strict=False) for tables in (run.scan(table.name), source.scan(table.name))
        )
        texts = [pl.col(name).cast(pl.String) for name, dtype in wanted.schema.items() if not dtype.is_numeric()]
        assert found.height == wanted.height > 0 and len(wanted.columns) > 5, table.name
        assert_frame_equal(found.with_columns(texts), wanted.with_columns(texts))


def test_turned_tables_are_one_line_up_and_deals_stay_together(records: Records) -> None:
    source = source_of_records(records)
    line_ups = source.facts.line_ups
    assert line_ups.filter(pl.col("players") == 3)["strategy"].to_list() == ["greedy", "random", "random"]
    games = source.scan("games").collect()
    assert games.group_by("players").agg(pl.col("deal").n_unique()).sort("players")["deal"].to_list() == [2, 2]
    assert source.facts.plan[2][0] == 2 and not source.facts.left_out


def test_win_shares_and_lengths_are_those_of_the_run(run: Run, records: Records) -> None:
    of_run = make_report(source_of(run), names=CORE).frames
    of_records = make_report(source_of_records(records), names=CORE).frames
    for name in ("seats.win_share", "length.length", "length.outcomes", "tiers.reached", "scores.by_result"):
        assert_frame_equal(of_records[name], of_run[name], check_dtypes=False)


def test_people_stand_beside_players(run: Run, folder: Path, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    for i, name in enumerate(("2p-000.blink.jsonl", "2p-002.blink.jsonl")):
        text = (folder / name).read_text(encoding="utf-8")
        assert '"seats":["random","random"]' in text
        (tables / f"{i}.blink.jsonl").write_text(
            text.replace('"seats":["random","random"]', '"seats":["Ann","Bo"]'), encoding="utf-8"
        )
    lines = (folder / "2p-000.blink.jsonl").read_text(encoding="utf-8").splitlines()
    (tables / "broken.blink.jsonl").write_text(
        "\n".join(lines[:3]).replace('"choice":"pass', '"choice":"keep'), encoding="utf-8"
    )
    (tables / "open.blink.jsonl").write_text("\n".join(lines[:40]), encoding="utf-8")
    (people, source), (players, other) = gather([str(run.folder)], records=tables)
    assert (people, players) == ("people", "simulated")
    assert source.facts.line_ups["strategy"].to_list() == [PEOPLE, PEOPLE]
    report = make_report(source, (), [(players, other)], people, CORE)
    assert report.page.warnings[0].startswith("2 records are left out of every number")
    assert "2 games of Blink (2 with 2 players) under the ruleset standard" in report.page.summary
    method = report.page.sections[-1]
    broken, unfinished = source.facts.left_out
    assert broken in method.notes and unfinished in method.notes
    assert broken.startswith(f"{tables / 'broken.blink.jsonl'}:2: ")
    assert unfinished.startswith(f"{tables / 'open.blink.jsonl'}:40: the record ends here, in round ")
    side = report.frames["side.headlines"]
    assert set(side["games"]) == {"people", "simulated"}
    rounds = side.filter((pl.col("measure") == "rounds of a decided game") & (pl.col("players") == 2))
    assert rounds["n_games"].to_list() == [2, 4]
    write_report(report, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "the records" in text and "seed 0" not in text


def test_what_is_no_record_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="there is no folder"):
        read_records(tmp_path / "nowhere")
    with pytest.raises(RecordsError, match=r"has no records; their names end as \*\.blink\.jsonl"):
        read_records(tmp_path)
    (tmp_path / "a.blink.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(RecordsError, match=r"a\.blink\.jsonl:1: the header lacks the key"):
        read_records(tmp_path)

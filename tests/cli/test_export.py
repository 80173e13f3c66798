"""``blinksim export``: tables as CSV and Parquet files for other tools."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner, Result

from blinksim.cli.app import app
from blinksim.store.reading import open_run
from tests.report.tiny import play


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("runs") / "tiny")


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def test_every_table_with_every_row(tiny: Path, tmp_path: Path) -> None:
    result = call(tiny, "--csv", tmp_path / "out", "--parquet", tmp_path / "out")
    assert result.exit_code == 0, result.output
    run = open_run(tiny)
    told = result.stdout.splitlines()
    assert len(told) == 2 * len(run.table_names)
    for name, line in zip(run.table_names, told, strict=False):
        there = run.scan(name).collect()
        path = tmp_path / "out" / f"{name}.csv"
        assert line == f"{path}: {there.height:,} rows, {path.stat().st_size:,} bytes"
        plain = there.with_columns(pl.col(pl.Categorical).cast(pl.String))
        assert_frame_equal(pl.read_csv(path, schema=plain.schema), plain)
        assert_frame_equal(pl.read_parquet(path.with_suffix(".parquet")), there)


def test_pandas_reads_the_csv(tiny: Path, tmp_path: Path) -> None:
    """Nulls are empty, truth is ``true`` or ``false``, names are texts."""
    call(tiny, "--csv", tmp_path, "--table", "duels")
    frame = pd.read_csv(tmp_path / "duels.csv")
    assert list(tmp_path.iterdir()) == [tmp_path / "duels.csv"]
    there = open_run(tiny).pandas("duels")
    assert list(frame.columns) == list(there.columns)
    assert (frame.isna().sum() == there.isna().sum()).all()
    assert (frame["result"] == there["result"].astype(str)).all()


def test_only_some_tables_replacing_what_is_there(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("old", encoding="utf-8")
    assert call(tiny, "--csv", tmp_path, "--table", "games", "--table", "seats").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv", "seats.csv"]
    assert (tmp_path / "games.csv").read_text(encoding="utf-8").startswith("variant,players,line_up,deal,")


def test_a_wrong_table_is_told_before_anything_is_written(tiny: Path, tmp_path: Path) -> None:
    result = call(tiny, "--csv", tmp_path / "out", "--table", "games", "--table", "seat")
    assert result.exit_code == 2
    assert 'there is no table "seat"; did you mean "seats"? tables are games, ' in result.stderr
    assert not (tmp_path / "out").exists()


def test_without_a_place_to_write_to(tiny: Path, tmp_path: Path) -> None:
    assert "say where the tables are to go" in call(tiny).stderr
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    result = call(tiny, "--csv", tmp_path / "taken", "--table", "games")
    assert result.exit_code == 2 and "cannot write" in result.stderr
    assert list(tmp_path.iterdir()) == [tmp_path / "taken"]


def test_a_part_that_cannot_be_read_leaves_no_file(tmp_path: Path) -> None:
    folder = play(tmp_path / "broken", players=[2], deals=1, line_ups=[{"mirror": ["random"]}])
    path = folder / "games" / "part-00000.parquet"
    data = bytearray(path.read_bytes())
    data[4:200] = bytes(196)
    path.write_bytes(data)
    result = call(folder, "--csv", tmp_path / "out", "--table", "games")
    assert result.exit_code == 2
    assert "cannot read table games of" in result.stderr and "blinksim runs verify" in result.stderr
    assert list((tmp_path / "out").iterdir()) == []

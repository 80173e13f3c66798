"""Reading a run: tables as lazy frames, as pandas and to SQL, and what is said to a wrong name."""

from __future__ import annotations

import copy
import logging
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run as run_program
from typing import ClassVar

import polars as pl
import pytest

import blinksim
from blinksim.simulate import batch
from blinksim.simulate.verify import verify_run
from blinksim.store import runs
from blinksim.store.places import LocalPlace
from blinksim.store.queries import QueryError
from blinksim.store.reading import Run, find_run, open_run
from tests.report.tiny import play
from tests.simulate.fake_game import ENTRANTS, fake_batch, fake_game


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("reading") / "[odd] name"
    batch.run(fake_batch(), folder, workers=1)
    return open_run(folder, fake_game())


def test_what_a_run_tells_of_itself(opened: Run) -> None:
    assert (opened.name, opened.complete, opened.num_games) == ("[odd] name", True, 384)
    assert opened.variants == ("base", "walls")
    assert opened.strategies == ("builder", "raider", "random")
    assert opened.experiment["seed"] == 7
    assert opened.failed == []
    assert opened.num_rows("games") == 384
    assert opened.num_bytes == sum(path.stat().st_size for path in opened.folder.rglob("*.parquet"))
    assert repr(opened) == f"<run {opened.place}: 384 games, complete; tables games, seats>"


def test_a_table_has_three_names(opened: Run) -> None:
    """An attribute, an item and a call; lazy, and the rows of all parts in order."""
    for table in (opened.games, opened["games"], opened.scan("games")):
        assert isinstance(table, pl.LazyFrame)
        assert table.collect().height == 384
    assert {"games", "seats", "sql", "pandas"} <= set(dir(opened))


@pytest.mark.parametrize("ask", [lambda run: run.scan("seat"), lambda run: run["seat"], lambda run: run.pandas("seat")])
def test_a_wrong_table_names_the_right_ones(opened: Run, ask: object) -> None:
    with pytest.raises(runs.RunError) as error:
        ask(opened)  # type: ignore[operator]
    assert str(error.value) == 'there is no table "seat"; did you mean "seats"? tables are games, seats'


def test_a_wrong_attribute_is_an_ordinary_mistake(opened: Run) -> None:
    with pytest.raises(AttributeError, match='no table "gamez"; its tables are games, seats'):
        _ = opened.gamez  # type: ignore[attr-defined]
    assert not hasattr(opened, "_repr_html_")
    assert copy.copy(opened).num_games == 384
    with pytest.raises(AttributeError, match="not known yet"):
        _ = Run.__new__(Run).games  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(opened.place)).path == opened.folder


def test_a_table_that_the_detail_leaves_out(opened: Run) -> None:
    run = Run(opened.place, opened.manifest | {"tables": ["games"]}, opened.shards, opened.game)
    assert run.table_names == ("games",)
    with pytest.raises(runs.RunError, match=r'table "seats" is not in .*played with less detail; it has games'):
        run.scan("seats")
    with pytest.raises(runs.RunError, match=r'table "seats" is not in'):
        run.sql("select * from seats")


def test_pandas(opened: Run) -> None:
    frame = opened.pandas("seats", columns=["seat", "strategy", "win_share"], where="players = 3 and deal < 2")
    assert list(frame.columns) == ["seat", "strategy", "win_share"]
    assert len(frame) == 2 * 24 * 3
    assert set(frame["strategy"]) == {"builder", "raider", "random"}
    assert len(opened.pandas("games", where=pl.col("deal") == 0)) == 8 + 24
    with pytest.raises(QueryError, match='unable to find column "sea"; did you mean "seat"'):
        opened.pandas("seats", columns=["sea"])
    with pytest.raises(QueryError, match="players = = 3"):
        opened.pandas("seats", where="players = = 3")


def test_sql_is_lazy_and_knows_the_tables(opened: Run) -> None:
    result = opened.sql(
        "select g.players, s.strategy, count(*) as n from seats s join games g using (players, game) "
        "where g.outcome = 'won' group by g.players, s.strategy order by g.players, s.strategy"
    )
    assert isinstance(result, pl.LazyFrame)
    rows = result.collect()
    won = opened.games.filter(pl.col("outcome") == "won").group_by("players").len().collect()
    for players, games in won.iter_rows():
        assert rows.filter(pl.col("players") == players)["n"].sum() == players * games


def test_sql_does_not_overflow(opened: Run) -> None:
    """Columns are small in the files: a product of two int8 would wrap."""
    assert opened.sql("select max(players * 100) as most from games").collect().item() == 300


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("select * from gamez", ["'gamez'", 'did you mean "games"?', "tables: games, seats"]),
        ("select winer from games", ['did you mean "winner"?', "columns of games: variant, players, "]),
        ("select s.winer from seats s", ["winer", "columns of seats: ", "best_rank, best_suit"]),
        ("selec", ["sql parser error", "query: selec", "blinksim schema"]),
        ("", ["tables: games, seats"]),
    ],
)
def test_a_wrong_query_lists_what_there_is(opened: Run, query: str, words: list[str]) -> None:
    with pytest.raises(QueryError) as error:
        opened.sql(query)
    for word in words:
        assert word in str(error.value)
    assert "FAILED HERE" not in str(error.value)


def test_a_run_without_a_finished_shard(opened: Run, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(opened.place.read("manifest.json"))
    run = open_run(tmp_path, fake_game())
    assert (run.num_games, run.shards, run.num_rows("games")) == (0, {}, 0)
    with pytest.raises(runs.RunError, match="has no finished games yet"):
        run.sql("select * from games")


def test_a_run_that_every_machine_reaches(opened: Run) -> None:
    """In a store only the first part of a table is looked at before its rows are asked for."""

    class Shared(LocalPlace):
        shared = True
        asked: ClassVar[list[str]] = []

        def read(self, name: str) -> bytes:
            self.asked.append(name)
            return super().read(name)

    run = open_run(Shared(opened.folder), fake_game())
    Shared.asked.clear()
    assert run.games.collect().height == run.games.collect().height == 384
    assert Shared.asked == ["games/part-00000.parquet"]


@pytest.fixture
def bucket() -> Iterator[str]:
    """Address in an S3 server on this machine."""
    from moto.server import ThreadedMotoServer
    from pyarrow.fs import FileSystem

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    query = f"scheme=http&endpoint_override={host}:{port}&region=us-east-1"
    files, _ = FileSystem.from_uri(f"s3://key:secret@bucket?{query}&allow_bucket_creation=true")
    files.create_dir("bucket")
    yield f"s3://key:secret@bucket/runs/small?{query}"
    server.stop()


def test_a_run_in_an_object_store(opened: Run, bucket: str) -> None:
    """Tables, SQL and a verification; a damaged object is found, and no secret is told."""
    batch.run(fake_batch(), bucket, workers=1)
    run = open_run(find_run(bucket), fake_game())
    assert (run.name, run.num_games) == ("small", 384)
    assert run.sql("select count(*) from seats").collect().item() == opened.num_rows("seats")
    assert run.pandas("games").equals(opened.pandas("games"))
    assert verify_run(run, 10, ENTRANTS).ok
    run.place.write("games/part-00000.parquet", b"x" * run.place.size("games/part-00000.parquet"))
    (problem,) = verify_run(run, 10, ENTRANTS).problems
    assert problem.startswith("games/part-00000.parquet has another checksum")
    with pytest.raises(runs.RunError, match=r"cannot read s3://bucket/runs/small/games/part-00000\.parquet") as error:
        open_run(bucket, fake_game()).scan("games")
    assert "secret" not in str(error.value)
    with pytest.raises(runs.RunError, match=r"s3://bucket/runs/small is not a folder of this machine"):
        _ = run.folder


def test_runs_are_found_by_folder_name_and_address(
    opened: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(runs.RunError, match=r"there is no run tiny; there are none in runs.* yet; play one with"):
        find_run("tiny")
    (tmp_path / "runs" / "tiny").mkdir(parents=True)
    (tmp_path / "runs" / "tiny" / "manifest.json").write_bytes(opened.place.read("manifest.json"))
    for text in ("tiny", "runs/tiny", str(tmp_path / "runs" / "tiny")):
        assert find_run(text).read("manifest.json") == opened.place.read("manifest.json")
    assert isinstance(find_run((tmp_path / "runs" / "tiny").as_uri()), LocalPlace)
    with pytest.raises(runs.RunError, match=r"runs is not a run folder: it has no manifest\.json; runs here are"):
        find_run("runs")


def test_blinksim_open_run(tmp_path: Path) -> None:
    """The real game, from the package's own name; importing the package imports nothing for it."""
    run = blinksim.open_run(play(tmp_path / "tiny", players=[2], deals=1, line_ups=[{"mirror": ["random"]}]))
    assert run.sql("select count(*) as n from seats").collect().item() == 4
    code = "import sys, blinksim; print('polars' in sys.modules, 'pyarrow' in sys.modules)"
    told = run_program([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "False"]

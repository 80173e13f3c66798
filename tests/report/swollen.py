"""Large runs without hours of play: a small one copied under further deals, and how long its report takes."""

from __future__ import annotations

import resource
import time
from dataclasses import replace
from pathlib import Path

import polars as pl

from blinksim.report.exports import write_report
from blinksim.report.page import make_report
from blinksim.report.source import Source, source_of
from blinksim.store.reading import open_run
from tests.report.tiny import play

COPIES_A_PART = 8
"""Copies in one file; so many are held at once."""


def play_seed(folder: Path) -> Path:
    """Three-player games of builder and raider, enough for every section to have something to tell."""
    line_ups = {"3": [{"mirror": ["builder", "raider"]}, ["builder", "builder", "raider"]]}
    return play(folder, players=[3], deals={"3": 200}, line_ups=line_ups, deals_per_shard=50)


def swell(run_folder: Path, folder: Path, num_games: int) -> None:
    """Write the tables of a run of one player count into ``folder/TABLE``, copied until there are so many games."""
    run = open_run(run_folder)
    deals, games = run.scan("games").select(pl.col("deal").max() + 1, pl.col("game").max() + 1).collect().row(0)
    copies = range(-(-num_games // run.scan("games").select(pl.len()).collect().item()))
    for table in run.table_names:
        rows = run.scan(table).collect()
        (folder / table).mkdir(parents=True)
        for first in copies[::COPIES_A_PART]:
            part = [
                rows.with_columns(
                    (pl.col("deal") + copy * deals).cast(rows.schema["deal"]),
                    (pl.col("game") + copy * games).cast(rows.schema["game"]),
                )
                for copy in copies[first : first + COPIES_A_PART]
            ]
            pl.concat(part).write_parquet(folder / table / f"{first:06}.parquet", compression="lz4")


def source_of_swollen(run_folder: Path, folder: Path) -> Source:
    """The games that :func:`swell` wrote."""
    base = source_of(open_run(run_folder))

    def scan(table: str) -> pl.LazyFrame:
        return pl.scan_parquet(folder / table / "*.parquet")

    sums = scan("games").group_by("players").agg(pl.col("deal").n_unique(), games=pl.len()).collect()
    plan = {players: (deals, games // deals, games) for players, deals, games in sums.iter_rows()}
    return Source(replace(base.facts, plan=plan), scan, base.run)


def report_timed(run_folder: Path, folder: Path, page: Path) -> dict[str, float]:
    """Measure, draw and write everything; what it took: ``games``, ``seconds``, ``cpu_seconds``, and ``peak_gb``.

    The peak is that of the process, so that it says something only where nothing larger came before.
    """
    begin, cpu = time.perf_counter(), time.process_time()
    source = source_of_swollen(run_folder, folder)
    write_report(make_report(source), page)
    return {
        "games": sum(planned for _, _, planned in source.facts.plan.values()),
        "seconds": time.perf_counter() - begin,
        "cpu_seconds": time.process_time() - cpu,
        "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }

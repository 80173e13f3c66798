"""How long a report takes: ``make bench``. ``BENCH_GAMES`` says of how many games, 100,000 where it is not set."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.report.swollen import play_seed, report_timed, swell

NUM_GAMES = int(os.environ.get("BENCH_GAMES", "100000"))


def test_report(benchmark: Any, tmp_path: Path) -> None:
    """The whole page with its files; seconds per 100,000 games and the peak of memory are in ``extra_info``."""
    run = play_seed(tmp_path / "run")
    swell(run, tmp_path / "tables", NUM_GAMES)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:

        def report() -> dict[str, float]:
            return alone.submit(report_timed, run, tmp_path / "tables", tmp_path / "page.html").result()

        took = benchmark.pedantic(report, rounds=1)
    per_100_000 = {name: took[name] * 1e5 / took["games"] for name in ("seconds", "cpu_seconds")}
    benchmark.extra_info.update(took | {f"{name}_per_100000_games": value for name, value in per_100_000.items()})
    print({name: round(value, 2) for name, value in benchmark.extra_info.items()})

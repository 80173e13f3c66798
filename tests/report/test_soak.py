"""A run of a million games is reported within its memory and time (``make soak``)."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.report.swollen import play_seed, report_timed, swell

pytestmark = pytest.mark.soak

CORES = 2


def test_a_million_games_are_reported_within_two_gigabytes_and_a_minute_of_two_cores(tmp_path: Path) -> None:
    """The processor's time is asked for, which other work on the machine leaves nearly as it is."""
    run = play_seed(tmp_path / "run")
    swell(run, tmp_path / "tables", 1_000_000)
    # A process of its own, so that its memory is that of the report.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        took = alone.submit(report_timed, run, tmp_path / "tables", tmp_path / "page.html").result()
    print({name: round(value, 2) for name, value in took.items()})
    assert took["games"] >= 1_000_000
    assert took["peak_gb"] <= 2
    assert took["cpu_seconds"] <= 60 * CORES
    assert (tmp_path / "page.html").stat().st_size < 3e6

"""Everything tested on a page is adjusted together."""

import numpy as np
import polars as pl
import pytest

from blinksim.report import flags


def test_published_example() -> None:
    """Benjamini and Hochberg 1995, section 3.2: of 15 tests the four smallest are rejected at 5 %."""
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    frames = {"a.x": pl.DataFrame({"p": p[:7]}), "b.y": pl.DataFrame({"p": p[7:]}), "c.z": pl.DataFrame({"value": [1]})}
    found = flags.adjust(frames)
    q = np.concatenate([found["a.x"]["q"], found["b.y"]["q"]])
    assert (q < flags.FALSE_FLAGS).sum() == 4 and q[3] == pytest.approx(0.0095 * 15 / 4)
    assert found["c.z"].equals(frames["c.z"])
    counts = flags.tests_by_measure(found)
    assert counts.rows() == [("a.x", 7, 4), ("b.y", 8, 0)]


def test_what_was_not_tested_has_no_q_and_counts_for_nothing() -> None:
    frame = pl.DataFrame({"p": [0.01, None, float("nan"), 0.04]})
    found = flags.adjust({"a.x": frame})["a.x"]
    assert found["q"].to_list() == [pytest.approx(0.02), None, None, pytest.approx(0.04)]
    assert flags.adjust({"a.x": frame.clear()})["a.x"].columns == ["p", "q"]
    assert flags.adjust({}) == {}

"""What stands out, over the whole page: every tested number adjusted for being one of many (Benjamini and Hochberg).

A page with a thousand cells would flag fifty by chance at 5 %. After the adjustment at most about one flag in twenty is
false, however many cells there are. Source: Benjamini and Hochberg, Journal of the Royal Statistical Society B 57
(1995).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
from scipy import stats

FALSE_FLAGS = 0.05
"""A row is flagged where its ``q`` is below this: the share of flags that may be false."""


def adjust(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """All frames, those with ``p`` with ``q`` beside it: ``p`` adjusted over all rows of all frames.

    Rows whose ``p`` is null or nan were not tested; their ``q`` is null.
    """
    tested = {name: _probabilities(frame) for name, frame in frames.items() if "p" in frame.columns}
    together = np.concatenate([p[np.isfinite(p)] for p in tested.values()]) if tested else np.zeros(0)
    adjusted = stats.false_discovery_control(together) if len(together) else together
    found = dict(frames)
    at = 0
    for name, p in tested.items():
        finite = np.isfinite(p)
        q = np.full(len(p), np.nan)
        q[finite] = adjusted[at : at + int(finite.sum())]
        at += int(finite.sum())
        found[name] = frames[name].with_columns(q=pl.Series(q, dtype=pl.Float64).fill_nan(None))
    return found


def tests_by_measure(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """How many rows of each frame were tested, and how many are flagged: ``measure``, ``tests``, ``flagged``."""
    rows = [
        (name, frame["q"].is_not_null().sum(), (frame["q"] < FALSE_FLAGS).sum())
        for name, frame in frames.items()
        if {"p", "q"} <= set(frame.columns)  # a q alone is a place on the map
    ]
    return pl.DataFrame(rows, schema={"measure": pl.String, "tests": pl.Int64, "flagged": pl.Int64}, orient="row")


def _probabilities(frame: pl.DataFrame) -> np.ndarray:
    return frame["p"].cast(pl.Float64).fill_null(float("nan")).to_numpy()

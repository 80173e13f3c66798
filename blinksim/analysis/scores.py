"""Scores: where the points come from, by seat, by result, by strategy.

Of decided games; in a stalled one nobody's score counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from blinksim.analysis.estimates import LEVEL, estimate_groups, ratio

PARTS = {"units": "points_units", "row": "points_row", "objectives": "points_objectives", "total": "points"}
"""Parts of a score and their columns in the table ``seats``."""


def with_result(seats: pl.LazyFrame) -> pl.LazyFrame:
    """The table ``seats`` with ``result``: ``winners`` (shared victories among them) or ``others``."""
    won = pl.when(pl.col("win_share") > 0).then(pl.lit("winners")).otherwise(pl.lit("others"))
    return seats.with_columns(result=won)


def score_parts(seats: pl.LazyFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean points of a seat, by part of the score.

    Args:
        seats: The table ``seats``, or that of :func:`with_result`.
        by: Further columns to split by: ``seat``, ``result``, ``strategy``.
        level: Confidence level.

    Returns:
        ``players``, the columns ``by``, ``part`` (a key of ``PARTS``), the columns of an estimate in points per seat,
        and ``of_total``, the part's mean over that of the total.
    """
    keys = ["players", *by]
    blocks = (
        seats.filter(pl.col("win_share").is_not_null())
        .group_by([*keys, "deal"])
        .agg(
            *[pl.col(column).cast(pl.Int64).sum().alias(part) for part, column in PARTS.items()],
            count=pl.len().cast(pl.Int64),
            games=pl.col("game").n_unique().cast(pl.Int64),
        )
        .collect(engine="streaming")
        .sort([*keys, "deal"])
    )
    order = pl.Enum(list(PARTS))
    parts = pl.concat(
        [
            estimate_groups(blocks, keys, partial(ratio, total=part, level=level)).with_columns(
                part=pl.lit(part, order)
            )
            for part in PARTS
        ]
    ).sort([*keys, "part"])
    total = pl.col("value").filter(pl.col("part") == "total").first().over(keys)
    named = [pl.col(name).cast(pl.String) if name in ("strategy", "part") else pl.col(name) for name in [*keys, "part"]]
    return parts.with_columns(of_total=pl.col("value") / total).select(*named, pl.exclude([*keys, "part"]))

"""Fairness: what each seat and each strategy wins.

Shares are of *decided* games; a shared victory is split. Stalled games have no winner: they are left out here and
counted in :mod:`blinksim.analysis.endings`. A player count's blocks are its deals, all line-ups together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from blinksim.analysis.estimates import (
    LEVEL,
    MARGIN,
    Verdict,
    as_estimates,
    equivalence,
    estimate_groups,
    share,
    simultaneous_level,
)

TWELFTHS = 12
"""Shared wins come in halves, thirds and quarters; counted in twelfths their sums are exact in any order."""


def line_ups(seats: pl.LazyFrame) -> pl.DataFrame:
    """Who plays which slot.

    Returns:
        One row per player count, line-up and slot: ``players``, ``line_up``, ``slot``, ``strategy``, ``mirror``
        (whether one strategy has all slots).
    """
    keys = ["players", "line_up", "slot"]
    found = seats.group_by(keys).agg(pl.col("strategy").first()).collect(engine="streaming").sort(keys)
    return found.with_columns(
        pl.col("strategy").cast(pl.String),
        mirror=pl.col("strategy").n_unique().over("players", "line_up") == 1,
    )


def win_blocks(seats: pl.LazyFrame, by: Sequence[str]) -> pl.DataFrame:
    """Wins by group and deal: ``players``, the columns ``by``, ``deal``, ``total``, ``count`` and ``games``.

    ``total`` is the sum of win shares, ``count`` how many seats of decided games there were, ``games`` in how many
    games.
    """
    keys = ["players", *by, "deal"]
    twelfths = (pl.col("win_share").cast(pl.Float64) * TWELFTHS).round().cast(pl.Int64)
    return (
        seats.filter(pl.col("win_share").is_not_null())
        .group_by(keys)
        .agg(total=twelfths.sum(), count=pl.len().cast(pl.Int64), games=pl.col("game").n_unique().cast(pl.Int64))
        .with_columns(pl.col("total") / TWELFTHS)
        .collect(engine="streaming")
        .sort(keys)
    )


def seat_win_share(
    seats: pl.LazyFrame, by: Sequence[str] = (), level: float = LEVEL, margin: float = MARGIN
) -> pl.DataFrame:
    """The share of decided games that each seat wins.

    The intervals of the seats of a table hold together (Sidak over the seats).

    Args:
        seats: The table ``seats``.
        by: Further columns to split by, such as ``line_up``.
        level: Level of all seats' intervals together.
        margin: How far from one over the number of players still counts as fair.

    Returns:
        ``players``, the columns ``by``, ``seat``, ``value``, ``low``, ``high``, ``n_blocks``, ``n_games``, ``method``,
        ``fair`` (one over the number of players) and ``verdict`` on that seat.
    """
    return _with_verdicts(win_blocks(seats, [*by, "seat"]), [*by], "seat", level, margin)


def strategy_win_share(seats: pl.LazyFrame, level: float = LEVEL, margin: float = MARGIN) -> pl.DataFrame:
    """The share of decided games that each strategy of a mixed line-up wins, for each seat that it holds.

    Mirrors are left out: there a strategy only beats itself. The intervals of a line-up's strategies hold together.

    Returns:
        ``players``, ``line_up``, ``strategy``, the columns of an estimate, ``fair`` and ``verdict``.
    """
    mixed = pl.col("strategy").n_unique().over("players", "line_up") > 1
    blocks = win_blocks(seats, ["line_up", "strategy"]).with_columns(pl.col("strategy").cast(pl.String)).filter(mixed)
    return _with_verdicts(blocks, ["line_up"], "strategy", level, margin)


def _with_verdicts(blocks: pl.DataFrame, by: list[str], what: str, level: float, margin: float) -> pl.DataFrame:
    tables = [
        estimate_groups(
            part, ["players", *by, what], partial(share, level=simultaneous_level(part[what].n_unique(), level))
        )
        for _, part in blocks.group_by(["players", *by], maintain_order=True)
    ]
    frame = (
        pl.concat(tables) if tables else estimate_groups(blocks, ["players", *by, what], partial(share, level=level))
    )
    verdicts = [
        str(equivalence([estimate], 1 / players, margin))
        for players, estimate in zip(frame["players"], as_estimates(frame), strict=True)
    ]
    frame = frame.with_columns(
        fair=1 / pl.col("players").cast(pl.Float64), verdict=pl.Series("verdict", verdicts, dtype=pl.String)
    )
    return frame.sort(["players", *by, what])


def table_verdict(seats_of_a_table: pl.DataFrame, margin: float = MARGIN) -> Verdict:
    """Whether all seats of one player count, rows of :func:`seat_win_share`, are as good as equal."""
    return equivalence(as_estimates(seats_of_a_table), float(seats_of_a_table["fair"][0]), margin)

"""Endings: won, shared or stalled; whose empty reserve announced the last round, and whether that player wins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from blinksim.analysis.estimates import LEVEL, Estimate, estimate_groups, ratio, share, simultaneous_level

OUTCOMES = ("won", "shared", "stalled")
MAX_SEATS = 4
PIECES = 144
"""A victory and an announcement may each be split among up to four; counted in pieces their sums are exact."""


def _is(outcome: str) -> pl.Expr:
    return pl.col("outcome").cast(pl.String) == outcome


def outcomes(games: pl.LazyFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """How games end, of all games.

    Args:
        games: The table ``games``.
        by: Further columns to split by, such as ``line_up``.
        level: Confidence level.

    Returns:
        ``players``, the columns ``by``, ``outcome`` (``won``, ``shared``, ``stalled``; each is there, even with none),
        ``games`` (how many ended so), then the columns of an estimate of its share of all games.
    """
    keys = ["players", *by]
    blocks = (
        games.group_by([*keys, "deal"])
        .agg(*[_is(outcome).sum().cast(pl.Int64).alias(outcome) for outcome in OUTCOMES], count=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort([*keys, "deal"])
    )
    found = []
    for outcome in OUTCOMES:
        shares = estimate_groups(blocks, keys, partial(share, total=outcome, games="count", level=level))
        sums = blocks.group_by(keys).agg(games=pl.col(outcome).sum())
        named = shares.join(sums, on=keys, how="left", maintain_order="left")
        found.append(named.with_columns(outcome=pl.lit(outcome, pl.Enum(OUTCOMES))))
    frame = pl.concat(found).sort([*keys, "outcome"]).with_columns(pl.col("outcome").cast(pl.String))
    return frame.select(*keys, "outcome", "games", pl.exclude([*keys, "outcome", "games"]))


def stalled_overall(games: pl.LazyFrame, level: float = LEVEL) -> Estimate:
    """The share of all games that stalled, whatever the player count; a block is a player count's deal."""
    blocks = (
        games.group_by("players", "deal")
        .agg(total=_is("stalled").sum().cast(pl.Int64), count=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "deal")
    )
    return share(blocks, games="count", level=level)


def stalls(games: pl.LazyFrame, by: Sequence[str] = ("line_up",), level: float = LEVEL) -> pl.DataFrame:
    """The rows of :func:`outcomes` for stalled games, by line-up unless said otherwise."""
    return outcomes(games, by, level).filter(pl.col("outcome") == "stalled")


def _announced(games: pl.LazyFrame) -> pl.LazyFrame:
    """Decided games with ``announcers``: the seats whose empty reserve announced the last round, bit s = seat s."""
    return games.filter(~_is("stalled")).with_columns(announcers=pl.col("armed_seats").cast(pl.Int64))


def _count(bits: pl.Expr) -> pl.Expr:
    return bits.bitwise_count_ones().cast(pl.Int64)


def armer_win_share(games: pl.LazyFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """How often the player whose empty reserve announced the last round wins.

    Shared victories are split; where several reserves were empty, it is the mean over their owners.

    Returns:
        ``players``, the columns ``by``, the columns of an estimate, and ``fair``: one over the number of players.
    """
    keys = ["players", *by]
    announcers, winners = pl.col("announcers"), pl.col("winners").cast(pl.Int64)
    won = PIECES * _count(announcers & winners) // (_count(announcers) * _count(winners))
    blocks = (
        _announced(games)
        .group_by([*keys, "deal"])
        .agg(total=won.sum(), count=pl.len().cast(pl.Int64))
        .with_columns(pl.col("total") / PIECES)
        .collect(engine="streaming")
        .sort([*keys, "deal"])
    )
    frame = estimate_groups(blocks, keys, partial(share, games="count", level=level))
    return frame.with_columns(fair=1 / pl.col("players").cast(pl.Float64))


def armed_by_seat(games: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """Which seat announces the last round: its share of decided games, the intervals of all seats holding together.

    Where several reserves were empty, each owner counts for its part.

    Returns:
        ``players``, ``seat``, the columns of an estimate, and ``fair``: one over the number of players.
    """
    announcers = pl.col("announcers")
    parts = [
        ((announcers // 2**seat % 2) * PIECES // _count(announcers)).sum().alias(str(seat)) for seat in range(MAX_SEATS)
    ]
    blocks = (
        _announced(games)
        .group_by("players", "deal")
        .agg(*parts, count=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "deal")
        .unpivot(index=["players", "deal", "count"], variable_name="seat", value_name="total")
        .with_columns(pl.col("seat").cast(pl.Int8), pl.col("total") / PIECES)
        .filter(pl.col("seat") < pl.col("players"))
    )
    frames = [
        estimate_groups(
            part, ["players", "seat"], partial(share, games="count", level=simultaneous_level(int(str(players)), level))
        )
        for (players,), part in blocks.group_by(["players"], maintain_order=True)
    ]
    found = pl.concat(frames) if frames else estimate_groups(blocks, ["players", "seat"], share)
    return found.with_columns(fair=1 / pl.col("players").cast(pl.Float64))


def armed_round(games: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """The round at whose end the last round was announced: ``players`` and the columns of an estimate of its mean."""
    blocks = (
        games.filter(~_is("stalled") & pl.col("armed_round").is_not_null())
        .group_by("players", "deal")
        .agg(total=pl.col("armed_round").cast(pl.Int64).sum(), count=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "deal")
    )
    return estimate_groups(blocks, ["players"], partial(ratio, games="count", level=level))

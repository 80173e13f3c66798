"""Endings: won, shared or stalled; whose empty reserve announced the last round, and whether that player wins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from blinksim.analysis.estimates import LEVEL, Estimate, estimate_groups, ratio, share, simultaneous_level

OUTCOMES = ("won", "shared", "stalled")
TWELFTHS = 12


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
    """Decided games with ``armer_twelfths``, what the seat that announced the last round won of them."""
    seat_bit = pl.lit(2, pl.Int64).pow(pl.col("armed_seat").cast(pl.Int64))
    winners = pl.col("winners").cast(pl.Int64)
    won = (winners // seat_bit) % 2 == 1
    twelfths = pl.when(won).then(TWELFTHS // winners.bitwise_count_ones().cast(pl.Int64)).otherwise(0)
    return games.filter(~_is("stalled") & pl.col("armed_seat").is_not_null()).with_columns(armer_twelfths=twelfths)


def armer_win_share(games: pl.LazyFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """How often the player whose empty reserve announced the last round wins; shared victories split.

    Returns:
        ``players``, the columns ``by``, the columns of an estimate, and ``fair``: one over the number of players.
    """
    keys = ["players", *by]
    blocks = (
        _announced(games)
        .group_by([*keys, "deal"])
        .agg(total=pl.col("armer_twelfths").sum(), count=pl.len().cast(pl.Int64))
        .with_columns(pl.col("total") / TWELFTHS)
        .collect(engine="streaming")
        .sort([*keys, "deal"])
    )
    frame = estimate_groups(blocks, keys, partial(share, games="count", level=level))
    return frame.with_columns(fair=1 / pl.col("players").cast(pl.Float64))


def armed_by_seat(games: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """Which seat announces the last round: its share of decided games, the intervals of all seats holding together.

    Of several empty reserves at once the lowest seat is on record.

    Returns:
        ``players``, ``seat``, the columns of an estimate, and ``fair``: one over the number of players.
    """
    counts = (
        _announced(games)
        .group_by("players", "deal", "armed_seat")
        .agg(total=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "deal", "armed_seat")
    )
    frames = []
    for (players,), part in counts.group_by(["players"], maintain_order=True):
        seats = pl.DataFrame({"seat": range(int(str(players)))}, schema={"seat": counts.schema["armed_seat"]})
        deals = part.group_by("players", "deal", maintain_order=True).agg(count=pl.col("total").sum())
        rows = deals.join(seats, how="cross").join(
            part.rename({"armed_seat": "seat"}), on=["players", "deal", "seat"], how="left", maintain_order="left"
        )
        level_each = simultaneous_level(seats.height, level)
        estimator = partial(share, games="count", level=level_each)
        frames.append(estimate_groups(rows.with_columns(pl.col("total").fill_null(0)), ["players", "seat"], estimator))
    if not frames:
        empty = counts.rename({"armed_seat": "seat"}).with_columns(count=pl.col("total"))
        frames = [estimate_groups(empty, ["players", "seat"], partial(share, games="count", level=level))]
    return pl.concat(frames).with_columns(fair=1 / pl.col("players").cast(pl.Float64))


def armed_round(games: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """The round at whose end the last round was announced: ``players`` and the columns of an estimate of its mean."""
    blocks = (
        _announced(games)
        .group_by("players", "deal")
        .agg(total=pl.col("armed_round").cast(pl.Int64).sum(), count=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "deal")
    )
    return estimate_groups(blocks, ["players"], partial(ratio, games="count", level=level))

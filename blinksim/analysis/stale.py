"""When walls go stale: who holds a card that would break one, round by round.

A seat's best card is that in its hand right before it lays its meld, so from round 2 on (the hand of round 1 comes from
the draft and is not in the table). The card is held against walls on the softest terrain; whether it has that terrain's
suit, gets into a meld and reaches a tile is not asked, so this is how many *could*.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from blinksim.analysis.abreast import of_players, rivals, round_before
from blinksim.analysis.cells import share_cells, tally
from blinksim.analysis.estimates import ESTIMATE_COLUMNS
from blinksim.analysis.walls import Parameters, breaking_ranks

NEVER = 99
"""A rank that no card has, where no card breaks a wall."""
RIVALS = -1
"""Stands for a wall tier where the walls are those that rivals have at that time."""


def needed_ranks(parameters: Parameters) -> list[int]:
    """By tier, the lowest rank that breaks its wall on the softest terrain; ``NEVER`` where none does."""
    lowest = breaking_ranks(parameters).group_by("defender_tier").agg(pl.col("paper").min()).sort("defender_tier")
    return lowest["paper"].fill_null(NEVER).to_list()


def holders(rounds: pl.LazyFrame, players: Sequence[int], parameters: Parameters) -> pl.DataFrame:
    """The share of seats that hold a breaking card when they lay, by round.

    Args:
        rounds: The table ``rounds``, in the order in which it was written.
        players: Player counts.
        parameters: The ruleset.

    Returns:
        ``players``, ``wall_tier`` (``RIVALS``: of all pairs of a seat and a rival, those in which the seat could break
        the wall that the rival has then), ``round`` (from 2), ``needed`` (the rank, 0 for ``RIVALS``), the columns of
        an estimate; ``n_games`` counts seats, or pairs.
    """
    needed = needed_ranks(parameters)
    found = []
    for n in players:
        blocks = _blocks(of_players(rounds, n), n, needed)
        for tier, rank in [*enumerate(needed), (RIVALS, 0)]:
            count = "pairs" if tier == RIVALS else "seats"
            shares = share_cells(blocks, ["players", "round"], str(tier), count, count)
            named = pl.lit(tier, pl.Int64).alias("wall_tier"), pl.lit(rank, pl.Int64).alias("needed")
            found.append(shares.with_columns(*named))
    columns = ["players", "wall_tier", "round", "needed", *ESTIMATE_COLUMNS]
    return pl.concat(found).select(columns).sort("players", "wall_tier", "round")


def _blocks(rounds: pl.LazyFrame, players: int, needed: list[int]) -> pl.DataFrame:
    """Seats by round and deal: ``seats``, ``pairs``, and by tier (as text) how many could break its wall."""
    against = pl.lit(NEVER, pl.Int8)
    for tier, rank in enumerate(needed):
        against = pl.when(pl.col("lay_tier") == tier).then(pl.lit(rank, pl.Int8)).otherwise(against)
    could = pl.sum_horizontal([(rank <= pl.col("best")).cast(pl.Int32) for rank in rivals(players, "needed")])
    hands = (
        rounds.with_columns(best=round_before(players, "best_rank"), needed=against)
        .with_columns(could=could)
        .filter(pl.col("round") > 1)
    )
    holding = {str(tier): pl.col("best") >= rank for tier, rank in enumerate(needed)}
    keys = ["players", "round", "deal"]
    return (
        tally(hands, keys, **holding, **{str(RIVALS): pl.col("could")}, seats=pl.lit(1), pairs=pl.lit(players - 1))
        .with_columns(pl.col("round").cast(pl.Int64))
        .collect(engine="streaming")
        .sort(keys)
    )


def stale_from(shares: pl.DataFrame, enough: int = 1) -> pl.DataFrame:
    """From which round half of the seats could break a wall.

    Args:
        shares: From :func:`holders`.
        enough: Rounds that rest on fewer deals are left out.

    Returns:
        ``players``, ``wall_tier``, ``needed``, ``value`` (the first round whose share is one half or more), ``low`` and
        ``high`` (the first at which the band includes one half, and the first wholly above it); null for never;
        ``n_blocks`` and ``n_games`` of the round with the most; ``method``. Where no round has enough
        there is no row.
    """
    keys = ["players", "wall_tier", "needed"]

    def first(column: str) -> pl.Expr:
        return pl.col("round").filter(pl.col(column) >= 0.5).min().cast(pl.Float64)

    method = pl.lit("first round at one half, interval from the 95 % band")
    return (
        shares.filter(pl.col("n_blocks") >= enough)
        .group_by(keys)
        .agg(
            value=first("value"), low=first("high"), high=first("low"), n_blocks=pl.col("n_blocks").max(),
            n_games=pl.col("n_games").max(),
        )
        .with_columns(method=method)
        .sort(keys)
    )  # fmt: skip

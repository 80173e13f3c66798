"""Habits: what a seat of each strategy does in a game, on average, and how its attacks and defences go.

All games, stalled ones too: what somebody does is also to be seen in a game without a winner. A block is a deal.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, estimate_groups, ratio, share

DEEDS = {
    "cards to settle": "num_settle", "cards to explore": "num_explore", "cards to attack": "num_attack",
    "cards to answer attacks": "num_defend", "cards cashed": "num_gold", "cards set aside": "num_aside",
    "movements": "num_move", "water advantages": "num_water", "coins on units": "num_fortify",
    "researches": "num_research", "trades": "num_trade", "victory cards spent on A": "num_declare",
    "on B": "num_found", "on C": "num_cash", "recycles": "num_recycles", "gold for cards cashed": "gold_cashed",
    "gold for last places": "gold_last_place", "gold for cards set aside": "gold_set_aside",
    "gold for captures": "gold_capture", "gold of objectives": "gold_income", "gold for victory cards": "gold_effect_c",
    "gold paid for walls": "paid_fortify", "gold paid for research": "paid_research",
    "gold paid for trades": "paid_trade", "gold left": "gold",
}  # fmt: skip
"""What is counted, and its column in the table ``seats``."""


def habits(seats: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """How often a seat of each strategy does each thing in a game.

    Args:
        seats: The table ``seats``.
        level: Confidence level.

    Returns:
        ``players``, ``deed`` (a key of ``DEEDS``, in that order), ``strategy``, an estimate (``n_games`` counts seats).
    """
    keys = ["players", "strategy"]
    blocks = (
        seats.select(*keys, "deal", *[pl.col(c).cast(pl.Int64).alias(n) for n, c in DEEDS.items()], count=pl.lit(1))
        .group_by(*keys, "deal")
        .agg(pl.all().cast(pl.Int64).sum())
        .collect(engine="streaming")
        .with_columns(pl.col("strategy").cast(pl.String))
        .sort(*keys, "deal")
    )
    order = pl.Enum(list(DEEDS))
    found = [
        estimate_groups(blocks, keys, partial(ratio, total=deed, games="count", level=level)).with_columns(
            deed=pl.lit(deed, order)
        )
        for deed in DEEDS
    ]
    return (
        pl.concat(found)
        .sort("players", "deed", "strategy")
        .with_columns(pl.col("deed").cast(pl.String), pl.col("low").clip(0))  # nothing is done less than never
        .select("players", "deed", "strategy", *ESTIMATE_COLUMNS)
    )


def fights(duels: pl.LazyFrame, line_ups: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """How the duels of each strategy go, when it attacks and when it is attacked.

    Args:
        duels: The table ``duels``.
        line_ups: From :func:`blinksim.analysis.fairness.line_ups`.
        level: Confidence level.

    Returns:
        ``players``, ``strategy``, ``side`` (``attacks`` or ``is attacked``), an estimate of the share of these duels
        that it wins (``n_games`` counts duels).
    """
    # First one row a pair of slots and deal, then the names: a strategy is looked up a few times, not once a duel.
    pairs = (
        duels.select("players", "line_up", "slot", "defender_slot", "deal", count=pl.lit(1, pl.Int32),
                     beaten=(pl.col("result") == "beaten").cast(pl.Int32))
        .group_by("players", "line_up", "slot", "defender_slot", "deal")
        .agg(pl.all().cast(pl.Int64).sum())
        .collect(engine="streaming")
    )  # fmt: skip
    found = []
    for side, slot, won in (("attacks", "slot", "beaten"), ("is attacked", "defender_slot", "held")):
        types: Any = {name: pairs.schema[name] for name in ("players", "line_up", slot)}
        who = line_ups.select("players", "line_up", "strategy", pl.col("slot").alias(slot)).cast(types)
        blocks = (
            pairs.with_columns(held=pl.col("count") - pl.col("beaten"))
            .join(who, on=list(types))
            .group_by("players", "strategy", "deal")
            .agg(total=pl.col(won).sum(), count=pl.col("count").sum())
            .sort("players", "strategy", "deal")
        )
        estimates = estimate_groups(blocks, ["players", "strategy"], partial(share, games="count", level=level))
        found.append(estimates.with_columns(side=pl.lit(side)))
    return pl.concat(found).sort("players", "strategy", "side").select("players", "strategy", "side", *ESTIMATE_COLUMNS)

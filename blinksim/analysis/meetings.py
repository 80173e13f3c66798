"""Meetings: who wins against whom, and what each strategy does while playing.

Shares are of decided games, a shared victory split; a block is a deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, estimate_groups, ratio, share, simultaneous_level
from blinksim.analysis.fairness import line_ups, win_blocks

COINS = {
    "cards cashed": "gold_cashed",
    "last in a trick": "gold_last_place",
    "cards set aside": "gold_set_aside",
    "captures": "gold_capture",
    "objectives": "gold_income",
    "victory cards": "gold_effect_c",
}
"""Where coins come from, and their columns in the table ``seats``."""
PAID = {"walls": "paid_fortify", "research": "paid_research", "trade": "paid_trade"}
"""Where coins go."""
CARDS = {
    "settle": "num_settle",
    "explore": "num_explore",
    "attack": "num_attack",
    "defend": "num_defend",
    "cash": "num_gold",
    "set aside": "num_aside",
}
"""What cards are used for."""
OTHER = {
    "movements": "num_move",
    "water advantage": "num_water",
    "researches": "num_research",
    "trades": "num_trade",
    "effect A": "num_declare",
    "effect B": "num_found",
    "effect C": "num_cash",
}
"""What else is done in a turn."""
TOTAL = "total"


def head_to_head(seats: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """Two players: how often each strategy beats each other.

    Returns:
        ``strategy``, ``rival`` and the columns of an estimate of the strategy's share of wins, both ways round.
    """
    two = seats.filter(pl.col("players") == 2)
    schema = {"strategy": pl.String, "rival": pl.String} | ESTIMATE_COLUMNS
    slots = line_ups(two).filter(~pl.col("mirror"))
    if slots.is_empty():
        return pl.DataFrame(schema=schema)
    pairs = slots.group_by("line_up", maintain_order=True).agg(pl.col("strategy"))
    rivals = pl.concat(
        [
            pairs.select("line_up", strategy=pl.col("strategy").list.get(i), rival=pl.col("strategy").list.get(1 - i))
            for i in range(2)
        ]
    )
    blocks = win_blocks(two, ["line_up", "strategy"]).with_columns(pl.col("strategy").cast(pl.String))
    merged = blocks.join(rivals, on=["line_up", "strategy"]).group_by("strategy", "rival", "deal")
    summed = merged.agg(pl.col("total", "count", "games").sum()).sort("strategy", "rival", "deal")
    found = estimate_groups(summed, ["strategy", "rival"], partial(share, level=level))
    return found.select(list(schema))


def win_shares(seats: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """The share of decided games that a seat of each strategy wins, all line-ups together.

    The intervals of the strategies of one player count hold together (Sidak).

    Returns:
        ``players``, ``strategy``, the columns of an estimate, and ``fair``: one over the number of players.
    """
    blocks = win_blocks(seats, ["strategy"]).with_columns(pl.col("strategy").cast(pl.String))
    parts = [
        estimate_groups(
            part,
            ["players", "strategy"],
            partial(share, level=simultaneous_level(part["strategy"].n_unique(), level)),
        )
        for _, part in blocks.group_by(["players"], maintain_order=True)
    ]
    found = pl.concat(parts) if parts else estimate_groups(blocks, ["players", "strategy"], share)
    return found.with_columns(fair=1 / pl.col("players").cast(pl.Float64)).sort(
        "players", -pl.col("value"), "strategy", maintain_order=True
    )


def doings(seats: pl.LazyFrame, columns: Mapping[str, str], level: float = LEVEL) -> pl.DataFrame:
    """How much of something a seat of each strategy does in a game, on average; all games, stalled ones too.

    Args:
        seats: The table ``seats``.
        columns: Names and columns of what is counted, such as ``COINS``.
        level: Confidence level.

    Returns:
        ``players``, ``strategy``, ``part`` (a name, then ``total`` for all together), the columns of an estimate.
    """
    keys = ["players", "strategy", "deal"]
    blocks = (
        seats.group_by(keys)
        .agg(
            *[pl.col(column).cast(pl.Int64).sum().alias(name) for name, column in columns.items()],
            count=pl.len().cast(pl.Int64),
            games=pl.col("game").n_unique().cast(pl.Int64),
        )
        .with_columns(pl.sum_horizontal(list(columns)).alias(TOTAL), pl.col("strategy").cast(pl.String))
        .collect(engine="streaming")
        .sort(keys)
    )
    parts = [*columns, TOTAL]
    found = [
        estimate_groups(blocks, keys[:2], partial(ratio, total=part, level=level)).with_columns(
            part=pl.lit(part, pl.Enum(parts))
        )
        for part in parts
    ]
    return (
        pl.concat(found)
        .sort("players", "strategy", "part")
        .with_columns(pl.col("part").cast(pl.String))
        .select("players", "strategy", "part", *ESTIMATE_COLUMNS)
    )


def duels(seats: pl.LazyFrame, attacks: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """Duels of each strategy, as the attacker and as the defender.

    Args:
        seats: The table ``seats``.
        attacks: The table ``duels``.
        level: Confidence level.

    Returns:
        ``players``, ``strategy``, ``side`` (``attacks`` or ``defends``), ``per_game`` (duels of a seat in a game), then
        the columns of an estimate of the share of them that it wins (a unit beaten, a tile held); ``n_games`` counts
        duels. A strategy without a duel has none.
    """
    slots = line_ups(seats).select("players", "line_up", "slot", "strategy")
    played = (
        seats.group_by("players", pl.col("strategy").cast(pl.String))
        .agg(seats=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
    )
    beaten = pl.col("result").cast(pl.String) == "beaten"
    parts = []
    for side, slot, won in (("attacks", "slot", beaten), ("defends", "defender_slot", ~beaten)):
        types: Any = {name: attacks.collect_schema()[name] for name in ("players", "line_up", slot)}
        who = slots.rename({"slot": slot}).cast(types)
        blocks = (
            attacks.join(who.lazy(), on=["players", "line_up", slot])
            .group_by("players", "strategy", "deal")
            .agg(total=won.sum().cast(pl.Int64), count=pl.len().cast(pl.Int64))
            .collect(engine="streaming")
            .sort("players", "strategy", "deal")
        )
        shares = estimate_groups(blocks, ["players", "strategy"], partial(share, games="count", level=level))
        parts.append(shares.with_columns(side=pl.lit(side)))
    joined = pl.concat(parts).join(played.cast({"players": parts[0].schema["players"]}), on=["players", "strategy"])
    return (
        joined.with_columns(per_game=pl.col("n_games") / pl.col("seats"))
        .select("players", "strategy", "side", "per_game", *ESTIMATE_COLUMNS)
        .sort("players", "strategy", "side")
    )

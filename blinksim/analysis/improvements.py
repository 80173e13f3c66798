"""Research and trade by tier: how often, at what price, and how often research fails.

An improvement belongs to the tier in which it is begun, which its rank cap tells; tiers that share a cap are taken
together. Turns are seats' rounds, by the tier in which the seat laid its meld: a tier may rise within a turn, so the
rate of a turn is that of turns begun in the tier only nearly.
"""

from __future__ import annotations

import polars as pl

from blinksim.analysis.cells import long_ratios, long_shares, tally
from blinksim.analysis.walls import Parameters

KINDS = ("research", "trade")


def improvements_by_tier(improvements: pl.LazyFrame, rounds: pl.LazyFrame, parameters: Parameters) -> pl.DataFrame:
    """Research and trade by rank cap.

    Args:
        improvements: The table ``improvements``.
        rounds: The table ``rounds``.
        parameters: The ruleset.

    Returns:
        ``players``, ``cap``, ``kind`` (``research``, ``trade``), ``measure`` (``a turn``: done or tried for each turn
        begun with this cap; ``price``: gold for each; ``failed``: share of researches that found nothing within the
        cap; ``to hand``: share of cards taken that went to the hand), the columns of an estimate; ``n_games`` counts
        turns, or improvements. Kinds that were never done have no rows but that of ``a turn``.
    """
    keys = ["players", "cap", "kind", "deal"]
    taken = pl.col("taken_rank").is_not_null()
    done = (
        tally(
            improvements, keys, done=pl.lit(1), failed=pl.col("failed"), paid=pl.col("price"), taken=taken,
            to_hand=taken & pl.col("to_hand"),
        )
        .with_columns(pl.col("cap").cast(pl.Int64), pl.col("kind").cast(pl.String))
        .collect(engine="streaming")
    )  # fmt: skip
    caps = dict(enumerate(parameters["tiers"]["rank_cap"]))
    by_tier = tally(rounds, ["players", "lay_tier", "deal"], turns=pl.lit(1)).collect(engine="streaming")
    cap = pl.col("lay_tier").replace_strict(caps, return_dtype=pl.Int64).alias("cap")
    turns = by_tier.group_by("players", cap, "deal").agg(pl.col("turns").sum())
    every = turns.join(pl.DataFrame({"kind": KINDS}), how="cross")
    blocks = every.join(done, on=keys, how="full", coalesce=True).fill_null(0).sort(keys)
    by = keys[:3]
    rates = long_ratios(blocks, by, {"a turn": ("done", "turns")}, "turns")
    bought = blocks.with_columns(bought=pl.col("done") - pl.col("failed"))
    prices = long_ratios(bought, by, {"price": ("paid", "bought")}, "bought")
    research = pl.col("kind") == "research"
    failed = long_shares(blocks.filter(research), by, {"failed": ("failed", "done")}, "done")
    to_hand = long_shares(blocks.filter(research), by, {"to hand": ("to_hand", "taken")}, "taken")
    return pl.concat([rates, prices, failed, to_hand]).sort(by, maintain_order=True)

"""Gold: where it comes from, where it goes, by tier, and what is left unspent.

The table ``seats`` knows every source and sink of a whole game. By tier only part is known: dues (``rounds``), captures
(``duels``), effect C (``spends``), research and trade (``improvements``) have their round; cashed cards, objectives'
income and coins laid on units have not, and stand together as what the purse's change leaves over.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from blinksim.analysis.cells import long_ratios, ratio_cells, share_cells
from blinksim.analysis.scores import with_result
from blinksim.analysis.walls import Parameters

SOURCES = {
    "cards cashed": "gold_cashed",
    "last place": "gold_last_place",
    "cards set aside": "gold_set_aside",
    "captures": "gold_capture",
    "objectives": "gold_income",
    "effect C": "gold_effect_c",
}
"""Where gold comes from, and the columns of the table ``seats``."""
SINKS = {"research": "paid_research", "trade": "paid_trade", "walls": "paid_fortify"}
"""Where gold goes."""
UNSPENT = "unspent"
ALL_IN = "all sources"
MOST_SHOWN = 8
"""Gold left at the end is told apart up to so much; more is taken together."""


def flows(seats: pl.LazyFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Gold of a seat in a game: by source and sink, what came in altogether, and what was left.

    Returns:
        ``players``, the columns ``by``, ``measure`` (keys of ``SOURCES``, ``all sources``, keys of ``SINKS``,
        ``unspent``), the columns of an estimate in gold per seat and game, and ``of_all``: its share of all that came
        in.
    """
    keys = ["players", *by, "deal"]
    columns = SOURCES | SINKS | {UNSPENT: "gold"}
    blocks = (
        seats.group_by(keys)
        .agg(
            *[pl.col(column).cast(pl.Int64).sum().alias(name) for name, column in columns.items()],
            seats=pl.len().cast(pl.Int64),
            games=pl.col("game").n_unique().cast(pl.Int64),
        )
        .with_columns(pl.sum_horizontal(list(SOURCES)).alias(ALL_IN))
        .collect(engine="streaming")
        .sort(keys)
    )
    order = [*SOURCES, ALL_IN, *SINKS, UNSPENT]
    found = long_ratios(blocks, keys[:-1], {name: (name, "seats") for name in order})
    everything = pl.col("value").filter(pl.col("measure") == ALL_IN).first().over(keys[:-1])
    return found.with_columns(of_all=pl.col("value") / everything)


OTHER = "the rest"
"""Cards cashed and objectives less walls: what the change of the purse leaves over."""
TIER_PARTS = ("last place", "cards set aside", "captures", "effect C", OTHER, "research", "trade")
"""Measures of :func:`by_tier`; the last two go out."""


def by_tier(
    rounds: pl.LazyFrame,
    duels: pl.LazyFrame,
    spends: pl.LazyFrame,
    improvements: pl.LazyFrame,
    parameters: Parameters,
) -> pl.DataFrame:
    """Gold a round by the tier in which a seat began it.

    Args:
        rounds: The table ``rounds``, or part of it, as the others.
        duels: The table ``duels``.
        spends: The table ``spends``.
        improvements: The table ``improvements``.
        parameters: The ruleset.

    Returns:
        ``players``, ``tier``, ``measure`` (of ``TIER_PARTS``; those paid out are counted as positive), the columns of
        an estimate in gold per seat and round; ``n_games`` counts seats' rounds.
    """
    seat = ["players", "game", "seat", "round"]
    trick = parameters["trick"]
    price, kind = pl.col("price").cast(pl.Int64), pl.col("kind").cast(pl.String)
    captures = duels.filter(pl.col("captured")).group_by(seat).agg(captures=pl.len().cast(pl.Int64))
    effect_c = (
        spends.filter(pl.col("effect").cast(pl.String) == "C").group_by(seat).agg(c=pl.col("gold").cast(pl.Int64).sum())
    )
    paid = improvements.group_by(seat).agg(
        research=price.filter(kind == "research").sum(), trade=price.filter(kind == "trade").sum()
    )
    last = (pl.col("place") == pl.col("players")).cast(pl.Int64) * trick["last_place_gold"]
    change = pl.col("gold").cast(pl.Int64) - pl.col("lay_gold")
    known = pl.col("dues_gold") + pl.col("captures") + pl.col("c") - pl.col("research") - pl.col("trade")
    columns = dict(zip(TIER_PARTS, ("last", "aside", "captures", "c", "other", "research", "trade"), strict=True))
    keys = ["players", "tier", "deal"]
    blocks = (
        rounds.select(*seat, "deal", "place", "set_aside", "dues_gold", "gold", "lay_gold", tier=pl.col("lay_tier"))
        .join(captures, on=seat, how="left")
        .join(effect_c, on=seat, how="left")
        .join(paid, on=seat, how="left")
        .with_columns(pl.col("captures", "c", "research", "trade").fill_null(0), pl.col("tier").cast(pl.Int64))
        .with_columns(pl.col("captures") * parameters["turn"]["capture_gold"])
        .with_columns(
            last=last,
            aside=pl.col("set_aside").cast(pl.Int64) * trick["set_aside_gold"],
            other=change - known,
        )
        .group_by(keys)
        .agg(pl.col(*columns.values()).sum(), seats=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort(keys)
    )
    return long_ratios(blocks, keys[:2], {name: (column, "seats") for name, column in columns.items()}, "seats")


def unspent(seats: pl.LazyFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Gold left at the end of decided games.

    Returns:
        Two frames with the columns of an estimate; ``n_games`` counts seats. By ``players`` and ``gold`` (0 up to
        ``MOST_SHOWN``, which stands for more, too): the share of seats. By ``players`` and ``result`` (``winners``,
        ``others``): the mean.
    """
    decided = with_result(seats).filter(pl.col("win_share").is_not_null())
    amount = pl.col("gold").cast(pl.Int64)
    blocks = (
        decided.group_by("players", "result", pl.min_horizontal(amount, MOST_SHOWN).alias("left"), "deal")
        .agg(total=amount.sum(), seats=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "result", "left", "deal")
    )
    results = blocks.group_by("players", "result", "deal", maintain_order=True).agg(pl.col("total", "seats").sum())
    means = ratio_cells(results, ["players", "result"], "total", "seats", "seats")
    count = blocks.group_by("players", "deal").agg(count=pl.col("seats").sum())
    amounts = blocks.group_by("players", "left", "deal").agg(pl.col("seats").sum())
    every = count.join(amounts.select("players", "left").unique(), on="players")
    full = every.join(amounts, on=["players", "left", "deal"], how="left").fill_null(0).sort("players", "left", "deal")
    shares = share_cells(full, ["players", "left"], "seats", "count", "count").rename({"left": "gold"})
    return shares, means

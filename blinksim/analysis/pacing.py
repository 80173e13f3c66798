"""Pacing: how long games last, and when players reach their tiers.

Length is that of decided games; a stalled game only says where its cap is. A tier is reached in the first round at
whose end a seat stands on it or higher. Not every seat gets to every tier before its game ends, so the curves are
Kaplan-Meier's: by each round, of those still playing, who has got there. They say how fast the climb is; how many never
got there in the games as they were is said beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis.courses import NEVER, Array, Course
from blinksim.analysis.estimates import (
    ESTIMATE_COLUMNS,
    LEVEL,
    SURVIVAL_METHOD,
    crossing,
    quantile,
    ratio,
    share,
    survival,
)

SPREAD = (0.05, 0.95)
"""Quantiles between which nine games in ten lie."""


def _decided(games: pl.LazyFrame) -> pl.LazyFrame:
    return games.filter(pl.col("outcome").cast(pl.String) != "stalled")


def length_blocks(games: pl.LazyFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Decided games by length: ``players``, the columns ``by``, ``deal``, ``rounds``, ``games``, ``decisions``."""
    keys = ["players", *by, "deal", "rounds"]
    return (
        _decided(games)
        .group_by(keys)
        .agg(games=pl.len().cast(pl.Int64), decisions=pl.col("decisions").cast(pl.Int64).sum())
        .with_columns(pl.col("rounds").cast(pl.Int64))
        .collect(engine="streaming")
        .sort(keys)
    )


def length_histogram(games: pl.LazyFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Decided games by number of rounds: ``players``, the columns ``by``, ``rounds``, ``games``, ``share``."""
    keys = ["players", *by]
    counts = length_blocks(games, by).group_by([*keys, "rounds"]).agg(pl.col("games").sum()).sort([*keys, "rounds"])
    return counts.with_columns(share=pl.col("games") / pl.col("games").sum().over(keys))


LENGTH_COLUMNS: dict[str, Any] = {
    name: pl.Float64 for name in ("mean", "mean_low", "mean_high", "median", "median_low", "median_high", "p05", "p95")
} | {"n_blocks": pl.Int64, "n_games": pl.Int64, "method": pl.String}


def game_length(games: pl.LazyFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Length of decided games in rounds and in decisions.

    Args:
        games: The table ``games``.
        by: Further columns to split by.
        level: Confidence level.

    Returns:
        ``players``, the columns ``by``, ``measure`` (``rounds`` or ``decisions``), ``mean``,
        ``mean_low``, ``mean_high``, ``median`` with ``median_low`` and ``median_high`` (null for decisions), ``p05``,
        ``p95``, ``n_blocks``, ``n_games``, ``method``.
    """
    keys = ["players", *by]
    blocks = length_blocks(games, by)
    pooled = (
        _decided(games)
        .group_by([*keys, "decisions"])
        .agg(games=pl.len().cast(pl.Int64))
        .with_columns(deal=pl.lit(0))
        .collect(engine="streaming")
    )
    rows: list[dict[str, Any]] = []
    for key, part in blocks.group_by(keys, maintain_order=True):
        named = dict(zip(keys, key, strict=True))
        decisions = pooled.filter(*[pl.col(name) == value for name, value in named.items()])
        rows.append(named | {"measure": "rounds"} | _rounds(part, level))
        rows.append(named | {"measure": "decisions"} | _decisions(part, decisions, level))
    return pl.DataFrame(rows, schema={k: blocks.schema[k] for k in keys} | {"measure": pl.String} | LENGTH_COLUMNS)


def _rounds(part: pl.DataFrame, level: float) -> dict[str, Any]:
    per_deal = part.group_by("deal", maintain_order=True).agg(
        total=(pl.col("rounds") * pl.col("games")).sum(), games=pl.col("games").sum()
    )
    mean = ratio(per_deal, count="games", level=level)
    median = quantile(part, 0.5, value="rounds", level=level)
    p05, p95 = (quantile(part, p, value="rounds", level=level).value for p in SPREAD)
    return {
        "mean": mean.value, "mean_low": mean.low, "mean_high": mean.high, "median": median.value,
        "median_low": median.low, "median_high": median.high, "p05": p05, "p95": p95, "n_blocks": mean.n_blocks,
        "n_games": mean.n_games, "method": f"mean: {mean.method}; median: {median.method}",
    }  # fmt: skip


def _decisions(part: pl.DataFrame, pooled: pl.DataFrame, level: float) -> dict[str, Any]:
    per_deal = part.group_by("deal", maintain_order=True).agg(
        total=pl.col("decisions").sum(), games=pl.col("games").sum()
    )
    mean = ratio(per_deal, count="games", level=level)
    p05, median, p95 = (quantile(pooled, p, value="decisions").value for p in (SPREAD[0], 0.5, SPREAD[1]))
    return {
        "mean": mean.value, "mean_low": mean.low, "mean_high": mean.high, "median": median, "p05": p05, "p95": p95,
        "n_blocks": mean.n_blocks, "n_games": mean.n_games, "method": f"mean: {mean.method}",
    }  # fmt: skip


def tier_exits(
    courses: Iterable[Course], num_tiers: int, slots: pl.DataFrame | None = None, by: Sequence[str] = ()
) -> pl.DataFrame:
    """When seats first reached each tier above the first, or left the game without.

    Args:
        courses: The games of each player count.
        num_tiers: How many tiers the ruleset has.
        slots: Who plays which slot, from :func:`blinksim.analysis.fairness.line_ups`; needed for ``by``.
        by: Columns of ``slots`` to split by, such as ``strategy``.

    Returns:
        ``players``, the columns ``by``, ``tier`` (from 1), ``deal``, ``round``, ``reached`` and ``left``:
        how many seats of the deal's games reached it in that round, and how many of them ended their game then without
        having done so.
    """
    keys = {"players": pl.Int8, **dict.fromkeys(by, pl.String), "tier": pl.Int64, "deal": pl.Int32, "round": pl.Int64}
    found = [pl.DataFrame(schema=keys | {"reached": pl.Int64, "left": pl.Int64})]
    for course in courses:
        split = [course.of_slots(slots, name) for name in by] if slots is not None else []
        exits = _exits(course, num_tiers, split, by)
        found.append(exits.cast(dict(found[0].schema)))  # type: ignore[arg-type]
    return pl.concat(found)


def _exits(course: Course, num_tiers: int, split: Sequence[tuple[Array, list[str]]], by: Sequence[str]) -> pl.DataFrame:
    """The exits of one player count, sorted.

    The keys of a row are the digits of one number: millions of rows are grouped and sorted much faster by that.
    """
    deals, deal = np.unique(course.deal, return_inverse=True)
    sizes = [*(len(names) for _, names in split), num_tiers, len(deals), int(course.rounds.max(initial=0)) + 1]
    group = np.ravel_multi_index([codes for codes, _ in split], sizes[: len(split)]) if split else np.int64(0)
    sums = []
    for tier, times in enumerate(np.swapaxes(course.arrivals(num_tiers), 0, 1), start=1):
        there = times < NEVER
        when = np.where(there, times, course.rounds)
        number = ((group * num_tiers + tier) * sizes[-2] + deal) * sizes[-1] + when
        exits = pl.DataFrame({"number": number.ravel(), "reached": there.ravel()})
        sums.append(exits.group_by("number").agg(pl.len().alias("left"), pl.col("reached").sum()))
    whole = pl.concat(sums).sort("number") if sums else pl.DataFrame(schema=["number", "left", "reached"])
    *codes, tiers, block, rounds = np.unravel_index(whole["number"].to_numpy(), sizes)
    named = {name: pl.Series(names)[at] for name, (_, names), at in zip(by, split, codes, strict=True)}
    return whole.select(
        players=pl.lit(course.players), **named, tier=tiers, deal=deals[block], round=rounds, reached="reached",
        left=pl.col("left").cast(pl.Int64) - pl.col("reached"),
    )  # fmt: skip


def pool_exits(exits: pl.DataFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """What :func:`tier_exits` would have given for fewer columns ``by``, without going over the rounds again."""
    keys = ["players", *by, "tier", "deal", "round"]
    return exits.group_by(keys).agg(pl.col("reached", "left").sum()).sort(keys)


def tier_curves(exits: pl.DataFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """The share of seats that had reached each tier by each round, Kaplan-Meier.

    Returns:
        ``players``, the columns ``by``, ``tier``, ``round``, ``share``, ``low``, ``high``, ``at_risk``, ``reached``,
        ``n_blocks``, ``n_seats`` and ``method``.
    """
    keys = ["players", *by, "tier"]
    curves = []
    for key, part in exits.group_by(keys, maintain_order=True):
        named = [pl.lit(value, exits.schema[name]).alias(name) for name, value in zip(keys, key, strict=True)]
        seats = int(part["reached"].sum()) + int(part["left"].sum())
        curve = survival(part, level=level)
        curves.append(curve.select(*named, pl.all(), n_seats=pl.lit(seats), method=pl.lit(SURVIVAL_METHOD)))
    if curves:
        return pl.concat(curves)
    empty = survival(exits).with_columns(n_seats=pl.lit(0), method=pl.lit(""))
    return empty.select(*[pl.lit(None, exits.schema[name]).alias(name) for name in keys], pl.all())


def tier_summary(exits: pl.DataFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Of each tier: how many seats got there before their game ended, and the median round of getting there.

    Returns:
        ``players``, the columns ``by``, ``tier``, the columns of an estimate (``value`` is the share of seats that got
        there; ``n_games`` counts seats), ``median``, ``median_low`` and ``median_high`` of the Kaplan-Meier curve (null
        where it does not get to one half).
    """
    keys = ["players", *by, "tier"]
    rows = []
    for key, part in exits.group_by(keys, maintain_order=True):
        per_deal = part.group_by("deal", maintain_order=True).agg(
            total=pl.col("reached").sum(), count=(pl.col("reached") + pl.col("left")).sum()
        )
        got = share(per_deal, games="count", level=level)
        median = [None if time != time else time for time in crossing(survival(part, level=level))]
        values = [got.value, got.low, got.high, got.n_blocks, got.n_games, got.method, *median]
        rows.append([*key, *values])
    schema = {name: exits.schema[name] for name in keys} | ESTIMATE_COLUMNS
    schema |= dict.fromkeys(("median", "median_low", "median_high"), pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row")

"""The ladder: one strategy with more and more of something, such as a searcher's budget. Does more skill win more?

A ladder is a strategy that takes part with several values of one parameter and with everything else alike; each value
is a rung. Names are those of line-ups, ``NAME:KEY=VALUE,…``. Where neighbouring rungs meet at one table, the upper one
should win more than an even share; if no rung ever does, the game does not reward that skill.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import polars as pl

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, estimate_groups, share
from blinksim.analysis.fairness import win_blocks
from blinksim.analysis.starting import against


class Rung(NamedTuple):
    """One value of a ladder.

    Attributes:
        ladder: The strategy and the parameter that differs, such as ``searcher:budget``.
        value: Its value here.
        strategy: The name in the line-ups.
    """

    ladder: str
    value: float
    strategy: str


def rungs(strategies: list[str]) -> list[Rung]:
    """The ladders among some strategies, rung by rung from the lowest; none where no two differ in one parameter."""
    ladders: dict[str, list[Rung]] = {}
    for strategy in strategies:
        name, _, settings = strategy.partition(":")
        parts = [part.partition("=") for part in settings.split(",")] if settings else []
        for key, _, value in parts:
            try:
                number = float(value)
            except ValueError:
                continue
            rest = ",".join(f"{k}={v}" for k, _, v in parts if k != key)
            title = f"{name}:{key}" + (f" ({rest})" if rest else "")
            ladders.setdefault(title, []).append(Rung(title, number, strategy))
    return [rung for ladder in ladders.values() if len(ladder) > 1 for rung in sorted(ladder, key=lambda r: r.value)]


def ladder_steps(seats: pl.LazyFrame, strategies: list[str], level: float = LEVEL) -> pl.DataFrame:
    """How often each rung wins against the rung below it, in line-ups of these two alone.

    Args:
        seats: The table ``seats``.
        strategies: All strategies of the run.
        level: Confidence level.

    Returns:
        ``players``, ``ladder``, ``value_below``, ``value_above``, then the columns of an estimate of the share of
        decided games that a seat of the upper rung wins, ``p`` (as far from an even share by chance), ``fair``.
    """
    steps = [(a, b) for a, b in zip(rungs(strategies), rungs(strategies)[1:], strict=False) if a.ladder == b.ladder]
    keys = {"players": pl.Int8, "ladder": pl.String, "below": pl.Float64, "above": pl.Float64}
    schema: dict[str, Any] = keys | ESTIMATE_COLUMNS | {"p": pl.Float64, "fair": pl.Float64}
    if not steps:
        return pl.DataFrame(schema=schema)
    blocks = win_blocks(seats, ["line_up", "strategy"]).with_columns(pl.col("strategy").cast(pl.String))
    players = pl.col("strategy").unique().over("players", "line_up", mapping_strategy="join").list.sort()
    found = []
    for below, above in steps:
        pair = sorted((below.strategy, above.strategy))
        met = blocks.with_columns(pair=players).filter(pl.col("pair") == pl.lit(pair, pl.List(pl.String)))
        upper = met.filter(pl.col("strategy") == above.strategy).group_by("players", "deal")
        sums = upper.agg(pl.col("total", "count", "games").sum()).sort("players", "deal")
        if sums.is_empty():
            continue
        tests = [against(part, 1 / n) for (n,), part in sums.group_by(["players"], maintain_order=True)]
        frame = estimate_groups(sums, ["players"], partial(share, level=level))
        found.append(
            frame.with_columns(
                ladder=pl.lit(below.ladder), below=pl.lit(below.value), above=pl.lit(above.value),
                p=pl.Series(tests, dtype=pl.Float64), fair=1 / pl.col("players").cast(pl.Float64),
            )
            .cast({"players": pl.Int8})
            .select(list(schema))
        )  # fmt: skip
    return pl.concat([pl.DataFrame(schema=schema), *found]).sort("ladder", "players", "below")

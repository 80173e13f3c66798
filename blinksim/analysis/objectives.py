"""Objectives: how often each is held and kept, what it pays, and what being dealt it is worth.

An objective is *held* while it has at least one arrangement on the map, and *scored* where it is held at the end.
Everything is told of those seats whose it was, in all games, stalled ones too; the lift is that of decided games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, Estimate, ratio, share
from blinksim.analysis.lift import LIFT_COLUMNS, dealt_sums, slopes

DEAD = 0.05
"""An objective is dead where fewer than this share of those who are dealt it score it."""
RANDOM_MODES = ("show_one", "keep_both")
"""Modes in which a seat has exactly the objectives it was dealt, and not those of everybody."""

HOLDING_COLUMNS: dict[str, Any] = {"players": pl.Int8, "objective": pl.String, "measure": pl.String} | ESTIMATE_COLUMNS
RESULT_COLUMNS: dict[str, Any] = {"players": pl.Int8, "objective": pl.String, "result": pl.String} | LIFT_COLUMNS

_HELD = pl.col("arrangements") > 0
_EVER = pl.col("first_held") > 0
MEASURES: dict[str, tuple[pl.Expr, str, Callable[..., Estimate]]] = {
    "shown": (pl.col("shown"), "all", share),
    "ever_held": (_EVER, "all", share),
    "held_at_end": (_HELD, "all", share),
    "held_at_end_if_shown": (_HELD & pl.col("shown"), "shown", share),
    "held_at_end_if_hidden": (_HELD & ~pl.col("shown"), "hidden", share),
    "first_round": (pl.col("first_held"), "ever_held", ratio),
    "arrangements": (pl.col("arrangements"), "all", ratio),
    "points": (pl.col("points"), "all", ratio),
    "coins": (pl.col("gold"), "all", ratio),
    "broken": (pl.col("times_lost"), "all", ratio),
}
"""By name: what is summed, over which seats (``all``, or those counted by another measure), how it is estimated."""


def holdings(objectives: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """What became of each objective in the hands of those who had it.

    Args:
        objectives: The table ``objectives``.
        level: Confidence level.

    Returns:
        ``players``, ``objective``, ``measure`` (a key of ``MEASURES``), the columns of an estimate; ``n_games`` counts
        seats that had it. ``first_round`` is the mean first round at whose end it was held, where it ever was;
        ``broken`` how often a rival's attack ended it in a game.
    """
    keys = ["players", "objective"]
    blocks = (
        objectives.group_by([*keys, "deal"])
        .agg(
            *[total.cast(pl.Int64).sum().alias(name) for name, (total, _, _) in MEASURES.items()],
            all=pl.len().cast(pl.Int64),
        )
        .with_columns(pl.col("objective").cast(pl.String), hidden=pl.col("all") - pl.col("shown"))
        .collect(engine="streaming")
        .sort([*keys, "deal"])
    )
    rows = [
        dict(zip(keys, key, strict=True)) | {"measure": name} | asdict(estimator(part, name, over, "all", level))
        for key, part in blocks.group_by(keys, maintain_order=True)
        for name, (_, over, estimator) in MEASURES.items()
    ]
    return pl.DataFrame(rows, schema=HOLDING_COLUMNS)


def scored(holdings: pl.DataFrame) -> pl.DataFrame:
    """The rows ``held_at_end`` of :func:`holdings` with a ``verdict``.

    ``dead`` where the whole interval lies under ``DEAD``, ``alive`` where it lies above, otherwise ``not enough
    games``.
    """
    verdict = (
        pl.when(pl.col("high") < DEAD)
        .then(pl.lit("dead"))
        .when(pl.col("low") >= DEAD)
        .then(pl.lit("alive"))
        .otherwise(pl.lit("not enough games"))
    )
    return holdings.filter(pl.col("measure") == "held_at_end").drop("measure").with_columns(verdict=verdict)


LIFTED = {"win_share": "wins", "points": "points"}
"""What a lift is measured in, and its column in :func:`blinksim.analysis.lift.outcomes`."""


def lift(objectives: pl.LazyFrame, outcomes: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """What it is worth to be dealt each objective rather than another.

    The hands of a deal that were dealt it against those that were not, deal by deal: objectives are dealt at random,
    so this is what the objective does, whoever plays. It holds where seats have just the objectives that they were
    dealt (``RANDOM_MODES``).

    Args:
        objectives: The table ``objectives``.
        outcomes: From :func:`blinksim.analysis.lift.outcomes`.
        level: Level of each interval.

    Returns:
        ``players``, ``objective``, ``result`` (a key of ``LIFTED``), the columns of an estimate, and ``p``.
    """
    position = (pl.col("slot") + pl.col("hand_shift")) % pl.col("players")
    dealt = (
        objectives.select("players", "deal", position.alias("position"), "objective")
        .unique()
        .with_columns(pl.col("objective").cast(pl.String))
        .collect(engine="streaming")
    )
    names = dealt["objective"].unique().sort().to_list()
    order = pl.Enum(names)
    parts = [pl.DataFrame(schema=RESULT_COLUMNS)]
    for (players,), rows in outcomes.group_by(["players"], maintain_order=True):
        whole = rows.filter(pl.len().over("deal") == players)
        if whole.is_empty():
            continue
        size = int(str(players))
        deals = whole["deal"].unique(maintain_order=True)
        had = (
            dealt.filter(pl.col("players") == players)
            .join(deals.to_frame().with_row_index("row"), on="deal")
            .select("row", "position", item=pl.col("objective").cast(order).to_physical())
        )
        matrix = np.zeros((len(deals), size, len(names)), np.int8)
        matrix[had["row"].to_numpy(), had["position"].to_numpy(), had["item"].to_numpy()] = 1
        games = whole["games"].to_numpy().reshape(-1, size)[:, 0]
        for result, column in LIFTED.items():
            sums = dealt_sums(matrix, whole[column].to_numpy().reshape(-1, size), games)
            found = slopes(names, *sums, games, level, "objective")
            named = found.with_columns(players=pl.lit(size, pl.Int8), result=pl.lit(result))
            parts.append(named.select(list(RESULT_COLUMNS)))
    return pl.concat(parts).sort("players", "result", "objective")

"""Minutes: how long a game would take at a table, from how many decisions of each kind it has.

Nobody has timed these games. The model is simple and stated, so that a designer can put in their own seconds: each
decision takes so long, decisions that all players take at once count once for all of them, and every round and every
game has some handling of its own. It knows no thinking over other players' turns and no talk, and players who know the
game are meant. So compare its minutes between player counts and rulesets rather than trust them one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import polars as pl

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, estimate_groups, quantile, ratio

PREFIX = "decisions_"


@dataclass(frozen=True)
class TimeModel:
    """How long things take at a table.

    Attributes:
        seconds: By kind of decision.
        other: Seconds of a kind that is not among them.
        at_once: Kinds that all players decide at the same time.
        per_round: Seconds of handling in a round: comparing melds, dues, drawing up.
        per_game: Seconds of setting up and of scoring.
    """

    seconds: Mapping[str, float] = field(
        default_factory=lambda: {
            "objective_keep": 20, "draft_pass": 25, "objective_show": 10, "meld": 20, "declare_a": 5, "set_aside": 5,
            "act": 6, "defend": 6, "retreat": 4, "research_retire": 4, "row_overflow": 5, "research_take": 8,
            "research_to": 3, "trade_bury": 6, "b_place": 5, "b_unit": 3,
        }
    )  # fmt: skip
    other: float = 5
    at_once: tuple[str, ...] = ("objective_keep", "draft_pass", "objective_show")
    per_round: float = 20
    per_game: float = 480


MODEL = TimeModel()
"""Estimates for players who know the game; not measured at tables."""


def _kinds(games: pl.LazyFrame) -> list[str]:
    return [name.removeprefix(PREFIX) for name in games.collect_schema().names() if name.startswith(PREFIX)]


def _seconds(kind: str, model: TimeModel) -> pl.Expr:
    """Seconds that a game's decisions of a kind take at the table."""
    each = pl.col(PREFIX + kind).cast(pl.Float64) * float(model.seconds.get(kind, model.other))
    return each / pl.col("players") if kind in model.at_once else each


def _decided(games: pl.LazyFrame) -> pl.LazyFrame:
    return games.filter(pl.col("winners") > 0)


def game_minutes(games: pl.LazyFrame, model: TimeModel = MODEL, level: float = LEVEL) -> pl.DataFrame:
    """How long decided games would take.

    Args:
        games: The table ``games``.
        model: How long things take.
        level: Confidence level.

    Returns:
        ``players``, an estimate of the mean in minutes, ``median``, ``p05`` and ``p95`` in whole minutes.
    """
    decisions = pl.sum_horizontal([_seconds(kind, model) for kind in _kinds(games)])
    seconds = decisions + model.per_game + model.per_round * pl.col("rounds")
    blocks = (
        _decided(games)
        .select("players", "deal", minutes=seconds / 60)
        .group_by("players", "deal", value=pl.col("minutes").round().cast(pl.Int64))
        .agg(total=pl.col("minutes").sum(), games=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "deal", "value")
    )
    per_deal = blocks.group_by("players", "deal", maintain_order=True).agg(pl.col("total", "games").sum())
    means = estimate_groups(per_deal, ["players"], partial(ratio, count="games", level=level))
    rows = []
    for (players,), part in blocks.group_by(["players"], maintain_order=True):
        pooled = part.group_by("value").agg(pl.col("games").sum(), deal=pl.lit(0))
        rows.append((players, *(quantile(pooled, p).value for p in (0.5, 0.05, 0.95))))
    types = {"players": means.schema["players"]} | dict.fromkeys(("median", "p05", "p95"), pl.Float64)
    spread = pl.DataFrame(rows, schema=types, orient="row")
    return means.join(spread, on="players", how="left", maintain_order="left")


def decision_kinds(games: pl.LazyFrame, model: TimeModel = MODEL, level: float = LEVEL) -> pl.DataFrame:
    """How many decisions of each kind a decided game has, and what they take.

    Returns:
        ``players``, ``kind``, ``seconds`` (of one decision), ``at_once`` (whether all players take it together), an
        estimate of the mean number in a game, ``minutes`` (of a game, on average). Kinds that never occur are left out.
    """
    kinds = _kinds(games)
    blocks = (
        _decided(games)
        .group_by("players", "deal")
        .agg(*[pl.col(PREFIX + kind).cast(pl.Int64).sum().alias(kind) for kind in kinds], games=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
        .sort("players", "deal")
    )
    order = pl.Enum(kinds)
    found = [
        estimate_groups(blocks, ["players"], partial(ratio, total=kind, count="games", level=level)).with_columns(
            kind=pl.lit(kind, order),
            seconds=pl.lit(float(model.seconds.get(kind, model.other))),
            at_once=pl.lit(kind in model.at_once),
        )
        for kind in kinds
    ]
    everybody = pl.when("at_once").then(pl.col("players").cast(pl.Float64)).otherwise(1.0)
    return (
        pl.concat(found)
        .filter(pl.col("value") > 0)
        .sort("players", "kind")
        .with_columns(pl.col("kind").cast(pl.String), minutes=pl.col("value") * pl.col("seconds") / everybody / 60)
        .select("players", "kind", "seconds", "at_once", *ESTIMATE_COLUMNS, "minutes")
    )

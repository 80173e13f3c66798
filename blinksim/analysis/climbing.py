"""Climbing: how long seats stay on a tier, how often they fall back and why, and melds against the tier's limit.

All games, stalled ones too. A round counts for the tier on which the seat stood when it laid its meld; a step back is a
round at whose end it stands lower than that. Units come home only when a duel beats them and they have nowhere to
retreat to (rules 3.6), so every step back is the work of attackers. A block is a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from blinksim.analysis.estimates import LEVEL, estimate_groups, ratio, share

KEYS = ["players", "tier"]
OUT_OF_REACH = 127
"""More cards than any hand has."""
DEFENCES = ("nothing", "a wall", "a card")
"""What stood in the way of an attack that beat a unit."""


def _yes(what: pl.Expr) -> pl.Expr:
    """A yes or no as a number; numbers made beforehand are summed several times faster than filtered columns."""
    return what.cast(pl.Int32)


def _limit(meld_limits: Sequence[int]) -> pl.Expr:
    """The limit of the tier on which a meld is laid; out of reach where none is known."""
    known = pl.lit(OUT_OF_REACH, pl.Int8)
    for tier, limit in enumerate(meld_limits):
        known = pl.when(pl.col("lay_tier") == tier).then(pl.lit(limit, pl.Int8)).otherwise(known)
    return known


def turns(rounds: pl.LazyFrame, meld_limits: Sequence[int] = ()) -> pl.DataFrame:
    """What the other functions start from: sums by player count, tier and deal.

    Args:
        rounds: The table ``rounds``.
        meld_limits: Most cards of a meld by tier; without, nothing is counted against them.

    Returns:
        ``players``, ``tier``, ``deal``, ``turns`` (rounds begun there), ``seats`` (that began the game there),
        ``steps_back``, ``units_lost`` and ``units_gained`` in these rounds, ``one_unit`` (of them, those that lost one
        unit), ``cards`` laid, ``at_limit`` (melds as large as the limit), ``could`` (turns with enough cards in hand).
    """
    back = pl.col("tier") < pl.col("lay_tier")
    limit = _limit(meld_limits)
    lost, gained = pl.col("units_lost"), pl.col("units_gained")
    return (
        rounds.select(
            "players", "deal",
            tier=pl.col("lay_tier"),
            turns=pl.lit(1, pl.Int32),
            seats=_yes(pl.col("round") == 1),
            steps_back=_yes(back),
            units_lost=_yes(back) * lost,
            units_gained=_yes(back) * gained,
            one_unit=_yes(back & (lost == 1)),
            cards=pl.col("meld_cards").cast(pl.Int32),
            at_limit=_yes(pl.col("meld_cards") >= limit),
            could=_yes(pl.col("lay_hand") >= limit),
        )
        .group_by("players", "tier", "deal")
        .agg(pl.all().cast(pl.Int64).sum())
        .collect(engine="streaming")
        .sort("players", "tier", "deal")
    )  # fmt: skip


def _of(part: pl.DataFrame, total: str, count: str) -> pl.DataFrame:
    return part.select(*KEYS, "deal", total=pl.col(total), count=pl.col(count), games=pl.col("turns"))


def time_in_tier(found: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Rounds that a seat spends on each tier in a game.

    Args:
        found: From :func:`turns`.
        level: Confidence level.

    Returns:
        ``players``, ``tier``, an estimate of the mean per seat (seats that never got there count with none;
        ``n_games`` counts seats), ``of_game``: its share of all rounds.
    """
    seats = found.group_by("players", "deal").agg(pl.col("seats").sum())
    tiers = found.select(KEYS).unique()
    every = tiers.join(seats, on="players").join(found.drop("seats"), on=[*KEYS, "deal"], how="left")
    blocks = every.select(*KEYS, "deal", total=pl.col("turns").fill_null(0), count="seats", games="seats")
    frame = estimate_groups(blocks.sort(*KEYS, "deal"), KEYS, partial(ratio, level=level))
    return frame.with_columns(of_game=pl.col("value") / pl.col("value").sum().over("players"))


def steps_back(found: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """How often a round throws a seat back from each tier above the first, and by how many units.

    Args:
        found: From :func:`turns`.
        level: Confidence level.

    Returns:
        ``players``, ``tier``, an estimate of the share of the rounds begun there (``n_games`` counts rounds),
        ``per_seat`` (steps back from there of a seat in a game), and of the rounds that threw a seat back:
        ``units_lost`` and ``units_gained`` (means), ``one_unit`` (the share in which a single unit came home).
    """
    upper = found.filter(pl.col("tier") > 0)
    frame = estimate_groups(_of(upper, "steps_back", "turns"), KEYS, partial(share, level=level))
    seats = found.group_by("players").agg(all_seats=pl.col("seats").sum())
    sums = upper.group_by(KEYS).agg(pl.col("steps_back", "units_lost", "units_gained", "one_unit").sum())
    per_step = pl.col("units_lost", "units_gained", "one_unit") / pl.col("steps_back")
    extra = sums.join(seats, on="players").select(*KEYS, per_step, per_seat=pl.col("steps_back") / pl.col("all_seats"))
    return frame.join(extra, on=KEYS, how="left", maintain_order="left")


def melds(found: pl.DataFrame, meld_limits: Sequence[int], level: float = LEVEL) -> pl.DataFrame:
    """Cards laid against the limit of the tier.

    Args:
        found: From :func:`turns`, with the same limits.
        meld_limits: Most cards of a meld by tier.
        level: Confidence level.

    Returns:
        ``players``, ``tier``, ``limit``, an estimate of the cards of a meld (``n_games`` counts melds); ``at_limit``
        with ``at_limit_low`` and ``at_limit_high``, the share of melds as large as the limit, of those turns that began
        with enough cards; ``could``, the share of turns that did.
    """
    frame = estimate_groups(_of(found, "cards", "turns"), KEYS, partial(ratio, level=level))
    full = estimate_groups(_of(found, "at_limit", "could"), KEYS, partial(share, level=level))
    sums = found.group_by(KEYS).agg(could=pl.col("could").sum() / pl.col("turns").sum())
    limits = pl.DataFrame({"tier": range(len(meld_limits)), "limit": list(meld_limits)}).cast(
        {"tier": found.schema["tier"], "limit": pl.Int64}
    )
    names = {"value": "at_limit", "low": "at_limit_low", "high": "at_limit_high"}
    return (
        frame.join(limits, on="tier", how="left", maintain_order="left")
        .join(full.select(*KEYS, *names).rename(names), on=KEYS, how="left", maintain_order="left")
        .join(sums, on=KEYS, how="left", maintain_order="left")
    )


def sent_home(duels: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """What had stood before the units that came home: the causes of steps back.

    Args:
        duels: The table ``duels``.
        level: Confidence level.

    Returns:
        ``players``, ``defence`` (one of ``DEFENCES``: what the attack had to beat), an estimate of its share of all
        units that came home (``n_games`` counts these units), and ``captured``: the share in which the tile went too.
    """
    home = (
        duels.filter(pl.col("unit_fate") == "home")
        .select(
            "players", "deal",
            card=_yes(pl.col("answer_rank") > 0),
            wall=_yes((pl.col("answer_rank") == 0) & (pl.col("wall") > 0)),
            captured=_yes(pl.col("captured")),
            captured_card=_yes(pl.col("captured") & (pl.col("answer_rank") > 0)),
            captured_wall=_yes(pl.col("captured") & (pl.col("answer_rank") == 0) & (pl.col("wall") > 0)),
            count=pl.lit(1, pl.Int32),
        )
        .group_by("players", "deal")
        .agg(pl.all().cast(pl.Int64).sum())
        .collect(engine="streaming")
        .sort("players", "deal")
    )  # fmt: skip
    by_defence = {
        "nothing": (pl.col("count") - pl.col("card") - pl.col("wall"),
                    pl.col("captured") - pl.col("captured_card") - pl.col("captured_wall")),
        "a wall": (pl.col("wall"), pl.col("captured_wall")),
        "a card": (pl.col("card"), pl.col("captured_card")),
    }  # fmt: skip
    kind = pl.Enum(DEFENCES)
    blocks = pl.concat(
        [
            home.select("players", "deal", "count", total=total, captured=taken, games=pl.col("count"),
                        defence=pl.lit(name, kind))
            for name, (total, taken) in by_defence.items()
        ]
    )  # fmt: skip
    keys = ["players", "defence"]
    frame = estimate_groups(blocks, keys, partial(share, level=level))
    taken = blocks.group_by(keys).agg(captured=pl.col("captured").sum() / pl.col("total").sum())
    return frame.join(taken, on=keys, how="left", maintain_order="left").with_columns(pl.col("defence").cast(pl.String))

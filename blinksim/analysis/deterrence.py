"""Do walls deter? What one run can tell, and what it cannot.

How often a tile would have been attacked without its coin cannot be seen in games that have coins: players fortify what
they fear for, so walls and attacks go together (:func:`within_deals` shows it, as a description). The same deals with
``fortify.enabled = false`` answer it, by comparing two rulesets.

What one run does tell is whether attackers turn away from walls that they cannot break (:func:`turned_away`). Attacks
on players of one tier in one round are split by whether the attacker held, when laying, a card that breaks the wall of
that tier. On the average both sides face the same walls, as far as what the attacker holds (mostly dealt and drafted)
has nothing to do with how many of a defender's tiles carry coins. Those who hold such a card say how often attacks fall
on walls where walls do not stop them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, Estimate, estimate_groups, ratio, share
from blinksim.analysis.seats import seat_number
from blinksim.analysis.stale import needed_ranks
from blinksim.analysis.walls import Parameters

STRATUM = ["defender_tier", "round"]
MILLION = 10**6


def turned_away(duels: pl.LazyFrame, rounds: pl.LazyFrame, parameters: Parameters) -> pl.DataFrame:
    """The share of attacks that fall on tiles with a coin: by attackers without a breaking card, and expected of them.

    Expected is the share among attackers with a breaking card, weighted by tier and round as the attacks of those
    without one (direct standardisation); tiers and rounds in which only one side attacked are left out.

    Args:
        duels: The table ``duels``, or part of it.
        rounds: The same part of the table ``rounds``.
        parameters: The ruleset.

    Returns:
        ``players``, ``measure`` (``expected``, ``observed``, ``turned away``: expected less observed, over expected),
        the columns of an estimate; ``n_games`` counts the attacks by attackers without a breaking card.
    """
    keys = ["players", *STRATUM, "deal"]
    seat = ["players", "game", "seat", "round"]
    hands = rounds.select(*seat[:3], (pl.col("round") + 1).cast(rounds.collect_schema()["round"]), "best_rank")
    needed = pl.col("defender_tier").replace_strict(dict(enumerate(needed_ranks(parameters))), return_dtype=pl.Int64)
    coined = pl.col("coins") > 0
    blocks = (
        duels.select(*seat, "deal", "defender_tier", "coins")
        .join(hands, on=seat)
        .with_columns(able=pl.col("best_rank") >= needed)
        .group_by(keys)
        .agg(
            able=pl.col("able").sum().cast(pl.Int64),
            able_coined=(pl.col("able") & coined).sum().cast(pl.Int64),
            unable=(~pl.col("able")).sum().cast(pl.Int64),
            unable_coined=(~pl.col("able") & coined).sum().cast(pl.Int64),
        )
        .collect(engine="streaming")
        .sort(keys)
    )
    rows = []
    for (players,), part in blocks.group_by(["players"], maintain_order=True):
        for name, estimate in _standardised(part).items():
            rows.append([players, name, *(getattr(estimate, column) for column in ESTIMATE_COLUMNS)])
    schema: dict[str, Any] = {"players": blocks.schema["players"], "measure": pl.String}
    return pl.DataFrame(rows, schema | ESTIMATE_COLUMNS, orient="row")


def _standardised(part: pl.DataFrame) -> dict[str, Estimate]:
    """Expected and observed share, and what is missing, with variances linearised over deals."""
    sums = {name: pl.col(name).sum().over(STRATUM) for name in ("able", "able_coined", "unable")}
    kept = part.with_columns(**{f"all_{name}": total for name, total in sums.items()})
    kept = kept.filter((pl.col("all_able") > 0) & (pl.col("all_unable") > 0))
    rate = pl.col("all_able_coined") / pl.col("all_able")
    # Each deal's part in the expected number: its own attacks at the going rate, and its pull on that rate.
    pull = pl.col("all_unable") / pl.col("all_able") * (pl.col("able_coined") - rate * pl.col("able"))
    deals = (
        kept.with_columns(expected=rate * pl.col("unable") + pull)
        .group_by("deal")
        .agg(pl.col("expected", "unable", "unable_coined").sum())
        .sort("deal")
    )
    expected, seen, attacks = (
        deals[name].to_numpy().astype(np.float64) for name in ("expected", "unable_coined", "unable")
    )
    number = int(attacks.sum())
    usual = _quotient(expected, attacks, number)
    observed = share(deals, "unable_coined", "unable", "unable")
    missing = _quotient(expected - seen, expected, number)
    if usual.value > 0 and not seen.any():  # no spread to be seen: as far as the interval of nothing allows
        low = 1 - observed.high / usual.low if usual.low > 0 else 0.0
        missing = replace(missing, low=max(low, 0.0), high=1.0)
    return {"expected": usual, "observed": observed, "turned away": missing}


def _quotient(y: np.ndarray, x: np.ndarray, number: int) -> Estimate:
    """Sum over sum with a t interval; a block may count below nothing here, so that none is left out."""
    method = f"{100 * LEVEL:.4g} % t interval, variance between blocks, standardised by tier and round"
    n = len(x)
    if n == 0 or x.sum() <= 0:
        return Estimate(np.nan, np.nan, np.nan, n, number, method)
    value = float(y.sum() / x.sum())
    if n < 2:
        return Estimate(value, np.nan, np.nan, n, number, method)
    error = np.sqrt(n / (n - 1) * ((y - value * x) ** 2).sum()) / x.sum()
    half = float(stats.t.ppf(0.5 + LEVEL / 2, n - 1) * error)
    return Estimate(value, value - half, value + half, n, number, method)


def within_deals(seats: pl.LazyFrame, duels: pl.LazyFrame, games: pl.LazyFrame) -> pl.DataFrame:
    """How attacks received go with coins bought, between games of one deal and one player at the table.

    The games of a deal in which a line-up's slot holds one strategy differ in seats and hands only; the slope is that
    of attacks received a round on coins bought a round, each less its mean over those games. A description, not an
    effect: whoever is attacked more has more reason to buy.

    Returns:
        ``players`` and the columns of an estimate of the slope: attacks received for each coin bought.
    """
    group = ["players", "deal", "line_up", "slot"]
    received = duels.select(row=seat_number("defender")).group_by("row").agg(attacks=pl.len())
    per_round = pl.col("num_fortify") / pl.col("rounds"), pl.col("attacks").fill_null(0) / pl.col("rounds")
    x, y = ((rate * MILLION).round().cast(pl.Int64) for rate in per_round)  # sums are then the same in any order
    squares, sums = (pl.col("x") ** 2).sum(), pl.col("x").sum().cast(pl.Float64)
    blocks = (
        seats.select(*group, "game", "num_fortify", row=seat_number())
        .join(received, on="row", how="left")
        .join(games.select("players", "game", "rounds"), on=["players", "game"])
        .with_columns(x=x, y=y)
        .group_by(group)
        .agg(
            total=((pl.col("x") * pl.col("y")).sum() - sums * pl.col("y").sum() / pl.len()) / MILLION**2,
            count=(squares - sums**2 / pl.len()) / MILLION**2,
            games=pl.len().cast(pl.Int64),
        )
        .collect(engine="streaming")
        .sort(group)
        .group_by("players", "deal", maintain_order=True)
        .agg(pl.col("total", "count", "games").sum())
        .filter(pl.col("count") > 1e-9)
    )
    return estimate_groups(blocks, ["players"], ratio)

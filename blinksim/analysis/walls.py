"""Walls and fights: what an attack of a rank does to a tile, where walls break, what coins buy, first strikes.

Attacks are those of all games, stalled ones among them. A *wall* is a tile's fortification coin; a card that answers
above the wall fights in its place (rules 3.7). What an attack meets is told two ways: by what lies on the tile when it
is declared (``coin``, ``no coin``), which the attacker sees, and by what fought (``wall``, ``card``, ``bare``), which
the defender chose. Attackers choose whom they attack and defenders what they answer with, so shares of success are of
attacks as they were made. ``n_games`` counts what ``value`` is a share of, where not said otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis.cells import long_ratios, long_shares, share_cells, tally
from blinksim.analysis.estimates import ESTIMATE_COLUMNS

Parameters = Mapping[str, Any]
"""A ruleset's content by section, as a run's manifest has it."""

FOUGHT = ("bare", "wall", "card")
GROUND = ("no coin", "coin")
AGAINST = pl.Enum([*GROUND, *FOUGHT])
BEATEN = pl.col("result") == "beaten"
"""Whether an attack beat a unit."""
ONE = pl.lit(1)
ROUNDS_OF_STRIKES = 5
"""Up to which round strikes on homelands are counted."""


def breaking_ranks(parameters: Parameters) -> pl.DataFrame:
    """The lowest rank that breaks a lone wall on paper, and that takes bare ground (rules 3.7, 7.6).

    Returns:
        ``defender_tier``, ``terrain``, ``wall`` (its value), ``paper`` and ``paper_bare``: the ranks, null where no
        card of the deck is high enough.
    """
    duel, cards, tiers = parameters["duel"], parameters["cards"], parameters["tiers"]
    level_holds = {"defender": True, "attacker": False}.get(duel["level_total"], duel["wall_is_native"])
    bare_holds = duel["level_total"] == "defender"
    rows = []
    for tier, wall in enumerate(tiers["wall"]):
        for terrain, entry in parameters["terrain"].items():
            bare = entry["defence"] if duel["terrain_counts_when_declined"] else 0
            needed = (wall + entry["defence"] + level_holds, bare + bare_holds)
            rows.append([tier, terrain, wall, *(_card(rank, cards) for rank in needed)])
    schema = {"defender_tier": pl.Int64, "terrain": pl.String, "wall": pl.Int64}
    return pl.DataFrame(rows, schema | {"paper": pl.Int64, "paper_bare": pl.Int64}, orient="row")


def _card(rank: int, cards: Parameters) -> int | None:
    return max(rank, cards["rank_min"]) if rank <= cards["rank_max"] else None


def attack_blocks(duels: pl.LazyFrame) -> pl.DataFrame:
    """Attacks by what they met: ``players``, ``defender_tier``, ``terrain``, ``attack_rank``, ``ground`` and ``fought``
    (places in ``GROUND`` and ``FOUGHT``), ``deal``, ``total`` (units beaten) and ``count`` (attacks)."""
    fought = pl.when(pl.col("answer_rank") > pl.col("wall")).then(2).when(pl.col("wall") > 0).then(1).otherwise(0)
    keys = ["players", "defender_tier", "terrain", "attack_rank", "ground", "fought", "deal"]
    named = duels.with_columns(ground=(pl.col("coins") > 0).cast(pl.Int8), fought=fought.cast(pl.Int8))
    return tally(named, keys, total=BEATEN, count=ONE).collect(engine="streaming")


def pooled(blocks: pl.DataFrame, by: tuple[str, ...]) -> pl.DataFrame:
    """The rows of :func:`attack_blocks` by fewer columns: what :func:`success` by no more than these needs."""
    return blocks.group_by("players", *by, "ground", "fought", "deal").agg(pl.col("total", "count").sum())


def success(blocks: pl.DataFrame, by: tuple[str, ...] = ("defender_tier", "terrain", "attack_rank")) -> pl.DataFrame:
    """The share of attacks that beat a unit.

    Args:
        blocks: From :func:`attack_blocks` or :func:`pooled`.
        by: Columns to split by, of ``defender_tier``, ``terrain``, ``attack_rank``.

    Returns:
        ``players``, the columns ``by``, ``against`` (of ``AGAINST``: what lay there, then what fought), the columns of
        an estimate; ``n_games`` counts attacks.
    """
    keys = ["players", *by, "against"]
    parts = []
    for column, names in (("ground", GROUND), ("fought", FOUGHT)):
        renamed = blocks.lazy().rename({column: "against"})
        summed = renamed.group_by([*keys, "deal"]).agg(pl.col("total", "count").sum())
        against = pl.col("against").replace_strict(dict(enumerate(names)), return_dtype=AGAINST)
        parts.append(share_cells(summed, keys, games="count").with_columns(against))
    found = pl.concat(parts)
    if "terrain" in by:
        found = found.with_columns(pl.col("terrain").cast(pl.String))
    return (
        found.with_columns(pl.col(by).exclude("terrain").cast(pl.Int64))
        .sort(keys)
        .with_columns(pl.col("against").cast(pl.String))
    )


def breakpoints(ranks: pl.DataFrame, kinds: pl.DataFrame, paper: pl.DataFrame) -> pl.DataFrame:
    """The rank from which attacks on a tile with a coin succeed at least half the time, as they were played.

    The observed shares by rank, and the two ends of their intervals, are put in ascending order first: a higher rank
    cannot do worse, and that rearrangement of an estimated curve and its band is never farther from a rising truth
    (Chernozhukov, Fernandez-Val and Galichon 2009). The interval of the rank holds those at which the band includes one
    half.

    Args:
        ranks: From :func:`success`, by tier, terrain and rank.
        kinds: The same by tier and terrain.
        paper: From :func:`breaking_ranks`.

    Returns:
        ``players``, ``defender_tier``, ``terrain``, ``paper``, the columns of an estimate of the rank (``n_games``
        counts attacks on tiles with a coin), ``lowest`` (the lowest rank tried) and ``seen``: ``crossing``, ``lowest
        tried`` where even that rank succeeds, ``never`` where none does.
    """
    keys = ["players", "defender_tier", "terrain"]
    rows = []
    method = "first rank at which the rearranged curve is at one half, interval from its 95 % band"
    on_coins = ranks.filter(pl.col("against") == "coin").sort([*keys, "attack_rank"])
    for key, part in on_coins.group_by(keys, maintain_order=True):
        at = part["attack_rank"].to_list()
        value, late, early = (_first_half(at, part[name].to_numpy()) for name in ("value", "low", "high"))
        seen = "never" if np.isnan(value) else "lowest tried" if value == at[0] else "crossing"
        rows.append([*key, value, early, late, at[0], seen])
    schema = {name: ranks.schema[name] for name in keys} | dict.fromkeys(("value", "low", "high"), pl.Float64)
    found = pl.DataFrame(rows, schema | {"lowest": pl.Int64, "seen": pl.String}, orient="row")
    basis = kinds.filter(pl.col("against") == "coin").select(*keys, "n_blocks", "n_games")
    return (
        found.join(basis, on=keys, how="left", maintain_order="left")
        .join(paper, on=["defender_tier", "terrain"], how="left", maintain_order="left")
        .with_columns(method=pl.lit(method))
        .select(*keys, "paper", *ESTIMATE_COLUMNS, "lowest", "seen")
    )


def _first_half(ranks: list[int], shares: np.ndarray) -> float:
    at = int(np.searchsorted(np.sort(shares), 0.5 - 1e-12))
    return float(ranks[at]) if at < len(ranks) else np.nan


FATES = {"beaten": "beaten", "sent home": "home", "captured": "captured"}
"""Measures of :func:`fights` that are shares of attacks, and their columns."""


def fights(duels: pl.LazyFrame, rounds: pl.LazyFrame) -> pl.DataFrame:
    """How often units are attacked, and what comes of it, by the tier of their owner.

    Returns:
        ``players``, ``defender_tier``, ``measure`` (``attacks a round``: on a seat in a round that it began in this
        tier; ``of all attacks``; then the keys of ``FATES``, shares of the attacks), the columns of an estimate;
        ``n_games`` counts seats' rounds for the first, else attacks.
    """
    keys = ["players", "defender_tier", "deal"]
    home = BEATEN & (pl.col("unit_fate") == "home")
    attacks = tally(duels, keys, attacks=ONE, beaten=BEATEN, home=home, captured=pl.col("captured"))
    exposed = tally(rounds, ["players", pl.col("lay_tier").alias("defender_tier"), "deal"], seat_rounds=ONE)
    blocks = (
        exposed.join(attacks, on=keys, how="full", coalesce=True)
        .collect(engine="streaming")
        .with_columns(pl.col("seat_rounds", "attacks", *FATES.values()).fill_null(0))
        .with_columns(every=pl.col("attacks").sum().over("players", "deal"), defender_tier=_int("defender_tier"))
        .sort(keys)
    )
    by = keys[:2]
    rate = long_ratios(blocks, by, {"attacks a round": ("attacks", "seat_rounds")}, "seat_rounds")
    part = long_shares(blocks, by, {"of all attacks": ("attacks", "every")}, "every")
    fates = long_shares(blocks, by, {name: (column, "attacks") for name, column in FATES.items()}, "attacks")
    return pl.concat([rate, part, fates]).sort(by, maintain_order=True)


def _int(column: str) -> pl.Expr:
    return pl.col(column).cast(pl.Int64)


def coins(seats: pl.LazyFrame, spends: pl.LazyFrame, duels: pl.LazyFrame) -> pl.DataFrame:
    """What walls cost and what they do, for a seat in a game.

    A wall saves a unit where it fought, held, and the attack would have taken bare ground; had it not been there, a
    card might have answered, so that this is the most that walls can have saved in fights.

    Returns:
        ``players``, ``measure`` (``bought``, ``free``: coins by effect B, ``attacked``: attacks on tiles with a coin,
        ``beaten``, ``held by card``, ``held by wall``, ``saved``; means per seat and game; then ``saved a coin``, the
        share of coins laid that saved a unit), the columns of an estimate; ``n_games`` counts games.
    """
    keys = ["players", "deal"]
    laid = tally(seats, keys, bought=pl.col("num_fortify"), seats=ONE, games=pl.col("seat") == 0)
    free = tally(spends.filter(pl.col("effect") == "B"), keys, free=pl.col("units"))
    by_card = pl.col("answer_rank") > pl.col("wall")
    # The margin of bare ground: without the wall; a level total there falls to the attacker.
    takes_bare = pl.col("margin") + pl.col("wall") >= 0
    by_wall = ~BEATEN & ~by_card
    on_coins = tally(
        duels.filter(pl.col("coins") > 0), keys, attacked=ONE, beaten=BEATEN, by_card=~BEATEN & by_card,
        by_wall=by_wall, saved=by_wall & takes_bare,
    )  # fmt: skip
    blocks = (
        laid.join(free, on=keys, how="left")
        .join(on_coins, on=keys, how="left")
        .collect(engine="streaming")
        .fill_null(0)
        .with_columns(laid=pl.col("bought") + pl.col("free"))
        .sort(keys)
    )
    names = {name: name for name in ("bought", "free", "attacked", "beaten")}
    names |= {"held by card": "by_card", "held by wall": "by_wall", "saved": "saved"}
    means = long_ratios(blocks, ["players"], {name: (column, "seats") for name, column in names.items()})
    saved = long_shares(blocks, ["players"], {"saved a coin": ("saved", "laid")})
    return pl.concat([means, saved]).sort("players", maintain_order=True)


def homeland_strikes(games: pl.LazyFrame, duels: pl.LazyFrame) -> pl.DataFrame:
    """How often a player's homeland is attacked early (rules R12: in the first round), while the player holds it.

    Returns:
        ``players``, ``round`` (by whose end; from 1 to ``ROUNDS_OF_STRIKES``), ``measure`` (``any attack`` on any tile,
        ``homeland attacked``, ``homeland taken``), ``games`` (in how many it happened), the columns of an estimate of
        their share of all games.
    """
    early = duels.filter(pl.col("round") <= ROUNDS_OF_STRIKES)
    home = pl.col("homeland") == pl.col("defender")
    events = {"any attack": pl.lit(True), "homeland attacked": home, "homeland taken": home & pl.col("captured")}
    never = ROUNDS_OF_STRIKES + 1
    first = (
        early.select(
            "players", "deal", "game", *[pl.when(event).then("round").otherwise(never).alias(name)
                                         for name, event in events.items()],
        )
        .group_by("players", "deal", "game")
        .agg(pl.all().min())
    )  # fmt: skip
    rounds = range(1, ROUNDS_OF_STRIKES + 1)
    by_then = {f"{name} {last}": pl.col(name) <= last for name in events for last in rounds}
    struck = tally(first, ["players", "deal"], **by_then)
    blocks = (
        games.group_by("players", "deal")
        .agg(count=pl.len().cast(pl.Int64))
        .join(struck, on=["players", "deal"], how="left")
        .collect(engine="streaming")
        .fill_null(0)
        .sort("players", "deal")
    )
    found = []
    for last in rounds:
        for name in events:
            column = f"{name} {last}"
            shares = share_cells(blocks, ["players"], column, games="count")
            sums = blocks.group_by("players").agg(games=pl.col(column).sum())
            named = shares.join(sums, on="players", how="left", maintain_order="left")
            found.append(named.with_columns(round=pl.lit(last, pl.Int64), measure=pl.lit(name)))
    columns = ["players", "round", "measure", "games", *ESTIMATE_COLUMNS]
    return pl.concat(found).sort("players", "round", maintain_order=True).select(columns)

"""Tricks and dues: what wins a trick, how often the short meld does, and whom the dues help.

Where a seat stands before a trick is its score at the end of the round before, so dues are looked at from round 2 on.
All games, stalled ones too; ``n_games`` counts seats' rounds, or tricks where it says so.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from blinksim.analysis.abreast import of_players, rivals, round_before
from blinksim.analysis.cells import long_ratios, long_shares, ratio_cells, share_cells, tally
from blinksim.analysis.walls import Parameters

STANDINGS = pl.Enum(["behind", "level", "ahead"])


def places(rounds: pl.LazyFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Cards and total against place.

    Returns:
        Two frames with the columns of an estimate. By ``players``, ``place`` and ``measure`` (``total``, ``cards``):
        the mean of the melds that took the place. By ``players``, ``meld_cards`` and ``place``: the share of melds of
        so many cards that took the place.
    """
    keys = ["players", "place", "meld_cards", "deal"]
    blocks = (
        tally(rounds, keys, total=pl.col("meld_total"), melds=pl.lit(1))
        .with_columns(pl.col("place", "meld_cards").cast(pl.Int64))
        .with_columns(cards=pl.col("meld_cards") * pl.col("melds"))
        .collect(engine="streaming")
        .sort(keys)
    )
    by_place = blocks.group_by("players", "place", "deal", maintain_order=True).agg(
        pl.col("total", "cards", "melds").sum()
    )
    means = long_ratios(
        by_place, ["players", "place"], {"total": ("total", "melds"), "cards": ("cards", "melds")}, "melds"
    )
    # Every place of every number of cards, so that a place never taken counts as such.
    taken = blocks.select("players", "place").unique()
    size = blocks.group_by("players", "meld_cards", "deal").agg(
        count=pl.col("melds").sum(),
        **{str(place): pl.col("melds").filter(pl.col("place") == place).sum() for place in taken["place"].unique()},
    )
    parts = [
        share_cells(size.filter(pl.col("players").is_in(part["players"].implode())), ["players", "meld_cards"],
                    str(place), "count", "count").with_columns(place=pl.lit(place, pl.Int64))
        for (place,), part in taken.group_by(["place"])
    ]  # fmt: skip
    order = ["players", "meld_cards", "place"]
    return means, pl.concat(parts).select(*order, pl.exclude(order)).sort(order)


SHORT = {
    "uneven": ("uneven", "tricks"),
    "shorter melds": ("shorter_melds", "uneven_melds"),
    "shorter wins": ("short", "uneven"),
    "two or more short wins": ("short_by_two", "uneven"),
    "shortest wins": ("shortest", "uneven"),
    "helped by A": ("helped", "short"),
}
"""Measures of :func:`short_melds`: what happened, and what it is a share of."""


def short_melds(rounds: pl.LazyFrame, players: Sequence[int]) -> pl.DataFrame:
    """How often a meld wins that is not the longest.

    Args:
        rounds: The table ``rounds``, in the order in which it was written.
        players: Player counts.

    Returns:
        ``players``, ``measure`` (``uneven``: tricks in which not all melds have the same number of cards, of all; of
        the melds of those ``shorter melds`` than the longest; of those tricks ``shorter wins``: won by a meld shorter
        than the longest, ``two or more short wins``: by two cards or more, ``shortest wins``: by one shorter than each
        other; ``helped by A``: of the wins of shorter melds, those with a victory card on A), the columns of an
        estimate; ``n_games`` counts tricks, or melds.
    """
    found = []
    for n in players:
        others, own = rivals(n, "meld_cards"), pl.col("meld_cards")
        longest, fewest = pl.max_horizontal(others), pl.min_horizontal(others)
        won, uneven = pl.col("place") == 1, (pl.col("longest") != own) | (pl.col("fewest") != own)
        short = won & (pl.col("longest") > own)
        blocks = (
            tally(
                of_players(rounds, n).with_columns(longest=longest, fewest=fewest), ["players", "deal"],
                tricks=won, uneven=won & uneven, uneven_melds=uneven, shorter_melds=pl.col("longest") > own,
                short=short, short_by_two=short & (pl.col("longest") >= own + 2),
                shortest=won & (pl.col("fewest") > own), helped=short & (pl.col("a_rank") > 0),
            )
            .collect(engine="streaming")
            .sort("players", "deal")
        )  # fmt: skip
        parts = [long_shares(blocks, ["players"], {name: pair}, pair[1]) for name, pair in SHORT.items()]
        found.append(pl.concat(parts))
    return pl.concat(found)


SOURCES = ("last place", "set aside")


def dues(rounds: pl.LazyFrame, players: Sequence[int], parameters: Parameters) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Whom last place and cards set aside pay: by place in score before the trick, and behind or ahead of the mean.

    Args:
        rounds: The table ``rounds``, in the order in which it was written.
        players: Player counts.
        parameters: The ruleset.

    Returns:
        Two frames with the columns of an estimate. By ``players``, ``standing`` (1 leads; equals share the better
        place) and ``measure``: coins a round by ``last place`` and by ``set aside`` and ``dues`` together, cards lost
        to setting aside a round (``cards set aside``). By ``players``, ``source`` (``last place``, ``set aside``, and
        ``seats``: every seat, to compare with) and ``position`` (``behind`` the mean score of the table, ``level``,
        ``ahead``): the share of the coins, or of seats.
    """
    by_standing, by_position = [], []
    for n in players:
        blocks = _dues_blocks(of_players(rounds, n), n, parameters)
        keys = ["players", "standing", "deal"]
        names = {"last place": "last", "set aside": "aside", "dues": "dues", "cards set aside": "cards"}
        summed = blocks.group_by(keys).agg(pl.col(*names.values(), "seats").sum()).sort(keys)
        measures = {name: (column, "seats") for name, column in names.items()}
        by_standing.append(long_ratios(summed, keys[:2], measures, "seats"))
        by_position.append(_positions(blocks))
    return pl.concat(by_standing), pl.concat(by_position)


def _dues_blocks(rounds: pl.LazyFrame, players: int, parameters: Parameters) -> pl.DataFrame:
    trick = parameters["trick"]
    others = rivals(players, "before")
    standing = 1 + pl.sum_horizontal([(other > pl.col("before")).cast(pl.Int8) for other in others])
    against_mean = (pl.col("before") * (players - 1) - pl.sum_horizontal(others)).sign()
    keys = ["players", "standing", "position", "deal"]
    stood = (
        rounds.with_columns(before=round_before(players, "score").cast(pl.Int32))
        .with_columns(standing=standing, position=against_mean.cast(pl.Int8))
        .filter(pl.col("round") > 1)
    )
    return (
        tally(
            stood,
            keys,
            last=pl.col("place") == players,
            cards=pl.col("set_aside"),
            dues=pl.col("dues_gold"),
            seats=pl.lit(1),
        )
        .with_columns(
            pl.col("standing").cast(pl.Int64),
            pl.col("position").replace_strict({-1: "behind", 0: "level", 1: "ahead"}, return_dtype=STANDINGS),
            last=pl.col("last") * trick["last_place_gold"],
            aside=pl.col("cards") * trick["set_aside_gold"],
        )
        .collect(engine="streaming")
        .sort(keys)
    )


def _positions(blocks: pl.DataFrame) -> pl.DataFrame:
    keys = ["players", "position", "deal"]
    summed = blocks.group_by(keys).agg(pl.col("last", "aside", "seats").sum())
    deals = summed.select("players", "deal").unique()
    every = deals.join(pl.DataFrame({"position": STANDINGS.categories}, {"position": STANDINGS}), how="cross")
    full = every.join(summed, on=keys, how="left").fill_null(0).sort(keys)
    parts = []
    for source, column in {"last place": "last", "set aside": "aside", "seats": "seats"}.items():
        counted = full.with_columns(all=pl.col(column).sum().over("players", "deal"))
        parts.append(share_cells(counted, keys[:2], column, "all", "all").with_columns(source=pl.lit(source)))
    found = pl.concat(parts).sort("players", "source", "position", maintain_order=True)
    return found.with_columns(pl.col("position").cast(pl.String)).select(
        "players", "source", "position", pl.exclude("players", "source", "position")
    )


def mean_gap(rounds: pl.LazyFrame, players: Sequence[int]) -> pl.DataFrame:
    """How far from the others' mean score a seat stands that is about to get a coin from the dues.

    Returns:
        ``players``, ``source`` (``dues`` or ``none``), the columns of an estimate in points (below nothing: behind);
        ``n_games`` counts seats' rounds.
    """
    found, keys = [], ["players", "source", "deal"]
    for n in players:
        others = rivals(n, "before")
        gap = pl.col("before") * (n - 1) - pl.sum_horizontal(others)
        stood = (
            of_players(rounds, n)
            .with_columns(before=round_before(n, "score").cast(pl.Int32))
            .with_columns(gap=gap, source=pl.col("dues_gold") > 0)
            .filter(pl.col("round") > 1)
        )
        sums = tally(stood, keys, total=pl.col("gap"), count=pl.lit(n - 1), seats=pl.lit(1))
        blocks = sums.collect(engine="streaming").sort(keys)
        found.append(ratio_cells(blocks, ["players", "source"], games="seats"))
    named = pl.when(pl.col("source")).then(pl.lit("dues")).otherwise(pl.lit("none"))
    return pl.concat(found).with_columns(source=named).sort("players", "source")

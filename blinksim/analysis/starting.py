"""Starting: what it is worth to lead the first round, to sit where one sits on the map, and for whom that holds.

All from the table ``games``, which says in bits who won. Shares are of decided games, a shared victory split; a block
is a deal. Each row has ``p``: how often one would see as much where nothing but chance were at work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import polars as pl
from scipy import stats

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, estimate_groups, share, simultaneous_level
from blinksim.analysis.fairness import TWELFTHS

MAX_SEATS = 4
PARTS = 12
"""A shared victory comes in halves, thirds or quarters; counted in twelfths their sums are exact in any order."""


def _wins(games: pl.LazyFrame, seat_of: Callable[[int], pl.Expr], by: Sequence[str] = ()) -> pl.DataFrame:
    """Wins by some place at the table: ``players``, the columns ``by``, ``place``, ``deal``, ``total``, ``count``.

    Args:
        games: The table ``games``.
        seat_of: The seat that has a place, 0 to the number of players less one.
        by: Further columns to split by.
    """
    winners = pl.col("winners").cast(pl.Int64)
    keys = ["players", *by, "deal"]
    part = PARTS // winners.bitwise_count_ones().cast(pl.Int64)
    places = [((winners // 2 ** seat_of(place) % 2) * part).alias(str(place)) for place in range(MAX_SEATS)]
    found = (
        games.filter(winners > 0)
        .select(*keys, *places, count=pl.lit(1, pl.Int64))
        .group_by(keys)
        .agg(pl.all().sum())
        .collect(engine="streaming")
    )
    return (
        found.unpivot(index=[*keys, "count"], variable_name="place", value_name="total")
        .with_columns(pl.col("place").cast(pl.Int64), pl.col("total") / PARTS)
        .filter(pl.col("place") < pl.col("players"))
        .sort("players", *by, "place", "deal")
    )


def _shares(blocks: pl.DataFrame, keys: Sequence[str], level: float) -> pl.DataFrame:
    """Shares of the rows of a table, their intervals holding together, with ``fair`` and ``p``."""
    outer = list(keys[:-1])
    found = []
    for _, table in blocks.group_by(outer, maintain_order=True):
        together = simultaneous_level(table[keys[-1]].n_unique(), level)
        frame = estimate_groups(table, keys, partial(share, games="count", level=together))
        tests = [against(part, 1 / part["players"][0]) for _, part in table.group_by(list(keys), maintain_order=True)]
        found.append(frame.with_columns(p=pl.Series(tests, dtype=pl.Float64)))
    empty = estimate_groups(blocks.clear(), keys, share).with_columns(p=pl.lit(None, pl.Float64))
    return pl.concat([empty, *found]).with_columns(fair=1 / pl.col("players").cast(pl.Float64))


def against(blocks: pl.DataFrame, target: float) -> float:
    """How often a ratio would be as far from a target, on either side, if it were the target: a t test over blocks.

    Args:
        blocks: One row per block with ``total`` and ``count``.
        target: What the sum of one over the sum of the other would be.

    Returns:
        The probability; nan where there are fewer than two blocks, or where they do not vary.
    """
    apart = (blocks["total"] - target * blocks["count"]).to_numpy()
    if len(apart) < 2 or np.ptp(apart) == 0:
        return float("nan")
    return float(stats.ttest_1samp(apart, 0).pvalue)


def first_leader(games: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """How often who leads the first round wins, and those who sit behind, clockwise.

    Returns:
        ``players``, ``place`` (0 leads the first round, 1 sits next, …), an estimate, ``p``, ``fair``.
    """
    start = pl.col("start_seat").cast(pl.Int64)
    return _shares(_wins(games, lambda place: (start + place) % pl.col("players")), ["players", "place"], level)


def mirror_seats(games: pl.LazyFrame, line_ups: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """How often each seat wins where one strategy has all seats: does a seat help good players, or only bad ones?

    Args:
        games: The table ``games``.
        line_ups: From :func:`blinksim.analysis.fairness.line_ups`.
        level: Confidence level.

    Returns:
        ``players``, ``strategy``, ``seat``, an estimate, ``p``, ``fair``; no row where no strategy meets itself alone.
    """
    mirrors = line_ups.filter("mirror").select("players", "line_up", "strategy").unique(maintain_order=True)
    types = {name: games.collect_schema()[name] for name in ("players", "line_up")}
    named = games.join(mirrors.cast(types).lazy(), on=["players", "line_up"])  # type: ignore[arg-type]
    return _shares(_wins(named, pl.lit, ["strategy"]).rename({"place": "seat"}), ["players", "strategy", "seat"], level)


def seat_classes(games: pl.LazyFrame, classes: Mapping[int, Sequence[str]], level: float = LEVEL) -> pl.DataFrame:
    """How often a seat of each class wins, such as the inner and the outer ones of a map.

    Args:
        games: The table ``games``.
        classes: By player count, the class of each seat; counts whose seats are all alike are left out.
        level: Confidence level.

    Returns:
        ``players``, ``seats`` (the class), an estimate of the share of games that one seat of it wins, ``p``, ``fair``.
    """
    rows = [(n, seat, name) for n, names in classes.items() for seat, name in enumerate(names) if len(set(names)) > 1]
    named = pl.DataFrame(rows, schema={"players": pl.Int8, "place": pl.Int64, "seats": pl.String}, orient="row")
    wins = _wins(games, pl.lit).join(named, on=["players", "place"])
    blocks = (
        wins.group_by("players", "seats", "deal").agg(pl.col("total", "count").sum()).sort("players", "seats", "deal")
    )
    return _shares(blocks, ["players", "seats"], level)


def announcers(seats: pl.LazyFrame, games: pl.LazyFrame, level: float = LEVEL) -> pl.DataFrame:
    """Who empties the reserve, by strategy, where strategies meet; where several do at once, each counts for its part.

    Args:
        seats: The table ``seats``.
        games: The table ``games``.
        level: Confidence level.

    Returns:
        ``players``, ``strategy``, an estimate of the share of decided games whose last round a seat of it announces
        (``n_games`` counts seats), ``fair``, ``wins``: of those games, the share that this seat wins.
    """
    bits = pl.col("armed_seats").cast(pl.Int64)
    kept = games.filter(pl.col("winners") > 0).select("players", "game", bits)
    # Whole twelfths, so that sums are the same in any order.
    armed = bits // 2 ** pl.col("seat").cast(pl.Int64) % 2 * TWELFTHS // bits.bitwise_count_ones().cast(pl.Int64)
    won = armed * (pl.col("win_share").cast(pl.Float64) * TWELFTHS).round().cast(pl.Int64)
    found = (
        seats.select("players", "line_up", "deal", "game", "seat", "strategy", "win_share")
        .join(kept, on=["players", "game"])
        .select("players", "line_up", "strategy", "deal", count=pl.lit(1, pl.Int64), total=armed, won=won)
        .group_by("players", "line_up", "strategy", "deal")
        .agg(pl.all().sum())
        .collect(engine="streaming")
        .with_columns(pl.col("strategy").cast(pl.String))
    )
    mixed = found.filter(pl.col("strategy").n_unique().over("players", "line_up") > 1)
    keys = ["players", "strategy"]
    blocks = mixed.group_by(*keys, "deal").agg(pl.col("total", "count", "won").sum()).sort(*keys, "deal")
    parts = blocks.with_columns(pl.col("total") / TWELFTHS)
    shares = estimate_groups(parts, keys, partial(share, games="count", level=level))
    wins = blocks.group_by(keys).agg(wins=pl.col("won").sum() / pl.col("total").sum() / TWELFTHS)
    return (
        shares.join(wins, on=keys, how="left", maintain_order="left")
        .with_columns(fair=1 / pl.col("players").cast(pl.Float64))
        .select(*keys, *ESTIMATE_COLUMNS, "fair", "wins")
    )

"""The metrics that two rulesets are compared in: each a ratio of two sums over the games of a deal.

Sums add up over games, shards and machines, so a million games are one row a deal here. A metric that is not a ratio
itself, the spread of the seats, is made from ratios (:mod:`blinksim.analysis.paired`).

A frame of *sums* has one row per ``players``, ``variant`` and ``deal``, with ``games`` and, for each metric,
the columns ``NAME|y`` (the sum) and ``NAME|x`` (what it is divided by).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from blinksim.analysis.fairness import TWELFTHS
from blinksim.errors import UserError

KEYS = ("players", "variant", "deal")
Scan = Callable[[str], pl.LazyFrame]

SHARE = "share"
SEAT_SPREAD = "seat_spread"
"""Name of the metric that is made from the seats' win shares."""


class UnknownMetricError(UserError):
    """A metric was named that is not measured."""


@dataclass(frozen=True)
class Metric:
    """What is compared.

    Attributes:
        name: As the command line has it.
        title: For a reader, with what it is per.
        unit: ``share`` (shown in per cent) or a noun.
        margin: A difference up to this is practically none.
        why: What the margin is, or how the metric is counted, where the title does not say it.
    """

    name: str
    title: str
    unit: str
    margin: float
    why: str = ""


def metrics_of(tier_names: Sequence[str], strategies: Sequence[str], players: int) -> list[Metric]:
    """All metrics of a comparison, in the order in which they are shown.

    Args:
        tier_names: From the first.
        strategies: Names that meet in mixed line-ups; each has its own win share.
        players: Player count.
    """
    seats = [
        Metric(f"seat_{seat}", f"win share of seat {seat}", SHARE, 0.03, "decided games, shared wins split")
        for seat in range(players)
    ]
    tiers = [
        metric
        for i, name in enumerate(tier_names)
        if i > 0
        for metric in (
            Metric(f"reached_{name.lower()}", f"seats that reach {name}", SHARE, 0.03),
            Metric(
                f"below_{name.lower()}", f"rounds that a seat spends below {name}", "rounds", 0.25,
                "to the game's end where it never gets there",
            ),
        )
    ]  # fmt: skip
    return [
        Metric(SEAT_SPREAD, "win share of the best seat less that of the worst", SHARE, 0.03, "of decided games"),
        *seats,
        Metric("first_leader", "win share of the first leader", SHARE, 0.03),
        Metric("rounds", "rounds of a decided game", "rounds", 0.25),
        Metric("decisions", "decisions a game", "decisions", 5.0),
        Metric("stalls", "games that stall", SHARE, 0.005),
        *tiers,
        Metric("attack_rate", "attacks per seat and round", "attacks", 0.02),
        Metric("duel_success", "attacks that beat a unit", SHARE, 0.03),
        Metric("wall_holds", "attacks on walled units that the tile withstands", SHARE, 0.03),
        Metric("walled", "attacks that meet a wall", SHARE, 0.03),
        *[
            metric
            for name in tier_names
            for metric in (
                Metric(f"duel_success_{name.lower()}", f"attacks on a {name} that beat a unit", SHARE, 0.03),
                Metric(f"wall_holds_{name.lower()}", f"attacks on walled units of a {name} withstood", SHARE, 0.03),
            )
        ],
        Metric("objective_rate", "objectives dealt that score at the end", SHARE, 0.03),
        Metric("points", "points of a seat", "points", 0.5),
        Metric("row_points", "points of a seat for the victory row", "points", 0.25),
        Metric("row_share", "part of all points that comes from victory rows", SHARE, 0.02),
        Metric("winner_points", "points of a winner", "points", 0.5),
        Metric("margin", "points between the first and the second", "points", 0.5),
        Metric("gold_income", "gold that a seat takes in", "gold", 1.0),
        Metric("gold_unspent", "gold that a seat ends with", "gold", 0.5),
        Metric("research", "cards that a seat researches or fails to", "times", 0.25),
        Metric("lead_changes", "lead changes a game", "changes", 0.1),
        *[Metric(f"wins_{name}", f"win share of a {name} seat in mixed line-ups", SHARE, 0.03) for name in strategies],
    ]


def find(known: Sequence[Metric], name: str) -> Metric:
    """A metric by its name.

    Raises:
        UnknownMetricError: there is none of that name.
    """
    for metric in known:
        if metric.name == name:
            return metric
    names = [metric.name for metric in known]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else "."
    raise UnknownMetricError(f'there is no metric "{name}"{hint} Metrics are: {", ".join(names)}')


def sums(scan: Scan, tier_names: Sequence[str], strategies: Sequence[str]) -> pl.DataFrame:
    """The sums of every metric, one row per player count, variant and deal.

    Args:
        scan: By table name, its rows; the tables of whole deals.
        tier_names: From the first.
        strategies: Names that meet in mixed line-ups.

    Returns:
        A frame of sums, sorted by its keys.
    """

    games = scan("games")
    decided = pl.col("outcome") != "stalled"
    parts = [
        _summed(
            games,
            {
                "rounds": (_whole("rounds").filter(decided).sum(), decided.sum()),
                "decisions": (_whole("decisions").sum(), pl.len()),
                "stalls": ((~decided).sum(), pl.len()),
            },
            [pl.len().alias("games")],
        ),
        _seat_sums(scan("seats"), games, strategies),
        _round_sums(scan("rounds"), tier_names),
        _duel_sums(scan("duels"), tier_names),
        _summed(scan("objectives"), {"objective_rate": ((pl.col("arrangements") > 0).sum(), pl.len())}),
        _lead_sums(scan("rounds")),
    ]
    frames = pl.collect_all(parts, engine="streaming")
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.join(frame, on=KEYS, how="left")
    # Counted per seat and round, and per game: where a deal saw none, these are there all the same.
    per_row, per_game = pl.col("rows").alias("attack_rate|x"), pl.col("games").cast(pl.Float64).alias("lead_changes|x")
    whole = whole.with_columns(per_row, per_game).drop("rows")
    return whole.with_columns(pl.exclude(KEYS).fill_null(0)).sort(KEYS)


def _whole(column: str) -> pl.Expr:
    """A narrow column wide enough for sums."""
    return pl.col(column).cast(pl.Int64)


def _summed(
    table: pl.LazyFrame, ratios: Mapping[str, tuple[pl.Expr, pl.Expr]], further: Sequence[pl.Expr] = ()
) -> pl.LazyFrame:
    """Sum and divisor of each ratio, by the keys."""
    columns = [
        e.cast(pl.Float64).alias(f"{name}|{part}")
        for name, pair in ratios.items()
        for e, part in zip(pair, "yx", strict=True)
    ]
    return table.group_by(KEYS).agg(*columns, *further)


def _seat_sums(seats: pl.LazyFrame, games: pl.LazyFrame, strategies: Sequence[str]) -> pl.LazyFrame:
    """What stands in the table ``seats``: wins in twelfths, points, gold."""
    game = ["players", "game"]
    decided = pl.col("win_share").is_not_null()
    twelfths = (pl.col("win_share").cast(pl.Float64) * TWELFTHS).round() / TWELFTHS
    won = decided & (pl.col("win_share") > 0)
    income = pl.sum_horizontal(
        *[_whole(f"gold_{source}") for source in ("cashed", "last_place", "set_aside", "capture", "income", "effect_c")]
    )
    first = games.select(*game, "start_seat")
    name = pl.col("strategy").cast(pl.String)
    top = pl.col("points").sort(descending=True)
    rows = seats.join(first, on=game).with_columns(name=name, mixed=name.n_unique().over(game) > 1)
    gaps = seats.filter(decided).group_by([*KEYS, "game"]).agg(gap=(top.first() - top.get(1)).cast(pl.Int64))
    ratios: dict[str, tuple[pl.Expr, pl.Expr]] = {
        f"seat_{seat}": (twelfths.filter(pl.col("seat") == seat).sum(), (decided & (pl.col("seat") == seat)).sum())
        for seat in range(4)
    }
    leads = pl.col("seat") == pl.col("start_seat")
    ratios |= {
        "first_leader": (twelfths.filter(leads).sum(), (decided & leads).sum()),
        "points": (_whole("points").filter(decided).sum(), decided.sum()),
        "row_points": (_whole("points_row").filter(decided).sum(), decided.sum()),
        "row_share": (_whole("points_row").filter(decided).sum(), _whole("points").filter(decided).sum()),
        "winner_points": (_whole("points").filter(won).sum(), won.sum()),
        "gold_income": (income.sum(), pl.len()),
        "gold_unspent": (_whole("gold").sum(), pl.len()),
        "research": (_whole("num_research").sum(), pl.len()),
    }
    for strategy in strategies:
        plays = (pl.col("name") == strategy) & pl.col("mixed")
        ratios[f"wins_{strategy}"] = (twelfths.filter(plays).sum(), (decided & plays).sum())
    margins = _summed(gaps, {"margin": (pl.col("gap").sum(), pl.len())})
    return _summed(rows, ratios).join(margins, on=KEYS, how="left")


def _round_sums(rounds: pl.LazyFrame, tier_names: Sequence[str]) -> pl.LazyFrame:
    """Tiers reached and the rounds before that, and how many rows there are for rates per seat and round."""
    first = [
        pl.col("round").filter(pl.col("tier") >= tier).min().cast(pl.Int64).alias(f"first{tier}")
        for tier in range(1, len(tier_names))
    ]
    per_seat = rounds.group_by([*KEYS, "game", "seat"]).agg(*first, rows=pl.len().cast(pl.Int64))
    ratios = {}
    for tier, name in enumerate(tier_names):
        if tier:
            there = pl.col(f"first{tier}")
            ratios[f"reached_{name.lower()}"] = (there.is_not_null().sum(), pl.len())
            ratios[f"below_{name.lower()}"] = ((there - 1).fill_null(pl.col("rows")).sum(), pl.len())
    return _summed(per_seat, ratios, [pl.col("rows").sum().cast(pl.Float64)])


def _lead_sums(rounds: pl.LazyFrame) -> pl.LazyFrame:
    """How often one seat alone takes the lead from another that had it alone."""
    score = _whole("score")
    leaders = (
        rounds.group_by([*KEYS, "game", "round"])
        .agg(seat=pl.col("seat").sort_by(score).last(), at_top=(score == score.max()).sum())
        .filter(pl.col("at_top") == 1)
    )
    per_game = leaders.group_by([*KEYS, "game"]).agg(changes=(pl.col("seat").sort_by("round").diff() != 0).sum())
    return _summed(per_game, {"lead_changes": (pl.col("changes").sum(), pl.len())})


def _duel_sums(duels: pl.LazyFrame, tier_names: Sequence[str]) -> pl.LazyFrame:
    walled = pl.col("wall") > 0
    beaten = pl.col("result") == "beaten"
    ratios = {
        "attack_rate": (pl.len(), pl.len()),
        "duel_success": (beaten.sum(), pl.len()),
        "wall_holds": ((walled & ~beaten).sum(), walled.sum()),
        "walled": (walled.sum(), pl.len()),
    }
    for tier, name in enumerate(tier_names):
        mine = pl.col("defender_tier") == tier
        ratios[f"duel_success_{name.lower()}"] = ((beaten & mine).sum(), mine.sum())
        ratios[f"wall_holds_{name.lower()}"] = ((walled & ~beaten & mine).sum(), (walled & mine).sum())
    return _summed(duels, ratios)

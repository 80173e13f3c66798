"""The victory row: what it scores, what becomes of the cards that enter it, what spending them costs and brings.

A row scores so many points a card, and the rank of its centre card once it has enough cards: the h-th highest, with h
= (slots + 1) / 2 (Blink, section 3.13). Only that card and the one above it matter for what one card more would add:
the centre then is the higher of the old centre and the lower of the new card and the card above the centre.

Scores are those of decided games; what cards are spent on is told of all games, stalled ones too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from blinksim.analysis.cells import tally
from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, Estimate, ratio, share
from blinksim.analysis.fairness import TWELFTHS
from blinksim.analysis.scores import with_result
from blinksim.analysis.seats import seat_number

PARTS = 2520
"""Divided by a row's size, of up to ten cards, points are whole numbers of such parts: sums are exact in any order."""
EFFECTS = ("A", "B", "C")
FATES = ("kept", *EFFECTS, "overflow")
"""What becomes of a card that enters a row: it is there at the end, is spent on an effect, or leaves a full row."""


@dataclass(frozen=True)
class RowRules:
    """What of a ruleset says how a row scores.

    Attributes:
        slots: Cards that a row holds.
        points_per_card: Points for each.
        centre: The how-manieth highest card is the centre; 0 where it does not score.
        centre_from: With how many cards it scores.
        bands: Names of the bands, from 0.
        ranks: By band, its lowest and highest rank.
    """

    slots: int
    points_per_card: int
    centre: int
    centre_from: int
    bands: tuple[str, ...]
    ranks: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> RowRules:
        """From a ruleset's content, as plain data by section."""
        victory = parameters["victory"]
        half = (victory["slots"] + 1) // 2
        return cls(
            victory["slots"],
            victory["points_per_card"],
            half if victory["centre_scores"] else 0,
            max(victory["centre_min_cards"], half),
            tuple(band["name"] for band in victory["bands"]),
            tuple((band["ranks"][0], band["ranks"][1]) for band in victory["bands"]),
        )

    def band_name(self) -> pl.Expr:
        """The name of the band in the column ``band``, as ``band_name``."""
        names = dict(enumerate(self.bands))
        return pl.col("band").replace_strict(names, return_dtype=pl.String).alias("band_name")

    def size(self) -> pl.Expr:
        """How many cards the row in ``row_1`` and so on has."""
        return pl.sum_horizontal([(pl.col(f"row_{i}") > 0).cast(pl.Int32) for i in range(1, self.slots + 1)])

    def highest(self, place: int, size: str = "size") -> pl.Expr:
        """The rank of the ``place``-th highest card of the row, 0 where it has fewer."""
        found: pl.Expr = pl.lit(0, pl.Int32)
        for n in range(max(place, 1), self.slots + 1):
            rank = pl.col(f"row_{n - place + 1}").cast(pl.Int32)
            found = pl.when(pl.col(size) == n).then(rank).otherwise(found)
        return found if place > 0 else pl.lit(0, pl.Int32)


def _ends(seats: pl.LazyFrame, rules: RowRules) -> pl.LazyFrame:
    """Seats of decided games with ``size``, ``above`` (the card above the centre), ``at`` (its place), ``below``."""
    return (
        seats.filter(pl.col("win_share").is_not_null())
        .with_columns(size=rules.size())
        .with_columns(
            above=rules.highest(rules.centre - 1), at=rules.highest(rules.centre), below=rules.highest(rules.centre + 1)
        )
        .with_columns(centred=(pl.col("size") >= rules.centre_from) & pl.lit(rules.centre > 0))
    )


def end_blocks(seats: pl.LazyFrame, rules: RowRules) -> pl.DataFrame:
    """Rows at the end of decided games by deal, who had them, and their size.

    Returns:
        ``players``, ``result`` (``winners``, ``others``), ``size``, ``deal``, ``seats`` and the sums ``cards``,
        ``row`` (points), ``points`` (all the seat's), ``centred`` (rows whose centre scores), ``centre`` (its rank),
        ``full``, ``wins`` (in twelfths), and ``last`` (in ``PARTS``): what one card of the row, any of them, adds to
        its score.
    """
    # Without one card picked at random the centre falls to the next below where that card is the centre or above it.
    kept = pl.col("size") - 1 >= rules.centre_from
    falls = pl.when(kept).then((pl.col("at") - pl.col("below")) * rules.centre / pl.col("size")).otherwise(pl.col("at"))
    last = pl.when(pl.col("size") > 0).then(rules.points_per_card + pl.when("centred").then(falls).otherwise(0.0))
    twelfths = (pl.col("win_share").cast(pl.Float64) * TWELFTHS).round().cast(pl.Int64)
    keys = ["players", "result", "size", "deal"]
    whole = {
        "cards": pl.col("size"),
        "row": pl.col("points_row"),
        "points": pl.col("points"),
        "centred": pl.col("centred"),
        "centre": pl.when("centred").then("at").otherwise(0),
        "full": pl.col("size") == rules.slots,
    }
    return (
        with_result(_ends(seats, rules))
        .group_by(keys)
        .agg(
            *[expression.cast(pl.Int64).sum().alias(name) for name, expression in whole.items()],
            seats=pl.len().cast(pl.Int64),
            wins=twelfths.sum(),
            last=(last * PARTS).round().cast(pl.Int64).sum(),
        )
        .collect(engine="streaming")
        .sort(keys)
    )


WHO = ("all", "winners", "others")
END_MEASURES = {
    "cards": ("cards", "seats", ratio),
    "score": ("row", "seats", ratio),
    "share_of_score": ("row", "points", ratio),
    "centre_scores": ("centred", "seats", share),
    "centre_rank": ("centre", "centred", ratio),
    "full": ("full", "seats", share),
}
"""By name: sum, what it is divided by, estimator."""
SIZE_MEASURES = {
    "share_of_seats": ("here", "of", share),
    "win_share": ("wins", "seats", share),
    "score": ("row", "seats", ratio),
    "centre_rank": ("centre", "centred", ratio),
    "last_card": ("last", "seats", ratio),
}


def _estimates(
    blocks: pl.DataFrame, keys: Sequence[str], measures: Mapping[str, Any], games: str, level: float
) -> pl.DataFrame:
    """Several measures of the same groups, one row each, with ``measure`` behind the keys; empty ones left out."""
    rows = []
    for key, part in blocks.sort(keys, maintain_order=True).group_by(keys, maintain_order=True):
        for name, (total, count, estimator) in measures.items():
            found: Estimate = estimator(part, total, count, games, level)
            if found.n_blocks:
                rows.append(dict(zip(keys, key, strict=True)) | {"measure": name} | asdict(found))
    schema = {name: blocks.schema[name] for name in keys} | {"measure": pl.String} | ESTIMATE_COLUMNS
    return pl.DataFrame(rows, schema=schema)


def rows_at_end(blocks: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Rows of all, of winners and of others.

    Args:
        blocks: From :func:`end_blocks`.
        level: Confidence level.

    Returns:
        ``players``, ``who`` (of ``WHO``), ``measure`` (a key of ``END_MEASURES``), the columns of an estimate;
        ``n_games`` counts seats.
    """
    keys = ["players", "who"]
    by_result = blocks.with_columns(who=pl.col("result").cast(pl.String))
    both = pl.concat([by_result.with_columns(who=pl.lit("all")), by_result]).with_columns(
        pl.col("who").cast(pl.Enum(WHO))
    )
    summed = both.group_by([*keys, "deal"]).agg(pl.exclude("result", "size").sum()).sort([*keys, "deal"])
    return _estimates(summed, keys, END_MEASURES, "seats", level).with_columns(pl.col("who").cast(pl.String))


def rows_by_size(blocks: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Rows by how many cards they have at the end.

    ``last_card`` is what one card of such a row adds to its score, each of its cards being as likely to be that one:
    the points for a card, and what the centre gains by it. The win share of a size is what goes with it, not what it
    does: who is ahead also has more cards.

    Args:
        blocks: From :func:`end_blocks`.
        level: Confidence level.

    Returns:
        ``players``, ``size``, ``measure`` (a key of ``SIZE_MEASURES``), the columns of an estimate; ``n_games`` counts
        seats.
    """
    keys = ["players", "size"]
    pooled = blocks.group_by([*keys, "deal"]).agg(pl.exclude("result").sum()).sort([*keys, "deal"])
    summed = pooled.with_columns(pl.col("wins") / TWELFTHS, pl.col("last") / PARTS)
    sizes = _estimates(summed, keys, {k: v for k, v in SIZE_MEASURES.items() if k != "share_of_seats"}, "seats", level)
    of = blocks.group_by("players", "deal").agg(of=pl.col("seats").sum())
    # Deals in which nobody had such a row count too, with none.
    every = of.join(summed.select("players", "size").unique(), on="players")
    here = every.join(summed.select(*keys, "deal", here="seats"), on=[*keys, "deal"], how="left")
    filled = here.with_columns(pl.col("here").fill_null(0)).sort([*keys, "deal"])
    shares = _estimates(filled, keys, {"share_of_seats": SIZE_MEASURES["share_of_seats"]}, "of", level)
    order = pl.Enum(list(SIZE_MEASURES))
    both = pl.concat([shares, sizes]).with_columns(pl.col("measure").cast(order)).sort([*keys, "measure"])
    shown = (pl.col("measure") != "last_card") | (pl.col("size") > 0)
    return both.with_columns(pl.col("measure").cast(pl.String)).filter(shown)


def fates(
    seats: pl.LazyFrame, improvements: pl.LazyFrame, spent: pl.DataFrame, rules: RowRules, level: float = LEVEL
) -> pl.DataFrame:
    """What becomes of the cards that enter a row, by band.

    Args:
        seats: The table ``seats``.
        improvements: The table ``improvements``.
        spent: From :func:`spend_blocks`.
        rules: How rows score; names the bands.
        level: Confidence level.

    Returns:
        ``players``, ``band`` (from 0), ``band_name``, ``fate`` (of ``FATES``), the columns of an estimate of the share
        of the band's cards that end so (``n_games`` counts those cards), and ``per_seat``: cards of a seat in a game.
    """
    keys = ["players", "deal", "band", "fate"]
    slots = [f"row_{i}" for i in range(1, rules.slots + 1)]
    entered = _by_band(improvements, rules, {"entered": ["retired_rank"], "overflow": ["overflow_rank"]})
    parts = [
        _by_band(seats, rules, {"kept": slots}).rename({"kept": "cards"}).with_columns(fate=pl.lit("kept")),
        entered.rename({"overflow": "cards"}).with_columns(fate=pl.lit("overflow")),
        spent.rename({"effect": "fate"}),
    ]
    found = pl.concat([part.select(*keys, "cards") for part in parts])
    order = pl.Enum(FATES)
    every = entered.filter(pl.col("entered") > 0).join(pl.DataFrame({"fate": FATES}), how="cross")
    blocks = (
        every.join(found, on=keys, how="left")
        .with_columns(pl.col("cards").fill_null(0), pl.col("fate").cast(order))
        .sort(["players", "band", "fate", "deal"])
    )
    group = ["players", "band", "fate"]
    played = seats.group_by("players").agg(seats=pl.len().cast(pl.Int64)).collect(engine="streaming")
    cards = blocks.group_by(group).agg(pl.col("cards").sum()).join(played, on="players")
    found = _estimates(blocks, group, {"fate": ("cards", "entered", share)}, "entered", level)
    named = found.join(cards, on=group, maintain_order="left").with_columns(
        rules.band_name(), pl.col("fate").cast(pl.String), per_seat=pl.col("cards") / pl.col("seats")
    )
    return named.select("players", "band", "band_name", "fate", *ESTIMATE_COLUMNS, "per_seat")


def _by_band(table: pl.LazyFrame, rules: RowRules, columns: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """How many cards there are in some columns of ranks, by deal and band.

    Args:
        table: Rows with ``players`` and ``deal``.
        rules: Says which ranks make a band.
        columns: By name of a count, the columns in which it counts.
    """
    sums = {
        f"{name} {band}": pl.sum_horizontal([pl.col(column).is_between(low, high).cast(pl.Int32) for column in found])
        for name, found in columns.items()
        for band, (low, high) in enumerate(rules.ranks)
    }
    summed = tally(table, ["players", "deal"], **sums).collect(engine="streaming")
    return pl.concat(
        [
            summed.select(
                "players", "deal", pl.lit(band, pl.Int8).alias("band"),
                *[pl.col(f"{name} {band}").alias(name) for name in columns],
            )
            for band in range(len(rules.ranks))
        ]
    )  # fmt: skip


SPENT_MEASURES = {
    "cost": ("cost", "priced", ratio),
    "places": ("places", "cards", ratio),
    "to_first": ("to_first", "cards", share),
    "tiles": ("tiles", "cards", ratio),
    "units": ("units", "cards", ratio),
    "coins": ("gold", "cards", ratio),
}
"""What a card spent costs and brings: points of the row, places in the trick, and so on."""
BROUGHT = {"A": ("places", "to_first"), "B": ("tiles", "units"), "C": ("coins",)}
"""Which of them belong to which effect; all have a cost."""


def spend_blocks(seats: pl.LazyFrame, spends: pl.LazyFrame, rules: RowRules) -> pl.DataFrame:
    """Cards spent by deal, effect and band: what they cost and brought, summed.

    The cost of a card is how much more the seat's row would have scored at the end with the card still in it (and its
    lowest card gone where it was full), all else being as it was: the row in which it lay when it was spent is not
    recorded, and points count at the end alone. Costs are those of decided games.

    Args:
        seats: The table ``seats``.
        spends: The table ``spends``.
        rules: How rows score.

    Returns:
        ``players``, ``effect``, ``band``, ``deal``, ``cards``, ``priced`` (those of decided games), and the sums
        ``cost``, ``places``, ``to_first`` (cards that made their player win the trick), ``tiles``, ``units``, ``gold``.
    """
    rows = _ends(seats, rules).select(seat_number().alias("row"), "size", "above", "at", "centred")
    rank = pl.col("card_rank").cast(pl.Int32)
    longer = pl.min_horizontal(pl.col("size") + 1, rules.slots)
    scores = (longer >= rules.centre_from) & pl.lit(rules.centre > 0)
    capped = pl.min_horizontal("above", rank) if rules.centre > 1 else rank
    new = pl.when(scores).then(pl.max_horizontal("at", capped)).otherwise(0)
    old = pl.when("centred").then("at").otherwise(0)
    cost = (longer - pl.col("size")) * rules.points_per_card + new - old
    keys = ["players", "effect", "band", "deal"]
    return (
        tally(
            spends.with_columns(row=seat_number()).join(rows, on="row", how="left"),
            keys,
            cards=pl.lit(1),
            priced=pl.col("size").is_not_null(),
            cost=cost,
            places=pl.col("place_before") - pl.col("place_after"),
            to_first=(pl.col("place_before") > 1) & (pl.col("place_after") == 1),
            **{name: pl.col(name) for name in ("tiles", "units", "gold")},
        )
        .collect(engine="streaming")
        .with_columns(pl.col("effect").cast(pl.String))
        .sort(keys)
    )


def spending(spent: pl.DataFrame, rules: RowRules, level: float = LEVEL) -> pl.DataFrame:
    """What a card spent costs in points and brings, by effect and band.

    Args:
        spent: From :func:`spend_blocks`.
        rules: How rows score; names the bands.
        level: Confidence level.

    Returns:
        ``players``, ``effect``, ``band``, ``band_name``, ``measure`` (``cost``, and those of ``BROUGHT``), the columns
        of an estimate per card; ``n_games`` counts cards.
    """
    keys = ["players", "effect", "band"]
    belongs = pl.col("measure") == "cost"
    for effect, names in BROUGHT.items():
        belongs = belongs | ((pl.col("effect") == effect) & pl.col("measure").is_in(names))
    found = _estimates(spent, keys, SPENT_MEASURES, "cards", level).filter(belongs)
    return found.with_columns(rules.band_name()).select(*keys, "band_name", "measure", *ESTIMATE_COLUMNS)

"""Cards: what it is worth to be dealt, to research and to play a rank or a suit, three ways of asking.

* *Dealt* (before any draft): hands are dealt at random, so the hands of a deal that got more of a rank than others show
  what the rank does. The hands come from the deal itself: the tables leave out cards that were passed on.
* *Researched*: chosen by the player. Compared are seats of the same strategy on the same deal that researched equally
  many cards in all; what is left is still an association, since who is doing well may take other cards.
* *Played*: the win rate of those who played the card, as a tally of results gives it. It mixes what the card does with
  who gets to play it: high cards are played by those who got far, and longer games play more cards.

All are of decided games and in points of win share per card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict

import numpy as np
import polars as pl

from blinksim.analysis.estimates import LEVEL, share
from blinksim.analysis.fairness import TWELFTHS
from blinksim.analysis.lift import LIFT_COLUMNS, dealt_sums, grouped_sums, slopes
from blinksim.analysis.seats import seat_number
from blinksim.games.cards import SUITS

WAYS = ("dealt", "researched", "played")
CHUNK_DEALS = 32_768
"""Deals whose hands are held at once."""
RANKS_A_WORD = 20
"""Ranks whose counts (0 to 4, three bits each) go into one 64-bit word."""

SCHEMA = {"players": pl.Int8, "way": pl.String, "kind": pl.String, "item": pl.String} | LIFT_COLUMNS

Hands = Callable[[int, int, int], np.ndarray]
"""(players, first deal, how many) -> (deals, players, cards) the cards dealt to each position, as numbers."""


def dealt_lift(outcomes: pl.DataFrame, hands: Hands, ranks: range, level: float = LEVEL) -> pl.DataFrame:
    """What one more card of a rank or suit in the hand dealt does to the win share, instead of another card.

    Args:
        outcomes: From :func:`blinksim.analysis.lift.outcomes`.
        hands: What was dealt.
        ranks: Ranks of the starting deck.
        level: Level of each interval.

    Returns:
        ``players``, ``way`` (``dealt``), ``kind`` (``rank`` or ``suit``), ``item`` (the rank or the suit's letter), the
        columns of an estimate (``n_games``: games of deals whose hands differ in it), and ``p``.
    """
    parts = [pl.DataFrame(schema=SCHEMA)]
    for (players,), rows in outcomes.group_by(["players"], maintain_order=True):
        size = int(str(players))
        whole = rows.filter(pl.len().over("deal") == size)
        deals = whole["deal"].unique(maintain_order=True).to_numpy()
        wins = whole["wins"].to_numpy().reshape(-1, size)
        games = whole["games"].to_numpy().reshape(-1, size)[:, 0]
        found = []
        for part in _runs(deals):
            first = int(deals[part.start])
            dealt = hands(size, first, int(deals[part.stop - 1]) - first + 1)[deals[part] - first]
            found.append(dealt_sums(_counts(dealt, ranks), wins[part], games[part]))
        if found:
            products, squares = (np.concatenate([sums[i] for sums in found]) for i in range(2))
            names = [*map(str, ranks), *SUITS]
            parts.append(_named(slopes(names, products, squares, games, level), size, "dealt"))
    return pl.concat(parts)


def _runs(deals: np.ndarray) -> Iterator[slice]:
    """Slices of ascending deals that span at most ``CHUNK_DEALS`` numbers each."""
    start = 0
    while start < len(deals):
        stop = int(np.searchsorted(deals, deals[start] + CHUNK_DEALS))
        yield slice(start, stop)
        start = stop


def _counts(cards: np.ndarray, ranks: range) -> np.ndarray:
    """How many cards of each rank, then of each suit, are in hands of (deals, players, cards); on the last axis."""
    of_rank = [(cards >> 2 == rank).sum(axis=2, dtype=np.int8) for rank in ranks]
    return np.stack(of_rank + [(cards & 3 == i).sum(axis=2, dtype=np.int8) for i in range(len(SUITS))], axis=2)


def came_by_lift(cards: pl.LazyFrame, seats: pl.LazyFrame, ranks: range, level: float = LEVEL) -> pl.DataFrame:
    """What goes with having researched or played one more card of a rank or suit.

    ``researched``: the slope of the win share on how many such cards a seat researched, among seats of one strategy on
    one deal that researched equally many cards in all. ``played``: the win share of whoever laid such a card in a meld,
    each card counting for itself, less an even share of the wins. Neither has a ``p``: that something goes together
    where players choose is no surprise, and a test would only say so.

    Args:
        cards: The table ``cards``.
        seats: The table ``seats``.
        ranks: Ranks of all cards.
        level: Level of each interval.

    Returns:
        As :func:`dealt_lift`, with ``way`` ``researched`` and ``played``.
    """
    decided = seats.filter(pl.col("win_share").is_not_null())
    counts = decided.group_by("players").agg(pl.len()).collect(engine="streaming")
    parts = [pl.DataFrame(schema=SCHEMA)]
    for players in counts["players"].sort():
        held = _seat_words(cards.filter(pl.col("players") == players), ranks)
        # In twelfths, so that sums are exact in whatever order the rows come.
        twelfths = (pl.col("win_share").cast(pl.Float64) * TWELFTHS).round().cast(pl.Int64)
        who = decided.filter(pl.col("players") == players).select(
            seat_number().alias("row"), "deal", "strategy", wins=twelfths
        )
        members = held.join(who.collect(engine="streaming"), on="row").drop("row")
        names = members["strategy"].cast(pl.String)
        members = members.with_columns(
            strategy=names.cast(pl.Enum(names.unique().sort())).to_physical(), researched=_suit_total("researched")
        ).sort(_number("deal", "strategy", "researched"))
        parts += [
            _named(_researched(members, ranks, players, level), players, "researched"),
            _named(_played(members, ranks, players, level), players, "played"),
        ]
    return pl.concat(parts)


def _number(*columns: str) -> pl.Expr:
    """One number whose digits are columns of numbers below 4,096 (but for the first): it sorts faster than they do."""
    found = pl.col(columns[0]).cast(pl.Int64)
    for name in columns[1:]:
        found = found * 4096 + pl.col(name)
    return found


def _seat_words(cards: pl.LazyFrame, ranks: range) -> pl.DataFrame:
    """How many cards of each rank and suit every seat played and researched, packed into words.

    Packed, because a million games have tens of millions of these rows: each adds its bits to a few sums.

    Returns:
        ``row`` (game and seat), and by way the words ``way_0``, ``way_1`` ... (three bits a rank) and ``way_suits`` (a
        byte a suit).
    """
    words = -(-len(ranks) // RANKS_A_WORD)
    bits = np.zeros((words, ranks.stop), np.int64)
    for i, rank in enumerate(ranks):
        bits[i // RANKS_A_WORD, rank] = 1 << 3 * (i % RANKS_A_WORD)
    ways = {"played": pl.col("played") > 0, "researched": pl.col("came") == "researched"}
    packed = {str(i): _looked_up(pl.col("card_rank"), bits[i]) for i in range(words)}
    suit = pl.col("card_suit").cast(pl.Enum(list(SUITS))).to_physical()
    packed["suits"] = _looked_up(suit, 256 ** np.arange(len(SUITS)))
    counted = {
        f"{way}_{name}": pl.when(way).then(name).otherwise(pl.lit(0, pl.Int64)) for way in ways for name in packed
    }
    return (
        cards.select(seat_number().alias("row"), **packed, **ways)
        .filter(pl.any_horizontal(list(ways)))
        .select("row", **counted)
        .group_by("row")
        .agg(pl.all().sum())
        .collect(engine="streaming")
    )


def _looked_up(column: pl.Expr, table: np.ndarray) -> pl.Expr:
    """The entry of a table for each number of a column."""
    return column.map_batches(
        lambda number: pl.Series(table[number.to_numpy()]), return_dtype=pl.Int64, is_elementwise=True
    )


def _suit_total(way: str) -> pl.Expr:
    """How many cards of all suits."""
    word = pl.col(f"{way}_suits")
    return pl.sum_horizontal([word // 256**i % 256 for i in range(len(SUITS))])


def _items(members: pl.DataFrame, ranks: range, way: str) -> Iterator[tuple[str, np.ndarray]]:
    """By rank and suit, how many such cards each member has."""
    for i, rank in enumerate(ranks):
        word = members[f"{way}_{i // RANKS_A_WORD}"].to_numpy()
        yield str(rank), (word >> 3 * (i % RANKS_A_WORD)) & 7
    for i, suit in enumerate(SUITS):
        yield suit, (members[f"{way}_suits"].to_numpy() >> 8 * i) & 255


def _starts(*columns: pl.Series) -> np.ndarray:
    """Where rows differ from the row before in any of the columns."""
    differ = np.zeros(len(columns[0]), bool)
    differ[:1] = True
    for column in columns:
        values = column.to_numpy()
        differ[1:] |= values[1:] != values[:-1]
    return np.flatnonzero(differ)


def _researched(members: pl.DataFrame, ranks: range, players: int, level: float) -> pl.DataFrame:
    deals = _starts(members["deal"])
    groups = _starts(members["deal"], members["strategy"], members["researched"])
    block = np.searchsorted(deals, groups, side="right") - 1
    games = np.diff(np.append(deals, len(members))) // players
    wins = members["wins"].to_numpy()
    names, sums = [], []
    for name, have in _items(members, ranks, "researched"):
        if have.any():
            names.append(name)
            sums.append(grouped_sums(groups, block, have, wins))
    products, squares = (np.stack([pair[i] for pair in sums], axis=1) if sums else np.zeros((0, 0)) for i in range(2))
    return slopes(names, products / TWELFTHS, squares, games, level).with_columns(p=pl.lit(None, pl.Float64))


def _played(members: pl.DataFrame, ranks: range, players: int, level: float) -> pl.DataFrame:
    deals = _starts(members["deal"])
    games = np.diff(np.append(deals, len(members))) // players
    wins = members["wins"].to_numpy()
    rows = []
    for name, have in _items(members, ranks, "played"):
        if have.any():
            total, count = np.add.reduceat(have * wins, deals) / TWELFTHS, np.add.reduceat(have, deals)
            blocks = pl.DataFrame({"total": total, "count": count, "games": games})
            found = asdict(share(blocks, level=level))
            even = {key: found[key] - 1 / players for key in ("value", "low", "high")}
            rows.append({"item": name} | found | even | {"p": None})
    return pl.DataFrame(rows, schema={"item": pl.String} | LIFT_COLUMNS)


def _named(found: pl.DataFrame, players: int, way: str) -> pl.DataFrame:
    """The estimates of items with the columns that name them."""
    kind = pl.when(pl.col("item").is_in(list(SUITS))).then(pl.lit("suit")).otherwise(pl.lit("rank"))
    named = found.with_columns(players=pl.lit(players, pl.Int8), way=pl.lit(way), kind=kind)
    return named.select(list(SCHEMA))

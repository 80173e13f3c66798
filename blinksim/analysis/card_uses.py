"""What cards are used for, by rank and suit.

A card that is laid is resolved once: it settles, explores, attacks, is cashed or set aside (or dropped, where the rules
allow it); a card in hand may answer an attack. Shares are of all that was done with cards of a rank (and suit), in all
games; ``n_games`` counts uses.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from blinksim.analysis.cells import share_cells, tally

USES = {
    "settle": "settle",
    "explore": "explore",
    "attack": "attack",
    "cash": "gold",
    "set aside": "set_aside",
    "answer": "defence",
    "drop": "dropped",
}
"""Uses and their columns in the table ``cards``."""


def use_blocks(cards: pl.LazyFrame) -> pl.DataFrame:
    """Uses by card and deal: ``players``, ``suit``, ``rank``, ``deal``, and one column for each of ``USES``."""
    keys = ["players", "card_suit", "card_rank", "deal"]
    return (
        tally(cards.filter(pl.col("card_rank").is_not_null()), keys, **{n: pl.col(c) for n, c in USES.items()})
        .rename({"card_suit": "suit", "card_rank": "rank"})
        .collect(engine="streaming")
    )


def pooled(blocks: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """The rows of :func:`use_blocks` by fewer columns, ``suit`` or ``rank`` or neither; the same where nothing goes."""
    if set(by) == set(blocks.columns) & {"suit", "rank"}:
        return blocks
    return blocks.group_by("players", *by, "deal").agg(pl.col(*USES).sum())


def uses(blocks: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """The share of each use.

    Args:
        blocks: From :func:`use_blocks` or :func:`pooled`.
        by: Of ``suit`` and ``rank``, or nothing.

    Returns:
        ``players``, the columns ``by``, ``use`` (a key of ``USES``), the columns of an estimate.
    """
    keys = ["players", *by]
    counted = pooled(blocks, by).with_columns(all=pl.sum_horizontal(*USES))
    order = pl.Enum(list(USES))
    parts = [share_cells(counted, keys, use, "all", "all").with_columns(use=pl.lit(use, order)) for use in USES]
    plain = {"suit": pl.String, "rank": pl.Int64}
    named = [pl.col(name).cast(plain[name]) for name in by]
    found = pl.concat(parts).with_columns(named).sort([*keys, "use"]).with_columns(pl.col("use").cast(pl.String))
    return found.select(*keys, "use", pl.exclude([*keys, "use"]))

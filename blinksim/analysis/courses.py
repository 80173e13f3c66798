"""Courses: every game of one player count round by round, as arrays, for measures that follow a game through time.

The table ``rounds`` holds a row per game, round and seat, in that order. So the seats of a round stand in a row and
need no grouping, which for millions of games is the difference between a second and a minute; tables in another order
are sorted first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

NEVER = np.int16(2**14)
"""Stands for a round that never came; later than any round."""

Array = np.ndarray


@dataclass(frozen=True)
class Course:
    """The games of one player count; G games with R rounds in all, n seats.

    Attributes:
        players: n.
        game: (G,) the number of each game.
        deal: (G,) its deal.
        line_up: (G,) its line-up.
        start: (G,) where its rounds begin.
        rounds: (G,) how many it has.
        winners: (G,) seats that won, bit s = seat s; 0 where the game stalled, or where no table ``games`` was given.
        slot: (n, G) who sits on which seat, as the line-up counts them.
        score: (n, R) the score that each seat would have had after each round.
        tier: (n, R) its tier then.
    """

    players: int
    game: Array
    deal: Array
    line_up: Array
    start: Array
    rounds: Array
    winners: Array
    slot: Array
    score: Array
    tier: Array

    @property
    def decided(self) -> Array:
        """(G,) whether the game did not stall."""
        return self.winners > 0

    @property
    def last(self) -> Array:
        """(G,) where its last round stands."""
        return self.start + self.rounds - 1

    @property
    def number(self) -> Array:
        """(R,) int16: the number of each round within its game, from 1."""
        return (np.arange(1, self.score.shape[1] + 1) - np.repeat(self.start, self.rounds)).astype(np.int16)

    @cached_property
    def _blocks(self) -> tuple[Array, Array]:
        """The deals, and which of them each game is of."""
        deals, index = np.unique(self.deal, return_inverse=True)
        return deals, index

    def per_deal(self, total: Array, count: Array | None = None) -> pl.DataFrame:
        """Sums by deal: ``players``, ``deal``, ``total``, ``count`` and ``games``, the games that count.

        Args:
            total: (G,) what is summed.
            count: (G,) how often it could have been, 0 where the game does not count; the decided games where left
                out.
        """
        deals, index = self._blocks
        counts = (self.decided if count is None else count).astype(np.float64)
        sums = [np.bincount(index, weights, len(deals)) for weights in (total * (counts > 0), counts, counts > 0)]
        found = pl.DataFrame({"deal": deals, "total": sums[0], "count": sums[1], "games": sums[2].astype(np.int64)})
        return found.select(pl.lit(self.players, pl.Int8).alias("players"), pl.all())

    def shares(self) -> Array:
        """(n, G) each seat's share of the victory, nothing where the game stalled."""
        won = (self.winners >> np.arange(self.players)[:, None]) & 1
        found: Array = won / np.maximum(won.sum(axis=0), 1)
        return found

    def leaders(self) -> Array:
        """(R,) int8: the seat that alone had the highest score after each round, -1 where several had."""
        best = self.score.max(axis=0)
        leader = np.full(len(best), -1, dtype=np.int8)
        level = np.zeros(len(best), dtype=np.int8)
        for seat, score in enumerate(self.score):
            at_best = score == best
            leader[at_best] = seat
            level += at_best
        leader[level > 1] = -1
        return leader

    def arrivals(self, num_tiers: int) -> Array:
        """(n, num_tiers - 1, G): the first round at whose end each seat stood on tier 1, 2, … or higher, or NEVER."""
        number = self.number
        found = np.full((self.players, num_tiers - 1, len(self.deal)), NEVER, dtype=np.int16)
        if len(self.start):
            for seat, tiers in enumerate(self.tier):
                for tier in range(1, num_tiers):
                    found[seat, tier - 1] = np.minimum.reduceat(np.where(tiers >= tier, number, NEVER), self.start)
        return found

    def of_slots(self, slots: pl.DataFrame, column: str) -> tuple[Array, list[str]]:
        """(n, G) a code for what each seat's slot has in a column of ``slots``, and the names of the codes.

        Args:
            slots: One row per slot, from :func:`blinksim.analysis.fairness.line_ups`.
            column: Such as ``strategy``.
        """
        mine = slots.filter(pl.col("players") == self.players)
        names = mine[column].unique().sort().to_list()
        codes = {name: code for code, name in enumerate(names)}
        table = np.zeros((int(self.line_up.max(initial=0)) + 1, self.players), dtype=np.int64)
        for line_up, slot, name in mine.select("line_up", "slot", column).iter_rows():
            if line_up < len(table):
                table[line_up, slot] = codes[name]
        return table[self.line_up[None, :], self.slot], names


def courses(rounds: pl.LazyFrame, games: pl.LazyFrame | None = None) -> Iterator[Course]:
    """The games of each player count in turn, ascending; only one player count is held at a time.

    Args:
        rounds: The table ``rounds``.
        games: The table ``games``, where it matters who won.
    """
    counts = rounds.select(pl.col("players").unique()).collect(engine="streaming")["players"].sort().to_list()
    for players in counts:
        mine = pl.col("players") == players
        yield _course(rounds.filter(mine), None if games is None else games.filter(mine), players)


def _course(rounds: pl.LazyFrame, games: pl.LazyFrame | None, players: int) -> Course:
    wide = _seats_in_a_row(rounds, players)
    if wide is None:
        wide = _seats_in_a_row(rounds.sort("game", "round", "seat"), players)
    assert wide is not None, "every round has a row for every seat"
    game = wide["game"].to_numpy()
    start = np.flatnonzero(np.r_[True, game[1:] != game[:-1]])
    winners = np.zeros(len(start), dtype=np.int64)
    if games is not None:
        ends = games.select("game", "winners").collect(engine="streaming").sort("game")
        assert np.array_equal(ends["game"].to_numpy(), game[start]), "both tables have the same games"
        winners = ends["winners"].to_numpy().astype(np.int64)

    def by_seat(name: str) -> Array:
        return np.stack([wide[f"{name}_{seat}"].to_numpy() for seat in range(players)])

    return Course(
        players=players,
        game=game[start],
        deal=wide["deal"].to_numpy()[start],
        line_up=wide["line_up"].to_numpy()[start].astype(np.int64),
        start=start,
        rounds=np.diff(np.r_[start, len(game)]),
        winners=winners,
        slot=by_seat("slot")[:, start],
        score=by_seat("score"),
        tier=by_seat("tier"),
    )


def _seats_in_a_row(rounds: pl.LazyFrame, players: int) -> pl.DataFrame | None:
    """One row per game and round, a column per seat; nothing where the rows are not in order."""
    types = {"score": pl.Int16, "tier": pl.Int8, "slot": pl.Int8}
    whole = [
        (pl.col("seat").shift(-seat) == seat)
        & (pl.col("game").shift(-seat) == pl.col("game"))
        & (pl.col("round").shift(-seat) == pl.col("round"))
        for seat in range(1, players)
    ]
    wide = (
        rounds.select(
            "deal", "line_up", "game", "round", "seat",
            *[pl.col(name).cast(kind).shift(-seat).alias(f"{name}_{seat}")
              for name, kind in types.items() for seat in range(players)],
            whole=pl.all_horizontal(whole),
        )
        .filter(pl.col("seat") == 0)
        .collect(engine="streaming")
    )  # fmt: skip
    # The number of a round within its game follows from where it stands, so rounds must be there, in turn.
    step = (pl.col("round") == pl.col("round").shift() + 1) & (pl.col("game") == pl.col("game").shift())
    begins = (pl.col("round") == 1) & (pl.col("game") > pl.col("game").shift())
    in_order = wide.select(
        (pl.col("whole").all() & (step | begins).slice(1).all() & (pl.col("round").first() == 1)).fill_null(True)
    ).item()
    return wide.drop("seat", "round", "whole") if in_order else None

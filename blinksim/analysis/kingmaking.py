"""Kingmaking: whether a player who cannot win any more decides who does. A proxy, from what the tables hold.

The phenomenon itself is a decision at which every choice leaves a player without a chance, but different choices make
different rivals win. That needs the outcome of choices not taken, which no table has. What the tables have is the last
round, which is announced, so that everybody knows it is the last:

* a seat is *out of it* when it stands, before the last round, at least so many points behind the leader that of all
  seats that far behind at most one in a hundred (``HOPELESS``) still win; the number of points is read off the same
  games, player count by player count;
* it *hits the leader* when it beats a unit of the seat that leads before the last round, in the last round;
* it *makes the king* when the leader then does not win, and lacks no more points at the end than seats out of it sent
  home of its units in that round, each unit being worth a point.

The last is narrow on one side (an objective broken or a tile lost counts for nothing) and wide on the other (the hit
may have been the seat's best move for its own points). So what leaders lose is also compared: how often the leader
before the last round does not win, with such a hit and without.

Of decided games of three and more with a leader before the last round; with two players the other one is the king. A
block is a deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis.courses import Array, Course
from blinksim.analysis.drama import as_frame
from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, share

HOPELESS = 0.01
"""A seat is out of it where at most this share of the seats as far behind still win."""
MEASURES = ("out_of_it", "leader_hit", "overturned_hit", "overturned_not_hit", "made")
"""What :func:`kingmaking` measures, see there."""


def kingmaking(
    courses: Iterable[Course], duels: pl.LazyFrame, level: float = LEVEL
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """How often a seat that is out of it hits the leader in the last round, and what becomes of the leader.

    Args:
        courses: The games of each player count, with who won them.
        duels: The table ``duels``.
        level: Confidence level.

    Returns:
        Two frames. The first: ``players``, ``measure``, an estimate; the measures are shares of games:
        ``out_of_it`` games in which somebody is; of those, ``leader_hit`` by such a seat; ``overturned_hit`` and
        ``overturned_not_hit``, of the games with and without such a hit, those in which the leader does not win;
        ``made``, of all the games, those in which a seat that is out of it makes the king. The second: ``players`` and
        ``behind``, how many points behind a seat is out of it, null where no distance is hopeless.
    """
    found, distances = [], []
    for course in courses:
        if course.players < 3:
            continue
        before = course.start + np.maximum(course.rounds - 2, 0)
        leader = np.where(course.decided & (course.rounds > 1), course.leaders()[before], -1).astype(np.int64)
        gaps = course.score[:, before].max(axis=0) - course.score[:, before]
        behind = hopeless_distance(course, leader, gaps)
        distances.append((course.players, behind))
        found.append(_measures(course, leader, gaps >= (behind or np.inf), duels, level))
    distance = pl.DataFrame(distances, schema={"players": pl.Int8, "behind": pl.Int64}, orient="row")
    empty = pl.DataFrame(schema={"players": pl.Int8, "measure": pl.String} | ESTIMATE_COLUMNS)
    return pl.concat([empty, *found]), distance


def hopeless_distance(course: Course, leader: Array, gaps: Array) -> int | None:
    """The fewest points behind the leader from which at most ``HOPELESS`` of the seats win; None where there is none.

    Args:
        course: The games.
        leader: (G,) who leads before the last round, -1 where the game does not count.
        gaps: (n, G) how far each seat is behind then.
    """
    counts = (leader >= 0) & (np.arange(course.players)[:, None] != leader)
    gap = gaps[counts].astype(np.int64)
    if not len(gap):
        return None
    won = np.bincount(gap, course.shares()[counts])
    seats = np.bincount(gap)
    # All seats at least so far behind, from the farthest.
    still = np.cumsum(won[::-1])[::-1] / np.cumsum(seats[::-1])[::-1]
    low_enough = np.flatnonzero((still <= HOPELESS) & (np.arange(len(still)) > 0))
    return int(low_enough[0]) if len(low_enough) else None


def _measures(course: Course, leader: Array, out: Array, duels: pl.LazyFrame, level: float) -> pl.DataFrame:
    counted: Array = leader >= 0
    out = np.logical_and(out, counted)
    somebody: Array = np.any(out, axis=0)
    hits, sent_home = _last_round_hits(course, leader, out, duels)
    hit: Array = hits > 0
    games = np.arange(len(course.deal))
    final = course.score[:, course.last]
    lacking = final.max(axis=0) - final[leader, games]
    lost: Array = course.shares()[leader, games] == 0
    rows: list[tuple[str, Array, Array]] = [
        ("out_of_it", somebody, counted),
        ("leader_hit", hit, somebody),
        ("overturned_hit", lost, hit),
        ("overturned_not_hit", lost, somebody & ~hit),
        ("made", lost & (sent_home >= np.maximum(lacking, 1)), counted),
    ]
    return as_frame(
        [(course.players, name, share(course.per_deal(total, count), level=level)) for name, total, count in rows],
        {"players": pl.Int8, "measure": pl.String},
    )


def _last_round_hits(course: Course, leader: Array, out: Array, duels: pl.LazyFrame) -> tuple[Array, Array]:
    """(G,) units of the leader that seats out of it beat in the last round, and (G,) how many of them went home."""
    there = np.flatnonzero(out.any(axis=0))
    bits = (out[:, there] << np.arange(course.players)[:, None]).sum(axis=0)
    schema = duels.collect_schema()
    types: Any = {name: schema[name] for name in ("game", "round", "defender")}
    last = pl.DataFrame(
        {"game": course.game[there], "round": course.rounds[there], "defender": leader[there], "out": bits}
    ).with_row_index("row")
    beaten = (
        duels.filter((pl.col("players") == course.players) & (pl.col("result") == "beaten"))
        .select("game", "round", "defender", "seat", home=pl.col("unit_fate") == "home")
        .join(last.cast(types).lazy(), on=list(types))
        .filter(pl.col("out").cast(pl.Int64) // 2 ** pl.col("seat").cast(pl.Int64) % 2 == 1)
        .select("row", "home")
        .collect(engine="streaming")
    )
    game = there[beaten["row"].to_numpy()]
    num_games = len(course.deal)
    return np.bincount(game, minlength=num_games), np.bincount(game[beaten["home"].to_numpy()], minlength=num_games)

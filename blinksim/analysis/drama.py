"""Drama: how the lead changes hands, when a game is decided, who comes back, and by how much games are won.

The leader after a round is the seat that alone has the most points; where several are level nobody leads. A score
during play is what it would be if the game ended then, hidden objectives counted, so players see less than these
measures do. Of decided games; what is about *the* winner is of games that one player won. A block is a deal.

Lead changes, the point of decision and comebacks follow the usual definitions for simulated games: a change is another
leader than the last one there was; a game is decided when its winner takes the lead for good; a comeback is a winner
who was not leading at half of the game; a blowout is a margin above some number of points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis.courses import Array, Course
from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, Estimate, quantile, ratio, share

BLOWOUT = 10
"""A win by more points than this is a blowout."""

MEASURES = (
    "lead_changes", "never_changed", "decided_at", "decided_last", "not_leading_at_half", "behind_at_half", "margin",
    "blowouts",
)  # fmt: skip
"""What :func:`shape` measures, see there."""


def drama(courses: Iterable[Course], level: float = LEVEL) -> dict[str, pl.DataFrame]:
    """All measures of this module.

    Args:
        courses: The games of each player count, with who won them.
        level: Confidence level.

    Returns:
        ``shape``, see :func:`shape`; ``changes`` and ``margins``, how many decided games have each number of lead
        changes and each margin in points (``players``, the number, ``games``, ``share``); ``margin_spread``, the
        median margin with its interval and the points that one game in twenty stays under and goes over
        (``players``, an estimate, ``p05``, ``p95``); ``leader_wins``, see :func:`leader_wins`.
    """
    parts: dict[str, list[pl.DataFrame]] = {}
    for course in courses:
        leaders = course.leaders()
        changes = lead_changes(course, leaders)
        found = {
            "shape": shape(course, leaders, changes, level),
            "changes": _histogram(course, changes, "changes"),
            "margins": _histogram(course, margins(course), "margin"),
            "margin_spread": _spread(course, level),
            "leader_wins": leader_wins(course, leaders, level),
        }
        for name, frame in found.items():
            parts.setdefault(name, []).append(frame)
    return {name: pl.concat(frames) for name, frames in parts.items()}


def lead_changes(course: Course, leaders: Array) -> Array:
    """(G,) how often another seat took the lead than the one that last had it; nobody having it is no change."""
    first = np.zeros(len(leaders), dtype=bool)
    first[course.start] = True
    # Who last had the lead: looked up at the last round that had a leader, or at the first of the game.
    known = np.maximum.accumulate(np.where((leaders >= 0) | first, np.arange(len(leaders)), 0))
    held = leaders[known]
    before = np.r_[held[:1], held[:-1]]
    changed = (held != before) & (before >= 0) & ~first
    return np.add.reduceat(changed.astype(np.int64), course.start) if len(course.start) else np.zeros(0, np.int64)


def decided_in(course: Course, leaders: Array) -> Array:
    """(G,) the round with which the winner took the lead for good; 0 where not one player won.

    A winner who only the tie-break put first took the lead with the last round.
    """
    winner = sole_winner(course)
    elsewhere = leaders != np.repeat(winner, course.rounds)
    last_elsewhere = np.maximum.reduceat(np.where(elsewhere, course.number, 0), course.start)
    return np.where(winner >= 0, np.minimum(last_elsewhere + 1, course.rounds), 0)


def sole_winner(course: Course) -> Array:
    """(G,) the seat that won, -1 where the game stalled or the victory was shared."""
    alone = np.bitwise_count(course.winners) == 1
    return np.where(alone, np.log2(np.maximum(course.winners, 1)).astype(np.int64), -1)


def margins(course: Course) -> Array:
    """(G,) points of the best seat at the end over the second best."""
    final = np.sort(course.score[:, course.last], axis=0)
    return (final[-1] - final[-2]).astype(np.int64)


def shape(course: Course, leaders: Array, changes: Array, level: float = LEVEL) -> pl.DataFrame:
    """How the games of one player count went.

    Args:
        course: The games.
        leaders: (R,) who led after each round.
        changes: (G,) from :func:`lead_changes`.
        level: Confidence level.

    Returns:
        ``players``, ``measure`` and an estimate, a row per measure:
        ``lead_changes`` per game, ``never_changed`` share of games without any; ``decided_at`` the share of a game's
        rounds after which the winner led for good, ``decided_last`` share of games in which that was only with the
        last round; ``not_leading_at_half`` share of games whose winner was not alone in the lead after half of the
        rounds (rounded up), ``behind_at_half`` share whose winner had fewer points than somebody then; ``margin`` in
        points, ``blowouts`` share of games won by more than ``BLOWOUT``.
    """
    decided, winner = course.decided, sole_winner(course)
    won = winner >= 0
    taken = decided_in(course, leaders)
    half = course.start + (course.rounds + 1) // 2 - 1
    at_half = course.score[:, half]
    behind = at_half[winner, np.arange(len(winner))] < at_half.max(axis=0)
    margin = margins(course)
    mean, part = partial(ratio, level=level), partial(share, level=level)
    rows: list[tuple[str, Any, Array, Array]] = [
        ("lead_changes", mean, changes, decided),
        ("never_changed", part, changes == 0, decided),
        ("decided_at", mean, taken / course.rounds, won),
        ("decided_last", part, taken == course.rounds, won),
        ("not_leading_at_half", part, leaders[half] != winner, won),
        ("behind_at_half", part, behind, won),
        ("margin", mean, margin, decided),
        ("blowouts", part, margin > BLOWOUT, decided),
    ]
    return as_frame(
        [(course.players, name, estimator(course.per_deal(total, count))) for name, estimator, total, count in rows],
        {"players": pl.Int8, "measure": pl.String},
    )


def as_frame(rows: Sequence[tuple[Any, ...]], keys: dict[str, Any]) -> pl.DataFrame:
    """Rows of keys followed by an estimate, as a frame with the columns of both."""
    plain = [dict(zip(keys, row, strict=False)) | asdict(row[-1]) for row in rows]
    return pl.DataFrame(plain, schema=keys | ESTIMATE_COLUMNS)


def leader_wins(course: Course, leaders: Array, level: float = LEVEL) -> pl.DataFrame:
    """The chance that who leads after a round wins, by round; a shared victory counts for its part.

    Returns:
        ``players``, ``round``, ``leads`` (of the decided games that got so far, the share with one leader then), an
        estimate of the chance, ``fair`` (one over the number of players).
    """
    shares = course.shares()
    rows: list[tuple[Any, ...]] = []
    decided = course.rounds[course.decided]
    for number in range(1, int(decided.max(initial=0)) + 1):
        there = np.flatnonzero(course.decided & (course.rounds >= number))
        leader = leaders[course.start[there] + number - 1]
        led, seat = there[leader >= 0], leader[leader >= 0]
        total, count = np.zeros(len(course.deal)), np.zeros(len(course.deal))
        total[led], count[led] = shares[seat, led], 1
        rows.append((course.players, number, len(led) / len(there), share(course.per_deal(total, count), level=level)))
    keys = {"players": pl.Int8, "round": pl.Int64, "leads": pl.Float64}
    return as_frame(rows, keys).with_columns(fair=1 / pl.col("players").cast(pl.Float64))


def _histogram(course: Course, numbers: Array, name: str) -> pl.DataFrame:
    values, games = np.unique(numbers[course.decided], return_counts=True)
    found = pl.DataFrame({name: values.astype(np.int64), "games": games.astype(np.int64)})
    return found.select(
        pl.lit(course.players, pl.Int8).alias("players"), pl.all(), share=pl.col("games") / pl.col("games").sum()
    )


def _spread(course: Course, level: float) -> pl.DataFrame:
    values = (
        pl.DataFrame({"deal": course.deal, "value": margins(course)})
        .filter(course.decided)
        .group_by("deal", "value")
        .agg(games=pl.len().cast(pl.Int64))
        .sort("deal", "value")
    )
    median: Estimate = quantile(values, 0.5, level=level)
    p05, p95 = (quantile(values, p).value for p in (0.05, 0.95))
    return as_frame([(course.players, median)], {"players": pl.Int8}).with_columns(
        p05=pl.lit(p05, pl.Float64), p95=pl.lit(p95, pl.Float64)
    )

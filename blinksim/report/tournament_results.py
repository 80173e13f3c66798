"""What a tournament found: all measures of its page, and the same as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from blinksim.analysis import meetings, ratings, scores
from blinksim.report.page import measure_all
from blinksim.report.source import RunFacts, source_of
from blinksim.report.topic import Frames
from blinksim.simulate.tournament import Ladder
from blinksim.store.reading import Run

TOPICS = ("length", "tiers", "method")
"""Topics of any run that the page of a tournament has too."""


@dataclass(frozen=True)
class Results:
    """What a tournament found; each frame as its function in :mod:`blinksim.analysis` returns it.

    Attributes:
        facts: What was played.
        frames: What any page tells of lengths, ends and tiers.
        matrix: Who beats whom with two players.
        shares: Wins of a seat by strategy.
        ratings: Ratings; None where they could not be made.
        no_ratings: Why not; empty where they could.
        coins, paid, cards, other: What each strategy does, by part.
        duels: Duels won.
        points: Parts of the score by strategy.
        ladders: Strategies with several budgets.
        notes: How the line-ups were chosen, a sentence for each player count.
    """

    facts: RunFacts
    frames: Frames
    matrix: pl.DataFrame
    shares: pl.DataFrame
    ratings: pl.DataFrame | None
    no_ratings: str
    coins: pl.DataFrame
    paid: pl.DataFrame
    cards: pl.DataFrame
    other: pl.DataFrame
    duels: pl.DataFrame
    points: pl.DataFrame
    ladders: Sequence[Ladder]
    notes: Sequence[str]


def find_results(run: Run, ladders: Sequence[Ladder] = (), notes: Sequence[str] = ()) -> Results:
    """Take all measures of a tournament.

    Args:
        run: The run, finished or not.
        ladders: Strategies that took part with several budgets.
        notes: How the line-ups were chosen.

    Raises:
        UserError: the run has no finished games.
    """
    source = source_of(run)
    seats, duels = run.scan("seats"), run.scan("duels")
    rated, why = None, ""
    try:
        rated = ratings.ratings(ratings.rankings_of(seats))
    except ratings.MissingLibraryError as missing:
        why = str(missing)
    return Results(
        facts=source.facts,
        frames=measure_all(source, TOPICS),
        matrix=meetings.head_to_head(seats),
        shares=meetings.win_shares(seats),
        ratings=rated,
        no_ratings=why,
        coins=meetings.doings(seats, meetings.COINS),
        paid=meetings.doings(seats, meetings.PAID),
        cards=meetings.doings(seats, meetings.CARDS),
        other=meetings.doings(seats, meetings.OTHER),
        duels=meetings.duels(seats, duels),
        points=scores.score_parts(seats, ["strategy"]),
        ladders=ladders,
        notes=notes,
    )


def doubts(found: pl.DataFrame) -> list[str]:
    """Which ratings are not to be believed, and why, from the frame of :func:`blinksim.analysis.ratings.ratings`."""
    return [
        f"{group_title(row)}, {row['strategy']}: not enough games to rate it ({row['reason']})."
        for row in found.filter(pl.col("reason") != "").iter_rows(named=True)
    ]


def group_title(row: Mapping[str, Any]) -> str:
    """The games that a row is about, in words."""
    return f"{row['players']} players" if row["players"] else "all games"


def summary(results: Results) -> dict[str, Any]:
    """The findings as plain data for a script."""
    rated = results.ratings
    return {
        "wins_against": [_plain(row) for row in results.matrix.iter_rows(named=True)],
        "wins": [_plain(row) for row in results.shares.iter_rows(named=True)],
        "ratings": None if rated is None else [_plain(row) for row in rated.iter_rows(named=True)],
        "no_ratings": results.no_ratings,
        "ladders": [
            {"strategy": ladder.strategy, "unit": ladder.unit, "rungs": [list(rung) for rung in ladder.rungs]}
            for ladder in results.ladders
        ],
        "line_ups": list(results.notes),
    }


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what JSON does not know."""
    return {key: None if isinstance(value, float) and value != value else value for key, value in row.items()}

"""Rulesets or runs side by side: the headline measures of each, in one table and one set of panels."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from blinksim.report.common import BASIS, basis_cells, of_players, players_title
from blinksim.report.figures_side import side_dots
from blinksim.report.parts import FigureGroup, Picture, Section, Table
from blinksim.report.source import RunFacts
from blinksim.report.topic import Frames
from blinksim.report.words import interval, listed, number, percent, percent_interval

FRAME = "side.headlines"
TOPICS = ("seats", "length", "tiers", "scores")
"""Topics that the headline measures come from."""

Measured = tuple[str, RunFacts, Frames]
"""Name beside the others, what was played, and its frames."""

SHARE, NUMBER = "share", "number"

SEATS, ROUNDS, STALLS, ENDER, TIERS, POINTS = (
    "win share of a seat",
    "rounds of a decided game",
    "stalled games",
    "wins of who ends the game",
    "seats that reach a tier",
    "points of a winner",
)
KINDS = {SEATS: SHARE, ROUNDS: NUMBER, STALLS: SHARE, ENDER: SHARE, TIERS: SHARE, POINTS: NUMBER}
"""The headline measures in order, each with whether it is a share."""


def headline_measures(of_each: Sequence[Measured]) -> pl.DataFrame:
    """The headline measures of each, beside each other.

    Returns:
        ``players``, ``measure`` (one of ``KINDS``), ``which`` (seat, tier or part of the score; empty where there is
        one number only), ``games`` (the name of the ruleset or run), and the columns of an estimate; what belongs
        together stands together.
    """
    order = pl.Enum(list(dict.fromkeys(name for name, _, _ in of_each)))
    found = [
        _measures(facts, frames).with_columns(games=pl.lit(name, order), at=pl.lit(i))
        for i, (name, facts, frames) in enumerate(of_each)
    ]
    places = {measure: i for i, measure in enumerate(KINDS)}
    frame = pl.concat(found).with_columns(place=pl.col("measure").replace_strict(places, return_dtype=pl.Int64))
    frame = frame.sort("players", "place", "row", "at", maintain_order=True)
    columns = ["players", "measure", "which", "games", "value", "low", "high", "n_blocks", "n_games", "method"]
    return frame.with_columns(pl.col("games").cast(pl.String)).select(columns)


def _measures(facts: RunFacts, frames: Frames) -> pl.DataFrame:
    rounds = frames["length.length"].filter(pl.col("measure") == "rounds")
    rounds = rounds.rename({"mean": "value", "mean_low": "low", "mean_high": "high"})
    stalls = frames["length.outcomes"].filter(pl.col("outcome") == "stalled")
    winners = frames["scores.by_result"].filter(pl.col("result") == "winners")
    parts = [
        _part(SEATS, frames["seats.win_share"], pl.format("seat {}", "seat")),
        _part(ROUNDS, rounds, pl.lit("")),
        _part(STALLS, stalls, pl.lit("")),
        _part(ENDER, frames["length.announcer_wins"], pl.lit("")),
        *_tiers(facts, frames),
        _part(POINTS, winners, pl.col("part").cast(pl.String)),
    ]
    return pl.concat(parts)


def _tiers(facts: RunFacts, frames: Frames) -> list[pl.DataFrame]:
    if "tiers.reached" not in frames:
        return []  # the run was played without the table of rounds
    reached = frames["tiers.reached"]
    named = [facts.tier_names[tier] for tier in reached["tier"]]
    return [_part(TIERS, reached, pl.Series("which", named, pl.String))]


def _part(measure: str, frame: pl.DataFrame, which: pl.Expr | pl.Series) -> pl.DataFrame:
    return frame.with_row_index("row").select(
        pl.col("players").cast(pl.Int64),
        pl.lit(measure).alias("measure"),
        (which if isinstance(which, pl.Series) else which.alias("which")),
        "row",
        *[pl.col(name).cast(pl.Float64) for name in ("value", "low", "high")],
        *[pl.col(name).cast(pl.Int64) for name in ("n_blocks", "n_games")],
        pl.col("method").cast(pl.String),
    )


def section(frame: pl.DataFrame, players: Sequence[int], of_each: Sequence[Measured]) -> Section:
    """The section that stands before all others.

    Args:
        frame: From :func:`headline_measures`.
        players: Player counts to draw.
        of_each: What stands side by side; the first is what all other sections are about.
    """
    names = [name for name, _, _ in of_each]
    groups = [
        FigureGroup(
            measure[0].upper() + measure[1:],
            [picture for n in players for picture in _pictures(of_players(frame, n), n, measure)],
            "Points: what was found; lines: 95 % intervals of each alone, made as in its own section.",
        )
        for measure in (SEATS, ROUNDS, POINTS)
    ]
    return Section(
        "side-by-side",
        "Side by side",
        [
            f"{listed(names)}, each with its own games. All sections below this one are about {names[0]} alone.",
            "Intervals here are each one's own: where two do not overlap, the two differ, though of many pairs "
            "a few do so by chance; where they do, they may differ all the same. Games on the same deals can be "
            "compared pair by pair, which tells smaller differences: that is what blinksim compare is for.",
        ],
        groups,
        [_table(of_players(frame, n), n) for n in players],
        [f"{name}: {_described(facts)}" for name, facts, _ in of_each],
    )


def _described(facts: RunFacts) -> str:
    games = "records" if facts.from_records else f"run {facts.name}, seed {facts.seed}"
    who = listed(facts.line_ups["strategy"].unique().sort())
    changes = [f"{key} {here} (standard {standard})" for key, standard, here in facts.differences]
    rules = f"changed from standard: {'; '.join(changes)}" if changes else "as standard"
    return f"{games}, played by {who}; ruleset {facts.ruleset}, hash {facts.ruleset_hash}, {rules}."


def _pictures(part: pl.DataFrame, players: int, measure: str) -> list[Picture]:
    rows = part.filter(pl.col("measure") == measure)
    if measure == POINTS:
        rows = rows.filter(pl.col("which") == "total")
    if rows.is_empty():
        return []
    share = KINDS[measure] == SHARE
    fair = 1 / players if measure == SEATS else None
    ax = side_dots(rows, title=players_title(players), xlabel=measure, share=share, fair=fair)
    said = [f"{row['games']} {row['which']} {_value(row)} ({_interval(row)})" for row in rows.iter_rows(named=True)]
    slug = f"side-{list(KINDS).index(measure)}-{players}p"
    return [Picture(slug, ax, f"{measure[0].upper()}{measure[1:]}, {players} players: {'; '.join(said)}.")]


def _table(part: pl.DataFrame, players: int) -> Table:
    rows = [
        [row["measure"], row["which"], row["games"], _value(row), _interval(row), *basis_cells(row)]
        for row in part.iter_rows(named=True)
    ]
    columns = ["measure", "of", "games of", "found", "interval", *BASIS]
    return Table(f"Side by side, {players_title(players)}", columns, rows, heads=3, detail=True)


def _value(row: dict[str, object]) -> str:
    value: float = row["value"]  # type: ignore[assignment]
    return percent(value) if KINDS[str(row["measure"])] == SHARE else number(value)


def _interval(row: dict[str, object]) -> str:
    ends: tuple[float, float] = (row["low"], row["high"])  # type: ignore[assignment]
    return percent_interval(*ends) if KINDS[str(row["measure"])] == SHARE else interval(*ends)

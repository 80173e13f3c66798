"""Score composition: where points come from."""

from __future__ import annotations

import polars as pl
from matplotlib.axes import Axes

from blinksim.analysis import scores
from blinksim.report import figures
from blinksim.report.common import BASIS, basis_cells, of_players, panels, players_title, table_rows
from blinksim.report.parts import FigureGroup, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.words import interval, listed, number, percent


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Points of winners and others, and by seat."""
    seats = source.scan("seats")
    results = scores.score_parts(scores.with_result(seats), ["result"])
    return {
        "scores.by_result": results.sort("players", pl.col("result") == "others", maintain_order=True),
        "scores.by_seat": scores.score_parts(seats, ["seat"]),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """Where points come from."""

    def say(part: pl.DataFrame) -> list[str]:
        return [f"{row['label']} {row['part']} {number(row['value'])}" for row in part.iter_rows(named=True)]

    def bars(part: pl.DataFrame, players: int) -> Axes:
        return figures.score_bars(part, title=players_title(players))

    results = frames["scores.by_result"].with_columns(label=pl.col("result"))
    seats = frames["scores.by_seat"].with_columns(label=pl.format("seat {}", "seat"))
    caption = (
        "Bars: mean points of a seat by part, of decided games. Line at the end: 95 % interval of the mean total (t, "
        "over deals)."
    )
    return Section(
        "scores",
        "Score composition",
        [_scores_in_words(facts, frames)],
        [
            FigureGroup(
                "Winners and others",
                panels(facts.players, "score-results", results, bars, say, "Points by part"),
                caption,
            ),
            FigureGroup("By seat", panels(facts.players, "score-seats", seats, bars, say, "Points by part"), caption),
        ],
        [
            score_table("Points of winners (shared victories among them) and others", results, "who"),
            score_table("Points by seat", seats, "seat", detail=True),
        ],
    )


def _scores_in_words(facts: RunFacts, frames: Frames) -> str:
    parts = []
    for players in facts.players:
        rows = of_players(frames["scores.by_result"], players).filter(pl.col("result") == "winners")
        if not rows.is_empty():
            shares = {row["part"]: percent(row["of_total"], 0) for row in rows.iter_rows(named=True)}
            total = rows.filter(pl.col("part") == "total")["value"][0]
            parts.append(
                f"with {players} players {number(total)} points ({shares['units']} from units, {shares['row']} from "
                f"the victory row, {shares['objectives']} from objectives)"
            )
    return f"A winner has, on average, {listed(parts)}." if parts else "No game was decided."


def score_table(caption: str, frame: pl.DataFrame, what: str, detail: bool = False) -> Table:
    """Points by part, one row for each ``label``; ``what`` names that column."""
    rows = table_rows(
        frame,
        lambda row: [
            players_title(row["players"]), row["label"], row["part"], number(row["value"], 2),
            interval(row["low"], row["high"], 2), percent(row["of_total"], 0), *basis_cells(row),
        ],
    )  # fmt: skip
    return Table(
        caption, ["players", what, "part", "points", "interval", "of total", *BASIS], rows, heads=3, detail=detail
    )


TOPIC = Topic("scores", measure, tell)

"""Score composition: where points come from."""

from __future__ import annotations

import polars as pl
from matplotlib.axes import Axes

from blinksim.analysis import scores
from blinksim.report import figures
from blinksim.report.common import BASIS, basis_cells, panels, players_title, table_rows
from blinksim.report.parts import FigureGroup, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics.findings import at, of_players_of, span_number, typical
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
        _scores_in_words(frames),
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


PARTS = {"units": "units", "row": "the victory row", "objectives": "objectives"}


def _scores_in_words(frames: Frames) -> list[str]:
    """What sets winners apart, and what their points are made of."""
    found = frames["scores.by_result"]
    totals = found.filter((pl.col("result") == "winners") & (pl.col("part") == "total"))
    if totals.is_empty():
        return ["No game was decided."]
    total = typical(totals)
    if total is None:
        return ["There are not enough games to say where points come from."]
    rows = {(r["result"], r["part"]): r for r in of_players_of(found, total).iter_rows(named=True)}
    shares = listed(f"{percent(rows['winners', part]['of_total'], 0)} from {name}" for part, name in PARTS.items())
    made = f"A winner has {number(total['value'])} points {at(total)}{span_number(totals)}: {shares}."
    if any(("others", part) not in rows for part in PARTS):
        return [made]
    gaps = {part: rows["winners", part]["value"] - rows["others", part]["value"] for part in PARTS}
    most = max(gaps, key=lambda part: gaps[part])
    ours, theirs = rows["winners", most], rows["others", most]
    return [
        f"Winners are ahead most by {PARTS[most]}: {number(ours['value'])} points there "
        f"({interval(ours['low'], ours['high'])}) {at(total)}, against {number(theirs['value'])} "
        f"({interval(theirs['low'], theirs['high'])}) of the others.",
        made,
    ]


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

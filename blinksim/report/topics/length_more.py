"""More on length: decisions and minutes by a stated model, and which strategy empties its reserve."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import minutes, starting
from blinksim.report.common import BASIS, basis_cells, number_cells, players_title, share_cells, table_rows
from blinksim.report.parts import Headline, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames
from blinksim.report.topics.findings import at, span_number, typical
from blinksim.report.words import listed, number, percent, percent_interval, said_interval


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Minutes and decisions by kind, and who announces the last round, by strategy."""
    games = source.scan("games")
    return {
        "length.minutes": minutes.game_minutes(games),
        "length.decisions": minutes.decision_kinds(games),
        "length.announcer_by_strategy": starting.announcers(source.scan("seats"), games),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """What follows rounds and ends."""
    tables = [_minutes_table(frames), _decisions_table(frames)]
    if not frames["length.announcer_by_strategy"].is_empty():
        tables.insert(0, _announcer_table(frames))
    model = minutes.MODEL
    return Section(
        "length",
        "Length and ends",
        [*_minutes_sentence(frames), *_announcer_sentence(frames)],
        (),
        tables,
        [
            "Minutes are an estimate and were not measured at tables. Each decision takes the seconds that its kind "
            f"has in the table of decisions; {listed([_words(kind) for kind in model.at_once])} are taken by all "
            f"players at once and count once. Every round adds {model.per_round:g} seconds of handling and every game "
            f"{model.per_game / 60:g} minutes of setting up and scoring. Players who know the game are meant; talk is "
            "not counted. Compare player counts and rulesets by it.",
        ],
        [_headline(row) for row in frames["length.minutes"].iter_rows(named=True)],
    )


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def _minutes_sentence(frames: Frames) -> list[str]:
    minutes_by = frames["length.minutes"]
    row = typical(minutes_by)
    if row is None:
        return []
    return [
        f"By a model of seconds per decision a game {at(row)} takes about {number(row['value'], 0)} "
        f"minutes{span_number(minutes_by, 0)}, and nine games in ten {row['p05']:g} to {row['p95']:g}."
    ]


def _announcer_sentence(frames: Frames) -> list[str]:
    """The strategy that most often empties its reserve, and whether that wins."""
    frame = frames["length.announcer_by_strategy"]
    most = frame.sort("players", -pl.col("value"), maintain_order=True).group_by("players", maintain_order=True).first()
    row = typical(most)
    if row is None:
        return []
    return [
        f"Where strategies meet {at(row)}, the {row['strategy']} empties its reserve most often: a seat of it does in "
        f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])}) of its games, and then wins "
        f"{percent(row['wins'], 0)} of them."
    ]


def _minutes_table(frames: Frames) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        spread = [number(row[name], 0) for name in ("median", "p05", "p95")]
        return [players_title(row["players"]), *number_cells(row), *spread, *basis_cells(row)]

    columns = ["players", "mean", "interval", "median", "5 %", "95 %", *BASIS]
    return Table("Estimated minutes of decided games", columns, table_rows(frames["length.minutes"], cells))


def _decisions_table(frames: Frames) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        together = "all at once" if row["at_once"] else "one by one"
        return [
            players_title(row["players"]), _words(row["kind"]), *number_cells(row), f"{row['seconds']:g}", together,
            number(row["minutes"]), *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "decision", "in a game", "interval", "seconds each", "taken", "minutes", *BASIS]
    rows = table_rows(frames["length.decisions"], cells)
    return Table("Decisions of a decided game by kind, and the minutes they take", columns, rows, heads=2, detail=True)


def _announcer_table(frames: Frames) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), row["strategy"], *share_cells(row), percent(row["fair"]),
            percent(row["wins"]), *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "strategy", "empties it", "interval", "by chance", "then wins", "seats", BASIS[1]]
    rows = table_rows(frames["length.announcer_by_strategy"], cells)
    return Table("Who empties the reserve and announces the last round, by strategy", columns, rows, heads=2)


def _headline(row: dict[str, Any]) -> Headline:
    sentence = (
        f"About {number(row['value'], 0)} minutes by a model of seconds per decision "
        f"({said_interval(row['low'], row['high'])} for the mean; the model itself is an estimate)."
    )
    return Headline("Minutes", row["players"], sentence)

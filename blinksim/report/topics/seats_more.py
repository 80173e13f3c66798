"""More on seats: who leads the first round, inner and outer seats of the map, and whether it depends on who plays."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import starting
from blinksim.analysis.estimates import MARGIN
from blinksim.analysis.lift import MIN_BLOCKS
from blinksim.report import figures
from blinksim.report.common import (
    BASIS,
    basis_cells,
    of_players,
    panels,
    players_title,
    said_shares,
    share_cells,
    table_rows,
)
from blinksim.report.flags import FALSE_FLAGS
from blinksim.report.parts import FigureGroup, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames
from blinksim.report.topics.findings import at, joined, typical
from blinksim.report.words import listed, percent, percent_interval

PLACES = ("leads", "sits next", "sits third", "sits fourth")
"""Where one sits in the first round, clockwise from who leads it."""

MOST_SAID = 3
"""So many rows that stand out are said in a sentence; the tables mark them all."""


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Wins by place in the first round, by class of seat, and by seat where one strategy has all seats."""
    games, facts = source.scan("games"), source.facts
    classes: dict[int, tuple[str, ...]] = {}
    if source.run is not None:
        ruleset = source.run.game.parse_ruleset(facts.parameters)
        classes = {n: tuple(source.run.game.seat_classes(ruleset, n)) for n in facts.players}
    return {
        "seats.first_leader": starting.first_leader(games),
        "seats.classes": starting.seat_classes(games, classes),
        "seats.mirrors": starting.mirror_seats(games, facts.line_ups),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """What follows the win shares of the seats."""
    leaders = frames["seats.first_leader"].with_columns(
        label=pl.col("place").replace_strict(dict(enumerate(PLACES)), return_dtype=pl.String)
    )
    pictures = panels(
        facts.players, "first-leader", leaders, lambda part, n: figures.share_dots(part, title=players_title(n)),
        said_shares, "Share of decided games won by place in the first round",
    )  # fmt: skip
    tables = [_table("Win share by place in the first round", leaders, "first round")]
    classes = frames["seats.classes"]
    if not classes.is_empty():
        named = classes.with_columns(label=pl.format("{} seats", "seats"))
        tables.append(_table("Win share of one seat by where it lies on the map", named, "seats"))
    mirrors = frames["seats.mirrors"]
    if mirrors["strategy"].n_unique() > 1:
        labelled = mirrors.with_columns(label=pl.format("{}, seat {}", "strategy", "seat"))
        caption = "Win share by seat where one strategy has all seats: does it take skill to use a seat?"
        tables.append(_table(caption, labelled, "who plays", detail=True))
    return Section(
        "seats",
        "Seats",
        [*_leader_sentence(leaders), *_class_sentence(facts, classes), *_mirror_sentence(mirrors)],
        [
            FigureGroup(
                "Does it help to lead the first round?",
                pictures,
                "Points: share of decided games won by who led the first round, by the seat next to it clockwise, and "
                "so on. Lines: intervals that hold for all places together (95 %). Dashed: a fair share; grey band: "
                f"within {100 * MARGIN:g} points of it.",
            )
        ],
        tables,
        [
            "A row is marked where chance alone would show as much in fewer than one in twenty of such rows (q below "
            "0.05, Benjamini and Hochberg over every test of the page).",
            "Inner and outer seats follow from the starting map: seats with the same distances to all other starting "
            "tiles are of one class, the class with the shorter ones is the inner one.",
        ],
    )


def marked(row: dict[str, Any]) -> str:
    """What the last column of a tested row says."""
    q = row.get("q")
    return "–" if q is None else "stands out" if q < FALSE_FLAGS else "within chance"


def _table(caption: str, frame: pl.DataFrame, what: str, detail: bool = False) -> Table:
    rows = table_rows(
        frame,
        lambda row: [
            players_title(row["players"]), row["label"], *share_cells(row), percent(row["fair"]), marked(row),
            *basis_cells(row),
        ],
    )  # fmt: skip
    columns = ["players", what, "wins", "interval", "fair", "chance", *BASIS]
    return Table(caption, columns, rows, heads=2, detail=detail)


def _said(row: dict[str, Any]) -> str:
    return f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"


def _leader_sentence(leaders: pl.DataFrame) -> list[str]:
    first = leaders.filter(pl.col("place") == 0)
    if first.is_empty():
        return []
    row = typical(first) or first.sort("players").row(first.height // 2, named=True)
    far = leaders.filter(pl.col("q") < FALSE_FLAGS)
    few = leaders.filter(pl.col("n_blocks") < MIN_BLOCKS).height
    if leaders["q"].is_null().all() or (far.is_empty() and few):
        end = "not enough games to say whether that is more than chance."
    elif far.is_empty():
        end = "no place in the first round wins more or less than chance would have it."
    else:
        rows = [
            f"{at(r)} who {r['label']} wins {_said(r)}" for r in far.sort("q").head(MOST_SAID).iter_rows(named=True)
        ]
        end = f"it matters where one sits then: {listed(rows)}{_more(far)}."
    return [f"Who leads the first round wins {_said(row)} of the games {at(row)}; {end}"]


def _class_sentence(facts: RunFacts, classes: pl.DataFrame) -> list[str]:
    """Inner and outer seats; said, too, where the map makes all seats alike."""
    sentences = []
    for players in facts.players:
        part = of_players(classes, players)
        if part.is_empty():
            continue
        said = listed([f"an {row['seats']} seat wins {_said(row)}" for row in part.iter_rows(named=True)])
        sentences.append(f"With {players} players the map has unlike seats: {said}: {_how_unlike(part)}.")
    alike = [str(players) for players in facts.players if of_players(classes, players).is_empty()]
    if sentences and alike:
        sentences.append(f"With {listed(alike)} players the map makes all seats alike.")
    return joined(sentences)


def _how_unlike(classes: pl.DataFrame) -> str:
    """What the difference between classes of seats amounts to."""
    if classes["q"].is_null().all():
        return "not enough games to say whether that is more than chance"
    if not (classes["q"] < FALSE_FLAGS).any():
        if (classes["p"] < FALSE_FLAGS).any():
            return (
                "more of a difference than chance would show if nothing else were tested, but not among all the tests "
                "of this page"
            )
        return "no more of a difference than chance would show"
    near = (classes["low"] >= classes["fair"] - MARGIN).all() and (classes["high"] <= classes["fair"] + MARGIN).all()
    return f"a real difference, {'but' if near else 'not surely'} within {100 * MARGIN:g} points of a fair share"


def _mirror_sentence(mirrors: pl.DataFrame) -> list[str]:
    if mirrors["q"].is_null().all():
        return []
    far = mirrors.filter(pl.col("q") < FALSE_FLAGS)
    names = mirrors["strategy"].unique().sort().to_list()
    who = f"Where one strategy has all seats ({listed(names, 'or')})"
    if far.is_empty():
        return [f"{who}, no seat wins more or less than chance would have it."]
    said = [
        f"seat {row['seat']} of {row['players']} among {row['strategy']}s {_said(row)}"
        for row in far.sort("q").head(MOST_SAID).iter_rows(named=True)
    ]
    return [f"{who}, these seats stand out: {listed(said)}{_more(far)}."]


def _more(far: pl.DataFrame) -> str:
    """How many rows stand out beside those said."""
    return f"; {far.height - MOST_SAID} more are marked in the table" if far.height > MOST_SAID else ""

"""Seats: does it matter where one sits?"""

from __future__ import annotations

import polars as pl

from blinksim.analysis import fairness
from blinksim.analysis.estimates import MARGIN, Verdict
from blinksim.report import figures
from blinksim.report.common import (
    BASIS,
    SHIFTS,
    basis_cells,
    of_players,
    panels,
    players_title,
    said_shares,
    share_cells,
    table_rows,
)
from blinksim.report.joining import extended
from blinksim.report.parts import FigureGroup, Headline, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics import seats_more
from blinksim.report.topics.findings import upper
from blinksim.report.words import count, listed, percent, percent_interval

POINTS = f"{100 * MARGIN:g} points"


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Wins of each seat, of all line-ups together and of each on its own."""
    seats = source.scan("seats")
    return {
        "seats.win_share": fairness.seat_win_share(seats),
        "seats.by_line_up": fairness.seat_win_share(seats, ["line_up"]),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """Who wins, by seat."""
    labelled = frames["seats.win_share"].with_columns(label=pl.format("seat {}", "seat"))
    pictures = panels(
        facts.players, "seats", labelled, lambda part, n: figures.share_dots(part, title=players_title(n)), said_shares,
        "Share of decided games won by each seat",
    )  # fmt: skip
    decided = (
        frames["length.outcomes"]
        .group_by("players", maintain_order=True)
        .agg(
            shared=pl.col("games").filter(pl.col("outcome") == "shared").sum(),
            stalled=pl.col("games").filter(pl.col("outcome") == "stalled").sum(),
        )
    )
    counts = {row["players"]: row for row in decided.iter_rows(named=True)}
    rows = table_rows(
        labelled,
        lambda row: [
            players_title(row["players"]), row["label"], *share_cells(row), row["verdict"], *basis_cells(row),
            count(counts[row["players"]]["shared"]), count(counts[row["players"]]["stalled"]),
        ],
    )  # fmt: skip
    tables = [
        Table(
            "Win share by seat; games are decided games, stalled ones are counted beside them",
            ["players", "seat", "wins", "interval", "verdict", *BASIS, "shared", "stalled"],
            rows,
            heads=2,
        )
    ]
    if facts.line_ups.select("players", "line_up").n_unique() > len(facts.players):
        tables.append(_seats_by_line_up(facts, frames))
    return Section(
        "seats",
        "Seats",
        [
            _finding(facts, frames),
            f"The plan was: {SHIFTS[facts.shifts]}.{_evened_out(facts)}",
        ],
        [
            FigureGroup(
                "Win share by seat",
                pictures,
                "Points: share of decided games that each seat won, a shared victory split. Lines: intervals that "
                "hold for all seats of a panel together (95 %, Wilson at the effective sample size, Šidák). Dashed: "
                f"a fair share. Grey band: within {100 * MARGIN:g} points of it.",
            )
        ],
        tables,
        [
            f"Verdicts: fair where all intervals lie within {100 * MARGIN:g} points of one over the number of "
            "players, not fair where one lies wholly outside, otherwise not enough games.",
            "Seats are counted from 0, clockwise, as in the records. All line-ups are taken together in the figure; "
            "each counts by its number of games.",
        ],
        [_headline(frames, players) for players in facts.players],
    )


def _finding(facts: RunFacts, frames: Frames) -> str:
    """Whether it matters where one sits, by player count."""
    said: dict[str, list[str]] = {}
    for players in facts.players:
        seats = of_players(frames["seats.win_share"], players)
        verdict = str(Verdict.NOT_ENOUGH if seats.is_empty() else fairness.table_verdict(seats))
        said.setdefault(verdict, []).append(str(players))
    parts = [
        f"{words} with {listed(said[str(verdict)])} players"
        for verdict, words in (
            (Verdict.NOT_FAIR, f"it matters where one sits, by more than {POINTS} of the share of wins,"),
            (Verdict.FAIR, f"it does not matter where one sits, give or take {POINTS} of the share of wins,"),
            (Verdict.NOT_ENOUGH, "there are not enough games to say whether it matters where one sits"),
        )
        if str(verdict) in said
    ]
    return f"{upper('; '.join(parts))}."


def _evened_out(facts: RunFacts) -> str:
    """What turning the table does for the comparison of seats, where it was turned."""
    if facts.shifts in ("none", "hands"):
        return ""
    return " So luck with the cards does not count for or against a seat."


def _seats_by_line_up(facts: RunFacts, frames: Frames) -> Table:
    rows = table_rows(
        frames["seats.by_line_up"],
        lambda row: [
            facts.line_up(row["players"], row["line_up"]), f"seat {row['seat']}", *share_cells(row), row["verdict"],
            *basis_cells(row),
        ],
    )  # fmt: skip
    return Table(
        "Win share by seat for each line-up on its own: does a seat help some players only?",
        ["line-up", "seat", "wins", "interval", "verdict", *BASIS],
        rows,
        heads=2,
        detail=True,
    )


def _headline(frames: Frames, players: int) -> Headline:
    seats = of_players(frames["seats.win_share"], players)
    topic = "Seats"
    if seats.is_empty():
        return Headline(topic, players, "No game was decided.", str(Verdict.NOT_ENOUGH))
    verdict = fairness.table_verdict(seats)
    furthest = seats.sort((pl.col("value") - pl.col("fair")).abs(), descending=True, maintain_order=True)
    row = furthest.row(0, named=True)
    said = f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
    fair = percent(row["fair"])
    if verdict == Verdict.FAIR:
        sentence = f"Every seat wins within {POINTS} of {fair}; the furthest is seat {row['seat']} with {said}."
    elif verdict == Verdict.NOT_FAIR:
        off = seats.filter(pl.col("verdict") == str(Verdict.NOT_FAIR))
        row = off.sort((pl.col("value") - pl.col("fair")).abs(), descending=True).row(0, named=True)
        said = f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
        sentence = f"Seat {row['seat']} wins {said}, more than {POINTS} from the {fair} that would be fair."
    else:
        sentence = f"Seat {row['seat']} wins {said}; fair would be {fair}, give or take {POINTS}.{games_needed(seats)}"
    return Headline(topic, players, sentence, str(verdict))


def games_needed(seats: pl.DataFrame) -> str:
    """How many games would tell, where that can be said: intervals shrink with the root of the number of games.

    Args:
        seats: Rows with ``value``, ``low``, ``high``, ``fair`` and ``n_games``, none of which says "not fair".
    """
    room = MARGIN - (seats["value"] - seats["fair"]).abs()
    half = (seats["high"] - seats["low"]) / 2
    if (room <= MARGIN / 4).any() or not seats["n_blocks"].min():
        return ""
    times = float(((half / room) ** 2).max())  # type: ignore[arg-type]
    needed = round(times * float(seats["n_games"].max()), 3)  # type: ignore[arg-type]
    digits = max(len(f"{needed:.0f}") - 2, 0)
    return f" If it stays there, about {count(-(-needed // 10**digits) * 10**digits)} games would tell."


TOPIC = extended(Topic("seats", measure, tell), seats_more.measure, seats_more.tell)

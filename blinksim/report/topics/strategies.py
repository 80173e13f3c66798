"""Strategies: who wins against whom, and with which points."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import fairness, scores
from blinksim.analysis.estimates import MARGIN
from blinksim.report import figures
from blinksim.report.common import (
    BASIS,
    SHIFTS,
    basis_cells,
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
from blinksim.report.topics import strategies_more
from blinksim.report.topics.findings import at, of_players_of, typical, upper
from blinksim.report.topics.scores import score_table
from blinksim.report.words import listed, percent, percent_interval, plural


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Wins and points by strategy."""
    seats = source.scan("seats")
    return {
        "strategies.win_share": fairness.strategy_win_share(seats),
        "strategies.points": scores.score_parts(seats, ["strategy"]),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """Who wins, by strategy."""
    names = facts.line_ups["strategy"].unique().sort().to_list()
    scores_table = score_table(
        "Points by strategy, all line-ups together",
        frames["strategies.points"].with_columns(label=pl.col("strategy")),
        "strategy",
    )
    if frames["strategies.win_share"].is_empty():
        lead = f"Every seat was played by one strategy ({listed(names)}), so that there is nothing to compare here."
        return Section("strategies", "Strategies", [lead], tables=[scores_table])
    texts = [facts.line_up(p, i) for p, i in frames["strategies.win_share"].select("players", "line_up").iter_rows()]
    labelled = (
        frames["strategies.win_share"]
        .with_columns(line_up_text=pl.Series(texts))
        .with_columns(label=pl.format("{}\nof {}", "strategy", "line_up_text"))
    )
    pictures = panels(
        facts.players, "strategies", labelled, lambda part, n: figures.share_dots(part, title=players_title(n)),
        lambda part: [said.replace("\n", " ") for said in said_shares(part)], "Win share of a seat by strategy",
    )  # fmt: skip
    rows = table_rows(
        labelled,
        lambda row: [
            players_title(row["players"]), row["line_up_text"], row["strategy"], *share_cells(row),
            percent(row["fair"]), *basis_cells(row),
        ],
    )  # fmt: skip
    return Section(
        "strategies",
        "Strategies",
        [
            _finding(facts, frames),
            f"{plural(len(names), 'strategy', 'strategies')} took part: {listed(names)}. The plan was: "
            f"{SHIFTS[facts.shifts]}.",
        ],
        [
            FigureGroup(
                "Win share by strategy",
                pictures,
                "Points: share of decided games that a seat played by the strategy won, in line-ups where strategies "
                "meet; a shared victory split. Lines: intervals that hold for all strategies of a line-up together "
                "(95 %, Wilson at the effective sample size, Šidák). Dashed: an even split; grey band: within "
                f"{100 * MARGIN:g} points of it.",
            )
        ],
        [
            Table(
                "Win share of a seat by strategy",
                ["players", "line-up", "strategy", "wins", "interval", "even", *BASIS],
                rows,
                heads=3,
            ),
            scores_table,
        ],
        ["A strategy that wins more is stronger against these opponents; that alone does not make the rules unfair."],
        [_headline(facts, row) for row in _best_strategies(frames)],
    )


def _finding(facts: RunFacts, frames: Frames) -> str:
    """Who is stronger, by the line-up that shows it most, of one player count."""
    shares = frames["strategies.win_share"]
    some = typical(shares.unique("players", keep="first", maintain_order=True))
    if some is None:
        return "There are not enough games to say which strategy is stronger."
    part = of_players_of(shares, some).sort(pl.col("value") - pl.col("fair"), descending=True, maintain_order=True)
    row = part.row(0, named=True)
    where = facts.line_up(row["players"], row["line_up"])
    wins = f"a {row['strategy']} seat among {where} wins {percent(row['value'])}"
    wins += f" ({percent_interval(row['low'], row['high'])}), where an even share is {percent(row['fair'])}."
    if row["low"] > row["fair"]:
        return f"{upper(row['strategy'])} wins more than its share: {wins}"
    return f"No strategy is shown to win more than its share {at(row)}: {wins}"


def _best_strategies(frames: Frames) -> list[dict[str, Any]]:
    """Of each mixed line-up, the strategy that wins most."""
    best = frames["strategies.win_share"].sort("players", "line_up", -pl.col("value"), maintain_order=True)
    return best.group_by("players", "line_up", maintain_order=True).first().to_dicts()


def _headline(facts: RunFacts, row: dict[str, Any]) -> Headline:
    said = f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
    where = facts.line_up(row["players"], row["line_up"])
    sentence = f"Among {where} a {row['strategy']} seat wins {said}; an even split is {percent(row['fair'])}."
    return Headline("Strategies", row["players"], sentence)


TOPIC = extended(Topic("strategies", measure, tell), strategies_more.measure, strategies_more.tell)

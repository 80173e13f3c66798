"""Tier pacing: when players get to their tiers."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import pacing
from blinksim.report import figures
from blinksim.report.common import BASIS, basis_cells, panels, players_title, share_cells, table_rows
from blinksim.report.joining import extended
from blinksim.report.parts import FigureGroup, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.telling import said_share
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics import tiers_more
from blinksim.report.topics.findings import at, joined, span, typical, upper
from blinksim.report.words import interval, number, percent


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """When seats got to each tier, of all and by strategy."""
    facts = source.facts
    by_strategy = pacing.tier_exits(source.courses, len(facts.tier_names), facts.line_ups, ["strategy"])
    exits = pacing.pool_exits(by_strategy)
    return {
        "tiers.curves": pacing.tier_curves(exits),
        "tiers.reached": pacing.tier_summary(exits),
        "tiers.by_strategy": pacing.tier_summary(by_strategy, ["strategy"]),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """When players get to their tiers."""
    names = facts.tier_names
    summary = {(row["players"], row["tier"]): row for row in frames["tiers.reached"].iter_rows(named=True)}

    def say(part: pl.DataFrame) -> list[str]:
        found = [summary[(part["players"][0], tier)] for tier in part["tier"].unique(maintain_order=True)]
        return [f"{names[row['tier']]} {_median(row)}, {percent(row['value'])} got there" for row in found]

    curves = panels(
        facts.players, "tiers", _with_enough(frames["tiers.curves"]),
        lambda part, n: figures.tier_curves(part, title=players_title(n), names=names), say,
        "Share of seats that reached each tier by round",
    )  # fmt: skip
    groups = [
        FigureGroup(
            "Climbing the tiers",
            curves,
            "Curves: of the seats still playing, the share that had reached each tier by the end of each round "
            f"(Kaplan-Meier, with pointwise 95 % bands over deals); drawn while at least {figures.MIN_AT_RISK} seats "
            "are on their way, or nearly all are there.",
        )
    ]
    by_strategy = frames["tiers.by_strategy"]
    if by_strategy["strategy"].n_unique() > 1:
        medians = panels(
            facts.players, "tier-medians", by_strategy,
            lambda part, n: figures.tier_medians(part.sort("strategy", "tier"), title=players_title(n), names=names),
            lambda part: [f"{r['strategy']} {names[r['tier']]} {_median(r)}" for r in part.iter_rows(named=True)],
            "Median round of reaching each tier by strategy",
        )  # fmt: skip
        groups.append(
            FigureGroup(
                "Who climbs faster",
                medians,
                "Points: the round by which half of a strategy's seats had reached the tier (Kaplan-Meier), with its "
                "95 % interval; a tier that fewer than half ever reach has no point. All line-ups together.",
            )
        )
    tables = [_tier_table("Tiers reached, all strategies", frames["tiers.reached"], names, None)]
    if len(groups) > 1:
        tables.append(_tier_table("Tiers reached, by strategy", by_strategy, names, "strategy"))
    return Section(
        "tiers",
        "Tier pacing",
        [tiers_more.finding(facts, frames), *_pace_in_words(facts, frames)],
        groups,
        tables,
        [
            f"Everybody begins in {names[0]}. A tier counts as reached in the first round that a seat ends on it or "
            "higher.",
            "A seat whose game ends before it gets to a tier leaves the count at that moment, so that the curves "
            "tell how fast the climb is while games last. How many got there in the games as they were is the column "
            '"got there": a curve may well pass above it.',
            "Stalled games take part: their seats leave the count at the cap.",
        ],
    )


def _pace_in_words(facts: RunFacts, frames: Frames) -> list[str]:
    """When the last tier is reached, and by how many."""
    last = len(facts.tier_names) - 1
    reached = frames["tiers.reached"].filter(pl.col("tier") == last)
    row = typical(reached)
    if row is None:
        return []
    order = frames["tiers.order"].filter((pl.col("tier") == last) & (pl.col("order") == pl.col("players")))
    everybody = typical(order)
    half = "" if row["median"] is None else f" While games last, half of them are there by round {row['median']:g}."
    return joined(
        [
            f"{upper(at(row))} {said_share(row)} of the seats get to {facts.tier_names[last]} before the game ends"
            f"{span(reached)}.{half}",
            f"All players get there in {said_share(everybody)} of the games{span(order)}." if everybody else "",
        ]
    )


def _with_enough(curves: pl.DataFrame) -> pl.DataFrame:
    """The curves of those player counts of which there are enough seats to draw any."""
    return curves.filter((pl.col("at_risk") >= figures.MIN_AT_RISK).any().over("players"))


def _median(row: dict[str, Any]) -> str:
    return "not by half" if row["median"] is None else f"median round {row['median']:g}"


def _tier_table(caption: str, frame: pl.DataFrame, names: tuple[str, ...], by: str | None) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), *([str(row[by])] if by else []), names[row["tier"]], *share_cells(row),
            number(row["median"], 0), interval(row["median_low"], row["median_high"], 0), *basis_cells(row),
        ]  # fmt: skip

    named = ["players", *([by] if by else []), "tier"]
    columns = [*named, "got there", "interval", "median round", "interval", "seats", BASIS[1]]
    return Table(caption, columns, table_rows(frame, cells), heads=3 if by else 2, detail=bool(by))


TOPIC = extended(Topic("tiers", measure, tell), tiers_more.measure, tiers_more.tell)

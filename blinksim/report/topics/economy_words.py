"""What the section on tricks, dues and coins says in sentences."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import gold
from blinksim.report.source import RunFacts
from blinksim.report.telling import rough, said_number, said_share
from blinksim.report.topic import Frames
from blinksim.report.topics import economy_tables
from blinksim.report.topics.findings import at, known, of_players_of, side, span_number, typical, upper
from blinksim.report.words import listed, percent


def of_measure(frame: pl.DataFrame, measure: str) -> pl.DataFrame:
    """The rows of one measure."""
    return frame.filter(pl.col("measure") == measure)


SHORT_WORDS = ("Long melds win tricks", "The length of a meld hardly matters", "Short melds win tricks")
"""By how the share of tricks won by short melds lies to their share of the melds: below, about it, above."""
DUES_WORDS = ("less than their share", "about their share", "more than their share")


def finding(frames: Frames) -> str:
    """What wins a trick: whether the short meld does."""
    short = frames["economy.short_melds"]
    if short.is_empty() or of_measure(short, "shorter wins").is_empty():
        return "All melds of a trick had the same number of cards, in every trick."
    row = typical(of_measure(short, "shorter wins"))
    if row is None:
        return "There are not enough games to say what wins a trick."
    (melds,) = of_players_of(of_measure(short, "shorter melds"), row).iter_rows(named=True)
    return (
        f"{SHORT_WORDS[side(row, melds['low'], melds['high'])]}: {at(row)} a meld shorter than the longest wins "
        f"{said_share(row)} of the tricks in which lengths differ, and {percent(melds['value'], 0)} of the melds there "
        "are shorter."
    )


def catch_up(frames: Frames) -> str:
    """Whether the dues go to those who are behind."""
    behind = frames["economy.dues_by_position"].filter(pl.col("position") == "behind")
    if behind.is_empty():
        return "No game got to its second round, so nothing is known of whom the dues help."
    row = typical(behind.filter(pl.col("source") == "last place"))
    if row is None:
        return "Not enough games paid coins for last place to say whether the dues help those who are behind."
    (seats,) = of_players_of(behind.filter(pl.col("source") == "seats"), row).iter_rows(named=True)
    text = (
        f"Last place pays those who are behind {DUES_WORDS[side(row, seats['low'], seats['high'])]}: {said_share(row)} "
        f"of its coins go to seats behind the mean score of the others {at(row)}, which {percent(seats['value'])} of "
        "all seats are."
    )
    paid = of_players_of(of_measure(frames["economy.dues_by_standing"], "dues"), row).sort("standing")
    if paid.height < 2:
        return text
    lead, last = paid.row(0, named=True), paid.row(-1, named=True)
    return (
        f"{text} With its coins for cards set aside a round pays the last by score {said_number(last)} gold, the "
        f"leader {said_number(lead)}."
    )


def gold_flows(frames: Frames) -> str:
    """Where gold comes from and goes."""
    flows = frames["economy.gold"]
    got = of_measure(flows, gold.ALL_IN)
    if not (got["value"] > 0).any():
        return "Nobody ever got any gold."
    row = typical(got)
    if row is None:
        return "There are not enough games to say where gold comes from and goes."
    rows = {r["measure"]: r for r in of_players_of(flows, row).iter_rows(named=True)}
    text = (
        f"Gold goes mostly into {_mostly(flows)}. A seat gets {said_number(row, 1)} gold in a game {at(row)}"
        f"{span_number(got)}: most of it for {_largest(rows, [*gold.SOURCES])}. What becomes of it: "
        f"{_largest(rows, [*gold.SINKS, gold.UNSPENT])}."
    )
    left = of_players_of(frames["economy.unspent_by_result"], row)
    kept = {r["result"]: r for r in left.iter_rows(named=True)}
    if not {"winners", "others"} <= set(kept):
        return text
    return f"{text} At the end winners keep {said_number(kept['winners'])}, others {said_number(kept['others'])}."


def _mostly(flows: pl.DataFrame) -> str:
    """What most gold becomes, all player counts together."""
    sinks = flows.filter(pl.col("measure").is_in([*gold.SINKS, gold.UNSPENT]))
    sums = sinks.group_by("measure", maintain_order=True).agg((pl.col("value") * pl.col("n_games")).sum())
    most = sums.sort("value", descending=True, maintain_order=True)["measure"][0]
    return "nothing: most is left unspent" if most == gold.UNSPENT else str(most)


MOST_SAID = 3
"""So many parts of a whole are said in a sentence, the largest first; figures and tables have all."""


def _largest(rows: dict[str, dict[str, Any]], names: list[str]) -> str:
    """The largest parts of all gold that came in."""
    best = sorted((name for name in names if rows[name]["value"] > 0), key=lambda name: -rows[name]["value"])
    said = [f"{name} ({rough(rows[name]['of_all'])})" for name in best[:MOST_SAID]]
    return listed(said) if said else "nothing"


def cards(frames: Frames) -> str:
    """What cards are used for."""
    used = frames["economy.uses_of_all"].filter(pl.col("value") > 0)
    if used.is_empty():
        return "No card was ever used."
    row = typical(used.unique("players", keep="first", maintain_order=True))
    if row is None:
        return "There are not enough games to say what cards are used for."
    best = of_players_of(used, row).sort("value", descending=True, maintain_order=True).head(MOST_SAID)
    shares = listed(f"{r['use']} ({rough(r['value'])})" for r in best.iter_rows(named=True))
    ranks = of_players_of(frames["economy.uses_by_rank"], row)
    found = []
    for use in ("settle", "attack", "cash", "set aside"):
        of = ranks.filter((pl.col("use") == use) & (pl.col("value") > 0))
        if not of.is_empty():
            top = of.sort("value", descending=True, maintain_order=True).row(0, named=True)
            found.append(f"{top['rank']} to {use} ({rough(top['value'])})")
    text = f"What most cards do {at(row)}: {shares}."
    return f"{text} The ranks most given to one use: {listed(found)}." if found else text


def research(facts: RunFacts, frames: Frames) -> str:
    """How often research fails, and trade."""
    found, names = known(frames["economy.improvements"]), economy_tables.cap_names(facts)
    failed = of_measure(found, "failed").sort("value", descending=True, maintain_order=True)
    row = typical(failed.unique("players", keep="first", maintain_order=True))
    if row is None:
        said = "Not enough games had research to say how often it fails."
    elif row["value"] == 0:
        said = f"No research failed {at(row)}."
    else:
        others = of_players_of(failed, row).filter((pl.col("cap") != row["cap"]) & (pl.col("value") > 0)).sort("cap")
        rest = [f"{rough(r['value'])} in {names[r['cap']]}" for r in others.iter_rows(named=True)]
        said = (
            f"{upper(at(row))} research fails most in {names[row['cap']]}: {said_share(row)} of the tries there find "
            "nothing within the cap"
        ) + (f", against {listed(rest)}." if rest else ".")
    rates = found.filter((pl.col("kind") == "trade") & (pl.col("measure") == "a turn"))
    most = rates.sort("value", descending=True, maintain_order=True).head(1)
    for rate in most.iter_rows(named=True):
        where = f"in {names[rate['cap']]} {at(rate)}"
        said += f" Trade is most frequent {where}: {said_number(rate)} a turn." if rate["value"] else " Nobody traded."
    return said

"""What the section on tricks, dues and coins says in sentences."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import gold
from blinksim.report.source import RunFacts
from blinksim.report.telling import ENOUGH, against, by_players, rough, said_number, said_share
from blinksim.report.topic import Frames
from blinksim.report.topics import economy_tables
from blinksim.report.words import listed, number, percent


def of_measure(frame: pl.DataFrame, measure: str) -> pl.DataFrame:
    """The rows of one measure."""
    return frame.filter(pl.col("measure") == measure)


def tricks(frames: Frames) -> str:
    """What wins a trick, and how often the short meld does."""
    means, short = frames["economy.place_means"], frames["economy.short_melds"]
    last = pl.col("place") == pl.col("place").max().over("players")

    def ends(name: str, digits: int) -> str:
        frame = of_measure(means, name)
        best = {row["players"]: row["value"] for row in frame.filter(pl.col("place") == 1).iter_rows(named=True)}
        return by_players(
            frame.filter(last),
            lambda row: f"{number(best[row['players']], digits)} against {number(row['value'], digits)}",
        )

    text = (
        f"What wins a trick: cards of the winning meld against that in last place, on the average {ends('cards', 1)}; "
        f"totals {ends('total', 0)}."
    )
    wins, melds = of_measure(short, "shorter wins"), of_measure(short, "shorter melds")
    if wins.is_empty():
        return f"{text} All melds of a trick had the same number of cards, in every trick."
    text += (
        f" Does the short meld win? {_upper(against(wins, melds, SHORT_WORDS))}. Where melds differ in length, tricks "
        "won by one shorter than the longest: "
        f"{by_players(wins, said_share)}; of the melds there, shorter than the longest are "
        f"{by_players(melds, _alone)}; tricks won by the one that is shorter than every other: "
        f"{by_players(of_measure(short, 'shortest wins'), said_share)}."
    )
    helped = of_measure(short, "helped by A")
    if not helped.is_empty():
        text += f" Wins of shorter melds that had a victory card on A to help: {by_players(helped, said_share)}."
    return text


SHORT_WORDS = ("less than its number would give", "about as its number would give", "more than its number would give")
DUES_WORDS = (
    "last place pays them less than their share", "last place pays them about their share",
    "last place pays them more than their share",
)  # fmt: skip


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _alone(row: dict[str, Any]) -> str:
    return percent(row["value"])


def catch_up(frames: Frames) -> str:
    """Whether the dues go to those who are behind."""
    behind = frames["economy.dues_by_position"].filter(pl.col("position") == "behind")
    if behind.is_empty():
        return "No game got to its second round, so nothing is known of whom the dues help."
    parts = {}
    for source in ("last place", "set aside", "seats"):
        rows = behind.filter(pl.col("source") == source)
        parts[source] = by_players(rows, said_share) or "none was paid"
    paid, seats = (behind.filter(pl.col("source") == name) for name in ("last place", "seats"))
    gap = frames["economy.gap_before_dues"].filter(pl.col("source") == "dues")
    standings = of_measure(frames["economy.dues_by_standing"], "dues")
    lead = {row["players"]: row for row in standings.filter(pl.col("standing") == 1).iter_rows(named=True)}
    trailing = standings.filter(pl.col("standing") == pl.col("standing").max().over("players"))
    back = by_players(trailing, lambda row: f"{said_number(row)} against {said_number(lead[row['players']])}")
    text = (
        f"Do the dues go to those who are behind? {_upper(against(paid, seats, DUES_WORDS))}. Coins for last place "
        f"that go to seats behind the mean score of the others: {parts['last place']}; coins for cards set aside: "
        f"{parts['set aside']}; all seats that are behind, to compare with: {parts['seats']}."
    )
    if not gap.is_empty():
        text += f" Mean distance to the others of who gets a coin of the dues: {by_players(gap, _gap_word)}."
    return f"{text} Gold of the dues a round for the last by score, against the leader's: {back}."


def _gap_word(row: dict[str, Any]) -> str:
    return f"{number(abs(row['value']), 1)} points {'behind' if row['value'] < 0 else 'ahead'}"


def gold_flows(frames: Frames) -> str:
    """Where gold comes from and goes."""
    lines = []
    for (players,), part in frames["economy.gold"].group_by(["players"], maintain_order=True):
        rows = {row["measure"]: row for row in part.iter_rows(named=True)}
        if rows[gold.ALL_IN]["value"] > 0:
            lines.append(
                f"with {players} players {said_number(rows[gold.ALL_IN], 1)}, from {_largest(rows, [*gold.SOURCES])}, "
                f"spent or kept as {_largest(rows, [*gold.SINKS, gold.UNSPENT])}"
            )
    if not lines:
        return "Nobody ever got any gold."
    text = f"Gold goes mostly into {_mostly(frames['economy.gold'])}. Gold of a seat in a game: {'; '.join(lines)}."
    left = frames["economy.unspent_by_result"]
    if left.is_empty():
        return text
    winners, others = (by_players(left.filter(pl.col("result") == name), said_number) for name in ("winners", "others"))
    nothing = by_players(frames["economy.unspent"].filter(pl.col("gold") == 0), said_share) or "none"
    return f"{text} Unspent at the end: winners {winners}; others {others}. Seats that have nothing left: {nothing}."


def _mostly(flows: pl.DataFrame) -> str:
    """What most gold becomes, all player counts together."""
    sinks = flows.filter(pl.col("measure").is_in([*gold.SINKS, gold.UNSPENT]))
    sums = sinks.group_by("measure", maintain_order=True).agg((pl.col("value") * pl.col("n_games")).sum())
    most = sums.sort("value", descending=True, maintain_order=True)["measure"][0]
    return "nothing: most is left unspent" if most == gold.UNSPENT else str(most)


def _largest(rows: dict[str, dict[str, Any]], names: list[str]) -> str:
    """Parts of all gold that came in, the largest first."""
    best = sorted((name for name in names if rows[name]["value"] > 0), key=lambda name: -rows[name]["value"])
    return listed(f"{name} {rough(rows[name]['of_all'])}" for name in best) if best else "nothing"


def cards(frames: Frames) -> str:
    """What cards are used for."""
    lines = []
    for (players,), part in frames["economy.uses_of_all"].group_by(["players"], maintain_order=True):
        used = part.filter(pl.col("value") > 0).sort("value", descending=True, maintain_order=True)
        shares = listed(f"{row['use']} {rough(row['value'])}" for row in used.iter_rows(named=True))
        lines.append(f"with {players} players {shares}")
    if not lines:
        return "No card was ever used."
    ranks = frames["economy.uses_by_rank"].filter(pl.col("n_blocks") >= ENOUGH)
    found = []
    for use in ("settle", "attack", "cash", "set aside"):
        best = ranks.filter((pl.col("use") == use) & (pl.col("value") > 0))
        if not best.is_empty():
            row = best.sort("value", descending=True, maintain_order=True).row(0, named=True)
            found.append(f"{use} for {row['rank']} ({said_share(row)} of its uses, with {row['players']} players)")
    text = f"What is done with cards: {'; '.join(lines)}."
    return text + (f" The largest part of any rank: {'; '.join(found)}." if found else "")


def research(facts: RunFacts, frames: Frames) -> str:
    """How often research fails, and trade."""
    found, names = frames["economy.improvements"], economy_tables.cap_names(facts)
    failed = of_measure(found, "failed").filter(pl.col("n_blocks") >= ENOUGH).sort("cap", "players")
    lines = [
        f"{names[int(str(cap))]} {by_players(part, said_share)}"
        for (cap,), part in failed.group_by(["cap"], maintain_order=True)
        if (part["value"] > 0).any()
    ]
    if failed.is_empty():
        said = "Not enough games had research to say how often it fails."
    else:
        named = f"Researches that fail, finding nothing within the cap: {'; '.join(lines)}."
        said = named if lines else "No research failed."
        said += " In the tiers not named none failed." if lines and len(lines) < failed["cap"].n_unique() else ""
    rates = found.filter((pl.col("kind") == "trade") & (pl.col("measure") == "a turn") & (pl.col("n_blocks") >= ENOUGH))
    most = rates.sort("value", descending=True, maintain_order=True).head(1)
    for row in most.iter_rows(named=True):
        where = f"in {names[row['cap']]} with {row['players']} players"
        said += f" Trade is most frequent {where}: {said_number(row)} a turn." if row["value"] else " Nobody traded."
    return said

"""Tables of the section on walls."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis.stale import RIVALS
from blinksim.report.common import basis_cells, players_title, share_cells, table_rows
from blinksim.report.parts import Table
from blinksim.report.source import RunFacts
from blinksim.report.telling import NOT_ENOUGH, TERRAINS, is_thin, thin_number, thin_share
from blinksim.report.topic import Frames
from blinksim.report.words import NOTHING, count, interval, number, percent

MEETS = {
    "coin": "tile with a coin",
    "no coin": "tile without",
    "wall": "a wall fought",
    "card": "a card answered",
    "bare": "nothing fought",
}


def _wide(frame: pl.DataFrame, keys: list[str], measures: list[str]) -> list[dict[str, Any]]:
    """One row per group, its measures as rows by name."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(tuple(row[key] for key in keys), {})[row["measure"]] = row
    return [dict(zip(keys, key, strict=True)) | rows for key, rows in found.items() if measures[0] in rows]


def fights(facts: RunFacts, frame: pl.DataFrame) -> Table:
    """How often units are attacked, by the tier of their owner."""
    shares = ["beaten", "sent home", "captured"]
    rows = []
    for row in _wide(frame, ["players", "defender_tier"], ["attacks a round"]):
        rate, part = row["attacks a round"], row.get("of all attacks")
        known = row.get("beaten")
        rows.append(
            [
                players_title(row["players"]), facts.tier_names[row["defender_tier"]], *thin_number(rate),
                percent(part["value"]) if part else NOTHING,
                *[thin_share(row[name])[0] if name in row else NOTHING for name in shares],
                count(known["n_games"]) if known else "0", count(rate["n_blocks"]),
            ]
        )  # fmt: skip
    columns = ["players", "defender's tier", "attacks a round", "interval", "of all attacks", *shares]
    note = "Attacks a round: on a seat in a round that it began in this tier. The other shares are of the attacks."
    return Table("Fights by tier of the defender", [*columns, "attacks", "deals"], rows, heads=2, note=note)


def against(frame: pl.DataFrame) -> Table:
    """What attacks met, and how they fared."""
    rows = table_rows(
        frame,
        lambda row: [players_title(row["players"]), MEETS[row["against"]], *thin_share(row), *basis_cells(row)],
    )
    note = "The first two kinds are all attacks, as the attacker saw them; so are the last three, by what then fought."
    return Table(
        "Attacks that beat a unit, by what they met", ["players", "met", "beat a unit", "interval", "attacks", "deals"],
        rows, heads=2, note=note,
    )  # fmt: skip


def stale(facts: RunFacts, frames: Frames) -> Table:
    """From which round half of the seats could break a wall."""
    shares = {(r["players"], r["wall_tier"], r["round"]): r for r in frames["walls.holders"].iter_rows(named=True)}
    shown = (2, 4, 6, 8)

    def cells(row: dict[str, Any]) -> list[str]:
        own = row["wall_tier"] == RIVALS
        at = [shares.get((row["players"], row["wall_tier"], number)) for number in shown]
        name = "the rival's, as it is" if own else facts.tier_names[row["wall_tier"]]
        needed = (
            NOTHING if own else str(row["needed"]) if row["needed"] <= facts.parameters["cards"]["rank_max"] else "none"
        )
        return [
            players_title(row["players"]), name, needed,
            NOT_ENOUGH if is_thin(row) else "never" if row["value"] is None else f"{row['value']:g}",
            "" if is_thin(row) or row["low"] is None else interval(row["low"], row["high"], 0),
            *[thin_share(share)[0] if share else NOTHING for share in at], count(row["n_blocks"]),
        ]  # fmt: skip

    columns = ["players", "wall of", "rank needed", "half can from round", "interval"]
    return Table(
        "Who could break a wall when about to lay",
        [*columns, *[f"round {number}" for number in shown], "deals"],
        table_rows(frames["walls.stale"], cells),
        heads=2,
    )


def coins(frame: pl.DataFrame) -> Table:
    """What walls cost and what became of attacks on them."""
    names = {
        "bought": "coins bought",
        "free": "coins by effect B",
        "attacked": "attacks on tiles with a coin",
        "beaten": "a unit beaten all the same",
        "held by card": "held by a card",
        "held by wall": "held by the wall",
        "saved": "units saved by walls",
        "saved a coin": "units saved for each coin",
    }
    rows = table_rows(
        frame.filter(pl.col("measure").is_in(list(names))),
        lambda row: [players_title(row["players"]), names[row["measure"]], *thin_number(row, 3), *basis_cells(row)],
    )
    return Table(
        "Coins and what they did, for a seat in a game", ["players", "", "mean", "interval", "games", "deals"], rows,
        heads=2, detail=True,
    )  # fmt: skip


def deterred(frames: Frames) -> Table:
    """Who attacks tiles with a coin."""
    slopes = {row["players"]: row for row in frames["walls.within_deals"].iter_rows(named=True)}
    rows = []
    for row in _wide(frames["walls.turned_away"], ["players"], ["expected"]):
        slope = slopes.get(row["players"])
        rows.append(
            [
                players_title(row["players"]), *thin_share(row["expected"]), *thin_share(row["observed"]),
                *thin_share(row["turned away"]), *(thin_number(slope) if slope else [NOTHING, ""]),
                count(row["observed"]["n_games"]), count(row["observed"]["n_blocks"]),
            ]
        )  # fmt: skip
    columns = [
        "players", "could break it", "interval", "could not", "interval", "turned away", "interval",
        "attacks for a coin", "interval", "attacks", "deals",
    ]  # fmt: skip
    note = (
        "Could, could not: part of the attacks that fell on tiles with a coin, by whether the attacker held a breaking "
        "card. Attacks for a coin: more attacks received with each coin bought, between games of one deal and player; "
        "a description, not an effect."
    )
    return Table("Attackers and walls", columns, rows, note=note)


def strikes(frame: pl.DataFrame) -> Table:
    """Early strikes on homelands."""
    rows = table_rows(
        frame.filter(pl.col("measure") != "any attack"),
        lambda row: [
            players_title(row["players"]), row["measure"], f"by round {row['round']}", count(row["games"]),
            *share_cells(row), *basis_cells(row),
        ],
    )  # fmt: skip
    columns = ["players", "", "", "games with it", "share", "interval", "games", "deals"]
    return Table("Strikes on homelands that their players hold", columns, rows, heads=3, detail=True)


def breakpoints(facts: RunFacts, frames: Frames) -> Table:
    """Where walls break, on paper and in play, by tier and terrain."""
    keys = ("players", "defender_tier", "terrain")
    met = {
        (*(row[key] for key in keys), row["against"]): row
        for row in frames["walls.success_by_tile"].iter_rows(named=True)
    }

    def cells(row: dict[str, Any]) -> list[str]:
        where = tuple(row[key] for key in keys)
        thin = is_thin(row)
        high = number(row["high"], 0) if row["high"] == row["high"] else "above"
        in_play = [NOT_ENOUGH, ""] if thin else [number(row["value"], 0), f"{number(row['low'], 0)} to {high}"]
        shares = [met.get((*where, kind)) for kind in ("coin", "no coin")]
        return [
            players_title(row["players"]), facts.tier_names[row["defender_tier"]], TERRAINS[row["terrain"]],
            NOTHING if row["paper"] is None else str(row["paper"]), *in_play,
            NOTHING if row["lowest"] is None else str(row["lowest"]),
            *[cell for share in shares for cell in (thin_share(share) if share else [NOTHING, ""])], *basis_cells(row),
        ]  # fmt: skip

    columns = [
        "players", "tier", "terrain", "on paper", "in play", "interval", "lowest tried", "beaten with a coin",
        "interval", "beaten without", "interval", "attacks on coins", "deals",
    ]  # fmt: skip
    return Table(
        "The rank at which walls break, on paper and in play; attacks that beat a unit",
        columns, table_rows(frames["walls.breakpoints"], cells), heads=3, detail=True,
    )  # fmt: skip

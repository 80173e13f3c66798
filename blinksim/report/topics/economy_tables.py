"""Tables of the section on tricks, dues and coins."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import card_uses, gold
from blinksim.report.common import basis_cells, players_title, table_rows
from blinksim.report.parts import Table
from blinksim.report.source import RunFacts
from blinksim.report.telling import ENOUGH, NOT_ENOUGH, TERRAINS, is_thin, thin_number, thin_share
from blinksim.report.words import NOTHING, count, interval, listed, number, percent

IN_WORDS = {
    "uneven": "not all of one length, of all tricks",
    "shorter melds": "shorter than the longest, of the melds there",
    "shorter wins": "won by one shorter than the longest",
    "two or more short wins": "won by one shorter by two cards or more",
    "shortest wins": "won by one shorter than every other",
    "helped by A": "with a card on A, of the wins of shorter melds",
}


def cap_names(facts: RunFacts) -> dict[int, str]:
    """Names of the tiers by rank cap."""
    found: dict[int, list[str]] = {}
    for name, cap in zip(facts.tier_names, facts.parameters["tiers"]["rank_cap"], strict=True):
        found.setdefault(int(cap), []).append(name)
    return {cap: "/".join(names) for cap, names in found.items()}


def _by(frame: pl.DataFrame, keys: list[str], name: str) -> dict[tuple[Any, ...], dict[Any, dict[str, Any]]]:
    """Rows by the columns ``keys``, and within them by the column ``name``."""
    found: dict[tuple[Any, ...], dict[Any, dict[str, Any]]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(tuple(row[key] for key in keys), {})[row[name]] = row
    return found


def places(frame: pl.DataFrame) -> Table:
    """Cards and total of the melds that took each place."""
    rows = [
        [
            players_title(players), f"place {place}", *thin_number(kinds["cards"]), *thin_number(kinds["total"], 1),
            *basis_cells(kinds["total"]),
        ]
        for (players, place), kinds in _by(frame, ["players", "place"], "measure").items()
    ]  # fmt: skip
    columns = ["players", "", "cards", "interval", "total", "interval", "melds", "deals"]
    return Table("Melds by their place in the trick", columns, rows, heads=2)


def cards_and_place(frame: pl.DataFrame) -> Table:
    """How often melds of so many cards took each place."""
    wide = _by(frame, ["players", "meld_cards"], "place")
    most = max((len(found) for found in wide.values()), default=0)
    rows = []
    for (players, cards), found in wide.items():
        cells = [thin_share(found[place]) if place in found else [NOTHING, ""] for place in range(1, most + 1)]
        one = next(iter(found.values()))
        rows.append([players_title(players), str(cards), *[part for cell in cells for part in cell], *basis_cells(one)])
    heads = [part for place in range(1, most + 1) for part in (f"place {place}", "interval")]
    return Table(
        "Place in the trick by number of cards", ["players", "cards", *heads, "melds", "deals"], rows, heads=2,
        detail=True,
    )  # fmt: skip


def short_melds(frame: pl.DataFrame) -> Table:
    """How often the short meld wins."""
    rows = table_rows(
        frame,
        lambda row: [players_title(row["players"]), IN_WORDS[row["measure"]], *thin_share(row), *basis_cells(row)],
    )
    note = "Wins are of the tricks whose melds are not all of one length; of: what the share is of."
    return Table(
        "How often the short meld wins", ["players", "", "share", "interval", "of", "deals"], rows, heads=2, note=note
    )


def positions(frame: pl.DataFrame, gaps: pl.DataFrame) -> Table:
    """Whether those paid by the dues stand behind, and the mean distance of who gets a coin of them."""
    titles = {"last place": "coins for last place", "set aside": "coins for cards set aside", "seats": "all seats"}
    rows = []
    for (players, source), found in _by(frame, ["players", "source"], "position").items():
        cells = [part for name in ("behind", "level", "ahead") for part in thin_share(found[name])]
        rows.append([players_title(players), titles[source], *cells, *basis_cells(found["behind"])])
    columns = ["players", "", "behind", "interval", "level", "interval", "ahead", "interval", "coins or seats", "deals"]
    paid = gaps.filter((pl.col("source") == "dues") & (pl.col("n_blocks") >= ENOUGH)).sort("players")
    said = [
        f"{number(row['value'])} ({interval(row['low'], row['high'])}) with {row['players']} players"
        for row in paid.iter_rows(named=True)
    ]
    return Table(
        "Who gets the dues, by score before the trick against the mean of the others", columns, rows, heads=2,
        note=f"Points between who gets a coin of the dues and the others, below zero behind: {listed(said)}."
        if said else "",
    )  # fmt: skip


def standings(frame: pl.DataFrame) -> Table:
    """What the dues pay, by place in score."""
    names = ("last place", "set aside", "dues")
    rows = []
    for (players, standing), found in _by(frame, ["players", "standing"], "measure").items():
        cells = [part for name in names for part in thin_number(found[name])]
        rows.append([players_title(players), f"{standing}. by score", *cells, *basis_cells(found["dues"])])
    columns = ["players", "", "for last place", "interval", "for cards set aside", "interval", "both", "interval"]
    return Table(
        "Gold of the dues a round, by place in score before the trick", [*columns, "rounds of a seat", "deals"], rows,
        heads=2, detail=True,
    )  # fmt: skip


def flows(frame: pl.DataFrame) -> Table:
    """Where gold comes from and goes."""
    rows = table_rows(
        frame,
        lambda row: [
            players_title(row["players"]), "in" if row["measure"] in [*gold.SOURCES, gold.ALL_IN] else "out",
            row["measure"], *thin_number(row), percent(row["of_all"]), *basis_cells(row),
        ],
    )  # fmt: skip
    columns = ["players", "", "", "gold", "interval", "of all that came in", "games", "deals"]
    return Table("Gold of a seat in a game", columns, rows, heads=3, detail=True)


def by_tier(facts: RunFacts, frame: pl.DataFrame) -> Table:
    """Gold a round by tier."""
    rows = []
    for (players, tier), found in _by(frame, ["players", "tier"], "measure").items():
        cells = [part for name in gold.TIER_PARTS for part in thin_number(found[name])]
        rows.append([players_title(players), facts.tier_names[tier], *cells, *basis_cells(found[gold.OTHER])])
    heads = [part for name in gold.TIER_PARTS for part in (name, "interval")]
    return Table(
        "Gold of a seat in a round, by the tier in which it began; research and trade are paid",
        ["players", "tier", *heads, "rounds of a seat", "deals"], rows, heads=2, detail=True,
    )  # fmt: skip


def unspent(frame: pl.DataFrame) -> Table:
    """Gold left at the end, of winners and others."""
    rows = table_rows(
        frame, lambda row: [players_title(row["players"]), row["result"], *thin_number(row), *basis_cells(row)]
    )
    return Table("Gold left at the end", ["players", "", "gold", "interval", "seats", "deals"], rows, heads=2)


def improvements(facts: RunFacts, frame: pl.DataFrame) -> Table:
    """Research and trade by tier."""
    names = cap_names(facts)
    rows = []
    for (players, cap, kind), found in _by(frame, ["players", "cap", "kind"], "measure").items():
        cells = [thin_number(found["a turn"]) if "a turn" in found else [NOTHING, ""]]
        cells.append(thin_number(found["price"]) if "price" in found else [NOTHING, ""])
        cells.append(thin_share(found["failed"]) if "failed" in found else [NOTHING, ""])
        cells.append(thin_share(found["to hand"])[:1] if "to hand" in found else [NOTHING])
        done = found.get("failed") or found.get("price")
        basis = found.get("a turn") or done
        rows.append(
            [
                players_title(players), names.get(cap, f"cap {cap}"), kind, *[part for cell in cells for part in cell],
                count(done["n_games"]) if done else "0", count(basis["n_blocks"]) if basis else "0",
            ]
        )  # fmt: skip
    columns = ["players", "tier", "", "a turn", "interval", "price", "interval", "failed", "interval", "to hand"]
    note = "A turn: done, or tried in vain, for each turn begun in the tier. Price: of those that were bought."
    return Table("Research and trade by tier", [*columns, "how many", "deals"], rows, heads=3, note=note)


def uses(suits: pl.DataFrame, every: pl.DataFrame) -> Table:
    """Uses of cards by suit."""
    total = every.with_columns(suit=pl.lit("all")).select(suits.columns)
    frame = pl.concat([suits, total]).sort("players", maintain_order=True)
    named = frame.with_columns(suit=pl.col("suit").replace(TERRAINS))
    return _uses("What cards are used for, by suit", named, "suit")


def uses_by_rank(ranks: pl.DataFrame) -> Table:
    """Uses of cards by rank."""
    return _uses("What cards are used for, by rank", ranks, "rank", detail=True)


def _uses(caption: str, frame: pl.DataFrame, by: str, detail: bool = False) -> Table:
    rows = []
    for (players, what), found in _by(frame, ["players", by], "use").items():
        one = next(iter(found.values()))
        cells = [NOT_ENOUGH if is_thin(found[use]) else percent(found[use]["value"]) for use in card_uses.USES]
        rows.append([players_title(players), str(what), *cells, *basis_cells(one)])
    columns = ["players", by, *card_uses.USES, "uses", "deals"]
    return Table(caption, columns, rows, heads=2, detail=detail)

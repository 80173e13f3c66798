"""Cards: what a rank or a suit is worth, asked in three ways of which one is fair."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis import cards, lift
from blinksim.analysis.estimates import MARGIN, Verdict
from blinksim.report import figures_cards
from blinksim.report.common import BASIS, basis_cells, of_players, panels, players_title, table_rows
from blinksim.report.figures_lift import lift_dots
from blinksim.report.flags import FALSE_FLAGS
from blinksim.report.parts import FigureGroup, Headline, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics.findings import at, of_players_of, typical
from blinksim.report.words import interval, listed, plural

SUIT_NAMES = {"P": "Plains", "F": "Forest", "O": "Ocean", "M": "Mountain"}


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """What being dealt, researching and playing each rank and suit goes with."""
    deck = source.facts.parameters["cards"]
    seats = source.scan("seats")
    all_ranks = range(deck["rank_min"], deck["rank_max"] + 1)
    came_by = cards.came_by_lift(source.scan("cards"), seats, all_ranks)
    results = lift.outcomes(seats)
    if source.run is None:  # records: their hands are not those of a run's seed
        return {"cards.lift": pl.concat([pl.DataFrame(schema=cards.SCHEMA), came_by])}
    starting = range(deck["rank_min"], deck["starting_rank_max"] + 1)
    return {"cards.lift": pl.concat([cards.dealt_lift(results, hands_dealt(source), starting), came_by])}


def hands_dealt(source: Source) -> cards.Hands:
    """What a run's seed deals."""
    assert source.run is not None, "records have no seed"
    game, parameters = source.run.game, source.facts.parameters
    ruleset, seed = game.parse_ruleset(parameters), source.facts.seed
    size = parameters["setup"]["hand_size"]

    def hands(players: int, first: int, many: int) -> np.ndarray:
        deals: Any = game.make_deals(ruleset, seed, players, first, many)
        dealt: np.ndarray = deals.starting_decks[:, : players * size].reshape(many, players, size)
        return dealt

    return hands


def tell(facts: RunFacts, frames: Frames) -> Section:
    """Lifts of ranks and suits, fair and naive."""
    found = frames["cards.lift"].with_columns(
        flagged=(pl.col("q") < FALSE_FLAGS).fill_null(False),
        label=pl.when(pl.col("kind") == "rank")
        .then(pl.format("rank {}", "item"))
        .otherwise(pl.col("item").replace(SUIT_NAMES)),
    )
    enough = found.filter(pl.col("n_blocks") >= lift.MIN_BLOCKS)
    dealt = enough.filter(pl.col("way") == "dealt")
    ranks = enough.filter(pl.col("kind") == "rank")
    dealt_panels = panels(
        facts.players, "cards-dealt", dealt, lambda part, n: lift_dots(part, title=players_title(n)), _say,
        "Points of win share that one more card of a rank or suit in the hand dealt adds",
    )  # fmt: skip
    way_panels = panels(
        facts.players, "cards-ways", ranks, lambda part, n: figures_cards.rank_dots(part, title=players_title(n)),
        _say, "Points of win share that go with a card, by rank and by way of asking",
    )  # fmt: skip
    return Section(
        "cards",
        "Cards",
        [_dealt_in_words(found), _researched_in_words(enough), _differ_in_words(enough)],
        [
            FigureGroup(
                "What being dealt a card does",
                dealt_panels,
                "Points: points of win share for one more card of the rank or suit in the hand dealt, instead of "
                "another card. Lines: 95 % intervals (t, over deals). Squares: flagged, q under "
                f"{FALSE_FLAGS:g} over all tests of the page. Dashed: no difference.",
            ),
            FigureGroup(
                "Three ways of asking",
                way_panels,
                "Circles: dealt, which is what the card does. Squares: researched, compared between seats of one "
                "strategy on one deal that researched equally many cards. Triangles: win rate when played, less an "
                "even share. Lines: 95 % intervals, over deals. Only the first is a cause.",
            ),
        ],
        [_table(found)],
        [
            "Dealt: hands are dealt at random, so that hands of a deal with more of a rank and hands with fewer differ "
            "by luck alone. The hand counts as dealt, before any draft: a player may pass a card on, and what is "
            "measured is what it does to get it, whatever is then done with it. A hand has a fixed number of cards, so "
            "one more of a rank is one fewer of the others.",
            "Researched: chosen, hence an association. Comparing seats of the same strategy and deal with equally many "
            "cards researched takes away how long and how busily a seat researched, but not how well it was doing: "
            "the higher ranks can only be taken by those whose tier is high.",
            "Played: what a tally of results gives, each card that was laid in a meld counting once for its player. It "
            "misleads for two reasons. Selection: high ranks are played by those who have climbed far enough to take "
            "them, and low ones are retired early by those who improve their hands. Length: the longer a game and the "
            "more turns a seat makes of it, the more of its cards come into play.",
            "Only what was dealt is tested and flagged: what is chosen goes with how a game is going, so that a test "
            "would say nothing about the card. "
            f"Being dealt cards is fair where all intervals lie within {100 * MARGIN:g} points of win share, not fair "
            "where that of a flagged one lies wholly outside. "
            f"Cells that fewer than {lift.MIN_BLOCKS} deals tell anything about are not tested.",
        ],
        _headlines(facts, found.filter(pl.col("way") == "dealt")),
    )


def _headlines(facts: RunFacts, dealt: pl.DataFrame) -> list[Headline]:
    found = []
    for players in facts.players:
        rows = of_players(dealt, players)
        known = rows.filter(pl.col("n_blocks") >= lift.MIN_BLOCKS).sort(pl.col("value").abs())
        if not known.is_empty():
            furthest = known.row(-1, named=True)
            sentence = (
                f"Furthest from none is one more card of {furthest['label']} in the hand dealt: "
                f"{_lift(furthest)} points of win share."
            )
            found.append(Headline("Cards", players, sentence, str(lift.verdict(rows))))
    return found


def _say(part: pl.DataFrame) -> list[str]:
    several = part["way"].n_unique() > 1
    return [f"{row['way'] + ' ' if several else ''}{row['label']} {_lift(row)}" for row in part.iter_rows(named=True)]


def _lift(row: dict[str, Any]) -> str:
    return f"{100 * row['value']:+.1f} ({interval(100 * row['low'], 100 * row['high'])})"


def _dealt_in_words(found: pl.DataFrame) -> str:
    dealt = found.filter(pl.col("way") == "dealt")
    if dealt.is_empty():
        return "Who was dealt which cards is not known of these games, so that only associations can be told."
    tested = int(dealt["p"].is_not_null().sum())
    if tested == 0:
        return "There are not enough games to say what being dealt a card does."
    flagged = dealt.filter("flagged")
    if flagged.is_empty():
        return (
            f"Of {plural(tested, 'test')} of what one more card of a rank or suit in the hand dealt does, none stands "
            "out after the correction for being many: the draw of the hand is not seen to decide."
        )
    some = typical(flagged.sort(pl.col("value").abs(), descending=True).unique("players", maintain_order=True))
    row = some or flagged.sort("q").row(0, named=True)
    rest = flagged.height - 1
    others = "no other stands out"
    if rest:
        also = sorted(set(flagged["label"]) - {row["label"]})
        others = "no other card stands out with any number of players"
        if also:
            others = f"flagged, too: {listed(also[:MOST_SAID])}" + (" and more" if len(also) > MOST_SAID else "")
    return (
        f"The draw of the hand matters for {row['label']}: one more of it {at(row)} changes the share of wins by "
        f"{_lift(row)} points; {others}."
    )


MOST_SAID = 3
"""So many further cards are named that are flagged."""


def _researched_in_words(enough: pl.DataFrame) -> str:
    rows = enough.filter((pl.col("way") == "researched") & (pl.col("kind") == "rank"))
    several = rows.filter(pl.len().over("players") > 1)
    some = typical(several.unique("players", keep="first", maintain_order=True))
    if some is None:
        return "There are not enough games to say what goes with researching a card."
    part = of_players_of(several, some).sort("value")
    low, high = part.row(0, named=True), part.row(-1, named=True)
    return (
        f"Among seats that researched equally many cards, {at(high)}, wins go up most with {high['label']}, "
        f"{_lift(high)} points for a card, and down most with {low['label']}, {_lift(low)}. That need not be the "
        "card's doing."
    )


def _differ_in_words(enough: pl.DataFrame) -> str:
    """Where the tally is furthest from what the cards do, or else from a fairer comparison."""
    ranks = enough.filter(pl.col("kind") == "rank")
    for way in ("dealt", "researched"):
        fair = ranks.filter(pl.col("way") == way).select("players", "label", fair="value")
        both = ranks.filter(pl.col("way") == "played").join(fair, on=["players", "label"])
        some = typical(both.unique("players", keep="first", maintain_order=True))
        if some is not None:
            part = of_players_of(both, some).sort((pl.col("value") - pl.col("fair")).abs())
            row = part.row(-1, named=True)
            return (
                f"A tally of the cards played misleads, most of all {at(row)} for {row['label']}: it says "
                f"{100 * row['value']:+.1f} points, against {100 * row['fair']:+.1f} when {way}. High ranks are "
                "played by those who have climbed, and more cards are played in long games; the notes say why."
            )
    return "There are not enough games to hold a tally of the cards played against anything."


def _table(found: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        thin = row["n_blocks"] < lift.MIN_BLOCKS
        flag = "flagged" if row["flagged"] else str(Verdict.NOT_ENOUGH) if thin else ""
        estimate = ["–", "–"] if thin else [f"{100 * row['value']:+.1f}", interval(100 * row["low"], 100 * row["high"])]
        q = "–" if row["q"] is None else "< 0.001" if row["q"] < 0.001 else f"{row['q']:.3f}"
        return [players_title(row["players"]), row["label"], row["way"], *estimate, q, flag, *basis_cells(row)]

    order = {"dealt": 0, "researched": 1, "played": 2}
    rows = found.with_columns(
        number=pl.when(pl.col("kind") == "rank").then(pl.col("item").cast(pl.Int64, strict=False)),
        order=pl.col("way").replace_strict(order, return_dtype=pl.Int64),
    ).sort("players", "kind", "number", "item", "order")
    return Table(
        "Points of win share for one card more of a rank or suit, by way of asking",
        ["players", "card", "way", "difference", "interval", "q", "flag", *BASIS],
        table_rows(rows, cells),
        heads=3,
        note="Only what was dealt is tested: that something goes together where players choose is no surprise.",
        detail=True,
    )


TOPIC = Topic("cards", measure, tell)

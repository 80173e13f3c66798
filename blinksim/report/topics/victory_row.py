"""Victory row: what it scores, what becomes of its cards, and what spending them costs and brings."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import lift, victory_row
from blinksim.analysis.estimates import Verdict
from blinksim.report import figures_row
from blinksim.report.common import panels, players_title, table_rows
from blinksim.report.parts import FigureGroup, Headline, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics.findings import at, of_players_of, span_number, typical
from blinksim.report.words import count, interval, listed, number, percent, percent_interval, plural

SHARES = ("share_of_score", "centre_scores", "full", "share_of_seats", "win_share", "to_first")
"""Measures that are told in per cent; the others are numbers."""
SAID = {
    "cards": "cards in the row", "score": "points for the row", "share_of_score": "row's share of the score",
    "centre_scores": "rows whose centre scores", "centre_rank": "rank of a centre that scores", "full": "full rows",
    "cost": "cost in points", "places": "places gained in the trick", "to_first": "made its player win the trick",
    "tiles": "tiles laid", "units": "units placed", "coins": "coins",
}  # fmt: skip
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Rows at the end, by who had them and by size; what became of their cards; what those spent cost and brought."""
    rules = victory_row.RowRules.of(source.facts.parameters)
    seats = source.scan("seats")
    ends = victory_row.end_blocks(seats, rules)
    spent = victory_row.spend_blocks(seats, source.scan("spends"), rules)
    return {
        "victory_row.at_end": victory_row.rows_at_end(ends),
        "victory_row.by_size": victory_row.rows_by_size(ends),
        "victory_row.fates": victory_row.fates(seats, source.scan("improvements"), spent, rules),
        "victory_row.spending": victory_row.spending(spent, rules),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """The victory row's points, cards and spending."""
    rules = victory_row.RowRules.of(facts.parameters)
    ends, sizes = frames["victory_row.at_end"], frames["victory_row.by_size"]
    fates = _labelled(frames["victory_row.fates"], rules)
    spending = _labelled(frames["victory_row.spending"], rules)
    costs = _costs(spending)
    fate_panels = panels(
        facts.players, "row-fates", fates.filter(pl.col("n_blocks") >= lift.MIN_BLOCKS),
        lambda part, n: figures_row.fate_bars(part, title=players_title(n)),
        _say_fates, "What becomes of cards that enter the row, by rank",
    )  # fmt: skip
    cost_panels = panels(
        facts.players, "row-costs", costs.filter(pl.col("n_blocks") >= lift.MIN_BLOCKS),
        lambda part, n: figures_row.cost_dots(part, title=players_title(n)),
        lambda part: [f"{r['label']} costs {number(r['value'], 2)} points and brings {r['brought']}"
                      for r in part.iter_rows(named=True)],
        "What a card spent costs and brings",
    )  # fmt: skip
    size_panels = panels(
        facts.players, "row-sizes", _by_size(sizes, rules),
        lambda part, n: figures_row.size_bars(part, title=players_title(n)),
        lambda part: [f"{plural(r['size'], 'card')} {number(r['score'])} points, {percent(r['won'])} of games won"
                      for r in part.iter_rows(named=True)],
        "Mean points of rows by size",
    )  # fmt: skip
    return Section(
        "victory-row",
        "Victory row",
        [_sizes_in_words(sizes, rules), *_ends_in_words(ends), *_spending_in_words(fates, costs)],
        [
            FigureGroup(
                "The third card and the fifth",
                size_panels,
                "Bars: mean points of rows with so many cards at the end, for the cards and for the centre; lines: "
                "95 % intervals of the two together (t, over deals). Above: how many of those seats' games were won, "
                "which goes with the size and need not come from it. Decided games; sizes that fewer than "
                f"{lift.MIN_BLOCKS} deals have are left out.",
            ),
            FigureGroup(
                "Kept or spent",
                fate_panels,
                "Bars: of the cards of each band that entered a row, the share that was there at the end, was spent on "
                "an effect, or left a full row. All games; the intervals stand in the table.",
            ),
            FigureGroup(
                "What spending costs and brings",
                cost_panels,
                "Points: how much more the row would have scored at the end with the card still in it, all else as it "
                "was; 95 % intervals (t, over deals). Beside the plot: what a card brought on average. A unit on the "
                "map is worth points too while it stays there.",
            ),
        ],
        [_ends_table(ends), _sizes_table(sizes), _fates_table(fates), _spending_table(spending)],
        [
            f"A row scores {number(rules.points_per_card, 0)} for each card"
            + (
                f" and, from {rules.centre_from} cards on, the rank of the {ORDINALS[rules.centre - 1]} highest."
                if rules.centre
                else "."
            ),
            "Worth of a card: what one of the row's cards adds to its score, each being as likely to be that one: the "
            "points for a card, and what the centre gains by it. It is reckoned from the rows as they lay at the end.",
            "Cost of spending is an estimate: the row in which a card lay when it was spent is not recorded, and "
            "points count at the end alone, so the card is put back into the row at the end (where that is full its "
            "lowest card goes). Cards that were spent after one another are each put back alone.",
            "Places gained: place in the trick without the card, less that with it.",
        ],
        _headlines(sizes, rules),
    )


def _headlines(sizes: pl.DataFrame, rules: victory_row.RowRules) -> list[Headline]:
    """What a card is worth where the centre begins to score and in a full row, over all player counts."""
    known = sizes.filter((pl.col("measure") == "last_card") & (pl.col("n_blocks") >= lift.MIN_BLOCKS))
    said = []
    for size in (rules.centre_from, rules.slots):
        worth = known.filter(pl.col("size") == size).sort("value")["value"]
        if not rules.centre or worth.is_empty():
            return []
        low, high = number(worth[0]), number(worth[-1])
        said.append(f"{low if low == high else f'{low} to {high}'} points in a row of {size}")
    sentence = f"One card, any of the row's, is worth {listed(said)}; the centre scores from {rules.centre_from} on."
    return [Headline("Victory row", 0, sentence)]


def _labelled(frame: pl.DataFrame, rules: victory_row.RowRules) -> pl.DataFrame:
    ranks = {band: f"{low}–{high}" for band, (low, high) in enumerate(rules.ranks)}
    return frame.with_columns(label=pl.col("band").replace_strict(ranks, return_dtype=pl.String))


def _say_fates(part: pl.DataFrame) -> list[str]:
    return [
        f"{label} " + ", ".join(f"{row['fate']} {percent(row['value'], 0)}" for row in rows.iter_rows(named=True))
        for (label,), rows in part.group_by(["label"], maintain_order=True)
    ]


def _costs(spending: pl.DataFrame) -> pl.DataFrame:
    """The rows ``cost`` with ``brought`` in words and labels that name the effect."""
    brought = {}
    for key, part in spending.group_by(["players", "effect", "band"]):
        by = {row["measure"]: row["value"] for row in part.iter_rows(named=True)}
        units = {
            "A": lambda m: f"{m['places']:.1f} places",
            "B": lambda m: f"{m['units']:.1f} units, {m['tiles']:.1f} tiles",
            "C": lambda m: f"{m['coins']:.1f} coins",
        }
        brought[key] = units[str(key[1])](by)
    costs = spending.filter(pl.col("measure") == "cost")
    words = [brought[key] for key in costs.select("players", "effect", "band").iter_rows()]
    return costs.with_columns(brought=pl.Series(words, dtype=pl.String), label=pl.format("{}: {}", "effect", "label"))


def _by_size(sizes: pl.DataFrame, rules: victory_row.RowRules) -> pl.DataFrame:
    """One row a size: mean points for cards and centre, and how often it wins."""
    wide = sizes.filter(pl.col("measure").is_in(["score", "win_share"]) & (pl.col("n_blocks") >= lift.MIN_BLOCKS))
    if wide.is_empty():
        return pl.DataFrame(schema={"players": sizes.schema["players"]})
    first = wide.filter(pl.col("measure") == "score").rename({"value": "score"})
    won = wide.filter(pl.col("measure") == "win_share").select("players", "size", won="value")
    cards = pl.col("size") * rules.points_per_card
    return first.join(won, on=["players", "size"], how="left", maintain_order="left").with_columns(
        cards=cards, centre=pl.col("score") - cards
    )


def _ends_in_words(ends: pl.DataFrame) -> list[str]:
    """What rows bring, and whether winners have more of it."""
    if ends.is_empty():
        return ["No game was decided."]

    def of(who: str, measure: str) -> pl.DataFrame:
        return ends.filter((pl.col("who") == who) & (pl.col("measure") == measure))

    score, winners, others = (typical(of(who, "score")) for who in ("all", "winners", "others"))
    if score is None:
        return ["There are not enough games to say what rows bring."]
    cards, share = (of_players_of(of("all", name), score).row(0, named=True) for name in ("cards", "share_of_score"))
    text = (
        f"At the end a row {at(score)} has {number(cards['value'])} cards and brings {number(score['value'])} points"
        f"{span_number(of('all', 'score'))}. That is {percent(share['value'], 0)} of the score."
    )
    if not (winners and others and winners["players"] == others["players"] == score["players"]):
        return [text]
    return [
        f"{text} Winners have {number(winners['value'])} points there ({interval(winners['low'], winners['high'])}), "
        f"others {number(others['value'])} ({interval(others['low'], others['high'])})."
    ]


def _sizes_in_words(sizes: pl.DataFrame, rules: victory_row.RowRules) -> str:
    """What the card is worth that makes the centre score, against the one that fills the row."""
    if not rules.centre:
        return "The centre does not score, so that every card is worth the same."
    worth = sizes.filter((pl.col("measure") == "last_card") & pl.col("size").is_in([rules.centre_from, rules.slots]))
    known_of = worth.filter(pl.col("n_blocks") >= lift.MIN_BLOCKS)
    both = known_of.filter(pl.len().over("players") == (2 if rules.slots != rules.centre_from else 1))
    row = typical(both.filter(pl.col("size") == rules.centre_from))
    if row is None:
        return f"There are not enough games with rows of {rules.centre_from} and {rules.slots} to say what a card adds."
    full = of_players_of(both.filter(pl.col("size") == rules.slots), row).row(0, named=True)
    which, last = ORDINALS[rules.centre_from - 1], ORDINALS[rules.slots - 1]
    begin = (
        f"The {which} card makes the row, the {last} adds little" if full["high"] < row["low"] / 2
        else f"The {which} card adds more than the {last}" if full["high"] < row["low"]
        else f"The {last} card adds as much as the {which} or more"
    )  # fmt: skip
    return (
        f"{begin}: any one card is worth {number(row['value'])} points ({interval(row['low'], row['high'])}) in a row "
        f"of {rules.centre_from} {at(row)}, and {number(full['value'])} ({interval(full['low'], full['high'])}) in one "
        f"of {rules.slots}."
    )


def _spending_in_words(fates: pl.DataFrame, costs: pl.DataFrame) -> list[str]:
    """How many cards go to each effect, and the best and the worst bargain."""
    used = fates.filter(pl.col("fate").is_in(victory_row.EFFECTS))
    sums = used.group_by("players", "fate").agg(value=pl.col("per_seat").sum(), n_blocks=pl.col("n_blocks").max())
    row = typical(sums.sort("players").unique("players", keep="first", maintain_order=True))
    if fates.is_empty():
        return ["No card entered a row."]
    if row is None:
        return ["There are not enough games to say what cards of the row are spent on."]
    by = dict(sums.filter(pl.col("players") == row["players"]).select("fate", "value").iter_rows())
    each = listed(f"{number(by.get(effect, 0.0))} on {effect}" for effect in victory_row.EFFECTS)
    unused = [effect for effect in victory_row.EFFECTS if not used.filter(pl.col("fate") == effect)["per_seat"].sum()]
    never = f" Effect {listed(unused)} was never used by these players." if unused else ""
    said = [f"A seat {at(row)} spends {each} in a game, on average.{never}"]
    dear = costs.filter(pl.col("n_blocks") >= lift.MIN_BLOCKS).sort("value", descending=True)
    dear = of_players_of(dear, row).sort("value", descending=True)
    if dear.height > 1:
        first, last = dear.row(0, named=True), dear.row(-1, named=True)
        said.append(f"What spending costs at the end: most, {_deal(first)}; least, {_deal(last)}.")
    return said


def _deal(row: dict[str, Any]) -> str:
    effect, ranks = row["label"].split(": ")
    return (
        f"a card of {ranks} on {effect}, {number(row['value'])} points ({interval(row['low'], row['high'])}) for "
        f"{row['brought']}"
    )


def _estimate(row: dict[str, Any], digits: int = 2) -> list[str]:
    """A share or a number with its interval; too few deals are said."""
    if row["n_blocks"] < lift.MIN_BLOCKS:
        return [str(Verdict.NOT_ENOUGH), ""]
    if row["measure"] in SHARES:
        return [percent(row["value"]), percent_interval(row["low"], row["high"])]
    return [number(row["value"], digits), interval(row["low"], row["high"], digits)]


def _ends_table(ends: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        basis = [count(row["n_games"]), count(row["n_blocks"])]
        return [players_title(row["players"]), row["who"], SAID[row["measure"]], *_estimate(row), *basis]

    return Table(
        "Rows at the end of decided games: of all seats, of winners (shared victories among them) and of others",
        ["players", "who", "what", "value", "interval", "seats", "deals"],
        table_rows(ends, cells),
        heads=3,
        detail=True,
    )


def _sizes_table(sizes: pl.DataFrame) -> Table:
    rows = []
    for (players, size), part in sizes.group_by(["players", "size"], maintain_order=True):
        by = {row["measure"]: row for row in part.iter_rows(named=True)}
        told = [
            cell for name in ("share_of_seats", "score", "last_card", "win_share")
            for cell in (_estimate(by[name], 1) if name in by else ["–", ""])
        ]  # fmt: skip
        score = by["score"]
        rows.append(
            [players_title(int(str(players))), str(size), *told, count(score["n_games"]), count(score["n_blocks"])]
        )
    columns = [
        "players", "cards", "of all seats", "interval", "points", "interval", "worth of a card", "interval", "wins",
        "interval", "seats", "deals",
    ]  # fmt: skip
    return Table("Rows by how many cards they have at the end", columns, rows, heads=2)


def _fates_table(fates: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), row["label"], row["fate"], percent(row["value"]),
            percent_interval(row["low"], row["high"]), number(row["per_seat"], 2), count(row["n_games"]),
            count(row["n_blocks"]),
        ]  # fmt: skip

    many = fates.group_by("players", "fate", maintain_order=True).agg(
        pl.col("per_seat", "n_games").sum(), pl.col("n_blocks").max()
    )
    whole = many.with_columns(
        pl.lit("all").alias("label"), pl.lit(None, pl.Float64).alias("low"), pl.lit(None, pl.Float64).alias("high"),
        value=pl.col("per_seat") / pl.col("per_seat").sum().over("players"),
    )  # fmt: skip
    return Table(
        "What becomes of the cards that enter a row, by rank",
        ["players", "ranks", "fate", "share", "interval", "a seat and game", "of cards", "deals"],
        table_rows(fates, cells) + table_rows(whole, cells),
        heads=3,
        detail=True,
    )


def _spending_table(spending: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), row["effect"], row["label"], SAID[row["measure"]], *_estimate(row),
            count(row["n_games"]), count(row["n_blocks"]),
        ]  # fmt: skip

    return Table(
        "What a card spent on an effect costs and brings, by rank",
        ["players", "effect", "ranks", "what", "a card", "interval", "cards", "deals"],
        table_rows(spending, cells),
        heads=4,
        detail=True,
    )


TOPIC = Topic("victory_row", measure, tell)

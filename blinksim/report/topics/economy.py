"""Tricks, dues and coins: what wins a trick, whom the dues help, where gold goes, what cards and improvements do."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import card_uses, gold, improvements, tricks
from blinksim.analysis.cells import SAMPLE_GAMES, first_deals
from blinksim.report.common import of_players, panels, players_title
from blinksim.report.figures import BLUE, GREEN, ORANGE, PINK, SKY, VERMILION, share_dots
from blinksim.report.figures_cells import stacked_bars
from blinksim.report.figures_economy import unspent_bars, use_map
from blinksim.report.parts import FigureGroup, Headline, Picture, Section
from blinksim.report.source import RunFacts, Source
from blinksim.report.telling import ENOUGH, TERRAINS, rough, said_number, said_share
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics import economy_tables, economy_words
from blinksim.report.topics.economy_words import of_measure
from blinksim.report.words import basis, count, number, plural

WHITE, BLACK = "#ffffff", "#000000"
SOURCE_COLOURS = {
    "cards cashed": (BLUE, WHITE),
    "last place": (ORANGE, BLACK),
    "cards set aside": (SKY, BLACK),
    "captures": (VERMILION, WHITE),
    "objectives": (GREEN, WHITE),
    "effect C": (PINK, BLACK),
    gold.OTHER: (BLUE, WHITE),
}
"""Colours of what brings gold, and of the numbers on them; what is known by tier shares those of a whole game."""
SINK_COLOURS = {
    "research": ("#4a4b4c", WHITE),
    "trade": ("#b9babb", BLACK),
    "walls": ("#8a5a00", WHITE),
    gold.UNSPENT: ("#e4e4df", BLACK),
}


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Tricks, dues, gold, uses of cards, improvements."""
    facts, scan = source.facts, source.scan
    rounds, parameters = scan("rounds"), facts.parameters
    means, shares = tricks.places(rounds)
    standings, positions = tricks.dues(rounds, facts.players, parameters)
    amounts, left = gold.unspent(scan("seats"))
    used = card_uses.use_blocks(scan("cards"))
    suits, ranks = (card_uses.pooled(used, (by,)) for by in ("suit", "rank"))
    part = first_deals(scan("games"))
    return {
        "economy.place_means": means,
        "economy.cards_and_place": shares,
        "economy.short_melds": tricks.short_melds(rounds, facts.players),
        "economy.dues_by_standing": standings,
        "economy.dues_by_position": positions,
        "economy.gap_before_dues": tricks.mean_gap(rounds, facts.players),
        "economy.gold": gold.flows(scan("seats")),
        "economy.gold_by_tier": gold.by_tier(
            rounds.filter(part),
            scan("duels").filter(part),
            scan("spends").filter(part),
            scan("improvements").filter(part),
            parameters,
        ),
        "economy.unspent": amounts,
        "economy.unspent_by_result": left,
        "economy.uses": card_uses.uses(used, ("suit", "rank")),
        "economy.uses_by_rank": card_uses.uses(ranks, ("rank",)),
        "economy.uses_by_suit": card_uses.uses(suits, ("suit",)),
        "economy.uses_of_all": card_uses.uses(suits, ()),
        "economy.improvements": improvements.improvements_by_tier(scan("improvements"), rounds, parameters),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """What the economy does."""
    return Section(
        "economy",
        "Tricks, dues and coins",
        [
            economy_words.finding(frames),
            economy_words.catch_up(frames),
            economy_words.gold_flows(frames),
            economy_words.cards(frames),
            economy_words.research(facts, frames),
        ],
        [
            _tricks_figure(facts, frames),
            _dues_figure(facts, frames),
            _gold_figure(facts, frames),
            _tier_figure(facts, frames),
            _unspent_figure(facts, frames),
            _uses_figure(facts, frames),
            _failed_figure(facts, frames),
        ],
        [
            economy_tables.places(frames["economy.place_means"]),
            economy_tables.cards_and_place(frames["economy.cards_and_place"]),
            economy_tables.short_melds(frames["economy.short_melds"]),
            economy_tables.positions(frames["economy.dues_by_position"], frames["economy.gap_before_dues"]),
            economy_tables.standings(frames["economy.dues_by_standing"]),
            economy_tables.flows(frames["economy.gold"]),
            economy_tables.by_tier(facts, frames["economy.gold_by_tier"]),
            economy_tables.unspent(frames["economy.unspent_by_result"]),
            economy_tables.improvements(facts, frames["economy.improvements"]),
            economy_tables.uses(frames["economy.uses_by_suit"], frames["economy.uses_of_all"]),
            economy_tables.uses_by_rank(frames["economy.uses_by_rank"]),
        ],
        NOTES,
        _headlines(frames),
    )


NOTES = (
    "All games count here, stalled ones too; gold left at the end is that of decided games.",
    "Standing is the score at the end of the round before, so dues are told from round 2 on; equal scores share the "
    "better place. Behind and ahead are against the mean of the others at the table.",
    "A round belongs to the tier in which the seat laid its meld. Gold from cashed cards and objectives and gold laid "
    "on units are not known by round; by tier they stand together as what the change of the purse leaves over, and "
    "only the whole game tells them apart. Gold by tier is taken, in runs of more than about "
    f"{count(SAMPLE_GAMES)} games a player count, from the first deals.",
    "A use is a card resolved on the map, set aside in the dues, dropped, or answering an attack. Research and trade "
    "belong to the tier in which they were begun, which the rank cap tells.",
    f"A cell that rests on fewer than {ENOUGH} deals is marked as not enough games, and drawn paler.",
)


def _share_panels(
    facts: RunFacts, name: str, frame: pl.DataFrame, xlabel: str, what: str, counted: tuple[str, str]
) -> list[Picture]:
    return panels(
        facts.players, name, frame,
        lambda part, n: share_dots(
            part, title=players_title(n), margin=None, xlabel=xlabel,
            rests_on=f"{plural(int(part['n_games'].sum()), *counted)}, up to {plural(_most_deals(part), 'deal')}",
        ),
        lambda part: [f"{row['label']} {said_share(row)}" for row in part.iter_rows(named=True)], what,
    )  # fmt: skip


def _most_deals(part: pl.DataFrame) -> int:
    return max(part["n_blocks"].to_list(), default=0)


def _tricks_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    won = frames["economy.cards_and_place"].filter((pl.col("place") == 1) & (pl.col("n_blocks") >= ENOUGH))
    plural_s = pl.when(pl.col("meld_cards") == 1).then(pl.lit("")).otherwise(pl.lit("s"))
    frame = won.with_columns(
        label=pl.format("{} card{}", "meld_cards", plural_s), fair=1 / pl.col("players").cast(pl.Float64)
    )
    pictures = _share_panels(
        facts, "economy-tricks", frame, "tricks won (%)", "Share of melds that win the trick, by number of cards",
        ("meld", "melds"),
    )  # fmt: skip
    return FigureGroup(
        "Do more cards win the trick?",
        pictures,
        "Points: of the melds of so many cards, the share that won their trick, with 95 % intervals (Wilson at the "
        "effective sample size). Dashed: one over the number of players.",
    )


def _dues_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    found = frames["economy.dues_by_standing"]
    total = of_measure(found, "dues").select("players", "standing", dues_low="low", dues_high="high")
    parts = found.filter(pl.col("measure").is_in(["last place", "set aside"])).join(
        total, on=["players", "standing"], how="left", maintain_order="left"
    )
    first = pl.col("measure") == "last place"
    frame = parts.with_columns(
        label=pl.format("{}. by score", "standing"),
        part=pl.when(first).then(pl.lit("last place")).otherwise(pl.lit("cards set aside")),
        low=pl.when(first).then("dues_low"),
        high=pl.when(first).then("dues_high"),
    )

    def draw(part: pl.DataFrame, players: int) -> Any:
        colours = {name: SOURCE_COLOURS[name] for name in ("last place", "cards set aside")}
        rounds = int(
            of_players(total, players).height and of_measure(of_players(found, players), "dues")["n_games"].sum()
        )
        return stacked_bars(
            part, title=players_title(players), colours=colours, xlabel="gold of the dues a round", columns=2,
            rests_on=f"{plural(rounds, 'round')} of a seat, {plural(_most_deals(part), 'deal')}", digits=2,
        )  # fmt: skip

    pictures = panels(
        facts.players, "economy-dues", frame, draw,
        lambda part: [f"{r['label']} {r['part']} {number(r['value'], 2)}" for r in part.iter_rows(named=True)],
        "Gold of the dues a round by place in score before the trick",
    )  # fmt: skip
    return FigureGroup(
        "Dues by standing",
        pictures,
        "Bars: gold a round that a seat gets for last place and for cards set aside, by its place in score before the "
        "trick; black: the 95 % interval of both together.",
    )


def _stacks(frame: pl.DataFrame, parts: dict[str, str], label: pl.Expr) -> pl.DataFrame:
    """Rows for stacked bars: parts by the name of their bar; no interval, which the tables have."""
    side = pl.col("measure").replace_strict(parts)
    return frame.filter(pl.col("measure").is_in(list(parts))).with_columns(
        label=pl.format("{}{}", label, side), part=pl.col("measure"), low=pl.lit(None, pl.Float64),
        high=pl.lit(None, pl.Float64),
    )  # fmt: skip


def _said_parts(part: pl.DataFrame) -> list[str]:
    return [f"{r['label']} {r['part']} {number(r['value'], 2)}" for r in part.iter_rows(named=True) if r["value"]]


def _gold_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    sides = dict.fromkeys(gold.SOURCES, "in") | dict.fromkeys([*gold.SINKS, gold.UNSPENT], "out")
    whole = of_measure(frames["economy.gold"], gold.ALL_IN).select("players", whole_low="low", whole_high="high")
    frame = _stacks(frames["economy.gold"], sides, pl.lit("")).join(whole, on="players", maintain_order="left")
    first = pl.col("measure") == next(iter(gold.SOURCES))
    frame = frame.with_columns(low=pl.when(first).then("whole_low"), high=pl.when(first).then("whole_high"))
    colours = {name: SOURCE_COLOURS[name] for name in gold.SOURCES} | SINK_COLOURS
    pictures = panels(
        facts.players, "economy-gold", frame,
        lambda part, n: stacked_bars(
            part, title=players_title(n), colours=colours, xlabel="gold of a seat in a game", columns=3,
            rests_on=basis(int(part["n_games"].max()), _most_deals(part)),  # type: ignore[arg-type]
        ),
        _said_parts, "Gold of a seat in a game by source and by what became of it",
    )  # fmt: skip
    return FigureGroup(
        "Where gold comes from and goes",
        pictures,
        "Bars: mean gold of a seat in a game, by source and by what became of it; black: the 95 % interval of all that "
        "came in. Where a run starts players with gold, out is longer than in by that much.",
    )


def _tier_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    sides = {name: "out" if name in gold.SINKS else "in" for name in gold.TIER_PARTS}
    named = pl.col("tier").replace_strict(dict(enumerate(facts.tier_names)), return_dtype=pl.String)
    enough = frames["economy.gold_by_tier"].filter(pl.col("n_blocks") >= ENOUGH)
    frame = _stacks(enough, sides, pl.format("{}, ", named))
    colours = {name: (SOURCE_COLOURS | SINK_COLOURS)[name] for name in gold.TIER_PARTS}
    pictures = panels(
        facts.players, "economy-tiers", frame,
        lambda part, n: stacked_bars(
            part, title=players_title(n), colours=colours, xlabel="gold of a seat in a round", columns=2, digits=2,
            rests_on=f"{plural(_seat_rounds(part), 'round')} of a seat, {plural(_most_deals(part), 'deal')}",
        ),
        _said_parts, "Gold of a seat in a round by its tier",
    )  # fmt: skip
    return FigureGroup(
        "Gold a round, by tier",
        pictures,
        "Bars: mean gold of a seat in a round that it began in the tier; the rest is gold from cashed cards and "
        "objectives less that laid on units, which is known as one sum only. The table has the intervals.",
    )


def _seat_rounds(part: pl.DataFrame) -> int:
    return int(part.filter(pl.col("measure") == gold.TIER_PARTS[0])["n_games"].sum())


def _unspent_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    pictures = panels(
        facts.players, "economy-unspent", frames["economy.unspent"],
        lambda part, n: unspent_bars(
            part, title=players_title(n), most_shown=gold.MOST_SHOWN,
            rests_on=basis(int(part["n_games"][0]), _most_deals(part), "seat"),
        ),
        lambda part: [f"{row['gold']} gold {said_share(row)}" for row in part.iter_rows(named=True)],
        "Seats by gold left at the end",
    )  # fmt: skip
    return FigureGroup(
        "Unspent gold",
        pictures,
        f"Bars: share of seats of decided games with so much gold at the end ({gold.MOST_SHOWN}+: so much or more); "
        "black: 95 % intervals.",
    )


def _uses_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    found = frames["economy.uses"]
    shown = [use for use in card_uses.USES if (found.filter(pl.col("use") == use)["value"] > 0).any()]
    frame = found.filter(pl.col("use").is_in(shown))

    def say(part: pl.DataFrame) -> list[str]:
        suits = frames["economy.uses_by_suit"].filter(pl.col("players") == part["players"][0])
        return [
            f"{TERRAINS[str(suit)]} "
            + ", ".join(f"{r['use']} {rough(r['value'])}" for r in rows.iter_rows(named=True) if r["value"] > 0)
            for (suit,), rows in suits.group_by(["suit"], maintain_order=True)
        ]

    pictures = panels(
        facts.players, "economy-uses", frame,
        lambda part, n: use_map(
            part, title=players_title(n), suits=tuple(TERRAINS.items()), enough=ENOUGH,
            rests_on=f"{plural(int(part.filter(pl.col('use') == shown[0])['n_games'].sum()), 'use')}, up to "
            f"{plural(_most_deals(part), 'deal')} a card",
        ),
        say, "Uses of cards by suit and rank",
    )  # fmt: skip
    return FigureGroup(
        "What cards are used for",
        pictures,
        "Squares: of all that was done with a card, the share of each use, by suit and rank; pale: fewer than "
        f"{ENOUGH} deals. Numbers and intervals are in the exported data.",
    )


def _failed_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    names = economy_tables.cap_names(facts)
    failed = of_measure(frames["economy.improvements"], "failed").filter(pl.col("n_blocks") >= ENOUGH)
    frame = failed.sort("players", "cap").with_columns(
        label=pl.col("cap").replace_strict(names, return_dtype=pl.String), fair=pl.lit(float("nan"))
    )
    pictures = _share_panels(
        facts, "economy-failed", frame, "researches that fail (%)", "Share of researches that fail, by tier",
        ("research", "researches"),
    )  # fmt: skip
    return FigureGroup(
        "Failed research",
        pictures,
        "Points: share of researches that found nothing within the rank cap, by the tier in which they were begun, "
        "with 95 % intervals (Wilson at the effective sample size).",
    )


def _headlines(frames: Frames) -> list[Headline]:
    standings = of_measure(frames["economy.dues_by_standing"], "dues").sort("players", "standing")
    found = []
    for (players,), part in standings.group_by(["players"], maintain_order=True):
        lead, last = part.row(0, named=True), part.row(-1, named=True)
        if part.height < 2 or min(lead["n_blocks"], last["n_blocks"]) < ENOUGH:
            continue
        sentence = f"The dues pay the last by score {said_number(last)} gold a round, the leader {said_number(lead)}."
        found.append(Headline("Catching up", int(str(players)), sentence))
    return found


TOPIC = Topic("economy", measure, tell)

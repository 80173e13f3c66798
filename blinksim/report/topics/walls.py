"""Wall breakpoints: what attacks do, where walls break, when they go stale, what they buy, first strikes."""

from __future__ import annotations

from typing import Any

import polars as pl
from matplotlib.axes import Axes

from blinksim.analysis import deterrence, stale, walls
from blinksim.analysis.cells import SAMPLE_GAMES, first_deals
from blinksim.report.common import of_players, panels, players_title
from blinksim.report.figures import share_dots
from blinksim.report.figures_walls import stale_curves, success_map
from blinksim.report.parts import FigureGroup, Headline, Section
from blinksim.report.source import RunFacts, Source
from blinksim.report.telling import ENOUGH, TERRAINS, said_number, said_share, tier_words
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics import walls_tables
from blinksim.report.topics.findings import at, of_players_of, side, span, typical
from blinksim.report.words import basis, count, interval, listed, number, percent, percent_interval, plural


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Attacks, walls and what they cost, and who could break them."""
    facts, scan = source.facts, source.scan
    blocks = walls.attack_blocks(scan("duels"))
    paper = walls.breaking_ranks(facts.parameters)
    tiles = walls.pooled(blocks, ("defender_tier", "terrain"))
    ranks, kinds = walls.success(blocks), walls.success(tiles, ("defender_tier", "terrain"))
    holders = stale.holders(scan("rounds"), facts.players, facts.parameters)
    part = first_deals(scan("games"))
    return {
        "walls.success": ranks,
        "walls.success_by_tile": kinds,
        "walls.success_all": walls.success(walls.pooled(tiles, ()), ()),
        "walls.paper": paper,
        "walls.breakpoints": walls.breakpoints(ranks, kinds, paper),
        "walls.fights": walls.fights(scan("duels"), scan("rounds")),
        "walls.coins": walls.coins(scan("seats"), scan("spends"), scan("duels")),
        "walls.holders": holders,
        "walls.stale": stale.stale_from(holders, ENOUGH),
        "walls.turned_away": deterrence.turned_away(
            scan("duels").filter(part), scan("rounds").filter(part), facts.parameters
        ),
        "walls.within_deals": deterrence.within_deals(scan("seats"), scan("duels"), scan("games")),
        "walls.homeland_strikes": walls.homeland_strikes(scan("games"), scan("duels")),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """What walls do."""
    return Section(
        "walls",
        "Wall breakpoints",
        [
            _finding(frames),
            _deterred(frames),
            f"{_on_paper(facts, frames['walls.paper'])} {_in_play(frames)}",
            _stale(facts, frames),
            f"{_price(frames['walls.coins'])} {_strikes(frames['walls.homeland_strikes'])}",
        ],
        [_success_figure(facts, frames), _stale_figure(facts, frames), *_deterred_figure(facts, frames)],
        [
            walls_tables.fights(facts, frames["walls.fights"]),
            walls_tables.against(frames["walls.success_all"]),
            walls_tables.stale(facts, frames),
            walls_tables.coins(frames["walls.coins"]),
            walls_tables.deterred(frames),
            walls_tables.strikes(frames["walls.homeland_strikes"]),
            walls_tables.breakpoints(facts, frames),
        ],
        NOTES,
        _headlines(frames),
    )


NOTES = (
    "A wall is a tile's fortification coin. A success is an attack that beats a unit. Attackers choose what they "
    "attack and defenders whether they answer, so shares of success are of attacks as these players made them, not of "
    "attacks made at random.",
    "On paper: the lowest rank that beats a lone wall, terrain and level totals counted, nobody answering. In play: "
    "the rank from which attacks on tiles with a coin succeed at least half the time, shares by rank put in ascending "
    "order (a higher rank cannot do worse), with the ranks at which the 95 % band includes one half. Where even the "
    "lowest rank tried mostly succeeds, nobody tried to break a wall with less, and the curve starts where it would "
    "otherwise cross one half.",
    "Who could break a wall: of the seats about to lay, those whose hand has a card of the rank that breaks it on the "
    "softest terrain, whatever its suit. Hands of round 1 are not in the tables.",
    "Units saved in fights: the wall fought, held, and the attack would have taken bare ground. It is the most that "
    "walls can have saved there, as a card might have answered instead.",
    "Turned away: attacks on players of one tier in one round, by whether the attacker held a card that breaks that "
    "tier's wall. Those who did say how large a part of attacks falls on tiles with a coin where walls do not stop "
    "them; it is weighted by tier and round as the attacks of those who did not. In runs of more than about "
    f"{count(SAMPLE_GAMES)} games a player count it is taken from the first deals.",
    "Attacks for a coin, between games of one deal, describe and do not prove: players fortify what they fear for, and "
    "where they sit and how well they stand moves both. What walls as such do to the number of attacks needs the same "
    "deals without them: a second ruleset with fortify.enabled = false, and blinksim compare.",
    f"A cell that rests on fewer than {ENOUGH} deals is marked as not enough games, and drawn paler.",
)


def _on_paper(facts: RunFacts, paper: pl.DataFrame) -> str:
    """The ranks at which walls break, for the first tier and the last; the table has those between."""
    said = []
    for tier in (0, len(facts.tier_names) - 1):
        needed = paper.filter(pl.col("defender_tier") == tier)
        ranks = sorted(needed["paper"].drop_nulls().to_list())
        never = [TERRAINS[name] for name in needed.filter(pl.col("paper").is_null())["terrain"]]
        words = "no rank" if not ranks else f"{ranks[0]}" if ranks[0] == ranks[-1] else f"{ranks[0]} to {ranks[-1]}"
        beside = f" (none on {listed(never)})" if ranks and never else ""
        said.append(f"{words} for {facts.tier_names[tier]}{beside}")
    return f"On paper, the rank that breaks a wall is set by its owner's tier and by terrain: {listed(said)}."


def _in_play(frames: Frames) -> str:
    cells = frames["walls.breakpoints"].filter(pl.col("n_blocks") >= ENOUGH)
    if cells.is_empty():
        return "In play, not enough games had attacks on tiles with a coin to say where walls break."
    same = cells.filter(pl.col("value") == pl.col("paper")).height
    later = cells.filter(pl.col("low") > pl.col("paper")).height
    lowest = cells.filter(pl.col("seen") == "lowest tried").height
    said = f"In play walls gave way at that very rank in {_part(same, cells.height)} combinations of players, tier and "
    said += "terrain with enough attacks" + (f", and surely later in {later}" if later else "") + "."
    if lowest:
        said += f" In {_part(lowest, cells.height)} even the lowest rank that anybody tried mostly succeeded."
    return said


def _part(some: int, every: int) -> str:
    return f"all {every}" if some == every else f"{some} of {every}"


def _failures(frames: Frames) -> tuple[int, int, int]:
    """Attacks on tiles with a coin: how many, how many failed, how many of them on the wall itself."""
    every = frames["walls.success_all"]
    failed = pl.col("n_games") * (1 - pl.col("value"))
    coined, by_wall = every.filter(pl.col("against") == "coin"), every.filter(pl.col("against") == "wall")
    sums = coined.select(pl.col("n_games").sum()), coined.select(failed.sum()), by_wall.select(failed.sum())
    attacks, held, on_wall = (round(found.item()) for found in sums)
    return attacks, held, on_wall


RARE = 0.01
"""Where a smaller part of the attacks on tiles with a coin fails on the wall, walls hardly ever stop any."""


def _finding(frames: Frames) -> str:
    """Whether walls stop attacks, or are avoided."""
    attacks, held, on_wall = _failures(frames)
    if not attacks:
        return "No tile with a coin was ever attacked."
    turned = typical(_of(frames["walls.turned_away"], "turned away").filter(pl.col("value").is_not_nan()))
    failed = count(on_wall) if on_wall else "none"
    said = f"of {count(attacks)} attacks on tiles with a coin {failed} failed on the wall itself"
    if on_wall >= RARE * attacks:
        begin = "Walls stop attacks"
    elif turned is not None and turned["low"] > 0:
        begin = "Walls are avoided and hardly ever fought"
    else:
        begin = "Walls hardly ever stop an attack"
    return f"{begin}: {said}, and {count(held - on_wall)} on a card that answered."


def _stale(facts: RunFacts, frames: Frames) -> str:
    """From which round half of the seats could break a wall of each tier, for one player count."""
    found = frames["walls.stale"].filter(pl.col("wall_tier") >= 0)
    row = typical(found.unique("players", keep="first", maintain_order=True))
    if row is None:
        return "When walls go stale: not enough games to say."
    part = of_players_of(found, row).sort("wall_tier")
    rounds = [f"{facts.tier_names[r['wall_tier']]} {_round_word(r)}" for r in part.iter_rows(named=True)]
    text = f"A wall goes stale when half of the seats hold a card that would break it; {at(row)}: {listed(rounds)}."
    own = of_players_of(frames["walls.holders"].filter(pl.col("wall_tier") == stale.RIVALS), row)["value"].to_list()
    if not own:
        return text
    return (
        f"{text} Players climb as well: the wall that a rival has at that moment could be broken in "
        f"{percent_interval(min(own), max(own), 0)} of cases, by round."
    )


def _round_word(row: dict[str, Any]) -> str:
    if row["value"] is None:
        return "never"
    wide = row["low"] != row["high"]
    return f"round {row['value']:g}" + (f" ({interval(row['low'], row['high'], 0)})" if wide else "")


def _of(frame: pl.DataFrame, measure: str) -> pl.DataFrame:
    return frame.filter(pl.col("measure") == measure)


def _price(coins: pl.DataFrame) -> str:
    """What a seat lays in coins, and what one unit saved costs of them."""
    saved, bought = typical(_of(coins, "saved a coin")), typical(_of(coins, "bought"))
    if _of(coins, "saved a coin").is_empty():
        return "No coin was ever laid on a unit."
    if saved is None or bought is None:
        return "There are not enough games to say what a unit saved costs in coins."
    (free,) = of_players_of(_of(coins, "free"), bought).iter_rows(named=True)
    return (
        f"A seat buys {said_number(bought)} coins in a game {at(bought)}, and effect B gives it "
        f"{number(free['value'])} for nothing. Coins for each unit that a wall saved in a fight: "
        f"{coins_per_unit(saved)}."
    )


def coins_per_unit(row: dict[str, Any]) -> str:
    """Coins for a unit saved, from the share of coins that saved one."""
    least = 1 / row["high"]
    if row["value"] == 0:
        return f"none saved, so at least {number(least, 0)} for one"
    most = number(1 / row["low"], 1) if row["low"] > 0 else "any number"
    return f"{number(1 / row['value'], 1)} ({number(least, 1)} to {most})"


def _deterred(frames: Frames) -> str:
    """Whether attackers who cannot break a wall turn away from it."""
    found = frames["walls.turned_away"]
    able = typical(_of(found, "expected").filter(pl.col("value").is_not_nan()))
    unable = able and typical(_of(found, "observed").filter(pl.col("players") == able["players"]))
    if not able or not unable:
        return "Do walls deter? Not enough games had attackers both with and without a breaking card."
    begin = (
        "Attackers turn away from walls that they cannot break",
        "Attackers are not seen to turn away from walls that they cannot break",
        "Attackers even seek walls that they cannot break",
    )[side(unable, able["low"], able["high"])]
    return (
        f"{begin}: {said_share(unable)} of their attacks {at(able)} fall on tiles with a coin, against "
        f"{said_share(able)} by those who hold a card that could, against the same tiers in the same rounds."
    )


def _strikes(strikes: pl.DataFrame) -> str:
    first = strikes.filter((pl.col("round") == 1) & (pl.col("measure") == "homeland attacked"))
    third = strikes.filter((pl.col("round") == 3) & (pl.col("measure") == "homeland attacked"))
    total, games, by_third = int(first["games"].sum()), int(first["n_games"].sum()), typical(third)
    text = (
        f"A homeland was attacked in the first round of {count(total)} of {count(games)} games (the rules allow it, "
        "ruling R12)"
    )
    later = f", by the end of round 3 in {said_share(by_third)} {at(by_third)}{span(third)}" if by_third else ""
    return f"{text}{later}."


def _success_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    success, cards = frames["walls.success"], facts.parameters["cards"]
    pictures = []
    for against, title, needed in (("coin", "with a coin", "paper"), ("no coin", "without a coin", "paper_bare")):
        tried = success.filter(pl.col("against") == against)
        columns = ["players", "defender_tier", "terrain"]
        every = pl.DataFrame({"players": pl.Series(facts.players, dtype=success.schema["players"])})
        frame = every.join(frames["walls.paper"].rename({needed: "needed"}), how="cross").join(
            tried, on=columns, how="left", maintain_order="left"
        )

        def draw(part: pl.DataFrame, players: int, tried: pl.DataFrame = tried, title: str = title) -> Axes:
            of_all = of_players(tried, players)
            deals = int(of_all["n_blocks"].max() or 0)  # type: ignore[arg-type]
            return success_map(
                part, title=f"{players_title(players)}, {title}", tiers=facts.tier_names, terrains=tuple(TERRAINS),
                ranks=(cards["rank_min"], cards["rank_max"]), enough=ENOUGH,
                rests_on=f"{plural(int(of_all['n_games'].sum()), 'attack')}, up to {plural(deals, 'deal')} a cell",
            )  # fmt: skip

        name = "walls-success-" + against.replace(" ", "-")
        pictures += panels(
            facts.players, name, frame, draw, lambda part: _said_success(facts, part),
            f"Share of attacks on tiles {title} that succeed, by tier of the defender, terrain and rank",
        )  # fmt: skip
    return FigureGroup(
        "What an attack of each rank does",
        pictures,
        "Squares: the share of attacks of that rank that beat a unit, by the defender's tier and the terrain (P "
        "Plains, F Forest, O Ocean, M Mountain), on tiles with a coin and without, cards that answer among them; no "
        f"square: nobody tried; pale: fewer than {ENOUGH} deals. Black lines: from there on the attack succeeds on "
        "paper, where nobody answers. Numbers and intervals: in the table and in the exported data.",
    )


def _said_success(facts: RunFacts, part: pl.DataFrame) -> list[str]:
    said = []
    for tier, name in enumerate(facts.tier_names):
        tried = part.filter((pl.col("defender_tier") == tier) & pl.col("value").is_not_null())
        attacks = int(tried["n_games"].sum())
        if not attacks:
            said.append(f"{name} never attacked")
            continue
        won = float((tried["n_games"] * tried["value"]).sum())
        ranks = sorted(tried["attack_rank"].to_list())
        said.append(f"{name} {percent(won / attacks)} of {count(attacks)} attacks, ranks {ranks[0]} to {ranks[-1]}")
    return said


def _stale_figure(facts: RunFacts, frames: Frames) -> FigureGroup:
    told = frames["walls.holders"].filter(pl.col("n_blocks") >= ENOUGH)
    last = {row["players"]: row for row in frames["walls.stale"].iter_rows(named=True)}

    def say(part: pl.DataFrame) -> list[str]:
        found = frames["walls.stale"].filter((pl.col("players") == part["players"][0]) & (pl.col("wall_tier") >= 0))
        rounds = [_round_word(row) for row in found.sort("wall_tier").iter_rows(named=True)]
        return [f"half could break the wall of {tier_words(facts.tier_names, rounds)}"]

    pictures = panels(
        facts.players, "walls-stale", told,
        lambda part, n: stale_curves(
            part, title=players_title(n), names=facts.tier_names,
            rests_on=basis(last[n]["n_games"], last[n]["n_blocks"], "seat") + " at the start",
        ),
        say, "Share of seats about to lay that could break a wall, by round",
    )  # fmt: skip
    return FigureGroup(
        "Walls go stale",
        pictures,
        "Lines: of the seats about to lay, the share whose hand has a card that breaks the wall of each tier on the "
        "softest terrain, with 95 % bands (Wilson at the effective sample size); dotted: of all pairs of a seat and a "
        "rival, those in which it could break the wall that the rival's tier gives at that moment. Later rounds are "
        f"those of longer games; a round is drawn with {ENOUGH} deals or more.",
    )


def _deterred_figure(facts: RunFacts, frames: Frames) -> list[FigureGroup]:
    labels = {"expected": "could break it", "observed": "could not"}
    found = frames["walls.turned_away"].filter(pl.col("measure").is_in(list(labels)) & pl.col("value").is_not_nan())
    if found.is_empty():
        return []
    frame = found.with_columns(
        label=pl.col("measure").replace_strict(labels), fair=pl.lit(None, pl.Float64).fill_null(float("nan"))
    )
    pictures = panels(
        facts.players, "walls-turned-away", frame,
        lambda part, n: share_dots(
            part, title=players_title(n), margin=None, xlabel="attacks that fall on tiles with a coin (%)",
            rests_on=basis(int(part["n_games"][0]), int(part["n_blocks"][0]), "attack"),
        ),
        lambda part: [f"{row['label']} {said_share(row)}" for row in part.iter_rows(named=True)],
        "Share of attacks that fall on tiles with a coin, by whether the attacker could break the wall",
    )  # fmt: skip
    return [
        FigureGroup(
            "Attackers turn away from walls that they cannot break",
            pictures,
            "Points: the share of attacks that fall on tiles with a coin, by attackers who held no card that breaks "
            "the defender's wall (could not), and by those who held one, weighted to the same tiers and rounds, with "
            "95 % intervals. Attacks and deals below are those of the former.",
        )
    ]


def _headlines(frames: Frames) -> list[Headline]:
    found = []
    attacks, held, on_wall = _failures(frames)
    if attacks:
        sentence = (
            f"Of {count(attacks)} attacks on tiles with a coin {count(held)} failed, {count(on_wall)} of them on the "
            "wall itself."
        )
        found.append(Headline("Walls", 0, sentence))
    strikes = frames["walls.homeland_strikes"]
    first = strikes.filter((pl.col("round") == 1) & (pl.col("measure") == "homeland attacked"))
    for row in first.iter_rows(named=True):
        sentence = f"A homeland is attacked in the first round of {said_share(row)} of games."
        found.append(Headline("First strikes", row["players"], sentence))
    return found


TOPIC = Topic("walls", measure, tell)

"""More on tiers: who gets there first and whether it wins, time on a tier, steps back, and melds against the limit."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import climbing, snowball
from blinksim.report import figures_tiers as figures
from blinksim.report.common import (
    BASIS,
    basis_cells,
    number_cells,
    panels,
    players_title,
    share_cells,
    table_rows,
)
from blinksim.report.figures_drama import ENOUGH
from blinksim.report.parts import FigureGroup, Headline, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames
from blinksim.report.topics.findings import at, joined, known, of_players_of, side, span_number, typical
from blinksim.report.words import interval, listed, number, percent, percent_interval

Names = tuple[str, ...]


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """First to a tier, order of arrival, gaps, time on tiers, steps back and their causes, melds."""
    facts, rounds = source.facts, source.scan("rounds")
    limits = [int(limit) for limit in facts.parameters["tiers"]["meld_limit"]]
    turns = climbing.turns(rounds, limits)
    return {
        f"tiers.{name}": frame for name, frame in snowball.snowball(source.courses, len(facts.tier_names)).items()
    } | {
        "tiers.time": climbing.time_in_tier(turns),
        "tiers.steps_back": climbing.steps_back(turns),
        "tiers.sent_home": climbing.sent_home(source.scan("duels")),
        "tiers.melds": climbing.melds(turns, limits),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """What follows the curves of all seats."""
    names = facts.tier_names
    return Section(
        "tiers",
        "Tier pacing",
        [
            *_snowball_sentence(facts, frames), *_meld_sentence(facts, frames), *_step_sentence(frames),
        ],
        _figures(facts, frames),
        [
            _first_table(frames, names), _order_table(frames, names), _gap_table(frames, names),
            _time_table(frames, names), _step_table(frames, names), _home_table(frames), _meld_table(frames, names),
        ],
        [
            "First to a tier: the one seat that got there in an earlier round than all others; games in which several "
            "got there in the same round are counted under \"alone\" and left out. That the first wins more does not "
            "say that the tier makes it win: who plays better gets there first, too.",
            "A step back is a round at whose end a seat stands on a lower tier than when it laid its meld. Units come "
            "home only when an attack beats them and they cannot retreat, so every step back is the work of "
            "attackers; what had stood before the units that came home is in a table.",
            "Melds count for the tier on which they were laid. Whether a meld reaches the limit is asked where the "
            "hand had enough cards.",
        ],
        _headlines(facts, frames),
    )  # fmt: skip


def _said(row: dict[str, Any]) -> str:
    return f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"


def _told(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows that rest on enough deals to be told."""
    return frame.filter(pl.col("n_blocks") >= ENOUGH)


PAYS = (
    "Being first to {} goes with losing",
    "It is not seen to matter who is first to {}",
    "Being first to {} goes with winning",
)
"""By how the share of wins of the first lies to an even share: below, about it, above."""


def finding(facts: RunFacts, frames: Frames) -> str:
    """Whether who gets to the last tier first wins."""
    name = facts.tier_names[-1]
    row = typical(_first_on(frames, len(facts.tier_names) - 1))
    if row is None:
        return f"There are not enough games to say whether it helps to be first to {name}."
    begin = PAYS[side(row, row["fair"], row["fair"])].format(name)
    return (
        f"{begin}: who alone gets there first wins {_said(row)} of the games {at(row)}, where an even share is "
        f"{percent(row['fair'])}."
    )


def _first_on(frames: Frames, tier: int) -> pl.DataFrame:
    return frames["tiers.first_wins"].filter(pl.col("tier") == tier)


def _snowball_sentence(facts: RunFacts, frames: Frames) -> list[str]:
    """The earlier tiers, for one player count."""
    last = len(facts.tier_names) - 1
    row = typical(_first_on(frames, last))
    if row is None:
        return []
    earlier = of_players_of(frames["tiers.first_wins"], row).filter(pl.col("tier") < last).sort("tier")
    said = [f"{percent(r['value'], 0)} at {facts.tier_names[r['tier']]}" for r in earlier.iter_rows(named=True)]
    if not said:
        return []
    return [
        f"On the tiers before, {at(row)}, who alone is first wins {listed(said)}. Better players get there first, too, "
        "so that this need not be the tier's doing."
    ]


def _step_sentence(frames: Frames) -> list[str]:
    steps = frames["tiers.steps_back"].group_by("players", maintain_order=True).agg(
        value=pl.col("per_seat").sum(), n_blocks=pl.col("n_blocks").max()
    )  # fmt: skip
    row = typical(steps)
    if row is None:
        return []
    home = frames["tiers.sent_home"].filter(pl.col("value") > 0)
    bare = typical(home.filter(pl.col("defence") == "nothing"))
    return joined(
        [
            f"A seat is thrown back a tier {number(row['value'], 2)} times in a game {at(row)}"
            f"{span_number(steps, 2)}.",
            f"Of the units that come home {percent(bare['value'], 0)} had neither wall nor card before them."
            if bare else "",
        ]
    )  # fmt: skip


def _meld_sentence(facts: RunFacts, frames: Frames) -> list[str]:
    """Where the limit binds least, and whether hands can fill the highest one."""
    melds = known(frames["tiers.melds"]).filter((pl.col("limit") > 0) & pl.col("at_limit").is_not_null())
    some = typical(melds.unique("players", keep="first", maintain_order=True))
    if some is None:
        return []
    part = of_players_of(melds, some)
    least, top = part.sort("at_limit").row(0, named=True), part.sort("tier").row(-1, named=True)
    return [
        f"Melds fall short of their limit most in {facts.tier_names[least['tier']]}: {at(least)} they have "
        f"{number(least['value'])} of {least['limit']} cards, and the limit is reached in "
        f"{percent(least['at_limit'])} ({percent_interval(least['at_limit_low'], least['at_limit_high'])}) of the "
        f"turns with enough cards. In {facts.tier_names[top['tier']]} {percent(top['could'], 0)} of the turns begin "
        f"with the {top['limit']} cards that the limit allows."
    ]


def _figures(facts: RunFacts, frames: Frames) -> list[FigureGroup]:
    names = facts.tier_names
    first = frames["tiers.first_wins"].filter(pl.col("n_games") > 0)
    snow = panels(
        facts.players, "snowball", first,
        lambda part, n: figures.snowball_curve(part, title=players_title(n), names=names),
        lambda part: [f"{names[row['tier']]} {_said(row)}" for row in part.iter_rows(named=True)],
        "Share of games won by the one first to each tier",
    )  # fmt: skip
    last = len(names) - 1
    curves = frames["tiers.order_curves"].filter(pl.col("tier") == last)
    summary = {(r["players"], r["order"]): r for r in frames["tiers.order"].filter(pl.col("tier") == last).to_dicts()}
    order = panels(
        facts.players, "arrivals", curves,
        lambda part, n: figures.order_curves(part, title=players_title(n)),
        lambda part: [
            f"{figures.ORDER[k]} {_median(summary[part['players'][0], k])}" for k in part["order"].unique().sort()
        ],
        f"Share of games in which the first, second and so on had reached {names[last]} by round",
    )  # fmt: skip
    melds = panels(
        facts.players, "melds", frames["tiers.melds"].filter(pl.col("limit") > 0),
        lambda part, n: figures.meld_dots(part, title=players_title(n), names=names),
        lambda part: [f"{names[r['tier']]} {r['value']:.1f} of {r['limit']}" for r in part.iter_rows(named=True)],
        "Cards of a meld on each tier",
    )  # fmt: skip
    return [
        FigureGroup(
            "Does the first to a tier win?",
            snow,
            "Points: of decided games in which one seat alone was first on the tier, the share that it won, a shared "
            f"victory split; lines: 95 % intervals (Wilson at the effective sample size); hollow: fewer than {ENOUGH} "
            "deals. Dashed: one over the number of players.",
        ),
        FigureGroup(
            f"Who follows to {names[last]}",
            order,
            "Curves: of the games still on, the share in which so many players had got there by the end of each round "
            "(Kaplan-Meier, pointwise 95 % bands over deals).",
        ),
        FigureGroup(
            "Cards laid against the limit",
            melds,
            "Points: mean cards of a meld laid on each tier, lines: 95 % intervals (mostly too narrow to see); bars: "
            "the most that the tier allows.",
        ),
    ]


def _median(row: dict[str, Any]) -> str:
    return "not in half of the games" if row["median"] is None else f"median round {row['median']:g}"


def _first_table(frames: Frames, names: Names) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        said = share_cells(row) if row["n_blocks"] >= ENOUGH else ["not enough games", ""]
        return [
            players_title(row["players"]), names[row["tier"]], percent(row["alone"]), *said, percent(row["fair"]),
            *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "first to", "alone", "wins", "interval", "even", *BASIS]
    return Table("Does the first to a tier win?", columns, table_rows(frames["tiers.first_wins"], cells), heads=2)


def _order_table(frames: Frames, names: Names) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), names[row["tier"]], figures.ORDER[row["order"]], *share_cells(row),
            percent(1 - row["value"]), number(row["median"], 0),
            interval(row["median_low"], row["median_high"], 0), *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "tier", "player", "gets there", "interval", "never", "median round", "interval", *BASIS]
    caption = "When the first, second … player gets to each tier, and how often never"
    return Table(caption, columns, table_rows(frames["tiers.order"], cells), heads=3, detail=True)


def _gap_table(frames: Frames, names: Names) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        said = number_cells(row, 2) if row["n_blocks"] >= ENOUGH else ["not enough games", ""]
        return [players_title(row["players"]), names[row["tier"]], percent(row["all_there"]), *said, *basis_cells(row)]

    columns = ["players", "tier", "all get there", "rounds between", "interval", *BASIS]
    caption = "Rounds between the first and the last player to get to a tier, of games in which all do"
    return Table(caption, columns, table_rows(frames["tiers.gap"], cells), heads=2, detail=True)


def _time_table(frames: Frames, names: Names) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), names[row["tier"]], *number_cells(row, 2), percent(row["of_game"]),
            *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "tier", "rounds", "interval", "of the game", "seats", BASIS[1]]
    return Table("Rounds that a seat spends on each tier", columns, table_rows(frames["tiers.time"], cells), heads=2)


def _step_table(frames: Frames, names: Names) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), names[row["tier"]], *share_cells(row), number(row["per_seat"], 3),
            number(row["units_lost"]), number(row["units_gained"]), percent(row["one_unit"], 0), *basis_cells(row),
        ]  # fmt: skip

    columns = [
        "players", "from", "rounds that throw back", "interval", "in a game", "units lost", "gained", "by one unit",
        "rounds", BASIS[1],
    ]  # fmt: skip
    note = "Units lost and gained in the rounds that threw a seat back; in a game: steps of one seat."
    return Table("Steps back", columns, table_rows(frames["tiers.steps_back"], cells), heads=2, note=note)


def _home_table(frames: Frames) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), row["defence"], *share_cells(row), percent(row["captured"]),
            *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "before it stood", "of the units", "interval", "tile captured too", "units", BASIS[1]]
    rows = table_rows(frames["tiers.sent_home"], cells)
    return Table("Units that came home: what the attack had beaten", columns, rows, heads=2)


def _meld_table(frames: Frames, names: Names) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), names[row["tier"]], str(row["limit"]), *number_cells(row, 2),
            percent(row["at_limit"]), percent_interval(row["at_limit_low"], row["at_limit_high"]),
            percent(row["could"]), *basis_cells(row),
        ]  # fmt: skip

    columns = [
        "players", "tier", "limit", "cards", "interval", "at the limit", "interval", "enough cards", "melds", BASIS[1],
    ]  # fmt: skip
    return Table("Melds against the limit", columns, table_rows(frames["tiers.melds"], cells), heads=2)


def _headlines(facts: RunFacts, frames: Frames) -> list[Headline]:
    """Of each player count, whether it wins to be first on the last tier."""
    last = len(facts.tier_names) - 1
    rows = _told(frames["tiers.first_wins"]).filter(pl.col("tier") == last)
    return [
        Headline(
            "Snowball",
            row["players"],
            f"Who alone gets to {facts.tier_names[last]} first wins {_said(row)}; an even share is "
            f"{percent(row['fair'])}.",
        )
        for row in rows.iter_rows(named=True)
    ]

"""More on strategies: what each does, how its duels go, the skill ladder, and kingmaking."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import habits, kingmaking, ladder
from blinksim.report import figures
from blinksim.report.common import (
    BASIS,
    basis_cells,
    of_players,
    panels,
    players_title,
    said_shares,
    share_cells,
    table_rows,
)
from blinksim.report.figures_drama import ENOUGH
from blinksim.report.flags import FALSE_FLAGS
from blinksim.report.parts import FigureGroup, Headline, Section, Table
from blinksim.report.source import NotKept, RunFacts, Source
from blinksim.report.topic import Frames
from blinksim.report.topics.findings import at
from blinksim.report.topics.seats_more import marked
from blinksim.report.words import basis, interval, listed, number, percent, percent_interval, plural

MADE = {
    "out_of_it": "games in which somebody is out of it before the last round",
    "leader_hit": "of these, games in which such a seat beats a unit of the leader in the last round",
    "overturned_hit": "leaders so hit that do not win",
    "overturned_not_hit": "leaders not so hit, in games in which somebody is out of it, that do not win",
    "made": "games in which a seat that is out of it makes the king",
}
"""The measures of kingmaking in words."""
TELLING = 0.5
"""A deed is told of a strategy where a seat does it so often in a game, or more."""


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Habits, duels (where the run kept them) and ladders by strategy; kingmaking is measured with the drama."""
    seats, line_ups = source.scan("seats"), source.facts.line_ups
    strategies = line_ups["strategy"].unique().sort().to_list()
    found = {"strategies.habits": habits.habits(seats), "strategies.ladder": ladder.ladder_steps(seats, strategies)}
    try:
        return found | {"strategies.fights": habits.fights(source.scan("duels"), line_ups)}
    except NotKept:
        return found


def tell(facts: RunFacts, frames: Frames) -> Section:
    """What follows who wins."""
    steps = frames["strategies.ladder"]
    groups = [_ladder_figure(facts, steps)] if not steps.is_empty() else []
    tables = [_ladder_table(steps)] if groups else []
    tables += [_habit_table(frames, players) for players in facts.players]
    if "strategies.fights" in frames:
        tables.append(_fight_table(frames["strategies.fights"]))
    made, notes = [], []
    if _kings(frames):
        tables.append(_king_table(frames["drama.kingmaking"]))
        made = [_king_sentence(frames)]
        notes = [_king_note(frames)]
    return Section(
        "strategies",
        "Strategies",
        [*_habit_sentence(facts, frames), *_ladder_sentence(steps), *made],
        groups,
        tables,
        [
            *notes,
            *(["A ladder is a strategy that takes part with several values of one parameter; its steps are told from "
               "the line-ups in which two neighbouring rungs meet and nobody else."] if groups else []),
        ],
        [_king_headline(row) for row in _kings(frames)],
    )  # fmt: skip


def _said(row: dict[str, Any]) -> str:
    return f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"


def _habit_sentence(facts: RunFacts, frames: Frames) -> list[str]:
    """What each strategy does more of than the others, at the middle one of the player counts."""
    players = facts.players[len(facts.players) // 2]
    found = of_players(frames["strategies.habits"], players)
    others = (pl.col("value").sum().over("deed") - pl.col("value")) / (pl.len().over("deed") - 1)
    shared = found.with_columns(others=others).filter((pl.col("value") >= TELLING) & (pl.col("others") > 0))
    if found["strategy"].n_unique() < 2:
        return []
    said = []
    for (name,), part in shared.group_by(["strategy"], maintain_order=True):
        row = part.sort(pl.col("value") / pl.col("others"), descending=True, maintain_order=True).row(0, named=True)
        if row["value"] > row["others"]:
            compared = f"{number(row['value'])} a seat and game, others {number(row['others'])}"
            said.append(f"{name} {row['deed']} ({compared})")
    return [f"What each does more of than the others, with {players} players: {listed(sorted(said))}."] if said else []


def _habit_table(frames: Frames, players: int) -> Table:
    """One row a deed, one column a strategy."""
    found = of_players(frames["strategies.habits"], players)
    names = found["strategy"].unique().sort().to_list()
    cells = {(row["deed"], row["strategy"]): row for row in found.iter_rows(named=True)}
    rows = []
    for deed in found["deed"].unique(maintain_order=True):
        told = [cells.get((deed, name)) for name in names]
        rows.append(
            [deed]
            + [f"{number(r['value'], 2)} ({interval(r['low'], r['high'], 2)})" if r else "–" for r in told]
        )  # fmt: skip
    first = {name: cells[found["deed"][0], name] for name in names}
    rests_on = listed([f"{name} {basis(r['n_games'], r['n_blocks'], 'seat')}" for name, r in first.items()])
    caption = f"What a seat of each strategy does in a game, {players} players: means with 95 % intervals"
    return Table(caption, ["what", *names], rows, note=f"Rests on: {rests_on}.", detail=True)


def _fight_table(fights: pl.DataFrame) -> Table:
    rows = table_rows(
        fights,
        lambda row: [
            players_title(row["players"]), row["strategy"], row["side"], *share_cells(row), *basis_cells(row)
        ],
    )  # fmt: skip
    columns = ["players", "strategy", "when it", "wins the duel", "interval", "duels", BASIS[1]]
    return Table("Duels by strategy", columns, rows, heads=3, detail=True)


def _ladder_figure(facts: RunFacts, steps: pl.DataFrame) -> FigureGroup:
    labelled = steps.with_columns(label=pl.format("{} {}\nover {}", "ladder", _short("above"), _short("below")))
    pictures = panels(
        facts.players, "ladder", labelled,
        lambda part, n: figures.share_dots(part, title=players_title(n), margin=None),
        lambda part: [said.replace("\n", " ") for said in said_shares(part)], "Share won by the upper rung",
    )  # fmt: skip
    return FigureGroup(
        "Does more skill win more?",
        pictures,
        "Points: share of decided games that a seat of the upper rung won against the rung below it; lines: 95 % "
        "intervals (Wilson at the effective sample size). Dashed: an even share.",
    )


def _short(column: str) -> pl.Expr:
    return pl.col(column).map_elements(lambda value: f"{value:g}", return_dtype=pl.String)


def _ladder_table(steps: pl.DataFrame) -> Table:
    rows = table_rows(
        steps,
        lambda row: [
            players_title(row["players"]), row["ladder"], f"{row['above']:g} over {row['below']:g}", *share_cells(row),
            percent(row["fair"]), marked(row), *basis_cells(row),
        ],
    )  # fmt: skip
    columns = ["players", "ladder", "step", "upper rung wins", "interval", "even", "chance", *BASIS]
    return Table("The skill ladder", columns, rows, heads=3)


def _ladder_sentence(steps: pl.DataFrame) -> list[str]:
    if steps.is_empty():
        return []
    up = steps.filter((pl.col("q") < FALSE_FLAGS) & (pl.col("value") > pl.col("fair"))).height
    return [
        f"Of {plural(steps.height, 'step')} of the skill ladder {up} win{'s' if up == 1 else ''} more than an even "
        "share beyond chance."
    ]


def _kings(frames: Frames) -> list[dict[str, Any]]:
    """What is told of kingmaking: a row per player count of three and more, where there are enough games."""
    if "drama.kingmaking" not in frames:
        return []
    made = frames["drama.kingmaking"].filter(pl.col("measure") == "made")
    return made.filter(pl.col("n_blocks") >= ENOUGH).to_dicts()


def _king_sentence(frames: Frames) -> str:
    """Of one player count; the table has all."""
    kings = _kings(frames)
    row = kings[(len(kings) - 1) // 2]
    of = of_players(frames["drama.kingmaking"], row["players"])
    rows = {r["measure"]: r for r in of.iter_rows(named=True)}
    hit, free = rows["overturned_hit"], rows["overturned_not_hit"]
    sentence = (
        f"Kingmaking, by a proxy, {at(row)}: in {_said(row)} of the games a seat that cannot win any more decides who "
        f"does. Somebody is out of it before the last round in {percent(rows['out_of_it']['value'], 0)} of the games"
    )
    if min(hit["n_blocks"], free["n_blocks"]) < ENOUGH:
        return f"{sentence}."
    return f"{sentence}; leaders whom such a seat hits lose in {_said(hit)}, others in {_said(free)}."


def _king_table(made: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        said = share_cells(row) if row["n_blocks"] >= ENOUGH else ["not enough games", ""]
        return [players_title(row["players"]), MADE[row["measure"]], *said, *basis_cells(row)]

    columns = ["players", "what", "share", "interval", "of games", BASIS[1]]
    return Table("Kingmaking, by a proxy", columns, table_rows(made, cells), heads=2)


def _king_note(frames: Frames) -> str:
    far = frames["drama.out_of_it"].filter(pl.col("behind").is_not_null())
    said = listed([f"{row['behind']} points with {row['players']} players" for row in far.iter_rows(named=True)])
    return (
        "Kingmaking cannot be seen in the tables, which do not hold what other choices would have led to; this is a "
        "proxy. A seat is out of it when it stands so far behind the leader before the last round that of all seats "
        f"as far behind at most {percent(kingmaking.HOPELESS, 0)} still win; that is {said or 'no distance here'}. It "
        "makes the king when it beats units of the leader in the last round, the leader does not win, and lacks no "
        "more points than such seats sent home of its units. A hit may have been the seat's best move for its own "
        "points."
    )


def _king_headline(row: dict[str, Any]) -> Headline:
    sentence = f"By a proxy, a seat that cannot win any more decides who does in {_said(row)} of the games."
    return Headline("Kingmaking", row["players"], sentence)

"""Drama: who leads, for how long, who comes back, by how much games are won, and how much of it is the deal."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import drama, kingmaking, luck
from blinksim.report import figures_drama as figures
from blinksim.report.common import (
    BASIS,
    basis_cells,
    number_cells,
    of_players,
    panels,
    players_title,
    share_cells,
    table_rows,
)
from blinksim.report.parts import FigureGroup, Headline, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics.findings import at, span, span_number, typical, upper
from blinksim.report.words import basis, number, percent, percent_interval, said_interval

MEANINGS = {
    "lead_changes": "changes of the lead in a game",
    "never_changed": "games whose first leader led throughout",
    "decided_at": "part of the game after which the winner led for good",
    "decided_last": "games decided with the last round",
    "not_leading_at_half": "winners not alone in the lead at half",
    "behind_at_half": "winners with fewer points than somebody at half",
    "margin": "points of the winner over the second",
    "blowouts": f"games won by more than {drama.BLOWOUT} points",
}
"""The measures of ``drama.shape`` in words; means, all others are shares."""
MEANS = ("lead_changes", "margin")
LUCK = {"points": "points", "win_share": "victory", "rounds": "length"}


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Course of the score, kingmaking (told with the strategies), and luck of the deal."""
    found = {f"drama.{name}": frame for name, frame in drama.drama(source.courses).items()}
    made, distance = kingmaking.kingmaking(source.courses, source.scan("duels"))
    found |= {"drama.kingmaking": made, "drama.out_of_it": distance}
    return found | {"drama.luck": luck.luck_of_the_deal(source.scan("seats"), source.scan("games"))}


def tell(facts: RunFacts, frames: Frames) -> Section:
    """How exciting games are."""
    shape = frames["drama.shape"]
    if not shape["n_games"].sum():
        return Section("drama", "Drama", ["No game was decided, so nobody led one to its end."])
    players = [n for n in facts.players if of_players(shape, n)["n_games"].sum()]
    return Section(
        "drama",
        "Drama",
        [_finding(frames), *_lead_sentences(frames), *_luck_sentences(frames, players)],
        _figures(frames, players),
        [_shape_table(shape), _leader_table(frames), _margin_table(frames), _luck_table(frames)],
        [
            "The leader after a round is who alone has the most points; where several are level nobody leads. The "
            "score during play is what it would be if the game ended then, hidden objectives counted: players see "
            "less than this.",
            "A change of the lead is another leader than the last one there was. A game is decided in the round with "
            "which its winner takes the lead for good. Half of a game is half of its rounds, rounded up. "
            "Decision rounds and comebacks are of games that one player won, margins of all decided games.",
            "Luck of the deal: the variance between deals over that between and within them, by one-way analysis of "
            "variance, after the mean of each line-up, strategy and seat was taken off. For points and victories the "
            "group is a hand of a deal, whoever played it and wherever; for length it is the deal. The rest is where "
            "the hand sat, who sat around it, and play.",
        ],
        [_headline(frames, n) for n in players],
    )


def _row(frames: Frames, players: int, measure_name: str) -> dict[str, Any]:
    shape = of_players(frames["drama.shape"], players)
    return shape.filter(pl.col("measure") == measure_name).row(0, named=True)


def _share_said(row: dict[str, Any]) -> str:
    return f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"


def _middle_round(frames: Frames, players: int) -> dict[str, Any] | None:
    """Of the rounds with enough games, the middle one: how often who leads after it wins."""
    wins = _enough(of_players(frames["drama.leader_wins"], players)).sort("round")
    return None if wins.is_empty() else wins.filter(pl.col("leads") > 0).row((wins.height - 1) // 2, named=True)


def _finding(frames: Frames) -> str:
    """How safe a lead is."""
    changes = typical(frames["drama.shape"].filter(pl.col("measure") == "lead_changes"))
    row = None if changes is None else _middle_round(frames, changes["players"])
    if row is None:
        return "There are not enough games to say how safe a lead is."
    begin = "The leader wins about every other time"
    if row["high"] < 0.5:
        begin = "The leader mostly does not win"
    elif row["low"] > 0.5:
        begin = "The leader mostly wins"
    return (
        f"{begin}: who leads after round {row['round']} wins {_share_said(row)} of the games {at(row)}, where an even "
        f"share is {percent(1 / row['players'])}."
    )


def _lead_sentences(frames: Frames) -> list[str]:
    """How games go and by how much they are won, of one player count."""
    shape = frames["drama.shape"]
    of = {name: shape.filter(pl.col("measure") == name) for name in MEANINGS}
    changes, comeback, last, margin, blowout = (
        typical(of[name])
        for name in ("lead_changes", "not_leading_at_half", "decided_last", "margin", "blowouts")
    )  # fmt: skip
    if changes is None:
        return []
    if comeback is None or last is None or margin is None or blowout is None:
        return [f"{upper(at(changes))} too few victories were not shared to say how games are won."]
    return [
        f"{upper(at(changes))} the lead changes {number(changes['value'])} times "
        f"({said_interval(changes['low'], changes['high'])}) in a game{span_number(of['lead_changes'])}. The winner "
        f"was not alone in the lead at half of {_share_said(comeback)} of the games, and {_share_said(last)} were "
        "decided only with the last round.",
        f"The winner is {number(margin['value'])} points ahead ({said_interval(margin['low'], margin['high'])}) "
        f"{at(margin)}, and {_share_said(blowout)} of the games are won by more than {drama.BLOWOUT}"
        f"{span(of['blowouts'])}.",
    ]


def _luck_sentences(frames: Frames, players: list[int]) -> list[str]:
    """How much is the deal; said, too, where it cannot be told apart."""
    won = frames["drama.luck"].filter(
        (pl.col("measure") == "win_share") & pl.col("value").is_not_nan() & pl.col("players").is_in(players)
    )
    if won.is_empty():
        return ["Luck of the deal cannot be told from play here: that takes hands that are played more than once."]
    row = typical(won)
    if row is None:
        return ["There are not enough games to say how much of who wins is the deal."]
    return [
        f"The hand that one is dealt makes {_share_said(row)} of who wins {at(row)}{span(won)}, seats and strategies "
        "apart."
    ]


def _figures(frames: Frames, players: list[int]) -> list[FigureGroup]:
    curves = panels(
        players, "leader-wins", frames["drama.leader_wins"],
        lambda part, n: figures.chance_curve(part, title=players_title(n)),
        lambda part: [f"round {r['round']} {percent(r['value'], 0)}" for r in _enough(part).iter_rows(named=True)],
        "Share of games won by who leads after each round",
    )  # fmt: skip
    rests_on = {row["players"]: basis(row["n_games"], row["n_blocks"])
                for row in frames["drama.margin_spread"].iter_rows(named=True)}  # fmt: skip
    changes = panels(
        players, "lead-changes", frames["drama.changes"],
        lambda part, n: figures.number_bars(
            part, column="changes", title=players_title(n), xlabel="changes of the lead", rests_on=rests_on[n]
        ),
        lambda part: [f"{r['changes']} changes {percent(r['share'])}" for r in part.iter_rows(named=True)],
        "Games by how often the lead changed",
    )  # fmt: skip
    margins = panels(
        players, "margins", frames["drama.margins"],
        lambda part, n: figures.number_bars(
            part, column="margin", title=players_title(n), xlabel="points ahead of the second", rests_on=rests_on[n],
            above=drama.BLOWOUT,
        ),
        lambda part: [_margin_said(frames, part["players"][0])], "Games by the winner's margin",
    )  # fmt: skip
    dealt = frames["drama.luck"].filter(pl.col("value").is_not_nan())
    dealt = dealt.with_columns(label=pl.col("measure").replace_strict(LUCK, default=pl.col("measure")))
    lucky = panels(
        players, "luck", dealt,
        lambda part, n: figures.part_dots(part, title=players_title(n), xlabel="part of the variance (%)"),
        lambda part: [f"{r['label']} {_share_said(r)}" for r in part.iter_rows(named=True)],
        "Part of the variance that lies between deals",
    )  # fmt: skip
    return [
        FigureGroup(
            "Does the leader win?",
            curves,
            "Points: of decided games with one leader after that round, the share that this leader won, a shared "
            f"victory split; band: 95 % (Wilson at the effective sample size). Drawn where at least {figures.ENOUGH} "
            "deals got so far. Dashed: one over the number of players.",
        ),
        FigureGroup(
            "How often does the lead change?",
            changes,
            "Bars: share of decided games. The mean with its interval is in the table of numbers below.",
        ),
        FigureGroup(
            "How close is it?",
            margins,
            f"Bars: share of decided games; orange beyond the dashed line: won by more than {drama.BLOWOUT} points. "
            "Mean and median with their intervals are in the tables below.",
        ),
        FigureGroup(
            "How much is the deal?",
            lucky,
            "Bars and points: part of the variance from game to game that lies between hands of deals (points, "
            "victory) or between deals (length); lines: 95 % intervals over deals. The rest is seat, opponents and "
            "play.",
        ),
    ]


def _enough(part: pl.DataFrame) -> pl.DataFrame:
    return part.filter(pl.col("n_blocks") >= figures.ENOUGH)


def _margin_said(frames: Frames, players: int) -> str:
    row = of_players(frames["drama.margin_spread"], players).row(0, named=True)
    return f"median {row['value']:g} points, nine games in ten {row['p05']:g} to {row['p95']:g}"


def _shape_table(shape: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        said = number_cells(row, 2) if row["measure"] in MEANS else share_cells(row)
        return [players_title(row["players"]), MEANINGS[row["measure"]], *said, *basis_cells(row)]

    rows = table_rows(shape.filter(pl.col("n_games") > 0), cells)
    return Table("Drama in numbers", ["players", "what", "value", "interval", *BASIS], rows, heads=2)


def _leader_table(frames: Frames) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        said = share_cells(row) if row["n_blocks"] >= figures.ENOUGH else ["not enough games", ""]
        return [players_title(row["players"]), str(row["round"]), percent(row["leads"]), *said, *basis_cells(row)]

    columns = ["players", "after round", "there is a leader", "the leader wins", "interval", *BASIS]
    rows = table_rows(frames["drama.leader_wins"], cells)
    return Table("Does the leader win?", columns, rows, heads=2, detail=True)


def _margin_table(frames: Frames) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            players_title(row["players"]), *number_cells(row, 0), number(row["p05"], 0), number(row["p95"], 0),
            *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "median", "interval", "5 %", "95 %", *BASIS]
    rows = table_rows(frames["drama.margin_spread"], cells)
    return Table("Points of the winner over the second", columns, rows, detail=True)


def _luck_table(frames: Frames) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        unknown = row["value"] != row["value"]
        said = ["not to be told apart", ""] if unknown else share_cells(row)
        return [
            players_title(row["players"]), LUCK[row["measure"]], *said, number(row["between"], 2),
            number(row["within"], 2), *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "of", "the deal's part", "interval", "deviation between", "within", *BASIS]
    note = "Deviations: standard deviations, in points, in victories of 0 to 1, and in rounds."
    return Table("Luck of the deal", columns, table_rows(frames["drama.luck"], cells), heads=2, note=note)


def _headline(frames: Frames, players: int) -> Headline:
    changes, row = _row(frames, players, "lead_changes"), _middle_round(frames, players)
    said = f"The lead changes {number(changes['value'])} times in a game"
    if row is None:
        return Headline("Drama", players, f"{said}; not enough games to say when they are decided.")
    sentence = f"{said}; who leads after round {row['round']} wins {_share_said(row)}."
    return Headline("Drama", players, sentence)


TOPIC = Topic("drama", measure, tell)

"""Length and ends: how long games last, who announces the last round, and which never end."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import polars as pl

from blinksim.analysis import endings, pacing
from blinksim.analysis.estimates import Estimate
from blinksim.report import figures
from blinksim.report.common import (
    BASIS,
    basis_cells,
    number_cells,
    panels,
    players_title,
    said_shares,
    share_cells,
    table_rows,
)
from blinksim.report.joining import extended
from blinksim.report.parts import FigureGroup, Headline, Picture, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics import length_more
from blinksim.report.topics.findings import at, side, span, span_number, typical
from blinksim.report.words import (
    basis,
    count,
    interval,
    number,
    percent,
    percent_interval,
    plural,
    said_interval,
)


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Lengths, outcomes, and who announced the last round."""
    games = source.scan("games")
    stalled = pl.DataFrame([{"players": 0} | asdict(endings.stalled_overall(games))])
    return {
        "length.outcomes": endings.outcomes(games),
        "length.stalls": endings.stalls(games),
        "length.stalled_overall": stalled,
        "length.length": pacing.game_length(games),
        "length.by_line_up": pacing.game_length(games, ["line_up"]),
        "length.histogram": pacing.length_histogram(games),
        "length.announcer_wins": endings.armer_win_share(games),
        "length.announcing_seat": endings.armed_by_seat(games),
        "length.announced_round": endings.armed_round(games),
    }


def tell(facts: RunFacts, frames: Frames) -> Section:
    """How long games last and how they end."""
    rounds = frames["length.length"].filter(pl.col("measure") == "rounds")
    rests_on = {row["players"]: basis(row["n_games"], row["n_blocks"]) for row in rounds.iter_rows(named=True)}
    said = {
        row["players"]: [f"median {row['median']:g} rounds, nine games in ten {row['p05']:g} to {row['p95']:g}"]
        for row in rounds.iter_rows(named=True)
    }
    lengths = panels(
        facts.players, "length", frames["length.histogram"],
        lambda part, n: figures.length_histogram(part, title=players_title(n), rests_on=rests_on[n]),
        lambda part: said[part["players"][0]], "Decided games by number of rounds",
    )  # fmt: skip
    armer = frames["length.announcer_wins"].with_columns(label=pl.format("{} players", "players"))
    announced = []
    on_all = basis(int(armer["n_games"].sum()), int(armer["n_blocks"].sum()))
    if not armer.is_empty():
        ax = figures.share_dots(
            armer, title="Share won", margin=None, xlabel="share of those games won (%)", rests_on=on_all
        )
        announced = [Picture("reserve-wins", ax, f"Wins of who empties the reserve: {'; '.join(said_shares(armer))}.")]
    return Section(
        "length",
        "Length and ends",
        [_finding(frames), *_ends_in_words(frames)],
        [
            FigureGroup(
                "Length of decided games",
                lengths,
                "Bars: share of decided games that lasted so many rounds; paler beyond the 5th and the 95th "
                "percentile. Dashed: the median. Stalled games have no length and are not in it; the table of ends "
                "counts them.",
            ),
            FigureGroup(
                "Does it win to end the game?",
                announced,
                "Points: share of decided games won by the player whose empty reserve announced the last round, with "
                "95 % intervals (Wilson at the effective sample size). Dashed: what chance would give.",
            ),
        ],
        [
            *_length_tables(facts, frames),
            _ends_table(frames),
            _announced_table(frames),
            _armed_table(frames),
            *_stall_tables(facts, frames),
        ],
        [
            "Where several reserves are empty at the end of the round that announces the last one, each of their "
            "owners counts for its part.",
            "A stalled game is one that reached the cap of rounds; it has no winner and is left out of win shares, "
            "lengths and scores.",
        ],
        _headlines(frames),
    )


def _finding(frames: Frames) -> str:
    """How long games last, and how much that varies."""
    rounds = frames["length.length"].filter(pl.col("measure") == "rounds")
    if rounds.is_empty():
        return "No game was decided."
    row = typical(rounds)
    if row is None:
        return "There are not enough games to say how long they last."
    return (
        f"A game lasts {number(row['mean'], 2)} rounds ({said_interval(row['mean_low'], row['mean_high'], 2)}) "
        f"{at(row)}{span_number(rounds.with_columns(value='mean'))}, and nine games in ten {row['p05']:g} to "
        f"{row['p95']:g}."
    )


ENDS = (
    "Who ends the game wins less than chance would give", "Who ends the game is not seen to matter",
    "Who ends the game wins more than chance would give",
)  # fmt: skip
"""By how the share of wins of who ends it lies to chance: below, about it, above."""


def _ends_in_words(frames: Frames) -> list[str]:
    wins, rounds = frames["length.announcer_wins"], frames["length.announced_round"]
    row, when = typical(wins), typical(rounds)
    if row is None or when is None:
        return []
    return [
        f"{ENDS[side(row, row['fair'], row['fair'])]}: the player whose reserve is empty wins {percent(row['value'])} "
        f"({percent_interval(row['low'], row['high'])}) {at(row)}{span(wins)}, against "
        f"{percent(row['fair'])}. The last round is announced at the end of round {number(when['value'])}, on average."
    ]


def _announced_table(frames: Frames) -> Table:
    rows = table_rows(
        frames["length.announced_round"],
        lambda row: [players_title(row["players"]), *number_cells(row, 2), *basis_cells(row)],
    )
    return Table("Round at whose end the last one is announced", ["players", "mean", "interval", *BASIS], rows)


def _length_tables(facts: RunFacts, frames: Frames) -> list[Table]:
    def cells(row: dict[str, Any], who: str) -> list[str]:
        digits = 1 if row["measure"] == "rounds" else 0
        return [
            players_title(row["players"]), who, row["measure"], number(row["mean"], digits),
            interval(row["mean_low"], row["mean_high"], digits), number(row["median"], 0),
            interval(row["median_low"], row["median_high"], 0), number(row["p05"], 0), number(row["p95"], 0),
            *basis_cells(row),
        ]  # fmt: skip

    columns = ["players", "line-up", "in", "mean", "interval", "median", "interval", "5 %", "95 %", *BASIS]
    rows = [cells(row, "all") for row in frames["length.length"].iter_rows(named=True)]
    tables = [Table("Length of decided games", columns, rows, heads=3)]
    if frames["length.by_line_up"].height > frames["length.length"].height:
        rows = [
            cells(row, facts.line_up(row["players"], row["line_up"]))
            for row in frames["length.by_line_up"].iter_rows(named=True)
        ]
        tables.append(Table("Length of decided games by line-up", columns, rows, heads=3, detail=True))
    return tables


def _ends_table(frames: Frames) -> Table:
    rows = table_rows(
        frames["length.outcomes"],
        lambda row: [
            players_title(row["players"]),
            row["outcome"],
            count(row["games"]),
            *share_cells(row),
            *basis_cells(row),
        ],
    )
    return Table(
        "How games end", ["players", "end", "so many", "share", "interval", "of games", "deals"], rows, heads=2
    )


def _armed_table(frames: Frames) -> Table:
    rows = table_rows(
        frames["length.announcing_seat"],
        lambda row: [
            players_title(row["players"]),
            f"seat {row['seat']}",
            *share_cells(row),
            percent(row["fair"]),
            *basis_cells(row),
        ],
    )
    return Table(
        "Which seat empties its reserve and announces the last round, of decided games",
        ["players", "seat", "announces", "interval", "by chance", *BASIS],
        rows,
        heads=2,
    )


def _stall_tables(facts: RunFacts, frames: Frames) -> list[Table]:
    """Stalls by line-up: those line-ups that have any, where there are several."""
    stalled = frames["length.stalls"].filter(pl.col("games") > 0)
    if stalled.is_empty() or frames["length.stalls"].height <= len(facts.players):
        return []
    rows = table_rows(
        stalled,
        lambda row: [
            players_title(row["players"]), facts.line_up(row["players"], row["line_up"]), count(row["games"]),
            *share_cells(row), *basis_cells(row),
        ],
    )  # fmt: skip
    return [
        Table(
            "Line-ups with stalled games",
            ["players", "line-up", "stalled", "share", "interval", "of games", "deals"],
            rows,
            heads=2,
        )
    ]


def _headlines(frames: Frames) -> list[Headline]:
    rounds = frames["length.length"].filter(pl.col("measure") == "rounds")
    return [
        *[_length(row) for row in rounds.iter_rows(named=True)],
        *[_end(row) for row in frames["length.announcer_wins"].iter_rows(named=True)],
        _stalls(frames),
    ]


def _length(row: dict[str, Any]) -> Headline:
    sentence = (
        f"{number(row['mean'])} rounds on average ({said_interval(row['mean_low'], row['mean_high'])}); nine in ten "
        f"last {row['p05']:g} to {row['p95']:g}."
    )
    return Headline("Length", row["players"], sentence)


def _end(row: dict[str, Any]) -> Headline:
    sentence = (
        f"The player whose empty reserve ends the game wins {percent(row['value'])} "
        f"({percent_interval(row['low'], row['high'])}); by chance it would be {percent(row['fair'])}."
    )
    return Headline("Who ends it", row["players"], sentence)


def _stalls(frames: Frames) -> Headline:
    overall = Estimate(**frames["length.stalled_overall"].drop("players").row(0, named=True))
    stalled = frames["length.outcomes"].filter(pl.col("outcome") == "stalled")
    total = int(stalled["games"].sum())
    on = f"{plural(overall.n_games, 'game')} on {plural(overall.n_blocks, 'deal')}"
    if not total:
        sentence = f"None of {on} stalled; the share is at most {percent(overall.high, 2)}, each deal counted once."
        return Headline("Stalled games", 0, sentence)
    said = f"{percent(overall.value, 2)} ({percent_interval(overall.low, overall.high, 2)})"
    worst = stalled.sort("value", "high", descending=True).row(0, named=True)
    most = f"; most often with {worst['players']} players, {percent(worst['value'], 2)}" if stalled.height > 1 else ""
    return Headline("Stalled games", 0, f"{count(total)} of {on} stalled: {said}{most}.")


TOPIC = extended(Topic("length", measure, tell), length_more.measure, length_more.tell)

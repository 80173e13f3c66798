"""The sections of the page, each made from the numbers: what to see, figures, tables, definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from blinksim.analysis.estimates import MARGIN
from blinksim.report import figures
from blinksim.report.headlines import of_players
from blinksim.report.method import SHIFTS
from blinksim.report.numbers import Numbers
from blinksim.report.parts import FigureGroup, Picture, Section, Table
from blinksim.report.words import (
    basis,
    count,
    interval,
    listed,
    number,
    percent,
    percent_interval,
    plural,
    said_interval,
)

BASIS = ("games", "deals")
"""Headings of the last columns of every table: what a row rests on."""


def _basis(row: dict[str, Any]) -> list[str]:
    return [count(row["n_games"]), count(row["n_blocks"])]


def _share(row: dict[str, Any]) -> list[str]:
    return [percent(row["value"]), percent_interval(row["low"], row["high"])]


def _rows(frame: pl.DataFrame, cells: Callable[[dict[str, Any]], list[str]]) -> list[list[str]]:
    return [cells(row) for row in frame.iter_rows(named=True)]


def _panels(
    numbers: Numbers,
    name: str,
    frame: pl.DataFrame,
    draw: Callable[[pl.DataFrame, int], Axes],
    say: Callable[[pl.DataFrame], Iterable[str]],
    what: str,
) -> list[Picture]:
    """One panel for each player count that has rows."""
    pictures = []
    for players in numbers.facts.players:
        part = of_players(frame, players)
        if part.is_empty():
            continue
        alternative = f"{what}, {players} players: {'; '.join(say(part))}."
        pictures.append(Picture(f"{name}-{players}p", draw(part, players), alternative))
    return pictures


def _title(players: int) -> str:
    return f"{players} players"


def _say_shares(part: pl.DataFrame) -> list[str]:
    return [f"{row['label']} {percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
            for row in part.iter_rows(named=True)]  # fmt: skip


def seats_section(numbers: Numbers) -> Section:
    """Who wins, by seat."""
    labelled = numbers.seats.with_columns(label=pl.format("seat {}", "seat"))
    pictures = _panels(
        numbers, "seats", labelled, lambda part, n: figures.share_dots(part, title=_title(n)), _say_shares,
        "Share of decided games won by each seat",
    )  # fmt: skip
    decided = numbers.outcomes.group_by("players", maintain_order=True).agg(
        shared=pl.col("games").filter(pl.col("outcome") == "shared").sum(),
        stalled=pl.col("games").filter(pl.col("outcome") == "stalled").sum(),
    )
    counts = {row["players"]: row for row in decided.iter_rows(named=True)}
    rows = _rows(
        labelled,
        lambda row: [
            _title(row["players"]), row["label"], *_share(row), row["verdict"], *_basis(row),
            count(counts[row["players"]]["shared"]), count(counts[row["players"]]["stalled"]),
        ],
    )  # fmt: skip
    tables = [
        Table(
            "Win share by seat; games are decided games, stalled ones are counted beside them",
            ["players", "seat", "wins", "interval", "verdict", *BASIS, "shared", "stalled"],
            rows,
            heads=2,
        )
    ]
    if numbers.facts.line_ups.select("players", "line_up").n_unique() > len(numbers.facts.players):
        tables.append(_seats_by_line_up(numbers))
    return Section(
        "seats",
        "Seats",
        [
            f"Does it matter where one sits? The plan was: {SHIFTS[numbers.facts.shifts]}.{_evened_out(numbers)}",
        ],
        [
            FigureGroup(
                "Win share by seat",
                pictures,
                "Points: share of decided games that each seat won, a shared victory split. Lines: intervals that "
                "hold for all seats of a panel together (95 %, Wilson at the effective sample size, Šidák). Dashed: "
                f"a fair share. Grey band: within {100 * MARGIN:g} points of it.",
            )
        ],
        tables,
        [
            f"Verdicts: fair where all intervals lie within {100 * MARGIN:g} points of one over the number of "
            "players, not fair where one lies wholly outside, otherwise not enough games.",
            "Seats are counted from 0, clockwise, as in the records. All line-ups are taken together in the figure; "
            "each counts by its number of games.",
        ],
    )


def _evened_out(numbers: Numbers) -> str:
    """What turning the table does for the comparison of seats, where it was turned."""
    if numbers.facts.shifts in ("none", "hands"):
        return ""
    return " So luck with the cards does not count for or against a seat."


def _seats_by_line_up(numbers: Numbers) -> Table:
    rows = _rows(
        numbers.seats_by_line_up,
        lambda row: [
            numbers.facts.line_up(row["players"], row["line_up"]), f"seat {row['seat']}", *_share(row), row["verdict"],
            *_basis(row),
        ],
    )  # fmt: skip
    return Table(
        "Win share by seat for each line-up on its own: does a seat help some players only?",
        ["line-up", "seat", "wins", "interval", "verdict", *BASIS],
        rows,
        heads=2,
        detail=True,
    )


def length_section(numbers: Numbers) -> Section:
    """How long games last and how they end."""
    rounds = numbers.length.filter(pl.col("measure") == "rounds")
    rests_on = {row["players"]: basis(row["n_games"], row["n_blocks"]) for row in rounds.iter_rows(named=True)}
    said = {
        row["players"]: [f"median {row['median']:g} rounds, nine games in ten {row['p05']:g} to {row['p95']:g}"]
        for row in rounds.iter_rows(named=True)
    }
    lengths = _panels(
        numbers, "length", numbers.histogram,
        lambda part, n: figures.length_histogram(part, title=_title(n), rests_on=rests_on[n]),
        lambda part: said[part["players"][0]], "Decided games by number of rounds",
    )  # fmt: skip
    armer = numbers.armer.with_columns(label=pl.format("{} players", "players"))
    announced = []
    on_all = basis(int(armer["n_games"].sum()), int(armer["n_blocks"].sum()))
    if not armer.is_empty():
        ax = figures.share_dots(
            armer, title="Share won", margin=None, xlabel="share of those games won (%)", rests_on=on_all
        )
        announced = [Picture("reserve-wins", ax, f"Wins of who empties the reserve: {'; '.join(_say_shares(armer))}.")]
    return Section(
        "length",
        "Length and ends",
        [_ends_in_words(numbers)],
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
        [*_length_tables(numbers), _ends_table(numbers), _armed_table(numbers), *_stall_tables(numbers)],
        [
            "Where several reserves are empty at the end of the round that announces the last one, each of their "
            "owners counts for its part.",
            "A stalled game is one that reached the cap of rounds; it has no winner and is left out of win shares, "
            "lengths and scores.",
        ],
    )


def _ends_in_words(numbers: Numbers) -> str:
    parts = []
    for row in numbers.armed_round.iter_rows(named=True):
        where = f"{number(row['value'])} ({said_interval(row['low'], row['high'])})"
        parts.append(f"round {where} with {row['players']} players")
    if not parts:
        return "No game was decided."
    return f"The last round is announced, on average, at the end of {listed(parts)}."


def _length_tables(numbers: Numbers) -> list[Table]:
    def cells(row: dict[str, Any], who: str) -> list[str]:
        digits = 1 if row["measure"] == "rounds" else 0
        return [
            _title(row["players"]), who, row["measure"], number(row["mean"], digits),
            interval(row["mean_low"], row["mean_high"], digits), number(row["median"], 0),
            interval(row["median_low"], row["median_high"], 0), number(row["p05"], 0), number(row["p95"], 0),
            *_basis(row),
        ]  # fmt: skip

    columns = ["players", "line-up", "in", "mean", "interval", "median", "interval", "5 %", "95 %", *BASIS]
    rows = [cells(row, "all") for row in numbers.length.iter_rows(named=True)]
    tables = [Table("Length of decided games", columns, rows, heads=3)]
    if numbers.length_by_line_up.height > numbers.length.height:
        rows = [
            cells(row, numbers.facts.line_up(row["players"], row["line_up"]))
            for row in numbers.length_by_line_up.iter_rows(named=True)
        ]
        tables.append(Table("Length of decided games by line-up", columns, rows, heads=3, detail=True))
    return tables


def _ends_table(numbers: Numbers) -> Table:
    rows = _rows(
        numbers.outcomes,
        lambda row: [_title(row["players"]), row["outcome"], count(row["games"]), *_share(row), *_basis(row)],
    )
    return Table(
        "How games end", ["players", "end", "so many", "share", "interval", "of games", "deals"], rows, heads=2
    )


def _armed_table(numbers: Numbers) -> Table:
    rows = _rows(
        numbers.armed_seats,
        lambda row: [_title(row["players"]), f"seat {row['seat']}", *_share(row), percent(row["fair"]), *_basis(row)],
    )
    return Table(
        "Which seat empties its reserve and announces the last round, of decided games",
        ["players", "seat", "announces", "interval", "by chance", *BASIS],
        rows,
        heads=2,
    )


def _stall_tables(numbers: Numbers) -> list[Table]:
    """Stalls by line-up: those line-ups that have any, where there are several."""
    stalled = numbers.stalls.filter(pl.col("games") > 0)
    if stalled.is_empty() or numbers.stalls.height <= len(numbers.facts.players):
        return []
    rows = _rows(
        stalled,
        lambda row: [
            _title(row["players"]), numbers.facts.line_up(row["players"], row["line_up"]), count(row["games"]),
            *_share(row), *_basis(row),
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


def tiers_section(numbers: Numbers) -> Section:
    """When players get to their tiers."""
    names = numbers.facts.tier_names
    summary = {(row["players"], row["tier"]): row for row in numbers.tiers.iter_rows(named=True)}

    def say(part: pl.DataFrame) -> list[str]:
        found = [summary[(part["players"][0], tier)] for tier in part["tier"].unique(maintain_order=True)]
        return [f"{names[row['tier']]} {_median(row)}, {percent(row['value'])} got there" for row in found]

    curves = _panels(
        numbers, "tiers", _with_enough(numbers.curves),
        lambda part, n: figures.tier_curves(part, title=_title(n), names=names), say,
        "Share of seats that reached each tier by round",
    )  # fmt: skip
    groups = [
        FigureGroup(
            "Climbing the tiers",
            curves,
            "Curves: of the seats still playing, the share that had reached each tier by the end of each round "
            f"(Kaplan-Meier, with pointwise 95 % bands over deals); drawn while at least {figures.MIN_AT_RISK} seats "
            "are on their way, or nearly all are there.",
        )
    ]
    by_strategy = numbers.tiers_by_strategy
    if by_strategy["strategy"].n_unique() > 1:
        medians = _panels(
            numbers, "tier-medians", by_strategy,
            lambda part, n: figures.tier_medians(part.sort("strategy", "tier"), title=_title(n), names=names),
            lambda part: [f"{r['strategy']} {names[r['tier']]} {_median(r)}" for r in part.iter_rows(named=True)],
            "Median round of reaching each tier by strategy",
        )  # fmt: skip
        groups.append(
            FigureGroup(
                "Who climbs faster",
                medians,
                "Points: the round by which half of a strategy's seats had reached the tier (Kaplan-Meier), with its "
                "95 % interval; a tier that fewer than half ever reach has no point. All line-ups together.",
            )
        )
    tables = [_tier_table("Tiers reached, all strategies", numbers.tiers, names, None)]
    if len(groups) > 1:
        tables.append(_tier_table("Tiers reached, by strategy", by_strategy, names, "strategy"))
    return Section(
        "tiers",
        "Tier pacing",
        [
            f"Everybody begins in {names[0]}. A tier counts as reached in the first round that a seat ends on it or "
            "higher."
        ],
        groups,
        tables,
        [
            "A seat whose game ends before it gets to a tier leaves the count at that moment, so that the curves "
            "tell how fast the climb is while games last. How many got there in the games as they were is the column "
            '"got there": a curve may well pass above it.',
            "Stalled games take part: their seats leave the count at the cap.",
        ],
    )


def _with_enough(curves: pl.DataFrame) -> pl.DataFrame:
    """The curves of those player counts of which there are enough seats to draw any."""
    return curves.filter((pl.col("at_risk") >= figures.MIN_AT_RISK).any().over("players"))


def _median(row: dict[str, Any]) -> str:
    return "not by half" if row["median"] is None else f"median round {row['median']:g}"


def _tier_table(caption: str, frame: pl.DataFrame, names: tuple[str, ...], by: str | None) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        return [
            _title(row["players"]), *([str(row[by])] if by else []), names[row["tier"]], *_share(row),
            number(row["median"], 0), interval(row["median_low"], row["median_high"], 0), *_basis(row),
        ]  # fmt: skip

    columns = [
        "players",
        *([by] if by else []),
        "tier",
        "got there",
        "interval",
        "median round",
        "interval",
        "seats",
        "deals",
    ]
    return Table(caption, columns, _rows(frame, cells), heads=3 if by else 2, detail=bool(by))


def scores_section(numbers: Numbers) -> Section:
    """Where points come from."""

    def say(part: pl.DataFrame) -> list[str]:
        return [f"{row['label']} {row['part']} {number(row['value'])}" for row in part.iter_rows(named=True)]

    def bars(part: pl.DataFrame, players: int) -> Axes:
        return figures.score_bars(part, title=_title(players))

    results = numbers.score_results.with_columns(label=pl.col("result"))
    seats = numbers.score_seats.with_columns(label=pl.format("seat {}", "seat"))
    caption = (
        "Bars: mean points of a seat by part, of decided games. Line at the end: 95 % interval of the mean total (t, "
        "over deals)."
    )
    return Section(
        "scores",
        "Score composition",
        [_scores_in_words(numbers)],
        [
            FigureGroup(
                "Winners and others", _panels(numbers, "score-results", results, bars, say, "Points by part"), caption
            ),
            FigureGroup("By seat", _panels(numbers, "score-seats", seats, bars, say, "Points by part"), caption),
        ],
        [
            _score_table("Points of winners (shared victories among them) and others", results, "who"),
            _score_table("Points by seat", seats, "seat", detail=True),
        ],
    )


def _scores_in_words(numbers: Numbers) -> str:
    parts = []
    for players in numbers.facts.players:
        rows = of_players(numbers.score_results, players).filter(pl.col("result") == "winners")
        if not rows.is_empty():
            shares = {row["part"]: percent(row["of_total"], 0) for row in rows.iter_rows(named=True)}
            total = rows.filter(pl.col("part") == "total")["value"][0]
            parts.append(
                f"with {players} players {number(total)} points ({shares['units']} from units, {shares['row']} from "
                f"the victory row, {shares['objectives']} from objectives)"
            )
    return f"A winner has, on average, {listed(parts)}." if parts else "No game was decided."


def _score_table(caption: str, frame: pl.DataFrame, what: str, detail: bool = False) -> Table:
    rows = _rows(
        frame,
        lambda row: [
            _title(row["players"]), row["label"], row["part"], number(row["value"], 2),
            interval(row["low"], row["high"], 2), percent(row["of_total"], 0), *_basis(row),
        ],
    )  # fmt: skip
    return Table(
        caption, ["players", what, "part", "points", "interval", "of total", *BASIS], rows, heads=3, detail=detail
    )


def strategies_section(numbers: Numbers) -> Section:
    """Who wins, by strategy."""
    names = numbers.facts.line_ups["strategy"].unique().sort().to_list()
    scores_table = _score_table(
        "Points by strategy, all line-ups together",
        numbers.score_strategies.with_columns(label=pl.col("strategy")),
        "strategy",
    )
    if numbers.strategies.is_empty():
        lead = f"Every seat was played by one strategy ({listed(names)}), so that there is nothing to compare here."
        return Section("strategies", "Strategies", [lead], tables=[scores_table])
    texts = [numbers.facts.line_up(p, i) for p, i in numbers.strategies.select("players", "line_up").iter_rows()]
    labelled = numbers.strategies.with_columns(line_up_text=pl.Series(texts)).with_columns(
        label=pl.format("{}\nof {}", "strategy", "line_up_text")
    )
    pictures = _panels(
        numbers, "strategies", labelled, lambda part, n: figures.share_dots(part, title=_title(n)),
        lambda part: [said.replace("\n", " ") for said in _say_shares(part)], "Win share of a seat by strategy",
    )  # fmt: skip
    rows = _rows(
        labelled,
        lambda row: [
            _title(row["players"]), row["line_up_text"], row["strategy"], *_share(row), percent(row["fair"]),
            *_basis(row),
        ],
    )  # fmt: skip
    return Section(
        "strategies",
        "Strategies",
        [
            f"{plural(len(names), 'strategy', 'strategies')} took part: {listed(names)}. The plan was: "
            f"{SHIFTS[numbers.facts.shifts]}.",
        ],
        [
            FigureGroup(
                "Win share by strategy",
                pictures,
                "Points: share of decided games that a seat played by the strategy won, in line-ups where strategies "
                "meet; a shared victory split. Lines: intervals that hold for all strategies of a line-up together "
                "(95 %, Wilson at the effective sample size, Šidák). Dashed: an even split; grey band: within "
                f"{100 * MARGIN:g} points of it.",
            )
        ],
        [
            Table(
                "Win share of a seat by strategy",
                ["players", "line-up", "strategy", "wins", "interval", "even", *BASIS],
                rows,
                heads=3,
            ),
            scores_table,
        ],
        ["A strategy that wins more is stronger against these opponents; that alone does not make the rules unfair."],
    )

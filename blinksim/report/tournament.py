"""The page of a tournament: who beats whom, shares and ratings, what each strategy does, and the ladder of skill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from blinksim.analysis import meetings, ratings
from blinksim.report import figures
from blinksim.report import tournament_figures as drawn
from blinksim.report.common import BASIS, basis_cells, of_players
from blinksim.report.page import render
from blinksim.report.parts import FigureGroup, Headline, Page, Picture, Section, Table
from blinksim.report.topics import method, tiers
from blinksim.report.tournament_results import Results, doubts, group_title
from blinksim.report.words import count, interval, listed, number, percent, percent_interval, plural
from blinksim.simulate.tournament import Ladder
from blinksim.store.runs import write_bytes

MATRIX = "Win shares, row against column"
"""Begins the text alternative of the matrix; the page's style finds it by that."""
REM_PER_INCH = 7.3
"""As other panels are set."""


def make_tournament_page(results: Results) -> Page:
    """All that stands on the page of a tournament."""
    facts = results.facts
    total = int(results.frames["length.outcomes"]["games"].sum())
    names = facts.line_ups["strategy"].unique().sort().to_list()
    counts = listed(map(str, facts.players))
    warnings = []
    if not facts.complete:
        warnings.append(
            f"This tournament is not finished: {count(facts.shards[0])} of {plural(facts.shards[1], 'shard')} are "
            "there. Run the same again to go on."
        )
    sections = [_matrix_section(results), _shares_section(results), _ratings_section(results)]
    sections += [_ladder_section(results, ladder) for ladder in results.ladders]
    sections += [_doings_section(results), *[topic.TOPIC.tell(facts, results.frames) for topic in (tiers, method)]]
    return Page(
        title=f"{facts.title} tournament: {listed(names)}",
        question=facts.question,
        summary=f"{plural(total, 'game')} of {facts.title} with {counts} players under the ruleset {facts.ruleset}. "
        f"{'. '.join(results.notes)}{'.' if results.notes else ''}",
        warnings=warnings,
        headlines=_headlines(results),
        sections=[section for section in sections if section is not None],
    )


def write_tournament_page(results: Results, target: Path) -> Page:
    """Write the page of a tournament.

    Args:
        results: From :func:`find_results`.
        target: The HTML file; folders are made.

    Raises:
        RunError: the file cannot be written.
    """
    page = make_tournament_page(results)
    # The matrix is as wide as its strategies are many; all other panels have one width.
    width = REM_PER_INCH * drawn.matrix_width(results.matrix)
    wide = f'.panels svg[aria-label^="{MATRIX}"] {{ grid-column: 1 / -1; max-width: min({width:.0f}rem, 100%); }}'
    write_bytes(target, render(page).replace("</style>", f"{wide}\n</style>", 1).encode("utf-8"))
    return page


def _headlines(results: Results) -> list[Headline]:
    found = []
    for players in results.facts.players:
        part = of_players(results.shares, players)
        if part.is_empty():
            found.append(Headline("Wins", players, "No game was decided."))
            continue
        row = part.row(0, named=True)
        found.append(
            Headline(
                "Wins",
                players,
                f"{row['strategy']} wins most: {percent(row['value'])} of its seats "
                f"({percent_interval(row['low'], row['high'])}); an even split is {percent(row['fair'])}.",
            )
        )
    if results.ratings is not None:
        for (players,), part in results.ratings.group_by(["players"], maintain_order=True):
            rated = part.filter(pl.col("verdict") == ratings.RATED)
            said = [f"{row['strategy']} {row['value']:+.0f}" for row in rated.iter_rows(named=True)]
            left = plural(part.height - rated.height, "strategy", "strategies")
            text = ("" if players else "All games: ") + (f"{', '.join(said)}." if said else "")
            text += f" Not enough games for {left}." if rated.height < part.height else ""
            found.append(Headline("Ratings", int(str(players)), text.strip()))
    stalled = results.frames["length.stalled_overall"].row(0, named=True)
    said_stalled = f"{percent(stalled['value'], 2)} ({percent_interval(stalled['low'], stalled['high'], 2)})"
    found.append(Headline("Stalled games", 0, f"{said_stalled} of {plural(stalled['n_games'], 'game')} stalled."))
    return found


def _matrix_section(results: Results) -> Section | None:
    """Who beats whom."""
    frame = results.matrix
    if frame.is_empty():
        return None
    said = [
        f"{row['strategy']} against {row['rival']} {percent(row['value'], 0)}" for row in frame.iter_rows(named=True)
    ]
    picture = Picture("matrix", drawn.win_matrix(frame, title="2 players"), f"{MATRIX}: {'; '.join(said)}.")
    rows = [
        [
            row["strategy"],
            row["rival"],
            percent(row["value"]),
            percent_interval(row["low"], row["high"]),
            *basis_cells(row),
        ]
        for row in frame.iter_rows(named=True)
    ]
    return Section(
        "matrix",
        "Who beats whom",
        [f"{plural(frame['strategy'].n_unique(), 'strategy', 'strategies')}, each against each, on the same deals."],
        [
            FigureGroup(
                "Two players",
                [picture],
                "Numbers: share of decided games that the strategy of the row wins against that of the column, a "
                "shared victory split; below it the 95 % interval of that pair (Wilson at the effective sample size, "
                "over deals). Bold where it leaves out 50.",
            )
        ],
        [Table("Wins against each rival", ["strategy", "against", "wins", "interval", *BASIS], rows, 2, detail=True)],
        ["Each interval holds by itself; of twenty true halves about one will be bold by chance."],
    )


def _shares_section(results: Results) -> Section:
    """Share of wins by strategy."""
    labelled = results.shares.with_columns(label=pl.col("strategy"))

    def say(row: Mapping[str, Any]) -> str:
        return f"{row['strategy']} {percent(row['value'])} ({percent_interval(row['low'], row['high'])})"

    pictures = _panels(
        results, "shares", labelled, lambda part, n: figures.share_dots(part, title=f"{n} players", margin=None), say,
        "Win share of a seat by strategy",
    )  # fmt: skip
    rows = [
        [group_title(row), row["strategy"], percent(row["value"]), percent_interval(row["low"], row["high"]),
         percent(row["fair"]), *basis_cells(row)]
        for row in labelled.iter_rows(named=True)
    ]  # fmt: skip
    return Section(
        "shares",
        "Shares of wins",
        ["Of all games that a strategy takes part in, whoever the others are."],
        [
            FigureGroup(
                "By strategy",
                pictures,
                "Points: share of decided games that a seat of the strategy won, all line-ups together. Lines: 95 % "
                "intervals that hold for all strategies of a panel together (Wilson at the effective sample size, "
                "over deals, Šidák). Dashed: an even split.",
            )
        ],
        [Table("Wins by strategy", ["players", "strategy", "wins", "interval", "even", *BASIS], rows, 2)],
    )


def _ratings_section(results: Results) -> Section:
    """Ratings."""
    if results.ratings is None:
        return Section("ratings", "Ratings", [results.no_ratings])
    found = results.ratings
    shown = found.filter(pl.col("value").is_not_nan() & pl.col("low").is_not_nan())
    pictures = []
    for (players,), part in shown.group_by(["players"], maintain_order=True):
        title = group_title({"players": players})
        said = [f"{row['strategy']} {row['value']:+.0f} ({_between(row)})" for row in part.iter_rows(named=True)]
        pictures.append(
            Picture(
                f"ratings-{players}p", drawn.rating_dots(part, title=title), f"Ratings, {title}: {'; '.join(said)}."
            )
        )
    rows = [
        [group_title(row), row["strategy"], number(row["value"], 0), _between(row), row["verdict"], *basis_cells(row)]
        for row in found.iter_rows(named=True)
    ]
    return Section(
        "ratings",
        "Ratings",
        [
            "One number for each strategy, from whole rankings (Plackett and Luce; a game of four is one ranking, "
            "never six pairs). The mean of those rated is 0; 100 points more mean first place against that one rival "
            "in 64 % of games."
        ],
        [
            FigureGroup(
                "Plackett-Luce ratings",
                pictures,
                "Points: maximum likelihood over all decided games. Lines: 95 % t intervals, linearised jackknife "
                "over deals. Hollow: not enough games.",
            )
        ],
        [Table("Ratings", ["players", "strategy", "rating", "interval", "verdict", *BASIS], rows, 2)],
        [
            *doubts(found),
            f"Not enough games: fewer than {ratings.MIN_BLOCKS} deals, an interval wider than "
            f"{ratings.MAX_HALF_WIDTH:g} points to either side, or a strategy that is always ahead of or behind all "
            "others, which no number can place.",
            "Ratings count every place, shares of wins only the first: who often comes second is rated higher than it "
            "wins.",
            "The model knows one strength for each strategy. Where one beats another that is rated higher, the "
            "matrix tells more.",
        ],
    )


def _ladder_section(results: Results, ladder: Ladder) -> Section | None:
    """How much skill pays: one strategy with several budgets."""
    budgets = dict(ladder.rungs)
    played = results.shares.filter(pl.col("strategy").is_in(list(budgets)))
    if played.is_empty():
        return None
    frame = played.with_columns(
        budget=pl.col("strategy").replace_strict(list(budgets), list(budgets.values()), return_dtype=pl.Float64)
    ).sort("players", "budget")
    said = [
        f"{row['players']} players, {row['budget']:g} {ladder.unit}: {percent(row['value'])}"
        for row in frame.iter_rows(named=True)
    ]
    anchor = f"ladder-{''.join(c if c.isalnum() else '-' for c in ladder.strategy)}"
    picture = Picture(
        anchor,
        drawn.ladder_lines(frame, title=ladder.strategy, unit=ladder.unit),
        f"Share of wins by budget, {ladder.strategy}: {'; '.join(said)}.",
    )
    names = [name for name, _ in ladder.rungs]
    pairs = [*zip(names[1:], names, strict=False), (names[-1], names[0])]
    pairs = list(dict.fromkeys(pairs))
    steps = [
        row
        for upper, lower in pairs
        for row in results.matrix.filter((pl.col("strategy") == upper) & (pl.col("rival") == lower)).iter_rows(
            named=True
        )
    ]
    rows = [
        [f"{budgets[row['strategy']]:g}", f"{budgets[row['rival']]:g}", percent(row["value"]),
         percent_interval(row["low"], row["high"]), _step(row), *basis_cells(row)]
        for row in steps
    ]  # fmt: skip
    return Section(
        anchor,
        f"Ladder of skill: {ladder.strategy}",
        [f"{ladder.strategy} with budgets of {listed(f'{budget:g}' for _, budget in ladder.rungs)} {ladder.unit}."],
        [
            FigureGroup(
                "What a larger budget wins",
                [picture],
                "Points: share of decided games that a seat with that budget won, all line-ups together. Bands: 95 % "
                "intervals that hold for all strategies of a player count together.",
            )
        ],
        [
            Table(
                "Two players: each budget against the one below it, then the largest against the smallest",
                ["budget", "against", "wins", "interval", "so it is", *BASIS],
                rows,
                2,
            )
        ],
    )


def _step(row: Mapping[str, Any]) -> str:
    """Whether a larger budget is better, as far as an interval tells."""
    if row["low"] > 0.5:
        return "stronger"
    return "weaker" if row["high"] < 0.5 else "not told apart"


def _doings_section(results: Results) -> Section:
    """What each strategy does."""

    def bars(parts: Mapping[str, str], xlabel: str) -> Callable[[pl.DataFrame, int], Axes]:
        return lambda part, n: drawn.stacked_bars(part, title=f"{n} players", parts=list(parts), xlabel=xlabel)

    wins = results.duels.filter(pl.col("side") == "attacks").with_columns(
        label=pl.col("strategy"), fair=pl.lit(float("nan"))
    )

    def duel_dots(part: pl.DataFrame, players: int) -> Axes:
        most = part.row(part["n_games"].arg_max() or 0, named=True)
        rests_on = f"{plural(most['n_games'], 'attack')}, {plural(most['n_blocks'], 'deal')}"
        title = f"{players} players"
        return figures.share_dots(part, title=title, margin=None, xlabel="attacks that beat (%)", rests_on=rests_on)

    points = results.points.with_columns(label=pl.col("strategy"))
    groups = [
        FigureGroup(
            "Coins by source",
            _panels(results, "coins", results.coins, bars(meetings.COINS, "coins of a seat in a game"),
                    drawn.say_parts, "Coins by source"),
            _mean_caption("coins of a seat in a game by where they came from"),
        ),
        FigureGroup(
            "Cards by use",
            _panels(results, "cards", results.cards, bars(meetings.CARDS, "cards of a seat in a game"),
                    drawn.say_parts, "Cards by use"),
            _mean_caption("cards of a seat in a game by what they were used for"),
        ),
        FigureGroup(
            "Attacks won",
            _panels(results, "attacks", wins, duel_dots,
                    lambda row: f"{row['strategy']} {percent(row['value'])}", "Share of attacks that beat a unit"),
            "Points: share of a strategy's attacks that beat a unit. Lines: 95 % intervals (Wilson at the effective "
            "sample size, over deals).",
        ),
        FigureGroup(
            "Points",
            _panels(results, "points", points, lambda part, n: figures.score_bars(part, title=f"{n} players"),
                    drawn.say_parts, "Points by part"),
            "Bars: mean points of a seat by part, of decided games. Line at the end: 95 % interval of the mean total "
            "(t, over deals).",
        ),
    ]  # fmt: skip
    tables = [
        _amounts("Coins gained by source, of a seat in a game", results.coins),
        _amounts("Coins paid, of a seat in a game", results.paid),
        _amounts("Cards by use, of a seat in a game", results.cards),
        _amounts("What else is done, times of a seat in a game", results.other.filter(pl.col("part") != "total")),
        Table(
            "Duels: share of attacks that beat a unit, and of defences that held",
            ["players", "strategy", "side", "duels a game", "won", "interval", "duels", "deals"],
            [
                [group_title(row), row["strategy"], row["side"], number(row["per_game"], 2), percent(row["value"]),
                 percent_interval(row["low"], row["high"]), *basis_cells(row)]
                for row in results.duels.iter_rows(named=True)
            ],
            3,
            detail=True,
        ),
        _amounts("Points by part, of a seat in a decided game", results.points),
    ]  # fmt: skip
    return Section(
        "doings",
        "What each strategy does",
        ["All line-ups together; what a strategy does depends on who sits beside it."],
        groups,
        tables,
        ["Coins, cards and duels are of all games, stalled ones among them; points are of decided ones."],
    )


def _mean_caption(what: str) -> str:
    return f"Bars: mean {what}. Line at the end: 95 % interval of the mean total (t, over deals)."


def _amounts(caption: str, frame: pl.DataFrame) -> Table:
    rows = [
        [group_title(row), row["strategy"], row["part"], number(row["value"], 2), interval(row["low"], row["high"], 2),
         *basis_cells(row)]
        for row in frame.iter_rows(named=True)
    ]  # fmt: skip
    return Table(caption, ["players", "strategy", "part", "mean", "interval", *BASIS], rows, 3, detail=True)


def _panels(
    results: Results,
    name: str,
    frame: pl.DataFrame,
    draw: Callable[[pl.DataFrame, int], Axes],
    say: Callable[[Mapping[str, Any]], str],
    what: str,
) -> list[Picture]:
    """One panel for each player count that has rows."""
    pictures = []
    for players in results.facts.players:
        part = of_players(frame, players)
        if not part.is_empty():
            said = "; ".join(say(row) for row in part.iter_rows(named=True))
            pictures.append(Picture(f"{name}-{players}p", draw(part, players), f"{what}, {players} players: {said}."))
    return pictures


def _between(row: Mapping[str, Any]) -> str:
    return interval(row["low"], row["high"], 0)

"""The verdict strip: each headline a sentence with its number and interval."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis.estimates import MARGIN, Verdict
from blinksim.analysis.fairness import table_verdict
from blinksim.report.numbers import Numbers
from blinksim.report.parts import Headline
from blinksim.report.words import count, number, percent, percent_interval, plural, said_interval

POINTS = f"{100 * MARGIN:g} points"


def headlines(numbers: Numbers) -> list[Headline]:
    """All headlines, topic by topic, in the order of the page."""
    found = [_seats(numbers, players) for players in numbers.facts.players]
    found += [_length(row) for row in numbers.length.filter(pl.col("measure") == "rounds").iter_rows(named=True)]
    found += [_end(row) for row in numbers.armer.iter_rows(named=True)]
    found.append(_stalls(numbers))
    return found + [_strategy(numbers, row) for row in _best_strategies(numbers)]


def of_players(frame: pl.DataFrame, players: int) -> pl.DataFrame:
    """The rows of one player count."""
    return frame.filter(pl.col("players") == players)


def _seats(numbers: Numbers, players: int) -> Headline:
    seats = of_players(numbers.seats, players)
    topic = "Seats"
    if seats.is_empty():
        return Headline(topic, players, "No game was decided.", str(Verdict.NOT_ENOUGH))
    verdict = table_verdict(seats)
    furthest = seats.sort((pl.col("value") - pl.col("fair")).abs(), descending=True, maintain_order=True)
    row = furthest.row(0, named=True)
    said = f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
    fair = percent(row["fair"])
    if verdict == Verdict.FAIR:
        sentence = f"Every seat wins within {POINTS} of {fair}; the furthest is seat {row['seat']} with {said}."
    elif verdict == Verdict.NOT_FAIR:
        off = seats.filter(pl.col("verdict") == str(Verdict.NOT_FAIR))
        row = off.sort((pl.col("value") - pl.col("fair")).abs(), descending=True).row(0, named=True)
        said = f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
        sentence = f"Seat {row['seat']} wins {said}, more than {POINTS} from the {fair} that would be fair."
    else:
        sentence = f"Seat {row['seat']} wins {said}; fair would be {fair}, give or take {POINTS}.{games_needed(seats)}"
    return Headline(topic, players, sentence, str(verdict))


def games_needed(seats: pl.DataFrame) -> str:
    """How many games would tell, where that can be said: intervals shrink with the root of the number of games.

    Args:
        seats: Rows with ``value``, ``low``, ``high``, ``fair`` and ``n_games``, none of which says "not fair".
    """
    room = MARGIN - (seats["value"] - seats["fair"]).abs()
    half = (seats["high"] - seats["low"]) / 2
    if (room <= MARGIN / 4).any() or not seats["n_blocks"].min():
        return ""
    times = float(((half / room) ** 2).max())  # type: ignore[arg-type]
    needed = round(times * float(seats["n_games"].max()), 3)  # type: ignore[arg-type]
    digits = max(len(f"{needed:.0f}") - 2, 0)
    return f" If it stays there, about {count(-(-needed // 10**digits) * 10**digits)} games would tell."


def _best_strategies(numbers: Numbers) -> list[dict[str, Any]]:
    """Of each mixed line-up, the strategy that wins most."""
    best = numbers.strategies.sort("players", "line_up", -pl.col("value"), maintain_order=True)
    return best.group_by("players", "line_up", maintain_order=True).first().to_dicts()


def _strategy(numbers: Numbers, row: dict[str, Any]) -> Headline:
    said = f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"
    where = numbers.facts.line_up(row["players"], row["line_up"])
    sentence = f"Among {where} a {row['strategy']} seat wins {said}; an even split is {percent(row['fair'])}."
    return Headline("Strategies", row["players"], sentence)


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


def _stalls(numbers: Numbers) -> Headline:
    overall = numbers.stalled_overall
    stalled = numbers.outcomes.filter(pl.col("outcome") == "stalled")
    total = int(stalled["games"].sum())
    on = f"{plural(overall.n_games, 'game')} on {plural(overall.n_blocks, 'deal')}"
    if not total:
        sentence = f"None of {on} stalled; the share is at most {percent(overall.high, 2)}, each deal counted once."
        return Headline("Stalled games", 0, sentence)
    said = f"{percent(overall.value, 2)} ({percent_interval(overall.low, overall.high, 2)})"
    worst = stalled.sort("value", "high", descending=True).row(0, named=True)
    most = f"; most often with {worst['players']} players, {percent(worst['value'], 2)}" if stalled.height > 1 else ""
    return Headline("Stalled games", 0, f"{count(total)} of {on} stalled: {said}{most}.")

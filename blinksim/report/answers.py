"""A short page of answers, as Markdown: each question, what the rules differ in, and what that changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from blinksim.analysis import metrics
from blinksim.analysis.answers import Answer
from blinksim.analysis.compare import DIFFERENT, EQUAL
from blinksim.analysis.metrics import SEAT_SPREAD
from blinksim.report.comparison import shown
from blinksim.report.words import NOTHING, count, listed, plural

MOST = 6
"""Differences that are told of a variant, the largest beside their margins first."""
GAINS = ("seat_0", "rounds", "reached_civilization", "attack_rate", "points", "row_points", "margin", "gold_income")
"""Metrics whose gain is told."""
ALWAYS = (SEAT_SPREAD, "rounds", "attack_rate", "points", "row_share")
"""Metrics that every table has."""


def answers_page(answers: Sequence[Answer], bounds: pl.DataFrame | None = None) -> str:
    """The page as Markdown; the same text for the same answers.

    Args:
        answers: In order.
        bounds: What the luck of the deal lets pairing gain, from :func:`blinksim.analysis.pairing.luck_bounds`.
    """
    lines = [
        "# What changes would do",
        "",
        "Made by `blinksim answers` from runs of `experiments/`: every version met the same deals, in all seats, so "
        "that a difference is that of the rules and not of the cards. In brackets: 95 % intervals over deals "
        "(Student's t). *Differs*: Benjamini–Hochberg at 5 % over all metrics of a question, and more than the "
        "metric's margin cannot be excluded; *practically equal*: the whole interval lies within the margin.",
        "",
        "What holds for these scripted players need not hold for people. The spread of the seats is a largest win "
        "share less a smallest one, and so is taken for a little too large while games are few.",
    ]
    lines += ["", "## In short", "", *[_short_answer(answer) for answer in answers]]
    for answer in answers:
        lines += ["", f"## {answer.question}", "", *_answer(answer)]
    if bounds is not None:
        lines += ["", "## What pairing gained", "", *_gains(answers, bounds)]
    return "\n".join(lines) + "\n"


def _gains(answers: Sequence[Answer], bounds: pl.DataFrame) -> list[str]:
    """How many times as many deals independent games would have needed, by change and metric, beside the bounds."""
    names = [name for name in GAINS if name in bounds["metric"].to_list()]
    lines = [
        "How many times as many deals it would have taken to know a difference as well with deals of its own for each "
        "version (variance with independent deals over variance with the same). Last: the same deals played twice "
        "under one ruleset by players whose choices part at once, which is the most that the luck of the deal allows "
        "once a change has bitten; where a change bites late or seldom, games run alike until then and the gain is "
        "larger.",
        "",
        f"| change | players | {' | '.join(names)} | deals |",
        f"|---|---|{'---|' * len(names)}---|",
    ]
    for answer in answers:
        for (players, *names_), rows in answer.rows.group_by("players", "variant", maintain_order=True):
            lines.append(_gain_row(": ".join([answer.name, *map(str, names_)]), players, rows, names))
    for (players, *pair), rows in bounds.group_by("players", "pair", maintain_order=True):
        lines.append(_gain_row(" ".join(["*bound*", *map(str, pair)]), players, rows, names))
    return lines


def _gain_row(what: str, players: Any, rows: pl.DataFrame, names: Sequence[str]) -> str:
    gains = {row["metric"]: row["gain"] for row in rows.iter_rows(named=True)}
    cells = [_gain(gains.get(name, math.nan)) for name in names]
    deals = max(rows["n_blocks"].to_list())
    return f"| {what} | {players} | {' | '.join(cells)} | {deals} |"


def _gain(value: float) -> str:
    if math.isnan(value):
        return NOTHING
    return "all alike" if math.isinf(value) else f"{value:.1f}"


def _short_answer(answer: Answer) -> str:
    """A question with the largest thing that each variant changes, at the player count at which it changes most."""
    told, alike = [], []
    for name in answer.names[1:]:
        mine = answer.rows.filter(pl.col("variant") == name, pl.col("verdict") == DIFFERENT)
        # What is counted in few deals, attacks on a tier, stands in the tables below.
        broad = mine.filter(~pl.col("metric").str.contains("^(duel_success|wall_holds)_"))
        if broad.is_empty():
            alike.append(name)
            continue
        row = broad.sort((pl.col("value") / pl.col("margin")).abs(), descending=True).row(0, named=True)
        told.append(
            f"{name}: {row['title']} {shown(row['base'], row['unit'])} → {shown(row['other'], row['unit'])} "
            f"({row['players']} players)"
        )
    if alike:
        told.append(f"nothing much: {listed(alike)}")
    return f"- *{answer.question}* {'; '.join(told)}."


def _answer(answer: Answer) -> list[str]:
    unfinished = "" if answer.complete else " The run is not finished."
    lines = [f"`{answer.name}`, {plural(answer.games, 'game')}.{unfinished}", ""]
    for number, changed in answer.differences.items():
        name = answer.names[number]
        rules = "; ".join(f"`{key}` {_short(a)} → {_short(b)}" for key, a, b in changed) or "no difference in the rules"
        mine = answer.rows.filter(pl.col("variant") == name)
        lines.append(f"- **{name}** ({rules}). {_said(mine)}")
    return [*lines, "", *_table(answer)]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _said(rows: pl.DataFrame) -> str:
    """What differs most, and how many metrics do not."""
    beyond = rows.filter(pl.col("verdict") == DIFFERENT).sort(
        (pl.col("value") / pl.col("margin")).abs(), descending=True, maintain_order=True
    )
    told = [
        f"{row['title']} {shown(row['base'], row['unit'])} → {shown(row['other'], row['unit'])} ({_interval(row)}, "
        f"{row['players']} players)"
        for row in beyond.head(MOST).iter_rows(named=True)
    ]
    equal = rows.filter(pl.col("verdict") == EQUAL).height
    more = f" and {beyond.height - MOST} more" if beyond.height > MOST else ""
    rest = f"{equal} of {rows.height} measures are practically equal, {rows.height - equal - beyond.height} undecided."
    return f"Differs: {'; '.join(told)}{more}. {rest}" if told else f"Nothing differs beyond doubt. {rest}"


def _interval(row: dict[str, Any]) -> str:
    scale = 100 if row["unit"] == metrics.SHARE else 1
    if math.isnan(row["low"]):
        return "no interval"
    return f"{scale * row['low']:+.2f} to {scale * row['high']:+.2f}"


def _cell(row: dict[str, Any], is_base: bool) -> str:
    """The base's value, or another version's with the interval of the difference."""
    if is_base:
        return shown(row["base"], row["unit"])
    return f"{shown(row['other'], row['unit'])} ({_interval(row)})"


def _table(answer: Answer) -> list[str]:
    """A row for each variant and player count, a column for each metric that is always told."""
    titles = {row["metric"]: row["title"] for row in answer.rows.iter_rows(named=True) if row["metric"] in ALWAYS}
    known = [name for name in ALWAYS if name in titles]
    lines = [
        f"| version | players | {' | '.join(titles[name] for name in known)} | games | deals |",
        f"|---|---|{'---|' * len(known)}---|---|",
    ]
    keyed = {(r["players"], r["variant"], r["metric"]): r for r in answer.rows.iter_rows(named=True)}
    for players in answer.rows["players"].unique().sort().to_list():
        for number, name in enumerate(answer.names):
            # The base's own numbers stand in the rows of the first variant.
            rows = [keyed.get((players, answer.names[max(number, 1)], metric)) for metric in known]
            cells = [NOTHING if row is None else _cell(row, is_base=not number) for row in rows]
            there = [row for row in rows if row is not None]
            games, deals = (max((row[key] for row in there), default=0) for key in ("n_games", "n_blocks"))
            lines.append(f"| {name} | {players} | {' | '.join(cells)} | {count(games / 2)} | {deals} |")
    return lines

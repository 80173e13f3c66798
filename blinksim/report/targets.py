"""Targets: what a designer wants the numbers to be, and whether they are.

A target names a measure of the page and its rows (:mod:`blinksim.simulate.targets` has the form)::

    [[targets]]
    metric = "seats.win_share"
    where = { players = 3 }                # every seat of three, each for itself
    low = 0.30
    high = 0.37

It is met when the number's interval lies wholly within the band, missed when it lies wholly outside; otherwise there
are not enough games to say. All are judged together: each interval is widened to Šidák's level, as if its estimate were
normal, so that all hold at once at 95 %.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from scipy import stats

from blinksim.analysis.aims import MET, MISSED, NOT_ENOUGH, verdict
from blinksim.analysis.estimates import LEVEL, simultaneous_level
from blinksim.errors import UserError
from blinksim.report.common import BASIS
from blinksim.report.parts import Headline, Section, Table
from blinksim.report.source import RunFacts
from blinksim.report.topic import Frames
from blinksim.report.words import NOTHING, count, listed, plural
from blinksim.simulate.targets import Target

MOST_SHOWN = 12
"""So many targets have a line at the top of the page; all are in the table."""
_NUMBERS = ("value", "mean", "share", "games", "fair", "at_risk", "n_blocks", "n_games", "n_seats")
"""The first of these columns ends those that name a row."""


class TargetError(UserError):
    """A target that names what is not measured."""


@dataclass(frozen=True)
class Outcome:
    """What became of a target, in one row of its measure.

    Attributes:
        target: The target.
        row: The columns that name the row.
        verdict: ``met``, ``missed`` or ``not enough games``.
        value: The number; nan where there is none yet.
        low: Lower end of its interval, which holds together with those of all other outcomes.
        high: Upper end.
        n_games: Games that it rests on.
        n_blocks: Deals that it rests on.
    """

    target: Target
    row: Mapping[str, Any]
    verdict: str
    value: float
    low: float
    high: float
    n_games: int
    n_blocks: int

    @property
    def name(self) -> str:
        """The measure and its row, as in ``seats.win_share, players 3, seat 0``."""
        column = self.target.column
        named = self.target.metric if column == "value" else f"{self.target.metric} {column}"
        return ", ".join([named, *(f"{key} {value}" for key, value in self.row.items())])

    @property
    def band(self) -> str:
        """What was wanted, in words."""
        low, high = self.target.low, self.target.high
        if low is None:
            return f"at most {high:g}"
        return f"at least {low:g}" if high is None else f"{low:g} to {high:g}"

    @property
    def found(self) -> str:
        """The number, in the unit of its measure."""
        return NOTHING if self.value != self.value else f"{self.value:.4g}"

    @property
    def interval(self) -> str:
        """Its interval, in the unit of its measure."""
        return NOTHING if self.low != self.low else f"{self.low:.4g} to {self.high:.4g}"


def judge(targets: Sequence[Target], frames: Frames, facts: RunFacts) -> list[Outcome]:
    """Hold numbers against targets, all together.

    Args:
        targets: What they should be; each stands for every row that it names.
        frames: Every measure by name.
        facts: What was played, and what was planned.

    Raises:
        TargetError: a target names a measure, a row or a column that is not there; the known ones are named.
    """
    rows = [(target, frame, row) for target in targets for frame, row in _rows(target, frames, facts)]
    together, alone = (float(stats.norm.ppf(0.5 + level / 2)) for level in (simultaneous_level(len(rows)), LEVEL))
    return [_judge(target, frame, row, together / alone) for target, frame, row in rows]


def _judge(target: Target, frame: pl.DataFrame, row: Mapping[str, Any], wider: float) -> Outcome:
    nothing = float("nan")
    named = {key: row[key] for key in _groups(frame) if key in row}
    if len(row) == len(named):
        return Outcome(target, named, NOT_ENOUGH, nothing, nothing, nothing, 0, 0)
    ends = (target.column, *_interval_columns(target, frame))
    value, low, high = (nothing if row[column] is None else float(row[column]) for column in ends)
    is_share = low >= 0 and high <= 1 and "Wilson" in str(row.get("method"))
    low, high = value - (value - low) * wider, value + (high - value) * wider
    if is_share:
        low, high = max(low, 0.0), min(high, 1.0)
    games, blocks = (int(row.get(column) or 0) for column in ("n_games", "n_blocks"))
    return Outcome(target, named, verdict(low, high, target), value, low, high, games, blocks)


def _rows(target: Target, frames: Frames, facts: RunFacts) -> list[tuple[pl.DataFrame, dict[str, Any]]]:
    """The rows that a target names; one with names alone where its games are planned but not there yet."""
    if target.metric not in frames:
        hint, known = _hint(target.metric, frames), ", ".join(frames)
        raise TargetError(f'there is no measure "{target.metric}"{hint}; measures are {known}')
    frame = frames[target.metric]
    _interval_columns(target, frame)
    groups = _groups(frame)
    for key in target.where:
        if key not in groups:
            known = f"where takes {', '.join(groups)}" if groups else "it has one row, so leave where out"
            raise TargetError(f'{target.metric} has no column "{key}"{_hint(key, groups)}; {known}')
    players = target.where.get("players")
    if "players" in groups and players in facts.plan and players not in facts.players:
        return [(frame, dict(target.where))]
    keep = [True] * frame.height
    for key, wanted in target.where.items():
        values = _plain(frame[key])
        if not any(_same(value, wanted) for value in values):
            known = ", ".join(dict.fromkeys(map(repr, values))) or "not there at all"
            raise TargetError(f"{target.metric} has no row with {key} {wanted!r}; {key} is {known}")
        keep = [kept and _same(value, wanted) for kept, value in zip(keep, values, strict=True)]
    found = frame.filter(pl.Series(keep, dtype=pl.Boolean))
    if found.is_empty():
        said = ", ".join(f"{key} {value}" for key, value in target.where.items())
        raise TargetError(
            f"{target.metric} has no row with {said or 'any number'}, though there is one with each alone"
        )
    return [(frame, row) for row in found.iter_rows(named=True)]


def _groups(frame: pl.DataFrame) -> list[str]:
    """The columns that name a row."""
    ends = [frame.columns.index(name) for name in _NUMBERS if name in frame.columns]
    return frame.columns[: min(ends, default=len(frame.columns))]


def _interval_columns(target: Target, frame: pl.DataFrame) -> tuple[str, str]:
    """The columns with the ends of a number's interval: ``low`` and ``high``, or those that bear its name."""
    known = {c: (f"{c}_low", f"{c}_high") for c in frame.columns if f"{c}_low" in frame.columns}
    if "low" in frame.columns:
        known |= {c: ("low", "high") for c in ("value", "share") if c in frame.columns}
    if target.column not in known:
        have = (
            f"columns that have are {', '.join(known)}" if known else "none of its columns has, so it takes no target"
        )
        raise TargetError(f'{target.metric} has no number "{target.column}" with an interval; {have}')
    return known[target.column]


def _plain(column: pl.Series) -> list[Any]:
    """A column as plain values, names as texts."""
    is_plain = column.dtype.is_numeric() or column.dtype == pl.Boolean
    return (column if is_plain else column.cast(pl.String)).to_list()


def _same(value: Any, wanted: Any) -> bool:
    """Equal, where true is not 1."""
    return bool(value == wanted) and isinstance(value, bool) == isinstance(wanted, bool)


def _hint(given: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(given, list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""


def section(outcomes: Sequence[Outcome]) -> Section:
    """What became of the targets, with a headline each."""
    verdicts = [outcome.verdict for outcome in outcomes]
    counts = [f"{count(verdicts.count(verdict))} {verdict}" for verdict in (MET, MISSED) if verdict in verdicts]
    if NOT_ENOUGH in verdicts:
        counts.append(f"{count(verdicts.count(NOT_ENOUGH))} without enough games to say")
    rows = [
        [o.name, o.target.note, o.band, o.found, o.interval, o.verdict, count(o.n_games), count(o.n_blocks)]
        for o in outcomes
    ]
    return Section(
        "targets",
        "Targets",
        [f"{plural(len(outcomes), 'target')}: {listed(counts)}."],
        tables=[Table("Targets", ["measure", "note", "band", "found", "interval", "verdict", *BASIS], rows, heads=2)],
        notes=[
            "Met: the interval lies wholly within the band. Missed: it lies wholly outside. The intervals are those of "
            "the measures, widened so that all targets hold together at 95 % (Šidák, as if estimates were normal)."
        ],
        headlines=_headlines(outcomes),
    )


def _headlines(outcomes: Sequence[Outcome]) -> list[Headline]:
    """A line each; of many those that are missed first, and how many more there are."""
    shown = list(outcomes)
    if len(shown) > MOST_SHOWN:
        shown = sorted(shown, key=lambda outcome: (MISSED, NOT_ENOUGH, MET).index(outcome.verdict))[:MOST_SHOWN]
    lines = [Headline("Targets", 0, said(outcome), outcome.verdict) for outcome in shown]
    more = len(outcomes) - len(shown)
    return [
        *lines,
        *([Headline("Targets", 0, f"{plural(more, 'more', 'more')} in the table of targets.")] if more else []),
    ]


def said(outcome: Outcome) -> str:
    """What became of a target, in a sentence."""
    note = outcome.target.note
    what = f"{note}{'' if note[-1] in '.:;!?' else ':'} " if note else ""
    found = "no number yet" if outcome.value != outcome.value else f"{outcome.found} ({outcome.interval})"
    return f"{what}{outcome.name}: {found}; wanted {outcome.band}."

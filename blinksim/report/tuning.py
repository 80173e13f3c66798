"""The page of a tuning: the recommendation on fresh deals, the front it was picked from, and what was luck."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from blinksim.analysis.aims import MET, MISSED, NOT_ENOUGH, Aim
from blinksim.analysis.compare import DIFFERENT
from blinksim.analysis.metrics import SHARE
from blinksim.analysis.tune import Found, trials_frame
from blinksim.analysis.tuned import Tuned
from blinksim.report import figures_tune
from blinksim.report.beside import plain
from blinksim.report.common import basis_cells
from blinksim.report.comparison import metric_cells, shown
from blinksim.report.parts import FigureGroup, Headline, Page, Picture, Section, Table
from blinksim.report.words import NOTHING, count, listed, plural
from blinksim.simulate.entries import Dial
from blinksim.simulate.targets import Target

STOPPED = {
    "trials": "all rulesets of the budget were played",
    "games": "the budget of games was spent",
    "interrupted": "it was interrupted; the best so far stands",
    "nothing new": "there was nothing new to try",
}


@dataclass(frozen=True)
class Setting:
    """What was asked and played, for the page.

    Attributes:
        title: Name of the game.
        base: Name of the base.
        differences: (parameter, value in the base, recommended value).
        hashes: Of the base and of the recommendation.
        line_ups: In words.
        players: Player count.
        seed: Of the deals and of the search.
        deals: Deals that every ruleset of the search was played on.
        fresh_deals: Deals that its front was played on again.
        games: Games in all.
        left_out: Targets about other player counts.
    """

    title: str
    base: str
    differences: Sequence[tuple[str, Any, Any]]
    hashes: tuple[str, str]
    line_ups: Sequence[str]
    players: int
    seed: int
    deals: int
    fresh_deals: int
    games: int
    left_out: Sequence[Target]


def band_text(row: Mapping[str, Any]) -> str:
    """What was wanted, in words."""
    low, high = row["target_low"], row["target_high"]
    if low is None:
        return f"at most {shown(high, row['unit'])}"
    if high is None:
        return f"at least {shown(low, row['unit'])}"
    return f"{shown(low, row['unit'])} to {shown(high, row['unit'])}"


def _interval(row: Mapping[str, Any], low: str, high: str, sign: bool = False) -> str:
    scale = 100 if row["unit"] == SHARE else 1
    if math.isnan(row[low]):
        return NOTHING
    plus = "+" if sign else ""
    return f"{scale * row[low]:{plus}.2f} to {scale * row[high]:{plus}.2f}"


def recommendation(found: Found) -> str:
    """What is recommended, in a sentence."""
    if not found.best.changes:
        if found.met:
            return "Change nothing: the base meets the targets, as the search saw it."
        return "Change nothing: no change that was tried comes nearer to the targets."
    what = f"Change {plural(found.best.changed, 'parameter')}: {'; '.join(found.best.changes)}."
    if found.met:
        return f"{what} No ruleset with fewer changes met all targets in the search."
    return f"{what} It is a compromise: no ruleset of the search met all targets."


def headlines(found: Found, tuned: Tuned) -> list[Headline]:
    """The recommendation, and what became of each target on fresh deals."""
    verdicts = set(tuned.targets["verdict"])
    overall = MISSED if MISSED in verdicts else MET if verdicts == {MET} else NOT_ENOUGH
    first = Headline("recommendation", 0, recommendation(found), overall)
    return [
        first,
        *[Headline(row["metric"], 0, said(row), row["verdict"]) for row in tuned.targets.iter_rows(named=True)],
    ]


def said(row: Mapping[str, Any]) -> str:
    """What became of a target, in a sentence."""
    return (
        f"{row['title'][0].upper()}{row['title'][1:]}: {shown(row['value'], row['unit'])} "
        f"({_interval(row, 'low', 'high')}) on fresh deals, {shown(row['searched'], row['unit'])} in the search, "
        f"{shown(row['base'], row['unit'])} in the base; wanted {band_text(row)}."
    )


def shrinkage_said(row: Mapping[str, Any]) -> str:
    """How much of a promised effect was luck, in a sentence."""
    promised, kept = (shown(row[name], row["unit"], sign=True) for name in ("promised", "kept"))
    shrank = row["shrinkage_low"] > 0
    grew = row["shrinkage_high"] < 0
    what = "some of it was luck" if shrank else "the effect is larger than promised" if grew else "no sign of luck"
    return (
        f"{row['metric']}: the search promised {promised}, fresh deals gave {kept}; shrinkage "
        f"{shown(row['shrinkage'], row['unit'], sign=True)} "
        f"({_interval(row, 'shrinkage_low', 'shrinkage_high', True)}): {what}."
    )


def tuning_page(setting: Setting, found: Found, aims: Sequence[Aim], dials: Sequence[Dial], tuned: Tuned) -> Page:
    """The whole page."""
    warnings = []
    if found.stopped == "interrupted":
        warnings.append("The search was interrupted; what it had found by then was played again on fresh deals.")
    if setting.left_out:
        names = listed([f"{t.metric} ({t.where['players']} players)" for t in setting.left_out])
        warnings.append(f"Targets about other player counts were left out: {names}.")
    return Page(
        title=f"{setting.title}: tuning {setting.base}",
        question=f"What is the smallest change of {setting.base} that meets the targets?",
        summary=f"{plural(setting.games, 'game')} with {setting.players} players: "
        f"{plural(len(found.candidates), 'ruleset')} on {plural(setting.deals, 'deal')}, and the front again on "
        f"{count(setting.fresh_deals)} fresh ones ({'; '.join(setting.line_ups)}).",
        warnings=warnings,
        headlines=headlines(found, tuned),
        sections=[
            _recommendation_section(setting, found, tuned),
            _front_section(found, aims, tuned),
            _shrinkage_section(found, tuned),
            _effects_section(tuned),
            _search_section(found, aims),
            _method_section(setting, found, dials),
        ],
    )


def _recommendation_section(setting: Setting, found: Found, tuned: Tuned) -> Section:
    ax = figures_tune.targets(tuned.targets, title="recommendation")
    lines = [said(row) for row in tuned.targets.iter_rows(named=True)]
    cells = [
        [
            row["title"], band_text(row), row["verdict"], shown(row["base"], row["unit"]),
            shown(row["searched"], row["unit"]), _interval(row, "searched_low", "searched_high"),
            shown(row["value"], row["unit"]), _interval(row, "low", "high"), *basis_cells(row),
        ]
        for row in tuned.targets.iter_rows(named=True)
    ]  # fmt: skip
    columns = ["target", "band", "verdict", "base", "in the search", "interval", "fresh", "interval", "games", "deals"]
    changes = [[key, str(a), str(b)] for key, a, b in setting.differences]
    return Section(
        "recommendation",
        "The recommendation",
        [recommendation(found)],
        [
            FigureGroup(
                "Targets",
                [Picture("targets", ax, " ".join(lines))],
                "Grey: the band that is wanted. Bar: the base on fresh deals. Circles: the recommendation as the "
                "search saw it; diamonds: on fresh deals. Lines: intervals that hold for all targets together at 95 %.",
            )
        ],
        [
            Table("What is changed", ["parameter", setting.base, "recommended"], changes, heads=3,
                  note="" if changes else "Nothing."),
            Table("Targets", columns, cells, heads=3),
        ],
        ["Met: the whole interval on fresh deals lies in the band; missed: wholly outside; else not enough games."],
    )  # fmt: skip


def _front_section(found: Found, aims: Sequence[Aim], tuned: Tuned) -> Section:
    ax = figures_tune.pareto(tuned.front, title="front", trials=trials_frame(found, aims))
    cells = [
        [
            count(row["changed"]), count(row["steps"]), f"{row['distance']:.2f}", f"{row['fresh_distance']:.2f}",
            row["verdict"], "recommended" if row["recommended"] else "", *basis_cells(row),
            row["changes"] or "the base",
        ]
        for row in tuned.front.iter_rows(named=True)
    ]  # fmt: skip
    told = [f"{row[0]} changed: {row[2]} in the search, {row[3]} on fresh deals" for row in cells]
    columns = ["changed", "steps", "in the search", "fresh", "targets, fresh", "", "games", "deals", "ruleset"]
    return Section(
        "front",
        "How well, against how many numbers changed",
        [f"{told[0]}; {told[-1]}." if len(told) > 1 else f"{told[0]}."],
        [
            FigureGroup(
                "Distance to the targets",
                [Picture("front", ax, "; ".join(told))],
                "Circles: for each number of changes the nearest ruleset of the search, where it is nearer than all "
                "with fewer. Diamonds: the same rulesets on fresh deals. Grey: the other rulesets that were tried.",
            )
        ],
        [Table("The front", columns, cells, heads=1)],
        [
            "Distance: how far each metric is from lying inside its band by a standard error, in margins of the "
            "metric, added up; 0 meets all targets."
        ],
    )


def _shrinkage_section(found: Found, tuned: Tuned) -> Section:
    rows = list(tuned.targets.iter_rows(named=True))
    lead = [shrinkage_said(row) for row in rows]
    if not found.best.changes:
        lead = ["Nothing is changed, so nothing was promised."]
    (best,) = tuned.front.filter(pl.col("recommended")).iter_rows(named=True)
    base = tuned.front.row(0, named=True)
    cells = [
        [
            row["title"], shown(row["promised"], row["unit"], sign=True), shown(row["kept"], row["unit"], sign=True),
            shown(row["shrinkage"], row["unit"], sign=True), _interval(row, "shrinkage_low", "shrinkage_high", True),
            *basis_cells(row),
        ]
        for row in rows
    ]  # fmt: skip
    return Section(
        "shrinkage",
        "What the search promised, and what is left of it",
        [
            *lead,
            f"Distance to the targets: {base['distance']:.2f} margins in the base and {best['distance']:.2f} in the "
            f"recommendation, as the search saw it; {base['fresh_distance']:.2f} and {best['fresh_distance']:.2f} on "
            "fresh deals.",
        ],
        tables=[
            Table(
                "Effect of the recommendation",
                ["target", "promised", "on fresh deals", "shrinkage", "interval", "games", "deals"],
                cells,
            )
        ],
        notes=[
            "What looks best of many has had luck as well (the winner's curse), so its numbers shrink when it is "
            "played again. Effects are paired differences to the base; shrinkage counts in the direction of the "
            "promise, with a 95 % interval from both sets of deals."
        ],
    )


def _effects_section(tuned: Tuned) -> Section:
    if tuned.effects.is_empty():
        return Section("effects", "What else it changes", ["Nothing is changed."])
    differs = tuned.effects.filter(pl.col("verdict") == DIFFERENT)
    words = [f"{row['title']} {shown(row['value'], row['unit'], sign=True)}" for row in differs.iter_rows(named=True)]
    cells = [[row["title"], *metric_cells(row), *basis_cells(row)] for row in tuned.effects.iter_rows(named=True)]
    columns = ["metric", "verdict", "base", "recommended", "difference", "interval", "gain", "games", "deals"]
    return Section(
        "effects",
        "What else it changes",
        [
            f"{differs.height} of {plural(tuned.effects.height, 'metric')} differ{': ' if words else ''}"
            f"{'; '.join(words)}."
        ],
        tables=[Table("Recommendation against base, fresh deals", columns, cells, heads=2)],
        notes=["Paired by deal; verdicts as in a comparison (Benjamini–Hochberg over this table, 5 %)."],
    )


def _search_section(found: Found, aims: Sequence[Aim]) -> Section:
    frame = trials_frame(found, aims)
    names = list(dict.fromkeys(aim.metric.name for aim in aims))
    units = {aim.metric.name: aim.metric.unit for aim in aims}
    cells = [
        [
            count(row["trial"]), count(row["changed"]), f"{row['distance']:.2f}",
            *[shown(row[name], units[name]) for name in names], row["changes"] or "the base",
        ]
        for row in frame.iter_rows(named=True)
    ]  # fmt: skip
    unlawful = f" {plural(found.unlawful, 'proposal')} {'was' if found.unlawful == 1 else 'were'} not allowed."
    return Section(
        "search",
        "The search",
        [
            f"{plural(len(found.candidates), 'ruleset')} were played; it ended because {STOPPED[found.stopped]}."
            f"{unlawful if found.unlawful else ''}"
        ],
        tables=[
            Table("Every ruleset, in order", ["number", "changed", "distance", *names, "ruleset"], cells, detail=True)
        ],
    )


def _method_section(setting: Setting, found: Found, dials: Sequence[Dial]) -> Section:
    return Section(
        "method",
        "Method",
        tables=[
            Table("Rulesets", ["name", "hash"],
                  [[setting.base, setting.hashes[0]], ["recommended", setting.hashes[1]]], heads=2),
            Table("What was free", ["parameter", "values"],
                  [[dial.key, dial.text.removeprefix(f"{dial.key} ")] for dial in dials], heads=2),
        ],
        notes=[
            f"Search: optuna's TPE sampler for two objectives, distance and number of changes, with single changes "
            f"first and the front's neighbours between; seed {setting.seed}. All rulesets of the search met the same "
            f"deals, numbers 0 to {setting.deals - 1}; fresh deals are numbers {setting.deals} to "
            f"{setting.deals + setting.fresh_deals - 1}, which no ruleset was picked on.",
            "Recommended: the fewest changes, then the fewest steps, among the rulesets that met all targets in the "
            "search; where none did, the fewest changes among those that gain nine tenths of what the nearest gains "
            "on the base.",
        ],
    )  # fmt: skip


def results(setting: Setting, found: Found, aims: Sequence[Aim], tuned: Tuned) -> dict[str, Any]:
    """A tuning as plain data for a script; numbers that are not known are None."""
    return {
        "status": tuned.status,
        "base": {"name": setting.base, "hash": setting.hashes[0]},
        "recommendation": {
            "changes": list(found.best.changes),
            "hash": setting.hashes[1],
            "met_in_search": found.met,
            "differences": [{"parameter": k, "base": a, "here": b} for k, a, b in setting.differences],
        },
        "players": setting.players,
        "line_ups": list(setting.line_ups),
        "seed": setting.seed,
        "deals": setting.deals,
        "fresh_deals": setting.fresh_deals,
        "games": setting.games,
        "stopped": found.stopped,
        "not_allowed": found.unlawful,
        "targets": plain(tuned.targets).to_dicts(),
        "front": plain(tuned.front).to_dicts(),
        "effects": plain(tuned.effects).to_dicts(),
        "trials": plain(trials_frame(found, aims)).to_dicts(),
    }

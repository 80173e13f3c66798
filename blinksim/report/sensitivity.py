"""The page of a sensitivity analysis: which entry of the rules moves a metric most, as a tornado and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from blinksim.analysis.compare import DIFFERENT, EQUAL, NOT_ENOUGH
from blinksim.analysis.metrics import SHARE, Metric
from blinksim.analysis.morris import Elementary
from blinksim.analysis.sensitivity import Sensitivity
from blinksim.report import figures_sweep, figures_tune
from blinksim.report.beside import plain
from blinksim.report.common import basis_cells
from blinksim.report.comparison import metric_cells, shown
from blinksim.report.parts import FigureGroup, Headline, Page, Picture, Section, Table
from blinksim.report.words import count, listed, plural

SHOWN = 25
"""Parameters of a tornado; the tables have all."""


@dataclass(frozen=True)
class Setting:
    """What was played, for the page.

    Attributes:
        title: Name of the game.
        base: Name of the base.
        ruleset_hash: Of its ruleset.
        line_ups: In words.
        players: Player count.
        seed: Of the deals.
        deals: Deals that every ruleset was played on.
        games: Games in all.
    """

    title: str
    base: str
    ruleset_hash: str
    line_ups: Sequence[str]
    players: int
    seed: int
    deals: int
    games: int


def sensitivity_page(
    setting: Setting, found: Sensitivity, metrics: Sequence[Metric], morris: Elementary | None = None
) -> Page:
    """The whole page."""
    sections = [_metric_section(metric, found) for metric in metrics]
    if morris is not None:
        sections.append(_morris_section(morris, metrics))
    warnings = []
    if found.stopped:
        warnings.append("It was interrupted: parameters that were not played are among those that could not be.")
    return Page(
        title=f"{setting.title}: what moves {listed([metric.name for metric in metrics])}",
        question=f"Which parameter of {setting.base} moves {listed([metric.title for metric in metrics])} most?",
        summary=f"{plural(setting.games, 'game')} with {setting.players} players; every ruleset on the same "
        f"{plural(setting.deals, 'deal')} in all seats ({'; '.join(setting.line_ups)}).",
        warnings=warnings,
        headlines=[headline(metric, found) for metric in metrics],
        sections=[*sections, _impossible_section(found), _method_section(setting, found)],
    )


def of_metric(found: Sensitivity, metric: Metric) -> pl.DataFrame:
    """The effects on one metric, those that differ first, the largest on top."""
    if found.effects.is_empty():
        return found.effects
    return found.effects.filter(pl.col("metric") == metric.name)


def headline(metric: Metric, found: Sensitivity) -> Headline:
    """What moves a metric most, in a sentence."""
    rows = of_metric(found, metric)
    differs = rows if rows.is_empty() else rows.filter(pl.col("verdict") == DIFFERENT)
    title = f"{metric.title[0].upper()}{metric.title[1:]}"
    if differs.is_empty():
        tested = plural(rows.height, "change")
        open_ones = 0 if rows.is_empty() else rows.filter(pl.col("verdict") == NOT_ENOUGH).height
        verdict = NOT_ENOUGH if open_ones or not rows.height else EQUAL
        said = f"{title}: none of {tested} is known to move it; {count(open_ones)} need more games."
        return Headline(metric.name, 0, said, verdict)
    words = [f"{row['label']} {_effect(row)}" for row in differs.head(3).iter_rows(named=True)]
    said = f"{title}: {'; '.join(words)}. {count(differs.height)} of {plural(rows.height, 'change')} move it."
    return Headline(metric.name, 0, said, DIFFERENT)


def _effect(row: Mapping[str, Any]) -> str:
    scale = 100 if row["unit"] == SHARE else 1
    interval = f"{scale * row['low']:+.2f} to {scale * row['high']:+.2f}"
    return f"{shown(row['value'], row['unit'], sign=True)} ({interval})"


def tornado_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of a tornado: numbers by their parameter with both sides, other values in rows of their own.

    Those that differ come first, then the largest, as in the table.
    """
    number_ = pl.col("side") != "other"
    short = pl.when(number_).then(pl.col("parameter")).otherwise(pl.col("label"))
    named = rows.with_columns(parameter=short)
    first = named["parameter"].unique(maintain_order=True).head(SHOWN)
    place = pl.col("parameter").replace_strict({name: i for i, name in enumerate(first)}, default=None)
    return named.with_columns(place=place).filter(pl.col("place").is_not_null()).sort("place", maintain_order=True)


def _metric_section(metric: Metric, found: Sensitivity) -> Section:
    rows = of_metric(found, metric)
    title = f"{metric.title[0].upper()}{metric.title[1:]}"
    known = rows if rows.is_empty() else rows.filter(pl.col("value").is_not_nan())
    if known.is_empty():
        return Section(f"metric-{metric.name}", title, ["Nothing was counted."])
    scale, unit = (100, "points") if metric.unit == SHARE else (1, metric.unit)
    shown_rows = tornado_rows(known)
    ax = figures_sweep.tornado(shown_rows, title=metric.name, unit=unit, scale=scale)
    said = [f"{row['label']} {_effect(row)}" for row in shown_rows.iter_rows(named=True)]
    many = {verdict: known.filter(pl.col("verdict") == verdict).height for verdict in (DIFFERENT, EQUAL, NOT_ENOUGH)}
    return Section(
        f"metric-{metric.name}",
        title,
        [
            headline(metric, found).sentence,
            f"Of {plural(known.height, 'change')} {many[DIFFERENT]} differ, {many[EQUAL]} are practically equal "
            f"(within {shown(metric.margin, metric.unit, sign=True).lstrip('+')}), {many[NOT_ENOUGH]} need more games.",
        ],
        [
            FigureGroup(
                f"The {shown_rows['parameter'].n_unique()} that move it most",
                [Picture(f"tornado-{metric.name}", ax, "; ".join(said))],
                "Bars: the metric after the change less before it, on the same deals; orange one step down, blue one "
                "step up, green another value. Lines: 95 % intervals over deals, each by itself. Changes that are "
                "known to move the metric come first.",
            )
        ],
        [_effects_table(known, metric)],
        ["The largest of many effects is seen too large while games are few: the interval says by how much."],
    )


def _effects_table(rows: pl.DataFrame, metric: Metric) -> Table:
    cells = [
        [row["label"], row["was"], *metric_cells(row), f"{row['q']:.3f}", *basis_cells(row)]
        for row in rows.iter_rows(named=True)
    ]
    columns = ["change", "was", "verdict", "base", "there", "difference", "interval", "gain", "q", "games", "deals"]
    return Table(f"Every change, {metric.name}", columns, cells, heads=3, detail=True)


def _morris_section(morris: Elementary, metrics: Sequence[Metric]) -> Section:
    pictures, tables, lead = [], [], []
    for metric in metrics:
        rows = morris.effects
        rows = rows if rows.is_empty() else rows.filter(pl.col("metric") == metric.name)
        if rows.is_empty():
            lead.append(f"{metric.name}: nothing was counted at some point, so there are no effects.")
            continue
        scale, unit = (100, "points") if metric.unit == SHARE else (1, metric.unit)
        ax = figures_tune.elementary(rows.head(SHOWN), title=metric.name, unit=unit, scale=scale)
        said = [
            f"{r['parameter']} {scale * r['mu_star']:.2f} ({scale * r['mu_star_low']:.2f} to "
            f"{scale * r['mu_star_high']:.2f})"
            for r in rows.iter_rows(named=True)
        ]
        above = [r["parameter"] for r in rows.iter_rows(named=True) if r["mu_star_low"] > r["noise"]]
        lead.append(
            f"{metric.name}: {listed(above) if above else 'no parameter'} "
            f"{'stand' if len(above) > 1 else 'stands'} clear of the noise."
        )
        pictures.append(Picture(f"morris-{metric.name}", ax, "; ".join(said)))
        cells = [
            [
                r["parameter"], r["range"], *[f"{scale * r[name]:.2f}" for name in ("mu_star",)],
                f"{scale * r['mu_star_low']:.2f} to {scale * r['mu_star_high']:.2f}",
                *[f"{scale * r[name]:.2f}" for name in ("mu", "sigma", "noise")], count(r["n_trajectories"]),
                *basis_cells(r),
            ]
            for r in rows.iter_rows(named=True)
        ]  # fmt: skip
        columns = ["parameter", "range", "mu*", "interval", "mu", "sigma", "noise", "trajectories", "games", "deals"]
        tables.append(Table(f"Elementary effects, {metric.name} ({unit})", columns, cells, heads=2))
    if morris.left_out:
        lead.append(f"Left out, as the rules do not allow another value alone: {listed(morris.left_out)}.")
    if morris.thrown_away:
        lead.append(
            f"{plural(morris.thrown_away, 'trajectory', 'trajectories')} met rules that are not allowed and were drawn "
            f"anew, the first because: {morris.reason}"
        )
    return Section(
        "morris",
        "When the others move too",
        lead,
        [
            FigureGroup(
                "Mean size of the elementary effects",
                pictures,
                "Points: mu*, the mean change of the metric, without sign, over the whole range of the parameter while "
                "the others take random values of theirs. Lines: 95 % intervals (bootstrap over trajectories). Grey: "
                "what noise alone would give.",
            )
        ],
        tables,
        [
            "Method of Morris (1991) with mu* of Campolongo and others (2007), by SALib. mu has the sign; sigma, the "
            "spread of the effects, is large where what a parameter does hangs on the others, or where games are few."
        ],
    )


def _impossible_section(found: Sensitivity) -> Section:
    rows = [[row["label"], row["reason"]] for row in found.impossible.iter_rows(named=True)]
    return Section(
        "impossible",
        "Not possible",
        [f"{plural(len(rows), 'change')} could not be played alone."],
        tables=[Table("What could not be played, and why", ["change", "reason"], rows, heads=2, detail=True)],
    )


def _method_section(setting: Setting, found: Sensitivity) -> Section:
    tests = 0 if found.effects.is_empty() else int((~found.effects["p"].is_nan()).sum())
    return Section(
        "method",
        "Method",
        notes=[
            f"Base: {setting.base}, ruleset {setting.ruleset_hash[:12]}; seed {setting.seed}. Each number was changed "
            "by one step (1 for whole numbers) down and up, each switch turned, each name set to every other one, each "
            "list of names shortened by each; one change at a time.",
            "Differences are paired: the same deals, hands and seats under both rulesets; the sample is the deal with "
            "all its games. Intervals are 95 % t intervals over deals. Gain: how many times as many deals it would "
            "take without pairing.",
            f"Verdicts: practically equal where the whole interval lies within the metric's margin; different where it "
            f"does not and q is below 5 % (Benjamini–Hochberg over all {tests} tests of the page); else not enough "
            "games.",
        ],
    )


def results(setting: Setting, found: Sensitivity, morris: Elementary | None) -> dict[str, Any]:
    """A sensitivity analysis as plain data for a script; numbers that are not known are None."""
    data: dict[str, Any] = {
        "base": {"name": setting.base, "hash": setting.ruleset_hash},
        "players": setting.players,
        "line_ups": list(setting.line_ups),
        "seed": setting.seed,
        "deals": setting.deals,
        "games": setting.games,
        "interrupted": found.stopped,
        "effects": plain(found.effects).to_dicts(),
        "impossible": found.impossible.to_dicts(),
    }
    if morris is not None:
        data["morris"] = {
            "effects": plain(morris.effects).to_dicts(),
            "thrown_away": morris.thrown_away,
            "reason": morris.reason,
            "left_out": list(morris.left_out),
        }
    return data


def lines(found: Sensitivity, metric: Metric, most: int = 12) -> list[list[str]]:
    """The first rows of a metric's table, for the terminal."""
    rows = of_metric(found, metric)
    rows = rows if rows.is_empty() else rows.filter(pl.col("value").is_not_nan())
    return [[row["label"], row["was"], *metric_cells(row)] for row in rows.head(most).iter_rows(named=True)]

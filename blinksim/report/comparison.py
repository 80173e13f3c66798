"""The page of a comparison: the rule difference, the answer, every metric with its interval and what pairing gained."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import polars as pl

from blinksim.analysis import metrics
from blinksim.analysis.compare import DIFFERENT, EQUAL, NOT_ENOUGH
from blinksim.analysis.comparison import Comparison, Level, metric_of
from blinksim.analysis.sequential import Decision, fixed_size
from blinksim.report import figures_compare
from blinksim.report.common import basis_cells
from blinksim.report.parts import FigureGroup, Headline, Page, Picture, Section, Table
from blinksim.report.words import NOTHING, count, listed, number, percent, plural


def shown(value: float, unit: str, sign: bool = False, digits: int = 2) -> str:
    """A value of a metric, shares in per cent or, as differences, in points."""
    if value is None or math.isnan(value):
        return NOTHING
    if unit == metrics.SHARE:
        return f"{100 * value:+.{digits}f} points" if sign else percent(value, digits)
    return f"{value:+,.{digits}f}" if sign else number(value, digits)


def _shown_interval(row: Mapping[str, Any]) -> str:
    scale = 100 if row["unit"] == metrics.SHARE else 1
    if math.isnan(row["low"]):
        return NOTHING
    return f"{scale * row['low']:+.2f} to {scale * row['high']:+.2f}"


def answers(comparison: Comparison) -> list[Headline]:
    """One headline for each variant: what the test says of the deciding metric, and how large the difference is."""
    metric, question = metric_of(comparison), comparison.question
    level = comparison.levels[0]
    found = []
    for variant, decision in level.watched.decisions.items():
        row = comparison.rows.filter(
            (pl.col("level") == level.name)
            & (pl.col("variant") == comparison.names[variant])
            & (pl.col("metric") == metric.name)
        )
        if row.is_empty():
            found.append(Headline(comparison.names[variant], 0, f"{metric.title}: nothing was counted.", NOT_ENOUGH))
            continue
        it = row.row(0, named=True)
        verdict = {Decision.DIFFERENT: DIFFERENT, Decision.SAME: EQUAL}.get(decision, NOT_ENOUGH)
        size = shown(question.test.size, metric.unit, sign=True).lstrip("+")
        said = {
            DIFFERENT: f"it is nearer to {size} than to none",
            EQUAL: f"a difference of {size} is ruled out",
            NOT_ENOUGH: f"whether there is a difference of {size} is not decided",
        }[verdict]
        if question.precision is not None:
            width = shown(question.precision, metric.unit, sign=True).lstrip("+")
            reached = level.watched.stopped == "precise"
            said = f"{'watched until' if reached else 'the budget ended before'} the interval was {width} either way"
        found.append(
            Headline(
                comparison.names[variant], 0,
                f"{metric.title[0].upper()}{metric.title[1:]}: {shown(it['base'], metric.unit)} under "
                f"{comparison.names[0]}, {shown(it['other'], metric.unit)} here; difference "
                f"{shown(it['value'], metric.unit, sign=True)} ({_shown_interval(it)}); {said}, after "
                f"{plural(it['n_blocks'], 'deal')} ({plural(it['n_games'], 'game')}).",
                verdict,
            )
        )  # fmt: skip
    return found


def flips(comparison: Comparison) -> list[str]:
    """Metrics on which the levels of play disagree: different one way here, equal or the other way there."""
    found = []
    rows = comparison.rows
    for (variant, metric), part in rows.group_by(["variant", "metric"], maintain_order=True):
        said = {
            (row["verdict"], row["value"] > 0 if row["verdict"] == DIFFERENT else None): row["level"]
            for row in part.iter_rows(named=True)
            if row["verdict"] != NOT_ENOUGH
        }
        if len(said) > 1:
            words = [
                f"{level}: {verdict}" + ("" if up is None else ", up" if up else ", down")
                for (verdict, up), level in said.items()
            ]
            found.append(f"{variant}, {metric}: {'; '.join(words)}")
    return found


def failures(comparison: Comparison) -> list[str]:
    """For each level with games that a mistake stopped, how many and what became of the first."""
    found = []
    for level in comparison.levels:
        if failed := level.watched.run.failed:
            found.append(
                f"{level.name} players: {plural(len(failed), 'game')} failed and are not counted, so that what differs "
                f"may be which games are there; the first is {failed[0]['game']}: {failed[0]['reason']}"
            )
    return found


def comparison_page(comparison: Comparison) -> Page:
    """The whole page."""
    base, *others = comparison.names
    games = sum(int(level.watched.sums["games"].sum()) for level in comparison.levels)
    warnings = failures(comparison)
    disagreeing = flips(comparison)
    if disagreeing:
        warnings.append(
            f"The levels of play disagree on {plural(len(disagreeing), 'metric')}: {'; '.join(disagreeing[:8])}"
            f"{' …' if len(disagreeing) > 8 else ''}. What holds for one kind of player need not hold for another."
        )
    levels = listed([level.name for level in comparison.levels])
    return Page(
        title=f"{comparison.title}: {listed(others)} against {base}",
        question=f"Does it change anything to play {listed(others)} instead of {base}?",
        summary=f"{plural(games, 'game')} with {comparison.players} players, every version on the same deals in all "
        f"seats ({levels} players).",
        warnings=warnings,
        headlines=answers(comparison),
        sections=[
            _rules_section(comparison),
            *_target_sections(comparison),
            _answer_section(comparison),
            *[_level_section(comparison, level) for level in comparison.levels],
            _parting_section(comparison),
            _method_section(comparison),
        ],
    )


def _rules_section(comparison: Comparison) -> Section:
    tables = [
        Table(
            f"{comparison.names[i]} against {comparison.names[0]}",
            ["parameter", comparison.names[0], comparison.names[i]],
            [[key, str(a), str(b)] for key, a, b in changed],
            heads=3,
            note="" if changed else "The rules are the same.",
        )
        for i, changed in comparison.differences.items()
    ]
    return Section("rules", "What is different in the rules", tables=tables)


def _target_sections(comparison: Comparison) -> list[Section]:
    """Whether the versions meet the targets; nothing where there are none."""
    if comparison.targets.is_empty():
        return []

    def cells(row: dict[str, Any]) -> list[str]:
        bounds = [row["target_low"], row["target_high"]]
        ends = [NOTHING if math.isinf(bound) else shown(bound, row["unit"]) for bound in bounds]
        between = " to ".join(shown(row[end], row["unit"]) for end in ("low", "high"))
        value = shown(row["value"], row["unit"])
        return [row["title"], row["version"], row["verdict"], *ends, value, between, *basis_cells(row)]

    columns = ["metric", "version", "verdict", "at least", "at most", "value", "interval", "games", "deals"]
    rows = [cells(row) for row in comparison.targets.iter_rows(named=True)]
    note = "Met: the whole interval lies in the band; missed: all of it lies outside; the intervals hold together."
    return [Section("targets", "Targets", tables=[Table("Targets", columns, rows, heads=3, note=note)])]


def _answer_section(comparison: Comparison) -> Section:
    metric, question = metric_of(comparison), comparison.question
    scale = 100 if metric.unit == metrics.SHARE else 1
    unit = "points" if metric.unit == metrics.SHARE else metric.unit
    watched = comparison.levels[0].watched
    pictures, lead = [], []
    for variant in watched.decisions:
        looks = [look for look in watched.looks if look.variant == variant]
        frame = pl.DataFrame(
            {
                "deals": [k.deals for k in looks],
                "difference": [k.difference for k in looks],
                "half_width": [k.half_width for k in looks],
            }
        )
        name = comparison.names[variant]
        ax = figures_compare.watched(frame, title=name, unit=unit, scale=scale, size=question.test.size)
        last = looks[-1]
        alternative = f"{name}: {metric.title}, {last.difference:+.4f} after {last.deals} deals."
        pictures.append(Picture(f"watched-{variant}", ax, alternative))
        lead.append(_effort(comparison, variant, name))
    return Section(
        "answer",
        "How the answer came about",
        lead,
        [
            FigureGroup(
                f"Difference in {metric.title}, as it was watched",
                pictures,
                "Line: second version less the base, on the same deals. Band: 95 % confidence sequence, which holds at "
                "all looks together and is therefore wider than an interval that is looked at once. Dashed: the "
                "difference that was to be decided.",
            )
        ],
    )


def _effort(comparison: Comparison, variant: int, name: str) -> str:
    """How many deals the answer took, beside a plan of fixed size."""
    watched, test = comparison.levels[0].watched, comparison.question.test
    looks = [look for look in watched.looks if look.variant == variant]
    first = next((look for look in looks if look.decision != Decision.OPEN), None)
    row = comparison.rows.filter(
        (pl.col("level") == comparison.levels[0].name)
        & (pl.col("variant") == name)
        & (pl.col("metric") == comparison.question.metric)
    )
    if row.is_empty() or math.isnan(row["se"][0]):
        return f"{name}: nothing to go by yet."
    plan = fixed_size(row["se"][0] ** 2 * row["n_blocks"][0], test)
    said = (
        f"was decided after {plural(first.deals, 'deal')}"
        if first
        else f"is open after {plural(looks[-1].deals, 'deal')}"
    )
    return f"{name} {said}; a plan of fixed size with the same errors would have taken {count(plan)}."


def _level_section(comparison: Comparison, level: Level) -> Section:
    mine = comparison.rows.filter(pl.col("level") == level.name)
    pictures, tables, lead = [], [], []
    for name in comparison.names[1:]:
        rows = mine.filter(pl.col("variant") == name)
        if rows.is_empty():
            continue
        ax = figures_compare.differences(rows, title=name)
        told = [
            f"{r['metric']} {shown(r['value'], r['unit'], sign=True)} ({r['verdict']})"
            for r in rows.iter_rows(named=True)
        ]
        pictures.append(Picture(f"differences-{level.name}-{comparison.names.index(name)}", ax, "; ".join(told)))
        tables.append(_metric_table(rows, name, comparison.names[0]))
        changed = rows.filter(pl.col("verdict") == DIFFERENT)
        equal = rows.filter(pl.col("verdict") == EQUAL).height
        words = [f"{r['title']} {shown(r['value'], r['unit'], sign=True)}" for r in changed.iter_rows(named=True)]
        lead.append(
            f"{name}: {plural(changed.height, 'metric')} of {rows.height} differ"
            f"{': ' + '; '.join(words) if words else ''}. {equal} are practically equal, "
            f"{rows.height - changed.height - equal} need more games."
        )
    return Section(
        f"level-{level.name}",
        f"All metrics, {level.name} players",
        [f"Line-ups: {'; '.join(level.line_ups)}.", *lead],
        [
            FigureGroup(
                "Differences beside their margins",
                pictures,
                "Marks: difference to the base divided by the metric's margin, with 95 % confidence sequences over "
                "deals. Grey band: practically equal. Diamonds differ (Benjamini–Hochberg over the whole page, 5 %), "
                "circles are practically equal, squares need more games; arrows lie beyond the panel.",
            )
        ],
        tables,
        [
            "Gain: how many times as many deals it would take to know the difference as well with deals of their own "
            "for each version; 1 means that pairing helped nothing. It is large where games run alike for long, and "
            "small for win shares once games have parted.",
            "The spread of the seats is a largest value less a smallest one, so it is taken for too large while games "
            "are few. Under versions alike that cancels in the difference; where one spreads more than the other, the "
            "difference is taken for a little too small.",
        ],
    )


def _metric_table(rows: pl.DataFrame, name: str, base: str) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        unit = "points" if row["unit"] == metrics.SHARE else row["unit"]
        margin = 100 * row["margin"] if row["unit"] == metrics.SHARE else row["margin"]
        verdict, *middle, gain = metric_cells(row)
        return [row["title"], verdict, *middle, f"{margin:g} {unit}", gain, *basis_cells(row)]

    columns = ["metric", "verdict", base, name, "difference", "interval", "margin", "gain", "games", "deals"]
    return Table(f"{name} against {base}", columns, [cells(row) for row in rows.iter_rows(named=True)], heads=2)


def metric_cells(row: dict[str, Any]) -> list[str]:
    """A row's verdict, both values, difference, interval and gain as text."""
    gain = row["gain"]
    return [
        row["verdict"], shown(row["base"], row["unit"]), shown(row["other"], row["unit"]),
        shown(row["value"], row["unit"], sign=True), _shown_interval(row),
        "all alike" if math.isinf(gain) else NOTHING if math.isnan(gain) else f"{gain:.1f}",
    ]  # fmt: skip


def median_round(frame: pl.DataFrame) -> float | None:
    """The round by which half of the games have parted; None where fewer ever do."""
    total = int(frame["games"].sum())
    known = frame.filter(pl.col("round").is_not_null()).with_columns(so_far=pl.col("games").cum_sum())
    half = known.filter(pl.col("so_far") * 2 >= total)
    return None if half.is_empty() else float(half["round"][0])


def _parting_section(comparison: Comparison) -> Section:
    pictures, lead = [], []
    for level in comparison.levels:
        for variant, frame in level.parting.items():
            name = comparison.names[variant]
            total = int(frame["games"].sum())
            never = int(frame.filter(pl.col("round").is_null())["games"].sum())
            median = median_round(frame)
            when = (
                "half of the games never differ"
                if median is None
                else f"games first differ in round {median:g}, median"
            )
            alike = percent(never / max(total, 1))
            said = f"{name}, {level.name}: {when}; {alike} are the same to the end ({plural(total, 'pair')})"
            lead.append(f"{said}.")
            ax = figures_compare.parting(frame, title=f"{name}, {level.name}")
            pictures.append(Picture(f"parting-{level.name}-{variant}", ax, f"{said}."))
    return Section(
        "parting",
        "When the games part",
        ["Until a change bites, the same players do the same things on the same deal.", *lead],
        [
            FigureGroup(
                "First round in which the table differs",
                pictures,
                "Bars: share of pairs of games by the round after which map, market, boards or gold first differ.",
            )
        ],
    )


def _method_section(comparison: Comparison) -> Section:
    test = comparison.question.test
    rows = [[name, digest] for name, digest in zip(comparison.names, comparison.hashes, strict=True)]
    tests = int((~comparison.rows["p"].is_nan()).sum()) if comparison.rows.height else 0
    return Section(
        "method",
        "Method",
        tables=[
            Table("Rulesets", ["name", "hash"], rows, heads=2),
            Table("Versions", ["software", "version"], [[k, v] for k, v in comparison.versions.items()], heads=2),
        ],
        notes=[
            f"Every version met the same deals (seed {comparison.seed}), with every hand and every seat as the shifts "
            "say; the sample is the deal with all its games. Games count in deal order, a whole deal at a time, so "
            "that short games do not come first.",
            f"Deciding: sequential probability ratio test of no difference against one of "
            f"{shown(test.size, metric_of(comparison).unit, sign=True).lstrip('+')} in either direction, "
            f"errors {100 * test.alpha:g} % and {100 * test.beta:g} %, variance estimated over deals; first look after "
            "40 deals, then at every tenth more.",
            "Estimating: asymptotic 95 % confidence sequences (Waudby-Smith and others 2021), valid at every look; "
            f"wider than ordinary intervals. Verdicts: Benjamini–Hochberg over all {tests} metrics of the page.",
            f"It ended because: {listed([_ended(level) for level in comparison.levels])}.",
        ],
    )


def _ended(level: Level) -> str:
    return f"{level.name} {level.watched.stopped} ({number(level.watched.seconds, 0)} s)"

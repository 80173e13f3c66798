"""Method: how the numbers came to be, so that anybody can make them again or doubt them."""

from __future__ import annotations

import polars as pl

from blinksim.analysis.estimates import MARGIN
from blinksim.report.common import SHIFTS, of_players
from blinksim.report.flags import FALSE_FLAGS, tests_by_measure
from blinksim.report.parts import Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.words import count, listed, plural


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """Nothing of its own: the section tells what all others rest on."""
    return {}


def tell(facts: RunFacts, frames: Frames) -> Section:
    """What was played and how its numbers were made."""
    return Section(
        "method",
        "Method",
        [
            "The sample is the block: a deal with all its games. Games on one deal share hands, market and "
            "objectives, so every interval looks at how blocks vary, never at single games. The number of deals "
            "stands beside every number of games.",
            _corrections(frames),
            _origin(facts),
        ],
        (),
        [
            _games_table(facts, frames),
            _line_up_table(facts),
            _ruleset_table(facts),
            _versions_table(facts),
            _tests_table(frames),
            _cells_table(frames),
        ],
        [
            *_variant_notes(facts),
            "Shares have Wilson's interval at the effective sample size (games over the design effect, with a "
            "correction for few deals). Where several belong together (the seats of a table, the strategies of a "
            "line-up, the seats that announce the end), their intervals hold all at once at 95 %, by Šidák's level. "
            "Means have t intervals with variances linearised over blocks, medians Woodruff's intervals, tier curves "
            f"pointwise log-log bands. A verdict asks whether intervals lie within {100 * MARGIN:g} points of a fair "
            "share. Verdicts of different player counts are not corrected for being several.",
            *facts.left_out,
        ],
    )


def _corrections(frames: Frames) -> str:
    found = tests_by_measure(frames)
    tests, flagged = int(found["tests"].sum()), int(found["flagged"].sum())
    if not tests:
        return (
            "No number on this page was tested one by one, so that nothing had to be corrected for being one of many."
        )
    return (
        f"{plural(tests, 'number')} on this page {'was' if tests == 1 else 'were'} tested against what would be if "
        f"nothing were amiss. Their probabilities are adjusted together (Benjamini and Hochberg); a row is flagged "
        f"only where the adjusted one, q, is below {FALSE_FLAGS:g}, so that about one flag in twenty may be false. "
        f"Flagged: {count(flagged)}."
    )


def _origin(facts: RunFacts) -> str:
    if facts.from_records:
        return (
            "The games are from records, played again by the rules choice by choice to count what happened in them. "
            "Each record is a deal of its own unless records say that they share one. Nobody shifted hands or seats, "
            "so that luck of the deal counts in full."
        )
    return (
        f"Shifts ({facts.shifts}): {SHIFTS[facts.shifts]}. {_replicates(facts)} Everything follows from seed "
        f"{facts.seed} and the numbers below: the same experiment gives the same games, the same run the same page."
    )


def _replicates(facts: RunFacts) -> str:
    if facts.replicates == 1:
        return "Each game was played once."
    return f"Each game was played {facts.replicates} times, with other random choices of the strategies."


def _variant_notes(facts: RunFacts) -> list[str]:
    if len(facts.variants) == 1:
        return []
    others = [name for i, name in enumerate(facts.variants) if i != facts.variant]
    shown = facts.variants[facts.variant]
    one = len(others) == 1
    beside = "" if facts.from_records else " on the same deals"
    return [
        f'There are games under {len(facts.variants)} rulesets{beside}. Every section shows "{shown}" alone; '
        f"{listed(others)} {'is' if one else 'are'} on the page only where rulesets stand side by side."
    ]


def _games_table(facts: RunFacts, frames: Frames) -> Table:
    rows = []
    for players, (deals, _, _) in facts.plan.items():
        found = of_players(frames["length.outcomes"], players)
        by_end = {row["outcome"]: row["games"] for row in found.iter_rows(named=True)}
        won, shared, stalled = (by_end.get(outcome, 0) for outcome in ("won", "shared", "stalled"))
        blocks = int(found["n_blocks"].max() or 0)  # type: ignore[arg-type]
        rows.append(
            [
                f"{players} players",
                *(
                    count(x)
                    for x in (won + shared + stalled, facts.planned(players), blocks, deals, won, shared, stalled)
                ),
            ]
        )
    columns = ["players", "games", "planned", "deals", "planned", "won", "shared", "stalled"]
    return Table("Games on this page", columns, rows)


def _line_up_table(facts: RunFacts) -> Table:
    found = facts.line_ups.select("players", "line_up", "mirror").unique(maintain_order=True)
    rows = [
        [f"{row['players']} players", str(row["line_up"]), facts.line_up(row["players"], row["line_up"]),
         "mirror" if row["mirror"] else "mixed"]
        for row in found.iter_rows(named=True)
    ]  # fmt: skip
    return Table("Line-ups", ["players", "number", "who plays", "kind"], rows, heads=4)


def _ruleset_table(facts: RunFacts) -> Table:
    differs = plural(len(facts.differences), "parameter")
    note = f'Ruleset "{facts.ruleset}", hash {facts.ruleset_hash}, rules version {facts.rules_version}: '
    note += f"{differs} differ{'s' if len(facts.differences) == 1 else ''} from standard." if facts.differences else (
        "the same as standard in every parameter."
    )  # fmt: skip
    rows = [[key, _value(standard), _value(here)] for key, standard, here in facts.differences]
    return Table("Ruleset: what differs from standard", ["parameter", "standard", "here"], rows, note=note)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_value(item) for item in value)
    return "none" if value is None else str(value)


def _versions_table(facts: RunFacts) -> Table:
    rows = [[name, version] for name, version in facts.versions.items()]
    rows.append(["tables", str(facts.tables_version)])
    return Table("Versions", ["what", "version"], rows, heads=2)


def _tests_table(frames: Frames) -> Table:
    found = tests_by_measure(frames).filter(pl.col("tests") > 0)
    rows = [[row["measure"], count(row["tests"]), count(row["flagged"])] for row in found.iter_rows(named=True)]
    return Table("Tested numbers", ["measure", "tested", "flagged"], rows, detail=True)


def _cells_table(frames: Frames) -> Table:
    """How many games and deals the rows of each measure rest on: the fewest and the most."""
    rows = []
    for name, frame in frames.items():
        counts = [column for column in ("n_games", "n_blocks") if column in frame.columns]
        if frame.is_empty() or len(counts) < 2:
            continue
        ends = [count(int(end)) for c in counts for end in (frame[c].min(), frame[c].max())]  # type: ignore[arg-type]
        rows.append([name, count(frame.height), *ends])
    return Table(
        "What each measure rests on, by the names that the data files use",
        ["measure", "rows", "games, fewest", "games, most", "deals, fewest", "deals, most"],
        rows,
        note="Some measures count seats, rounds or duels where it says games; their section says so.",
        detail=True,
    )


TOPIC = Topic("method", measure, tell)

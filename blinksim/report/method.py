"""The last section: how the numbers came to be, so that anybody can make them again or doubt them."""

from __future__ import annotations

from blinksim.analysis.estimates import MARGIN
from blinksim.report.headlines import of_players
from blinksim.report.numbers import Numbers, RunFacts
from blinksim.report.parts import Section, Table
from blinksim.report.words import count, listed, plural

SHIFTS = {
    "auto": "every hand on every map seat; where strategies differ, every strategy also plays every hand",
    "seats": "every hand on every map seat",
    "hands": "every strategy plays every hand",
    "both": "every strategy plays every hand on every map seat",
    "none": "each deal is played once as it lies",
}


def method_section(numbers: Numbers) -> Section:
    """What was played and how its numbers were made."""
    facts = numbers.facts
    return Section(
        "method",
        "Method",
        [
            "The sample is the block: a deal with all its games. Games on one deal share hands, market and "
            "objectives, so every interval looks at how blocks vary, never at single games. The number of deals "
            "stands beside every number of games.",
            "Shares have Wilson's interval at the effective sample size (games over the design effect, with a "
            "correction for few deals). Where several belong together (the seats of a table, the strategies of a "
            "line-up, the seats that announce the end), their intervals hold all at once at 95 %, by Šidák's level. "
            "Means have t intervals with variances linearised over blocks, medians Woodruff's intervals, tier curves "
            f"pointwise log-log bands. A verdict asks whether intervals lie within {100 * MARGIN:g} points of a fair "
            "share. Verdicts of different player counts are not corrected for being several.",
            f"Shifts ({facts.shifts}): {SHIFTS[facts.shifts]}. {_replicates(facts)} Everything follows from seed "
            f"{facts.seed} and the numbers below: the same experiment gives the same games, the same run the same "
            "page.",
        ],
        (),
        [_games_table(numbers), _line_up_table(facts), _ruleset_table(facts), _versions_table(facts)],
        _variant_notes(facts),
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
    return [
        f'The run has {len(facts.variants)} rulesets on the same deals. This page shows "{shown}" '
        f"alone; {listed(others)} {'is' if len(others) == 1 else 'are'} not on it."
    ]


def _games_table(numbers: Numbers) -> Table:
    rows = []
    for players, (deals, _, games) in numbers.facts.plan.items():
        found = of_players(numbers.outcomes, players)
        by_end = {row["outcome"]: row["games"] for row in found.iter_rows(named=True)}
        won, shared, stalled = (by_end.get(outcome, 0) for outcome in ("won", "shared", "stalled"))
        blocks = int(found["n_blocks"].max() or 0)  # type: ignore[arg-type]
        planned = games // len(numbers.facts.variants)
        rows.append(
            [
                f"{players} players",
                *(count(x) for x in (won + shared + stalled, planned, blocks, deals, won, shared, stalled)),
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

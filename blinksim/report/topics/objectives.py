"""Objectives: how often each is held, what it pays, and what being dealt it does."""

from __future__ import annotations

from typing import Any

import polars as pl

from blinksim.analysis import lift, objectives
from blinksim.analysis.estimates import MARGIN, Verdict
from blinksim.report import figures_objectives
from blinksim.report.common import of_players, panels, players_title, share_cells, table_rows
from blinksim.report.figures_lift import lift_dots
from blinksim.report.flags import FALSE_FLAGS
from blinksim.report.parts import FigureGroup, Headline, Section, Table
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.topics.findings import at, of_players_of, typical
from blinksim.report.words import NOTHING, count, interval, listed, number, percent, percent_interval, plural

CALLED = {"ocean_mountain": "Fjord", "mountain_ocean": "Mountain Lookout"}
"""Objectives that the rulebook names."""


def measure(source: Source) -> dict[str, pl.DataFrame]:
    """What became of each objective, which are dead, and what being dealt each does."""
    table = source.scan("objectives")
    holdings = objectives.holdings(table)
    results = lift.outcomes(source.scan("seats"))
    if source.facts.parameters["objectives"]["mode"] not in objectives.RANDOM_MODES:
        results = results.clear()
    return {
        "objectives.holdings": holdings,
        "objectives.scored": objectives.scored(holdings),
        "objectives.lift": objectives.lift(table, results),
    }


def objective_words(name: str, called: bool = True) -> str:
    """An objective in words, such as ``ocean between mountains (Fjord)``.

    Args:
        name: Its id: the middle, then one or two ends.
        called: Whether the rulebook's name stands behind, where there is one.
    """
    middle, *ends = name.split("_")
    around = f"{ends[0]}{'' if ends[0] == 'plains' else 's'}" if len(ends) == 1 else listed(ends)
    behind = f" ({CALLED[name]})" if called and name in CALLED else ""
    return f"{middle} between {around}{behind}"


def tell(facts: RunFacts, frames: Frames) -> Section:
    """Objectives: frequency, pay and lift."""
    scored = frames["objectives.scored"]
    if scored.is_empty():
        return Section("objectives", "Objectives", ["Nobody had an objective in these games."])
    lifts = _labelled(frames["objectives.lift"]).with_columns(flagged=(pl.col("q") < FALSE_FLAGS).fill_null(False))
    wins = lifts.filter(pl.col("result") == "win_share")
    holdings = _labelled(frames["objectives.holdings"])
    held = holdings.filter(pl.col("measure").is_in(["ever_held", "held_at_end"]))
    held_panels = panels(
        facts.players, "objectives-held", _known(held),
        lambda part, n: figures_objectives.held_dots(part, title=players_title(n)), _say_held,
        "Share of seats that held each objective they had",
    )  # fmt: skip
    lift_panels = panels(
        facts.players, "objectives-lift", _known(wins),
        lambda part, n: lift_dots(part, title=players_title(n)),
        lambda part: [f"{row['label']} {_lift(row)}" for row in part.iter_rows(named=True)],
        "Points of win share that being dealt each objective adds",
    )  # fmt: skip
    return Section(
        "objectives",
        "Objectives",
        [_finding(scored), _lift_in_words(facts, lifts), _scored_in_words(scored), _shown_in_words(facts, holdings)],
        [
            FigureGroup(
                "Held and kept",
                held_panels,
                "Of the seats that had each objective: squares, those that held it at the end of some round; points, "
                "those that held it at the end of the game and scored it (also beside the plot). Lines: 95 % "
                "intervals (Wilson at the effective sample size).",
            ),
            FigureGroup(
                "What being dealt it does",
                lift_panels,
                "Points: win share of hands that were dealt the objective less that of hands of the same deal that "
                "were not. Lines: 95 % intervals (t, over deals). Squares: flagged, q under "
                f"{FALSE_FLAGS:g} over all tests of the page. Dashed: no "
                "difference.",
            ),
        ],
        [_holdings_table(holdings, scored), _lift_table(lifts)],
        [
            "An objective is held while it has at least one arrangement on the map, and scored where it is held at "
            "the end. Broken: a rival's attack ended it. First held: mean first round at whose end it was held, of "
            "the seats that ever held it. Stalled games count, but for the lift, which is that of decided games.",
            f"Being dealt an objective is fair where all intervals lie within {100 * MARGIN:g} points of win share, "
            "not fair where that of a flagged one lies wholly outside.",
            f"Dead: the whole interval of the share that score it lies under {percent(objectives.DEAD, 0)}.",
            "Which objective lies open is the player's choice where there is a choice: that hidden ones are kept more "
            "or less often goes with hiding them, and need not come from it.",
            "Objectives are dealt at random, so that hands dealt one and hands of the same deal dealt others differ by "
            "luck alone; the lift is what the objective does, averaged over the strategies and seats of the run. It "
            "compares with being dealt another objective, not with having none.",
        ],
        [_dead_headline(scored), *_lift_headlines(facts, wins)],
    )


def _labelled(frame: pl.DataFrame) -> pl.DataFrame:
    names = frame["objective"].unique().to_list()
    words = {name: objective_words(name, called=False) for name in names}
    return frame.with_columns(label=pl.col("objective").replace_strict(words, return_dtype=pl.String))


def _say_held(part: pl.DataFrame) -> list[str]:
    rows = {(row["label"], row["measure"]): row["value"] for row in part.iter_rows(named=True)}
    labels = part["label"].unique(maintain_order=True)
    return [
        f"{label} ever {percent(rows[label, 'ever_held'])}, at the end {percent(rows[label, 'held_at_end'])}"
        for label in labels
    ]


def _lift(row: dict[str, Any]) -> str:
    scale, unit = (100, "points of win share") if row["result"] == "win_share" else (1, "points")
    return f"{scale * row['value']:+.1f} {unit} ({interval(scale * row['low'], scale * row['high'])})"


def _finding(scored: pl.DataFrame) -> str:
    """Whether every objective is alive."""
    dead = _dead_in_words(scored)
    values = sorted(_known(scored)["value"].to_list())
    if not values:
        return f"There are not enough games to say which objectives are scored. {dead}"
    shares = percent_interval(values[0], values[-1], 0)
    alive = set(scored["verdict"]) == {"alive"}
    said = f"{shares} of those who have one score it."
    return f"{dead.rstrip('.')}: by objective and player count, {said}" if alive else (
        f"{dead} By objective and player count, {said}"
    )  # fmt: skip


def _scored_in_words(scored: pl.DataFrame) -> str:
    some = typical(_known(scored).unique("players", keep="first", maintain_order=True))
    if some is None:
        return "There are not enough games to say which objectives are scored most."
    rows = of_players_of(_known(scored), some).sort("value")
    low, high = rows.row(0, named=True), rows.row(-1, named=True)
    return (
        f"Least scored {at(low)} is {objective_words(low['objective'])}, by {_share(low)} of those who have it; most, "
        f"{objective_words(high['objective'])}, by {_share(high)}."
    )


def _share(row: dict[str, Any]) -> str:
    return f"{percent(row['value'])} ({percent_interval(row['low'], row['high'])})"


def _known(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows that rest on enough deals to be told."""
    return frame.filter(pl.col("n_blocks") >= lift.MIN_BLOCKS)


def _dead_in_words(scored: pl.DataFrame) -> str:
    dead = scored.filter(pl.col("verdict") == "dead")
    unsure = scored.filter(pl.col("verdict") == "not enough games")
    if not dead.is_empty():
        first = dead.sort("value").head(MOST_SAID).select("players", "objective")
        named = [f"{objective_words(o)} with {n} players" for n, o in first.iter_rows()]
        rest = f", and {dead.height - MOST_SAID} more in the table" if dead.height > MOST_SAID else ""
        return f"Dead: {listed(named)}{rest}."
    if not unsure.is_empty():
        return (
            f"None is shown to be dead; for {count(unsure.height)} of {count(scored.height)} (objective by player "
            "count) there are not enough games to say."
        )
    return "No objective is dead."


def _shown_in_words(facts: RunFacts, holdings: pl.DataFrame) -> str:
    """Whether hidden objectives are kept more often, in how many cells the intervals part."""
    if facts.parameters["objectives"]["mode"] != "show_one":
        return "In this ruleset nobody chooses which of two objectives to show."
    sides = _known(holdings).pivot(on="measure", index=["players", "objective"], values=["value", "low", "high"])
    if not {"low_held_at_end_if_hidden", "low_held_at_end_if_shown"} <= set(sides.columns):
        return "There are not enough games to say whether hidden objectives are held more often than shown ones."
    sides = sides.drop_nulls(["low_held_at_end_if_hidden", "low_held_at_end_if_shown"])
    more = sides.filter(pl.col("low_held_at_end_if_hidden") > pl.col("high_held_at_end_if_shown")).height
    less = sides.filter(pl.col("high_held_at_end_if_hidden") < pl.col("low_held_at_end_if_shown")).height
    return (
        f"Hidden, an objective is held at the end more often than shown, beyond both intervals, in {count(more)} of "
        f"{count(sides.height)} cells (objective by player count), less often in {count(less)}."
    )


def _lift_in_words(facts: RunFacts, lifts: pl.DataFrame) -> str:
    if lifts.is_empty():
        mode = facts.parameters["objectives"]["mode"]
        return f"Under the mode {mode} objectives are chosen or everybody's, so that no fair comparison can be made."
    flagged = lifts.filter("flagged")
    tested = int(lifts["p"].is_not_null().sum())
    if tested == 0:
        return "There are not enough games to say what being dealt an objective does."
    if flagged.is_empty():
        return (
            f"Of {plural(tested, 'test')} of what being dealt an objective does (win share and points), none stands "
            "out after the correction for being many."
        )
    said = []
    cells = list(flagged.sort("q").group_by(["players", "objective"], maintain_order=True))
    for (players, objective), rows in cells[:MOST_SAID]:
        each = listed(_lift(row) for row in rows.iter_rows(named=True))
        said.append(f"with {players} players {objective_words(str(objective))} {each}")
    rest = len(cells) - len(said)
    others = f"; {rest} more are flagged in the table" if rest > 0 else ""
    if not others and flagged.height < tested:
        others = "; the others do not stand out"
    return f"Being dealt one objective rather than another makes a difference: {'; '.join(said)}{others}."


MOST_SAID = 2
"""So many cells that are dead, or flagged, are said in a sentence: the deadest, and the surest."""


def _holdings_table(holdings: pl.DataFrame, scored: pl.DataFrame) -> Table:
    rows = []
    for (players, objective), part in holdings.group_by(["players", "objective"], maintain_order=True):
        by = {row["measure"]: row for row in part.iter_rows(named=True)}
        verdict = scored.filter((pl.col("players") == players) & (pl.col("objective") == objective))["verdict"][0]
        end = by["held_at_end"]
        rows.append(
            [
                players_title(int(str(players))), objective_words(str(objective)), percent(by["shown"]["value"], 0),
                percent(by["ever_held"]["value"], 0), *share_cells(end), _enough(by["held_at_end_if_shown"]),
                _enough(by["held_at_end_if_hidden"]),
                number(by["first_round"]["value"]), *[number(by[m]["value"], 2) for m in SMALL], verdict,
                count(end["n_games"]), count(end["n_blocks"]),
            ]
        )  # fmt: skip
    columns = [
        "players", "objective", "shown", "ever held", "at the end", "interval", "if shown", "if hidden", "first held",
        "arrangements", "points", "coins", "broken", "verdict", "seats", "deals",
    ]  # fmt: skip
    return Table("What became of each objective, of the seats that had it", columns, rows, heads=2)


SMALL = ("arrangements", "points", "coins", "broken")
"""Means per seat that had the objective."""


def _enough(row: dict[str, Any]) -> str:
    """A share, where there are enough deals to tell it."""
    if row["n_blocks"] == 0:
        return NOTHING
    return percent(row["value"], 0) if row["n_blocks"] >= lift.MIN_BLOCKS else str(Verdict.NOT_ENOUGH)


def _lift_table(lifts: pl.DataFrame) -> Table:
    def cells(row: dict[str, Any]) -> list[str]:
        scale, unit = (100, "win share") if row["result"] == "win_share" else (1, "points")
        enough = row["n_blocks"] >= lift.MIN_BLOCKS
        estimate = [number(scale * row["value"]), interval(scale * row["low"], scale * row["high"])]
        said = "flagged" if row["flagged"] else "" if enough else str(Verdict.NOT_ENOUGH)
        q = f"{row['q']:.3f}" if row["q"] is not None else "–"
        return [
            players_title(row["players"]), objective_words(row["objective"]), unit, *estimate, q, said,
            count(row["n_games"]), count(row["n_blocks"]),
        ]  # fmt: skip

    return Table(
        "What being dealt an objective rather than another does: points of win share, and points of the score",
        ["players", "objective", "in", "difference", "interval", "q", "flag", "games", "deals"],
        table_rows(lifts.sort("result", "players", "objective", descending=[True, False, False]), cells),
        heads=3,
        detail=True,
    )


def _dead_headline(scored: pl.DataFrame) -> Headline:
    verdicts = set(scored["verdict"])
    verdict = Verdict.NOT_FAIR if "dead" in verdicts else Verdict.NOT_ENOUGH
    if verdicts == {"alive"}:
        verdict = Verdict.FAIR
    return Headline("Objectives", 0, f"{_range_in_words(scored)}{_dead_in_words(scored)}", str(verdict))


def _range_in_words(scored: pl.DataFrame) -> str:
    values = _known(scored).sort("value")["value"]
    if values.is_empty():
        return ""
    return (
        f"{percent(values[0], 0)} to {percent(values[-1], 0)} of those who have an objective score it, by objective "
        "and player count. "
    )


def _lift_headlines(facts: RunFacts, wins: pl.DataFrame) -> list[Headline]:
    found = []
    for players in facts.players:
        rows = of_players(wins, players)
        known = _known(rows).sort(pl.col("value").abs())
        if not known.is_empty():
            furthest = known.row(-1, named=True)
            sentence = f"Furthest from none is being dealt {objective_words(furthest['objective'])}: {_lift(furthest)}."
            found.append(Headline("Objectives", players, sentence, str(lift.verdict(rows))))
    return found


TOPIC = Topic("objectives", measure, tell)

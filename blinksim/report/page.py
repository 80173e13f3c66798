"""The page: measures of every topic, sections that tell them, and one HTML file that needs nothing else."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import groupby

import polars as pl
from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from blinksim.analysis.aims import status
from blinksim.report import figures, flags, side
from blinksim.report import targets as judging
from blinksim.report.parts import Headline, Page, Picture, Section
from blinksim.report.source import NotKept, RunFacts, Source
from blinksim.report.topic import Frames, Topic
from blinksim.report.words import count, listed, plural
from blinksim.simulate.targets import Target

PAGE_VERSION = 1
"""Raised when a measure changes its name, columns or meaning in the data files."""

TOPICS = (
    "seats",
    "length",
    "tiers",
    "scores",
    "walls",
    "objectives",
    "victory_row",
    "economy",
    "strategies",
    "drama",
    "cards",
    "anomalies",
    "method",
)
"""Modules of :mod:`blinksim.report.topics`, in the order of the page."""


@dataclass(frozen=True)
class Report:
    """A page with the numbers behind it.

    Attributes:
        facts: What was played, of the games that the sections are about.
        frames: Every measure by name.
        outcomes: What became of each target.
        page: What stands on the page.
    """

    facts: RunFacts
    frames: Frames
    outcomes: Sequence[judging.Outcome]
    page: Page

    @property
    def status(self) -> int:
        """Exit status of a command: 1 a target is missed, 3 none is but some cannot be told yet, 0 otherwise."""
        return status([outcome.verdict for outcome in self.outcomes])


def find_topics(names: Iterable[str] = TOPICS) -> list[Topic]:
    """The topics of some modules, in order."""
    found = [importlib.import_module(f"blinksim.report.topics.{name}").TOPIC for name in names]
    assert all(isinstance(topic, Topic) for topic in found), "every topic module has TOPIC"
    return found


def measure_all(source: Source, names: Iterable[str] = TOPICS) -> dict[str, pl.DataFrame]:
    """Take the measures of some topics and adjust everything tested among them together.

    Args:
        source: The games; their tables are scanned, never held.
        names: Modules of :mod:`blinksim.report.topics`.

    Returns:
        Frames by name, in the order of the topics.
    """
    return flags.adjust(_measure(source, find_topics(names))[0])


def _measure(source: Source, topics: Iterable[Topic]) -> tuple[dict[str, pl.DataFrame], list[Topic]]:
    """The measures of some topics, and which topics they are: not those whose tables the run was played without."""
    frames: dict[str, pl.DataFrame] = {}
    told = []
    for topic in topics:
        try:
            measured = topic.measure(source)
        except NotKept:
            continue
        told.append(topic)
        assert all(name.startswith(f"{topic.name}.") for name in measured), f"{topic.name} measures {list(measured)}"
        frames |= measured
    return frames, told


def make_report(
    source: Source,
    targets: Sequence[Target] = (),
    others: Sequence[tuple[str, Source]] = (),
    label: str = "",
    names: Iterable[str] = TOPICS,
) -> Report:
    """Measure games and make their page.

    Args:
        source: The games that every section is about.
        targets: What their numbers should be, beside what their experiment says itself.
        others: Games of other rulesets or runs with a name each, to stand beside them.
        label: What the first are called beside those.
        names: Modules of :mod:`blinksim.report.topics`; ``length`` must be among them.

    Raises:
        UserError: a target names what is not measured.
    """
    facts = source.facts
    topics = find_topics(names)
    measured, told = _measure(source, topics)
    frames = flags.adjust(measured)
    beside: list[Section] = []
    if others:
        of_each = [(label or facts.name, facts, frames)]
        of_each += [(name, other.facts, measure_all(other, side.TOPICS)) for name, other in others]
        frames[side.FRAME] = side.headline_measures(of_each)
        beside = [side.section(frames[side.FRAME], facts.players, of_each)]
    outcomes = judging.judge([*facts.targets, *targets], frames, facts)
    judged = [judging.section(outcomes)] if outcomes else []
    sections = [*judged, *[topic.tell(facts, frames) for topic in told]]
    sections[len(judged) : len(judged)] = beside
    page = Page(
        title=f"{facts.title}: {facts.name}",
        question=facts.question,
        summary=_summary(facts, frames),
        warnings=[*_warnings(facts, frames), *_untold(topics, told)],
        headlines=[line for section in sections for line in section.headlines],
        sections=sections,
        origin="records of games" if facts.from_records else "a run of simulated games",
    )
    return Report(facts, frames, outcomes, page)


def _summary(facts: RunFacts, frames: Frames) -> str:
    outcomes = frames["length.outcomes"]
    played = outcomes.group_by("players", maintain_order=True).agg(games="games").sort("players")
    by_players = [f"{count(sum(row['games']))} with {row['players']} players" for row in played.iter_rows(named=True)]
    strategies = facts.line_ups["strategy"].unique().sort()
    changes = plural(len(facts.differences), "parameter")
    differs = f", which differs from standard in {changes}" if facts.differences else ""
    if facts.variant and not facts.from_records:  # a variant bears the name of the ruleset that it changes
        differs = f' in variant "{facts.variants[facts.variant]}"'
        differs += f", with {changes} not as in standard" if facts.differences else ""
    return (
        f"{plural(int(outcomes['games'].sum()), 'game')} of {facts.title} ({listed(by_players)}) under the ruleset "
        f"{facts.ruleset}{differs}, played by {listed(strategies)}."
    )


def _warnings(facts: RunFacts, frames: Frames) -> list[str]:
    found = []
    if facts.left_out:
        many = len(facts.left_out)
        found.append(
            f"{plural(many, 'record')} {'is' if many == 1 else 'are'} left out of every number; Method says why."
        )
    if facts.complete:
        return found
    planned = sum(facts.planned(players) for players in facts.plan)
    played = int(frames["length.outcomes"]["games"].sum())
    found.append(
        f"This run is not finished: {count(facts.shards[0])} of {plural(facts.shards[1], 'shard')} are there, "
        f"{count(played)} of {plural(planned, 'game')}. Every number below is of what is there; run the experiment "
        "again to go on."
    )
    missing = [str(players) for players in facts.plan if players not in facts.players]
    return [*found, *([f"No game with {listed(missing, 'or')} players is finished yet."] if missing else [])]


def _untold(topics: Sequence[Topic], told: Sequence[Topic]) -> list[str]:
    names = [topic.name.replace("_", " ") for topic in topics if topic not in told]
    return [f"The run was played with less detail, so that nothing is told of {listed(names)}."] if names else []


def render(page: Page) -> str:
    """A page as HTML: one text, the same for the same page, that refers to nothing outside itself."""
    environment = Environment(
        loader=BaseLoader(), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["svg"] = _inline
    environment.filters["topics"] = _topics
    environment.filters["slug"] = lambda text: text.replace(" ", "-")
    template = resources.files("blinksim.report").joinpath("page.html.j2").read_text(encoding="utf-8")
    return environment.from_string(template).render(page=page) + "\n"


def _topics(lines: Sequence[Headline]) -> list[tuple[str, list[Headline]]]:
    """Headlines by topic, in order."""
    return [(topic, list(group)) for topic, group in groupby(lines, key=lambda line: line.topic)]


def _inline(picture: Picture) -> Markup:
    return Markup(figures.svg_text(picture.ax, picture.name, picture.alternative))

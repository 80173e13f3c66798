"""Topics made in two parts: one with much to tell tells it in two modules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import polars as pl

from blinksim.report.parts import Section
from blinksim.report.source import RunFacts, Source
from blinksim.report.topic import Frames, Topic

Measure = Callable[[Source], dict[str, pl.DataFrame]]
Tell = Callable[[RunFacts, Frames], Section]


def joined(section: Section, more: Section) -> Section:
    """A section with everything of another behind its own; anchor and title are those of the first."""
    return replace(
        section,
        lead=[*section.lead, *more.lead],
        figures=[*section.figures, *more.figures],
        tables=[*section.tables, *more.tables],
        notes=[*section.notes, *more.notes],
        headlines=[*section.headlines, *more.headlines],
    )


def extended(topic: Topic, measure: Measure, tell: Tell) -> Topic:
    """A topic that also takes further measures and tells them behind its own."""
    return Topic(
        topic.name,
        lambda source: topic.measure(source) | measure(source),
        lambda facts, frames: joined(topic.tell(facts, frames), tell(facts, frames)),
    )

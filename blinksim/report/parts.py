"""What a page is made of, before it is HTML: headlines, and sections with figures and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from matplotlib.axes import Axes


@dataclass(frozen=True)
class Headline:
    """One line of the verdict strip.

    Attributes:
        topic: What it is about, in a word or two.
        players: Of how many players it speaks, 0 for all.
        sentence: The finding, with its number and interval.
        verdict: ``fair``, ``not fair`` or ``not enough games``; empty for a finding that is neither good nor bad.
    """

    topic: str
    players: int
    sentence: str
    verdict: str = ""


@dataclass(frozen=True)
class Picture:
    """One panel.

    Attributes:
        name: Name for ids and files; unique on the page.
        ax: The axis that it is drawn on.
        alternative: What it shows, in words.
    """

    name: str
    ax: Axes
    alternative: str


@dataclass(frozen=True)
class FigureGroup:
    """Panels that stand side by side under one caption, which states sample and interval."""

    title: str
    pictures: Sequence[Picture]
    caption: str


@dataclass(frozen=True)
class Table:
    """A table as text.

    Attributes:
        caption: What it shows.
        columns: Headings.
        rows: Cells, by row.
        heads: How many columns name the row; the rest are numbers.
        note: Set below it, also where it has no rows.
        detail: Whether it is folded away until asked for; print shows it all the same.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    heads: int = 1
    note: str = ""
    detail: bool = False


@dataclass(frozen=True)
class Drawing:
    """A small picture that is SVG already, with its text alternative in it.

    Attributes:
        svg: From :mod:`blinksim.report.hexes`.
        caption: Set below it.
    """

    svg: str
    caption: str


@dataclass(frozen=True)
class GameStory:
    """One game to look at.

    Attributes:
        title: Why this one.
        paragraphs: What happened.
        scores: How it ended, a line for each seat, best first.
        command: What plays it again; empty where nothing does.
        maps: Its map after each round, folded away until asked for; print shows them.
    """

    title: str
    paragraphs: Sequence[str]
    scores: Sequence[str]
    command: str = ""
    maps: Sequence[Drawing] = ()


@dataclass(frozen=True)
class Section:
    """One section of the page.

    Attributes:
        anchor: Its id.
        title: Its heading.
        lead: Paragraphs that say what is to be seen.
        figures: Its figures.
        tables: Its tables.
        notes: Definitions and cautions, set small at the end.
        headlines: Its lines of the verdict strip.
        games: Games to look at.
        map_key: What the signs on their maps mean.
    """

    anchor: str
    title: str
    lead: Sequence[str] = ()
    figures: Sequence[FigureGroup] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    headlines: Sequence[Headline] = ()
    games: Sequence[GameStory] = ()
    map_key: Drawing | None = None


@dataclass(frozen=True)
class Page:
    """A whole page.

    Attributes:
        title: Its heading.
        question: What the experiment asks.
        summary: What was played, in a sentence.
        warnings: What a reader must know before believing a number.
        headlines: The verdict strip.
        sections: In order.
        origin: What it was made from, for the foot of the page.
    """

    title: str
    question: str
    summary: str
    warnings: Sequence[str] = ()
    headlines: Sequence[Headline] = ()
    sections: Sequence[Section] = field(default_factory=tuple)
    origin: str = "a run of simulated games"

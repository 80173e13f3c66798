"""The page: numbers to sections, sections to one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from itertools import groupby
from pathlib import Path

from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from blinksim.report import figures
from blinksim.report.headlines import headlines
from blinksim.report.method import method_section
from blinksim.report.numbers import Numbers, measure
from blinksim.report.parts import Headline, Page, Picture
from blinksim.report.sections import length_section, scores_section, seats_section, strategies_section, tiers_section
from blinksim.report.words import count, listed, plural
from blinksim.store.reading import Run
from blinksim.store.runs import write_bytes

SECTIONS = (seats_section, length_section, tiers_section, scores_section, strategies_section, method_section)
"""In the order of the page."""


def make_page(numbers: Numbers) -> Page:
    """All that stands on the page of a run."""
    facts = numbers.facts
    played = numbers.outcomes.group_by("players", maintain_order=True).agg(games="games").sort("players")
    by_players = [f"{count(sum(row['games']))} with {row['players']} players" for row in played.iter_rows(named=True)]
    total = int(numbers.outcomes["games"].sum())
    strategies = facts.line_ups["strategy"].unique().sort()
    changes = plural(len(facts.differences), "parameter")
    differs = f", which differs from standard in {changes}" if facts.differences else ""
    summary = (
        f"{plural(total, 'game')} of {facts.title} ({listed(by_players)}) under the ruleset {facts.ruleset}{differs}, "
        f"played by {listed(strategies)}."
    )
    return Page(
        title=f"{facts.title}: {facts.name}",
        question=facts.question,
        summary=summary,
        warnings=_warnings(numbers),
        headlines=headlines(numbers),
        sections=[section(numbers) for section in SECTIONS],
    )


def _warnings(numbers: Numbers) -> list[str]:
    facts = numbers.facts
    if facts.complete:
        return []
    planned = sum(games for _, _, games in facts.plan.values()) // len(facts.variants)
    played = int(numbers.outcomes["games"].sum())
    found = (
        f"This run is not finished: {count(facts.shards[0])} of {plural(facts.shards[1], 'shard')} are there, "
        f"{count(played)} of {plural(planned, 'game')}. Every number below is of what is there; run the experiment "
        "again to go on."
    )
    missing = [str(players) for players in facts.plan if players not in facts.players]
    return [found, *([f"No game with {listed(missing, 'or')} players is finished yet."] if missing else [])]


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


def write_page(run: Run, target: Path, figure_folder: Path | None = None) -> Page:
    """Measure a run and write its page.

    Args:
        run: The run, finished or not.
        target: The HTML file; folders are made.
        figure_folder: Where every panel also goes as SVG and PNG.

    Raises:
        RunError: the run has no finished games, or the file cannot be written.
    """
    page = make_page(measure(run))
    write_bytes(target, render(page).encode("utf-8"))
    if figure_folder is not None:
        for section in page.sections:
            for group in section.figures:
                for picture in group.pictures:
                    figures.save(picture.ax, figure_folder, picture.name)
    return page

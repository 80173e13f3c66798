"""The page of a tiny run: whole, self-contained, always the same, and saying what it rests on."""

import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

from blinksim.errors import UserError
from blinksim.report.exports import files_folder, write_report
from blinksim.report.page import TOPICS, Report, find_topics, make_report, render
from blinksim.report.parts import Page
from blinksim.report.source import source_of
from blinksim.report.topics import seats as seats_topic
from blinksim.store.reading import Run, open_run
from blinksim.store.runs import RunError
from tests.report.tiny import play

VOID = {"meta", "br", "hr", "img", "link", "input", "col", "wbr"}


class Reader(HTMLParser):
    """Checks that tags close in order, and gathers what the tests ask about."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.tables: list[list[int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        named = {name: value or "" for name, value in attrs}
        assert len(named) == len(attrs), f"<{tag}> says an attribute twice"
        self.attributes.append((tag, named))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append(0)
        elif tag in ("td", "th"):
            self.tables[-1][-1] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing at line {self.getpos()[0]}"

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def values(self, attribute: str) -> list[str]:
        return [named[attribute] for _, named in self.attributes if attribute in named]


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


@pytest.fixture(scope="module")
def report(tiny_run: Path) -> Report:
    return make_report(source_of(open_run(tiny_run)))


@pytest.fixture(scope="module")
def page(report: Report) -> Page:
    return report.page


def page_of(run: Run, variant: int = 0) -> Page:
    return make_report(source_of(run, variant)).page


@pytest.fixture(scope="module")
def html(page: Page) -> str:
    return render(page)


def test_the_page_is_well_formed(html: str) -> None:
    reader = read(html)
    assert html.startswith("<!DOCTYPE html>")
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    for reference in [*reader.values("href"), *re.findall(r"url\(([^)]*)\)", html)]:
        assert reference.startswith("#") and reference[1:] in ids
    assert set(reader.values("aria-labelledby")) <= set(ids)
    for rows in reader.tables:
        assert len(rows) > 1 and len(set(rows)) == 1


def test_the_page_needs_nothing_else(html: str) -> None:
    reader = read(html)
    assert "http:" not in html and "https:" not in html and "@import" not in html
    assert not reader.values("src") and not {"script", "link", "iframe", "object", "image"} & set(reader.tags)
    assert len(html) < 1_500_000


def test_figures_and_tables_can_be_read_without_seeing_them(html: str) -> None:
    reader = read(html)
    drawings = [named for tag, named in reader.attributes if tag == "svg"]
    assert len(drawings) >= 12
    assert all(named["role"] == "img" and len(named["aria-label"]) > 40 for named in drawings)
    assert reader.tags["figure"] == reader.tags["figcaption"]
    assert reader.tags["table"] == reader.tags["caption"] == len(reader.tables)
    assert reader.attributes[0] == ("html", {"lang": "en"})


def test_headings_come_in_order_and_names_are_escaped(page: Page, html: str) -> None:
    assert [section.anchor.replace("-", "_") for section in page.sections] == list(TOPICS)
    titles = [section.title for section in page.sections]
    assert re.findall(r'<h2 id="[^"]*">([^<]*)</h2>', html) == titles and len(set(titles)) == len(titles)
    assert "Does a page &lt;come&gt; out &amp; can it be read?" in html
    assert page.headlines == [line for section in page.sections for line in section.headlines]
    in_order = [line.topic for line in page.headlines]
    assert {"Seats", "Length", "Who ends it", "Stalled games", "Strategies"} <= set(in_order)
    groups = [topic for i, topic in enumerate(in_order) if i == 0 or in_order[i - 1] != topic]
    assert len(groups) == len(set(groups)), "the lines of one topic stand together"


def test_how_much_it_rests_on_is_said(page: Page, html: str) -> None:
    """2 players: 6 deals of 2 + 4 games; 3 players: 3 deals of 3 games."""
    assert "45 games of Blink (36 with 2 players and 9 with 3 players)" in html
    assert "36 games, 6 deals" in html and "9 games, 3 deals" in html
    method = page.sections[-1]
    assert method.tables[0].rows == [
        ["2 players", "36", "36", "6", "6", *method.tables[0].rows[0][5:]],
        ["3 players", "9", "9", "3", "3", *method.tables[0].rows[1][5:]],
    ]
    for table in (t for section in page.sections[:-1] for t in section.tables):
        assert "deals" in table.columns or "deals" in table.note, table.caption
    for group in (g for section in page.sections for g in section.figures if g.pictures):
        assert re.search("interval|median|band|share of decided games", group.caption), group.title


def test_the_method_says_what_was_played(page: Page, html: str, tiny_run: Path) -> None:
    manifest = open_run(tiny_run).manifest
    assert manifest["rulesets"][0]["hash"] in html
    assert ["trick.last_place_gold", "1", "2"] in page.sections[-1].tables[2].rows
    assert "seed 5" in " ".join(page.sections[-1].lead)
    assert ["2 players", "1", "1 random, 1 chance", "mixed"] in page.sections[-1].tables[1].rows
    for package in ("numba", "polars", "statsmodels"):
        assert f">{package}<" in html


def test_few_games_are_not_enough_to_call_seats_fair(page: Page) -> None:
    seats = [line for line in page.headlines if line.topic == "Seats"]
    assert [line.players for line in seats] == [2, 3]
    assert {line.verdict for line in seats} <= {"not enough games", "not fair"}
    assert all("%" in line.sentence for line in seats)


def test_the_same_run_gives_the_same_bytes(tiny_run: Path, report: Report, html: str, tmp_path: Path) -> None:
    write_report(report, tmp_path / "a" / "page.html")
    again = make_report(source_of(open_run(tiny_run)))
    for name, frame in report.frames.items():
        assert again.frames[name].equals(frame), name
    write_report(again, tmp_path / "b" / "page.html")
    assert (tmp_path / "a" / "page.html").read_text(encoding="utf-8") == html
    for file in (tmp_path / "a").rglob("*.*"):
        assert file.read_bytes() == (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes()
    names = {file.name for file in (files_folder(tmp_path / "a" / "page.html") / "figures").iterdir()}
    assert {"seats-2p.svg", "seats-2p.png", "tiers-2p.png", "score-results-3p.svg", "strategies-2p.png"} <= names


def test_topics_are_called_as_their_modules_and_measures_begin_with_their_name(report: Report) -> None:
    assert [topic.name for topic in find_topics()] == list(TOPICS)
    assert {name.partition(".")[0] for name in report.frames} <= set(TOPICS)
    for name, frame in report.frames.items():
        assert "q" in frame.columns or "p" not in frame.columns, name


def test_an_unfinished_run_says_so(tiny_run: Path, page: Page, tmp_path: Path) -> None:
    assert not page.warnings
    cut = shutil.copytree(tiny_run, tmp_path / "cut")
    for number, shard in open_run(cut).shards.items():
        if shard["players"] == 3:
            (cut / "shards" / f"shard-{number:05d}.json").unlink()
    unfinished = page_of(open_run(cut))
    assert unfinished.warnings[0].startswith("This run is not finished: 3 of 5 shards are there, 36 of 45 games.")
    assert unfinished.warnings[1] == "No game with 3 players is finished yet."
    assert 'class="warning"' in render(unfinished)
    assert ["3 players", "0", "9", "0", "3", "0", "0", "0"] in unfinished.sections[-1].tables[0].rows


def test_a_run_without_games_is_refused(tiny_run: Path, tmp_path: Path) -> None:
    empty = shutil.copytree(tiny_run, tmp_path / "empty")
    shutil.rmtree(empty / "shards")
    with pytest.raises(RunError, match="has no finished games yet; run the experiment"):
        source_of(open_run(empty))


def test_variants_are_shown_one_at_a_time(tmp_path: Path) -> None:
    run = open_run(
        play(
            tmp_path / "two",
            variants=[{"name": "early stop", "set": ["end.max_rounds=4"]}],
            players=[2],
            deals=2,
            line_ups=[{"mirror": ["random"]}],
        )
    )
    base, other = (page_of(run, variant) for variant in (0, 1))
    assert (
        'Every section shows "base" alone; early stop is on the page only where rulesets stand'
        in base.sections[-1].notes[0]
    )
    assert base.sections[-1].tables[0].rows[0][1:3] == ["4", "4"]
    with pytest.raises(UserError, match="no variant 2; it has 0 to 1: base, early stop"):
        source_of(run, 2)
    # All games of the other stall: everything but their number is missing, and the page still stands.
    stalled = [line for line in other.headlines if line.topic == "Stalled games"]
    assert stalled[0].sentence.startswith("4 of 4 games on 2 deals stalled: 100.00")
    assert [line.sentence for line in other.headlines if line.topic == "Seats"] == ["No game was decided."]
    text = render(other)
    read(text)
    assert "nan" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)


def test_one_deal_gives_numbers_without_intervals(tmp_path: Path) -> None:
    run = open_run(play(tmp_path / "one", players=[2], deals=1, line_ups=[{"mirror": ["random"]}]))
    text = render(page_of(run))
    read(text)
    assert "one deal gives no interval" in text and ">nan" not in text and "nan " not in text


def seats(value: float, half: float, games: int = 1000) -> pl.DataFrame:
    return pl.DataFrame(
        {"value": [value, 1 - value], "low": [value - half, 1 - value - half], "high": [value + half, 1 - value + half],
         "fair": [0.5, 0.5], "n_games": [games] * 2, "n_blocks": [100] * 2}
    )  # fmt: skip


def test_how_many_games_would_tell() -> None:
    """Half-width 6 points at 1,000 games and a value in the middle: 3 points need four times as many."""
    assert seats_topic.games_needed(seats(0.5, 0.06)) == " If it stays there, about 4,000 games would tell."
    assert seats_topic.games_needed(seats(0.515, 0.06)) == " If it stays there, about 16,000 games would tell."
    assert seats_topic.games_needed(seats(0.53, 0.06)) == ""

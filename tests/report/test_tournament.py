"""The page of a tournament: its sections, what it says of doubtful ratings, the ladder, and that it is one file."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from blinksim.report import tournament_figures as drawn
from blinksim.report.figures import svg_text
from blinksim.report.tournament import make_tournament_page, write_tournament_page
from blinksim.report.tournament_results import Results, find_results, summary
from blinksim.simulate.tournament import Ladder
from blinksim.store.reading import open_run
from tests.report.tiny import play

LADDER = Ladder("thinker", (("chance", 4.0), ("random", 16.0)), "playouts")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of one player under two names: as even as can be."""
    line_ups = {"2": [["random", "chance"]], "3": [["random", "random", "chance"], ["random", "chance", "chance"]]}
    return play(tmp_path_factory.mktemp("runs") / "even", deals={"2": 20, "3": 10}, line_ups=line_ups, shifts="both")


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return find_results(open_run(folder), [LADDER], ["2 players: the only line-up"])


def test_sections_and_headlines(results: Results) -> None:
    page = make_tournament_page(results)
    assert [section.anchor for section in page.sections] == [
        "matrix", "shares", "ratings", "ladder-thinker", "doings", "tiers", "method"
    ]  # fmt: skip
    assert [line.topic for line in page.headlines] == ["Wins", "Wins", "Ratings", "Ratings", "Ratings", "Stalled games"]
    assert "2 players: the only line-up." in page.summary
    for section in page.sections:
        for group in section.figures:
            assert group.pictures, f"{section.anchor}: {group.title}"
            # every caption says how its interval was made; every panel how many games and deals it rests on
            assert re.search("interval|band|Wilson", group.caption), group.title
            for picture in group.pictures:
                assert re.search(r"\d+ deals?", picture.ax.get_xlabel()), picture.name


def test_one_file_always_the_same(results: Results, folder: Path, tmp_path: Path) -> None:
    write_tournament_page(results, tmp_path / "new" / "a.html")
    write_tournament_page(find_results(open_run(folder), [LADDER], results.notes), tmp_path / "b.html")
    text = (tmp_path / "new" / "a.html").read_text(encoding="utf-8")
    assert text == (tmp_path / "b.html").read_text(encoding="utf-8")
    assert text.count("<svg") == text.count("</svg>") > 10
    assert not re.findall(r'(?:href|src)="(?!#)[^"]*"', text)

    class Ids(HTMLParser):
        found: list[str] = []  # noqa: RUF012

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.found += [value for name, value in attrs if name == "id" and value]

    parser = Ids()
    parser.feed(text)
    assert len(parser.found) == len(set(parser.found))


def test_even_players_are_found_even(results: Results) -> None:
    """Random under two names: about half of 80 games, and ratings that say the same."""
    assert results.matrix["value"].sum() == pytest.approx(1)
    assert results.matrix["value"].is_between(0.3, 0.7).all()
    assert results.ratings is not None
    rated = results.ratings.filter(pl.col("players") == 2).sort("strategy")
    shares = results.matrix.sort("strategy")["value"].to_numpy()
    assert rated["value"].to_numpy() == pytest.approx(200 * np.log10(shares / (1 - shares)), abs=12)  # ties apart


def test_the_ladder_compares_each_budget_with_the_one_below(results: Results) -> None:
    section = next(s for s in make_tournament_page(results).sections if s.anchor == "ladder-thinker")
    (row,) = section.tables[0].rows
    (found,) = results.matrix.filter(pl.col("strategy") == "random").iter_rows(named=True)
    told_apart = found["low"] > 0.5 or found["high"] < 0.5
    assert row[:2] == ["16", "4"] and (row[4] != "not told apart") == told_apart
    without = make_tournament_page(replace(results, ladders=()))
    assert not any(section.anchor.startswith("ladder") for section in without.sections)


def test_doubtful_ratings_are_said_to_be(tmp_path: Path) -> None:
    few = play(tmp_path / "few", players=[2], deals=3, line_ups=[["random", "chance"]])
    results = find_results(open_run(few))
    page = make_tournament_page(results)
    section = next(section for section in page.sections if section.anchor == "ratings")
    assert any("not enough games to rate it (3 deals, fewer than 10)" in note for note in section.notes)
    headline = next(line for line in page.headlines if line.topic == "Ratings")
    assert headline.sentence == "Not enough games for 2 strategies."
    data = summary(results)
    assert {row["verdict"] for row in data["ratings"]} == {"not enough games"}


def test_an_unfinished_tournament_says_so(folder: Path, tmp_path: Path) -> None:
    cut = play(tmp_path / "cut", players=[2], deals=4, line_ups=[["random", "chance"]])
    next(iter((cut / "shards").iterdir())).unlink()
    page = make_tournament_page(find_results(open_run(cut)))
    assert page.warnings[0].startswith("This tournament is not finished: 1 of 2 shards are there.")


def test_without_choix_the_page_says_how_to_get_ratings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    results = find_results(open_run(folder))
    section = next(s for s in make_tournament_page(results).sections if s.anchor == "ratings")
    assert "pip install 'blinksim[ratings]'" in section.lead[0]
    assert summary(results)["ratings"] is None


def matrix() -> pl.DataFrame:
    rows = [("ada", "bex", 0.7, 0.6, 0.8, 40, 10), ("bex", "ada", 0.3, 0.2, 0.4, 40, 10)]
    rows += [("ada", "cy", 0.55, 0.4, 0.7, 40, 10), ("cy", "ada", 0.45, 0.3, 0.6, 40, 10)]
    names = ["strategy", "rival", "value", "low", "high", "n_games", "n_blocks"]
    return pl.DataFrame(rows, names, orient="row")


def test_matrix_has_every_share_and_interval_and_is_bold_where_sure() -> None:
    ax = drawn.win_matrix(matrix(), title="2 players")
    texts = {text.get_text(): text for text in ax.texts}
    assert {"70", "60 to 80", "30", "20 to 40", "55", "40 to 70", "45", "30 to 60"} <= set(texts)
    assert texts["70"].get_fontweight() == texts["30"].get_fontweight() == "bold"
    assert texts["55"].get_fontweight() == texts["45"].get_fontweight() == "normal"
    assert "40 games, 10 deals" in ax.get_xlabel()
    assert svg_text(ax, "m", "x").startswith("<svg")


def test_ratings_without_enough_games_are_hollow() -> None:
    rows = [("ada", 50.0, 20.0, 80.0, "rated", 90, 30), ("bex", -50.0, -300.0, 200.0, "not enough games", 90, 30)]
    names = ["strategy", "value", "low", "high", "verdict", "n_games", "n_blocks"]
    ax = drawn.rating_dots(pl.DataFrame(rows, names, orient="row"))
    faces = [line.get_markerfacecolor() for line in ax.lines if line.get_marker() == "o"]
    assert faces[0] != "none" and faces[1] == "none"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["ada", "bex"]

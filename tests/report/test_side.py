"""Variants and runs side by side."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from blinksim.errors import UserError
from blinksim.report.figures_side import side_dots
from blinksim.report.gather import gather
from blinksim.report.page import make_report, render
from tests.report.tiny import CORE, play


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    variants = [
        {"name": "richer", "set": ["trick.last_place_gold=3"]},
        {"name": "early stop", "set": ["end.max_rounds=4"]},
    ]
    plan = {"variants": variants, "players": [2], "deals": 3, "line_ups": [{"mirror": ["random"]}]}
    return play(tmp_path_factory.mktemp("runs") / "three", **plan)


def test_variants_stand_beside_the_one_that_the_sections_are_about(folder: Path) -> None:
    (label, source), *others = gather([str(folder)], "richer")
    assert [label, *(name for name, _ in others)] == ["richer", "base", "early stop"]
    assert source.facts.variant == 1
    report = make_report(source, (), others, label, CORE)
    assert 'under the ruleset standard in variant "richer", with 1 parameter not as in standard' in report.page.summary
    section = report.page.sections[0]
    assert section.title == "Side by side"
    assert "All sections below this one are about richer alone." in section.lead[0]
    assert "blinksim compare" in section.lead[1]
    frame = report.frames["side.headlines"]
    seats = frame.filter((pl.col("measure") == "win share of a seat") & (pl.col("which") == "seat 0"))
    assert seats["games"].to_list() == ["richer", "base"]  # all games of the other stalled
    own = report.frames["seats.win_share"].row(0, named=True)
    assert seats.row(0, named=True)["value"] == own["value"] and seats["low"][0] == own["low"]
    stalls = frame.filter(pl.col("measure") == "stalled games")
    assert stalls["value"][2] == 1 and stalls["n_games"].to_list() == [6, 6, 6]
    text = render(report.page)
    assert 'id="side-by-side"' in text and "trick.last_place_gold 3 (standard 1)" in text
    assert len({picture.name for group in section.figures for picture in group.pictures}) == 3


def test_runs_stand_beside_each_other(folder: Path, tiny_run: Path) -> None:
    found = gather([str(tiny_run), str(folder)])
    assert [name for name, _ in found] == ["tiny", "three"]
    assert [name for name, _ in gather([str(folder), str(tiny_run)])][:2] == ["three: base", "three: richer"]
    same = gather([str(tiny_run), str(tiny_run)])
    assert len({name for name, _ in same}) == 2
    label, source = found[0]
    report = make_report(source, (), found[1:], label, CORE)
    assert report.page.sections[0].title == "Side by side"
    assert set(report.frames["side.headlines"].filter(pl.col("players") == 3)["games"]) == {"tiny"}


def test_an_unknown_variant_is_named(folder: Path) -> None:
    assert gather([str(folder)], "2")[0][0] == "early stop"
    with pytest.raises(
        UserError, match=r'has no variant "richr"; did you mean richer\?; it has 0 base, 1 richer, 2 early'
    ):
        gather([str(folder)], "richr")


def test_dots_draw_values_and_intervals() -> None:
    frame = pl.DataFrame(
        {"games": ["a", "a", "b"], "which": ["seat 0", "seat 1", "seat 0"], "value": [0.4, 0.6, 0.5],
         "low": [0.3, 0.5, None], "high": [0.5, 0.7, None], "n_games": [10, 10, 20], "n_blocks": [5, 5, 6]}
    )  # fmt: skip
    ax = side_dots(frame, title="2 players", xlabel="win share", fair=0.5)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    points = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_marker() in "os"]
    assert np.array(points)[:, 0] == pytest.approx([40, 60, 50]) and points[0][1] > points[1][1] > points[2][1]
    drawn = [tuple(segment[:, 0]) for c in ax.collections for segment in c.get_segments()]
    assert drawn == [pytest.approx((30, 50)), pytest.approx((50, 70)), pytest.approx((50, 50))]
    assert "10 to 20 games, 5 to 6 deals" in ax.get_xlabel() and "(%)" in ax.get_xlabel()
    assert {text.get_text() for text in ax.texts} == {"40.0 seat 0", "60.0 seat 1", "50.0 seat 0"}


def test_the_figure_says_how_unequal_the_numbers_of_games_are() -> None:
    frame = pl.DataFrame(
        {"games": ["people", "simulated"], "which": ["mean"] * 2, "value": [20.0, 9.0], "low": [15.0, 8.9],
         "high": [25.0, 9.1], "n_games": [4, 9600], "n_blocks": [4, 400]}
    )  # fmt: skip
    ax = side_dots(frame, xlabel="rounds", share=False)
    assert "4 to 9,600 games, 4 to 400 deals" in ax.get_xlabel()

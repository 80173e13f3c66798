"""Figures draw what their frames say."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blinksim.report import figures

SHARES = pl.DataFrame(
    {
        "label": ["seat 0", "seat 1"],
        "value": [0.48, 0.52],
        "low": [0.45, 0.49],
        "high": [0.51, 0.55],
        "fair": [0.5, 0.5],
        "n_games": [2000, 2000],
        "n_blocks": [250, 250],
    }
)
CURVES = pl.DataFrame(
    {
        "tier": [1, 1, 2, 2],
        "round": [1, 2, 1, 2],
        "share": [0.5, 1.0, 0.0, 0.25],
        "low": [0.4, 0.9, 0.0, 0.2],
        "high": [0.6, 1.0, 0.1, 0.3],
        "at_risk": [100, 50, 100, 100],
        "n_seats": [100] * 4,
        "n_blocks": [10] * 4,
    }
)
MEDIANS = pl.DataFrame(
    {
        "strategy": ["builder", "builder", "raider", "raider"],
        "tier": [1, 2, 1, 2],
        "median": [2.0, 7.0, 3.0, None],
        "median_low": [2.0, 6.0, 3.0, None],
        "median_high": [2.0, None, 4.0, None],
        "n_games": [40] * 4,
        "n_blocks": [10] * 4,
    }
)
SCORES = pl.DataFrame(
    {
        "label": ["winners"] * 4 + ["others"] * 4,
        "part": ["units", "row", "objectives", "total"] * 2,
        "value": [20.0, 10.0, 5.0, 35.0, 15.0, 4.0, 3.0, 22.0],
        "low": [0.0, 0.0, 0.0, 34.0, 0.0, 0.0, 0.0, 21.0],
        "high": [0.0, 0.0, 0.0, 36.0, 0.0, 0.0, 0.0, 23.0],
        "n_games": [100] * 8,
        "n_blocks": [10] * 8,
    }
)
NAMES = ("Tribe", "Settlement", "Kingdom")


def texts(ax: Axes) -> list[str]:
    labels = [*ax.texts, *ax.get_yticklabels(), ax._left_title, ax.xaxis.label]
    legend = ax.get_legend()
    labels += legend.get_texts() if legend is not None else []
    return [line for label in labels for line in label.get_text().replace("\u00a0", " ").split("\n")]


def test_share_dots_draw_values_intervals_fair_line_and_band() -> None:
    ax = figures.share_dots(SHARES, title="2 players")
    points = next(line for line in ax.lines if line.get_marker() == "o")
    assert np.array(points.get_xdata()) == pytest.approx([48, 52])
    assert list(points.get_ydata()) == [1, 0]  # the first row on top
    drawn = [tuple(segment[:, 0]) for c in ax.collections if hasattr(c, "get_segments") for segment in c.get_segments()]
    assert drawn == [pytest.approx((45, 51)), pytest.approx((49, 55))]
    assert [line.get_xdata()[0] for line in ax.lines if line.get_marker() != "o"] == [50, 50]
    bands = [c.get_paths()[0].get_extents() for c in ax.collections if not hasattr(c, "get_segments")]
    assert [(band.x0, band.x1) for band in bands] == [pytest.approx((47, 53))] * 2
    for text in ("48.0 %", "52.0 %", "seat 0", "2 players", "2,000 games, 250 deals"):
        assert text in texts(ax)
    assert ax.get_xlim()[0] < 45 and ax.get_xlim()[1] > 55


def test_length_histogram_marks_median_and_nine_in_ten() -> None:
    frame = pl.DataFrame({"rounds": [7, 9, 10, 14], "share": [0.04, 0.36, 0.58, 0.02]})
    ax = figures.length_histogram(frame, title="3 players", rests_on="100 games, 9 deals")
    bars = {round(bar.get_x() + bar.get_width() / 2): bar for bar in ax.patches}
    assert {x: bar.get_height() for x, bar in bars.items()} == pytest.approx({7: 4, 9: 36, 10: 58, 14: 2})
    assert {x for x, bar in bars.items() if bar.get_alpha() is None} == {9, 10}
    assert ax.lines[0].get_xdata()[0] == 10
    assert "median 10" in texts(ax) and "100 games, 9 deals" in texts(ax)


def test_tier_curves_step_through_the_shares_and_go_on_once_all_are_there() -> None:
    ax = figures.tier_curves(CURVES, names=NAMES)
    first, second = ax.lines
    assert list(first.get_xdata()) == [0, 1, 2, 2] and list(first.get_ydata()) == [0, 50, 100, 100]
    assert list(second.get_xdata()) == [0, 1, 2] and list(second.get_ydata()) == [0, 0, 25]
    assert first.get_linestyle() != second.get_linestyle() and first.get_color() != second.get_color()
    band = ax.collections[1].get_paths()[0].vertices[:, 1]
    assert band.max() == pytest.approx(30)
    assert {"Settlement", "Kingdom", "100 seats, 10 deals"} <= set(texts(ax))


def test_tier_curves_stop_where_too_few_are_on_their_way() -> None:
    thin = CURVES.with_columns(at_risk=pl.when(pl.col("round") == 2).then(figures.MIN_AT_RISK - 1).otherwise(100))
    ax = figures.tier_curves(thin.filter(pl.col("tier") == 2), names=NAMES)
    assert list(ax.lines[0].get_xdata()) == [0, 1]


def test_tier_medians_leave_out_what_is_not_reached_and_open_intervals_run_on() -> None:
    ax = figures.tier_medians(MEDIANS, names=NAMES)
    assert [line.get_xdata()[0] for line in ax.lines] == [2, 7, 3]
    ends = [segment[:, 0].tolist() for c in ax.collections for segment in c.get_segments()]
    assert ends == [[2, 2], [6, ax.get_xlim()[1]], [3, 4]]
    assert [text for text in texts(ax) if text in ("builder", "raider")] == ["builder", "raider"]


def test_score_bars_stack_the_parts_and_show_the_interval_of_the_total() -> None:
    ax = figures.score_bars(SCORES, title="2 players")
    bars = [(bar.get_x(), bar.get_width()) for bar in ax.patches]
    assert bars == [(0, 20), (0, 15), (20, 10), (15, 4), (30, 5), (19, 3)]
    assert [list(line.get_xdata()) for line in ax.lines] == [[34, 36], [21, 23]]
    for text in ("35.0", "22.0", "20.0", "units", "row", "objectives", "winners", "100 games, 10 deals"):
        assert text in texts(ax)


def test_figures_draw_on_an_axis_that_is_given() -> None:
    ax = Figure().add_subplot()
    assert figures.share_dots(SHARES, ax) is ax
    assert figures.score_bars(SCORES, Figure().add_subplot()).patches


def test_colours_and_marks_differ() -> None:
    assert len(set(figures.COLOURS)) == len(figures.COLOURS) == len(figures.MARKERS) == len(set(figures.MARKERS))


def test_svg_stands_alone_says_what_it_shows_and_follows_the_page() -> None:
    text = figures.svg_text(figures.share_dots(SHARES), "seats-2p", 'seat 0 "48 %" & <seat 1>')
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img" and root.attrib["aria-label"] == 'seat 0 "48 %" & <seat 1>'
    assert "http" not in text and "<image" not in text
    assert "currentColor" in text and figures.INK not in text
    ids = re.findall(r'\sid="([^"]+)"', text)
    used = re.findall(r'(?:href="#|url\(#)([^")]+)', text)
    assert set(ids) == set(used) and all(name.startswith("seats-2p-") for name in ids)
    assert "48.0" in "".join(root.itertext())


def test_the_same_frame_gives_the_same_svg() -> None:
    first = figures.svg_text(figures.tier_curves(CURVES), "a", "")
    figures.svg_text(figures.score_bars(SCORES), "b", "")
    assert figures.svg_text(figures.tier_curves(CURVES), "a", "") == first


def test_files_are_whole_pictures_and_always_the_same(tmp_path: Path) -> None:
    files = figures.save(figures.share_dots(SHARES), tmp_path / "new", "seats")
    assert [file.name for file in files] == ["seats.svg", "seats.png"]
    assert ElementTree.parse(files[0]).getroot().tag.endswith("svg")
    assert files[1].read_bytes().startswith(b"\x89PNG")
    again = figures.save(figures.share_dots(SHARES), tmp_path / "again", "seats")
    assert [file.read_bytes() for file in again] == [file.read_bytes() for file in files]

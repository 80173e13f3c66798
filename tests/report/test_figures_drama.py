"""Figures of drama and of the climb draw what their frames say."""

import numpy as np
import polars as pl
import pytest

from blinksim.report import figures, figures_drama, figures_tiers
from tests.report.test_figures import texts

NAMES = ("Tribe", "Settlement", "Kingdom")
CHANCES = pl.DataFrame(
    {
        "round": [1, 2, 3],
        "tier": [1, 2, 3],
        "value": [0.4, 0.6, 0.9],
        "low": [0.3, 0.55, 0.2],
        "high": [0.5, 0.65, 1.0],
        "fair": [0.5] * 3,
        "n_games": [900, 1000, 12],
        "n_blocks": [90, 100, 4],
    }
)


def test_chances_are_drawn_where_enough_deals_got_so_far() -> None:
    ax = figures_drama.chance_curve(CHANCES, title="2 players")
    curve = next(line for line in ax.lines if line.get_marker() == "o")
    assert list(curve.get_xdata()) == [1, 2] and np.array(curve.get_ydata()) == pytest.approx([40, 60])
    fair = next(line for line in ax.lines if line.get_marker() != "o")
    assert set(fair.get_ydata()) == {50}
    band = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == (pytest.approx(30), pytest.approx(65))
    assert {"by chance", "40 %", "60 %", "2 players", "1,000 games, 100 deals"} <= set(texts(ax))


def test_chances_without_enough_deals_leave_the_panel_empty() -> None:
    ax = figures_drama.chance_curve(CHANCES.tail(1))
    assert len(next(line for line in ax.lines if line.get_marker() == "o").get_xdata()) == 0


def test_bars_above_a_limit_have_another_colour_and_their_share_is_said() -> None:
    frame = pl.DataFrame({"margin": [0, 10, 11, 30], "share": [0.2, 0.5, 0.2, 0.1]})
    ax = figures_drama.number_bars(frame, column="margin", xlabel="points", rests_on="10 games", above=10)
    colours = {round(bar.get_x() + bar.get_width() / 2): bar.get_facecolor() for bar in ax.patches}
    assert colours[0] == colours[10] != colours[11] == colours[30]
    assert {"more than 10: 30 %", "points", "10 games"} <= set(texts(ax))


def test_bars_without_a_limit_say_their_shares() -> None:
    frame = pl.DataFrame({"changes": [0, 1, 7], "share": [0.25, 0.749, 0.001]})
    ax = figures_drama.number_bars(frame, column="changes")
    assert [bar.get_height() for bar in ax.patches] == pytest.approx([25, 74.9, 0.1])
    assert {"25 %", "75 %"} <= set(texts(ax)) and "0 %" not in texts(ax)


def test_parts_run_from_nothing_to_the_whole() -> None:
    frame = CHANCES.with_columns(label=pl.Series(["points", "victory", "length"]))
    ax = figures_drama.part_dots(frame)
    points = next(line for line in ax.lines if line.get_marker() == "o")
    assert np.array(points.get_xdata()) == pytest.approx([40, 60, 90]) and list(points.get_ydata()) == [2, 1, 0]
    assert ax.get_xlim() == (0, 100)
    assert {"points", "victory", "length", "40 %"} <= set(texts(ax))


def test_the_snowball_draws_few_deals_hollow_and_leaves_them_out_of_the_curve() -> None:
    ax = figures_tiers.snowball_curve(CHANCES, names=NAMES)
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [dot.get_ydata()[0] for dot in dots] == pytest.approx([40, 60, 90])
    assert [dot.get_markerfacecolor() for dot in dots] == [figures.BLUE, figures.BLUE, "none"]
    curve = next(line for line in ax.lines if line.get_linestyle() == "-" and line.get_marker() == "None")
    assert list(curve.get_xdata()) == [1, 2]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["Settlement", "Kingdom", "tier 3"]


def test_arrivals_have_a_curve_for_each_place() -> None:
    frame = pl.DataFrame(
        {
            "tier": [4] * 4, "order": [1, 1, 2, 2], "round": [1, 2, 1, 2], "share": [0.5, 1.0, 0.0, 0.25],
            "low": [0.4, 0.9, 0.0, 0.2], "high": [0.6, 1.0, 0.1, 0.3], "at_risk": [100, 50, 100, 100],
            "n_games": [100] * 4, "n_blocks": [10] * 4,
        }
    )  # fmt: skip
    ax = figures_tiers.order_curves(frame, title="2 players")
    assert {"first", "second", "100 games, 10 deals", "2 players"} <= set(texts(ax))
    assert list(ax.lines[1].get_ydata()) == [0, 0, 25] and ax.get_ylabel() == "games (%)"


def test_melds_stand_beside_their_limits() -> None:
    frame = CHANCES.with_columns(
        tier=pl.Series([0, 1, 2]), value=pl.Series([2.0, 2.8, 2.3]), limit=pl.Series([2, 3, 4])
    )
    ax = figures_tiers.meld_dots(frame, names=NAMES)
    limits = next(line for line in ax.lines if line.get_marker() == "|")
    assert list(limits.get_xdata()) == [2, 3, 4]
    assert {"2.8 of 3", "Kingdom", "1,000 melds, 100 deals"} <= set(texts(ax))

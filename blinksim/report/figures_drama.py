"""Figures of drama: who leads and wins, how often the lead changes, by how much games are won, and luck of the deal."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from blinksim.report.figures import BLUE, FAINT, INK, MUTED, ORANGE, frame_panel, most, show_grid, styled
from blinksim.report.words import percent

ENOUGH = 20
"""A point of a curve, or a cell, that rests on fewer deals says little and is not drawn, or not told."""


@styled(lambda frame: 2.7)
def chance_curve(frame: pl.DataFrame, ax: Axes, title: str = "", xlabel: str = "after round") -> Axes:
    """A chance by round with its band, beside what chance alone would give; drawn where enough deals got so far.

    Args:
        frame: ``round``, ``value``, ``low``, ``high``, ``fair``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        xlabel: What the rounds are.
    """
    shown = frame.filter(pl.col("n_blocks") >= ENOUGH)
    at = shown["round"].to_numpy()
    value, low, high = (100 * shown[name].to_numpy() for name in ("value", "low", "high"))
    fair = 100 * float(frame["fair"][0])
    ax.axhline(fair, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    ax.annotate("by chance", (1, fair), (0, -3), ("axes fraction", "data"), "offset points", ha="right", va="top",
                fontsize=8, color=MUTED)  # fmt: skip
    ax.fill_between(at, low, high, color=BLUE, alpha=0.22, linewidth=0)
    ax.plot(at, value, "o-", color=BLUE, markersize=3.5, linewidth=1.6)
    for i in {0, len(at) // 2, len(at) - 1} if len(at) else ():
        side = "left" if i == 0 else "center"
        ax.annotate(percent(value[i] / 100, 0), (at[i], value[i]), (0, 7), textcoords="offset points", ha=side,
                    fontsize=8)  # fmt: skip
    ax.set_ylim(0, 112)
    ax.set_yticks(range(0, 101, 20))
    ax.set_xlim(0.5, (at[-1] if len(at) else 1) + 0.6)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.set_ylabel("wins (%)")
    show_grid(ax, "both")
    frame_panel(ax, title, xlabel, most(frame))
    return ax


@styled(lambda frame: 2.4)
def number_bars(
    frame: pl.DataFrame, ax: Axes, column: str, title: str = "", xlabel: str = "", rests_on: str = "",
    above: int | None = None,
) -> Axes:  # fmt: skip
    """How many games have each number of something; what is above a limit in another colour, its share said.

    Args:
        frame: The column named, and ``share``.
        ax: Where to draw.
        column: The number that is counted.
        title: Name of the panel.
        xlabel: What it counts.
        rests_on: Games and deals.
        above: The limit; none where left out, and then each bar says its share.
    """
    numbers, shares = frame[column].to_numpy(), 100 * frame["share"].to_numpy()
    beyond = np.zeros(len(numbers), dtype=bool) if above is None else numbers > above
    ax.bar(numbers[~beyond], shares[~beyond], width=0.85, color=BLUE)
    ax.bar(numbers[beyond], shares[beyond], width=0.85, color=ORANGE)
    if above is None:
        for x, y in zip(numbers[shares >= 0.5], shares[shares >= 0.5], strict=True):
            ax.annotate(percent(y / 100, 0), (x, y), (0, 2), textcoords="offset points", ha="center", fontsize=8)
    else:
        ax.axvline(above + 0.5, color=INK, linewidth=1, linestyle=(0, (3, 2)))
        said = f"more than {above}: {percent(shares[beyond].sum() / 100, 0)}"
        ax.annotate(said, (above + 0.5, 1), (5, -2), ("data", "axes fraction"), "offset points", va="top", fontsize=8)
    ax.set_ylim(0, shares.max(initial=1) * 1.18)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.set_ylabel("games (%)")
    show_grid(ax, "y")
    frame_panel(ax, title, xlabel, rests_on)
    return ax


@styled(lambda frame: 1.05 + 0.36 * max(frame.height, 1))
def part_dots(frame: pl.DataFrame, ax: Axes, title: str = "", xlabel: str = "") -> Axes:
    """Parts of a whole as points with their intervals, one row each, from none to all of it.

    Args:
        frame: ``label``, ``value``, ``low``, ``high``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        xlabel: Parts of what.
    """
    rows = np.arange(frame.height)[::-1]
    value, low, high = (100 * frame[name].to_numpy() for name in ("value", "low", "high"))
    ax.barh(rows, np.full(len(rows), 100.0), height=0.5, color=FAINT, alpha=0.6)
    ax.barh(rows, value, height=0.5, color=BLUE, alpha=0.45)
    ax.hlines(rows, low, high, color=BLUE, linewidth=2.2)
    ax.plot(value, rows, "o", color=BLUE, markersize=5)
    for row, x in zip(rows, value, strict=True):
        ax.annotate(percent(x / 100, 0), (1, row), (5, 0), ("axes fraction", "data"), "offset points", va="center",
                    fontsize=8, annotation_clip=False)  # fmt: skip
    ax.set_yticks(rows, frame["label"].to_list())
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.5, frame.height - 0.5)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0, 100)
    frame_panel(ax, title, xlabel, most(frame))
    return ax

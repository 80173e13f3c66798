"""Figures of a tournament's page: who beats whom, ratings, what each strategy does, the ladder of skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from blinksim.report.figures import BLUE, COLOURS, DASHES, FAINT, INK, MARKERS, MUTED, STYLE, VERMILION, WIDTH, styled
from blinksim.report.words import NOTHING, basis

CELL = 0.62
"""Inches of a cell of the matrix."""
INKS = ("#ffffff", "#ffffff", "#ffffff", "#000000", "#000000", "#000000")
"""Colours of numbers on ``COLOURS``."""


def matrix_width(frame: pl.DataFrame) -> float:
    """Width in inches of the matrix of some strategies, its names beside it."""
    names = frame["strategy"].unique().to_list()
    return max(WIDTH, 0.4 + 0.075 * max(map(len, names), default=0) + CELL * len(names))


def win_matrix(frame: pl.DataFrame, ax: Axes | None = None, title: str = "") -> Axes:
    """Who beats whom: the share that the strategy of a row wins against that of a column, and its interval.

    Bold where the interval leaves out one half; blue above it, red below, paler the nearer.

    Args:
        frame: ``strategy``, ``rival``, ``value``, ``low``, ``high``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    with matplotlib.rc_context(STYLE):
        means = frame.group_by("strategy").agg(pl.col("value").mean()).sort(-pl.col("value"), "strategy")
        names = means["strategy"].to_list()
        if ax is None:
            width = matrix_width(frame)
            figure = Figure(figsize=(width, 1.15 + CELL * len(names)), layout="constrained")
            FigureCanvasAgg(figure)
            ax = figure.add_subplot()
        for row in frame.iter_rows(named=True):
            y, x = len(names) - 1 - names.index(row["strategy"]), names.index(row["rival"])
            apart = row["low"] > 0.5 or row["high"] < 0.5
            colour = BLUE if row["value"] > 0.5 else VERMILION
            strength = min(0.55, 1.2 * abs(row["value"] - 0.5))
            ax.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=colour, alpha=strength, linewidth=0))
            weight = "bold" if apart else "normal"
            ax.text(x, y + 0.06, f"{100 * row['value']:.0f}", ha="center", va="bottom", fontsize=10, fontweight=weight)
            ax.text(
                x, y - 0.08, f"{100 * row['low']:.0f} to {100 * row['high']:.0f}", ha="center", va="top", fontsize=6.5
            )
        for i in range(len(names)):
            ax.text(i, len(names) - 1 - i, NOTHING, ha="center", va="center", color=MUTED)
        ax.set_xlim(-0.5, len(names) - 0.5)
        ax.set_ylim(-0.5, len(names) - 0.5)
        slant: dict[str, Any] = (
            {"rotation": 30, "ha": "left", "rotation_mode": "anchor"} if max(map(len, names)) > 7 else {}
        )
        ax.set_xticks(range(len(names)), names, **slant)
        ax.set_yticks(range(len(names)), reversed(names))
        ax.xaxis.tick_top()
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_title(title, loc="left", pad=8)
        ax.set_xlabel(f"row against column: share of wins (%)\nper pair {_rests_on(frame)}")
        return ax


@styled(lambda frame: 1.05 + 0.33 * max(frame.height, 1))
def rating_dots(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """Ratings as points with their intervals, the strongest on top; hollow where there are not enough games.

    Args:
        frame: ``strategy``, ``value``, ``low``, ``high``, ``verdict``, ``n_games``, ``n_blocks``; each row has a
            value.
        ax: Where to draw.
        title: Name of the panel.
    """
    ordered = frame.sort(-pl.col("value"), "strategy")
    for y, row in zip(range(frame.height)[::-1], ordered.iter_rows(named=True), strict=True):
        sure = row["verdict"] == "rated"
        ax.hlines([y], row["low"], row["high"], color=BLUE, linewidth=2.2, alpha=1 if sure else 0.45)
        ax.plot([row["value"]], [y], "o", color=BLUE, markersize=5.5, markerfacecolor=BLUE if sure else "none")
        ax.annotate(
            f"{row['value']:+.0f}", (1, y), (5, 0), ("axes fraction", "data"), "offset points", va="center", fontsize=8,
            annotation_clip=False,
        )  # fmt: skip
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    ax.set_yticks(range(frame.height)[::-1], ordered["strategy"].to_list())
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.5, frame.height - 0.5)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=FAINT, linewidth=0.6)
    ax.set_axisbelow(True)
    _below(ax, title, "rating (points)", frame)
    return ax


@styled(lambda frame: 1.5 + 0.42 * max(frame["strategy"].n_unique(), 1))
def stacked_bars(
    frame: pl.DataFrame, ax: Axes, title: str = "", parts: Sequence[str] = (), xlabel: str = "", total: str = "total"
) -> Axes:
    """Amounts by part, one bar a strategy, with the interval of the total at its end.

    Args:
        frame: ``strategy``, ``part``, ``value``, ``low``, ``high``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        parts: The parts in order; at most as many as there are colours.
        xlabel: What is counted.
        total: The part that has the total.
    """
    names = frame["strategy"].unique(maintain_order=True).to_list()
    rows = np.arange(len(names))[::-1]
    totals = frame.filter(pl.col("part") == total)
    widest = max(float(totals["value"].max() or 0), 1e-9)  # type: ignore[arg-type]
    left = np.zeros(len(names))
    handles: list[Any] = []
    for part, colour, ink in zip(parts, COLOURS, INKS, strict=False):
        values = frame.filter(pl.col("part") == part)["value"].to_numpy()
        handles.append(ax.barh(rows, values, left=left, height=0.62, color=colour, label=part))
        for row, x, value in zip(rows, left, values, strict=True):
            if value > 0.12 * widest:
                ax.text(x + value / 2, row, f"{value:.1f}", color=ink, ha="center", va="center", fontsize=8)
        left = left + values
    for row, each in zip(rows, totals.iter_rows(named=True), strict=True):
        ax.plot([each["low"], each["high"]], [row, row], color=INK, linewidth=1.6, marker="|", markersize=7)
        edge = max(x for x in (each["value"], each["high"]) if x == x)
        ax.annotate(f"{each['value']:.1f}", (edge, row), (5, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set_yticks(rows, names)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, widest * 1.2)
    ax.legend(
        handles=[handle for column in range(2) for handle in handles[column::2]], loc="lower left",
        bbox_to_anchor=(0, 0.99), ncols=2, frameon=False, fontsize=8, handlelength=1.0, handleheight=0.9,
        columnspacing=1.2, labelspacing=0.25, borderpad=0, borderaxespad=0.2,
    )  # fmt: skip
    _below(ax, title, xlabel, totals, pad=8 + 12 * ((len(parts) + 1) // 2))
    return ax


@styled(lambda frame: 2.6)
def ladder_lines(frame: pl.DataFrame, ax: Axes, title: str = "", unit: str = "") -> Axes:
    """How much skill pays: the share of wins of a seat by budget, with intervals, a line per player count.

    Args:
        frame: ``players``, ``budget``, ``value``, ``low``, ``high``, ``fair``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        unit: Unit of the budget.
    """
    for i, ((players,), part) in enumerate(frame.sort("players", "budget").group_by(["players"], maintain_order=True)):
        at, value, low, high = (part[name].to_numpy().astype(float) for name in ("budget", "value", "low", "high"))
        colour = COLOURS[i % len(COLOURS)]
        ax.fill_between(at, 100 * low, 100 * high, color=colour, alpha=0.22, linewidth=0)
        ax.plot(
            at, 100 * value, color=colour, linestyle=DASHES[i % len(DASHES)], marker=MARKERS[i % len(MARKERS)],
            markersize=5, linewidth=1.7,
        )  # fmt: skip
        ax.annotate(
            f"{players} players", (at[-1], 100 * value[-1]), (6, 0), textcoords="offset points", va="center",
            fontsize=8, annotation_clip=False,
        )  # fmt: skip
    budgets = sorted(frame["budget"].unique().to_list())
    if budgets[0] > 0:
        ax.set_xscale("log")
    ax.set_xticks(budgets, [f"{budget:g}" for budget in budgets])
    ax.minorticks_off()
    ax.set_ylabel("share of wins (%)")
    ax.grid(axis="y", color=FAINT, linewidth=0.6)
    ax.set_axisbelow(True)
    _below(ax, title, f"budget ({unit})" if unit else "budget", frame)
    return ax


def say_parts(row: Mapping[str, Any]) -> str:
    """A bar's part in words, for the text alternative."""
    return f"{row['strategy']} {row['part']} {row['value']:.2f}"


def _rests_on(frame: pl.DataFrame) -> str:
    """Games and deals: the most of any row."""
    if frame.is_empty():
        return "no games"
    games, blocks = (int(frame[name].max()) for name in ("n_games", "n_blocks"))  # type: ignore[arg-type]
    return basis(games, blocks)


def _below(ax: Axes, title: str, xlabel: str, frame: pl.DataFrame, pad: float = 6) -> None:
    """Title above; below what the axis shows and what the panel rests on."""
    ax.set_title(title, loc="left", pad=pad)
    ax.set_xlabel(f"{xlabel}\n{_rests_on(frame)}")

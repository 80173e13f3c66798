"""Figures of the victory row: what becomes of its cards, what spending costs, what a row of each size scores."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from blinksim.report.figures import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PINK,
    SKY,
    frame_panel,
    most,
    name_above,
    show_grid,
    styled,
)

FATES = {
    "kept": ("kept", BLUE, "#ffffff"),
    "A": ("A", PINK, "#000000"),
    "B": ("B", ORANGE, "#000000"),
    "C": ("C", GREEN, "#000000"),
    "overflow": ("overflow", FAINT, "#000000"),
}
"""Names, colours and the colours of the numbers on them."""


@styled(lambda frame: 1.35 + 0.42 * max(frame["label"].n_unique(), 1))
def fate_bars(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """What becomes of the cards that enter the row: stacked shares, one bar a band.

    Args:
        frame: ``label``, ``fate``, ``value``, ``n_games`` (cards), ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    labels = frame["label"].unique(maintain_order=True).to_list()
    rows = np.arange(len(labels))[::-1]
    left = np.zeros(len(labels))
    handles = []
    for fate, (name, colour, ink) in FATES.items():
        values = 100 * frame.filter(pl.col("fate") == fate)["value"].to_numpy()
        if not values.any():
            continue
        handles.append(ax.barh(rows, values, left=left, height=0.62, color=colour, label=name))
        for row, x, value in zip(rows, left, values, strict=True):
            if value >= 8:
                ax.text(x + value / 2, row, f"{value:.0f}", color=ink, ha="center", va="center", fontsize=8)
        left = left + values
    ax.set_yticks(rows, labels)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, 100)
    name_above(ax, handles, len(handles), 1.0)
    frame_panel(ax, title, "cards that entered the row (%)", most(frame, "card"), 18)
    return ax


@styled(lambda frame: 1.05 + 0.36 * max(frame.height, 1))
def cost_dots(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """What a card spent costs in points, with its interval, and beside the plot what it brings.

    Args:
        frame: ``label``, ``value``, ``low``, ``high``, ``brought`` (in words), ``n_games`` (cards), ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    rows = np.arange(frame.height)[::-1]
    value, low, high = (frame[name].to_numpy() for name in ("value", "low", "high"))
    ax.hlines(rows, low, high, color=BLUE, linewidth=2.2)
    ax.plot(value, rows, "o", color=BLUE, markersize=5)
    for row, brought in zip(rows, frame["brought"], strict=True):
        ax.annotate(
            brought, (1, row), (5, 0), ("axes fraction", "data"), "offset points", va="center", fontsize=8,
            annotation_clip=False,
        )  # fmt: skip
    ax.set_yticks(rows, frame["label"].to_list())
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.6, frame.height - 0.4)
    edges = [x for x in (*value, *high) if np.isfinite(x)]
    ax.set_xlim(min(0, *value), max(1, *edges) * 1.1)
    show_grid(ax, "x")
    frame_panel(ax, title, "points of the row that a card costs; what it brings", most(frame, "card"))
    return ax


@styled(lambda frame: 2.6)
def size_bars(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """What rows of each size score, points for cards below and for the centre above, and how often they win.

    Args:
        frame: ``size``, ``cards`` and ``centre`` (mean points), ``low`` and ``high`` (of both together), ``won``
            (share, null where nobody had such a row), ``n_games`` (seats), ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    size, cards, centre = (frame[name].to_numpy() for name in ("size", "cards", "centre"))
    handles = [
        ax.bar(size, cards, width=0.72, color=SKY, label="cards"),
        ax.bar(size, centre, bottom=cards, width=0.72, color=ORANGE, label="centre"),
    ]
    ax.vlines(size, frame["low"].to_numpy(), frame["high"].to_numpy(), color=INK, linewidth=1.6)
    for x, top, won in zip(size, frame["high"].to_numpy(), frame["won"], strict=True):
        text = "" if won is None else f"{100 * won:.0f}\u00a0%"
        ax.annotate(text, (x, top), (0, 3), textcoords="offset points", ha="center", color=INK, fontsize=8)
    ax.set_xticks(size)
    ax.set_ylim(0, max(1.0, float((cards + centre).max()), float(frame["high"].max())) * 1.15)  # type: ignore[arg-type]
    ax.set_ylabel("points")
    ax.tick_params(axis="x", length=0, color=MUTED)
    show_grid(ax, "y")
    name_above(ax, handles, 2, 1.0)
    frame_panel(ax, title, "cards in the row at the end; above: wins", most(frame, "seat"), 18)
    return ax

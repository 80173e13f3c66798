"""A figure of objectives: how many of those who had each ever held it, and how many held it at the end."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from blinksim.report.figures import BLUE, FAINT, ORANGE, frame_panel, most, name_above, show_grid, styled


@styled(lambda frame: 1.3 + 0.27 * max(frame["label"].n_unique(), 1))
def held_dots(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """Shares of seats that ever held an objective and that held it at the end, with their intervals, a row each.

    Args:
        frame: ``label``, ``measure`` (``ever_held``, ``held_at_end``), ``value``, ``low``, ``high``, ``n_games``,
            ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    labels = frame["label"].unique(maintain_order=True).to_list()
    rows = np.arange(len(labels))[::-1]
    handles = []
    ends = []
    for measure, name, colour, marker in (
        ("ever_held", "ever held", ORANGE, "s"),
        ("held_at_end", "held at the end", BLUE, "o"),
    ):
        part = frame.filter(pl.col("measure") == measure)
        value, low, high = (100 * part[column].to_numpy() for column in ("value", "low", "high"))
        ax.hlines(rows, low, high, color=colour, linewidth=2.2)
        handles += ax.plot(value, rows, marker, color=colour, markersize=5, label=name)
        ends.append(value)
    ax.hlines(rows, *ends, color=FAINT, linewidth=1.2, zorder=0)
    for row, value in zip(rows, ends[-1], strict=True):
        ax.annotate(
            f"{value:.0f}\u00a0%", (1, row), (5, 0), ("axes fraction", "data"), "offset points", va="center",
            fontsize=8, annotation_clip=False,
        )  # fmt: skip
    ax.set_yticks(rows, labels)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.6, len(labels) - 0.4)
    ax.spines["left"].set_visible(False)
    show_grid(ax, "x")
    name_above(ax, handles, 2, 1.0)
    frame_panel(ax, title, "seats that had it (%)", most(frame, "seat"), 18)
    return ax

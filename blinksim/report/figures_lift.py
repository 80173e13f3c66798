"""A figure of lifts: differences with their intervals, beside none."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from blinksim.report.figures import BLUE, MUTED, VERMILION, frame_panel, most, show_grid, styled


@styled(lambda frame: 1.05 + 0.27 * max(frame.height, 1))
def lift_dots(
    frame: pl.DataFrame,
    ax: Axes,
    title: str = "",
    xlabel: str = "points of win share",
    scale: float = 100,
    digits: int = 1,
) -> Axes:
    """Differences as points with their intervals, one row each; flagged ones are square and of another colour.

    Args:
        frame: ``label``, ``value``, ``low``, ``high``, ``flagged``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        xlabel: What the differences are in.
        scale: What they are multiplied by.
        digits: Of the numbers beside the plot.
    """
    rows = np.arange(frame.height)[::-1]
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    for y, row in zip(rows, frame.iter_rows(named=True), strict=True):
        colour, marker = (VERMILION, "s") if row["flagged"] else (BLUE, "o")
        ax.hlines([y], scale * row["low"], scale * row["high"], color=colour, linewidth=2)
        ax.plot([scale * row["value"]], [y], marker, color=colour, markersize=5)
        ax.annotate(
            f"{scale * row['value']:+.{digits}f}", (1, y), (5, 0), ("axes fraction", "data"), "offset points",
            va="center", fontsize=8, annotation_clip=False,
        )  # fmt: skip
    ax.set_yticks(rows, frame["label"].to_list())
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.6, frame.height - 0.4)
    ax.spines["left"].set_visible(False)
    show_grid(ax, "x")
    frame_panel(ax, title, xlabel, most(frame))
    return ax

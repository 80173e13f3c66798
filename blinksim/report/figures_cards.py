"""A figure of cards: three answers to what a rank is worth, side by side."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from blinksim.report.figures import BLUE, GREEN, MUTED, ORANGE, frame_panel, most, name_above, show_grid, styled

WAYS = {
    "dealt": ("dealt (causes)", BLUE, "o"),
    "researched": ("researched", GREEN, "s"),
    "played": ("played (a tally)", ORANGE, "^"),
}
"""Names, colours and marks."""


@styled(lambda frame: 2.9)
def rank_dots(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """Differences in win share by rank with their intervals, one kind of mark for each way of asking.

    Args:
        frame: ``way`` (a key of ``WAYS``), ``item`` (the rank), ``value``, ``low``, ``high``, ``n_games``,
            ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    ax.axhline(0, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    handles = []
    for i, (way, (name, colour, marker)) in enumerate(WAYS.items()):
        part = frame.filter(pl.col("way") == way)
        if part.is_empty():
            continue
        at = part["item"].cast(pl.Int64).to_numpy() + 0.2 * (i - 1)
        value, low, high = (100 * part[column].to_numpy() for column in ("value", "low", "high"))
        ax.vlines(at, low, high, color=colour, linewidth=1.8)
        handles += ax.plot(at, value, marker, color=colour, markersize=4, label=name)
    ranks = np.unique(frame["item"].cast(pl.Int64).to_numpy())
    ax.set_xlim(ranks.min() - 0.7, ranks.max() + 0.7)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.set_ylabel("points of win share")
    show_grid(ax, "both")
    name_above(ax, handles, 3, 0.6)
    frame_panel(ax, title, "rank of the card", most(frame), 18)
    return ax

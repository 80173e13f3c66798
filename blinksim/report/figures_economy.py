"""Figures of the economy: what cards are used for, and gold left over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from blinksim.report.figures import BLUE, INK, frame_panel, name_above, show_grid, styled
from blinksim.report.figures_cells import RISING, colour_cells, colour_key


@styled(lambda frame: 1.3 + 0.155 * (frame.select("suit", "use").n_unique() + 2))
def use_map(
    frame: pl.DataFrame,
    ax: Axes,
    title: str = "",
    suits: Sequence[tuple[str, str]] = (),
    enough: int = 20,
    rests_on: str = "",
) -> Axes:
    """What cards are used for: a cell for each suit, use and rank, coloured by the share of that card's uses.

    Args:
        frame: ``suit``, ``use``, ``rank``, ``value``, ``n_blocks``; uses in the order in which they are drawn.
        ax: Where to draw.
        title: Name of the panel.
        suits: Letters and names of the suits, in order.
        enough: A cell of fewer deals is paler.
        rests_on: Uses and deals.
    """
    uses = frame["use"].unique(maintain_order=True).to_list()
    letters = [letter for letter, _ in suits]

    def row_of(suit: str, use: str) -> float:
        place = letters.index(suit)
        return -(place * len(uses) + uses.index(use)) - 0.7 * place

    y = np.array([row_of(*key) for key in frame.select("suit", "use").iter_rows()])
    x, value = frame["rank"].to_numpy().astype(np.float64), frame["value"].to_numpy()
    colour_cells(ax, x, y, value, (frame["n_blocks"] < enough).to_numpy(), RISING)
    ax.set_yticks([row_of(suit, use) for suit in letters for use in uses], uses * len(letters), fontsize=7)
    for letter, name in suits:
        middle = (row_of(letter, uses[0]) + row_of(letter, uses[-1])) / 2
        ax.annotate(
            name, (1, middle), (3, 0), ("axes fraction", "data"), "offset points", rotation=90, ha="left",
            va="center", fontsize=8, annotation_clip=False,
        )  # fmt: skip
    ax.tick_params(axis="y", length=0, pad=2)
    ax.set_ylim(row_of(letters[-1], uses[-1]) - 0.6, 0.9)
    ax.set_xlim(x.min() - 0.6, x.max() + 0.6)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.spines["left"].set_visible(False)
    name_above(ax, colour_key(RISING, (0, 0.25, 0.5, 0.75, 1)), 5, 1.0)
    frame_panel(ax, title, "rank of the card", rests_on, 16)
    return ax


@styled(lambda frame: 2.3)
def unspent_bars(frame: pl.DataFrame, ax: Axes, title: str = "", most_shown: int = 8, rests_on: str = "") -> Axes:
    """How much gold seats have left at the end, with intervals.

    Args:
        frame: ``gold``, ``value``, ``low``, ``high``.
        ax: Where to draw.
        title: Name of the panel.
        most_shown: The amount that stands for itself and all above.
        rests_on: Seats and deals.
    """
    at = frame["gold"].to_numpy()
    value, low, high = (100 * frame[name].to_numpy() for name in ("value", "low", "high"))
    ax.bar(at, value, width=0.8, color=BLUE)
    ax.vlines(at, low, high, color=INK, linewidth=1.6)
    for x, share, top in zip(at, value, np.fmax(value, high), strict=True):
        ax.annotate(f"{share:.0f}", (x, top), (0, 2), textcoords="offset points", ha="center", fontsize=7.5)
    shown = range(most_shown + 1)
    ax.set_xticks(list(shown), [*map(str, shown[:-1]), f"{most_shown}+"])
    ax.set_xlim(-0.6, most_shown + 0.6)
    ax.set_ylim(0, max(float(np.nanmax(np.fmax(value, high), initial=1)), 1) * 1.15)
    ax.set_ylabel("seats (%)")
    show_grid(ax, "y")
    frame_panel(ax, title, "gold left at the end", rests_on)
    return ax

"""Maps of coloured cells, and bars of stacked parts: forms that several sections share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from blinksim.report.figures import BLUE, INK, VERMILION, frame_panel, name_above, styled

STEPS = 10
"""Colours of a map above the first, so that cells of one colour can be one shape and a page stays small."""
RISING = LinearSegmentedColormap.from_list("rising", ["#e3eef6", "#56b4e9", BLUE, "#003b5c"])
"""From none to all."""
HALVES = LinearSegmentedColormap.from_list("halves", [VERMILION, "#f2e6d8", BLUE])
"""From never over one half to always."""
PALER = 0.4
"""How strong a cell is that rests on few deals."""
CELL = 0.46
"""Half the side of a cell whose neighbours are 1 away."""


def colour_cells(
    ax: Axes, x: np.ndarray, y: np.ndarray, share: np.ndarray, few: np.ndarray, colours: LinearSegmentedColormap
) -> None:
    """Squares around points, coloured by a share; paler where there are few deals.

    Neighbours in a row that look the same are drawn as one.

    Args:
        ax: Where to draw.
        x: (n,) where, from the left; whole numbers.
        y: (n,) where, from below.
        share: (n,) 0 to 1.
        few: (n,) whether a cell rests on few deals.
        colours: Which colours.
    """
    step = np.clip(np.round(share * STEPS), 0, STEPS).astype(int)
    bars: dict[tuple[int, bool], list[Path]] = {}
    order = np.lexsort((x, y))
    first = 0
    for i, here in enumerate(order):
        after = order[i + 1] if i + 1 < len(order) else None
        if after is not None and y[after] == y[here] and x[after] == x[here] + 1:
            if (step[after], few[after]) == (step[here], few[here]):
                continue
        bars.setdefault((int(step[here]), bool(few[here])), []).append(_bar(x[order[first]], x[here], y[here]))
        first = i + 1
    for (shade, pale), paths in sorted(bars.items(), key=lambda item: item[0]):
        patch = PathPatch(Path.make_compound_path(*paths), linewidth=0, alpha=PALER if pale else 1)
        patch.set_facecolor(to_hex(colours(shade / STEPS)))
        ax.add_patch(patch)


def _bar(left: float, right: float, y: float) -> Path:
    a, b = left - CELL, right + CELL
    corners = [(a, y - CELL), (b, y - CELL), (b, y + CELL), (a, y + CELL), (a, y - CELL)]
    return Path(corners, [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY])


def colour_key(colours: LinearSegmentedColormap, shares: Sequence[float]) -> list[Patch]:
    """Samples of a map's colours to name above it."""
    return [Patch(facecolor=to_hex(colours(float(share))), label=f"{100 * share:g}\u00a0%") for share in shares]


@styled(lambda frame: 1.25 + 0.3 * max(frame["label"].n_unique(), 1))
def stacked_bars(
    frame: pl.DataFrame,
    ax: Axes,
    title: str = "",
    colours: Mapping[str, tuple[str, str]] | None = None,
    xlabel: str = "",
    rests_on: str = "",
    columns: int = 3,
    digits: int = 1,
) -> Axes:
    """Parts of a sum, one bar a group; parts below nothing stand to the left of it.

    Args:
        frame: ``label``, ``part``, ``value``, and ``low`` and ``high`` of the whole bar in its first row (null
            elsewhere, or where it is not known).
        ax: Where to draw.
        title: Name of the panel.
        colours: By part, in order: its colour and that of the numbers on it.
        xlabel: What the axis shows.
        rests_on: Games and deals.
        columns: How many parts are named in a row.
        digits: Of the numbers.
    """
    colours = colours or {}
    labels = frame["label"].unique(maintain_order=True).to_list()
    rows = {label: len(labels) - 1 - i for i, label in enumerate(labels)}
    right, left = dict.fromkeys(labels, 0.0), dict.fromkeys(labels, 0.0)
    widest = max((float(part["value"].clip(0).sum()) for part in frame.partition_by("label")), default=1.0) or 1.0
    handles: list[Any] = []
    for part, (colour, ink) in colours.items():
        found = frame.filter(pl.col("part") == part)
        if not (found["value"].abs() > 0).any():
            continue
        handles.append(Patch(facecolor=colour, label=part))
        for label, value in found.select("label", "value").iter_rows():
            side = right if value >= 0 else left
            ax.barh(rows[label], value, left=side[label], height=0.66, color=colour)
            if abs(value) > (0.06 + 0.03 * digits) * widest:
                at = side[label] + value / 2
                ax.text(at, rows[label], f"{value:.{digits}f}", color=ink, ha="center", va="center", fontsize=7.5)
            side[label] += value
    for row in frame.filter(pl.col("low").is_not_null() & pl.col("low").is_not_nan()).iter_rows(named=True):
        y = rows[row["label"]]
        ax.plot([row["low"], row["high"]], [y, y], color=INK, linewidth=1.6, marker="|", markersize=7)
    for label, y in rows.items():
        edge = max([right[label], *frame.filter(pl.col("label") == label)["high"].drop_nulls().drop_nans()])
        whole = f"{right[label] + left[label]:.{digits}f}"
        ax.annotate(whole, (edge, y), (5, 0), textcoords="offset points", va="center", fontsize=8)
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.set_yticks(list(rows.values()), list(rows))
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.55, len(labels) - 0.45)
    ax.set_xlim(min(left.values(), default=0) * 1.05, widest * 1.2)
    ax.spines["left"].set_visible(False)
    name_above(ax, handles, columns, 1.0)
    frame_panel(ax, title, xlabel, rests_on, 16 + 12 * ((max(len(handles), 1) - 1) // columns))
    return ax

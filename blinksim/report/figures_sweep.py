"""Figures of a sweep: a metric as a curve with its band, two parameters as a heat map, a tornado of many parameters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from blinksim.report.figures import BLUE, FAINT, GREEN, INK, MUTED, VERMILION, frame_panel, show_grid, styled
from blinksim.report.words import basis

FEW = 12
"""Points of a search that have their number of deals beside them, at most."""


def _basis(frame: pl.DataFrame) -> str:
    return basis(int(frame["n_games"].max() or 0), int(frame["n_blocks"].max() or 0))  # type: ignore[arg-type]


@styled(lambda frame: 2.3)
def curve(
    frame: pl.DataFrame, ax: Axes, title: str = "", xlabel: str = "", labels: Sequence[str] = (), scale: float = 1.0
) -> Axes:
    """A metric along one parameter.

    Args:
        frame: ``x``, ``value``, ``low``, ``high``, ``band_low``, ``band_high``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        xlabel: The parameter.
        labels: Of the places, where the values are names and not numbers.
        scale: What values are multiplied by, 100 for shares.
    """
    x = frame["x"].to_numpy()
    value, low, high, band_low, band_high = (
        scale * frame[name].to_numpy() for name in ("value", "low", "high", "band_low", "band_high")
    )
    ax.fill_between(x, band_low, band_high, color=BLUE, alpha=0.2, linewidth=0)
    ax.vlines(x, low, high, color=BLUE, linewidth=1.6)
    ax.plot(x, value, "o" if labels else "o-", color=BLUE, markersize=4, linewidth=1.2)
    if labels:
        ax.set_xticks(x, list(labels))
    show_grid(ax, "y")
    frame_panel(ax, title, xlabel, _basis(frame))
    return ax


@styled(lambda frame: 2.9)
def heat_map(
    frame: pl.DataFrame,
    ax: Axes,
    title: str = "",
    across: Sequence[str] = (),
    down: Sequence[str] = (),
    names: tuple[str, str] = ("", ""),
    scale: float = 1.0,
) -> Axes:
    """A metric over two parameters, each cell with its number; darker is more.

    Args:
        frame: ``value``, ``n_games``, ``n_blocks``; one row a cell, row by row.
        ax: Where to draw.
        title: Name of the panel.
        across: Values of the parameter along the columns.
        down: Values of the parameter along the rows.
        names: Of the parameter across and of the one down.
        scale: What values are multiplied by, 100 for shares.
    """
    cells = scale * frame["value"].to_numpy().reshape(len(down), len(across))
    ax.imshow(cells, cmap="cividis_r", aspect="auto", origin="lower")
    middle = (np.nanmin(cells) + np.nanmax(cells)) / 2
    size = 8 if len(across) <= 6 else 6
    for i in range(len(down)):
        for j in range(len(across)):
            ink = "#ffffff" if cells[i, j] > middle else "#000000"
            ax.text(j, i, f"{cells[i, j]:.3g}", ha="center", va="center", fontsize=size, color=ink)
    ax.set_xticks(range(len(across)), list(across), fontsize=7)
    ax.set_yticks(range(len(down)), list(down), fontsize=7)
    ax.set_ylabel(names[1])
    frame_panel(ax, title, names[0], _basis(frame))
    return ax


@styled(lambda frame: 1.1 + 0.24 * max(frame["parameter"].n_unique(), 1))
def tornado(frame: pl.DataFrame, ax: Axes, title: str = "", unit: str = "", scale: float = 1.0) -> Axes:
    """How far each parameter, one step down and one step up, moves a metric; the largest on top.

    Args:
        frame: ``parameter``, ``side`` (``down``, ``up`` or ``other``: another value, alone in its row), ``value``,
            ``low``, ``high``, ``n_games``, ``n_blocks``; in the order in which they are to stand.
        ax: Where to draw.
        title: Name of the panel.
        unit: Of the metric's difference.
        scale: What values are multiplied by, 100 for shares.
    """
    names = frame["parameter"].unique(maintain_order=True).to_list()
    ax.axvline(0, color=INK, linewidth=0.8)
    for row in frame.iter_rows(named=True):
        colour, shift = {"down": (VERMILION, 0.17), "up": (BLUE, -0.17)}.get(row["side"], (GREEN, 0.0))
        y = len(names) - 1 - names.index(row["parameter"]) + shift
        ax.barh(y, scale * row["value"], height=0.3, color=colour, alpha=0.85)
        ax.hlines(y, scale * row["low"], scale * row["high"], color=INK, linewidth=0.9)
    ax.set_yticks(range(len(names)), names[::-1], fontsize=7)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=FAINT, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.annotate("one step down", (0, 1), (0, 3), "axes fraction", "offset points", color=VERMILION, fontsize=7.5)
    ax.annotate("one step up", (1, 1), (0, 3), "axes fraction", "offset points", color=BLUE, fontsize=7.5, ha="right")
    frame_panel(ax, title, f"difference ({unit})", _basis(frame), 14)
    return ax


@styled(lambda frame: 2.4)
def breakpoint_curve(
    frame: pl.DataFrame, ax: Axes, title: str = "", xlabel: str = "", level: float | None = None, scale: float = 1.0,
    found: tuple[float, float, float] | None = None,
) -> Axes:  # fmt: skip
    """The points that a search played, with the place it found.

    Args:
        frame: ``value`` (of the parameter), ``metric``, ``low``, ``high``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        xlabel: The parameter.
        level: That the curve was to cross; dashed.
        scale: What the metric is multiplied by, 100 for shares.
        found: Place, low and high; band and line.
    """
    x = frame["value"].to_numpy()
    value, low, high = (scale * frame[name].to_numpy() for name in ("metric", "low", "high"))
    if found is not None:
        ax.axvspan(found[1], found[2], color=FAINT, alpha=0.8, linewidth=0)
        ax.axvline(found[0], color=VERMILION, linewidth=1.4)
        ax.annotate(
            f"{found[0]:.2f}",
            (found[0], 1),
            (3, -9),
            ("data", "axes fraction"),
            "offset points",
            fontsize=8,
            color=VERMILION,
        )
    if level is not None:
        ax.axhline(scale * level, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    ax.plot(x, value, "-", color=BLUE, linewidth=1)
    ax.vlines(x, low, high, color=BLUE, linewidth=1.8)
    ax.plot(x, value, "o", color=BLUE, markersize=4)
    for place, at, blocks in zip(x, value, frame["n_blocks"].to_list(), strict=True):
        if len(x) <= FEW:
            ax.annotate(
                f"{blocks}", (place, at), (0, 5), textcoords="offset points", fontsize=6, color=MUTED, ha="center"
            )
    show_grid(ax, "y")
    frame_panel(ax, title, xlabel, f"{int(frame['n_blocks'].sum()):,} deals at all points together")
    return ax

"""Figures of searches over the rules: elementary effects, and how near to the targets so many changes come."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from blinksim.report.figures import (
    BLUE,
    FAINT,
    GREEN,
    MUTED,
    VERMILION,
    frame_panel,
    most,
    show_grid,
    styled,
)
from blinksim.report.words import plural

FAR = 1e4
"""Margins at which the open side of a band ends, far outside every panel."""


@styled(lambda frame: 1.1 + 0.24 * max(frame.height, 1))
def elementary(frame: pl.DataFrame, ax: Axes, title: str = "", unit: str = "", scale: float = 1.0) -> Axes:
    """Mean size of each parameter's elementary effects, with its interval, beside what noise gives.

    Args:
        frame: ``parameter``, ``mu_star``, ``mu_star_low``, ``mu_star_high``, ``noise``, ``n_games``, ``n_blocks``, in
            the order in which they are to stand.
        ax: Where to draw.
        title: Name of the panel.
        unit: Of the metric's change.
        scale: What values are multiplied by, 100 for shares.
    """
    rows = np.arange(frame.height)[::-1]
    star, low, high, noise = (
        scale * frame[name].to_numpy() for name in ("mu_star", "mu_star_low", "mu_star_high", "noise")
    )
    ax.barh(rows, noise, height=0.7, color=FAINT, alpha=0.7)
    ax.hlines(rows, low, high, color=BLUE, linewidth=1.8)
    ax.plot(star, rows, "o", color=BLUE, markersize=4)
    ax.set_yticks(rows, frame["parameter"].to_list(), fontsize=7)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.6, frame.height - 0.4)
    ax.set_xlim(left=0)
    ax.spines["left"].set_visible(False)
    show_grid(ax, "x")
    frame_panel(ax, title, f"mu* ({unit} over the range)", most(frame))
    return ax


@styled(lambda frame: 2.7)
def pareto(frame: pl.DataFrame, ax: Axes, title: str = "", trials: pl.DataFrame | None = None) -> Axes:
    """How near to the targets so many changes come: in the search, and on fresh deals.

    Args:
        frame: The front: ``changed``, ``distance``, ``fresh_distance``, ``recommended``, ``n_games``, ``n_blocks`` (of
            one ruleset on fresh deals); ascending by ``changed``.
        ax: Where to draw.
        title: Name of the panel.
        trials: ``changed`` and ``distance`` of every ruleset of the search; faint points.
    """
    changed = frame["changed"].to_numpy()
    seen, fresh = frame["distance"].to_numpy(), frame["fresh_distance"].to_numpy()
    top = 1.12 * max(float(seen.max()), float(fresh.max()), 0.5)
    if trials is not None:
        x, y = trials["changed"].to_numpy(), trials["distance"].to_numpy()
        ax.plot(x[y <= top], y[y <= top], ".", color=MUTED, markersize=3, alpha=0.5)
    # A front is a staircase: with a change more one does no worse.
    ax.step(changed, seen, where="post", color=BLUE, linewidth=1.2)
    ax.plot(changed, seen, "o", color=BLUE, markersize=5)
    ax.vlines(changed, np.minimum(seen, fresh), np.maximum(seen, fresh), color=VERMILION, linewidth=1)
    ax.plot(changed, fresh, "D", color=VERMILION, markersize=4.5, markerfacecolor="none")
    for row in frame.filter(pl.col("recommended")).iter_rows(named=True):
        ax.plot(row["changed"], row["distance"], "o", color=GREEN, markersize=11, markerfacecolor="none")
        where = (row["changed"], row["distance"])
        ax.annotate("recommended", where, (8, 4), textcoords="offset points", fontsize=8, color=GREEN)
    ax.set_ylim(-0.05 * top, top)
    last = max(float(changed.max()), 1.0)
    named = max(frame.filter(pl.col("recommended"))["changed"].to_list(), default=0)
    # Room for the word beside the ring.
    ax.set_xlim(-0.6, max(last + 0.6, named + 0.45 * last + 0.3))
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    ax.set_ylabel("distance to the targets\n(margins)")
    for at, colour, text, side in ((0.0, BLUE, "in the search", "left"), (1.0, VERMILION, "on fresh deals", "right")):
        ax.annotate(text, (at, 1), (0, 3), "axes fraction", "offset points", color=colour, fontsize=7.5, ha=side)
    show_grid(ax, "y")
    frame_panel(ax, title, "parameters changed", f"fresh deals: {most(frame)} each", 14)
    return ax


@styled(lambda frame: 1.2 + 0.55 * max(frame.height, 1))
def targets(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """Every target of the recommendation in units of its margin: the base, what the search saw, and fresh deals.

    Args:
        frame: ``metric``, ``target_low``, ``target_high``, ``margin``, ``base``, ``searched``, ``searched_low``,
            ``searched_high``, ``value``, ``low``, ``high``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    rows = np.arange(frame.height)[::-1]
    band = _in_margins(frame, "target_low").fill_nan(-FAR), _in_margins(frame, "target_high").fill_nan(FAR)
    for y, low, high, base in zip(rows, *band, _in_margins(frame, "base"), strict=True):
        ax.fill_betweenx([y - 0.45, y + 0.45], low, high, color=FAINT, alpha=0.7, linewidth=0)
        ax.plot(base, y, "|", color=MUTED, markersize=14, markeredgewidth=2)
    ends = _in_margins(frame, "base").to_list()
    for shift, colour, marker, names in (
        (0.17, BLUE, "o", ("searched", "searched_low", "searched_high")),
        (-0.17, VERMILION, "D", ("value", "low", "high")),
    ):
        value, left, right = (_in_margins(frame, name) for name in names)
        ax.hlines(rows + shift, left, right, color=colour, linewidth=1.8)
        ax.plot(value, rows + shift, marker, color=colour, markersize=4.5)
        ends += [*value, *left, *right]
    ends = [end for end in ends if np.isfinite(end)]
    width = max(max(map(abs, ends), default=1.0), 1.0) * 1.15
    ax.set_xlim(-width, width)
    ax.set_yticks(rows, frame["metric"].to_list(), fontsize=8)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.6, frame.height - 0.4)
    ax.spines["left"].set_visible(False)
    for x, colour, text, side in ((0.0, BLUE, "in the search", "left"), (0.5, VERMILION, "on fresh deals", "center"),
                                  (1.0, MUTED, "base", "right")):  # fmt: skip
        ax.annotate(text, (x, 1), (0, 3), "axes fraction", "offset points", color=colour, fontsize=7.5, ha=side)
    games, blocks = int(frame["n_games"].max() or 0), int(frame["n_blocks"].max() or 0)  # type: ignore[arg-type]
    basis = f"fresh deals: {plural(games, 'game')}, {plural(blocks, 'deal')}"
    frame_panel(ax, title, "from the middle or end of the band (margins)", basis, 14)
    return ax


def _in_margins(frame: pl.DataFrame, name: str) -> pl.Series:
    """A column as distances from the middle of the band, or from its one end, in margins; nan where there is none."""
    low, high = pl.col("target_low").cast(pl.Float64), pl.col("target_high").cast(pl.Float64)
    middle = pl.when(low.is_null()).then(high).when(high.is_null()).then(low).otherwise((low + high) / 2)
    distance = (pl.col(name).cast(pl.Float64) - middle) / pl.col("margin")
    return frame.select(distance.fill_null(float("nan"))).to_series()

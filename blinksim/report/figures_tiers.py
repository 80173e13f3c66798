"""Figures of the climb: who gets to a tier first and whether it wins, who follows when, and melds against the limit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from blinksim.report.figures import BLUE, INK, MUTED, frame_panel, most, show_grid, styled, tier_curves
from blinksim.report.figures_drama import ENOUGH
from blinksim.report.words import basis, percent

ORDER = ("nobody", "first", "second", "third", "fourth")
"""Who gets to a tier as which, by number."""


@styled(lambda frame: 2.8)
def snowball_curve(frame: pl.DataFrame, ax: Axes, title: str = "", names: Sequence[str] = ()) -> Axes:
    """How often the first to a tier wins, tier by tier, beside an even share; few deals are drawn hollow.

    Args:
        frame: ``tier``, ``value``, ``low``, ``high``, ``fair``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        names: Names of all tiers, from the first.
    """
    tiers = frame["tier"].to_numpy()
    value, low, high = (100 * frame[name].to_numpy() for name in ("value", "low", "high"))
    enough = (frame["n_blocks"] >= ENOUGH).to_numpy()
    fair = 100 * float(frame["fair"][0])
    ax.axhline(fair, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    ax.annotate("by chance", (1, fair), (0, -3), ("axes fraction", "data"), "offset points", ha="right", va="top",
                fontsize=8, color=MUTED)  # fmt: skip
    ax.plot(tiers[enough], value[enough], "-", color=BLUE, linewidth=1.2, alpha=0.6)
    for i, tier in enumerate(tiers):
        ax.vlines([tier], low[i], high[i], color=BLUE, linewidth=2.2, alpha=1 if enough[i] else 0.45)
        fill = BLUE if enough[i] else "none"
        ax.plot([tier], [value[i]], "o", color=BLUE, markerfacecolor=fill, markersize=5.5)
        ax.annotate(percent(value[i] / 100, 0), (tier, high[i]), (0, 4), textcoords="offset points", ha="center",
                    fontsize=8)  # fmt: skip
    ax.set_xticks(tiers, [names[tier] if tier < len(names) else f"tier {tier}" for tier in tiers])
    ax.set_xlim(tiers.min() - 0.5, tiers.max() + 0.5)
    ax.set_ylim(0, 112)
    ax.set_yticks(range(0, 101, 20))
    ax.set_ylabel("first there wins (%)")
    show_grid(ax, "y")
    frame_panel(ax, title, "tier", most(frame))
    return ax


def order_curves(frame: pl.DataFrame, ax: Axes | None = None, title: str = "") -> Axes:
    """When the first, second … player had got to one tier: a curve each, with its band.

    Args:
        frame: ``order``, ``round``, ``share``, ``low``, ``high``, ``at_risk``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    curves = frame.with_columns(tier="order", n_seats="n_games")
    drawn = tier_curves(curves, ax, title=title, names=ORDER)
    drawn.set_ylabel("games (%)")
    drawn.set_xlabel(f"round\n{basis(int(frame['n_games'][0]), int(frame['n_blocks'][0]))}")
    return drawn


@styled(lambda frame: 1.2 + 0.36 * max(frame.height, 1))
def meld_dots(frame: pl.DataFrame, ax: Axes, title: str = "", names: Sequence[str] = ()) -> Axes:
    """Cards of a meld by tier, on average, against the most that the tier allows.

    Args:
        frame: ``tier``, ``value``, ``low``, ``high``, ``limit``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        names: Names of all tiers, from the first.
    """
    rows = np.arange(frame.height)[::-1]
    value, low, high = (frame[name].to_numpy() for name in ("value", "low", "high"))
    limit = frame["limit"].to_numpy()
    ax.hlines(rows, 0, limit, color=MUTED, linewidth=0.6)
    ax.plot(limit, rows, "|", color=INK, markersize=13, markeredgewidth=1.8)
    ax.hlines(rows, low, high, color=BLUE, linewidth=2.2)
    ax.plot(value, rows, "o", color=BLUE, markersize=5.5)
    for row, x, y in zip(rows, value, limit, strict=True):
        ax.annotate(f"{x:.1f} of {y}", (1, row), (5, 0), ("axes fraction", "data"), "offset points", va="center",
                    fontsize=8, annotation_clip=False)  # fmt: skip
    labels = [names[tier] if tier < len(names) else f"tier {tier}" for tier in frame["tier"]]
    ax.set_yticks(rows, labels)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.5, frame.height - 0.5)
    ax.set_xlim(0, limit.max() + 0.3)
    show_grid(ax, "x")
    frame_panel(ax, title, "cards of a meld (bar: the limit)", most(frame, "meld"))
    return ax

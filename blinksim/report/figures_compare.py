"""Figures of a comparison: every difference beside its margin, how the answer came about, and when games part."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from blinksim.analysis.compare import DIFFERENT, EQUAL
from blinksim.report.figures import BLUE, FAINT, GREEN, INK, MUTED, VERMILION, frame_panel, show_grid, styled
from blinksim.report.words import basis

SHADES = {DIFFERENT: (VERMILION, "D"), EQUAL: (GREEN, "o")}
"""Colour and mark of a verdict; open questions are grey squares."""
OPEN = (MUTED, "s")
WIDEST = 4.0
"""Margins that the panel of differences is wide, each way; what lies beyond ends in an arrow."""


@styled(lambda frame: 1.1 + 0.21 * max(frame.height, 1))
def differences(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """Every metric's difference in units of its margin, with its interval, beside what is practically equal.

    Args:
        frame: ``metric``, ``value``, ``low``, ``high``, ``margin``, ``verdict``, ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    rows = np.arange(frame.height)[::-1]
    ax.axvspan(-1, 1, color=FAINT, alpha=0.6, linewidth=0)
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    for y, row in zip(rows, frame.iter_rows(named=True), strict=True):
        colour, marker = SHADES.get(row["verdict"], OPEN)
        low, value, high = (row[name] / row["margin"] for name in ("low", "value", "high"))
        if not np.isfinite([low, value, high]).all():
            continue
        ax.hlines(y, max(low, -WIDEST), min(high, WIDEST), color=colour, linewidth=1.8)
        if abs(value) <= WIDEST:
            ax.plot(value, y, marker, color=colour, markersize=4)
        else:
            side = np.sign(value)
            ax.plot(side * WIDEST, y, ">" if side > 0 else "<", color=colour, markersize=5, clip_on=False)
    ax.set_yticks(rows, frame["metric"].to_list(), fontsize=7)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.7, frame.height - 0.3)
    ax.set_xlim(-WIDEST, WIDEST)
    ax.spines["left"].set_visible(False)
    most = basis(int(frame["n_games"].max() or 0), int(frame["n_blocks"].max() or 0))  # type: ignore[arg-type]
    frame_panel(ax, title, "difference, in margins", most)
    return ax


@styled(lambda frame: 2.5)
def watched(
    frame: pl.DataFrame, ax: Axes, title: str = "", unit: str = "", scale: float = 1.0, size: float = 0.0
) -> Axes:
    """How the difference of the deciding metric became known: its confidence sequence by deals played.

    Args:
        frame: ``deals``, ``difference``, ``half_width``, in the order of the looks.
        ax: Where to draw.
        title: Name of the panel.
        unit: Of the difference, for the axis.
        scale: What values are multiplied by, 100 for shares.
        size: The difference that was to be decided; dashed lines.
    """
    deals = frame["deals"].to_numpy()
    value, half = (scale * frame[name].to_numpy() for name in ("difference", "half_width"))
    ax.fill_between(deals, value - half, value + half, color=BLUE, alpha=0.25, linewidth=0)
    ax.plot(deals, value, color=BLUE, linewidth=1.6)
    ax.axhline(0, color=INK, linewidth=0.8)
    for side in (-size, size):
        ax.axhline(scale * side, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    if len(deals) and np.isfinite(value[-1]):
        ax.annotate(
            f"{value[-1]:+.2f}", (deals[-1], value[-1]), (4, 0), textcoords="offset points", va="center", fontsize=8
        )
        ax.set_xlim(deals[0], deals[-1] + 0.12 * max(deals[-1] - deals[0], 1))
    show_grid(ax, "y")
    ax.set_ylabel(f"difference ({unit})")
    frame_panel(ax, title, "deals played", f"{len(deals)} looks, {int(deals[-1]) if len(deals) else 0:,} deals")
    return ax


@styled(lambda frame: 2.2)
def parting(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """After which round games under two rulesets first differ, as a share of games; the last bar never do.

    Args:
        frame: ``round`` (null: never), ``games``.
        ax: Where to draw.
        title: Name of the panel.
    """
    total = max(int(frame["games"].sum()), 1)
    known = frame.filter(pl.col("round").is_not_null())
    never = int(frame.filter(pl.col("round").is_null())["games"].sum())
    rounds = known["round"].to_numpy().astype(int)
    last = int(rounds.max()) if len(rounds) else 0
    ax.bar(rounds, 100 * known["games"].to_numpy() / total, width=0.85, color=BLUE)
    ax.bar([last + 2], [100 * never / total], width=0.85, color=MUTED)
    ax.set_xticks([*range(1, last + 1), last + 2], [*map(str, range(1, last + 1)), "never"])
    ax.tick_params(axis="x", length=0)
    show_grid(ax, "y")
    ax.set_ylabel("games (%)")
    frame_panel(ax, title, "round after which the tables first differ", f"{total:,} pairs of games")
    return ax

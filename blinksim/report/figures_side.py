"""Figures of rulesets and runs side by side: each one's numbers and intervals, a row each."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from blinksim.report import figures
from blinksim.report.figures import COLOURS, MARKERS, MUTED, styled
from blinksim.report.words import count, plural

ROW = 0.2  # inches for one number


@styled(lambda frame: 1.0 + ROW * max(frame.height, 2) + 0.12 * frame["games"].n_unique())
def side_dots(
    frame: pl.DataFrame, ax: Axes, title: str = "", xlabel: str = "", share: bool = True, fair: float | None = None
) -> Axes:
    """Numbers with their intervals, those of each ruleset or run together, in one order.

    Args:
        frame: ``games`` (whose), ``which`` (what of it; told apart by colour and mark), ``value``, ``low``, ``high``,
            ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        xlabel: What the numbers are.
        share: Whether they are shares, to be drawn in per cent.
        fair: Where a line is to be drawn.
    """
    names = frame["games"].unique(maintain_order=True).to_list()
    kinds = frame["which"].unique(maintain_order=True).to_list()
    scale = 100.0 if share else 1.0
    step = len(kinds) + 0.6
    for row in frame.iter_rows(named=True):
        kind = kinds.index(row["which"])
        y = -(names.index(row["games"]) * step + kind)
        colour = COLOURS[kind % len(COLOURS)]
        low, high = (row["value"] if end is None or end != end else end for end in (row["low"], row["high"]))
        ax.hlines([y], scale * low, scale * high, color=colour, linewidth=2)
        ax.plot([scale * row["value"]], [y], MARKERS[kind % len(MARKERS)], color=colour, markersize=5)
        said = f"{scale * row['value']:.1f}"
        if len(kinds) > 1:
            said = f"{said} {row['which']}"
        ax.annotate(
            said, (1, y), (5, 0), ("axes fraction", "data"), "offset points", va="center", fontsize=7.5,
            annotation_clip=False,
        )  # fmt: skip
    if fair is not None:
        ax.axvline(scale * fair, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    middle = (len(kinds) - 1) / 2
    ax.set_yticks([-(i * step + middle) for i in range(len(names))], names)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-((len(names) - 1) * step + len(kinds) - 1) - 0.6, 0.6)
    ax.spines["left"].set_visible(False)
    edges = scale * np.array([x for c in ("value", "low", "high") for x in frame[c].drop_nulls() if np.isfinite(x)])
    room = max(0.08 * float(np.ptp(edges)), 0.5) if len(edges) else 1.0
    if len(edges):
        ax.set_xlim(float(edges.min()) - room, float(edges.max()) + room)
    rests_on = f"{_range(frame['n_games'], 'game')}, {_range(frame['n_blocks'], 'deal')}"
    figures.frame_panel(ax, title, f"{xlabel} (%)" if share else xlabel, rests_on)
    return ax


def _range(numbers: pl.Series, noun: str) -> str:
    """``96 games``, or ``96 to 10,500 games`` where not all rest on equally many."""
    least, most = (int(end or 0) for end in (numbers.min(), numbers.max()))  # type: ignore[arg-type]
    return plural(most, noun) if least == most else f"{count(least)} to {plural(most, noun)}"

"""Figures of walls: what an attack of a rank does, and who could break a wall, round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from blinksim.report.figures import COLOURS, DASHES, INK, MUTED, frame_panel, name_above, show_grid, styled
from blinksim.report.figures_cells import HALVES, colour_cells, colour_key

RIVALS_WALL = "the rival's, as it is"


@styled(lambda frame: 4.6)
def success_map(
    frame: pl.DataFrame,
    ax: Axes,
    title: str = "",
    tiers: Sequence[str] = (),
    terrains: Sequence[str] = (),
    ranks: tuple[int, int] = (1, 20),
    enough: int = 20,
    rests_on: str = "",
) -> Axes:
    """Whether attacks succeed, by the defender's tier, the terrain and the attack's rank; the rank on paper marked.

    Args:
        frame: ``defender_tier``, ``terrain``, ``attack_rank`` (null where there was no attack), ``value``,
            ``n_blocks``, and ``needed``: the lowest rank that should do on paper, null for none.
        ax: Where to draw.
        title: Name of the panel.
        tiers: Names of the tiers, from the first.
        terrains: Letters of the terrains, in order.
        ranks: Lowest and highest rank of the deck.
        enough: A cell of fewer deals is paler.
        rests_on: Attacks and deals.
    """
    height = len(tiers) * len(terrains)

    def row_of(tier: int, terrain: str) -> float:
        return height - 1 - (tier * len(terrains) + terrains.index(terrain)) - 0.35 * tier

    tried = frame.filter(pl.col("attack_rank").is_not_null())
    y = np.array([row_of(*key) for key in tried.select("defender_tier", "terrain").iter_rows()])
    x, value = tried["attack_rank"].to_numpy().astype(np.float64), tried["value"].to_numpy()
    colour_cells(ax, x, y, value, (tried["n_blocks"] < enough).to_numpy(), HALVES)
    for tier, terrain, needed in frame.select("defender_tier", "terrain", "needed").unique().sort(pl.all()).iter_rows():
        at = row_of(tier, terrain)
        edge = ranks[1] + 0.5 if needed is None else needed - 0.5
        ax.plot([edge, edge], [at - 0.5, at + 0.5], color=INK, linewidth=1.8)
    places = [row_of(tier, terrain) for tier in range(len(tiers)) for terrain in terrains]
    ax.set_yticks(places, [terrain for _ in tiers for terrain in terrains], fontsize=7)
    for tier, name in enumerate(tiers):
        middle = (row_of(tier, terrains[0]) + row_of(tier, terrains[-1])) / 2
        ax.annotate(
            name, (0, middle), (-16, 0), ("axes fraction", "data"), "offset points", ha="right", va="center",
            fontsize=8, annotation_clip=False,
        )  # fmt: skip
    ax.tick_params(axis="y", length=0, pad=2)
    ax.set_xlim(ranks[0] - 0.6, ranks[1] + 0.7)
    ax.set_ylim(places[-1] - 0.6, places[0] + 0.6)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.spines["left"].set_visible(False)
    paper = Line2D([], [], color=INK, linewidth=1.8, marker="", label="paper")
    name_above(ax, [*colour_key(HALVES, (0, 0.5, 1)), paper], 4, 1.0)
    frame_panel(ax, title, "rank of the attack", rests_on, 16)
    return ax


@styled(lambda frame: 3.1)
def stale_curves(frame: pl.DataFrame, ax: Axes, title: str = "", names: Sequence[str] = (), rests_on: str = "") -> Axes:
    """Who could break a wall, by round: a line for each tier's wall, and one for the walls that rivals have then.

    Args:
        frame: ``wall_tier`` (below nothing: the rivals' own), ``round``, ``value``, ``low``, ``high``.
        ax: Where to draw.
        title: Name of the panel.
        names: Names of the tiers, from the first.
        rests_on: Games and deals.
    """
    handles: list[Any] = []
    for (tier,), part in frame.sort("wall_tier", "round").group_by(["wall_tier"], maintain_order=True):
        number = int(str(tier))
        at, value, low, high = (part[name].to_numpy() for name in ("round", "value", "low", "high"))
        # Where nobody or everybody holds one the band only says how few deals there are.
        ends = (value <= 0) | (value >= 1)
        low, high = np.where(ends, value, low), np.where(ends, value, high)
        if number < 0:
            look: dict[str, Any] = {
                "color": INK,
                "linestyle": (0, (1, 1)),
                "linewidth": 2.2,
                "label": "the rival's, as it is",
            }
        else:
            i = number % len(COLOURS)
            look = {"color": COLOURS[i], "linestyle": DASHES[i], "linewidth": 1.7, "label": names[number]}
        ax.fill_between(at, 100 * low, 100 * high, color=look["color"], alpha=0.2, linewidth=0)
        handles += ax.plot(at, 100 * value, **look)
    ax.axhline(50, color=MUTED, linewidth=0.8, linestyle=(0, (3, 2)))
    ax.set_ylim(0, 102)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.set_ylabel("could break it (%)")
    show_grid(ax, "both")
    handles = handles[1:] + handles[:1] if len(handles) > len(names) else handles
    name_above(ax, handles, 2, 3.0)
    frame_panel(ax, title, "round", rests_on, 14 + 12 * ((max(len(handles), 1) - 1) // 2))
    return ax

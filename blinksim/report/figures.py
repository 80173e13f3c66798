"""Figures: each a function of a small frame and an optional axis, all in one style.

Colours are those of Okabe and Ito, told apart with every kind of colour blindness; marks differ in shape or dash as
well, so that grey print will do. Points and bars are named where they are, intervals are drawn, and how much a panel
rests on stands below it. A panel shows one player count and is as wide as a phone; a page puts several side by
side.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from blinksim.analysis.estimates import MARGIN
from blinksim.report.words import basis, percent

INK = "#1b1c1d"
MUTED = "#6a6b6c"
FAINT = "#d3d4d5"
BLUE, VERMILION, GREEN, PINK, ORANGE, SKY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
COLOURS = (BLUE, VERMILION, GREEN, PINK, ORANGE, SKY)
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (2, 1)), (0, (6, 1.5, 1, 1.5)), (0, (1, 1)), "-")
MARKERS = ("o", "s", "^", "D", "v", "P")
PARTS = {"units": (BLUE, "#ffffff"), "row": (ORANGE, "#000000"), "objectives": (GREEN, "#000000")}
"""Colours of the parts of a score, and of the numbers on them."""
MIN_AT_RISK = 20
"""A curve is drawn while at least so many seats are still on their way."""

ALL_THERE = 0.99
"""Above this share a curve is drawn to the end, however few are still on their way."""

WIDTH = 3.7  # inches; about 355 px on a screen
STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.8,
    "text.parse_math": False,  # names may have a dollar sign
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.solid_capstyle": "butt",
    "svg.fonttype": "none",
    "svg.hashsalt": "blinksim",
    "path.simplify": True,
}

FigureFunction = Callable[..., Axes]


def styled(height: Callable[[pl.DataFrame], float]) -> Callable[[FigureFunction], FigureFunction]:
    """Draw in the style of the house, on a new figure of a height in inches where no axis is given."""

    def decorate(draw: FigureFunction) -> FigureFunction:
        @wraps(draw)
        def drawn(frame: pl.DataFrame, ax: Axes | None = None, **options: Any) -> Axes:
            with matplotlib.rc_context(STYLE):
                if ax is None:
                    figure = Figure(figsize=(WIDTH, height(frame)), layout="constrained")
                    FigureCanvasAgg(figure)
                    ax = figure.add_subplot()
                return draw(frame, ax, **options)

        return drawn

    return decorate


def frame_panel(ax: Axes, title: str, xlabel: str, rests_on: str, pad: float = 6) -> None:
    """Title, ``pad`` points above the plot; below it what the axis shows, and what the panel rests on."""
    ax.set_title(title, loc="left", pad=pad)
    ax.set_xlabel(f"{xlabel}\n{rests_on}")


def most(frame: pl.DataFrame, what: str = "game", column: str = "n_games") -> str:
    """How many games, on how many deals; the most of any row."""
    if frame.is_empty():
        return f"no {what}s"
    games, blocks = (int(frame[name].max()) for name in (column, "n_blocks"))  # type: ignore[arg-type]
    return basis(games, blocks, what)


def show_grid(ax: Axes, axis: Any) -> None:
    """Faint lines behind the plot along one axis, ``x`` or ``y``, or ``both``."""
    ax.grid(axis=axis, color=FAINT, linewidth=0.6)
    ax.set_axisbelow(True)


@styled(lambda frame: 1.05 + 0.33 * max(frame.height, 1))
def share_dots(
    frame: pl.DataFrame,
    ax: Axes,
    title: str = "",
    margin: float | None = MARGIN,
    xlabel: str = "share of wins (%)",
    rests_on: str | None = None,
) -> Axes:
    """Shares as points with their intervals, one row each, beside what would be fair.

    Args:
        frame: ``label``, ``value``, ``low``, ``high``, ``fair`` (the line), ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        margin: Half the width of the band that still counts as fair; none is drawn where left out.
        xlabel: What the share is of.
        rests_on: Games and deals; the most games and deals of any row where left out.
    """
    rows = np.arange(frame.height)[::-1]
    value, low, high, fair = (100 * frame[name].to_numpy() for name in ("value", "low", "high", "fair"))
    for row, at in zip(rows, fair, strict=True):
        if margin is not None:
            ax.fill_betweenx([row - 0.5, row + 0.5], at - 100 * margin, at + 100 * margin, color=FAINT, alpha=0.6, lw=0)
        ax.plot([at, at], [row - 0.5, row + 0.5], color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
    ax.hlines(rows, low, high, color=BLUE, linewidth=2.2)
    ax.plot(value, rows, "o", color=BLUE, markersize=5.5)
    for row, x in zip(rows, value, strict=True):
        edge = (1, row)  # beside the plot, where no line crosses the number
        ax.annotate(
            percent(x / 100), edge, (5, 0), ("axes fraction", "data"), "offset points", va="center", fontsize=8,
            annotation_clip=False,
        )  # fmt: skip
    ax.set_yticks(rows, frame["label"].to_list())
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.5, frame.height - 0.5)
    ax.spines["left"].set_visible(False)
    edges = [*low, *high, *(fair - 150 * (margin or 0)), *(fair + 150 * (margin or 0))]
    edges = [edge for edge in edges if np.isfinite(edge)] or [0, 100]
    room = max(0.06 * (max(edges) - min(edges)), 0.5)
    ax.set_xlim(min(edges) - room, max(edges) + room)
    frame_panel(ax, title, xlabel, most(frame) if rests_on is None else rests_on)
    return ax


@styled(lambda frame: 2.4)
def length_histogram(frame: pl.DataFrame, ax: Axes, title: str = "", rests_on: str = "") -> Axes:
    """How long games last: bars by number of rounds, the median marked, nine games in ten in full colour.

    Args:
        frame: ``rounds``, ``share``.
        ax: Where to draw.
        title: Name of the panel.
        rests_on: Games and deals.
    """
    rounds, shares = frame["rounds"].to_numpy(), 100 * frame["share"].to_numpy()
    total = np.cumsum(shares)
    p05, median, p95 = (
        rounds[min(int(np.searchsorted(total, 100 * p - 1e-9)), len(rounds) - 1)] for p in (0.05, 0.5, 0.95)
    )
    inner = (rounds >= p05) & (rounds <= p95)
    ax.bar(rounds[inner], shares[inner], width=0.85, color=BLUE)
    ax.bar(rounds[~inner], shares[~inner], width=0.85, color=BLUE, alpha=0.4)
    ax.axvline(median, color=INK, linewidth=1, linestyle=(0, (3, 2)))
    right = median - rounds.min() <= rounds.max() - median
    ax.annotate(
        f"median {median:g}",
        (median, 1),
        (4 if right else -4, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="left" if right else "right",
        va="top",
        fontsize=8,
    )
    ax.set_ylim(0, shares.max() * 1.18)
    ax.set_xlim(min(rounds.min(), median - 3) - 0.6, max(rounds.max(), median + 3) + 0.6)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.set_ylabel("games (%)")
    show_grid(ax, "y")
    frame_panel(ax, title, "rounds", rests_on)
    return ax


@styled(lambda frame: 3.0)
def tier_curves(frame: pl.DataFrame, ax: Axes, title: str = "", names: Sequence[str] = ()) -> Axes:
    """When seats get to their tiers: the share that has reached each by each round, with its band.

    Args:
        frame: ``tier``, ``round``, ``share``, ``low``, ``high``, ``at_risk``, ``n_seats``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
        names: Names of all tiers, from the first.
    """
    handles: list[Any] = []
    last = int(frame.filter(pl.col("at_risk") >= MIN_AT_RISK)["round"].max() or 1)  # type: ignore[arg-type]
    for i, ((tier,), part) in enumerate(frame.group_by(["tier"], maintain_order=True)):
        # Few on their way say little, unless that is because nearly all are there.
        enough = pl.any_horizontal(pl.col("at_risk") >= MIN_AT_RISK, pl.col("share") > ALL_THERE)
        shown = part.filter(enough & (pl.col("round") <= last))
        shown = part.head(1) if shown.is_empty() else shown
        stays = shown["share"][-1] > ALL_THERE
        at = np.concatenate([[0], shown["round"].to_numpy(), [last] * int(stays)])
        curves = [shown[column].to_numpy() for column in ("share", "low", "high")]
        share, low, high = (100 * np.concatenate([[0], curve, curve[-1:].repeat(int(stays))]) for curve in curves)
        # Where nobody or everybody is there the band only says how few deals there are.
        open_end = (share <= 0) | (share >= 100)
        low, high = np.where(open_end, share, low), np.where(open_end, share, high)
        colour, index = COLOURS[i % len(COLOURS)], int(str(tier))
        name = names[index] if index < len(names) else f"tier {tier}"
        ax.fill_between(at, low, high, step="post", color=colour, alpha=0.22, linewidth=0)
        dashes = DASHES[i % len(DASHES)]
        handles += ax.step(at, share, where="post", color=colour, linestyle=dashes, linewidth=1.7, label=name)
    ax.set_xlim(0, last)
    ax.set_ylim(0, 102)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    ax.set_ylabel("seats that got there (%)")
    show_grid(ax, "both")
    name_above(ax, handles, 2, 3.0)
    frame_panel(ax, title, "round", most(frame, "seat", "n_seats"), 14 + 12 * ((len(handles) - 1) // 2))
    return ax


def name_above(ax: Axes, handles: Sequence[Any], columns: int, length: float) -> None:
    """Name lines or bars in a row right above the plot, in the order in which they come."""
    # Matplotlib fills column by column; names are to be read row by row.
    ordered = [handle for column in range(columns) for handle in handles[column::columns]]
    ax.legend(
        handles=ordered, loc="lower left", bbox_to_anchor=(0, 0.99), ncols=columns, frameon=False, fontsize=8,
        handlelength=length, handleheight=0.9, columnspacing=1.2, labelspacing=0.25, borderpad=0, borderaxespad=0.2,
    )  # fmt: skip


@styled(lambda frame: 1.1 + 0.5 * max(frame["tier"].n_unique(), 1))
def tier_medians(
    frame: pl.DataFrame, ax: Axes, title: str = "", names: Sequence[str] = (), by: str = "strategy"
) -> Axes:
    """The median round in which each group gets to each tier, with its interval.

    Args:
        frame: ``tier``, ``median``, ``median_low``, ``median_high``, the column ``by``, ``n_games``, ``n_blocks``; a
            median that is not reached is not drawn, an open interval runs to the edge.
        ax: Where to draw.
        title: Name of the panel.
        names: Names of all tiers, from the first.
        by: Column that names the group.
    """
    groups = frame[by].unique(maintain_order=True).to_list()
    tiers = sorted(frame["tier"].unique().to_list())
    finite = [x for c in ("median", "median_high") for x in frame[c].drop_nulls().to_list()]
    right = max(finite, default=1) * 1.1
    named: set[str] = set()
    for row in frame.iter_rows(named=True):
        if row["median"] is None:
            continue
        i = groups.index(row[by])
        y = len(tiers) - 1 - tiers.index(row["tier"]) + 0.36 * (0.5 - (i + 0.5) / len(groups)) * 2
        colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        high = right if row["median_high"] is None else row["median_high"]
        ax.hlines([y], row["median_low"], high, color=colour, linewidth=2)
        ax.plot([row["median"]], [y], marker, color=colour, markersize=5)
        if row[by] not in named:
            named.add(row[by])
            ax.annotate(str(row[by]), (high, y), (6, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set_yticks(range(len(tiers)), [names[t] if t < len(names) else f"tier {t}" for t in reversed(tiers)])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.5, len(tiers) - 0.5)
    ax.set_xlim(0, right)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    show_grid(ax, "x")
    frame_panel(ax, title, "median round of getting there", most(frame, "seat"))
    return ax


@styled(lambda frame: 1.3 + 0.42 * max(frame.filter(pl.col("part") == "total").height, 1))
def score_bars(frame: pl.DataFrame, ax: Axes, title: str = "") -> Axes:
    """Where points come from: stacked parts, one bar a group, with the interval of the total.

    Args:
        frame: ``label``, ``part`` (``units``, ``row``, ``objectives``, ``total``), ``value``, ``low``, ``high``,
            ``n_games``, ``n_blocks``.
        ax: Where to draw.
        title: Name of the panel.
    """
    labels = frame["label"].unique(maintain_order=True).to_list()
    totals = frame.filter(pl.col("part") == "total")
    widest = float(totals["value"].max() or 1)  # type: ignore[arg-type]
    handles = []
    left = np.zeros(len(labels))
    rows = np.arange(len(labels))[::-1]
    for part, (colour, ink) in PARTS.items():
        values = frame.filter(pl.col("part") == part)["value"].to_numpy()
        handles.append(ax.barh(rows, values, left=left, height=0.62, color=colour, label=part))
        for row, x, value in zip(rows, left, values, strict=True):
            if value > 0.09 * widest:
                ax.text(x + value / 2, row, f"{value:.1f}", color=ink, ha="center", va="center", fontsize=8)
        left = left + values
    for row, total in zip(rows, totals.iter_rows(named=True), strict=True):
        ax.plot([total["low"], total["high"]], [row, row], color=INK, linewidth=1.6, marker="|", markersize=7)
        edge = max(x for x in (total["value"], total["high"]) if x == x)
        ax.annotate(f"{total['value']:.1f}", (edge, row), (5, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set_yticks(rows, labels)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, widest * 1.2)
    name_above(ax, handles, len(PARTS), 1.0)
    frame_panel(ax, title, "points per seat", most(totals), 18)
    return ax


_CURRENT = {INK: "currentColor", MUTED: "var(--muted)", FAINT: "var(--faint)"}


def svg_text(ax: Axes, prefix: str, alternative: str) -> str:
    """A figure as SVG to stand inside an HTML page: always the same, with its text alternative.

    Text and lines that are ink follow the page's colours, so that a dark page can be read; ids are made unique; nothing
    refers to anything outside.

    Args:
        ax: An axis of the figure.
        prefix: Begins every id; unique on the page.
        alternative: What the figure shows, in words.
    """
    text = _svg(ax)
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text).replace("xlink:href", "href")
    used = dict.fromkeys(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    ids = {name: f"{prefix}-{i}" for i, name in enumerate(used)}
    text = re.sub(r'\sid="([^"]+)"', lambda m: f' id="{ids[m[1]]}"' if m[1] in ids else "", text)
    text = re.sub(r'(href="#|url\(#)([^")]+)', lambda m: m[1] + ids[m[2]], text)
    for fixed, variable in _CURRENT.items():
        text = text.replace(fixed, variable)
    view = re.search(r'viewBox="[^"]*"', text)
    assert view is not None, "matplotlib writes a viewBox"
    head = f'<svg {view[0]} role="img" aria-label="{_attribute(alternative)}">'
    return head + _small(text[text.index(">") + 1 :]).strip()


def _small(text: str) -> str:
    """A drawing with no more than it needs: a hundredth of a point, no space that nobody sees, no empty background."""
    text = re.sub(r"<[^>]+>", lambda tag: re.sub(r"-?\d+\.\d{3,}", _hundredths, tag[0]), text)
    text = re.sub(r'<path d="[^"]*"\s+style="fill: none"\s*/>', "", text)
    text = re.sub(r"\s*\n\s*([LMCQz])", r"\1", text)
    text = re.sub(r'\n+"', '"', text)
    text = text.replace("; font-family: 'DejaVu Sans', sans-serif", "")  # the page says so once
    text = re.sub(r">\s+<", "><", text)
    return re.sub(r"<g>(?:<g>\s*</g>)*</g>", "", text)


def _hundredths(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def save(ax: Axes, folder: Path, name: str) -> list[Path]:
    """Write a figure as ``NAME.svg`` and ``NAME.png`` (on white, 200 dots per inch); returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    picture, drawing = folder / f"{name}.png", folder / f"{name}.svg"
    drawing.write_text(_svg(ax), encoding="utf-8")
    figure = _figure(ax)
    with matplotlib.rc_context(STYLE):
        figure.set(dpi=200, facecolor="white")
        FigureCanvasAgg(figure).print_png(picture, metadata={"Software": None})
    return [drawing, picture]


_drawings: WeakKeyDictionary[Figure, str] = WeakKeyDictionary()
"""Figures as SVG, kept because a panel goes both into the page and into a file, and drawing is what takes long."""


def _svg(ax: Axes) -> str:
    figure = _figure(ax)
    if figure not in _drawings:
        file = io.BytesIO()
        with matplotlib.rc_context(STYLE):
            FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None, "Creator": None})
        figure.set_layout_engine("none")  # what is where is settled now; to find out takes half of the drawing
        _drawings[figure] = file.getvalue().decode("utf-8")
    return _drawings[figure]


def _figure(ax: Axes) -> Figure:
    figure = ax.get_figure(root=True)
    assert figure is not None, "an axis in use has a figure"
    return figure


def _attribute(text: str) -> str:
    for mark, entity in (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(mark, entity)
    return text

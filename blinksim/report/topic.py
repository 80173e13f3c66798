"""A topic of the page: what is measured for one section, and how the section tells it.

Between the two stands the page, which gathers every tested number of every topic and adjusts them together
(Benjamini and Hochberg), so that a page with many cells does not flag by chance alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from blinksim.report.parts import Section
from blinksim.report.source import RunFacts, Source

Frames = Mapping[str, pl.DataFrame]
"""Measures by name, ``topic.measure``. A frame has columns that name the group (``players`` first), then those of an
estimate (``value``, ``low``, ``high``, ``n_blocks``, ``n_games``, ``method``), and may have ``p``, the probability of
what was seen if nothing were amiss; the page then adds ``q``, the same adjusted over the whole page."""


@dataclass(frozen=True)
class Topic:
    """One section of the page in two steps.

    Attributes:
        name: Its id; begins the names of its measures.
        measure: Takes the measures from the tables, which are scanned and never held.
        tell: Makes the section from the measures (its own, by full name; those of other topics are there too).
    """

    name: str
    measure: Callable[[Source], dict[str, pl.DataFrame]]
    tell: Callable[[RunFacts, Frames], Section]

"""Ratings: one number for how strong a strategy is, from whole rankings (Plackett and Luce).

The model: each strategy has a strength, and among those not placed yet the next place goes to each in proportion to its
strength. A game of four is one ranking of four, never six pairs. Fitted by maximum likelihood with the library
``choix`` (the extra ``ratings``). A strategy that sits on several seats of a game enters once for each.

Ratings are on the scale of chess, the mean of those rated being 0: 100 points more mean first place against that one
rival in 64 % of games. Games of one deal go together, so the covariance is that of the jackknife over blocks,
linearised: what leaving out a block changes is its score times the inverse of the information. Intervals are t
intervals with blocks - 1 degrees of freedom.

Only strategies that are ahead of each other at times can be compared: of the groups within which everybody can be
reached from everybody over "was placed ahead of", the largest is rated, the others are left out of its rankings, and
said to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse, stats

from blinksim.analysis.estimates import ESTIMATE_COLUMNS, LEVEL, Verdict
from blinksim.errors import UserError

POINTS = 400 / np.log(10)
"""Rating points per unit of the logarithm of strength."""
MIN_BLOCKS = 10
"""With fewer blocks the variance between them is hardly known, and no rating is believed."""
MAX_HALF_WIDTH = 100.0
"""Points; a wider interval cannot tell an even match from one that is won in 64 % of games."""
RATED = "rated"
NO_CHOIX = (
    "Ratings need the library choix, which is not installed; add it with: pip install 'blinksim[ratings]', "
    "then run the same again"
)


class MissingLibraryError(UserError):
    """A library of an extra is needed and not installed."""


@dataclass(frozen=True)
class Fit:
    """Strengths fitted to rankings.

    Attributes:
        params: (items,) float64, logarithms of strengths, their mean 0.
        covariance: (items, items) float64, linearised jackknife over blocks; nan with fewer than two blocks.
        num_blocks: How many blocks.
    """

    params: np.ndarray
    covariance: np.ndarray
    num_blocks: int


def fit(num_items: int, rankings: Sequence[Sequence[int]], blocks: Sequence[int]) -> Fit:
    """Maximum likelihood strengths of a Plackett-Luce model and their covariance over blocks.

    Args:
        num_items: How many items; every one must be reachable from every other over "was placed ahead of".
        rankings: Items from the best to the last; an item may come several times.
        blocks: By ranking, the number of its block.

    Raises:
        MissingLibraryError: choix is not installed.
    """
    choix = _choix()
    params = np.asarray(choix.ilsr_rankings(num_items, [tuple(r) for r in rankings], max_iter=1000))
    params = params - params.mean()
    names, index = np.unique(np.asarray(blocks), return_inverse=True)
    scores = np.zeros((len(names), num_items))
    information = np.zeros((num_items, num_items))
    sizes = np.array([len(ranking) for ranking in rankings])
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        placed = np.array([rankings[int(row)] for row in rows])
        for place in range(size - 1):
            _add_choice(params, placed[:, place:], index[rows], scores, information)
    # Strengths are known up to a common factor: that one direction has no information, but for rounding.
    inverse = np.linalg.pinv(information, rcond=1e-9, hermitian=True)
    factor = len(names) / (len(names) - 1) if len(names) > 1 else np.nan
    return Fit(params, factor * inverse @ scores.T @ scores @ inverse, len(names))


def _choix() -> Any:
    """The library that fits."""
    try:
        import choix
    except ImportError:
        raise MissingLibraryError(NO_CHOIX) from None
    return choix


def _add_choice(
    params: np.ndarray, left: np.ndarray, index: np.ndarray, scores: np.ndarray, information: np.ndarray
) -> None:
    """Add what one place of every game says: its score to that of the block, and its information.

    Args:
        params: (items,) logarithms of strengths.
        left: (games, candidates) items that are not placed yet, the one that gets the place first.
        index: (games,) number of the block.
        scores: (blocks, items), changed.
        information: (items, items), changed.
    """
    weight = np.exp(params[left])
    weight /= weight.sum(axis=1, keepdims=True)
    chance = np.zeros((len(left), len(params)))
    np.add.at(chance, (np.arange(len(left))[:, None], left), weight)
    information += np.diag(chance.sum(axis=0)) - chance.T @ chance
    np.add.at(scores, (index, left[:, 0]), 1.0)
    np.subtract.at(scores, index, chance)


def comparable(num_items: int, rankings: Sequence[Sequence[int]]) -> np.ndarray:
    """Which items can be rated together: the largest group in which each was ahead of each other, if by way of others.

    Returns:
        (items,) bool; of several largest groups the one with the lowest item; none where no group has two items.
    """
    ahead = np.zeros((num_items, num_items), dtype=bool)
    for ranking in rankings:
        for place, item in enumerate(ranking[:-1]):
            ahead[item, list(ranking[place + 1 :])] = True
    _, group = sparse.csgraph.connected_components(sparse.csr_matrix(ahead), connection="strong")
    sizes = np.bincount(group)[group]
    found: np.ndarray = group == group[int(np.argmax(sizes))]
    return found if sizes.max() > 1 else np.zeros(num_items, dtype=bool)


def rankings_of(seats: pl.LazyFrame) -> pl.DataFrame:
    """Decided games as rankings: ``players``, ``deal``, ``ranking`` (strategies from the first place to the last).

    Equal places are put in the order of the seats in even games and against it in odd ones, so that in many games
    neither gains; a victory is shared seldom.
    """
    side = pl.when(pl.col("game") % 2 == 0).then(pl.col("seat")).otherwise(-pl.col("seat").cast(pl.Int64))
    keys = ["players", "deal", "game"]
    return (
        seats.filter(pl.col("win_share").is_not_null())
        .select(*keys, "line_up", "rank", side=side, name=pl.col("strategy").cast(pl.String))
        .sort(*keys, "rank", "side")
        .group_by(keys, maintain_order=True)
        .agg(ranking=pl.col("name"))
        .select("players", "deal", "ranking")
        .collect()
    )


RATING_COLUMNS: dict[str, Any] = {
    "players": pl.Int64,
    "strategy": pl.String,
    **ESTIMATE_COLUMNS,
    "verdict": pl.String,
    "reason": pl.String,
}


def ratings(rankings: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Ratings by player count, and of all games together where there are several.

    Args:
        rankings: From :func:`rankings_of`.
        level: Confidence level of each rating's interval.

    Returns:
        ``players`` (0 for all games together), ``strategy``, the columns of an estimate in rating points (``value`` is
        nan where there is none; games in which no two that are rated meet do not count), ``verdict`` (``rated`` or
        ``not enough games``), ``reason`` (why not; else empty); the strongest first.

    Raises:
        MissingLibraryError: choix is not installed.
    """
    _choix()  # to say so at once where it is missing, whatever the games are
    counts = sorted(rankings["players"].unique().to_list())
    parts = [(n, rankings.filter(pl.col("players") == n)) for n in counts]
    if len(counts) > 1:
        parts.append((0, rankings))
    rows = [row for n, part in parts for row in _rate(n, part, level)]
    return pl.DataFrame(rows, schema=RATING_COLUMNS, orient="row")


def _rate(players: int, part: pl.DataFrame, level: float) -> list[tuple[Any, ...]]:
    """The rows of one player count."""
    names = sorted({name for ranking in part["ranking"] for name in ranking})
    number = {name: i for i, name in enumerate(names)}
    rankings = [[number[name] for name in ranking] for ranking in part["ranking"].to_list()]
    blocks = (part["deal"].cast(pl.Int64) * 8 + part["players"].cast(pl.Int64)).to_list()
    method = f"Plackett-Luce (choix), {100 * level:.4g} % t interval, linearised jackknife over blocks"
    rated = comparable(len(names), rankings)
    kept = [([i for i in ranking if rated[i]], block) for ranking, block in zip(rankings, blocks, strict=True)]
    kept = [(ranking, block) for ranking, block in kept if len(set(ranking)) > 1]
    rows: list[tuple[Any, ...]] = []
    if kept:
        place = np.cumsum(rated) - 1
        found = fit(int(rated.sum()), [[int(place[i]) for i in r] for r, _ in kept], [b for _, b in kept])
        t = float(stats.t.ppf(0.5 + level / 2, found.num_blocks - 1)) if found.num_blocks > 1 else np.nan
        half = POINTS * t * np.sqrt(np.maximum(np.diag(found.covariance), 0))
        for name in (name for name, is_rated in zip(names, rated, strict=True) if is_rated):
            i = int(place[number[name]])
            value, games, own = POINTS * float(found.params[i]), *_basis(number[name], kept)
            reason = _doubt(found.num_blocks, float(half[i]))
            verdict = str(Verdict.NOT_ENOUGH) if reason else RATED
            low, high = value - float(half[i]), value + float(half[i])
            rows.append((players, name, value, low, high, own, games, method, verdict, reason))
    for name in (name for name, is_rated in zip(names, rated, strict=True) if not is_rated):
        games, own = _basis(number[name], list(zip(rankings, blocks, strict=True)))
        why = _apart(number[name], rated, rankings)
        rows.append((players, name, np.nan, np.nan, np.nan, own, games, method, str(Verdict.NOT_ENOUGH), why))
    return sorted(rows, key=lambda row: (np.isnan(row[2]), -row[2], row[1]))


def _basis(item: int, rankings: Sequence[tuple[Sequence[int], int]]) -> tuple[int, int]:
    """How many rankings have an item, on how many blocks."""
    own = [block for ranking, block in rankings if item in ranking]
    return len(own), len(set(own))


def _doubt(num_blocks: int, half: float) -> str:
    """Why a rating is not to be believed; empty where it is."""
    if num_blocks < MIN_BLOCKS:
        return f"{num_blocks} deals, fewer than {MIN_BLOCKS}"
    if not half <= MAX_HALF_WIDTH:
        return f"the interval is wider than {MAX_HALF_WIDTH:g} points to either side"
    return ""


def _apart(item: int, rated: np.ndarray, rankings: Sequence[Sequence[int]]) -> str:
    """Why an item cannot be rated with the others."""
    met = [r for r in rankings if item in r and any(rated[i] for i in r)]
    ahead = sum(any(rated[i] for i in r[r.index(item) + 1 :]) for r in met)
    behind = sum(any(rated[i] for i in r[: len(r) - 1 - r[::-1].index(item)]) for r in met)
    if met and not ahead:
        return "never ahead of any that is rated"
    if met and not behind:
        return "never behind any that is rated"
    return "not compared with any that is rated"

"""Anomalies: the games that stand out in one way or another, for somebody to look at.

Extremes, not estimates: of the games there are, which lasted longest, was won by most, turned most. Where several are
as extreme, the one with the lowest number stands for them, so that the same games are named every time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from blinksim.analysis.courses import Course
from blinksim.analysis.drama import sole_winner
from blinksim.simulate.schedule import GameKey

STALLED, LONGEST, SHORTEST, MARGIN = "stalled", "longest", "shortest", "margin"
COMEBACK, CAPTURES, HIGHEST, LOWEST, GOLD = "comeback", "captures", "highest", "lowest", "gold"
WHATS = (STALLED, LONGEST, SHORTEST, MARGIN, COMEBACK, CAPTURES, HIGHEST, LOWEST, GOLD)
"""What games stand out by, see :func:`extremes`."""

LEAST = (SHORTEST, LOWEST)
"""Of these the least is looked for; of all others the most."""

KEY = ("players", "deal", "variant", "line_up", "hand_shift", "seat_shift", "replicate")
EXTREMES = {
    "players": pl.Int8, "what": pl.String, "value": pl.Int64, "round": pl.Int64, "seat": pl.Int64, "games": pl.Int64,
    "game": pl.Int64, "line_up": pl.Int64, "key": pl.String, "n_games": pl.Int64, "n_blocks": pl.Int64,
}  # fmt: skip
"""Columns of :func:`extremes`."""


def extremes(
    games: pl.LazyFrame,
    seats: pl.LazyFrame,
    courses: Sequence[Course] | None = None,
    duels: pl.LazyFrame | None = None,
) -> pl.DataFrame:
    """The games of each player count that stand out.

    Args:
        games: The table ``games``.
        seats: The table ``seats``.
        courses: The games round by round, with their winners; without them no comeback is looked for.
        duels: The table ``duels``; without it no captures are.

    Returns:
        ``players``; ``what`` and ``value``: ``stalled`` (rounds of a stalled game), ``longest`` and ``shortest``
        (rounds of a decided one), ``margin`` (points of the best seat over the second best in a decided one),
        ``comeback`` (the most points that the only winner was behind somebody after a round), ``captures`` (tiles
        taken by attack), ``highest`` and ``lowest`` (points of the best seat of a decided one), ``gold`` (the most
        that a seat had left at the end); ``round`` (of ``comeback``, else null) and ``seat`` (of ``comeback``: who
        came back; of ``gold``: whose it was; else null); ``games``, how many games have this value; ``game``,
        ``line_up`` and ``key``, the first of them; ``n_games`` and ``n_blocks``, of how many games on how many deals
        it is the extreme.
    """
    ends = _ends(games, seats)
    decided = ends.filter("decided")
    found = [
        _extreme(ends.filter(~pl.col("decided")), STALLED, pl.col("rounds")),
        _extreme(decided, LONGEST, pl.col("rounds")),
        _extreme(decided, SHORTEST, pl.col("rounds")),
        _extreme(decided, MARGIN, pl.col("best") - pl.col("second")),
        _extreme(decided, HIGHEST, pl.col("best")),
        _extreme(decided, LOWEST, pl.col("best")),
        _extreme(ends, GOLD, pl.col("gold"), pl.col("richest")),
    ]
    if courses is not None:
        behind = [_behind(course) for course in courses]
        if behind:
            found.append(_extreme(pl.concat(behind), COMEBACK, pl.col("behind"), pl.col("seat"), pl.col("round")))
    if duels is not None:
        found.append(_extreme(_captures(duels), CAPTURES, pl.col("captures")))
    sizes = ends.group_by("players").agg(n_games=pl.len().cast(pl.Int64), n_blocks=pl.col("deal").n_unique())
    named = pl.concat(found).join(ends.select("game", *KEY), on=["players", "game"]).join(sizes, on="players")
    keys = [str(GameKey(*row)) for row in named.select(KEY).iter_rows()]
    order = pl.Enum(WHATS)
    return (
        named.with_columns(key=pl.Series(keys, dtype=pl.String))
        .sort("players", pl.col("what").cast(order))
        .select(pl.col(name).cast(kind) for name, kind in EXTREMES.items())
    )


def outstanding(found: pl.DataFrame, whats: tuple[str, ...], most: int) -> pl.DataFrame:
    """The games to look at: for each of some ways to stand out, the one that does so most, whoever many play.

    Args:
        found: From :func:`extremes`.
        whats: Ways, the first ones first.
        most: How many games at most; one that stands out in two ways counts once.

    Returns:
        ``players``, ``game``, ``key``, ``line_up`` and ``whats``, the ways with commas between, in the order given.
    """
    chosen: dict[str, tuple[dict[str, object], list[str]]] = {}
    for what in whats:
        rows = found.filter(pl.col("what") == what).sort("value", "players", descending=[what not in LEAST, False])
        if rows.is_empty():
            continue
        row = rows.row(0, named=True)
        if row["key"] in chosen or len(chosen) < most:
            chosen.setdefault(row["key"], (row, []))[1].append(what)
    plain = [
        {name: row[name] for name in ("players", "game", "key", "line_up")} | {"whats": ",".join(names)}
        for row, names in chosen.values()
    ]
    types = {name: EXTREMES[name] for name in ("players", "game", "key", "line_up")}
    return pl.DataFrame(plain, schema=types | {"whats": pl.String})


def of_games(table: pl.LazyFrame, chosen: pl.DataFrame) -> pl.DataFrame:
    """The rows of a few games, with their ``key``.

    Args:
        table: A fact table.
        chosen: ``players``, ``game`` and ``key``, a row per game.
    """
    # A condition on numbers, unlike a join, lets the reader skip whole parts of the files.
    one = [(pl.col("players") == n) & (pl.col("game") == game) for n, game in chosen.select("players", "game").rows()]
    rows = table.filter(pl.any_horizontal(one) if one else pl.lit(False)).collect(engine="streaming")
    return rows.join(chosen.select("players", "game", "key"), on=["players", "game"])


def _ends(games: pl.LazyFrame, seats: pl.LazyFrame) -> pl.DataFrame:
    """One row per game: its key, how it ended, and the best of its seats."""
    decided = pl.col("outcome").cast(pl.String) != "stalled"
    of_games = games.select("game", *KEY, pl.col("rounds").cast(pl.Int64), decided=decided).collect(engine="streaming")
    of_seats = seats.select("players", "game", "seat", "points", "gold").collect(engine="streaming")
    best = [_best(of_seats.filter(pl.col("players") == n), n) for n in of_seats["players"].unique().sort()]
    return of_games.join(pl.concat(best), on=["players", "game"]) if best else of_games.clear()


def _best(seats: pl.DataFrame, players: int) -> pl.DataFrame:
    """By game of one player count: the best points and the second best, the most gold and whose it is."""
    # Side by side as arrays: the second best by groups would take ten times as long.
    rows = seats.sort("game", "seat")
    points, gold = (rows[name].to_numpy().reshape(-1, players) for name in ("points", "gold"))
    in_order = np.sort(points, axis=1)
    return pl.DataFrame(
        {
            "players": np.full(len(points), players, np.int8), "game": rows["game"].gather_every(players),
            "best": in_order[:, -1], "second": in_order[:, -2],
            "gold": gold.max(axis=1), "richest": gold.argmax(axis=1),
        }
    )  # fmt: skip


def _extreme(
    rows: pl.DataFrame,
    what: str,
    value: pl.Expr,
    seat: pl.Expr | None = None,
    number: pl.Expr | None = None,
) -> pl.DataFrame:
    """The first of the most extreme rows of each player count."""
    wanted = pl.col("value").min() if what in LEAST else pl.col("value").max()
    nothing = pl.lit(None, pl.Int64)
    found = (
        rows.select(
            "players", pl.col("game").cast(pl.Int64), value=value.cast(pl.Int64),
            seat=nothing if seat is None else seat, round=nothing if number is None else number,
        )
        .filter(pl.col("value") == wanted.over("players"))
        .sort("players", "game")
        .group_by("players", maintain_order=True)
        .agg(pl.col("game", "value", "seat", "round").first(), games=pl.len().cast(pl.Int64))
    )  # fmt: skip
    return found.with_columns(what=pl.lit(what))


def _behind(course: Course) -> pl.DataFrame:
    """By game that one player won after being behind: the most points behind, the first round that saw it, the seat."""
    winner = sole_winner(course)
    own = course.score[np.repeat(winner, course.rounds), np.arange(course.score.shape[1])]
    behind = course.score.max(axis=0) - own
    most = np.maximum.reduceat(behind, course.start) if len(course.start) else np.zeros(0, np.int16)
    at = np.where(behind == np.repeat(most, course.rounds), course.number, np.iinfo(np.int16).max)
    first = np.minimum.reduceat(at, course.start) if len(course.start) else np.zeros(0, np.int16)
    frame = pl.DataFrame(
        {
            "game": course.game.astype(np.int64), "behind": most.astype(np.int64), "seat": winner,
            "round": first.astype(np.int64),
        }
    )  # fmt: skip
    came_back = frame.filter((pl.col("seat") >= 0) & (pl.col("behind") > 0))
    return came_back.select(pl.lit(course.players, pl.Int8).alias("players"), pl.all())


def _captures(duels: pl.LazyFrame) -> pl.DataFrame:
    """How many tiles were taken by attack, in the games in which any was."""
    return (
        duels.filter(pl.col("captured"))
        .group_by("players", "game")
        .agg(captures=pl.len().cast(pl.Int64))
        .collect(engine="streaming")
    )

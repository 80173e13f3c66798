"""What pairing can gain at most: the same deals played twice by players of one skill whose choices part at once.

Where two rulesets' games have parted, all that they still have in common is the deal. How much that is worth is seen
without any change of rules: from the same line-up with other draws (replicates), or from two line-ups of one strategy
that weigh a few things differently. The gain there is the most that pairing can give once a change has bitten; where a
change bites late, games run alike until then and the gain is larger.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import polars as pl

from blinksim.analysis import compare, metrics
from blinksim.errors import UserError
from blinksim.simulate.prepared import experiment_of
from blinksim.simulate.schedule import make_plan
from blinksim.store.reading import Run

Relabel = Callable[[pl.LazyFrame], pl.LazyFrame]


def luck_bounds(run: Run) -> pl.DataFrame:
    """The gain of pairing between games that share nothing but the deal.

    Args:
        run: Of one ruleset; line-ups with replicates are held against themselves, neighbouring line-ups of one strategy
            with other parameters against each other.

    Returns:
        ``players``, ``pair`` (in words), ``metric``, ``title``, ``gain``, ``n_blocks``, ``n_games``.

    Raises:
        UserError: the run has neither.
    """
    experiment = experiment_of(run)
    tiers = list(run.manifest["rulesets"][0]["parameters"]["tiers"]["name"])
    rows = []
    for players, schedule in make_plan(experiment).schedules.items():
        known = metrics.metrics_of(tiers, [], players)
        for words, relabel in _pairs(schedule.line_ups, experiment.replicates):
            sums = metrics.sums(partial(_pair_of, run, players, relabel), tiers, [])
            for metric in known:
                found = compare.compared(sums, 0, 1, metric.name, players)
                rows.append((players, words, metric.name, metric.title, found.gain, found.n_blocks, found.n_games))
    if not rows:
        raise UserError(
            f"{run.place} has no line-up twice: no replicates, and no strategy with other parameters beside it"
        )
    names = ["players", "pair", "metric", "title", "gain", "n_blocks", "n_games"]
    return pl.DataFrame(rows, schema=names, orient="row")


def _pair_of(run: Run, players: int, relabel: Relabel, table: str) -> pl.LazyFrame:
    """A table's rows of one player count as two variants."""
    return relabel(run.scan(table).filter(pl.col("players") == players))


def _pairs(line_ups: tuple[tuple[str, ...], ...], replicates: int) -> list[tuple[str, Relabel]]:
    """What is held against each other: in words, and how its rows become those of two variants."""
    found: list[tuple[str, Relabel]] = []
    for number, line_up in enumerate(line_ups):
        if replicates > 1 and set(line_up) == {"random"}:
            found.append((f"{line_up[0]}, drawing anew", partial(_by_replicate, number)))
    for number, (one, two) in enumerate(pairwise(line_ups)):
        if one != two and [name.partition(":")[0] for name in one] == [name.partition(":")[0] for name in two]:
            found.append((f"{one[0]}, weighing otherwise", partial(_by_line_up, number)))
    return found


def _by_replicate(line_up: int, rows: pl.LazyFrame) -> pl.LazyFrame:
    """The first two replicates of a line-up as two variants."""
    mine = rows.filter(pl.col("line_up") == line_up, pl.col("replicate") < 2)
    return mine.with_columns(variant=pl.col("replicate").cast(pl.Int16), replicate=pl.lit(0))


def _by_line_up(line_up: int, rows: pl.LazyFrame) -> pl.LazyFrame:
    """A line-up and the next as two variants."""
    mine = rows.filter(pl.col("line_up").is_between(line_up, line_up + 1), pl.col("replicate") == 0)
    return mine.with_columns(variant=(pl.col("line_up") - line_up).cast(pl.Int16), line_up=pl.lit(0))

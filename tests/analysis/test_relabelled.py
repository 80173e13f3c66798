"""A ruleset against itself: games of one ruleset, played twice with other draws, under two labels."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from blinksim.analysis import compare, metrics
from blinksim.analysis.compare import DIFFERENT
from blinksim.games.game import get_game
from blinksim.players.roster import find_player
from blinksim.simulate.batch import run
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.prepared import Entrant, prepare
from blinksim.store.reading import open_run

COMPARISONS = 1000
LOOKS = (40, 60, 90, 120)
"""Deals at which each comparison is looked at."""


@pytest.mark.soak
def test_1000_watched_comparisons_of_a_ruleset_with_itself_raise_a_flag_in_at_most_five_per_cent(
    tmp_path: Path,
) -> None:
    """Every metric, every look, Benjamini–Hochberg over the page; the players draw anew, the deals are the same."""
    deals = LOOKS[-1]
    player = find_player("random")
    plan = {
        "question": "Does nothing look like something?", "players": [3], "line_ups": [{"mirror": ["random"]}],
        "deals": COMPARISONS * deals, "seed": 11, "replicates": 2, "deals_per_shard": deals,
    }  # fmt: skip
    batch = prepare(parse_experiment(plan, "test"), {"random": Entrant("random", player, player.fingerprint)})
    run(batch, tmp_path / "run")
    played = open_run(tmp_path / "run")
    tiers = list(get_game("blink").ruleset_data(batch.rulesets[0])["tiers"]["name"])
    known = metrics.metrics_of(tiers, [], 3)
    flagged = []
    for number in played.shards:
        part = replace(played, shards={number: played.shards[number]})
        sums = metrics.sums(
            lambda table, part=part: part.scan(table).with_columns(variant=pl.col("replicate")), tiers, []
        )
        first = int(sums["deal"].min())  # type: ignore[arg-type]
        flagged.append(any(DIFFERENT in verdicts(sums, first + look, known) for look in LOOKS))
    assert len(flagged) == COMPARISONS
    print(f"{np.mean(flagged):.1%} of {COMPARISONS} comparisons raised a flag")
    assert np.mean(flagged) <= 0.05


def verdicts(sums: pl.DataFrame, before: int, known: list[metrics.Metric]) -> list[str]:
    rows = compare.table(sums.filter(pl.col("deal") < before), known, 3, ["one", "two"], "random")
    return compare.with_verdicts(rows)["verdict"].to_list()

"""Comparisons: what is watched, decided and told, on synthetic sums and on tiny games."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from blinksim.analysis import compare, metrics
from blinksim.analysis.compare import DIFFERENT, EQUAL, NOT_ENOUGH, Question
from blinksim.analysis.comparison import Comparison, Setting, compare_versions, results
from blinksim.analysis.sequential import Decision, RatioTest
from blinksim.games.game import get_game
from blinksim.players.roster import find_player
from blinksim.simulate.prepared import Entrant
from blinksim.simulate.versions import Version, parse_version

BLINK = get_game("blink")
STANDARD = Version("standard", "standard")


def entrants(*names: str) -> dict[str, Entrant]:
    players = {name: find_player(name) for name in names}
    return {name: Entrant(name, p, p.fingerprint) for name, p in players.items()}


def compared(folder: Path, *texts: str, question: Question | None = None, budget: int = 600, **more: Any) -> Comparison:
    versions = [STANDARD, *(parse_version(text, BLINK, STANDARD) for text in texts)]
    return compare_versions(
        BLINK, versions, [Setting("random", [{"mirror": ["random"]}], budget)], entrants("random"),
        question or Question("rounds", RatioTest(0.25)), 2, 3, folder, workers=2, **more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def tall(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return compared(tmp_path_factory.mktemp("runs"), "tall:tiers.wall[1]=14", "rich:setup.starting_gold=6")


def test_rules_of_both_are_told(tall: Comparison) -> None:
    assert tall.differences[1] == [("tiers.wall", [10, 12, 14, 16, 18], [10, 14, 14, 16, 18])]
    assert [key for key, _, _ in tall.differences[2]] == ["setup.starting_gold"]


def test_rows_have_every_metric_that_counted_something(tall: Comparison) -> None:
    known = {m.name for m in tall.levels[0].watched.metrics}
    for variant in ("tall", "rich"):
        mine = tall.rows.filter(pl.col("variant") == variant)
        assert set(mine["metric"]) <= known
        assert {"seat_spread", "rounds", "gold_income", "attack_rate"} <= set(mine["metric"])


def test_values_are_those_of_the_games(tall: Comparison) -> None:
    watched = tall.levels[0].watched
    deals = int(watched.sums["deal"].max()) + 1  # type: ignore[arg-type]
    games = watched.run.scan("games").filter(pl.col("deal") < deals, pl.col("variant") == 2).collect()
    row = tall.rows.filter((pl.col("variant") == "rich") & (pl.col("metric") == "rounds")).row(0, named=True)
    assert row["other"] == pytest.approx(games["rounds"].mean())
    assert row["n_blocks"] == deals
    assert row["n_games"] == 2 * games.height


def test_games_run_alike_until_the_change_bites(tall: Comparison) -> None:
    parted = tall.levels[0].parting
    assert parted[1]["games"].sum() == parted[2]["games"].sum()
    first_wall = parted[1].filter(pl.col("round").is_not_null())["round"].min()
    assert first_wall is not None and first_wall > 1, (
        "nobody stands behind a wall of the second tier in the first round"
    )
    assert parted[2].row(0, named=True) == {"round": 1, "games": parted[2]["games"][0]}, "gold is there from the start"


def test_results_are_plain_data(tall: Comparison) -> None:
    import json

    told = json.loads(json.dumps(results(tall), allow_nan=False))
    assert [v["name"] for v in told["versions"]] == ["standard", "tall", "rich"]
    assert told["levels"][0]["stopped"] in ("answered", "budget")
    assert {row["verdict"] for row in told["metrics"]} <= {DIFFERENT, EQUAL, NOT_ENOUGH}


def test_the_answer_does_not_depend_on_workers_or_on_what_was_there(tmp_path: Path, tall: Comparison) -> None:
    versions = [
        STANDARD,
        *(parse_version(t, BLINK, STANDARD) for t in ("tall:tiers.wall[1]=14", "rich:setup.starting_gold=6")),
    ]
    setting = Setting("random", [{"mirror": ["random"]}], 600)

    def once(workers: int) -> Comparison:
        question = Question("rounds", RatioTest(0.25))
        return compare_versions(
            BLINK, versions, [setting], entrants("random"), question, 2, 3, tmp_path, workers=workers
        )

    for found in (once(1), once(2)):
        assert [str(look) for look in found.levels[0].watched.looks] == [
            str(look) for look in tall.levels[0].watched.looks
        ]
        assert found.rows.equals(tall.rows, null_equal=True) or str(found.rows) == str(tall.rows)


def test_the_same_rules_are_the_same_games(tmp_path: Path) -> None:
    found = compared(tmp_path, "twin:setup.starting_gold=0")
    assert found.levels[0].watched.stopped == "answered"
    assert found.levels[0].watched.decisions == {1: Decision.SAME}
    assert set(found.rows["verdict"]) == {EQUAL}
    assert found.levels[0].parting[1]["round"].to_list() == [None]


def test_what_never_happened_is_not_ruled_out_by_a_few_deals(tmp_path: Path) -> None:
    question = Question("stalls", RatioTest(0.005))
    found = compared(tmp_path, "tall:tiers.wall[4]=19", question=question, budget=200)
    watched = found.levels[0].watched
    assert watched.looks[-1].difference == 0
    assert watched.decisions == {1: Decision.OPEN}
    row = found.rows.filter(pl.col("metric") == "stalls").row(0, named=True)
    assert row["verdict"] == NOT_ENOUGH and row["low"] < -0.005


def test_one_duel_under_each_version_is_no_difference() -> None:
    frames = []
    for variant in (0, 1):
        y, x = [0.0] * 60, [0.0] * 60
        x[variant], y[variant] = 1.0, float(variant)
        keys = {"players": 3, "variant": variant, "deal": list(range(60)), "games": 6}
        frames.append(pl.DataFrame({**keys, "duel_success|y": y, "duel_success|x": x}))
    metric = metrics.Metric("duel_success", "attacks that beat a unit", metrics.SHARE, 0.03)
    for was_watched in (True, False):
        rows = compare.table(pl.concat(frames), [metric], 3, ["a", "b"], "random", was_watched)
        assert compare.with_verdicts(rows)["verdict"].to_list() == [NOT_ENOUGH]


def test_games_that_one_version_lacks_do_not_part() -> None:
    game = {"players": 2, "deal": 0, "line_up": 0, "replicate": 0, "hand_shift": 0, "seat": 0}
    there = [(0, 0, 1, 5), (0, 0, 2, 6), (1, 0, 1, 5), (1, 0, 2, 7), (1, 1, 1, 9)]  # one game failed under the base
    frame = pl.DataFrame(
        [game | {"variant": v, "seat_shift": s, "round": r, "digest": d} for v, s, r, d in there], orient="row"
    )
    assert compare.parting(lambda table: frame.lazy(), 1).rows() == [(2, 1)]


def test_a_precision_is_played_for(tmp_path: Path) -> None:
    question = Question("rounds", RatioTest(0.25), precision=3.0)
    found = compared(tmp_path, "rich:setup.starting_gold=6", question=question, budget=4000)
    watched = found.levels[0].watched
    assert watched.stopped == "precise"
    assert watched.looks[-1].half_width <= 3.0


def test_out_of_time(tmp_path: Path) -> None:
    question = Question("seat_spread", RatioTest(0.0001), seconds=0.0)
    found = compared(tmp_path, "rich:setup.starting_gold=6", question=question, budget=100_000)
    assert found.levels[0].watched.stopped == "time"
    assert found.levels[0].watched.decisions[1] == Decision.OPEN


def test_an_unknown_metric_stops_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(metrics.UnknownMetricError):
        compared(tmp_path, "rich:setup.starting_gold=6", question=Question("glory", RatioTest(0.1)))
    assert not any(tmp_path.iterdir())


def rows(*cells: tuple[float, float, float]) -> pl.DataFrame:
    """Rows of (value, half-width, p), margin 1."""
    return pl.DataFrame(
        [{"value": v, "low": v - h, "high": v + h, "p": p, "margin": 1.0} for v, h, p in cells], orient="row"
    )


def test_verdicts() -> None:
    found = compare.with_verdicts(
        rows((0.2, 0.1, 1e-9), (3.0, 0.5, 1e-9), (0.5, 2.0, 0.6), (math.nan, math.nan, math.nan))
    )
    assert found["verdict"].to_list() == [EQUAL, DIFFERENT, NOT_ENOUGH, NOT_ENOUGH]


def test_one_low_probability_among_many_is_no_flag() -> None:
    found = compare.with_verdicts(rows((2.0, 1.9, 0.03), *[(0.0, 2.0, 0.9)] * 30))
    assert found["verdict"][0] == NOT_ENOUGH
    assert found["q"][0] == pytest.approx(0.03 * 31 / 1, abs=0.05)


def synthetic(rng: np.random.Generator, deals: int, effect: float = 0.0) -> pl.DataFrame:
    """Sums of three metrics of two versions on the same deals: a share, a length, and points that follow both."""
    frames = []
    luck = rng.normal(0, 1, deals)
    for variant in (0, 1):
        x = np.full(deals, 6.0)
        wins = rng.binomial(6, np.clip(1 / 3 + effect * variant + 0.02 * luck, 0, 1))
        length = 8 + 0.5 * luck + rng.normal(0, 0.5, deals)
        frames.append(
            pl.DataFrame(
                {"players": 3, "variant": variant, "deal": np.arange(deals), "games": 6,
                 "wins|y": wins.astype(float), "wins|x": x, "length|y": 6 * length, "length|x": x,
                 "points|y": 6 * (20 + length + wins / 6), "points|x": x}
            )
        )  # fmt: skip
    return pl.concat(frames)


def any_flag(seed: int, looks: tuple[int, ...] = (40, 80, 160, 320)) -> bool:
    """Whether a comparison of a version with itself raises a flag at any look."""
    sums = synthetic(np.random.default_rng(seed), looks[-1])
    for deals in looks:
        part = sums.filter(pl.col("deal") < deals)
        cells = []
        for metric in ("wins", "length", "points"):
            found = compare.compared(part, 0, 1, metric, 3)
            p = compare.sequential.sequence_p(found.value, found.standard_error, found.n_blocks)
            cells.append((found.value, 9.0, p))
        if DIFFERENT in compare.with_verdicts(rows(*cells))["verdict"].to_list():
            return True
    return False


def test_a_version_against_itself_is_flagged_in_at_most_five_per_cent_of_200_watched_comparisons() -> None:
    assert np.mean([any_flag(seed) for seed in range(200)]) <= 0.05


def test_a_real_difference_is_flagged() -> None:
    sums = synthetic(np.random.default_rng(1), 400, effect=0.1)
    found = compare.compared(sums, 0, 1, "wins", 3)
    assert found.value == pytest.approx(0.1, abs=0.04)
    assert compare.sequential.sequence_p(found.value, found.standard_error, 400) < 0.001

"""The laboratory plays what a run plays; axes of searches; what a sampler hands to a search."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from blinksim.analysis import metrics
from blinksim.analysis.laboratory import Laboratory
from blinksim.analysis.searching import Sampler, axis_of
from blinksim.analysis.sweep import curves, sums_of, sweep_data
from blinksim.errors import UserError
from blinksim.games.game import get_game
from blinksim.players.roster import find_player
from blinksim.simulate.axes import Axis, AxisError
from blinksim.simulate.batch import run
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.prepared import Entrant, prepare
from blinksim.simulate.versions import Version
from blinksim.store.reading import open_run

BLINK = get_game("blink")
STANDARD = Version("standard", "standard")
LINE_UPS = [{"mirror": ["random"]}]
GOLD = Axis("setup.starting_gold", ("0", "2", "4"))


@pytest.fixture(scope="module")
def entrants() -> dict[str, Entrant]:
    player = find_player("random")
    return {"random": Entrant("random", player, player.fingerprint)}


@pytest.fixture(scope="module")
def laboratory(entrants: dict[str, Entrant]) -> Laboratory:
    return Laboratory(BLINK, STANDARD, LINE_UPS, 2, 5, entrants, workers=2)


@pytest.fixture(scope="module")
def swept(entrants: dict[str, Entrant], tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    folder: Path = tmp_path_factory.mktemp("runs") / "sweep"
    data = sweep_data(STANDARD, [GOLD], 2, LINE_UPS, 12, 5)
    run(prepare(parse_experiment(data, "sweep", BLINK), entrants), folder, workers=2)
    tiers = ["Tribe", "Settlement", "Kingdom", "Empire", "Civilization"]
    return sums_of(open_run(folder), tiers, [])


def test_a_laboratory_plays_the_games_of_a_run(laboratory: Laboratory, swept: pl.DataFrame) -> None:
    rulesets = [laboratory.ruleset([f"{GOLD.key}={value}"]) for value in GOLD.values]
    parts = [laboratory.play(rulesets, 0, 5), laboratory.play(rulesets, 5, 7)]
    assert pl.concat(parts).sort(metrics.KEYS).equals(swept)


def test_a_laboratory_counts_its_games(entrants: dict[str, Entrant]) -> None:
    found = Laboratory(BLINK, STANDARD, LINE_UPS, 2, 5, entrants, workers=1)
    found.play([found.ruleset(())], 0, 3)
    assert found.games == 3 * found.games_per_deal == 6


def test_present_values(laboratory: Laboratory) -> None:
    assert laboratory.value("tiers.wall[2]") == 14
    assert laboratory.value("trick.last_place_gold") == 1
    with pytest.raises(UserError, match=r"did you mean \"tiers.wall\""):
        laboratory.value("tiers.wal[2]")
    with pytest.raises(UserError, match="whole number"):
        laboratory.value("setup.draft")


def test_an_axis_without_values_has_the_lawful_ones_around_the_present(laboratory: Laboratory) -> None:
    assert axis_of("tiers.wall[2]", laboratory).values == tuple(map(str, range(6, 23)))
    assert axis_of("trick.last_place_gold", laboratory).values[0] == "0"
    assert axis_of("tiers.wall[2]=11..13", laboratory).values == ("11", "12", "13")


@pytest.mark.parametrize("text", ["setup.draft=true,false", "tiers.wall[2]=11,12"])
def test_an_axis_of_names_or_of_two_values_is_none(text: str, laboratory: Laboratory) -> None:
    with pytest.raises(AxisError, match="3 numbers or more"):
        axis_of(text, laboratory)


def test_a_value_that_is_not_lawful_is_refused_before_anything_is_played(laboratory: Laboratory) -> None:
    with pytest.raises(UserError, match=r"tiers\.wall"):
        axis_of("tiers.wall[2]=59..63", laboratory)


def test_a_sampler_hands_out_sums_in_deal_order(laboratory: Laboratory, swept: pl.DataFrame) -> None:
    said: list[str] = []
    sampler = Sampler(laboratory, GOLD, "gold_income", said.append)
    (y, x), (last_y, _) = sampler([0, 2], 2, 4)
    wanted = swept.filter((pl.col("variant") == 0) & pl.col("deal").is_between(2, 5))
    assert np.array_equal(y, wanted["gold_income|y"].to_numpy())
    assert np.array_equal(x, wanted["gold_income|x"].to_numpy())
    assert not np.array_equal(y, last_y)
    assert said == ["setup.starting_gold = 0, 4: deals 2 to 5"]


def test_no_breakpoint_in_a_spread(laboratory: Laboratory) -> None:
    with pytest.raises(UserError, match="no single ratio"):
        Sampler(laboratory, GOLD, metrics.SEAT_SPREAD, print)


def test_curves(swept: pl.DataFrame, laboratory: Laboratory) -> None:
    known = [metrics.find(laboratory.metrics, name) for name in ("gold_income", "rounds", "seat_spread")]
    found = curves(swept, [GOLD], known, 2)
    assert found.select("metric", GOLD.key).rows() == [(m.name, v) for m in known for v in GOLD.values]
    rich = found.row(2, named=True)
    mine = swept.filter(pl.col("variant") == 2)
    ratios = mine["gold_income|y"] / mine["gold_income|x"]
    assert rich["value"] == pytest.approx(mine["gold_income|y"].sum() / mine["gold_income|x"].sum())
    assert rich["low"] < rich["value"] < rich["high"]
    assert rich["band_low"] < rich["low"] and rich["high"] < rich["band_high"]
    assert ratios.min() <= rich["value"] <= ratios.max()  # type: ignore[operator]
    assert found["change"].is_null().to_list() == [True, False, False] * 3
    assert rich["change"] == pytest.approx(rich["value"] - found.row(1, named=True)["value"])


def test_curves_over_two_axes_step_along_the_last(swept: pl.DataFrame, laboratory: Laboratory) -> None:
    square = pl.concat([swept, swept.with_columns(pl.col("variant") + 3)])
    axes = [Axis("trick.last_place_gold", ("0", "1")), GOLD]
    found = curves(square, axes, [metrics.find(laboratory.metrics, "rounds")], 2)
    assert found["change"].is_null().to_list() == [True, False, False] * 2
    assert found["point"].to_list() == list(range(6))


def test_curves_of_a_deal_that_failed_under_one_value(swept: pl.DataFrame, laboratory: Laboratory) -> None:
    there = swept.filter(~((pl.col("variant") == 1) & (pl.col("deal") == 3)))
    found = curves(there, [GOLD], [metrics.find(laboratory.metrics, "rounds")], 2)
    assert found["n_blocks"].to_list() == [12, 11, 12]
    assert found["change"].is_nan().to_list() == [None, False, False]


def test_curves_of_what_never_happens_say_so(swept: pl.DataFrame, laboratory: Laboratory) -> None:
    never = swept.with_columns(pl.lit(0.0).alias("objective_rate|y"), pl.lit(0.0).alias("objective_rate|x"))
    with pytest.raises(UserError, match="nothing was counted of objective_rate"):
        curves(never, [GOLD], [metrics.find(laboratory.metrics, "objective_rate")], 2)


def test_a_share_that_never_varied_has_a_band(swept: pl.DataFrame, laboratory: Laboratory) -> None:
    never = swept.with_columns(pl.lit(0.0).alias("stalls|y"))
    found = curves(never, [GOLD], [metrics.find(laboratory.metrics, "stalls")], 2)
    assert found["value"].to_list() == [0.0] * 3
    assert (found["high"] > 0.1).all()


def test_values_of_a_search_ascend(laboratory: Laboratory) -> None:
    assert axis_of("tiers.wall[2]=13,9,11", laboratory).values == ("9", "11", "13")


def test_a_change_of_slope_needs_five_values(laboratory: Laboratory) -> None:
    with pytest.raises(AxisError, match="5 numbers or more"):
        axis_of("tiers.wall[2]=11..14", laboratory, least=5)


def test_a_table_is_no_number_to_search_along(laboratory: Laboratory) -> None:
    with pytest.raises(UserError, match='"setup" is a table'):
        axis_of("setup", laboratory)

"""Pages of searches over the rules: what they say, what stands beside them, and that they render."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from blinksim.analysis.aims import Aim, aims_of
from blinksim.analysis.metrics import Metric
from blinksim.analysis.morris import Elementary, elementary_effects
from blinksim.analysis.sensitivity import Sensitivity, one_at_a_time
from blinksim.analysis.tune import Found, search
from blinksim.analysis.tuned import Tuned, play_again
from blinksim.games.game import Entry
from blinksim.report import beside, figures_tune, sensitivity, tuning
from blinksim.report.page import render
from blinksim.simulate.entries import dials, steps_of
from blinksim.simulate.targets import Target
from tests.analysis.planted import Planted

ROUNDS, STALLS = (
    Metric("rounds", "rounds of a game", "rounds", 0.25),
    Metric("stalls", "games that stall", "share", 0.05),
)
ENTRIES = [Entry("a", 10, "", 0, 30), Entry("b", 10, "", 10, 30), Entry("c", 10, "", fixed="stated")]
METRICS = {"rounds": lambda n: 20 + 0.8 * (n["a"] - 10), "stalls": lambda n: 0.5 + 0.02 * (n["b"] - 10)}


def planted() -> Planted:
    return Planted({"a": 10.0, "b": 10.0}, METRICS, noise=0.2, luck=0.4)


@pytest.fixture(scope="module")
def found() -> tuple[Sensitivity, Elementary]:
    game = planted()
    steps = [step for entry in ENTRIES for step in steps_of(entry)]
    morris = elementary_effects(game, game.allowed, dials(ENTRIES[:2], {}), [ROUNDS, STALLS], 3, 4, 10, 1)
    return one_at_a_time(game, steps, [ROUNDS, STALLS], 3, 60), morris


def tune(*targets: Target, deals: int = 60) -> tuple[Found, list[Aim], Tuned]:
    game = planted()
    aims, _ = aims_of(targets, [ROUNDS, STALLS], 3)
    result = search(game, dials(ENTRIES[:2], {}), aims, 3, 40, 20, 1)
    return result, aims, play_again(game, result, aims, [ROUNDS, STALLS], 3, 40, deals)


def setting(**more: Any) -> tuning.Setting:
    given: dict[str, Any] = {
        "title": "Blink", "base": "standard", "differences": [("a", 10, 7)], "hashes": ("0" * 64, "1" * 64),
        "line_ups": ["builder, builder, builder"], "players": 3, "seed": 1, "deals": 40, "fresh_deals": 60,
        "games": 1000, "left_out": [],
    } | more  # fmt: skip
    return tuning.Setting(**given)


SENSITIVITY = sensitivity.Setting("Blink", "standard", "0" * 64, ["random, random, random"], 3, 1, 60, 720)


def test_sensitivity_page_says_what_moves_a_metric_most(found: tuple[Sensitivity, Elementary]) -> None:
    page = sensitivity.sensitivity_page(SENSITIVITY, found[0], [ROUNDS, STALLS], found[1])
    first, second = page.headlines
    assert first.verdict == "different" and "a=9 -0.8" in first.sentence and "2 of 3 changes" in first.sentence
    assert second.topic == "stalls" and "points" in (second.sentence if second.verdict == "different" else "points")
    text = render(page)
    assert "c</" in text and "stated" in text and "9 is out of range; allowed 10 to 30" in text
    assert "When the others move too" in text and text.count("<svg") == 4
    assert "Benjamini–Hochberg over all 6 tests" in text


def test_sensitivity_without_an_answer_says_so() -> None:
    game = planted()
    few = one_at_a_time(game, steps_of(ENTRIES[0]), [ROUNDS], 3, 5)
    line = sensitivity.headline(ROUNDS, few)
    assert line.verdict == "not enough games" and "2 need more games" in line.sentence
    none = one_at_a_time(game, steps_of(ENTRIES[2]), [ROUNDS], 3, 5)
    page = sensitivity.sensitivity_page(SENSITIVITY, none, [ROUNDS])
    assert page.headlines[0].verdict == "not enough games" and "Nothing was counted" in render(page)
    still = one_at_a_time(game, steps_of(ENTRIES[1])[1:], [ROUNDS], 3, 60)
    assert sensitivity.headline(ROUNDS, still).verdict == "practically equal"


def test_tornado_rows_name_other_values_and_keep_both_sides(found: tuple[Sensitivity, Elementary]) -> None:
    effects = found[0].effects.filter(pl.col("metric") == "rounds")
    other = effects.head(1).with_columns(parameter=pl.lit("m"), label=pl.lit("m=left"), side=pl.lit("other"))
    rows = sensitivity.tornado_rows(pl.concat([effects, other]))
    assert rows["parameter"].to_list() == ["a", "a", "b", "m=left"]


def test_sensitivity_data_is_plain(found: tuple[Sensitivity, Elementary]) -> None:
    data = json.loads(json.dumps(sensitivity.results(SENSITIVITY, *found), allow_nan=False))
    assert {row["label"] for row in data["effects"]} == {"a=9", "a=11", "b=11"}
    assert data["morris"]["left_out"] == [] and len(data["morris"]["effects"]) == 4
    assert data["impossible"][0] == {"parameter": "b", "label": "b=9", "reason": "9 is out of range; allowed 10 to 30"}


def test_tuning_page_says_what_is_recommended_and_what_is_left_of_it() -> None:
    result, aims, tuned = tune(Target(metric="rounds", low=17, high=18.6))
    line = tuning.headlines(result, tuned)[0]
    assert line.verdict == "met" and line.sentence.startswith("Change 1 parameter: a=")
    left = [Target(metric="rounds", high=1, where={"players": 4})]
    text = render(tuning.tuning_page(setting(left_out=left), result, aims, dials(ENTRIES[:2], {}), tuned))
    assert "rounds (4 players)" in text
    assert "the search promised -" in text and "on fresh deals" in text
    assert "numbers 40 to 99, which no ruleset was picked on" in text
    assert "1 of 2 metrics differ: rounds of a game" in text
    assert text.count("<svg") == 2


def test_a_compromise_is_called_one() -> None:
    result, aims, tuned = tune(Target(metric="rounds", high=10))
    assert "It is a compromise: no ruleset of the search met all targets." in tuning.recommendation(result)
    assert tuning.headlines(result, tuned)[0].verdict == "missed"
    data = json.loads(json.dumps(tuning.results(setting(), result, aims, tuned), allow_nan=False))
    assert data["status"] == 1 and data["recommendation"]["met_in_search"] is False
    assert data["trials"][0]["changes"] == ""


def test_nothing_to_change_is_said() -> None:
    result, aims, tuned = tune(Target(metric="rounds", low=19), deals=10)
    assert "the base meets the targets" in tuning.recommendation(result)
    text = render(tuning.tuning_page(setting(differences=[]), result, aims, dials(ENTRIES[:2], {}), tuned))
    assert "Nothing is changed, so nothing was promised." in text and "not enough games" in text


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(None, 0.1, "at most 10.00"), (0.2, None, "at least 20.00"), (0.1, 0.2, "10.00\u00a0% to")],
)
def test_bands_in_words(low: float | None, high: float | None, said: str) -> None:
    assert said in tuning.band_text({"target_low": low, "target_high": high, "unit": "share"})


def test_shrinkage_in_words() -> None:
    row = {"metric": "m", "unit": "rounds", "promised": -2.0, "kept": -0.5, "shrinkage": 1.5, "shrinkage_low": 0.5}
    assert "shrinkage +1.50 (+0.50 to +2.50): some of it was luck" in tuning.shrinkage_said(
        row | {"shrinkage_high": 2.5}
    )
    assert "no sign of luck" in tuning.shrinkage_said(row | {"shrinkage_low": -0.1, "shrinkage_high": 2.5})
    assert "larger than promised" in tuning.shrinkage_said(row | {"shrinkage_low": -2.0, "shrinkage_high": -0.1})


def test_files_beside_a_page(tmp_path: Path) -> None:
    result, aims, tuned = tune(Target(metric="rounds", low=17, high=18.6))
    page = tuning.tuning_page(setting(), result, aims, dials(ENTRIES[:2], {}), tuned)
    beside.write_page(page, {"targets": tuned.targets}, {"status": 0}, tmp_path / "t.html")
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*") if path.is_file()}
    assert names == {
        "t.html", "t_files/numbers.json", "t_files/csv/targets.csv", "t_files/figures/front.png",
        "t_files/figures/front.svg", "t_files/figures/targets.png", "t_files/figures/targets.svg",
    }  # fmt: skip
    frame = pl.DataFrame({"x": [1.0, float("nan"), float("inf")], "n": [1, 2, 3]})
    assert beside.plain(frame)["x"].to_list() == [1.0, None, None]


def test_targets_are_drawn_in_margins_from_the_band() -> None:
    frame = pl.DataFrame(
        {"metric": ["m", "n"], "target_low": [1.0, None], "target_high": [3.0, 5.0], "margin": [0.5, 1.0],
         "base": [0.0, 6.0], "searched": [2.0, 5.0], "searched_low": [1.5, 4.0], "searched_high": [2.5, 6.0],
         "value": [2.5, 4.0], "low": [2.0, 3.0], "high": [3.0, 5.0], "n_games": [9, 9], "n_blocks": [3, 3]}
    )  # fmt: skip
    ax = figures_tune.targets(frame)
    points = [line for line in ax.lines if line.get_marker() in ("o", "D")]
    assert [list(line.get_xdata()) for line in points] == [[0, 0], [1, -1]]
    assert ax.get_xlim()[1] >= 4

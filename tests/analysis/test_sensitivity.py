"""One at a time: planted effects are found, what is nothing is not, and what cannot be played says why."""

import math
from collections.abc import Mapping, Sequence

import polars as pl
import pytest

from blinksim.analysis.compare import DIFFERENT, EQUAL, NOT_ENOUGH
from blinksim.analysis.metrics import Metric
from blinksim.analysis.sensitivity import INTERRUPTED, effect_row, one_at_a_time
from blinksim.games.game import Entry
from blinksim.simulate.entries import Step, steps_of
from tests.analysis.planted import Planted

ROUNDS, GOLD = Metric("rounds", "rounds", "rounds", 0.25), Metric("gold_unspent", "gold", "gold", 0.5)
STEPS = [step for name in "abc" for step in steps_of(Entry(name, 10, "", 0, 11 if name == "c" else 10))]


def rounds(numbers: Mapping[str, float]) -> float:
    return 20 + 2 * (numbers["a"] - 10) + 0.5 * (numbers["c"] - 10)


def planted(noise: float = 0.4) -> Planted:
    metrics = {"rounds": rounds, "gold_unspent": lambda numbers: 5.0}
    return Planted({"a": 10.0, "b": 10.0, "c": 10.0}, metrics, noise, forbidden=lambda n: "no" if n["b"] < 10 else "")


def test_planted_effects_are_found_largest_first() -> None:
    found = one_at_a_time(planted(), STEPS, [ROUNDS, GOLD], 3, 100)
    effects = found.effects.filter(pl.col("metric") == "rounds")
    assert effects["label"].to_list() == ["a=9", "c=9", "c=11"] or effects["label"].to_list() == ["a=9", "c=11", "c=9"]
    assert effects["verdict"].to_list() == [DIFFERENT] * 3
    truth = pl.col("label").replace_strict({"a=9": -2.0, "c=9": -0.5, "c=11": 0.5})
    assert effects.select((pl.col("low") < truth) & (truth < pl.col("high"))).to_series().all()
    assert effects["gain"].min() > 3  # type: ignore[operator]
    gold = found.effects.filter(pl.col("metric") == "gold_unspent")
    assert set(gold["verdict"]) == {EQUAL} and gold["value"].abs().max() == 0


def test_what_cannot_be_played_says_why() -> None:
    found = one_at_a_time(planted(), STEPS, [ROUNDS], 3, 40)
    assert found.impossible.rows() == [
        ("a", "a=11", "11 is out of range; allowed 0 to 10"),
        ("b", "b=9", "no"),
        ("b", "b=11", "11 is out of range; allowed 0 to 10"),
    ]


def test_few_deals_give_no_verdict() -> None:
    found = one_at_a_time(planted(), STEPS, [ROUNDS], 3, 10)
    assert set(found.effects["verdict"]) == {NOT_ENOUGH}
    assert found.effects["low"].is_nan().all() and found.effects["q"].is_nan().all()


def test_false_alarms_are_few_among_many_changes() -> None:
    game = Planted({f"n{i}": 10.0 for i in range(60)}, {"rounds": lambda numbers: 20.0}, noise=2.0)
    steps = [step for i in range(60) for step in steps_of(Entry(f"n{i}", 10, "", 0, 20))]
    found = one_at_a_time(game, steps, [ROUNDS], 3, 60)
    assert found.effects.filter(pl.col("p") < 0.05).height > 1  # 6 of 120 are expected by luck
    assert found.effects.filter(pl.col("verdict") == DIFFERENT).is_empty()


def test_an_interruption_keeps_what_was_played() -> None:
    game = planted()

    def play(changes: Sequence[str], first_deal: int, num_deals: int) -> pl.DataFrame:
        if changes == ("c=9",):
            raise KeyboardInterrupt
        return game(changes, first_deal, num_deals)

    told: list[str] = []
    found = one_at_a_time(play, STEPS, [ROUNDS], 3, 40, lambda number, many, what: told.append(what))
    assert found.stopped and found.effects["label"].to_list() == ["a=9"]
    assert found.impossible.filter(pl.col("reason") == INTERRUPTED)["label"].to_list() == ["c=9", "c=11"]
    assert told == ["a=9", "b=9", "c=9"]


def test_an_effect_is_the_paired_difference() -> None:
    game = planted()
    row = effect_row(game((), 0, 50), game(("a=9",), 0, 50), ROUNDS, 3)
    assert row["value"] == pytest.approx(row["other"] - row["base"]) == pytest.approx(-2, abs=0.3)
    assert row["high"] - row["low"] == pytest.approx(2 * 2.0096 * row["se"], rel=1e-3)  # t, 49 degrees
    same = effect_row(game((), 0, 50), game((), 0, 50), ROUNDS, 3)
    assert (same["value"], same["p"]) == (0, 1) and same["low"] < 0 < same["high"] and math.isinf(same["gain"])


def test_nothing_to_change_is_no_table() -> None:
    stated: list[Step] = steps_of(Entry("d", "x", "", fixed="stated"))
    found = one_at_a_time(planted(), stated, [ROUNDS], 3, 40)
    assert found.effects.is_empty() and found.impossible["reason"].to_list() == ["stated"]

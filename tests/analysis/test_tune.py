"""The search: planted optima are found and made small, budgets hold, and what it promises is checked on fresh deals."""

import math
import sys
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from blinksim.analysis.aims import Aim, AimError, aims_of
from blinksim.analysis.metrics import Metric, UnknownMetricError
from blinksim.analysis.ratings import MissingLibraryError
from blinksim.analysis.tune import Found, front, search, trials_frame
from blinksim.analysis.tuned import MET, MISSED, NOT_ENOUGH, play_again
from blinksim.errors import CheckFailed, UserError
from blinksim.games.game import Entry
from blinksim.simulate.entries import Dial, dials
from blinksim.simulate.targets import Target
from tests.analysis.planted import Planted

ROUNDS, GOLD = Metric("rounds", "rounds", "rounds", 0.25), Metric("gold_unspent", "gold", "gold", 0.5)
KNOWN = [ROUNDS, GOLD]
NAMES = "abcde"


def planted(noise: float = 0.3, luck: float = 0.5) -> Planted:
    metrics = {
        "rounds": lambda n: 20 + 0.8 * (n["a"] - 10) + 0.1 * (n["b"] - 10) + 0.005 * (n["d"] - 10),
        "gold_unspent": lambda n: 5 - 0.5 * (n["c"] - 10),
    }
    return Planted({name: 10.0 for name in NAMES}, metrics, noise, luck)


def free(names: Sequence[str] = NAMES) -> list[Dial]:
    return dials([Entry(name, 10, "", 0, 30) for name in names], {})


def aims(*targets: Target) -> list[Aim]:
    return aims_of(targets, KNOWN, 3)[0]


TWO = aims(Target(metric="rounds", low=16, high=18), Target(metric="gold_unspent", low=6, high=8))


def changed_keys(found: Found) -> set[str]:
    return {change.split("=")[0] for change in found.best.changes}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_planted_optimum_is_found_with_as_few_changes_as_it_takes(seed: int) -> None:
    found = search(planted(), free(), TWO, 3, 40, 80, seed)
    assert found.met and changed_keys(found) == {"a", "c"}
    assert found.stopped in ("trials", "nothing new")
    assert [c.changed for c in found.front] == [0, 1, 2]
    assert found.candidates[0].changes == ()


def test_a_base_that_meets_the_targets_is_left_alone() -> None:
    found = search(planted(), free(), aims(Target(metric="rounds", low=19, high=21)), 3, 40, 12, 1)
    assert found.met and found.best.changes == () and len(found.front) == 1


def test_targets_out_of_reach_give_the_best_compromise() -> None:
    found = search(planted(noise=0.1), free("cd"), TWO, 3, 40, 40, 1)
    assert not found.met and changed_keys(found) == {"c"}
    # Five steps of d come nearer by less than a tenth of what c gains: not worth a change.
    nearest = min(found.candidates, key=lambda candidate: candidate.distance)
    assert nearest.changed == 2 and nearest.distance < found.best.distance


def test_same_seed_same_search_and_deals_are_shared() -> None:
    one, two = (search(planted(), free(), TWO, 3, 20, 30, 5) for _ in range(2))
    assert [c.changes for c in one.candidates] == [c.changes for c in two.candidates]
    assert {tuple(c.sums["deal"]) for c in one.candidates} == {tuple(range(20))}
    assert len({c.changes for c in one.candidates}) == len(one.candidates)


def test_names_and_switches_are_searched_too() -> None:
    class Switched(Planted):
        def allowed(self, changes: Sequence[str]) -> dict[str, float]:
            return super().allowed([c.replace("false", "0").replace("true", "1") for c in changes])

    game = Switched({"a": 10.0, "on": 1.0}, {"rounds": lambda n: 20 + 4 * n["on"], "gold_unspent": lambda n: 5}, 0.2)
    turned = dials([Entry("a", 10, "", 0, 30), Entry("on", True, "", others=("false",))], {})
    found = search(game, turned, aims(Target(metric="rounds", high=21)), 3, 40, 20, 1)
    assert found.best.changes == ("on=false",)


def test_what_the_rules_do_not_allow_is_passed_over() -> None:
    game = planted()
    game.forbidden = lambda n: "odd" if n["a"] % 2 else ""
    found = search(game, free(), TWO, 3, 40, 80, 1)
    assert found.met and found.unlawful > 0
    assert all("a=" not in c or int(c.split("=")[1]) % 2 == 0 for c in found.best.changes)


def test_a_base_that_is_not_allowed_is_said() -> None:
    game = planted()
    game.forbidden = lambda n: "not at all"
    game.allowed = lambda changes: (_ for _ in ()).throw(UserError("not at all"))  # type: ignore[method-assign]
    with pytest.raises(UserError, match="not at all"):
        search(game, free(), TWO, 3, 10, 5, 1)


def test_a_game_that_fails_is_no_rule_that_is_not_allowed() -> None:
    game = planted()

    def play(changes: Sequence[str], first_deal: int, num_deals: int) -> pl.DataFrame:
        if changes:
            raise CheckFailed("a game failed")
        return game(changes, first_deal, num_deals)

    with pytest.raises(CheckFailed, match="a game failed"):
        search(play, free(), TWO, 3, 10, 5, 1)


def test_budgets() -> None:
    assert len(search(planted(), free(), TWO, 3, 10, 7, 1).candidates) == 7
    by_games = search(planted(), free(), TWO, 3, 10, 100, 1, games=55)
    assert by_games.stopped == "games" and len(by_games.candidates) == 3  # 20 games each
    small = search(planted(), dials([Entry("a", 10, "", 9, 11)], {}), TWO, 3, 10, 50, 1)
    assert small.stopped == "nothing new" and len(small.candidates) == 3


def test_an_interruption_keeps_the_best_so_far() -> None:
    game = planted()

    def play(changes: Sequence[str], first_deal: int, num_deals: int) -> pl.DataFrame:
        if len(game.played) == 6:
            raise KeyboardInterrupt
        return game(changes, first_deal, num_deals)

    told: list[int] = []
    found = search(play, free(), TWO, 3, 40, 50, 1, tell=lambda number, best: told.append(number))
    assert found.stopped == "interrupted" and len(found.candidates) == 6 and told == [1, 2, 3, 4, 5, 6]
    assert found.best.distance == min(c.distance for c in found.candidates)


def test_distance_asks_for_a_standard_error_inside() -> None:
    (aim,) = aims(Target(metric="rounds", low=16, high=18))
    assert aim.distance(17, 0.3) == 0
    assert aim.distance(18, 0.1) == pytest.approx(0.4)  # 0.1 rounds, in margins of 0.25
    assert aim.distance(17.5, 9.0) == pytest.approx(0)  # at most a quarter of the band
    assert aim.distance(math.nan, 0.1) == 100
    (open_,) = aims(Target(metric="rounds", high=18))
    assert open_.distance(-50, 3.0) == 0 and open_.distance(18, 0.5) == pytest.approx(2)


def test_front_is_what_no_fewer_changes_beat() -> None:
    found = search(planted(), free(), TWO, 3, 20, 30, 2)
    kept = front(found.candidates)
    distances = [c.distance for c in kept]
    assert distances == sorted(distances, reverse=True) and len(set(distances)) == len(distances)
    for candidate in found.candidates:
        assert any(c.changed <= candidate.changed and c.distance <= candidate.distance for c in kept)
    frame = trials_frame(found, TWO)
    assert frame["recommended"].sum() == 1 and frame["on_front"].sum() == len(kept)
    assert frame["rounds"][0] == pytest.approx(20, abs=0.5)


@pytest.mark.parametrize(
    ("target", "error", "said"),
    [
        (Target(metric="seats.spread", high=1), UnknownMetricError, "Metrics are: rounds, gold_unspent"),
        (Target(metric="rounds", high=1, where={"seat": 1}), AimError, 'where with "seat"'),
        (Target(metric="rounds", high=1, column="mean"), AimError, 'column "mean"'),
        (Target(metric="rounds", high=1, where={"players": 4}), AimError, "no target is about 3 players"),
    ],
)
def test_targets_that_cannot_be_aimed_at(target: Target, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        aims_of([target], KNOWN, 3)


def test_targets_of_other_player_counts_are_told_apart() -> None:
    mine, other = Target(metric="rounds", high=1), Target(metric="rounds", high=1, where={"players": 4})
    kept, left_out = aims_of([mine, other], KNOWN, 3)
    assert [aim.target for aim in kept] == [mine] and left_out == [other]


def test_the_recommendation_holds_on_fresh_deals() -> None:
    game = planted()
    found = search(game, free(), TWO, 3, 40, 80, 1)
    game.played.clear()
    tuned = play_again(game, found, TWO, KNOWN, 3, 40, 200)
    assert tuned.status == 0 and set(tuned.targets["verdict"]) == {MET}
    assert game.played == [c.changes for c in found.front]  # fresh deals of the front, nothing else
    assert tuned.front["verdict"].to_list() == [MISSED, MISSED, MET]
    assert tuned.front["recommended"].to_list() == [False, False, True]
    effects = {row["metric"]: row["verdict"] for row in tuned.effects.iter_rows(named=True)}
    assert effects == {"rounds": "different", "gold_unspent": "different"}
    for row in tuned.targets.iter_rows(named=True):
        assert row["shrinkage_low"] < 0 < row["shrinkage_high"] or abs(row["shrinkage"]) < 0.3
        assert row["n_blocks"] == 200


def test_shrinkage_shows_where_the_promise_was_luck() -> None:
    """Nothing does anything, noise is large: what looks best of many shrinks to nothing on fresh deals."""
    far = aims(Target(metric="rounds", high=18.5))
    shrinkages, promises, covered = [], [], 0
    for seed in range(12):
        names = {f"n{seed}{i}": 10.0 for i in range(6)}
        game = Planted(names, {"rounds": lambda n: 20.0, "gold_unspent": lambda n: 5.0}, noise=4.0, luck=0.5)
        found = search(game, free(list(names)), far, 3, 40, 25, seed)
        (row,) = play_again(game, found, far, KNOWN, 3, 40, 200).targets.iter_rows(named=True)
        if found.best.changes:
            promises.append(row["promised"])
            shrinkages.append(row["shrinkage"])
            covered += row["shrinkage_low"] > 0
    assert np.mean(promises) < -0.8  # the search was promised much
    assert np.mean(shrinkages) == pytest.approx(-np.mean(promises), abs=0.5)  # and all of it was luck
    assert covered > 0


def test_status_says_missed_and_not_enough() -> None:
    game = planted()
    found = search(game, free("e"), TWO, 3, 40, 5, 1)
    assert play_again(game, found, TWO, KNOWN, 3, 40, 60).status == 1
    few = play_again(game, found, TWO, KNOWN, 3, 40, 10)
    assert few.status == 3 and set(few.targets["verdict"]) == {NOT_ENOUGH}
    nothing = play_again(game, found, TWO, KNOWN, 3, 40, 60)
    assert nothing.effects.is_empty() == (not found.best.changes)


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingLibraryError, match=r"optuna.*blinksim\[tune\]"):
        search(planted(), free(), TWO, 3, 10, 5, 1)

"""Tournaments: which line-ups are played, how a sample is balanced, and which entrants are a ladder."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from blinksim.players.policy import Parameter, Strategy
from blinksim.players.roster import MAX_PARAMETERS, Player, find_player
from blinksim.simulate.experiment import ExperimentError
from blinksim.simulate.schedule import make_plan
from blinksim.simulate.tournament import TournamentError, find_ladders, make_field, make_tournament

NAMES = [f"s{i}" for i in range(10)]


def test_all_line_ups_up_to_who_sits_where() -> None:
    assert make_field(["a", "b", "c"], 2, 40, 1).line_ups == (("a", "b"), ("a", "c"), ("b", "c"))
    three = make_field(["a", "b"], 3, 40, 1)
    assert three.line_ups == (("a", "a", "b"), ("a", "b", "b"))
    assert str(three) == "3 players: all 2 line-ups"
    for players, count in ((3, 10 - 3), (4, 15 - 3)):
        field = make_field(["a", "b", "c"], players, 40, 1)
        assert field.complete and len(field.line_ups) == count == field.possible
        assert len({tuple(sorted(line_up)) for line_up in field.line_ups}) == count


@pytest.mark.parametrize(("players", "possible"), [(3, 210), (4, 705)])
def test_a_sample_is_balanced_in_seats_and_in_meetings(players: int, possible: int) -> None:
    field = make_field(NAMES, players, 40, 1)
    assert (len(field.line_ups), field.possible, field.complete) == (40, possible, False)
    assert str(field) == f"{players} players: a balanced sample of 40 of {possible} line-ups"
    assert len(set(field.line_ups)) == 40
    seats = Counter(name for line_up in field.line_ups for name in line_up)
    assert set(seats) == set(NAMES)
    assert max(seats.values()) - min(seats.values()) <= 3  # of 12 or 16
    meetings = Counter(pair for line_up in field.line_ups for pair in combinations(sorted(set(line_up)), 2))
    assert len(meetings) == 45
    assert max(meetings.values()) - min(meetings.values()) <= 4


def test_a_sample_follows_the_seed() -> None:
    first, again, other = (make_field(NAMES, 4, 40, seed).line_ups for seed in (1, 1, 2))
    assert first == again != other


def test_two_players_are_never_sampled_and_everybody_takes_part() -> None:
    assert make_field(NAMES, 2, 3, 1).complete
    many = [f"s{i}" for i in range(30)]
    field = make_field(many, 3, 3, 1)  # 4,930 line-ups: chosen among some of them
    assert len(field.line_ups) == 30
    assert {name for line_up in field.line_ups for name in line_up} == set(many)


def contest(*names: str, **options: object):
    return make_tournament({name: find_player(name) for name in names}, [2, 3], 4, **options)  # type: ignore[arg-type]


def test_a_tournament_is_an_experiment_with_all_shifts() -> None:
    found = contest("builder", "raider", "random", seed=3, changes=["end.max_rounds=50"])
    assert (found.experiment.shifts, found.experiment.seed, found.experiment.set) == ("both", 3, ("end.max_rounds=50",))
    plan = make_plan(found.experiment)
    assert [plan.schedules[n].games_per_deal for n in (2, 3)] == [3 * 4, 7 * 9]
    assert found.experiment.strategy_names() == ("builder", "raider", "random")


def test_its_folder_is_named_after_all_that_is_asked_but_the_number_of_deals() -> None:
    name = contest("builder", "random").name
    players = {each: find_player(each) for each in ("builder", "random")}
    assert make_tournament(players, [2, 3], 900).name == name != make_tournament(players, [2], 4).name
    assert name.startswith("tournament-builder-random-")
    assert contest("builder", "random").name == name
    assert len({name, contest("builder", "random", seed=2).name, contest("builder", "raider").name}) == 3
    assert contest("raider:lead=2", "random").name.startswith("tournament-raider-lead-2-random-")


def test_mistakes() -> None:
    with pytest.raises(TournamentError, match="at least two strategies, each named once; given: random"):
        contest("random")
    with pytest.raises(TournamentError, match="number of line-ups is 0"):
        contest("random", "builder", most=0)
    players = {name: find_player(name) for name in ("random", "builder")}
    with pytest.raises(TournamentError, match="5 players: Blink is played by 2, 3, 4"):
        make_tournament(players, [5], 4)
    with pytest.raises(ExperimentError, match="deals is 0"):
        make_tournament(players, [2], 0)


def thinker(name: str, budget: float, depth: float = 1) -> Player:
    parameters = (
        Parameter("depth", 1, 0, 9, "rounds", "How far it looks."),
        Parameter("budget", 16, 1, 4096, "playouts", "How much it thinks."),
    )
    params = np.zeros(MAX_PARAMETERS)
    params[:2] = depth, budget
    return Player(name, Strategy("thinker", "thinks", parameters), None, params, Path("thinker.py"))


def test_entrants_that_differ_in_budget_alone_are_a_ladder() -> None:
    entrants = {
        "thinker:budget=64": thinker("thinker:budget=64", 64),
        "random": find_player("random"),
        "thinker": thinker("thinker", 16),
        "deep": thinker("deep", 64, depth=2),
        "thinker:budget=256": thinker("thinker:budget=256", 256),
    }
    (ladder,) = find_ladders(entrants)
    assert (ladder.strategy, ladder.unit) == ("thinker", "playouts")
    assert ladder.rungs == (("thinker", 16), ("thinker:budget=64", 64), ("thinker:budget=256", 256))
    assert find_ladders({"thinker": thinker("thinker", 16), "deep": thinker("deep", 64, depth=2)}) == []

"""Experiment files: what they may say, and what is said about mistakes."""

from pathlib import Path
from typing import Any

import pytest

from blinksim.paths import UnknownNameError
from blinksim.simulate.experiment import ExperimentError, load_experiment, parse_experiment
from blinksim.simulate.schedule import make_plan
from tests.simulate.fake_game import fake_experiment, fake_game

GOOD: dict[str, Any] = {"question": "q", "players": [2, 3], "line_ups": [{"mirror": ["a"]}], "deals": 5, "seed": 1}


def test_baseline_plays_at_least_9000_games_of_every_player_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    experiment = load_experiment("baseline", fake_game())
    plan = make_plan(experiment)
    assert sorted(plan.schedules) == [2, 3, 4]
    assert min(s.num_games for s in plan.schedules.values()) >= 9000
    assert set(experiment.strategy_names()) == {"builder", "raider"}
    assert experiment.ruleset == "standard" and experiment.set == () and experiment.seed == 1


def test_a_line_up_may_be_given_for_all_player_counts_or_for_each() -> None:
    one = parse_experiment(GOOD | {"line_ups": [{"mirror": ["a", "b"]}, ["b", "a"], ["a", "a", "b"]]}, "x", fake_game())
    assert one.line_ups_for(2) == (("a", "a"), ("b", "b"), ("b", "a"))
    assert one.line_ups_for(3) == (("a", "a", "a"), ("b", "b", "b"), ("a", "a", "b"))
    each = parse_experiment(GOOD | {"line_ups": {"2": [["c", "a"]], "3": [{"mirror": ["b"]}]}}, "x", fake_game())
    assert each.line_ups_for(2) == (("c", "a"),) and each.line_ups_for(3) == (("b", "b", "b"),)
    assert each.strategy_names() == ("c", "a", "b")


def test_variants_change_the_ruleset_after_the_experiments_own_changes() -> None:
    experiment = fake_experiment(set=["wall=11"])
    assert experiment.rulesets() == [("base", "standard", ("wall=11",)), ("walls", "standard", ("wall=11", "wall=12"))]
    changed = experiment.with_changes(["gold=2"], deals=4, game=fake_game())
    assert changed.rulesets()[1] == ("walls", "standard", ("wall=11", "gold=2", "wall=12"))
    assert (changed.deals_for(2), changed.deals_for(3)) == (4, 4)


def test_an_experiment_is_frozen_and_comes_back_from_its_data() -> None:
    experiment = fake_experiment()
    assert parse_experiment(experiment.data(), "manifest.json", fake_game()) == experiment
    with pytest.raises(ValueError, match="frozen"):
        experiment.seed = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shift": "auto"}, 'x.toml: unknown key "shift"; did you mean "shifts"? Known keys: question, game, '),
        (
            {"deals": "many"},
            'x.toml: deals is "many"; it must be a whole number of 1 to 2147483647, or one per player count',
        ),
        ({"deals": {"2": 0, "3": 1}}, "x.toml: deals.2 is 0; it must be a whole number of 1 to"),
        ({"deals": {"2": 1}}, "x.toml: deals has no number for 3 players"),
        ({"deals": {"2": 1, "3": 1, "4": 1}}, "x.toml: deals.4 is given, but players is [2, 3]"),
        ({"players": [2, 5]}, "x.toml: players has 5; Fake is played by 2, 3, 4"),
        ({"players": [3, 2]}, "x.toml: players is [3, 2]; name each player count once, ascending: [2, 3]"),
        ({"players": 3}, "x.toml: players is 3; it must be a list of player counts"),
        ({"seed": -1}, "x.toml: seed is -1; it must be a whole number of 0 to 18446744073709551615"),
        (
            {"seed": 2**64},
            "x.toml: seed is 18446744073709551616; it must be a whole number of 0 to 18446744073709551615",
        ),
        ({"shifts": "all"}, 'x.toml: shifts is "all"; it must be "auto"'),
        ({"replicates": 1.5}, "x.toml: replicates is 1.5; it must be a whole number of 1"),
        ({"replicates": 30000}, "x.toml: 120000 games on each deal of 2 players; at most 100000"),
        (
            {"line_ups": [["a", "b", "c", "d"]]},
            'x.toml: line_ups has ["a", "b", "c", "d"], which names 4; expected 2 or 3, one per player',
        ),
        (
            {"line_ups": [["a", "b"]]},
            "x.toml: line_ups has no line-up for 3 players: add a list of 3 strategy names, or a mirror",
        ),
        ({"line_ups": [{"miror": ["a"]}]}, 'x.toml: unknown key "line_ups[0].miror"; did you mean "mirror"?'),
        ({"line_ups": [["a", 3]]}, "x.toml: line_ups[0][1] is 3; it must be a list of line-ups"),
        ({"line_ups": [{"mirror": ["a", "a"]}]}, 'x.toml: line_ups has ["a", "a"] twice for 2 players'),
        (
            {"line_ups": {"2": [["a"]], "3": [["a", "b", "c"]]}},
            'x.toml: line_ups.2 has ["a"], which names 1; expected 2',
        ),
        ({"set": ["wall"]}, 'x.toml: set[0] is "wall"; it must be a list of rule changes'),
        (
            {"variants": [{"nam": "x"}]},
            'x.toml: unknown key "variants[0].nam"; did you mean "name"? Known keys: name, ruleset, set',
        ),
        ({"variants": [{"name": "x", "set": [3]}]}, "x.toml: variants[0].set[0] is 3; it must be"),
        ({"variants": [{"name": "base"}]}, 'x.toml: variants: the name "base" is there twice'),
        ({"deals_per_shard": 0}, "x.toml: deals_per_shard is 0; it must be a whole number of 1 or more"),
        ({"question": ""}, 'x.toml: question is ""; it must be the question in plain words'),
    ],
)
def test_mistakes_name_file_key_value_and_what_is_allowed(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        parse_experiment(GOOD | change, "x.toml", fake_game())
    assert message in str(caught.value)


def test_every_mistake_has_one_line() -> None:
    with pytest.raises(ExperimentError) as caught:
        parse_experiment({"game": "blink", "line_ups": [["a", 1]]}, "x.toml", fake_game())
    lines = str(caught.value).splitlines()
    assert [line.split(";")[0] for line in lines] == [
        'x.toml: the key "question" is missing',
        'x.toml: the key "players" is missing',
        "x.toml: line_ups[0][1] is 1",
        'x.toml: the key "deals" is missing',
        'x.toml: the key "seed" is missing',
    ]


def test_files_are_looked_up_in_the_working_directory_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "experiments"
    folder.mkdir()
    text = 'question = "mine"\nplayers = [2]\nline_ups = [["a", "b"]]\ndeals = 3\nseed = 5\n'
    (folder / "baseline.toml").write_text(text, encoding="utf-8")
    assert load_experiment("baseline", fake_game()).question == "mine"
    (folder / "baseline.toml").unlink()
    assert load_experiment("baseline", fake_game()).question != "mine"
    (tmp_path / "other.toml").write_text(text, encoding="utf-8")
    assert load_experiment("other.toml", fake_game()).seed == 5


def test_unknown_names_and_broken_files_are_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        UnknownNameError,
        match=r'there is no basline\.toml in .*did you mean "baseline"\? Known experiments: .*baseline',
    ):
        load_experiment("basline", fake_game())
    with pytest.raises(UnknownNameError, match=r"there is no file nowhere\.toml"):
        load_experiment("nowhere.toml", fake_game())
    (tmp_path / "broken.toml").write_text("players = [2", encoding="utf-8")
    with pytest.raises(ExperimentError, match=r"broken\.toml is not a TOML file"):
        load_experiment("broken.toml", fake_game())

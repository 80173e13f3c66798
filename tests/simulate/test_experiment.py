"""Experiment files: what they may say, and what is said about mistakes."""

from pathlib import Path
from typing import Any

import pytest

from blinksim.errors import UserError
from blinksim.games.blink.maps import map_problems, start_map
from blinksim.games.blink.ruleset import load
from blinksim.paths import UnknownNameError, shipped_folder
from blinksim.players.roster import find_player
from blinksim.simulate.checking import check_experiment
from blinksim.simulate.experiment import Experiment, ExperimentError, load_experiment, parse_experiment
from blinksim.simulate.playing import make_shard
from blinksim.simulate.prepared import Entrant, prepare
from blinksim.simulate.schedule import Shard, make_plan
from blinksim.simulate.targets import Target, load_targets
from tests.simulate.fake_game import fake_experiment, fake_game

SHIPPED = sorted(shipped_folder("experiments").glob("*.toml"))
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


def good(**changes: Any) -> Experiment:
    return parse_experiment(GOOD | changes, "x.toml", fake_game())


def test_line_ups_by_a_rule_expand_in_the_order_of_the_names() -> None:
    asked = good(line_ups=[{"all_of": ["b", "a"]}])
    assert asked.line_ups_for(2) == (("b", "b"), ("b", "a"), ("a", "a"))
    assert asked.line_ups_for(3) == (("b", "b", "b"), ("b", "b", "a"), ("b", "a", "a"), ("a", "a", "a"))
    field = good(line_ups=[["c", "c"], {"one": "z", "against": ["b", "a"]}, {"mirror": ["a"]}])
    assert field.line_ups_for(2) == (("c", "c"), ("z", "b"), ("z", "a"), ("a", "a"))
    assert field.line_ups_for(3) == (("z", "b", "b"), ("z", "b", "a"), ("z", "a", "a"), ("a", "a", "a"))
    assert len(good(players=[4], line_ups=[{"all_of": list("abcde")}]).line_ups_for(4)) == 70


def test_a_grid_makes_a_variant_of_each_combination_after_those_that_are_named() -> None:
    grid = {"tiers.wall[2]": [15, 13], "trick": {"mode": ["total"], "last_place_gold": [0]}}
    experiment = good(variants=[{"name": "open", "ruleset": "open"}], grid=grid, set=["cards.rank_min=2"])
    assert [(name, ruleset) for name, ruleset, _ in experiment.rulesets()] == [
        ("base", "standard"),
        ("open", "open"),
        ("tiers.wall[2]=15, trick.mode=total, trick.last_place_gold=0", "standard"),
        ("tiers.wall[2]=13, trick.mode=total, trick.last_place_gold=0", "standard"),
    ]
    assert experiment.variants[1].set == ("tiers.wall[2]=15", 'trick.mode="total"', "trick.last_place_gold=0")
    assert make_plan(experiment).schedules[2].num_variants == 4
    assert parse_experiment(experiment.data(), "manifest.json", fake_game()) == experiment


def test_values_of_a_grid_arrive_in_the_ruleset_as_they_are() -> None:
    grid = {"tiers.wall": [[9, 11, 13, 15, 17]], "move.water_advantage": [False], "duel.level_total": ["defender"]}
    _, ruleset, settings = good(grid=grid).rulesets()[1]
    rules = load(ruleset, settings)
    assert tuple(rules.tiers.wall) == (9, 11, 13, 15, 17)
    assert (rules.move.water_advantage, rules.duel.level_total) == (False, "defender")


def test_targets_stand_in_the_experiment_or_in_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "bands.toml").write_text(
        '[[targets]]\nmetric = "seats.spread"\nwhere = { players = 3, seat = "first" }\nhigh = 0.05\n'
        '[[targets]]\nmetric = "pacing.rounds"\nlow = 10\nhigh = 20\n'
    )
    asked = (
        'question = "q"\nplayers = [2]\nline_ups = [["a", "b"]]\ndeals = 3\nseed = 5\n'
        'detail = "full"\ntargets = "bands.toml"\n'
    )
    (tmp_path / "x.toml").write_text(asked)
    experiment = load_experiment(tmp_path / "x.toml", fake_game())
    assert experiment.targets == load_targets(tmp_path / "bands.toml")
    assert experiment.targets[0] == Target(
        metric="seats.spread", where={"players": 3, "seat": "first"}, low=None, high=0.05, column="value", note=""
    )
    assert (experiment.targets[1].low, experiment.detail, good().detail) == (10, "full", "standard")
    assert parse_experiment(experiment.data(), "manifest.json", fake_game()) == experiment


def test_ruleset_files_are_looked_for_beside_the_experiment_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "rules.toml").write_text('extends = "standard"\n')
    (tmp_path / "mine" / "x.toml").write_text(
        'question = "q"\nruleset = "rules.toml"\nplayers = [2]\nline_ups = [["a", "b"]]\ndeals = 3\nseed = 5\n'
        '[[variants]]\nname = "other"\nruleset = "elsewhere.toml"\n'
    )
    monkeypatch.chdir(tmp_path)
    names = [ruleset for _, ruleset, _ in load_experiment("mine/x.toml", fake_game()).rulesets()]
    assert names == ["mine/rules.toml", "elsewhere.toml"]


def test_an_experiment_is_frozen_and_comes_back_from_its_data() -> None:
    experiment = fake_experiment()
    assert parse_experiment(experiment.data(), "manifest.json", fake_game()) == experiment
    with pytest.raises(ValueError, match="frozen"):
        experiment.seed = 2


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
        ({"detail": "all"}, 'x.toml: detail is "all"; it must be "summary" (games and seats), "standard"'),
        (
            {"line_ups": [{"all_of": []}]},
            "x.toml: line_ups[0].all_of is []; it must be a list of 1 to 30 strategy names",
        ),
        ({"line_ups": [{"all_of": [str(i) for i in range(31)]}]}, "it must be a list of 1 to 30 strategy names"),
        (
            {"line_ups": {"2": [{"mirror": 3}], "3": [{"mirror": ["a"]}]}},
            "x.toml: line_ups.2[0].mirror is 3; it must be a list of strategy names",
        ),
        (
            {"line_ups": [{"one": "a"}]},
            "x.toml: line_ups[0] has one; it must have mirror alone, or all_of alone, or one and against together",
        ),
        ({"line_ups": [["a", "b"], {"mirror": ["a"], "all_of": ["a"]}]}, "x.toml: line_ups[1] has mirror and all_of; "),
        ({"line_ups": {"2": [{}], "3": [{"mirror": ["a"]}]}}, "x.toml: line_ups.2[0] has no key; it must have mirror"),
        (
            {"line_ups": [{"one": ["a"], "against": ["b"]}]},
            'x.toml: line_ups[0].one is ["a"]; it must be the name of one strategy',
        ),
        (
            {"line_ups": [{"mirror": ["a"]}, {"all_of": ["a", "b"]}]},
            'x.toml: line_ups has ["a", "a"] twice for 2 players',
        ),
        ({"grid": {}}, "x.toml: grid is {}; it must be a table of parameters, each with a list of its values"),
        ({"grid": {"a": {"b": 3}}}, "x.toml: grid.a.b is 3; it must be a table of parameters, each with a list"),
        ({"grid": {"wall": []}}, "x.toml: grid.wall is []; it must be a table of parameters"),
        ({"grid": {"wall[0]": [1, {"a": 1}]}}, 'x.toml: grid.wall[0][1] is {"a": 1}; it must be a table of'),
        ({"grid": {"wall": [[1, float("nan")]]}}, "x.toml: grid.wall[0] is [1, NaN]; it must be a table of parameters"),
        (
            {"grid": {"a": list(range(40)), "b": list(range(40))}},
            "x.toml: grid makes 1600 variants; with those that are named at most 1000 are allowed",
        ),
        ({"grid": {"wall": [1, 1]}}, 'x.toml: variants: the name "wall=1" is there twice'),
        ({"variants": [{"name": "x", "ruleset": 3}]}, "x.toml: variants[0].ruleset is 3; it must be a preset or a"),
        ({"targets": 3}, "x.toml: targets is 3; it must be tables [[targets]] with metric, where, low and high, or"),
        ({"targets": [{"low": 3}]}, 'x.toml: the key "targets[0].metric" is missing; it is the name of a metric'),
        (
            {"targets": [{"metric": "m", "hi": 3}]},
            'x.toml: unknown key "targets[0].hi"; did you mean "high"? Known keys: metric, where, low, high',
        ),
        ({"targets": [{"metric": "m"}]}, 'x.toml: targets[0] ("m") has neither low nor high; give one of them or both'),
        (
            {"targets": [{"metric": "m", "low": 3, "high": 2.5}]},
            'x.toml: targets[0] ("m") has low 3 above high 2.5; low may not lie above high',
        ),
        ({"targets": [{"metric": "m", "low": "3"}]}, 'x.toml: targets[0].low is "3"; it must be a number: the least'),
        ({"targets": [{"metric": "m", "high": float("inf")}]}, "x.toml: targets[0].high is Infinity; it must be a"),
        (
            {"targets": [{"metric": "m", "low": 1, "where": {"seat": [1]}}]},
            "x.toml: targets[0].where.seat is [1]; it must be a table of texts, numbers, true or false",
        ),
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, r"targets cannot be read from .*bands\.toml: No such file .*; expected tables \[\[targets\]\]"),
        ("targets = [", r"bands\.toml is not a TOML file"),
        ("targets = []", r"bands\.toml: targets is \[\]; it must be tables \[\[targets\]\] with metric"),
        ('[[targets]]\nmetric = "m"\nwhere = 3\nlow = 1', r"bands\.toml: targets\[0\]\.where is 3; it must be a table"),
        ('[[targets]]\nmetric = "m"', r'bands\.toml: targets\[0\] \("m"\) has neither low nor high'),
        ("[[target]]\nlow = 1", r'bands\.toml: unknown key "target"; did you mean "targets"\?'),
    ],
)
def test_mistakes_in_a_file_of_targets_name_that_file(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "bands.toml").write_text(text)
    with pytest.raises(UserError, match=message):
        parse_experiment(
            GOOD | {"targets": "bands.toml" if text else str(tmp_path / "bands.toml")}, "x", folder=tmp_path
        )


def test_the_questions_that_designers_ask_are_there() -> None:
    asked = {
        *("baseline", "quick_start", "objective_modes", "booklet_effects", "walls", "keep_one", "spent_leave"),
        *("uneven_map", "last_place_gold", "water", "level_duels", "emptied_any_time", "objectives_worth_3"),
        "fairer_map",
    }
    assert asked <= {path.stem for path in SHIPPED}
    assert len({load_experiment(path).question for path in SHIPPED}) == len(SHIPPED)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_experiment_checks_clean_and_every_line_up_plays_under_every_ruleset(path: Path) -> None:
    found = check_experiment(path)
    assert (found.mistakes, found.notes) == ((), ())
    assert found.experiment is not None
    experiment = found.experiment.model_copy(update={"deals": 1, "shifts": "none"})
    players = {name: find_player(name) for name in experiment.strategy_names()}
    batch = prepare(experiment, {name: Entrant(name, p, p.fingerprint) for name, p in players.items()})
    for n, schedule in batch.plan.schedules.items():
        assert (
            schedule.num_games == len(experiment.rulesets()) * len(experiment.line_ups_for(n)) * experiment.replicates
        )
        receipt = make_shard(batch, Shard(0, n, 0, 1, schedule.num_games)).receipt
        assert receipt["games"] == schedule.num_games and not receipt["failed"]
        assert receipt["outcomes"]["stalled"] < schedule.num_games / 2


def test_the_fairer_maps_break_no_layout_rule_but_the_third_and_that_by_one() -> None:
    experiment = load_experiment(shipped_folder("experiments") / "fairer_map.toml")
    assert len(experiment.variants) == 7
    for _, ruleset, settings in experiment.rulesets()[1:]:
        found = map_problems(start_map(load(ruleset, settings).setup.map, 4), 4, layout_rules=True)
        assert found
        assert all(text.startswith("layout rule 3") and "are 2 apart, not 3 or more" in text for text in found)


def test_a_game_that_is_not_there_is_named_with_the_file() -> None:
    with pytest.raises(ExperimentError, match=r'^x\.toml: game is "chess"; there is no game "chess"; games are: blink'):
        parse_experiment(GOOD | {"game": "chess"}, "x.toml")

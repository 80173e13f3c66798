"""Presets, files that extend others, changes from the command line, and what is said about mistakes."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import pytest

from blinksim.errors import UserError
from blinksim.games.blink.ruleset import (
    Ruleset,
    RulesetError,
    as_toml,
    content_hash,
    describe,
    difference,
    from_dict,
    load,
    preset_names,
    preset_summary,
)
from blinksim.games.blink.ruleset_files import PRESET_FOLDER, nearest_key

RECORDS = Path(__file__).resolve().parents[2] / "records"
OWN_NAMES = {
    "standard_capped": ("standard", ["end.max_rounds=10"]),
    "open_capped": ("open", ["end.max_rounds=14"]),
    "quick_start_no_draft": ("quick_start", ["setup.draft=false"]),
    "booklet_effects_quick_no_draft": ("booklet_effects", ["setup.draft=false", "setup.start_units=2"]),
}
"""Golden records whose ruleset is not quite a preset."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def mistakes(text: str, *changes: str) -> list[str]:
    write("mine.toml", text)
    with pytest.raises(RulesetError) as caught:
        load("mine.toml", changes)
    return str(caught.value).split("\n")


# ---------------------------------------------------------------------------------------------------------- presets


def test_presets() -> None:
    assert preset_names() == [
        "standard",
        "booklet_effects",
        "keep_both",
        "no_objectives",
        "open",
        "quick_start",
        "secret",
        "v022_trick",
    ]


@pytest.mark.parametrize(
    ("preset", "differs"),
    [
        ("standard", {}),
        ("quick_start", {"setup.start_units": 2}),
        ("no_objectives", {"objectives.mode": "none"}),
        ("secret", {"objectives.mode": "secret"}),
        ("open", {"objectives.mode": "open"}),
        ("keep_both", {"objectives.mode": "keep_both"}),
        (
            "booklet_effects",
            {
                "trick.tie_chain": ["cards", "a_wins_ties", "a_rank", "highest_rank", "laid_earlier"],
                "trick.a_rank_scope": "tie_winners",
                "victory.spent_to": "removed",
                "victory.spends_per_round": None,
                "victory.limit_c": None,
                "victory.b_distant_between": "lay_suit",
            },
        ),
        ("v022_trick", {"trick.mode": "most_cards", "trick.a_bonus_cards": [1, 1, 2, 2]}),
    ],
)
def test_what_presets_change(preset: str, differs: dict[str, object]) -> None:
    ruleset = load(preset)
    assert ruleset.name == preset
    assert {key: value for key, _, value in difference(Ruleset(), ruleset)} == differs


def test_standard_file_is_the_printed_form_of_the_defaults() -> None:
    first, _, rest = (PRESET_FOLDER / "standard.toml").read_text(encoding="utf-8").partition("\n")
    assert first.startswith("# ")
    assert rest == as_toml(Ruleset())


@pytest.mark.parametrize("preset", [name for name in preset_names() if name != "standard"])
def test_other_files_say_only_what_differs(preset: str) -> None:
    import tomllib

    text = (PRESET_FOLDER / f"{preset}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    assert data.pop("extends") == "standard"
    stated = {f"{group}.{key}" for group, table in data.items() for key in table}
    assert stated == {key for key, _, _ in difference(Ruleset(), load(preset))}


def test_the_old_trick_says_that_it_is_a_guess() -> None:
    assert "guess" in preset_summary("v022_trick")


def test_golden_records_have_the_presets() -> None:
    files = sorted(RECORDS.glob("*.blink.jsonl.gz"))
    assert files
    seen = set()
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            header = json.loads(next(lines))["ruleset"]
        ruleset = from_dict(header, file.name)
        preset, changes = OWN_NAMES.get(header["name"], (header["name"], []))
        assert difference(load(preset, changes), ruleset) == [], file.name
        assert content_hash(load(preset, changes)) == content_hash(ruleset)
        for group, table in header.items():
            if group != "name":
                assert table == {key: ruleset.to_dict()[group][key] for key in table}, f"{file.name} {group}"
        seen.add(preset)
    assert seen == set(preset_names()) - {"v022_trick"}


# ------------------------------------------------------------------------------------------------------------ files


def test_a_file_says_what_differs() -> None:
    write("mine.toml", 'extends = "quick_start"\n[trick]\nlast_place_gold = 2\n')
    ruleset = load("mine.toml")
    assert (ruleset.name, ruleset.setup.start_units, ruleset.trick.last_place_gold) == ("mine", 2, 2)
    assert load(Path("mine.toml")) == ruleset


def test_extends_is_relative_to_the_file() -> None:
    write("base.toml", 'name = "wrong one"\n')
    write("sub/base.toml", "[turn]\nreach = 2\n")
    write("sub/mine.toml", 'name = "far"\nextends = "base.toml"\n[turn]\ncash_gold = 2\n')
    ruleset = load("sub/mine.toml")
    assert (ruleset.name, ruleset.turn.reach, ruleset.turn.cash_gold) == ("far", 2, 2)


def test_files_elsewhere_are_named_in_full(tmp_path_factory: pytest.TempPathFactory) -> None:
    far = tmp_path_factory.mktemp("far") / "far.toml"
    far.write_text("[turn]\nreach = 0\n", encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        load(far)
    assert str(caught.value).startswith(f"{far}: turn.reach is 0; allowed 1 to 31")


def test_working_directory_comes_before_the_shipped_files() -> None:
    assert load("open.toml").objectives.mode == "open"
    write("open.toml", "[turn]\nreach = 2\n")
    assert load("open.toml").turn.reach == 2
    assert load("open").objectives.mode == "open"


def test_unset_is_written_none() -> None:
    write("mine.toml", '[victory]\nlimit_b = "none"\nspends_per_round = "null"\n[objectives]\nmode = "none"\n')
    ruleset = load("mine.toml")
    assert ruleset.victory.limit_b is None
    assert ruleset.victory.spends_per_round is None
    assert ruleset.objectives.mode == "none"


def test_circles_of_extends() -> None:
    write("a.toml", 'extends = "b.toml"')
    write("b.toml", 'extends = "a.toml"')
    with pytest.raises(RulesetError, match=r"^b.toml: extends runs in a circle: a.toml -> b.toml -> a.toml$"):
        load("a.toml")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "stndard",
            'ruleset "stndard" is neither a preset nor a file; did you mean "standard"? Presets are standard, ',
        ),
        (
            "no/such.toml",
            'ruleset "no/such.toml" is neither a preset nor a file. Presets are standard, booklet_effects',
        ),
    ],
)
def test_no_such_ruleset(name: str, expected: str) -> None:
    with pytest.raises(UserError) as caught:
        load(name)
    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[tiers]\nwall = [10, 12, 99, 16, 18]",
            ["mine.toml: tiers.wall[2] is 99; allowed 0 to 60 (wall value of the tier, rules §1.2)"],
        ),
        (
            '[tiers]\nwall = [10, 12, "high", 16, 18]',
            [
                'mine.toml: tiers.wall[2] is "high"; it should be a whole number, 0 to 60 '
                "(wall value of the tier, rules §1.2)"
            ],
        ),
        (
            "[turn]\nreach = 1.5\nmust_resolve_all = 1\ncash_gold = true",
            [
                "mine.toml: turn.cash_gold is true; it should be a whole number, 0 to 99 "
                "(gold per cashed card, rules §1.5)",
                "mine.toml: turn.must_resolve_all is 1; it should be true or false "
                "(a turn ends only once the meld is empty, rules §1.5)",
                "mine.toml: turn.reach is 1.5; it should be a whole number, 1 to 31 "
                "(distance a card reaches from an own tile, rules §1.5)",
            ],
        ),
        (
            '[trick]\nmode = "most"',
            ['mine.toml: trick.mode is "most"; allowed "total" or "most_cards" (what wins the trick, rules §1.4)'],
        ),
        (
            "[improve]\ncosts = []",
            [
                "mine.toml: improve.costs has 0 entries; allowed a list of 1 to 8, each a whole number, 0 to 99 "
                "(prices in the order bought; the last repeats, rules §1.6)"
            ],
        ),
        (
            "[improve]\ncosts = 3",
            [
                "mine.toml: improve.costs is 3; it should be a list of 1 to 8, each a whole number, 0 to 99 "
                "(prices in the order bought; the last repeats, rules §1.6)"
            ],
        ),
        ("[tiers]\nwals = [1]", ['mine.toml: unknown key "tiers.wals"; did you mean "tiers.wall"?']),
        ("[trik]\nmode = 3", ['mine.toml: unknown key "trik"; did you mean "trick"?']),
        ("max_rounds = 3", ['mine.toml: unknown key "max_rounds"; did you mean "end.max_rounds"?']),
        (
            "[setup]\nqqq = 3",
            [
                'mine.toml: unknown key "setup.qqq"; known in setup are players, hand_size, draft, draft_passes, '
                "draft_direction, start_units, starting_gold, start_player, map, map_rules"
            ],
        ),
        ("qqq = 3", ['mine.toml: unknown key "qqq"; "blinksim rules show standard" lists all']),
        ("trick = 3", ["mine.toml: trick is 3; it should be a table of parameters such as trick.mode"]),
        ("name = 3", ["mine.toml: name is 3; it should be text in quotes (rules §1)"]),
        (
            "extends = 3",
            ["mine.toml: extends is 3; it should be the name of a preset or a path in quotes"],
        ),
        (
            '[objectives]\nlist = ["ocean_lake"]\nmode = "none"',
            [
                'mine.toml: objectives.list: "ocean_lake" is not an objective: it is a middle terrain and its '
                "ends, such "
                "as ocean_mountain or ocean_forest_mountain; terrains are plains, forest, ocean, mountain (rules §1.9)"
            ],
        ),
        (
            '[[victory.bands]]\nname = "all"\nranks = [1, 20]\na = true\nwins_ties = true\ntiles = 1\nunits = 1\n'
            'terrain = "suit"\nreach = 1\ngould = 1',
            [
                "mine.toml: victory.bands[0].gold is missing; allowed 0 to 99 (gold of effect C, rules §1.7)",
                'mine.toml: unknown key "victory.bands[0].gould"; did you mean "victory.bands[0].gold"?',
            ],
        ),
        (
            "[setup.map]\n2 = 3",
            [
                "mine.toml: setup.map.2 is 3; it should be a table with the keys mountains, homelands, other or "
                "none (unset) "
                "(starting map for two players, rules §1.9)"
            ],
        ),
        (
            "[setup.map.2]\nmountains = [[0, 0]]\nhomelands = [[1, 0]]\nother = [3]",
            [
                "mine.toml: setup.map.2.other[0] is 3; it should be a list of 3: a whole number, -31 to 31; a "
                "whole number, "
                '-31 to 31; "P", "F", "O" or "M" (other tiles, rules §1.9)'
            ],
        ),
        (
            "[setup.map.5]\nhomelands = []",
            ['mine.toml: unknown key "setup.map.5"; known are 2, 3, 4'],
        ),
        (
            '[setup.map.2]\nmountains = [[0, 0], [1, 99]]\nhomelands = [[-1, 0], [2, 0]]\nother = [[0, 1, "X"]]',
            [
                "mine.toml: setup.map.2.mountains[1][1] is 99; allowed -31 to 31 (cells of the Mountains, rules §1.9)",
                'mine.toml: setup.map.2.other[0][2] is "X"; allowed "P", "F", "O" or "M" (other tiles, rules §1.9)',
            ],
        ),
    ],
)
def test_messages(text: str, expected: list[str]) -> None:
    assert mistakes(text) == expected


def test_not_toml() -> None:
    assert mistakes("a = [")[0].startswith("mine.toml: not a TOML file: ")


def test_all_mistakes_are_listed_with_the_place_each_stands_in() -> None:
    write("base.toml", "[turn]\nreach = 99\n[trade]\ndraw = 3\n")
    assert mistakes('extends = "base.toml"\n[victory]\nslots = 4\n[move]\nsee = 2\n', "duel.coin_spent=never") == [
        'mine.toml: unknown key "move.see"; did you mean "move.sea"?',
        "base.toml: turn.reach is 99; allowed 1 to 31 (distance a card reaches from an own tile, rules §1.5)",
        '--set duel.coin_spent=never: duel.coin_spent is "never"; allowed "every_attack", "only_if_wall_fights" or '
        '"only_if_lost" (when an attack costs the tile a coin, rules §1.5)',
        "base.toml: trade.draw is 3 and trade.bury 2; they must be equal, so that hands keep their size (rules §1.9)",
        "mine.toml: victory.slots is 4; it must be odd where the centre scores (victory.centre_scores; rules §1.9)",
    ]


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("tiers.wll", "tiers.wall"),
        ("wall", "tiers.wall"),
        ("trick.goldlast_place", "trick.last_place_gold"),
        ("terrain.P.hlds", "terrain.P.holds"),
        ("victoria", "victory"),
        ("terain", "terrain"),
        ("trik.mde", "trick.mode"),
        ("move.set_aside_gold", "trick.set_aside_gold"),
        ("zzz", None),
    ],
)
def test_nearest_key(wrong: str, near: str | None) -> None:
    assert nearest_key(wrong) == near


def test_the_error_survives_a_trip_between_processes() -> None:
    error = RulesetError("a: one", "b: two")
    copy = pickle.loads(pickle.dumps(error))
    assert copy.problems == ("a: one", "b: two")
    assert str(copy) == "a: one\nb: two"


def test_mistakes_stand_where_the_user_can_mend_them() -> None:
    with pytest.raises(RulesetError) as caught:
        load("standard", ["trade.draw=3"])
    assert str(caught.value).startswith("--set trade.draw=3: trade.draw is 3 and trade.bury 2;")
    with pytest.raises(RulesetError) as caught:
        load("standard", ["trade.draw=3", "trade.bury=1"])
    assert str(caught.value).startswith("--set trade.draw=3, --set trade.bury=1: trade.draw is 3 and trade.bury 1;")
    assert mistakes('extends = "standard"\n[trade]\nbury = 1')[0].startswith(
        "mine.toml: trade.draw is 2 and trade.bury 1;"
    )


# ------------------------------------------------------------------------------------------------------ other forms


def test_header_form_goes_round() -> None:
    ruleset = load("v022_trick", ["setup.map={2 = {mountains = [[0, 0], [1, 0]], homelands = [[2, 0], [-1, 0]]}}"])
    data = json.loads(json.dumps(ruleset.to_dict()))
    assert from_dict(data, "header") == ruleset
    assert data["setup"]["map"] == {
        "2": {"mountains": [[0, 0], [1, 0]], "homelands": [[2, 0], [-1, 0]], "other": []},
    }
    assert list(data) == list(Ruleset().to_dict())


def test_header_may_leave_parameters_out() -> None:
    assert from_dict({"name": "short", "terrain": {"P": {"holds": 2}}}, "header").terrain.P.tiles == 15
    assert from_dict({}, "header") == Ruleset(name="unnamed")
    assert from_dict({"extends": "open"}, "header").objectives.mode == "open"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"trick": {"mode": 7}}, 'g.jsonl:1: trick.mode is 7; allowed "total" or "most_cards" (what wins the trick'),
        ({"turn": {"reach": None}}, "g.jsonl:1: turn.reach is null; it should be a whole number, 1 to 31"),
        ({"turn": {"reech": 1}}, 'g.jsonl:1: unknown key "turn.reech"; did you mean "turn.reach"?'),
        ([], "g.jsonl:1: the ruleset is []; it should be a table of parameters"),
    ],
)
def test_header_mistakes(data: object, expected: str) -> None:
    with pytest.raises(RulesetError) as caught:
        from_dict(data, "g.jsonl:1")  # type: ignore[arg-type]
    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize("comments", [True, False])
def test_toml_form_goes_round(comments: bool) -> None:
    own = "setup.map={3 = {mountains = [[0, 0], [1, 0], [0, 1]], homelands = [[-1, 0], [2, -1], [0, 2]]}}"
    for ruleset in [load(name) for name in preset_names()] + [load("standard", ['name="a \\"b\\""', own])]:
        write("copy.toml", as_toml(ruleset, comments))
        assert load("copy.toml") == ruleset


def test_describe_has_a_row_for_every_parameter() -> None:
    rows = {row.key: row for row in describe(load("quick_start", ["victory.bands[2].gold=7"]))}
    assert rows["setup.start_units"][1:] == (
        "2",
        "units",
        "1 to 63",
        "1.1",
        "units on each homeland at the start",
        True,
    )
    assert rows["trick.a_bonus_cards"].value == "none"
    assert [rows[f"victory.bands[{i}]"].changed for i in range(4)] == [False, False, True, False]
    assert sum(row.changed for row in rows.values()) == 2


def test_difference_of_bands() -> None:
    one = from_dict({"victory": {"bands": [Ruleset().to_dict()["victory"]["bands"][0] | {"ranks": [1, 20]}]}}, "one")
    ((key, left, right),) = difference(Ruleset(), one)
    assert (key, len(left), len(right)) == ("victory.bands", 4, 1)
    assert difference(Ruleset(), load("standard", ["victory.bands[3].terrain=suit"])) == [
        ("victory.bands[3].terrain", "any", "suit")
    ]

"""Every entry of a ruleset by itself: all parameters are there, and what they may be instead is what loading allows."""

from typing import Any

import pytest

from blinksim.errors import UserError
from blinksim.games.blink.ruleset import load, parameters, preset_names
from blinksim.games.blink.ruleset_entries import UNSET, entries
from blinksim.games.game import Entry, get_game

STANDARD = {entry.key: entry for entry in entries(load("standard"))}


def text(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_every_parameter_has_entries() -> None:
    bare = {key.replace("[", ".[").split(".[")[0] for key in STANDARD}
    keys = {key for key in parameters() if "[]" not in key}
    assert keys == bare
    bands = {key.split("].", 1)[1].split("[")[0] for key in STANDARD if key.startswith("victory.bands[0]")}
    assert bands == {key.split("[].")[1] for key in parameters() if "[]." in key}


@pytest.mark.parametrize("preset", preset_names())
def test_entries_set_to_what_they_are_change_nothing(preset: str) -> None:
    ruleset = load(preset)
    same = [f"{entry.key}={text(entry.value)}" for entry in entries(ruleset) if entry.key != "setup.map"]
    assert load(preset, same).content_hash() == ruleset.content_hash()


def test_numbers_have_their_range_and_nothing_else_is_in_it() -> None:
    for entry in STANDARD.values():
        if entry.low is None or entry.high is None:
            continue
        assert entry.low <= entry.value <= entry.high, entry
        for outside in (entry.low - 1, entry.high + 1):
            with pytest.raises(UserError):
                load("standard", [f"{entry.key}={outside:.0f}"])


@pytest.mark.parametrize(
    ("key", "value", "others"),
    [
        ("setup.draft", True, ("false",)),
        ("trick.next_leader", "winner", ("clockwise", "last")),
        ("setup.start_player", "random", ("0", "1", "2", "3")),
        ("victory.effects", ["A", "B", "C"], ('["B", "C"]', '["A", "C"]', '["A", "B"]')),
        ("victory.spends_per_round", 1, ("none",)),
        ("objectives.mode", "show_one", ("secret", "open", "keep_both", "none")),
    ],
)
def test_others(key: str, value: Any, others: tuple[str, ...]) -> None:
    assert (STANDARD[key].value, STANDARD[key].others) == (value, others)
    load("standard", [f"{key}={others[0]}"])


def test_what_is_fixed_says_why() -> None:
    fixed = {entry.key: entry.fixed for entry in STANDARD.values() if entry.fixed}
    assert fixed["cards.suits"] == fixed["coins.count"] == "stated, not a switch"
    assert fixed["trick.a_bonus_cards"] == UNSET
    assert "single step" in fixed["setup.map"]
    assert fixed["victory.bands[0].name"] == "free text"
    unset = {entry.key: entry for entry in entries(load("standard", ["victory.limit_b=none"]))}
    assert unset["victory.limit_b"].fixed == UNSET


def test_the_descriptor_has_them() -> None:
    found = get_game("blink").ruleset_entries(load("standard", ["tiers.wall[2]=15"]))
    (wall,) = [entry for entry in found if entry.key == "tiers.wall[2]"]
    assert wall == Entry("tiers.wall[2]", 15, "wall value of the tier (rank)", 0, 60)

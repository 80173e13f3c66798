"""Entries picked by name, their steps, and the ranges over which they are searched."""

import pytest

from blinksim.errors import UserError
from blinksim.games.game import Entry
from blinksim.simulate.entries import EntryError, dials, narrowed, parse_within, pick, steps_of, turnable

ALL = [
    Entry("tiers.wall[0]", 10, "wall", 0, 60),
    Entry("tiers.wall[1]", 12, "wall", 0, 60),
    Entry("tiers.name", ["a", "b"], "names", others=('["b"]', '["a"]')),
    Entry("trick.gold", 0, "gold", 0, 99),
    Entry("trick.wallet", 1, "gold", 1, 1),
    Entry("trick.mode", "total", "mode", others=("cards", "none")),
    Entry("setup.map", "own", "map", fixed="it has no single step"),
    Entry("move.share", 0.5, "a real number", 0, 1, step=0.25),
]
BY_KEY = {entry.key: entry for entry in ALL}


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["tiers.wall[1]"], ["tiers.wall[1]"]),
        (["trick.gold", "tiers.wall"], ["tiers.wall[0]", "tiers.wall[1]", "trick.gold"]),
        (["trick", "trick.gold"], ["trick.gold", "trick.wallet", "trick.mode"]),
    ],
)
def test_pick(names: list[str], keys: list[str]) -> None:
    assert [entry.key for entry in pick(ALL, names, "--free")] == keys


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("tiers.wal", 'did you mean "tiers.wall"'),
        ("trick.zzzzzz", "in trick are trick.gold, trick.wallet, trick.mode"),
        ("zzzzzz", "groups are tiers, trick, setup, move"),
    ],
)
def test_a_wrong_name_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(EntryError, match=f'--params has "{name}"') as caught:
        pick(ALL, [name], "--params")
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("key", "steps"),
    [
        ("tiers.wall[0]", [("down", "tiers.wall[0]=9", ""), ("up", "tiers.wall[0]=11", "")]),
        ("trick.gold", [("down", "trick.gold=-1", "-1 is out of range; allowed 0 to 99"), ("up", "trick.gold=1", "")]),
        ("trick.mode", [("other", "trick.mode=cards", ""), ("other", "trick.mode=none", "")]),
        ("setup.map", [("other", "setup.map", "it has no single step")]),
        ("move.share", [("down", "move.share=0.25", ""), ("up", "move.share=0.75", "")]),
        ("tiers.name", [("other", "tiers.name without a", ""), ("other", "tiers.name without b", "")]),
    ],
)
def test_steps(key: str, steps: list[tuple[str, str, str]]) -> None:
    assert [(step.side, step.label, step.reason) for step in steps_of(BY_KEY[key])] == steps


def test_what_a_step_was() -> None:
    assert [steps_of(BY_KEY[key])[0].was for key in ("tiers.name", "trick.gold", "trick.mode")] == [
        "2 names", "0", "total",
    ]  # fmt: skip


def test_ranges_of_a_search() -> None:
    wall, gold, mode, share = dials(
        [BY_KEY[k] for k in ("tiers.wall[0]", "trick.gold", "trick.mode", "move.share")], {}
    )
    assert (wall.values[0], wall.values[wall.base], wall.values[-1]) == ("5", "10", "15")
    assert gold.values == ("0", "1", "2", "3") and gold.base == 0
    assert mode.values == ("total", "cards", "none") and not mode.numeric
    assert share.values == ("0", "0.25", "0.5", "0.75", "1")
    assert (wall.steps(0), mode.steps(2)) == (5, 1)
    assert wall.change(0) == "tiers.wall[0]=5"
    (within,) = dials([BY_KEY["tiers.wall[0]"]], parse_within(["tiers.wall[0]=8..30"]))
    assert (within.values[0], within.values[-1]) == ("8", "30")


@pytest.mark.parametrize(
    ("key", "within", "said"),
    [
        ("trick.wallet", [], "1 is the only value in its range"),
        ("trick.gold", ["tiers.wall[0]=1..2"], "not among the free ones: trick.gold"),
        ("trick.gold", ["trick.gold=0..200"], "allowed 0 to 99"),
        ("tiers.wall[0]", ["tiers.wall[0]=11..20"], "without the 10 that it is"),
        ("trick.mode", ["trick.mode=0..2"], "no number"),
        ("trick.gold", ["trick.gold=2..1"], "must be a number with its range"),
        ("trick.gold", ["trick.gold"], "must be a number with its range"),
        ("trick.gold", ["trick.gold=1...2...3"], "must be a number with its range"),
    ],
)
def test_ranges_that_do_not_fit(key: str, within: list[str], said: str) -> None:
    with pytest.raises(EntryError, match=said):
        dials([BY_KEY[key]], parse_within(within))


def test_what_can_be_free() -> None:
    free, fixed = turnable([*ALL, Entry("setup.gold", 1, "", 0, 2)], ["setup"], "--free")
    assert ([entry.key for entry in free], [entry.key for entry in fixed]) == (["setup.gold"], ["setup.map"])
    with pytest.raises(EntryError, match=r"setup.map cannot be free: it has no single step"):
        turnable(ALL, ["setup.map", "trick"], "--free")
    with pytest.raises(EntryError, match=r"nothing that --free names can be free: setup.map"):
        turnable(ALL, ["setup"], "--free")


def test_a_range_is_narrowed_to_what_the_rules_allow() -> None:
    def allowed(changes: object) -> None:
        (change,) = changes  # type: ignore[misc]
        if not 8 <= int(change.split("=")[1]) <= 11:
            raise UserError("no")

    (dial,) = dials([BY_KEY["tiers.wall[0]"]], {})
    narrow = narrowed(dial, allowed)
    assert narrow.values == ("8", "9", "10", "11") and narrow.values[narrow.base] == "10"


def test_dials_in_words() -> None:
    texts = [dial.text for dial in dials([BY_KEY[k] for k in ("trick.gold", "trick.mode", "tiers.name")], {})]
    assert texts == [
        "trick.gold 0 to 3", "trick.mode total, cards, none", "tiers.name as it is, or without one of its names",
    ]  # fmt: skip

"""Changes to a ruleset as on the command line: ``--set KEY=VALUE``."""

from __future__ import annotations

import pytest

from blinksim.games.blink.ruleset import Ruleset, RulesetError, difference, load, with_overrides


@pytest.mark.parametrize(
    ("change", "key", "value"),
    [
        ("tiers.wall[2]=15", "tiers.wall", [10, 12, 15, 16, 18]),
        ("tiers.wall=10,12,15,17,19", "tiers.wall", [10, 12, 15, 17, 19]),
        ("tiers.wall = [10, 12, 15, 17, 19]", "tiers.wall", [10, 12, 15, 17, 19]),
        ("terrain.P.holds=4", "terrain.P.holds", 4),
        ("victory.bands[1].gold=4", "victory.bands[1].gold", 4),
        ("victory.bands[1].ranks[0]=6", None, None),
        ("trick.mode=total", None, None),
        ("trick.next_leader=last", "trick.next_leader", "last"),
        ('trick.next_leader="last"', "trick.next_leader", "last"),
        ("victory.limit_b=null", "victory.limit_b", None),
        ("victory.limit_b=none", "victory.limit_b", None),
        ("objectives.mode=none", "objectives.mode", "none"),
        ("score.tie_breaks=units,gold", "score.tie_breaks", ["units", "gold"]),
        ("score.tie_breaks=row", "score.tie_breaks", ["row"]),
        ("improve.costs=2", "improve.costs", [2]),
        ("terrain={F = {holds = 3}}", "terrain.F.holds", 3),
        ("setup.draft=false", "setup.draft", False),
        ("setup.start_player=0", "setup.start_player", 0),
        ("tiers.name[0]=Clan", "tiers.name", ["Clan", "Settlement", "Kingdom", "Empire", "Civilization"]),
    ],
)
def test_changes(change: str, key: str | None, value: object) -> None:
    expected = [] if key is None else [(key, value)]
    assert [(k, v) for k, _, v in difference(Ruleset(), load("standard", [change]))] == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            "tiers.wall[2]=high",
            'tiers.wall[2] is "high"; it should be a whole number, 0 to 60 (wall value of the tier, rules §1.2)',
        ),
        ("tiers.wall[2]=61", "tiers.wall[2] is 61; allowed 0 to 60 (wall value of the tier, rules §1.2)"),
        ("tiers.wall[5]=15", "tiers.wall has 5 entries, 0 to 4; there is no tiers.wall[5]"),
        ("tiers.wll[2]=15", 'unknown key "tiers.wll"; did you mean "tiers.wall"?'),
        ("turn.reach[0]=1", "turn.reach is 1; it has no entry [0]"),
        ("turn.reach.far=1", 'turn.reach is 1; it has no entry "far"'),
        ("victory.bands[1].gld=1", 'unknown key "victory.bands[1].gld"; did you mean "victory.bands[1].gold"?'),
        ("victory.bands[1].zzz=1", 'unknown key "victory.bands[1].zzz"; known are name, ranks, a, wins_ties'),
        (
            "setup.draft=null",
            "setup.draft is null; it should be true or false (cards are passed on before the first round, rules §1.1)",
        ),
        ("trick.set_aside=True", 'trick.set_aside is "True"; it should be true or false'),
        ("tiers.wall", "a change is KEY=VALUE, such as tiers.wall[2]=15 or trick.mode=most_cards"),
        ("tiers..wall=3", "a change is KEY=VALUE"),
        ("[2]=3", "a change is KEY=VALUE"),
        ("tiers.wall=", "a change is KEY=VALUE"),
        ("=3", "a change is KEY=VALUE"),
        ("setup.start_player=soon", 'setup.start_player is "soon"; allowed "random" or 0 to 3'),
        ("setup.map=big", 'setup.map is "big"; allowed "builtin" or tables "2", "3", "4"'),
    ],
)
def test_changes_that_are_wrong(change: str, expected: str) -> None:
    with pytest.raises(RulesetError) as caught:
        load("standard", [change])
    (line,) = caught.value.problems
    assert line.startswith(f"--set {change}: {expected}")


def test_later_changes_win_and_change_no_default() -> None:
    before = Ruleset().content_hash()
    ruleset = load("standard", ["tiers.wall[2]=15", "tiers.wall[2]=17", "victory.bands[0].gold=9"])
    assert ruleset.tiers.wall[2] == 17
    assert Ruleset().content_hash() == before
    assert with_overrides(ruleset, ["victory.bands[0].gold=2"], "here").victory == Ruleset().victory

"""Finding players: by name, by file, with parameters; and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blinksim.errors import UserError
from blinksim.paths import UnknownNameError
from blinksim.players.policy import Parameter
from blinksim.players.roster import MAX_PARAMETERS, StrategyError, find_player, list_strategies

PLAIN = '''"""Always the first choice."""

from blinksim.players.policy import Parameter, Strategy

PARAMETERS = (Parameter("x", 1, 0, 2, "points", "An x."),)
STRATEGY = Strategy(name="first", summary="the first", compiled=False, parameters=PARAMETERS)


def decide(view, rules, actions, n, params, memory, stream, sandbox):
    return 0
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with strategies of its own."""
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "first.py").write_text(PLAIN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_shipped_players_are_found_from_anywhere(folder: Path) -> None:
    assert {"builder", "first", "raider", "random"} <= set(list_strategies())
    assert find_player("raider").compiled
    assert not find_player("first").compiled


@pytest.mark.parametrize("name", ["builder", "raider", "random"])
def test_shipped_players_say_who_they_are(name: str) -> None:
    player = find_player(name)
    assert player.strategy.name == name == player.path.stem
    assert player.strategy.summary
    assert len(player.strategy.parameters) <= MAX_PARAMETERS
    names = [parameter.name for parameter in player.strategy.parameters]
    assert len(set(names)) == len(names)
    assert all(p.unit and p.meaning.endswith(".") for p in player.strategy.parameters)
    assert player.strategy.random == (name == "random")
    assert player.params.tolist()[: len(names)] == [p.default for p in player.strategy.parameters]
    assert not player.params[len(names) :].any()


def test_parameters_are_changed_by_name() -> None:
    base, changed = find_player("raider"), find_player("raider:aggression=2,lead=0.25")
    names = [parameter.name for parameter in base.strategy.parameters]
    assert changed.params[names.index("aggression")] == 2
    assert changed.params[names.index("lead")] == 0.25
    others = [i for i, name in enumerate(names) if name not in ("aggression", "lead")]
    assert (changed.params[others] == base.params[others]).all()
    assert changed.name == "raider:aggression=2,lead=0.25"
    assert changed.fingerprint != base.fingerprint
    assert find_player("raider").fingerprint == base.fingerprint


def test_a_file_is_found_by_its_path(folder: Path) -> None:
    player = find_player("strategies/first.py:x=2")
    assert player.params[0] == 2
    assert player.decide(None, None, None, 3, player.params, None, None, None) == 0


def test_a_file_in_the_working_directory_hides_the_shipped_one(folder: Path) -> None:
    (folder / "strategies" / "raider.py").write_text(PLAIN)
    assert find_player("raider").strategy.name == "first"
    assert np.count_nonzero(find_player("raider").params) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("raidr", 'did you mean "raider"'),
        ("raider:agression=1", 'raider has no parameter "agression"; did you mean aggression?'),
        ("raider:zzz=1", 'raider has no parameter "zzz". It has: '),
        ("random:zzz=1", "It has: none"),
        ("raider:aggression=9", "raider:aggression is 9; it must be a number from 0 to 5"),
        ("raider:aggression=much", "raider:aggression is much; it must be a number"),
        ("raider:aggression", "raider:aggression is missing; it must be a number"),
        ("nowhere/x.py", "there is no file nowhere/x.py"),
    ],
)
def test_mistakes_in_a_name(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        find_player(text)
    assert isinstance(caught.value, ValueError)
    assert says in str(caught.value)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"Known strategies: .*builder.*raider.*random"):
        find_player("nobody")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("STRATEGY = 1\n", "a strategy needs a constant STRATEGY"),
        (PLAIN.split("def decide")[0], "a function decide"),
        ("import nothing_of_the_kind\n", "cannot be imported: ModuleNotFoundError"),
        ("def\n", "cannot be imported: SyntaxError"),
    ],
)
def test_mistakes_in_a_file(folder: Path, source: str, says: str) -> None:
    (folder / "strategies" / "broken.py").write_text(source)
    with pytest.raises(StrategyError) as caught:
        find_player("broken")
    assert says in str(caught.value)
    assert "broken.py" in str(caught.value)


def test_a_default_outside_its_range_is_refused() -> None:
    with pytest.raises(AssertionError, match="parameter x: default outside its range"):
        Parameter("x", 3, 0, 2, "points", "An x.")

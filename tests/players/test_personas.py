"""Personas: found like strategies, playing like them, and what a wrong file says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blinksim.errors import UserError
from blinksim.paths import UnknownNameError
from blinksim.players.roster import StrategyError, find_player, list_strategies
from blinksim.simulate.batch import Entrant, prepare, run
from blinksim.simulate.experiment import parse_experiment
from blinksim.store.reading import open_run
from tests.strategies.tables import play

ANGRY = 'strategy = "raider"\nsummary = "always angry"\n\n[parameters]\naggression = 3\nlead = 1.5\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a persona of its own."""
    (tmp_path / "strategies").mkdir()
    write(tmp_path, "angry", ANGRY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / "strategies" / f"{name}.toml").write_text(text, encoding="utf-8")


def test_a_persona_is_its_strategy_with_other_parameters() -> None:
    persona, spelt_out, base = (find_player(n) for n in ("angry", "raider:aggression=3,lead=1.5", "raider"))
    assert (persona.params == spelt_out.params).all()
    assert persona.decide is base.decide
    assert (persona.name, persona.summary, base.summary) == ("angry", "always angry", base.strategy.summary)
    assert persona.fingerprint == spelt_out.fingerprint != base.fingerprint


def test_its_fingerprint_covers_its_parameters(folder: Path) -> None:
    before = find_player("angry").fingerprint
    write(folder, "angry", ANGRY.replace("always", "often"))
    assert find_player("angry").fingerprint == before
    write(folder, "angry", ANGRY.replace("1.5", "1.6"))
    assert find_player("angry").fingerprint != before


def test_a_persona_is_changed_further_by_name() -> None:
    base, changed = find_player("angry"), find_player("angry:lead=2")
    (differing,) = np.flatnonzero(base.params != changed.params)
    assert changed.params[differing] == 2
    assert 3 in changed.params and 1.5 not in changed.params


def test_the_working_directory_hides_what_is_shipped(folder: Path) -> None:
    write(folder, "builder", ANGRY)
    assert find_player("builder").strategy.name == "raider"
    assert list_strategies()["builder"].suffix == ".toml"
    assert {"angry", "builder", "raider", "random"} <= set(list_strategies())


def test_a_persona_is_found_by_its_path() -> None:
    assert 3 in find_player("strategies/angry.toml:lead=2").params
    with pytest.raises(UnknownNameError, match=r"there is no file strategies/angri\.toml"):
        find_player("strategies/angri.toml")


def test_a_persona_plays_in_a_line_up_and_the_run_remembers_it(folder: Path) -> None:
    """And it does something else than the strategy that it builds on."""
    write(folder, "tame", 'strategy = "raider"\nsummary = "tame"\n[parameters]\naggression = 0\nstalk = 0\n')
    line_ups = [["angry", "random"], ["tame", "random"]]
    data = {"question": "Angry?", "players": [2], "deals": 2, "seed": 3, "line_ups": line_ups}
    experiment = parse_experiment(data, "test")
    players = {name: find_player(name) for name in experiment.strategy_names()}
    run(prepare(experiment, {n: Entrant(n, p, p.fingerprint) for n, p in players.items()}), folder / "run", 1)
    opened = open_run(folder / "run")
    assert opened.manifest["strategies"]["angry"] == players["angry"].fingerprint
    digests = opened.scan("games").select("line_up", "digest").collect().partition_by("line_up")
    assert digests[0]["digest"].to_list() != digests[1]["digest"].to_list()


def test_the_shipped_personas_are_as_they_say() -> None:
    """One attacks most and builds no wall, the other the reverse; both know how to play."""
    _, seats, slots = play(["hothead", "hermit", "random"], 4)
    attacks, walls, wins = (
        [float(seats[name][slots == slot].mean()) for slot in range(3)]
        for name in ("num_attack", "paid_fortify", "win_share")
    )
    assert attacks[0] > 1.5 * attacks[1]
    assert walls[0] == 0 and walls[1] > 1
    assert wins[2] <= 1  # of 12


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ANGRY + "calm = 1\n", 'angry.toml: raider has no parameter "calm". It has: '),
        (ANGRY.replace("aggression", "agression"), 'no parameter "agression"; did you mean aggression?'),
        (ANGRY.replace("= 3", "= 9"), "angry.toml: raider:aggression is 9; it must be a number from 0 to 5 (units)"),
        (ANGRY.replace("= 3", '= "much"'), "aggression is much; it must be a number"),
        (ANGRY.replace("= 3", "= true"), "aggression is True; it must be a number"),
        (ANGRY.replace("= 3", "= nan"), "aggression is nan; it must be a number"),
        (ANGRY.replace("= 3", "= [1]"), "aggression is [1]; it must be a number"),
        ("sumary = 'x'\n" + ANGRY, 'unknown key "sumary"; did you mean "summary"? Known keys: strategy, summary'),
        (ANGRY.replace('strategy = "raider"\n', ""), 'the key "strategy" is missing; it must be the name of a'),
        (ANGRY.replace('"always angry"', "5"), "summary is 5; it must be the temper in a few words"),
        (ANGRY.replace('"raider"', '"raidr"'), "angry.toml: strategy: there is no raidr.py in "),
        (ANGRY.replace('"raider"', '"angry"'), 'strategy is "angry", which is a persona itself; name the strategy'),
        (ANGRY.split("[")[0] + "parameters = 3\n", "parameters is 3; it must be a table [parameters]"),
        ("strategy = raider\n", "angry.toml is not a TOML file"),
    ],
)
def test_mistakes_in_a_file(folder: Path, text: str, says: str) -> None:
    write(folder, "angry", text)
    with pytest.raises(StrategyError) as caught:
        find_player("angry")
    assert says in str(caught.value)
    assert "angry.toml" in str(caught.value)


def test_mistakes_on_the_command_line_name_the_persona() -> None:
    with pytest.raises(UserError, match=r"angry:aggression is 9; it must be a number from 0 to 5"):
        find_player("angry:aggression=9")
    with pytest.raises(UnknownNameError, match=r'did you mean "angry"\? Known strategies: angry, builder'):
        find_player("angri")


def test_two_files_with_one_name_are_refused(folder: Path) -> None:
    (folder / "strategies" / "angry.py").write_text("", encoding="utf-8")
    with pytest.raises(StrategyError, match="rename one of them"):
        find_player("angry")
    assert 3 in find_player("strategies/angry.toml").params

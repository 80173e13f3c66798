"""Versions of the rules from the words of a command line."""

import pytest

from blinksim.games.game import get_game
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.versions import Version, VersionError, experiment_data, parse_version

BLINK = get_game("blink")
STANDARD = Version("standard", "standard")


def test_a_preset_is_a_version() -> None:
    assert parse_version("quick_start", BLINK) == Version("quick_start", "quick_start")


def test_changes_with_a_name_build_on_the_base() -> None:
    found = parse_version("tall:tiers.wall[2]=15; trick.last_place_gold=0", BLINK, STANDARD)
    assert found == Version("tall", "standard", ("tiers.wall[2]=15", "trick.last_place_gold=0"))


def test_changes_to_a_preset_build_on_that() -> None:
    found = parse_version("open:trick.last_place_gold=0", BLINK, STANDARD)
    assert found.ruleset == "open" and found.changes == ("trick.last_place_gold=0",)


def test_a_name_builds_on_the_changes_of_the_base_too() -> None:
    base = parse_version("standard:trick.last_place_gold=0", BLINK)
    found = parse_version("tall:tiers.wall[2]=15", BLINK, base)
    assert found.changes == ("trick.last_place_gold=0", "tiers.wall[2]=15")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it has no name"),
        ("tall:", "it has no changes"),
        ("tall:tiers.wall", "has no ="),
        (":a=1", "it has no name"),
    ],
)
def test_wrong_words_say_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(VersionError, match=said):
        parse_version(text, BLINK, STANDARD)


def test_an_unknown_ruleset_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="standard"):
        parse_version("quik_start", BLINK)
    with pytest.raises(VersionError, match="rulesets are"):
        parse_version("tall:tiers.wall[2]=15", BLINK)


def data(*versions: Version) -> dict[str, object]:
    return experiment_data(versions, "What?", 3, [{"mirror": ["random"]}], 5, 1, ["setup.starting_gold=1"])


def test_every_version_gets_the_common_changes_and_its_own() -> None:
    tall = parse_version("tall:tiers.wall[2]=15", BLINK, STANDARD)
    experiment = parse_experiment(data(STANDARD, tall, Version("open", "open")), "test", BLINK)
    assert experiment.rulesets() == [
        ("base", "standard", ("setup.starting_gold=1",)),
        ("tall", "standard", ("setup.starting_gold=1", "tiers.wall[2]=15")),
        ("open", "open", ("setup.starting_gold=1",)),
    ]


def test_a_base_with_changes_is_not_mixed_with_rulesets_that_lack_them() -> None:
    base = parse_version("standard:trick.last_place_gold=0", BLINK)
    with pytest.raises(VersionError, match="ruleset file"):
        data(base, Version("open", "open"))


def test_two_versions_need_two_names() -> None:
    with pytest.raises(VersionError, match='called "open"'):
        data(STANDARD, Version("open", "open"), Version("open", "open"))

"""Versions of the rules that are to be held against each other, from the words of a command line.

A version is a preset, a ruleset file, or changes with a name in front: ``tall:tiers.wall[2]=15;tiers.wall[3]=17``.
Where the name is that of a preset or a file the changes are made to it, otherwise to the first version given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blinksim.errors import UserError
from blinksim.games.game import Game


class VersionError(UserError):
    """A version of the rules was given in words that name none."""


@dataclass(frozen=True)
class Version:
    """A ruleset to compare.

    Attributes:
        name: For tables and figures.
        ruleset: A preset or a file.
        changes: Overrides "KEY=VALUE".
    """

    name: str
    ruleset: str
    changes: tuple[str, ...] = ()


def parse_version(text: str, game: Game, base: Version | None = None) -> Version:
    """A version from its text.

    Args:
        text: ``standard``, ``my_rules.toml`` or ``name:key=value;key=value``.
        game: Whose rules.
        base: The first version, to which a name that is no ruleset's makes its changes.

    Raises:
        VersionError: the text has another form, or names no ruleset.
    """
    name, colon, rest = text.partition(":")
    changes = tuple(part.strip() for part in rest.split(";") if part.strip())
    wrong = [change for change in changes if "=" not in change]
    if not name.strip() or (colon and not changes) or wrong:
        shown = (
            f'"{wrong[0]}" has no =' if wrong else "it has no changes" if colon and name.strip() else "it has no name"
        )
        raise VersionError(
            f'"{text}" is not a version of the rules: {shown}; expected a preset, a file, or a name with changes, '
            'such as "tall:tiers.wall[2]=15;trick.last_place_gold=0"'
        )
    name = name.strip()
    if name in game.ruleset_names() or name.endswith(".toml"):
        return Version(Path(name).stem if not changes else f"{Path(name).stem}:{';'.join(changes)}", name, changes)
    if not changes:
        game.load_ruleset(name)  # says what there is
    if base is None:
        raise VersionError(
            f'"{name}" is not a ruleset, so its changes have nothing to change; rulesets are: '
            f"{', '.join(game.ruleset_names())}"
        )
    return Version(name, base.ruleset, (*base.changes, *changes))


def experiment_data(
    versions: Sequence[Version],
    question: str,
    players: int,
    line_ups: Sequence[Any],
    deals: int,
    seed: int,
    changes: Sequence[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """An experiment that plays all versions on the same deals, as data for ``parse_experiment``.

    Args:
        versions: The base first.
        question: What is asked.
        players: Player count.
        line_ups: As in an experiment's file.
        deals: How many at most.
        seed: Of the deals.
        changes: Overrides that every version gets, before its own.
        more: Further keys of the experiment.
    """
    base, *others = versions
    names = [version.name for version in others]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise VersionError(f'two versions are called "{twice[0]}"; give each a name of its own, such as "b:key=value"')
    return {
        "question": question,
        "ruleset": base.ruleset,
        "set": [*changes, *base.changes],
        "variants": [{"name": v.name, "ruleset": v.ruleset, "set": list(_own_changes(base, v))} for v in others],
        "players": [players],
        "line_ups": list(line_ups),
        "deals": deals,
        "seed": seed,
        **more,
    }


def _own_changes(base: Version, version: Version) -> tuple[str, ...]:
    """What a version changes beyond the base: an experiment makes the base's changes in every variant first.

    Raises:
        VersionError: the version is not built on the base's changes, so that it would get them unasked.
    """
    if version.changes[: len(base.changes)] == base.changes and version.ruleset == base.ruleset:
        return version.changes[len(base.changes) :]
    if base.changes:
        raise VersionError(
            f"the base {base.name} has changes of its own, and {version.name} is another ruleset without them; "
            "write the base into a ruleset file, or name the unchanged ruleset first"
        )
    return version.changes

"""What the commands that hold rulesets against each other share: levels of play, line-ups, amounts, metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from blinksim.players.roster import Player
    from blinksim.simulate.prepared import Entrant

FIELD = ("generalist", "merchant", "scholar", "warden")
"""Strategies of the scripted field, as many as there are seats."""
MOST_LETTERS = 100
"""Of a name of a folder: file systems take about 255, and an ending goes behind it."""


def line_ups_of(level: str, players: int) -> list[Any]:
    """What a level of play plays: mirrors of its strategy; the scripted one also a field."""
    mirror = {"scripted": "generalist"}.get(level, level)
    field: list[Any] = [list(FIELD[:players])] if level == "scripted" else []
    return [{"mirror": [mirror]}, *field]


def parse_line_up(text: str) -> list[str]:
    """A line-up's strategies: commas between them, or semicolons where parameters have commas."""
    return [part.strip() for part in (text.split(";") if ";" in text else text.split(","))]


def strategies_of(line_ups: Sequence[Any]) -> list[str]:
    """Every strategy that line-ups name, each once."""
    names: dict[str, None] = {}
    for entry in line_ups:
        names |= dict.fromkeys(entry["mirror"] if isinstance(entry, Mapping) else entry)
    return list(names)


def entrants_of(names: Sequence[str]) -> tuple[dict[str, Player], dict[str, Entrant]]:
    """Strategies by name, and what plays for them.

    Raises:
        UserError: there is no such strategy or parameter.
    """
    from blinksim.players.roster import find_player
    from blinksim.simulate.prepared import Entrant

    people = {name: find_player(name) for name in names}
    return people, {name: Entrant(name, player, player.fingerprint) for name, player in people.items()}


def known_metrics(
    game: Any, version: Any, line_ups: Sequence[Any], players: int, changes: Sequence[str] = ()
) -> list[Any]:
    """The metrics of a version with changes made to it first, and of its line-ups, before anything is played."""
    from blinksim.analysis.metrics import metrics_of

    tiers = tier_names(game, version, changes)
    mixed = [entry for entry in line_ups if not isinstance(entry, Mapping) and len(set(entry)) > 1]
    return metrics_of(tiers, sorted({name for entry in mixed for name in entry}), players)


def tier_names(game: Any, version: Any, changes: Sequence[str] = ()) -> list[str]:
    """What a version with changes made to it first calls its tiers, from the first."""
    return list(game.ruleset_data(game.load_ruleset(version.ruleset, [*changes, *version.changes]))["tiers"]["name"])


def amount(text: str, option: str) -> float:
    """A difference in words: ``3pp`` (points of a share) or a number in the metric's unit.

    Raises:
        UserError: it is neither, or not above 0.
    """
    from blinksim.errors import UserError

    number = text.strip().removesuffix("pp")
    scale = 100 if number != text.strip() else 1
    try:
        value = float(number) / scale
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise UserError(f'{option} is "{text}"; it must be a number above 0, such as 0.5, or points such as 3pp')
    return value


def file_name(*parts: str) -> str:
    """A name for a folder or a page from words of the command line; a long one is cut and told apart by a digest."""
    import re
    from hashlib import sha256

    name = "-".join(re.sub(r"[^A-Za-z0-9_.]+", "_", part).strip("_") for part in parts)
    return name if len(name) <= MOST_LETTERS else f"{name[:MOST_LETTERS]}-{sha256(name.encode()).hexdigest()[:8]}"

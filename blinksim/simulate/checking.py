"""Checks an experiment together with all that it names: the rulesets of its variants, and its strategies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from blinksim.errors import UserError
from blinksim.games.game import get_game
from blinksim.players.roster import find_player
from blinksim.simulate.experiment import Experiment, load_experiment


@dataclass(frozen=True)
class Findings:
    """What a check found.

    Attributes:
        experiment: The experiment, None where its file alone has mistakes.
        mistakes: What keeps it from being played, one line each.
        notes: What is allowed and worth knowing, one line each.
    """

    experiment: Experiment | None
    mistakes: tuple[str, ...]
    notes: tuple[str, ...] = ()


def check_experiment(path: Path) -> Findings:
    """Check an experiment's file, the rulesets of all its variants and its strategies; nothing is played."""
    try:
        experiment = load_experiment(path)
    except UserError as error:
        return Findings(None, tuple(str(error).splitlines()))
    game = get_game(experiment.game)
    mistakes: list[str] = []
    notes: list[str] = []
    first_of: dict[str, str] = {}
    for name, ruleset, settings in experiment.rulesets():
        try:
            loaded = game.load_ruleset(ruleset, settings)
            for players in experiment.players:
                game.pack_ruleset(loaded, players)
        except UserError as error:
            mistakes += _lines(error, f'{path}: variant "{name}"')
            continue
        first = first_of.setdefault(game.ruleset_hash(loaded), name)
        if first != name:
            notes.append(f'{path}: variant "{name}" has the same rules as "{first}": it plays the same games again')
    for name in experiment.strategy_names():
        try:
            find_player(name)
        except UserError as error:
            mistakes += _lines(error, f"{path}: line_ups")
    return Findings(experiment, tuple(dict.fromkeys(mistakes)), tuple(notes))


def _lines(error: UserError, where: str) -> Iterable[str]:
    return (f"{where}: {line}" for line in str(error).splitlines())

"""Tiny runs to report on: games between players that choose at random, some under two names."""

from pathlib import Path
from typing import Any

from blinksim.players.roster import find_player
from blinksim.simulate.batch import Entrant, prepare, run
from blinksim.simulate.experiment import parse_experiment

PLAN: dict[str, Any] = {
    "question": "Does a page <come> out & can it be read?",
    "players": [2, 3],
    "deals": {"2": 6, "3": 3},
    "line_ups": {"2": [{"mirror": ["random"]}, ["random", "chance"]], "3": [{"mirror": ["random"]}]},
    "seed": 5,
    "deals_per_shard": 2,
}

CORE = ("seats", "length", "tiers", "scores", "method")
"""Topics enough for tests that are about no topic."""


def play(folder: Path, **changes: Any) -> Path:
    """Play a tiny run into a folder; ``chance`` is another name for ``random``."""
    experiment = parse_experiment(PLAN | changes, "test.toml")
    players = {name: find_player("random" if name == "chance" else name) for name in experiment.strategy_names()}
    entrants = {name: Entrant(name, player, player.fingerprint) for name, player in players.items()}
    run(prepare(experiment, entrants), folder, workers=1)
    return folder

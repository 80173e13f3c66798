"""How much slower strategies in plain Python are: measured on the first games of the experiment that they play in."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from blinksim.simulate.prepared import Batch

STAND_IN = "random"
"""The compiled strategy that is timed in the place of plain ones."""
SECONDS = 0.3
"""No further game is begun after this long."""
GAMES = 50


@dataclass(frozen=True)
class Slowness:
    """What was measured, on one core.

    Attributes:
        names: The strategies in plain Python.
        line_up: The line-up that was timed.
        plain: Its games per second.
        compiled: Games per second with a compiled strategy in their place.
    """

    names: tuple[str, ...]
    line_up: tuple[str, ...]
    plain: float
    compiled: float

    def __str__(self) -> str:
        """One sentence for people."""
        who = " and ".join(self.names)
        verb, theirs = ("is", "its") if len(self.names) == 1 else ("are", "their")
        return (
            f"{who} {verb} plain Python: {_speed(self.plain)} games/s on one core here ({','.join(self.line_up)}), "
            f"{self.compiled / self.plain:,.0f} times slower than with compiled {STAND_IN} in {theirs} place "
            f"({_speed(self.compiled)} games/s)"
        )


def measure_slowness(batch: Batch) -> Slowness | None:
    """Time a few games of the first line-up with a strategy in plain Python, and the same with a compiled one.

    Args:
        batch: What is to be played, compiled.

    Returns:
        None where all strategies are compiled, or where the games fail, which the run itself will tell.
    """
    from blinksim.players.roster import find_player

    found = [
        (players, i)
        for players, line_ups in batch.strategies.items()
        for i, line_up in enumerate(line_ups)
        if not all(getattr(player, "compiled", True) for player in line_up)
    ]
    if not found:
        return None
    players, i = found[0]
    line_up = batch.strategies[players][i]
    stand_in = find_player(STAND_IN)
    compiled = [player if getattr(player, "compiled", True) else stand_in for player in line_up]
    try:
        speeds = [_games_per_second(batch, players, i, handles) for handles in (line_up, compiled)]
    except Exception:
        return None
    names = tuple(dict.fromkeys(player.name for player in line_up if not player.compiled))
    return Slowness(names, batch.plan.schedules[players].line_ups[i], *speeds)


def _games_per_second(batch: Batch, players: int, line_up: int, handles: list[Any]) -> float:
    """Speed of one line-up with the base ruleset, on one core, the first game left out."""
    schedule = batch.plan.schedules[players]
    strategies = list(batch.strategies[players])
    strategies[line_up] = handles
    keys = schedule.keys(0, min(schedule.num_deals, GAMES))
    keys = keys[(keys["line_up"] == line_up) & (keys["variant"] == 0)][: GAMES + 1]
    deals = [batch.game.make_deals(batch.rulesets[0], batch.experiment.seed, players, 0, int(keys["deal"].max()) + 1)]

    def play(some: np.ndarray) -> None:
        batch.game.play_games(batch.rules[players], strategies, some, deals, batch.experiment.seed, False, reuse=True)

    play(keys[:1])
    begin, games = time.perf_counter(), 0
    while games == 0 or (games < len(keys) and time.perf_counter() - begin < SECONDS):
        play(keys[games : games + 1])
        games += 1
    return games / (time.perf_counter() - begin)


def _speed(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"

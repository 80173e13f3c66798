"""A short pilot: how fast an experiment's games are here, and how many bytes they take, before it is run.

The first deals of each player count are played as a run would play them, on one core, and thrown away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from blinksim.simulate.playing import make_shard
from blinksim.simulate.schedule import Shard

if TYPE_CHECKING:
    from blinksim.simulate.prepared import Batch

SECONDS = 1.0
"""How long a pilot of one player count should take, where one deal does not take longer."""
PATIENCE = 5
"""How many times as long the first deal may take and still be played again, now that all is loaded."""


@dataclass(frozen=True)
class Pilot:
    """What was measured for one player count.

    Attributes:
        players: Player count.
        deals: Deals that were played.
        games: Games that were played.
        seconds: How long they took on one core, encoding included.
        num_bytes: Size of their tables as part files.
    """

    players: int
    deals: int
    games: int
    seconds: float
    num_bytes: int

    @property
    def games_per_second(self) -> float:
        """Speed of one core."""
        return self.games / self.seconds

    @property
    def bytes_per_game(self) -> float:
        """Size of one game; of a pilot smaller than a shard somewhat too large, as a file's head is shared by fewer."""
        return self.num_bytes / self.games


@dataclass(frozen=True)
class Estimate:
    """What a run of the whole experiment should take.

    Attributes:
        seconds: Time on that many workers, were each as fast as the one of the pilot.
        num_bytes: Size of all part files.
        games: Games of the pilot that this rests on.
    """

    seconds: float
    num_bytes: float
    games: int


def run_pilot(
    batch: Batch, seconds: float = SECONDS, clock: Callable[[], float] = time.perf_counter
) -> tuple[Pilot, ...]:
    """Play a few deals of each player count; nothing is written.

    Args:
        batch: The experiment, from :func:`blinksim.simulate.prepared.prepare`; what it plays with is compiled already.
        seconds: How long each player count should take. At least one deal is played, at most a shard.
        clock: Tells the time in seconds.
    """
    return tuple(_pilot_of(batch, players, seconds, clock) for players in batch.plan.schedules)


def _pilot_of(batch: Batch, players: int, seconds: float, clock: Callable[[], float]) -> Pilot:
    """Play one deal, then more as long as the time is not spent."""
    schedule = batch.plan.schedules[players]
    most = min(schedule.deals_per_shard, schedule.num_deals)
    measured = _play(batch, players, 1, clock)
    if measured.seconds < PATIENCE * seconds:  # what is played first also loads the compiled code
        measured = _play(batch, players, 1, clock)
    while measured.deals < most and measured.seconds < seconds / 2:
        fitting = int(measured.deals * seconds / max(measured.seconds, 1e-9))
        measured = _play(batch, players, min(most, max(fitting, 2 * measured.deals)), clock)
    return measured


def _play(batch: Batch, players: int, deals: int, clock: Callable[[], float]) -> Pilot:
    games = deals * batch.plan.schedules[players].games_per_deal
    begin = clock()
    encoded = make_shard(batch, Shard(0, players, 0, deals, games))
    num_bytes = sum(len(part.data) for part in encoded.parts.values())
    return Pilot(players, deals, games, clock() - begin, num_bytes)


def estimate(batch: Batch, pilots: Sequence[Pilot], workers: int) -> Estimate:
    """What the whole experiment should take, from the pilot of each player count."""
    games = {pilot.players: batch.plan.schedules[pilot.players].num_games for pilot in pilots}
    return Estimate(
        sum(games[pilot.players] / pilot.games_per_second for pilot in pilots) / workers,
        sum(games[pilot.players] * pilot.bytes_per_game for pilot in pilots),
        sum(pilot.games for pilot in pilots),
    )

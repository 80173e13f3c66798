"""How far a batch is, and what it leaves: counted from the receipts of its shards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Receipt = Mapping[str, Any]


@dataclass(frozen=True)
class Progress:
    """How far a batch is; told once at the start and after every shard.

    Attributes:
        shards_done: Shards finished, those of earlier sittings among them.
        shards: Shards in all.
        games_done: Games finished, those of earlier sittings and failed ones among them.
        games: Games in all.
        games_now: Games finished in this sitting.
        seconds: Since this sitting began.
        outcomes: Games by how they ended.
        failed: Games that failed.
    """

    shards_done: int
    shards: int
    games_done: int
    games: int
    games_now: int
    seconds: float
    outcomes: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0

    @property
    def games_per_second(self) -> float:
        """Speed of this sitting, 0 before the first shard."""
        return self.games_now / self.seconds if self.games_now else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Time left at this speed, None before the first shard."""
        return (self.games - self.games_done) / self.games_per_second if self.games_now else None


@dataclass(frozen=True)
class Summary:
    """What a finished batch leaves.

    Attributes:
        folder: The run, as it was named.
        games: Games in its tables.
        games_now: Games played in this sitting; 0 where everything was there already.
        games_by_players: Games by player count.
        rows: Rows by table.
        num_bytes: Size of all part files.
        seconds: Duration of this sitting.
        workers: How many played.
        outcomes: Games by how they ended.
        failed: Games that failed and were set aside.
        failures: What is said of the first of them.
    """

    folder: str
    games: int
    games_now: int
    games_by_players: dict[int, int]
    rows: dict[str, int]
    num_bytes: int
    seconds: float
    workers: int
    outcomes: dict[str, int]
    failed: int
    failures: tuple[str, ...]


class Tally:
    """Games of the shards that are done, added up as they come: a long run tells its progress after every one.

    Attributes:
        games: Games, failed ones among them.
        failed: Games that failed.
        outcomes: Games by how they ended.
    """

    def __init__(self) -> None:
        self.games = self.failed = 0
        self.outcomes: Counter[str] = Counter()

    def add(self, receipt: Receipt) -> int:
        """Count a shard; returns its games, failed ones among them."""
        failed = len(receipt["failed"])
        games = int(receipt["games"]) + failed
        self.games += games
        self.failed += failed
        self.outcomes.update(receipt["outcomes"])
        return games

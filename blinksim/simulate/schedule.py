"""The schedule: which games an experiment plays, what each is called, and how they are cut into shards.

Within a player count games are numbered deal by deal, ``game = deal * games_per_deal + offset``, the offset counting
variant, line-up, replicate, hand shift and seat shift, the last fastest. A mirror line-up has no hand shifts where
shifts are ``auto``: turning the table already puts its one strategy everywhere.

A shard is a number of whole deals of one player count. Shard i of the j-th player count has the number
``i * len(players) + j``, so that more deals only add numbers above, never move one; where player counts have different
numbers of shards, some numbers are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from blinksim.errors import UserError
from blinksim.games.tables import KEYS
from blinksim.simulate.experiment import GAMES_PER_SHARD, Experiment
from blinksim.simulate.line_ups import LineUp

_KEY_TEXT = re.compile(r"(\d+)p/d(\d+)/v(\d+)/l(\d+)/h(\d+)/s(\d+)/r(\d+)")
_INNER = ("variant", "line_up", "replicate", "hand_shift", "seat_shift")


class GameKeyError(UserError):
    """A game was named that the experiment does not play, or in words that name no game."""


@dataclass(frozen=True, order=True)
class GameKey:
    """What one game is called."""

    players: int
    deal: int
    variant: int = 0
    line_up: int = 0
    hand_shift: int = 0
    seat_shift: int = 0
    replicate: int = 0

    def __str__(self) -> str:
        return (
            f"{self.players}p/d{self.deal}/v{self.variant}/l{self.line_up}"
            f"/h{self.hand_shift}/s{self.seat_shift}/r{self.replicate}"
        )


def parse_key(text: str) -> GameKey:
    """A game's key from its text, such as ``3p/d120/v0/l2/h1/s0/r0``.

    Raises:
        GameKeyError: the text has another form.
    """
    match = _KEY_TEXT.fullmatch(text.strip())
    if match is None:
        raise GameKeyError(
            f'"{text}" is not a game: a game is players, deal, variant, line-up, hand shift, seat shift and replicate, '
            "such as 3p/d120/v0/l2/h1/s0/r0"
        )
    players, deal, variant, line_up, hand_shift, seat_shift, replicate = map(int, match.groups())
    return GameKey(players, deal, variant, line_up, hand_shift, seat_shift, replicate)


@dataclass(frozen=True)
class Shard:
    """Some whole deals of one player count; one part file per table.

    Attributes:
        number: Number of the shard in the whole experiment; also that of its part files.
        players: Player count.
        first_deal: Number of its first deal.
        num_deals: How many deals.
        num_games: How many games.
    """

    number: int
    players: int
    first_deal: int
    num_deals: int
    num_games: int


@dataclass(frozen=True)
class Schedule:
    """The games of one player count.

    Attributes:
        players: Player count.
        place: Its place among the experiment's player counts.
        strides: How many player counts there are.
        num_variants: How many rulesets.
        line_ups: Strategies by slot, by line-up.
        num_deals: How many deals.
        replicates: How many times each game is played.
        shifts: As the experiment says.
        deals_per_shard: How many deals a shard has; the last may have fewer.
    """

    players: int
    place: int
    strides: int
    num_variants: int
    line_ups: tuple[LineUp, ...]
    num_deals: int
    replicates: int
    shifts: str
    deals_per_shard: int = field(default=0)

    def __post_init__(self) -> None:
        if not self.deals_per_shard:
            # From the block alone, never from how many deals there are: more deals must not move a shard.
            object.__setattr__(self, "deals_per_shard", max(1, round(GAMES_PER_SHARD / self.games_per_deal)))

    def shift_pairs(self, line_up: int) -> list[tuple[int, int]]:
        """The (hand shift, seat shift) pairs that a line-up is played with, in order."""
        all_of_them = range(self.players)
        mirror = len(set(self.line_ups[line_up])) == 1
        seats = self.shifts in ("seats", "both", "auto")
        hands = self.shifts in ("hands", "both") or (self.shifts == "auto" and not mirror)
        return [(h, t) for h in (all_of_them if hands else (0,)) for t in (all_of_them if seats else (0,))]

    @cached_property
    def block(self) -> np.ndarray:
        """The games of any one deal in order: (games_per_deal, 5) int64, columns as ``_INNER``."""
        rows = [
            (variant, line_up, replicate, hand_shift, seat_shift)
            for variant in range(self.num_variants)
            for line_up in range(len(self.line_ups))
            for replicate in range(self.replicates)
            for hand_shift, seat_shift in self.shift_pairs(line_up)
        ]
        return np.array(rows, dtype=np.int64)

    @property
    def games_per_deal(self) -> int:
        """How many games are played on each deal."""
        return len(self.block)

    @property
    def num_games(self) -> int:
        """How many games are played in all."""
        return self.num_deals * self.games_per_deal

    def keys(self, first_deal: int, num_deals: int) -> np.recarray:
        """The keys of all games of some deals, in order: (games,) of dtype ``tables.KEYS``."""
        keys = np.zeros(num_deals * self.games_per_deal, dtype=KEYS).view(np.recarray)
        for i, name in enumerate(_INNER):
            keys[name] = np.tile(self.block[:, i], num_deals)
        keys["players"] = self.players
        keys["deal"] = np.repeat(np.arange(first_deal, first_deal + num_deals), self.games_per_deal)
        keys["game"] = first_deal * self.games_per_deal + np.arange(len(keys))
        return keys

    def number_of(self, key: GameKey) -> int:
        """The number of a game within its player count.

        Raises:
            GameKeyError: the experiment does not play that game.
        """
        self._check(key)
        wanted = np.array([key.variant, key.line_up, key.replicate, key.hand_shift, key.seat_shift])
        found = np.flatnonzero((self.block == wanted).all(axis=1))
        return key.deal * self.games_per_deal + int(found[0])

    def key_of(self, number: int) -> GameKey:
        """The key of a game from its number within its player count.

        Raises:
            GameKeyError: the experiment has no such game.
        """
        if not 0 <= number < self.num_games:
            raise GameKeyError(
                f"there is no game {number} for {self.players} players; games are 0 to {self.num_games - 1}"
            )
        deal, offset = divmod(number, self.games_per_deal)
        variant, line_up, replicate, hand_shift, seat_shift = map(int, self.block[offset])
        return GameKey(self.players, deal, variant, line_up, hand_shift, seat_shift, replicate)

    def shards(self) -> Iterator[Shard]:
        """The shards of this player count, in deal order."""
        for i, first in enumerate(range(0, self.num_deals, self.deals_per_shard)):
            deals = min(self.deals_per_shard, self.num_deals - first)
            yield Shard(i * self.strides + self.place, self.players, first, deals, deals * self.games_per_deal)

    def _check(self, key: GameKey) -> None:
        limits = {
            "deal": (key.deal, self.num_deals),
            "variant": (key.variant, self.num_variants),
            "line-up": (key.line_up, len(self.line_ups)),
            "replicate": (key.replicate, self.replicates),
        }
        for name, (value, limit) in limits.items():
            if not 0 <= value < limit:
                raise GameKeyError(
                    f"{key}: {name} {value} is not played; with {self.players} players there are 0 to {limit - 1}"
                )
        pairs = self.shift_pairs(key.line_up)
        if (key.hand_shift, key.seat_shift) not in pairs:
            hands = sorted({h for h, _ in pairs})
            seats = sorted({t for _, t in pairs})
            raise GameKeyError(
                f"{key}: shifts h{key.hand_shift}/s{key.seat_shift} are not played; line-up {key.line_up} has "
                f"hand shifts {', '.join(map(str, hands))} and seat shifts {', '.join(map(str, seats))}"
            )


@dataclass(frozen=True)
class Plan:
    """All games of an experiment.

    Attributes:
        schedules: By player count.
        shards: All shards by number, ascending.
    """

    schedules: dict[int, Schedule]
    shards: tuple[Shard, ...]

    @property
    def num_games(self) -> int:
        """How many games are played in all."""
        return sum(schedule.num_games for schedule in self.schedules.values())

    def keys(self, shard: Shard) -> np.recarray:
        """The keys of a shard's games, in order."""
        return self.schedules[shard.players].keys(shard.first_deal, shard.num_deals)

    def key_at(self, shard: Shard, game: int) -> GameKey:
        """The key of a game from its place in a shard."""
        schedule = self.schedules[shard.players]
        return schedule.key_of(shard.first_deal * schedule.games_per_deal + game)

    def find(self, text: str) -> GameKey:
        """A game of this experiment from its text, or from ``3p/310``: players and number.

        Raises:
            GameKeyError: the text names no game, or the experiment does not play it.
        """
        short = re.fullmatch(r"(\d+)p/(\d+)", text.strip())
        if short:
            return self._schedule(int(short[1]), text).key_of(int(short[2]))
        key = parse_key(text)
        self._schedule(key.players, text).number_of(key)
        return key

    def _schedule(self, players: int, text: str) -> Schedule:
        if players not in self.schedules:
            raise GameKeyError(
                f"{text}: {players} players are not played; the experiment has {', '.join(map(str, self.schedules))}"
            )
        return self.schedules[players]


def make_plan(experiment: Experiment) -> Plan:
    """The games of an experiment and the shards they are cut into."""
    schedules = {
        players: Schedule(
            players,
            place,
            len(experiment.players),
            1 + len(experiment.variants),
            experiment.line_ups_for(players),
            experiment.deals_for(players),
            experiment.replicates,
            experiment.shifts,
            experiment.deals_per_shard or 0,
        )
        for place, players in enumerate(experiment.players)
    }
    shards = sorted((s for schedule in schedules.values() for s in schedule.shards()), key=lambda shard: shard.number)
    return Plan(schedules, tuple(shards))

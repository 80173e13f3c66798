"""One game of a run, played again from its manifest: same ruleset, line-up, deal, shifts and streams.

A game needs nothing but its key; what comes out must have the digest that the run has for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blinksim.errors import UserError
from blinksim.games.game import Game
from blinksim.players.roster import Player, find_player
from blinksim.simulate.failures import seated
from blinksim.simulate.prepared import experiment_of
from blinksim.simulate.schedule import GameKey, Schedule, make_plan
from blinksim.store.reading import Run, open_run


class ReplayError(UserError):
    """A game of a run cannot be played again."""


@dataclass(frozen=True)
class Replayed:
    """A game of a run, played again.

    Attributes:
        key: What the game is called.
        table: The game, over; its ``story()`` tells it, its ``record(path)`` writes it.
        digest: Digest of its final state now.
        recorded: Digest in the run's table ``games``; None where its shard is not finished yet.
        changed: Why the digests may differ: strategies and rules that are not those of the run.
        failed: Why the run set the game aside, where it did.
    """

    key: GameKey
    table: Any
    digest: int
    recorded: int | None
    changed: tuple[str, ...]
    failed: str | None = None

    @property
    def same(self) -> bool:
        """Whether the game ended as it did in the run."""
        return self.digest == self.recorded

    def __str__(self) -> str:
        """One sentence for people."""
        why = "; ".join(self.changed) or "nothing known to have changed: please report this"
        if self.failed is not None:
            return f"{self.key}: it failed in the run ({self.failed}) and does not fail now ({why})"
        if self.recorded is None:
            return f"{self.key}: the run has not finished this game's shard, so there is no digest to compare with"
        if self.same:
            return f"{self.key}: digest {self.digest:016x}, the same as in the run"
        return f"{self.key}: digest {self.digest:016x}, but the run has {self.recorded:016x} ({why})"


def replay_game(run: str | Path | Run, key: str | GameKey) -> Replayed:
    """Play a game of a run again.

    Args:
        run: The run folder, such as ``runs/baseline``, or a run that was opened.
        key: The game, such as ``3p/d12/v0/l1/h2/s1/r0``; or ``3p/310``, player count and number.

    Raises:
        UserError: there is no such run, game or strategy.
        RuntimeError: the game fails, as it may have failed in the run.
    """
    opened = run if isinstance(run, Run) else open_run(run)
    experiment = experiment_of(opened)
    plan = make_plan(experiment)
    found = plan.find(str(key))
    schedule = plan.schedules[found.players]
    names = schedule.line_ups[found.line_up]
    players = [find_player(name) for name in names]
    ruleset = opened.game.parse_ruleset(opened.manifest["rulesets"][found.variant]["parameters"])
    table = _new_game(opened.game, ruleset, experiment.seed, found)
    failed = _failed(opened, found)
    # The run may have checked the invariants, and one of them may be what failed.
    table.play(seated(players, found), check=failed is not None)
    recorded = _recorded(opened, schedule, found)
    return Replayed(found, table, table.digest, recorded, _changed(opened, players), failed)


def _new_game(game: Game, ruleset: Any, seed: int, key: GameKey) -> Any:
    """The table with a game's deal."""
    return game.new_game(
        key.players, ruleset, seed, key.deal, (), key.hand_shift, key.seat_shift, key.replicate, find_player
    )


def _failed(run: Run, key: GameKey) -> str | None:
    """Why the run set a game aside, where it did."""
    for receipt in run.shards.values():
        for entry in receipt.get("failed", ()):
            if entry["game"] == str(key):
                return str(entry["reason"])
    return None


def _recorded(run: Run, schedule: Schedule, key: GameKey) -> int | None:
    """A game's digest in the run."""
    import polars as pl

    if not run.shards:
        return None
    wanted = (pl.col("players") == key.players) & (pl.col("game") == schedule.number_of(key))
    digests = run.scan("games").filter(wanted).select("digest").collect()["digest"].to_list()
    return int(digests[0]) if digests else None


def _changed(run: Run, players: list[Player]) -> tuple[str, ...]:
    """What is not as it was when the run was played."""
    changed = []
    then, now = run.manifest["rules_version"], run.game.rules_version
    if then != now:
        changed.append(f"the run was played by version {then} of the rules, this is version {now}")
    for player in {player.name: player for player in players}.values():
        if run.manifest["strategies"].get(player.name) != player.fingerprint:
            changed.append(f'strategy "{player.name}" or the engine under it has changed since')
    return tuple(changed)

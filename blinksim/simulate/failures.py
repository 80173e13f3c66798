"""What a failed game leaves: its record up to the failing decision, for whoever looks for the mistake."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blinksim.simulate.schedule import GameKey

if TYPE_CHECKING:
    from blinksim.simulate.batch import Batch

FOLDER = "failed"
"""Folder of a run with the records of games that failed."""


def record_path(folder: Path, key: GameKey) -> Path:
    """Where a failed game's record goes: ``RUN/failed/3p-d12-v0-l1-h2-s1-r0.blink.jsonl``."""
    return folder / FOLDER / f"{str(key).replace('/', '-')}.blink.jsonl"


def write_record(batch: Batch, key: GameKey, folder: Path) -> str:
    """Play a game that failed once more, decision by decision, and write its record up to where it fails.

    Args:
        batch: What is played.
        key: Which game.
        folder: The run folder.

    Returns:
        What a message says of the record, with a semicolon in front; empty where none could be written, since the first
        mistake is what the user must hear of.
    """
    ruleset, seed = batch.rulesets[key.variant], batch.experiment.seed
    shifts = (key.hand_shift, key.seat_shift, key.replicate)
    again = ""
    try:
        table = batch.game.new_game(key.players, ruleset, seed, key.deal, (), *shifts)
        try:
            table.play(seated(batch.strategies[key.players][key.line_up], key), check=batch.check)
            again = " (played once more, it did not fail)"
        except RuntimeError:  # as before
            pass
        path = record_path(folder, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        table.record(path)
    except Exception:
        return ""
    return f"; the record so far is {path}{again}"


def seated(players: Sequence[Any], key: GameKey) -> list[Any]:
    """A line-up, which is by slot, by seat."""
    by_seat: list[Any] = [None] * key.players
    for slot, player in enumerate(players):
        by_seat[(slot + key.hand_shift + key.seat_shift) % key.players] = player
    return by_seat

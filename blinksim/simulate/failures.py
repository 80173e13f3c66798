"""Games that fail: set aside with the reason, the record up to the failing decision, and the line that replays them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from blinksim.simulate.prepared import Batch
from blinksim.simulate.schedule import GameKey
from blinksim.store.places import Place
from blinksim.store.runs import FAILED

RECORDS_PER_SHARD = 20
"""Games of one shard whose records are kept; a strategy that fails in every game would fill the disk."""
MAX_REASON = 500
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


@dataclass(frozen=True)
class Failure:
    """A game that failed.

    Attributes:
        key: Which.
        reason: What happened, in a line.
    """

    key: GameKey
    reason: str


def reason_of(text: str) -> str:
    """A reason as it is kept: one line, and no memory addresses, which differ from process to process."""
    line = " ".join(_ADDRESS.sub("0x…", text).split())
    return line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 1]}…"


def record_name(key: GameKey) -> str:
    """Where a failed game's record lies in its run: ``failed/3p-d12-v0-l1-h2-s1-r0.blink.jsonl``."""
    return f"{FAILED}/{str(key).replace('/', '-')}.blink.jsonl"


def record_path(folder: Path, key: GameKey) -> Path:
    """Where a failed game's record lies in a folder of this machine."""
    return folder / record_name(key)


def play_again(batch: Batch, key: GameKey) -> tuple[bytes | None, bool]:
    """Play a game that failed once more, decision by decision, up to where it fails.

    Args:
        batch: What is played.
        key: Which game.

    Returns:
        Its record, None where there can be none, since the first mistake is what the user must hear of; and whether it
        failed again.
    """
    try:
        table = new_table(batch, key)
        try:
            table.play(seated(batch.strategies[key.players][key.line_up], key), check=batch.check)
            again = False
        except RuntimeError:  # as before
            again = True
        return record_of(table, legal=True), again
    except Exception:
        return None, True


def new_table(batch: Batch, key: GameKey) -> Any:
    """The table with a game's deal, before its first decision."""
    ruleset, seed = batch.rulesets[key.variant], batch.experiment.seed
    return batch.game.new_game(key.players, ruleset, seed, key.deal, (), key.hand_shift, key.seat_shift, key.replicate)


def record_of(table: Any, legal: bool) -> bytes:
    """A game's record so far as the bytes of its file."""
    with TemporaryDirectory(prefix="blinksim-") as folder:
        path: Path = table.record(Path(folder) / "game.blink.jsonl", legal=legal)
        return path.read_bytes()


def set_aside(batch: Batch, failed: Sequence[Failure]) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """What a shard keeps of its failed games.

    Returns:
        Entries for its receipt, with ``game``, ``reason``, ``record`` (name of the file, None for none) and ``again``
        (whether it failed once more when its record was made); and the records by name.
    """
    entries, files = [], {}
    for i, failure in enumerate(failed):
        entry: dict[str, Any] = {"game": str(failure.key), "reason": failure.reason, "record": None, "again": True}
        if i < RECORDS_PER_SHARD:
            data, entry["again"] = play_again(batch, failure.key)
            if data is not None:
                entry["record"] = record_name(failure.key)
                files[entry["record"]] = data
        entries.append(entry)
    return entries, files


def sentence(entry: Mapping[str, Any], place: Place) -> str:
    """What is said of a failed game: which, why, where its record is, and the line that replays it."""
    record = f"; the record so far is {place.uri(entry['record'])}" if entry["record"] is not None else ""
    again = "" if entry["again"] else " (played once more, it did not fail)"
    replay = f"blinksim replay {place} --game {entry['game']}"
    return f"{entry['game']}: {entry['reason']}{record}{again}; replay it with: {replay}"


def seated(players: Sequence[Any], key: GameKey) -> list[Any]:
    """A line-up, which is by slot, by seat."""
    by_seat: list[Any] = [None] * key.players
    for slot, player in enumerate(players):
        by_seat[(slot + key.hand_shift + key.seat_shift) % key.players] = player
    return by_seat

"""Batches: play an experiment's shards on all cores and keep them, go on where it stopped, never lose or double a game.

A shard is a pure function of the experiment and its number, so it does not matter who plays it, when, or beside what.
A game that fails is set aside and the others are played (:mod:`blinksim.simulate.failures`).
"""

from __future__ import annotations

import platform
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from blinksim.errors import UserError
from blinksim.simulate import workers as w
from blinksim.simulate.failures import sentence
from blinksim.simulate.identity import ChangedExperimentError, describe, refuse_changes
from blinksim.simulate.playing import play_shard
from blinksim.simulate.prepared import Batch, Entrant, MissingStrategyError, experiment_of, prepare
from blinksim.simulate.progress import Progress, Summary, Tally
from blinksim.simulate.schedule import Shard
from blinksim.simulate.workers import FailedShardError, LostWorkerError, available_cores
from blinksim.store import runs
from blinksim.store.places import Place, place_of

__all__ = [
    "Batch",
    "ChangedExperimentError",
    "Entrant",
    "FailedShardError",
    "Interrupted",
    "LostWorkerError",
    "MissingStrategyError",
    "Progress",
    "Summary",
    "available_cores",
    "describe",
    "experiment_of",
    "play_shard",
    "prepare",
    "run",
]

MAX_FAILURES = 10
"""Failed games of which a summary tells."""


class Interrupted(Exception):
    """The user stopped a batch; what is finished is written."""


def run(
    batch: Batch,
    folder: str | Path | Place,
    workers: int | None = None,
    fresh: bool = False,
    progress: Callable[[Progress], object] | None = None,
    extend: bool = False,
    processes: bool | None = None,
    cluster: str | None = None,
) -> Summary:
    """Play whatever of an experiment is not in a run yet.

    Args:
        batch: The experiment, from :func:`prepare`.
        folder: The run: a folder, which is made where it is not there, or an address such as ``s3://bucket/run``.
        workers: How many play at a time; all cores where left out.
        fresh: Start over: what an earlier run left there is removed.
        progress: Called in the calling thread, at the start and after every shard; what it returns that is true ends
            the run as Ctrl-C would, after the shards that are being played.
        extend: Allow more deals than the run was played with; what it holds of them stays.
        processes: Whether workers are processes; where left out, they are for what holds the interpreter lock:
            strategies in plain Python, and making records.
        cluster: Address of the Dask scheduler whose workers play.

    Raises:
        ChangedExperimentError: the run holds games of another experiment; the text has the differences.
        UserError: ``workers`` is below 1, or goes with ``cluster``; or there is no such cluster.
        RunError: the folder is something else, or cannot be written to.
        LostWorkerError: a worker process was killed.
        FailedShardError: a shard could not be played, through no single game's fault.
        Interrupted: Ctrl-C, or ``progress`` had enough; running the same again goes on.
    """
    if workers is not None and workers < 1:
        raise UserError(f"workers is {workers}; it must be 1 or more, or left out for all cores")
    if cluster is not None and (workers is not None or processes):
        raise UserError("a cluster has its own workers: leave out how many, and processes, where one is named")
    sitting = _Sitting(batch, place_of(folder), choose(batch, workers, processes, cluster), progress)
    if fresh:
        runs.clear_run(sitting.place, [table.name for table in batch.game.tables])
    return sitting.play(extend)


@dataclass(frozen=True)
class Crew:
    """Who plays.

    Attributes:
        kind: ``threads``, ``processes`` or ``cluster``.
        count: How many; 0 for all that a cluster has.
        address: Of the cluster.
    """

    kind: str
    count: int
    address: str = ""


def choose(batch: Batch, workers: int | None = None, processes: bool | None = None, cluster: str | None = None) -> Crew:
    """Who plays a batch best; arguments as of :func:`run`."""
    if cluster is not None:
        return Crew(w.CLUSTER, 0, cluster)
    count = available_cores() if workers is None else workers
    if processes is None:
        processes = bool(batch.plain_players or batch.keeps_records) and count > 1
    return Crew(w.PROCESSES if processes else w.THREADS, count)


class _Sitting:
    """One call of :func:`run`: what is done already, and what is added to it."""

    def __init__(self, batch: Batch, place: Place, crew: Crew, progress: Callable[[Progress], object] | None) -> None:
        self.batch, self.place, self.crew, self.progress = batch, place, crew, progress
        self.started = datetime.now(UTC)
        self.clock = time.monotonic()
        self.identity = describe(batch)
        self.done: dict[int, dict[str, Any]] = {}
        self.tally = Tally()
        self.sittings: list[dict[str, Any]] = []
        self.played = 0
        self.stop = threading.Event()

    @property
    def complete(self) -> bool:
        """Whether every shard is there."""
        return len(self.done) == len(self.batch.plan.shards)

    def play(self, extend: bool) -> Summary:
        """Play what is missing; see :func:`run`."""
        earlier = runs.read_manifest(self.place)
        if earlier is not None:
            refuse_changes(str(self.place), earlier, self.identity, extend)
            self.sittings = earlier[runs.RUN_BLOCK]["sittings"]
        self.place.sweep()
        stale = self._take_receipts()
        if earlier is not None and earlier["complete"] and self.complete:
            if any(earlier.get(key) != value for key, value in self.identity.items()):
                self._write_manifest()  # the question in other words
            self._tell()
            return self._summary()
        self._write_manifest()
        for number in stale:  # before its parts are written over: they would be taken for those of the old receipt
            self.place.remove(runs.receipt_name(number))
        self._tell()
        failure = None if self.complete else self._play_shards()
        # Where a file could not be written, the manifest cannot be either; the receipts tell what is there.
        if not isinstance(failure, runs.RunError):
            self._write_manifest()
        if failure is not None:
            raise failure
        if not self.complete:
            raise Interrupted(
                f"stopped after {len(self.done)} of {len(self.batch.plan.shards)} shards; what is in {self.place} is "
                "valid: run the same again to go on, with any number of workers"
            )
        return self._summary()

    def _take_receipts(self) -> list[int]:
        """Take up what is finished.

        Returns:
            Numbers of shards that are to be played again: the last of an experiment that has more deals now.
        """
        found = runs.read_receipts(self.place)
        for shard in self.batch.plan.shards:
            receipt = found.pop(shard.number, None)
            if receipt is None:
                continue
            if receipt["deals"] == shard.num_deals:
                self._take(receipt)
            else:
                found[shard.number] = receipt
        return sorted(found)

    def _take(self, receipt: dict[str, Any]) -> int:
        """Count a shard as done; returns its games, failed ones among them."""
        self.done[receipt["number"]] = receipt
        return self.tally.add(receipt)

    def _play_shards(self) -> Exception | None:
        """Play all that is missing; the first mistake that is no single game's ends it and comes back."""
        shards = [shard for shard in self.batch.plan.shards if shard.number not in self.done]
        failure = None
        with _interruptible(self.stop), closing(self._results(shards)) as results:
            for result in results:
                if isinstance(result, Exception):
                    failure = failure or result
                    continue
                self.played += self._take(result)
                self._tell()
        return failure

    def _results(self, shards: Sequence[Shard]) -> Generator[w.Result]:
        if self.crew.kind == w.CLUSTER:
            return w.play_on_cluster(self.batch, self.place, shards, self.crew.address, self.stop)
        play = w.play_in_processes if self.crew.kind == w.PROCESSES else w.play_in_threads
        return play(self.batch, self.place, shards, self.crew.count, self.stop)

    def _write_manifest(self) -> None:
        shards = [self.done[number] for number in sorted(self.done)]
        sittings = [*self.sittings, self._as_data()] if self.played or not self.complete else self.sittings
        state = {"complete": self.complete, "failed": self.tally.failed, "shards": shards}
        runs.write_manifest(self.place, {**self.identity, **state, runs.RUN_BLOCK: {"sittings": sittings}})

    def _as_data(self) -> dict[str, Any]:
        """This sitting as an entry of the run block: when, how long, on what."""
        return {
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": round(time.monotonic() - self.clock, 3),
            "games": self.played,
            "workers": self.crew.count,
            "kind": self.crew.kind,
            "machine": {
                "system": platform.platform(),
                "processor": platform.processor() or platform.machine(),
                "cores": available_cores(),
                "python": platform.python_version(),
            },
        }

    def _tell(self) -> None:
        if self.progress is None:
            return
        enough = self.progress(
            Progress(
                shards_done=len(self.done),
                shards=len(self.batch.plan.shards),
                games_done=self.tally.games,
                games=self.batch.plan.num_games,
                games_now=self.played,
                seconds=time.monotonic() - self.clock,
                outcomes=dict(self.tally.outcomes),
                failed=self.tally.failed,
            )
        )
        if enough:
            self.stop.set()

    def _summary(self) -> Summary:
        receipts = [self.done[number] for number in sorted(self.done)]
        by_players = {n: sum(r["games"] for r in receipts if r["players"] == n) for n in self.batch.plan.schedules}
        failures = [entry for receipt in receipts for entry in receipt["failed"]]
        return Summary(
            folder=str(self.place),
            games=sum(by_players.values()),
            games_now=self.played,
            games_by_players=by_players,
            rows={t.name: sum(r["parts"][t.name]["rows"] for r in receipts) for t in self.batch.tables},
            num_bytes=sum(part["bytes"] for receipt in receipts for part in receipt["parts"].values()),
            seconds=time.monotonic() - self.clock,
            workers=self.crew.count,
            outcomes=dict(self.tally.outcomes),
            failed=len(failures),
            failures=tuple(sentence(entry, self.place) for entry in failures[:MAX_FAILURES]),
        )


@contextmanager
def _interruptible(stop: threading.Event) -> Iterator[None]:
    """Let the first Ctrl-C end the batch after the shards that are being played; a second one ends it at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def on_interrupt(number: int, frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

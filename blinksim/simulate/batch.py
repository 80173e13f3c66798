"""Batches: play an experiment's shards on all cores and keep them, go on where it stopped, never lose or double a game.

A shard is a pure function of the experiment and its number, so it does not matter who plays it, when, or beside what.
Workers are threads: the games' kernels release the interpreter lock, and each worker writes what it has played.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pyarrow as pa

from blinksim.errors import UserError
from blinksim.games.game import Game, get_game
from blinksim.simulate import failures
from blinksim.simulate.experiment import Experiment, parse_experiment
from blinksim.simulate.playing import play_shard
from blinksim.simulate.schedule import Plan, Shard, make_plan
from blinksim.store import runs, schema
from blinksim.store.reading import Run

MAX_SHOWN = 12
"""Differences named in one message."""


class ChangedExperimentError(UserError):
    """A run folder holds games of another experiment."""


class MissingStrategyError(UserError):
    """A line-up names a strategy that was not handed in."""


class FailedGameError(RuntimeError):
    """A game failed, in the engine or in a strategy; the text names it, its record and the line that replays it."""


class Interrupted(Exception):
    """The user stopped a batch; what is finished is on the disk."""


@dataclass(frozen=True)
class Entrant:
    """A strategy that plays.

    Attributes:
        name: As the line-ups name it.
        handle: What the game's ``play_games`` takes for it.
        fingerprint: Hash of all that its choices depend on; a run is not gone on with when it has changed.
    """

    name: str
    handle: Any
    fingerprint: str


@dataclass(frozen=True)
class Progress:
    """How far a batch is; told once at the start and after every shard, in order.

    Attributes:
        shards_done: Shards finished, those of earlier sittings among them.
        shards: Shards in all.
        games_done: Games finished, those of earlier sittings among them.
        games: Games in all.
        games_now: Games finished in this sitting.
        seconds: Since this sitting began.
    """

    shards_done: int
    shards: int
    games_done: int
    games: int
    games_now: int
    seconds: float

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
        folder: The run folder.
        games: Games in it.
        games_now: Games played in this sitting; 0 where everything was there already.
        games_by_players: Games by player count.
        rows: Rows by table.
        num_bytes: Size of all part files.
        seconds: Duration of this sitting.
        workers: Threads.
    """

    folder: Path
    games: int
    games_now: int
    games_by_players: dict[int, int]
    rows: dict[str, int]
    num_bytes: int
    seconds: float
    workers: int


@dataclass(frozen=True)
class Batch:
    """An experiment made ready: all that playing a shard takes.

    Attributes:
        experiment: What is asked.
        game: Descriptor of the game.
        plan: Its games and shards.
        rulesets: By variant, the checked ruleset.
        rules: By player count, by variant, the packed ruleset.
        strategies: By player count, by line-up, the strategy handles by slot.
        line_ups: By player count, the names for the tables.
        fingerprints: By strategy.
        check: Whether invariants are checked after every action.
    """

    experiment: Experiment
    game: Game
    plan: Plan
    rulesets: list[Any]
    rules: dict[int, list[np.ndarray]]
    strategies: dict[int, list[list[Any]]]
    line_ups: dict[int, schema.LineUpNames]
    fingerprints: dict[str, str]
    check: bool = False
    stop: threading.Event = field(default_factory=threading.Event, compare=False)


def prepare(
    experiment: Experiment, entrants: Mapping[str, Entrant], game: Game | None = None, check: bool = False
) -> Batch:
    """Make an experiment ready to be played.

    Args:
        experiment: What is asked.
        entrants: By name, at least ``experiment.strategy_names()``.
        game: The game, where it is not to be looked up by its name.
        check: Whether invariants are checked after every action.

    Raises:
        UserError: a ruleset of the experiment does not load, or a strategy is missing.
    """
    game = game or get_game(experiment.game)
    names = experiment.strategy_names()
    missing = [name for name in names if name not in entrants]
    if missing:
        raise MissingStrategyError(
            f'there is no strategy "{missing[0]}"; there are {", ".join(sorted(entrants)) or "none"}'
        )
    rulesets = []
    for name, ruleset, settings in experiment.rulesets():
        try:
            rulesets.append(game.load_ruleset(ruleset, settings))
        except UserError as error:
            raise UserError(f'variant "{name}": {error}') from error
    plan = make_plan(experiment)
    line_ups = {n: schedule.line_ups for n, schedule in plan.schedules.items()}
    return Batch(
        experiment,
        game,
        plan,
        rulesets,
        {n: [game.pack_ruleset(ruleset, n) for ruleset in rulesets] for n in line_ups},
        {n: [[entrants[name].handle for name in line_up] for line_up in lists] for n, lists in line_ups.items()},
        {
            n: schema.LineUpNames(
                names, np.array([[names.index(s) for s in line_up] for line_up in lists], dtype=np.int16)
            )
            for n, lists in line_ups.items()
        },
        {name: entrants[name].fingerprint for name in names},
        check,
    )


def experiment_of(opened: Run) -> Experiment:
    """The experiment that a run folder holds the games of.

    Raises:
        ExperimentError: the manifest was changed by hand.
    """
    return parse_experiment(opened.manifest["experiment"], str(opened.folder / runs.MANIFEST), opened.game)


def run(
    batch: Batch,
    folder: str | Path,
    workers: int | None = None,
    fresh: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Summary:
    """Play whatever of an experiment is not in a run folder yet.

    Args:
        batch: The experiment, from :func:`prepare`.
        folder: Run folder; made where it is not there.
        workers: Threads; all cores where left out.
        fresh: Start over: what the folder holds of an earlier run is removed.
        progress: Called in the calling thread, at the start and after every shard.

    Raises:
        ChangedExperimentError: the folder holds games of another experiment; the text has the differences.
        UserError: ``workers`` is below 1.
        RunError: the folder is something else, or cannot be written to.
        FailedGameError: a game failed; what was finished before is on the disk, the failed game's record beside it.
        Interrupted: Ctrl-C; running the same again goes on.
    """
    folder = Path(folder)
    workers = available_cores() if workers is None else workers
    if workers < 1:
        raise UserError(f"workers is {workers}; it must be 1 or more, or left out for all cores")
    started = datetime.now(UTC)
    clock = time.monotonic()
    batch.stop.clear()
    if fresh:
        runs.clear_run(folder, [*(table.name for table in batch.game.tables), failures.FOLDER])
    identity = describe(batch)
    earlier = runs.read_manifest(folder)
    if earlier is not None:
        _refuse_changes(folder, earlier, identity)
    runs.sweep(folder)
    done = _receipts_of(batch, folder)
    at_start = sum(receipt["games"] for receipt in done.values())
    if earlier is not None and earlier["complete"] and len(done) == len(batch.plan.shards):
        report(progress, _progress(batch, len(done), at_start, 0, clock))
        return _summary(batch, folder, done, 0, clock, workers)
    sittings = earlier[runs.RUN_BLOCK]["sittings"] if earlier is not None else []

    def manifest() -> dict[str, Any]:
        sitting = _sitting(started, clock, workers, played)
        complete = len(done) == len(batch.plan.shards)
        shards = [done[number] for number in sorted(done)]
        return {**identity, "complete": complete, "shards": shards, runs.RUN_BLOCK: {"sittings": [*sittings, sitting]}}

    played = 0
    runs.write_manifest(folder, manifest())
    report(progress, _progress(batch, len(done), at_start, played, clock))
    failure: BaseException | None = None
    with _interruptible(batch.stop), _one_arrow_thread():
        for receipt in _results(batch, folder, [s for s in batch.plan.shards if s.number not in done], workers):
            if isinstance(receipt, BaseException):
                batch.stop.set()
                failure = failure or receipt
            elif receipt is not None:
                done[receipt["number"]] = receipt
                played += receipt["games"]
                report(progress, _progress(batch, len(done), at_start + played, played, clock))
        if failure is None or not isinstance(failure, runs.RunError):
            runs.write_manifest(folder, manifest())
    if failure is not None:
        raise failure
    if len(done) < len(batch.plan.shards):
        raise Interrupted(
            f"stopped after {len(done)} of {len(batch.plan.shards)} shards; what is in {folder} is valid: "
            "run the same again to go on, with any number of workers"
        )
    return _summary(batch, folder, done, played, clock, workers)


def report(progress: Callable[[Progress], None] | None, now: Progress) -> None:
    """Tell the caller how far the batch is, where it asked to be told."""
    if progress is not None:
        progress(now)


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _results(
    batch: Batch, folder: Path, shards: list[Shard], workers: int
) -> Iterator[dict[str, Any] | BaseException | None]:
    """Receipt, mistake or None (stopped before it began) of every shard, in order."""
    if not shards:
        return
    # One thread more than workers: while one waits for the disk, another plays. Only ``workers`` of them compute.
    cores = threading.Semaphore(workers)
    jobs = (joblib.delayed(_play_and_write)(batch, folder, shard, cores) for shard in shards)
    yield from joblib.Parallel(n_jobs=workers + 1, backend="threading", batch_size=1, return_as="generator")(jobs)


def _play_and_write(
    batch: Batch, folder: Path, shard: Shard, cores: threading.Semaphore
) -> dict[str, Any] | BaseException | None:
    try:
        with cores:
            if batch.stop.is_set():
                return None
            tables = play_shard(batch, shard)
            parts = {name: runs.encode_part(tables.pop(name)) for name in list(tables)}
        receipt = {
            "number": shard.number,
            "players": shard.players,
            "first_deal": shard.first_deal,
            "deals": shard.num_deals,
            "games": shard.num_games,
        }
        return runs.write_shard(folder, receipt, parts)
    except runs.RunError as error:
        batch.stop.set()
        return error
    except Exception as error:
        batch.stop.set()
        return _named_failure(batch, folder, shard, error)


def _named_failure(batch: Batch, folder: Path, shard: Shard, error: Exception) -> FailedGameError:
    """A failure with the game, or at least the shard, in which it happened."""
    last = shard.first_deal + shard.num_deals - 1
    where, hint = f"shard {shard.number} ({shard.players} players, deals {shard.first_deal} to {last})", ""
    if (game := getattr(error, "game", None)) is not None:
        where = str(key := batch.plan.key_at(shard, int(game)))
        hint = f"{failures.write_record(batch, key, folder)}; replay it with: blinksim replay {folder} --game {where}"
    failure = FailedGameError(f"{where}: {str(error) or type(error).__name__}{hint}")
    failure.__cause__ = error
    return failure


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


@contextmanager
def _one_arrow_thread() -> Iterator[None]:
    """Keep Arrow to the worker that calls it: threads of its own would fight the workers for cores."""
    before = pa.cpu_count()
    pa.set_cpu_count(1)
    try:
        yield
    finally:
        pa.set_cpu_count(before)


def describe(batch: Batch) -> dict[str, Any]:
    """All that decides what a run holds, as it stands in the manifest."""
    game = batch.game
    variants = [
        {"name": name, "hash": game.ruleset_hash(ruleset), "parameters": game.ruleset_data(ruleset)}
        for (name, _, _), ruleset in zip(batch.experiment.rulesets(), batch.rulesets, strict=True)
    ]
    shards = {str(n): schedule.deals_per_shard for n, schedule in batch.plan.schedules.items()}
    identity = {
        "manifest": runs.MANIFEST_VERSION,
        "experiment": batch.experiment.data(),
        "rulesets": variants,
        "rules_version": game.rules_version,
        "tables_version": game.tables_version,
        "strategies": batch.fingerprints,
        "deals_per_shard": shards,
        "games_per_deal": {str(n): schedule.games_per_deal for n, schedule in batch.plan.schedules.items()},
        "versions": {name: _version(name) for name in ("blinksim", "numpy", "numba", "pyarrow")},
    }
    # As it will be read back: lists for tuples, texts for keys.
    plain: dict[str, Any] = json.loads(json.dumps(identity))
    return plain


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:  # run from a checkout without an install
        return "not installed"


_COMPARED = (
    "experiment",
    "rulesets",
    "rules_version",
    "tables_version",
    "strategies",
    "deals_per_shard",
    "versions.pyarrow",
)


def _refuse_changes(folder: Path, earlier: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to mix games of two experiments. The question may be put in other words: no game depends on it."""
    old, new = _flat(earlier), _flat(now)
    changed = []
    for key in sorted(old.keys() | new.keys()):
        if not key.startswith(_COMPARED) or key == "experiment.question" or old.get(key) == new.get(key):
            continue
        changed.append(f"  {key}: {_value(old, key)} in {folder}, {_value(new, key)} now")
    if changed:
        more = [f"  and {len(changed) - MAX_SHOWN} more"] if len(changed) > MAX_SHOWN else []
        raise ChangedExperimentError(
            "\n".join(
                [
                    f"{folder} holds games of another experiment; what differs:",
                    *changed[:MAX_SHOWN],
                    *more,
                    "name another folder with --out, or start over with --fresh",
                ]
            )
        )


def _flat(data: Any, prefix: str = "") -> dict[str, Any]:
    """Nested plain data as dotted keys."""
    if isinstance(data, Mapping) and data:
        items: Any = data.items()
    elif isinstance(data, list | tuple) and data and any(isinstance(item, Mapping | list | tuple) for item in data):
        items = enumerate(data)
    else:
        return {prefix: list(data) if isinstance(data, tuple) else data}
    return {k: v for key, item in items for k, v in _flat(item, f"{prefix}.{key}" if prefix else str(key)).items()}


def _value(flat: Mapping[str, Any], key: str) -> str:
    return repr(flat[key]) if key in flat else "nothing"


def _receipts_of(batch: Batch, folder: Path) -> dict[int, dict[str, Any]]:
    """Receipts of this experiment's finished shards by number."""
    numbers = {shard.number for shard in batch.plan.shards}
    return {number: receipt for number, receipt in runs.read_receipts(folder).items() if number in numbers}


def _sitting(started: datetime, clock: float, workers: int, games: int) -> dict[str, Any]:
    """One entry of the run block: when, how long, on what."""
    return {
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - clock, 3),
        "games": games,
        "workers": workers,
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "cores": available_cores(),
            "python": platform.python_version(),
        },
    }


def _progress(batch: Batch, shards: int, games: int, played: int, clock: float) -> Progress:
    return Progress(shards, len(batch.plan.shards), games, batch.plan.num_games, played, time.monotonic() - clock)


def _summary(
    batch: Batch, folder: Path, done: Mapping[int, Mapping[str, Any]], played: int, clock: float, workers: int
) -> Summary:
    by_players = {n: sum(r["games"] for r in done.values() if r["players"] == n) for n in batch.plan.schedules}
    names = [table.name for table in batch.game.tables]
    rows = {name: sum(receipt["parts"][name]["rows"] for receipt in done.values()) for name in names}
    size = sum(part["bytes"] for receipt in done.values() for part in receipt["parts"].values())
    return Summary(folder, sum(by_players.values()), played, by_players, rows, size, time.monotonic() - clock, workers)

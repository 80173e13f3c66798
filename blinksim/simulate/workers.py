"""Who plays a batch's shards: threads of this process, processes of this machine, or the workers of a Dask cluster.

Threads share everything and start at once; the games' kernels release the interpreter lock. Strategies in plain Python
hold it, and play in processes. A worker in another process is told which experiment to play, finds the strategies by
their names in the same folder, and holds what it has found against what it was told, so that it plays the same games.

What a worker has played is written where the folder is sure to be the same: threads and processes of this machine write
their shards themselves, and so do workers of a cluster into an object store, which spares its bytes the way through
this machine. A folder may be another one on the cluster's machines; the shards come back and are written here.
"""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import joblib
import pyarrow as pa

from blinksim.errors import UserError
from blinksim.games.game import get_game
from blinksim.players.roster import find_player
from blinksim.simulate.experiment import parse_experiment
from blinksim.simulate.identity import describe, differences
from blinksim.simulate.playing import Encoded, make_shard
from blinksim.simulate.prepared import Batch, Entrant, prepare
from blinksim.simulate.schedule import Shard
from blinksim.store import runs
from blinksim.store.places import Place

if TYPE_CHECKING:
    from distributed import Client

THREADS, PROCESSES, CLUSTER = "threads", "processes", "cluster"
PATIENCE = 10
"""Seconds in which a cluster must answer, and have a worker."""

Result = dict[str, Any] | Exception
"""The receipt of a shard that is written, or what went wrong."""


class FailedShardError(RuntimeError):
    """A shard could not be played, through no single game's fault; the text names it."""


class LostWorkerError(UserError):
    """A process that played a shard is gone."""


class ClusterError(UserError):
    """A cluster cannot be used as asked."""


class OtherWorkerError(UserError):
    """A worker in another process would play other games than this one."""


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_in_threads(
    batch: Batch, place: Place, shards: Sequence[Shard], workers: int, stop: threading.Event
) -> Generator[Result]:
    """Play shards in threads of this process; those that have not begun when ``stop`` is set are left out."""
    # One thread more than workers: while one waits for the disk, another plays. Only ``workers`` of them compute.
    cores = threading.Semaphore(workers)
    jobs = (joblib.delayed(_in_thread)(batch, place, shard, cores, stop) for shard in shards)
    with _one_arrow_thread():
        parallel = joblib.Parallel(
            n_jobs=workers + 1, backend="threading", batch_size=1, return_as="generator_unordered"
        )
        with _closing(parallel(jobs), stop) as results:
            yield from (result for result in results if result is not None)


def _in_thread(
    batch: Batch, place: Place, shard: Shard, cores: threading.Semaphore, stop: threading.Event
) -> Result | None:
    with cores:
        if stop.is_set():
            return None
        made = _made(batch, shard)
    result = _written(made, place)
    if isinstance(result, Exception):
        stop.set()
    return result


def _made(batch: Batch, shard: Shard) -> Encoded | Exception:
    """A shard played, or what went wrong with its name."""
    try:
        return make_shard(batch, shard)
    except Exception as error:
        last = shard.first_deal + shard.num_deals - 1
        where = f"shard {shard.number} ({shard.players} players, deals {shard.first_deal} to {last})"
        failure = FailedShardError(f"{where}: {str(error) or type(error).__name__}")
        failure.__cause__ = error
        return failure


def _written(made: Encoded | Exception, place: Place) -> Result:
    """A shard's receipt once it is written, or what went wrong."""
    if isinstance(made, Exception):
        return made
    try:
        return runs.write_shard(place, made.receipt, made.parts, made.files)
    except runs.RunError as error:
        return error


@dataclass(frozen=True)
class Recipe:
    """All that a worker in another process needs to make a batch.

    Attributes:
        identity: As it stands in the manifest (:func:`blinksim.simulate.identity.describe`).
        check: Whether invariants are checked after every action.
        folder: The working directory, in which strategies are looked up.
        parent: The process without which the worker is to stop; 0 for none.
    """

    identity: Mapping[str, Any]
    check: bool
    folder: str
    parent: int = 0


_kept: list[tuple[Recipe, Batch]] = []
_keeping = threading.Lock()


def _remade(recipe: Recipe) -> Batch:
    """The batch of a recipe; the last one is kept for the next shard."""
    with _keeping:
        if not _kept or _kept[0][0] != recipe:
            _kept[:] = [(recipe, _make(recipe))]
        return _kept[0][1]


def _make(recipe: Recipe) -> Batch:
    with suppress(OSError):  # on another machine it may not be there, and strategies are found where they are shipped
        os.chdir(recipe.folder)
    pa.set_cpu_count(1)
    identity = recipe.identity
    experiment = parse_experiment(dict(identity["experiment"]), "experiment of this run")
    players = {name: find_player(name) for name in experiment.strategy_names()}
    entrants = {name: Entrant(name, player, player.fingerprint) for name, player in players.items()}
    game = get_game(experiment.game)
    rulesets = [game.parse_ruleset(variant["parameters"]) for variant in identity["rulesets"]]
    batch = prepare(experiment, entrants, game, recipe.check, rulesets)
    changed = differences(identity, describe(batch))
    if changed:
        key, (asked, here) = next(iter(changed.items()))
        raise OtherWorkerError(
            f"a worker (process {os.getpid()}, folder {os.getcwd()}) would play other games: {key} is {here!r} there "
            f"and {asked!r} here; install the same versions and put the same strategies into that folder, then "
            "start the workers again"
        )
    return batch


def play_elsewhere(recipe: Recipe, place: Place | None, shard: Shard) -> Result | Encoded:
    """Play a shard in this process for another one, and write it where a place is given.

    Mistakes come back as they are, since what is raised here would end the whole batch without a sentence.
    """
    if recipe.parent and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; who started this one decides
    try:
        batch = _remade(recipe)
    except UserError as error:
        return error
    made = _made(batch, shard)
    if recipe.parent and os.getppid() != recipe.parent:
        os._exit(1)  # orphaned: nobody wants this shard, and its folder may be another run's by now
    if isinstance(made, Exception):
        return made
    if place is not None:
        return _written(made, place)
    return replace(made, parts={name: replace(part, data=bytes(part.data)) for name, part in made.parts.items()})


def play_in_processes(
    batch: Batch, place: Place, shards: Sequence[Shard], workers: int, stop: threading.Event
) -> Generator[Result]:
    """Play shards in processes of this machine; no further one is begun when ``stop`` is set."""
    recipe = Recipe(describe(batch), batch.check, os.getcwd(), os.getpid())
    jobs = (joblib.delayed(play_elsewhere)(recipe, place, shard) for shard in _until(stop, shards))
    parallel = joblib.Parallel(
        n_jobs=workers, backend="loky", batch_size=1, pre_dispatch=workers, return_as="generator_unordered"
    )
    try:
        with _closing(parallel(jobs), stop) as results:
            yield from _stopping(results, stop)
    except BrokenProcessPool:
        yield LostWorkerError(
            "a worker process was killed, by somebody or by the system for lack of memory; what is written stays "
            "valid: run the same again to go on, with fewer --workers where memory is short"
        )


def play_on_cluster(
    batch: Batch, place: Place, shards: Sequence[Shard], address: str, stop: threading.Event
) -> Generator[Result]:
    """Play shards on the workers of a Dask cluster; no further one is begun when ``stop`` is set.

    Raises:
        ClusterError: Dask is not installed, or there is no cluster.
    """
    recipe = Recipe(describe(batch), batch.check, os.getcwd())
    there = place if place.shared else None
    jobs = (joblib.delayed(play_elsewhere)(recipe, there, shard) for shard in _until(stop, shards))
    with connect(address) as client, joblib.parallel_config(backend="dask", client=client):
        from distributed.scheduler import KilledWorker

        try:
            parallel = joblib.Parallel(n_jobs=-1, batch_size=1, return_as="generator_unordered")
            with _closing(parallel(jobs), stop) as results:
                for result in _stopping(results, stop):
                    yield _written(result, place) if isinstance(result, Encoded) else result
        except (KilledWorker, CancelledError) as error:
            yield LostWorkerError(
                f"the cluster at {address} lost its scheduler, or workers again and again while they played one shard "
                f"({error}); what is written stays valid: see to their memory, then run the same again to go on"
            )


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """A client of a Dask cluster.

    Raises:
        ClusterError: Dask is not installed, or nothing answers at the address, or it has no workers.
    """
    try:
        from distributed import Client
        from distributed.comm.addressing import parse_address, parse_host_port
    except ImportError:
        raise ClusterError(
            '--cluster needs Dask, which is not installed; install it with: pip install "blinksim[cluster]"'
        ) from None
    try:
        scheme, location = parse_address(address)
        if scheme in ("tcp", "tls"):  # a client of an address without a port complains once more when it goes away
            parse_host_port(location)
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"there is no Dask cluster at {address} ({error or type(error).__name__}); start one with "
            "dask scheduler and dask worker, and give the scheduler's address, such as tcp://127.0.0.1:8786"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ClusterError(
                f"the cluster at {address} has no workers; start some with: dask worker {address}"
            ) from None
        yield client


@contextmanager
def _closing(results: Any, stop: threading.Event) -> Iterator[Any]:
    """Begin nothing further where whoever takes the results goes away, and leave out joblib's warning about it."""
    try:
        yield results
    except BaseException:
        stop.set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            results.close()
        raise


def _until(stop: threading.Event, shards: Sequence[Shard]) -> Iterator[Shard]:
    for shard in shards:
        if stop.is_set():
            return
        yield shard


def _stopping(results: Iterator[Any], stop: threading.Event) -> Iterator[Any]:
    """Results as they come; the first mistake stops what has not begun."""
    for result in results:
        if isinstance(result, Exception):
            stop.set()
        yield result


@contextmanager
def _one_arrow_thread() -> Iterator[None]:
    """Keep Arrow to the worker that calls it: threads of its own would fight the workers for cores."""
    before = pa.cpu_count()
    pa.set_cpu_count(1)
    try:
        yield
    finally:
        pa.set_cpu_count(before)

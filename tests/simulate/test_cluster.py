"""More than one machine, on loopback: a Dask cluster of two processes, and an object store."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from blinksim.simulate import batch as b
from blinksim.simulate import workers as w
from blinksim.simulate.playing import Encoded
from blinksim.store.places import Place, RunError, place_of
from blinksim.store.reading import open_run
from tests.simulate.test_batch import contents
from tests.simulate.test_records import small_batch

DEALS = 6


class Cluster:
    """A Dask scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.processes = [self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")]
        self.workers = [self._start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
        self.processes += self.workers

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", kind, "--scheduler-file", str(self.file), *options]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=self.file.parent)

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        for _ in range(300):
            if self.file.is_file() and self.file.read_text(encoding="utf-8").endswith("}"):
                return str(json.loads(self.file.read_text(encoding="utf-8"))["address"])
            time.sleep(0.1)
        raise AssertionError("the scheduler did not start")

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """Address of a bucket of an S3 server."""
    from moto.server import ThreadedMotoServer
    from pyarrow.fs import FileSystem

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    query = f"scheme=http&endpoint_override={host}:{port}&region=us-east-1"
    files, _ = FileSystem.from_uri(f"s3://key:secret@runs?{query}&allow_bucket_creation=true")
    files.create_dir("runs")
    yield f"s3://key:secret@runs/RUN?{query}"
    server.stop()


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the run holds when it is played on this machine by one worker."""
    folder = tmp_path_factory.mktemp("local")
    b.run(small_batch(detail="full", deals=DEALS), folder, workers=1)
    return contents(folder)


def stored(place: Place) -> dict[str, bytes]:
    """All files of a run in a store, the manifest without its run block."""
    folders = ["", "shards", "records", *json.loads(place.read("manifest.json"))["tables"]]
    found = {name: place.read(name) for folder in folders for name in place.names(folder)}
    manifest = json.loads(found["manifest.json"])
    del manifest["run"]
    return found | {"manifest.json": json.dumps(manifest).encode()}


def test_a_store_holds_the_same_bytes_as_a_folder(store: str, local: dict[str, bytes]) -> None:
    """Played here; stopped in the middle, gone on with, and read back."""
    address = store.replace("RUN", "here/run")
    batch = small_batch(detail="full", deals=DEALS)

    def stop(progress: b.Progress) -> None:
        if progress.shards_done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        b.run(batch, address, workers=1, progress=stop)
    assert not open_run(address).complete
    place_of(address).remove("games/part-00001.parquet")
    summary = b.run(batch, address, workers=2, processes=False)
    assert summary.folder == "s3://runs/here/run" and "secret" not in repr(summary)
    assert stored(place_of(address)) == local
    run = open_run(address)
    assert run.complete and run.scan("games").collect().height == summary.games == DEALS * 7
    assert b.run(batch, address).games_now == 0
    b.run(small_batch(deals=1, detail="summary"), address, workers=1, fresh=True)
    assert place_of(address).names("games") == ["games/part-00000.parquet", "games/part-00001.parquet"]
    assert place_of(address).names("cards") == place_of(address).names("records") == []


def test_a_store_that_says_no_is_a_sentence(store: str) -> None:
    place = place_of(store.replace("@runs/RUN", "@nowhere/run"))
    for deed in (lambda: place.write("games/a", b"1"), lambda: place.read("games/a")):
        with pytest.raises(RunError, match=r"cannot (write|read) s3://nowhere/run/games/a: .*stays valid") as caught:
            deed()
        assert "secret" not in str(caught.value)


def test_a_cluster_whose_worker_is_killed_gives_the_same_bytes(
    cluster: Cluster, store: str, local: dict[str, bytes], tmp_path: Path
) -> None:
    """First into a folder here, a worker killed in the middle; then the other one writes into the store itself."""
    batch = small_batch(detail="full", deals=DEALS)
    address = cluster.address
    both_at_work(address)

    def kill(progress: b.Progress) -> None:
        if progress.shards_done == 4:
            cluster.workers[0].kill()

    b.run(batch, tmp_path / "run", cluster=address, progress=kill)
    assert cluster.workers[0].wait() != 0 and cluster.workers[1].poll() is None
    assert contents(tmp_path / "run") == local
    there = store.replace("RUN", "there/run")
    b.run(batch, there, cluster=address)
    assert stored(place_of(there)) == local


def both_at_work(address: str) -> None:
    """Wait until both workers have come."""
    with w.connect(address) as client:
        client.wait_for_workers(2, timeout=30)


def test_clusters_that_there_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = small_batch(deals=1)
    monkeypatch.setattr(w, "PATIENCE", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://here", "banana"):
        with pytest.raises(w.ClusterError, match=f"there is no Dask cluster at {address}.*dask scheduler"):
            b.run(batch, tmp_path / "run", cluster=address)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(w.ClusterError, match=r"not installed; install it with: pip install .blinksim\[cluster\]"):
        b.run(batch, tmp_path / "run", cluster="tcp://127.0.0.1:9")


def test_a_worker_that_would_play_other_games_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    batch = small_batch(deals=1)
    identity = b.describe(batch)
    made = w.play_elsewhere(w.Recipe(identity, False, str(tmp_path)), None, batch.plan.shards[0])
    assert isinstance(made, Encoded) and made.receipt["games"] == 4
    older = identity | {"strategies": identity["strategies"] | {"builder": "an older one"}}
    other = w.play_elsewhere(w.Recipe(older, False, str(tmp_path)), None, batch.plan.shards[0])
    assert isinstance(other, w.OtherWorkerError)
    assert f"process {os.getpid()}, folder {tmp_path}" in str(other) and "strategies.builder is" in str(other)

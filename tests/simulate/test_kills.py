"""``kill -9`` at random moments: nothing lost, nothing doubled, and what is there is valid after every one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from blinksim.simulate import batch as b
from blinksim.simulate.verify import verify_run
from blinksim.store import runs
from blinksim.store.reading import open_run
from tests.simulate.test_batch import contents
from tests.simulate.test_records import small_batch

SETTINGS = {"detail": "standard", "deals": 16}
"""32 shards of four and three games, nine files each."""
NEVER = 1000
"""More shards than there are."""

NURSERY = f"""
import os, signal, sys, time
from pathlib import Path
from blinksim.simulate import batch as b
from tests.simulate.test_records import small_batch
batch = small_batch(**{SETTINGS!r})
batch.game.warm(batch.strategies[2][0])
for line in sys.stdin:
    shards, seconds, folder = line.strip().split(" ", 2)
    receipts = Path(folder) / "shards"
    child = os.fork()
    if child == 0:
        b.run(batch, folder, workers=2)
        os._exit(0)
    ended, due = 0, None
    while not ended and (due is None or time.monotonic() < due):
        ended, status = os.waitpid(child, os.WNOHANG)
        if due is None and len(list(receipts.glob("*.json"))) >= int(shards):
            due = time.monotonic() + float(seconds)
        time.sleep(0.0005)
    if not ended:
        os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    print(status, flush=True)
"""
"""Starts runs without the seconds that a process needs to import what it needs; none of its own threads is running."""


class Nursery:
    """Starts runs in processes of their own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, folder: Path, shards: int, seconds: float) -> bool:
        """Go on with a run, and kill it so long after it has so many shards; whether it was killed."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{shards} {seconds} {folder}\n")
        self.process.stdin.flush()
        status = int(self.process.stdout.readline())
        assert status in (0, signal.SIGKILL)
        return status != 0


@contextmanager
def nursery() -> Iterator[Nursery]:
    command = [sys.executable, "-c", NURSERY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Nursery(process)
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.parametrize(
    "kills", [5, pytest.param(20, marks=pytest.mark.full), pytest.param(200, marks=pytest.mark.soak)]
)
def test_killed_runs_give_the_same_bytes(tmp_path: Path, kills: int) -> None:
    """As many runs as it takes; each goes on after a kill until it is through, then the next begins."""
    batch = small_batch(**SETTINGS)
    b.run(batch, tmp_path / "whole", workers=1)
    whole = contents(tmp_path / "whole")
    shards = len(batch.plan.shards)
    chance, done, cut, finished, killed = random.Random(kills), 0, 0, 0, True
    with nursery() as runner:
        while done < kills or killed:  # the last run is played to its end
            folder = tmp_path / f"run{finished}"
            there = len(runs.read_receipts(folder))
            at = (
                chance.randint(min(there, shards - 1), shards - 1) if done < kills else NEVER
            )  # the last run is let through
            killed = runner.run(folder, at, chance.uniform(0, 0.05))
            done += killed
            if (folder / runs.MANIFEST).is_file():
                found = open_run(folder)
                sound = verify_run(found, replay=0)
                assert sound.ok, sound.problems
                cut += killed and 0 < len(found.shards) < shards
            if not killed:
                assert contents(folder) == whole
                finished += 1
    assert done >= kills and cut > 0, "some fell into the middle of a run"
    assert not list(tmp_path.glob("run*/**/*.tmp"))


MORTAL = """
import os, signal
from pathlib import Path
from blinksim.players.policy import Strategy

STRATEGY = Strategy(name="mortal", summary="dies where it finds poison", compiled=False)


def decide(view, rules, actions, n, params, memory, stream, sandbox):
    if Path("poison").exists():
        Path("poison").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return 0
"""


def test_a_killed_worker_process_is_a_sentence_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the system does where memory is short."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "mortal.py").write_text(MORTAL, encoding="utf-8")
    batch = small_batch(detail="standard", players=[2], line_ups=[["mortal", "random"]], deals=8)

    def poison(progress: b.Progress) -> None:
        if progress.shards_done == 2:
            Path("poison").write_text("", encoding="utf-8")

    with pytest.raises(b.LostWorkerError, match=r"a worker process was killed.*run the same again to go on"):
        b.run(batch, "run", workers=2, progress=poison)
    there = open_run("run")
    assert not there.complete and 2 <= len(there.shards) < 8
    assert verify_run(there, replay=0).ok
    b.run(batch, "run", workers=1)
    b.run(batch, "whole", workers=1)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")

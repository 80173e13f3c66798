"""How fast blinksim is on this machine: games, decisions, thinking, parts, compiling, tables, workers, memory.

Every speed is the median of several repeats; the machines are noisy. What runs in a process of its own (compiling from
an empty cache, starting, memory) is measured from outside.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from blinksim.errors import UserError
from blinksim.games.game import Game, get_game
from blinksim.players.roster import Player, find_player, list_strategies
from blinksim.simulate.batch import Entrant, prepare, run
from blinksim.simulate.experiment import Experiment, parse_experiment
from blinksim.simulate.schedule import make_plan

Say = Callable[[str], None]
EVERYWHERE = ("random", "builder", "raider")
"""Strategies that are timed at every player count where none are named; the others are at three players."""
BUDGET = "budget"
"""The parameter, in playouts, of strategies that think: a decision of theirs is timed, not a game."""
PLIES = "plies"
"""Their parameter that ends thinking early, where they have it."""


def machine() -> dict[str, Any]:
    """The machine and the versions that a figure belongs to."""
    import numba
    import pyarrow

    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                processor = line.split(":", 1)[1].strip()
                break
    return {
        "processor": processor,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "pyarrow": pyarrow.__version__,
    }


def line_ups(names: Sequence[str], players: int) -> dict[str, list[str]]:
    """A mirror of each strategy, and the first two that are not random taking turns."""
    mirrors = {name: [name] * players for name in names}
    planners = [name for name in names if name != "random"][:2]
    if len(planners) == 2:
        mirrors["/".join(planners)] = [planners[k % 2] for k in range(players)]
    return mirrors


def roster(players: Sequence[int]) -> dict[int, list[str]]:
    """What is timed where no strategies are named: by player count, compiled strategies and personas.

    Args:
        players: Player counts; the whole roster is timed at three of them, or else at the first.
    """
    others = sorted(set(list_strategies()) - set(EVERYWHERE))
    compiled = [name for name in others if find_player(name).compiled]
    whole = 3 if 3 in players else players[0]
    return {n: [*EVERYWHERE, *(name for name in compiled if n == whole or is_thinker(name))] for n in players}


def is_thinker(name: str) -> bool:
    """Whether a strategy plays on in its head, as often as its budget says."""
    return BUDGET in [parameter.name for parameter in find_player(name).strategy.parameters]


def experiment_for(line_up: Sequence[str], deals: int, deals_per_shard: int | None = None) -> Experiment:
    """An experiment of one line-up, a game a deal."""
    players = len(line_up)
    data: dict[str, Any] = {
        "question": "How fast?",
        "ruleset": "standard",
        "players": [players],
        "seed": 1,
        "shifts": "none",
        "line_ups": {str(players): [list(line_up)]},
        "deals": deals,
    }
    if deals_per_shard is not None:
        data["deals_per_shard"] = deals_per_shard
    return parse_experiment(data, "bench")


def play_timed(game: Game, line_up: Sequence[str], games: int, facts_on: bool) -> tuple[float, int]:
    """Play games on one core without writing anything.

    Returns:
        Seconds, and decisions taken (0 with facts off).
    """
    experiment = experiment_for(line_up, games)
    plan = make_plan(experiment)
    shard_keys = np.concatenate([plan.keys(shard) for shard in plan.shards]).view(np.recarray)
    ruleset = game.load_ruleset("standard", ())
    rules = [game.pack_ruleset(ruleset, len(line_up))]
    deals = [game.make_deals(ruleset, 1, len(line_up), 0, games)]
    strategies = [[find_player(name) for name in line_up]]
    begin = time.perf_counter()
    tables = game.play_games(rules, strategies, shard_keys, deals, 1, False, facts_on, reuse=True)
    seconds = time.perf_counter() - begin
    if not facts_on:
        return seconds, 0
    table = next(t for t in game.tables if t.name == "games")
    return seconds, int(tables["games"][:, table.index("decisions")].sum())


def speed(game: Game, line_up: Sequence[str], seconds: float, repeats: int) -> dict[str, float]:
    """Games and decisions per second of one line-up on one core, facts off and on."""
    play_timed(game, line_up, 2, True)
    games = 50
    while True:
        took, decisions = play_timed(game, line_up, games, True)
        if took > seconds / 2:
            break
        games = int(games * min(max(seconds / max(took, 1e-6), 1.5), 10))
    with_facts = statistics.median([took, *(play_timed(game, line_up, games, True)[0] for _ in range(repeats - 1))])
    without = statistics.median(play_timed(game, line_up, games, False)[0] for _ in range(repeats))
    return {
        "games_per_s": games / without,
        "decisions_per_s": decisions / without,
        "decisions_per_game": decisions / games,
        "games_per_s_with_facts": games / with_facts,
        "games_timed": games,
    }


@dataclass(frozen=True)
class Watched:
    """A strategy with a stopwatch. Where it draws no random number it has not thought, and is not timed.

    Attributes:
        player: The strategy, its function compiled.
        seconds: Of each decision that it thought about.
    """

    player: Player
    seconds: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.player.name

    @property
    def params(self) -> np.ndarray:
        return self.player.params

    @property
    def compiled(self) -> bool:
        return False

    def decide(self, *arguments: Any) -> int:
        """Its choice (contract: :mod:`blinksim.players.policy`)."""
        stream = arguments[6]
        before = int(stream[0])
        begin = time.thread_time()  # of this thread alone: what else runs on the machine would make some of them long
        choice = int(self.player.decide(*arguments))
        took = time.thread_time() - begin
        if int(stream[0]) != before:
            self.seconds.append(took)
        return choice


def decision_seconds(game: Game, name: str, players: int, seconds: float) -> np.ndarray:
    """How long a strategy that thinks takes for a decision, in games against itself.

    Args:
        game: The game, warm for the strategy.
        name: The strategy.
        players: How many play.
        seconds: No game is begun after that much thinking.

    Returns:
        (decisions,) float64, seconds of each decision that it thought about.

    Raises:
        UserError: it thought about none.
    """
    watched = Watched(find_player(name))
    deal = 0
    while sum(watched.seconds) < seconds:
        game.new_game(players, game.load_ruleset("standard", ()), 1, deal).play([watched] * players)
        deal += 1
        if not watched.seconds:
            raise UserError(f"{name} thought about no decision of a whole game: give it a larger {BUDGET}")
    return np.array(watched.seconds)


def thinking(game: Game, name: str, players: int, seconds: float) -> dict[str, float]:
    """Decisions and playouts per second of a strategy that thinks, on one core.

    Playouts are counted by the budget, which it spends to the last one or two at every decision; so they are timed
    without the parameter that ends thinking early.
    """
    found = decision_seconds(game, name, players, seconds)
    player = find_player(name)
    parameters = {parameter.name: (i, parameter) for i, parameter in enumerate(player.strategy.parameters)}
    budget = float(player.params[parameters[BUDGET][0]])
    full = found
    if PLIES in parameters:
        mark = "," if ":" in name else ":"
        full = decision_seconds(game, f"{name}{mark}{PLIES}={parameters[PLIES][1].high}", players, seconds)
    return {
        "budget": budget,
        "decisions_per_s": 1 / float(found.mean()),
        "mean_ms": 1e3 * float(found.mean()),
        "p95_ms": 1e3 * float(np.quantile(found, 0.95)),
        "max_ms": 1e3 * float(found.max()),
        "playouts_per_s": budget / float(full.mean()),
        "decisions_timed": len(found),
    }


def written(
    line_up: Sequence[str], deals: int, workers: int, folder: Path, deals_per_shard: int | None = None
) -> dict[str, float]:
    """A batch with all tables written: games per second, bytes a game."""
    experiment = experiment_for(line_up, deals, deals_per_shard)
    entrants = {name: Entrant(name, p, p.fingerprint) for name in set(line_up) for p in [find_player(name)]}
    summary = run(prepare(experiment, entrants), folder, workers, fresh=True)
    return {"games_per_s": summary.games / summary.seconds, "bytes_per_game": summary.num_bytes / summary.games}


_PEAK = """
import sys
from pathlib import Path
from blinksim.simulate.bench import peak_of_this_process, written
written(sys.argv[3].split("/"), int(sys.argv[1]), int(sys.argv[4]), Path(sys.argv[2]), int(sys.argv[5]))
print(peak_of_this_process())
"""


def peak_of_this_process() -> float:
    """Peak memory of this process in MB."""
    status = Path("/proc/self/status")
    if status.is_file():  # what the resource module says here starts from the size of the process that started this one
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def peak_memory(line_up: Sequence[str], games: int, workers: int, deals_per_shard: int = 1000) -> float:
    """Peak memory in MB of a process that plays games with all tables written."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [str(games), str(Path(folder) / "run"), "/".join(line_up), str(workers), str(deals_per_shard)]
        result = subprocess.run(
            [sys.executable, "-c", _PEAK, *arguments], capture_output=True, text=True, check=True, cwd=Path.cwd()
        )
    return float(result.stdout.split()[-1])


_COMPILE = """
import json, sys, time
begin = time.perf_counter()
from blinksim.games.game import get_game
from blinksim.players.roster import find_player
players = [find_player(name) for name in sys.argv[2:]]
begin_warm = time.perf_counter()
if sys.argv[1] == "kernels":
    from blinksim.games.blink import drive, engine
    seconds = {name: engine.compile_part(name) for name in engine.PARTS if name != "invariants"}
    seconds |= {p.name: engine.compile_kernel(p.decide, drive.STRATEGY_SIGNATURE) for p in players if p.compiled}
else:
    seconds = get_game("blink").warm(players)
print(json.dumps({"parts": seconds, "all": time.perf_counter() - begin_warm, "imports": begin_warm - begin}))
"""


def _in_process(how: str, names: Sequence[str], cache: str | None) -> dict[str, Any]:
    environment = dict(os.environ)
    if cache is not None:
        environment["BLINKSIM_CACHE_DIR"] = cache
    result = subprocess.run(
        [sys.executable, "-c", _COMPILE, how, *names], capture_output=True, text=True, check=True, env=environment
    )
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def compiling(names: Sequence[str]) -> dict[str, Any]:
    """Seconds to compile from an empty cache: per kernel on one core, and in all as the commands do it; then warm."""
    with tempfile.TemporaryDirectory() as one:
        kernels = _in_process("kernels", names, one)
    with tempfile.TemporaryDirectory() as two:
        begin = time.perf_counter()
        _in_process("warm", names, two)
        cold = time.perf_counter() - begin
        starts = []
        for _ in range(3):
            begin = time.perf_counter()
            _in_process("warm", names, two)
            starts.append(time.perf_counter() - begin)
    return {
        "kernels_s": kernels["parts"],
        "one_core_s": kernels["all"],
        "cold_start_s": cold,
        "warm_start_s": statistics.median(starts),
    }


def help_seconds() -> float:
    """Seconds until ``blinksim --help`` has answered."""
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from blinksim.cli import main; main()", "--help"], capture_output=True, check=True
        )
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def measure(names: Sequence[str] | None, players: Sequence[int], quick: bool, say: Say) -> Iterator[tuple[str, Any]]:
    """Measure everything, one section after the other.

    Args:
        names: Strategies, each timed at every player count; the roster where left out.
        players: Player counts.
        quick: Leave out what takes minutes: compiling from an empty cache and the memory of 100,000 games.
        say: Told what is being measured.

    Yields:
        Name of a section and its figures.
    """
    from blinksim.games.blink.timing import time_parts

    game = get_game("blink")
    yield "machine", machine()
    timed = roster(players) if names is None else {n: list(names) for n in players}
    base = EVERYWHERE if names is None else names
    game.warm(
        [find_player(name) for name in dict.fromkeys(name for some in timed.values() for name in some)], False, say
    )
    speeds: dict[str, dict[str, Any]] = {}
    thoughts: dict[str, dict[str, Any]] = {}
    for n, some in timed.items():
        for label, line_up in line_ups([name for name in some if not is_thinker(name)], n).items():
            say(f"playing {label}, {n} players")
            speeds.setdefault(label, {})[str(n)] = speed(game, line_up, 0.3 if quick else 0.4, 3 if quick else 5)
        for name in filter(is_thinker, some):
            say(f"watching {name} think, {n} players")
            thoughts.setdefault(name, {})[str(n)] = thinking(game, name, n, 1.0 if quick else 3.0)
    yield "speed", speeds
    if thoughts:
        yield "thinking", thoughts
    say("timing the parts of the engine")
    ruleset = game.load_ruleset("standard", ())
    yield "parts", {str(n): time_parts(ruleset, game.make_deals, game.pack_ruleset, n) for n in players}
    line_up = line_ups(base, 3).get("builder/raider", ["random"] * 3)
    say("writing tables, one worker and two")
    games = 2000 if quick else 8000
    off = statistics.median(play_timed(game, line_up, games, False)[0] for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        one = [written(line_up, games, 1, Path(folder) / "one") for _ in range(3)]
        two = [written(line_up, 2 * games, 2, Path(folder) / "two") for _ in range(3)]
    speed_one = statistics.median(r["games_per_s"] for r in one)
    speed_two = statistics.median(r["games_per_s"] for r in two)
    yield (
        "tables",
        {
            "line_up": line_up,
            "games_per_s_off": games / off,
            "games_per_s_on": speed_one,
            "cost_percent": 100 * (1 - speed_one * off / games),
            "bytes_per_game": one[0]["bytes_per_game"],
            "two_workers_games_per_s": speed_two,
            "two_workers_times_one": speed_two / speed_one,
        },
    )
    say("measuring memory")
    # Shards so small that all workers are busy within the first 1,000 games: what is compared is the number of games.
    memory = {"mb_after_1000": peak_memory(line_up, 1000, 2, 100)}
    if not quick:
        memory["mb_after_100000"] = peak_memory(line_up, 100_000, 2, 100)
        memory["growth_percent"] = 100 * (memory["mb_after_100000"] / memory["mb_after_1000"] - 1)
        memory["mb_after_1000_in_one_shard"] = peak_memory(line_up, 1000, 2)
        memory["mb_after_100000_in_shards_of_1000"] = peak_memory(line_up, 100_000, 2)
    yield "memory", memory
    starting: dict[str, Any] = {"help_s": help_seconds()}
    if not quick:
        say("compiling from an empty cache, twice")
        starting |= compiling(base)
    yield "starting", starting

"""``blinksim run``: play an experiment into a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blinksim.cli.errors import user_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from blinksim.players.roster import Player
    from blinksim.simulate.batch import Batch, Progress, Summary

FAILED_GAME = 3
"""Exit status after games that stopped on a mistake inside a strategy or the engine."""
SECONDS_A_LINE = 5
"""How often a line of progress is printed where there is no terminal."""


@user_errors
def run(
    experiment: Annotated[str, typer.Argument(metavar="NAME|FILE", help="An experiment's name or TOML file.")],
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER|ADDRESS", help="Where the run goes, s3://bucket/prefix too; runs/NAME where left out."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="How many play at a time on this machine; all cores where left out.")
    ] = None,
    deals: Annotated[int | None, typer.Option(help="Deals of each player count, instead of the experiment's.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter of every ruleset; may be repeated."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; what the folder holds is removed.")] = False,
    extend: Annotated[bool, typer.Option("--extend", help="Add deals to a run that was played with fewer.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Check the invariants after every action (slower).")] = False,
    processes: Annotated[
        bool, typer.Option("--processes", help="Play in processes; plain Python and detail full do so anyway.")
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on the workers of a Dask cluster, such as tcp://10.0.0.5:8786."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON for a script.")] = False,
) -> None:
    """Play an experiment on all cores. The same again goes on where it stopped."""
    from blinksim.games.game import get_game
    from blinksim.players.roster import find_player
    from blinksim.simulate import batch
    from blinksim.simulate.experiment import load_experiment

    def say(text: str) -> None:
        if not quiet and not json:
            typer.echo(text, err=True)

    asked = load_experiment(experiment).with_changes(changes or (), deals)
    game = get_game(asked.game)
    players = {name: find_player(name) for name in asked.strategy_names()}
    entrants = {name: batch.Entrant(name, p, p.fingerprint) for name, p in players.items()}
    prepared = batch.prepare(asked, entrants, game, check)
    folder = out or str(Path("runs") / Path(experiment).stem)
    say(f"{Path(experiment).stem}: {asked.question}")
    plan = prepared.plan
    say(f"{_count(plan.num_games, 'game')} in {_count(len(plan.shards), 'shard')} into {folder}")
    if prepared.keeps_records:
        say("A record of every game is kept: each is played again one decision at a time, which is slow.")
    summary = play_batch(
        prepared, players, folder, workers, fresh, quiet or json, say, extend, processes or None, cluster
    )
    means = _means(folder, summary)
    if json:
        _print_json(summary, means)
    elif not quiet:
        _print_summary(summary, means)
    if summary.failed:
        raise typer.Exit(FAILED_GAME)


def play_batch(
    prepared: Batch,
    players: Mapping[str, Player],
    folder: str | Path,
    workers: int | None,
    fresh: bool,
    silent: bool,
    say: Callable[[str], None],
    extend: bool = False,
    processes: bool | None = None,
    cluster: str | None = None,
) -> Summary:
    """Compile what plays, then play what is not there yet, with a progress bar; arguments as of ``batch.run``.

    What is said of games that failed goes to stderr; the caller exits with ``FAILED_GAME`` where there are some.

    Raises:
        typer.Exit: the user stopped it (130), or a shard could not be played; why is on stderr.
    """
    from blinksim.simulate import batch

    prepared.game.warm(list(players.values()), prepared.check, say)
    if prepared.plain_players and not silent:
        _say_how_slow(prepared, batch.choose(prepared, workers, processes, cluster).kind, say)
    try:
        with _Meter(silent) as tell:
            summary = batch.run(prepared, folder, workers, fresh, tell, extend, processes, cluster)
    except batch.Interrupted as stopped:
        typer.echo(str(stopped), err=True)
        raise typer.Exit(130) from None
    except batch.FailedShardError as failed:
        typer.echo(str(failed), err=True)
        raise typer.Exit(FAILED_GAME) from None
    _print_failures(summary)
    return summary


def _say_how_slow(prepared: Batch, kind: str, say: Callable[[str], None]) -> None:
    """Say which strategies are plain Python, what that costs, and how they play."""
    from blinksim.simulate.plain import measure_slowness

    found = measure_slowness(prepared)
    names = " and ".join(dict.fromkeys(player.name for player in prepared.plain_players))
    how = {"processes": "in processes", "cluster": "on the cluster"}.get(kind, "one game at a time")
    say(f"{found or f'{names}: plain Python, which is slow'}; playing {how}.")


def _print_failures(summary: Summary) -> None:
    """What became of games that failed, on stderr."""
    for failure in summary.failures:
        typer.echo(failure, err=True)
    if summary.failed:
        games = "1 game" if summary.failed == 1 else f"{summary.failed:,} games"
        more = summary.failed - len(summary.failures)
        rest = f" The first {len(summary.failures)} of them stand above." if more else ""
        typer.echo(f"{games} failed and are in no table; all the others were played.{rest}", err=True)


class _Meter:
    """A progress bar on a terminal, plain lines elsewhere, nothing where silent."""

    def __init__(self, silent: bool) -> None:
        import sys

        self.silent = silent
        self.lines = not sys.stderr.isatty()
        self.last = 0.0
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Callable[[Progress], None]:
        if not self.silent and not self.lines:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("games"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]} games/s"),
                TimeRemainingColumn(), TextColumn("{task.fields[state]}"), console=Console(stderr=True),
            )  # fmt: skip
            self.bar.start()
            self.task = self.bar.add_task("games", total=None, speed="-", state="")
        return self.tell

    def tell(self, progress: Progress) -> None:
        speed = f"{progress.games_per_second:,.0f}"
        shards = f"shard {progress.shards_done} of {progress.shards}"
        counts = [(count, name) for name, count in progress.outcomes.items() if count]
        counts += [(progress.failed, "failed")] if progress.failed else []
        outcomes = ", ".join(f"{count:,} {name}" for count, name in counts)
        if self.bar is not None:
            state = f"{shards}; {outcomes}"
            self.bar.update(self.task, completed=progress.games_done, total=progress.games, speed=speed, state=state)
        elif not self.silent and (
            progress.seconds - self.last >= SECONDS_A_LINE or progress.shards_done == progress.shards
        ):
            self.last = progress.seconds
            left = "" if not progress.seconds_left else f", {progress.seconds_left:.0f} s left"
            typer.echo(
                f"{progress.games_done:,} of {progress.games:,} games, {shards}, {speed} games/s{left}"
                + (f"; {outcomes}" if outcomes else ""),
                err=True,
            )

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _means(folder: str, summary: Summary) -> list[dict[str, Any]]:
    """Games by player count and outcome, and their mean length."""
    import polars as pl

    from blinksim.store.reading import open_run

    if not summary.games:
        return []
    games = open_run(folder).scan("games")
    frame = (
        games.group_by("players")
        .agg(
            pl.len().alias("games"),
            *[(pl.col("outcome") == o).sum().alias(o) for o in ("won", "shared", "stalled")],
            pl.col("rounds").mean().alias("mean_rounds"),
            pl.col("decisions").mean().alias("mean_decisions"),
        )
        .sort("players")
        .collect()
    )
    return frame.to_dicts()


def _print_json(summary: Summary, means: list[dict[str, Any]]) -> None:
    from dataclasses import asdict
    from json import dumps

    typer.echo(dumps({**asdict(summary), "outcomes": means}, indent=1))


def _print_summary(summary: Summary, means: list[dict[str, Any]]) -> None:
    for row in means:
        typer.echo(
            f"{row['players']} players: {row['games']:,} games, {row['won']:,} won, {row['shared']:,} shared, "
            f"{row['stalled']:,} stalled; {row['mean_rounds']:.1f} rounds, {row['mean_decisions']:.0f} decisions a game"
        )
    size = summary.num_bytes / max(summary.games, 1)
    if summary.games_now:
        speed = summary.games_now / summary.seconds
        who = _count(summary.workers, "worker") if summary.workers else "on the cluster"
        typer.echo(
            f"Played {summary.games_now:,} games in {summary.seconds:.1f} s ({speed:,.0f} games/s, {who}); "
            f"{size:,.0f} bytes a game in {summary.folder}"
        )
    else:
        rest = f" but the {summary.failed:,} that failed" if summary.failed else ""
        typer.echo(
            f"Nothing left to play: {summary.folder} holds all {_count(summary.games, 'game')}{rest}, "
            f"{size:,.0f} bytes each"
        )
    typer.echo(f"Next: blinksim report {summary.folder}")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"

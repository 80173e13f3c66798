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
"""Exit status after a game that stopped on a mistake inside a strategy or the engine."""


@user_errors
def run(
    experiment: Annotated[str, typer.Argument(metavar="NAME|FILE", help="An experiment's name or TOML file.")],
    out: Annotated[Path | None, typer.Option(help="Run folder; runs/NAME where left out.")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores where left out.")] = None,
    deals: Annotated[int | None, typer.Option(help="Deals of each player count, instead of the experiment's.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter of every ruleset; may be repeated."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; what the folder holds is removed.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Check the invariants after every action (slower).")] = False,
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
    folder = out or Path("runs") / Path(experiment).stem
    say(f"{Path(experiment).stem}: {asked.question}")
    plan = prepared.plan
    say(f"{plan.num_games:,} games in {len(plan.shards)} shards into {folder}")
    summary = play_batch(prepared, players, folder, workers, fresh, quiet or json, say)
    outcomes = _outcomes(folder)
    if json:
        _print_json(summary, outcomes)
    elif not quiet:
        _print_summary(summary, outcomes)


def play_batch(
    prepared: Batch,
    players: Mapping[str, Player],
    folder: Path,
    workers: int | None,
    fresh: bool,
    silent: bool,
    say: Callable[[str], None],
) -> Summary:
    """Compile what plays, then play what is not there yet, with a progress bar.

    Raises:
        typer.Exit: the user stopped it (130), or a game failed; why is on stderr.
    """
    from blinksim.simulate import batch

    for name, player in players.items():
        if not player.compiled:
            say(f"{name} is plain Python: its games run one at a time, a hundred times slower or more.")
    prepared.game.warm(list(players.values()), prepared.check, say)
    try:
        with _bar(silent) as tell:
            return batch.run(prepared, folder, workers, fresh, tell)
    except batch.Interrupted as stopped:
        typer.echo(str(stopped), err=True)
        raise typer.Exit(130) from None
    except batch.FailedGameError as failed:
        typer.echo(str(failed), err=True)
        raise typer.Exit(FAILED_GAME) from None


class _bar:
    """A progress bar on a terminal, plain lines elsewhere, nothing where silent."""

    def __init__(self, silent: bool) -> None:
        import sys

        self.silent = silent
        self.lines = not sys.stderr.isatty()
        self.last = 0.0
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Any:
        if not self.silent and not self.lines:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("games"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]} games/s"),
                TimeRemainingColumn(), console=Console(stderr=True),
            )  # fmt: skip
            self.bar.start()
            self.task = self.bar.add_task("games", total=None, speed="-")
        return self.tell

    def tell(self, progress: Progress) -> None:
        speed = f"{progress.games_per_second:,.0f}"
        if self.bar is not None:
            self.bar.update(self.task, completed=progress.games_done, total=progress.games, speed=speed)
        elif not self.silent and (progress.seconds - self.last >= 5 or progress.shards_done == progress.shards):
            self.last = progress.seconds
            left = "" if not progress.seconds_left else f", {progress.seconds_left:.0f} s left"
            typer.echo(
                f"{progress.games_done:,} of {progress.games:,} games, shard {progress.shards_done} of "
                f"{progress.shards}, {speed} games/s{left}",
                err=True,
            )

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _outcomes(folder: Path) -> list[dict[str, Any]]:
    """Games by player count and outcome, and their mean length."""
    import polars as pl

    from blinksim.store.reading import open_run

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


def _print_json(summary: Summary, outcomes: list[dict[str, Any]]) -> None:
    from dataclasses import asdict
    from json import dumps

    typer.echo(dumps({**asdict(summary), "outcomes": outcomes}, default=str, indent=1))


def _print_summary(summary: Summary, outcomes: list[dict[str, Any]]) -> None:
    for row in outcomes:
        typer.echo(
            f"{row['players']} players: {row['games']:,} games, {row['won']:,} won, {row['shared']:,} shared, "
            f"{row['stalled']:,} stalled; {row['mean_rounds']:.1f} rounds, {row['mean_decisions']:.0f} decisions a game"
        )
    size = summary.num_bytes / max(summary.games, 1)
    if summary.games_now:
        speed = summary.games_now / summary.seconds
        typer.echo(
            f"Played {summary.games_now:,} games in {summary.seconds:.1f} s ({speed:,.0f} games/s, {summary.workers} "
            f"workers); {size:,.0f} bytes a game in {summary.folder}"
        )
    else:
        typer.echo(f"Nothing left to play: {summary.folder} holds all {summary.games:,} games, {size:,.0f} bytes each")
    typer.echo(f"Next: blinksim report {summary.folder}")

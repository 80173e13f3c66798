"""``blinksim experiments``: list, check and plan experiments before they are run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blinksim.cli.errors import user_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from blinksim.simulate.pilot import Pilot
    from blinksim.simulate.prepared import Batch
    from blinksim.simulate.schedule import Schedule

app = typer.Typer(help="List, check and plan experiments.", no_args_is_help=True)

MOST_SHOWN = 12
"""Rulesets, and line-ups of a player count, that are named; of more the first ones."""


@app.command("list", epilog="Example: blinksim experiments list")
@user_errors
def list_experiments() -> None:
    """List the experiments: name, number of games, and the question each asks."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from blinksim.errors import UserError
    from blinksim.paths import EXPERIMENTS, list_names
    from blinksim.simulate.experiment import load_experiment
    from blinksim.simulate.schedule import make_plan

    table = Table(box=SIMPLE_HEAD)
    table.add_column("experiment", no_wrap=True)
    table.add_column("games", justify="right", no_wrap=True)
    table.add_column("question", overflow="fold")
    for name, path in list_names(EXPERIMENTS, ".toml").items():
        try:
            experiment = load_experiment(path)
        except UserError:  # one broken file must not hide the others
            table.add_row(Text(name), "-", Text(f"has mistakes: blinksim experiments check {name}"))
            continue
        table.add_row(Text(name), f"{make_plan(experiment).num_games:,}", Text(experiment.question))
    Console().print(table)


@app.command("check", epilog="Example: blinksim experiments check baseline walls")
@user_errors
def check(
    names: Annotated[list[str], typer.Argument(metavar="NAME|FILE...", help="Experiments by name or TOML file.")],
) -> None:
    """Check experiments with the rulesets and strategies they name: say ok, or every mistake (exit status 1)."""
    from blinksim.errors import CheckFailed
    from blinksim.paths import EXPERIMENTS, find_file
    from blinksim.simulate.checking import check_experiment
    from blinksim.simulate.schedule import make_plan

    mistakes: list[str] = []
    for path in [find_file(EXPERIMENTS, name, ".toml") for name in names]:
        found = check_experiment(path)
        mistakes += found.mistakes
        if found.experiment is not None and not found.mistakes:
            rulesets = _count(len(found.experiment.rulesets()), "ruleset")
            strategies = _count(len(found.experiment.strategy_names()), "strategy", "strategies")
            typer.echo(f"{path}: ok; {rulesets}, {strategies}, {make_plan(found.experiment).num_games:,} games")
        for note in found.notes:
            typer.echo(f"{note}")
    if mistakes:
        raise CheckFailed("\n".join(mistakes))


@app.command("plan", epilog="Example: blinksim experiments plan baseline --deals 100")
@user_errors
def plan(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="An experiment's name or TOML file.")],
    workers: Annotated[int | None, typer.Option(help="Threads to plan for; all cores where left out.", min=1)] = None,
    deals: Annotated[int | None, typer.Option(help="Deals of each player count, instead of the experiment's.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter of every ruleset; may be repeated."),
    ] = None,
) -> None:
    """Say what a run would play, and what it should take. A few deals are played for that; nothing is written."""
    from blinksim.games.game import get_game
    from blinksim.players.roster import find_player
    from blinksim.simulate import pilot
    from blinksim.simulate.batch import available_cores
    from blinksim.simulate.experiment import load_experiment
    from blinksim.simulate.prepared import Entrant, prepare

    asked = load_experiment(name).with_changes(changes or (), deals)
    game = get_game(asked.game)
    players = {strategy: find_player(strategy) for strategy in asked.strategy_names()}
    entrants = {s: Entrant(s, player, player.fingerprint) for s, player in players.items()}
    prepared = prepare(asked, entrants, game)
    game.warm(list(players.values()), False, lambda text: typer.echo(text, err=True))
    typer.echo(f"{Path(name).stem}: {asked.question}")
    names = [ruleset for ruleset, _, _ in asked.rulesets()]
    typer.echo(f"{_count(len(names), 'ruleset')}: {_first(names, '; ')}")
    pilots = pilot.run_pilot(prepared)
    for measured in pilots:
        _tell_players(prepared, measured)
    workers = workers or available_cores()
    whole = pilot.estimate(prepared, pilots, workers)
    typer.echo(
        f"In all {prepared.plan.num_games:,} games in {_count(len(prepared.plan.shards), 'shard')}: about "
        f"{_duration(whole.seconds)} on {_count(workers, 'worker')}, about {_size(whole.num_bytes)}."
    )
    typer.echo(
        f"That is an estimate from a pilot of n = {whole.games:,} games on one core; it holds while nothing else "
        "keeps the cores busy."
    )


def _tell_players(prepared: Batch, measured: Pilot) -> None:
    schedule: Schedule = prepared.plan.schedules[measured.players]
    shards = sum(shard.players == measured.players for shard in prepared.plan.shards)
    typer.echo(
        f"{measured.players} players: {_count(len(schedule.line_ups), 'line-up')} and "
        f"{_count(schedule.num_variants, 'ruleset')} make {_count(schedule.games_per_deal, 'game')} a deal; "
        f"{_count(schedule.num_deals, 'deal')}, {schedule.num_games // schedule.num_variants:,} games of each ruleset, "
        f"{schedule.num_games:,} games in {_count(shards, 'shard')}"
    )
    named = [f"l{i} {' '.join(line_up)}" for i, line_up in enumerate(schedule.line_ups)]
    typer.echo(f"  line-ups: {_first(named, ', ')}")
    typer.echo(
        f"  pilot: {_count(measured.games, 'game')} on {_count(measured.deals, 'deal')}, "
        f"{measured.games_per_second:,.0f} games/s on one core, {measured.bytes_per_game:,.0f} bytes a game"
    )


def _first(names: Sequence[str], between: str) -> str:
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return between.join(names[:MOST_SHOWN]) + more


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def _duration(seconds: float) -> str:
    for limit, length, unit in ((90, 1, "s"), (90 * 60, 60, "minutes"), (36 * 3600, 3600, "hours")):
        if seconds < limit:
            return f"{max(seconds / length, 1):.0f} {unit}"
    return f"{seconds / 86400:.1f} days"


def _size(num_bytes: float) -> str:
    for limit, length, unit in ((1e6, 1e3, "KB"), (1e9, 1e6, "MB")):
        if num_bytes < limit:
            return f"{max(num_bytes / length, 1):.0f} {unit}"
    return f"{num_bytes / 1e9:.1f} GB"

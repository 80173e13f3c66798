"""``blinksim strategies``: list them, show one, begin a new one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blinksim.cli.errors import user_errors

app = typer.Typer(help="List the strategies, show what they are, and begin a new one.", no_args_is_help=True)


@app.command("list", epilog="Example: blinksim strategies list")
@user_errors
def list_strategies() -> None:
    """List the strategies and personas that can be named in line-ups."""
    from blinksim.players.roster import StrategyError, find_player
    from blinksim.players.roster import list_strategies as names

    width = max((len(name) for name in names()), default=0)
    for name in names():
        try:
            player = find_player(name)
        except StrategyError as error:  # one broken file must not hide the others
            typer.echo(f"{name:{width}}  cannot be used: {error}")
            continue
        base = f" ({player.persona.strategy})" if player.persona is not None else ""
        typer.echo(f"{name:{width}}  {player.summary}{base}")


@app.command("show", epilog="Example: blinksim strategies show builder")
@user_errors
def show_strategy(name: Annotated[str, typer.Argument(help="Name of a strategy or a persona.")]) -> None:
    """Show a strategy's plan and its parameters."""
    import sys

    from blinksim.players.roster import find_player

    player = find_player(name)
    strategy, persona = player.strategy, player.persona
    kind = "compiled" if player.compiled else "plain Python"
    if persona is None:
        typer.echo(f"{name} ({kind}), {player.path}\n")
    else:
        typer.echo(f"{name} (a persona of {persona.strategy}, {kind}), {persona.path}: {persona.summary}\n")
    typer.echo((sys.modules[player.decide.__module__].__doc__ or "").strip())
    for parameter, value in zip(strategy.parameters, player.params, strict=False):
        own = "" if value == parameter.default else f", by default {parameter.default:g}"
        typer.echo(
            f"\n{parameter.name} = {value:g} {parameter.unit}, {parameter.low:g} to {parameter.high:g}{own}\n"
            f"  {parameter.meaning}"
        )


@app.command("new", epilog="Example: blinksim strategies new night_owl")
@user_errors
def new_strategy(name: Annotated[str, typer.Argument(help="A new name, such as night_owl.")]) -> None:
    """Write a strategy that plays, with comments, and its test: strategies/NAME.py and tests/test_NAME.py."""
    from blinksim.players.starter import write_starter

    here = Path.cwd()
    script, test = (path.relative_to(here) for path in write_starter(name, here))
    typer.echo(f"{script}: a strategy that plays; change it line by line")
    typer.echo(f"{test}: its test; run it with: python -m pytest {test}")
    typer.echo(f"Next: blinksim tournament {name} random builder --players 2 --deals 50")

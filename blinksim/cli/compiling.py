"""``blinksim compile``: have everything compiled before it is needed."""

from __future__ import annotations

from typing import Annotated

import typer

from blinksim.cli.errors import user_errors


@user_errors
def compile_all(
    game: Annotated[str, typer.Option(help="Which game's engine.")] = "blink",
) -> None:
    """Compile the engine and every strategy, so that later commands start at once."""
    from blinksim.games.game import get_game
    from blinksim.players.roster import find_player, list_strategies

    players = [find_player(name) for name in list_strategies()]
    seconds = get_game(game).warm(players, True, typer.echo)
    typer.echo(f"The engine and {len(players)} strategies are compiled ({sum(seconds.values()):.1f} s).")

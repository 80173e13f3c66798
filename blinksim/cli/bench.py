"""``blinksim bench``: how fast it is here."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from blinksim.cli.errors import user_errors


@user_errors
def bench(
    strategies: Annotated[str, typer.Option(help="Strategies to time, with commas.")] = "random,builder,raider",
    players: Annotated[str, typer.Option(help="Player counts, with commas.")] = "2,3,4",
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out compiling from an empty cache and 100,000 games.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """Measure games and decisions a second, the engine's parts, compiling, tables, workers and memory."""
    from blinksim.errors import UserError
    from blinksim.simulate.bench import measure

    counts = players.split(",")
    if not all(count in ("2", "3", "4") for count in counts):
        raise UserError(f'--players is "{players}"; it must be player counts from 2 to 4 with commas, such as 2,3,4')

    def say(text: str) -> None:
        typer.echo(text, err=True)

    sections = dict(measure(strategies.split(","), [int(count) for count in counts], quick, say))
    if json:
        from json import dumps

        typer.echo(dumps(sections, indent=1))
        return
    _print(sections)


def _print(sections: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    about = sections["machine"]
    console.print(", ".join(f"{key} {value}" for key, value in about.items()))
    table = Table(title="One core, tables off", title_justify="left")
    for heading in ("line-up", "players", "games/s", "decisions/s", "decisions/game", "games/s with facts"):
        table.add_column(heading, justify="left" if heading == "line-up" else "right")
    for label, by_players in sections["speed"].items():
        for n, figures in by_players.items():
            table.add_row(
                label, n, f"{figures['games_per_s']:,.0f}", f"{figures['decisions_per_s']:,.0f}",
                f"{figures['decisions_per_game']:,.0f}", f"{figures['games_per_s_with_facts']:,.0f}",
            )  # fmt: skip
    console.print(table)
    table = Table(title="Parts of the engine, positions of random games", title_justify="left")
    for heading in ("players", "list ns", "observe ns", "apply ns", "copy ns", "choices a decision"):
        table.add_column(heading, justify="right")
    for n, figures in sections["parts"].items():
        keys = ("list_ns", "observe_ns", "apply_ns", "copy_ns", "choices")
        table.add_row(n, *(f"{figures[key]:,.1f}" for key in keys))
    console.print(table)
    for name in ("tables", "memory", "starting"):
        console.print(f"[bold]{name}[/bold]")
        for key, value in sections[name].items():
            if isinstance(value, dict):
                value = ", ".join(f"{k} {v:.2f}" for k, v in value.items())
            console.print(f"  {key}: {value:,.2f}" if isinstance(value, float) else f"  {key}: {value}")

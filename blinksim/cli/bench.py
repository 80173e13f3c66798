"""``blinksim bench``: how fast it is here."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from blinksim.cli.errors import user_errors


@user_errors
def bench(
    strategies: Annotated[
        str | None,
        typer.Option(
            help="Strategies to time, with commas. Left out: random, builder and raider, and all others with 3 players."
        ),
    ] = None,
    players: Annotated[str, typer.Option(help="Player counts, with commas.")] = "2,3,4",
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out compiling from an empty cache and 100,000 games.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """Measure games and decisions a second, thinking, the engine's parts, compiling, tables, workers and memory."""
    from blinksim.errors import UserError
    from blinksim.simulate.bench import measure

    counts = players.split(",")
    if not all(count in ("2", "3", "4") for count in counts):
        raise UserError(f'--players is "{players}"; it must be player counts from 2 to 4 with commas, such as 2,3,4')

    def say(text: str) -> None:
        typer.echo(text, err=True)

    names = None if strategies is None else strategies.split(",")
    sections = dict(measure(names, [int(count) for count in counts], quick, say))
    if json:
        from json import dumps

        typer.echo(dumps(sections, indent=1))
        return
    _print(sections)


def _print(sections: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()

    def show(title: str, first: str, columns: dict[str, str], rows: dict[tuple[str, ...], dict[str, float]]) -> None:
        """A table of figures, the columns by the keys of the figures; those in milliseconds and ns have a digit."""
        table = Table(title=title, title_justify="left")
        for heading in (*first.split(), *columns.values()):
            table.add_column(heading, justify="left" if heading in ("line-up", "strategy") else "right")
        for names, figures in rows.items():
            fine = [key.endswith(("_ms", "_ns", "choices")) for key in columns]
            table.add_row(*names, *(f"{figures[k]:,.{1 if f else 0}f}" for k, f in zip(columns, fine, strict=True)))
        console.print(table)

    def by_name(section: dict[str, dict[str, dict[str, float]]]) -> dict[tuple[str, ...], dict[str, float]]:
        return {(name, n): figures for name, found in section.items() for n, figures in found.items()}

    console.print(", ".join(f"{key} {value}" for key, value in sections["machine"].items()))
    columns = {
        "games_per_s": "games/s", "decisions_per_s": "decisions/s", "decisions_per_game": "decisions/game",
        "games_per_s_with_facts": "games/s with facts",
    }  # fmt: skip
    show("One core, tables off", "line-up players", columns, by_name(sections["speed"]))
    if "thinking" in sections:
        columns = {
            "budget": "budget", "decisions_per_s": "decisions/s", "mean_ms": "mean ms", "p95_ms": "p95 ms",
            "max_ms": "longest ms", "playouts_per_s": "playouts/s",
        }  # fmt: skip
        title = "One core, decisions that a strategy thinks about"
        show(title, "strategy players", columns, by_name(sections["thinking"]))
    columns = {
        "list_ns": "list ns", "observe_ns": "observe ns", "apply_ns": "apply ns", "copy_ns": "copy ns",
        "choices": "choices a decision",
    }  # fmt: skip
    by_players: dict[tuple[str, ...], dict[str, float]] = {(n,): found for n, found in sections["parts"].items()}
    show("Parts of the engine, positions of random games", "players", columns, by_players)
    for name in ("tables", "memory", "starting"):
        console.print(f"[bold]{name}[/bold]")
        for key, value in sections[name].items():
            if isinstance(value, dict):
                value = ", ".join(f"{k} {v:.2f}" for k, v in value.items())
            console.print(f"  {key}: {value:,.2f}" if isinstance(value, float) else f"  {key}: {value}")

"""``blinksim runs``: which runs there are, what one holds, and whether it is sound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blinksim.cli.errors import user_errors

if TYPE_CHECKING:
    from blinksim.simulate.verify import Verification

app = typer.Typer(help="Runs: list, show, verify.", no_args_is_help=True)
MAX_SHOWN = 20
"""Sentences printed about what is wrong; --json prints all."""
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run folder, or its name in runs/.")]


@app.command("list", epilog="Example: blinksim runs list")
@user_errors
def list_runs(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder in which runs lie.")] = Path("runs"),
    json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """List the runs of a folder: how far each is, its size, when it was played last, and its question."""
    from blinksim.simulate.overview import list_overviews

    found = list_overviews(folder)
    if json:
        _print_json(found)
        return
    if not found:
        typer.echo(f"there are no runs in {folder}; play one with: blinksim run baseline", err=True)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("run", "games", "shards", "size", "last played"):
        table.add_column(heading, justify="right" if heading in ("games", "shards", "size") else "left", no_wrap=True)
    table.add_column("question")
    for run in found:
        if "problem" in run:
            table.add_row(run["name"], "", "", "", "", run["problem"])
            continue
        games = f"{run['games']:,}" + ("" if run["complete"] else f" of {run['games_planned']:,}")
        games += f" ({run['failed']:,} failed)" if run["failed"] else ""
        shards = f"{run['shards']:,} of {run['shards_planned']:,}"
        table.add_row(run["name"], games, shards, _size(run["bytes"]), _when(run["last_played"]), run["question"])
    from blinksim.cli.tables import print_table

    print_table(table)


@app.command("show", epilog="Example: blinksim runs show runs/baseline")
@user_errors
def show_run(
    run: RunArgument, json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False
) -> None:
    """Show what a run holds: what was played, when and on what machine, and which games failed."""
    from blinksim.simulate.overview import describe_run
    from blinksim.store.reading import find_run, open_run

    told = describe_run(open_run(find_run(run)))
    if json:
        _print_json(told)
        return
    state = "complete" if told["complete"] else f"not finished: {told['games_planned']:,} are planned"
    typer.echo(f"{told['where']}: {told['question']}")
    typer.echo(f"  games     {told['games']:,}, {state}")
    typer.echo(f"  shards    {told['shards']:,} of {told['shards_planned']:,}, {_size(told['bytes'])}")
    typer.echo(f"  seed      {told['seed']}, shifts {told['shifts']}, replicates {told['replicates']}")
    for i, variant in enumerate(told["variants"]):
        typer.echo(f"  {'rules' if not i else '     '}     {i} {variant['name']}: {variant['ruleset']}")
    for part in told["players"]:
        typer.echo(
            f"  {part['players']} players {part['games']:,} games: {part['deals']:,} deals of "
            f"{part['games_per_deal']}, {part['deals_per_shard']} deals a shard"
        )
        for i, line_up in enumerate(part["line_ups"]):
            typer.echo(f"            {i} {', '.join(line_up)}")
    for table in told["tables"]:
        typer.echo(f"  {table['table']:<13} {table['rows']:>13,} rows {_size(table['bytes']):>9}")
    typer.echo(f"  versions  {', '.join(f'{name} {version}' for name, version in told['versions'].items())}")
    for sitting in told["sittings"]:
        machine = sitting.get("machine", {})
        typer.echo(
            f"  sitting   {_when(sitting['started'])}: {sitting['games']:,} games in {sitting['seconds']:,.1f} s, "
            f"{sitting['workers']} workers, {machine.get('cores', '?')} cores, {machine.get('processor', '?')}, "
            f"{machine.get('system', '?')}, Python {machine.get('python', '?')}"
        )
    for game in told["failed"][:MAX_SHOWN]:
        typer.echo(f"  failed    {game['game']}: {game['reason']}")
    if len(told["failed"]) > MAX_SHOWN:
        typer.echo(f"  and {len(told['failed']) - MAX_SHOWN:,} more that failed; --json prints all")


@app.command("verify", epilog="Example: blinksim runs verify runs/baseline --replay 50")
@user_errors
def verify(
    run: RunArgument,
    replay: Annotated[int, typer.Option(min=0, help="Games that are played again; 0 for none.")] = 20,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say only what is wrong.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """Say whether a run is sound: checksums, schema, counts, keys of all games, and a sample played again."""
    from blinksim.simulate.verify import verify_run
    from blinksim.store.reading import find_run, open_run

    def say(text: str) -> None:
        if not quiet and not json:
            typer.echo(text, err=True)

    with _Steps(quiet or json) as steps:
        found = verify_run(open_run(find_run(run), receipts=False), replay, tell=steps.tell, say=say)
    if json:
        from dataclasses import asdict

        _print_json({"ok": found.ok, **asdict(found), "damaged": sorted(found.damaged)})
        raise typer.Exit(0 if found.ok else 1)
    _tell(found, quiet)


def _tell(found: Verification, quiet: bool) -> None:
    """Print what was found.

    Raises:
        CheckFailed: something is wrong.
    """
    from blinksim.errors import CheckFailed
    from blinksim.store.runs import receipt_name

    if not quiet:
        for note in found.notes[:MAX_SHOWN]:
            typer.echo(note, err=True)
    if not found.ok:
        lines = [f"{found.where} is not sound:", *(f"  {problem}" for problem in found.problems[:MAX_SHOWN])]
        if len(found.problems) > MAX_SHOWN:
            lines.append(f"  and {len(found.problems) - MAX_SHOWN:,} more; --json prints all")
        if found.damaged:
            receipts = ", ".join(receipt_name(number) for number in sorted(found.damaged)[:MAX_SHOWN])
            more = ", …" if len(found.damaged) > MAX_SHOWN else ""
            lines.append(
                f"To mend it, remove {receipts}{more} and run the experiment again: the same games are played anew"
            )
        raise CheckFailed("\n".join(lines))
    if not quiet:
        shards = "shard" if found.shards == 1 else "shards"
        typer.echo(
            f"{found.where} is sound: {found.games:,} games in {found.shards:,} {shards}, {found.files:,} files "
            f"({_size(found.num_bytes)}) as their receipts say, {found.replayed:,} games played again with the same "
            "rows"
        )


class _Steps:
    """A bar on a terminal while shards are looked at; nothing elsewhere."""

    def __init__(self, silent: bool) -> None:
        import sys

        self.silent = silent or not sys.stderr.isatty()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> _Steps:
        if not self.silent:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("shards", total=None)
        return self

    def tell(self, done: int, shards: int) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=done, total=shards)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _print_json(data: Any) -> None:
    from json import dumps

    typer.echo(dumps(data, indent=1, ensure_ascii=False))


def _size(num_bytes: int) -> str:
    """Bytes for people, in powers of a thousand."""
    size, units = float(num_bytes), ["bytes", "kB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{num_bytes} bytes" if units[0] == "bytes" else f"{size:.1f} {units[0]}"


def _when(moment: str | None) -> str:
    """A moment of a manifest for people: to the minute, in universal time."""
    return "-" if not moment else moment.replace("T", " ")[:16] + " UTC"

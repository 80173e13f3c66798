"""``blinksim play``, ``check`` and ``replay``: one game, told; records checked; games told again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from blinksim.cli.errors import user_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from blinksim.games.blink.record import CheckResult
    from blinksim.games.blink.table import BrokenGameError

MAX_SEED = 2**64 - 1
FAILED_GAME = 3
"""Exit status after a game that stopped on a mistake inside a strategy or the engine."""
ME = "me"
"""The name of a seat that a person plays."""
PATIENCE = 3.0
"""Seconds after which a command says that it is compiling."""


@user_errors
def play(
    players: Annotated[int, typer.Option(help="How many play, 2 to 4.", show_default=True)] = 3,
    ruleset: Annotated[str, typer.Option(help="A preset, or the path of a TOML file.")] = "standard",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, such as tiers.wall[2]=15; may be repeated."),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="One strategy per player, in the order of the seats unless shifted: random,builder,raider. "
            "A strategy's parameters follow a colon: raider:lead=2. Left out: random on every seat. The name me is "
            "yourself, at this terminal; it may stand on several seats.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="The seed that deals and draws follow from.")] = 1,
    deal: Annotated[int, typer.Option(min=0, help="Number of the deal.")] = 0,
    hand_shift: Annotated[int, typer.Option(min=0, help="Player k gets the hand dealt to position k + this.")] = 0,
    seat_shift: Annotated[int, typer.Option(min=0, help="The hand of position j lies on map seat j + this.")] = 0,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game's record; .gz compresses it.")
    ] = None,
    no_legal: Annotated[bool, typer.Option("--no-legal", help="Leave the legal choices out of the record.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Check the invariants after every decision.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result, no story.")] = False,
) -> None:
    """Play one game and tell it: melds, tricks, turns and duels, and the map after every round."""
    from blinksim import new_game
    from blinksim.errors import UserError
    from blinksim.games.blink.table import BrokenGameError

    names = line_up(seats, players)
    if no_legal and record is None and ME not in names:
        raise UserError("--no-legal is about a record: name one with --record FILE")
    with patience():
        table = new_game(players, ruleset, seed, deal, changes or (), hand_shift, seat_shift)
        shift = (hand_shift + seat_shift) % players
        by_seat = [names[(seat - shift) % players] for seat in range(players)]
    if ME in names:
        from blinksim.cli.person import sit_down

        sit_down(table, by_seat, check, record, not no_legal)
        return
    with patience():
        try:
            table.play(by_seat, check=check)
        except BrokenGameError as broken:
            fail(broken, record, not no_legal)
    tell(table.result_pieces() if quiet else table.story_pieces())
    if record is not None:
        typer.echo(f"Record: {table.record(record, legal=not no_legal)}")


def fail(broken: BrokenGameError, record: Path | None, legal: bool = True) -> NoReturn:
    """Stop at a mistake inside a strategy or the engine, with the record so far where one was asked for."""
    from blinksim.errors import UserError

    if record is not None:
        try:
            typer.echo(f"Record so far: {broken.table.record(record, legal=legal)}", err=True)
        except UserError as error:  # the first mistake is what the user must hear of
            typer.echo(str(error), err=True)
    typer.echo(str(broken), err=True)
    raise typer.Exit(FAILED_GAME) from broken


def line_up(seats: str | None, players: int) -> list[str]:
    """The strategies that ``--seats`` names, one per player.

    A comma also stands between two parameters of one strategy: what has an equals sign and no colon belongs to the
    name before it.

    Raises:
        UserError: not as many as there are players.
    """
    from blinksim.errors import UserError

    if seats is None:
        return ["random"] * players
    names: list[str] = []
    for part in (part.strip() for part in seats.split(",")):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part)
    if len(names) != players or "" in names:
        raise UserError(
            f'--seats is "{seats}", which names {len([name for name in names if name])}; with --players {players} it '
            f"must name {players} strategies, such as {','.join(['random'] * players)}"
        )
    return names


@user_errors
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records, compressed or not.")],
) -> None:
    """Check records: replay every choice and say whether all is what the rules give, or the first line that is not."""
    from blinksim.games.blink.record import check_record

    failed = 0
    for path in files:
        found = check_record(path)
        failed += not found.ok
        if found.problem is not None:
            typer.echo(found.problem, err=True)
        else:
            typer.echo(f"{path}: {_good(found)}")
    if failed:
        raise typer.Exit(1)


def _good(found: CheckResult) -> str:
    """What is right about a record, in a line."""
    if found.result is None:
        return f"ok as far as it goes: unfinished after {found.plies} decisions, in round {found.rounds}"
    won = " and ".join(f"seat {seat}" for seat in found.result["winners"])
    outcome = {"won": f"won by {won}", "shared": f"shared by {won}", "stalled": "stalled"}[found.result["outcome"]]
    return f"ok: {len(found.result['scores'])} players, {found.result['rounds']} rounds, {outcome}"


@user_errors
def replay(
    source: Annotated[
        str, typer.Argument(metavar="FILE|RUN", help="A record, or a run: its folder, its name in runs/, its address.")
    ],
    game: Annotated[
        str | None, typer.Option(metavar="KEY", help="A game of the run, such as 3p/d12/v0/l1/h2/s1/r0.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the record of the run's game; .gz compresses it.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result, no story.")] = False,
) -> None:
    """Tell the story of a record, or play a game of a run again, tell it, and compare it with the run."""
    from blinksim.errors import UserError

    if game is not None:
        _replay_game(source, game, record, quiet)
    elif Path(source).is_dir() or (not Path(source).exists() and ("://" in source or Path("runs", source).is_dir())):
        what = "folder" if Path(source).is_dir() else "run"
        raise UserError(f"{source} is a {what}: say which game of the run, such as --game 3p/d0/v0/l0/h0/s0/r0")
    elif record is not None:
        raise UserError(f"--record goes with --game: {source} is a record already")
    else:
        _replay_record(Path(source), quiet)


def _replay_record(path: Path, quiet: bool) -> None:
    """Tell a record's story up to its end or its first wrong line."""
    from blinksim.errors import CheckFailed, UserError
    from blinksim.games.blink.record import Replay
    from blinksim.games.blink.record_lines import RecordError
    from blinksim.games.blink.story import Story, tell_story

    if not path.exists():
        raise UserError(f"there is no file {path}")
    try:
        moments = Replay(path)
        if quiet:
            for _ in moments:
                pass
            tell(Story(moments.header).close(moments.state))
        else:
            tell(tell_story(moments.header, moments.start, moments))
    except RecordError as error:
        raise CheckFailed(str(error)) from None


def _replay_game(run: str, key: str, record: Path | None, quiet: bool) -> None:
    """Play a game of a run again; fails where it does not end as it did."""
    from blinksim.errors import CheckFailed
    from blinksim.games.blink.table import BrokenGameError
    from blinksim.simulate.replay import replay_game
    from blinksim.store.reading import find_run, open_run

    opened = open_run(find_run(run))
    with patience():
        try:
            found = replay_game(opened, key)
        except BrokenGameError as broken:
            if not quiet:
                tell(broken.table.story_pieces())
            fail(broken, record)
    tell(found.table.result_pieces() if quiet else found.table.story_pieces())
    if record is not None:
        typer.echo(f"Record: {found.table.record(record)}")
    if found.recorded is not None and not found.same:
        raise CheckFailed(str(found))
    typer.echo(str(found))


def tell(pieces: Iterable[RenderableType]) -> None:
    """Print a story piece by piece; in a file or a pipe its lines have 100 columns, no colours, no trailing blanks."""
    from rich.console import Console

    from blinksim.games.blink.story import as_text

    console = Console(highlight=False)
    for piece in pieces:
        if console.is_terminal:
            console.print(piece, markup=False)
        else:
            typer.echo(as_text([piece]), nl=False)


@contextmanager
def patience() -> Iterator[None]:
    """Say what is being done where it takes long: compiling happens once, and after a change of the code."""
    text = "Compiling the rules and strategies; that is needed once and takes up to a minute ..."
    timer = threading.Timer(PATIENCE, typer.echo, (text,), {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

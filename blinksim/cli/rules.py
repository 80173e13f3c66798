"""``blinksim rules``: list, show, compare and check rulesets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from blinksim.cli.errors import user_errors

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(help="List, show, compare and check rulesets.", no_args_is_help=True)

Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter, such as tiers.wall[2]=15; may be repeated."),
]
Name = Annotated[str, typer.Argument(metavar="RULESET", help="A preset, or the path of a TOML file.")]


@app.command("list", epilog="Example: blinksim rules list")
@user_errors
def list_rules() -> None:
    """List the shipped rulesets with what makes each different."""
    from blinksim.games.blink.ruleset import difference, load, preset_names, preset_summary

    standard = load("standard")
    table = _table("ruleset", "about", "differs from standard in")
    for name in preset_names():
        keys = [key for key, _, _ in difference(standard, load(name))]
        _add(table, name, preset_summary(name), ", ".join(keys) or "-")
    _print(table)


@app.command("show", epilog="Example: blinksim rules show standard --set trick.last_place_gold=2")
@user_errors
def show(
    ruleset: Name,
    changes: Changes = None,
    changed: Annotated[bool, typer.Option("--changed", help="Only what differs from the rulebook.")] = False,
    toml: Annotated[bool, typer.Option("--toml", help="As a complete TOML file, ready to be edited.")] = False,
) -> None:
    """Show every parameter of a ruleset with its value, unit, allowed values and section of the rules."""
    from blinksim.games.blink.ruleset import as_toml, content_hash, describe, load

    rules = load(ruleset, changes or ())
    if toml:
        typer.echo(as_toml(rules), nl=False)
        return
    table = _table("parameter", "value", "unit", "allowed", "§", "meaning")
    table.title = f"{rules.name} ({content_hash(rules)[:12]})"
    table.caption = "* not the rulebook's value"
    for row in describe(rules):
        if row.changed or not changed:
            key = f"{row.key} *" if row.changed else row.key
            _add(table, key, row.value, row.unit, row.allowed, row.section, row.what)
    _print(table)


@app.command("diff", epilog="Example: blinksim rules diff standard booklet_effects")
@user_errors
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A preset, or the path of a TOML file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
) -> None:
    """Show the parameters in which two rulesets differ."""
    from blinksim.games.blink.ruleset import difference, load
    from blinksim.games.blink.ruleset_text import value_text

    found = difference(load(a), load(b))
    if not found:
        typer.echo(f"{a} and {b} are the same in every parameter.")
        return
    table = _table("parameter", a, b)
    for key, left, right in found:
        _add(table, key, value_text(left), value_text(right))
    _print(table)


@app.command("check", epilog="Example: blinksim rules check mine.toml")
@user_errors
def check(file: Annotated[str, typer.Argument(metavar="FILE", help="A TOML file, or a preset.")]) -> None:
    """Check a ruleset file: list every mistake, or say what it changes."""
    from blinksim.errors import CheckFailed
    from blinksim.games.blink.problems import RulesetError
    from blinksim.games.blink.ruleset import content_hash, difference, load
    from blinksim.games.blink.ruleset_files import find_ruleset

    path = find_ruleset(file)
    try:
        rules = load(path)
    except RulesetError as error:
        raise CheckFailed(str(error)) from None
    count = len(difference(load("standard"), rules))
    differs = "the same as standard" if count == 0 else f"{count} value{'' if count == 1 else 's'} differ from standard"
    typer.echo(f'{file}: ruleset "{rules.name}" is fine; {differs}; hash {content_hash(rules)[:12]}')


def _table(*columns: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, title_justify="left", caption_justify="left")
    for i, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=i == 0)
    return table


def _add(table: Table, *cells: str) -> None:
    """Add a row of plain text: square brackets are part of names and values, not markup."""
    from rich.text import Text

    table.add_row(*(Text(cell) for cell in cells))


def _print(table: Table) -> None:
    from rich.console import Console

    Console().print(table)

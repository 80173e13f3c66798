"""What the command line says when a user got something wrong: the message, no traceback, and an exit status."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import typer

from blinksim.errors import UserError

P = ParamSpec("P")
R = TypeVar("R")


def user_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Let a command print a :class:`UserError` on stderr and exit with its status: 1 failed check, 2 wrong usage."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except UserError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(error.exit_code) from None

    return run

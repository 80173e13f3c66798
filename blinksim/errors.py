"""What a user can get wrong. Anything else that is raised is a fault of the program.

The message of a :class:`UserError` says what was given, what was expected, where, and what to do next; the command line
prints it as it is and exits with ``exit_code``.
"""

from __future__ import annotations


class UserError(ValueError):
    """A mistake in what the user gave: a file, a name, a value."""

    exit_code = 2


class CheckFailed(UserError):
    """A check that the user asked for found something; not a wrong use of the command."""

    exit_code = 1

"""Mistakes in a ruleset, as data and as the error that lists them."""

from __future__ import annotations

from typing import NamedTuple

from blinksim.errors import UserError


class Problem(NamedTuple):
    """One mistake: the dotted names of the parameters it is about, and a sentence that names them."""

    keys: tuple[str, ...]
    text: str


class RulesetError(UserError):
    """A ruleset that cannot be used; made from its mistakes, each one line with the file or override it stands in."""

    @property
    def problems(self) -> tuple[str, ...]:
        """The mistakes, one line each."""
        return tuple(self.args)

    def __str__(self) -> str:
        return "\n".join(self.args)


class BrokenRules(ValueError):
    """Parameters that do not go together; raised inside the model, turned into a :class:`RulesetError` on load."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems

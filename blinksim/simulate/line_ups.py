"""Line-ups: who plays, named one by one or by a rule.

::

    ["builder", "raider"]                        # as it stands; one strategy per player
    { mirror = ["builder", "raider"] }           # builder on every slot, then raider on every slot
    { all_of = ["builder", "raider", "warden"] } # every choice of as many as there are players, each as often as wanted
    { one = "raider", against = ["builder"] }    # raider on slot 0, every choice of the others for the rest

Rules expand in the order of the names, the first name first, as in a dictionary: ``all_of = ["a", "b"]`` for three
players is a a a, a a b, a b b, b b b. So a line-up keeps its number when names are added at the end of the last rule.
A choice says who plays, not who sits where: one order of each is played, and the shifts put everybody everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

MAX_NAMES = 30
"""Names in one choice: with four players, 30 make 40,920 line-ups."""

Name = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]
LineUp = tuple[str, ...]


class Model(BaseModel):
    """What an experiment's models have in common: frozen, exact types, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def as_tuple(value: Any) -> Any:
    """TOML has lists; a frozen model has tuples."""
    return tuple(value) if isinstance(value, list) else value


Names = Annotated[tuple[Name, ...], BeforeValidator(as_tuple), Field(min_length=1)]
FewNames = Annotated[tuple[Name, ...], BeforeValidator(as_tuple), Field(min_length=1, max_length=MAX_NAMES)]


class Several(Model):
    """Line-ups by a rule: ``mirror``, or ``all_of``, or ``one`` and ``against``."""

    mirror: Names | None = Field(None, description="a list of strategy names")
    all_of: FewNames | None = Field(None, description=f"a list of 1 to {MAX_NAMES} strategy names")
    one: Name | None = Field(None, description="the name of one strategy, with against beside it")
    against: FewNames | None = Field(
        None, description=f"a list of 1 to {MAX_NAMES} strategy names, the field that one plays"
    )

    def mistake(self) -> str | None:
        """What is wrong with the keys taken together; None where nothing is."""
        given = tuple(key for key in type(self).model_fields if getattr(self, key) is not None)
        if given in (("mirror",), ("all_of",), ("one", "against")):
            return None
        return (
            f"has {' and '.join(given) or 'no key'}; it must have mirror alone, or all_of alone, or one and against "
            "together"
        )

    def line_ups(self, players: int) -> list[LineUp]:
        """The line-ups of one player count, in order; see the head of the module."""
        if self.mirror is not None:
            return [(name,) * players for name in self.mirror]
        if self.all_of is not None:
            return list(combinations_with_replacement(self.all_of, players))
        if self.one is not None and self.against is not None:
            return [(self.one, *rest) for rest in combinations_with_replacement(self.against, players - 1)]
        return []


Entry = Annotated[Several | Annotated[tuple[Name, ...], Field(min_length=1)], BeforeValidator(as_tuple)]
Entries = Annotated[tuple[Entry, ...], BeforeValidator(as_tuple), Field(min_length=1)]


def expand(entries: Sequence[Several | LineUp], players: int) -> tuple[LineUp, ...]:
    """The line-ups that some entries make for one player count; given ones for other counts are passed over."""
    found: list[LineUp] = []
    for entry in entries:
        if isinstance(entry, Several):
            found += entry.line_ups(players)
        elif len(entry) == players:
            found.append(entry)
    return tuple(found)

"""Parameters in words: the table of all of them, what is allowed, and what is wrong with a value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, Interval, Le, Len, MaxLen, MinLen
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from blinksim.games.blink.parameters import About, Band, OwnMap, OwnMaps
from blinksim.games.blink.problems import BrokenRules, Problem
from blinksim.games.blink.ruleset_model import Ruleset

_TAGS = {"builtin", "own"}
_TYPE_MISTAKES = ("_type", "_parsing", "_from_float", "frozen_set", "is_instance")


class Parameter(NamedTuple):
    """One parameter of the rules.

    Attributes:
        key: Dotted name, such as ``tiers.wall``; of a band ``victory.bands[].gold``.
        what: What it means.
        section: Section of the rules, such as ``1.2``.
        unit: What a number counts, "" where there is none.
        allowed: The allowed values in words.
        default: Its value in the rulebook, in the form of ``Ruleset.to_dict``; None for the keys of a band.
        can_be_unset: Whether ``none`` is a value.
        is_list: Whether it is a list.
    """

    key: str
    what: str
    section: str
    unit: str
    allowed: str
    default: Any
    can_be_unset: bool
    is_list: bool


@cache
def parameters() -> dict[str, Parameter]:
    """Every parameter by its dotted name, in the order of the rules; a band's keys after ``victory.bands``."""
    defaults = Ruleset().to_dict()
    table = {}
    for name, group in Ruleset.model_fields.items():
        if name == "name":
            continue
        for key, field in _leaves(name, group):
            default = defaults
            for part in key.split("."):
                default = default[part]
            table[key] = _parameter(key, field, default)
            if key == "victory.bands":
                table |= {
                    f"{key}[].{name}": _parameter(f"{key}[].{name}", f, None) for name, f in Band.model_fields.items()
                }
    return table


def value_text(value: Any) -> str:
    """A value as it is written in a ruleset file; ``none`` for unset."""
    if value is None:
        return "none"
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {value_text(item)}" for key, item in value.items()) + "}"
    return str(value)


def mistakes(error: ValidationError) -> list[Problem]:
    """The mistakes that a model found, one sentence per place in the ruleset."""
    found: dict[str, Problem] = {}
    # a list whose entries are wrong counts as too short as well: the deeper mistakes come first and say enough
    for entry in sorted(error.errors(), key=lambda entry: entry["type"] == "too_short"):
        broken = entry.get("ctx", {}).get("error")
        if isinstance(broken, BrokenRules):
            return list(broken.problems)
        place = _Place(entry["loc"])
        if entry["type"] == "too_short" and any(other.startswith(f"{place.text}[") for other in found):
            continue
        if place.text not in found:
            found[place.text] = Problem((place.parameter,), _sentence(place, entry))
    return list(found.values())


def _leaves(key: str, field: FieldInfo) -> Iterator[tuple[str, FieldInfo]]:
    """The parameters below a field of the model, with their dotted names."""
    kind = field.annotation
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, inner in kind.model_fields.items():
            yield from _leaves(f"{key}.{name}", inner)
    else:
        yield key, field


def _about(field: FieldInfo) -> About:
    return next(item for item in field.metadata if isinstance(item, About))


def _parameter(key: str, field: FieldInfo, default: Any) -> Parameter:
    about, kind = _about(field), field.annotation
    return Parameter(
        key,
        about.what,
        about.section,
        about.unit,
        allowed_text(kind, tuple(field.metadata)),
        default,
        NoneType in get_args(kind),
        _is_list(kind),
    )


def _is_list(kind: Any) -> bool:
    kind, _ = _bare(kind, ())
    if get_origin(kind) in (Union, UnionType):
        return any(_is_list(option) for option in get_args(kind))
    return get_origin(kind) is tuple


def _bare(kind: Any, metadata: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """A type without its annotations, and the annotations."""
    while get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        metadata = (*metadata, *more)
    return kind, metadata


def _limits(metadata: tuple[Any, ...]) -> tuple[Any, Any]:
    """Lowest and highest number, or shortest and longest length, that annotations allow; None where there is none."""
    low = high = None
    for item in metadata:
        if isinstance(item, Ge | Interval):
            low = item.ge
        if isinstance(item, Le | Interval):
            high = item.le
        if isinstance(item, MinLen | Len):
            low = item.min_length
        if isinstance(item, MaxLen | Len):
            high = item.max_length
    return low, high


def allowed_text(kind: Any, metadata: tuple[Any, ...] = (), with_type: bool = False) -> str:
    """The values that a type allows, in words, such as ``0 to 60``.

    Args:
        kind: The type, bare or annotated.
        metadata: Annotations that do not stand in the type itself.
        with_type: Whether numbers say that they are whole numbers.
    """
    kind, metadata = _bare(kind, metadata)
    origin, args = get_origin(kind), get_args(kind)
    low, high = _limits(metadata)
    if origin in (Union, UnionType):
        options = [
            allowed_text(option, (), with_type).removeprefix("only ") for option in args if option is not NoneType
        ]
        return " or ".join([*options, *(["none (unset)"] if NoneType in args else [])])
    if origin is Literal:
        return _either([value_text(option) for option in args])
    if origin is tuple:
        return _list_text(args, low, high)
    if kind is bool:
        return "true or false"
    if kind is int:
        bounds = f"{low} to {high}"
        return f"a whole number, {bounds}" if with_type else bounds
    if kind is str:
        return "text in quotes" if low is None else f"text of {low} to {high} characters in quotes"
    if kind is Band:
        return "a table with the keys " + ", ".join(Band.model_fields)
    if kind is OwnMap:
        return "a table with the keys mountains, homelands, other"
    return 'tables "2", "3", "4", by player count, with the keys mountains, homelands, other'


def _list_text(items: tuple[Any, ...], low: int | None, high: int | None) -> str:
    """The allowed lists in words; ``items`` are the arguments of a tuple type."""
    if Ellipsis not in items:
        if all(item == items[0] for item in items):
            return f"a list of {len(items)}, each {allowed_text(items[0], (), True)}"
        return f"a list of {len(items)}: " + "; ".join(allowed_text(item, (), True) for item in items)
    size = "" if low is None else f" of {low} to {high}"
    return f"a list{size}, each {allowed_text(items[0], (), True)}"


def _either(options: list[str]) -> str:
    if len(options) == 1:
        return f"only {options[0]}"
    return ", ".join(options[:-1]) + f" or {options[-1]}"


class _Place:
    """The place in a ruleset that a mistake was found at.

    Attributes:
        parameter: Dotted name of the parameter.
        text: The place as a user writes it, such as ``victory.bands[1].gold``.
        about: Meaning and section, of the innermost key that has them.
        kind: Type of the value there, with its annotations.
        known: The keys that the innermost table may have.
    """

    def __init__(self, location: tuple[int | str, ...]) -> None:
        self.text = ""
        self.about = About("", "1")
        self.kind: Any = Ruleset
        self.metadata: tuple[Any, ...] = ()
        self.known: list[str] = []
        for part in location:
            if not self._enter(part):
                break
        names = self.text.split("[", 1)[0].split(".")
        self.parameter = ".".join(names[: 3 if names[0] == "terrain" else 2])

    def _enter(self, part: int | str) -> bool:
        """Go one step further in; False where the step is not a place but a branch of a type."""
        kind, _ = _bare(self.kind, ())
        options = [_bare(option, ())[0] for option in get_args(kind)] if get_origin(kind) in (Union, UnionType) else []
        if isinstance(part, int):
            lists = [option for option in [kind, *options] if get_origin(option) is tuple]
            if not lists:
                return False
            items = get_args(lists[0])
            self.kind, self.metadata = items[0 if Ellipsis in items else min(part, len(items) - 1)], ()
            self.text += f"[{part}]"
            return True
        if part in _TAGS and OwnMaps in options:
            self.kind = OwnMaps if part == "own" else self.kind
            return True
        models = [option for option in [kind, *options] if isinstance(option, type) and issubclass(option, BaseModel)]
        if not models:
            return False
        self.text += f".{part}" if self.text else str(part)
        self.known = [field.alias or name for name, field in models[0].model_fields.items()]
        for name, field in models[0].model_fields.items():
            if part in (name, field.alias):
                self.kind, self.metadata = field.annotation, tuple(field.metadata)
                self.about = next((item for item in field.metadata if isinstance(item, About)), self.about)
        return True

    def allowed(self, with_type: bool = False) -> str:
        """What may stand here, in words."""
        return allowed_text(self.kind, self.metadata, with_type)

    def source(self) -> str:
        """Meaning and section, in brackets."""
        return (
            f"({self.about.what}, rules §{self.about.section})" if self.about.what else f"(rules §{self.about.section})"
        )


def _sentence(place: _Place, entry: Any) -> str:
    """One mistake in words: where, what was given, what is allowed, why."""
    given, sort = entry["input"], entry["type"]
    if sort == "missing":
        return f"{place.text} is missing; allowed {place.allowed()} {place.source()}"
    if sort == "extra_forbidden":
        before, _, last = place.text.rpartition(".")
        near = get_close_matches(last, place.known, 1)
        hint = f'did you mean "{before}.{near[0]}"?' if near else f"known are {', '.join(place.known)}"
        return f'unknown key "{place.text}"; {hint}'
    if sort in ("too_short", "too_long"):
        return f"{place.text} has {len(given)} entries; allowed {place.allowed()} {place.source()}"
    if sort == "value_error":
        return f"{place.text}: {entry['ctx']['error']} (rules §{place.about.section})"
    kind, _ = _bare(place.kind, ())
    if place.about.what.endswith("stated, not a switch") and get_origin(kind) is Literal:
        only = place.allowed().removeprefix("only ")
        return (
            f"{place.text} is {_given(given)}; only {only} is accepted: it is stated in the rules (§1.9), not a switch"
        )
    if sort.endswith(_TYPE_MISTAKES) or get_origin(kind) is tuple:
        return f"{place.text} is {_given(given)}; it should be {place.allowed(True)} {place.source()}"
    return f"{place.text} is {_given(given)}; allowed {place.allowed()} {place.source()}"


def _given(value: Any) -> str:
    text = "null" if value in (None, "null") else value_text(value)
    return text if len(text) <= 60 else text[:57] + "..."

"""Every entry of a ruleset by itself, with what it may be instead: what a search over the rules may turn.

Made from the types of :mod:`~blinksim.games.blink.parameters`, as the messages are; what several entries demand of each
other is found out by loading the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Interval
from pydantic import BaseModel

from blinksim.games.blink.parameters import About
from blinksim.games.blink.ruleset_model import Ruleset
from blinksim.games.blink.ruleset_text import value_text
from blinksim.games.game import Entry

STATED = "stated, not a switch"
"""Ends the meaning of what the rules do not let anybody change."""
MADE_OF_PARTS = "it has no single step; write a ruleset file to change it"
UNSET = "it is unset, so it has no step; set it to a number first"


def entries(ruleset: Ruleset) -> list[Entry]:
    """Every entry of a ruleset, in the order of the rules: list entries singly, bands by their keys."""
    data = ruleset.to_dict()
    found: list[Entry] = []
    for name, group in Ruleset.model_fields.items():
        if name != "name":
            found += _below(name, group.annotation, data[name], "")
    return found


def _below(key: str, kind: Any, value: Any, what: str) -> Iterator[Entry]:
    """The entries at a place of the model and below."""
    options = _options(kind)
    models = [option for option, _ in options if isinstance(option, type) and issubclass(option, BaseModel)]
    lists = [option for option, _ in options if get_origin(option) is tuple]
    if models and len(options) == 1:
        for name, field in models[0].model_fields.items():
            about = next((item for item in field.metadata if isinstance(item, About)), None)
            said = what if about is None else _said(about)
            # The annotations of a field stand beside its type, not in it.
            inner: Any = field.annotation
            for item in field.metadata:
                inner = Annotated[inner, item]
            yield from _below(f"{key}.{name}", inner, value[name], said)
    elif what.endswith(STATED):
        yield Entry(key, value, what, fixed=STATED)
    elif lists and isinstance(value, list):
        yield from _of_list(key, lists[0], value, what)
    elif models:
        yield Entry(key, value, what, fixed=MADE_OF_PARTS)
    else:
        yield _single(key, options, value, what)


def _said(about: About) -> str:
    """What an entry means, with its unit."""
    return f"{about.what} ({about.unit})" if about.unit and not about.what.endswith(STATED) else about.what


def _of_list(key: str, kind: Any, value: list[Any], what: str) -> Iterator[Entry]:
    """A list of numbers or tables entry by entry; a list of names as a whole, each name left out in turn."""
    items = get_args(kind)
    if all(isinstance(item, str) for item in value):
        shorter = (value[:i] + value[i + 1 :] for i in range(len(value)))
        yield Entry(key, value, what, others=tuple(value_text(names) for names in shorter))
        return
    for i, item in enumerate(value):
        yield from _below(f"{key}[{i}]", items[0 if Ellipsis in items else i], item, what)


def _single(key: str, options: list[tuple[Any, tuple[Any, ...]]], value: Any, what: str) -> Entry:
    """A number, a switch or a name."""
    others: list[str] = []
    low = high = None
    for option, metadata in options:
        if option is NoneType:
            others += ["none"] if value is not None else []
        elif get_origin(option) is Literal:
            others += [_bare(choice) for choice in get_args(option) if choice != value]
        elif option is bool:
            others.append(_bare(not value))
        elif option is int:
            limits = next(item for item in metadata if isinstance(item, Interval))
            if isinstance(value, int):
                low, high = float(limits.ge), float(limits.le)  # type: ignore[arg-type]
            elif value is not None:
                others += [str(number) for number in range(int(limits.ge), int(limits.le) + 1)]  # type: ignore[call-overload]
    fixed = "" if others or low is not None else UNSET if value is None else "free text"
    return Entry(key, value, what, low, high, others=tuple(others), fixed=fixed)


def _bare(value: Any) -> str:
    """A value as a change writes it, names without quotes."""
    return value if isinstance(value, str) else value_text(value)


def _options(kind: Any, metadata: tuple[Any, ...] = ()) -> list[tuple[Any, tuple[Any, ...]]]:
    """The types that a type stands for, without annotations, each with those that belong to it."""
    while get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        metadata = (*metadata, *more)
    if get_origin(kind) in (Union, UnionType):
        return [pair for option in get_args(kind) for pair in _options(option, metadata)]
    return [(kind, metadata)]

"""What is said about mistakes in a TOML file: where, which key, which value, and what is allowed there."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

_BRANCHES = ("int", "constrained-int", "Several", "[key]")
_BRANCH_BEGINS = ("dict[", "tuple[", "function-")


def messages(where: str, data: Any, errors: Sequence[Any], model: Any, tables: Mapping[str, Any]) -> list[str]:
    """The mistakes that pydantic found, in a designer's words: one line for each place, the innermost of each.

    Args:
        where: File.
        data: What was checked.
        errors: From ``ValidationError.errors()``.
        model: The model of the whole; the description of a field says what it allows.
        tables: By key of the whole, the model of the tables in it.
    """
    at: dict[tuple[Any, ...], Any] = {}
    for error in errors:
        at.setdefault(tuple(part for part in error["loc"] if not _is_branch(part)), error)
    unknown = {place[:-1] for place, error in at.items() if error["type"] == "extra_forbidden"}
    lines = []
    for place, error in at.items():
        inner = any(other != place and other[: len(place)] == place for other in at)
        misspelt = error["type"] == "missing" and place[:-1] in unknown
        if not inner and not misspelt:
            lines.append(f"{where}: {_message(data, place, error, model, tables)}")
    return lines


def _message(data: Any, place: tuple[Any, ...], error: Any, model: Any, tables: Mapping[str, Any]) -> str:
    path, value = "", data
    for part in place:
        path += f"[{part}]" if isinstance(value, list | tuple) else f".{part}"
        try:
            value = value[part] if part in value or not isinstance(value, dict) else value[str(part)]
        except (KeyError, IndexError, TypeError):
            value = None
    path = path.lstrip(".")
    table = tables.get(place[0])
    if error["type"] == "extra_forbidden":
        known = list((table if table is not None and len(place) > 1 else model).model_fields)
        near = difflib.get_close_matches(str(place[-1]), known, n=1)
        hint = f'did you mean "{near[0]}"? ' if near else ""
        return f'unknown key "{path}"; {hint}Known keys: {", ".join(known)}'
    fields = table.model_fields if table is not None else {}
    inside = [part for part in place[1:] if part in fields]
    allowed = fields[inside[0]].description if inside else model.model_fields[place[0]].description
    if error["type"] == "missing":
        return f'the key "{path}" is missing; it is {allowed}'
    return f"{path} is {shown(error['input'])}; it must be {allowed}"


def _is_branch(part: Any) -> bool:
    """Whether a part of a pydantic location names a branch of a union, not a key of the file."""
    return isinstance(part, str) and (part in _BRANCHES or part.startswith(_BRANCH_BEGINS))


def shown(value: Any) -> str:
    """A value as a message shows it."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."

"""Looking at rulesets: rows for tables, differences, and the TOML form."""

from __future__ import annotations

from typing import Any, NamedTuple

from blinksim.games.blink.ruleset_model import Ruleset
from blinksim.games.blink.ruleset_text import parameters, value_text


class Row(NamedTuple):
    """One parameter of a ruleset, for printing.

    Attributes:
        key: Dotted name; bands have a row each, ``victory.bands[0]``.
        value: The value as in a ruleset file.
        unit: What a number counts, "" where there is none.
        allowed: The allowed values in words.
        section: Section of the rules.
        what: What the parameter means.
        changed: Whether the value is not the rulebook's.
    """

    key: str
    value: str
    unit: str
    allowed: str
    section: str
    what: str
    changed: bool


def content_hash(ruleset: Ruleset) -> str:
    """SHA-256 (hex) of the canonical JSON of all parameters; the name does not count."""
    return ruleset.content_hash()


def difference(a: Ruleset, b: Ruleset) -> list[tuple[str, Any, Any]]:
    """The parameters in which two rulesets differ, in the order of the rules: name, value in ``a``, value in ``b``.

    Bands are compared key by key where both have as many, and else as a whole. The names of the rulesets do not count.
    """
    left, right = _flat(a), _flat(b)
    if len(a.victory.bands) != len(b.victory.bands):
        for flat, ruleset in ((left, a), (right, b)):
            for key in [key for key in flat if key.startswith("victory.bands")]:
                del flat[key]
            flat["victory.bands"] = ruleset.to_dict()["victory"]["bands"]
    return [(key, value, right[key]) for key, value in left.items() if value != right[key]]


def describe(ruleset: Ruleset) -> list[Row]:
    """Every parameter of a ruleset with value, unit, allowed values, section and meaning, in the order of the rules."""
    rows = []
    for key, parameter in parameters().items():
        if "[]" in key:
            continue
        value = _at(ruleset.to_dict(), key)
        rest = (parameter.unit, parameter.allowed, parameter.section, parameter.what)
        if key == "victory.bands":
            default = parameter.default
            rows += [
                Row(f"{key}[{i}]", value_text(band), *rest, i >= len(default) or band != default[i])
                for i, band in enumerate(value)
            ]
        else:
            rows.append(Row(key, value_text(value), *rest, value != parameter.default))
    return rows


def as_toml(ruleset: Ruleset, comments: bool = True) -> str:
    """A ruleset as a complete TOML file that ``load`` reads back.

    Args:
        ruleset: The ruleset.
        comments: Whether each parameter has its meaning, section and allowed values beside it.
    """
    data = ruleset.to_dict()
    lines = [f"name = {value_text(data.pop('name'))}"]
    for group in data:
        tables: list[str] = []  # of the group's own: maps and bands
        if group == "terrain":
            for suit in data[group]:
                lines += ["", f"[terrain.{suit}]", *_lines(data, f"terrain.{suit}", comments)]
            continue
        lines += ["", f"[{group}]", *_lines(data, group, comments)]
        if group == "setup" and data["setup"]["map"] != "builtin":
            for count, layout in data["setup"]["map"].items():
                tables += [
                    "",
                    f"[setup.map.{count}]",
                    *(f"{key} = {value_text(cells)}" for key, cells in layout.items()),
                ]
        if group == "victory":
            for i, band in enumerate(data["victory"]["bands"]):
                noted = comments and i == 0
                tables += ["", "[[victory.bands]]"]
                tables += [_line(key, f"victory.bands[].{key}", value, noted) for key, value in band.items()]
        lines += tables
    return "\n".join(lines) + "\n"


def _lines(data: dict[str, Any], group: str, comments: bool) -> list[str]:
    """The lines of one table, without what has tables of its own."""
    return [
        _line(key, f"{group}.{key}", value, comments)
        for key, value in _at(data, group).items()
        if key != "bands" and not (key == "map" and value != "builtin")
    ]


def _line(key: str, name: str, value: Any, comments: bool) -> str:
    parameter = parameters()[name]
    text = f"{key} = {value_text('none' if value is None else value)}"
    if not comments:
        return text
    unit = f" [{parameter.unit}]" if parameter.unit else ""
    return f"# {parameter.what}{unit}; {parameter.allowed} (§{parameter.section})\n{text}"


def _at(data: dict[str, Any], key: str) -> Any:
    value: Any = data
    for part in key.split("."):
        value = value[part]
    return value


def _flat(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset's values by dotted name, bands by index and key."""
    data = ruleset.to_dict()
    flat: dict[str, Any] = {}
    for key in parameters():
        if key == "victory.bands":
            for i, band in enumerate(data["victory"]["bands"]):
                flat |= {f"{key}[{i}].{name}": value for name, value in band.items()}
        elif "[]" not in key:
            flat[key] = _at(data, key)
    return flat

"""Rulesets from presets, TOML files, record headers and the command line, with every mistake named.

A file says what differs from the ruleset it ``extends``, or from the rulebook where it extends nothing::

    extends = "standard"

    [trick]
    last_place_gold = 2
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from blinksim.games.blink.problems import Problem, RulesetError
from blinksim.games.blink.ruleset_model import Ruleset
from blinksim.games.blink.ruleset_text import mistakes, parameters, value_text

PRESET_FOLDER = Path(__file__).resolve().parent / "rulesets"
_FILE_KEYS = ("name", "extends")
_STEP = re.compile(r"\.?([A-Za-z_0-9-]+)|\[(\d+)\]")


@dataclass
class _Draft:
    """A ruleset being put together: its values, where each came from, and what was wrong on the way."""

    values: dict[str, Any]
    sources: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def complain(self, where: str, text: str) -> None:
        self.problems.append(f"{where}: {text}")


def preset_names() -> list[str]:
    """The shipped presets, ``standard`` first."""
    names = sorted(path.stem for path in PRESET_FOLDER.glob("*.toml"))
    return sorted(names, key=lambda name: name != "standard")


def preset_summary(name: str) -> str:
    """The first line of a preset's comment."""
    return (PRESET_FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


def load(name_or_path: str | Path, overrides: Iterable[str] = ()) -> Ruleset:
    """A ruleset by the name of a preset or from a TOML file, with changes.

    Args:
        name_or_path: A preset, or a path; looked for from the working directory, then among the shipped files.
        overrides: Changes as on the command line, such as ``tiers.wall[2]=15`` or ``trick.mode=most_cards``.

    Raises:
        RulesetError: no such file, not TOML, or mistakes in it or in the changes; all of them are listed.
    """
    draft = _Draft(_defaults())
    path = find_ruleset(name_or_path)
    _read(path, draft, ())
    for override in overrides:
        _override(override, draft)
    return _finish(draft, _shown(path))


def find_ruleset(name_or_path: str | Path) -> Path:
    """The file of a preset, or of a path from the working directory, then from the shipped files.

    Raises:
        RulesetError: there is none; the nearest preset is named.
    """
    return _find(str(name_or_path), Path.cwd(), "ruleset")


def from_dict(nested: Mapping[str, Any], where: str = "ruleset") -> Ruleset:
    """A ruleset from nested values, such as a record's header; what is left out has its default.

    Args:
        nested: Parameters nested by their dotted names; ``null`` (None) for unset. May have a ``name``, and may name
            a preset under ``extends``.
        where: File, or file and line, for messages.

    Raises:
        RulesetError: mistakes; all of them are listed.
    """
    draft = _Draft(_defaults() | {"name": "unnamed"})
    if isinstance(nested, Mapping) and "extends" in nested:
        _extend(nested["extends"], Path.cwd(), draft, (), where)
    _merge(nested, draft, where)
    return _finish(draft, where)


def with_overrides(ruleset: Ruleset, overrides: Iterable[str], where: str) -> Ruleset:
    """A ruleset with changes as on the command line.

    Raises:
        RulesetError: mistakes in the changes, or values that do not go together.
    """
    draft = _Draft(ruleset.to_dict())
    for override in overrides:
        _override(override, draft)
    return _finish(draft, where)


def _defaults() -> dict[str, Any]:
    return Ruleset().to_dict()


def _finish(draft: _Draft, where: str) -> Ruleset:
    """The checked ruleset, or an error with all mistakes, also those in what does not go together."""
    try:
        ruleset = Ruleset.model_validate(draft.values)
    except ValidationError as error:
        found = mistakes(error)
        draft.problems += _placed(found, draft, where)
        draft.broken.update(key for problem in found for key in problem.keys)
        draft.problems += _placed(_second_look(draft), draft, where)
        raise RulesetError(*draft.problems) from None
    if draft.problems:
        raise RulesetError(*draft.problems)
    return ruleset


def _second_look(draft: _Draft) -> list[Problem]:
    """What does not go together among the parameters that are in range."""
    repaired, default = deepcopy(draft.values), _defaults()
    for key in draft.broken:
        *groups, last = key.split(".")
        here, there = repaired, default
        for group in groups:
            here, there = here.get(group, {}), there[group]
        here[last] = there[last]
    try:
        Ruleset.model_validate(repaired)
    except ValidationError as error:
        return [problem for problem in mistakes(error) if not draft.broken & set(problem.keys)]
    return []


def _placed(found: Sequence[Problem], draft: _Draft, where: str) -> list[str]:
    """Mistakes with what gave the values: changes rather than files, files of the user rather than presets."""
    shipped = {f"{name}.toml" for name in preset_names()}
    lines = []
    for problem in found:
        places = list(dict.fromkeys(draft.sources[key] for key in problem.keys if key in draft.sources))
        places = [place for place in places if place not in shipped] or places
        places = [place for place in places if place.startswith("--set ")] or places
        together = len(places) == 1 or (places and places[0].startswith("--set "))
        lines.append(f"{', '.join(places) if together else where}: {problem.text}")
    return lines


def _shown(path: Path) -> str:
    """A file as messages name it: presets by their name, others as from the working directory."""
    if path.parent == PRESET_FOLDER:
        return path.name
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _find(name: str, folder: Path, what: str) -> Path:
    """The file of a preset, or a path from a folder, then from the shipped files.

    Raises:
        RulesetError: there is none.
    """
    if name in preset_names():
        return PRESET_FOLDER / f"{name}.toml"
    for base in (folder, PRESET_FOLDER):
        path = base / name
        if path.is_file():
            return path.resolve() if base == PRESET_FOLDER else path
    near = get_close_matches(name.removesuffix(".toml"), preset_names(), 1)
    hint = f'; did you mean "{near[0]}"?' if near else "."
    raise RulesetError(
        f'{what} "{name}" is neither a preset nor a file{hint} Presets are {", ".join(preset_names())}; '
        "a file is named by its path, such as mine.toml"
    )


def _read(path: Path, draft: _Draft, above: tuple[Path, ...]) -> None:
    """Put a file, and first what it extends, into a draft."""
    chain = (*above, path.resolve())
    if path.resolve() in above:
        round_trip = " -> ".join(_shown(file) for file in chain[above.index(path.resolve()) :])
        raise RulesetError(f"{_shown(above[-1])}: extends runs in a circle: {round_trip}")
    where = _shown(path)
    try:
        nested = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError(f"{where}: not a TOML file: {error}") from None
    except OSError as error:
        raise RulesetError(f"{where}: cannot be read: {error.strerror}") from None
    if "extends" in nested:
        _extend(nested["extends"], path.parent, draft, chain, where)
    draft.values["name"] = path.stem
    _merge(nested, draft, where)


def _extend(name: Any, folder: Path, draft: _Draft, above: tuple[Path, ...], where: str) -> None:
    if not isinstance(name, str):
        raise RulesetError(
            f"{where}: extends is {value_text(name)}; it should be the name of a preset or a path in quotes"
        )
    _read(_find(name, folder, f"{where}: extends"), draft, above)


def _merge(nested: Any, draft: _Draft, where: str) -> None:
    """Put nested values over those of a draft."""
    if not isinstance(nested, Mapping):
        draft.complain(where, f"the ruleset is {value_text(nested)}; it should be a table of parameters")
        return
    for key, value in nested.items():
        if key == "name":
            draft.values["name"] = value
            draft.sources["name"] = where
        elif key not in _FILE_KEYS:
            _put(key, value, draft, where)


def _put(key: str, value: Any, draft: _Draft, where: str) -> None:
    """Set one parameter, or all that a table gives of a group."""
    known = parameters()
    if key in known:
        *groups, last = key.split(".")
        table = draft.values
        for group in groups:
            table = table[group]
        unset = known[key].can_be_unset and value in ("none", "null")
        table[last] = None if unset else _plain(value)
        draft.sources[key] = where
    elif not any(name.startswith(f"{key}.") for name in known):
        draft.complain(where, _unknown(key))
    elif isinstance(value, Mapping):
        for inner, item in value.items():
            _put(f"{key}.{inner}", item, draft, where)
    else:
        draft.complain(
            where, f"{key} is {value_text(value)}; it should be a table of parameters such as {_example(key)}"
        )


def _plain(value: Any) -> Any:
    """A copy of a value in which changes cannot reach the original."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _example(group: str) -> str:
    return next(name for name in parameters() if name.startswith(f"{group}."))


def _unknown(key: str) -> str:
    """What to say of a key that is no parameter."""
    near = nearest_key(key)
    group = key.rpartition(".")[0]
    known = [
        name.removeprefix(f"{group}.") for name in parameters() if "[]" not in name and name.startswith(f"{group}.")
    ]
    if near:
        hint = f'did you mean "{near}"?'
    else:
        hint = f"known in {group} are {', '.join(known)}" if known else '"blinksim rules show standard" lists all'
    return f'unknown key "{key}"; {hint}'


def nearest_key(key: str) -> str | None:
    """The parameter, or group of parameters, whose name is nearest to a wrong one; None where nothing is near."""
    names = [name for name in parameters() if "[]" not in name]
    groups = sorted({name.rpartition(".")[0] for name in names} | {"terrain"})
    group, _, last = key.rpartition(".")
    same = [name for name in names if name.rpartition(".")[2] == last]
    if same:
        return (get_close_matches(key, same, 1, 0) or same)[0]
    inside = [name for name in names if name.startswith(f"{group}.")] if group else []
    for known in (inside, names if group else [*groups, *names]):
        by_last = {name.rpartition(".")[2]: name for name in reversed(known)}
        near = get_close_matches(last, by_last, 1)
        if near:
            return by_last[near[0]]
    return None


def _override(text: str, draft: _Draft) -> None:
    """Put one ``KEY=VALUE`` of the command line into a draft."""
    where = f"--set {text}"
    key, equals, value = (part.strip() for part in text.partition("="))
    steps = _steps(key)
    if not equals or not value or steps is None:
        draft.complain(where, "a change is KEY=VALUE, such as tiers.wall[2]=15 or trick.mode=most_cards")
        return
    names = [step for step in steps if isinstance(step, str)]
    for end in range(len(names), 0, -1):
        name = ".".join(names[:end])
        if steps[:end] == names[:end] and name in parameters():
            _set_inside(name, steps[end:], value, draft, where)
            return
    if key == "name":
        draft.values["name"] = value.strip("\"'")
    elif len(names) < len(steps):
        draft.complain(where, _unknown(key.split("[", 1)[0]))
    else:
        _put(key, _value(value), draft, where)


def _steps(key: str) -> list[str | int] | None:
    """A dotted name with indexes, in steps; None where it is not one."""
    steps: list[str | int] = []
    end = 0
    for match in _STEP.finditer(key):
        if match.start() != end or (end == 0) == (match[0].startswith((".", "["))):
            return None
        steps.append(match[1] if match[1] is not None else int(match[2]))
        end = match.end()
    return steps if steps and end == len(key) else None


def _set_inside(name: str, rest: list[str | int], value: str, draft: _Draft, where: str) -> None:
    """Set a parameter, or an entry of it, to a value in text form."""
    if not rest:
        given = _value(value)
        if parameters()[name].is_list and isinstance(given, str | int | float) and given not in ("none", "null"):
            given = [given]
        _put(name, given, draft, where)
        return
    *groups, last = name.split(".")
    holder: Any = draft.values
    for group in groups:
        holder = holder[group]
    at = name
    for step, inner in zip([last, *rest], [*rest, None], strict=True):
        entry = holder[step]
        if inner is None:
            break
        if isinstance(inner, int) != isinstance(entry, list) or not isinstance(entry, list | dict):
            draft.complain(where, f"{at} is {value_text(entry)}; it has no entry {_step_text(inner)}")
            return
        if isinstance(inner, int) and inner >= len(entry):
            draft.complain(where, f"{at} has {len(entry)} entries, 0 to {len(entry) - 1}; there is no {at}[{inner}]")
            return
        if isinstance(inner, str) and inner not in entry:
            near = get_close_matches(inner, entry, 1)
            hint = f'did you mean "{at}.{near[0]}"?' if near else f"known are {', '.join(entry)}"
            draft.complain(where, f'unknown key "{at}.{inner}"; {hint}')
            return
        holder, at = entry, at + (f"[{inner}]" if isinstance(inner, int) else f".{inner}")
    holder[rest[-1]] = _value(value)
    draft.sources[name] = where


def _step_text(step: str | int) -> str:
    return f"[{step}]" if isinstance(step, int) else f'"{step}"'


def _value(text: str) -> Any:
    """A value of the command line: in TOML's form, a bare list, or a bare word."""
    for form in (text, f"[{text}]") if "," in text else (text,):
        try:
            return tomllib.loads(f"value = {form}")["value"]
        except tomllib.TOMLDecodeError:
            continue
    return [_value(part.strip()) for part in text.strip("[]").split(",")] if "," in text else text

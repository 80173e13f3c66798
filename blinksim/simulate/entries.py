"""Entries of a ruleset picked by name, their steps, and the values over which a search may turn them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from blinksim.errors import UserError
from blinksim.games.game import Entry

DOWN, UP, OTHER = "down", "up", "other"
"""Sides of a step: the next smaller number, the next larger one, another value."""
FEWEST_STEPS = 3
"""Steps to either side over which a number is searched at least, where no range is given."""
_RANGE = re.compile(r"\s*(?P<key>[^=]+?)\s*=\s*(?P<low>-?[\d.]+?)\s*\.\.\s*(?P<high>-?[\d.]+?)\s*")


class EntryError(UserError):
    """An entry of a ruleset was named that is not there, or cannot be turned."""


@dataclass(frozen=True)
class Step:
    """An entry and one other value of it.

    Attributes:
        entry: The entry.
        side: ``down``, ``up`` or ``other``.
        change: As a change "KEY=VALUE"; empty where there is none.
        label: For tables and figures.
        reason: Why it cannot be played, where that is known beforehand.
    """

    entry: Entry
    side: str
    change: str
    label: str
    reason: str = ""

    @property
    def was(self) -> str:
        """The present value, lists by their length."""
        value = self.entry.value
        return f"{len(value)} names" if isinstance(value, list) else _text(value)


@dataclass(frozen=True)
class Dial:
    """An entry and the values over which it is searched.

    Attributes:
        key: Of the entry.
        values: As a change writes them; numbers ascending.
        base: Place of the present value among them.
        numeric: Whether the values lie on a line.
    """

    key: str
    values: tuple[str, ...]
    base: int
    numeric: bool

    def change(self, place: int) -> str:
        """The change to the value at a place."""
        return f"{self.key}={self.values[place]}"

    def steps(self, place: int) -> int:
        """How far a place is from the present value; a name that is another counts one."""
        return abs(place - self.base) if self.numeric else int(place != self.base)

    @property
    def text(self) -> str:
        """What is searched, in words."""
        if self.numeric:
            return f"{self.key} {self.values[0]} to {self.values[-1]}"
        if self.values[0].startswith("["):
            return f"{self.key} as it is, or without one of its names"
        return f"{self.key} {', '.join(self.values)}"


def pick(entries: Sequence[Entry], names: Iterable[str], option: str) -> list[Entry]:
    """The entries that names stand for: an entry, a list or a whole group, such as ``tiers.wall[2]``, ``tiers.wall``.

    Args:
        entries: All of a ruleset.
        names: What is wanted.
        option: Of the command line, for messages.

    Returns:
        In the order of the ruleset, each once.

    Raises:
        EntryError: a name stands for nothing.
    """
    wanted: set[str] = set()
    for name in names:
        found = [entry.key for entry in entries if _stands_for(name, entry.key)]
        if not found:
            raise EntryError(f'{option} has "{name}", which no parameter of the rules is called{_hint(name, entries)}')
        wanted.update(found)
    return [entry for entry in entries if entry.key in wanted]


def _stands_for(name: str, key: str) -> bool:
    return key == name or (key.startswith(name) and key[len(name)] in ".[")


def _hint(name: str, entries: Sequence[Entry]) -> str:
    """The nearest name, or the groups that there are."""
    lists = [entry.key.split("[")[0] for entry in entries]
    groups = list(dict.fromkeys(entry.key.split(".")[0] for entry in entries))
    known = dict.fromkeys([*(entry.key for entry in entries), *lists, *groups])
    if near := difflib.get_close_matches(name, known, 1):
        return f'; did you mean "{near[0]}"?'
    inside = list(dict.fromkeys(key for key in lists if key.split(".")[0] == name.split(".")[0]))
    return f"; in {name.split('.')[0]} are {', '.join(inside)}" if inside else f"; groups are {', '.join(groups)}"


def steps_of(entry: Entry) -> list[Step]:
    """Every other value next to the present one: a number one step down and up, a switch turned, each other name."""
    if entry.fixed:
        return [Step(entry, OTHER, "", entry.key, entry.fixed)]
    steps = []
    if entry.low is not None and entry.high is not None:
        for side, sign in ((DOWN, -1), (UP, 1)):
            value = entry.value + sign * entry.step
            reason = ""
            if not entry.low <= value <= entry.high:
                reason = f"{_text(value)} is out of range; allowed {_text(entry.low)} to {_text(entry.high)}"
            steps.append(Step(entry, side, f"{entry.key}={_text(value)}", f"{entry.key}={_text(value)}", reason))
    for i, value in enumerate(entry.others):
        change = f"{entry.key}={value}"
        label = f"{entry.key} without {entry.value[i]}" if isinstance(entry.value, list) else change
        steps.append(Step(entry, OTHER, change, label))
    return steps


def turnable(entries: Sequence[Entry], names: Iterable[str], option: str) -> tuple[list[Entry], list[Entry]]:
    """The entries that names stand for and that can be turned, and those of named groups that cannot.

    Raises:
        EntryError: a name stands for nothing, or for one entry that cannot be turned.
    """
    wanted = list(names)
    found = pick(entries, wanted, option)
    for entry in found:
        if entry.fixed and entry.key in wanted:
            raise EntryError(f"{entry.key} cannot be free: {entry.fixed}")
    free, fixed = ([entry for entry in found if bool(entry.fixed) == is_fixed] for is_fixed in (False, True))
    if not free:
        raise EntryError(f"nothing that {option} names can be free: {fixed[0].key}: {fixed[0].fixed}")
    return free, fixed


def dials(entries: Sequence[Entry], within: Mapping[str, tuple[float, float]]) -> list[Dial]:
    """What a search may turn.

    A number is searched from half to one and a half of what it is, at least ``FEWEST_STEPS`` steps to either side, as
    far as it is allowed; or over the range that is given for it. Everything else over all its values.

    Args:
        entries: Such as are not fixed.
        within: Ranges by key.

    Raises:
        EntryError: a range does not fit an entry, or leaves it no other value.
    """
    keys = [entry.key for entry in entries]
    for key in within:
        if key not in keys:
            raise EntryError(f'--within has "{key}", which is not among the free ones: {", ".join(keys)}')
    return [_dial(entry, within.get(entry.key)) for entry in entries]


def _dial(entry: Entry, within: tuple[float, float] | None) -> Dial:
    if entry.low is None or entry.high is None:
        if within:
            raise EntryError(f"--within has {entry.key}, which is no number; leave it out and all its values are tried")
        return Dial(entry.key, (_text(entry.value), *entry.others), 0, False)
    if within is None:
        reach = max(FEWEST_STEPS * entry.step, abs(entry.value) / 2)
        low, high = max(entry.low, entry.value - reach), min(entry.high, entry.value + reach)
    else:
        low, high = within
        if low < entry.low or high > entry.high:
            raise EntryError(
                f"--within has {entry.key} {_text(low)} to {_text(high)}; allowed {_text(entry.low)} to "
                f"{_text(entry.high)}"
            )
        if not low <= entry.value <= high:
            raise EntryError(
                f"--within has {entry.key} {_text(low)} to {_text(high)}, without the {_text(entry.value)} that it is; "
                "widen the range, or change the base with --set"
            )
    below, above = (int((end - entry.value) / entry.step * sign + 1e-9) for end, sign in ((low, -1), (high, 1)))
    if below + above == 0:
        raise EntryError(f"{entry.key} cannot be free: {_text(entry.value)} is the only value in its range")
    values = tuple(_text(entry.value + i * entry.step) for i in range(-below, above + 1))
    return Dial(entry.key, values, below, True)


def narrowed(dial: Dial, allowed: Callable[[Sequence[str]], object]) -> Dial:
    """A number's range as far as the rules allow it by itself, from the present value outwards.

    Args:
        dial: The number.
        allowed: Raises a ``UserError`` where the rules do not allow changes.
    """
    low = high = dial.base
    while low > 0 and _is_allowed(dial.change(low - 1), allowed):
        low -= 1
    while high < len(dial.values) - 1 and _is_allowed(dial.change(high + 1), allowed):
        high += 1
    return replace(dial, values=dial.values[low : high + 1], base=dial.base - low)


def _is_allowed(change: str, allowed: Callable[[Sequence[str]], object]) -> bool:
    try:
        allowed((change,))
    except UserError:
        return False
    return True


def parse_within(texts: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Ranges from their texts, ``tiers.wall[2]=10..20``.

    Raises:
        EntryError: a text has another form.
    """
    found = {}
    for text in texts:
        match = _RANGE.fullmatch(text)
        try:
            low, high = (float(match[end]) for end in ("low", "high")) if match else (1.0, 0.0)
        except ValueError:
            low, high = 1.0, 0.0
        if match is None or low >= high:
            raise EntryError(f'--within is "{text}"; it must be a number with its range, such as tiers.wall[2]=10..20')
        found[match["key"]] = (low, high)
    return found


def _text(value: object) -> str:
    """A value as a change writes it; whole numbers without a point."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.0f}" if value == int(value) else f"{value:.12g}"
    if isinstance(value, list):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return "none" if value is None else str(value)

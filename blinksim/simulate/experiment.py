"""Experiments: one TOML file asks one question, and is checked before anything runs.

::

    question = "How do the standard rules play?"
    ruleset = "standard"                      # a preset or a file
    set = ["tiers.wall[2]=15"]                # changes to it, as on the command line
    players = [2, 3]
    deals = 500                               # or [deals] with one number per player count: 2 = 900
    seed = 1

    [line_ups]                                # or one list for all: line_ups = [{mirror = ["builder"]}]
    2 = [{ mirror = ["builder", "raider"] }, ["builder", "raider"]]
    3 = [["builder", "raider", "raider"]]

    [[variants]]                              # variant 1; variant 0 is the ruleset above
    name = "higher walls"
    set = ["tiers.wall=12,14,16,18,20"]
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from blinksim.errors import UserError
from blinksim.games.game import Game, get_game
from blinksim.paths import EXPERIMENTS, find_file

MAX_DEALS = 2**31 - 1
MAX_GAMES_PER_DEAL = 100_000
GAMES_PER_SHARD = 1000  # aimed at where an experiment does not say

Name = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]
Setting = Annotated[str, StringConstraints(pattern=r"^\s*[^=\s]+\s*=.*$")]
LineUp = tuple[str, ...]


class ExperimentError(UserError):
    """An experiment file says something that cannot be run."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _tuple(value: Any) -> Any:
    """TOML has lists; a frozen model has tuples."""
    return tuple(value) if isinstance(value, list) else value


class Mirrors(_Model):
    """One line-up for each strategy named, which then sits on every seat."""

    mirror: Annotated[tuple[Name, ...], BeforeValidator(_tuple)] = Field(
        min_length=1, description="a list of strategy names"
    )


Entry = Annotated[Mirrors | Annotated[tuple[Name, ...], Field(min_length=1)], BeforeValidator(_tuple)]
Entries = Annotated[tuple[Entry, ...], BeforeValidator(_tuple), Field(min_length=1)]
PlayerCount = Annotated[int, Field(ge=1)]
Settings = Annotated[tuple[Setting, ...], BeforeValidator(_tuple)]
Deals = Annotated[int, Field(ge=1, le=MAX_DEALS)]


def _by_players(value: Any) -> Any:
    """TOML keys are texts: make the player counts numbers."""
    if isinstance(value, dict):
        return {int(key) if isinstance(key, str) and key.isdecimal() else key: item for key, item in value.items()}
    return _tuple(value)


class Variant(_Model):
    """A further ruleset that meets the same deals."""

    name: Name = Field(description="a name for figures and tables")
    ruleset: Name | None = Field(None, description="a preset or a ruleset file; the experiment's own where left out")
    set: Settings = Field(
        (), description='a list of rule changes such as "tiers.wall[2]=15", made after the experiment\'s own'
    )


class Experiment(_Model):
    """What is to be played, and why.

    The description of each field says what it allows; messages quote it.
    """

    question: Name = Field(description="the question in plain words")
    game: Name = Field("blink", description="a game, such as blink")
    ruleset: Name = Field("standard", description="a preset or a ruleset file")
    set: Settings = Field((), description='a list of rule changes, each a text such as "tiers.wall[2]=15"')
    variants: Annotated[tuple[Variant, ...], BeforeValidator(_tuple)] = Field(
        (), max_length=1000, description="tables [[variants]] with name, and ruleset or set"
    )
    players: Annotated[tuple[PlayerCount, ...], BeforeValidator(_tuple)] = Field(
        min_length=1, description="a list of player counts, each once, such as [2, 3, 4]"
    )
    line_ups: Annotated[Entries | dict[PlayerCount, Entries], BeforeValidator(_by_players)] = Field(
        description='a list of line-ups, each a list of strategy names, one per player, or {mirror = ["name", ...]}; '
        "or one such list per player count"
    )
    deals: Annotated[Deals | dict[PlayerCount, Deals], BeforeValidator(_by_players)] = Field(
        description=f"a whole number of 1 to {MAX_DEALS}, or one per player count"
    )
    shifts: Literal["auto", "seats", "hands", "both", "none"] = Field(
        "auto", description='"auto" (seats for mirrors, both otherwise), "seats", "hands", "both" or "none"'
    )
    replicates: int = Field(1, ge=1, le=1_000_000, description="a whole number of 1 to 1000000")
    seed: int = Field(ge=0, le=2**64 - 1, description="a whole number of 0 to 18446744073709551615")
    deals_per_shard: int | None = Field(
        None,
        ge=1,
        le=MAX_DEALS,
        description="a whole number of 1 or more: deals in one part file; left out, it is chosen",
    )

    def line_ups_for(self, players: int) -> tuple[LineUp, ...]:
        """The line-ups of one player count, in order; a line-up's number is its place here."""
        found: list[LineUp] = []
        for entry in self._entries(players):
            if isinstance(entry, Mirrors):
                found += [(name,) * players for name in entry.mirror]
            elif len(entry) == players:
                found.append(entry)
        return tuple(found)

    def _entries(self, players: int) -> Sequence[Mirrors | LineUp]:
        if isinstance(self.line_ups, dict):
            return self.line_ups.get(players, ())
        return self.line_ups

    def deals_for(self, players: int) -> int:
        """How many deals of one player count are played."""
        return self.deals[players] if isinstance(self.deals, dict) else self.deals

    def strategy_names(self) -> tuple[str, ...]:
        """Every strategy that plays, each once, in the order in which it first appears."""
        return tuple(dict.fromkeys(name for n in self.players for line_up in self.line_ups_for(n) for name in line_up))

    def rulesets(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """By variant: name, ruleset and the changes to it, in the order in which they are made."""
        base = [("base", self.ruleset, self.set)]
        return base + [(v.name, v.ruleset or self.ruleset, self.set + v.set) for v in self.variants]

    def with_changes(
        self, settings: Sequence[str] = (), deals: int | None = None, game: Game | None = None
    ) -> Experiment:
        """The experiment with further rule changes (to every variant, before its own) and another number of deals.

        Raises:
            ExperimentError: a setting or the number is not allowed.
        """
        data = self.model_dump()
        data["set"] = [*self.set, *settings]
        if deals is not None:
            data["deals"] = deals
        return parse_experiment(data, "command line", game)

    def data(self) -> dict[str, Any]:
        """The whole experiment as plain data for a manifest; :func:`parse_experiment` reads it back."""
        return self.model_dump(mode="json")


def parse_experiment(data: dict[str, Any], where: str, game: Game | None = None) -> Experiment:
    """An experiment from plain data.

    Args:
        data: Keys and values as in the file.
        where: Named in messages, such as the file.
        game: The game, where it is not to be looked up by its name.

    Raises:
        ExperimentError: keys or values are not allowed; one line for each mistake.
    """
    try:
        experiment = Experiment.model_validate(data)
    except ValidationError as error:
        raise ExperimentError("\n".join(_messages(where, data, error.errors()))) from None
    mistakes = _mistakes(experiment, game or get_game(experiment.game))
    if mistakes:
        raise ExperimentError("\n".join(f"{where}: {mistake}" for mistake in mistakes))
    return experiment


def load_experiment(name: str | Path, game: Game | None = None) -> Experiment:
    """An experiment by its name (``experiments/NAME.toml``, the working directory first) or by its file.

    Raises:
        ExperimentError: the file is not TOML, or says something that cannot be run.
        UnknownNameError: there is no such file.
    """
    path = find_file(EXPERIMENTS, name, ".toml")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path} is not a TOML file: {error}") from None
    return parse_experiment(data, str(path), game)


def _mistakes(experiment: Experiment, game: Game) -> list[str]:
    """What is wrong with the parts of an experiment taken together."""
    found = []
    players = experiment.players
    wrong = [n for n in players if n not in game.players]
    if wrong:
        found.append(f"players has {wrong[0]}; {game.title} is played by {', '.join(map(str, game.players))}")
    if len(set(players)) < len(players) or list(players) != sorted(players):
        found.append(f"players is {list(players)}; name each player count once, ascending: {sorted(set(players))}")
    for key, value in (("line_ups", experiment.line_ups), ("deals", experiment.deals)):
        if isinstance(value, dict):
            found += [
                f"{key}.{n} is given, but players is {list(players)}; add {n} there or remove it"
                for n in value
                if n not in players
            ]
            if key == "deals":
                found += [f"deals has no number for {n} players" for n in players if n not in value]
    for n in players:
        line_ups = experiment.line_ups_for(n)
        if not line_ups:
            found.append(f"line_ups has no line-up for {n} players: add a list of {n} strategy names, or a mirror")
        twice = [list(line_up) for i, line_up in enumerate(line_ups) if line_up in line_ups[:i]]
        if twice:
            found.append(f"line_ups has {_shown(twice[0])} twice for {n} players")
        per_deal = (1 + len(experiment.variants)) * len(line_ups) * experiment.replicates * n * n
        if per_deal > MAX_GAMES_PER_DEAL:
            found.append(
                f"{per_deal} games on each deal of {n} players; at most {MAX_GAMES_PER_DEAL}: "
                "fewer variants, line-ups or replicates, and more deals"
            )
    for where, line_up, expected in _odd_sizes(experiment):
        found.append(f"line_ups{where} has {_shown(line_up)}, which names {len(line_up)}; {expected}")
    names = ["base"] + [variant.name for variant in experiment.variants]
    found += [
        f'variants: the name "{name}" is there twice ("base" is variant 0)'
        for name in {n for n in names if names.count(n) > 1}
    ]
    return found


def _odd_sizes(experiment: Experiment) -> list[tuple[str, LineUp, str]]:
    """Line-ups that no player count can use: where, the line-up, and what is expected."""
    found: list[tuple[str, LineUp, str]] = []
    if isinstance(experiment.line_ups, dict):
        for n, entries in experiment.line_ups.items():
            found += [(f".{n}", e, f"expected {n}") for e in entries if not isinstance(e, Mirrors) and len(e) != n]
    else:
        counts = " or ".join(map(str, experiment.players))
        for entry in experiment.line_ups:
            if not isinstance(entry, Mirrors) and len(entry) not in experiment.players:
                found.append(("", entry, f"expected {counts}, one per player"))
    return found


def _messages(where: str, data: Any, errors: Sequence[Any]) -> list[str]:
    """The mistakes that pydantic found, in a designer's words: one line for each place, the innermost of each."""
    at: dict[tuple[Any, ...], Any] = {}
    for error in errors:
        at.setdefault(tuple(part for part in error["loc"] if not _is_branch(part)), error)
    unknown = {place[:-1] for place, error in at.items() if error["type"] == "extra_forbidden"}
    lines = []
    for place, error in at.items():
        inner = any(other != place and other[: len(place)] == place for other in at)
        misspelt = error["type"] == "missing" and place[:-1] in unknown
        if not inner and not misspelt:
            lines.append(f"{where}: {_message(data, place, error)}")
    return lines


def _message(data: Any, place: tuple[Any, ...], error: Any) -> str:
    model: Any = Experiment
    if place[0] == "variants" and len(place) > 2:
        model = Variant
    elif place[0] == "line_ups" and error["type"] == "extra_forbidden":
        model = Mirrors
    path, value = "", data
    for part in place:
        path += f"[{part}]" if isinstance(value, list | tuple) else f".{part}"
        try:
            value = value[part] if part in value or not isinstance(value, dict) else value[str(part)]
        except (KeyError, IndexError, TypeError):
            value = None
    path = path.lstrip(".")
    if error["type"] == "extra_forbidden":
        known = list(model.model_fields)
        near = difflib.get_close_matches(str(place[-1]), known, n=1)
        hint = f'did you mean "{near[0]}"? ' if near else ""
        return f'unknown key "{path}"; {hint}Known keys: {", ".join(known)}'
    name = place[2] if model is Variant else place[0]
    allowed = model.model_fields[name].description
    if error["type"] == "missing":
        return f'the key "{path}" is missing; it is {allowed}'
    return f"{path} is {_shown(error['input'])}; it must be {allowed}"


def _is_branch(part: Any) -> bool:
    """Whether a part of a pydantic location names a branch of a union, not a key of the file."""
    return isinstance(part, str) and (part in ("int", "constrained-int", "Mirrors") or "[" in part)


def _shown(value: Any) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."

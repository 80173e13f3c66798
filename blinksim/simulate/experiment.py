"""Experiments: one TOML file asks one question, and is checked before anything runs.

::

    question = "How do the standard rules play?"
    ruleset = "standard"                      # a preset or a file
    set = ["tiers.wall[2]=15"]                # changes to it, as on the command line
    players = [2, 3]
    deals = 500                               # or [deals] with one number per player count: 2 = 900
    seed = 1
    detail = "standard"                       # which tables are kept; "summary" is small, "full" has records too

    [line_ups]                                # or one list for all: line_ups = [{ mirror = ["builder"] }]
    2 = [{ mirror = ["builder", "raider"] }, ["builder", "raider"]]
    3 = [{ all_of = ["builder", "raider"] }, { one = "scholar", against = ["builder", "raider"] }]

    [[variants]]                              # variant 1; variant 0 is the ruleset above
    name = "higher walls"
    set = ["tiers.wall=12,14,16,18,20"]       # or ruleset = "open", or ruleset = "mine.toml", or both

    [grid]                                    # a further variant for each combination, the last parameter fastest:
    trick.last_place_gold = [0, 2]            # "trick.last_place_gold=0, tiers.wall[2]=13" is variant 2
    "tiers.wall[2]" = [13, 16]

    [[targets]]                               # or targets = "targets.toml"
    metric = "seats.win_share"
    high = 0.55

Files are looked for beside the experiment's file, then from the working directory. :mod:`~blinksim.simulate.line_ups`
has the ways to name line-ups, :mod:`~blinksim.simulate.targets` what a target is.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, ValidationError

from blinksim.errors import UserError
from blinksim.games.game import Game, UnknownGameError, get_game
from blinksim.paths import EXPERIMENTS, find_file
from blinksim.simulate.line_ups import Entries, LineUp, Model, Name, Several, as_tuple, expand
from blinksim.simulate.mistakes import messages, shown
from blinksim.simulate.targets import ALLOWED as TARGETS_ALLOWED
from blinksim.simulate.targets import Target, Targets, bound_mistakes, load_targets

MAX_DEALS = 2**31 - 1
MAX_GAMES_PER_DEAL = 100_000
MAX_VARIANTS = 1000
GAMES_PER_SHARD = 1000  # aimed at where an experiment does not say

Setting = Annotated[str, StringConstraints(pattern=r"^\s*[^=\s]+\s*=.*$")]
PlayerCount = Annotated[int, Field(ge=1)]
Settings = Annotated[tuple[Setting, ...], BeforeValidator(as_tuple)]
Deals = Annotated[int, Field(ge=1, le=MAX_DEALS)]
Key = Annotated[str, StringConstraints(pattern=r"^[^=\s]+$")]


class ExperimentError(UserError):
    """An experiment file says something that cannot be run."""


def _by_players(value: Any) -> Any:
    """TOML keys are texts: make the player counts numbers."""
    if isinstance(value, dict):
        return {int(key) if isinstance(key, str) and key.isdecimal() else key: item for key, item in value.items()}
    return as_tuple(value)


def _value(value: Any) -> Any:
    """A value that a rule change can have."""
    if isinstance(value, list | tuple):
        return tuple(_value(item) for item in value)
    if not isinstance(value, str | int | float) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError("no value of a parameter")
    return value


Values = Annotated[tuple[Annotated[Any, AfterValidator(_value)], ...], BeforeValidator(as_tuple), Field(min_length=1)]


class Variant(Model):
    """A further ruleset that meets the same deals."""

    name: Name = Field(description="a name for figures and tables")
    ruleset: Name | None = Field(None, description="a preset or a ruleset file; the experiment's own where left out")
    set: Settings = Field(
        (), description='a list of rule changes such as "tiers.wall[2]=15", made after the experiment\'s own'
    )


class Experiment(Model):
    """What is to be played, and why.

    The description of each field says what it allows; messages quote it.
    """

    question: Name = Field(description="the question in plain words")
    game: Name = Field("blink", description="a game, such as blink")
    ruleset: Name = Field("standard", description="a preset or a ruleset file")
    set: Settings = Field((), description='a list of rule changes, each a text such as "tiers.wall[2]=15"')
    variants: Annotated[tuple[Variant, ...], BeforeValidator(as_tuple)] = Field(
        (),
        max_length=MAX_VARIANTS,
        description=f"at most {MAX_VARIANTS} tables [[variants]] with name, and ruleset or set",
    )
    grid: Annotated[dict[Key, Values], Field(min_length=1)] | None = Field(
        None,
        description='a table of parameters, each with a list of its values, such as "tiers.wall[2]" = [13, 15]; '
        "a list parameter has a list of lists",
    )
    players: Annotated[tuple[PlayerCount, ...], BeforeValidator(as_tuple)] = Field(
        min_length=1, description="a list of player counts, each once, such as [2, 3, 4]"
    )
    line_ups: Annotated[Entries | dict[PlayerCount, Entries], BeforeValidator(_by_players)] = Field(
        description="a list of line-ups, each a list of strategy names, one per player, or "
        '{mirror = ["name", ...]}, {all_of = ["name", ...]}, {one = "name", against = ["name", ...]}; '
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
    detail: Literal["summary", "standard", "full"] = Field(
        "standard",
        description='"summary" (games and seats), "standard" (all tables) or "full" (and a record per game)',
    )
    targets: Targets = Field((), description=TARGETS_ALLOWED)
    deals_per_shard: int | None = Field(
        None,
        ge=1,
        le=MAX_DEALS,
        description="a whole number of 1 or more: deals in one part file; left out, it is chosen",
    )

    def line_ups_for(self, players: int) -> tuple[LineUp, ...]:
        """The line-ups of one player count, in order; a line-up's number is its place here."""
        if isinstance(self.line_ups, dict):
            return expand(self.line_ups.get(players, ()), players)
        return expand(self.line_ups, players)

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
        return self.model_dump(mode="json", exclude_none=True)


def parse_experiment(
    data: Mapping[str, Any], where: str, game: Game | None = None, folder: Path | None = None
) -> Experiment:
    """An experiment from plain data. A grid becomes variants, a file of targets the targets in it.

    Args:
        data: Keys and values as in the file.
        where: Named in messages, such as the file.
        game: The game, where it is not to be looked up by its name.
        folder: Where files are looked for before the working directory.

    Raises:
        UserError: keys or values are not allowed; one line for each mistake.
    """
    data = dict(data)
    if isinstance(data.get("grid"), Mapping):
        data["grid"] = _flat(data["grid"])
    if isinstance(data.get("targets"), str):
        data["targets"] = [target.model_dump() for target in load_targets(_located(data["targets"], folder))]
    try:
        experiment = Experiment.model_validate(data)
    except ValidationError as error:
        tables = {"variants": Variant, "line_ups": Several, "targets": Target}
        raise ExperimentError("\n".join(messages(where, data, error.errors(), Experiment, tables))) from None
    experiment = _with_grid(experiment, where)
    try:
        game = game or get_game(experiment.game)
    except UnknownGameError as error:
        raise ExperimentError(f'{where}: game is "{experiment.game}"; {error}') from None
    mistakes = _mistakes(experiment, game)
    if mistakes:
        raise ExperimentError("\n".join(f"{where}: {mistake}" for mistake in mistakes))
    variants = tuple(
        v.model_copy(update={"ruleset": v.ruleset and _located(v.ruleset, folder)}) for v in experiment.variants
    )
    return experiment.model_copy(update={"ruleset": _located(experiment.ruleset, folder), "variants": variants})


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
    return parse_experiment(data, str(path), game, path.parent)


def _located(name: str, folder: Path | None) -> str:
    """A TOML file beside the experiment's, as from the working directory where it lies below; other names as given."""
    path = folder / name if folder is not None and name.endswith(".toml") else None
    if path is None or not path.is_file():
        return name
    path = path.resolve()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """``trick.last_place_gold = [0, 2]`` is a table in a table for TOML: make it one dotted key."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        found |= _flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return found


def _with_grid(experiment: Experiment, where: str) -> Experiment:
    """The grid as variants, after those that are named; the last parameter changes fastest.

    Raises:
        ExperimentError: there are too many combinations.
    """
    if experiment.grid is None:
        return experiment
    count = math.prod(len(values) for values in experiment.grid.values())
    if len(experiment.variants) + count > MAX_VARIANTS:
        raise ExperimentError(
            f"{where}: grid makes {count} variants; with those that are named at most {MAX_VARIANTS} are allowed: "
            "fewer parameters or values"
        )
    variants = list(experiment.variants)
    for values in product(*experiment.grid.values()):
        changes = list(zip(experiment.grid, values, strict=True))
        variants.append(
            Variant(
                name=", ".join(f"{key}={_plainly(value)}" for key, value in changes),
                ruleset=None,
                set=tuple(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in changes),
            )
        )
    return experiment.model_copy(update={"variants": tuple(variants), "grid": None})


def _plainly(value: Any) -> str:
    return re.sub(r"\s+", " ", value).strip() if isinstance(value, str) else json.dumps(value)


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
        twice = [list(line_up) for line_up, times in Counter(line_ups).items() if times > 1]
        if twice:
            found.append(f"line_ups has {shown(twice[0])} twice for {n} players")
        per_deal = (1 + len(experiment.variants)) * len(line_ups) * experiment.replicates * n * n
        if per_deal > MAX_GAMES_PER_DEAL:
            found.append(
                f"{per_deal} games on each deal of {n} players; at most {MAX_GAMES_PER_DEAL}: "
                "fewer variants, line-ups or replicates, and more deals"
            )
    for where, line_up, expected in _odd_sizes(experiment):
        found.append(f"line_ups{where} has {shown(line_up)}, which names {len(line_up)}; {expected}")
    found += [f"line_ups{where} {mistake}" for where, mistake in _odd_rules(experiment)]
    found += bound_mistakes(experiment.targets)
    names = ["base"] + [variant.name for variant in experiment.variants]
    found += [
        f'variants: the name "{name}" is there twice ("base" is variant 0)'
        for name, times in Counter(names).items()
        if times > 1
    ]
    return found


def _odd_sizes(experiment: Experiment) -> list[tuple[str, LineUp, str]]:
    """Line-ups that no player count can use: where, the line-up, and what is expected."""
    found: list[tuple[str, LineUp, str]] = []
    if isinstance(experiment.line_ups, dict):
        for n, entries in experiment.line_ups.items():
            found += [(f".{n}", e, f"expected {n}") for e in entries if not isinstance(e, Several) and len(e) != n]
    else:
        counts = " or ".join(map(str, experiment.players))
        for entry in experiment.line_ups:
            if not isinstance(entry, Several) and len(entry) not in experiment.players:
                found.append(("", entry, f"expected {counts}, one per player"))
    return found


def _odd_rules(experiment: Experiment) -> list[tuple[str, str]]:
    """Line-ups by a rule whose keys do not go together: where, and what is wrong."""
    lists = experiment.line_ups
    by_key = {f".{n}": entries for n, entries in lists.items()} if isinstance(lists, dict) else {"": lists}
    return [
        (f"{key}[{i}]", mistake)
        for key, entries in by_key.items()
        for i, entry in enumerate(entries)
        if isinstance(entry, Several) and (mistake := entry.mistake()) is not None
    ]

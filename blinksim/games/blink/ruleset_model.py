"""The whole ruleset as one checked, unchangeable model, and the forms in which it leaves the program."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from pydantic import Field, Strict, model_validator

from blinksim.games.blink import parameters as p
from blinksim.games.blink.problems import BrokenRules
from blinksim.games.blink.ruleset_checks import problems


class Ruleset(p.Group):
    """Every number and switch of the game (rules 1.1 to 1.9), checked.

    A parameter left out has its default, which is the present rulebook. ``name`` is free text: the parameters decide.

    Raises:
        pydantic.ValidationError: values out of range or not going together; a ``ValueError``. The functions of
            :mod:`blinksim.games.blink.ruleset_files` raise a ``RulesetError`` with one line per mistake instead.
    """

    name: Annotated[str, Strict()] = "standard"
    cards: p.Cards = Field(default_factory=p.Cards)
    setup: p.Setup = Field(default_factory=p.Setup)
    tiers: p.Tiers = Field(default_factory=p.Tiers)
    terrain: p.TerrainKinds = Field(default_factory=p.TerrainKinds)
    coins: p.Coins = Field(default_factory=p.Coins)
    trick: p.Trick = Field(default_factory=p.Trick)
    turn: p.Turn = Field(default_factory=p.Turn)
    move: p.Move = Field(default_factory=p.Move)
    fortify: p.Fortify = Field(default_factory=p.Fortify)
    duel: p.Duel = Field(default_factory=p.Duel)
    retreat: p.Retreat = Field(default_factory=p.Retreat)
    recycle: p.Recycle = Field(default_factory=p.Recycle)
    improve: p.Improve = Field(default_factory=p.Improve)
    research: p.Research = Field(default_factory=p.Research)
    trade: p.Trade = Field(default_factory=p.Trade)
    victory: p.Victory = Field(default_factory=p.Victory)
    objectives: p.Objectives = Field(default_factory=p.Objectives)
    end: p.End = Field(default_factory=p.End)
    score: p.Score = Field(default_factory=p.Score)
    observation: p.Observation = Field(default_factory=p.Observation)

    @model_validator(mode="after")
    def _go_together(self) -> Ruleset:
        found = problems(self)
        if found:
            raise BrokenRules(found)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The ruleset as in a record's header: every parameter, nested by its dotted name, as plain JSON values.

        The order is that of the rules, ``name`` first; ``null`` stands for unset and for no limit.
        """
        data = self.model_dump(mode="json", by_alias=True)
        if isinstance(self.setup.map, p.OwnMaps):
            data["setup"]["map"] = {count: own for count, own in data["setup"]["map"].items() if own is not None}
        return data

    def content_hash(self) -> str:
        """SHA-256 (hex) of the canonical JSON of all parameters; the name does not count."""
        data = self.to_dict()
        del data["name"]
        return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

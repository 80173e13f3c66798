"""Rulesets of Blink: every number and switch of the game (rules 1).

The parameters with their ranges stand in :mod:`~blinksim.games.blink.parameters`, the checked model in
:mod:`~blinksim.games.blink.ruleset_model`, files and overrides in :mod:`~blinksim.games.blink.ruleset_files`, printed
forms in :mod:`~blinksim.games.blink.ruleset_views` and the compiled form in :mod:`~blinksim.games.blink.pack`. This
module is the door to all of them.
"""

from __future__ import annotations

from blinksim.games.blink.enums import RULES_VERSION
from blinksim.games.blink.pack import pack
from blinksim.games.blink.problems import RulesetError
from blinksim.games.blink.ruleset_files import from_dict, load, preset_names, preset_summary, with_overrides
from blinksim.games.blink.ruleset_model import Ruleset
from blinksim.games.blink.ruleset_text import Parameter, parameters
from blinksim.games.blink.ruleset_views import Row, as_toml, content_hash, describe, difference

__all__ = [
    "RULES_VERSION",
    "Parameter",
    "Row",
    "Ruleset",
    "RulesetError",
    "as_toml",
    "content_hash",
    "describe",
    "difference",
    "from_dict",
    "load",
    "pack",
    "parameters",
    "preset_names",
    "preset_summary",
    "with_overrides",
]

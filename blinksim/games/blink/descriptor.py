"""What everything above the games knows about Blink."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from blinksim.games.blink.enums import RULES_VERSION
from blinksim.games.blink.tables import TABLES, TABLES_VERSION
from blinksim.games.game import Game

if TYPE_CHECKING:
    from blinksim.games.game import Deals


def _later(module: str, name: str) -> Callable[..., Any]:
    """A function of this package that is imported when it is first called: asking about the game compiles nothing."""

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(importlib.import_module(f"blinksim.games.blink.{module}"), name)(*arguments, **named)

    return call


def _make_deals(ruleset: Any, seed: int, players: int, first_deal: int, count: int) -> Deals:
    import numpy as np

    from blinksim.games.blink.deals import RANDOM_START, make_deals
    from blinksim.games.blink.objectives import parse_objective
    from blinksim.games.blink.pack import pack

    rules = pack(ruleset, players)[0]
    start = ruleset.setup.start_player
    patterns = np.array([parse_objective(name) for name in ruleset.objectives.list], dtype=np.int64)
    return make_deals(rules, seed, first_deal, count, patterns, RANDOM_START if start == "random" else int(start))


GAME = Game(
    name="blink",
    title="Blink",
    players=(2, 3, 4),
    rules_version=RULES_VERSION,
    tables=TABLES,
    tables_version=TABLES_VERSION,
    ruleset_names=_later("ruleset", "preset_names"),
    load_ruleset=_later("ruleset", "load"),
    ruleset_data=lambda ruleset: ruleset.to_dict(),
    parse_ruleset=_later("ruleset", "from_dict"),
    ruleset_hash=_later("ruleset", "content_hash"),
    diff_rulesets=_later("ruleset", "difference"),
    pack_ruleset=_later("ruleset", "pack"),
    make_deals=_make_deals,
    play_games=_later("shards", "play_games"),
    warm=_later("warm", "warm"),
    new_game=_later("table", "new_game"),
    record_suffixes=(".blink.jsonl", ".blink.jsonl.gz"),
    read_game=_later("record_facts", "read_game"),
    seat_classes=_later("seating", "seat_classes"),
    ruleset_entries=_later("ruleset_entries", "entries"),
    map_course=_later("map_course", "map_course"),
)

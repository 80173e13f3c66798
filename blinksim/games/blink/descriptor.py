"""What everything above the games knows about Blink."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from blinksim.games.blink.tables import TABLES, TABLES_VERSION
from blinksim.games.game import Deals, Game


def _ruleset_names() -> list[str]:
    from blinksim.games.blink.ruleset import preset_names

    return preset_names()


def _load_ruleset(name: str, overrides: Any = ()) -> Any:
    from blinksim.games.blink.ruleset import load

    return load(name, overrides)


def _ruleset_data(ruleset: Any) -> Mapping[str, Any]:
    data: Mapping[str, Any] = ruleset.to_dict()
    return data


def _parse_ruleset(data: Mapping[str, Any]) -> Any:
    from blinksim.games.blink.ruleset import from_dict

    return from_dict(dict(data), "manifest")


def _ruleset_hash(ruleset: Any) -> str:
    from blinksim.games.blink.ruleset import content_hash

    return content_hash(ruleset)


def _diff_rulesets(a: Any, b: Any) -> Any:
    from blinksim.games.blink.ruleset import difference

    return difference(a, b)


def _pack_ruleset(ruleset: Any, players: int) -> np.ndarray:
    from blinksim.games.blink.ruleset import pack

    return pack(ruleset, players)


def _make_deals(ruleset: Any, seed: int, players: int, first_deal: int, count: int) -> Deals:
    from blinksim.games.blink.deals import RANDOM_START, make_deals
    from blinksim.games.blink.objectives import parse_objective
    from blinksim.games.blink.ruleset import pack

    rules = pack(ruleset, players)[0]
    start = ruleset.setup.start_player
    patterns = np.array([parse_objective(name) for name in ruleset.objectives.list], dtype=np.int64)
    return make_deals(rules, seed, first_deal, count, patterns, RANDOM_START if start == "random" else int(start))


def _play_games(*arguments: Any, **named: Any) -> dict[str, np.ndarray]:
    from blinksim.games.blink.shards import play_games

    return play_games(*arguments, **named)


def _warm(*arguments: Any, **named: Any) -> dict[str, float]:
    from blinksim.games.blink.warm import warm

    return warm(*arguments, **named)


def _new_game(*arguments: Any, **named: Any) -> Any:
    from blinksim.games.blink.table import new_game

    return new_game(*arguments, **named)


GAME = Game(
    name="blink",
    title="Blink",
    players=(2, 3, 4),
    rules_version=1,
    tables=TABLES,
    tables_version=TABLES_VERSION,
    ruleset_names=_ruleset_names,
    load_ruleset=_load_ruleset,
    ruleset_data=_ruleset_data,
    parse_ruleset=_parse_ruleset,
    ruleset_hash=_ruleset_hash,
    diff_rulesets=_diff_rulesets,
    pack_ruleset=_pack_ruleset,
    make_deals=_make_deals,
    play_games=_play_games,
    warm=_warm,
    new_game=_new_game,
)

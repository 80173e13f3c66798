"""The lines of a game record as plain data: header, decision, state, result (``record.md``).

Functions of a state, a ruleset and a deal; :mod:`blinksim.games.blink.record` reads, replays and writes files of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from blinksim.errors import UserError
from blinksim.games.blink import ruleset as rulesets
from blinksim.games.blink.deal_data import Deal, deal_text, parse_deal
from blinksim.games.blink.enums import ObjectiveMode, Outcome
from blinksim.games.blink.objectives import objective_text, parse_objective
from blinksim.games.blink.ruleset import RULES_VERSION, Ruleset
from blinksim.games.blink.scoring import OBJECTIVES, ROW, TOTAL, UNITS, is_winner, score
from blinksim.games.blink.text import action_text, decision_text
from blinksim.games.cards import SUITS, card_text, cards_in
from blinksim.games.hexmap import cell_text, unpack_cell

RECORD_VERSION = 1
GAME_NAME = "blink"
HEADER_KEYS = ("record", "game", "rules_version", "players", "ruleset", "seats", "seed", "deal")
SEED_KEYS = ("experiment", "deal")
DECISION_KEYS = ("ply", "round", "seat", "decision", "legal", "choice")
OPTIONAL_KEYS = ("seed", "legal")


class RecordError(UserError):
    """A record that is not what the rules give; the text begins with file and line."""


@dataclass(frozen=True)
class Header:
    """What a record begins with: all that a game needs but the players' choices.

    Attributes:
        players: 2 to 4.
        ruleset: Every parameter.
        rules: The same, packed for this player count; one RULES record.
        seats: Names of the strategies or people, by seat.
        deal: The shuffles.
        seed: ``experiment`` and ``deal``, which make the same deal again; None in a game from a real table.
    """

    players: int
    ruleset: Ruleset
    rules: Any
    seats: tuple[str, ...]
    deal: Deal
    seed: Mapping[str, int] | None = None


def make_header(ruleset: Ruleset, seats: Iterable[str], deal: Deal, seed: Mapping[str, int] | None = None) -> Header:
    """The header of a game with one name per seat."""
    names = tuple(seats)
    return Header(len(names), ruleset, rulesets.pack(ruleset, len(names))[0], names, deal, seed)


def header_line(header: Header) -> dict[str, Any]:
    """The header as the first line of a record."""
    line: dict[str, Any] = {
        "record": RECORD_VERSION,
        "game": GAME_NAME,
        "rules_version": RULES_VERSION,
        "players": header.players,
        "ruleset": header.ruleset.to_dict(),
        "seats": list(header.seats),
    }
    if header.seed is not None:
        line["seed"] = {key: int(header.seed[key]) for key in SEED_KEYS}
    line["deal"] = deal_text(header.deal)
    return line


def check_keys(data: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    """Raise UserError where an object has a key that is not known, or lacks one that is not optional."""
    for key in data:
        if key not in known:
            raise UserError(f'{where} has the unknown key "{key}"; the keys are {", ".join(known)}')
    for key in known:
        if key not in data and key not in OPTIONAL_KEYS:
            raise UserError(f'{where} lacks the key "{key}"')


def parse_header(data: Mapping[str, Any], where: str) -> Header:
    """A header from the first line of a record.

    Args:
        data: The line as read from JSON.
        where: Named in messages, such as ``game.blink.jsonl:1``.

    Raises:
        UserError: a key is unknown or missing, another version or game, a ruleset or deal that cannot be.
    """
    check_keys(data, HEADER_KEYS, f"{where}: the header")
    for key, value in (("record", RECORD_VERSION), ("game", GAME_NAME), ("rules_version", RULES_VERSION)):
        if not same(data[key], value):
            raise UserError(f"{where}: {key} is {data[key]!r}; this reader knows {value!r}")
    ruleset = rulesets.from_dict(data["ruleset"], f"{where}: ruleset")
    fewest, most = ruleset.setup.players
    players = data["players"]
    if type(players) is not int or not fewest <= players <= most:
        raise UserError(f"{where}: players is {players!r}; the ruleset allows {fewest} to {most}")
    seats = data["seats"]
    if not isinstance(seats, list) or len(seats) != players or not all(isinstance(name, str) for name in seats):
        raise UserError(f"{where}: seats is {seats!r}; it must be a list of {players} names, one per seat")
    seed = data.get("seed")
    if seed is not None:
        if not isinstance(seed, Mapping):
            raise UserError(f"{where}: seed is {seed!r}; it must be an object with the keys {', '.join(SEED_KEYS)}")
        check_keys(seed, SEED_KEYS, f"{where}: seed")
        for key in SEED_KEYS:
            if type(seed[key]) is not int or seed[key] < 0:
                raise UserError(f"{where}: seed.{key} is {seed[key]!r}; it must be a whole number from 0")
    rules = rulesets.pack(ruleset, players)[0]
    codes = [parse_objective(name) for name in ruleset.objectives.list]
    deal = parse_deal(data["deal"], rules, codes, ruleset.objectives.mode != "none", f"{where}: deal")
    start = ruleset.setup.start_player
    if start != "random" and deal.start_player != start:
        raise UserError(f"{where}: deal.start_player is {deal.start_player}; the ruleset has seat {start} begin")
    return Header(players, ruleset, rules, tuple(seats), deal, seed)


def decision_line(state: Any, action: int, legal: Iterable[int] | None = None) -> dict[str, Any]:
    """The line of one choice, made in ``state`` (before it takes effect); with all legal choices where given."""
    line: dict[str, Any] = {
        "ply": int(state.ply),
        "round": int(state.round_number),
        "seat": int(state.seat),
        "decision": decision_text(state.decision),
    }
    if legal is not None:
        line["legal"] = [action_text(state, each) for each in legal]
    line["choice"] = action_text(state, action)
    return line


def finished_round(state: Any) -> int:
    """The round that ended last, 0 for setup, asked at the first decision of a round or once the game is over."""
    return int(state.round_number) - (int(state.outcome) == Outcome.RUNNING)


def _card_list(words: Any) -> list[str]:
    return [card_text(card) for card in cards_in(words)]


def _stack(state: Any, slot: int) -> list[str]:
    """The cards of one grid slot, bottom first."""
    cards = []
    card = int(state.grid_top[slot])
    while card:
        cards.append(card_text(card))
        card = int(state.under[card])
    return cards[::-1]


def _tile_list(state: Any) -> list[list[Any]]:
    tiles = []
    for tile in range(int(state.num_tiles)):
        owner = next((seat for seat in range(int(state.players)) if int(state.own[seat]) >> tile & 1), None)
        cell = int(state.tile_cell[tile])
        terrain = SUITS[int(state.terrain[tile])]
        row = [cell_text(cell), terrain, owner, int(state.units[tile]), int(state.coins[tile])]
        tiles.append((unpack_cell(cell), row))
    return [row for _, row in sorted(tiles, key=lambda entry: entry[0])]


def _seat_object(state: Any, rules: Any, seat: int) -> dict[str, Any]:
    shows = int(rules.objective_mode) == ObjectiveMode.SHOW_ONE and int(state.shown[seat]) >= 0
    dealt = state.objectives[seat][: int(state.num_objectives[seat])]
    return {
        "hand": _card_list(state.hand[seat]),
        "meld": _card_list(state.meld[seat]),
        "discard": _card_list(state.discard[seat]),
        "row": _card_list(state.row[seat]),
        "gold": int(state.gold[seat]),
        "reserve": int(state.reserve[seat]),
        "objectives": [objective_text(code) for code in dealt],
        "shown": objective_text(state.shown[seat]) if shows else None,
    }


def state_line(state: Any, rules: Any) -> dict[str, Any]:
    """The line that stands after setup and after every round.

    The engine has by then begun the next round, which changes the round, allowances and turn flags and nothing that
    the line holds but the round: that is the one just finished.
    """
    market, upgrade = int(state.market_count), int(state.upgrade_count)
    return {
        "state": {
            "round": finished_round(state),
            "leader": int(state.leader),
            "armed": bool(state.armed),
            "tiles": _tile_list(state),
            "supply": {SUITS[terrain]: int(state.supply[terrain]) for terrain in range(4)},
            "market": [card_text(card) for card in state.market[:market]],
            "upgrade": [card_text(card) for card in state.upgrade[:upgrade][::-1]],
            "removed": _card_list(state.removed),
            "grid": [_stack(state, slot) for slot in range(int(rules.grid_slots))],
            "seats": [_seat_object(state, rules, seat) for seat in range(int(state.players))],
        }
    }


def winners(state: Any, rules: Any) -> list[int]:
    """The seats that won, ascending; several where victory is shared, none while running or stalled (3.13, R130)."""
    if int(state.outcome) not in (Outcome.WON, Outcome.SHARED):
        return []
    return [seat for seat in range(int(state.players)) if is_winner(state, rules, seat)]


def result_line(state: Any, rules: Any) -> dict[str, Any]:
    """The last line of a record; ``state`` is that of a game that has ended."""
    scores = []
    for seat in range(int(state.players)):
        points = np.zeros(4, dtype=np.int64)
        score(state, rules, seat, points)
        scores.append(
            {
                "units": int(points[UNITS]),
                "row": int(points[ROW]),
                "objectives": int(points[OBJECTIVES]),
                "total": int(points[TOTAL]),
                "gold": int(state.gold[seat]),
            }
        )
    outcome = Outcome(int(state.outcome)).name.lower()
    return {
        "result": {
            "outcome": outcome,
            "winners": winners(state, rules),
            "rounds": int(state.round_number),
            "scores": scores,
        }
    }


def same(given: Any, wanted: Any) -> bool:
    """Whether two JSON values are equal and of one type: 1 is neither true nor 1.0."""
    return type(given) is type(wanted) and bool(given == wanted)


def difference(given: Any, wanted: Any, where: str) -> str | None:
    """The first place in which JSON data differs from what the rules give, in words; None where it does not.

    Args:
        given: From the record.
        wanted: From the engine, of the same form.
        where: How the place is called, such as ``state``.
    """
    if isinstance(wanted, dict) and isinstance(given, dict):
        for key in given:
            if key not in wanted:
                return f'{where} has the unknown key "{key}"; the keys are {", ".join(wanted)}'
        for key, value in wanted.items():
            if key not in given:
                return f'{where} lacks the key "{key}"'
            found = difference(given[key], value, f"{where}.{key}")
            if found:
                return found
        return None
    if isinstance(wanted, list) and isinstance(given, list):
        for i, value in enumerate(wanted[: len(given)]):
            found = difference(given[i], value, f"{where}[{i}]")
            if found:
                return found
        if len(given) != len(wanted):
            return f"{where} has {len(given)} entries, the rules give {len(wanted)}"
        return None
    return None if same(given, wanted) else f"{where} is {_json(given)}, the rules give {_json(wanted)}"


def _json(value: Any) -> str:
    """A value for messages, as it stands in a record."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f'"{value}"' if isinstance(value, str) else str(value)

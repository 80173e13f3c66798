"""What parameters demand of each other (rules 1.1 to 1.9). Ranges of single parameters are in their types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from blinksim.games.blink.capacity import capacity_problems
from blinksim.games.blink.enums import MAX_UNITS
from blinksim.games.blink.maps import BUILTIN, map_problems, own_map, start_map
from blinksim.games.blink.parameters import OwnMaps
from blinksim.games.blink.problems import Problem
from blinksim.games.cards import SUITS

if TYPE_CHECKING:
    from blinksim.games.blink.ruleset_model import Ruleset

MAX_COINS = 127
"""Coins on one tile that the state has room for."""


def problems(ruleset: Ruleset) -> list[Problem]:
    """All that does not go together in a ruleset whose single parameters are in range."""
    found = list(_cards_and_setup(ruleset))
    found += _tiers_and_terrain(ruleset)
    found += _maps(ruleset)
    found += _lists(ruleset)
    found += _trade_and_row(ruleset)
    found += _bands(ruleset)
    found += _objectives(ruleset)
    return found + list(capacity_problems(ruleset))


def _cards_and_setup(ruleset: Ruleset) -> Iterator[Problem]:
    cards, setup = ruleset.cards, ruleset.setup
    if tuple(cards.suits) != tuple(SUITS):
        yield Problem(
            ("cards.suits",),
            f"cards.suits is {_list(cards.suits)}; only {_list(SUITS)} is accepted: the suits "
            "are stated in the rules (§1.9), not a switch",
        )
    if not cards.rank_min <= cards.starting_rank_max <= cards.rank_max:
        yield Problem(
            ("cards.rank_min", "cards.starting_rank_max", "cards.rank_max"),
            f"cards.starting_rank_max is {cards.starting_rank_max}; it must lie between cards.rank_min "
            f"({cards.rank_min}) and cards.rank_max ({cards.rank_max}) (rules §1.1)",
        )
    fewest, most = setup.players
    if fewest > most:
        yield Problem(
            ("setup.players",), f"setup.players is [{fewest}, {most}]; the lowest number comes first (rules §1.1)"
        )
    starting = 4 * (cards.starting_rank_max - cards.rank_min + 1)
    if 0 <= starting < setup.hand_size * most:
        yield Problem(
            ("setup.hand_size", "setup.players", "cards.rank_min", "cards.starting_rank_max"),
            f"the starting deck has {starting} cards (ranks cards.rank_min {cards.rank_min} to cards.starting_rank_max "
            f"{cards.starting_rank_max}); {most} players with setup.hand_size {setup.hand_size} need "
            f"{setup.hand_size * most} (rules §1.1)",
        )
    if setup.draft:
        for i, passed in enumerate(setup.draft_passes):
            if passed > setup.hand_size:
                yield Problem(
                    ("setup.draft_passes", "setup.hand_size"),
                    f"setup.draft_passes[{i}] is {passed}; allowed 1 to {setup.hand_size} (setup.hand_size; "
                    "rules §1.1)",
                )
    if setup.start_player != "random" and setup.start_player >= fewest:
        yield Problem(
            ("setup.start_player", "setup.players"),
            f"setup.start_player is {setup.start_player}; with setup.players from {fewest} on, the seats that always "
            f"exist are 0 to {fewest - 1} (rules §1.1)",
        )


def _tiers_and_terrain(ruleset: Ruleset) -> Iterator[Problem]:
    tiers, terrain, setup = ruleset.tiers, ruleset.terrain, ruleset.setup
    lengths = {f"tiers.{key}": len(getattr(tiers, key)) for key in ("name", "units", "meld_limit", "rank_cap", "wall")}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{key} {length}" for key, length in lengths.items())
        yield Problem(
            tuple(lengths),
            f"the lists of tiers have different lengths ({listed}); give each one entry per tier (rules §1.2)",
        )
    if len(set(tiers.name)) < len(tiers.name):
        yield Problem(("tiers.name",), f"tiers.name is {_list(tiers.name)}; every tier needs a name of its own")
    units = sum(tiers.units)
    if units > MAX_UNITS:
        yield Problem(
            ("tiers.units",),
            f"tiers.units add up to {units}; at most {MAX_UNITS} units per player (MAX_UNITS) are possible",
        )
    if setup.start_units > units:
        yield Problem(
            ("setup.start_units", "tiers.units"),
            f"setup.start_units is {setup.start_units}; a player has {units} units (sum of tiers.units; rules §1.2)",
        )
    if setup.start_units > terrain.P.holds:
        yield Problem(
            ("setup.start_units", "terrain.P.holds"),
            f"setup.start_units is {setup.start_units}; a homeland holds {terrain.P.holds} (terrain.P.holds; "
            "rules §1.1)",
        )
    for suit in SUITS:
        coins = getattr(terrain, suit).holds * ruleset.fortify.max_per_unit
        if coins > MAX_COINS:
            yield Problem(
                (f"terrain.{suit}.holds", "fortify.max_per_unit"),
                f"terrain.{suit}.holds times fortify.max_per_unit is {coins}; a tile has room for {MAX_COINS} coins",
            )


def _maps(ruleset: Ruleset) -> Iterator[Problem]:
    """The maps in use fit the supply, own maps are well made (1.9, 4)."""
    setup = ruleset.setup
    own = setup.map if isinstance(setup.map, OwnMaps) else OwnMaps()
    for players in sorted(BUILTIN):
        layout = own.for_players(players)
        if layout is not None:
            for text in map_problems(own_map(layout), players, setup.map_rules):
                yield Problem(("setup.map", "setup.map_rules"), f"setup.map.{players}: {text} (rules §1.9, §4)")
    for players in range(setup.players[0], setup.players[1] + 1):
        for suit, used in start_map(setup.map, players).tiles_used().items():
            tiles = getattr(ruleset.terrain, suit).tiles
            if used > tiles:
                yield Problem(
                    (f"terrain.{suit}.tiles", "setup.map", "setup.players"),
                    f"terrain.{suit}.tiles is {tiles}; the starting map for {players} players needs {used} "
                    "(rules §1.3, §4)",
                )


def _lists(ruleset: Ruleset) -> Iterator[Problem]:
    """Lists that name each thing once, and what ends the tie chain (1.9)."""
    for key, names in (
        ("trick.tie_chain", ruleset.trick.tie_chain),
        ("research.destinations", ruleset.research.destinations),
        ("victory.effects", ruleset.victory.effects),
        ("objectives.list", ruleset.objectives.list),
        ("score.tie_breaks", ruleset.score.tie_breaks),
    ):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            yield Problem(
                (key,), f"{key} names {_list(twice)[1:-1]} more than once; name each at most once (rules §1.9)"
            )
    chain = ruleset.trick.tie_chain
    if chain[-1] != "laid_earlier":
        yield Problem(
            ("trick.tie_chain",),
            f'trick.tie_chain is {_list(chain)}; "laid_earlier" ends it: put it last or leave it out (rules §1.9)',
        )


def _trade_and_row(ruleset: Ruleset) -> Iterator[Problem]:
    trade, victory, trick = ruleset.trade, ruleset.victory, ruleset.trick
    if trade.draw != trade.bury:
        yield Problem(
            ("trade.draw", "trade.bury"),
            f"trade.draw is {trade.draw} and trade.bury {trade.bury}; they must be equal, so that hands keep "
            "their size "
            "(rules §1.9)",
        )
    if victory.centre_scores:
        if victory.slots % 2 == 0:
            yield Problem(
                ("victory.slots", "victory.centre_scores"),
                f"victory.slots is {victory.slots}; it must be odd where the centre scores "
                "(victory.centre_scores; rules §1.9)",
            )
    bonus = trick.a_bonus_cards
    keys = ("trick.a_bonus_cards", "trick.mode", "victory.bands")
    if trick.mode == "total" and bonus is not None:
        yield Problem(
            keys,
            'trick.a_bonus_cards is only for trick.mode "most_cards"; leave it unset (none) with "total" (rules §1.9)',
        )
    if trick.mode == "most_cards" and (bonus is None or len(bonus) != len(victory.bands)):
        given = "is unset" if bonus is None else f"has {len(bonus)} entries"
        yield Problem(
            keys,
            f'trick.a_bonus_cards {given}; trick.mode "most_cards" needs one whole number per band of victory.bands '
            f"({len(victory.bands)}), such as [1, 1, 2, 2] (rules §1.9)",
        )


def _bands(ruleset: Ruleset) -> Iterator[Problem]:
    cards, victory = ruleset.cards, ruleset.victory
    bands = victory.bands
    for i, band in enumerate(bands):
        low, high = band.ranks
        if low > high:
            yield Problem(
                ("victory.bands",),
                f"victory.bands[{i}].ranks is [{low}, {high}]; the lowest rank comes first (rules §1.7)",
            )
        if band.units > band.tiles:
            yield Problem(
                ("victory.bands",),
                f"victory.bands[{i}].units is {band.units}; effect B places at most one unit on each of its tiles "
                f"(victory.bands[{i}].tiles is {band.tiles}; rules §3.12)",
            )
        if victory.b_distant_between == "lay_suit" and (band.reach > 2 or (band.reach == 2 and band.terrain != "suit")):
            yield Problem(
                ("victory.bands", "victory.b_distant_between"),
                f'victory.bands[{i}] has reach {band.reach} and terrain "{band.terrain}"; victory.b_distant_between '
                '"lay_suit" needs terrain "suit" and reach 2 in every band that reaches further than 1 (rules §1.9)',
            )
    for (i, a), (j, b) in combinations(enumerate(bands), 2):
        if a.ranks[0] <= b.ranks[1] and b.ranks[0] <= a.ranks[1]:
            yield Problem(
                ("victory.bands",),
                f"victory.bands[{i}] ({a.ranks[0]} to {a.ranks[1]}) and victory.bands[{j}] ({b.ranks[0]} to "
                f"{b.ranks[1]}) "
                "overlap; every rank belongs to one band (rules §1.9)",
            )
    deck = range(cards.rank_min, cards.rank_max + 1)
    bare = [rank for rank in deck if not any(band.ranks[0] <= rank <= band.ranks[1] for band in bands)]
    if bare:
        ranks = ", ".join(map(str, bare))
        yield Problem(
            ("victory.bands", "cards.rank_min", "cards.rank_max"),
            f"victory.bands leave out {'rank' if len(bare) == 1 else 'ranks'} {ranks}; the bands cover every "
            "rank of the deck "
            f"({cards.rank_min} to {cards.rank_max}) exactly once (rules §1.9)",
        )


def _objectives(ruleset: Ruleset) -> Iterator[Problem]:
    objectives, most = ruleset.objectives, ruleset.setup.players[1]
    if objectives.mode == "none":
        return
    needed = objectives.dealt * (1 if objectives.mode == "open" else most)
    if needed > len(objectives.list):
        whom = "in all" if objectives.mode == "open" else f"to each of {most} players"
        yield Problem(
            ("objectives.dealt", "objectives.list", "objectives.mode", "setup.players"),
            f"objectives.dealt is {objectives.dealt} {whom}, {needed} together; objectives.list has "
            f"{len(objectives.list)} "
            "(rules §1.8)",
        )


def _list(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"

"""Positions for rule tests: build a state in a few lines, choose by text, read back what a table shows.

A position holds only what a test names, so cards are not conserved in it; everything that follows from a choice is the
engine's doing. Cards, cells and choices are written as in records (``8M``, ``1,0``, ``settle 8M 1,0``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from blinksim.games.blink import apply, deal, facts, legal, mapping, text
from blinksim.games.blink import objectives as patterns
from blinksim.games.blink import ruleset as rulesets
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Outcome
from blinksim.games.blink.state import STATE, new_records
from blinksim.games.cards import SUITS, card_set, card_text, cards_in, parse_card
from blinksim.games.hexmap import pack_cell, parse_cell, unpack_cell

FACTS, EVENTS = facts.no_facts()
MAP_FIELDS = ("of_terrain", "own", "neighbours", "space_touch", "tile_cell", "space_cell", "terrain", "units", "coins")

# rules


@cache
def _packed(players: int, preset: str, changes: str) -> Any:
    ruleset = rulesets.from_dict({"extends": preset, **json.loads(changes)}, "the test")
    return rulesets.pack(ruleset, players)


def rules_for(players: int = 3, changes: Mapping[str, Any] | None = None, preset: str = "standard") -> Any:
    """The packed rules of a preset for a player count, with some parameters changed by their dotted names."""
    return _packed(players, preset, json.dumps(changes or {}))[0]


# building


def dealt(rules: Any, start_player: int = 0) -> Any:
    """A game before its first decision, from unshuffled decks: ranks ascending, suits P F O M; objectives in order."""
    state = new_records(STATE)[0]
    low, split, high = int(rules.rank_min), int(rules.starting_rank_max), int(rules.rank_max)
    starting, upgrade = np.arange(4 * low, 4 * split + 4), np.arange(4 * split + 4, 4 * high + 4)
    codes = np.array([patterns.parse_objective(name) for name in patterns.THE_TWELVE], dtype=np.int64)
    deal.set_up(state, rules, FACTS, start_player, starting, upgrade, codes)
    return state


def fresh(rules: Any, *, start_map: bool = True, round_number: int = 1) -> Any:
    """A game after setup with empty hands and no objectives: seat 0's map turn, no movements.

    Market, grid and upgrade deck are as an unshuffled deal gives them. With ``start_map=False`` there is no tile at
    all, every reserve is full and every supply complete.
    """
    state = dealt(rules)
    if decision(state) in (Decision.OBJECTIVE_KEEP, Decision.DRAFT_PASS):
        deal.end_draft(state, rules)
    for seat in range(int(rules.players)):
        set_hand(state, seat, "")
        set_objectives(state, seat)
    state.seen_hand[:] = 0
    state.unsure[:] = 0
    state.public_seen[:] = 0
    state.public_unsure[:] = 0
    state.round_number = round_number
    if not start_map:
        state.num_tiles = state.num_spaces = 0
        state.with_room = 0
        for name in MAP_FIELDS:
            state[name][:] = 0
        state.supply[:] = rules.tiles
        state.reserve[: int(rules.players)] = rules.total_units
    start_turn(state, rules, 0)
    return state


def add_tile(
    state: Any, rules: Any, q: int, r: int, terrain: str, owner: int | None = None, units: int = 0, coins: int = 0
) -> int:
    """Lay a tile from the supply, with units from the owner's reserve and coins from nowhere. Returns its number."""
    tile = int(mapping.lay_tile(state, rules, pack_cell(q, r), SUITS.index(terrain)))
    if owner is not None:
        add_units(state, rules, q, r, owner, units, coins)
    return tile


def add_units(state: Any, rules: Any, q: int, r: int, owner: int, units: int, coins: int = 0) -> None:
    """Put units from the owner's reserve on a tile, and set how many of all its units have a coin."""
    tile = tile_number(state, q, r)
    for _ in range(units):
        mapping.put_unit(state, rules, tile, owner)
    state.reserve[owner] -= units
    state.coins[tile] = coins


def set_hand(state: Any, seat: int, cards: str) -> None:
    """Replace a hand."""
    state.hand[seat] = words(cards)
    state.hand_size[seat] = len(cards.split())


def set_meld(state: Any, seat: int, cards: str) -> None:
    """Replace a revealed meld."""
    state.meld[seat] = words(cards)
    state.meld_size[seat] = len(cards.split())


def set_discard(state: Any, seat: int, cards: str) -> None:
    """Replace a discard."""
    state.discard[seat] = words(cards)


def set_row(state: Any, seat: int, cards: str) -> None:
    """Replace a victory row."""
    state.row[seat] = words(cards)


def set_market(state: Any, cards: str) -> None:
    """Replace the market, top first."""
    listed = [parse_card(card) for card in cards.split()]
    state.market[:] = 0
    state.market[: len(listed)] = listed
    state.market_count = len(listed)
    state.public_market[:] = 0
    state.market_known[:] = 0


def set_upgrade(state: Any, cards: str) -> None:
    """Replace the upgrade deck, top first."""
    listed = [parse_card(card) for card in cards.split()]
    state.upgrade[:] = 0
    state.upgrade[: len(listed)] = listed[::-1]
    state.upgrade_count = len(listed)
    state.deck = card_set(listed)


def set_grid(state: Any, *stacks: str) -> None:
    """Replace the grid: one text a slot in reading order, each a stack, bottom first."""
    state.grid_top[:] = 0
    state.grid_depth[:] = 0
    state.under[:] = 0
    for slot, stack in enumerate(stacks):
        below = 0
        for card in (parse_card(name) for name in stack.split()):
            state.under[card] = below
            below = card
        state.grid_top[slot] = below
        state.grid_depth[slot] = len(stack.split())


def set_objectives(state: Any, seat: int, *names: str) -> None:
    """Replace a seat's objectives; none is on show."""
    state.objectives[seat] = 0
    state.shown[seat] = -1
    state.objectives[seat, : len(names)] = [patterns.parse_objective(name) for name in names]
    state.num_objectives[seat] = len(names)


def set_reserve(state: Any, seat: int, reserve: int) -> None:
    """Set a reserve without touching the map."""
    state.reserve[seat] = reserve


def start_turn(
    state: Any,
    rules: Any,
    seat: int,
    meld: str = "",
    *,
    moves: int | None = None,
    order: Iterable[int] | None = None,
    done: Iterable[int] = (),
) -> None:
    """Make it the start of a seat's map turn with some meld cards; it led the round and won the trick.

    Args:
        state: Changed in place.
        rules: Packed rules.
        seat: Who is to act.
        meld: Its cards still to be resolved.
        moves: Movements; as many as the meld gives by default.
        order: Initiative order; clockwise from ``seat`` by default.
        done: Seats whose map turn is over; those before ``seat`` in the order by default.
    """
    players = int(rules.players)
    listed = list(order) if order is not None else [(seat + i) % players for i in range(players)]
    set_meld(state, seat, meld)
    state.order[:players] = listed
    state.leader = state.winner = listed[0]
    state.winner_cards = 1
    state.dues = players
    state.turn = listed.index(seat)
    state.active = state.seat = seat
    state.decision = int(Decision.ACT)
    state.moves_left = int(rules.move_per_card) * len(meld.split()) if moves is None else moves
    state.improve_used = state.improve_bought = state.water_used = 0
    state.attack_card = state.answer_card = state.retreat_coins = 0
    state.attack_tile = -1
    state.turn_done[:] = 0
    for other in [*listed[: listed.index(seat)], *done]:
        state.turn_done[other] = 1
    for name in ("spends", "spent_a", "spent_b", "spent_c", "declared"):
        state[name][:] = 0


def start_round(state: Any, rules: Any, leader: int, hands: Mapping[int, str] | None = None) -> None:
    """Make it the moment at which the leader of a round lays the first meld."""
    start_turn(state, rules, leader)
    state.leader, state.winner, state.turn, state.active, state.dues = leader, -1, -1, -1, 0
    state.decision = int(Decision.MELD)
    for seat, cards in (hands or {}).items():
        set_hand(state, seat, cards)


# playing


def legal_actions(state: Any, rules: Any) -> list[int]:
    """The legal actions of the seat to decide."""
    actions = np.zeros(MAX_ACTIONS, dtype=np.int64)
    return [int(action) for action in actions[: int(legal.list_actions(state, rules, actions))]]


def legal_texts(state: Any, rules: Any) -> list[str]:
    """The legal choices of the seat to decide, as texts; each once."""
    texts = [text.action_text(state, action) for action in legal_actions(state, rules)]
    assert len(set(texts)) == len(texts), f"a choice is listed twice: {texts}"
    return texts


def options(state: Any, rules: Any, word: str) -> set[str]:
    """What may follow a word, or words, in a legal choice: ``options(state, rules, "explore 8O")`` gives spaces."""
    return {t.removeprefix(f"{word} ") for t in legal_texts(state, rules) if t == word or t.startswith(f"{word} ")}


def choose(state: Any, rules: Any, *choices: str) -> None:
    """Take choices one after the other; each must be legal when its turn comes."""
    for choice in choices:
        actions = {text.action_text(state, action): action for action in legal_actions(state, rules)}
        assert choice in actions, f'"{choice}" is not legal for seat {state.seat}: {sorted(actions)[:60]}'
        assert text.parse_action(state, rules, choice) == actions[choice]
        apply.apply_action(state, rules, actions[choice], FACTS, EVENTS)


def decision(state: Any) -> Decision:
    """Which decision is due."""
    return Decision(int(state.decision))


def outcome(state: Any) -> Outcome:
    """How the game stands."""
    return Outcome(int(state.outcome))


def play_first(state: Any, rules: Any, until_round: int) -> None:
    """Play on until a round or the end: ``end`` where legal, else ``gold``, else the first text of the alphabet."""
    while decision(state) != Decision.OVER and int(state.round_number) < until_round:
        texts = sorted(legal_texts(state, rules), key=lambda t: (t != "end", not t.startswith("gold"), t))
        choose(state, rules, texts[0])


# reading


def words(cards: str) -> np.ndarray:
    """The set of some cards given as text."""
    return card_set(parse_card(card) for card in cards.split())


def cards(word_pair: Any) -> str:
    """A set of cards as text, ascending."""
    return " ".join(card_text(card) for card in cards_in(word_pair))


def market(state: Any) -> str:
    """The market, top first."""
    return " ".join(card_text(card) for card in state.market[: int(state.market_count)])


def grid(state: Any, rules: Any) -> list[str]:
    """The grid, one text a slot, bottom first."""
    stacks = []
    for slot in range(int(rules.grid_slots)):
        card, stack = int(state.grid_top[slot]), []
        while card:
            stack.append(card_text(card))
            card = int(state.under[card])
        stacks.append(" ".join(reversed(stack)))
    return stacks


def tile_number(state: Any, q: int, r: int) -> int:
    """The number of the tile at a cell."""
    found = [t for t in range(int(state.num_tiles)) if int(state.tile_cell[t]) == pack_cell(q, r)]
    assert found, f"no tile at {q},{r}"
    return found[0]


def tile(state: Any, cell: str) -> tuple[str, int | None, int, int]:
    """Terrain, owner, units and coins of the tile at a cell given as text."""
    number = tile_number(state, *unpack_cell(parse_cell(cell)))
    owners = [seat for seat in range(int(state.players)) if int(state.own[seat]) >> number & 1]
    assert len(owners) <= 1
    assert bool(owners) == (int(state.units[number]) > 0), "a tile has an owner exactly while it has units"
    owner = owners[0] if owners else None
    return SUITS[int(state.terrain[number])], owner, int(state.units[number]), int(state.coins[number])


def spot(state: Any, cell: str) -> str:
    """A tile as ``seat:units/coins``, or ``open``."""
    _, owner, units, coins = tile(state, cell)
    return "open" if owner is None else f"{owner}:{units}/{coins}"


def supply(state: Any) -> dict[str, int]:
    """Tiles left by terrain."""
    return {suit: int(state.supply[i]) for i, suit in enumerate(SUITS)}


def tier(rules: Any, reserve: int) -> tuple[int, int, int]:
    """Meld limit, rank cap and wall at a reserve."""
    row = int(rules.tier_of[reserve])
    return int(rules.tier_meld_limit[row]), int(rules.tier_rank_cap[row]), int(rules.tier_wall[row])


def meld_sizes(state: Any) -> list[int]:
    """How many cards lie unresolved in front of each seat."""
    return [len(cards_in(state.meld[seat])) for seat in range(int(state.players))]


def per_seat(state: Any, name: str) -> list[int]:
    """One field of every seat at the table."""
    return [int(value) for value in state[name][: int(state.players)]]


def suited(ranks: Iterable[int], taken: set[str]) -> str:
    """Cards of some ranks, each in the first suit not yet in ``taken``; adds them to it."""
    found = []
    for rank in ranks:
        card = next(f"{rank}{suit}" for suit in SUITS if f"{rank}{suit}" not in taken)
        taken.add(card)
        found.append(card)
    return cards(words(" ".join(found)))


def end_round(state: Any, rules: Any, last: int, order: Iterable[int] | None = None) -> None:
    """Jump to the turn of the last seat in the order, its meld empty, and end that turn: the round ends."""
    listed = list(order) if order is not None else [s for s in range(int(rules.players)) if s != last] + [last]
    start_turn(state, rules, last, order=listed)
    choose(state, rules, "end")

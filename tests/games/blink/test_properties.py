"""What holds in every game, whatever the ruleset and the choices (sections 2, 3, 3.13 and 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blinksim.games.blink import engine
from blinksim.games.blink.check import legal_by_check, why_not
from blinksim.games.blink.enums import Decision, Outcome
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.invariants import MEANINGS, broken_invariant
from blinksim.games.blink.observe import observe
from blinksim.games.blink.position import neighbours
from blinksim.games.blink.scoring import score
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.games.blink.text import action_text, parse_action
from blinksim.games.cards import add_card, cards_in, remove_card
from blinksim.games.hexmap import unpack_cell
from tests.games.blink.plans import (
    MAX_ROUNDS,
    RULESETS,
    STYLES,
    Plan,
    bounded,
    copy,
    decisions,
    packed,
    plans,
    position,
    view_of,
)

# The whole of a game


def check_whole_game(plan: Plan, state: Any = None) -> None:
    """Invariants after every action, no choice listed twice, tiles that stay, a market that never shrinks, an end."""
    engine.ready(checked=True)
    rules = plan.rules
    tiles, market, last = 0, 0, None
    cells: bytes = b""
    for now, legal in decisions(plan, state):
        broken = int(broken_invariant(now, rules))
        assert broken == 0, f"{plan}, ply {now.ply}: {MEANINGS[broken]}"
        assert 0 < len(legal) == len(set(legal.tolist())), f"{plan}, ply {now.ply}: a choice is listed twice, or none"
        num_tiles = int(now.num_tiles)
        assert num_tiles >= tiles
        assert now.tile_cell[:tiles].tobytes() == cells, f"{plan}, ply {now.ply}: a tile has moved"
        tiles, cells = num_tiles, now.tile_cell[:num_tiles].tobytes()
        if now.decision != Decision.TRADE_BURY:
            assert now.market_count >= market, f"{plan}, ply {now.ply}: the market has shrunk (section 8, 8)"
            market = int(now.market_count)
        last = now
    assert last is not None
    assert broken_invariant(last, rules) == 0
    check_end(plan, last)


def check_end(plan: Plan, state: Any) -> None:
    """A game that has ended is one of the three outcomes, within its rounds, and its scores add up (section 3.13)."""
    rules = plan.rules
    end = int(state.round_number)
    assert state.decision == Decision.OVER
    assert end <= int(rules.max_rounds) + int(rules.extra_rounds)
    if state.outcome == Outcome.STALLED:
        assert state.armed == 0
        assert end == rules.max_rounds
        return
    assert state.armed != 0
    assert end == state.last_round
    results = [result(state, rules, seat) for seat in range(plan.players)]
    points = np.zeros(4, np.int64)
    for seat in range(plan.players):
        score(state, rules, seat, points)
        assert int(points.max()) == sum(results[seat][1:4]) == results[seat][0]
    breaks = [int(rules.tie_breaks[i]) for i in range(int(rules.num_tie_breaks))]
    keys = [(r[0], *(r[1 + (3, 0, 1, 2)[b]] for b in breaks)) for r in results]
    assert state.outcome == (Outcome.WON if keys.count(max(keys)) == 1 else Outcome.SHARED)


def result(state: Any, rules: Any, seat: int) -> tuple[int, int, int, int, int]:
    """Total, units, row, objectives and gold of a seat, counted from section 3.13 and 5 alone."""
    own = [t for t in range(int(state.num_tiles)) if int(state.own[seat]) >> t & 1]
    units = sum(int(state.units[t]) for t in own) * int(rules.points_per_unit)
    ranks = sorted(card >> 2 for card in cards_in(state.row[seat]))
    row = len(ranks) * int(rules.points_per_card)
    centre = (int(rules.slots) + 1) // 2
    if rules.centre_scores and len(ranks) >= rules.centre_min_cards:
        row += ranks[len(ranks) - centre]
    terrain = {unpack_cell(int(state.tile_cell[t])): int(state.terrain[t]) for t in own}
    held = 0
    for i in range(int(state.num_objectives[seat])):
        code = int(state.objectives[seat, i])
        middle, ends = code >> 4, Counter([code >> 2 & 3, code & 3])
        for cell in terrain:
            around = Counter(terrain[other] for other in neighbours(cell) if other in terrain)
            held += terrain[cell] == middle and all(around[end] >= count for end, count in ends.items())
    objectives = held * int(rules.objective_points)
    return units + row + objectives, units, row, objectives, int(state.gold[seat])


@given(plans())
@bounded(30)
def test_every_action_keeps_the_invariants_and_games_end(plan: Plan) -> None:
    check_whole_game(plan)


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_plays_to_an_end(name: str) -> None:
    number = list(RULESETS).index(name)
    check_whole_game(Plan(name, 2 + number % 3, number, STYLES[number % 4]))


@pytest.mark.full
@given(plans())
@bounded(600)
def test_every_action_keeps_the_invariants_and_games_end_in_many_games(plan: Plan) -> None:
    check_whole_game(plan)


@pytest.mark.full
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_plays_to_an_end_with_every_player_count(name: str, players: int, style: str) -> None:
    for seed in range(2):
        check_whole_game(Plan(name, players, seed, style))


# Listing, checking, texts


def check_listing(plan: Plan, every: int, universe: int) -> None:
    """At some decisions the check allows what is listed and texts lead back; at fewer, nothing else is allowed.

    Args:
        plan: What to play.
        every: How many plies from one look to the next.
        universe: How many looks from one comparison with every conceivable choice to the next.
    """
    looks = 0
    seen: set[int] = set()
    for state, legal in decisions(plan):
        decision = int(state.decision)
        if decision in seen and (int(state.ply) + plan.seed) % every:
            continue
        first = decision not in seen
        seen.add(decision)
        looks += 1
        for action in legal.tolist()[:: 1 + len(legal) // 60]:
            reason = why_not(state, plan.rules, action)
            text = action_text(state, action)
            assert reason is None, f"{plan}, ply {state.ply}: {text} is listed, but {reason}"
            assert parse_action(state, plan.rules, text) == action, f"{plan}, ply {state.ply}: {text}"
        if looks % universe == 0 or (first and decision != Decision.ACT):
            listed, allowed = set(legal.tolist()), legal_by_check(state, plan.rules)
            assert [action_text(state, a) for a in listed ^ allowed] == [], f"{plan}, ply {state.ply}"


@given(plans())
@bounded(8)
def test_what_is_listed_is_what_the_check_allows(plan: Plan) -> None:
    check_listing(plan, every=61, universe=9)


@pytest.mark.full
@given(plans())
@bounded(100)
def test_what_is_listed_is_what_the_check_allows_in_many_games(plan: Plan) -> None:
    check_listing(plan, every=29, universe=12)


# Copies and imagined states


@given(plans(), st.integers(0, 900))
@bounded(12)
def test_a_copy_is_independent_and_plays_alike(plan: Plan, ply: int) -> None:
    original = position(plan, ply)
    before = original.tobytes()
    rules = plan.rules.tobytes()
    ends = []
    for _ in range(2):
        played = copy(original)
        for _ in decisions(plan, played):
            pass
        ends.append(played.tobytes())
    assert original.tobytes() == before
    assert plan.rules.tobytes() == rules
    assert ends[0] == ends[1] != before


@given(plans(), st.integers(0, 900), st.integers(0, 3), st.integers(1, 2**64 - 1))
@bounded(15)
def test_an_imagined_state_plays_to_an_end(plan: Plan, ply: int, seat: int, seed: int) -> None:
    state = position(plan, ply)
    view = new_records(VIEW)[0]
    observe(state, plan.rules, seat % plan.players, view)
    imagined = new_records(STATE)[0]
    imagine(view, plan.rules, np.array([seed], np.uint64), imagined)
    check_whole_game(plan, imagined)


def test_looking_changes_nothing() -> None:
    """Section 2.1: listing, observing, checking and scoring read the state only."""
    plan = Plan("standard", 3, 7, "grow")
    actions = np.zeros(8192, np.int64)
    points = np.zeros(4, np.int64)
    for ply in range(0, 400, 23):
        state = position(plan, ply)
        before = state.tobytes()
        engine.ready()["listing"](state, plan.rules, actions)
        broken_invariant(state, plan.rules)
        for seat in range(3):
            view_of(state, plan.rules, seat)
            score(state, plan.rules, seat, points)
        assert state.tobytes() == before


# The checker of the invariants is not blind


def rich_position() -> Any:
    """A map turn of a three-player game with coins, rows, discards, a market and a deck, and its rules."""
    plan = Plan("standard", 3, 83, "hoard")
    for state, _ in decisions(plan):
        num_tiles = int(state.num_tiles)
        if (
            state.decision == Decision.ACT
            and state.upgrade_count > 1
            and state.market_count > 8
            and all(state.hand_size[:3] > 0)
            and state.meld[:3].any()
            and num_tiles > plan.rules.start_tiles
            and any(state.coins[:num_tiles] > 0)
            and any(state.units[:num_tiles] == 0)
            and int(state.own[0]) & ~int(state.with_room)
            and state.row[:3].any(axis=1).all()
        ):
            return copy(state)
    raise AssertionError("the game never came to such a position; take another seed")


def first_tile(state: Any, fits: Callable[[int], bool]) -> int:
    return next(t for t in range(int(state.num_tiles)) if fits(t))


def move_hand_card(state: Any) -> None:
    card = cards_in(state.hand[0])[0]
    remove_card(state.hand[0], card)
    add_card(state.discard[0], card)


def extra_hand_card(state: Any) -> None:
    add_card(state.hand[1], int(state.market[0]))
    state.hand_size[1] += 1


def swap_hand_card_for_a_double(state: Any) -> None:
    remove_card(state.hand[1], cards_in(state.hand[1])[0])
    add_card(state.hand[1], int(state.market[0]))


def lose_row_card(state: Any) -> None:
    remove_card(state.row[2], cards_in(state.row[2])[0])


def double_market_card(state: Any) -> None:
    state.market[1] = state.market[0]


def strange_card(state: Any) -> None:
    remove_card(state.row[0], cards_in(state.row[0])[0])
    add_card(state.row[0], 30 * 4)


def overfull_row(state: Any) -> None:
    while len(cards_in(state.row[0])) < 6:
        state.market_count -= 1
        add_card(state.row[0], int(state.market[int(state.market_count)]))
        state.market[int(state.market_count)] = 0


def two_coins_on_one(state: Any) -> None:
    tile = first_tile(state, lambda t: state.units[t] > 0)
    state.coins[tile] = state.units[tile] + 1


def coin_on_nobody(state: Any) -> None:
    state.coins[first_tile(state, lambda t: state.units[t] == 0)] = 1


def owner_without_units(state: Any) -> None:
    tile = first_tile(state, lambda t: state.units[t] == 0)
    state.own[0] |= np.uint64(1 << tile)


def too_many_units(state: Any) -> None:
    """A unit more on a full tile of seat 0, taken from its reserve."""
    full = first_tile(state, lambda t: int(state.own[0]) >> t & 1 == 1 and not int(state.with_room) >> t & 1)
    state.units[full] += 1
    state.reserve[0] -= 1


def wrong_room(state: Any) -> None:
    state.with_room ^= np.uint64(1)


def lonely_tile(state: Any) -> None:
    state.neighbours[int(state.num_tiles) - 1] = 0


def deck_forgets(state: Any) -> None:
    remove_card(state.deck, int(state.upgrade[0]))


def deck_remembers_too_much(state: Any) -> None:
    add_card(state.deck, int(state.grid_top[0]))


def deep_slot(state: Any) -> None:
    state.grid_depth[4] += 1


def empty_slot(state: Any) -> None:
    state.grid_top[2] = 0
    state.grid_depth[2] = 0


def meld_left_at_meld(state: Any) -> None:
    state.decision = int(Decision.MELD)


def false_memory(state: Any) -> None:
    state.seen_hand[0, 1] = state.row[0]
    state.unsure[0, 1] = 0


def false_common_memory(state: Any) -> None:
    state.public_seen[2] = state.row[1]
    state.public_unsure[2] = 0


def field(name: str, seat: int, change: int) -> Callable[[Any], None]:
    """A mistake in one number of one seat, or terrain."""

    def plant(state: Any) -> None:
        state[name][seat] += change

    return plant


def whole(name: str, value: int) -> Callable[[Any], None]:
    """A wrong number that belongs to no seat."""

    def plant(state: Any) -> None:
        state[name] = value

    return plant


MISTAKES: list[tuple[str, int, Callable[[Any], None]]] = [
    ("a hand counted wrongly", 1, field("hand_size", 1, 1)),
    ("a hand card moved without its count", 1, move_hand_card),
    ("a card more in a hand", 1, extra_hand_card),
    ("a card twice, another lost", 2, swap_hand_card_for_a_double),
    ("a row card lost", 2, lose_row_card),
    ("a market card doubled", 2, double_market_card),
    ("a card that is not in the deck", 2, strange_card),
    ("a tile more in the supply", 3, field("supply", 1, 1)),
    ("a tile less in the supply", 3, field("supply", 3, -1)),
    ("a unit more in reserve", 4, field("reserve", 0, 1)),
    ("a unit less in reserve", 4, field("reserve", 2, -1)),
    ("more coins than units", 5, two_coins_on_one),
    ("a coin on an empty tile", 5, coin_on_nobody),
    ("an owner without units", 5, owner_without_units),
    ("more units than the tile holds", 5, too_many_units),
    ("room wrongly noted", 5, wrong_room),
    ("a tile laid touching none", 6, lonely_tile),
    ("an overfull row", 7, overfull_row),
    ("negative gold", 7, field("gold", 1, -500)),
    ("two cards spent in a round", 7, field("spends", 2, 2)),
    ("a deck card unknown to the set", 8, deck_forgets),
    ("a set that names a card beyond the deck", 8, deck_remembers_too_much),
    ("a stack counted wrongly", 8, deep_slot),
    ("a meld left when melds are due", 9, meld_left_at_meld),
    ("an empty slot beside a full deck", 10, empty_slot),
    ("negative movements", 11, whole("moves_left", -1)),
    ("a water advantage too many", 11, whole("water_used", 2)),
    ("an improvement too many", 11, whole("improve_used", 3)),
    ("a seat remembers what is not so", 12, false_memory),
    ("everybody remembers what is not so", 12, false_common_memory),
]


@pytest.fixture(scope="module")
def sound() -> Any:
    return rich_position()


@pytest.mark.parametrize(("name", "number", "plant"), MISTAKES, ids=[name for name, _, _ in MISTAKES])
def test_a_planted_mistake_is_found(sound: Any, name: str, number: int, plant: Callable[[Any], None]) -> None:
    rules = packed("standard", 3)[0]
    state = copy(sound)
    assert broken_invariant(state, rules) == 0
    plant(state)
    assert broken_invariant(state, rules) == number


def test_an_empty_hand_is_found_when_a_meld_is_due() -> None:
    """Section 8, 9."""
    plan = Plan("standard", 3, 3)
    state = next(copy(s) for s, _ in decisions(plan) if s.decision == Decision.MELD)
    assert broken_invariant(state, plan.rules) == 0
    state.discard[0] = state.hand[0]
    state.hand[0] = 0
    state.hand_size[0] = 0
    assert broken_invariant(state, plan.rules) == 9


def test_every_invariant_has_a_planted_mistake() -> None:
    assert {number for _, number, _ in MISTAKES} == set(MEANINGS)


def test_the_cap_of_these_games_is_below_the_rulesets_own() -> None:
    """Games of plans stop at ``MAX_ROUNDS`` or earlier, so that a stalled one is among them at little cost."""
    assert packed("standard", 3)[0].max_rounds == MAX_ROUNDS
    assert packed("stalls", 2)[0].max_rounds == 3

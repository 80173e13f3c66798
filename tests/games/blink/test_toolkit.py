"""The questions that strategies ask, as tables: position or cards, question, answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blinksim.games.blink import engine, observe, toolkit, toolkit_cards
from blinksim.games.blink.actions import positions_action
from blinksim.games.blink.duel import defender_holds
from blinksim.games.blink.enums import Kind
from blinksim.games.blink.mapping import NONE, occupied
from blinksim.games.blink.objectives import count_arrangements, parse_objective
from blinksim.games.blink.scoring import row_score
from blinksim.games.blink.state import VIEW, new_records
from blinksim.games.cards import SUITS, bit, card_set, parse_card
from tests.games.blink.positions import (
    add_tile,
    add_units,
    choose,
    fresh,
    legal_actions,
    rules_for,
    set_hand,
    set_meld,
    set_objectives,
    set_row,
    start_turn,
    tile_number,
    words,
)


def seen(state: Any, rules: Any, seat: int = 0) -> Any:
    """What a seat sees of a position."""
    engine.compile_part("observing")
    view = new_records(VIEW)[0]
    observe.observe(state, rules, seat, view)
    return view


def midgame(players: int = 3, changes: dict[str, Any] | None = None) -> tuple[Any, Any]:
    rules = rules_for(players, changes)
    state = fresh(rules, round_number=3)
    return state, rules


# the game


@pytest.mark.parametrize(
    ("armed", "last_round", "last", "left"), [(0, 0, False, 8.6), (1, 4, False, 1.0), (1, 3, True, 0.0)]
)
def test_how_long_the_game_goes_on(armed: int, last_round: int, last: bool, left: float) -> None:
    state, rules = midgame()
    state.armed, state.last_round = armed, last_round
    view = seen(state, rules)
    assert toolkit.is_last_round(view) == last
    assert toolkit.rounds_left(view, rules) == pytest.approx(left)  # nobody settled: 19 / 2.5 and the extra round


@pytest.mark.parametrize(("gold", "weight"), [(0, 1.2), (1, 0.8), (2, 0.8), (3, 0.3), (20, 0.3)])
def test_coins_are_dear_while_they_buy_improvements(gold: int, weight: float) -> None:
    state, rules = midgame()
    assert toolkit.coin_weight(seen(state, rules), rules, gold) == pytest.approx(weight)
    state.armed, state.last_round = 1, 3
    assert toolkit.coin_weight(seen(state, rules), rules, gold) < 0.05


def test_an_arrangement_counts_in_full_at_the_end() -> None:
    state, rules = midgame()
    assert toolkit.arrangement_weight(seen(state, rules), rules, 0.25) == pytest.approx(0.25)
    state.armed, state.last_round = 1, 3
    assert toolkit.arrangement_weight(seen(state, rules), rules, 0.25) == pytest.approx(1.0)


# room


def test_room_counts_own_and_open_tiles_in_reach() -> None:
    """Homeland with 1 of 3 units, two open Mountains, a Forest open and one half full, Ocean full, a rival's Plains."""
    state, rules = midgame()
    add_tile(state, rules, -1, 1, "F", 0, 1)
    add_tile(state, rules, 0, -1, "O", 0, 1)
    add_tile(state, rules, -2, 1, "P", 1, 1)
    add_tile(state, rules, -2, 0, "F")
    room = np.zeros(4, np.int64)
    view = seen(state, rules)
    total = toolkit.room_by_terrain(view, rules, room)
    assert dict(zip(SUITS, room.tolist(), strict=True)) == {"P": 2, "F": 3, "O": 0, "M": 2}
    assert total == 7
    assert int(toolkit.open_tiles(view)) & int(occupied(view)) == 0
    assert toolkit.tiles_of_rivals(view) == (occupied(view) & ~view.own[0])


@pytest.mark.parametrize(
    ("cards", "room", "holds", "supply", "worth"),
    [
        (0, 3, 3, 9, 0.0),
        (2, 3, 3, 9, 2.0),
        (3, 2, 3, 9, 2.5),  # two units and a tile
        (4, 2, 3, 9, 3.5),  # two units, a tile, one unit on it
        (3, 0, 1, 9, 2.0),  # tile, unit, tile
        (3, 1, 3, 0, 1.2),  # no tile left: two coins
    ],
)
def test_what_cards_of_a_suit_bring(cards: int, room: int, holds: int, supply: int, worth: float) -> None:
    assert toolkit.worth_of_suit(cards, room, holds, supply, 0.5, 0.1) == pytest.approx(worth)


# objectives


@pytest.mark.parametrize(
    "names", [("ocean_mountain", "mountain_ocean"), ("forest_plains",), ("ocean_forest_mountain",)]
)
def test_a_further_tile_completes_what_the_count_says(names: tuple[str, ...]) -> None:
    """For every open tile: the arrangements it completes are those that appear once it is taken (section 5)."""
    state, rules = midgame()
    for q, r, terrain in [
        (1, -1, "O"),
        (0, -1, "F"),
        (-1, 1, "O"),
        (-2, 1, "P"),
        (-2, 2, "F"),
        (-1, 2, "M"),
        (-2, 0, "O"),
        (-1, -1, "P"),
    ]:
        add_tile(state, rules, q, r, terrain)
    for q, r in [(0, 0), (0, -1), (-1, 1), (-2, 2)]:
        add_units(state, rules, q, r, 0, 1)
    set_objectives(state, 0, *names)
    codes = [parse_objective(name) for name in names]
    view = seen(state, rules)
    completed = 0
    for tile in range(int(state.num_tiles)):
        if int(toolkit.open_tiles(view)) >> tile & 1 == 0:
            continue
        before = sum(int(count_arrangements(state, 0, code)) for code in codes)
        after = state.copy()
        after.own[0] |= bit(tile)
        gained = sum(int(count_arrangements(after, 0, code)) for code in codes) - before
        assert toolkit.tile_pattern_worth(view, view.own[0], tile, 0.0) == gained
        assert toolkit.tile_pattern_worth(view, view.own[0], tile, 0.1) >= gained
        completed += gained
    assert completed > 0


def test_a_step_on_the_way_counts_a_part() -> None:
    state, rules = midgame()
    add_tile(state, rules, -1, 1, "O")
    set_objectives(state, 0, "plains_ocean")
    view = seen(state, rules)
    assert toolkit.tile_pattern_worth(view, view.own[0], tile_number(state, -1, 1), 0.3) == pytest.approx(0.3)
    assert toolkit.pattern_worth(view, NONE, 2, bit(0), 0.3) == 0.0


def test_objectives_at_hand_are_easier() -> None:
    state, rules = midgame()
    set_hand(state, 0, "1P 2P 3P 4M 5M 6P 7M 8P 9M 10P")
    view = seen(state, rules)
    near, far = parse_objective("plains_mountain"), parse_objective("forest_ocean")
    assert toolkit.objective_ease(view, near) > toolkit.objective_ease(view, far)


# duels


@pytest.mark.parametrize("level", ["attacker_unless_native", "attacker", "defender"])
@pytest.mark.parametrize("wall", [0, 10, 18])
def test_the_breaking_rank_is_the_lowest_that_wins(level: str, wall: int) -> None:
    rules = rules_for(3, {"duel": {"level_total": level}})
    for terrain in range(4):
        wins = [rank for rank in range(1, 25) if not defender_holds(rules, terrain, rank, wall, 0)]
        assert toolkit.breaking_rank(rules, terrain, wall) == wins[0]


@pytest.mark.parametrize(
    ("attack", "terrain", "wall", "known", "answered"),
    [
        ("8P", "P", 0, "9F", 1.0),
        ("8P", "P", 0, "8F", 0.0),  # off-suit level: the attacker wins
        ("8F", "F", 0, "7F", 1.0),  # native level: the defender holds
        ("8F", "F", 0, "7O", 0.0),
        ("9M", "M", 0, "8P", 1.0),
        ("11P", "P", 10, "10F", 0.0),  # not above the wall
        ("11P", "P", 10, "12F", 1.0),
    ],
)
def test_known_hands_answer_for_sure(attack: str, terrain: str, wall: int, known: str, answered: float) -> None:
    state, rules = midgame()
    set_hand(state, 1, known)
    state.seen_hand[0, 1] = words(known)
    view = seen(state, rules)
    rank = parse_card(attack) >> 2
    assert toolkit.answer_chance(view, rules, 1, SUITS.index(terrain), wall, rank) == answered


def test_unknown_hands_answer_perhaps() -> None:
    state, rules = midgame()
    chances = []
    for size in (0, 1, 4):
        state.hand_size[1] = size
        chances.append(float(toolkit.answer_chance(seen(state, rules), rules, 1, 0, 0, 8)))
    assert chances[0] == 0.0
    assert chances[1] == pytest.approx(3 / 11)  # 9, 10 and 11 of eleven ranks
    assert chances[1] < chances[2] < 1.0
    state.seen_hand[0, 1] = words("9F")
    state.hand_size[1], state.unsure[0, 1] = 1, 1
    assert 0.0 < toolkit.answer_chance(seen(state, rules), rules, 1, 0, 0, 8) < 1.0


def test_a_capture_needs_the_rank_and_a_silent_owner() -> None:
    state, rules = midgame()
    add_units(state, rules, 1, 0, 1, 1)
    tile = tile_number(state, 1, 0)
    assert toolkit.owner(seen(state, rules), tile) == 1
    assert toolkit.owner(seen(state, rules), tile_number(state, 0, 0)) == -1
    assert toolkit.capture_chance(seen(state, rules), rules, 1, tile, 1) == 0.0
    assert toolkit.capture_chance(seen(state, rules), rules, 1, tile, 2) == 1.0  # an empty hand
    state.coins[tile] = 1
    assert toolkit.wall_on(seen(state, rules), rules, tile, 1) == 12  # 18 in reserve: Settlement
    assert toolkit.capture_chance(seen(state, rules), rules, 1, tile, 14) == 0.0
    assert toolkit.capture_chance(seen(state, rules), rules, 1, tile, 15) == 1.0


def test_a_prize_is_my_unit_and_the_one_sent_home() -> None:
    state, rules = midgame()
    add_units(state, rules, 1, 0, 1, 1)
    tile = tile_number(state, 1, 0)
    assert toolkit.prize(seen(state, rules), rules, 1, tile, 0.5) == 1.0  # it falls back to its homeland
    add_units(state, rules, 2, -1, 1, 2)  # which is full now
    assert toolkit.prize(seen(state, rules), rules, 1, tile, 0.5) == 1.5
    assert toolkit.prize(seen(state, rules), rules, 1, tile_number(state, 2, -1), 0.5) == 0.5


def test_threats_come_from_neighbours_with_the_suit() -> None:
    state, rules = midgame()
    add_units(state, rules, 0, 0, 0, 1)
    tile = tile_number(state, 0, 0)
    assert toolkit.threat(seen(state, rules), rules, tile, 0) == 0.0
    add_units(state, rules, 1, 0, 1, 1)
    assert toolkit.threat(seen(state, rules), rules, tile, 0) == 0.0  # an empty hand
    state.hand_size[1] = 5
    unknown = float(toolkit.threat(seen(state, rules), rules, tile, 0))
    set_hand(state, 1, "9M")
    state.seen_hand[0, 1] = words("9M")
    known = float(toolkit.threat(seen(state, rules), rules, tile, 0))
    assert toolkit.threat(seen(state, rules), rules, tile, 1) == 0.0  # 10 and 2 for the Mountain
    set_meld(state, 1, "9M")
    assert 0.0 < unknown < known < toolkit.threat(seen(state, rules), rules, tile, 0)


def test_moves_that_make_room_or_objectives_are_worth_something() -> None:
    state, rules = midgame()
    add_units(state, rules, -1, 0, 0, 2)
    view = seen(state, rules)
    home, mountain = tile_number(state, -1, 0), tile_number(state, 0, 0)
    assert toolkit.move_worth(view, home, mountain, True, 0.1, 2.0, 0.0) > 0.9
    assert 0.0 < toolkit.move_worth(view, home, mountain, False, 0.1, 2.0, 0.0) < 0.2
    add_units(state, rules, 0, 0, 0, 1)
    view = seen(state, rules)
    assert toolkit.move_worth(view, mountain, home, False, 0.1, 2.0, 0.0) < 0.0


# melds and tricks


@pytest.mark.parametrize(
    ("cards", "limit", "total"),
    [
        ("5P 6F 8P 8F 4M", 2, 16),
        ("5P 6F 7O 11M", 3, 18),
        ("11M", 2, 11),
        ("9P 9F 10M 10O 11P", 4, 40),
        ("1P 3F 5O", 6, 5),
    ],
)
def test_the_best_total_of_a_hand(cards: str, limit: int, total: int) -> None:
    assert toolkit_cards.best_total(words(cards), limit) == total


def test_a_known_hand_is_expected_to_lay_its_best() -> None:
    state, rules = midgame()
    set_hand(state, 1, "5P 6F 9O")
    set_hand(state, 2, "3P 4P 8F")
    unknown = float(toolkit_cards.likely_total(seen(state, rules), rules, 1))
    state.seen_hand[0, 1], state.seen_hand[0, 2] = state.hand[1], state.hand[2]
    view = seen(state, rules)
    assert toolkit_cards.meld_limit(view, rules, 1) == 2
    assert toolkit_cards.likely_total(view, rules, 1) == 11.0
    assert unknown == pytest.approx(0.62 * 11 * 2)
    assert toolkit_cards.total_to_beat(view, rules) == 11.0
    assert toolkit_cards.largest_rival_meld(view, rules) == 2


@pytest.mark.parametrize(("total", "chance"), [(5, 0.02), (8, 0.25), (11, 0.5), (14, 0.75), (30, 0.98)])
def test_the_chance_of_a_total(total: int, chance: float) -> None:
    assert toolkit_cards.win_chance(total, 11.0, 6.0) == pytest.approx(chance)


def test_open_totals_count_melds_and_declared_cards() -> None:
    state, rules = midgame()
    for seat, meld in enumerate(["4P 5P", "9F", "1M"]):
        set_meld(state, seat, meld)
    state.declared[2] = parse_card("12O")
    view = seen(state, rules)
    assert [int(toolkit_cards.open_total(view, seat)) for seat in range(3)] == [9, 9, 13]
    assert toolkit_cards.best_open_total(view) == 13


# hands


def test_suits_and_companions_are_counted() -> None:
    hand = words("3P 4P 4F 5M 9O")
    counts = np.zeros(4, np.int64)
    toolkit_cards.count_suits(hand, counts)
    assert counts.tolist() == [2, 1, 1, 1]
    listed = np.zeros(16, np.int64)
    assert toolkit_cards.list_cards(hand, listed) == 5
    assert listed[:5].tolist() == [parse_card(card) for card in ("3P", "4P", "4F", "5M", "9O")]
    for card, mates in [("4P", 3), ("3P", 2), ("9O", 0), ("4M", 4), ("10F", 1)]:
        assert toolkit_cards.num_beside(hand, parse_card(card)) == mates


def test_the_worst_cards_are_given_away() -> None:
    by_suit = np.array([0.6, 0.4, 0.2, 0.2])
    assert toolkit_cards.worst_positions(words("1O 2P 7P 8F 11M"), 2, by_suit, 0.1, 0.0) == 0b00011
    assert (
        toolkit_cards.worst_positions(words("1O 2P 7P 8F 11M"), 1, np.array([0.0, 9.0, 9.0, 9.0]), 0.1, 0.0) == 0b00010
    )
    joined = toolkit_cards.worst_positions(words("5P 6F 7O 11M"), 1, np.zeros(4), 0.0, 1.0)
    assert joined == 0b1000  # the 11 joins no meld


def test_the_worst_pair_is_buried() -> None:
    state, rules = midgame()
    start_turn(state, rules, 0)
    set_hand(state, 0, "3P 9M")
    state.gold[0] = 1
    choose(state, rules, "trade")
    actions = np.array(legal_actions(state, rules))
    index = toolkit_cards.worst_burial(state.hand[0], actions, len(actions), np.zeros(4), 1.0, 0.0)
    buried = {int(actions[index]) >> 5 & 127, int(actions[index]) >> 12 & 127}
    assert sorted(buried) == sorted(int(card) for card in np.sort(hand_cards(state))[:2])


def hand_cards(state: Any) -> list[int]:
    listed = np.zeros(16, np.int64)
    return listed[: int(toolkit_cards.list_cards(state.hand[0], listed))].tolist()


def test_an_action_is_found_in_the_list() -> None:
    actions = np.array([positions_action(int(Kind.PASS), p) for p in (3, 5, 6)])
    assert toolkit_cards.index_of(actions, 3, positions_action(int(Kind.PASS), 5)) == 1


# the victory row


@pytest.mark.parametrize(
    "row", ["", "12P", "3P 3F 3M", "4P 5F 12O 12M 19P", "1P 20P 20F 20O 20M", "9P 17F", "6P 9P 14P 17P"]
)
def test_row_points_are_the_row_s_score(row: str) -> None:
    rules = rules_for()
    cards = words(row)
    assert toolkit_cards.row_points(rules, cards[0], cards[1]) == row_score(rules, cards)


@pytest.mark.parametrize(
    ("row", "card", "change"),
    [
        ("6P 9P", "17P", 7),  # three cards, 6 in the centre
        ("4P 5P 6P 7P 9P", "8P", 1),  # the 4 leaves, 7 is the centre
        ("4P 5P 6P 7P 9P", "3P", 0),  # the 3 itself leaves
        ("6P 9P 17P", "17P", -7),
        ("8P 9P 10P 11P 12P", "8P", -1),
    ],
)
def test_what_a_card_changes(row: str, card: str, change: int) -> None:
    """With one card more, or without one of its own (RW1, RW2 and section 3.13)."""
    state, rules = midgame()
    set_row(state, 0, row)
    assert toolkit_cards.row_change(seen(state, rules), rules, parse_card(card)) == change


def test_row_cards_are_worth_more_near_the_end() -> None:
    state, rules = midgame()
    set_row(state, 0, "9P")
    card = parse_card("9P")
    early = float(toolkit_cards.row_card_worth(seen(state, rules), rules, card, 1.0))
    state.reserve[:3] = 5
    late = float(toolkit_cards.row_card_worth(seen(state, rules), rules, card, 1.0))
    assert early == 0.0 < late
    state.armed, state.last_round = 1, 3
    assert toolkit_cards.row_card_worth(seen(state, rules), rules, card, 1.0) == 1.0


def test_cards_of_a_suit_from_a_rank_on() -> None:
    cards = card_set(parse_card(card) for card in ("3P", "9P", "16P", "20P", "9F"))
    assert [int(toolkit.num_of_suit(cards, 0, rank)) for rank in (0, 4, 10, 17, 21)] == [4, 3, 2, 1, 0]
    assert toolkit.num_of_suit(cards, 1, 9) == 1

"""Deals: what is shuffled from which stream, and how a deal lies on the table after the shifts."""

import numpy as np
import pytest

from blinksim.games.blink import deals as d
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.enums import ObjectiveMode
from blinksim.games.blink.objectives import parse_objective
from blinksim.games.blink.rules_record import RULES
from blinksim.games.cards import card_text

OBJECTIVES = np.arange(100, 112)


def rules_for(players: int = 3, **changes: int) -> np.record:
    rules = np.zeros(1, dtype=RULES).view(np.recarray)
    standard = dict(rank_min=1, rank_max=20, starting_rank_max=11, hand_size=10, objectives_dealt=2)
    for name, value in {**standard, "objective_mode": ObjectiveMode.SHOW_ONE, "players": players, **changes}.items():
        rules[0][name] = int(value)
    return rules[0]


def shuffled(items: list[int], key: tuple[int, ...], seed: int = 7) -> list[int]:
    words = np.random.SeedSequence(seed, spawn_key=key).generate_state(len(items), np.uint64)
    return np.array(items)[np.argsort(words, kind="stable")].tolist()


def test_each_deck_is_a_shuffle_from_its_own_stream() -> None:
    deals = d.make_deals(rules_for(3), 7, 10, 4, OBJECTIVES)
    assert deals.starting_decks.shape == (4, 44) and deals.upgrade_decks.shape == (4, 36)
    for i in range(4):
        key = (3, 10 + i)
        assert deals.starting_decks[i].tolist() == shuffled(list(range(4, 48)), (*key, 1))
        assert deals.upgrade_decks[i].tolist() == shuffled(list(range(48, 84)), (*key, 2))
        assert deals.objectives[i].tolist() == shuffled(OBJECTIVES.tolist(), (*key, 3))
        word = np.random.SeedSequence(7, spawn_key=(*key, 0)).generate_state(1, np.uint64)[0]
        assert deals.start_players[i] == int(word) % 3
    assert {card_text(c) for c in deals.starting_decks[0]} == {f"{r}{s}" for r in range(1, 12) for s in "PFOM"}


def test_a_deal_does_not_depend_on_how_many_are_made() -> None:
    rules = rules_for(4)
    many, one = d.make_deals(rules, 2**64 - 1, 0, 9, OBJECTIVES), d.make_deals(rules, 2**64 - 1, 6, 1, OBJECTIVES)
    for whole, part in zip(many[1:], one[1:], strict=True):
        assert whole[6].tolist() == part[0].tolist()


def test_a_changed_deck_leaves_the_other_streams_alone() -> None:
    usual = d.make_deals(rules_for(3), 7, 0, 2, OBJECTIVES)
    changed = d.make_deals(rules_for(3, rank_max=22), 7, 0, 2, OBJECTIVES[:6], start_player=2)
    assert changed.upgrade_decks.shape == (2, 44) and changed.objectives.shape == (2, 6)
    assert changed.starting_decks.tolist() == usual.starting_decks.tolist()
    assert changed.start_players.tolist() == [2, 2]


def test_start_players_are_all_seats() -> None:
    assert set(d.make_deals(rules_for(4), 1, 0, 60, OBJECTIVES).start_players.tolist()) == {0, 1, 2, 3}


def test_worked_seating_of_the_identity_page() -> None:
    """3p/d12/v1/l1/h2/s1/r0: slot 1 has the hand of 0 on seat 1, slot 0 that of 2 on seat 0, slot 2 that of 1 on 2."""
    rules = rules_for(3)
    deals = d.make_deals(rules, 7, 12, 1, OBJECTIVES)
    laid = d.table_deal(rules, deals, 12, hand_shift=2, seat_shift=1)
    table = laid.deal()
    assert [int(d.seat_of_slot(slot, 3, 2, 1)) for slot in range(3)] == [0, 1, 2]
    assert laid.slot_of_seat == (0, 1, 2)
    position_on_seat = {1: 0, 0: 2, 2: 1}
    for seat, position in position_on_seat.items():
        assert int(d.position_of_seat(seat, 3, 1)) == position
        assert list(table.starting_deck[10 * seat : 10 * seat + 10]) == (
            deals.starting_decks[0, 10 * position : 10 * position + 10].tolist()
        )
        assert (
            list(table.objectives[2 * seat : 2 * seat + 2])
            == deals.objectives[0, 2 * position : 2 * position + 2].tolist()
        )
    assert list(table.starting_deck[30:]) == deals.starting_decks[0, 30:].tolist()
    assert list(table.objectives[6:]) == deals.objectives[0, 6:].tolist()
    assert list(table.upgrade_deck) == deals.upgrade_decks[0].tolist()
    assert table.start_player == deals.start_players[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shifts_put_every_slot_on_every_seat_with_every_hand(players: int) -> None:
    seen = set()
    for h in range(players):
        for t in range(players):
            for slot in range(players):
                seat = int(d.seat_of_slot(slot, players, h, t))
                assert int(d.slot_of_seat(seat, players, h, t)) == slot
                position = int(d.position_of_seat(seat, players, t))
                assert position == (slot + h) % players
                seen.add((slot, position, seat))
    assert len(seen) == players**3


@pytest.mark.parametrize("mode", [ObjectiveMode.OPEN, ObjectiveMode.NONE])
def test_objectives_of_everybody_or_nobody_stay(mode: ObjectiveMode) -> None:
    rules = rules_for(3, objective_mode=mode)
    deals = d.make_deals(rules, 7, 0, 1, OBJECTIVES)
    assert d.table_deal(rules, deals, 0, 0, 2).objectives.tolist() == deals.objectives[0].tolist()


def test_a_deal_that_was_not_made_is_refused() -> None:
    rules = rules_for(3)
    with pytest.raises(ValueError, match="deal 9 is not among these deals, which are 4 to 6"):
        d.table_deal(rules, d.make_deals(rules, 7, 4, 3, OBJECTIVES), 9)


def test_deals_under_a_ruleset_follow_its_objective_list_and_start_player() -> None:
    names = "ocean_mountain,forest_plains,plains_forest,ocean_plains"
    few = GAME.load_ruleset("standard", [f"objectives.list={names}", "setup.players=2,2"])
    deals = GAME.make_deals(few, 7, 2, 0, 3)
    codes = [parse_objective(name) for name in names.split(",")]
    assert deals.objectives[2].tolist() == shuffled(codes, (2, 2, 3))
    assert deals.starting_decks[2].tolist() == shuffled(list(range(4, 48)), (2, 2, 1))
    fixed = GAME.load_ruleset("standard", ["setup.start_player=2", "setup.players=3,4"])
    assert GAME.make_deals(fixed, 7, 3, 0, 3).start_players.tolist() == [2, 2, 2]

"""What the last turn can make of a row, and whose loss is whose gain."""

from __future__ import annotations

import pytest

from blinksim.games.blink.toolkit_ends import last_row_points, points_after, points_with, rival_share
from tests.games.blink.positions import fresh, legal_actions, rules_for, set_hand, set_reserve, set_row, words
from tests.strategies.tables import view_of


@pytest.mark.parametrize(
    ("row", "hand", "gold", "reserve", "points"),
    [
        ("", "", 9, 5, 0),
        ("6P 9F", "14O", 0, 0, 2),  # no coin: two cards score 1 each
        ("6P 9F", "14O", 1, 0, 9),  # one research: 6 9 14, section 7.10
        ("6P 9F", "14O 17M", 2, 0, 12),  # the second costs two more: 6 sold, 9 14 17
        ("6P 9F", "14O 17M", 3, 0, 13),
        ("6P 9F", "17M 14O 3F", 3, 0, 10),  # 3 and 14 are retired, the lowest first: 3 6 9 14
        ("6P 9F 14O", "17M 18M", 0, 0, 18),  # 6 sold for 3 coins, two researches: 9 14 17 18
        ("3P 9F 12F 13O", "14M", 1, 4, 17),  # 3 9 12 13 14; the 3 for a unit is as good
        ("3P 12F 13F 14O 15M", "16M", 1, 4, 20),  # 3 founds before it is pushed out: 12 13 14 15 16 and a unit
        ("3P 12F 13F 14O 15M", "16M", 1, 0, 19),  # no unit left
        ("17P 18F", "", 0, 2, 3),  # two units for the 17, and a card
    ],
)
def test_last_row_points(row: str, hand: str, gold: int, reserve: int, points: int) -> None:
    """Sections 3.10, 3.12 and 3.13; improvements cost 1 and 2."""
    rules = rules_for()
    state = fresh(rules)
    set_reserve(state, 0, reserve)
    row_set, hand_set = words(row), words(hand)
    assert last_row_points(view_of(state, rules), rules, row_set, hand_set, gold, 0, 2, True) == points
    assert (row_set == words(row)).all() and (hand_set == words(hand)).all()


def test_a_card_spent_already_this_round_is_the_only_one() -> None:
    rules = rules_for()
    state = fresh(rules)
    set_reserve(state, 0, 4)
    full = (words("3P 12F 13F 14O 15M"), words("16M"))
    assert last_row_points(view_of(state, rules), rules, *full, 1, 0, 2, False) == 19
    state.spends[0] = 1
    assert last_row_points(view_of(state, rules), rules, *full, 1, 0, 2, True) == 19


def test_no_step_is_worth_more_than_the_best_of_all() -> None:
    """The best step reaches exactly what the position promises."""
    rules = rules_for()
    state = fresh(rules)
    set_row(state, 0, "3P 9F 12F 14O")
    set_hand(state, 0, "15M 16M")
    for gold in (0, 1, 2, 3):
        state.gold[0] = gold
        view = view_of(state, rules)
        after = [
            points_after(view, rules, action) for action in legal_actions(state, rules) if action & 31 in (13, 15, 16)
        ]
        assert max(after) == points_with(view, rules, gold)


def test_whose_loss_is_my_gain() -> None:
    rules = rules_for()
    state = fresh(rules)
    set_reserve(state, 1, 4)
    assert rival_share(view_of(state, rules), 1) == pytest.approx(0.7)
    assert rival_share(view_of(state, rules), 2) == pytest.approx(0.35)
    two = fresh(rules_for(2))
    assert rival_share(view_of(two, rules_for(2)), 1) == 1.0

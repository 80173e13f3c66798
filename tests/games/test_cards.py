"""Cards: text forms, and sets of cards held against Python's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blinksim.games.cards import (
    MAX_CARDS,
    MAX_RANK,
    SUITS,
    add_card,
    bit,
    card_set,
    card_text,
    cards_at,
    cards_in,
    cards_text,
    has_card,
    is_empty,
    lowest_card,
    next_card,
    num_cards,
    parse_card,
    remove_card,
    suits_of_rank,
)
from tests.games.blink.plans import bounded

CARDS = st.integers(4, MAX_CARDS - 1)
SETS = st.sets(CARDS, max_size=40)


def test_texts_lead_back_to_every_card() -> None:
    """Section 0: rank and suit, every one once; ascending numbers are ascending ranks, then P F O M."""
    texts = [f"{rank}{suit}" for rank in range(1, MAX_RANK + 1) for suit in SUITS]
    assert [parse_card(text) for text in texts] == list(range(4, MAX_CARDS))
    assert [card_text(card) for card in range(4, MAX_CARDS)] == texts


@pytest.mark.parametrize(
    "text",
    ["", "P", "11", "0P", "32P", "99M", "011F", "11f", "11 F", " 11F", "11F ", "11FF", "-1F", "F11", "1.0F", "11X"],
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(
        ValueError, match=rf'"{text}" is not a card: a card is a rank of 1 to 31 and a suit P, F, O or M'
    ):
        parse_card(text)


def test_cards_in_order() -> None:
    assert cards_text([parse_card(text) for text in ("11F", "3M", "11P", "2O")]) == "2O 3M 11P 11F"
    assert cards_text([]) == ""


@given(SETS)
@bounded(60)
def test_a_set_holds_what_was_put_in(cards: set[int]) -> None:
    words = card_set(cards)
    assert words.dtype == np.uint64
    assert words.shape == (2,)
    assert cards_in(words) == sorted(cards)
    assert num_cards(words) == len(cards)
    assert bool(is_empty(words)) == (not cards)
    assert [card for card in range(MAX_CARDS) if has_card(words, card)] == sorted(cards)
    if cards:
        assert lowest_card(words) == min(cards)
    for rank in range(1, MAX_RANK + 1):
        assert suits_of_rank(words, rank) == sum(1 << suit for suit in range(4) if rank * 4 + suit in cards)


@given(SETS, CARDS)
@bounded(60)
def test_adding_and_removing(cards: set[int], card: int) -> None:
    words = card_set(cards)
    add_card(words, card)
    assert set(cards_in(words)) == cards | {card}
    add_card(words, card)
    assert set(cards_in(words)) == cards | {card}
    remove_card(words, card)
    assert set(cards_in(words)) == cards - {card}
    remove_card(words, card)
    assert set(cards_in(words)) == cards - {card}


@given(SETS, st.integers(-1, MAX_CARDS))
@bounded(60)
def test_visiting_in_ascending_order(cards: set[int], after: int) -> None:
    words = card_set(cards)
    assert next_card(words, after) == min((card for card in cards if card > after), default=-1)
    visited = []
    card = next_card(words, -1)
    while card >= 0:
        visited.append(card)
        card = next_card(words, card)
    assert visited == sorted(cards)


@given(st.sets(CARDS, max_size=16), st.integers(0, 2**16 - 1))
@bounded(60)
def test_cards_at_positions(cards: set[int], positions: int) -> None:
    chosen = np.full(2, 2**64 - 1, np.uint64)
    cards_at(card_set(cards), positions, chosen)
    assert cards_in(chosen) == [card for i, card in enumerate(sorted(cards)) if positions >> i & 1]


def test_bits() -> None:
    assert [int(bit(i)) for i in range(64)] == [1 << i for i in range(64)]

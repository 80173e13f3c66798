"""Cards: numbers, suits, ranks, text, and sets of cards as two 64-bit words.

A card is ``rank * 4 + suit``, so that ascending numbers are ascending ranks and, within a rank, the suit order P F O M
(rules, "Notation"). Number 0 is no card. A set of cards is a ``(2,)`` uint64 array: word ``card >> 6``, bit
``card & 63``; the four cards of one rank are one nibble.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from blinksim.jit import drop_lowest, kernel, lowest, popcount

SUITS = "PFOM"
MAX_RANK = 31
MAX_CARDS = 4 * (MAX_RANK + 1)
NO_CARD = 0

_TEXT = re.compile(r"([1-9][0-9]?)([PFOM])")


def card_text(card: int) -> str:
    """A card as text, such as ``11F``."""
    return f"{int(card) >> 2}{SUITS[int(card) & 3]}"


def parse_card(text: str) -> int:
    """A card from its text.

    Raises:
        ValueError: the text is not a rank of 1 to 31 and a suit letter.
    """
    match = _TEXT.fullmatch(text)
    if match is None or int(match[1]) > MAX_RANK:
        raise ValueError(
            f'"{text}" is not a card: a card is a rank of 1 to {MAX_RANK} and a suit P, F, O or M, such as 11F'
        )
    return int(match[1]) * 4 + SUITS.index(match[2])


def cards_in(words: Any) -> list[int]:
    """The cards of a set, ascending."""
    low, high = int(words[0]), int(words[1])
    return [c for c in range(64) if low >> c & 1] + [c + 64 for c in range(64) if high >> c & 1]


def card_set(cards: Iterable[int]) -> np.ndarray:
    """The set of some cards, a ``(2,)`` uint64 array."""
    words = [0, 0]
    for card in cards:
        words[int(card) >> 6] |= 1 << (int(card) & 63)
    return np.array(words, dtype=np.uint64)


def cards_text(cards: Iterable[int]) -> str:
    """Cards as text, ascending, one space between."""
    return " ".join(card_text(card) for card in sorted(cards))


@kernel
def bit(i: int) -> np.uint64:
    """The uint64 with bit ``i`` (0 to 63) set."""
    return np.uint64(1) << np.uint64(i)


@kernel
def has_card(words: np.ndarray, card: int) -> bool:
    """Whether a set holds a card."""
    return (words[card >> 6] >> np.uint64(card & 63)) & np.uint64(1) != np.uint64(0)


@kernel
def add_card(words: np.ndarray, card: int) -> None:
    """Put a card into a set. Changes ``words``."""
    words[card >> 6] |= np.uint64(1) << np.uint64(card & 63)


@kernel
def remove_card(words: np.ndarray, card: int) -> None:
    """Take a card out of a set. Changes ``words``."""
    words[card >> 6] &= ~(np.uint64(1) << np.uint64(card & 63))


@kernel
def num_cards(words: np.ndarray) -> int:
    """How many cards a set holds."""
    return popcount(words[0]) + popcount(words[1])


@kernel
def is_empty(words: np.ndarray) -> bool:
    """Whether a set holds no card."""
    return (words[0] | words[1]) == np.uint64(0)


@kernel
def lowest_card(words: np.ndarray) -> int:
    """The lowest card of a set that is not empty."""
    if words[0] != np.uint64(0):
        return lowest(words[0])
    return 64 + lowest(words[1])


@kernel
def next_card(words: np.ndarray, after: int) -> int:
    """The lowest card of a set above ``after``, or -1. Start with ``after = -1`` to visit all, ascending."""
    start = after + 1
    if start < 64:
        rest = (words[0] >> np.uint64(start)) << np.uint64(start)
        if rest != np.uint64(0):
            return lowest(rest)
        start = 64
    if start < 128:
        shift = np.uint64(start - 64)
        rest = (words[1] >> shift) << shift
        if rest != np.uint64(0):
            return 64 + lowest(rest)
    return -1


@kernel
def suits_of_rank(words: np.ndarray, rank: int) -> Any:
    """The suits of a rank that a set holds, as four bits."""
    return np.int64((words[rank >> 4] >> np.uint64((rank & 15) * 4)) & np.uint64(15))


@kernel
def cards_at(words: np.ndarray, positions: int, chosen: np.ndarray) -> None:
    """The cards at some positions of a set in ascending order.

    Args:
        words: (2,) uint64, the set.
        positions: Bit i stands for the i-th lowest card.
        chosen: (2,) uint64, overwritten with the cards found.
    """
    left = np.uint64(positions)
    for w in range(2):
        rest = words[w]
        found = np.uint64(0)
        while rest != np.uint64(0) and left != np.uint64(0):
            after = drop_lowest(rest)
            if left & np.uint64(1) != np.uint64(0):
                found |= rest ^ after
            left >>= np.uint64(1)
            rest = after
        chosen[w] = found

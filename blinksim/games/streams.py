"""The tree of random streams: which seed gives which shuffle and which strategy its own draws.

A stream is ``numpy.random.SeedSequence(entropy=seed, spawn_key=key)``; its words are ``generate_state(n, uint64)``.
The hash of the seed sequence is itself the generator: nothing here draws more than a few hundred words from one
stream, and the hash was made to turn neighbouring keys into unrelated words. The kernels below give NumPy's words
exactly, in bulk and without the interpreter lock. All arithmetic is modulo 2**32 in uint64 with masks, so that it is
the same compiled and not, and overflows nowhere.

==================================================  ==========================================================
stream                                              spawn key
==================================================  ==========================================================
start seat; starting deck; upgrade deck; objectives  ``(players, deal, 0 ... 3)``
a game's own chance during play                     ``(players, deal, 8 + source)``
a strategy's draws                                  ``(players, deal, 16 + slot, hand_shift, seat_shift, replicate)``
==================================================  ==========================================================

A shuffle is a stable ascending sort of one word per item.
"""

from __future__ import annotations

import numpy as np

from blinksim.jit import kernel

START_SEAT = 0
STARTING_DECK = 1
UPGRADE_DECK = 2
OBJECTIVES = 3
CHANCE = 8
PLAY = 16

POOL = 4  # 32-bit words of entropy that NumPy keeps
MASK = np.uint64(0xFFFFFFFF)
SHIFT = np.uint64(16)
WORD = np.uint64(32)
# Constants of the hash, as published with numpy.random.SeedSequence.
INIT_A = np.uint64(0x43B0D7E5)
MULT_A = np.uint64(0x931E8875)
INIT_B = np.uint64(0x8B51F9DD)
MULT_B = np.uint64(0x58F38DED)
MIX_LEFT = np.uint64(0xCA01F9DD)
MIX_RIGHT = np.uint64(0x4973F715)


@kernel
def fill_words(seed: int | np.uint64, key: np.ndarray, words: np.ndarray) -> None:
    """Fill ``words`` with the first words of a stream.

    Equals ``SeedSequence(entropy=seed, spawn_key=key).generate_state(len(words), uint64)``.

    Args:
        seed: 0 to 2**64 - 1.
        key: (length,) int64, each 0 to 2**32 - 1; length at least 1.
        words: (n,) uint64, overwritten.
    """
    pool = np.zeros(POOL, dtype=np.uint64)
    pool[0] = np.uint64(seed) & MASK
    pool[1] = np.uint64(seed) >> WORD
    constant = INIT_A
    for i in range(POOL):
        value = pool[i] ^ constant
        constant = (constant * MULT_A) & MASK
        value = (value * constant) & MASK
        pool[i] = value ^ (value >> SHIFT)
    # Every word of the pool into every other, then every word of the key into all four.
    for source in range(POOL + len(key)):
        for i in range(POOL):
            if i == source:
                continue
            value = (pool[source] if source < POOL else np.uint64(key[source - POOL])) ^ constant
            constant = (constant * MULT_A) & MASK
            value = (value * constant) & MASK
            value ^= value >> SHIFT
            # A difference modulo 2**32: what is taken away is at most the mask, so nothing goes below zero.
            mixed = (((pool[i] * MIX_LEFT) & MASK) + (MASK - ((value * MIX_RIGHT) & MASK)) + np.uint64(1)) & MASK
            pool[i] = mixed ^ (mixed >> SHIFT)
    constant = INIT_B
    for n in range(2 * len(words)):
        value = pool[n % POOL] ^ constant
        constant = (constant * MULT_B) & MASK
        value = (value * constant) & MASK
        value ^= value >> SHIFT
        if n % 2 == 0:
            words[n >> 1] = value
        else:
            words[n >> 1] |= value << WORD


@kernel
def deal_words(seed: int | np.uint64, players: int, deal: int, source: int, words: np.ndarray) -> None:
    """Fill ``words`` from one of the streams of a deal (``START_SEAT`` ... ``OBJECTIVES``, ``CHANCE + n``)."""
    key = np.empty(3, dtype=np.int64)
    key[0] = players
    key[1] = deal
    key[2] = source
    fill_words(seed, key, words)


@kernel
def play_stream(
    seed: int | np.uint64, players: int, deal: int, slot: int, hand_shift: int, seat_shift: int, replicate: int
) -> np.uint64:
    """The word that starts a strategy's own stream in one game; never 0, which a shift generator could not leave.

    Neither the variant nor the line-up is part of it: two rulesets meet the same noise, and two slots never share.
    """
    key = np.empty(6, dtype=np.int64)
    key[0] = players
    key[1] = deal
    key[2] = PLAY + slot
    key[3] = hand_shift
    key[4] = seat_shift
    key[5] = replicate
    words = np.zeros(1, dtype=np.uint64)
    fill_words(seed, key, words)
    return words[0] if words[0] != np.uint64(0) else np.uint64(1)


@kernel
def play_streams(seed: int | np.uint64, keys: np.ndarray, streams: np.ndarray) -> None:
    """The starting words of all strategies of many games.

    Args:
        seed: The experiment's seed, 0 to 2**64 - 1.
        keys: (games,) record array of dtype ``tables.KEYS``.
        streams: (games, at least players) uint64, overwritten; column k is slot k's.
    """
    for i in range(len(keys)):
        key = keys[i]
        for slot in range(key.players):
            streams[i, slot] = play_stream(
                seed, key.players, key.deal, slot, key.hand_shift, key.seat_shift, key.replicate
            )


@kernel
def shuffle(words: np.ndarray, items: np.ndarray, shuffled: np.ndarray) -> None:
    """Put items into the ascending order of their words; equal words keep their order.

    Args:
        words: (n,) uint64, one word of a stream per item; sorted in place.
        items: (n,) whole numbers.
        shuffled: (n,) whole numbers, overwritten; must not be ``items``.
    """
    # Decks are short: moving larger words up one by one beats a general sort, and compiles in no time.
    for i in range(len(items)):
        word = words[i]
        j = i
        while j > 0 and words[j - 1] > word:
            words[j] = words[j - 1]
            shuffled[j] = shuffled[j - 1]
            j -= 1
        words[j] = word
        shuffled[j] = items[i]

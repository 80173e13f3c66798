"""The streams are NumPy's seed sequences, word for word."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blinksim.games import streams
from blinksim.games.tables import KEYS

SEEDS = [0, 1, 7, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
words32 = st.integers(0, 2**32 - 1)


def numpy_words(seed: int, key: tuple[int, ...], count: int) -> np.ndarray:
    return np.random.SeedSequence(entropy=seed, spawn_key=key).generate_state(count, np.uint64)


def our_words(seed: int, key: tuple[int, ...], count: int) -> np.ndarray:
    words = np.zeros(count, dtype=np.uint64)
    streams.fill_words(np.uint64(seed), np.array(key, dtype=np.int64), words)
    return words


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "key", [(3, 12, 1), (4, 2**31 - 1, 3), (2, 0, 0), (3, 5, 17, 2, 1, 0), (4, 99, 19, 3, 3, 2**32 - 1)]
)
def test_words_are_numpys(seed: int, key: tuple[int, ...]) -> None:
    assert our_words(seed, key, 81).tolist() == numpy_words(seed, key, 81).tolist()


@given(seed=st.integers(0, 2**64 - 1), key=st.one_of(st.tuples(*[words32] * 3), st.tuples(*[words32] * 6)))
@settings(max_examples=200, deadline=None)
def test_words_are_numpys_for_any_seed_and_key(seed: int, key: tuple[int, ...]) -> None:
    assert our_words(seed, key, 3).tolist() == numpy_words(seed, key, 3).tolist()


def test_more_words_of_a_stream_begin_with_the_same_words() -> None:
    assert our_words(7, (3, 12, 1), 44).tolist() == our_words(7, (3, 12, 1), 80).tolist()[:44]


def test_deal_words_use_the_key_of_the_table() -> None:
    words = np.zeros(5, dtype=np.uint64)
    streams.deal_words(np.uint64(7), 3, 12, streams.UPGRADE_DECK, words)
    assert words.tolist() == numpy_words(7, (3, 12, 2), 5).tolist()


def test_play_streams_are_one_per_slot_of_a_game_and_ignore_variant_and_line_up() -> None:
    keys = np.zeros(4, dtype=KEYS).view(np.recarray)
    keys.players, keys.deal = 3, 12
    keys.hand_shift[:3], keys.seat_shift[:3], keys.replicate[:3] = 2, 1, 5
    keys.variant[1], keys.line_up[1] = 1, 4
    keys.replicate[2] = 6
    found = np.zeros((4, 3), dtype=np.uint64)
    streams.play_streams(np.uint64(7), keys, found)
    assert found[0].tolist() == [int(numpy_words(7, (3, 12, 16 + slot, 2, 1, 5), 1)[0]) for slot in range(3)]
    assert found[1].tolist() == found[0].tolist()
    assert len(set(found[[0, 2, 3]].ravel().tolist())) == 9


def test_shuffle_sorts_by_word_and_keeps_the_order_of_equal_words() -> None:
    words = np.array([5, 2**64 - 1, 0, 5, 1, 5], dtype=np.uint64)
    shuffled = np.zeros(6, dtype=np.int64)
    streams.shuffle(words, np.arange(10, 16), shuffled)
    assert shuffled.tolist() == [12, 14, 10, 13, 15, 11]


@given(words=st.lists(st.integers(0, 2**64 - 1), max_size=60))
@settings(max_examples=50, deadline=None)
def test_shuffle_is_a_stable_argsort(words: list[int]) -> None:
    array = np.array(words, dtype=np.uint64)
    shuffled = np.zeros(len(words), dtype=np.int64)
    streams.shuffle(array.copy(), np.arange(len(words)), shuffled)
    assert shuffled.tolist() == np.argsort(array, kind="stable").tolist()

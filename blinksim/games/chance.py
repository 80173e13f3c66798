"""Random draws during play: one xorshift generator of 64 bits per seat (shifts and xors only, alike in both modes)."""

from __future__ import annotations

from typing import Any

import numpy as np

from blinksim.jit import kernel


@kernel
def next_word(stream: np.ndarray) -> np.uint64:
    """The next 64 random bits of a stream.

    Args:
        stream: (1,) uint64, never 0; changed in place.
    """
    word = stream[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    stream[0] = word
    return word


@kernel
def below(stream: np.ndarray, n: int) -> Any:
    """A whole number from 0 to ``n - 1``, all alike (the bias of a 64-bit word is below n / 2**64)."""
    return np.int64(next_word(stream) % np.uint64(n))  # int() would keep it unsigned

"""Digests: a 64-bit hash of what matters in a state, to compare games without their records (``identity.md``)."""

from __future__ import annotations

import numpy as np

from blinksim.jit import as_signed, kernel, mix


@kernel
def mix_set(h: np.uint64, cards: np.ndarray) -> np.uint64:
    """Mix a set of cards into a hash."""
    return mix(mix(h, cards[0]), cards[1])


@kernel
def public_hash(state: np.recarray, rules: np.recarray) -> np.uint64:
    """Hash of the public state between two rounds: course, map, supplies, table and boards."""
    h = mix(np.uint64(state.players), np.uint64(state.round_number))
    h = mix(h, np.uint64(state.leader * 4 + state.armed * 2 + state.outcome * 64))
    for t in range(state.num_tiles):
        tile = int(state.tile_cell[t]) << 32 | int(state.terrain[t]) << 16
        h = mix(h, np.uint64(tile | int(state.units[t]) << 8 | int(state.coins[t])))
    h = mix(h, np.uint64(state.market_count * 256 + state.upgrade_count))
    h = mix_set(h, state.removed)
    for slot in range(rules.grid_slots):
        card = int(state.grid_top[slot])
        while card != 0:
            h = mix(h, np.uint64(card))
            card = int(state.under[card])
        h = mix(h, np.uint64(200 + slot))
    for seat in range(state.players):
        h = mix(h, state.own[seat])
        h = mix_set(h, state.discard[seat])
        h = mix_set(h, state.row[seat])
        h = mix(h, np.uint64(state.gold[seat] * 1024 + state.reserve[seat] * 16 + state.hand_size[seat]))
        h = mix(h, np.uint64(state.shown[seat] + 1))
    return h


@kernel
def public_digest(state: np.recarray, rules: np.recarray) -> int:
    """Digest of the public state, as the int64 with the same bits."""
    return as_signed(public_hash(state, rules))


@kernel
def state_digest(state: np.recarray, rules: np.recarray) -> int:
    """Digest of the whole state: the public part, hands, objectives, and the order of market and deck."""
    h = public_hash(state, rules)
    for seat in range(state.players):
        h = mix_set(h, state.hand[seat])
        for i in range(state.num_objectives[seat]):
            h = mix(h, np.uint64(state.objectives[seat, i]))
    for i in range(state.market_count):
        h = mix(h, np.uint64(state.market[i]))
    for i in range(state.upgrade_count):
        h = mix(h, np.uint64(state.upgrade[i]))
    return as_signed(h)

"""Hidden information: what a seat sees, and states imagined from it (sections 2.1 and R135)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.invariants import broken_invariant
from blinksim.games.blink.observe import observe
from blinksim.games.blink.state import STATE, VIEW, new_records
from tests.games.blink.playouts import PRESETS, playout
from tests.games.blink.positions import fresh, rules_for, set_market, start_round, words


def view_of(state: Any, rules: Any, seat: int) -> Any:
    view = new_records(VIEW)[0]
    observe(state, rules, seat, view)
    return view


def differing(a: Any, b: Any) -> list[str]:
    return [name for name in VIEW.names or () if not np.array_equal(a[name], b[name])]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("preset", "overrides"),
    [(preset, ()) for preset in PRESETS]
    + [("standard", ("observation.memory=state_only",)), ("open", ("observation.memory=state_only",))]
    + [("standard", ("setup.draft_direction=alternate", "trade.draw=3", "trade.bury=3"))],
)
def test_observing_an_imagined_state_gives_the_same_view(preset: str, overrides: tuple[str, ...], players: int) -> None:
    stream = np.array([12345 + players], np.uint64)
    imagined = new_records(STATE)[0]

    def visit(state: Any, rules: Any, actions: np.ndarray) -> None:
        if state.ply > 40 and state.ply % 7 != 0:
            return
        for seat in range(players):
            view = view_of(state, rules, seat)
            imagine(view, rules, stream, imagined)
            assert differing(view_of(imagined, rules, seat), view) == []
            assert broken_invariant(imagined, rules) == 0

    for seed in range(4):
        playout(preset, players, seed, visit, overrides)


def test_hands_with_little_room_are_imagined_every_time() -> None:
    """Of seven cards seen in each rival's hand five are left, which lie face down as one meld: one choice in 21."""
    rules = rules_for(4, {"tiers.meld_limit": [6, 6, 6, 6, 6]})
    seen = {1: "1M 6P 8P 8F 9F 9M 10P", 2: "1F 4O 12P 12F 13M 14P 15F", 3: "2M 6O 17P 17F 18F 19P 20F"}
    state = fresh(rules)
    start_round(state, rules, 1, dict(seen))
    for seat, cards in seen.items():
        state.seen_hand[0, seat] = state.public_seen[seat] = words(cards)
        state.unsure[0, seat] = state.public_unsure[seat] = 2
        state.laid[seat] = words(" ".join(cards.split()[2:]))
        state.hand[seat], state.hand_size[seat], state.meld_size[seat] = 0, 0, 5
    set_market(state, "1M 6P 1F 4O 2M 6O")
    view, imagined = view_of(state, rules, 0), new_records(STATE)[0]
    for seed in range(1, 21):
        imagine(view, rules, np.array([seed], np.uint64), imagined)
        assert differing(view_of(imagined, rules, 0), view) == []
        assert (imagined.laid[1:4] == state.laid[1:4]).all()

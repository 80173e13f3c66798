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

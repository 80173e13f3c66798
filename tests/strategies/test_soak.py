"""A long run (``make soak``): the whole scripted roster plays a third of a million games, and none stalls."""

from __future__ import annotations

import pytest

from blinksim.simulate.tournament import make_field
from tests.strategies.tables import play

pytestmark = pytest.mark.soak

ROSTER = (
    "greedy", "builder", "raider", "warden", "scholar", "merchant", "surveyor", "generalist", "hermit", "hothead",
)  # fmt: skip
GAMES = 2000
"""Games of each line-up at least."""
STALLED = 3


def test_no_game_of_the_scripted_roster_is_at_the_cap() -> None:
    """Every mirror, every pair, and 40 mixes of three and of four in which all take part alike."""
    played, longest = 0, 0
    stalled: dict[tuple[str, ...], int] = {}
    for players in (2, 3, 4):
        mixes = make_field(ROSTER, players, 40, 1).line_ups
        for line_up in [*([name] * players for name in ROSTER), *mixes]:
            games, _, _ = play(list(line_up), -(-GAMES // players), seed=7)
            played += len(games["outcome"])
            longest = max(longest, int(games["rounds"].max()))
            if at_cap := int((games["outcome"] == STALLED).sum()):
                stalled[tuple(line_up)] = at_cap
    print(f"{played:,} games, {sum(stalled.values())} at the cap, the longest {longest} rounds")
    assert played >= 300_000
    assert not stalled

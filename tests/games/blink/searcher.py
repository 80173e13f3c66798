"""A searcher that looks one choice ahead, in plain Python: the contract's spare states and ``imagine`` at work.

For each legal choice it imagines a few states that agree with what it sees, carries the choice out in each, and takes
the choice with the best mean lead in points. It is here to prove that a whole game can be played through
``imagine``; it knows nothing of tactics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blinksim.games.blink import engine
from blinksim.games.blink.drive import MAX_PARAMETERS
from blinksim.games.blink.enums import Decision
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.scoring import score

GOLD = 0.1
"""Points that a coin counts for."""
TILE = 0.05
"""Points that an own tile counts for beside its units: room to grow."""


def lead(state: Any, rules: Any, seat: int) -> float:
    """How far a seat is ahead of the best of its rivals, in points."""
    points = np.zeros(4, np.int64)
    worth = []
    for other in range(int(state.players)):
        score(state, rules, other, points)
        worth.append(int(points.max()) + GOLD * int(state.gold[other]) + TILE * int(state.own[other]).bit_count())
    mine = worth.pop(seat)
    return mine - max(worth)


@dataclass
class Searcher:
    """A player for ``shards.play_games``, decided in Python.

    Attributes:
        imagined: States imagined at each decision.
        decisions: Decisions taken so far.
    """

    imagined: int = 1
    decisions: int = 0
    name: str = "searcher"
    compiled: bool = False
    params: np.ndarray = field(default_factory=lambda: np.zeros(MAX_PARAMETERS))

    def decide(
        self,
        view: Any,
        rules: Any,
        actions: np.ndarray,
        n: int,
        params: np.ndarray,
        memory: np.ndarray,
        stream: np.ndarray,
        sandbox: Any,
    ) -> int:
        """The choice with the best mean lead one step on; the first of equals (see ``players.policy``)."""
        self.decisions += 1
        if view.decision in (Decision.DRAFT_PASS, Decision.OBJECTIVE_KEEP, Decision.OBJECTIVE_SHOW):
            return int(np.random.default_rng(int(stream[0])).integers(n))  # nothing to see one step on
        apply_action = engine.ready()["applying"]
        facts, events = no_facts()
        start, after = sandbox[0], sandbox[1]
        worth = np.zeros(n)
        for _ in range(self.imagined):
            imagine(view, rules, stream, start)
            for i in range(n):
                sandbox[1] = start
                apply_action(after, rules, int(actions[i]), facts, events)
                worth[i] += lead(after, rules, int(view.me))
        return int(np.argmax(worth))

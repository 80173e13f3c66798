"""The smallest change of the rules that meets a designer's targets.

A search turns the free entries: each is either left as it is or takes another value of its range. Two things are to be
small: the distance to the targets, in margins of their metrics, and the number of entries changed. The sampler is
optuna's tree-structured Parzen estimator for several objectives (the extra ``tune``), seeded. All rulesets of the
search are played on the same deals, so that they differ by what they are.

To that simple moves are added, which a sampler is slow to find: the first rulesets are single changes of the base;
every second one after them is a ruleset of the front so far with one entry turned or taken back; and whenever a ruleset
meets the targets with fewer changes than any before, each of its changes is taken back by itself.

What looks best on some deals looks better than it is: it was picked for its luck too. So the search asks that a number
lies inside its band by a standard error, and what it found is judged on *fresh* deals
(:mod:`blinksim.analysis.tuned`).
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis import paired
from blinksim.analysis.aims import Aim
from blinksim.analysis.ratings import MissingLibraryError
from blinksim.analysis.sensitivity import Play
from blinksim.errors import CheckFailed, UserError
from blinksim.simulate.entries import Dial

ASKED = 5
"""Proposals for each ruleset that may be played, before a search that finds no new ones ends."""
STRAY = 50
"""Random turns of a proposal that was played already, before it is taken that there is nothing new around it."""
STARTS = 10
"""Single changes of the base at least (where there are so many) before the sampler is asked."""
NEAR = 0.1
"""Part of what the nearest ruleset gains on the base that a compromise with fewer changes may do without."""
NO_OPTUNA = (
    "Tuning needs the library optuna, which is not installed; add it with: pip install 'blinksim[tune]', then run the "
    "same again"
)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A ruleset that was played in the search.

    Attributes:
        places: By dial, the place of its value.
        changes: What it changes in the base.
        changed: How many entries.
        steps: How far all of them together.
        distance: To the targets, in margins, added up; 0 meets all of them.
        values: By aim, the number.
        sums: Its frame of sums.
    """

    places: tuple[int, ...]
    changes: tuple[str, ...]
    changed: int
    steps: int
    distance: float
    values: tuple[float, ...]
    sums: pl.DataFrame = field(repr=False)


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        candidates: All rulesets that were played, in order, the base first.
        front: For each number of changes the nearest, where it is nearer than all with fewer.
        best: The recommendation.
        met: Whether it met the targets, as the search saw it.
        unlawful: Proposals that the rules do not allow.
        stopped: Why the search ended: ``trials``, ``games``, ``interrupted`` or ``nothing new``.
    """

    candidates: Sequence[Candidate]
    front: Sequence[Candidate]
    best: Candidate
    met: bool
    unlawful: int
    stopped: str


Tell = Callable[[int, Candidate], None]


def search(
    play: Play,
    dials: Sequence[Dial],
    aims: Sequence[Aim],
    players: int,
    num_deals: int,
    trials: int,
    seed: int,
    games: int | None = None,
    tell: Tell | None = None,
) -> Found:
    """Look for the smallest change that meets the targets; an interruption keeps what was found.

    Args:
        play: Plays a ruleset.
        dials: What may be changed.
        aims: The targets.
        players: Player count.
        num_deals: Deals that every ruleset is played on.
        trials: Rulesets at most.
        seed: Of the sampler.
        games: Games at most (the ruleset that passes it is the last); None for no limit.
        tell: Called after every ruleset with how many there are and the best so far.

    Raises:
        MissingLibraryError: optuna is not installed.
        UserError: the base is not allowed.
    """
    looking = _Search(play, dials, aims, players, num_deals, seed)
    stopped = looking.run(trials, games, tell)
    best = looking.best()
    return Found(looking.played, front(looking.played), best, best.distance == 0, looking.unlawful, stopped)


class _Search:
    """The state of a search."""

    def __init__(
        self, play: Play, dials: Sequence[Dial], aims: Sequence[Aim], players: int, num_deals: int, seed: int
    ) -> None:
        self.play, self.dials, self.aims, self.players, self.num_deals = play, dials, aims, players, num_deals
        self.optuna = _optuna()
        self.space = _space(dials, self.optuna.distributions)
        # The library takes seeds of 32 bits.
        sampler = self.optuna.samplers.TPESampler(seed=int(np.random.SeedSequence(seed).generate_state(1)[0]))
        self.study = self.optuna.create_study(directions=["minimize", "minimize"], sampler=sampler)
        self.draw = np.random.default_rng(seed)
        self.seen: set[tuple[int, ...]] = set()
        self.played: list[Candidate] = []
        self.unlawful = 0
        self.queue: deque[tuple[int, ...]] = deque()

    def run(self, trials: int, games: int | None, tell: Tell | None) -> str:
        """Play until a budget ends; says which."""
        base = tuple(dial.base for dial in self.dials)
        self._propose(base)
        self._propose_steps(base, max(trials // 3, STARTS))
        played = 0
        moves = cycle((self._ask, self._near))
        try:
            for _ in range(ASKED * trials):
                if len(self.played) >= trials:
                    return "trials"
                if games is not None and played >= games:
                    return "games"
                places = self.queue.popleft() if self.queue else self._new(next(moves)())
                if places is None:
                    continue
                candidate = self._candidate(places)
                self._learn(places, candidate)
                if candidate is not None:
                    played += int(candidate.sums["games"].sum())
                    self._simplify(candidate)
                    if tell is not None:
                        tell(len(self.played), self.best())
        except KeyboardInterrupt:
            if not self.played:
                raise
            return "interrupted"
        return "nothing new"

    def best(self) -> Candidate:
        """The fewest changes among those that meet the targets, or that gain nearly as much as any."""
        nearest, base = min(candidate.distance for candidate in self.played), self.played[0].distance
        enough = nearest + (NEAR * (base - nearest) if nearest else 0)
        return min((c for c in self.played if c.distance <= enough), key=lambda c: (c.changed, c.steps, c.distance))

    def _candidate(self, places: tuple[int, ...]) -> Candidate | None:
        """Play a ruleset; None where the rules do not allow it.

        Raises:
            UserError: it is the base itself that is not allowed, or a game failed.
        """
        self.seen.add(places)
        changes = tuple(d.change(p) for d, p in zip(self.dials, places, strict=True) if p != d.base)
        try:
            sums = self.play(changes, 0, self.num_deals)
        except UserError as error:
            # A game that failed is a fault, not a rule that is not allowed.
            if not changes or isinstance(error, CheckFailed):
                raise
            self.unlawful += 1
            return None
        arms = [paired.arm(sums, aim.metric.name, self.players) for aim in self.aims]
        distance = sum(aim.distance(arm.value, arm.standard_error) for aim, arm in zip(self.aims, arms, strict=True))
        steps = sum(dial.steps(place) for dial, place in zip(self.dials, places, strict=True))
        found = Candidate(
            places, changes, len(changes), steps, float(distance), tuple(float(arm.value) for arm in arms), sums
        )
        self.played.append(found)
        return found

    def _ask(self) -> tuple[int, ...]:
        """What the sampler proposes: whether an entry is changed stands beside its value, so that few can be."""
        trial = self.study.ask(self.space)
        # It is told by `_learn` what was played, which may be something else.
        self.study.tell(trial, state=self.optuna.trial.TrialState.FAIL)
        return tuple(trial.params[dial.key] if trial.params[_changed(dial)] else dial.base for dial in self.dials)

    def _new(self, places: tuple[int, ...]) -> tuple[int, ...] | None:
        """A proposal, turned at random until it is one that was not seen; None where there seems to be none."""
        for _ in range(STRAY):
            if places not in self.seen:
                return places
            i = int(self.draw.integers(len(self.dials)))
            place = int(self.draw.integers(len(self.dials[i].values)))
            places = (*places[:i], place, *places[i + 1 :])
        return None

    def _learn(self, places: tuple[int, ...], candidate: Candidate | None) -> None:
        """Tell the sampler; what the rules do not allow is worse than all that was played."""
        changed = sum(place != dial.base for place, dial in zip(places, self.dials, strict=True))
        distance = candidate.distance if candidate else max(c.distance for c in self.played) + 1
        params: dict[str, Any] = {}
        for dial, place in zip(self.dials, places, strict=True):
            params |= {dial.key: place, _changed(dial): place != dial.base}
        told = self.optuna.trial.create_trial(params=params, distributions=self.space, values=[distance, changed])
        self.study.add_trial(told)

    def _near(self) -> tuple[int, ...]:
        """A ruleset of the front so far with one entry taken back, turned by a step, or to any value."""
        known = front(self.played)
        places = known[int(self.draw.integers(len(known)))].places if self.draw.random() < 0.5 else known[-1].places
        changed = [i for i, dial in enumerate(self.dials) if places[i] != dial.base]
        move = self.draw.random()
        if changed and move < 0.25:
            i = int(self.draw.choice(changed))
            return (*places[:i], self.dials[i].base, *places[i + 1 :])
        i = int(self.draw.integers(len(self.dials)))
        last = len(self.dials[i].values) - 1
        place = int(self.draw.integers(last + 1))
        if move < 0.625:
            place = min(max(places[i] + int(self.draw.choice((-1, 1))), 0), last)
        return (*places[:i], place, *places[i + 1 :])

    def _propose(self, places: tuple[int, ...]) -> None:
        """Have a ruleset played next."""
        if places not in self.seen and places not in self.queue:
            self.queue.append(places)

    def _propose_steps(self, base: tuple[int, ...], most: int) -> None:
        """Single changes: of each entry to either end of its range, as far as the number goes."""
        for end in (-1, 0):
            for i, dial in enumerate(self.dials):
                place = len(dial.values) - 1 if end else 0
                if place != dial.base and len(self.queue) <= most:
                    self._propose((*base[:i], place, *base[i + 1 :]))

    def _simplify(self, candidate: Candidate) -> None:
        """Take back each change of a ruleset that meets the targets best so far, and go half of each way."""
        if candidate.distance > 0 or candidate is not self.best():
            return
        for i, dial in enumerate(self.dials):
            if candidate.places[i] != dial.base:
                half = (candidate.places[i] + dial.base) // 2 if dial.numeric else dial.base
                for place in dict.fromkeys((dial.base, half)):
                    self._propose((*candidate.places[:i], place, *candidate.places[i + 1 :]))


def front(candidates: Sequence[Candidate]) -> list[Candidate]:
    """For each number of changes the nearest to the targets, where it is nearer than all with fewer changes."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: (c.changed, c.distance, c.steps)):
        if not kept or candidate.distance < kept[-1].distance:
            kept.append(candidate)
    return kept


def trials_frame(found: Found, aims: Sequence[Aim]) -> pl.DataFrame:
    """Every ruleset of a search: ``trial``, ``changed``, ``steps``, ``distance``, one column per metric, ``changes``,
    ``on_front``, ``recommended``."""
    return pl.DataFrame(
        [
            {
                "trial": i, "changed": c.changed, "steps": c.steps, "distance": c.distance,
                **{aim.metric.name: value for aim, value in zip(aims, c.values, strict=True)},
                "changes": "; ".join(c.changes), "on_front": any(c is kept for kept in found.front),
                "recommended": c is found.best,
            }
            for i, c in enumerate(found.candidates)
        ],
        infer_schema_length=None,
    )  # fmt: skip


def _changed(dial: Dial) -> str:
    """The name under which the sampler knows whether an entry is changed."""
    return f"{dial.key} changed"


def _space(dials: Sequence[Dial], kinds: Any) -> dict[str, Any]:
    """What the sampler turns: for each entry the place of its value, and whether it is changed at all."""
    space: dict[str, Any] = {}
    for dial in dials:
        places = range(len(dial.values))
        space[dial.key] = (
            kinds.IntDistribution(0, places[-1]) if dial.numeric else kinds.CategoricalDistribution(list(places))
        )
        space[_changed(dial)] = kinds.CategoricalDistribution([False, True])
    return space


def _optuna() -> Any:
    """The library that searches, told to keep quiet.

    Raises:
        MissingLibraryError: it is not installed.
    """
    try:
        optuna = importlib.import_module("optuna")
    except ImportError:
        raise MissingLibraryError(NO_OPTUNA) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna

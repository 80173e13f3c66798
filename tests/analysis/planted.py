"""Rules whose metrics are a stated function of their numbers plus luck, for searches that need to know the answer."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from blinksim.errors import UserError

LUCK, PLAY = 0, 1
"""Streams: of a deal, the same for all rules, and of the games of one ruleset on it."""


class Planted:
    """Plays rules with numbers ``a``, ``b``, …, a switch and names; every metric with the same kind of noise.

    Args:
        base: By name, the number in the base.
        metrics: By name, the function of the numbers.
        noise: Standard deviation between deals of what one ruleset does by itself.
        luck: Standard deviation between deals of what all rulesets share.
        forbidden: Says why numbers do not go together; empty where they do.
    """

    def __init__(
        self,
        base: Mapping[str, float],
        metrics: Mapping[str, Callable[[Mapping[str, float]], float]],
        noise: float = 0.5,
        luck: float = 1.0,
        forbidden: Callable[[Mapping[str, float]], str] = lambda numbers: "",
    ) -> None:
        self.base, self.metrics, self.noise, self.luck, self.forbidden = base, metrics, noise, luck, forbidden
        self.played: list[tuple[str, ...]] = []

    def allowed(self, changes: Sequence[str]) -> dict[str, float]:
        numbers = dict(self.base)
        for change in changes:
            key, value = change.split("=")
            numbers[key] = float(value)
        if reason := self.forbidden(numbers):
            raise UserError(f"--set {changes[0]}: {reason}")
        return numbers

    def __call__(self, changes: Sequence[str], first_deal: int, num_deals: int) -> pl.DataFrame:
        numbers = self.allowed(changes)
        self.played.append(tuple(changes))
        code = [int(1000 * value) + 10**6 for value in numbers.values()]
        frame = {
            "players": [3] * num_deals,
            "variant": [0] * num_deals,
            "deal": list(range(first_deal, first_deal + num_deals)),
            "games": [2] * num_deals,
        }
        for i, (name, value) in enumerate(self.metrics.items()):
            luck = np.random.default_rng((LUCK, i)).normal(0, self.luck, first_deal + num_deals)[first_deal:]
            # What one ruleset does by itself is nothing where it moves nothing.
            alike = value(numbers) == value(self.base) and self.noise < 1
            rng = np.random.default_rng((PLAY, i, first_deal, *([0] if alike else code)))
            noise = rng.normal(0, self.noise, num_deals)
            frame |= {f"{name}|y": list(2 * (value(numbers) + luck + noise)), f"{name}|x": [2.0] * num_deals}
        return pl.DataFrame(frame)

"""The shared parameters: one order, a strategy's own defaults, and the taste that they make."""

from __future__ import annotations

import numpy as np
import pytest

from blinksim.games.blink.toolkit_turn import Taste
from blinksim.players.taste import OWN, taste_of, taste_parameters


def test_parameters_stand_in_the_order_of_a_taste() -> None:
    parameters = taste_parameters()
    assert tuple(p.name for p in parameters) == Taste._fields
    assert len(parameters) == OWN
    taste = taste_of(np.array([p.default for p in parameters] + [99.0]))
    assert taste == tuple(p.default for p in parameters)


def test_a_strategy_has_its_own_defaults_and_names() -> None:
    parameters = {p.name: p for p in taste_parameters(renamed={"hurt": "aggression"}, hurt=2.0, lead=-1.0)}
    common = {p.name: p for p in taste_parameters()}
    assert parameters["aggression"].default == 2.0
    assert parameters["aggression"].meaning == common["hurt"].meaning
    assert parameters["lead"].default == -1.0
    assert {name: p for name, p in parameters.items() if name not in ("aggression", "lead")} == {
        name: p for name, p in common.items() if name not in ("hurt", "lead")
    }


@pytest.mark.parametrize("wrong", [{"leed": 1.0}, {"lead": 99.0}])
def test_mistakes_stop_when_the_file_is_read(wrong: dict[str, float]) -> None:
    with pytest.raises(AssertionError, match=r"shared parameters are|outside its range"):
        taste_parameters(**wrong)

"""Minutes follow from the model, decision by decision."""

import polars as pl
import pytest

from blinksim.analysis.minutes import MODEL, PREFIX, TimeModel, decision_kinds, game_minutes
from blinksim.games.blink.tables import TABLES
from tests.analysis.frames import games

MODELLED = TimeModel(
    seconds={"meld": 30, "draft_pass": 40}, other=12, at_once=("draft_pass",), per_round=10, per_game=60
)
GAMES = games([(2, 0, "won", 4, 9, 1, 1), (2, 1, "won", 10, 9, 1, 1), (2, 1, "stalled", 200, 9, 0, 0)]).with_columns(
    decisions_meld=pl.Series([8, 20, 400]), decisions_draft_pass=pl.Series([6, 6, 6]),
    decisions_act=pl.Series([5, 10, 9]), decisions_retreat=0,
)  # fmt: skip


def test_minutes_are_seconds_by_kind_and_handling() -> None:
    found = game_minutes(GAMES, MODELLED).row(0, named=True)
    # 8 melds, 3 drafts at once, 5 other, 4 rounds, 1 game; the stalled one has no length.
    each = [(8 * 30 + 3 * 40 + 5 * 12 + 4 * 10 + 60) / 60, (20 * 30 + 3 * 40 + 10 * 12 + 10 * 10 + 60) / 60]
    assert found["value"] == pytest.approx(sum(each) / 2) and found["n_games"] == 2 and found["n_blocks"] == 2
    assert (found["median"], found["p95"]) == (round(each[0]), round(each[1]))


def test_decisions_by_kind_say_what_they_take() -> None:
    found = decision_kinds(GAMES, MODELLED)
    assert found.select("kind", "value", "seconds", "at_once", "minutes").rows() == [
        ("meld", 14, 30, False, 7),
        ("draft_pass", 6, 40, True, 2),
        ("act", 7.5, 12, False, 1.5),
    ]


def test_the_model_knows_every_kind_of_decision() -> None:
    table = next(table for table in TABLES if table.name == "games")
    kinds = {column.name.removeprefix(PREFIX) for column in table.columns if column.name.startswith(PREFIX)}
    assert kinds == set(MODEL.seconds) and set(MODEL.at_once) <= kinds

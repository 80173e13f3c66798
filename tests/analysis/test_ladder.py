"""Ladders are found by name, and climbed where neighbouring rungs meet."""

import polars as pl
import pytest

from blinksim.analysis.ladder import Rung, ladder_steps, rungs

NAMES = ["s:budget=64", "s:budget=8", "s:budget=16", "builder", "s:budget=16,roots=3", "t:name=x"]


def seats(wins: dict[tuple[str, str], list[float]]) -> pl.LazyFrame:
    rows = [
        (2, line_up, deal, 10 * line_up + deal, seat, name, won if seat == 0 else 1 - won)
        for line_up, (names, found) in enumerate(wins.items())
        for deal, won in enumerate(found)
        for seat, name in enumerate(names)
    ]
    types = {"players": pl.Int8, "line_up": pl.Int16, "deal": pl.Int32, "game": pl.Int64, "seat": pl.Int8}
    types |= {"strategy": pl.Enum(NAMES), "win_share": pl.Float32}
    return pl.DataFrame(rows, schema=types, orient="row").lazy()


def test_a_ladder_is_one_strategy_with_several_values_of_one_parameter() -> None:
    assert rungs(NAMES) == [Rung("s:budget", float(n), f"s:budget={n}") for n in (8, 16, 64)]
    assert rungs(["s:budget=8", "builder"]) == []
    assert [rung.ladder for rung in rungs(["s:a=1,b=2", "s:a=2,b=2"])] == ["s:a (b=2)"] * 2


def test_steps_are_told_from_line_ups_of_two_neighbours() -> None:
    table = seats(
        {
            ("s:budget=16", "s:budget=8"): [1, 1, 0, 1],
            ("s:budget=8", "s:budget=64"): [0, 0, 0, 0],  # not neighbours
            ("builder", "s:budget=16"): [1, 1, 1, 1],
        }
    )
    found = ladder_steps(table, NAMES)
    assert found.select("players", "ladder", "below", "above", "value", "n_games", "fair").rows() == [
        (2, "s:budget", 8, 16, 0.75, 4, 0.5)
    ]
    assert 0 < found["p"].item() < 1
    assert ladder_steps(table, ["builder"]).is_empty()
    assert ladder_steps(table, ["builder"]).columns == found.columns


def test_more_players_of_two_rungs_meet_too() -> None:
    types = {"players": pl.Int8, "strategy": pl.Enum(NAMES), "win_share": pl.Float32}
    rows = [
        (3, 0, deal, deal, seat, NAMES[1 if seat else 2], float(seat == 0)) for deal in range(3) for seat in range(3)
    ]
    columns = ["players", "line_up", "deal", "game", "seat", "strategy", "win_share"]
    found = ladder_steps(pl.DataFrame(rows, schema=columns, orient="row").cast(types).lazy(), NAMES)
    assert found["value"].item() == pytest.approx(1) and found["fair"].item() == pytest.approx(1 / 3)

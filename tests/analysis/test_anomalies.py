"""Games that stand out, among games that can be followed by eye."""

from typing import Any

import polars as pl

from blinksim.analysis import anomalies
from blinksim.analysis.courses import courses
from tests.analysis import frames

SCORES = {
    (0, 0): [3, 5, 5, 8], (0, 1): [3, 14, 9, 7],  # won by 1; 9 behind after round 2
    (1, 0): [2, 4, 6, 20], (1, 1): [1, 4, 5, 8],  # won by 12, never behind
    (2, 0): [2, 3], (2, 1): [5, 15],  # won by 12 again; the shorter one
    (3, 0): [2, 6], (3, 1): [30, 6],  # shared: nobody came back
    (4, 0): [2, 1, 40, 1, 1], (4, 1): [1, 1, 1, 1, 2],  # stalled: neither longest nor lowest
}  # fmt: skip
ENDS = ("won", "won", "won", "shared", "stalled")
ROUNDS = frames.rounds(
    [(game // 2, game, seat, seat, [0] * len(SCORES[game, seat])) for game in range(5) for seat in (0, 1)],
    scores=SCORES,
)
GAMES = frames.games(
    [(2, game // 2, end, len(SCORES[game, 0]), 9, 1, winners)
     for game, (end, winners) in enumerate(zip(ENDS, (1, 1, 2, 3, 0), strict=True))]
).with_columns(variant=pl.lit(0), hand_shift=pl.lit(0), seat_shift=pl.col("game") % 2, replicate=pl.lit(0))  # fmt: skip
SHARES = [1, 0, 1, 0, 0, 1, 0.5, 0.5, None, None]
SEATS = frames.seats(
    [(2, 0, game // 2, game, seat, "builder", SHARES[2 * game + seat]) for game in range(5) for seat in (0, 1)],
    points=[scores[-1] for scores in SCORES.values()],
    gold=[0, 1, 2, 7, 7, 0, 0, 0, 0, 0],
)
DUELS = pl.LazyFrame(
    {"players": [2] * 6, "game": [3, 1, 1, 3, 0, 0], "captured": [True, True, True, True, True, False]},
    schema={"players": pl.Int8, "game": pl.Int64, "captured": pl.Boolean},
)


def found(rounds: pl.LazyFrame | None = ROUNDS, duels: pl.LazyFrame | None = DUELS) -> dict[str, dict[str, Any]]:
    rows = anomalies.extremes(GAMES, SEATS, None if rounds is None else list(courses(rounds, GAMES)), duels)
    assert dict(rows.schema) == anomalies.EXTREMES
    return {row["what"]: row for row in rows.iter_rows(named=True)}


def test_each_way_to_stand_out_has_its_game() -> None:
    """(value, game, how many games have it); of several as extreme the first is named."""
    said = {what: (row["value"], row["game"], row["games"]) for what, row in found().items()}
    assert said == {
        "stalled": (5, 4, 1), "longest": (4, 0, 2), "shortest": (2, 2, 2), "margin": (12, 1, 2),
        "comeback": (9, 0, 1), "captures": (2, 1, 2), "highest": (20, 1, 1), "lowest": (6, 3, 1), "gold": (7, 1, 2),
    }  # fmt: skip
    assert list(said) == list(anomalies.WHATS)


def test_who_and_when_and_what_it_is_out_of() -> None:
    rows = found()
    assert (rows["comeback"]["seat"], rows["comeback"]["round"]) == (0, 2)
    assert (rows["gold"]["seat"], rows["gold"]["round"], rows["margin"]["seat"]) == (1, None, None)
    assert rows["margin"]["key"] == "2p/d0/v0/l0/h0/s1/r0" and rows["stalled"]["key"] == "2p/d2/v0/l0/h0/s0/r0"
    assert {(row["n_games"], row["n_blocks"]) for row in rows.values()} == {(5, 3)}


def test_what_there_is_no_table_for_is_not_looked_for() -> None:
    assert set(anomalies.WHATS) - set(found(None, None)) == {"comeback", "captures"}
    assert found(None, None)["margin"] == found()["margin"]


def test_player_counts_stand_for_themselves() -> None:
    three = SEATS.with_columns(players=pl.lit(3, pl.Int8), points=pl.col("points") + 1)
    third = three.filter(pl.col("seat") == 0).with_columns(seat=pl.lit(2, pl.Int8), points=pl.lit(0, pl.Int64))
    more = GAMES.with_columns(players=pl.lit(3, pl.Int8), rounds=pl.col("rounds") + 1)
    both = pl.concat([GAMES, more]), pl.concat([SEATS, third, three])
    rows = anomalies.extremes(*both)
    assert rows.filter(pl.col("what") == "highest").select("players", "value").rows() == [(2, 20), (3, 21)]
    assert rows.filter(pl.col("what") == "longest").select("players", "value").rows() == [(2, 4), (3, 5)]
    chosen = anomalies.outstanding(rows, ("longest", "shortest", "margin"), 9)
    # The longest has 3 players; the shortest 2; as wide a margin is won with 2 as with 3, and 2 come first.
    assert chosen.select("players", "game", "whats").rows() == [(3, 0, "longest"), (2, 2, "shortest"), (2, 1, "margin")]


def test_a_game_that_stands_out_twice_is_looked_at_once() -> None:
    rows = anomalies.extremes(GAMES, SEATS, list(courses(ROUNDS, GAMES)), DUELS)
    chosen = anomalies.outstanding(rows, ("margin", "shortest", "captures", "longest", "comeback"), 2)
    assert chosen.select("game", "whats").rows() == [(1, "margin,captures"), (2, "shortest")]
    assert anomalies.outstanding(rows.clear(), ("margin",), 2).is_empty()


def test_rows_of_a_few_games_have_their_key() -> None:
    rows = anomalies.extremes(GAMES, SEATS, list(courses(ROUNDS, GAMES)))
    chosen = anomalies.outstanding(rows, ("comeback", "stalled"), 2)
    of_them = anomalies.of_games(ROUNDS, chosen)
    assert of_them.group_by("key").len().sort("key").rows() == [
        ("2p/d0/v0/l0/h0/s0/r0", 8),
        ("2p/d2/v0/l0/h0/s0/r0", 10),
    ]
    assert anomalies.of_games(ROUNDS, chosen.clear()).is_empty()

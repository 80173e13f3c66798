"""Leads, decisions and margins of games that can be followed by eye."""

import polars as pl
import pytest

from blinksim.analysis import drama
from blinksim.analysis.courses import courses
from tests.analysis.frames import games, rounds

SCORES = {
    (0, 0): [3, 5, 5, 8], (0, 1): [3, 4, 9, 7],  # nobody, 0, 1, 0: two changes, decided with the last round
    (1, 0): [2, 4, 6, 20], (1, 1): [1, 4, 5, 8],  # 0, nobody, 0, 0: no change, decided with round 3
    (2, 0): [2, 3], (2, 1): [5, 9],  # 1 throughout
    (3, 0): [2, 6], (3, 1): [1, 6],  # shared
    (4, 0): [2, 1], (4, 1): [1, 6],  # stalled
}  # fmt: skip
ROUNDS = rounds(
    [(deal, game, seat, seat, [0] * len(SCORES[game, seat]))
     for game, deal in enumerate((0, 0, 1, 1, 1)) for seat in (0, 1)],
    scores=SCORES,
)  # fmt: skip
GAMES = games(
    [
        (2, 0, "won", 4, 9, 1, 1),
        (2, 0, "won", 4, 9, 1, 1),
        (2, 1, "won", 2, 9, 2, 2),
        (2, 1, "shared", 2, 9, 1, 3),
        (2, 1, "stalled", 2, 9, 0, 0),
    ]
)


def value(name: str) -> float:
    return drama.drama(courses(ROUNDS, GAMES))["shape"].filter(pl.col("measure") == name)["value"].item()


def test_the_lead_changes_when_another_seat_than_the_last_leader_takes_it() -> None:
    course = next(courses(ROUNDS, GAMES))
    assert drama.lead_changes(course, course.leaders()).tolist() == [2, 0, 0, 0, 1]
    assert value("lead_changes") == pytest.approx(2 / 4) and value("never_changed") == pytest.approx(3 / 4)


def test_a_game_is_decided_when_its_winner_leads_for_good() -> None:
    course = next(courses(ROUNDS, GAMES))
    assert drama.decided_in(course, course.leaders()).tolist() == [4, 3, 1, 0, 0]
    assert drama.sole_winner(course).tolist() == [0, 0, 1, -1, -1]
    assert value("decided_at") == pytest.approx((1 + 3 / 4 + 1 / 2) / 3)
    assert value("decided_last") == pytest.approx(1 / 3)


def test_a_winner_by_the_tie_break_alone_takes_the_lead_with_the_last_round() -> None:
    level = next(
        courses(ROUNDS, games([(2, d, "won", r, 9, 1, 1) for d, r in ((0, 4), (0, 4), (1, 2), (1, 2), (1, 2))]))
    )
    assert drama.decided_in(level, level.leaders()).tolist()[3] == 2


def test_comebacks_are_told_from_being_level() -> None:
    # At half of the games 0 leads the first, nobody the second, 1 the third.
    assert value("not_leading_at_half") == pytest.approx(1 / 3) and value("behind_at_half") == 0


def test_margins_are_those_of_the_last_round_of_decided_games() -> None:
    found = drama.drama(courses(ROUNDS, GAMES))
    assert found["margins"].select("margin", "games").rows() == [(0, 1), (1, 1), (6, 1), (12, 1)]
    assert value("margin") == pytest.approx(19 / 4) and value("blowouts") == pytest.approx(1 / 4)
    spread = found["margin_spread"].row(0, named=True)
    assert (spread["value"], spread["p05"], spread["p95"], spread["n_games"]) == (1, 0, 12, 4)
    assert found["changes"].select("changes", "share").rows() == [(0, 0.75), (2, 0.25)]


def test_leaders_win_their_part_of_shared_victories() -> None:
    found = drama.drama(courses(ROUNDS, GAMES))["leader_wins"]
    # Round 1: seat 0 leads the second (wins) and the fourth (shares), seat 1 the third (wins); nobody the first.
    first = found.row(0, named=True)
    assert first["value"] == pytest.approx(2.5 / 3) and first["leads"] == pytest.approx(3 / 4)
    assert first["n_games"] == 3 and first["n_blocks"] == 2 and first["fair"] == 0.5
    assert found["round"].to_list() == [1, 2, 3, 4] and found["value"].to_list()[3] == 1


def test_games_of_which_none_is_decided_have_empty_rows() -> None:
    stalled = drama.drama(courses(ROUNDS, GAMES.with_columns(winners=pl.lit(0, pl.UInt8))))
    assert stalled["leader_wins"].is_empty() and stalled["margins"].is_empty()
    assert set(stalled["shape"]["n_games"]) == {0}

"""Walls and fights, on tables small enough to count by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from blinksim.analysis import deterrence, stale, walls
from blinksim.games.blink.descriptor import GAME

STANDARD: dict[str, Any] = dict(GAME.ruleset_data(GAME.load_ruleset("standard")))
DUEL = {
    "players": pl.Int8, "deal": pl.Int32, "game": pl.Int64, "seat": pl.Int8, "round": pl.Int16, "defender": pl.Int8,
    "defender_tier": pl.Int8, "terrain": pl.Enum(["P", "F", "O", "M"]), "homeland": pl.Int8, "coins": pl.Int8,
    "attack_rank": pl.Int8, "wall": pl.Int8, "answer_rank": pl.Int8, "margin": pl.Int16,
    "result": pl.Enum(["held", "beaten"]), "unit_fate": pl.Enum(["stays", "falls_back", "home"]),
    "captured": pl.Boolean,
}  # fmt: skip


def duels(rows: Sequence[dict[str, Any]]) -> pl.LazyFrame:
    """The table ``duels``; what a row leaves out is an attack that takes bare Plains of seat 1 in Tribe."""
    usual = {
        "players": 2, "deal": 0, "game": 0, "seat": 0, "round": 3, "defender": 1, "defender_tier": 0, "terrain": "P",
        "homeland": -1, "coins": 0, "attack_rank": 12, "wall": 0, "answer_rank": 0, "margin": 12, "result": "beaten",
        "unit_fate": "home", "captured": True,
    }  # fmt: skip
    return pl.DataFrame([usual | row for row in rows], schema=DUEL, orient="row").lazy()


HELD = {"result": "held", "unit_fate": "stays", "captured": False}


def changed(**sections: dict[str, Any]) -> dict[str, Any]:
    """The standard ruleset with parameters changed."""
    return STANDARD | {name: STANDARD[name] | values for name, values in sections.items()}


def by_terrain(frame: pl.DataFrame, column: str) -> dict[str, list[int | None]]:
    return {str(t): part[column].to_list() for (t,), part in frame.group_by(["terrain"], maintain_order=True)}


def test_ranks_that_break_a_wall_on_paper_are_those_of_the_rules() -> None:
    """Section 7.6: the lowest rank against a lone wall, by tier and terrain."""
    found = by_terrain(walls.breaking_ranks(STANDARD), "paper")
    assert found == {
        "P": [11, 13, 15, 17, 19],
        "F": [12, 14, 16, 18, 20],
        "O": [11, 13, 15, 17, 19],
        "M": [13, 15, 17, 19, None],
    }
    assert by_terrain(walls.breaking_ranks(STANDARD), "paper_bare")["M"] == [2] * 5  # DA3 and DA4


@pytest.mark.parametrize(
    ("level", "native", "wall", "bare"),
    [("attacker_unless_native", False, 10, 1), ("attacker", True, 10, 1), ("defender", False, 11, 1)],
)
def test_a_level_total_falls_as_the_ruleset_says(level: str, native: bool, wall: int, bare: int) -> None:
    parameters = changed(duel={"level_total": level, "wall_is_native": native})
    first = walls.breaking_ranks(parameters).row(0, named=True)
    assert (first["paper"], first["paper_bare"]) == (wall, bare)


ATTACKS = duels(
    [
        {"coins": 1, "wall": 10, "attack_rank": 11, "margin": 1},
        {"coins": 1, "wall": 10, "attack_rank": 10, "margin": 0, **HELD},
        {"coins": 1, "wall": 10, "attack_rank": 11, "answer_rank": 12, "margin": -1, **HELD},
        {"deal": 1, "answer_rank": 13, "margin": -1, **HELD},
        {"deal": 1, "game": 1, "attack_rank": 2, "unit_fate": "falls_back", "captured": False},
    ]
)


def test_success_by_what_lay_there_and_by_what_fought() -> None:
    found = walls.success(walls.attack_blocks(ATTACKS), ())
    assert found.select("against", "value", "n_games").rows() == [
        ("no coin", 0.5, 2),
        ("coin", pytest.approx(1 / 3), 3),
        ("bare", 1.0, 1),
        ("wall", 0.5, 2),
        ("card", 0.0, 2),
    ]


def test_success_by_tier_terrain_and_rank() -> None:
    found = walls.success(walls.attack_blocks(ATTACKS)).filter(pl.col("against") == "coin")
    assert found.select("defender_tier", "terrain", "attack_rank", "value").rows() == [
        (0, "P", 10, 0.0),
        (0, "P", 11, 0.5),
    ]


def ranks_and_kinds(shares: dict[int, tuple[int, int]]) -> pl.DataFrame:
    """Where walls break, from (beaten, attacks) of each of 30 deals by rank."""
    rows = []
    for deal in range(30):
        for rank, (beaten, attacks) in shares.items():
            for i in range(attacks):
                rows.append({"deal": deal, "coins": 1, "wall": 10, "attack_rank": rank} | ({} if i < beaten else HELD))
    blocks = walls.attack_blocks(duels(rows))
    kinds = walls.success(blocks, ("defender_tier", "terrain"))
    return walls.breakpoints(walls.success(blocks), kinds, walls.breaking_ranks(STANDARD))


def test_walls_break_where_the_curve_crosses_one_half() -> None:
    row = ranks_and_kinds({10: (0, 2), 11: (1, 4), 12: (4, 4), 13: (4, 4)}).row(0, named=True)
    assert (row["paper"], row["value"], row["low"], row["high"]) == (11, 12, 12, 12)
    assert (row["lowest"], row["seen"], row["n_games"], row["n_blocks"]) == (10, "crossing", 30 * 14, 30)


def test_a_dip_by_chance_does_not_move_the_crossing() -> None:
    """The curve is put in ascending order: a higher rank cannot do worse."""
    row = ranks_and_kinds({10: (0, 2), 11: (2, 2), 12: (0, 2), 13: (2, 2)}).row(0, named=True)
    assert row["value"] == 12


def test_a_curve_that_begins_above_or_stays_below_one_half_says_so() -> None:
    above = ranks_and_kinds({11: (2, 2), 12: (2, 2)}).row(0, named=True)
    assert (above["value"], above["lowest"], above["seen"]) == (11, 11, "lowest tried")
    below = ranks_and_kinds({8: (0, 2), 9: (0, 2)}).row(0, named=True)
    assert np.isnan(below["value"]) and below["seen"] == "never"


def rounds(rows: Sequence[tuple[int, ...]], players: int = 2) -> pl.LazyFrame:
    """The table ``rounds`` from (deal, game, round, seat, lay_tier, best_rank)."""
    names = ["deal", "game", "round", "seat", "lay_tier", "best_rank"]
    frame = pl.DataFrame(rows, names, orient="row").with_columns(pl.lit(players).alias("players"))
    types: dict[str, Any] = {"deal": pl.Int32, "game": pl.Int64, "round": pl.Int16}
    return frame.cast(types | dict.fromkeys(("players", "seat", "lay_tier", "best_rank"), pl.Int8)).lazy()


def test_fights_by_the_tier_of_the_defender() -> None:
    seats = rounds([(0, 0, 1, 0, 0, 9), (0, 0, 1, 1, 0, 9), (1, 1, 1, 0, 1, 9), (1, 1, 1, 1, 0, 9)])
    found = walls.fights(ATTACKS, seats)
    tribe = {row["measure"]: row["value"] for row in found.filter(pl.col("defender_tier") == 0).iter_rows(named=True)}
    assert tribe == {
        "attacks a round": pytest.approx(5 / 3),
        "of all attacks": 1,
        "beaten": pytest.approx(2 / 5),
        "sent home": pytest.approx(1 / 5),
        "captured": pytest.approx(1 / 5),
    }
    settlement = found.filter(pl.col("defender_tier") == 1)
    assert settlement.select("measure", "value").rows() == [("attacks a round", 0.0), ("of all attacks", 0.0)]


def test_a_wall_saves_a_unit_only_where_it_fought_and_bare_ground_would_have_fallen() -> None:
    seats = pl.LazyFrame(
        {
            "players": [2] * 4,
            "deal": [0, 0, 1, 1],
            "game": [0, 0, 1, 1],
            "seat": [0, 1] * 2,
            "num_fortify": [3, 0, 1, 0],
        }
    )
    spends = pl.LazyFrame({"players": [2, 2], "deal": [0, 0], "effect": ["B", "A"], "units": [2, 0]})
    mountain = {"deal": 1, "game": 1, "terrain": "M", "coins": 1, "wall": 10, **HELD}
    # Rank 1 does not take a bare Mountain either; rank 2 does (DA3 and DA4).
    more = duels([mountain | {"attack_rank": 1, "margin": -11}, mountain | {"attack_rank": 2, "margin": -10}])
    found = walls.coins(seats, spends, pl.concat([ATTACKS, more]))
    means = dict(found.select("measure", "value").rows())
    assert means == {
        "bought": 1.0,
        "free": 0.5,
        "attacked": 1.25,
        "beaten": 0.25,
        "held by card": 0.25,
        "held by wall": 0.75,
        "saved": 0.5,
        "saved a coin": pytest.approx(2 / 6),
    }


def test_strikes_on_homelands_count_those_that_their_players_hold() -> None:
    games = pl.LazyFrame({"players": [2] * 4, "deal": [0, 0, 1, 1]}, {"players": pl.Int8, "deal": pl.Int32})
    strikes = duels(
        [
            {"round": 1, "homeland": 1},
            {"round": 1, "homeland": 0, "game": 1},  # seat 1 holds the homeland of seat 0
            {"deal": 1, "game": 2, "round": 2, "homeland": 1, **HELD},
            {"deal": 1, "game": 3, "round": 6, "homeland": 1},
        ]
    )
    found = walls.homeland_strikes(games, strikes)
    counts = {(row["round"], row["measure"]): row["games"] for row in found.iter_rows(named=True)}
    assert [counts[1, name] for name in ("any attack", "homeland attacked", "homeland taken")] == [2, 1, 1]
    assert [counts[5, name] for name in ("any attack", "homeland attacked", "homeland taken")] == [3, 2, 1]
    assert found["n_games"].to_list() == [4] * 15


HANDS = rounds(
    [
        (0, 0, 1, 0, 0, 11), (0, 0, 1, 1, 0, 14),
        (0, 0, 2, 0, 1, 20), (0, 0, 2, 1, 0, 10),
        (1, 1, 1, 0, 0, 12), (1, 1, 1, 1, 0, 12),
        (1, 1, 2, 0, 0, 12), (1, 1, 2, 1, 2, 12),
    ]
)  # fmt: skip
"""Hands at the end of round 1 are those of round 2: 11 against 14, and 12 against 12."""


def test_who_could_break_a_wall_is_told_by_the_hand_before_laying() -> None:
    found = stale.holders(HANDS, [2], STANDARD)
    assert found["round"].unique().to_list() == [2]
    shares = dict(found.select("wall_tier", "value").rows())
    # Tribe needs 11, Settlement 13, Kingdom 15; the rivals' tiers are Tribe, Settlement, Kingdom and Tribe.
    assert shares == {stale.RIVALS: 0.75, 0: 1.0, 1: 0.25, 2: 0.0, 3: 0.0, 4: 0.0}
    assert dict(found.select("wall_tier", "needed").rows())[4] == 19


def test_a_wall_that_no_card_breaks_never_goes_stale() -> None:
    high = changed(tiers={"wall": [10, 12, 14, 16, 20]})
    assert stale.needed_ranks(high) == [11, 13, 15, 17, stale.NEVER]
    found = stale.stale_from(stale.holders(HANDS, [2], high))
    assert dict(found.select("wall_tier", "value").rows()) == {-1: 2, 0: 2, 1: None, 2: None, 3: None, 4: None}
    assert stale.stale_from(stale.holders(HANDS, [2], high), enough=3).is_empty()


def test_attackers_who_turn_away_from_walls_are_compared_within_tier_and_round() -> None:
    """Two strata: in round 2 those who can break a wall aim at coins half the time, in round 3 always."""
    rows, hands = [], []
    for deal in range(4):
        for number, able_on_coins in ((2, [1, 0]), (3, [1, 1])):
            hands += [(deal, 4 * deal + number, number - 1, 0, 0, 11), (deal, 4 * deal + number, number - 1, 1, 0, 5)]
            place = {"deal": deal, "game": 4 * deal + number, "round": number}
            rows += [place | {"seat": 0, "coins": coins} for coins in able_on_coins]
            rows += [place | {"seat": 1, "coins": 0}] * (3 if number == 2 else 1)
    rows.append({"deal": 0, "game": 2, "round": 2, "seat": 1, "coins": 1})
    found = deterrence.turned_away(duels(rows), rounds(hands), STANDARD)
    values = dict(found.select("measure", "value").rows())
    # 13 unable attacks in round 2 at 1/2, 4 in round 3 at 1.
    assert values["expected"] == pytest.approx((13 / 2 + 4) / 17)
    assert values["observed"] == pytest.approx(1 / 17)
    assert values["turned away"] == pytest.approx(1 - 1 / 10.5)
    assert found["n_games"].to_list() == [17] * 3


def test_where_nobody_attacks_a_wall_the_interval_is_not_empty() -> None:
    rows = [{"deal": d, "seat": s, "coins": 1 - s, "game": d} for d in range(30) for s in (0, 1)]
    hands = rounds([(d, d, 2, s, 0, 11 if s == 0 else 5) for d in range(30) for s in (0, 1)])
    found = deterrence.turned_away(duels(rows), hands, STANDARD)
    away = found.filter(pl.col("measure") == "turned away").row(0, named=True)
    assert away["value"] == 1 and 0.8 < away["low"] < 1 and away["high"] == 1


def test_standardised_intervals_cover_the_truth() -> None:
    """Deals differ in how often their attacks fall on coins; 95 % intervals hold the true share 93 to 97 times."""
    rng = np.random.default_rng(7)
    hit, trials = 0, 400
    for _ in range(trials):
        luck = rng.beta(4, 6, 60)
        frame = pl.DataFrame(
            [
                (tier, 2, deal, 4, int(rng.binomial(4, luck[deal])), int(rng.integers(1, 4)), 0)
                for deal in range(60)
                for tier in (0, 1)
            ],
            ["defender_tier", "round", "deal", "able", "able_coined", "unable", "unable_coined"],
            orient="row",
        )
        expected = deterrence._standardised(frame)["expected"]
        hit += expected.low <= 0.4 <= expected.high
    assert 0.92 <= hit / trials <= 0.98


def test_attacks_and_coins_between_games_of_one_deal() -> None:
    """Each coin more goes with two attacks fewer; deals and slots differ in level, which does not count."""
    seats, attacks, games = [], [], []
    for deal in range(3):
        for shift in (0, 1):
            game = 2 * deal + shift
            games.append((2, game, 10))
            for seat in (0, 1):
                coins = 2 + shift
                seats.append((2, deal, 0, seat, game, seat, coins))
                attacks += [{"deal": deal, "game": game, "defender": seat}] * (10 + deal + 5 * seat - 2 * coins)
    columns = ["players", "deal", "line_up", "slot", "game", "seat", "num_fortify"]
    types: dict[str, Any] = {"players": pl.Int8, "seat": pl.Int8}
    found = deterrence.within_deals(
        pl.DataFrame(seats, columns, orient="row").cast(types).lazy(),
        duels(attacks),
        pl.DataFrame(games, ["players", "game", "rounds"], orient="row").cast({"players": pl.Int8}).lazy(),
    )
    assert found.select("value", "n_games", "n_blocks").rows() == [(pytest.approx(-2), 12, 3)]

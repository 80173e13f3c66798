"""What a game is called, how games are numbered, and how they are cut into shards."""

import numpy as np
import pytest

from blinksim.simulate.schedule import GameKey, GameKeyError, Schedule, make_plan, parse_key
from tests.simulate.fake_game import fake_experiment

PLAN = make_plan(fake_experiment())
THREE = PLAN.schedules[3]


def schedule(line_ups: list[list[str]], shifts: str, **changes: int) -> Schedule:
    given = {"place": 0, "strides": 1, "num_variants": 1, "num_deals": 5, "replicates": 1, **changes}
    return Schedule(len(line_ups[0]), line_ups=tuple(map(tuple, line_ups)), shifts=shifts, **given)


def test_worked_game_of_the_identity_page() -> None:
    """Seed 7, 3 players, two variants, a mirror and a mixed line-up, shifts auto: 24 games a deal, and game 310."""
    assert THREE.games_per_deal == 2 * (3 + 9) == 24
    key = parse_key("3p/d12/v1/l1/h2/s1/r0")
    assert THREE.number_of(key) == 12 * 24 + 12 + 3 + (2 * 3 + 1) == 310
    assert THREE.key_of(310) == key
    assert PLAN.find("3p/310") == key == PLAN.find("3p/d12/v1/l1/h2/s1/r0")
    row = THREE.keys(12, 1)[310 - 12 * 24]
    assert {name: int(row[name]) for name in row.dtype.names} == {
        "variant": 1,
        "players": 3,
        "line_up": 1,
        "deal": 12,
        "hand_shift": 2,
        "seat_shift": 1,
        "replicate": 0,
        "game": 310,
    }


def test_key_text_round_trips() -> None:
    key = GameKey(3, 120, 0, 2, 1, 0, 0)
    assert str(key) == "3p/d120/v0/l2/h1/s0/r0"
    assert parse_key(str(key)) == key


def test_numbers_and_keys_agree_for_every_game() -> None:
    s = schedule([["a", "a"], ["a", "b"]], "auto", num_variants=2, num_deals=3, replicates=3)
    assert s.games_per_deal == 2 * 3 * (2 + 4)
    keys = s.keys(0, 3)
    assert keys["game"].tolist() == list(range(s.num_games))
    texts = []
    for number, row in enumerate(keys):
        key = s.key_of(number)
        texts.append(str(key))
        assert s.number_of(key) == number
        assert [int(row[n]) for n in ("deal", "variant", "line_up", "replicate", "hand_shift", "seat_shift")] == [
            key.deal,
            key.variant,
            key.line_up,
            key.replicate,
            key.hand_shift,
            key.seat_shift,
        ]
    assert len(set(texts)) == s.num_games
    order = [
        (k.deal, k.variant, k.line_up, k.replicate, k.hand_shift, k.seat_shift)
        for k in map(s.key_of, range(s.num_games))
    ]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("shifts", "mirror", "mixed"),
    [
        ("auto", [(0, 0), (0, 1), (0, 2)], 9),
        ("seats", [(0, 0), (0, 1), (0, 2)], 3),
        ("hands", [(0, 0), (1, 0), (2, 0)], 3),
        ("both", [(h, t) for h in range(3) for t in range(3)], 9),
        ("none", [(0, 0)], 1),
    ],
)
def test_shifts(shifts: str, mirror: list[tuple[int, int]], mixed: int) -> None:
    s = schedule([["a", "a", "a"], ["a", "a", "b"]], shifts)
    assert s.shift_pairs(0) == mirror
    assert len(s.shift_pairs(1)) == mixed


def test_shards_are_whole_deals_and_cover_every_game_once() -> None:
    assert [s.number for s in PLAN.shards] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13]
    assert [(s.first_deal, s.num_deals) for s in PLAN.shards if s.players == 2] == [
        (0, 2),
        (2, 2),
        (4, 2),
        (6, 2),
        (8, 1),
    ]
    for players, s in PLAN.schedules.items():
        games = np.concatenate([PLAN.keys(shard)["game"] for shard in PLAN.shards if shard.players == players])
        assert games.tolist() == list(range(s.num_games))
    assert PLAN.num_games == sum(s.num_games for s in PLAN.shards) == 9 * 8 + 13 * 24


def test_more_deals_only_add_shards() -> None:
    more = make_plan(fake_experiment(deals={"2": 10, "3": 30}))
    by_number = {s.number: s for s in more.shards}
    whole = [s for s in PLAN.shards if s.num_deals == 2]
    assert len(whole) == 10 and all(by_number[s.number] == s for s in whole)
    auto = [make_plan(fake_experiment(deals=n, deals_per_shard=None)).schedules[3].deals_per_shard for n in (1, 5000)]
    assert auto == [round(1000 / 24)] * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3p/d12", '"3p/d12" is not a game: a game is players, deal, .* such as 3p/d120/v0/l2/h1/s0/r0'),
        ("3p/d13/v0/l0/h0/s0/r0", "deal 13 is not played; with 3 players there are 0 to 12"),
        ("3p/d1/v2/l0/h0/s0/r0", "variant 2 is not played"),
        ("3p/d1/v0/l0/h1/s0/r0", "shifts h1/s0 are not played; line-up 0 has hand shifts 0 and seat shifts 0, 1, 2"),
        ("4p/d1/v0/l0/h1/s0/r0", "4 players are not played; the experiment has 2, 3"),
        ("3p/312", "there is no game 312 for 3 players; games are 0 to 311"),
    ],
)
def test_games_that_are_not_played_are_refused_with_what_there_is(text: str, message: str) -> None:
    with pytest.raises(GameKeyError, match=message):
        PLAN.find(text)

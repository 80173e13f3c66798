"""Alternatives of sections 1.1, 1.2, 1.4, 1.8 and 1.9: setup, tiers, trick, objectives, end, score.

No golden record plays these; every row is worked out by hand from the text and names its parameter. Section 1.5 is in
``test_alternatives_map.py``, sections 1.6 and 1.7 in ``test_alternatives_cards.py``.
"""

from __future__ import annotations

from typing import Any

import pytest

from blinksim.errors import UserError
from blinksim.games.blink import objectives, observe
from blinksim.games.blink.enums import Decision, Outcome
from blinksim.games.blink.ruleset import RulesetError
from blinksim.games.blink.state import VIEW, new_records
from tests.games.blink.positions import (
    add_tile,
    cards,
    choose,
    dealt,
    decision,
    end_round,
    fresh,
    grid,
    legal_texts,
    market,
    meld_sizes,
    options,
    outcome,
    per_seat,
    play_first,
    rules_for,
    set_hand,
    set_objectives,
    set_reserve,
    set_row,
    spot,
    start_round,
    supply,
    tier,
    tile,
)
from tests.games.blink.vectors.test_dues import pay_dues
from tests.games.blink.vectors.test_end import points, winners
from tests.games.blink.vectors.test_trick import play_trick

ONE_BAND = [
    {
        "name": "all",
        "ranks": [1, 24],
        "a": True,
        "wins_ties": False,
        "tiles": 1,
        "units": 1,
        "terrain": "suit",
        "reach": 1,
        "gold": 7,
    }
]


# 1.1 cards and setup


@pytest.mark.parametrize(
    ("changes", "in_market", "in_deck"),
    [
        ({}, 14, 27),
        ({"cards.rank_min": 2}, 10, 27),
        ({"cards.starting_rank_max": 12}, 18, 23),
        ({"cards.rank_max": 24, "victory.bands": ONE_BAND}, 14, 43),
        ({"setup.hand_size": 8}, 20, 27),
        ({"research.grid": [2, 4]}, 14, 28),
    ],
)
def test_deck_sizes(changes: dict[str, Any], in_market: int, in_deck: int) -> None:
    """cards.*, setup.hand_size, research.grid (1.1): cards left over at three players."""
    state = fresh(rules_for(3, changes))
    assert (int(state.market_count), int(state.upgrade_count)) == (in_market, in_deck)


def test_hand_size() -> None:
    """setup.hand_size (1.1): eight cards each, the market begins with the next."""
    state = dealt(rules_for(2, {"setup.hand_size": 8}))
    assert per_seat(state, "hand_size") == [8, 8]
    assert cards(state.hand[1]) == "3P 3F 3O 3M 4P 4F 4O 4M"
    assert market(state).split()[0] == "5P"


def test_players() -> None:
    """setup.players (1.1): a ruleset for three and four refuses two."""
    with pytest.raises(UserError, match=r"setup\.players"):
        rules_for(2, {"setup.players": [3, 4]})
    assert int(rules_for(3, {"setup.players": [3, 4]}).players) == 3


@pytest.mark.parametrize("mode", ["show_one", "secret", "keep_both"])
def test_no_draft(mode: str) -> None:
    """setup.draft = false (1.1, K5): the ten cards dealt are kept and D02 does not occur."""
    rules = rules_for(3, {"setup.draft": False, "objectives.mode": mode})
    state = dealt(rules, start_player=2)
    seen = set()
    while decision(state) != Decision.MELD:
        seen.add(decision(state))
        choose(state, rules, legal_texts(state, rules)[0])
    expected = {"show_one": {Decision.OBJECTIVE_SHOW}, "secret": {Decision.OBJECTIVE_KEEP}, "keep_both": set()}
    assert seen == expected[mode]
    assert (int(state.round_number), int(state.seat)) == (1, 2)
    assert cards(state.hand[0]) == "1P 1F 1O 1M 2P 2F 2O 2M 3P 3F"


def passed_to(direction: str, passes: list[int]) -> list[str]:
    """The hands of three seats after a draft in which everybody passes the lowest cards."""
    rules = rules_for(3, {"setup.draft_direction": direction, "setup.draft_passes": passes, "objectives.mode": "none"})
    state = dealt(rules)
    for count in passes:
        for seat in range(3):
            choose(state, rules, "pass " + " ".join(cards(state.hand[seat]).split()[:count]))
    assert decision(state) == Decision.MELD
    return [cards(state.hand[seat]) for seat in range(3)]


def test_draft_passes_and_direction() -> None:
    """setup.draft_passes, draft_direction (1.9): left is to the next seat, right to the one before, alternate both."""
    dealt_hands = [
        ["1P", "1F", "1O", "1M", "2P", "2F", "2O", "2M", "3P", "3F"],
        ["3O", "3M", "4P", "4F", "4O", "4M", "5P", "5F", "5O", "5M"],
        ["6P", "6F", "6O", "6M", "7P", "7F", "7O", "7M", "8P", "8F"],
    ]
    left = [set(dealt_hands[s][3:]) | set(dealt_hands[(s - 1) % 3][:3]) for s in range(3)]
    right = [set(dealt_hands[s][3:]) | set(dealt_hands[(s + 1) % 3][:3]) for s in range(3)]
    assert [set(hand.split()) for hand in passed_to("left", [3])] == left
    assert [set(hand.split()) for hand in passed_to("right", [3])] == right
    assert [set(hand.split()) for hand in passed_to("alternate", [3])] == left
    # alternate: seat 0 got 6P 6F 6O from the left pass and gives its three lowest, 1M 2P 2F, to seat 2
    assert {"1M", "2P", "2F"} <= set(passed_to("alternate", [3, 3])[2].split())
    assert {"1M", "2P", "2F"} <= set(passed_to("left", [3, 3])[1].split())


def test_number_of_passes_to_choose_from() -> None:
    """2.2: 210, 210 and 45 choices of 6, 4 and 2 cards out of ten."""
    rules = rules_for(2)
    state = dealt(rules)
    for expected in (210, 210, 45):
        for _ in range(2):
            texts = legal_texts(state, rules)
            assert len(texts) == expected
            choose(state, rules, texts[0])
    assert decision(state) == Decision.OBJECTIVE_SHOW


@pytest.mark.parametrize(("units", "reserve", "limit"), [(1, 19, 2), (2, 18, 3), (3, 17, 3)])
def test_start_units(units: int, reserve: int, limit: int) -> None:
    """setup.start_units (1.1, R13): all on the homeland."""
    rules = rules_for(3, {"setup.start_units": units})
    state = fresh(rules)
    assert per_seat(state, "reserve") == [reserve] * 3
    assert spot(state, "2,-1") == f"1:{units}/0"
    assert tier(rules, reserve)[0] == limit


def test_starting_gold() -> None:
    """setup.starting_gold (1.1)."""
    assert per_seat(dealt(rules_for(3, {"setup.starting_gold": 4})), "gold") == [4, 4, 4]


def test_start_player() -> None:
    """setup.start_player (1.1, R11): the deal's start player leads round 1."""
    rules = rules_for(3, {"setup.draft": False, "objectives.mode": "none"})
    assert int(dealt(rules, start_player=1).leader) == 1


def test_own_map() -> None:
    """setup.map (1.9): homelands in seat order; tiles come from the supply; other player counts keep their map."""
    homelands = [[0, 2], [-1, 0], [2, -1]]
    own = {"3": {"mountains": [[0, 0], [1, 0], [0, 1]], "homelands": homelands, "other": [[3, -1, "O"]]}}
    rules = rules_for(3, {"setup.map": own})
    state = fresh(rules)
    assert [spot(state, cell) for cell in ("0,2", "-1,0", "2,-1")] == ["0:1/0", "1:1/0", "2:1/0"]
    assert tile(state, "3,-1") == ("O", None, 0, 0)
    assert supply(state) == {"P": 12, "F": 15, "O": 14, "M": 12}
    assert spot(fresh(rules_for(2, {"setup.map": own})), "2,0") == "1:1/0"


def test_map_rules() -> None:
    """setup.map_rules (1.9): homelands two apart break section 4; switched off, any connected map will do."""
    own = {"2": {"mountains": [[0, 0], [1, 0]], "homelands": [[0, 1], [2, 0]]}}
    with pytest.raises(RulesetError, match="layout rule"):
        rules_for(2, {"setup.map": own})
    assert spot(fresh(rules_for(2, {"setup.map": own, "setup.map_rules": False})), "0,1") == "0:1/0"


# 1.2 tiers


def test_own_tiers() -> None:
    """tiers.* (1.2): three tiers of 2, 2 and 4 units: 8 a player; the tier follows the reserve."""
    rules = rules_for(
        3,
        {
            "tiers.name": ["Low", "Middle", "High"],
            "tiers.units": [2, 2, 4],
            "tiers.meld_limit": [1, 3, 5],
            "tiers.rank_cap": [11, 15, 20],
            "tiers.wall": [4, 8, 20],
        },
    )
    assert int(fresh(rules).reserve[0]) == 7
    assert [tier(rules, r)[0] for r in range(8, -1, -1)] == [1, 1, 3, 3, 5, 5, 5, 5, 5]
    assert tier(rules, 5) == (3, 15, 8)


# 1.4 trick and dues


@pytest.mark.parametrize(
    ("chain", "melds", "declared", "order"),
    [
        (["cards"], [[9, 9], [6, 6, 6]], {}, [1, 0]),
        ([], [[9, 9], [6, 6, 6]], {}, [0, 1]),
        (["highest_rank"], [[6, 6, 6], [9, 9]], {}, [1, 0]),
        (["highest_rank"], [[6, 6, 6, 7], [5, 6, 7, 7]], {}, [0, 1]),
        (["ranks_desc"], [[6, 6, 7, 7], [5, 6, 7, 8]], {}, [1, 0]),
        (["a_rank", "cards"], [[5, 6], [9]], {1: 2}, [1, 0]),
        (["cards", "a_rank"], [[5, 6], [9]], {1: 2}, [0, 1]),
        (["a_wins_ties"], [[10], [4]], {0: 3, 1: 9}, [1, 0]),
        (["a_rank"], [[4], [2]], {0: 9, 1: 11}, [1, 0]),
    ],
)
def test_tie_chain(chain: list[str], melds: list[list[int]], declared: dict[int, int], order: list[int]) -> None:
    """trick.tie_chain (1.9): any order and subset after the total; laid_earlier always ends it (seat 0 leads)."""
    rules = rules_for(2, {"trick.tie_chain": chain})
    assert per_seat(play_trick(rules, melds, declared, 0), "order") == order


@pytest.mark.parametrize(
    ("melds", "declared", "order"),
    [
        ([[11], [2, 3]], {}, [1, 0]),
        ([[11], [2, 3]], {0: 4}, [0, 1]),
        ([[9], [2, 3, 4]], {0: 17}, [1, 0]),
        ([[10], [2, 3, 4]], {0: 17}, [0, 1]),
        ([[9], [2, 3]], {0: 4, 1: 5}, [1, 0]),
        ([[9], [4, 5]], {0: 4}, [1, 0]),
        ([[9], [4, 5]], {0: 8}, [1, 0]),
        ([[9], [9]], {0: 4, 1: 8}, [1, 0]),
    ],
    ids=["cards", "total", "equal totals", "bonus of two", "bonus each", "chain: cards", "cards first", "wins ties"],
)
def test_most_cards(melds: list[list[int]], declared: dict[int, int], order: list[int]) -> None:
    """trick.mode = most_cards, a_bonus_cards [1, 1, 2, 2] (1.9, R40, K13): cards + bonus, total of the meld, chain."""
    rules = rules_for(2, {"trick.mode": "most_cards", "trick.a_bonus_cards": [1, 1, 2, 2]})
    assert per_seat(play_trick(rules, melds, declared, 0), "order") == order


def test_most_cards_dues_count_physical_cards() -> None:
    """trick.mode = most_cards (1.9): 9 with a bonus of 2 beats two cards; the loser keeps fewer cards than one."""
    rules = rules_for(2, {"trick.mode": "most_cards", "trick.a_bonus_cards": [1, 1, 2, 2]})
    state = play_trick(rules, [[9], [2, 3]], {0: 17}, 0)
    choose(state, rules, "aside 2P", "aside 3P")
    assert meld_sizes(state) == [1, 0]
    assert int(state.moves_left) == 1


@pytest.mark.parametrize(
    ("changes", "kept", "gold"),
    [
        ({}, [1, 2, 1], [1, 0, 1]),
        ({"trick.last_place_gold": 3}, [1, 2, 1], [1, 0, 3]),
        ({"trick.set_aside": False}, [2, 2, 1], [0, 0, 1]),
        ({"trick.set_aside_gold": 2}, [1, 2, 1], [2, 0, 1]),
        ({"trick.set_aside_gold": 0}, [1, 2, 1], [0, 0, 1]),
        ({"trick.set_aside_winner_exempt": False}, [1, 1, 1], [1, 1, 1]),
        ({"trick.set_aside_min_kept": 2}, [2, 2, 1], [0, 0, 1]),
        ({"trick.set_aside_winner_exempt": False, "trick.set_aside_min_kept": 2}, [2, 2, 1], [0, 0, 1]),  # K15
    ],
)
def test_dues(changes: dict[str, Any], kept: list[int], gold: list[int]) -> None:
    """trick.last_place_gold, set_aside* (1.4, 1.9) on melds of 2, 2 and 1 cards, seat 1 winning, seat 2 last."""
    state = pay_dues(rules_for(3, changes), [[7, 8], [9, 10], [4]])
    assert meld_sizes(state) == kept
    assert per_seat(state, "gold") == gold


def test_the_winner_sets_aside_first() -> None:
    """trick.set_aside_winner_exempt = false (1.9): the winner, first, down to k - 1; k stays as laid."""
    rules = rules_for(3, {"trick.set_aside_winner_exempt": False})
    state = fresh(rules)
    start_round(state, rules, 0, {0: "7P 8P 1P", 1: "9P 10P 1F", 2: "4P 5P 1O"})
    choose(state, rules, "meld 7P 8P", "meld 9P 10P", "meld 4P 5P")
    asked = []
    while decision(state) == Decision.SET_ASIDE:
        asked.append(int(state.seat))
        choose(state, rules, legal_texts(state, rules)[0])
    assert asked == [1, 2, 0]
    assert meld_sizes(state) == [1, 1, 1]


@pytest.mark.parametrize(("choice", "leader"), [("winner", 1), ("clockwise", 2), ("last", 0)])
def test_next_leader(choice: str, leader: int) -> None:
    """trick.next_leader (1.9): seat 1 leads and wins, seat 0 ranks last."""
    rules = rules_for(3, {"trick.next_leader": choice})
    state = fresh(rules)
    start_round(state, rules, 1, {0: "4P 1P", 1: "9P 1F", 2: "7P 1O"})
    choose(state, rules, "meld 9P", "meld 7P", "meld 4P")
    play_first(state, rules, until_round=2)
    assert (int(state.leader), int(state.seat), int(state.round_number)) == (leader, leader, 2)


# 1.8 objectives


def test_secret() -> None:
    """objectives.mode = secret (1.8, 2.2): one of two is kept, before the draft, hidden from the others."""
    rules = rules_for(2, {"objectives.mode": "secret"})
    state = dealt(rules)
    assert (decision(state), options(state, rules, "keep")) == (
        Decision.OBJECTIVE_KEEP,
        {"plains_forest", "plains_ocean"},
    )
    choose(state, rules, "keep plains_ocean", "keep forest_plains")
    assert decision(state) == Decision.DRAFT_PASS
    assert per_seat(state, "num_objectives") == [1, 1]
    assert objectives.objective_text(state.objectives[0, 0]) == "plains_ocean"
    assert per_seat(state, "shown") == [-1, -1]


def test_show_one() -> None:
    """objectives.mode = show_one (1.8, 2.2): one of two lies face up, both are kept."""
    rules = rules_for(2, {"setup.draft": False})
    state = dealt(rules)
    choose(state, rules, "show plains_ocean", "show plains_mountain")
    assert per_seat(state, "num_objectives") == [2, 2]
    assert [objectives.objective_text(code) for code in state.shown[:2]] == ["plains_ocean", "plains_mountain"]


@pytest.mark.parametrize(
    ("mode", "owned"),
    [
        ("keep_both", [["plains_forest", "plains_ocean"], ["plains_mountain", "forest_plains"]]),
        ("open", [["plains_forest", "plains_ocean"]] * 2),
        ("none", [[], []]),
    ],
)
def test_objective_modes_without_a_choice(mode: str, owned: list[list[str]]) -> None:
    """objectives.mode = keep_both, open, none (1.8, R17): nothing is asked."""
    state = dealt(rules_for(2, {"objectives.mode": mode, "setup.draft": False}))
    assert decision(state) == Decision.MELD
    for seat in range(2):
        codes = state.objectives[seat, : int(state.num_objectives[seat])]
        assert [objectives.objective_text(code) for code in codes] == owned[seat]


def test_open_objectives_pay_everybody() -> None:
    """objectives.mode = open (R17, R125): each player scores both for its own tiles."""
    rules = rules_for(2, {"objectives.mode": "open", "setup.draft": False})
    state = dealt(rules)
    for seat, q in ((0, 10), (1, 20)):
        add_tile(state, rules, q, 0, "P", seat, 1)
        add_tile(state, rules, q - 1, 0, "F", seat, 1)
        add_tile(state, rules, q + 1, 0, "F", seat, 1)
    assert [points(state, rules, seat)[2] for seat in range(2)] == [2, 2]


def test_three_dealt() -> None:
    """objectives.dealt = 3 (1.9): seat s has the deck's entries 3 s to 3 s + 2; one of three is shown."""
    rules = rules_for(3, {"objectives.dealt": 3, "setup.draft": False})
    state = dealt(rules)
    assert options(state, rules, "show") == {"plains_forest", "plains_ocean", "plains_mountain"}
    choose(state, rules, "show plains_mountain")
    assert options(state, rules, "show") == {"forest_plains", "forest_ocean", "forest_mountain"}


def test_objective_points() -> None:
    """objectives.points = 5 (1.8): per arrangement."""
    rules = rules_for(2, {"objectives.points": 5})
    state = fresh(rules, start_map=False)
    for terrain, q in (("F", 0), ("P", 1), ("F", 2), ("P", 3), ("F", 4)):
        add_tile(state, rules, q, 0, terrain, 0, 1)
    set_objectives(state, 0, "plains_forest", "forest_plains")
    assert points(state, rules, 0) == [5, 0, 15, 20]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mountain_mountain", 3),
        ("mountain_forest_ocean", 1),
        ("mountain_ocean_forest", 1),
        ("ocean_mountain_forest", 1),
        ("mountain_mountain_forest", 1),
        ("mountain_plains_mountain", 0),
        ("forest_mountain", 1),
    ],
)
def test_other_patterns(name: str, expected: int) -> None:
    """objectives.list (1.9): ends of the middle's own terrain, and two different ends, at least one own tile of each.

    The Mountains (0,0), (1,0), (0,1) touch each other; (0,0) also touches O(-1,0) and F(0,-1), which touch each other;
    F(0,-1) also touches M(1,-2).
    """
    deck = [name, *(other for other in objectives.THE_TWELVE if other != name)]
    rules = rules_for(2, {"objectives.list": deck})
    state = fresh(rules, start_map=False)
    for terrain, q, r in [("M", 0, 0), ("M", 1, 0), ("M", 0, 1), ("O", -1, 0), ("F", 0, -1), ("M", 1, -2)]:
        add_tile(state, rules, q, r, terrain, 0, 1)
    set_objectives(state, 0, name)
    assert points(state, rules, 0)[2] == 2 * expected


# 1.8 end and score


@pytest.mark.parametrize("extra", [0, 1, 3])
def test_extra_rounds(extra: int) -> None:
    """end.extra_rounds (1.8): rounds played after the one that armed the end."""
    rules = rules_for(3, {"end.extra_rounds": extra})
    state = fresh(rules, round_number=9)
    for seat in range(3):
        set_hand(state, seat, f"1{'PFO'[seat]} 2{'PFO'[seat]} 3{'PFO'[seat]} 4{'PFO'[seat]}")
    set_reserve(state, 0, 0)
    end_round(state, rules, 2)
    play_first(state, rules, until_round=20)
    assert (outcome(state), int(state.round_number)) == (Outcome.WON, 9 + extra)


def test_points_per_unit() -> None:
    """score.points_per_unit = 3 (1.8)."""
    rules = rules_for(2, {"score.points_per_unit": 3})
    state = fresh(rules)
    set_reserve(state, 0, 15)
    assert points(state, rules, 0) == [15, 0, 0, 15]


@pytest.mark.parametrize(
    ("breaks", "expected"),
    [
        ([], [0, 1]),
        (["gold"], [0]),
        (["units"], [1]),
        (["row"], [0]),
        (["objectives", "units"], [1]),
        (["objectives"], [0, 1]),
    ],
)
def test_tie_breaks(breaks: list[str], expected: list[int]) -> None:
    """score.tie_breaks (1.9, K14): equal totals of 10: seat 0 has 8 + 2 and gold 2, seat 1 has 10 + 0 and gold 1."""
    rules = rules_for(2, {"score.tie_breaks": breaks})
    state = fresh(rules)
    set_reserve(state, 0, 12)
    set_row(state, 0, "4P 5P")
    set_reserve(state, 1, 10)
    state.gold[0], state.gold[1] = 2, 1
    assert [points(state, rules, seat)[3] for seat in range(2)] == [10, 10]
    assert winners(state, rules) == expected


def test_memory() -> None:
    """observation.memory (R135): with state_only a seat no longer sees what it gave away; the game is the same."""
    views = {}
    for memory in ("log", "state_only"):
        rules = rules_for(2, {"observation.memory": memory, "setup.draft_passes": [3], "objectives.mode": "none"})
        state = dealt(rules)
        choose(state, rules, "pass 1P 1F 1O", "pass 3O 3M 4P")
        view = new_records(VIEW)[0]
        observe.observe(state, rules, 0, view)
        views[memory] = (cards(view.seen_hand[1]), cards(view.passed), cards(view.hand), legal_texts(state, rules))
    assert views["log"][:2] == ("1P 1F 1O", "1P 1F 1O")
    assert views["state_only"][:2] == ("", "")
    assert views["log"][2:] == views["state_only"][2:]


def test_grid_in_reading_order() -> None:
    """research.grid = [2, 4] (K11): eight slots, filled in reading order, rows before columns."""
    rules = rules_for(3, {"research.grid": [2, 4]})
    state = fresh(rules)
    assert grid(state, rules) == ["12P", "12F", "12O", "12M", "13P", "13F", "13O", "13M"]
    assert int(rules.grid_slots) == 8

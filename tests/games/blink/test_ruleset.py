"""Parameters, their ranges and how they go together (rules 1.1 to 1.9)."""

from __future__ import annotations

from itertools import combinations

import pytest
from pydantic import ValidationError

from blinksim.games.blink import capacity
from blinksim.games.blink.ruleset import Ruleset, RulesetError, difference, from_dict, load, parameters

STATED = {"cards.suits", "coins.count", "coins.unlimited", "research.cover_tie", "research.must_take"}

OTHER_VALUES = {
    "cards.rank_min": ["cards.rank_min=2"],
    "cards.rank_max": ["cards.rank_max=19"],
    "cards.starting_rank_max": ["cards.starting_rank_max=12"],
    "setup.players": ["setup.players=2,3"],
    "setup.hand_size": ["setup.hand_size=9"],
    "setup.draft": ["setup.draft=false"],
    "setup.draft_passes": ["setup.draft_passes=5,4,2"],
    "setup.draft_direction": ["setup.draft_direction=alternate"],
    "setup.start_units": ["setup.start_units=2"],
    "setup.starting_gold": ["setup.starting_gold=3"],
    "setup.start_player": ["setup.start_player=1"],
    "setup.map": ["setup.map={2 = {mountains = [[0, 0], [1, 0]], homelands = [[2, 0], [-1, 0]]}}"],
    "setup.map_rules": ["setup.map_rules=false"],
    "tiers.name": ["tiers.name[0]=Clan"],
    "tiers.units": ["tiers.units[4]=6"],
    "tiers.meld_limit": ["tiers.meld_limit[0]=3"],
    "tiers.rank_cap": ["tiers.rank_cap[0]=13"],
    "tiers.wall": ["tiers.wall[2]=15"],
    "terrain.P.holds": ["terrain.P.holds=4"],
    "terrain.P.defence": ["terrain.P.defence=1"],
    "terrain.P.tiles": ["terrain.P.tiles=14"],
    "terrain.F.holds": ["terrain.F.holds=3"],
    "terrain.F.defence": ["terrain.F.defence=0"],
    "terrain.F.tiles": ["terrain.F.tiles=0"],
    "terrain.O.holds": ["terrain.O.holds=2"],
    "terrain.O.defence": ["terrain.O.defence=2"],
    "terrain.O.tiles": ["terrain.O.tiles=16"],
    "terrain.M.holds": ["terrain.M.holds=2"],
    "terrain.M.defence": ["terrain.M.defence=3"],
    "terrain.M.tiles": ["terrain.M.tiles=4"],
    "trick.mode": ["trick.mode=most_cards", "trick.a_bonus_cards=1,1,2,2"],
    "trick.tie_chain": ["trick.tie_chain=a_rank,cards"],
    "trick.a_rank_scope": ["trick.a_rank_scope=tie_winners"],
    "trick.last_place_gold": ["trick.last_place_gold=2"],
    "trick.set_aside": ["trick.set_aside=false"],
    "trick.set_aside_gold": ["trick.set_aside_gold=0"],
    "trick.set_aside_winner_exempt": ["trick.set_aside_winner_exempt=false"],
    "trick.set_aside_min_kept": ["trick.set_aside_min_kept=1"],
    "trick.next_leader": ["trick.next_leader=last"],
    "trick.a_bonus_cards": ["trick.mode=most_cards", "trick.a_bonus_cards=1,1,1,2"],
    "turn.cash_gold": ["turn.cash_gold=2"],
    "turn.must_resolve_all": ["turn.must_resolve_all=false"],
    "turn.reach": ["turn.reach=2"],
    "turn.reach_waived_without_units": ["turn.reach_waived_without_units=false"],
    "turn.suit_must_match": ["turn.suit_must_match=false"],
    "turn.explore_min_touch": ["turn.explore_min_touch=3"],
    "turn.capture_gold": ["turn.capture_gold=0"],
    "turn.no_attack_rounds": ["turn.no_attack_rounds=2"],
    "move.per_card": ["move.per_card=2"],
    "move.land": ["move.land=false"],
    "move.sea": ["move.sea=false"],
    "move.sea_through_own": ["move.sea_through_own=true"],
    "move.water_advantage": ["move.water_advantage=false"],
    "move.water_advantage_per_turn": ["move.water_advantage_per_turn=2"],
    "move.water_advantage_cost": ["move.water_advantage_cost=0"],
    "fortify.enabled": ["fortify.enabled=false"],
    "fortify.cost": ["fortify.cost=2"],
    "fortify.max_per_unit": ["fortify.max_per_unit=2"],
    "fortify.strip_on_move": ["fortify.strip_on_move=false"],
    "fortify.strip_on_arrival": ["fortify.strip_on_arrival=false"],
    "duel.level_total": ["duel.level_total=defender"],
    "duel.terrain_counts_when_declined": ["duel.terrain_counts_when_declined=false"],
    "duel.wall_is_native": ["duel.wall_is_native=false"],
    "duel.coin_spent": ["duel.coin_spent=only_if_lost"],
    "retreat.enabled": ["retreat.enabled=false"],
    "retreat.optional": ["retreat.optional=true"],
    "recycle.income_per_objective": ["recycle.income_per_objective=2"],
    "recycle.before_own_turn": ["recycle.before_own_turn=own_turn_start"],
    "recycle.after_own_turn": ["recycle.after_own_turn=immediate"],
    "improve.per_turn": ["improve.per_turn=3"],
    "improve.costs": ["improve.costs=1"],
    "improve.failed_counts": ["improve.failed_counts=false"],
    "improve.failed_raises_price": ["improve.failed_raises_price=true"],
    "research.enabled": ["research.enabled=false"],
    "research.grid": ["research.grid=2,4"],
    "research.cover": ["research.cover=lowest"],
    "research.retire": ["research.retire=any"],
    "research.destinations": ["research.destinations=discard"],
    "research.when_deck_empty": ["research.when_deck_empty=forbid"],
    "trade.enabled": ["trade.enabled=false"],
    "trade.draw": ["trade.draw=3", "trade.bury=3"],
    "trade.bury": ["trade.draw=1", "trade.bury=1"],
    "victory.slots": ["victory.slots=3"],
    "victory.points_per_card": ["victory.points_per_card=2"],
    "victory.centre_scores": ["victory.centre_scores=false"],
    "victory.centre_min_cards": ["victory.centre_min_cards=4"],
    "victory.overflow": ["victory.overflow=choice"],
    "victory.overflow_to": ["victory.overflow_to=removed"],
    "victory.spent_to": ["victory.spent_to=removed"],
    "victory.effects": ["victory.effects=A,C"],
    "victory.spends_per_round": ["victory.spends_per_round=none"],
    "victory.limit_a": ["victory.limit_a=0"],
    "victory.limit_b": ["victory.limit_b=2"],
    "victory.limit_c": ["victory.limit_c=null"],
    "victory.b_distant_between": ["victory.b_distant_between=lay_suit"],
    "victory.b_sequential": ["victory.b_sequential=false"],
    "victory.bands": ["victory.bands[1].gold=4"],
    "objectives.mode": ["objectives.mode=none"],
    "objectives.dealt": ["objectives.dealt=3"],
    "objectives.points": ["objectives.points=3"],
    "objectives.list": ["objectives.list[0]=plains_forest_ocean"],
    "end.trigger": ["end.trigger=reserve_emptied_any_time"],
    "end.extra_rounds": ["end.extra_rounds=0"],
    "end.max_rounds": ["end.max_rounds=100"],
    "score.points_per_unit": ["score.points_per_unit=2"],
    "score.tie_breaks": ["score.tie_breaks=gold,row"],
    "observation.memory": ["observation.memory=state_only"],
}
"""By parameter: changes that give it another value in an otherwise lawful ruleset."""


def message(*changes: str) -> str:
    with pytest.raises(RulesetError) as caught:
        load("standard", changes)
    return str(caught.value)


def test_every_parameter_has_another_value_in_the_table_or_is_stated() -> None:
    keys = {key for key in parameters() if "[]" not in key}
    assert keys == set(OTHER_VALUES) | STATED


@pytest.mark.parametrize("key", OTHER_VALUES)
def test_hash_tells_every_parameter(key: str) -> None:
    standard, other = load("standard"), load("standard", OTHER_VALUES[key])
    assert any(changed.startswith(key) for changed, _, _ in difference(standard, other))
    assert other.content_hash() != standard.content_hash()


def test_hashes_of_all_those_rulesets_differ() -> None:
    hashes = {load("standard", changes).content_hash() for changes in OTHER_VALUES.values()}
    assert len(hashes) == len(OTHER_VALUES)


@pytest.mark.parametrize("field", ["name", "ranks", "a", "wins_ties", "tiles", "units", "terrain", "reach", "gold"])
def test_hash_tells_every_key_of_a_band(field: str) -> None:
    bands = Ruleset().to_dict()["victory"]["bands"]
    other = {"name": "x", "ranks": [11, 31], "a": False, "wins_ties": True, "tiles": 3, "units": 0, "terrain": "any"}
    bands[2 if field != "ranks" else 3] |= {field: ({"reach": 3, "gold": 9} | other)[field]}
    if field == "ranks":
        bands[3]["ranks"] = [16, 31]
    changed = from_dict({"victory": {"bands": bands}}, "here")
    assert changed.content_hash() != Ruleset().content_hash()


def test_hash_is_stable_and_leaves_the_name_out() -> None:
    assert Ruleset().content_hash() == "b214c25980c1ea70546744b80875bf5c8486e7b21941c2ef6a8ef1c574c24200"
    assert load("standard", ["name=mine"]).content_hash() == Ruleset().content_hash()


def test_each_parameter_says_what_it_is() -> None:
    for parameter in parameters().values():
        assert parameter.what and parameter.allowed
        assert parameter.section in {"1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9"}


@pytest.mark.parametrize(
    ("key", "allowed", "unit"),
    [
        ("setup.hand_size", "1 to 16", "cards"),
        ("trick.next_leader", '"winner", "clockwise" or "last"', ""),
        ("turn.must_resolve_all", "true or false", ""),
        ("tiers.wall", "a list of 2 to 8, each a whole number, 0 to 60", "rank"),
        ("victory.limit_c", "0 to 98 or none (unset)", "cards"),
        ("setup.start_player", '"random" or 0 to 3', "seat"),
        ("coins.count", "only 40", "gold"),
        ("victory.bands[].terrain", '"suit" or "any"', ""),
        ("research.grid", "a list of 2, each a whole number, 1 to 4", "slots"),
    ],
)
def test_allowed_values_in_words(key: str, allowed: str, unit: str) -> None:
    assert (parameters()[key].allowed, parameters()[key].unit) == (allowed, unit)


def test_model_is_frozen_and_closed() -> None:
    ruleset = Ruleset()
    with pytest.raises(ValidationError):
        ruleset.turn.reach = 2
    with pytest.raises(ValidationError):
        Ruleset.model_validate({"turn": {"reech": 2}})
    with pytest.raises(ValueError, match="must be equal"):
        Ruleset.model_validate({"trade": {"draw": 1}})


@pytest.mark.parametrize(
    "changes",
    [
        # the limits of records and enumerations can be reached (rules 1.9)
        ["cards.rank_max=31", "cards.starting_rank_max=16", "victory.bands[3].ranks=16,31"],
        ["cards.rank_min=5", "cards.rank_max=20", "cards.starting_rank_max=20"],
        [
            "setup.hand_size=16",
            "cards.starting_rank_max=16",
            "setup.draft_passes=1,2,3,4,13,14,15,16",
            "tiers.meld_limit[4]=5",
        ],
        ["setup.hand_size=1", "setup.draft=false"],
        ["setup.players=2,2", "setup.hand_size=14", "setup.draft_passes=7", "trade.draw=3", "trade.bury=3"],
        ["tiers.units=60,3", "tiers.name=A,B", "tiers.meld_limit=2,4", "tiers.rank_cap=9,20", "tiers.wall=0,60"],
        ["terrain.P.tiles=19", "turn.explore_min_touch=2"],
        ["research.grid=4,4", "victory.slots=9", "victory.centre_min_cards=5"],
        ["victory.centre_scores=false", "victory.slots=4"],
        ["objectives.dealt=12", "objectives.mode=open"],
        ["trick.tie_chain=[]", "score.tie_breaks=[]", "victory.effects=[]"],
        ["cards.rank_max=18"],  # bands may reach beyond the deck
    ],
)
def test_wide_ranges(changes: list[str]) -> None:
    assert load("standard", changes).name == "standard"


def test_all_forty_patterns_are_objectives() -> None:
    words = ("plains", "forest", "ocean", "mountain")
    ends = [(word,) for word in words] + list(combinations(words, 2))
    patterns = ["_".join([middle, *pair]) for middle in words for pair in ends]
    assert load("standard", ["objectives.list=" + ",".join(patterns)]).objectives.list == tuple(patterns)
    assert len(patterns) == 40


def test_normal_forms() -> None:
    ruleset = load(
        "standard",
        ["objectives.list[0]=ocean_forest_plains", "victory.effects=C,A", "research.destinations=discard,hand"],
    )
    assert ruleset.objectives.list[0] == "ocean_plains_forest"
    assert ruleset.victory.effects == ("A", "C")
    assert ruleset.research.destinations == ("hand", "discard")
    assert load("standard", ["trick.tie_chain=a_rank"]).trick.tie_chain == ("a_rank", "laid_earlier")


@pytest.mark.parametrize("key", sorted(STATED))
def test_stated_parameters_have_one_value(key: str) -> None:
    other = {"cards.suits": "P,F,O", "coins.count": "41", "coins.unlimited": "false", "research.must_take": "false"}
    text = message(f"{key}={other.get(key, 'anything')}")
    assert f"{key} is " in text
    assert "is accepted" in text and "stated in the rules (§1.9), not a switch" in text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (["setup.hand_size=12"], "4 players with setup.hand_size 12 need 48"),
        (["setup.hand_size=5"], "setup.draft_passes[0] is 6; allowed 1 to 5 (setup.hand_size; rules §1.1)"),
        (["cards.starting_rank_max=21"], "it must lie between cards.rank_min (1) and cards.rank_max (20)"),
        (["setup.players=4,2"], "the lowest number comes first"),
        (["setup.start_player=2"], "the seats that always exist are 0 to 1"),
        (["tiers.wall=10,12"], "tiers.meld_limit 5, tiers.rank_cap 5, tiers.wall 2); give each one entry per tier"),
        (["tiers.name[1]=Tribe"], "every tier needs a name of its own"),
        (["tiers.units[0]=60"], "tiers.units add up to 78; at most 63 units per player (MAX_UNITS) are possible"),
        (["setup.start_units=4"], "a homeland holds 3 (terrain.P.holds; rules §1.1)"),
        (["setup.start_units=21", "terrain.P.holds=30"], "a player has 20 units"),
        (["fortify.max_per_unit=99"], "terrain.P.holds times fortify.max_per_unit is 297"),
        (["terrain.M.tiles=3"], "terrain.M.tiles is 3; the starting map for 4 players needs 4"),
        (["score.tie_breaks=gold,row,gold"], 'score.tie_breaks names "gold" more than once'),
        (["objectives.list[1]=plains_forest"], 'objectives.list names "plains_forest" more than once'),
        (["trick.tie_chain=laid_earlier,cards"], '"laid_earlier" ends it: put it last or leave it out'),
        (["trade.draw=3"], "trade.draw is 3 and trade.bury 2; they must be equal"),
        (["victory.slots=4"], "victory.slots is 4; it must be odd where the centre scores"),
        (["trick.a_bonus_cards=1,1,2,2"], 'only for trick.mode "most_cards"'),
        (["trick.mode=most_cards"], "trick.a_bonus_cards is unset"),
        (["trick.mode=most_cards", "trick.a_bonus_cards=1,2"], "trick.a_bonus_cards has 2 entries"),
        (["victory.bands[0].ranks=5,1"], "victory.bands[0].ranks is [5, 1]; the lowest rank comes first"),
        (["victory.bands[0].ranks=1,6"], "victory.bands[0] (1 to 6) and victory.bands[1] (6 to 10) overlap"),
        (["victory.bands[0].ranks=1,4"], "victory.bands leave out rank 5;"),
        (["cards.rank_max=22"], "victory.bands leave out ranks 21, 22;"),
        (["victory.bands[0].units=2"], "effect B places at most one unit on each of its tiles"),
        (["victory.b_distant_between=lay_suit", "victory.bands[0].reach=3"], 'needs terrain "suit" and reach 2'),
        (["victory.b_distant_between=lay_suit", "victory.bands[1].terrain=any"], 'needs terrain "suit" and reach 2'),
        (["objectives.dealt=4"], "objectives.dealt is 4 to each of 4 players, 16 together; objectives.list has 12"),
        (["objectives.mode=open", "objectives.dealt=13"], "objectives.dealt is 13 in all"),
        # what the engine has room for
        (["terrain.F.tiles=20"], "terrain.*.tiles add up to 65; at most 64 (MAX_TILES) are possible"),
        (
            ["setup.hand_size=16", "setup.players=2,2", "setup.draft_passes=8"],
            "passing 8 of 16 cards (setup.draft_passes[0], setup.hand_size) can have 12870 choices; at most 8192",
        ),
        (
            ["setup.hand_size=16", "setup.players=2,2", "tiers.meld_limit[4]=16"],
            "melds of up to 16 of 16 cards (tiers.meld_limit, setup.hand_size) can have 58110 choices",
        ),
        (["terrain.F.tiles=19", "turn.explore_min_touch=1"], "(MAX_SPACES) are possible"),
        (
            [
                *("terrain.O.tiles=40", "terrain.P.tiles=8", "terrain.F.tiles=4", "terrain.M.tiles=8"),
                *("tiers.units[4]=48", "turn.explore_min_touch=1"),
            ],
            "a map turn (tiers.units, tiers.meld_limit, terrain.*.tiles, turn.explore_min_touch) can have",
        ),
    ],
)
def test_what_does_not_go_together(changes: list[str], expected: str) -> None:
    assert expected in message(*changes)


def naive_melds(hand: list[int], limit: int) -> int:
    """Legal melds of a hand of ranks (section 3.2), by trying all."""
    return sum(
        max(chosen) - min(chosen) + 1 == len(set(chosen))
        for size in range(1, limit + 1)
        for chosen in combinations(hand, size)
    )


@pytest.mark.parametrize(
    ("hand_size", "limit", "num_ranks"), [(5, 3, 9), (6, 6, 2), (7, 4, 7), (8, 8, 8), (8, 5, 3), (3, 5, 20)]
)
def test_most_melds_is_the_best_hand(
    monkeypatch: pytest.MonkeyPatch, hand_size: int, limit: int, num_ranks: int
) -> None:
    monkeypatch.setattr(capacity, "MAX_ACTIONS", 0)
    capacity.most_melds.cache_clear()
    hands: list[list[int]] = [[]]
    for _ in range(hand_size):
        hands = [
            [*hand, rank] for hand in hands for rank in range((hand or [0])[-1], num_ranks) if hand.count(rank) < 4
        ]
    hands = [hand for hand in hands if hand[0] == 0]
    assert capacity.most_melds(hand_size, limit, num_ranks) == max(naive_melds(hand, limit) for hand in hands)
    capacity.most_melds.cache_clear()


def test_most_spaces_bounds_maps_that_grow_as_fast_as_they_can() -> None:
    from blinksim.games.blink.maps import BUILTIN, bordering_spaces

    for changes, touch in (((), 2), (("turn.explore_min_touch=1", "terrain.F.tiles=5"), 1)):
        ruleset = load("standard", changes)
        tiles = capacity.tiles_in_all(ruleset)
        for players, layout in BUILTIN.items():
            cells = layout.cells()
            while len(cells) < tiles:
                lawful = [space for space, touched in bordering_spaces(cells).items() if touched >= touch]
                cells.append(max(lawful, key=lambda space: len(bordering_spaces([*cells, space]))))
                assert len(bordering_spaces(cells)) <= capacity.most_spaces(ruleset, players)

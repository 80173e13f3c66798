"""The packed ruleset: every field of RULES, for every player count."""

from __future__ import annotations

import numpy as np
import pytest

from blinksim.errors import UserError
from blinksim.games.blink.enums import (
    NO_LIMIT,
    CoinSpent,
    LevelTotal,
    NextLeader,
    ObjectiveMode,
    Terrain,
    TieBreak,
    TieStep,
)
from blinksim.games.blink.objectives import THE_TWELVE, parse_objective
from blinksim.games.blink.pack import fill, pack, tier_at
from blinksim.games.blink.rules_record import RULES
from blinksim.games.blink.ruleset import Ruleset, load
from blinksim.games.blink.state import new_records
from blinksim.games.hexmap import cell_text

SENTINEL = -77777

STANDARD = {
    "players": 3,
    "rank_min": 1,
    "rank_max": 20,
    "starting_rank_max": 11,
    "hand_size": 10,
    "num_passes": 3,
    "pass_cards": [6, 4, 2],
    "pass_step": [1, 1, 1],
    "start_units": 1,
    "starting_gold": 0,
    "start_tiles": 6,
    "num_tiers": 5,
    "total_units": 20,
    "tier_units": [2, 3, 5, 5, 5],
    "tier_meld_limit": [2, 3, 4, 5, 6],
    "tier_rank_cap": [12, 14, 16, 18, 20],
    "tier_wall": [10, 12, 14, 16, 18],
    "tier_of": [4] * 6 + [3] * 5 + [2] * 5 + [1] * 3,
    "holds": [3, 2, 1, 1],
    "defence": [0, 1, 0, 2],
    "tiles": [15, 15, 15, 15],
    "most_cards": 0,
    "tie_steps": 4,
    "tie_chain": [TieStep.CARDS, TieStep.A_WINS_TIES, TieStep.A_RANK, TieStep.RANKS_DESC],
    "a_rank_tie_winners": 0,
    "last_place_gold": 1,
    "set_aside": 1,
    "set_aside_gold": 1,
    "set_aside_winner_exempt": 1,
    "set_aside_min_kept": 0,
    "next_leader": NextLeader.WINNER,
    "cash_gold": 1,
    "must_resolve_all": 1,
    "reach": 1,
    "reach_waived": 1,
    "suit_must_match": 1,
    "explore_min_touch": 2,
    "capture_gold": 1,
    "no_attack_rounds": 0,
    "move_per_card": 1,
    "move_land": 1,
    "move_sea": 1,
    "sea_through_own": 0,
    "water_advantage": 1,
    "water_per_turn": 1,
    "water_cost": 1,
    "fortify": 1,
    "fortify_cost": 1,
    "max_per_unit": 1,
    "strip_on_move": 1,
    "strip_on_arrival": 1,
    "level_total": LevelTotal.ATTACKER_UNLESS_NATIVE,
    "terrain_when_declined": 1,
    "wall_is_native": 1,
    "coin_spent": CoinSpent.EVERY_ATTACK,
    "retreat": 1,
    "retreat_optional": 0,
    "income_per_objective": 1,
    "recycle_at_turn_start": 0,
    "recycle_after_turn": 0,
    "improve_per_turn": 2,
    "num_costs": 2,
    "costs": [1] + [2] * 7,
    "failed_counts": 1,
    "failed_raises_price": 0,
    "research": 1,
    "grid_slots": 9,
    "grid_columns": 3,
    "cover_lowest": 0,
    "retire_any": 0,
    "to_hand": 1,
    "to_discard": 1,
    "empty_deck_forbids": 0,
    "trade": 1,
    "trade_cards": 2,
    "slots": 5,
    "points_per_card": 1,
    "centre_scores": 1,
    "centre_min_cards": 3,
    "overflow_choice": 0,
    "overflow_removed": 0,
    "spent_removed": 0,
    "effect_a": 1,
    "effect_b": 1,
    "effect_c": 1,
    "spends_per_round": 1,
    "limit_a": 1,
    "limit_b": 1,
    "limit_c": 1,
    "b_lay_suit": 0,
    "b_sequential": 1,
    "band_of": [0] * 6 + [1] * 5 + [2] * 5 + [3] * 5,
    "band_a": [1, 1, 1, 1],
    "band_wins_ties": [0, 1, 0, 1],
    "band_bonus": [],
    "band_tiles": [1, 1, 2, 2],
    "band_units": [1, 1, 1, 2],
    "band_any": [0, 0, 0, 1],
    "band_reach": [1, 2, 1, 1],
    "band_gold": [2, 3, 4, 5],
    "objective_mode": ObjectiveMode.SHOW_ONE,
    "objectives_dealt": 2,
    "objective_points": 2,
    "num_objectives": 12,
    "objective_list": [*map(parse_objective, THE_TWELVE), *[0] * 28],
    "end_any_time": 0,
    "extra_rounds": 1,
    "max_rounds": 200,
    "points_per_unit": 1,
    "num_tie_breaks": 1,
    "tie_breaks": [TieBreak.GOLD],
    "memory": 1,
}
"""The fields for three players; arrays without the zeros at their end. The map has its own test."""


def packed(*changes: str, players: int = 3) -> np.record:
    return pack(load("standard", changes), players)[0]


def same(value: object, expected: object) -> bool:
    if isinstance(expected, list):
        whole = expected + [0] * (len(np.asarray(value)) - len(expected))
        return [int(item) for item in np.asarray(value)] == [int(item) for item in whole]
    return int(value) == int(expected)  # type: ignore[call-overload]


def test_no_field_is_forgotten() -> None:
    records = new_records(RULES)
    for name in RULES.names:
        records[name] = SENTINEL
    fill(records[0], Ruleset(), 3)
    left = [name for name in RULES.names if (np.asarray(records[name]) == SENTINEL).any()]
    assert left == []
    assert records.tobytes() == pack(Ruleset(), 3).tobytes()


def test_every_field_of_the_standard_ruleset() -> None:
    assert set(STANDARD) == set(RULES.names) - {"start_cell", "start_terrain"}
    rules = packed()
    assert {name: rules[name] for name, expected in STANDARD.items() if not same(rules[name], expected)} == {}


@pytest.mark.parametrize(
    ("players", "cells", "terrains"),
    [
        (2, ["-1,0", "2,0", "0,0", "1,0"], "PPMM"),
        (3, ["-1,0", "2,-1", "0,2", "0,0", "1,0", "0,1"], "PPPMMM"),
        (4, ["0,-2", "2,-1", "1,2", "-1,1", "0,-1", "0,0", "1,0", "1,1"], "PPPPMMMM"),
    ],
)
def test_starting_map(players: int, cells: list[str], terrains: str) -> None:
    rules = packed(players=players)
    assert rules.players == players
    assert rules.start_tiles == len(cells)
    assert [cell_text(cell) for cell in rules.start_cell[: len(cells)]] == cells
    assert "".join(Terrain(terrain).name for terrain in rules.start_terrain[: len(cells)]) == terrains


def test_own_starting_map() -> None:
    layout = '{2 = {mountains = [[0, 0], [1, 0]], homelands = [[2, 0], [-1, 0]], other = [[0, 1, "O"]]}}'
    rules = packed(f"setup.map={layout}", players=2)
    assert [cell_text(cell) for cell in rules.start_cell[:5]] == ["2,0", "-1,0", "0,0", "1,0", "0,1"]
    assert rules.start_terrain[:5].tolist() == [Terrain.P, Terrain.P, Terrain.M, Terrain.M, Terrain.O]
    assert rules.start_tiles == 5


@pytest.mark.parametrize(
    ("changes", "field", "expected"),
    [
        (["setup.draft=false"], "num_passes", 0),
        (["setup.draft=false"], "pass_cards", []),
        (["setup.draft_direction=right"], "pass_step", [-1, -1, -1]),
        (["setup.draft_direction=alternate", "setup.draft_passes=5,4,3,2"], "pass_step", [1, -1, 1, -1]),
        (["trick.mode=most_cards", "trick.a_bonus_cards=1,1,2,2"], "most_cards", 1),
        (["trick.mode=most_cards", "trick.a_bonus_cards=1,1,2,2"], "band_bonus", [1, 1, 2, 2]),
        (["trick.tie_chain=highest_rank,cards"], "tie_chain", [TieStep.HIGHEST_RANK, TieStep.CARDS]),
        (["trick.tie_chain=highest_rank,cards"], "tie_steps", 2),
        (["trick.a_rank_scope=tie_winners"], "a_rank_tie_winners", 1),
        (["trick.set_aside=false"], "set_aside", 0),
        (["trick.next_leader=clockwise"], "next_leader", NextLeader.CLOCKWISE),
        (["trick.next_leader=last"], "next_leader", NextLeader.LAST),
        (["duel.level_total=defender"], "level_total", LevelTotal.DEFENDER),
        (["duel.level_total=attacker"], "level_total", LevelTotal.ATTACKER),
        (["duel.coin_spent=only_if_wall_fights"], "coin_spent", CoinSpent.ONLY_IF_WALL_FIGHTS),
        (["duel.coin_spent=only_if_lost"], "coin_spent", CoinSpent.ONLY_IF_LOST),
        (["retreat.enabled=false"], "retreat", 0),
        (["recycle.before_own_turn=own_turn_start"], "recycle_at_turn_start", 1),
        (["recycle.after_own_turn=immediate"], "recycle_after_turn", 1),
        (["improve.costs=1,2,4"], "costs", [1, 2, 4, 4, 4, 4, 4, 4]),
        (["improve.costs=1,2,4"], "num_costs", 3),
        (["research.grid=2,4"], "grid_slots", 8),
        (["research.grid=2,4"], "grid_columns", 4),
        (["research.cover=lowest"], "cover_lowest", 1),
        (["research.retire=any"], "retire_any", 1),
        (["research.destinations=discard"], "to_hand", 0),
        (["research.destinations=hand"], "to_discard", 0),
        (["research.when_deck_empty=forbid"], "empty_deck_forbids", 1),
        (["trade.draw=3", "trade.bury=3"], "trade_cards", 3),
        (["victory.overflow=choice"], "overflow_choice", 1),
        (["victory.overflow_to=removed"], "overflow_removed", 1),
        (["victory.spent_to=removed"], "spent_removed", 1),
        (["victory.effects=B"], "effect_a", 0),
        (["victory.effects=B"], "effect_b", 1),
        (["victory.effects=A,B"], "effect_c", 0),
        (["victory.spends_per_round=none"], "spends_per_round", NO_LIMIT),
        (["victory.limit_b=none"], "limit_b", NO_LIMIT),
        (["victory.limit_c=none"], "limit_c", NO_LIMIT),
        (["victory.b_distant_between=lay_suit"], "b_lay_suit", 1),
        (["victory.b_sequential=false"], "b_sequential", 0),
        (["victory.bands[3].ranks=16,31", "cards.rank_max=31"], "band_of", STANDARD["band_of"] + [3] * 11),
        (["objectives.mode=none"], "objective_mode", ObjectiveMode.NONE),
        (["objectives.mode=secret"], "objective_mode", ObjectiveMode.SECRET),
        (["objectives.mode=open"], "objective_mode", ObjectiveMode.OPEN),
        (["objectives.mode=keep_both"], "objective_mode", ObjectiveMode.KEEP_BOTH),
        (["end.trigger=reserve_emptied_any_time"], "end_any_time", 1),
        (["score.tie_breaks=row,gold,units"], "tie_breaks", [TieBreak.ROW, TieBreak.GOLD, TieBreak.UNITS]),
        (["score.tie_breaks=row,gold,units"], "num_tie_breaks", 3),
        (["score.tie_breaks=[]"], "num_tie_breaks", 0),
        (["observation.memory=state_only"], "memory", 0),
        (["terrain.M.holds=2"], "holds", [3, 2, 1, 2]),
        (["tiers.units[4]=48"], "total_units", 63),
        (["tiers.units[4]=48"], "tier_of", [4] * 49 + [3] * 5 + [2] * 5 + [1] * 3 + [0] * 2),
    ],
)
def test_switches(changes: list[str], field: str, expected: object) -> None:
    assert same(packed(*changes)[field], expected)


@pytest.mark.parametrize(
    ("reserve", "tier"),
    [(20, 0), (19, 0), (18, 1), (16, 1), (15, 2), (11, 2), (10, 3), (6, 3), (5, 4), (1, 4), (0, 4)],
)
def test_tier_by_reserve(reserve: int, tier: int) -> None:
    """Golden vectors 7.3."""
    assert tier_at((2, 3, 5, 5, 5), reserve) == tier == packed().tier_of[reserve]


def test_player_counts() -> None:
    with pytest.raises(UserError, match=r'the ruleset "standard" is for 3 to 4 players \(setup.players\), not 2'):
        pack(load("standard", ["setup.players=3,4"]), 2)

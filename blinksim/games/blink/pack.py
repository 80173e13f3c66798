"""A checked ruleset as compiled code reads it: one RULES record for one player count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from blinksim.errors import UserError
from blinksim.games.blink.enums import (
    MAX_BANDS,
    MAX_PASSES,
    MAX_PATTERNS,
    MAX_TIERS,
    MAX_TILES,
    MAX_UNITS,
    NO_LIMIT,
    CoinSpent,
    LevelTotal,
    NextLeader,
    ObjectiveMode,
    Terrain,
    TieBreak,
    TieStep,
)
from blinksim.games.blink.maps import start_map
from blinksim.games.blink.objectives import parse_objective
from blinksim.games.blink.rules_record import RULES
from blinksim.games.blink.ruleset_model import Ruleset
from blinksim.games.blink.state import new_records
from blinksim.games.cards import MAX_RANK, SUITS
from blinksim.games.hexmap import pack_cell

LEFT, RIGHT = 1, -1
_PASS_STEPS = {"left": (LEFT,), "right": (RIGHT,), "alternate": (LEFT, RIGHT)}


def pack(ruleset: Ruleset, players: int) -> np.recarray:
    """The RULES record of a ruleset for a player count.

    Args:
        ruleset: The ruleset.
        players: Number of players, 2 to 4.

    Returns:
        (1,) record array of RULES; take ``[0]``.

    Raises:
        UserError: ``setup.players`` does not allow the player count.
    """
    fewest, most = ruleset.setup.players
    if not fewest <= players <= most:
        raise UserError(
            f'the ruleset "{ruleset.name}" is for {fewest} to {most} players (setup.players), not {players}; '
            "choose another "
            "number of players or ruleset"
        )
    records = new_records(RULES)
    fill(records[0], ruleset, players)
    return records


def fill(rules: Any, ruleset: Ruleset, players: int) -> None:
    """Set every field of one RULES record, whatever was in it. Array entries beyond a list's end become 0."""
    rules.players = players
    _fill_setup(rules, ruleset, players)
    _fill_tiers_and_terrain(rules, ruleset)
    _fill_trick(rules, ruleset)
    _fill_turn(rules, ruleset)
    _fill_improvements(rules, ruleset)
    _fill_victory(rules, ruleset)
    _fill_objectives_and_end(rules, ruleset)


def _padded(values: Sequence[Any], length: int) -> list[int]:
    return [int(value) for value in values] + [0] * (length - len(values))


def _limit(count: int | None) -> int:
    return NO_LIMIT if count is None else count


def _fill_setup(rules: Any, ruleset: Ruleset, players: int) -> None:
    """1.1."""
    cards, setup = ruleset.cards, ruleset.setup
    rules.rank_min = cards.rank_min
    rules.rank_max = cards.rank_max
    rules.starting_rank_max = cards.starting_rank_max
    rules.hand_size = setup.hand_size
    passes = setup.draft_passes if setup.draft else ()
    steps = _PASS_STEPS[setup.draft_direction]
    rules.num_passes = len(passes)
    rules.pass_cards = _padded(passes, MAX_PASSES)
    rules.pass_step = _padded([steps[i % len(steps)] for i in range(len(passes))], MAX_PASSES)
    rules.start_units = setup.start_units
    rules.starting_gold = setup.starting_gold
    tiles = start_map(setup.map, players).tiles()
    rules.start_tiles = len(tiles)
    rules.start_cell = _padded([pack_cell(q, r) for (q, r), _ in tiles], MAX_TILES)
    rules.start_terrain = _padded([Terrain[terrain] for _, terrain in tiles], MAX_TILES)


def _fill_tiers_and_terrain(rules: Any, ruleset: Ruleset) -> None:
    """1.2 and 1.3."""
    tiers = ruleset.tiers
    total = sum(tiers.units)
    rules.num_tiers = len(tiers.units)
    rules.total_units = total
    rules.tier_units = _padded(tiers.units, MAX_TIERS)
    rules.tier_meld_limit = _padded(tiers.meld_limit, MAX_TIERS)
    rules.tier_rank_cap = _padded(tiers.rank_cap, MAX_TIERS)
    rules.tier_wall = _padded(tiers.wall, MAX_TIERS)
    rules.tier_of = _padded([tier_at(tiers.units, reserve) for reserve in range(total + 1)], MAX_UNITS + 1)
    kinds = [getattr(ruleset.terrain, suit) for suit in SUITS]
    rules.holds = [kind.holds for kind in kinds]
    rules.defence = [kind.defence for kind in kinds]
    rules.tiles = [kind.tiles for kind in kinds]


def tier_at(units: Sequence[int], reserve: int) -> int:
    """The current tier (3.1, R19): the last one whose preceding tiers hold no more units than are placed.

    Args:
        units: Units by tier.
        reserve: Units still on the board, 0 to their sum.
    """
    placed = sum(units) - reserve
    return max(tier for tier in range(len(units)) if sum(units[:tier]) <= placed)


def _fill_trick(rules: Any, ruleset: Ruleset) -> None:
    """1.4. The chain is kept without ``laid_earlier``, which always ends it."""
    trick = ruleset.trick
    chain = [TieStep[step.upper()] for step in trick.tie_chain if step != "laid_earlier"]
    rules.most_cards = trick.mode == "most_cards"
    rules.tie_steps = len(chain)
    rules.tie_chain = _padded(chain, len(TieStep))
    rules.a_rank_tie_winners = trick.a_rank_scope == "tie_winners"
    rules.last_place_gold = trick.last_place_gold
    rules.set_aside = trick.set_aside
    rules.set_aside_gold = trick.set_aside_gold
    rules.set_aside_winner_exempt = trick.set_aside_winner_exempt
    rules.set_aside_min_kept = trick.set_aside_min_kept
    rules.next_leader = NextLeader[trick.next_leader.upper()]


def _fill_turn(rules: Any, ruleset: Ruleset) -> None:
    """1.5."""
    turn, move, fortify, duel = ruleset.turn, ruleset.move, ruleset.fortify, ruleset.duel
    rules.cash_gold = turn.cash_gold
    rules.must_resolve_all = turn.must_resolve_all
    rules.reach = turn.reach
    rules.reach_waived = turn.reach_waived_without_units
    rules.suit_must_match = turn.suit_must_match
    rules.explore_min_touch = turn.explore_min_touch
    rules.capture_gold = turn.capture_gold
    rules.no_attack_rounds = turn.no_attack_rounds
    rules.move_per_card = move.per_card
    rules.move_land = move.land
    rules.move_sea = move.sea
    rules.sea_through_own = move.sea_through_own
    rules.water_advantage = move.water_advantage
    rules.water_per_turn = move.water_advantage_per_turn
    rules.water_cost = move.water_advantage_cost
    rules.fortify = fortify.enabled
    rules.fortify_cost = fortify.cost
    rules.max_per_unit = fortify.max_per_unit
    rules.strip_on_move = fortify.strip_on_move
    rules.strip_on_arrival = fortify.strip_on_arrival
    rules.level_total = LevelTotal[duel.level_total.upper()]
    rules.terrain_when_declined = duel.terrain_counts_when_declined
    rules.wall_is_native = duel.wall_is_native
    rules.coin_spent = CoinSpent[duel.coin_spent.upper()]
    rules.retreat = ruleset.retreat.enabled
    rules.retreat_optional = ruleset.retreat.optional


def _fill_improvements(rules: Any, ruleset: Ruleset) -> None:
    """1.6. The last price repeats to the end of the array."""
    recycle, improve, research = ruleset.recycle, ruleset.improve, ruleset.research
    rules.income_per_objective = recycle.income_per_objective
    rules.recycle_at_turn_start = recycle.before_own_turn == "own_turn_start"
    rules.recycle_after_turn = recycle.after_own_turn == "immediate"
    rules.improve_per_turn = improve.per_turn
    rules.num_costs = len(improve.costs)
    rules.costs = [*improve.costs, *[improve.costs[-1]] * (MAX_TIERS - len(improve.costs))]
    rules.failed_counts = improve.failed_counts
    rules.failed_raises_price = improve.failed_raises_price
    rules.research = research.enabled
    rules.grid_slots = research.grid[0] * research.grid[1]
    rules.grid_columns = research.grid[1]
    rules.cover_lowest = research.cover == "lowest"
    rules.retire_any = research.retire == "any"
    rules.to_hand = "hand" in research.destinations
    rules.to_discard = "discard" in research.destinations
    rules.empty_deck_forbids = research.when_deck_empty == "forbid"
    rules.trade = ruleset.trade.enabled
    rules.trade_cards = ruleset.trade.draw


def _fill_victory(rules: Any, ruleset: Ruleset) -> None:
    """1.7. Ranks that are not in the deck have band 0."""
    victory = ruleset.victory
    bands = victory.bands
    rules.slots = victory.slots
    rules.points_per_card = victory.points_per_card
    rules.centre_scores = victory.centre_scores
    rules.centre_min_cards = victory.centre_min_cards
    rules.overflow_choice = victory.overflow == "choice"
    rules.overflow_removed = victory.overflow_to == "removed"
    rules.spent_removed = victory.spent_to == "removed"
    rules.effect_a = "A" in victory.effects
    rules.effect_b = "B" in victory.effects
    rules.effect_c = "C" in victory.effects
    rules.spends_per_round = _limit(victory.spends_per_round)
    rules.limit_a = victory.limit_a
    rules.limit_b = _limit(victory.limit_b)
    rules.limit_c = _limit(victory.limit_c)
    rules.b_lay_suit = victory.b_distant_between == "lay_suit"
    rules.b_sequential = victory.b_sequential
    deck = range(ruleset.cards.rank_min, ruleset.cards.rank_max + 1)
    of_rank = {rank: i for i, band in enumerate(bands) for rank in deck if band.ranks[0] <= rank <= band.ranks[1]}
    rules.band_of = [of_rank.get(rank, 0) for rank in range(MAX_RANK + 1)]
    rules.band_a = _padded([band.a for band in bands], MAX_BANDS)
    rules.band_wins_ties = _padded([band.wins_ties for band in bands], MAX_BANDS)
    rules.band_bonus = _padded(ruleset.trick.a_bonus_cards or (), MAX_BANDS)
    rules.band_tiles = _padded([band.tiles for band in bands], MAX_BANDS)
    rules.band_units = _padded([band.units for band in bands], MAX_BANDS)
    rules.band_any = _padded([band.terrain == "any" for band in bands], MAX_BANDS)
    rules.band_reach = _padded([band.reach for band in bands], MAX_BANDS)
    rules.band_gold = _padded([band.gold for band in bands], MAX_BANDS)


def _fill_objectives_and_end(rules: Any, ruleset: Ruleset) -> None:
    """1.8."""
    objectives, end, score = ruleset.objectives, ruleset.end, ruleset.score
    rules.objective_mode = ObjectiveMode[objectives.mode.upper()]
    rules.objectives_dealt = objectives.dealt
    rules.objective_points = objectives.points
    rules.num_objectives = len(objectives.list)
    rules.objective_list = _padded([parse_objective(name) for name in objectives.list], MAX_PATTERNS)
    rules.end_any_time = end.trigger == "reserve_emptied_any_time"
    rules.extra_rounds = end.extra_rounds
    rules.max_rounds = end.max_rounds
    rules.points_per_unit = score.points_per_unit
    rules.num_tie_breaks = len(score.tie_breaks)
    rules.tie_breaks = _padded([TieBreak[name.upper()] for name in score.tie_breaks], len(TieBreak))
    rules.memory = ruleset.observation.memory == "log"

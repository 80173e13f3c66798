"""The ruleset as compiled code reads it: one record of whole numbers for one player count.

``ruleset.pack`` fills it from a checked ruleset. Every rule reads its numbers here, so a changed number recompiles
nothing. A switch with names holds the code of its enumeration; a limit that is off holds ``NO_LIMIT``.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import MAX_BANDS, MAX_PASSES, MAX_PATTERNS, MAX_SEATS, MAX_TIERS, MAX_TILES, MAX_UNITS
from blinksim.games.cards import MAX_RANK
from blinksim.jit import record_type

RULES = np.dtype(
    [
        ("players", "i8"),  # 2 to 4
        # 1.1 cards and setup
        ("rank_min", "i8"),
        ("rank_max", "i8"),
        ("starting_rank_max", "i8"),
        ("hand_size", "i8"),
        ("num_passes", "i8"),  # 0 without a draft
        ("pass_cards", "i8", (MAX_PASSES,)),  # cards passed, by pass
        ("pass_step", "i8", (MAX_PASSES,)),  # +1 to the next seat (left), -1 to the one before
        ("start_units", "i8"),
        ("starting_gold", "i8"),
        ("start_tiles", "i8"),  # how many tiles the starting map has; Plains of the homelands come first, in seat order
        ("start_cell", "i8", (MAX_TILES,)),  # packed cell
        ("start_terrain", "i8", (MAX_TILES,)),
        # 1.2 tiers
        ("num_tiers", "i8"),
        ("total_units", "i8"),  # of one player; sum of tier_units
        ("tier_units", "i8", (MAX_TIERS,)),
        ("tier_meld_limit", "i8", (MAX_TIERS,)),
        ("tier_rank_cap", "i8", (MAX_TIERS,)),
        ("tier_wall", "i8", (MAX_TIERS,)),
        ("tier_of", "i8", (MAX_UNITS + 1,)),  # by reserve (3.1)
        # 1.3 terrain
        ("holds", "i8", (4,)),
        ("defence", "i8", (4,)),
        ("tiles", "i8", (4,)),
        # 1.4 trick and dues
        ("most_cards", "i8"),  # trick.mode is "most_cards"
        ("tie_steps", "i8"),  # length of tie_chain without "laid_earlier"
        ("tie_chain", "i8", (5,)),  # TieStep
        ("a_rank_tie_winners", "i8"),  # trick.a_rank_scope is "tie_winners"
        ("last_place_gold", "i8"),
        ("set_aside", "i8"),
        ("set_aside_gold", "i8"),
        ("set_aside_winner_exempt", "i8"),
        ("set_aside_min_kept", "i8"),
        ("next_leader", "i8"),  # NextLeader
        # 1.5 map turn
        ("cash_gold", "i8"),
        ("must_resolve_all", "i8"),
        ("reach", "i8"),
        ("reach_waived", "i8"),
        ("suit_must_match", "i8"),
        ("explore_min_touch", "i8"),
        ("capture_gold", "i8"),
        ("no_attack_rounds", "i8"),
        ("move_per_card", "i8"),
        ("move_land", "i8"),
        ("move_sea", "i8"),
        ("sea_through_own", "i8"),
        ("water_advantage", "i8"),
        ("water_per_turn", "i8"),
        ("water_cost", "i8"),  # movements
        ("fortify", "i8"),
        ("fortify_cost", "i8"),
        ("max_per_unit", "i8"),
        ("strip_on_move", "i8"),
        ("strip_on_arrival", "i8"),
        ("level_total", "i8"),  # LevelTotal
        ("terrain_when_declined", "i8"),
        ("wall_is_native", "i8"),
        ("coin_spent", "i8"),  # CoinSpent
        ("retreat", "i8"),
        ("retreat_optional", "i8"),
        # 1.6 recycle, research, trade
        ("income_per_objective", "i8"),
        ("recycle_at_turn_start", "i8"),  # recycle.before_own_turn is "own_turn_start"
        ("recycle_after_turn", "i8"),  # recycle.after_own_turn is "immediate"
        ("improve_per_turn", "i8"),
        ("num_costs", "i8"),
        ("costs", "i8", (MAX_TIERS,)),  # gold; the last repeats
        ("failed_counts", "i8"),
        ("failed_raises_price", "i8"),
        ("research", "i8"),
        ("grid_slots", "i8"),
        ("grid_columns", "i8"),
        ("cover_lowest", "i8"),  # research.cover is "lowest"
        ("retire_any", "i8"),  # research.retire is "any"
        ("to_hand", "i8"),
        ("to_discard", "i8"),
        ("empty_deck_forbids", "i8"),  # research.when_deck_empty is "forbid"
        ("trade", "i8"),
        ("trade_cards", "i8"),  # drawn and buried
        # 1.7 victory row
        ("slots", "i8"),
        ("points_per_card", "i8"),
        ("centre_scores", "i8"),
        ("centre_min_cards", "i8"),
        ("overflow_choice", "i8"),  # victory.overflow is "choice"
        ("overflow_removed", "i8"),  # victory.overflow_to is "removed"
        ("spent_removed", "i8"),  # victory.spent_to is "removed"
        ("effect_a", "i8"),
        ("effect_b", "i8"),
        ("effect_c", "i8"),
        ("spends_per_round", "i8"),
        ("limit_a", "i8"),
        ("limit_b", "i8"),
        ("limit_c", "i8"),
        ("b_lay_suit", "i8"),  # victory.b_distant_between is "lay_suit"
        ("b_sequential", "i8"),
        ("band_of", "i8", (MAX_RANK + 1,)),  # by rank; the fields below are by band
        ("band_a", "i8", (MAX_BANDS,)),
        ("band_wins_ties", "i8", (MAX_BANDS,)),
        ("band_bonus", "i8", (MAX_BANDS,)),  # cards, for trick.mode "most_cards"
        ("band_tiles", "i8", (MAX_BANDS,)),
        ("band_units", "i8", (MAX_BANDS,)),
        ("band_any", "i8", (MAX_BANDS,)),  # any terrain, chosen per tile
        ("band_reach", "i8", (MAX_BANDS,)),
        ("band_gold", "i8", (MAX_BANDS,)),
        # 1.8 objectives, end, score
        ("objective_mode", "i8"),  # ObjectiveMode
        ("objectives_dealt", "i8"),  # per player; "open": in all
        ("objective_points", "i8"),
        ("num_objectives", "i8"),  # patterns in the objective deck
        ("objective_list", "i8", (MAX_PATTERNS,)),  # their codes
        ("end_any_time", "i8"),  # end.trigger is "reserve_emptied_any_time"
        ("extra_rounds", "i8"),
        ("max_rounds", "i8"),
        ("points_per_unit", "i8"),
        ("num_tie_breaks", "i8"),
        ("tie_breaks", "i8", (4,)),  # TieBreak
        ("memory", "i8"),  # 1 "log", 0 "state_only"
    ]
)

RULES_TYPE = record_type(RULES)

assert MAX_SEATS == 4, "the record has room for four seats"

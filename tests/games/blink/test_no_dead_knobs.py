"""No dead knobs: every parameter of the rules, changed over the same deals, changes some outcome.

``CHANGES`` holds for each parameter a base ruleset in which it can matter and one change to it. The games are random
play on the same deals with the same play streams; an outcome is a row of the ``games`` or ``seats`` table. The few
parameters that cannot change a game are in ``DEAD``, each with its reason, and are held to it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from blinksim.games.blink import shards
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.ruleset import RulesetError, difference, load, parameters
from blinksim.games.tables import KEYS
from blinksim.players.roster import find_player
from tests.games.blink.plans import Plan, decisions, view_of

PLAYERS = 3
SEED = 4
CHUNKS = ((0, 10), (10, 40), (40, 120), (120, 360))
"""Deals are played in these steps until an outcome differs."""

Base = tuple[str, ...]
PLAIN: Base = ()
GOLD: Base = ("setup.starting_gold=30", "improve.costs=[1]", "improve.per_turn=3")
"""Gold from the start: research, walls and full rows early."""
ROWS: Base = (*GOLD, "victory.slots=3", "victory.effects=[]", "victory.centre_min_cards=2")
"""Rows that nobody spends from, so that they overflow."""
SPEND: Base = (*GOLD, "victory.spends_per_round=none", "victory.limit_b=none", "victory.limit_c=none")
CROWD: Base = ("terrain.O.tiles=6", "terrain.F.tiles=3", "fortify.cost=0", "setup.starting_gold=5")
"""Few tiles, free walls: much fighting."""
SEA: Base = ("move.per_card=3", "terrain.P.tiles=4", "terrain.F.tiles=1", "terrain.M.tiles=4")
HOMELESS: Base = ("tiers.units=[1,1,1,1,1]", "retreat.enabled=false", *CROWD)
"""Few units, and beaten ones go home."""
SMALL: Base = ("setup.hand_size=3", "setup.draft=false", *CROWD)
MAP = 'setup.map={"3"={mountains=[[0,0],[1,0],[0,1]],homelands=[[0,-1],[2,0],[-1,2]]}}'

FIRST_BAND = "{name='x',ranks=[1,5],a=false,wins_ties=false,tiles=2,units=1,terrain='any',reach=1,gold=9}"

CHANGES: dict[str, tuple[Base, str]] = {
    # 1.1
    "cards.rank_min": (PLAIN, "cards.rank_min=2"),
    "cards.rank_max": (PLAIN, "cards.rank_max=19"),
    "cards.starting_rank_max": (PLAIN, "cards.starting_rank_max=12"),
    "setup.hand_size": (PLAIN, "setup.hand_size=9"),
    "setup.draft": (PLAIN, "setup.draft=false"),
    "setup.draft_passes": (PLAIN, "setup.draft_passes=[6,4]"),
    "setup.draft_direction": (PLAIN, "setup.draft_direction=right"),
    "setup.start_units": (PLAIN, "setup.start_units=2"),
    "setup.starting_gold": (PLAIN, "setup.starting_gold=1"),
    "setup.start_player": (PLAIN, "setup.start_player=1"),
    "setup.map": (PLAIN, MAP),
    # 1.2
    "tiers.units": (PLAIN, "tiers.units=[2,4,4,5,5]"),
    "tiers.meld_limit": (PLAIN, "tiers.meld_limit[1]=2"),
    "tiers.rank_cap": (GOLD, "tiers.rank_cap[0]=13"),
    "tiers.wall": (CROWD, "tiers.wall[1]=4"),
    # 1.3
    **{
        f"terrain.{suit}.holds": (PLAIN, f"terrain.{suit}.holds={holds}")
        for suit, holds in zip("PFOM", (2, 1, 2, 2), strict=True)
    },
    **{f"terrain.{suit}.defence": (PLAIN, f"terrain.{suit}.defence=5") for suit in "PFOM"},
    **{f"terrain.{suit}.tiles": (PLAIN, f"terrain.{suit}.tiles=4") for suit in "PFOM"},
    # 1.4
    "trick.mode": (PLAIN, "trick.mode=most_cards"),
    "trick.tie_chain": (PLAIN, "trick.tie_chain=[]"),
    "trick.a_rank_scope": (SPEND, "trick.a_rank_scope=tie_winners"),
    "trick.last_place_gold": (PLAIN, "trick.last_place_gold=2"),
    "trick.set_aside": (PLAIN, "trick.set_aside=false"),
    "trick.set_aside_gold": (PLAIN, "trick.set_aside_gold=2"),
    "trick.set_aside_winner_exempt": (PLAIN, "trick.set_aside_winner_exempt=false"),
    "trick.set_aside_min_kept": (PLAIN, "trick.set_aside_min_kept=1"),
    "trick.next_leader": (PLAIN, "trick.next_leader=clockwise"),
    "trick.a_bonus_cards": (
        ("trick.mode=most_cards", "trick.a_bonus_cards=[1,1,2,2]", *SPEND),
        "trick.a_bonus_cards=[3,3,2,2]",
    ),
    # 1.5
    "turn.cash_gold": (PLAIN, "turn.cash_gold=2"),
    "turn.must_resolve_all": (PLAIN, "turn.must_resolve_all=false"),
    "turn.reach": (PLAIN, "turn.reach=2"),
    "turn.reach_waived_without_units": (HOMELESS, "turn.reach_waived_without_units=false"),
    "turn.suit_must_match": (PLAIN, "turn.suit_must_match=false"),
    "turn.explore_min_touch": (PLAIN, "turn.explore_min_touch=3"),
    "turn.capture_gold": (PLAIN, "turn.capture_gold=2"),
    "turn.no_attack_rounds": (PLAIN, "turn.no_attack_rounds=30"),
    "move.per_card": (PLAIN, "move.per_card=2"),
    "move.land": (PLAIN, "move.land=false"),
    "move.sea": (SEA, "move.sea=false"),
    "move.sea_through_own": (SEA, "move.sea_through_own=true"),
    "move.water_advantage": (PLAIN, "move.water_advantage=false"),
    "move.water_advantage_per_turn": (SEA, "move.water_advantage_per_turn=2"),
    "move.water_advantage_cost": (SEA, "move.water_advantage_cost=2"),
    "fortify.enabled": (PLAIN, "fortify.enabled=false"),
    "fortify.cost": (PLAIN, "fortify.cost=2"),
    "fortify.max_per_unit": (CROWD, "fortify.max_per_unit=2"),
    "fortify.strip_on_move": (CROWD, "fortify.strip_on_move=false"),
    "fortify.strip_on_arrival": (CROWD, "fortify.strip_on_arrival=false"),
    "duel.level_total": (CROWD, "duel.level_total=defender"),
    "duel.terrain_counts_when_declined": (("terrain.P.defence=9", *CROWD), "duel.terrain_counts_when_declined=false"),
    "duel.wall_is_native": (CROWD, "duel.wall_is_native=false"),
    "duel.coin_spent": (CROWD, "duel.coin_spent=only_if_lost"),
    "retreat.enabled": (CROWD, "retreat.enabled=false"),
    "retreat.optional": (CROWD, "retreat.optional=true"),
    # 1.6
    "recycle.income_per_objective": (PLAIN, "recycle.income_per_objective=2"),
    "recycle.before_own_turn": (PLAIN, "recycle.before_own_turn=own_turn_start"),
    "recycle.after_own_turn": (SMALL, "recycle.after_own_turn=immediate"),
    "improve.per_turn": (GOLD, "improve.per_turn=1"),
    "improve.costs": (PLAIN, "improve.costs=[1]"),
    "improve.failed_counts": (GOLD, "improve.failed_counts=false"),
    "improve.failed_raises_price": (
        ("improve.costs=[1,9]", "setup.starting_gold=20"),
        "improve.failed_raises_price=true",
    ),
    "research.enabled": (PLAIN, "research.enabled=false"),
    "research.grid": (PLAIN, "research.grid=[2,4]"),
    "research.cover": (PLAIN, "research.cover=lowest"),
    "research.retire": (PLAIN, "research.retire=any"),
    "research.destinations": (PLAIN, 'research.destinations=["hand"]'),
    "research.when_deck_empty": (GOLD, "research.when_deck_empty=forbid"),
    "trade.enabled": (PLAIN, "trade.enabled=false"),
    "trade.draw": (PLAIN, "trade.draw=3"),
    "trade.bury": (PLAIN, "trade.bury=1"),
    # 1.7
    "victory.slots": (ROWS, "victory.slots=1"),
    "victory.points_per_card": (PLAIN, "victory.points_per_card=2"),
    "victory.centre_scores": (ROWS, "victory.centre_scores=false"),
    "victory.centre_min_cards": (ROWS, "victory.centre_min_cards=3"),
    "victory.overflow": (ROWS, "victory.overflow=choice"),
    "victory.overflow_to": (ROWS, "victory.overflow_to=removed"),
    "victory.spent_to": (PLAIN, "victory.spent_to=removed"),
    "victory.effects": (PLAIN, 'victory.effects=["A"]'),
    "victory.spends_per_round": (GOLD, "victory.spends_per_round=none"),
    "victory.limit_a": (PLAIN, "victory.limit_a=0"),
    "victory.limit_b": (SPEND, "victory.limit_b=0"),
    "victory.limit_c": (SPEND, "victory.limit_c=1"),
    "victory.b_distant_between": (SPEND, "victory.b_distant_between=lay_suit"),
    "victory.b_sequential": (SPEND, "victory.b_sequential=false"),
    "victory.bands": (PLAIN, f"victory.bands[0]={FIRST_BAND}"),
    "victory.bands[].ranks": (SPEND, "victory.bands[1].ranks=[6,9]"),
    "victory.bands[].a": (SPEND, "victory.bands[0].a=false"),
    "victory.bands[].wins_ties": (
        ('victory.effects=["A"]', 'trick.tie_chain=["a_wins_ties"]', *GOLD),  # where no other step hides it
        "victory.bands[0].wins_ties=true",
    ),
    "victory.bands[].tiles": (SPEND, "victory.bands[0].tiles=2"),
    "victory.bands[].units": (SPEND, "victory.bands[2].units=2"),
    "victory.bands[].terrain": (SPEND, "victory.bands[0].terrain=any"),
    "victory.bands[].reach": (SPEND, "victory.bands[0].reach=2"),
    "victory.bands[].gold": (SPEND, "victory.bands[0].gold=3"),
    # 1.8
    "objectives.mode": (PLAIN, "objectives.mode=keep_both"),
    "objectives.dealt": (PLAIN, "objectives.dealt=3"),
    "objectives.points": (PLAIN, "objectives.points=3"),
    "objectives.list": (PLAIN, "objectives.list[0]=plains_plains"),
    "end.trigger": (HOMELESS, "end.trigger=reserve_emptied_any_time"),
    "end.extra_rounds": (PLAIN, "end.extra_rounds=0"),
    "end.max_rounds": (PLAIN, "end.max_rounds=20"),
    "score.points_per_unit": (PLAIN, "score.points_per_unit=2"),
    "score.tie_breaks": (("score.points_per_unit=0", "objectives.points=0", *PLAIN), "score.tie_breaks=[]"),
}
"""By parameter: what the base has beside the standard rules, and the change; a change of the base's own wins."""

TOGETHER: dict[str, tuple[str, ...]] = {
    "trick.mode": ("trick.a_bonus_cards=[1,1,2,2]",),
    "trade.draw": ("trade.bury=3",),
    "trade.bury": ("trade.draw=1",),
    "victory.bands[].ranks": ("victory.bands[2].ranks=[10,15]",),
}
"""Changes that the change of a parameter demands."""

DEAD: dict[str, tuple[str, str]] = {
    "cards.suits": ('cards.suits=["F","P","O","M"]', "stated in the rules, not a switch: no other value is accepted"),
    "coins.count": ("coins.count=41", "stated, not a switch: coins are never a limit"),
    "coins.unlimited": ("coins.unlimited=false", "stated, not a switch"),
    "research.cover_tie": ('research.cover_tie="last"', "stated, not a switch"),
    "research.must_take": ("research.must_take=false", "stated, not a switch"),
    "setup.players": ("setup.players=[3,4]", "which player counts are played is the experiment's choice"),
    "setup.map_rules": ("setup.map_rules=false", "only decides which maps of one's own are accepted"),
    "tiers.name": ("tiers.name[0]=Clan", "a name for readers"),
    "victory.bands[].name": ("victory.bands[0].name=first", "a name for readers"),
    "observation.memory": ("observation.memory=state_only", "changes what players see, never the game (R135)"),
}
"""Parameters that cannot change a game: a change, and the reason."""


@cache
def prepared(changes: tuple[str, ...]) -> tuple[Any, np.ndarray]:
    ruleset = load("standard", changes)
    return ruleset, GAME.pack_ruleset(ruleset, PLAYERS)


@cache
def outcomes(changes: tuple[str, ...], first: int, last: int) -> tuple[bytes, bytes]:
    """The rows of ``games`` and ``seats`` of some deals under the standard rules with changes."""
    ruleset, rules = prepared(changes)
    keys = np.zeros(last - first, KEYS).view(np.recarray)
    keys.players = PLAYERS
    keys.deal = np.arange(first, last)
    deals = GAME.make_deals(ruleset, SEED, PLAYERS, first, last - first)
    line_up = [find_player("random")] * PLAYERS
    tables = shards.play_games([rules], [line_up], keys, [deals], SEED, False)  # type: ignore[list-item]
    return tables["games"].tobytes(), tables["seats"].tobytes()


def first_difference(base: tuple[str, ...], changed: tuple[str, ...]) -> int | None:
    """After how many deals an outcome differs; None where none does."""
    for first, last in CHUNKS:
        if outcomes(base, first, last) != outcomes(changed, first, last):
            return last
    return None


def indexless(name: str) -> str:
    """A dotted name without indexes: ``victory.bands[2].ranks`` becomes ``victory.bands.ranks``."""
    return re.sub(r"\[\d*\]", "", name)


def name_of(change: str) -> str:
    """The parameter of a change, without indexes."""
    return indexless(change.partition("=")[0])


def test_every_parameter_is_here() -> None:
    assert set(CHANGES) | set(DEAD) == set(parameters())
    assert not set(CHANGES) & set(DEAD)
    assert set(TOGETHER) <= set(CHANGES)


@pytest.mark.parametrize("key", CHANGES)
def test_a_changed_parameter_changes_outcomes(key: str) -> None:
    base, change = CHANGES[key]
    together = TOGETHER.get(key, ())
    changed = (*base, *together, change)
    touched = {name_of(text) for text in (change, *together)}
    differ = {indexless(name) for name, _, _ in difference(prepared(base)[0], prepared(changed)[0])}
    assert indexless(key) in touched
    if key != "victory.bands":
        assert differ == touched, "the change is another than it says"
    assert first_difference(base, changed) is not None, f"{key} changes nothing: {change}"


@pytest.mark.parametrize("key", DEAD)
def test_a_parameter_that_cannot_matter_does_not(key: str) -> None:
    change, reason = DEAD[key]
    if reason.startswith("stated"):
        with pytest.raises(RulesetError):
            load("standard", [change])
    else:
        assert load("standard", [change]).content_hash() != load("standard").content_hash(), "the change is none"
        assert first_difference((), (change,)) is None, f"{key} does matter; give it a change in CHANGES"


def test_memory_changes_what_is_seen() -> None:
    """``observation.memory`` alters no game, but observations (R135)."""
    plan = Plan("standard", PLAYERS, 1)
    forgetful = prepared(("observation.memory=state_only",))[1][0]
    differ = 0
    for state, _ in decisions(plan):
        if state.ply % 20 == 0:
            differ += view_of(state, plan.rules, 0).tobytes() != view_of(state, forgetful, 0).tobytes()
    assert differ > 10

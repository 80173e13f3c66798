"""Games for property tests: odd rulesets beside the presets, and plans that Hypothesis draws and shrinks.

A :class:`Plan` names a ruleset, a player count, a seed and a way of playing. Its first choices are numbers that
Hypothesis drew (so that a failure shrinks to a short opening), all later ones come from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from blinksim.games.blink import engine
from blinksim.games.blink.deals import table_deal
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Kind
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.ruleset import load, preset_names
from blinksim.games.blink.state import STATE, VIEW, new_records

Visit = Callable[[Any, Any, np.ndarray], None]
Changes = tuple[str, ...]

NO_LIMITS = ("victory.spends_per_round=none", "victory.limit_b=none", "victory.limit_c=none")
RICH = ("setup.draft=false", "setup.starting_gold=40", "improve.costs=[1]")
SHORT_DRAFT = "setup.draft_passes=[3]"
BETWEEN = ("victory.b_distant_between=lay_suit", "victory.bands[0].reach=2", "victory.bands[2].reach=2")
ISLES_2 = (
    'setup.map={"2"={mountains=[[0,0],[1,0]],homelands=[[-1,0],[2,0]],'
    'other=[[0,1,"O"],[1,1,"O"],[2,-1,"O"],[0,-1,"F"]]}}'
)
LINE_3 = 'setup.map={"3"={mountains=[[0,0]],homelands=[[-1,0],[1,-1],[0,1]],other=[[1,0,"O"],[-1,1,"O"],[0,-1,"O"]]}}'
ONE_BAND = (
    'victory.bands=[{name="all",ranks=[1,31],a=true,wins_ties=true,tiles=3,units=2,terrain="any",reach=3,gold=1}]'
)

ODD: dict[str, Changes] = {
    # 1.1: other decks, hands, drafts, starts and maps
    "long deck": ("cards.rank_min=3", "cards.starting_rank_max=16", "cards.rank_max=31", ONE_BAND),
    "no upgrade deck": ("cards.starting_rank_max=20",),
    "short upgrade deck": ("cards.starting_rank_max=17", *RICH),
    "hand of 3": ("setup.hand_size=3", "setup.draft_passes=[2,1]"),
    "hand of 13": ("setup.hand_size=13", "cards.starting_rank_max=15", SHORT_DRAFT),
    "pass right": ("setup.draft_direction=right", "setup.draft_passes=[1,2,3,4]"),
    "alternate passes": ("setup.draft_direction=alternate", "setup.draft_passes=[5,5]"),
    "three units, gold, seat 1": ("setup.start_units=3", "setup.starting_gold=7", "setup.start_player=1"),
    "isles": (ISLES_2, "setup.map_rules=false", "setup.draft=false"),
    "line": (LINE_3, "setup.map_rules=false", "setup.draft=false"),
    # 1.2 and 1.3: tiers and terrain
    "two tiers": ('tiers={name=["low","high"],units=[4,5],meld_limit=[3,5],rank_cap=[14,20],wall=[0,25]}',),
    "eight tiers": (
        'tiers={name=["a","b","c","d","e","f","g","h"],units=[1,1,2,2,3,3,4,9],meld_limit=[1,2,2,3,3,4,4,7],'
        "rank_cap=[10,12,12,14,15,16,18,20],wall=[5,5,8,9,12,14,16,30]}",
    ),
    "few tiles": tuple(f"terrain.{suit}.tiles=6" for suit in "PFOM"),
    "64 tiles, roomy": (
        *(f"terrain.{suit}.tiles=16" for suit in "PFOM"),
        "terrain.O.holds=4",
        "terrain.M.holds=2",
        "terrain.P.defence=3",
    ),
    # 1.4: the trick
    "other chain": ('trick.tie_chain=["a_rank","highest_rank","cards"]', "trick.a_rank_scope=tie_winners", *RICH),
    "no chain, last leads": ('trick.tie_chain=["laid_earlier"]', "trick.next_leader=last", "trick.last_place_gold=3"),
    "winner sets aside": ("trick.set_aside_winner_exempt=false", "trick.set_aside_min_kept=1"),
    "nothing set aside": ("trick.set_aside=false", "trick.next_leader=clockwise"),
    "most cards": ("trick.mode=most_cards", "trick.a_bonus_cards=[0,1,2,3]", *RICH),
    # 1.5: the map
    "loose turns": ("turn.must_resolve_all=false", "turn.no_attack_rounds=3", "turn.capture_gold=2"),
    "far reach, any suit": (
        "turn.reach=3",
        "turn.suit_must_match=false",
        "turn.explore_min_touch=1",
        *(f"terrain.{suit}.tiles=10" for suit in "PFOM"),
    ),
    "close": ("turn.explore_min_touch=3", "turn.reach_waived_without_units=false"),
    "sailors": (
        "move.sea_through_own=true",
        "move.per_card=3",
        "move.water_advantage_per_turn=3",
        "move.water_advantage_cost=0",
        "terrain.O.tiles=19",
    ),
    "no movement": ("move.land=false", "move.sea=false", "move.water_advantage_cost=2", "move.per_card=2"),
    "thick walls": ("fortify.max_per_unit=3", "fortify.cost=0", "fortify.strip_on_move=false"),
    "coins stay": ("fortify.strip_on_arrival=false", "fortify.strip_on_move=false", "duel.coin_spent=only_if_lost"),
    "no walls": ("fortify.enabled=false", "duel.level_total=attacker", "retreat.enabled=false"),
    "defender's day": (
        "duel.level_total=defender",
        "duel.wall_is_native=false",
        "duel.coin_spent=only_if_wall_fights",
        "duel.terrain_counts_when_declined=false",
        "fortify.max_per_unit=2",
    ),
    "home by choice": ("retreat.optional=true", "fortify.strip_on_move=false", "fortify.cost=0"),
    # 1.6: recycle, research, trade
    "recycle late": ("recycle.before_own_turn=own_turn_start", "setup.hand_size=4", "setup.draft=false"),
    "recycle at once": ("recycle.after_own_turn=immediate", "recycle.income_per_objective=4", "setup.draft=false"),
    "scholars": (
        "improve.per_turn=5",
        "improve.costs=[0,1,3]",
        "improve.failed_counts=false",
        "improve.failed_raises_price=true",
        "research.cover=lowest",
        "research.retire=any",
    ),
    "one door": ('research.destinations=["discard"]', "research.grid=[1,2]", *RICH),
    "to hand, forbid": (
        'research.destinations=["hand"]',
        "research.grid=[4,4]",
        "research.when_deck_empty=forbid",
        *RICH,
    ),
    "traders of one": ("trade.draw=1", "trade.bury=1", "research.enabled=false", *RICH),
    "traders of three": ("trade.draw=3", "trade.bury=3", "setup.hand_size=8", *RICH),
    # 1.7: the victory row
    "row of 1, removed": ("victory.slots=1", "victory.overflow_to=removed", "victory.spent_to=removed", *RICH),
    "row of 9, choice": ("victory.slots=9", "victory.overflow=choice", "victory.centre_min_cards=5", *RICH, *NO_LIMITS),
    "even row": ("victory.slots=2", "victory.centre_scores=false", "victory.overflow=choice", *RICH),
    "no A": ("victory.limit_a=0", "victory.limit_b=2", "victory.spends_per_round=3", *RICH),
    "only B, all tiles first": ('victory.effects=["B"]', "victory.b_sequential=false", *RICH, *NO_LIMITS),
    "tile in between": (*BETWEEN, *RICH, *NO_LIMITS),
    "tile in between, one touch": (
        *BETWEEN,
        "victory.b_sequential=false",
        "turn.explore_min_touch=1",
        *(f"terrain.{suit}.tiles=9" for suit in "PFOM"),
        *RICH,
        *NO_LIMITS,
    ),
    "one band": (ONE_BAND, "victory.b_sequential=false", *RICH, *NO_LIMITS),
    # 1.8: objectives, end, score
    "four patterns each": (
        "objectives.dealt=3",
        'objectives.list=["plains_plains","forest_ocean_mountain","mountain_plains_forest","ocean_ocean",'
        '"plains_forest","plains_ocean","plains_mountain","forest_plains","forest_ocean","ocean_mountain",'
        '"mountain_ocean","forest_forest"]',
    ),
    "one secret of three": ("objectives.mode=secret", "objectives.dealt=3", SHORT_DRAFT),
    "three open": ("objectives.mode=open", "objectives.dealt=3", "setup.draft=false"),
    "emptied any time": ("end.trigger=reserve_emptied_any_time", "end.extra_rounds=0"),
    "long end": ("end.extra_rounds=4", "score.points_per_unit=3", 'score.tie_breaks=["objectives","row","units"]'),
    "stalls": ("end.max_rounds=3", "setup.draft=false"),
    "no memory": ("observation.memory=state_only", "setup.draft=false", *RICH),
}
"""Rulesets far from the standard one, by name: together every alternative of section 1.9 and every kind of limit."""

RULESETS: dict[str, tuple[str, Changes]] = {
    **{name: (name, ()) for name in preset_names()},
    **{name: ("standard", ("setup.players=[2,4]", *changes)) for name, changes in ODD.items()},
}
MAX_ROUNDS = 80
"""Games of plans are stopped here, so that one that cannot end costs little."""


@cache
def ruleset(name: str) -> Any:
    """A ruleset of ``RULESETS``, stalled after ``MAX_ROUNDS`` rounds at the latest."""
    preset, changes = RULESETS[name]
    cap = () if any(change.startswith("end.max_rounds") for change in changes) else (f"end.max_rounds={MAX_ROUNDS}",)
    return load(preset, (*changes, *cap))


@cache
def packed(name: str, players: int) -> np.recarray:
    """The packed ruleset, length 1."""
    return GAME.pack_ruleset(ruleset(name), players)  # type: ignore[return-value]


def start(rules: Any, of: Any, seed: int) -> Any:
    """A game before its first decision: deal 0 of a seed under packed rules and the ruleset that they come from."""
    deal = table_deal(rules, GAME.make_deals(of, seed, int(rules.players), 0, 1), 0)  # type: ignore[arg-type]
    state = new_records(STATE)[0]
    decks = (deal.starting_deck, deal.upgrade_deck, deal.objectives)
    engine.ready()["setup"](state, rules, no_facts()[0], deal.start_player, *decks)
    return state


IDLE = frozenset({Kind.END, Kind.MOVE})
SPENDS = frozenset({Kind.DECLARE, Kind.FOUND, Kind.CASH})
STYLES = ("any", "grow", "fight", "hoard")
LIKED = {"any": (), "grow": (), "fight": (Kind.ATTACK,), "hoard": (Kind.RESEARCH, Kind.TRADE)}


@dataclass(frozen=True)
class Plan:
    """One game: what is played, and how.

    Attributes:
        name: A ruleset of ``RULESETS``.
        players: Player count.
        seed: Of the deal and of the choices after the opening.
        style: "any" chooses alike; "grow" is reluctant to end, cash and move; "fight" also prefers to attack, and
            "hoard" to research and trade, and it spends few victory cards, so that rows fill.
        opening: The first choices, each taken modulo the number of legal ones.
    """

    name: str
    players: int
    seed: int
    style: str = "any"
    opening: tuple[int, ...] = ()

    @property
    def rules(self) -> Any:
        """The packed rules."""
        return packed(self.name, self.players)[0]

    def start(self) -> Any:
        """The state before the first decision."""
        return start(self.rules, ruleset(self.name), self.seed)

    def chooser(self) -> Callable[[int, np.ndarray], int]:
        """A function (number of the decision, legal choices) -> choice."""
        rng = random.Random(self.seed)
        opening, style, liked = self.opening, self.style, LIKED[self.style]
        avoided = IDLE | {Kind.GOLD} if style != "hoard" else IDLE  # gold pays for research

        def choose(number: int, actions: np.ndarray) -> int:
            n = len(actions)
            if number < len(opening):
                return int(actions[opening[number] % n])
            action = int(actions[rng.randrange(n)])
            if style == "any":
                return action
            if action & 31 in avoided:
                action = int(actions[rng.randrange(n)])
            if liked and rng.random() < 0.7:
                wanted = [a for a in actions.tolist() if a & 31 in liked]
                if wanted:
                    return wanted[rng.randrange(len(wanted))]
            if style == "hoard" and action & 31 in SPENDS and rng.random() < 0.8:
                keep = [a for a in actions.tolist() if a & 31 not in SPENDS or a == Kind.DECLARE]
                return keep[rng.randrange(len(keep))]
            return action

        return choose


def decisions(plan: Plan, state: Any = None) -> Iterator[tuple[Any, np.ndarray]]:
    """Play a plan: at each decision the state (the same record all along) and its legal choices (a new array).

    Args:
        plan: What to play.
        state: Where to go on from; the start of the plan if none is given. Changed.
    """
    parts = engine.ready()
    rules = plan.rules
    state = plan.start() if state is None else state
    actions = np.zeros(MAX_ACTIONS, np.int64)
    facts, events = no_facts()
    choose = plan.chooser()
    number = 0
    while state.decision != Decision.OVER:
        n = parts["listing"](state, rules, actions)
        legal = actions[:n].copy()
        yield state, legal
        parts["applying"](state, rules, choose(number, legal), facts, events)
        number += 1


def position(plan: Plan, ply: int) -> Any:
    """The state of a plan's game at a decision, or at its last one where it is over before."""
    last = None
    for state, _ in decisions(plan):
        last = copy(state)
        if state.ply >= ply:
            break
    assert last is not None
    return last


def copy(state: Any) -> Any:
    """A state of its own with the same content."""
    other = new_records(STATE)
    other[0] = state
    return other[0]


def view_of(state: Any, rules: Any, seat: int) -> Any:
    """What a seat sees."""
    view = new_records(VIEW)[0]
    engine.ready()["observing"](state, rules, seat, view)
    return view


def plans(names: tuple[str, ...] = tuple(RULESETS)) -> st.SearchStrategy[Plan]:
    """Plans of some rulesets, for Hypothesis."""
    return st.builds(
        Plan,
        name=st.sampled_from(names),
        players=st.integers(2, 4),
        seed=st.integers(0, 2**32 - 1),
        style=st.sampled_from(STYLES),
        opening=st.lists(st.integers(0, 251), max_size=12).map(tuple),
    )


def bounded(examples: int) -> settings:
    """Settings of a property test: so many examples, always the same, however slow the machine."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )

"""The listing of legal choices held against the check of single ones, over whole games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blinksim.games.blink.apply import apply_action
from blinksim.games.blink.check import action_universe, legal_by_check
from blinksim.games.blink.deal_data import Deal
from blinksim.games.blink.enums import Decision, Kind
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.objectives import parse_objective
from blinksim.games.blink.record import begin_game
from blinksim.games.blink.record_lines import Header
from blinksim.games.blink.text import action_text, parse_action
from tests.games.blink.islands import island
from tests.games.blink.positions import (
    legal_actions,
    rules_for,
    set_row,
)

Changes = dict[str, Any]


def test_the_universe_has_no_number_twice() -> None:
    """Every number once, and among them every choice that is legal on the island."""
    state, rules = island()
    set_row(state, 0, "12O 7F 18P")
    numbers = list(action_universe(state, rules))
    assert len(set(numbers)) == len(numbers)
    assert set(legal_actions(state, rules)) <= set(numbers)


RULESETS: dict[str, tuple[int, str, Changes]] = {
    "standard": (3, "standard", {}),
    "booklet effects": (2, "booklet_effects", {}),
    "secret": (2, "secret", {"setup.draft_passes": [3]}),
    "open, four players": (4, "open", {"setup.draft": False}),
    "wide reach, any suit, one touch": (
        2,
        "standard",
        {
            "setup.draft": False,
            "turn.reach": 2,
            "turn.suit_must_match": False,
            "turn.explore_min_touch": 1,
            "terrain.P.tiles": 8,
            "terrain.F.tiles": 8,
            "terrain.O.tiles": 8,
            "terrain.M.tiles": 8,
        },
    ),
    "tiles in between, all tiles first, home by choice": (
        2,
        "booklet_effects",
        {
            "setup.draft": False,
            "victory.b_sequential": False,
            "retreat.optional": True,
            "research.retire": "any",
            "victory.overflow": "choice",
            "trade.draw": 3,
            "trade.bury": 3,
            "setup.starting_gold": 20,
        },
    ),
    "loose turns": (
        3,
        "standard",
        {
            "setup.draft": False,
            "turn.must_resolve_all": False,
            "turn.no_attack_rounds": 1,
            "move.sea_through_own": True,
            "fortify.max_per_unit": 2,
            "move.per_card": 2,
            "victory.b_sequential": False,
            "victory.spends_per_round": None,
            "victory.limit_b": None,
            "turn.reach_waived_without_units": False,
            "setup.starting_gold": 9,
        },
    ),
}


def shuffled_deal(rules: Any, rng: np.random.Generator) -> Deal:
    """Some deal of a ruleset with the twelve objectives."""
    split = 4 * (int(rules.starting_rank_max) + 1)
    names = ("plains", "forest", "ocean", "mountain")
    codes = [parse_objective(f"{a}_{b}") for a in names for b in names if a != b]
    return Deal.of(
        int(rng.integers(int(rules.players))),
        rng.permutation(np.arange(4 * int(rules.rank_min), split)),
        rng.permutation(np.arange(split, 4 * (int(rules.rank_max) + 1))),
        rng.permutation(codes),
    )


@pytest.mark.parametrize("name", RULESETS)
def test_the_listing_holds_what_the_check_allows(name: str) -> None:
    """Sections 2 and 3: in random play the listing is exactly the part of the universe without a reason against it."""
    players, preset, changes = RULESETS[name]
    rules = rules_for(players, changes, preset)
    rng = np.random.default_rng(5)
    facts, events = no_facts()
    compared = 0
    for _ in range(2):
        state = begin_game(Header(players, None, rules, (), shuffled_deal(rules, rng)))  # type: ignore[arg-type]
        while state.decision != Decision.OVER and int(state.round_number) <= 14:
            listed = legal_actions(state, rules)
            assert len(set(listed)) == len(listed)
            is_act = state.decision == Decision.ACT
            if not is_act or rng.random() < 0.03:
                allowed = legal_by_check(state, rules)
                where = f"round {state.round_number}, {Decision(int(state.decision)).name}"
                assert [action_text(state, a) for a in set(listed) - allowed] == [], f"listed wrongly: {where}"
                assert [action_text(state, a) for a in allowed - set(listed)] == [], f"not listed: {where}"
                compared += 1
            for action in listed[:3]:
                assert parse_action(state, rules, action_text(state, action)) == action
            # whatever ends a turn or a card cheaply is chosen less often, so that maps and rows grow
            weights = np.array([0.2 if action & 31 in (Kind.END, Kind.GOLD, Kind.MOVE) else 1.0 for action in listed])
            action = int(rng.choice(listed, p=weights / weights.sum()))
            apply_action(state, rules, action, facts, events)
    assert compared > 90

"""Games told step by step beside the engine: what their fact rows are held against."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from blinksim.games.blink import engine
from blinksim.games.blink.actions import card_of, kind_of, positions_of
from blinksim.games.blink.deals import table_deal
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Kind, Outcome
from blinksim.games.blink.fact_rows import rows_by_table
from blinksim.games.blink.facts import FACTS
from blinksim.games.blink.mapping import owner_of
from blinksim.games.blink.state import STATE, new_records
from blinksim.games.blink.tables import TABLES
from blinksim.games.cards import cards_in
from blinksim.games.tables import Table
from tests.games.blink.plans import Plan, copy, ruleset

BY_NAME: dict[str, Table] = {table.name: table for table in TABLES}
Row = dict[str, int]
Rows = dict[str, list[Row]]


def named(table: str, rows: np.ndarray) -> list[Row]:
    """A table as one dict per row; ``game`` is the number of the game."""
    names = ("game", *BY_NAME[table].recorded)
    assert rows.shape[1] == len(names)
    return [dict(zip(names, row, strict=True)) for row in rows.tolist()]


def total(rows: list[Row], name: str, **where: int) -> int:
    """The sum of a column over the rows that agree."""
    return sum(row[name] for row in rows if all(row[key] == value for key, value in where.items()))


def count(rows: list[Row], **where: int) -> int:
    """How many rows agree."""
    return sum(all(row[key] == value for key, value in where.items()) for row in rows)


# A game told step by step


@dataclass
class Story:
    """What happened in a game, counted beside the engine from one state to the next.

    Counters by seat hold the seat first: ``actions`` (seat, kind), ``gold`` (seat, column of ``seats``), ``used``
    (seat, card, column of ``cards``), ``gained`` and ``lost`` (seat, round).
    """

    plan: Plan
    end: Any = None
    rows: Rows = field(default_factory=dict)
    decisions: Counter = field(default_factory=Counter)
    actions: Counter = field(default_factory=Counter)
    gold: Counter = field(default_factory=Counter)
    used: Counter = field(default_factory=Counter)
    gained: Counter = field(default_factory=Counter)
    lost: Counter = field(default_factory=Counter)
    duels: list[Row] = field(default_factory=list)
    lowest: list[int] = field(default_factory=list)
    round_ends: dict[int, Any] = field(default_factory=dict)


USES = {
    Kind.SETTLE: "settle",
    Kind.EXPLORE: "explore",
    Kind.ATTACK: "attack",
    Kind.GOLD: "gold",
    Kind.ASIDE: "set_aside",
    Kind.DEFEND: "defence",
}
RESEARCH_STEPS = (Kind.RESEARCH, Kind.RETIRE, Kind.DROP)


def tell_step(story: Story, before: Any, action: int, after: Any) -> None:
    """Count one choice and what changed by it."""
    seat, kind, card = int(before.seat), Kind(kind_of(action)), card_of(action)
    story.decisions[Decision(int(before.decision))] += 1
    if kind not in (Kind.DECLARE, Kind.DEFEND) or card != 0:
        story.actions[seat, kind] += 1
        if kind in USES:
            story.used[seat, card, USES[kind]] += 1
    if kind == Kind.MELD:
        for i, laid in enumerate(cards_in(before.hand[seat])):
            story.used[seat, laid, "played"] += positions_of(action) >> i & 1
    if kind == Kind.END:
        for left in cards_in(before.meld[seat]):
            story.used[seat, left, "dropped"] += 1
    for player in range(story.plan.players):
        home = int(after.reserve[player]) - int(before.reserve[player])
        story.gained[player, int(before.round_number)] += max(-home, 0)
        story.lost[player, int(before.round_number)] += max(home, 0)
        story.lowest[player] = min(story.lowest[player], int(after.reserve[player]))
    tell_gold(story, before, kind, card, after)
    tell_duel(story, before, kind, card, after)
    if after.round_number > before.round_number > 0 or after.decision == Decision.OVER:
        end = copy(after)
        end.round_number = before.round_number  # as it was before the next round began, or the outcome was known
        end.outcome = Outcome.RUNNING
        story.round_ends[int(before.round_number)] = end


def tell_gold(story: Story, before: Any, kind: Kind, card: int, after: Any) -> None:
    """Say of each coin where it came from or went."""
    rules = story.plan.rules
    for player in range(story.plan.players):
        change = int(after.gold[player]) - int(before.gold[player])
        if after.recycles[player] > before.recycles[player]:
            assert after.recycles[player] == before.recycles[player] + 1
            story.gold[player, "gold_income"] += int(after.last_income[player])
            change -= int(after.last_income[player])
        names = {
            Kind.GOLD: ("gold_cashed", int(rules.cash_gold)),
            Kind.ASIDE: ("gold_set_aside", int(rules.set_aside_gold)),
            Kind.CASH: ("gold_effect_c", int(rules.band_gold[int(rules.band_of[card >> 2])])),
            Kind.FORTIFY: ("paid_fortify", -int(rules.fortify_cost)),
        }
        if player == before.seat and kind in names:
            name, amount = names[kind]
            story.gold[player, name] += abs(amount)
            change -= amount
        if kind in (Kind.MELD, Kind.DECLARE, Kind.ASIDE):
            story.gold[player, "gold_last_place"] += change
        elif kind in (Kind.DEFEND, Kind.RETREAT) and player == before.active:
            story.gold[player, "gold_capture"] += change
        elif kind == Kind.TRADE or kind in RESEARCH_STEPS:
            story.gold[player, "paid_trade" if kind == Kind.TRADE else "paid_research"] -= change
            assert player == before.active or change == 0
        else:
            assert change == 0, f"{kind.name} moved gold"


def tell_duel(story: Story, before: Any, kind: Kind, card: int, after: Any) -> None:
    """A row for an attack, completed by its answer and its end."""
    rules = story.plan.rules
    tile = int(before.attack_tile if before.attack_card else after.attack_tile)
    if kind == Kind.ATTACK:
        attacker, defender = int(before.seat), int(owner_of(before, tile))
        story.duels.append(
            {
                "seat": attacker,
                "round": int(before.round_number),
                "defender": defender,
                "attacker_tier": int(rules.tier_of[int(before.reserve[attacker])]),
                "defender_tier": int(rules.tier_of[int(before.reserve[defender])]),
                "cell": int(before.tile_cell[tile]),
                "terrain": int(before.terrain[tile]),
                "units": int(before.units[tile]),
                "coins": int(before.coins[tile]),
                "attack_rank": card >> 2,
                "answer_rank": 0,
            }
        )
    elif kind == Kind.DEFEND:
        story.duels[-1]["answer_rank"] = card >> 2
    if kind in (Kind.DEFEND, Kind.RETREAT) and after.attack_card == 0:
        duel = story.duels[-1]
        captured = int(owner_of(after, tile)) == duel["seat"]
        duel["captured"] = int(captured)
        duel["result"] = int(captured or int(after.units[tile]) < duel["units"])


@cache
def story_of(plan: Plan) -> Story:
    """Play a plan with facts on and tell what happens."""
    parts, rules = engine.ready(), plan.rules
    deal = table_deal(rules, GAME.make_deals(ruleset(plan.name), plan.seed, plan.players, 0, 1), 0)  # type: ignore[arg-type]
    facts, state = new_records(FACTS)[0], new_records(STATE)[0]
    facts.on, facts.game = 1, 5
    events = np.zeros(200_000, np.int64)
    actions = np.zeros(MAX_ACTIONS, np.int64)
    choose = plan.chooser()
    parts["setup"](state, rules, facts, deal.start_player, deal.starting_deck, deal.upgrade_deck, deal.objectives)
    story = Story(plan, lowest=[int(reserve) for reserve in state.reserve[: plan.players]])
    while state.decision != Decision.OVER:
        n = parts["listing"](state, rules, actions)
        before, action = copy(state), choose(int(state.ply), actions[:n])
        parts["applying"](state, rules, action, facts, events)
        tell_step(story, before, action, state)
    story.end = state
    tables = rows_by_table(events, int(facts.rows))
    assert int(facts.rows) == sum(rows.size + len(rows) for rows in tables)
    for table, rows in zip(TABLES, tables, strict=True):
        story.rows[table.name] = named(table.name, rows)
    return story

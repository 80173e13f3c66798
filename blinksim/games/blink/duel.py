"""The duel: an attack, its answer, and the beaten unit (section 3.7)."""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import CoinSpent, Decision, LevelTotal
from blinksim.games.blink.facts import Source, Use, from_reserve, gain, to_reserve, use_card
from blinksim.games.blink.knowledge import card_shown
from blinksim.games.blink.mapping import NONE, owner_of, put_unit, take_unit
from blinksim.games.blink.objectives import count_arrangements
from blinksim.games.blink.scoring import tier, wall_value
from blinksim.games.cards import add_card, remove_card
from blinksim.jit import kernel, lowest, popcount

STAYS = 0
FALLS_BACK = 1
GOES_HOME = 2


@kernel
def has_wall(state: np.recarray, rules: np.recarray, tile: int) -> bool:
    """Whether a tile is fortified: at least one coin on it (R85)."""
    return rules.fortify != 0 and state.coins[tile] > 0


@kernel
def defender_holds(rules: np.recarray, terrain: int, attack: int, wall: int, answer: int) -> bool:
    """Who wins a duel (section 3.7; R55 to R60).

    Args:
        terrain: Of the attacked tile.
        attack: Rank of the attacking card.
        wall: Value of the wall, 0 without one.
        answer: The card the defender answered with, 0 for none; above the wall where there is one (R57).
    """
    native = False
    if answer != 0:
        value = answer >> 2
        native = answer & 3 == terrain
    elif wall > 0:
        value = wall
        native = rules.wall_is_native != 0
    else:
        value = 0
    total = value
    if answer != 0 or wall > 0 or rules.terrain_when_declined != 0:
        total += rules.defence[terrain]
    if total != attack:
        return total > attack
    if rules.level_total == LevelTotal.ATTACKER_UNLESS_NATIVE:
        return native
    return rules.level_total == LevelTotal.DEFENDER


@kernel
def strip_arrival(state: np.recarray, rules: np.recarray, tile: int) -> None:
    """A unit that arrives on a tile with units strips its coins (R48, R66, R79, R86)."""
    if rules.strip_on_arrival != 0:
        state.coins[tile] = 0


@kernel
def coins_that_leave(state: np.recarray, rules: np.recarray, tile: int) -> int:
    """Coins above what the units that stay on a tile may carry once one has left it (R80; section 1.9)."""
    allowed = rules.max_per_unit * (int(state.units[tile]) - 1)
    return max(int(state.coins[tile]) - allowed, 0)


@kernel
def begin_duel(state: np.recarray, rules: np.recarray, facts: np.recarray, card: int, tile: int) -> None:
    """A card attacks a rival tile; its owner is asked (D08)."""
    attacker = state.active
    defender = owner_of(state, tile)
    remove_card(state.meld[attacker], card)
    use_card(facts, attacker, card, Use.ATTACK.value)
    state.attack_card = card
    state.attack_tile = tile
    state.answer_card = 0
    state.decision = Decision.DEFEND
    state.seat = defender
    if facts.on != 0:
        facts.defender = defender
        facts.attacker_tier = tier(state, rules, attacker)
        facts.defender_tier = tier(state, rules, defender)
        facts.units_before = int(state.units[tile])
        facts.coins_before = int(state.coins[tile])
        facts.wall = wall_value(state, rules, defender) if has_wall(state, rules, tile) else 0
        facts.captured = 0
        for i in range(state.num_objectives[defender]):
            facts.held_before[i] = count_arrangements(state, defender, state.objectives[defender, i])


@kernel
def retreat_tiles(state: np.recarray, rules: np.recarray, defender: int) -> np.uint64:
    """Where a beaten unit may fall back to: own tiles with room beside the attacked one (R65)."""
    if rules.retreat == 0:
        return NONE
    return state.neighbours[state.attack_tile] & state.own[defender] & state.with_room


@kernel
def defend(state: np.recarray, rules: np.recarray, facts: np.recarray, answer: int) -> bool:
    """The defender answers; the duel is fought (D08; section 3.7).

    Returns:
        Whether D09 is due; False once the duel is over.
    """
    defender = state.seat
    tile = int(state.attack_tile)
    wall = wall_value(state, rules, defender) if has_wall(state, rules, tile) else 0
    if answer != 0:
        remove_card(state.hand[defender], answer)
        state.hand_size[defender] -= 1
        card_shown(state, defender, answer)
        use_card(facts, defender, answer, Use.DEFENCE.value)
        state.answer_card = answer
    terrain = int(state.terrain[tile])
    holds = defender_holds(rules, terrain, state.attack_card >> 2, wall, answer)
    if facts.on != 0:
        facts.answered = answer
        facts.duel_won = 0 if holds else 1
        facts.unit_fate = STAYS
    if state.coins[tile] > 0 and (
        rules.coin_spent == CoinSpent.EVERY_ATTACK
        or (rules.coin_spent == CoinSpent.ONLY_IF_WALL_FIGHTS and answer == 0)
        or (rules.coin_spent == CoinSpent.ONLY_IF_LOST and not holds)
    ):
        state.coins[tile] -= 1
    if holds:
        finish_duel(state, rules, facts, defender)
        return False
    leaving = coins_that_leave(state, rules, tile)
    state.coins[tile] -= leaving
    state.retreat_coins = leaving if rules.strip_on_move == 0 else 0
    take_unit(state, tile, defender)
    where = retreat_tiles(state, rules, defender)
    if where != NONE and (popcount(where) > 1 or rules.retreat_optional != 0):
        state.decision = Decision.RETREAT
        return True
    retreat(state, rules, facts, defender, lowest(where) if where != NONE else -1)
    return False


@kernel
def retreat(state: np.recarray, rules: np.recarray, facts: np.recarray, defender: int, tile: int) -> None:
    """The beaten unit falls back to a tile, or goes home where ``tile`` is -1 (R64 to R67); the duel ends."""
    if tile >= 0:
        strip_arrival(state, rules, tile)
        state.coins[tile] += state.retreat_coins
        put_unit(state, rules, tile, defender)
        facts.unit_fate = FALLS_BACK
    else:
        to_reserve(state, facts, defender)
        facts.unit_fate = GOES_HOME
    capture(state, rules, facts)
    finish_duel(state, rules, facts, defender)


@kernel
def capture(state: np.recarray, rules: np.recarray, facts: np.recarray) -> None:
    """The attacker moves into an emptied tile where it has a unit left (R68, R69)."""
    attacker = state.active
    tile = int(state.attack_tile)
    if state.units[tile] > 0:
        return
    state.coins[tile] = 0
    if state.reserve[attacker] > 0:
        from_reserve(state, facts, attacker)
        put_unit(state, rules, tile, attacker)
        gain(state, facts, attacker, Source.CAPTURE.value, rules.capture_gold)
        facts.captured = 1


@kernel
def finish_duel(state: np.recarray, rules: np.recarray, facts: np.recarray, defender: int) -> None:
    """Both cards go to the discards; the attacker's turn goes on."""
    add_card(state.discard[state.active], state.attack_card)
    if state.answer_card != 0:
        add_card(state.discard[defender], state.answer_card)
    if facts.on != 0:
        for i in range(state.num_objectives[defender]):
            now = count_arrangements(state, defender, state.objectives[defender, i])
            if facts.held_before[i] > 0 and now == 0:
                facts.objective_lost[defender, i] += 1

"""The sentences of a game's story: what a trick, a map action or a recycle was, from the states around it.

A map action with follow-up decisions (a duel, a research, effect B) is one sentence, told from all its moments at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from blinksim.games.blink.actions import (
    TO_DISCARD,
    buried_card,
    card_of,
    cell_of,
    kind_of,
    tile_of,
    to_tile_of,
)
from blinksim.games.blink.drawing import TERRAIN_NAMES, label, tile_content, tile_owner
from blinksim.games.blink.duel import defender_holds, has_wall
from blinksim.games.blink.enums import Decision, Kind, TieStep
from blinksim.games.blink.improve import improvement_price
from blinksim.games.blink.ruleset import Ruleset
from blinksim.games.blink.scoring import wall_value
from blinksim.games.blink.trick import cards_with_bonus, compare_at, trick_total
from blinksim.games.cards import card_text, cards_in, cards_text
from blinksim.games.hexmap import cell_text


class Moment(Protocol):
    """One decision: the choice, and the STATE records before and after it. A ``Step`` of a replay is one."""

    @property
    def before(self) -> Any: ...

    @property
    def action(self) -> int: ...

    @property
    def after(self) -> Any: ...


def plural(count: int, noun: str) -> str:
    """``1 card``, ``3 cards``."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def at(state: Any, tile: int) -> str:
    """The cell of a tile."""
    return cell_text(int(state.tile_cell[tile]))


def terrain_at(state: Any, tile: int) -> str:
    """The terrain of a tile in words."""
    return TERRAIN_NAMES[int(state.terrain[tile])]


def band_name(rules: Any, ruleset: Ruleset, card: int) -> str:
    """The name of a victory card's band in words."""
    return str(ruleset.victory.bands[int(rules.band_of[card >> 2])].name).replace("_", " ")


TIE_WORDS = {
    TieStep.CARDS: "more cards",
    TieStep.A_WINS_TIES: "declared card wins ties",
    TieStep.A_RANK: "higher card declared",
    TieStep.RANKS_DESC: "higher ranks",
    TieStep.HIGHEST_RANK: "highest rank",
}


def trick_reason(state: Any, rules: Any, place: int) -> str:
    """Why a seat ranks before the next one in the trick where their totals do not say it; empty where they do.

    Section 3.3.

    Args:
        state: Right after the trick was ranked.
        rules: The ruleset; one RULES record.
        place: Position in the order, from 0.
    """
    if place + 1 >= int(state.players):
        return ""
    seat, other = int(state.order[place]), int(state.order[place + 1])
    if rules.most_cards and cards_with_bonus(state, rules, seat) != cards_with_bonus(state, rules, other):
        return "more cards"
    if trick_total(state, rules, seat) != trick_total(state, rules, other):
        return "higher total" if rules.most_cards else ""
    for step in rules.tie_chain[: int(rules.tie_steps)]:
        if compare_at(state, rules, int(step), seat, other) > 0:
            return f"level: {TIE_WORDS[TieStep(int(step))]}"
    return "level: laid earlier"


class ActionWords:
    """Puts a map action into a sentence without its subject, such as ``explores with 8O: Ocean at 2,0``."""

    def __init__(self, rules: Any, ruleset: Ruleset, names: Sequence[str]) -> None:
        """One RULES record, the ruleset that it was packed from, and who sits on each seat."""
        self.rules = rules
        self.ruleset = ruleset
        self.names = names

    def tell(self, moments: Sequence[Moment]) -> str:
        """The sentence of one whole action.

        Args:
            moments: Its decision D07 and all the decisions that followed from it.
        """
        return _TELLERS[Kind(kind_of(moments[0].action))](self, moments)

    def _settle(self, moments: Sequence[Moment]) -> str:
        first, after = moments[0], moments[0].after
        tile, card = tile_of(first.action), card_text(card_of(first.action))
        lost = int(first.before.coins[tile]) - int(after.coins[tile])
        stripped = f", {plural(lost, 'coin')} stripped" if lost > 0 else ""
        return f"settles with {card} on {at(after, tile)} ({tile_content(after, tile)}{stripped})"

    def _explore(self, moments: Sequence[Moment]) -> str:
        card = card_of(moments[0].action)
        return f"explores with {card_text(card)}: {TERRAIN_NAMES[card & 3]} at {cell_text(cell_of(moments[0].action))}"

    def _gold(self, moments: Sequence[Moment]) -> str:
        return f"cashes {card_text(card_of(moments[0].action))} for {int(self.rules.cash_gold)} gold"

    def _move(self, moments: Sequence[Moment]) -> str:
        first, after = moments[0], moments[0].after
        tile, to_tile = tile_of(first.action), to_tile_of(first.action)
        where = f"{at(after, tile)} to {at(after, to_tile)} ({tile_content(after, to_tile)}{self._coins_lost(first)})"
        return f"moves {where}"

    def _water(self, moments: Sequence[Moment]) -> str:
        first = moments[0]
        start, cell = at(first.before, tile_of(first.action)), cell_text(cell_of(first.action))
        lost = self._coins_lost(first)
        return f"sails {start} to {cell} and lays Ocean there" + (f" ({lost.removeprefix(', ')})" if lost else "")

    def _coins_lost(self, moment: Moment) -> str:
        """Coins that a movement costs, as a remark."""
        lost = int(moment.before.coins.sum()) - int(moment.after.coins.sum())
        return f", {plural(lost, 'coin')} lost" if lost > 0 else ""

    def _fortify(self, moments: Sequence[Moment]) -> str:
        tile, after = tile_of(moments[0].action), moments[0].after
        price = int(self.rules.fortify_cost)
        return f"fortifies {at(after, tile)} for {price} gold ({tile_content(after, tile)})"

    def _attack(self, moments: Sequence[Moment]) -> str:
        """A duel: what attacks, what answers, what comes of it (section 3.7)."""
        first = moments[0]
        tile, attack = tile_of(first.action), card_of(first.action)
        defender = tile_owner(first.before, tile)
        what = f"{at(first.before, tile)} ({tile_content(first.before, tile)})"
        said = f"attacks {label(defender, self.names)} on {what} with {card_text(attack)}"
        if len(moments) < 2:
            return said
        return f"{said}: {self._answer(moments[1], defender)}; {self._outcome(moments, defender)}"

    def _answer(self, moment: Moment, defender: int) -> str:
        """What the attack met: attack against card or wall, and terrain."""
        before, rules = moment.before, self.rules
        tile, answer = int(before.attack_tile), card_of(moment.action)
        wall = int(wall_value(before, rules, defender)) if has_wall(before, rules, tile) else 0
        defence = int(rules.defence[int(before.terrain[tile])])
        if not answer and not wall and not rules.terrain_when_declined:
            defence = 0
        value = answer >> 2 if answer else wall
        against = f"{value}+{defence}" if defence else str(value)
        if answer:
            native = " native" if answer & 3 == int(before.terrain[tile]) else ""
            met = f"{card_text(answer)} answers, {int(before.attack_card) >> 2} against {against}{native}"
        elif wall:
            met = f"the wall stands, {int(before.attack_card) >> 2} against {against}"
        else:
            met = f"no answer, {int(before.attack_card) >> 2} against {against}"
        return met

    def _outcome(self, moments: Sequence[Moment], defender: int) -> str:
        """What became of the tile and the beaten unit."""
        defence, after = moments[1], moments[-1].after
        before = defence.before
        tile, answer = int(before.attack_tile), card_of(defence.action)
        wall = int(wall_value(before, self.rules, defender)) if has_wall(before, self.rules, tile) else 0
        spent = int(before.coins[tile]) - int(defence.after.coins[tile])
        if defender_holds(self.rules, int(before.terrain[tile]), int(before.attack_card) >> 2, wall, answer):
            return "the tile holds" + (f", {plural(spent, 'coin')} spent" if spent > 0 else "")
        if after.decision == Decision.RETREAT:
            return "a unit is beaten"
        if int(after.reserve[defender]) > int(before.reserve[defender]):
            fate = "the beaten unit goes home"
        else:
            fate = f"the beaten unit falls back to {at(after, self._retreat(before, after, defender, tile))}"
        attacker = int(before.active)
        if tile_owner(after, tile) == attacker:
            gold = int(self.rules.capture_gold)
            return f"{fate}; captured" + (f" for {gold} gold" if gold else "")
        if int(after.units[tile]):
            return f"{fate}; {tile_content(after, tile)} stays"
        return f"{fate}; the tile lies open"

    def _retreat(self, before: Any, after: Any, defender: int, attacked: int) -> int:
        """The tile that a beaten unit fell back to."""
        return next(
            tile
            for tile in range(int(after.num_tiles))
            if tile != attacked
            and tile_owner(after, tile) == defender
            and int(after.units[tile]) > int(before.units[tile])
        )

    def _research(self, moments: Sequence[Moment]) -> str:
        """Research, from the draw to where the card goes (section 3.10)."""
        start, drawn = moments[0].before, moments[0].after
        slot = int(drawn.covered_slot)
        failed = drawn.decision == Decision.ACT
        if failed:  # the slot is forgotten by then: it is the one that grew
            grown = [i for i in range(int(self.rules.grid_slots)) if drawn.grid_depth[i] > start.grid_depth[i]]
            slot = grown[0] if grown else -1
        draw = f"draws {card_text(int(drawn.grid_top[slot]))} onto slot {slot + 1}" if slot >= 0 else "draws nothing"
        if failed:
            return f"researches in vain: {draw}, no card within reach"
        parts = [draw]
        taking = next((moment for moment in moments if moment.before.decision == Decision.RESEARCH_TAKE), None)
        if taking is not None:
            before, seat = taking.before, int(start.active)
            parts.append(f"retires {card_text(int(before.retired_card))}")
            row = {*cards_in(start.row[seat]), int(before.retired_card)}
            dropped = row - set(cards_in(before.row[seat]))
            if dropped:
                parts.append(f"{cards_text(dropped)} drops out of the row")
            chosen = card_of(taking.action)
            parts.append(f"takes {card_text(int(before.grid_top[chosen]))} from slot {chosen + 1}")
        last = moments[-1]
        if last.before.decision == Decision.RESEARCH_TO:
            parts[-1] += " to the discard" if tile_of(last.action) == TO_DISCARD else " into the hand"
        return f"researches for {int(improvement_price(start, self.rules))} gold: {', '.join(parts)}"

    def _trade(self, moments: Sequence[Moment]) -> str:
        """Trade: what came and what was buried (section 3.11)."""
        start, drawn = moments[0].before, moments[0].after
        seat = int(start.active)
        new = set(cards_in(drawn.hand[seat])) - set(cards_in(start.hand[seat]))
        said = f"trades for {int(improvement_price(start, self.rules))} gold: draws {cards_text(new)}"
        if len(moments) < 2:
            return said
        buried = [buried_card(moments[1].action, i) for i in range(3)]
        return f"{said}, buries {' '.join(card_text(card) for card in buried if card)}"

    def _found(self, moments: Sequence[Moment]) -> str:
        """Effect B: the tiles laid, and which have a unit (section 3.12)."""
        start, after = moments[0].before, moments[-1].after
        laid = []
        for tile in range(int(start.num_tiles), int(after.num_tiles)):
            with_unit = f" ({tile_content(after, tile)})" if int(after.units[tile]) else " left open"
            laid.append(f"{terrain_at(after, tile)} at {at(after, tile)}{with_unit}")
        return f"spends {self._row_card(moments[0])}: {' and '.join(laid) or 'a tile is due'}"

    def _cash(self, moments: Sequence[Moment]) -> str:
        gold = int(self.rules.band_gold[int(self.rules.band_of[card_of(moments[0].action) >> 2])])
        return f"spends {self._row_card(moments[0])} for {gold} gold"

    def _row_card(self, moment: Moment) -> str:
        """A victory card with the name of its band."""
        card = card_of(moment.action)
        return f"{card_text(card)} from the row ({band_name(self.rules, self.ruleset, card)})"

    def _end(self, moments: Sequence[Moment]) -> str:
        """The end of a turn; what is left of it vanishes."""
        before = moments[0].before
        left = cards_in(before.meld[int(before.active)])
        parts = [f"leaves {cards_text(left)} unused"] if left else []
        if int(before.moves_left):
            parts.append(f"{plural(int(before.moves_left), 'movement')} unused")
        return "ends the turn" + (f", {', '.join(parts)}" if parts else "")


_TELLERS: dict[Kind, Callable[[ActionWords, Sequence[Moment]], str]] = {
    Kind.SETTLE: ActionWords._settle,
    Kind.EXPLORE: ActionWords._explore,
    Kind.ATTACK: ActionWords._attack,
    Kind.GOLD: ActionWords._gold,
    Kind.MOVE: ActionWords._move,
    Kind.WATER: ActionWords._water,
    Kind.FORTIFY: ActionWords._fortify,
    Kind.RESEARCH: ActionWords._research,
    Kind.TRADE: ActionWords._trade,
    Kind.FOUND: ActionWords._found,
    Kind.CASH: ActionWords._cash,
    Kind.END: ActionWords._end,
}

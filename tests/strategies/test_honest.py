"""Players know what they may: with everything that a seat cannot see dealt anew, its choice stays the same.

Every shipped strategy is asked in positions of games that all of them play against each other, then once more in a
state imagined from what the seat sees. The last tests plant strategies that peek, and they are found out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

from blinksim.games.blink import drive, engine
from blinksim.games.blink.actions import card_of, kind_of, tile_of
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Kind
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.ruleset import load, preset_names
from blinksim.games.blink.state import STATE, VIEW, new_records
from blinksim.games.cards import cards_in
from blinksim.jit import PLAIN
from blinksim.players.policy import kernel
from blinksim.players.roster import Player, find_player, list_strategies
from tests.games.blink.plans import start

FORGETFUL = ("standard", ("observation.memory=state_only",))
RULESETS: list[tuple[str, tuple[str, ...]]] = [("standard", ()), *((name, ()) for name in preset_names()), FORGETFUL]
SLOW = {"searcher": 20}
"""Strategies that take milliseconds a decision are asked in every so manieth position, and do not play the games."""
EVERY = 4
"""Every so manieth decision of a game, by chance, is a position that strategies are asked in."""


@dataclass(frozen=True)
class Position:
    """A decision with a choice.

    Attributes:
        state: The whole truth.
        rules: The packed ruleset.
        legal: The choices.
        name: Who sits there.
        memory: What it has noted in this game, (MEMORY_WORDS,) uint64.
        stream: Its random stream, (1,) uint64.
        seed: For dealing anew what its seat cannot see.
    """

    state: Any
    rules: Any
    legal: np.ndarray
    name: str
    memory: np.ndarray
    stream: np.ndarray
    seed: int


@cache
def shipped() -> dict[str, Player]:
    """All shipped strategies and personas, those that are compiled ready to be called."""
    players = {name: find_player(name) for name in list_strategies()}
    for player in players.values():
        if player.compiled:
            engine.compile_kernel(player.decide, drive.STRATEGY_SIGNATURE)
    return players


def game(seed: int) -> Iterator[Position]:
    """Some positions of a game: a ruleset, a player count and a line-up by chance."""
    rng = random.Random(seed)
    preset, changes = RULESETS[rng.randrange(len(RULESETS))]
    ruleset = load(preset, ("end.max_rounds=60", *changes))
    num_players = rng.choice((2, 3, 4))
    rules: Any = GAME.pack_ruleset(ruleset, num_players)[0]
    names = [rng.choice([name for name in shipped() if name not in SLOW]) for _ in range(num_players)]
    state = start(rules, ruleset, seed)
    memory = np.zeros((num_players, drive.MEMORY_WORDS), np.uint64)
    streams = np.array([[rng.randrange(1, 2**63)] for _ in names], np.uint64)
    sandbox = new_records(STATE, drive.SANDBOX_STATES)
    parts, actions, view = engine.ready(), np.zeros(MAX_ACTIONS, np.int64), new_records(VIEW)[0]
    while state.decision != Decision.OVER:
        seat = int(state.seat)
        n = parts["listing"](state, rules, actions)
        choice = 0
        if n > 1:
            if rng.randrange(EVERY) == 0:
                held = new_records(STATE)
                held[0] = state
                mine = (memory[seat].copy(), streams[seat].copy())
                yield Position(held[0], rules, actions[:n].copy(), names[seat], *mine, rng.randrange(1, 2**63))
            player = shipped()[names[seat]]
            parts["observing"](state, rules, seat, view)
            choice = player.decide(view, rules, actions, n, player.params, memory[seat], streams[seat], sandbox)
        parts["applying"](state, rules, int(actions[choice]), *no_facts())


def positions(count: int, first_seed: int = 1) -> Iterator[Position]:
    """So many positions of games one after the other."""
    seed = first_seed
    while count > 0:
        for position in game(seed):
            yield position
            count -= 1
            if count == 0:
                return
        seed += 1


TRUTH = new_records(STATE)
"""The state in which a strategy is being asked, where no strategy has any business: the planted ones look."""


def ask(player: Any, position: Position, state: Any) -> tuple[int, bytes, bytes, bytes]:
    """What a strategy sees in a state, chooses, and is left with: view, choice, memory and stream.

    As in the driver the game lies right before the strategy's sandbox.
    """
    states = new_records(STATE, 1 + drive.SANDBOX_STATES)
    states[0] = TRUTH[0] = state
    view = new_records(VIEW)[0]
    engine.ready()["observing"](states[0], position.rules, states[0].seat, view)
    seen = view.tobytes()
    blank = player.name != position.name
    memory = np.zeros_like(position.memory) if blank else position.memory.copy()
    stream, legal = position.stream.copy(), position.legal.copy()
    arguments = (legal, len(legal), player.params.copy(), memory, stream, states[1:])
    choice = int(player.decide(view, position.rules, *arguments))
    assert 0 <= choice < len(legal), f"{player.name}: {choice} of {len(legal)}"
    return choice, seen, memory.tobytes(), stream.tobytes()


def redealt(position: Position) -> Any:
    """A state that looks the same to the seat that decides, the rest dealt anew."""
    view, other = new_records(VIEW)[0], new_records(STATE)[0]
    engine.ready()["observing"](position.state, position.rules, position.state.seat, view)
    imagine(view, position.rules, np.array([position.seed], np.uint64), other)
    return other


def first_peek(player: Any, found: Sequence[Position]) -> int | None:
    """In which of some positions a strategy chooses by what it may not know; None where in none."""
    for number, position in enumerate(found):
        if ask(player, position, position.state) != ask(player, position, redealt(position)):
            return number
    return None


def check_all(count: int) -> Counter:
    """Ask every shipped strategy in so many positions; returns how often, by name and by decision."""
    asked: Counter = Counter()
    for number, position in enumerate(positions(count)):
        other = redealt(position)
        asked[Decision(int(position.state.decision))] += 1
        asked["hidden"] += other.tobytes() != position.state.tobytes()
        for name, player in shipped().items():
            if number % SLOW.get(name, 1) == 0:
                asked[name] += 1
                where = f"{name} at ply {position.state.ply}, position {number}"
                assert ask(player, position, other) == ask(player, position, position.state), where
    return asked


def wanted(count: int) -> dict[str, int]:
    """How often each shipped strategy is to be asked."""
    return {name: -(-count // SLOW.get(name, 1)) for name in shipped()}


def test_what_a_seat_cannot_see_changes_no_choice() -> None:
    asked = check_all(600)
    assert {name: asked[name] for name in shipped()} == wanted(600)
    assert asked["hidden"] > 590
    assert min(asked[d] for d in (Decision.ACT, Decision.MELD, Decision.DRAFT_PASS, Decision.RESEARCH_TAKE)) > 20


@pytest.mark.full
def test_what_a_seat_cannot_see_changes_no_choice_in_many_positions() -> None:
    asked = check_all(10_000)
    assert {name: asked[name] for name in shipped()} == wanted(10_000)
    rare = {Decision.OBJECTIVE_KEEP, Decision.ROW_OVERFLOW, Decision.OVER}
    assert {d for d in Decision if not asked[d]} <= rare


# planted strategies


@dataclass(frozen=True)
class Planted:
    """A strategy that peeks, and otherwise plays like the builder."""

    name: str
    peek: Callable[..., int]
    params: np.ndarray

    def decide(self, view: Any, rules: Any, actions: np.ndarray, n: int, *rest: Any) -> int:
        """What it knows from peeking where that tells it something, else the builder's choice."""
        choice = self.peek(view, TRUTH[0], actions[:n].tolist())
        return choice if choice >= 0 else int(shipped()["builder"].decide(view, rules, actions, n, *rest))


def wait_for_a_weak_hand(view: Any, truth: Any, actions: list[int]) -> int:
    """Attacks where no card of the owner's hand is as high as its own."""
    for i, action in enumerate(actions):
        if kind_of(action) == Kind.ATTACK:
            owner = next(seat for seat in range(view.players) if int(truth.own[seat]) >> tile_of(action) & 1)
            if max(cards_in(truth.hand[owner]), default=0) >> 2 < card_of(action) >> 2:
                return i
    return -1


def look_under_the_melds(view: Any, truth: Any, actions: list[int]) -> int:
    """Lays least where a meld that lies face down is strong already."""
    if view.decision != Decision.MELD:
        return -1
    most = max(sum(card >> 2 for card in cards_in(truth.laid[seat])) for seat in range(view.players))
    return 0 if most > 25 else -1


def know_the_next_card(view: Any, truth: Any, actions: list[int]) -> int:
    """Researches when a high card is about to be drawn."""
    top = int(truth.upgrade[max(int(truth.upgrade_count) - 1, 0)])
    research = [i for i, action in enumerate(actions) if kind_of(action) == Kind.RESEARCH]
    return research[0] if research and top >> 2 >= 17 else -1


def know_the_market(view: Any, truth: Any, actions: list[int]) -> int:
    """Trades when the top of the market is good."""
    trade = [i for i, action in enumerate(actions) if kind_of(action) == Kind.TRADE]
    return trade[0] if trade and int(truth.market[0]) >> 2 >= 8 else -1


def know_the_objectives(view: Any, truth: Any, actions: list[int]) -> int:
    """Explores no terrain that is the middle of a rival's objective."""
    wanted = {int(code) >> 4 for rival in range(view.players) if rival != view.me for code in truth.objectives[rival]}
    for i, action in enumerate(actions):
        if kind_of(action) == Kind.EXPLORE and card_of(action) & 3 not in wanted:
            return i
    return -1


PEEKS = (wait_for_a_weak_hand, look_under_the_melds, know_the_next_card, know_the_market, know_the_objectives)


@cache
def thousand() -> list[Position]:
    """Positions to find cheats in."""
    return list(positions(1000, first_seed=5000))


@pytest.mark.parametrize("peek", PEEKS)
def test_a_strategy_that_peeks_is_caught_within_a_thousand_positions(peek: Callable[..., int]) -> None:
    planted = Planted(peek.__name__, peek, shipped()["builder"].params)
    assert first_peek(planted, thousand()) is not None


def test_the_planted_strategy_is_caught_for_its_peeking_alone() -> None:
    """Without a peek it is the builder, and honest."""
    planted = Planted("honest", lambda *_: -1, shipped()["builder"].params)
    assert first_peek(planted, thousand()[:300]) is None


@kernel
def reach_out(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """Looks before the beginning of its sandbox, where the game lies, for the next seat's cards."""
    game = sandbox[-1 - len(sandbox)]
    return int(game.hand[(view.me + 1) % view.players, 0] % np.uint64(n))


if not PLAIN and not numba.config.BOUNDSCHECK:  # else an array ends where it ends

    def test_a_compiled_strategy_that_reaches_out_of_its_sandbox_is_caught() -> None:
        engine.compile_kernel(reach_out, drive.STRATEGY_SIGNATURE)
        planted = Player("reach_out", shipped()["builder"].strategy, reach_out, np.zeros(32), shipped()["builder"].path)
        assert first_peek(planted, thousand()) is not None


def test_a_forgetful_player_is_honest_too() -> None:
    """Less memory is no way round: the same choice in every redealt state, and another than a perfect memory's."""
    other = 0
    for name in ("builder", "raider", "warden", "merchant"):
        for memory in (0, 1):
            player = find_player(f"{name}:memory={memory}")
            assert first_peek(player, thousand()[:200]) is None
            for position in thousand():
                perfect = ask(shipped()[name], position, position.state)[0]
                other += perfect != ask(player, position, position.state)[0]
    assert other > 0

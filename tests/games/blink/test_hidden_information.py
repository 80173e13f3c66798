"""Hidden stays hidden: what a seat cannot know alters nothing that it sees or does (sections 2.1, R10, R134, R135)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blinksim.games.blink import engine, shards
from blinksim.games.blink.actions import card_action, positions_action
from blinksim.games.blink.descriptor import GAME
from blinksim.games.blink.enums import MAX_ACTIONS, Decision, Kind, ObjectiveMode, Outcome
from blinksim.games.blink.facts import no_facts
from blinksim.games.blink.imagine import imagine
from blinksim.games.blink.invariants import broken_invariant
from blinksim.games.blink.ruleset import load, preset_names
from blinksim.games.blink.state import HIDDEN_FIELDS, STATE, VIEW, new_records
from blinksim.games.blink.tables import GAMES, SEATS
from blinksim.games.cards import card_set, cards_in
from blinksim.games.tables import KEYS
from blinksim.players.roster import find_player
from tests.games.blink.plans import (
    RULESETS,
    STYLES,
    Plan,
    bounded,
    copy,
    decisions,
    packed,
    plans,
    position,
    ruleset,
    start,
    view_of,
)
from tests.games.blink.searcher import Searcher

PRESETS = tuple(preset_names())


def imagined(state: Any, rules: Any, seat: int, seed: int) -> Any:
    """A state that agrees with what a seat sees, everything else dealt anew."""
    other = new_records(STATE)[0]
    imagine(view_of(state, rules, seat), rules, np.array([seed], np.uint64), other)
    return other


def legal(state: Any, rules: Any) -> list[int]:
    """The legal choices, in the order listed."""
    actions = np.zeros(MAX_ACTIONS, np.int64)
    return actions[: engine.ready()["listing"](state, rules, actions)].tolist()


def after(state: Any, rules: Any, action: int) -> Any:
    """A copy of the state with one choice carried out."""
    other = copy(state)
    engine.ready()["applying"](other, rules, action, *no_facts())
    return other


# What a seat cannot see is dealt anew


QUIET = (Kind.SETTLE, Kind.EXPLORE, Kind.ATTACK, Kind.GOLD, Kind.MOVE, Kind.WATER, Kind.FORTIFY, Kind.FOUND, Kind.CASH)
"""Choices of a map turn that reveal nothing: what follows from them is public, or was known to who chose."""


def check_redealt(plan: Plan, ply: int, seed: int) -> None:
    """Every seat sees the same, bit by bit; who decides may choose the same, and sees the same follow."""
    rules = plan.rules
    state = position(plan, ply)
    for seat in range(plan.players):
        view = view_of(state, rules, seat)
        other = imagined(state, rules, seat, seed)
        assert broken_invariant(other, rules) == 0, f"{plan}, ply {state.ply}, seat {seat}"
        assert view_of(other, rules, seat).tobytes() == view.tobytes(), f"{plan}, ply {state.ply}, seat {seat}"
        if seat != state.seat:
            continue
        choices = legal(state, rules)
        assert legal(other, rules) == choices, f"{plan}, ply {state.ply}"
        for action in choices[:: 1 + len(choices) // 8]:
            if action & 31 in QUIET:
                seen = view_of(after(state, rules, action), rules, seat).tobytes()
                assert view_of(after(other, rules, action), rules, seat).tobytes() == seen


@given(plans(), st.integers(0, 900), st.integers(1, 2**64 - 1))
@bounded(40)
def test_a_redealt_state_looks_the_same(plan: Plan, ply: int, seed: int) -> None:
    check_redealt(plan, ply, seed)


@pytest.mark.full
@given(plans(), st.integers(0, 1500), st.integers(1, 2**64 - 1))
@bounded(1500)
def test_a_redealt_state_looks_the_same_in_many_positions(plan: Plan, ply: int, seed: int) -> None:
    check_redealt(plan, ply, seed)


def test_redealing_moves_cards() -> None:
    """The test above would mean nothing if imagined states were the real ones."""
    plan = Plan("standard", 3, 2)
    state = position(plan, 30)
    others = [imagined(state, plan.rules, 0, seed) for seed in range(1, 9)]
    assert len({other.hand[1].tobytes() for other in others}) > 4
    assert len({other.market.tobytes() for other in others}) > 4
    assert len({other.upgrade.tobytes() for other in others}) == 8
    assert len({other.objectives[1].tobytes() for other in others}) > 3


def test_large_face_down_melds_are_imagined() -> None:
    """Three rivals' last cards, or melds of seven and eight, are rarely runs by chance; still a state is found."""
    changes = (
        "setup.hand_size=11",
        "setup.draft=false",
        "tiers.meld_limit=[7,7,8,8,8]",
        "observation.memory=state_only",
        "end.max_rounds=10",
    )
    rules = GAME.pack_ruleset(load("standard", changes), 4)[0]
    large = 0
    for seed in range(8):
        rng = random.Random(seed)
        state = start(rules, load("standard", changes), seed)
        while state.decision != Decision.OVER:
            choices = legal(state, rules)
            if state.decision == Decision.MELD:
                other = imagined(state, rules, int(state.seat), seed + 1)
                assert (
                    view_of(other, rules, int(state.seat)).tobytes() == view_of(state, rules, int(state.seat)).tobytes()
                )
                assert broken_invariant(other, rules) == 0
                large += sorted(state.meld_size[:4])[2] >= 5
                sizes = [(choice >> 5).bit_count() for choice in choices]
                choices = [c for c, size in zip(choices, sizes, strict=True) if size == max(sizes)]
            engine.ready()["applying"](state, rules, rng.choice(choices), *no_facts())
    assert large > 10


@given(plans(PRESETS), st.integers(0, 400), st.integers(1, 2**64 - 1))
@bounded(12)
def test_the_searcher_chooses_the_same_in_a_redealt_state(plan: Plan, ply: int, seed: int) -> None:
    """A choice rests on what is seen and on the seat's own stream, whatever lies hidden."""
    rules = plan.rules
    state = position(plan, ply)
    seat = int(state.seat)
    choices = np.array(legal(state, rules))
    picks = []
    for shown in (state, imagined(state, rules, seat, seed)):
        view, stream = view_of(shown, rules, seat), np.array([99], np.uint64)
        arguments = (np.zeros(32), np.zeros(64, np.uint64), stream, new_records(STATE, 4))
        picks.append(Searcher().decide(view, rules, choices[:60], len(choices[:60]), *arguments))
    assert picks[0] == picks[1]


# Hidden things changed by hand

Change = Callable[[Any, Any, int], bool]


def shuffle_deck(state: Any, rules: Any, seat: int) -> bool:
    """Turn the order of the upgrade deck round."""
    count = int(state.upgrade_count)
    state.upgrade[:count] = state.upgrade[:count][::-1].copy()
    return count > 1


def shuffle_market(state: Any, rules: Any, seat: int) -> bool:
    """Turn round the market cards whose places the seat does not know."""
    unknown = [i for i in range(int(state.market_count)) if state.market_known[seat, i] == 0]
    state.market[unknown] = state.market[unknown][::-1].copy()
    return len(unknown) > 1


def unknown_cards(state: Any, seat: int, rival: int, place: str) -> list[int]:
    """Cards of a rival's hand, or of its face-down meld, that the seat has not seen there."""
    return [card for card in cards_in(state[place][rival]) if card not in cards_in(state.seen_hand[seat, rival])]


def swap_with_market(state: Any, rules: Any, seat: int) -> bool:
    """An unseen card of a rival's hand changes places with an unknown card of the market."""
    rival = (seat + 1) % int(state.players)
    unknown = [i for i in range(int(state.market_count)) if state.market_known[seat, i] == 0]
    mine = unknown_cards(state, seat, rival, "hand")
    if not unknown or not mine:
        return False
    hand = [card for card in cards_in(state.hand[rival]) if card != mine[0]]
    state.hand[rival] = card_set([*hand, int(state.market[unknown[-1]])])
    state.market[unknown[-1]] = mine[0]
    return True


def swap_between_rivals(state: Any, rules: Any, seat: int) -> bool:
    """Unseen cards of two rivals' hands change places."""
    if state.players < 3:
        return False
    a, b = (seat + 1) % int(state.players), (seat + 2) % int(state.players)
    of_a, of_b = unknown_cards(state, seat, a, "hand"), unknown_cards(state, seat, b, "hand")
    if not of_a or not of_b:
        return False
    hand_a, hand_b = set(cards_in(state.hand[a])), set(cards_in(state.hand[b]))
    state.hand[a] = card_set(hand_a - {of_a[0]} | {of_b[0]})
    state.hand[b] = card_set(hand_b - {of_b[0]} | {of_a[0]})
    return True


def swap_face_down(state: Any, rules: Any, seat: int) -> bool:
    """A card of a rival's face-down meld changes places with one of its hand."""
    for rival in range(int(state.players)):
        if rival != seat and state.laid[rival].any() and state.hand[rival].any():
            hand, laid = cards_in(state.hand[rival]), cards_in(state.laid[rival])
            state.hand[rival] = card_set([*hand[1:], laid[0]])
            state.laid[rival] = card_set([*laid[1:], hand[0]])
            return True
    return False


def other_objectives(state: Any, rules: Any, seat: int) -> bool:
    """The rivals have other objectives than those they do not show."""
    if rules.objective_mode in (ObjectiveMode.NONE, ObjectiveMode.OPEN):
        return False
    for rival in range(int(state.players)):
        for i in range(int(state.num_objectives[rival])):
            if rival != seat and state.objectives[rival, i] != state.shown[rival]:
                state.objectives[rival, i] = 3 * 16 + 3 * 4 + 3
    return True


def other_pending_choices(state: Any, rules: Any, seat: int) -> bool:
    """Those who chose before in a simultaneous decision chose otherwise."""
    changed = False
    for rival in range(int(state.players)):
        if rival != seat and state.pending[rival] >= 0:
            if state.decision == Decision.DRAFT_PASS:
                lowest = (1 << int(rules.pass_cards[int(state.pass_number)])) - 1
                state.pending[rival] = positions_action(int(Kind.PASS), lowest << 1)
            else:
                state.pending[rival] = card_action(int(state.pending[rival]) & 31, 63)
            changed = True
    return changed


def other_memories(state: Any, rules: Any, seat: int) -> bool:
    """The rivals remember something else, or passed other cards on."""
    for rival in range(int(state.players)):
        if rival != seat:
            state.seen_hand[rival] = 0
            state.unsure[rival] = 0
            state.market_known[rival] = 0
            state.passed[rival] = card_set([4, 5, 6])
    return True


def other_start_player(state: Any, rules: Any, seat: int) -> bool:
    """Somebody else will lead first (R10), or did."""
    state.start_player = (int(state.start_player) + 1) % int(state.players)
    return True


CHANGES: dict[str, Change] = {
    function.__name__: function
    for function in (
        shuffle_deck,
        shuffle_market,
        swap_with_market,
        swap_between_rivals,
        swap_face_down,
        other_objectives,
        other_pending_choices,
        other_memories,
        other_start_player,
    )
}


@pytest.mark.parametrize("preset", PRESETS)
def test_changed_hidden_things_are_not_seen(preset: str) -> None:
    """Section 2.1, row by row; each change is made in many positions, and each alters the state."""
    made = dict.fromkeys(CHANGES, 0)
    for players in (2, 3, 4):
        plan = Plan(preset, players, 5 + players, STYLES[players % 4])
        for state, _ in decisions(plan):
            if state.ply > 60 and state.ply % 29:
                continue
            seat = (int(state.seat) + int(state.ply) % 2) % players
            view = view_of(state, plan.rules, seat).tobytes()
            for name, change in CHANGES.items():
                other = copy(state)
                if change(other, plan.rules, seat):
                    made[name] += other.tobytes() != state.tobytes()
                    assert view_of(other, plan.rules, seat).tobytes() == view, f"{plan}, ply {state.ply}: {name}"
    expected = set(CHANGES) - ({"other_objectives"} if preset in ("no_objectives", "open") else set())
    assert {name for name, count in made.items() if count > 5} == expected


def test_who_may_see_it_sees_the_change() -> None:
    """The other side of the test above: what a seat does know is in its view."""
    plan = Plan("standard", 3, 4)
    state = next(copy(s) for s, _ in decisions(plan) if s.laid[1].any())
    view = view_of(state, plan.rules, 1)
    for name in ("hand", "laid", "objectives", "passed", "seen_hand", "market_known"):
        other = copy(state)
        other[name][1] = 0
        changed = view_of(other, plan.rules, 1)
        differs = {field for field in VIEW.names or () if changed[field].tobytes() != view[field].tobytes()}
        assert differs <= {name}
        assert differs == {name} or not state[name][1].any()
    for name in ("hand", "laid", "objectives", "passed"):
        assert state[name][1].any(), name


SECRET = (Kind.KEEP, Kind.PASS, Kind.SHOW, Kind.MELD, Kind.BURY)
"""Choices that the others do not see: of a meld only its size, and nothing once the last one uncovers all."""


@pytest.mark.parametrize("name", [*PRESETS, "traders of three", "pass right"])
def test_secret_choices_look_alike_to_the_others(name: str) -> None:
    """Section 2.1, R8, R15, R24, R106: whichever is taken, all other seats see the same follow."""
    compared = dict.fromkeys(SECRET, 0)
    for players in (2, 3, 4):
        plan = Plan(name, players, 2 * players, "hoard")
        for state, choices in decisions(plan):
            kind = Kind(int(choices[0]) & 31)
            uncovers = kind not in (Kind.MELD, Kind.BURY) and state.seat == players - 1
            uncovers |= kind == Kind.MELD and (state.seat + 1) % players == state.leader
            if kind not in SECRET or uncovers or state.ply > 300:
                continue
            size = (int(choices[-1]) >> 5).bit_count()
            alike = [c for c in choices.tolist() if kind != Kind.MELD or (c >> 5).bit_count() == size]
            ends = [after(state, plan.rules, action) for action in (alike[0], alike[len(alike) // 2], alike[-1])]
            for seat in range(players):
                if seat != state.seat:
                    seen = {view_of(end, plan.rules, seat).tobytes() for end in ends}
                    assert len(seen) == 1, f"{plan}, ply {state.ply}: seat {seat} sees {kind.name}"
                    compared[kind] += len({end.tobytes() for end in ends}) > 1
    modes = {"secret": {Kind.KEEP}, "no_objectives": set(), "open": set(), "keep_both": set()}
    assert {kind for kind, times in compared.items() if times} == {
        Kind.PASS,
        Kind.MELD,
        Kind.BURY,
        *modes.get(name, {Kind.SHOW}),
    } - ({Kind.PASS} if name == "traders of three" else set())


# What an observation holds

PUBLIC = (
    "players round_number decision seat ply leader winner order turn active dues winner_cards pass_number armed "
    "last_round emptied outcome moves_left improve_used improve_bought water_used attack_card attack_tile answer_card "
    "retreat_coins retired_card covered_slot taken_card b_card b_tile_number b_owed b_last b_open b_distant turn_done "
    "spends spent_a spent_b spent_c declared meld_size meld hand_size discard row gold reserve shown last_income "
    "recycles removed deck upgrade_count market_count grid_top grid_depth under public_seen public_unsure "
    "fresh_seen public_market num_tiles num_spaces "
    "supply of_terrain own with_room neighbours space_touch tile_cell space_cell terrain units coins"
)
OWN = "me hand laid objectives num_objectives passed seen_hand unsure market_known"


def test_an_observation_has_these_fields_and_no_others() -> None:
    """A new field must be thought about: may a seat know it (section 2.1, R135)? Then it joins this list.

    ``emptied`` says whether some reserve was ever empty, ``deck`` which cards are left in the upgrade deck (all others
    lay face up once): both follow from what everybody saw.
    """
    assert VIEW.names == tuple(f"{PUBLIC} {OWN}".split())


def test_nothing_hidden_is_among_the_public_fields() -> None:
    hidden = {field[0] for field in HIDDEN_FIELDS}
    assert hidden == set(OWN.split()) - {"me"} | {"start_player", "pending", "market", "upgrade"}
    assert not hidden & set(PUBLIC.split())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_while_drafting_only_the_map_lies_there(preset: str, players: int) -> None:
    """R10: grid, start player and objectives come after the draft, except in mode "secret" (R14)."""
    plan = Plan(preset, players, 6)
    looked = 0
    for state, _ in decisions(plan):
        if state.decision not in (Decision.DRAFT_PASS, Decision.OBJECTIVE_KEEP):
            break
        for seat in range(players):
            view = view_of(state, plan.rules, seat)
            assert not view.grid_top.any()
            assert not view.grid_depth.any()
            assert view.leader == -1
            assert view.round_number == 0
            assert view.num_tiles == 2 * players
            assert all(view.shown[:players] == -1)
            own = 0 if preset != "secret" else 2 if state.decision == Decision.OBJECTIVE_KEEP else 1
            assert view.num_objectives == own
            assert bool(view.objectives.any()) == (own > 0)
            looked += 1
    assert looked >= 3 * players * players


def test_without_memory_only_the_present_is_seen() -> None:
    """R135, ``observation.memory = "state_only"``; the game itself is the same."""
    names = (
        "passed",
        "deck",
        "unsure",
        "public_unsure",
        "seen_hand",
        "public_seen",
        "fresh_seen",
        "market_known",
        "public_market",
        "under",
    )
    plan, rules = Plan("standard", 3, 8, "hoard"), copy_rules("standard", memory=0)
    remembered = dict.fromkeys(names, False)
    for state, _ in decisions(plan):
        if state.ply % 17:
            continue
        view, plain = view_of(state, plan.rules, 1), view_of(state, rules, 1)
        for name in VIEW.names or ():
            if name in names:
                assert not plain[name].any()
                remembered[name] |= bool(view[name].any())
            elif name not in ("recycles", "last_income"):
                assert plain[name].tobytes() == view[name].tobytes(), name
        assert not plain.recycles.any()
        assert all(plain.last_income == -1)
    assert all(remembered.values()), "the game never came to have something to remember"


def copy_rules(name: str, **changed: int) -> Any:
    """The rules of a ruleset for three players, some fields changed."""
    rules = packed(name, 3).copy()[0]
    for field, value in changed.items():
        rules[field] = value
    return rules


# Whole games through ``imagine``


def match(players: int, deals: int, imagined_states: int, seed: int, name: str = "standard") -> dict[str, Any]:
    """The searcher against random play: deals times hand shifts, so that it plays every hand; invariants checked."""
    rotations = deals * players
    keys = np.zeros(rotations, KEYS).view(np.recarray)
    keys.players = players
    keys.deal = np.arange(rotations) // players
    keys.hand_shift = np.arange(rotations) % players
    keys.game = np.arange(rotations)
    searcher = Searcher(imagined_states)
    line_up = [searcher, *[find_player("random")] * (players - 1)]
    shuffles = GAME.make_deals(ruleset(name), seed, players, 0, deals)
    tables = shards.play_games([packed(name, players)], [line_up], keys, [shuffles], seed, True)  # type: ignore[list-item]
    seats, games = tables["seats"], tables["games"]
    # with a hand shift of h slot 0 sits on seat h
    mine = seats[:, SEATS.index("seat")] == keys.hand_shift[seats[:, 0]]
    points = seats[:, SEATS.index("points")]
    return {
        "outcomes": games[:, GAMES.index("outcome")].tolist(),
        "decisions": games[:, GAMES.index("decisions")],
        "asked": searcher.decisions,
        "wins": seats[mine, SEATS.index("win_share")].sum() / 12,
        "points": points[mine].mean(),
        "their points": points[~mine].mean(),
    }


def check_match(found: dict[str, Any]) -> None:
    """Games that end by the rules, more than half of them won (random play wins its share), with far more points."""
    games = len(found["outcomes"])
    assert set(found["outcomes"]) <= {Outcome.WON, Outcome.SHARED}
    assert found["wins"] > games / 2
    assert found["points"] > found["their points"] + 8
    assert found["asked"] > found["decisions"].sum() / 10


def test_the_searcher_plays_whole_games_and_beats_random_play() -> None:
    check_match(match(players=2, deals=1, imagined_states=1, seed=3))


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ["standard", "secret", "booklet_effects", "no memory", "traders of three"])
def test_the_searcher_beats_random_play_in_many_games(name: str, players: int) -> None:
    assert name in RULESETS
    check_match(match(players, deals=1, imagined_states=2, seed=5, name=name))

"""The inverse of observing: a state that agrees with what a seat knows, the rest dealt at random (R135).

Searchers think in such states, and the honesty tests deal with them what a seat cannot see:
``observe(imagine(view)) == view``. Rivals know in them what everybody knows, and nothing beside.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.actions import card_action, positions_action
from blinksim.games.blink.enums import MAX_OBJECTIVES, Decision, Kind, ObjectiveMode
from blinksim.games.blink.scoring import tier
from blinksim.games.blink.state import PUBLIC_BYTES
from blinksim.games.cards import MAX_CARDS, add_card, has_card, is_empty, next_card, num_cards, remove_card
from blinksim.games.chance import below
from blinksim.jit import clear_fields, copy_fields, kernel, popcount

TRIES = 1000
"""Deals tried before one that does not fit is given up; nearly always the first fits."""
SEEN_TRIES = 20_000
"""Choices among the cards seen in one rival's hand that are tried; where it has little room one in thousands fits."""
HAND_TRIES = 20
"""Deals of one rival's hand that are tried for a face-down meld before the meld is chosen first."""


@kernel
def imagine(view: np.recarray, rules: np.recarray, stream: np.ndarray, state: np.recarray) -> None:
    """Fill a state that agrees with an observation.

    Args:
        view: What a seat sees at its own decision or any other moment.
        rules: The ruleset.
        stream: (1,) uint64, where chance comes from; changed.
        state: Overwritten.

    Raises:
        ValueError: no deal agrees with the observation; it was not made by ``observe``.
    """
    clear_fields(state)
    copy_fields(state, view, PUBLIC_BYTES)
    me = view.me
    if rules.memory == 0:
        imagine_deck(view, rules, stream, state)
    state.start_player = view.leader if view.leader >= 0 else below(stream, view.players)
    for seat in range(view.players):
        state.pending[seat] = -1
    for w in range(2):
        state.hand[me, w] = view.hand[w]
        state.laid[me, w] = view.laid[w]
    imagine_hands(view, rules, stream, state)
    shuffle_deck(stream, state)
    imagine_objectives(view, rules, stream, state)
    imagine_memory(view, state)
    imagine_pending(view, rules, stream, state)


@kernel
def everything_seen(view: np.recarray, rules: np.recarray, state: np.recarray, cards: np.ndarray) -> None:
    """The cards whose place the viewer knows, or that lie in the upgrade deck."""
    for seat in range(view.players):
        for w in range(2):
            cards[w] |= view.meld[seat, w] | view.discard[seat, w] | view.row[seat, w]
    for w in range(2):
        cards[w] |= view.hand[w] | view.laid[w] | view.removed[w] | state.deck[w]
    for card in (view.attack_card, view.answer_card, view.taken_card):
        if card != 0:
            add_card(cards, card)
    for slot in range(rules.grid_slots):
        card = int(state.grid_top[slot])
        while card != 0:
            add_card(cards, card)
            card = int(state.under[card])
    for i in range(view.market_count):
        if view.market_known[i] != 0:
            add_card(cards, int(view.market_known[i]))


@kernel
def unseen_cards(view: np.recarray, rules: np.recarray, state: np.recarray, cards: np.ndarray) -> None:
    """The cards that may be anywhere in hands, face-down melds and the market."""
    known = np.zeros(2, np.uint64)
    everything_seen(view, rules, state, known)
    for card in range(4 * rules.rank_min, 4 * (rules.rank_max + 1)):
        if not has_card(known, card):
            add_card(cards, card)


@kernel
def nth_card(cards: np.ndarray, n: int) -> int:
    """The card of a set with ``n`` lower ones in it."""
    card = next_card(cards, -1)
    for _ in range(n):
        card = next_card(cards, card)
    return card


@kernel
def draw_from(cards: np.ndarray, stream: np.ndarray) -> int:
    """Take a card at random out of a set that is not empty."""
    card = nth_card(cards, below(stream, num_cards(cards)))
    remove_card(cards, card)
    return card


@kernel
def imagine_deck(view: np.recarray, rules: np.recarray, stream: np.ndarray, state: np.recarray) -> None:
    """Without memory (``state_only``) covered grid cards and the deck are unknown too: upgrade cards not in sight."""
    pool = np.zeros(2, np.uint64)
    unseen_cards(view, rules, state, pool)
    for card in range(4 * rules.rank_min, 4 * (rules.starting_rank_max + 1)):
        remove_card(pool, card)
    for slot in range(rules.grid_slots):
        above = int(state.grid_top[slot])
        for _ in range(int(state.grid_depth[slot]) - 1):
            card = draw_from(pool, stream)
            state.under[above] = card
            above = card
    for _ in range(state.upgrade_count):
        add_card(state.deck, draw_from(pool, stream))


@kernel
def shuffle_deck(stream: np.ndarray, state: np.recarray) -> None:
    """The cards of the upgrade deck in random order."""
    left = np.zeros(2, np.uint64)
    for w in range(2):
        left[w] = state.deck[w]
    for i in range(state.upgrade_count):
        state.upgrade[i] = draw_from(left, stream)


@kernel
def imagine_hands(view: np.recarray, rules: np.recarray, stream: np.ndarray, state: np.recarray) -> None:
    """Hands and face-down melds of the rivals, and the market."""
    unseen = np.zeros(2, np.uint64)
    unseen_cards(view, rules, state, unseen)
    pool = np.zeros(2, np.uint64)
    for _ in range(TRIES):
        for w in range(2):
            pool[w] = unseen[w]
        if deal_hands(view, rules, stream, state, pool):
            deal_market(view, stream, state, pool)
            return
    raise ValueError("no deal of the unseen cards agrees with the observation")


@kernel
def num_face_down(view: np.recarray, seat: int) -> int:
    """Cards of a rival's meld that lie face down."""
    return view.meld_size[seat] if view.decision == Decision.MELD else 0


@kernel
def deal_hands(view: np.recarray, rules: np.recarray, stream: np.ndarray, state: np.recarray, pool: np.ndarray) -> bool:
    """Try to deal the rivals' cards from a pool, first those last seen in their hands (up to those in doubt)."""
    seen = np.zeros(2, np.uint64)
    for seat in range(view.players):
        if seat == view.me:
            continue
        for w in range(2):
            state.hand[seat, w] = np.uint64(0)
            state.laid[seat, w] = np.uint64(0)
        # Each rival by itself: where several have little room, all at once would hardly ever fit.
        fits = False
        for _ in range(SEEN_TRIES):
            fits = keep_seen(view, stream, seat, seen) and can_lay(view, rules, stream, state, seat, seen, pool)
            if fits:
                break
        if not fits:
            return False
        for w in range(2):
            state.hand[seat, w] = seen[w]
            pool[w] &= ~seen[w]
    for seat in range(view.players):
        if seat != view.me and not deal_hand(view, rules, stream, state, pool, seat):
            return False
    return True


@kernel
def deal_hand(
    view: np.recarray, rules: np.recarray, stream: np.ndarray, state: np.recarray, pool: np.ndarray, seat: int
) -> bool:
    """Deal one rival from a pool what it lacks, so that a meld of the size seen can lie face down among its cards.

    Cards at random do where they hold such a meld, as they nearly always do; after ``HAND_TRIES`` the meld is chosen
    first (three last cards that are all laid are a run once in thirty times).
    """
    size = num_face_down(view, seat)
    missing = view.hand_size[seat] + size - num_cards(state.hand[seat])
    if missing > num_cards(pool):
        return False
    kept = state.hand[seat].copy()
    left = pool.copy()
    for _ in range(HAND_TRIES if size > 0 else 1):
        for _ in range(missing):
            add_card(state.hand[seat], draw_from(pool, stream))
        if lay_face_down(view, rules, stream, state, seat, pool, 0):
            return True
        for w in range(2):
            state.hand[seat, w] = kept[w]
            pool[w] = left[w]
    if not lay_face_down(view, rules, stream, state, seat, pool, missing):
        return False
    for _ in range(view.hand_size[seat] - num_cards(state.hand[seat])):
        add_card(state.hand[seat], draw_from(pool, stream))
    return True


@kernel
def keep_seen(view: np.recarray, stream: np.ndarray, seat: int, kept: np.ndarray) -> bool:
    """Of the cards last seen in a rival's hand, choose those still there.

    No more may have gone than the viewer's doubts allow, and of those that everybody saw no more than everybody's do.

    Args:
        kept: (2,) uint64, overwritten.

    Returns:
        False where the rest does not fit into the hand; draw again.
    """
    open_cards = np.zeros(2, np.uint64)
    own_cards = np.zeros(2, np.uint64)
    known_gone = 0
    for w in range(2):
        open_cards[w] = view.seen_hand[seat, w] & view.public_seen[seat, w]
        own_cards[w] = view.seen_hand[seat, w] & ~view.public_seen[seat, w]
        known_gone += popcount(view.public_seen[seat, w] & ~view.seen_hand[seat, w])
    may_go = min(view.unsure[seat], max(view.public_unsure[seat] - known_gone, 0))
    open_gone = below(stream, min(may_go, num_cards(open_cards)) + 1)
    own_gone = below(stream, min(view.unsure[seat] - open_gone, num_cards(own_cards)) + 1)
    for _ in range(open_gone):
        draw_from(open_cards, stream)
    for _ in range(own_gone):
        draw_from(own_cards, stream)
    for w in range(2):
        kept[w] = open_cards[w] | own_cards[w]
    return num_cards(kept) <= view.hand_size[seat] + num_face_down(view, seat)


@kernel
def lay_face_down(
    view: np.recarray,
    rules: np.recarray,
    stream: np.ndarray,
    state: np.recarray,
    seat: int,
    pool: np.ndarray,
    spare: int,
) -> bool:
    """Lay a legal face-down meld of the size seen from a rival's cards, if there is one (section 3.2).

    Args:
        pool: (2,) uint64, cards that may be used beside the rival's own; those laid leave it.
        spare: How many of them may be used.
    """
    size = num_face_down(view, seat)
    if size == 0:
        return True
    if size > rules.tier_meld_limit[tier(view, rules, seat)]:
        return False
    cards = np.zeros(2, np.uint64)
    for w in range(2):
        cards[w] = state.hand[seat, w] | (pool[w] if spare > 0 else np.uint64(0))
    start = below(stream, num_cards(cards)) if not is_empty(cards) else 0
    for attempt in range(num_cards(cards)):
        first = nth_card(cards, (start + attempt) % num_cards(cards))
        laid = np.zeros(2, np.uint64)
        add_card(laid, first)
        low = first >> 2
        high = low
        from_pool = 0 if has_card(state.hand[seat], first) else 1
        for _ in range(size - 1):
            fitting = np.zeros(2, np.uint64)
            other = next_card(cards, -1)
            while other >= 0:
                free = from_pool < spare or has_card(state.hand[seat], other)
                if free and low - 1 <= other >> 2 <= high + 1 and not has_card(laid, other):
                    add_card(fitting, other)
                other = next_card(cards, other)
            if is_empty(fitting):
                break
            chosen = draw_from(fitting, stream)
            add_card(laid, chosen)
            low = min(low, chosen >> 2)
            high = max(high, chosen >> 2)
            if not has_card(state.hand[seat], chosen):
                from_pool += 1
        if num_cards(laid) == size:
            for w in range(2):
                state.laid[seat, w] = laid[w]
                state.hand[seat, w] &= ~laid[w]
                pool[w] &= ~laid[w]
            return True
    return False


@kernel
def can_lay(
    view: np.recarray,
    rules: np.recarray,
    stream: np.ndarray,
    state: np.recarray,
    seat: int,
    seen: np.ndarray,
    pool: np.ndarray,
) -> bool:
    """Whether a meld of the size seen can lie face down among cards that a rival keeps and some of the pool."""
    size = num_face_down(view, seat)
    if size == 0:
        return True
    left = np.zeros(2, np.uint64)
    for w in range(2):
        state.hand[seat, w] = seen[w]
        left[w] = pool[w] & ~seen[w]
    missing = view.hand_size[seat] + size - num_cards(seen)
    found = lay_face_down(view, rules, stream, state, seat, left, missing)
    for w in range(2):
        state.laid[seat, w] = np.uint64(0)
    return found


@kernel
def deal_market(view: np.recarray, stream: np.ndarray, state: np.recarray, pool: np.ndarray) -> None:
    """The market: known positions as known, the rest of the pool in random order."""
    for i in range(view.market_count):
        if view.market_known[i] != 0:
            state.market[i] = view.market_known[i]
        else:
            state.market[i] = draw_from(pool, stream)


@kernel
def imagine_objectives(view: np.recarray, rules: np.recarray, stream: np.ndarray, state: np.recarray) -> None:
    """Own objectives as known; rivals' are what they show and patterns of the deck that nobody is seen to have."""
    me = view.me
    state.num_objectives[me] = view.num_objectives
    for i in range(MAX_OBJECTIVES):
        state.objectives[me, i] = view.objectives[i]
    left = np.zeros(rules.num_objectives, np.int64)
    n = 0
    for i in range(rules.num_objectives):
        taken = False
        for seat in range(view.players):
            if view.shown[seat] == rules.objective_list[i]:
                taken = True
        for j in range(view.num_objectives):
            if view.objectives[j] == rules.objective_list[i]:
                taken = True
        if not taken:
            left[n] = rules.objective_list[i]
            n += 1
    dealt = rules.objectives_dealt
    held = view.num_objectives
    if view.num_objectives == 0:  # not handed out yet: all that will be dealt is unseen
        held = 0
    for seat in range(view.players):
        if rules.objective_mode == ObjectiveMode.NONE:
            continue
        if seat == me and view.num_objectives > 0:
            continue
        if rules.objective_mode == ObjectiveMode.OPEN:
            if view.num_objectives > 0 or seat > 0:
                source = me if view.num_objectives > 0 else 0
                for i in range(MAX_OBJECTIVES):
                    state.objectives[seat, i] = state.objectives[source, i]
                state.num_objectives[seat] = held
                continue
        state.num_objectives[seat] = held
        first = 0
        if view.shown[seat] >= 0:  # which of its objectives a rival shows is not known to be the first or last
            first = 1
        count = held if view.num_objectives > 0 else dealt
        for i in range(count):
            if i < first:
                state.objectives[seat, i] = view.shown[seat]
                continue
            pick = below(stream, n)
            state.objectives[seat, i] = left[pick]
            n -= 1
            left[pick] = left[n]


@kernel
def imagine_memory(view: np.recarray, state: np.recarray) -> None:
    """Own memory as it is; rivals remember what everybody does."""
    for viewer in range(view.players):
        mine = viewer == view.me
        for rival in range(view.players):
            state.unsure[viewer, rival] = view.unsure[rival] if mine else view.public_unsure[rival]
            for w in range(2):
                seen = view.seen_hand[rival, w] if mine else view.public_seen[rival, w]
                state.seen_hand[viewer, rival, w] = seen
        if not mine:
            state.unsure[viewer, viewer] = 0
            for w in range(2):
                state.seen_hand[viewer, viewer, w] = np.uint64(0)
        for i in range(MAX_CARDS):
            state.market_known[viewer, i] = view.market_known[i] if mine else view.public_market[i]
    for w in range(2):
        state.passed[view.me, w] = view.passed[w]


@kernel
def imagine_pending(view: np.recarray, rules: np.recarray, stream: np.ndarray, state: np.recarray) -> None:
    """Choices that seats before the viewer have made unseen in a simultaneous decision (D01 to D03)."""
    for seat in range(min(view.seat, view.players)):
        if view.decision == Decision.DRAFT_PASS:
            positions = 0
            for _ in range(rules.pass_cards[view.pass_number]):
                place = below(stream, rules.hand_size)
                while positions >> place & 1 != 0:
                    place = (place + 1) % rules.hand_size
                positions |= 1 << place
            state.pending[seat] = positions_action(Kind.PASS.value, positions)
        elif view.decision == Decision.OBJECTIVE_KEEP:
            which = below(stream, state.num_objectives[seat])
            state.pending[seat] = card_action(Kind.KEEP.value, state.objectives[seat, which])
        elif view.decision == Decision.OBJECTIVE_SHOW:
            which = below(stream, state.num_objectives[seat])
            state.pending[seat] = card_action(Kind.SHOW.value, state.objectives[seat, which])

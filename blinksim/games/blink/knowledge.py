"""What seats have seen of each other's cards (sections 2.1, R134 and R135).

For each viewer and rival the state keeps ``seen_hand``, the cards last seen in the rival's hand, and ``unsure``, how
many of them may have gone unseen since (passed on in the draft, buried in trades). The same is kept once more for what
*everybody* saw (``public_seen``, ``public_unsure``). At any time at least ``len(seen) - unsure`` of the cards seen are
still there. ``fresh_seen`` is what remains of ``public_seen`` to whoever forgets a hand once it comes round: the cards
taken openly since its last recycle.
"""

from __future__ import annotations

import numpy as np

from blinksim.games.cards import add_card, has_card, num_cards, remove_card
from blinksim.jit import kernel, popcount


@kernel
def clamp_unsure(state: np.recarray, rival: int) -> None:
    """No more cards can be in doubt than were seen."""
    for viewer in range(state.players):
        state.unsure[viewer, rival] = min(state.unsure[viewer, rival], num_cards(state.seen_hand[viewer, rival]))
    state.public_unsure[rival] = min(state.public_unsure[rival], num_cards(state.public_seen[rival]))


@kernel
def cards_shown(state: np.recarray, seat: int, cards: np.ndarray) -> None:
    """Cards leave a seat's hand face up: nobody looks for them in any hand any more.

    Where one was thought to be in another hand, one doubt about that hand is settled.
    """
    for rival in range(state.players):
        for viewer in range(state.players):
            seen = state.seen_hand[viewer, rival]
            hits = popcount(seen[0] & cards[0]) + popcount(seen[1] & cards[1])
            if hits > 0:
                seen[0] &= ~cards[0]
                seen[1] &= ~cards[1]
                if rival != seat:
                    state.unsure[viewer, rival] = max(state.unsure[viewer, rival] - hits, 0)
        seen = state.public_seen[rival]
        hits = popcount(seen[0] & cards[0]) + popcount(seen[1] & cards[1])
        if hits > 0:
            seen[0] &= ~cards[0]
            seen[1] &= ~cards[1]
            state.fresh_seen[rival, 0] &= ~cards[0]
            state.fresh_seen[rival, 1] &= ~cards[1]
            if rival != seat:
                state.public_unsure[rival] = max(state.public_unsure[rival] - hits, 0)
        clamp_unsure(state, rival)


@kernel
def card_shown(state: np.recarray, seat: int, card: int) -> None:
    """One card leaves a seat's hand face up."""
    cards = np.zeros(2, np.uint64)
    add_card(cards, card)
    cards_shown(state, seat, cards)


@kernel
def viewer_got_card(state: np.recarray, viewer: int, card: int, giver: int) -> None:
    """A viewer holds a card itself now; ``giver`` is the seat it came from, or -1."""
    for rival in range(state.players):
        if has_card(state.seen_hand[viewer, rival], card):
            remove_card(state.seen_hand[viewer, rival], card)
            if rival != giver:
                state.unsure[viewer, rival] = max(state.unsure[viewer, rival] - 1, 0)
        state.unsure[viewer, rival] = min(state.unsure[viewer, rival], num_cards(state.seen_hand[viewer, rival]))


@kernel
def card_taken_openly(state: np.recarray, seat: int, card: int) -> None:
    """Everybody sees a card go into a seat's hand (research)."""
    for viewer in range(state.players):
        if viewer != seat:
            add_card(state.seen_hand[viewer, seat], card)
    add_card(state.public_seen[seat], card)
    add_card(state.fresh_seen[seat], card)


@kernel
def cards_gone_unseen(state: np.recarray, seat: int, count: int) -> None:
    """A seat buries cards that only it has seen."""
    for viewer in range(state.players):
        if viewer != seat:
            state.unsure[viewer, seat] += count
    state.public_unsure[seat] += count
    clamp_unsure(state, seat)


@kernel
def hand_known(state: np.recarray, seat: int) -> None:
    """After a recycle everybody knows a whole hand, as it lay face up (R135)."""
    for viewer in range(state.players):
        if viewer != seat:
            for w in range(2):
                state.seen_hand[viewer, seat, w] = state.hand[seat, w]
            state.unsure[viewer, seat] = 0
    for w in range(2):
        state.public_seen[seat, w] = state.hand[seat, w]
        state.fresh_seen[seat, w] = 0
    state.public_unsure[seat] = 0


@kernel
def put_under_market(state: np.recarray, card: int, seat: int) -> None:
    """A card goes to the market bottom: seen by everybody, or by one seat where ``seat >= 0`` (R106)."""
    position = state.market_count
    state.market[position] = card
    state.public_market[position] = 0 if seat >= 0 else card
    for viewer in range(state.players):
        state.market_known[viewer, position] = card if seat < 0 or viewer == seat else 0
    state.market_count = position + 1


@kernel
def draw_from_market(state: np.recarray, seat: int) -> int:
    """The top market card goes into a seat's hand; whoever knew it lay there knows it is in that hand now.

    Returns:
        The card.
    """
    card = int(state.market[0])
    for viewer in range(state.players):
        if viewer != seat and state.market_known[viewer, 0] != 0:
            add_card(state.seen_hand[viewer, seat], card)
    if state.public_market[0] != 0:
        add_card(state.public_seen[seat], card)
    viewer_got_card(state, seat, card, -1)
    add_card(state.hand[seat], card)
    state.hand_size[seat] += 1
    last = state.market_count - 1
    for i in range(last):
        state.market[i] = state.market[i + 1]
        state.public_market[i] = state.public_market[i + 1]
    state.market[last] = 0
    state.public_market[last] = 0
    for viewer in range(state.players):
        for i in range(last):
            state.market_known[viewer, i] = state.market_known[viewer, i + 1]
        state.market_known[viewer, last] = 0
    state.market_count = last
    return card

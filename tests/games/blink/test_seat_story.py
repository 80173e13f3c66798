"""What one seat is told: nothing that it may not know, and whether a step revealed something."""

from __future__ import annotations

import re
from typing import Any

import pytest

import blinksim
from blinksim.games.blink.actions import card_of, kind_of
from blinksim.games.blink.enums import Decision, Kind
from blinksim.games.blink.seat_story import SeatStory, reveals, seen_state, view_of
from blinksim.games.blink.story import Story, as_text
from blinksim.games.cards import card_text, cards_in

CARD = re.compile(r"(?<![\d,])\d+[PFOM]\b")


@pytest.fixture(scope="module")
def table() -> Any:
    game = blinksim.new_game(players=3, seed=4, deal=2, overrides=["end.max_rounds=40"])
    return game.play(["random", "builder", "random"])


def hidden_cards(state: Any, rules: Any, seat: int) -> set[str]:
    """The cards whose place a seat does not know."""
    view = view_of(state, rules, seat)
    known: set[int] = set()
    for rival in range(int(state.players)):
        if rival != seat:
            known |= set(cards_in(view.seen_hand[rival]))
    known |= {int(card) for card in view.market_known if card}
    cards: set[int] = set()
    for rival in range(int(state.players)):
        if rival != seat:
            cards |= set(cards_in(state.hand[rival])) | set(cards_in(state.laid[rival]))
    cards |= {int(card) for card in state.market[: int(state.market_count)]}
    cards |= {int(card) for card in state.upgrade[: int(state.upgrade_count)]}
    return {card_text(card) for card in cards - known}


@pytest.mark.parametrize("seat", [0, 1])
def test_no_card_is_told_whose_place_the_seat_does_not_know(table: Any, seat: int) -> None:
    story, rules = SeatStory(table.header, seat), table.header.rules
    told = 0
    for i, moment in enumerate(table.moments):
        pieces = [*story.tell(moment), *story.situation(moment.after)]
        if i % 10 == 0:
            pieces += story.seen_board(moment.after)
        words = set(CARD.findall(as_text(pieces)))
        assert not words & hidden_cards(moment.after, rules, seat)
        told += len(words)
    assert told > 1000


def test_rivals_objectives_are_told_only_where_they_lie_open(table: Any) -> None:
    story = SeatStory(table.header, 0)
    text = as_text(piece for moment in table.moments for piece in [*story.tell(moment), *story.situation(moment.after)])
    final = table.state
    for rival in (1, 2):
        codes = {int(code) for code in final.objectives[rival][: int(final.num_objectives[rival])]}
        assert len(codes) == 2 and int(final.shown[rival]) in codes
    from blinksim.games.blink.objectives import objective_text

    hidden = {
        objective_text(int(code))
        for rival in (1, 2)
        for code in final.objectives[rival][:2]
        if int(code) != int(final.shown[rival])
    }
    own = {objective_text(int(code)) for code in final.objectives[0][:2]}
    shown = {objective_text(int(final.shown[rival])) for rival in (1, 2)}
    assert hidden and not any(re.search(rf"\b{name}\b", text) for name in hidden - own - shown)
    assert all(name in text for name in own | shown)


def test_scores_of_rivals_are_those_of_what_lies_open(table: Any) -> None:
    seen = seen_state(table.state, table.header.rules, 0)
    assert int(seen.num_objectives[1]) == 1 and int(seen.num_objectives[0]) == 2
    assert not seen.hand[1].any() and (seen.hand[0] == table.state.hand[0]).all()
    assert int(seen.hand_size[1]) == int(table.state.hand_size[1])
    assert (seen.market == 0).all() and (seen.upgrade == 0).all()


def test_a_rivals_trade_is_told_without_its_cards(table: Any) -> None:
    """And one's own with them."""
    for seat in range(3):
        story = SeatStory(table.header, seat)
        for moment in table.moments:
            text = as_text(story.tell(moment))
            if kind_of(moment.action) == Kind.BURY:
                own = int(moment.before.seat) == seat
                assert ("cards unseen" in text) == (not own)
                assert bool(re.search(r"trades for \d gold: draws \d+[PFOM]", text)) == own


def in_dues(moment: Any) -> bool:
    """Whether a seat has set a card aside and must set aside another."""
    before, after = moment.before, moment.after
    return bool(before.decision == after.decision == Decision.SET_ASIDE and before.seat == after.seat)


def test_a_game_that_stops_in_the_middle_of_dues_is_told() -> None:
    """To everybody and to one seat."""
    games = (blinksim.new_game(3, seed=4, deal=deal).play(["random", "builder", "random"]) for deal in range(30))
    table = next(game for game in games if any(map(in_dues, game.moments)))
    stop = next(i for i, moment in enumerate(table.moments) if in_dues(moment))
    last = table.moments[stop]
    who, card = int(last.before.seat), card_text(card_of(last.action))
    for story in (Story(table.header), SeatStory(table.header, 1)):
        for moment in table.moments[: stop + 1]:
            list(story.tell(moment))
        assert f"{'abc'[who]} {table.header.seats[who]} sets {card} aside ..." in as_text(story.close(last.after))


def test_what_reveals_something_and_what_does_not(table: Any) -> None:
    """Moving units shows nothing new; the card that a research draws does."""
    rules = table.header.rules
    found: dict[Kind, set[bool]] = {}
    for moment in table.moments[::3]:
        kind = Kind(kind_of(moment.action))
        if moment.after.seat == moment.before.seat and len(found.get(kind, ())) < 2:
            found.setdefault(kind, set()).add(reveals(moment.before, rules, moment.action, int(moment.before.seat)))
    for kind in (Kind.SETTLE, Kind.EXPLORE, Kind.GOLD, Kind.MOVE):
        assert found[kind] == {False}, kind
    assert found[Kind.RESEARCH] == {True}
    assert found[Kind.TRADE] == {True}

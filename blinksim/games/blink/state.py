"""The state of one game and the observation of one seat: record types and the factory that makes them.

Both records begin with the same public part, so that observing is one copy and a few seat fields. Fields are int64, or
narrow (and signed: the compiler turns unsigned and signed together into floats) where many are kept; read those
through ``int(...)`` before arithmetic. Sets of tiles are uint64 (bit =
tile number, in the order laid), sets of cards ``(2,)`` uint64 (:mod:`blinksim.games.cards`), cells packed numbers
(:mod:`blinksim.games.hexmap`), objectives pattern codes (:mod:`blinksim.games.blink.objectives`).
"""

from __future__ import annotations

import numpy as np

from blinksim.games.blink.enums import MAX_OBJECTIVES, MAX_SEATS, MAX_SLOTS, MAX_SPACES, MAX_TILES
from blinksim.games.cards import MAX_CARDS
from blinksim.jit import record_type

PUBLIC_FIELDS = [
    # whose decision, and its context
    ("players", "i8"),
    ("round_number", "i8"),  # 0 during setup; not "round", which NumPy records have as a method
    ("decision", "i8"),  # Decision
    ("seat", "i8"),  # who decides
    ("ply", "i8"),  # decisions taken so far
    ("leader", "i8"),  # of this round; after the round's end the next leader
    ("winner", "i8"),  # of this round's trick, -1 before it
    ("order", "i8", (MAX_SEATS,)),  # initiative, best first; valid once winner >= 0
    ("turn", "i8"),  # position in order whose map turn it is, -1 outside the map phase
    ("active", "i8"),  # seat whose map turn it is, -1 outside the map phase
    ("dues", "i8"),  # seats whose dues are done, clockwise from the winner
    ("winner_cards", "i8"),  # physical cards the winner laid
    ("pass_number", "i8"),  # draft pass under way, from 0
    ("armed", "i8"),
    ("last_round", "i8"),  # valid once armed
    ("emptied", "i8"),  # some reserve was empty at some time
    ("outcome", "i8"),  # Outcome
    ("moves_left", "i8"),
    ("improve_used", "i8"),
    ("improve_bought", "i8"),
    ("water_used", "i8"),
    ("attack_card", "i8"),  # duel under way, else 0
    ("attack_tile", "i8"),  # tile attacked, -1 outside a duel
    ("answer_card", "i8"),  # what the defender answered
    ("retreat_coins", "i8"),  # coins that travel with a beaten unit (fortify.strip_on_move off)
    ("retired_card", "i8"),  # research under way
    ("covered_slot", "i8"),  # slot the drawn card covered, -1 without a draw
    ("taken_card", "i8"),  # research: card taken, on its way
    ("b_card", "i8"),  # effect B under way, else 0
    ("b_tile_number", "i8"),  # tiles of this B laid, the one in between not counted
    ("b_owed", "i8"),  # units still owed
    ("b_last", "i8"),  # tile laid last, the one D16 asks about
    ("b_open", "u8"),  # tiles of this B without its unit (victory.b_sequential off)
    ("b_distant", "i8"),  # distant cell chosen, waiting for the tile in between; -1 otherwise
    # by seat
    ("turn_done", "i8", (MAX_SEATS,)),
    ("spends", "i8", (MAX_SEATS,)),  # victory cards spent this round
    ("spent_a", "i8", (MAX_SEATS,)),
    ("spent_b", "i8", (MAX_SEATS,)),
    ("spent_c", "i8", (MAX_SEATS,)),
    ("declared", "i8", (MAX_SEATS,)),  # card declared for A this round, 0 none
    ("meld_size", "i8", (MAX_SEATS,)),  # cards laid, face down or not
    ("meld", "u8", (MAX_SEATS, 2)),  # revealed and not resolved
    ("hand_size", "i8", (MAX_SEATS,)),
    ("discard", "u8", (MAX_SEATS, 2)),
    ("row", "u8", (MAX_SEATS, 2)),
    ("gold", "i8", (MAX_SEATS,)),
    ("reserve", "i8", (MAX_SEATS,)),
    ("shown", "i8", (MAX_SEATS,)),  # objective on show, -1 none
    ("last_income", "i8", (MAX_SEATS,)),  # gold at the last recycle, -1 before the first
    ("recycles", "i8", (MAX_SEATS,)),
    # cards on the table
    ("removed", "u8", (2,)),
    ("deck", "u8", (2,)),  # which cards are still in the upgrade deck (all others were seen); order hidden
    ("upgrade_count", "i8"),
    ("market_count", "i8"),
    ("grid_top", "i1", (MAX_SLOTS,)),  # 0 where a slot is empty
    ("grid_depth", "i1", (MAX_SLOTS,)),
    ("under", "i1", (MAX_CARDS,)),  # by card: the card it covers in its stack, 0 none
    ("public_seen", "u8", (MAX_SEATS, 2)),  # cards last seen in a seat's hand by everybody
    ("public_unsure", "i8", (MAX_SEATS,)),  # how many of them may have gone unseen since
    ("fresh_seen", "u8", (MAX_SEATS, 2)),  # those of them taken openly since the seat's last recycle
    ("public_market", "i1", (MAX_CARDS,)),  # by position, 0 = top: the card everybody knows there, 0 unknown
    # the map
    ("num_tiles", "i8"),
    ("num_spaces", "i8"),  # hexes without a tile that touch one
    ("supply", "i8", (4,)),
    ("of_terrain", "u8", (4,)),  # tiles by terrain
    ("own", "u8", (MAX_SEATS,)),  # tiles by owner
    ("with_room", "u8"),  # tiles with room for a unit of their owner
    ("neighbours", "u8", (MAX_TILES,)),  # tiles beside a tile
    ("space_touch", "u8", (MAX_SPACES,)),  # tiles beside a space
    ("tile_cell", "i4", (MAX_TILES,)),
    ("space_cell", "i4", (MAX_SPACES,)),
    ("terrain", "i1", (MAX_TILES,)),
    ("units", "i1", (MAX_TILES,)),
    ("coins", "i1", (MAX_TILES,)),
]
"""What everybody sees, or saw and may remember (section 2.1, R134, R135)."""

HIDDEN_FIELDS = [
    ("start_player", "i8"),  # becomes the leader when setup ends (R10)
    ("hand", "u8", (MAX_SEATS, 2)),
    ("laid", "u8", (MAX_SEATS, 2)),  # face-down melds, empty once revealed
    ("pending", "i8", (MAX_SEATS,)),  # choices of a simultaneous decision not yet in effect, -1 none
    ("objectives", "i8", (MAX_SEATS, MAX_OBJECTIVES)),
    ("num_objectives", "i8", (MAX_SEATS,)),
    ("passed", "u8", (MAX_SEATS, 2)),  # cards a seat gave away in the draft
    ("seen_hand", "u8", (MAX_SEATS, MAX_SEATS, 2)),  # [viewer, rival]: cards last seen in the rival's hand
    ("unsure", "i8", (MAX_SEATS, MAX_SEATS)),  # [viewer, rival]: how many of those may have gone unseen since
    ("market", "i1", (MAX_CARDS,)),  # top first
    ("upgrade", "i1", (MAX_CARDS,)),  # bottom first: the top is upgrade[upgrade_count - 1]
    ("market_known", "i1", (MAX_SEATS, MAX_CARDS)),  # [viewer, position]: the card if the viewer knows it
]
"""What nobody, or only one seat, may know."""

VIEW_FIELDS = [
    ("me", "i8"),  # the seat that looks
    ("hand", "u8", (2,)),
    ("laid", "u8", (2,)),  # own meld while it lies face down
    ("objectives", "i8", (MAX_OBJECTIVES,)),  # own, in the order dealt
    ("num_objectives", "i8"),
    ("passed", "u8", (2,)),
    ("seen_hand", "u8", (MAX_SEATS, 2)),
    ("unsure", "i8", (MAX_SEATS,)),
    ("market_known", "i1", (MAX_CARDS,)),
]
"""What one seat knows beside the public part."""

STATE = np.dtype(PUBLIC_FIELDS + HIDDEN_FIELDS, align=True)
VIEW = np.dtype(PUBLIC_FIELDS + VIEW_FIELDS, align=True)

PUBLIC_BYTES = STATE.fields["start_player"][1]  # type: ignore[index]
STATE_BYTES = STATE.itemsize
assert VIEW.fields["me"][1] == PUBLIC_BYTES, "state and observation must begin alike"  # type: ignore[index]

STATE_TYPE = record_type(STATE)
VIEW_TYPE = record_type(VIEW)


def new_records(dtype: np.dtype, count: int = 1) -> np.recarray:
    """Some blank records, as a record array, so that ``records[i].field`` works compiled and not."""
    return np.zeros(count, dtype=dtype).view(np.recarray)


for _dtype in (STATE, VIEW):
    assert not [name for name in _dtype.names or () if hasattr(np.record, name)], (
        "a field would hide behind a NumPy method"
    )

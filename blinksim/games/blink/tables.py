"""The eight fact tables of Blink: what is kept of every game.

Ranks, tiers, seats, slots and bands are numbers: ranks as printed, tiers and bands from 0 in the order of the ruleset,
seats and slots from 0. ``Column.fill`` says how the recorder comes by a value (names are those of
:mod:`blinksim.games.blink.facts` and :mod:`blinksim.games.blink.state`).
"""

from __future__ import annotations

from blinksim.games.blink.enums import Decision, Kind
from blinksim.games.tables import Column, Table

TABLES_VERSION = 1
"""Raised when a column changes its name, type or meaning."""

TERRAIN_NAMES = ("P", "F", "O", "M")
OUTCOMES = ("running", "won", "shared", "stalled")
MAX_ROW = 9  # slots of the largest victory row

END = "at the game's end"
OVER_GAME = "counted over the game"
LAYING = "right before the seat lays its meld"
TRICK = "when the trick is settled"
DUES = "over the dues of the round"
ROUND_END = "at the round's end, recycles done"
IN_ROUND = "counted over the round"
ATTACK = "when the attack is declared"
DUEL_END = "when the duel is settled"
IMPROVED = "when the improvement is done"
SPENT = "when the card is spent"


def _objective_names() -> tuple[str, ...]:
    """Ids of all patterns by code (middle * 16 + end * 4 + end); codes with the larger end first never occur."""
    words = ("plains", "forest", "ocean", "mountain")
    return tuple(
        "_".join([words[code >> 4], words[code >> 2 & 3]] + ([words[code & 3]] if code >> 2 & 3 != code & 3 else []))
        for code in range(64)
    )


OBJECTIVE_NAMES = _objective_names()

_COUNTED_KINDS = {
    Kind.DECLARE: ("victory cards declared for effect A", "actions[seat, DECLARE], declarations of none not counted"),
    Kind.ASIDE: ("cards set aside in the dues", ""),
    Kind.SETTLE: ("units settled with a card", ""),
    Kind.EXPLORE: ("tiles explored with a card", ""),
    Kind.ATTACK: ("attacks with a card", ""),
    Kind.GOLD: ("cards cashed on the map", ""),
    Kind.MOVE: ("movements by land or sea", ""),
    Kind.WATER: ("uses of the water advantage", ""),
    Kind.FORTIFY: ("units fortified with a coin", ""),
    Kind.RESEARCH: ("researches begun, failed ones among them", ""),
    Kind.TRADE: ("trades", ""),
    Kind.FOUND: ("victory cards spent on effect B", ""),
    Kind.CASH: ("victory cards spent on effect C", ""),
    Kind.DEFEND: ("defences with a card", "actions[seat, DEFEND], declined ones not counted"),
    Kind.RETREAT: ("retreats that were a choice", ""),
}


def _counts() -> tuple[Column, ...]:
    return tuple(
        Column(
            f"num_{kind.name.lower()}",
            "int32",
            "actions",
            f"How many {what}.",
            OVER_GAME,
            fill or f"actions[seat, {kind.name}]",
        )
        for kind, (what, fill) in _COUNTED_KINDS.items()
    )


def _gold(name: str, meaning: str, fill: str) -> Column:
    return Column(name, "int32", "gold", meaning, OVER_GAME, fill)


GAMES = Table(
    "games",
    "game",
    (),
    (
        Column("outcome", "enum", "outcome", "How the game ended.", END, "state.outcome", OUTCOMES),
        Column("rounds", "int16", "rounds", "How many rounds were played.", END, "state.round_number"),
        Column("start_seat", "int8", "seat", "Who led the first round.", "at setup", "leader after set_up"),
        Column(
            "armed_round",
            "int16",
            "round",
            "The round at whose end the last round was announced; null in a stalled game.",
            END,
            "facts.armed_round, NULL before",
            optional=True,
        ),
        Column(
            "armed_seats",
            "uint8",
            "bits",
            "Seats whose empty reserve announced it, bit s = seat s; 0 in a stalled game.",
            END,
            "facts.armed_seats",
        ),
        Column("winners", "uint8", "bits", "Seats that won, bit s = seat s; 0 when stalled.", END, "1 << seat, summed"),
        Column("decisions", "int32", "decisions", "Decisions taken, all kinds.", OVER_GAME, "state.ply"),
        *(
            Column(
                f"decisions_{d.name.lower()}",
                "int32",
                "decisions",
                f"Decisions D{d.value:02d} ({d.name.lower()}) taken.",
                OVER_GAME,
                f"facts.decisions[{d.name}]",
            )
            for d in Decision
            if d != Decision.OVER
        ),
        Column("digest", "digest", "hash", "64-bit digest of the final state.", END, "digest of the whole state"),
    ),
)

SEATS = Table(
    "seats",
    "game × seat",
    ("slot", "seat"),
    (
        Column(
            "position", "int8", "position", "Which dealt hand the seat plays.", "at setup", derived=("position", "seat")
        ),
        Column("strategy", "strategy", "name", "Who plays the seat.", "at setup", derived=("strategy", "seat")),
        Column(
            "rank",
            "int8",
            "place",
            "Place by score and tie-breaks, 1 is best, equals share it.",
            END,
            "1 + seats ahead",
        ),
        Column(
            "win_share",
            "float32",
            "games",
            "Share of the victory: 1, or split evenly when shared, 0 when lost; null when stalled.",
            END,
            "12 // winners where won, else 0; NULL when stalled",
            optional=True,
            scale=12,
        ),
        Column("points", "int32", "points", "Score; when stalled the would-be score.", END, "sum of the next three"),
        Column("points_units", "int32", "points", "Points for units on the map.", END, "scoring"),
        Column("points_row", "int32", "points", "Points for the victory row.", END, "scoring"),
        Column("points_objectives", "int32", "points", "Points for objectives.", END, "scoring"),
        Column("gold", "int32", "gold", "Gold in the gold area.", END, "state.gold"),
        Column("reserve", "int8", "units", "Units still on the board.", END, "state.reserve"),
        Column("final_tier", "int8", "tier", "Tier, from 0.", END, "tier_of[reserve]"),
        Column("highest_tier", "int8", "tier", "Highest tier ever reached, from 0.", OVER_GAME, "facts.highest_tier"),
        *(
            Column(
                f"row_{i + 1}",
                "int8",
                "rank",
                f"Rank of the {i + 1}. lowest card of the victory row, 0 where the row is shorter.",
                END,
                f"ascending ranks of state.row, entry {i}, else 0",
            )
            for i in range(MAX_ROW)
        ),
        *_counts(),
        Column("num_recycles", "int32", "recycles", "How often the hand was recycled.", OVER_GAME, "state.recycles"),
        _gold("gold_cashed", "Gold from cards cashed on the map.", "gold_in[seat, CASHED]"),
        _gold("gold_last_place", "Gold for ranking last in a trick.", "gold_in[seat, LAST_PLACE]"),
        _gold("gold_set_aside", "Gold for cards set aside.", "gold_in[seat, SET_ASIDE]"),
        _gold("gold_capture", "Gold for captured tiles.", "gold_in[seat, CAPTURE]"),
        _gold("gold_income", "Gold paid by objectives at recycles.", "gold_in[seat, INCOME]"),
        _gold("gold_effect_c", "Gold from victory cards spent on effect C.", "gold_in[seat, EFFECT_C]"),
        _gold("paid_fortify", "Gold laid on units as fortification.", "gold_out[seat, FORTIFY]"),
        _gold("paid_research", "Gold paid for research.", "gold_out[seat, RESEARCH]"),
        _gold("paid_trade", "Gold paid for trades.", "gold_out[seat, TRADE]"),
    ),
)

ROUNDS = Table(
    "rounds",
    "game × round × seat",
    ("slot", "seat", "round"),
    (
        Column("lay_tier", "int8", "tier", "Tier, from 0.", LAYING, "facts.lay_tier"),
        Column("lay_hand", "int8", "cards", "Cards in hand.", LAYING, "facts.lay_hand"),
        Column("lay_gold", "int32", "gold", "Gold in the gold area.", LAYING, "facts.lay_gold"),
        Column("meld_cards", "int8", "cards", "Cards laid.", LAYING, "facts.cards"),
        Column("meld_total", "int16", "ranks", "Trick total, a declared A added.", TRICK, "facts.total"),
        Column("place", "int8", "place", "Place in the trick, 1 won it.", TRICK, "facts.place"),
        Column("a_rank", "int8", "rank", "Rank of the victory card declared for A, 0 none.", TRICK, "declared >> 2"),
        Column("set_aside", "int8", "cards", "Cards set aside.", DUES, "facts.aside"),
        Column("dues_gold", "int32", "gold", "Gold for last place and cards set aside.", DUES, "facts.dues_gold"),
        Column("tier", "int8", "tier", "Tier, from 0.", ROUND_END, "tier_of[reserve]"),
        Column("reserve", "int8", "units", "Units on the board.", ROUND_END, "state.reserve"),
        Column("gold", "int32", "gold", "Gold in the gold area.", ROUND_END, "state.gold"),
        Column("row_cards", "int8", "cards", "Cards in the victory row.", ROUND_END, "num_cards(state.row)"),
        Column("score", "int32", "points", "Score if the game ended now.", ROUND_END, "scoring"),
        Column(
            "units_gained", "int8", "units", "Units that left the reserve for the map.", IN_ROUND, "facts.units_gained"
        ),
        Column("units_lost", "int8", "units", "Units that came home from the map.", IN_ROUND, "facts.units_lost"),
        Column("objectives_held", "int8", "objectives", "Own objectives with an arrangement.", ROUND_END, "num_held"),
        Column("best_rank", "int8", "rank", "Highest rank in hand, 0 with an empty hand.", ROUND_END, "state.hand"),
        Column(
            "digest",
            "digest",
            "hash",
            "64-bit digest of the public state; the same for all seats.",
            ROUND_END,
            "public digest",
        ),
    ),
)

DUELS = Table(
    "duels",
    "attack",
    ("slot", "seat", "round"),
    (
        Column(
            "defender",
            "int8",
            "seat",
            "Seat of the tile's owner; slot and seat are the attacker's.",
            ATTACK,
            "facts.defender",
        ),
        Column("defender_slot", "int8", "slot", "Slot of the tile's owner.", ATTACK, derived=("slot", "defender")),
        Column("attacker_tier", "int8", "tier", "Attacker's tier, from 0.", ATTACK, "facts.attacker_tier"),
        Column("defender_tier", "int8", "tier", "Defender's tier, from 0.", ATTACK, "facts.defender_tier"),
        Column("cell", "cell", "axial", "The tile attacked.", ATTACK, "state.tile_cell"),
        Column("terrain", "enum", "terrain", "Its terrain.", ATTACK, "state.terrain", TERRAIN_NAMES),
        Column(
            "homeland",
            "int8",
            "seat",
            "Whose homeland it is, -1 nobody's.",
            ATTACK,
            "tile number below players, else -1",
        ),
        Column("units", "int8", "units", "Units on it.", ATTACK, "facts.units_before"),
        Column("coins", "int8", "coins", "Fortification coins on it.", ATTACK, "facts.coins_before"),
        Column("attack_rank", "int8", "rank", "Rank of the attacking card.", ATTACK, "attack_card >> 2"),
        Column("wall", "int8", "rank", "Value of the wall, 0 without a coin.", ATTACK, "facts.wall"),
        Column(
            "answer_rank",
            "int8",
            "rank",
            "Rank of the card that answered, 0 declined.",
            DUEL_END,
            "facts.answered >> 2",
        ),
        Column("native", "bool", "yes/no", "Whether what fought was of the tile's terrain.", DUEL_END, "facts.native"),
        Column(
            "margin",
            "int16",
            "ranks",
            "Attack minus defence, the terrain's defence counted; 0 falls to the native side.",
            DUEL_END,
            "attack rank - facts.defence_total",
        ),
        Column(
            "result",
            "enum",
            "result",
            "Whether the tile held or a unit was beaten.",
            DUEL_END,
            "facts.duel_won",
            ("held", "beaten"),
        ),
        Column(
            "unit_fate",
            "enum",
            "fate",
            "What became of the beaten unit.",
            DUEL_END,
            "facts.unit_fate",
            ("stays", "falls_back", "home"),
        ),
        Column("captured", "bool", "yes/no", "Whether the attacker took the tile.", DUEL_END, "facts.captured"),
    ),
)

IMPROVEMENTS = Table(
    "improvements",
    "research or trade",
    ("slot", "seat", "round"),
    (
        Column("kind", "enum", "kind", "Research or trade.", IMPROVED, "0 research, 1 trade", ("research", "trade")),
        Column("price", "int8", "gold", "Gold paid; 0 for a failed research.", IMPROVED, "facts.price"),
        Column("failed", "bool", "yes/no", "A research that found nothing within the cap.", IMPROVED, "1 if so"),
        Column("cap", "int8", "rank", "Rank cap of the seat's tier.", "when it begins", "tier_rank_cap"),
        Column(
            "retired",
            "card",
            "card",
            "Hand card retired to the victory row; null without.",
            IMPROVED,
            "facts.retired, 0 none",
        ),
        Column("taken", "card", "card", "Grid card taken; null without.", IMPROVED, "taken_card, 0 none"),
        Column(
            "to_hand",
            "bool",
            "yes/no",
            "Whether the card taken went to the hand, not the discard.",
            IMPROVED,
            "1 if so",
        ),
        Column(
            "buried_1",
            "card",
            "card",
            "First card buried by a trade; null without.",
            IMPROVED,
            "buried_card(action, 0)",
        ),
        Column("buried_2", "card", "card", "Second card buried; null without.", IMPROVED, "buried_card(action, 1)"),
        Column("buried_3", "card", "card", "Third card buried; null without.", IMPROVED, "buried_card(action, 2)"),
        Column(
            "overflow",
            "card",
            "card",
            "Card that left the overfull row; null without.",
            IMPROVED,
            "facts.dropped, 0 none",
        ),
    ),
)

SPENDS = Table(
    "spends",
    "victory card spent",
    ("slot", "seat", "round"),
    (
        Column("card", "card", "card", "The card spent.", SPENT, "card number"),
        Column("band", "int8", "band", "Its band, from 0.", SPENT, "band_of[rank]"),
        Column("effect", "enum", "effect", "What it was spent on.", SPENT, "0 A, 1 B, 2 C", ("A", "B", "C")),
        Column(
            "place_before",
            "int8",
            "place",
            "A: place in the trick without it; else 0.",
            TRICK,
            "facts.place_before, else 0",
        ),
        Column("place_after", "int8", "place", "A: place in the trick with it; else 0.", TRICK, "facts.place, else 0"),
        Column(
            "tiles",
            "int8",
            "tiles",
            "B: tiles laid; else 0.",
            "when effect B is done",
            "b_tile_number, one in between added",
        ),
        Column("units", "int8", "units", "B: units placed; else 0.", "when effect B is done", "facts.b_units"),
        Column("gold", "int32", "gold", "C: gold received; else 0.", SPENT, "band_gold"),
    ),
)

OBJECTIVES = Table(
    "objectives",
    "game × seat × objective",
    ("slot", "seat"),
    (
        Column("objective", "enum", "id", "Which pattern.", END, "pattern code", OBJECTIVE_NAMES),
        Column("shown", "bool", "yes/no", "Whether everybody saw it during play.", END, "on show, or mode open"),
        Column(
            "first_held",
            "int16",
            "round",
            "First round at whose end it was held, 0 never.",
            OVER_GAME,
            "facts.first_held",
        ),
        Column("rounds_held", "int16", "rounds", "Rounds at whose end it was held.", OVER_GAME, "facts.rounds_held"),
        Column("gold", "int32", "gold", "Gold that it paid at recycles.", OVER_GAME, "facts.objective_gold"),
        Column("arrangements", "int8", "arrangements", "Arrangements on the map.", END, "count_arrangements"),
        Column("points", "int32", "points", "Points for it.", END, "arrangements * objective_points"),
        Column(
            "times_lost", "int16", "times", "How often a rival's attack ended it.", OVER_GAME, "facts.objective_lost"
        ),
    ),
)

CARDS = Table(
    "cards",
    "game × seat × card owned",
    ("slot", "seat"),
    (
        Column("card", "card", "card", "The card.", OVER_GAME, "card number"),
        Column(
            "came",
            "enum",
            "way",
            "How it came to the player, the last time.",
            OVER_GAME,
            "facts.came",
            ("not", "dealt", "drafted", "traded", "researched"),
        ),
        Column(
            "went",
            "enum",
            "way",
            "How it left hand, meld and discard; kept: still there at the end.",
            END,
            "facts.went",
            ("kept", "passed", "retired", "buried"),
        ),
        Column("played", "int16", "times", "Times laid in a meld.", OVER_GAME, "uses[seat, card, PLAYED]"),
        Column("settle", "int16", "times", "Times used to settle.", OVER_GAME, "uses[seat, card, SETTLE]"),
        Column("explore", "int16", "times", "Times used to explore.", OVER_GAME, "uses[seat, card, EXPLORE]"),
        Column("attack", "int16", "times", "Times used to attack.", OVER_GAME, "uses[seat, card, ATTACK]"),
        Column("gold", "int16", "times", "Times cashed for gold.", OVER_GAME, "uses[seat, card, GOLD]"),
        Column("set_aside", "int16", "times", "Times set aside in the dues.", OVER_GAME, "uses[seat, card, SET_ASIDE]"),
        Column("defence", "int16", "times", "Times used to answer an attack.", OVER_GAME, "uses[seat, card, DEFENCE]"),
        Column(
            "dropped", "int16", "times", "Times left unused at a turn's end.", OVER_GAME, "uses[seat, card, DROPPED]"
        ),
    ),
)

TABLES = (GAMES, SEATS, ROUNDS, DUELS, IMPROVEMENTS, SPENDS, OBJECTIVES, CARDS)
"""All of them, in the order in which they are written."""

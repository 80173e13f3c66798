"""Every parameter of the rules with its default, its allowed values, its unit and its section (rules 1.1 to 1.9).

One class per group of parameters, named as in a record's header. A type carries the allowed range, :class:`About` the
rest; messages, ``rules show`` and the tables of the documentation are made from them. What ties several parameters
together is in :mod:`blinksim.games.blink.ruleset_checks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Interval, Len
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Strict, Tag, field_validator

from blinksim.games.blink.enums import (
    MAX_BANDS,
    MAX_HAND,
    MAX_OBJECTIVES,
    MAX_PASSES,
    MAX_TIERS,
    MAX_TILES,
    MAX_UNITS,
    NO_LIMIT,
)
from blinksim.games.blink.objectives import THE_TWELVE, objective_text, parse_objective
from blinksim.games.cards import MAX_RANK
from blinksim.games.hexmap import MAX_START_COORDINATE

MAX_WALL = 60
MAX_ROUNDS = 1000
MAX_B_TILES = 8


@dataclass(frozen=True)
class About:
    """What a parameter is: meaning, section of the rules, unit ("" where a value has none)."""

    what: str
    section: str
    unit: str = ""


Flag = Annotated[bool, Strict()]
Whole = Annotated[int, Strict()]
Count = Annotated[Whole, Interval(ge=0, le=NO_LIMIT - 1)]
Amount = Annotated[Whole, Interval(ge=0, le=99)]
Rank = Annotated[Whole, Interval(ge=1, le=MAX_RANK)]
Reach = Annotated[Whole, Interval(ge=1, le=31)]
Seats = Annotated[Whole, Interval(ge=2, le=4)]
Side = Annotated[Whole, Interval(ge=1, le=4)]
Coordinate = Annotated[Whole, Interval(ge=-MAX_START_COORDINATE, le=MAX_START_COORDINATE)]
Word = Annotated[str, Strict(), Len(1, 40)]
Suit = Literal["P", "F", "O", "M"]
Cell = tuple[Coordinate, Coordinate]


class Group(BaseModel):
    """Some parameters that belong together: unchangeable, and with no others than those declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Cards(Group):
    """The deck (1.1)."""

    suits: Annotated[tuple[Suit, ...], About("the suits, one per terrain; stated, not a switch", "1.1")] = (
        "P",
        "F",
        "O",
        "M",
    )
    rank_min: Annotated[Rank, About("lowest rank of the starting deck", "1.1", "rank")] = 1
    rank_max: Annotated[Rank, About("highest rank of the upgrade deck", "1.1", "rank")] = 20
    starting_rank_max: Annotated[Rank, About("highest rank of the starting deck", "1.1", "rank")] = 11


class OwnMap(Group):
    """A starting map of one's own for one player count (1.9)."""

    mountains: Annotated[tuple[Cell, ...], About("cells of the Mountains", "1.9", "cells [q, r]")]
    homelands: Annotated[
        tuple[Cell, ...], About("cells of the homelands (Plains), in seat order", "1.9", "cells [q, r]")
    ]
    other: Annotated[
        tuple[tuple[Coordinate, Coordinate, Suit], ...], About("other tiles", "1.9", "cells [q, r, terrain]")
    ] = ()


class OwnMaps(Group):
    """Starting maps of one's own by player count; a count not named keeps the built-in map (1.9)."""

    two: Annotated[OwnMap | None, Field(alias="2"), About("starting map for two players", "1.9")] = None
    three: Annotated[OwnMap | None, Field(alias="3"), About("starting map for three players", "1.9")] = None
    four: Annotated[OwnMap | None, Field(alias="4"), About("starting map for four players", "1.9")] = None

    def for_players(self, players: int) -> OwnMap | None:
        """The own map for a player count, None where the built-in one is kept."""
        return {2: self.two, 3: self.three, 4: self.four}[players]


def _map_form(value: Any) -> str:
    return "builtin" if isinstance(value, str) else "own"


MapChoice = Annotated[
    Annotated[Literal["builtin"], Tag("builtin")] | Annotated[OwnMaps, Tag("own")], Discriminator(_map_form)
]


class Setup(Group):
    """Players, hands, draft and starting map (1.1)."""

    players: Annotated[tuple[Seats, Seats], About("lowest and highest number of players", "1.1", "players")] = (2, 4)
    hand_size: Annotated[
        Annotated[Whole, Interval(ge=1, le=MAX_HAND)], About("cards dealt, and kept, per player", "1.1", "cards")
    ] = 10
    draft: Annotated[Flag, About("cards are passed on before the first round", "1.1")] = True
    draft_passes: Annotated[
        tuple[Annotated[Whole, Interval(ge=1, le=MAX_HAND)], ...],
        Len(1, MAX_PASSES),
        About("cards passed, by pass", "1.1", "cards"),
    ] = (6, 4, 2)
    draft_direction: Annotated[
        Literal["left", "right", "alternate"], About("where passed cards go; left is to the next seat", "1.1")
    ] = "left"
    start_units: Annotated[
        Annotated[Whole, Interval(ge=1, le=MAX_UNITS)], About("units on each homeland at the start", "1.1", "units")
    ] = 1
    starting_gold: Annotated[Annotated[Whole, Interval(ge=0, le=999)], About("gold at the start", "1.1", "gold")] = 0
    start_player: Annotated[
        Literal["random"] | Annotated[Whole, Interval(ge=0, le=3)], About("the first leader", "1.1", "seat")
    ] = "random"
    map: Annotated[MapChoice, About("starting map", "1.1")] = "builtin"
    map_rules: Annotated[Flag, About("a map of one's own must obey the layout rules of section 4", "1.9")] = True


class Tiers(Group):
    """The five rows of a player's board; all lists have one entry per tier (1.2)."""

    name: Annotated[tuple[Word, ...], Len(2, MAX_TIERS), About("names of the tiers", "1.2")] = (
        "Tribe",
        "Settlement",
        "Kingdom",
        "Empire",
        "Civilization",
    )
    units: Annotated[
        tuple[Annotated[Whole, Interval(ge=1, le=MAX_UNITS)], ...],
        Len(2, MAX_TIERS),
        About("units of the tier", "1.2", "units"),
    ] = (2, 3, 5, 5, 5)
    meld_limit: Annotated[
        tuple[Annotated[Whole, Interval(ge=1, le=MAX_HAND)], ...],
        Len(2, MAX_TIERS),
        About("most cards in a meld", "1.2", "cards"),
    ] = (2, 3, 4, 5, 6)
    rank_cap: Annotated[
        tuple[Annotated[Whole, Interval(ge=0, le=MAX_RANK)], ...],
        Len(2, MAX_TIERS),
        About("highest rank research may take", "1.2", "rank"),
    ] = (12, 14, 16, 18, 20)
    wall: Annotated[
        tuple[Annotated[Whole, Interval(ge=0, le=MAX_WALL)], ...],
        Len(2, MAX_TIERS),
        About("wall value of the tier", "1.2", "rank"),
    ] = (10, 12, 14, 16, 18)


class TerrainKind(Group):
    """One terrain (1.3)."""

    holds: Annotated[
        Annotated[Whole, Interval(ge=1, le=MAX_UNITS)], About("units a tile of this terrain holds", "1.3", "units")
    ]
    defence: Annotated[
        Annotated[Whole, Interval(ge=0, le=MAX_WALL)], About("what the terrain adds to a defender", "1.3", "rank")
    ]
    tiles: Annotated[
        Annotated[Whole, Interval(ge=0, le=MAX_TILES)], About("tiles of this terrain in the box", "1.3", "tiles")
    ]


class TerrainKinds(Group):
    """The four terrains (1.3)."""

    P: Annotated[TerrainKind, About("Plains", "1.3")] = TerrainKind(holds=3, defence=0, tiles=15)
    F: Annotated[TerrainKind, About("Forest", "1.3")] = TerrainKind(holds=2, defence=1, tiles=15)
    O: Annotated[TerrainKind, About("Ocean", "1.3")] = TerrainKind(holds=1, defence=0, tiles=15)  # noqa: E741 - a suit
    M: Annotated[TerrainKind, About("Mountain", "1.3")] = TerrainKind(holds=1, defence=2, tiles=15)


class Coins(Group):
    """The coins, never a limit (1.3)."""

    count: Annotated[Literal[40], About("coins in the box; stated, not a switch", "1.3", "gold")] = 40
    unlimited: Annotated[Literal[True], About("the coins are never a limit; stated, not a switch", "1.3")] = True


class Trick(Group):
    """The trick and its dues (1.4)."""

    mode: Annotated[Literal["total", "most_cards"], About("what wins the trick", "1.4")] = "total"
    tie_chain: Annotated[
        tuple[Literal["cards", "a_wins_ties", "a_rank", "ranks_desc", "highest_rank", "laid_earlier"], ...],
        About("what decides between equal totals, in turn; laid_earlier ends it", "1.4"),
    ] = ("cards", "a_wins_ties", "a_rank", "ranks_desc", "laid_earlier")
    a_rank_scope: Annotated[
        Literal["any_a", "tie_winners"], About("which declared A's compare their ranks in step a_rank", "1.4")
    ] = "any_a"
    last_place_gold: Annotated[Amount, About("gold for the last place", "1.4", "gold")] = 1
    set_aside: Annotated[Flag, About("losers set cards aside", "1.4")] = True
    set_aside_gold: Annotated[Amount, About("gold per card set aside", "1.4", "gold")] = 1
    set_aside_winner_exempt: Annotated[Flag, About("the winner sets nothing aside", "1.4")] = True
    set_aside_min_kept: Annotated[
        Annotated[Whole, Interval(ge=0, le=MAX_HAND)], About("cards a loser always keeps", "1.4", "cards")
    ] = 0
    next_leader: Annotated[Literal["winner", "clockwise", "last"], About("who leads the next round", "1.4")] = "winner"
    a_bonus_cards: Annotated[
        tuple[Annotated[Whole, Interval(ge=0, le=MAX_HAND)], ...] | None,
        About('cards a declared A counts for, by band; only for mode "most_cards"', "1.4", "cards"),
    ] = None

    @field_validator("tie_chain")
    @classmethod
    def _end_with_laid_earlier(cls, chain: tuple[str, ...]) -> tuple[str, ...]:
        return chain if "laid_earlier" in chain else (*chain, "laid_earlier")


class Turn(Group):
    """Cards on the map (1.5)."""

    cash_gold: Annotated[Amount, About("gold per cashed card", "1.5", "gold")] = 1
    must_resolve_all: Annotated[Flag, About("a turn ends only once the meld is empty", "1.5")] = True
    reach: Annotated[Reach, About("distance a card reaches from an own tile", "1.5", "hexes")] = 1
    reach_waived_without_units: Annotated[Flag, About("no reach is needed without units on the map", "1.5")] = True
    suit_must_match: Annotated[Flag, About("settle and attack need a card of the tile's terrain", "1.5")] = True
    explore_min_touch: Annotated[
        Annotated[Whole, Interval(ge=1, le=6)], About("tiles a newly laid tile must touch", "1.5", "tiles")
    ] = 2
    capture_gold: Annotated[Amount, About("gold for a captured tile", "1.5", "gold")] = 1
    no_attack_rounds: Annotated[
        Annotated[Whole, Interval(ge=0, le=MAX_ROUNDS)], About("first rounds without attacks", "1.5", "rounds")
    ] = 0


class Move(Group):
    """Movement (1.5)."""

    per_card: Annotated[
        Annotated[Whole, Interval(ge=0, le=16)], About("movements per meld card left after dues", "1.5", "movements")
    ] = 1
    land: Annotated[Flag, About("units move by land", "1.5")] = True
    sea: Annotated[Flag, About("ships move by sea", "1.5")] = True
    sea_through_own: Annotated[Flag, About("ships pass through Ocean tiles of their own side", "1.5")] = False
    water_advantage: Annotated[Flag, About("ships may lay an Ocean and sail onto it", "1.5")] = True
    water_advantage_per_turn: Annotated[Count, About("water advantages per turn", "1.5", "uses")] = 1
    water_advantage_cost: Annotated[Amount, About("price of a water advantage", "1.5", "movements")] = 1


class Fortify(Group):
    """Coins on units (1.5)."""

    enabled: Annotated[Flag, About("units may be fortified", "1.5")] = True
    cost: Annotated[Amount, About("price of a coin on a unit", "1.5", "gold")] = 1
    max_per_unit: Annotated[
        Annotated[Whole, Interval(ge=1, le=99)], About("coins a tile holds per unit on it", "1.5", "coins")
    ] = 1
    strip_on_move: Annotated[Flag, About("a unit that moves loses its coin", "1.5")] = True
    strip_on_arrival: Annotated[Flag, About("an arriving unit strips all coins of the tile", "1.5")] = True


class Duel(Group):
    """Attack and defence (1.5)."""

    level_total: Annotated[
        Literal["attacker_unless_native", "attacker", "defender"], About("who wins a level duel", "1.5")
    ] = "attacker_unless_native"
    terrain_counts_when_declined: Annotated[
        Flag, About("the terrain defends also without a card and without a wall", "1.5")
    ] = True
    wall_is_native: Annotated[Flag, About("a wall counts as a card of the tile's terrain", "1.5")] = True
    coin_spent: Annotated[
        Literal["every_attack", "only_if_wall_fights", "only_if_lost"],
        About("when an attack costs the tile a coin", "1.5"),
    ] = "every_attack"


class Retreat(Group):
    """Beaten units (1.5)."""

    enabled: Annotated[Flag, About("a beaten unit retreats where it can", "1.5")] = True
    optional: Annotated[Flag, About("its owner may send it home instead", "1.5")] = False


class Recycle(Group):
    """Taking the discard back into the hand (1.6)."""

    income_per_objective: Annotated[Amount, About("gold per objective met at a recycle", "1.6", "gold")] = 1
    before_own_turn: Annotated[
        Literal["immediate", "own_turn_start"], About("when a recycle due before the own turn happens", "1.6")
    ] = "immediate"
    after_own_turn: Annotated[
        Literal["round_end", "immediate"], About("when a recycle due after the own turn happens", "1.6")
    ] = "round_end"


class Improve(Group):
    """Research and trade together (1.6)."""

    per_turn: Annotated[Count, About("improvements per turn", "1.6", "improvements")] = 2
    costs: Annotated[
        tuple[Amount, ...],
        Len(1, MAX_TIERS),
        About("prices in the order bought; the last repeats", "1.6", "gold"),
    ] = (1, 2)
    failed_counts: Annotated[Flag, About("a failed research uses up an improvement", "1.6")] = True
    failed_raises_price: Annotated[Flag, About("a failed research raises the next price", "1.6")] = False


class Research(Group):
    """Research (1.6)."""

    enabled: Annotated[Flag, About("cards may be researched", "1.6")] = True
    grid: Annotated[tuple[Side, Side], About("rows and columns of the grid", "1.6", "slots")] = (3, 3)
    cover: Annotated[Literal["highest", "lowest"], About("which top card a drawn card covers", "1.6")] = "highest"
    cover_tie: Annotated[
        Literal["reading_order"], About("which of equal top cards is covered; stated, not a switch", "1.6")
    ] = "reading_order"
    retire: Annotated[Literal["lowest", "any"], About("which hand cards may be retired", "1.6")] = "lowest"
    destinations: Annotated[
        tuple[Literal["hand", "discard"], ...], Len(1, 2), About("where a researched card may go", "1.6")
    ] = ("hand", "discard")
    must_take: Annotated[Literal[True], About("a card must be taken if possible; stated, not a switch", "1.6")] = True
    when_deck_empty: Annotated[Literal["skip_draw", "forbid"], About("research with an empty upgrade deck", "1.6")] = (
        "skip_draw"
    )

    @field_validator("destinations")
    @classmethod
    def _in_order(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(names, key=("hand", "discard").index))


class Trade(Group):
    """Trade (1.6)."""

    enabled: Annotated[Flag, About("cards may be traded with the market", "1.6")] = True
    draw: Annotated[Annotated[Whole, Interval(ge=1, le=3)], About("cards drawn from the market", "1.6", "cards")] = 2
    bury: Annotated[Annotated[Whole, Interval(ge=1, le=3)], About("cards put at its bottom", "1.6", "cards")] = 2


class Band(Group):
    """What the victory cards of some ranks do (1.7)."""

    name: Annotated[Word, About("name of the band", "1.7")]
    ranks: Annotated[tuple[Rank, Rank], About("lowest and highest rank of the band", "1.7", "rank")]
    a: Annotated[Flag, About("effect A adds the rank to the trick total", "1.7")]
    wins_ties: Annotated[Flag, About("effect A wins ties", "1.7")]
    tiles: Annotated[
        Annotated[Whole, Interval(ge=1, le=MAX_B_TILES)], About("tiles that effect B lays", "1.7", "tiles")
    ]
    units: Annotated[
        Annotated[Whole, Interval(ge=0, le=MAX_B_TILES)], About("units that effect B places", "1.7", "units")
    ]
    terrain: Annotated[Literal["suit", "any"], About("terrain of effect B's tiles", "1.7")]
    reach: Annotated[Reach, About("distance effect B reaches from an own tile", "1.7", "hexes")]
    gold: Annotated[Amount, About("gold of effect C", "1.7", "gold")]


BANDS = tuple(
    Band.model_validate(dict(zip(Band.model_fields, row, strict=True)))
    for row in (
        ("colony", (1, 5), True, False, 1, 1, "suit", 1, 2),
        ("distant_colony", (6, 10), True, True, 1, 1, "suit", 2, 3),
        ("frontier", (11, 15), True, False, 2, 1, "suit", 1, 4),
        ("two_colonies", (16, 20), True, True, 2, 2, "any", 1, 5),
    )
)


class Victory(Group):
    """The victory row (1.7)."""

    slots: Annotated[Annotated[Whole, Interval(ge=1, le=9)], About("slots of the row", "1.7", "cards")] = 5
    points_per_card: Annotated[Amount, About("points per card in the row", "1.7", "points")] = 1
    centre_scores: Annotated[Flag, About("the card at the centre scores its rank", "1.7")] = True
    centre_min_cards: Annotated[
        Annotated[Whole, Interval(ge=1, le=9)], About("cards needed for the centre to score", "1.7", "cards")
    ] = 3
    overflow: Annotated[Literal["lowest", "choice"], About("which card leaves an overfull row", "1.7")] = "lowest"
    overflow_to: Annotated[Literal["market_bottom", "removed"], About("where it goes", "1.7")] = "market_bottom"
    spent_to: Annotated[Literal["market_bottom", "removed"], About("where a spent card goes", "1.7")] = "market_bottom"
    effects: Annotated[tuple[Literal["A", "B", "C"], ...], About("effects in play", "1.7")] = ("A", "B", "C")
    spends_per_round: Annotated[
        Count | None, About("cards a player may spend per round, A, B and C together", "1.7", "cards")
    ] = 1
    limit_a: Annotated[
        Annotated[Whole, Interval(ge=0, le=1)], About("effects A per player and round", "1.7", "cards")
    ] = 1
    limit_b: Annotated[Count | None, About("effects B per player and round", "1.7", "cards")] = 1
    limit_c: Annotated[Count | None, About("effects C per player and round", "1.7", "cards")] = 1
    b_distant_between: Annotated[
        Literal["none", "lay_suit"], About("what effect B lays on the way to a distant space", "1.7")
    ] = "none"
    b_sequential: Annotated[Flag, About("effect B places a unit before it lays the next tile", "1.7")] = True
    bands: Annotated[
        tuple[Band, ...], Len(1, MAX_BANDS), About("what the ranks do; every rank of the deck is in one band", "1.7")
    ] = BANDS

    @field_validator("effects")
    @classmethod
    def _in_order(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(names))


class Objectives(Group):
    """Objectives (1.8)."""

    mode: Annotated[
        Literal["show_one", "secret", "open", "keep_both", "none"], About("who has objectives and who sees them", "1.8")
    ] = "show_one"
    dealt: Annotated[
        Annotated[Whole, Interval(ge=1, le=MAX_OBJECTIVES)],
        About('objectives dealt per player; mode "open": in all', "1.8", "objectives"),
    ] = 2
    points: Annotated[Amount, About("points per arrangement at the end", "1.8", "points")] = 2
    list: Annotated[tuple[Word, ...], Len(1, 40), About("the objective deck", "1.9", "objectives")] = THE_TWELVE

    @field_validator("list")
    @classmethod
    def _normal_form(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(objective_text(parse_objective(text)) for text in ids)


class End(Group):
    """The end of the game (1.8)."""

    trigger: Annotated[
        Literal["reserve_empty_at_round_end", "reserve_emptied_any_time"], About("what arms the end", "1.8")
    ] = "reserve_empty_at_round_end"
    extra_rounds: Annotated[Amount, About("rounds played once the end is armed", "1.8", "rounds")] = 1
    max_rounds: Annotated[
        Annotated[Whole, Interval(ge=1, le=MAX_ROUNDS)],
        About("safety cap: a game not armed by then is stalled", "1.8", "rounds"),
    ] = 200


class Score(Group):
    """The score (1.8)."""

    points_per_unit: Annotated[Amount, About("points per unit on the map", "1.8", "points")] = 1
    tie_breaks: Annotated[
        tuple[Literal["gold", "units", "row", "objectives"], ...],
        About("what is compared on equal points, in turn; then victory is shared", "1.8"),
    ] = ("gold",)


class Observation(Group):
    """What players may remember (1.8)."""

    memory: Annotated[
        Literal["log", "state_only"], About("all that a seat has seen, or only the present state", "1.8")
    ] = "log"

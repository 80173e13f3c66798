"""The story of a game, and the drawing of a position."""

from __future__ import annotations

import gzip
import io
import json
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from blinksim.games.blink.drawing import SEAT_COLOURS, draw_map, map_text
from blinksim.games.blink.record import Replay
from blinksim.games.blink.story import WIDTH, Story, as_text, print_story, story_text
from tests.games.blink import positions

RECORDS = Path(__file__).parents[2] / "records"

# Copied from the story of standard-3p-mix-001 after it was read against the record.
ROUND_2 = """\
Trick
  place  player     meld      declared  total
  ─────────────────────────────────────────────────────────
      1  c raider   5M 6F 7P  -            18
      2  a builder  7O 7M     -            14
      3  b sage     1O 2O     -             3  last: 1 gold

c raider: 5M 6F 7P, 3 movements, 1 gold
  explores with 5M: Mountain at 1,-1
  attacks b sage on 2,-1 (P b2) with 7P: 10M answers, 7 against 10; the tile holds
  researches for 1 gold: draws 16F onto slot 2, retires 1M, takes 13P from slot 6 to the discard
  spends 1M from the row (colony): Mountain at 1,1 (M c1•1)
  explores with 6F: Forest at 1,2
  moves -1,0 to 1,-1 (M c1)
  moves 1,0 to -1,0 (P c1)
  ends the turn, 1 movement unused

a builder: 7O 7M, 2 movements, 2 gold
  cashes 7M for 1 gold
  cashes 7O for 1 gold
  researches for 1 gold: draws 18F onto slot 5, retires 1F, takes 12F from slot 1 to the discard
  fortifies 0,1 for 1 gold (M a1•1)
  spends 1F from the row (colony): Forest at -1,1 (F a1•1)
  * a builder reaches Settlement: melds to 3, ranks to 14, walls 12
  researches for 2 gold: draws 16O onto slot 7, retires 2F, takes 12M from slot 8 to the discard
  ends the turn, 2 movements unused

b sage: 1O 2O, 2 movements, 1 gold
  researches in vain: draws 17F onto slot 9, no card within reach
  cashes 1O for 1 gold
  moves 2,-1 to 1,0 (M b1)
  researches for 1 gold: draws 14P onto slot 1, retires 3O, takes 14P from slot 1 to the discard
  explores with 2O: Ocean at 2,0
  ends the turn, 1 movement unused

"""

SEATS_2 = """\
  seat  player     tier        reserve  map  gold  victory row  hand  obj.    score
  ─────────────────────────────────────────────────────────────────────────────────
  0     a builder  Settlement       18    2     0  2F              3  0 of 2      3
  1     b sage     Settlement       18    2     1  3O              4  0 of 2      3
  2     c raider   Settlement       16    4     0  -               4  0 of 2      4
"""

ROUND_12 = """\
      3  b sage     18M       -            18  last: 1 gold
  a builder sets 9F 8O aside for 2 gold

c raider: 12O 13M, 2 movements, 0 gold
  attacks b sage on 1,3 (M b1•1) with 13M: the wall stands, 13 against 16+2; the tile holds, 1
      coin spent
  attacks a builder on 4,-1 (O a1) with 12O: 5F answers, 12 against 5; the beaten unit goes
      home; captured for 1 gold
  * c raider recycles: 10 cards, no objective pays
"""


@cache
def told(name: str) -> str:
    """The story of a golden record."""
    replay = Replay(RECORDS / f"{name}.blink.jsonl.gz")
    return story_text(replay.header, replay.start, replay)


def between(story: str, first: str, last: str) -> list[str]:
    """The lines after the first that has some words, up to the one before the next that has others."""
    lines = story.splitlines()
    begin = next(i for i, line in enumerate(lines) if first in line)
    end = next(i for i, line in enumerate(lines) if i > begin and last in line)
    return lines[begin + 1 : end]


# the map


def test_the_map_of_a_small_position() -> None:
    """Terrain, owner's letter, units and coins in every hex, its cell above; neighbours share their edges."""
    rules = positions.rules_for(2)
    state = positions.fresh(rules)
    positions.add_tile(state, rules, -1, 1, "F", 1, 2, 1)
    positions.add_tile(state, rules, 2, -1, "O", 0, 1)
    positions.add_units(state, rules, -1, 0, 0, 1, 2)
    drawn = [
        "                       / ^",
        "                     /2,-1 ^",
        "                    | O a1  |",
        "   / ^     / ^     / ^     / ^",
        " /-1,0 ^ / 0,0 ^ / 1,0 ^ / 2,0 ^",
        "| P a2•2| M     | M     | P b1  |",
        " ^     / ^     / ^     / ^     /",
        "   ^ /-1,1 ^ /     ^ /     ^ /",
        "    | F b2•1|",
        "     ^     /",
        "       ^ /",
    ]
    # ^ stands for the backslash, which would need two.
    assert map_text(state).splitlines() == [line.replace("^", "\\") for line in drawn]


def test_far_cells_get_wider_hexes() -> None:
    """A cell that needs six letters, or nine units with coins, still fits between its edges."""
    rules = positions.rules_for(2)
    state = positions.fresh(rules, start_map=False)
    positions.add_tile(state, rules, -10, -3, "F", 1, 2, 1)
    positions.add_tile(state, rules, -9, -3, "P")
    drawn = [
        "    /   ^       /   ^",
        "  /-10,-3 ^   / -9,-3 ^",
        "| F b2•1    | P         |",
        "  ^       /   ^       /",
        "    ^   /       ^   /",
    ]
    assert map_text(state).splitlines() == [line.replace("^", "\\") for line in drawn]


def test_a_map_without_tiles() -> None:
    """A designer may look at anything."""
    assert map_text(positions.fresh(positions.rules_for(2), start_map=False)) == "(no tile)"


def test_units_have_the_colour_of_their_seat_beside_its_letter() -> None:
    """Colour says nothing that the letters do not say."""
    state = positions.fresh(positions.rules_for(4))
    picture = draw_map(state)
    for seat, colour in enumerate(SEAT_COLOURS):
        spans = [picture.plain[span.start : span.end] for span in picture.spans if colour in str(span.style)]
        assert "".join(spans) == f"{'abcd'[seat]}1"


# the story


def test_a_round() -> None:
    """Melds with totals and order, every action in words, tiers, and the seats at the round's end."""
    story = told("standard-3p-mix-001")
    assert between(story, "Round 2: c raider leads", "After round 2") == ROUND_2.splitlines()
    assert between(story, "After round 2", "/ ")[:5] == SEATS_2.splitlines()


def test_dues_duels_and_recycles() -> None:
    """Cards set aside, a wall that holds, a unit that goes home, a hand taken up again."""
    lines = between(told("standard-3p-mix-001"), "Round 12: a builder leads", "After round 12")
    assert lines[5:14] == ROUND_12.splitlines()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("standard-3p-mix-001", "  c raider passes 1M 2F 3P 5F 6M 9F to a builder"),
        ("standard-3p-mix-001", "  c raider shows mountain_ocean, hidden: mountain_plains"),
        ("standard-3p-mix-001", "  a builder  1F 2F 2M 3M 4O 5F 7O 7M 9F 11P  plains_forest, ocean_forest (shown)"),
        ("standard-3p-mix-001", "Won by seat 1 (b sage) after 21 rounds."),
        (
            "standard-3p-mix-001",
            "  a builder     20    0  -               4  plains_forest x1, ocean_forest x1     24     1",
        ),
        ("secret-2p-mix-001", "  b builder keeps forest_ocean and gives back mountain_forest"),
        (
            "booklet_effects-2p-sage-001",
            "  spends 15P from the row (frontier): Plains at -2,2 (P b1•1) and Plains at -2,1 left open",
        ),
        (
            "booklet_effects-2p-sage-001",
            "  * the end is near, a sage and b sage without a unit in reserve: round 23 is the last",
        ),
        (
            "no_objectives-2p-builder-001",
            "Victory shared by seat 0 (a builder) and seat 1 (b builder) after 21 rounds.",
        ),
        (
            "standard-3p-stall-001",
            "Stalled after 10 rounds: no reserve was emptied, nobody wins. The scores as they stand:",
        ),
    ],
)
def test_lines(name: str, line: str) -> None:
    """Chosen places of golden games."""
    assert line in told(name).splitlines()


def test_nothing_is_left_out() -> None:
    """Every map action of a game has its sentence, and every recycle its line."""
    name = "standard-3p-mix-001"
    words = ["settle", "explore", "attack", "fortify", "move", "research", "trade"]
    verbs = dict(
        zip(words, ["settles", "explores", "attacks", "fortifies", "moves", "researches", "trades"], strict=True)
    )
    with gzip.open(RECORDS / f"{name}.blink.jsonl.gz", "rt", encoding="utf-8") as lines:
        choices = [json.loads(line).get("choice", "").split(" ")[0] for line in lines]
    begins = [line.split()[0] for line in told(name).splitlines() if line.startswith("  ") and line[2:3].isalpha()]
    assert {word: begins.count(verbs[word]) for word in words} == {word: choices.count(word) for word in words}
    replay = Replay(RECORDS / f"{name}.blink.jsonl.gz")
    for _ in replay:
        pass
    assert told(name).count(" recycles: ") == int(replay.state.recycles.sum()) > 0


def test_as_text_it_is_at_most_100_columns_wide() -> None:
    """Lines that are too long go on below, indented; nothing trails."""
    for name in ("standard-3p-mix-001", "booklet_effects-2p-sage-001"):
        for line in told(name).splitlines():
            assert len(line) <= WIDTH
            assert line == line.rstrip()


def test_a_terminal_gets_colours_and_the_same_words() -> None:
    """The coloured story is the plain one with colours."""
    replay = Replay(RECORDS / "standard-3p-stall-001.blink.jsonl.gz")
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, force_terminal=True, color_system="truecolor", legacy_windows=False)
    print_story(console, replay.header, replay.start, replay)
    assert "\x1b[1;38;2;86;180;233ma idler" in out.getvalue()
    plain = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    again = Replay(RECORDS / "standard-3p-stall-001.blink.jsonl.gz")
    print_story(plain, again.header, again.start, again)
    assert isinstance(plain.file, io.StringIO)
    words = [line.rstrip() for line in plain.file.getvalue().splitlines()]
    assert words == told("standard-3p-stall-001").splitlines()


def test_an_unfinished_game_stops_in_the_middle_of_an_action() -> None:
    """The story says how far the game goes, and what is under way."""
    replay = Replay(RECORDS / "standard-3p-mix-001.blink.jsonl.gz")
    story = Story(replay.header)
    pieces = [*story.opening(replay.start)]
    for step in replay:
        if step.choice == "defend 10M":
            break
        pieces += story.tell(step)
        state = step.after
    pieces += story.close(state)
    text = as_text(pieces)
    assert "    attacks b sage on 2,-1 (P b2) with 7P ..." in text.splitlines()
    assert " Unfinished: round 2, 34 decisions so far " in text
    assert text.splitlines()[-2].endswith("\\ /")

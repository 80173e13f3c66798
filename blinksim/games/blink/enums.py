"""The named codes of the game Blink: decisions, actions, outcomes, and the alternatives of the switches.

Section and decision numbers are those of ``rules.md``.
"""

from __future__ import annotations

from enum import IntEnum

RULES_VERSION = 1
"""Raised whenever a change of the code makes games come out differently under an unchanged ruleset."""

MAX_SEATS = 4
MAX_TILES = 64
MAX_SPACES = 128
MAX_SLOTS = 16  # grid 4 x 4
MAX_TIERS = 8
MAX_UNITS = 63  # of one player
MAX_BANDS = 31
MAX_PASSES = 8
MAX_HAND = 16
MAX_OBJECTIVES = 16  # of one player
MAX_PATTERNS = 40  # objectives there are
MAX_ACTIONS = 8192  # legal choices of one decision
NO_LIMIT = 99


class Decision(IntEnum):
    """Which kind of decision is due (D01 to D16, section 2); OVER once the game has ended."""

    OVER = 0
    OBJECTIVE_KEEP = 1
    DRAFT_PASS = 2
    OBJECTIVE_SHOW = 3
    MELD = 4
    DECLARE_A = 5
    SET_ASIDE = 6
    ACT = 7
    DEFEND = 8
    RETREAT = 9
    RESEARCH_RETIRE = 10
    ROW_OVERFLOW = 11
    RESEARCH_TAKE = 12
    RESEARCH_TO = 13
    TRADE_BURY = 14
    B_PLACE = 15
    B_UNIT = 16


class Kind(IntEnum):
    """What an action does; the words of the text form (``record.md``) are the names in lower case."""

    KEEP = 0
    PASS = 1
    SHOW = 2
    MELD = 3
    DECLARE = 4
    ASIDE = 5
    SETTLE = 6
    EXPLORE = 7
    ATTACK = 8
    GOLD = 9
    MOVE = 10
    WATER = 11
    FORTIFY = 12
    RESEARCH = 13
    TRADE = 14
    FOUND = 15
    CASH = 16
    END = 17
    DEFEND = 18
    RETREAT = 19
    RETIRE = 20
    DROP = 21
    TAKE = 22
    TO = 23
    BURY = 24
    PLACE = 25
    UNIT = 26


class Outcome(IntEnum):
    """How a game stands (sections 3.13 and 8)."""

    RUNNING = 0
    WON = 1
    SHARED = 2
    STALLED = 3


class Terrain(IntEnum):
    """Suits and terrains."""

    P = 0
    F = 1
    O = 2  # noqa: E741 - the letter of the rules
    M = 3


class TieStep(IntEnum):
    """Steps of ``trick.tie_chain`` (sections 1.4 and 3.3)."""

    CARDS = 0
    A_WINS_TIES = 1
    A_RANK = 2
    RANKS_DESC = 3
    HIGHEST_RANK = 4


class NextLeader(IntEnum):
    """``trick.next_leader`` (section 1.9)."""

    WINNER = 0
    CLOCKWISE = 1
    LAST = 2


class LevelTotal(IntEnum):
    """``duel.level_total`` (section 1.5)."""

    ATTACKER_UNLESS_NATIVE = 0
    ATTACKER = 1
    DEFENDER = 2


class CoinSpent(IntEnum):
    """``duel.coin_spent`` (sections 1.5 and 1.9)."""

    EVERY_ATTACK = 0
    ONLY_IF_WALL_FIGHTS = 1
    ONLY_IF_LOST = 2


class ObjectiveMode(IntEnum):
    """``objectives.mode`` (section 1.8)."""

    NONE = 0
    SHOW_ONE = 1
    SECRET = 2
    OPEN = 3
    KEEP_BOTH = 4


class TieBreak(IntEnum):
    """``score.tie_breaks`` (section 1.9)."""

    GOLD = 0
    UNITS = 1
    ROW = 2
    OBJECTIVES = 3

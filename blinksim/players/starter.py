"""What ``blinksim strategies new NAME`` writes: a strategy that plays, and its test, to be changed line by line."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from blinksim.paths import STRATEGIES
from blinksim.players.roster import StrategyError, list_strategies

TAKEN = ("me",)
"""Names that mean something else on a command line."""


def write_starter(name: str, folder: Path) -> list[Path]:
    """Write ``strategies/NAME.py`` and ``tests/test_NAME.py``.

    Args:
        name: A new name: a lower-case letter, then lower-case letters, digits and underscores.
        folder: Where both folders are, or are made: a working directory.

    Returns:
        The two files.

    Raises:
        StrategyError: the name is none or is taken, or a file is there already; nothing is written then.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name) or name in TAKEN:
        raise StrategyError(
            f'"{name}" cannot be the name of a strategy; it must be a lower-case letter, then lower-case letters, '
            f"digits and underscores, such as night_owl, and not {' or '.join(TAKEN)} or a word of Python"
        )
    files = {
        folder / STRATEGIES / f"{name}.py": STRATEGY_TEXT,
        folder / "tests" / f"test_{name}.py": TEST_TEXT,
    }
    known = list_strategies()
    there = [path for path in [*files, folder / STRATEGIES / f"{name}.toml"] if path.exists()]
    if not there and name in known:
        there = [known[name]]
    if there:
        raise StrategyError(f"{there[0]} is there already, and is left as it is; choose another name than {name}")
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("NAME", name).replace("TITLE", name.capitalize()), encoding="utf-8")
        except OSError as error:
            raise StrategyError(f"cannot write {path}: {error.strerror or error}") from None
    return list(files)


STRATEGY_TEXT = '''"""TITLE: fill the map first, and let the others fight.

"I lay as many cards as I may. On the map whatever has room settles; what has none lays a tile for later. Coins go into
research. I attack only when nothing else is left to do." (Tell your own plan here: `blinksim strategies show NAME`
prints it.)
"""

from __future__ import annotations

from blinksim.games.blink.actions import card_of, kind_of, positions_of
from blinksim.games.blink.enums import Decision, Kind
from blinksim.jit import popcount
from blinksim.players.policy import Parameter, Strategy, kernel

# What the strategy says about itself. Each parameter has a default, a lowest and a highest value, a unit and a meaning;
# `NAME:tile=0.9` changes one on the command line.
STRATEGY = Strategy(
    name="NAME",
    summary="fills the map first",
    parameters=(
        Parameter("tile", 0.6, 0.0, 2.0, "units", "What a tile laid for later is worth."),
        Parameter("coin", 0.5, 0.0, 2.0, "units", "What a coin is worth."),
    ),
)
TILE, COIN = range(2)  # where each parameter stands in `params`, in the order above


# decide() is called wherever the seat has a choice, and returns an index below n into `actions`. `view` is all that the
# seat may know (fields: blinksim/games/blink/state.py, VIEW), `rules` the ruleset, `memory` 64 words of its own.
# @kernel compiles it: keep to numbers, arrays and loops. For plain Python, a hundred times slower, leave @kernel out
# everywhere and say compiled=False above. blinksim.games.blink.toolkit answers the questions that come up most.
@kernel
def decide(view, rules, actions, n, params, memory, stream, sandbox):  # type: ignore[no-untyped-def]
    """The index of the choice."""
    if view.decision == Decision.ACT:  # the map turn: one step at a time, until "end"
        return act(view, actions, n, params)
    if view.decision == Decision.MELD:  # which cards to lay for the trick
        return most_cards(actions, n)
    if view.decision == Decision.DEFEND:  # the last choice answers with the highest card, the first declines
        return n - 1
    return 0  # the draft, objectives, dues, retreats, research and trade: the first that is offered


@kernel
def act(view, actions, n, params):  # type: ignore[no-untyped-def]
    """The best single step of the map turn."""
    best = 0
    best_worth = -1.0
    for i in range(n):
        kind = kind_of(actions[i])
        worth = 0.0  # Kind.END, and all that is not named below
        if kind == Kind.SETTLE:
            worth = 1.0
        elif kind == Kind.EXPLORE:
            worth = params[TILE]
        elif kind == Kind.GOLD:
            worth = params[COIN]
        elif kind == Kind.RESEARCH:
            worth = 0.4
        elif kind == Kind.ATTACK:
            worth = 0.1 + 0.01 * (card_of(actions[i]) >> 2)  # card numbers are 4 * rank + suit
        elif kind == Kind.MOVE or kind == Kind.WATER:
            worth = -0.5
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


@kernel
def most_cards(actions, n):  # type: ignore[no-untyped-def]
    """The meld with most cards; of several the first."""
    best = 0
    most = -1
    for i in range(n):
        cards = popcount(positions_of(actions[i]))  # one bit for each card of the hand, lowest first
        if cards > most:
            best = i
            most = cards
    return best
'''

TEST_TEXT = '''"""TITLE keeps to its plan. Run me with: pytest tests/test_NAME.py"""

from __future__ import annotations

from pathlib import Path

import blinksim
from blinksim.games.blink.record import legal_actions
from blinksim.games.blink.text import action_text, decision_text
from blinksim.players.roster import find_player

FILE = Path(__file__).resolve().parents[1] / "strategies" / "NAME.py"
SEAT = 0  # where it sits in these games


def game(deal: int, change: str = ""):
    """A game of it against random, played to the end; `change` sets parameters, such as "tile=0"."""
    table = blinksim.new_game(players=2, seed=7, deal=deal)
    return table.play([find_player(f"{FILE}:{change}"), "random"], check=True)


def choices(table, decision: str):
    """All its choices at one kind of decision: what it could have done, and what it did."""
    for moment in table.moments:
        if moment.before.seat == SEAT and decision_text(moment.before.decision) == decision:
            legal = [action_text(moment.before, action) for action in legal_actions(moment.before, table.header.rules)]
            yield legal, action_text(moment.before, moment.action)


def test_it_says_who_it_is() -> None:
    strategy = find_player(str(FILE)).strategy
    assert strategy.name == FILE.stem
    assert strategy.summary


def test_what_has_room_settles() -> None:
    for legal, chosen in choices(game(deal=0), "act"):
        if any(choice.startswith("settle") for choice in legal):
            assert chosen.startswith("settle")


def test_it_lays_as_many_cards_as_it_may() -> None:
    for legal, chosen in choices(game(deal=0), "meld"):
        assert len(chosen.split()) == max(len(choice.split()) for choice in legal)


def test_the_same_deal_gives_the_same_game() -> None:
    assert game(deal=1).digest == game(deal=1).digest


def test_a_parameter_changes_what_it_does() -> None:
    assert game(deal=1).digest != game(deal=1, change="tile=0").digest


def test_it_wins_most_games_against_random() -> None:
    won = sum(SEAT in game(deal).result()["winners"] for deal in range(10))
    assert won >= 7
'''

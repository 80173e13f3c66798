"""blinksim: designers of the card and map game Blink play thousands of games of their rules and see what happens.

Three names are enough for a notebook: :func:`new_game`, :class:`Table` and :func:`open_run`. Importing the package
imports nothing else; what a name needs is imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from blinksim.games.blink.ruleset import Ruleset
    from blinksim.games.blink.table import Table
    from blinksim.store.reading import Run

__all__ = ["Table", "new_game", "open_run"]


def new_game(
    players: int = 3,
    ruleset: str | Path | Ruleset = "standard",
    seed: int = 1,
    deal: int = 0,
    overrides: Sequence[str] = (),
    hand_shift: int = 0,
    seat_shift: int = 0,
) -> Table:
    """A game of Blink before its first decision, to look at and to play.

    Args:
        players: 2 to 4.
        ruleset: A preset, a TOML file, or a ruleset.
        seed: The experiment's seed, from 0; with ``deal`` it says what is dealt.
        deal: Number of the deal, from 0.
        overrides: Changed rules, such as ``["tiers.wall[2]=15"]``.
        hand_shift: Slot k of a line-up plays the hand dealt to position k + this.
        seat_shift: The hand of position j lies on map seat j + this.

    Raises:
        UserError: a ruleset that is not there or cannot be, or a number out of its range.
    """
    from blinksim.games.blink import table
    from blinksim.players.roster import find_player

    return table.new_game(players, ruleset, seed, deal, overrides, hand_shift, seat_shift, find_player=find_player)


def open_run(where: str | Path) -> Run:
    """A run that was played, to read: each table a polars LazyFrame, ``run.pandas(…)``, ``run.sql("select …")``.

    Args:
        where: The run folder, such as ``runs/baseline``, or an address such as ``s3://bucket/runs/baseline``. Of a run
            that is not finished the shards that are can be read.

    Raises:
        UserError: there is no run, or another version's.
    """
    from blinksim.store import reading

    return reading.open_run(where)


def __getattr__(name: str) -> Any:
    if name == "Table":
        from blinksim.games.blink.table import Table

        return Table
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

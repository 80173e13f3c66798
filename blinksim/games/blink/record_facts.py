"""The fact rows of a recorded game: the record is replayed and checked, then played once more with counting on.

So a game that people played at a table has the same rows as one that was simulated.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from blinksim.games.blink.deal_data import deal_text
from blinksim.games.blink.fact_rows import RowBuffers
from blinksim.games.blink.record import Replay
from blinksim.games.blink.record_lines import Header, RecordError
from blinksim.games.blink.shards import Workspace
from blinksim.games.blink.tables import TABLES
from blinksim.games.game import RecordedGame


def read_game(path: str | Path) -> RecordedGame:
    """A finished game and its fact rows from its record.

    Args:
        path: The record, ``*.blink.jsonl`` or ``*.blink.jsonl.gz``.

    Raises:
        RecordError: the record is not what the rules give, with file and line, or the game in it is not over.
    """
    replay = Replay(path)
    steps = list(replay)
    if replay.result is None:
        last = steps[-1].line if steps else 1
        raise RecordError(
            f"{path}:{last}: the record ends here, in round {int(replay.state.round_number)}; expected choices up to "
            "the end of the game and its result"
        )
    header = replay.header
    return RecordedGame(
        players=header.players,
        ruleset=header.ruleset,
        seats=header.seats,
        block=_block(header),
        rows=_rows(header, [step.action for step in steps]),
        path=str(path),
    )


def _block(header: Header) -> str:
    """What games with the same shuffle have in common; records without a seed share one only if cards lie alike."""
    if header.seed is not None:
        return f"seed {header.seed['experiment']}, deal {header.seed['deal']}"
    return repr(deal_text(header.deal))


def _rows(header: Header, actions: list[int]) -> dict[str, np.ndarray]:
    space = Workspace(header.rules, True, False, RowBuffers())
    state, facts, events = space.states[0], space.facts, space.buffers.events
    space.parts["setup"](state, header.rules, facts, *header.deal.arrays())
    for action in actions:
        space.parts["applying"](state, header.rules, action, facts, events)
    space.take_rows()
    names = (table.name for table in TABLES)
    return {name: rows.copy() for name, rows in zip(names, space.buffers.rows(), strict=True)}

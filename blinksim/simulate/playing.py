"""Plays one shard: a pure function of the experiment and the shard's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from blinksim.simulate.schedule import Shard
from blinksim.store import schema

if TYPE_CHECKING:
    from blinksim.simulate.batch import Batch

GAMES_AT_ONCE = 500
"""Games whose rows lie in memory as they were recorded, eight bytes a number."""


def play_shard(batch: Batch, shard: Shard) -> dict[str, Any]:
    """Play one shard and return its tables as Arrow; depends on the experiment and the shard's number alone."""
    game, rules = batch.game, batch.rules[shard.players]
    keys = batch.plan.keys(shard)
    seed = batch.experiment.seed
    deals = [game.make_deals(r, seed, shard.players, shard.first_deal, shard.num_deals) for r in batch.rulesets]
    # Compiled code can write into what it may only read, in silence.
    before = [packed.tobytes() for packed in rules]
    pieces: dict[str, list[Any]] = {table.name: [] for table in game.tables}
    for begin in range(0, len(keys), GAMES_AT_ONCE):
        some = keys[begin : begin + GAMES_AT_ONCE]
        try:
            rows = game.play_games(rules, batch.strategies[shard.players], some, deals, seed, batch.check, reuse=True)
        except Exception as error:
            if hasattr(error, "game"):
                error.game += begin
            raise
        for table in game.tables:
            filled = schema.fill_table(
                table, game.tables_version, rows[table.name], some, batch.line_ups[shard.players]
            )
            pieces[table.name].append(filled)
    if before != [packed.tobytes() for packed in rules]:
        raise AssertionError(f"shard {shard.number}: a ruleset was written to while its games were played")
    # A table at a time: what is put together or encoded leaves room for the next.
    return {name: pa.concat_tables(pieces.pop(name)).combine_chunks() for name in list(pieces)}

"""Games from records, as from real tables: replayed, counted, and laid out as the tables of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from blinksim.analysis import fairness
from blinksim.errors import UserError
from blinksim.games.game import Game, RecordedGame, get_game
from blinksim.games.tables import KEYS
from blinksim.players.roster import list_strategies
from blinksim.report.source import RunFacts, Source, page_versions
from blinksim.store.schema import LineUpNames, fill_table

PEOPLE = "people"
"""Who sat where a record names no strategy."""


class RecordsError(UserError):
    """There are no records to report on."""


@dataclass(frozen=True)
class Records:
    """The records of a folder.

    Attributes:
        folder: Where they lie.
        game: What was played.
        games: Those that are what the rules give, in the order of their names.
        left_out: The others: file, line and what was expected, a sentence each.
    """

    folder: Path
    game: Game
    games: Sequence[RecordedGame]
    left_out: tuple[str, ...]


def read_records(folder: Path, game: Game | None = None) -> Records:
    """Read every record in a folder and the folders in it.

    Args:
        folder: Where they lie.
        game: What was played; Blink where left out.

    Raises:
        RecordsError: there is no such folder, no record in it, or none that is what the rules give.
    """
    game = game or get_game("blink")
    suffixes = " or ".join(f"*{suffix}" for suffix in game.record_suffixes)
    if not folder.is_dir():
        raise RecordsError(f"there is no folder {folder}; --records takes a folder with records, {suffixes}")
    files = sorted(path for path in folder.rglob("*") if path.name.endswith(game.record_suffixes))
    if not files:
        raise RecordsError(f"{folder} has no records; their names end as {suffixes}")
    games, left_out = [], []
    for file in files:
        try:
            games.append(game.read_game(file))
        except UserError as error:
            left_out.append(str(error))
    if not games:
        raise RecordsError("\n".join([f"{folder} has no record that is what the rules give:", *left_out]))
    return Records(folder, game, games, tuple(left_out))


def source_of_records(records: Records, variant: int = 0) -> Source:
    """The recorded games of one ruleset.

    Args:
        records: From :func:`read_records`.
        variant: Which ruleset, the one with most games first; others are not counted.

    Raises:
        UserError: there is no such variant.
    """
    game = records.game
    rulesets = _rulesets(records)
    if not 0 <= variant < len(rulesets):
        raise UserError(f"{records.folder} has no variant {variant}; its records have {len(rulesets)} rulesets, from 0")
    shown = rulesets[variant]
    played = [g for g in records.games if game.ruleset_hash(g.ruleset) == shown]
    ruleset = played[0].ruleset
    tables = _tables(game, played)
    line_ups = fairness.line_ups(tables["seats"].lazy())
    data = game.ruleset_data(ruleset)
    facts = RunFacts(
        name=records.folder.resolve().name,
        title=game.title,
        question="How did the recorded games go?",
        ruleset=str(data["name"]),
        ruleset_hash=shown,
        differences=game.diff_rulesets(game.load_ruleset("standard"), ruleset),
        tier_names=tuple(data["tiers"]["name"]),
        seed=0,
        shifts="none",
        replicates=1,
        variants=_names(records, rulesets),
        variant=variant,
        players=tuple(line_ups["players"].unique().sort().to_list()),
        line_ups=line_ups,
        plan=_plan(played),
        shards=(1, 1),
        complete=True,
        rules_version=game.rules_version,
        tables_version=game.tables_version,
        versions={"blinksim": metadata.version("blinksim")} | page_versions(),
        parameters=data,
        from_records=True,
        left_out=records.left_out,
    )
    files = {
        (players, number): g.path
        for players in facts.players
        for number, g in enumerate(g for g in played if g.players == players)
    }
    return Source(facts, lambda table: tables[table].lazy(), game=game, files=files)


def _rulesets(records: Records) -> list[str]:
    """Hashes of the rulesets, the one with most games first, then by their first record."""
    return [code for code, _ in Counter(records.game.ruleset_hash(g.ruleset) for g in records.games).most_common()]


def _names(records: Records, rulesets: Sequence[str]) -> tuple[str, ...]:
    """Names of rulesets, with the hash where two have one name."""
    game = records.game
    by_hash = {game.ruleset_hash(g.ruleset): str(game.ruleset_data(g.ruleset)["name"]) for g in records.games}
    names = [by_hash[code] for code in rulesets]
    return tuple(
        f"{name} {code[:8]}" if names.count(name) > 1 else name for name, code in zip(names, rulesets, strict=True)
    )


def _plan(games: Sequence[RecordedGame]) -> dict[int, tuple[int, int, int]]:
    plan = {}
    for players in sorted({g.players for g in games}):
        blocks = Counter(g.block for g in games if g.players == players)
        plan[players] = (len(blocks), max(blocks.values()), blocks.total())
    return plan


def _tables(game: Game, games: Sequence[RecordedGame]) -> dict[str, pl.DataFrame]:
    """The fact tables of some games, by name, as a run would have them."""
    known = list_strategies()
    seated = [tuple(name if name.partition(":")[0] in known else PEOPLE for name in g.seats) for g in games]
    names = tuple(sorted({name for seats in seated for name in seats}))
    parts: dict[str, list[pl.DataFrame]] = {table.name: [] for table in game.tables}
    for players in sorted({g.players for g in games}):
        which = [i for i, g in enumerate(games) if g.players == players]
        keys, line_ups = _keys([games[i] for i in which], [seated[i] for i in which])
        codes = np.array([[names.index(name) for name in line_up] for line_up in line_ups], dtype=np.int16)
        for table in game.tables:
            rows = [np.array(games[i].rows[table.name]) for i in which]
            for number, of_game in enumerate(rows):
                of_game[:, 0] = number
            filled = fill_table(table, game.tables_version, np.concatenate(rows), keys, LineUpNames(names, codes))
            parts[table.name].append(_frame(filled))
    return {name: pl.concat(frames) for name, frames in parts.items()}


def _keys(games: Sequence[RecordedGame], seated: Sequence[tuple[str, ...]]) -> tuple[np.ndarray, list[tuple[str, ...]]]:
    """The keys of games of one player count, and their line-ups; tables that are turned have one line-up."""
    turned = [min((_turn(seats, shift), shift) for shift in range(len(seats))) for seats in seated]
    line_ups = sorted({line_up for line_up, _ in turned})
    deals = list(dict.fromkeys(g.block for g in games))
    keys = np.zeros(len(games), KEYS).view(np.recarray)
    seen: Counter[Any] = Counter()
    for number, (game, (line_up, shift)) in enumerate(zip(games, turned, strict=True)):
        key = (line_ups.index(line_up), deals.index(game.block), shift)
        keys[number] = (0, game.players, *key, 0, seen[key], number)
        seen[key] += 1
    return keys, line_ups


def _turn(seats: tuple[str, ...], shift: int) -> tuple[str, ...]:
    return seats[shift:] + seats[:shift]


def _frame(filled: Any) -> pl.DataFrame:
    frame = pl.from_arrow(filled)
    assert isinstance(frame, pl.DataFrame), "a table, not a column"
    return frame

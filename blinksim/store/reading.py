"""Reading a run: what was played, and its tables as lazy frames, as pandas and to SQL.

::

    run = blinksim.open_run("runs/baseline")
    run.games                                   a table as a polars LazyFrame; also run["games"], run.scan("games")
    run.pandas("seats", columns=["seat", "units"], where="players = 3")
    run.sql("select seat, avg(units) from seats group by seat").collect()

Nothing is read before it is asked for, and of a table only the columns and rows that a question needs.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from blinksim.games.game import Game, get_game
from blinksim.games.tables import Table
from blinksim.store import queries, schema
from blinksim.store.places import LocalPlace, Place, RunError, place_of
from blinksim.store.runs import MANIFEST, RECEIPTS, part_name, read_manifest, read_receipts

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

RUNS = Path("runs")
"""Where a run is looked up by its name."""


@dataclass(frozen=True, repr=False)
class Run:
    """A run, opened for reading.

    Every table is an attribute and an item too: ``run.games`` and ``run["games"]`` are ``run.scan("games")``.

    Attributes:
        place: Where it lies.
        manifest: What was played (see :func:`blinksim.simulate.batch.run`).
        shards: Receipts of the finished shards, by number.
        game: Descriptor of the game played.
    """

    place: Place
    manifest: dict[str, Any]
    shards: dict[int, dict[str, Any]]
    game: Game
    _checked: set[str] = field(default_factory=set, compare=False)

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not finished"
        return f"<run {self.place}: {self.num_games:,} games, {state}; tables {', '.join(self.table_names)}>"

    @property
    def name(self) -> str:
        """The last part of where it lies, such as ``baseline``."""
        if isinstance(self.place, LocalPlace):
            return self.place.path.resolve().name
        return str(self.place).rstrip("/").rpartition("/")[2]

    @property
    def folder(self) -> Path:
        """The run folder on this machine.

        Raises:
            RunError: the run lies in an object store.
        """
        if not isinstance(self.place, LocalPlace):
            raise RunError(f"{self.place} is not a folder of this machine; copy the run to one first")
        return self.place.path

    @property
    def complete(self) -> bool:
        """Whether every shard of the experiment is there."""
        return bool(self.manifest["complete"])

    @property
    def experiment(self) -> dict[str, Any]:
        """The experiment as plain data: question, players, line-ups, deals, seed and the rest."""
        return dict(self.manifest["experiment"])

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of the rulesets played, by the number in column ``variant``; 0 is the base."""
        return tuple(entry["name"] for entry in self.manifest["rulesets"])

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies that play."""
        return tuple(self.manifest["strategies"])

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Games that a mistake stopped, which have no rows: ``game`` (its key), ``reason`` and ``record`` of each."""
        return [dict(game) for receipt in self.shards.values() for game in receipt.get("failed", ())]

    @property
    def num_games(self) -> int:
        """How many games are there, those that failed left out."""
        return sum(receipt["parts"]["games"]["rows"] for receipt in self.shards.values())

    @property
    def num_bytes(self) -> int:
        """Size of all part files."""
        return sum(part["bytes"] for receipt in self.shards.values() for part in receipt["parts"].values())

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that are there; a lower detail of the experiment leaves some out."""
        every = tuple(table.name for table in self.game.tables)
        return tuple(name for name in every if name in self.manifest.get("tables", every))

    def num_rows(self, table: str) -> int:
        """How many rows a table has.

        Raises:
            RunError: there is no such table.
        """
        self._table(table)
        return sum(receipt["parts"][table]["rows"] for receipt in self.shards.values())

    def files(self, table: str) -> list[str]:
        """The part files of a table, in order, as polars takes them.

        Raises:
            RunError: there is no such table.
        """
        self._table(table)
        return [self.place.uri(part_name(table, number)) for number in self.shards]

    def scan(self, table: str) -> pl.LazyFrame:
        """A table as a lazy frame, its parts in order, their schemas checked.

        Raises:
            RunError: there is no such table, or the run has no finished shard yet.
            SchemaError: a part is not what the schema says.
        """
        import polars as pl

        declared = self._table(table)
        if not self.shards:
            raise RunError(f"{self.place} has no finished games yet; run the experiment")
        # Asking a store for the end of every part would take long; polars holds the others against the first.
        for number in list(self.shards)[:1] if self.place.shared else self.shards:
            self._check(declared, part_name(table, number))
        return pl.scan_parquet(self.files(table), glob=False, storage_options=self.place.options or None)

    def pandas(
        self, table: str, columns: Sequence[str] | None = None, where: str | pl.Expr | None = None
    ) -> pd.DataFrame:
        """A table, or a part of it, as a pandas frame in memory.

        Names become categories; whole numbers with nulls become fractions with NaN, as pandas has it. The types are
        the small ones of the files: ``frame.astype("int64")`` before multiplying large numbers.

        Args:
            table: Name of the table.
            columns: Only these, in this order; all where left out.
            where: Which rows, as an SQL condition such as ``"players = 3 and outcome = 'won'"`` or a polars
                expression; all where left out.

        Raises:
            RunError: there is no such table, or no finished shard yet.
            QueryError: a column is not there, or the condition is no SQL.
        """
        import polars as pl

        rows = self.scan(table)
        with queries.explained(self, str(where if where is not None else columns), [table]):
            if where is not None:
                rows = rows.filter(pl.sql_expr(where) if isinstance(where, str) else where)
            if columns is not None:
                rows = rows.select(list(columns))
            return rows.collect(engine="streaming").to_pandas()

    def sql(self, query: str) -> pl.LazyFrame:
        """The result of a ``select`` over the tables, by their names; computed when it is collected.

        ``run.sql("select outcome, count(*) as games from games group by outcome").collect()``

        Raises:
            QueryError: a table or column is not there (those that are, are listed), or the text is no SQL.
            RunError: there is no finished shard yet.
        """
        return queries.query(self, query)

    def __getitem__(self, table: str) -> pl.LazyFrame:
        return self.scan(table)

    if not TYPE_CHECKING:  # a type checker would take any misspelt attribute for a table

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or "game" not in self.__dict__ or name not in self.table_names:
                known = ", ".join(self.table_names) if "game" in self.__dict__ else "not known yet"
                raise AttributeError(f'a run has no attribute and no table "{name}"; its tables are {known}')
            return self.scan(name)

        def __dir__(self) -> list[str]:
            return sorted({*super().__dir__(), *self.table_names})

    def _check(self, declared: Table, name: str) -> None:
        """Hold the schema of a part against the declaration, once."""
        if name in self._checked:
            return
        where = self.place.uri(name)
        try:
            found = pq.read_schema(pa.BufferReader(self.place.read(name)) if self.place.shared else where)
        except (OSError, pa.ArrowInvalid) as error:
            raise RunError(f"cannot read {where}: {error}; remove its receipt in {RECEIPTS}/ and run again") from None
        schema.check(declared, self.manifest["tables_version"], found, where)
        self._checked.add(name)

    def _table(self, name: str) -> Table:
        there = self.table_names
        for table in self.game.tables:
            if table.name == name and name in there:
                return table
        if name in (table.name for table in self.game.tables):
            raise RunError(
                f'table "{name}" is not in {self.place}, which was played with less detail; it has {", ".join(there)}'
            )
        near = difflib.get_close_matches(str(name), there, n=1)
        hint = f'did you mean "{near[0]}"? ' if near else ""
        raise RunError(f'there is no table "{name}"; {hint}tables are {", ".join(there)}')


def open_run(where: str | Path | Place, game: Game | None = None, receipts: bool = True) -> Run:
    """Open a run for reading; of a run that is not finished, the shards that are.

    Args:
        where: The run folder, such as ``runs/baseline``, or an address such as ``s3://bucket/runs/baseline``.
        game: The game, where it is not to be looked up by its name.
        receipts: Whether the shards are looked for; without, the run has none and tells only what is played.

    Raises:
        RunError: there is no run, or another version's.
    """
    place = place_of(where)
    manifest = read_manifest(place)
    if manifest is None:
        raise RunError(f"there is no run in {place}; play one with: blinksim run NAME --out {place}")
    game = game or get_game(manifest["experiment"]["game"])
    if manifest["tables_version"] != game.tables_version:
        raise RunError(
            f"{place} was written with version {manifest['tables_version']} of the tables; this blinksim reads "
            f"{game.tables_version}: use the version that wrote it, or run the experiment again with --fresh"
        )
    return Run(place, manifest, read_receipts(place) if receipts else {}, game)


def find_run(text: str) -> Place:
    """Where a run lies, by its folder, its name in ``runs/``, or its address in an object store.

    Raises:
        RunError: there is no run; those in ``runs/`` are named.
    """
    if "://" in text:
        return place_of(text)
    for path in (Path(text), RUNS / text):
        if (path / MANIFEST).is_file():
            return LocalPlace(path)
    known = sorted(str(found.parent) for found in RUNS.glob(f"*/{MANIFEST}"))
    there = f"{text} is not a run folder: it has no {MANIFEST}" if Path(text).exists() else f"there is no run {text}"
    here = f"runs here are {', '.join(known)}" if known else f"there are none in {RUNS}{os.sep} yet"
    raise RunError(f"{there}; {here}; play one with: blinksim run baseline")

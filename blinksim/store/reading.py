"""Reading a run folder: its manifest, and its tables as lazy frames."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from blinksim.games.game import Game, get_game
from blinksim.games.tables import Table
from blinksim.store import schema
from blinksim.store.runs import RECEIPTS, RunError, part_path, read_manifest, read_receipts

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Run:
    """A run folder, opened for reading.

    Attributes:
        folder: Where it is.
        manifest: What was played (see :func:`blinksim.simulate.batch.run`).
        shards: Receipts of the finished shards, by number.
        game: Descriptor of the game played.
    """

    folder: Path
    manifest: dict[str, Any]
    shards: dict[int, dict[str, Any]]
    game: Game

    @property
    def complete(self) -> bool:
        """Whether every shard of the experiment is there."""
        return bool(self.manifest["complete"])

    @property
    def num_games(self) -> int:
        """How many games are there."""
        return sum(shard["games"] for shard in self.shards.values())

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables."""
        return tuple(table.name for table in self.game.tables)

    def files(self, table: str) -> list[Path]:
        """The part files of a table, in order.

        Raises:
            RunError: there is no such table.
        """
        self._table(table)
        return [part_path(self.folder, table, number) for number in self.shards]

    def scan(self, table: str) -> pl.LazyFrame:
        """A table as a lazy frame, its parts in order, their schemas checked.

        Raises:
            RunError: there is no such table, or the run has no finished shard yet.
            SchemaError: a part is not what the schema says.
        """
        import polars as pl

        declared = self._table(table)
        files = self.files(table)
        if not files:
            raise RunError(f"{self.folder} has no finished games yet; run the experiment")
        for file in files:
            try:
                found = pq.read_schema(file)
            except (OSError, pa.ArrowInvalid) as error:
                raise RunError(
                    f"cannot read {file}: {error}; remove its receipt in {RECEIPTS}/ and run again"
                ) from None
            schema.check(declared, self.manifest["tables_version"], found, str(file))
        return pl.scan_parquet(files)

    def _table(self, name: str) -> Table:
        for table in self.game.tables:
            if table.name == name:
                return table
        raise RunError(f'there is no table "{name}"; tables are {", ".join(self.table_names)}')


def open_run(folder: str | Path, game: Game | None = None) -> Run:
    """Open a run folder for reading; a run that is not finished shows the shards that are.

    Args:
        folder: The run folder, such as ``runs/baseline``.
        game: The game, where it is not to be looked up by its name.

    Raises:
        RunError: there is no run, or another version's.
    """
    path = Path(folder)
    manifest = read_manifest(path)
    if manifest is None:
        raise RunError(f"there is no run in {path}; play one with: blinksim run NAME --out {path}")
    game = game or get_game(manifest["experiment"]["game"])
    if manifest["tables_version"] != game.tables_version:
        raise RunError(
            f"{path} was written with version {manifest['tables_version']} of the tables; this blinksim reads "
            f"{game.tables_version}: use the version that wrote it, or run the experiment again with --fresh"
        )
    return Run(path, manifest, read_receipts(path), game)

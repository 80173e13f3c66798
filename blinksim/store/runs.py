"""Run folders: part files, receipts, the manifest, and reading them back.

::

    runs/NAME/manifest.json                     what was played, and the list of finished shards
    runs/NAME/shards/shard-00012.json           receipt of a shard, written after all its parts
    runs/NAME/failed/3p-d12-….blink.jsonl       record so far of a game that a mistake stopped
    runs/NAME/TABLE/part-00012.parquet          rows of one table from one shard

Every file is written under a temporary name, forced to the disk and renamed, so that what stands under its own name is
whole. A shard counts once its receipt stands; parts without a receipt are written over.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from blinksim.errors import UserError
from blinksim.games.game import Game, get_game
from blinksim.games.tables import Table
from blinksim.store import schema

if TYPE_CHECKING:
    import polars as pl

MANIFEST = "manifest.json"
RECEIPTS = "shards"
TEMPORARY = ".tmp"
MANIFEST_VERSION = 1
RUN_BLOCK = "run"
"""The one part of a manifest that may differ between two runs of the same experiment."""


class RunError(UserError):
    """A run folder cannot be used as asked."""


def part_path(folder: Path, table: str, number: int) -> Path:
    """The part file of a table and a shard."""
    return folder / table / f"part-{number:05d}.parquet"


def receipt_path(folder: Path, number: int) -> Path:
    """The receipt of a shard."""
    return folder / RECEIPTS / f"shard-{number:05d}.json"


def write_bytes(path: Path, data: bytes | memoryview) -> None:
    """Write a file so that it is either whole or not there.

    Raises:
        RunError: the disk is full, or the folder cannot be written to.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise RunError(
            f"cannot write {path}: {error.strerror or error}; what is already there stays valid: make room or "
            "name another folder with --out, then run the same again to go on"
        ) from error


def _sync_folder(folder: Path) -> None:
    """Force a rename to the disk, where the system has a way to."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


@dataclass(frozen=True)
class EncodedPart:
    """One table of a shard as the bytes of its file."""

    data: memoryview
    rows: int
    sha256: str


def encode_part(arrow_table: Any) -> EncodedPart:
    """A table as the bytes of a Parquet file; the same bytes for the same rows."""
    sink = pa.BufferOutputStream()
    # Names are dictionaries. Numbers go as differences, a tenth larger than dictionaries and half the time; statistics
    # of pages would help nobody, as a part is read whole.
    fields = list(arrow_table.schema)
    names = [field.name for field in fields if pa.types.is_dictionary(field.type)]
    encodings = {f.name: "DELTA_BINARY_PACKED" for f in fields if pa.types.is_integer(f.type) and f.type != pa.uint64()}
    pq.write_table(
        arrow_table,
        sink,
        compression="zstd",
        use_dictionary=names,
        column_encoding=encodings,
        write_statistics=False,
        row_group_size=1 << 22,
    )
    data = memoryview(sink.getvalue())
    return EncodedPart(data, arrow_table.num_rows, hashlib.sha256(data).hexdigest())


def write_shard(folder: Path, receipt: Mapping[str, Any], parts: Mapping[str, EncodedPart]) -> dict[str, Any]:
    """Write the parts of a shard, then its receipt.

    Args:
        folder: Run folder.
        receipt: ``number`` and whatever else describes the shard.
        parts: By table name.

    Returns:
        The receipt with ``parts`` added: by table ``rows``, ``bytes`` and ``sha256``.

    Raises:
        RunError: a file cannot be written.
    """
    for name, part in parts.items():
        write_bytes(part_path(folder, name, receipt["number"]), part.data)
    told = {name: {"rows": p.rows, "bytes": len(p.data), "sha256": p.sha256} for name, p in parts.items()}
    complete = {**receipt, "parts": told}
    write_bytes(receipt_path(folder, receipt["number"]), _json(complete))
    return complete


def read_receipts(folder: Path) -> dict[int, dict[str, Any]]:
    """The receipts of all finished shards by number; those whose parts are gone or cut short are left out."""
    receipts = {}
    for path in sorted((folder / RECEIPTS).glob("shard-*.json")):
        receipt = _read_json(path)
        if all(
            _has_size(part_path(folder, t, receipt["number"]), part["bytes"]) for t, part in receipt["parts"].items()
        ):
            receipts[receipt["number"]] = receipt
    return dict(sorted(receipts.items()))


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise RunError(f"cannot read {path}: {error}; start the run over with --fresh") from None
    if not isinstance(data, dict):
        raise RunError(f"{path} is not what blinksim writes; start the run over with --fresh")
    return data


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a run.

    Raises:
        RunError: the file cannot be written.
    """
    write_bytes(folder / MANIFEST, _json(manifest))


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a run folder, None where there is no folder yet or an empty one.

    Raises:
        RunError: the folder holds something else than a run, or its manifest cannot be read.
    """
    if not (folder / MANIFEST).is_file():
        if folder.is_file() or _holds_files(folder):
            raise RunError(
                f"{folder} is there and is not a run folder: it has no {MANIFEST}; name another folder with --out"
            )
        return None
    manifest = _read_json(folder / MANIFEST)
    if manifest.get("manifest") != MANIFEST_VERSION:
        raise RunError(
            f"{folder / MANIFEST} has the form {manifest.get('manifest')!r}; this blinksim reads {MANIFEST_VERSION}: "
            "use the version that wrote it, or start over with --fresh"
        )
    return manifest


def _holds_files(folder: Path) -> bool:
    """Whether anything whole is in a folder: a write that was killed leaves a temporary file and nothing else."""
    return folder.is_dir() and any(path.suffix != TEMPORARY for path in folder.iterdir())


def sweep(folder: Path) -> None:
    """Remove the temporary files of writes that were killed."""
    for path in [*folder.glob(f".*{TEMPORARY}"), *folder.glob(f"*/.*{TEMPORARY}")]:
        path.unlink(missing_ok=True)


def clear_run(folder: Path, tables: Sequence[str]) -> None:
    """Remove what a run wrote, and nothing else.

    Raises:
        RunError: the folder holds something else than a run, or cannot be emptied.
    """
    if not _holds_files(folder):
        return
    if not (folder / MANIFEST).is_file():
        raise RunError(f"{folder} is not a run folder: it has no {MANIFEST}; it is left as it is")
    try:
        for name in (*tables, RECEIPTS):
            if (folder / name).is_dir():
                shutil.rmtree(folder / name)
        # Last: until then the folder says what it is, should this be interrupted.
        (folder / MANIFEST).unlink()
    except OSError as error:
        raise RunError(f"cannot empty {folder}: {error}") from error


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

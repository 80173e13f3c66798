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

if TYPE_CHECKING:
    pass

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

"""Run folders: part files, receipts and the manifest; how they are written, and what is there.

::

    runs/NAME/manifest.json                     what was played, and the list of finished shards
    runs/NAME/shards/shard-00012.json           receipt of a shard, written after all its parts
    runs/NAME/failed/3p-d12-….blink.jsonl       record so far of a game that a mistake stopped
    runs/NAME/TABLE/part-00012.parquet          rows of one table from one shard
    runs/NAME/records/part-00012.jsonl.zst      records of a shard's games, where the detail is ``full``

The folder may lie on this machine or in an object store (:mod:`blinksim.store.places`). Every file is whole or not
there. A shard counts once its receipt stands; parts without a receipt are written over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from blinksim.store.places import Place, RunError, place_of, write_bytes

__all__ = [
    "FAILED",
    "MANIFEST",
    "MANIFEST_VERSION",
    "RECEIPTS",
    "RECORDS",
    "RUN_BLOCK",
    "EncodedPart",
    "Place",
    "RunError",
    "clear_run",
    "encode_part",
    "encoded",
    "part_name",
    "part_path",
    "read_manifest",
    "read_receipts",
    "receipt_name",
    "receipt_path",
    "sweep",
    "write_bytes",
    "write_manifest",
    "write_shard",
]

MANIFEST = "manifest.json"
RECEIPTS = "shards"
FAILED = "failed"
"""Folder of the records of games that failed."""
RECORDS = "records"
"""Folder of the packed records of all games."""
MANIFEST_VERSION = 1
RUN_BLOCK = "run"
"""The one part of a manifest that may differ between two runs of the same experiment."""
READERS = 16
"""Receipts read at a time: a store answers each in its own time."""


def part_name(table: str, number: int) -> str:
    """The part file of a table, or of the records, and a shard."""
    return f"{table}/part-{number:05d}.{'jsonl.zst' if table == RECORDS else 'parquet'}"


def receipt_name(number: int) -> str:
    """The receipt of a shard."""
    return f"{RECEIPTS}/shard-{number:05d}.json"


def part_path(folder: Path, table: str, number: int) -> Path:
    """The part file of a table and a shard in a folder of this machine."""
    return folder / part_name(table, number)


def receipt_path(folder: Path, number: int) -> Path:
    """The receipt of a shard in a folder of this machine."""
    return folder / receipt_name(number)


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


@dataclass(frozen=True)
class EncodedPart:
    """One table of a shard as the bytes of its file."""

    data: memoryview | bytes
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
    return encoded(memoryview(sink.getvalue()), arrow_table.num_rows)


def encoded(data: memoryview | bytes, rows: int) -> EncodedPart:
    """A part from the bytes of its file."""
    return EncodedPart(data, rows, hashlib.sha256(data).hexdigest())


def write_shard(
    folder: str | Path | Place,
    receipt: Mapping[str, Any],
    parts: Mapping[str, EncodedPart],
    files: Mapping[str, bytes] | None = None,
) -> dict[str, Any]:
    """Write the files of a shard, then its parts, then its receipt.

    Args:
        folder: The run.
        receipt: ``number`` and whatever else describes the shard.
        parts: By table name.
        files: Further files by name, such as records of games that failed.

    Returns:
        The receipt with ``parts`` added: by table ``rows``, ``bytes`` and ``sha256``.

    Raises:
        RunError: a file cannot be written.
    """
    place = place_of(folder)
    for name, data in (files or {}).items():
        place.write(name, data)
    for name, part in parts.items():
        place.write(part_name(name, receipt["number"]), part.data)
    told = {name: {"rows": p.rows, "bytes": len(p.data), "sha256": p.sha256} for name, p in parts.items()}
    complete = {**receipt, "parts": told}
    place.write(receipt_name(receipt["number"]), _json(complete))
    return complete


def read_receipts(folder: str | Path | Place) -> dict[int, dict[str, Any]]:
    """The receipts of all finished shards by number; those whose parts are gone or cut short are left out.

    Raises:
        RunError: a receipt cannot be read.
    """
    place = place_of(folder)
    sizes: dict[str, dict[str, int]] = {}
    receipts = {}
    with ThreadPoolExecutor(READERS) as pool:
        for receipt in pool.map(lambda name: _read_json(place, name), place.names(RECEIPTS)):
            number, parts = receipt["number"], receipt["parts"]
            for table in parts:
                if table not in sizes:
                    sizes[table] = place.sizes(table)
            if all(sizes[table].get(part_name(table, number)) == part["bytes"] for table, part in parts.items()):
                receipts[number] = receipt
    return dict(sorted(receipts.items()))


def _read_json(place: Place, name: str) -> dict[str, Any]:
    try:
        data = json.loads(place.read(name).decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise RunError(f"cannot read {place.uri(name)}: {error}; start the run over with --fresh") from None
    if not isinstance(data, dict):
        raise RunError(f"{place.uri(name)} is not what blinksim writes; start the run over with --fresh")
    return data


def write_manifest(folder: str | Path | Place, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a run.

    Raises:
        RunError: the file cannot be written.
    """
    place_of(folder).write(MANIFEST, _json(manifest))


def read_manifest(folder: str | Path | Place) -> dict[str, Any] | None:
    """The manifest of a run, None where there is nothing yet.

    Raises:
        RunError: something else than a run lies there, or its manifest cannot be read.
    """
    place = place_of(folder)
    if place.size(MANIFEST) is None:
        if not place.is_empty():
            raise RunError(
                f"{place} is there and is not a run folder: it has no {MANIFEST}; name another folder with --out"
            )
        return None
    manifest = _read_json(place, MANIFEST)
    if manifest.get("manifest") != MANIFEST_VERSION:
        raise RunError(
            f"{place.uri(MANIFEST)} has the form {manifest.get('manifest')!r}; this blinksim reads {MANIFEST_VERSION}: "
            "use the version that wrote it, or start over with --fresh"
        )
    return manifest


def sweep(folder: str | Path | Place) -> None:
    """Remove what writes that were killed have left."""
    place_of(folder).sweep()


def clear_run(folder: str | Path | Place, tables: Sequence[str]) -> None:
    """Remove what a run wrote, and nothing else.

    Raises:
        RunError: something else than a run lies there, or it cannot be removed.
    """
    place = place_of(folder)
    if place.is_empty():
        return
    if place.size(MANIFEST) is None:
        raise RunError(f"{place} is not a run folder: it has no {MANIFEST}; it is left as it is")
    # Receipts first: parts without one count for nothing. The manifest last: until then the folder says what it is,
    # should this be interrupted.
    for name in (RECEIPTS, *tables, FAILED, RECORDS, MANIFEST):
        place.remove(name)

"""Holding the files of a run against what its receipts say: checksum, schema, rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from blinksim.games.tables import Table
from blinksim.store import schema
from blinksim.store.places import Place, RunError


def check_file(place: Place, name: str, told: Mapping[str, Any]) -> tuple[bytes | None, list[str]]:
    """Read a file of a run and hold it against its receipt.

    Args:
        place: Where the run lies.
        name: The file.
        told: ``bytes`` and ``sha256``, as the receipt has them.

    Returns:
        The file's bytes, None where it cannot be read; and a sentence for what is wrong, none where all is well.
    """
    try:
        data = place.read(name)
    except RunError as error:
        return None, [f"{name} is missing" if place.size(name) is None else str(error)]
    if len(data) != told["bytes"]:
        return data, [f"{name} has {len(data):,} bytes, {told['bytes']:,} in its receipt"]
    found = hashlib.sha256(data).hexdigest()
    if found != told["sha256"]:
        return data, [f"{name} has another checksum than its receipt: {found[:12]}…, not {told['sha256'][:12]}…"]
    return data, []


def check_table(table: Table, version: int, name: str, data: bytes, rows: int) -> list[str]:
    """Hold a part against the schema of its table and the rows that its receipt tells.

    Args:
        table: Declaration of the table.
        version: Version of the game's tables.
        name: The file, for the sentences.
        data: Its bytes.
        rows: How many rows the receipt has.

    Returns:
        A sentence for what is wrong, none where all is well.
    """
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        schema.check(table, version, file.schema_arrow, name)
    except schema.SchemaError as error:
        return [str(error)]
    except (OSError, pa.ArrowException) as error:
        return [f"{name} cannot be read as a table: {error}"]
    if file.metadata.num_rows != rows:
        return [f"{name} has {file.metadata.num_rows:,} rows, {rows:,} in its receipt"]
    return []


def read_part(data: bytes, columns: Sequence[str] | None = None) -> Any:
    """The rows of a part as an Arrow table, from the bytes of its file; only some columns where they are named.

    Raises:
        OSError, pa.ArrowException: the bytes are no whole Parquet file.
    """
    # In this thread: after reading in threads, pyarrow 26 now and then aborts when the process ends.
    return pq.ParquetFile(pa.BufferReader(data)).read(None if columns is None else list(columns), use_threads=False)

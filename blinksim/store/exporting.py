"""Writing a table of a run as one file for other tools, without ever holding it whole."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from blinksim.store.runs import RunError

if TYPE_CHECKING:
    from blinksim.store.reading import Run


def export_table(run: Run, table: str, path: Path) -> Path:
    """Write a table as one CSV or Parquet file; nulls are empty in CSV.

    Args:
        run: The run, finished or not.
        table: Name of the table.
        path: The file, ending in ``.csv`` or ``.parquet``; one that is there is replaced once the new one is whole.

    Raises:
        RunError: there is no such table, a part cannot be read, or the file cannot be written.
    """
    import polars as pl

    rows = run.scan(table)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Opened here, so that a folder that cannot be written to is told apart from a part that cannot be read.
        with unfinished.open("wb") as file:
            if path.suffix == ".csv":
                rows.sink_csv(file, engine="streaming")
            else:
                rows.sink_parquet(file, compression="zstd", engine="streaming")
        unfinished.replace(path)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}; make room or name another folder") from error
    except pl.exceptions.PolarsError as error:
        raise RunError(
            f"cannot read table {table} of {run.place}: {error}; what is wrong says: blinksim runs verify {run.place}"
        ) from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return path

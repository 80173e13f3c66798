"""Places: where a run lies, a folder of this machine or an object store, behind one small set of verbs.

Names are relative, with ``/`` between their parts, as in the listing at the top of :mod:`blinksim.store.runs`. What is
written is whole or not there: a folder gets a temporary file that is forced to the disk and renamed; an object store
shows an object once all of it has arrived.
"""

from __future__ import annotations

import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from blinksim.errors import UserError

TEMPORARY = ".tmp"
GO_ON = (
    "what is already there stays valid: make room or name another folder with --out, then run the same again to go on"
)
"""Ends the name of a file that is being written."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://")


class RunError(UserError):
    """A run folder, or the place where it lies, cannot be used as asked."""


class Place(ABC):
    """Where files lie under relative names."""

    shared = False
    """Whether every machine reaches it under the same address, so that whoever has played a shard may write it."""

    @abstractmethod
    def write(self, name: str, data: bytes | memoryview) -> None:
        """Write a file so that it is either whole or not there, over an older one of its name.

        Raises:
            RunError: it cannot be written: the disk is full, the folder read-only, the store out of reach.
        """

    @abstractmethod
    def read(self, name: str) -> bytes:
        """All of a file.

        Raises:
            RunError: it is not there, or cannot be read.
        """

    @abstractmethod
    def sizes(self, folder: str = "") -> dict[str, int]:
        """The files that lie directly in a folder, by name from the place's root, in order, and their bytes.

        Files that are still being written are left out; a folder that is not there has none.

        Raises:
            RunError: the place is out of reach.
        """

    @abstractmethod
    def is_empty(self) -> bool:
        """Whether nothing whole lies here: a write that was killed leaves a temporary file and nothing else.

        Raises:
            RunError: the place is out of reach, or is a file.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, or a folder and all in it; no mistake where there is none.

        Raises:
            RunError: it cannot be removed.
        """

    @abstractmethod
    def uri(self, name: str = "") -> str:
        """What polars reads a file by, together with :attr:`options`; no password stands in it."""

    @property
    def options(self) -> dict[str, str]:
        """polars' ``storage_options`` for what :meth:`uri` names."""
        return {}

    def size(self, name: str) -> int | None:
        """The bytes of a file, None where there is none.

        Raises:
            RunError: the place is out of reach.
        """
        return self.sizes(name.rpartition("/")[0]).get(name)

    def names(self, folder: str = "") -> list[str]:
        """The names of :meth:`sizes`."""
        return list(self.sizes(folder))

    def sweep(self) -> None:  # noqa: B027  # object stores keep nothing that is not whole
        """Remove what writes that were killed have left."""


class LocalPlace(Place):
    """A folder of this machine; it is made when the first file is written.

    Attributes:
        path: The folder.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __str__(self) -> str:
        return str(self.path)

    def write(self, name: str, data: bytes | memoryview) -> None:
        write_bytes(self.path / name, data, GO_ON)

    def read(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except OSError as error:
            raise RunError(f"cannot read {self.path / name}: {error.strerror or error}") from None

    def sizes(self, folder: str = "") -> dict[str, int]:
        try:
            found = [entry for entry in os.scandir(self.path / folder) if entry.is_file()]
            files = {entry.name: entry.stat().st_size for entry in found if not entry.name.endswith(TEMPORARY)}
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise RunError(f"cannot look into {self.path / folder}: {error.strerror or error}") from None
        return {f"{folder}/{name}" if folder else name: files[name] for name in sorted(files)}

    def size(self, name: str) -> int | None:
        path = self.path / name
        return path.stat().st_size if path.is_file() else None

    def is_empty(self) -> bool:
        if self.path.is_file():
            raise RunError(f"{self.path} is a file; a run needs a folder: name another one with --out")
        return not self.path.is_dir() or all(path.suffix == TEMPORARY for path in self.path.iterdir())

    def remove(self, name: str) -> None:
        path = self.path / name
        try:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"cannot remove {path}: {error.strerror or error}") from error

    def uri(self, name: str = "") -> str:
        return str(self.path / name)

    def sweep(self) -> None:
        for path in [*self.path.glob(f".*{TEMPORARY}"), *self.path.glob(f"*/.*{TEMPORARY}")]:
            with suppress(OSError):  # a read-only folder: the next write says so
                path.unlink(missing_ok=True)


class ObjectStore(Place):
    """A prefix of an object store, by an address that pyarrow's file systems take.

    ``s3://bucket/runs/baseline`` finds its key in the environment, as other S3 programs do; what is special about a
    store follows the address: ``s3://bucket/run?endpoint_override=127.0.0.1:5000&scheme=http&region=us-east-1``.
    """

    shared = True

    def __init__(self, uri: str) -> None:
        """Note the address; the store is not asked anything yet.

        Raises:
            RunError: the address is not one, or this pyarrow has no file system for it.
        """
        import pyarrow as pa
        import pyarrow.fs

        self._parts = urlsplit(uri)
        self._query = {key: values[-1] for key, values in parse_qs(self._parts.query).items()}
        try:
            self._files, path = pa.fs.FileSystem.from_uri(_frugal(uri))
        except (pa.ArrowException, ValueError, OSError) as error:
            raise RunError(
                f"{self._shown()} is no place for a run: {error}; give a folder, or an address such as "
                "s3://bucket/runs/baseline"
            ) from None
        self._root = path.strip("/")
        if not self._root:
            raise RunError(f"{self._shown()} names no bucket; give an address such as s3://bucket/runs/baseline")

    def _shown(self) -> str:
        """The address without key and secret."""
        host = self._parts.netloc.rpartition("@")[2]
        return f"{self._parts.scheme}://{host}{self._parts.path}".rstrip("/")

    def __str__(self) -> str:
        return self._shown()

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    @contextmanager
    def _told(self, doing: str, name: str) -> Iterator[None]:
        """Make a sentence of what the store says."""
        try:
            yield
        except OSError as error:
            raise RunError(
                f"cannot {doing} {self.uri(name)}: {error}; what is already there stays valid: see to it that the "
                "store can be reached, then run the same again to go on"
            ) from None

    def write(self, name: str, data: bytes | memoryview) -> None:
        with self._told("write", name), self._files.open_output_stream(self._path(name), compression=None) as out:
            out.write(data)

    def read(self, name: str) -> bytes:
        with self._told("read", name), self._files.open_input_stream(self._path(name), compression=None) as stream:
            data: bytes = stream.read()
        return data

    def _entries(self, folder: str) -> list[Any]:
        from pyarrow.fs import FileSelector

        with self._told("look into", folder):
            entries: list[Any] = self._files.get_file_info(FileSelector(self._path(folder), allow_not_found=True))
        return entries

    def sizes(self, folder: str = "") -> dict[str, int]:
        found = {entry.base_name: entry.size for entry in self._entries(folder) if entry.is_file}
        return {f"{folder}/{name}" if folder else name: found[name] for name in sorted(found)}

    def size(self, name: str) -> int | None:
        with self._told("look for", name):
            entry = self._files.get_file_info(self._path(name))
        return int(entry.size) if entry.is_file else None

    def is_empty(self) -> bool:
        return not self._entries("")

    def remove(self, name: str) -> None:
        from pyarrow.fs import FileType

        with self._told("remove", name):
            entry = self._files.get_file_info(self._path(name))
            if entry.type == FileType.Directory:
                self._files.delete_dir(entry.path)
            elif entry.is_file:
                self._files.delete_file(entry.path)

    def uri(self, name: str = "") -> str:
        return f"{self._shown()}/{name}" if name else self._shown()

    @property
    def options(self) -> dict[str, str]:
        """polars' names for what the address says beside the place; nothing of it for other stores than S3."""
        if self._parts.scheme != "s3":
            return {}
        options = {}
        if "endpoint_override" in self._query:
            scheme = self._query.get("scheme", "https")
            endpoint = self._query["endpoint_override"]  # pyarrow takes a host and port, and a whole address as well
            options["aws_endpoint_url"] = endpoint if "://" in endpoint else f"{scheme}://{endpoint}"
            options["aws_allow_http"] = "true" if scheme == "http" else "false"
        if "region" in self._query:
            options["aws_region"] = self._query["region"]
        if self._parts.username is not None and self._parts.password is not None:
            options["aws_access_key_id"] = unquote(self._parts.username)
            options["aws_secret_access_key"] = unquote(self._parts.password)
        return options


def _frugal(uri: str) -> str:
    """An address with which pyarrow sends a small S3 object in one request; by itself it makes three."""
    if not uri.startswith("s3://") or "allow_delayed_open" in uri:
        return uri
    return f"{uri}{'&' if '?' in uri else '?'}allow_delayed_open=true"


def place_of(where: str | Path | Place) -> Place:
    """The place that a text names: an address with ``://``, or a folder.

    Raises:
        RunError: the address is not one.
    """
    if isinstance(where, Place):
        return where
    text = str(where)
    if isinstance(where, Path) or not _SCHEME.match(text):
        return LocalPlace(where)
    if text.startswith("file://"):
        return LocalPlace(unquote(urlsplit(text).path))
    return ObjectStore(text)


def write_bytes(path: Path, data: bytes | memoryview, advice: str = "make room or name another file") -> None:
    """Write a file of this machine so that it is either whole or not there.

    Args:
        path: The file; folders are made.
        data: What it is to hold.
        advice: What to do where it cannot be written, for the message.

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
        raise RunError(f"cannot write {path}: {error.strerror or error}; {advice}") from error


def _sync_folder(folder: Path) -> None:
    """Force a rename to the disk, where the system has a way to."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

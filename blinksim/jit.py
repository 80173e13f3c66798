"""The one decorator for compiled functions, its cache, and the bit helpers that need the compiler.

Everything compiled goes through :func:`kernel`. Compiled code is kept on disk, keyed by the text of the module that
holds the function *and of every project module that one imports*, because Numba by itself notices a change only in the
file that holds the function. Compiler switches that change the code (bounds checks, optimisation) are part of the key;
where the project lies is not, so that a checkout and an installed copy share.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import caching, cgutils, types
from numba.extending import intrinsic

PLAIN = bool(numba.config.DISABLE_JIT)
"""True under ``NUMBA_DISABLE_JIT=1``: every kernel is then the Python function that it was written as."""

PACKAGE = Path(__file__).resolve().parent
KEPT_VERSIONS = 4
"""How many versions of a module's compiled code stay on disk."""
F = TypeVar("F", bound=Callable[..., Any])

_IMPORT = re.compile(
    r"^(?:from\s+(blinksim[\w.]*)\s+import\s+(\([^)]*\)|[^\n#]*)|import\s+(blinksim[\w.]*))", re.MULTILINE
)
_COMMENT = re.compile(r"#[^\n]*")


@cache
def _module_file(name: str) -> Path | None:
    """The file of a project module, or None where ``name`` is not a module."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def _imports(path: Path) -> frozenset[Path]:
    """The project files that one source file imports by name."""
    found = set()
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))  # comments may stand between the names of a list
    for module, names, plain in _IMPORT.findall(text):
        for name in [
            plain or module,
            *(f"{module}.{n.split(' as ')[0].strip()}" for n in names.strip("() \n").split(",")),
        ]:
            file = _module_file(name)
            if file is not None:
                found.add(file)
    return frozenset(found)


def sources(path: Path) -> list[Path]:
    """The file and every project file that it imports, directly or not, sorted."""
    seen: set[Path] = set()
    todo = [path]
    while todo:
        file = todo.pop()
        if file not in seen:
            seen.add(file)
            todo += _imports(file)
    return sorted(seen)


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


@cache
def source_key(path: Path) -> str:
    """Hash of all that the compiled form of a file's functions depends on."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    # In the order of their content: where a copy lies, in a checkout or installed, must not matter.
    for part in sorted(_digest(file) for file in sources(path)):
        digest.update(part)
    return digest.hexdigest()


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: ``BLINKSIM_CACHE_DIR``, or the user's cache folder."""
    base = os.environ.get("BLINKSIM_CACHE_DIR")
    if not base:
        home = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
        base = str(Path(home or Path.home() / ".cache") / "blinksim")
    switches = f"opt{os.environ.get('NUMBA_OPT', '3')}-bounds{numba.config.BOUNDSCHECK or 0}"
    return Path(base) / "kernels" / switches


class _SourceLocator(caching._CacheLocator):  # type: ignore[misc]
    """Tells Numba's cache where code lives and when it is stale (see the module docstring)."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._file = Path(py_file).resolve()
        self._line = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_folder() / f"{self._name()}-{source_key(self._file)[:16]}")

    def _name(self) -> str:
        if self._file.is_relative_to(PACKAGE):
            return ".".join(self._file.relative_to(PACKAGE).with_suffix("").parts)
        return f"strategy.{self._file.stem}"

    def ensure_cache_path(self) -> None:
        """Make the folder of this version; of older ones keep the last few."""
        path = Path(self.get_cache_path())
        if path.is_dir():
            return
        super().ensure_cache_path()
        versions = sorted(path.parent.glob(f"{self._name()}-????????????????"), key=lambda p: p.stat().st_mtime)
        for old in versions[:-KEPT_VERSIONS]:
            shutil.rmtree(old, ignore_errors=True)

    def get_source_stamp(self) -> str:
        return source_key(self._file)

    def get_disambiguator(self) -> str:
        return f"{self._file.stem}-{self._line}"

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _SourceLocator | None:
        if not Path(py_file).is_file():
            return None
        locator = cls(py_func, py_file)
        locator.ensure_cache_path()
        return locator


class _CacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_SourceLocator]


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _CacheImpl


def kernel(function: F) -> F:
    """Compile a function on first use, without the interpreter lock, and keep the result on disk.

    The function keeps its types for the type checker. With ``NUMBA_DISABLE_JIT=1`` it is returned as it is.
    """
    if PLAIN:
        return function
    dispatcher = numba.njit(nogil=True)(function)
    try:
        dispatcher._cache = _KernelCache(function)
    except (RuntimeError, OSError):  # no file behind it, or nowhere to write: compile in every process
        return dispatcher
    return dispatcher


def record_type(dtype: np.dtype[Any]) -> Any:
    """The compiler's type of one record of a dtype."""
    return numba.from_dtype(dtype)


def function_type(result: Any, *arguments: Any) -> Any:
    """The type of a pointer to a compiled function, so that callers need not compile it in."""
    return types.FunctionType(result(*arguments))


MIXER = 0x9E3779B97F4A7C15
"""Odd multiplier of the hash: 2**64 over the golden ratio."""

if PLAIN:

    def popcount(bits: Any) -> int:
        """How many bits of a uint64 are set."""
        return int(bits).bit_count()

    def lowest(bits: Any) -> int:
        """The number of the lowest set bit of a non-zero uint64."""
        value = int(bits)
        return (value & -value).bit_length() - 1

    def drop_lowest(bits: Any) -> np.uint64:
        """A uint64 without its lowest set bit."""
        value = int(bits)
        return np.uint64(value & (value - 1) if value else 0)

    def mix(h: Any, value: Any) -> np.uint64:
        """Mix a uint64 into a 64-bit hash."""
        mixed = ((int(h) ^ int(value)) * MIXER) & (2**64 - 1)
        return np.uint64(mixed ^ (mixed >> 32))

    def as_signed(bits: Any) -> Any:
        """The int64 with the bits of a uint64."""
        return int(bits) - (int(bits) >> 63 << 64)

    def copy_fields(to: Any, source: Any, num_bytes: int) -> None:
        """Copy the fields that lie in the first ``num_bytes`` of two records with a common beginning."""
        for name, (_, offset, *_rest) in source.dtype.fields.items():
            if offset < num_bytes:
                to[name] = source[name]

    def clear_fields(record: Any) -> None:
        """Set every field of a record to zero."""
        for name in record.dtype.names:
            record[name] = 0

else:

    @kernel
    def mix(h: Any, value: Any) -> np.uint64:
        """Mix a uint64 into a 64-bit hash."""
        mixed = (h ^ value) * np.uint64(MIXER)
        return mixed ^ (mixed >> np.uint64(32))

    @kernel
    def as_signed(bits: Any) -> Any:
        """The int64 with the bits of a uint64."""
        return np.int64(bits)

    @intrinsic
    def popcount(typingctx: Any, bits: Any) -> Any:
        """How many bits of a uint64 are set."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic
    def lowest(typingctx: Any, bits: Any) -> Any:
        """The number of the lowest set bit of a non-zero uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.true_bit)

        return types.int64(types.uint64), codegen

    @intrinsic
    def drop_lowest(typingctx: Any, bits: Any) -> Any:
        """A uint64 without its lowest set bit."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            one = context.get_constant(types.uint64, 1)
            return builder.and_(args[0], builder.sub(args[0], one))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def copy_fields(typingctx: Any, to: Any, source: Any, num_bytes: Any) -> Any:
        """Copy the first ``num_bytes`` (a constant) of one record into another."""
        if not isinstance(num_bytes, types.IntegerLiteral):
            return None
        count = num_bytes.literal_value

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cgutils.raw_memcpy(builder, args[0], args[1], context.get_constant(types.intp, count), 1)
            return context.get_dummy_value()

        return types.void(to, source, num_bytes), codegen

    @intrinsic
    def clear_fields(typingctx: Any, record: Any) -> Any:
        """Set every byte of a record to zero."""
        size = record.size

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cgutils.memset(builder, args[0], context.get_constant(types.intp, size), 0)
            return context.get_dummy_value()

        return types.void(record), codegen


def is_cached(function: Any) -> bool:
    """Whether the compiled form of a kernel that only one signature calls lies in the cache, fresh."""
    if PLAIN:
        return True
    cache_file = getattr(function._cache, "_cache_file", None)
    return cache_file is not None and bool(cache_file._load_index())


def is_cacheable(function: Any) -> bool:
    """Whether there is a place where the compiled form can be kept."""
    return not PLAIN and getattr(function._cache, "_cache_file", None) is not None

"""The decorator for compiled functions: what its cache depends on, and the bit helpers in both modes."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

from blinksim import jit
from blinksim.jit import PLAIN, as_signed, clear_fields, copy_fields, drop_lowest, kernel, lowest, mix, popcount

CACHED = (jit._module_file, jit._imports, jit._digest, jit.source_key, jit.cache_folder)


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forget what was read about sources and folders, before and after."""
    for function in CACHED:
        function.cache_clear()
    yield
    for function in CACHED:
        function.cache_clear()


# The key of the cache

PROJECT = {
    "jit.py": "",
    "one.py": "from blinksim.two import TWO\nfrom blinksim.inner import deep as far, flat\n",
    "two.py": "import numpy as np\nimport blinksim.three\nTWO = 2\n",
    "three.py": "from blinksim.four import (\n    FOUR,  # (4)\n    five,\n)\nfrom blinksim import six  # here\n",
    "four/__init__.py": "FOUR = 4\n",
    "four/five.py": "FIVE = 5\n",
    "six.py": "from blinksim.one import ONE\n",
    "inner/__init__.py": "",
    "inner/deep.py": "DEEP = 1\n",
    "inner/flat.py": "FLAT = 1\n",
    "stranger.py": "from blinksim.one import ONE\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None) -> Path:
    """A package ``blinksim`` of a few modules that import each other in every form there is."""
    root = tmp_path / "blinksim"
    for name, text in PROJECT.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(jit, "PACKAGE", root)
    return root


def key(root: Path) -> str:
    """The key of ``one.py``, read anew."""
    for function in CACHED:
        function.cache_clear()
    return jit.source_key(root / "one.py")


def test_sources_are_all_that_a_module_imports(project: Path) -> None:
    found = {str(path.relative_to(project)) for path in jit.sources(project / "one.py")}
    assert found == set(PROJECT) - {"jit.py", "stranger.py"}


@pytest.mark.parametrize("name", sorted(set(PROJECT) - {"jit.py", "stranger.py"}))
def test_the_key_changes_with_the_text_of_every_imported_module(project: Path, name: str) -> None:
    before = key(project)
    with (project / name).open("a") as file:
        file.write("# another text\n")
    assert key(project) != before


@pytest.mark.parametrize("name", ["jit.py", "stranger.py"])
def test_the_key_is_the_same_after_a_change_elsewhere(project: Path, name: str) -> None:
    before = key(project)
    with (project / name).open("a") as file:
        file.write("# another text\n")
    assert key(project) == before


def test_every_kernel_module_depends_on_jit_and_on_its_rules(fresh: None) -> None:
    """The real package: what applies a choice depends on the rule modules, and not on texts or records of games.

    The layout of records is not among the sources: it is part of each signature, by which Numba files its results.
    """
    blink = jit.PACKAGE / "games" / "blink"
    found = {path.name for path in jit.sources(blink / "apply.py")}
    assert {"jit.py", "cards.py", "enums.py", "facts.py", "duel.py", "victory.py", "rounds.py", "scoring.py"} <= found
    assert not {"text.py", "record.py", "ruleset_files.py", "check.py", "legal.py"} & found


def test_compiler_switches_are_in_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh: None) -> None:
    monkeypatch.setenv("BLINKSIM_CACHE_DIR", str(tmp_path))
    folders = set()
    for opt, bounds in ((3, None), (3, 1), (1, None), (1, 1)):
        monkeypatch.setenv("NUMBA_OPT", str(opt))
        monkeypatch.setattr(numba.config, "BOUNDSCHECK", bounds)
        jit.cache_folder.cache_clear()
        assert jit.cache_folder().is_relative_to(tmp_path)
        folders.add(jit.cache_folder())
    assert len(folders) == 4


def test_without_a_setting_the_cache_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh: None) -> None:
    monkeypatch.delenv("BLINKSIM_CACHE_DIR", raising=False)
    monkeypatch.setenv("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", str(tmp_path))
    assert jit.cache_folder().is_relative_to(tmp_path / "blinksim")


MODULES = {
    "__init__.py": "",
    "used.py": "NUMBER = {number}\n",
    "unused.py": "OTHER = {number}\n",
    "here.py": (
        "from blinksim.jit import kernel\n"
        "from blinksim.used import NUMBER\n\n\n"
        "@kernel\n"
        "def answer():\n"
        "    return NUMBER\n"
    ),
    "__main__.py": (
        "from blinksim.here import answer\n"
        "print(answer(), sum(answer.stats.cache_hits.values()), sum(answer.stats.cache_misses.values()))\n"
    ),
}


def test_a_changed_constant_elsewhere_compiles_anew(tmp_path: Path) -> None:
    """End to end, in processes of their own: cached as long as nothing it depends on changes, never stale."""
    root = tmp_path / "blinksim"
    root.mkdir()
    shutil.copy(Path(jit.__file__), root / "jit.py")
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "0",
        "BLINKSIM_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(tmp_path),
    }

    def run(used: int, unused: int) -> list[int]:
        for name, text in MODULES.items():
            text = text.replace("{number}", str(used if name == "used.py" else unused))
            (root / name).write_text(text)
        command = [sys.executable, "-m", "blinksim"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [int(word) for word in done.stdout.split()]

    assert run(used=1, unused=1) == [1, 0, 1]
    assert run(used=1, unused=2) == [1, 1, 0]
    assert run(used=3, unused=2) == [3, 0, 1]


def times_three(value: int) -> int:
    return 3 * value


def test_without_a_writable_cache_a_kernel_still_works(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh: None
) -> None:
    """Where the folder cannot be made (here a file is in its way) every process compiles for itself."""
    (tmp_path / "in the way").write_text("")
    monkeypatch.setenv("BLINKSIM_CACHE_DIR", str(tmp_path / "in the way"))
    jit.cache_folder.cache_clear()
    assert kernel(times_three)(14) == 42


def test_a_kernel_without_a_file_still_works() -> None:
    names: dict[str, Any] = {}
    exec("def plus_one(value):\n    return value + 1\n", names)
    assert kernel(names["plus_one"])(41) == 42


# Bit helpers, in the mode of this process and in plain Python


@kernel
def count_bits(bits: np.uint64) -> int:
    return popcount(bits)


@kernel
def find_lowest(bits: np.uint64) -> int:
    return lowest(bits)


@kernel
def without_lowest(bits: np.uint64) -> np.uint64:
    return drop_lowest(bits)


@kernel
def copy_first_field(to: Any, source: Any) -> None:
    copy_fields(to, source, 16)


@kernel
def clear_record(record: Any) -> None:
    clear_fields(record)


def plain_jit() -> ModuleType:
    """``blinksim.jit`` once more, as ``NUMBA_DISABLE_JIT=1`` makes it."""
    before = numba.config.DISABLE_JIT
    numba.config.DISABLE_JIT = 1
    try:
        spec = importlib.util.spec_from_file_location("plain_jit", jit.__file__)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        numba.config.DISABLE_JIT = before
    assert module.PLAIN
    return module


RANDOM = random.Random(1)
WORDS = [1, 2, 3, 2**63, 2**64 - 1, 2**63 + 1, 0x5555555555555555, *(RANDOM.getrandbits(64) for _ in range(30))]


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    return plain_jit()


@pytest.mark.parametrize("word", [0, *WORDS])
def test_popcount(plain: ModuleType, word: int) -> None:
    assert count_bits(np.uint64(word)) == plain.popcount(np.uint64(word)) == bin(word).count("1")


@pytest.mark.parametrize("word", WORDS)
def test_lowest(plain: ModuleType, word: int) -> None:
    expected = next(i for i in range(64) if word >> i & 1)
    assert find_lowest(np.uint64(word)) == plain.lowest(np.uint64(word)) == expected


@pytest.mark.parametrize("word", [0, *WORDS])
def test_drop_lowest(plain: ModuleType, word: int) -> None:
    expected = word & (word - 1) if word else 0
    for found in (without_lowest(np.uint64(word)), plain.drop_lowest(np.uint64(word))):
        assert int(found) == expected
    assert isinstance(plain.drop_lowest(np.uint64(word)), np.uint64)


@pytest.mark.parametrize("word", [0, *WORDS])
def test_mix_and_as_signed(plain: ModuleType, word: int) -> None:
    h = 0x0123456789ABCDEF
    mixed = (h ^ word) * jit.MIXER % 2**64
    mixed ^= mixed >> 32
    for module in (jit, plain):
        assert int(module.mix(np.uint64(h), np.uint64(word))) == mixed
        assert module.as_signed(np.uint64(word)) == (word if word < 2**63 else word - 2**64)
    assert mix is jit.mix
    assert as_signed is jit.as_signed


def test_mixing_spreads() -> None:
    """Neighbouring values land far apart: no two alike, and about half of the bits differ."""
    hashes = [int(mix(np.uint64(0), np.uint64(i))) for i in range(500)]
    assert len(set(hashes)) == 500
    assert 20 < np.mean([(a ^ b).bit_count() for a, b in pairwise(hashes)]) < 44


def test_records_are_copied_and_cleared(plain: ModuleType) -> None:
    long = np.dtype([("a", "i8"), ("b", "u8", (1,)), ("c", "i4", (3,))], align=True)
    short = np.dtype([("a", "i8"), ("b", "u8", (1,)), ("d", "f8")], align=True)
    for copies, clears in (
        (copy_first_field, clear_record),
        (lambda to, source: plain.copy_fields(to, source, 16), plain.clear_fields),
    ):
        source = np.zeros(1, long).view(np.recarray)[0]
        source.a, source.b, source.c = -5, 2**63, (1, 2, 3)
        to = np.zeros(1, short).view(np.recarray)[0]
        to.d = 1.5
        copies(to, source)
        assert (int(to.a), int(to.b[0]), float(to.d)) == (-5, 2**63, 1.5)
        clears(source)
        assert source.tobytes() == bytes(long.itemsize)


def test_plain_kernels_are_the_functions_themselves(plain: ModuleType) -> None:
    assert plain.kernel(times_three) is times_three
    assert (kernel(times_three) is times_three) == PLAIN

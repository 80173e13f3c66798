"""The rules page against the program: parameters with defaults, and every id that code and tests cite."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blinksim.games.blink import ruleset as rulesets

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "blinksim" / "games" / "blink"
PAGE = (PACKAGE / "rules.md").read_text(encoding="utf-8")
TABLES = PAGE[PAGE.index("## 1. Components") : PAGE.index("### 1.9 Exact")]
SCALARS = {
    key: parameter.default
    for key, parameter in rulesets.parameters().items()
    if key.split(".")[0] not in ("tiers", "terrain") and "[]" not in key and not isinstance(parameter.default, list)
}


def row_of(key: str) -> list[str]:
    """The cells of a parameter's table row in section 1."""
    for line in TABLES.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if f"`{key}`" in cells[0].split(", "):
            return cells
    raise AssertionError(f"section 1 has no row for {key}")


def test_version() -> None:
    """The opening names the version of the rules that the program has."""
    assert f"**`RULES_VERSION = {rulesets.RULES_VERSION}`.**" in PAGE


@pytest.mark.parametrize("key", SCALARS)
def test_default(key: str) -> None:
    """Section 1: each parameter has a row with its default."""
    default = SCALARS[key]
    shown = "none" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
    assert shown in re.findall(r"[\w.]+", row_of(key)[1])


@pytest.mark.parametrize("key", [key for key in rulesets.parameters() if key not in SCALARS])
def test_named(key: str) -> None:
    """Section 1: the parameters that are lists or tables are named, terrain and bands by their last word."""
    group, last = key.split(".")[0], key.rsplit(".", 1)[-1]
    name = {"terrain": f"terrain.X.{last}", "victory": last if "[]" in key else key}.get(group, key)
    assert f"`{name}`" in TABLES


def cited(pattern: str, *folders: Path) -> dict[str, str]:
    """Ids found in the Python files of some folders, each with one file that cites it."""
    found = {}
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            for name in re.findall(pattern, file.read_text(encoding="utf-8")):
                found[name] = file.name
    return found


@pytest.mark.parametrize("letter", ["R", "K"])
def test_cited_ids_exist(letter: str) -> None:
    """Every ruling and choice that code or tests cite is a row of section 6 or 9."""
    rows = set(re.findall(rf"^\| ({letter}\d+) ", PAGE, re.MULTILINE))
    names = cited(rf"\b{letter}[1-9]\d*\b", PACKAGE, ROOT / "tests" / "games" / "blink")
    assert len(names) > 5
    assert {name: file for name, file in names.items() if name not in rows} == {}


def test_cited_sections_exist() -> None:
    """Every section that docstrings cite as "section n.m" is a heading."""
    headings = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", PAGE, re.MULTILINE))
    names = cited(r"[Ss]ection (\d+(?:\.\d+)?)", PACKAGE)
    assert len(names) > 5
    assert {name: file for name, file in names.items() if name not in headings} == {}


def test_every_vector_is_replayed() -> None:
    """Section 7: each id of a table is cited by a test in ``vectors``."""
    section = PAGE[PAGE.index("## 7. Golden vectors") : PAGE.index("## 8. Games")]
    ids = set(re.findall(r"^\| ([A-Z]{1,2}\d+) \|", section, re.MULTILINE))
    assert len(ids) > 90
    text = "".join(file.read_text(encoding="utf-8") for file in (Path(__file__).parent / "vectors").glob("test_*.py"))
    missing = {
        name for name in ids if not re.search(rf"\b{name}(?!\d)", text) and not re.search(rf"_{name.lower()}_", text)
    }
    assert missing == set()

"""The README's commands and snippets work as they stand, in their order, in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# ([\w/]+\.(?:toml|py))\n")


def commands(text: str) -> list[str]:
    return [line.split("  #")[0].strip() for line in text.splitlines() if line.startswith("blinksim ")]


def test_every_block_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files named in a block's first line are written, commands run, Python executed."""
    from blinksim.cli.app import app

    monkeypatch.chdir(tmp_path)
    done = {"commands": 0, "snippets": 0, "files": 0}
    for language, text in BLOCKS:
        named = FILE_NAME.match(text)
        if named:
            path = tmp_path / named[1]
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            done["files"] += 1
        elif language == "python":
            exec(compile(text, "README.md", "exec"), {})
            done["snippets"] += 1
        elif language == "sh":
            for command in commands(text):
                result = CliRunner().invoke(app, shlex.split(command)[1:])
                assert result.exit_code == 0, f"{command}\n{result.output}"
                done["commands"] += 1
    assert done == {"commands": 15, "snippets": 2, "files": 3}


def test_the_commands_of_the_table_exist() -> None:
    from blinksim.cli.app import app

    named = re.findall(r"^\| `blinksim (\w+)", README, re.MULTILINE)
    assert len(named) == 21
    for name in named:
        assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_files_that_are_linked_exist() -> None:
    for link in re.findall(r"\]\(([\w/.]+)\)", README):
        assert (ROOT / link).is_file(), link

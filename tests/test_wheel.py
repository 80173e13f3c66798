"""The wheel alone is a working blinksim: strategies and experiments are inside it."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (path,) = out.glob("*.whl")
    return path


def test_what_it_carries(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for name in (
        "blinksim/_shipped/strategies/builder.py",
        "blinksim/_shipped/experiments/baseline.toml",
        "blinksim/games/blink/rulesets/standard.toml",
        "blinksim/games/blink/rules.md",
        "blinksim/report/page.html.j2",
    ):
        assert name in names


def test_it_runs_in_a_fresh_environment_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Its own environment; only what blinksim depends on is borrowed from the one that runs the tests."""
    venv.create(tmp_path / "env", with_pip=True)
    bin_folder = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    python = str(bin_folder / "python")
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True, cwd=tmp_path
    )
    (site,) = (tmp_path / "env").rglob("site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")

    def call(*arguments: str) -> str:
        return subprocess.run(arguments, check=True, capture_output=True, text=True, cwd=tmp_path).stdout

    where = call(python, "-c", "import blinksim; print(blinksim.__file__)").strip()
    assert Path(where).is_relative_to(tmp_path / "env")
    blinksim = str(bin_folder / "blinksim")
    out = call(blinksim, "run", "baseline", "--deals", "1")
    assert "Next: blinksim report runs/baseline" in out
    assert (tmp_path / "runs" / "baseline" / "manifest.json").is_file()

"""``blinksim --help`` answers at once: what a command needs is imported when it runs."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numba", "numpy", "polars", "pandas", "pyarrow", "matplotlib", "scipy", "statsmodels", "pydantic", "joblib")


def test_the_command_line_imports_nothing_heavy() -> None:
    code = "import sys, blinksim.cli.app; print(*[name for name in sys.argv[1:] if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code, *HEAVY], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []

"""The notebook in ``experiments/`` runs from its first cell to its last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib
import pytest

from tests.report.tiny import play

NOTEBOOK = Path(__file__).parents[1] / "experiments" / "reading_a_run.ipynb"


def cells(kind: str) -> list[dict[str, Any]]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_its_cells_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Jupyter runs them: in the folder of the notebook, one after the other, in one namespace."""
    play(tmp_path / "runs" / "baseline")
    (tmp_path / "experiments").mkdir()
    monkeypatch.chdir(tmp_path / "experiments")
    names: dict[str, Any] = {}
    with matplotlib.rc_context({"backend": "agg"}):
        matplotlib.use("agg")
        for cell in cells("code"):
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
        import matplotlib.pyplot as plt

        plt.close("all")
    assert names["run"].num_games == 45
    assert names["lengths"]["games"].to_list() == [36, 9]
    assert set(names["frame"]["seat"]) == {0, 1, 2}
    assert names["points"]["n_blocks"].to_list() == [6, 6, 3, 3, 3]
    assert len(names["ax"].get_yticklabels()) == 5


def test_it_is_kept_without_outputs() -> None:
    for cell in cells("code"):
        assert cell["outputs"] == [] and cell["execution_count"] is None
    assert NOTEBOOK.stat().st_size < 10_000

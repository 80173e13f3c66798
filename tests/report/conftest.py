"""One tiny run for all tests of this folder."""

from pathlib import Path

import pytest

from tests.report.tiny import play


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("runs") / "tiny", set=["trick.last_place_gold=2"])

"""The page in a browser: on a phone and on a desk, light and dark, its folded parts opened."""

from pathlib import Path

import pytest

from blinksim.report.page import make_report, render
from blinksim.report.source import source_of
from blinksim.store.reading import open_run
from tests.report.browser import NEEDED, find_browser, look_at
from tests.report.tiny import play

PHONE, DESK = 390, 1280


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("runs") / "looked-at"
    run = open_run(play(folder, players=[2], deals=4, line_ups=[{"mirror": ["random"]}]))
    return render(make_report(source_of(run)).page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_page_is_right_in_a_browser(page: str, dark: bool, tmp_path: Path) -> None:
    found, complaints = look_at(page, [PHONE, DESK], dark, tmp_path)
    assert not complaints
    for seen, width in zip(found, [PHONE, DESK], strict=True):
        assert seen["width"] == width == seen["closedWidth"] == seen["openWidth"], seen["tooWide"]
        assert not seen["tooWide"]
        assert seen["dark"] is dark and (sum(map(int, seen["paper"][4:-1].split(","))) < 200) is dark
        assert not seen["faint"]
        assert seen["folded"] > 5 and not seen["shut"] and not seen["unopened"]
        assert seen["maps"] > 40 and seen["signs"] > 500 and not seen["blank"] and not seen["small"]
        assert seen["figures"] > 50 and not seen["silent"]


def test_without_a_browser_the_test_is_skipped_unless_one_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(NEEDED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="install Debian's package chromium"):
        find_browser()
    monkeypatch.setenv(NEEDED, "1")
    with pytest.raises(pytest.fail.Exception, match="install Debian's package chromium"):
        find_browser()


def test_what_is_wrong_is_noticed(tmp_path: Path) -> None:
    page = """<!DOCTYPE html><html lang="en"><body style="background: #fff; color: #ccc">
    <div class="scroll" style="overflow: auto"><table style="width: 900px"><tr><td>may scroll</td></tr></table></div>
    <p style="width: 500px">too wide</p><figure><svg viewBox="0 0 9 9"><path d="nonsense"/></svg></figure>
    <details open class="maps"><summary>open</summary><svg width="50" role="img" aria-label="nothing"><use href="#no"/>
    </svg></details><script>nothing.there</script></body></html>"""
    (seen,), complaints = look_at(page, [PHONE], False, tmp_path)
    assert ["nothing is not defined" in complaints[-1], "attribute d" in complaints[0]] == [True, True]
    assert seen["openWidth"] > PHONE and seen["tooWide"] == ["P too wide", "P too wide"]
    assert len(seen["faint"]) == 3 and seen["shut"] and seen["unopened"]
    assert (seen["maps"], seen["signs"], seen["blank"], seen["small"], len(seen["silent"])) == (1, 1, 1, 1, 3)

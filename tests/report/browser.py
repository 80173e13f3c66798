"""A page looked at in a real browser, without a library: Chromium's own switches and a script that writes down what it
finds.

The page stands in frames of several widths, since a browser's window is never as narrow as a phone. The script runs in
the page around the frames; the pages themselves stay as they are.
"""

import html
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NEEDED = "BLINKSIM_NEED_BROWSER"
"""Environment variable: where it is set, a missing browser is a failure."""

SECONDS = 120

LOOK = """
const contrast = (one, other) => {
  const light = text => {
    const parts = text.match(/[\\d.]+/g).map(v => v / 255);
    const [r, g, b] = parts.map(v => v <= .04 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + .05) / (low + .05);
};
const name = node => (node.tagName + " " + node.textContent.trim().slice(0, 50)).trim();
const look = frame => {
  const page = frame.contentDocument, view = frame.contentWindow, root = page.documentElement;
  const every = (what, where = page) => [...where.querySelectorAll(what)];
  const scrolls = node => node.closest(".scroll") !== null && !node.matches(".scroll");
  const tooWide = () => every("body *").filter(node => !scrolls(node) && !node.closest("svg")?.contains(node.parentNode)
    && node.getBoundingClientRect().right > root.clientWidth + 1).map(name);
  const width = root.clientWidth, closedWidth = root.scrollWidth, wideClosed = tooWide();
  const folded = every("details");
  const shut = folded.filter(node => node.open || every("svg, table", node).some(n => n.checkVisibility({
    contentVisibilityAuto: true }))).map(name);
  folded.forEach(node => node.querySelector("summary").click());
  const unopened = folded.filter(node => !node.open || every("svg, table", node).some(n => !n.checkVisibility()))
    .map(name);
  const paper = view.getComputedStyle(page.body).backgroundColor;
  const maps = every(".maps svg");
  return {
    width, closedWidth, openWidth: root.scrollWidth, tooWide: [...wideClosed, ...tooWide()], shut, unopened,
    folded: folded.length, maps: maps.length, signs: every(".maps use").length,
    blank: every(".maps use, .key use").filter(node => node.getBBox().width < 5).length,
    small: maps.filter(node => node.getBoundingClientRect().width < 100).length,
    dark: view.matchMedia("(prefers-color-scheme: dark)").matches, paper,
    faint: every("h1, h2, h3, p, li, a, td, th, caption, summary, figcaption").filter(node =>
      node.textContent.trim() && node.closest(".strip") === null
      && contrast(view.getComputedStyle(node).color, paper) < 4.5).map(name),
    figures: every("figure").length,
    silent: [...every("svg").filter(node => node.getAttribute("role") !== "img"
      || (node.getAttribute("aria-label") ?? "").length < 30), ...every("img:not([alt])"),
      ...every("figure").filter(node => !node.querySelector("figcaption")?.textContent.trim())].map(name),
  };
};
addEventListener("load", () => {
  const found = [...document.querySelectorAll("iframe")].map(look);
  document.getElementById("found").textContent = JSON.stringify(found);
});
"""


def find_browser() -> str:
    """The browser's program; skips the test where there is none, and fails it where there must be one."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    missing = f"no {', '.join(BROWSERS)} is here; install Debian's package chromium to see the page in a browser"
    if os.environ.get(NEEDED):
        pytest.fail(missing)
    pytest.skip(missing)


def look_at(page: str, widths: Sequence[int], dark: bool, folder: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Open a page and look around in it.

    Args:
        page: Its HTML.
        widths: How wide it is shown, in pixels.
        dark: Whether the reader likes it dark.
        folder: Where the browser may write.

    Returns:
        What was found at each width, and what the browser complained of.
    """
    frames = "".join(
        f'<iframe width="{width}" height="800" style="border: 0" srcdoc="{html.escape(page)}"></iframe>'
        for width in widths
    )
    around = folder / "around.html"
    text = f'<!DOCTYPE html><meta charset="utf-8"><script>{LOOK}</script>{frames}<pre id="found"></pre>'
    around.write_text(text, encoding="utf-8")
    command = [
        find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--hide-scrollbars", "--no-first-run", "--window-size=1400,900", "--enable-logging=stderr",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--user-data-dir={folder / 'browser'}",
        "--virtual-time-budget=10000", "--dump-dom", around.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    found = re.search(r'<pre id="found">(.*?)</pre>\s*</body>', done.stdout, flags=re.DOTALL)
    assert found is not None and found[1], f"the browser ran no script: {done.stderr[-2000:]}"
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(found[1])), complaints

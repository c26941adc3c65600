"""The page's own typeface: every character of every view is in it, in at most six sizes."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.page.browsing import Served, visit
from tests.page.test_every_view import VIEWS

SIZES_PX = {11.0, 12.0, 13.0, 14.0, 18.0, 21.0}
SIZES = """() => [...new Set([...document.querySelectorAll('#app *')]
  .filter((x) => x.checkVisibility() && [...x.childNodes].some((y) => y.nodeType === 3 && y.data.trim()))
  .map((x) => Math.round(10 * parseFloat(getComputedStyle(x).fontSize)) / 10))]"""
WIDTHS = """() => [...'0123456789'].map((digit) => {
  const made = document.createElement('span');
  made.textContent = digit.repeat(100);
  document.querySelector('#main').append(made);
  const width = made.getBoundingClientRect().width;
  made.remove();
  return width;
})"""
PICTOGRAMS = {"▶", "❚", "✸", "▴"}  # no typeface for text has them
PLAIN = ("code", "pre", "textarea", "option")  # in the system's fixed-width typeface, or drawn by the browser


@pytest.fixture(scope="module")
def address(ask: httpx.Client) -> Callable[[str], str]:
    """Return a function from a view to an address that shows much of it."""
    (worst,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    return lambda view: f"event/{worst['id']}" if view == "event" else view


def foreign(page: Page) -> dict[str, Any]:
    """Return the typefaces, other than the page's own, of elements with text, and examples of such texts."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    devtools.send("DOM.getDocument", {"depth": -1})
    marked = page.evaluate(
        """([plain, pictograms]) => {
          const own = [...document.querySelectorAll('#app *')]
            .filter((x) => x.checkVisibility() && !plain.includes(x.localName) && x.textContent.trim())
            .filter((x) => [...x.childNodes].every((y) => y.nodeType === 3))
            .filter((x) => ![...x.textContent].some((y) => pictograms.includes(y)));
          own.forEach((x, i) => x.setAttribute('data-nth', i));
          return own.map((x) => x.textContent);
        }""",
        [list(PLAIN), list(PICTOGRAMS)],
    )
    assert len(marked) > 10
    root = devtools.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    nodes = devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": "[data-nth]"})["nodeIds"]
    found: dict[str, Any] = {}
    for node, text in zip(nodes, marked, strict=True):
        for font in devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]:
            if not font["isCustomFont"]:
                found.setdefault(font["familyName"], Counter())[text] += 1
    return found


@pytest.mark.parametrize("view", VIEWS)
def test_every_character_is_in_the_typeface_in_six_sizes(
    browser: Browser, served: Served, address: Callable[[str], str], view: str
) -> None:
    with visit(browser, served) as visited:
        page = visited.open(address(view), VIEWS[view])
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.fonts.ready.then((all) => [...all].map((x) => x.status))") == [
            "loaded"
        ]
        assert set(page.evaluate(SIZES)) <= SIZES_PX
        assert foreign(page) == {}


def test_figures_are_as_wide_as_each_other(browser: Browser, served: Served) -> None:
    with visit(browser, served) as visited:
        page = visited.open("run", VIEWS["run"])
        page.evaluate("document.fonts.ready.then(() => 0)")
        widths = page.evaluate(WIDTHS)
        assert len(widths) == 10
        assert max(widths) - min(widths) < 0.1

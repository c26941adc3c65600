"""What every view loads at first, and that it stays of use when the network goes."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from api.routes.page import DIST
from tests.page.browsing import Served, visit
from tests.page.test_every_view import VIEWS

MOST_BYTES = 400_000  # of scripts, styles and the typeface
GONE = "Failed to load resource: net::ERR_INTERNET_DISCONNECTED"
# What of a view must still be there without a network.
KEPT = {
    "globe": ".coming .event-list button",
    "overview": ".overview [data-picture=likelihood]",
    "events": ".rows .row[data-id]",
    "event": ".figures .plane",
    "fleets": "[data-list=fleets]",
    "proximities": ".page",
    "messages": ".page .empty, .page table",
    "administration": "[data-list=credentials] table",
    "sky": "#re-entries",
    "run": ".run .facts",
}


@pytest.fixture(scope="module")
def address(ask: httpx.Client) -> Callable[[str], str]:
    """Return a function from a view to its address."""
    (worst,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    return lambda view: f"event/{worst['id']}" if view == "event" else view


def files_of(page: Page) -> dict[str, int]:
    """Return the files of the page that come, with their bytes as sent: a dictionary that grows."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    kinds: dict[str, str] = {}
    found: dict[str, int] = {}

    def begun(answer: dict[str, Any]) -> None:
        if answer["type"] in ("Script", "Stylesheet", "Font"):
            kinds[answer["requestId"]] = answer["response"]["url"]

    def ended(answer: dict[str, Any]) -> None:
        if answer["requestId"] in kinds:
            found[kinds[answer["requestId"]]] = int(answer["encodedDataLength"])

    devtools.on("Network.responseReceived", begun)
    devtools.on("Network.loadingFinished", ended)
    return found


def without_countdown(shown: Locator) -> str:
    """Return the text without the time left, which goes on without the service."""
    return re.sub(r"in \d+ (d|h|min)( \d+ (h|min))?", "in", shown.text_content() or "")


@pytest.mark.parametrize(
    "view", [view if view == "events" else pytest.param(view, marks=pytest.mark.slow) for view in VIEWS]
)
def test_it_is_light_and_stays_without_a_network(
    browser: Browser, served: Served, address: Callable[[str], str], view: str
) -> None:
    with visit(browser, served) as visited:
        files = files_of(visited.page)
        asked: list[str] = []
        visited.page.on("request", lambda request: asked.append(request.url))
        page = visited.open(address(view), VIEWS[view])
        page.wait_for_load_state("networkidle")
        assert sum(url.endswith(".woff2") for url in files) == 1
        answers = [url for url in asked if "/assets/" not in url]
        assert sorted(set(answers)) == sorted(answers)  # nothing is requested twice
        plain = sum(
            httpx.get(url, headers={"Accept-Encoding": "identity"}).num_bytes_downloaded for url in files
        )
        # Where a graphics card draws, the fine coasts come too.
        fine = sum(path.stat().st_size for path in (DIST / "assets").glob("coasts-*.js.gz"))
        assert 30_000 < fine < 80_000
        assert sum(files.values()) + fine * (view == "globe") < MOST_BYTES
        assert sum(files.values()) < 0.8 * plain  # headers are most of the smallest ones

        kept = page.locator(KEPT[view])
        before = without_countdown(kept.first)
        page.context.set_offline(True)
        page.evaluate("window.dispatchEvent(new Event('skysieve:unreachable'))")  # it looks for the service
        expect(page.locator(".banner.down")).to_be_visible()
        expect(kept.first).to_be_visible()
        assert without_countdown(kept.first) == before
        expect(page.locator("#main")).not_to_contain_text("TypeError")
        # What was not loaded is said to be out of reach; the way back leads to a view that is whole again.
        other = "Run" if view != "run" else "Events"
        page.get_by_role("link", name=other, exact=True).click()
        expect(page.locator(".failure")).to_contain_text("The service cannot be reached")
        page.context.set_offline(False)
        expect(page.locator(".failure")).to_have_count(0)
        expect(page.locator(".banner.down")).to_have_count(0)
        assert [said for said in visited.complaints if GONE not in said] == []
        visited.complaints.clear()


@pytest.mark.slow
def test_the_globe_goes_on_with_what_it_has_and_says_what_it_lacks(browser: Browser, served: Served) -> None:
    with visit(browser, served) as visited:
        page = visited.open("globe", VIEWS["globe"])
        page.wait_for_selector(".found button")  # the names are here
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        shown, canvas = page.locator(".time-bar time"), page.locator(".stage canvas")
        begun = shown.get_attribute("datetime") or ""
        expect(shown).not_to_have_attribute("datetime", begun)  # it moves on
        assert canvas.get_attribute("data-objects") != "0"
        page.get_by_label("payload").uncheck()
        expect(page.locator(".object-filters [role=status]").first).to_contain_text(" of ")
        page.get_by_label("Time shown").fill("40000")
        expect(canvas).to_have_attribute("data-objects", "0")  # no old positions under another time
        expect(page.locator(".stage-note")).to_contain_text("The service cannot be reached")
        expect(page.locator(".coming .event-list button").first).to_be_visible()
        page.get_by_role("button", name="Now").click()
        expect(canvas).not_to_have_attribute("data-objects", "0")  # those it has
        page.context.set_offline(False)
        page.get_by_label("Time shown").fill("40000")
        page.wait_for_selector(VIEWS["globe"])  # by itself
        assert [said for said in visited.complaints if GONE not in said] == []
        visited.complaints.clear()

"""From signing in to a saved report without a mouse: Tab, Enter and the arrow keys alone."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browsing import Served, visit
from tests.page.test_events_view import FIRST_ROW

MOST_TABS = 120


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until what is called so has the focus, which must be seen there."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.textContent?.trim()") == wanted:
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid", f"the focus on {wanted} is not seen"
            return
    pytest.fail(f"{MOST_TABS} times Tab do not lead to {wanted}")


@pytest.fixture
def second(ask: httpx.Client) -> int:
    events = ask.get("/conjunctions?limit=2&complexes=collapse").raise_for_status().json()["conjunctions"]
    return int(events[1]["id"])


def test_from_signing_in_to_a_saved_report(
    browser: Browser, served: Served, second: int, tmp_path: Path
) -> None:
    with visit(browser, served, signed_in=False) as visited:
        page = visited.page
        page.goto(f"{served.url}/#/run")
        expect(page.get_by_label("Access token")).to_be_focused()
        page.keyboard.type(served.token)
        page.keyboard.press("Enter")
        page.wait_for_selector(".run .facts")
        tab_to(page, "Events")
        page.keyboard.press("Enter")
        page.wait_for_selector(FIRST_ROW)
        page.keyboard.press("ArrowDown")
        expect(page.locator("#row-1")).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("grid")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/#/event/{second}")
        page.wait_for_selector(".figures .plane")
        tab_to(page, "At a glance")
        page.keyboard.press("ArrowLeft")  # round to the last one
        expect(page.get_by_role("tab", name="Take away")).to_be_focused()
        tab_to(page, "PDF")
        with page.expect_download() as started:
            page.keyboard.press("Enter")
        started.value.save_as(tmp_path / "report.pdf")
        assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_arrows_choose_rows_as_soon_as_the_list_is_there(
    browser: Browser, served: Served, ask: httpx.Client
) -> None:
    total = ask.get("/conjunctions?limit=1&complexes=collapse").raise_for_status().json()["total"]
    with visit(browser, served) as visited:
        page = visited.open("events", FIRST_ROW)
        page.keyboard.press("Enter")  # nothing is opened that was not chosen
        page.keyboard.press("End")
        expect(page.locator(f"#row-{total - 1}")).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Home")
        page.keyboard.press("g")
        page.wait_for_url("**/#/globe?event=*")


def test_keys_meant_for_a_field_stay_there(browser: Browser, served: Served) -> None:
    with visit(browser, served) as visited:
        page = visited.open("events", FIRST_ROW)
        field = page.get_by_label("Satellite")
        field.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("End")
        expect(field).to_be_focused()
        expect(page.locator("#row-0")).to_have_attribute("aria-selected", "true")

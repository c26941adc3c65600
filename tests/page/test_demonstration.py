"""A demonstration in a browser: nobody signs in, it is labelled, and no view fails."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.serving import service
from tests.page.test_events_view import FIRST_ROW


@pytest.fixture(scope="module")
def visitor(browser: Browser, synthetic_store: Path) -> Iterator[Visit]:
    with (
        service(synthetic_store, arguments=("--demo",), SKYSIEVE_RATE_LIMIT_PER_MINUTE="100000") as url,
        visit(browser, Served(url, ""), signed_in=False) as visited,
    ):
        yield visited


def test_a_visitor_looks_around(visitor: Visit) -> None:
    page = visitor.page
    for view in ("globe", "overview", "events", "fleets", "proximities", "run"):
        visitor.open(view, "#main > *")
        expect(page.get_by_text("Demonstration", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
        page.wait_for_load_state("networkidle")
        assert page.locator("#main .failure").count() == 0, view


def test_an_event_opens_with_all_its_parts(visitor: Visit) -> None:
    visitor.open("events", FIRST_ROW)
    visitor.page.locator(FIRST_ROW).first.click()
    visitor.page.wait_for_selector(".event h1")
    visitor.page.wait_for_load_state("networkidle")
    assert visitor.page.locator("#main .failure").count() == 0

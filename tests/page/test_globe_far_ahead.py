"""The globe reaches as far as a fleet looks ahead; what is typed there selects."""

import json
from datetime import timedelta
from typing import Any

import httpx
from playwright.sync_api import expect

from storage.times import parse_time, time_text
from tests.page.browsing import Visit
from tests.page.fleet_answers import FleetAnswers

READY = "canvas[data-objects]:not([data-objects='0'])"
LOOK_AHEAD_S = 72 * 3600


def test_the_bar_ends_with_the_longest_look_ahead(desk: Visit, ask: httpx.Client) -> None:
    FleetAnswers(ask).install(desk.page)
    page = desk.open("globe", READY)
    expect(page.get_by_label("Time shown")).to_have_attribute("max", str(LOOK_AHEAD_S))


def test_an_event_beyond_the_window_is_shown_at_its_time(desk: Visit, ask: httpx.Client) -> None:
    """Regression: the clock stopped at the end of the window, and "Replay the minute" did nothing."""
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    tca = time_text(parse_time(ask.get("/runs/current").json()["window_end"]) + timedelta(hours=30))

    def later(route: Any) -> None:
        route.fulfill(body=json.dumps({**route.fetch().json(), "tca": tca}), content_type="application/json")

    desk.page.route(f"**/conjunctions/{event['id']}", later)
    page = desk.open(f"globe?event={event['id']}", READY)
    expect(page.locator(".left-to-tca")).to_have_text("at TCA")
    expect(page.locator(".tca-mark")).to_be_visible()
    page.get_by_role("button", name="Replay the minute").click()
    expect(page.locator(".left-to-tca")).to_contain_text("before TCA")


def test_enter_in_the_search_selects(desk: Visit, ask: httpx.Client) -> None:
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    number = str(event["primary_norad_id"])
    page = desk.open("globe", READY)
    page.wait_for_selector(".found button")
    page.get_by_label("Name, number or owner").fill(number)
    page.get_by_label("Name, number or owner").press("Enter")
    expect(page.get_by_role("region", name="Selected object")).to_contain_text(number)
    assert f"object={number}" in page.url

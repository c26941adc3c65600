"""A narrow network: the list of events waits for nothing that it does not need."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.page.browsing import Visit
from tests.page.test_events_view import FIRST_ROW

NARROW_BITS_S = 1.6e6
OPENING_BYTES = 200_000  # a second at this rate; bench_page.py measures the time


def narrow(visited: Visit) -> list[dict[str, Any]]:
    """Make the network narrow; return the answers that come, as they come."""
    devtools = visited.page.context.new_cdp_session(visited.page)
    devtools.send("Network.enable")
    rate = NARROW_BITS_S / 8
    devtools.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 60, "downloadThroughput": rate, "uploadThroughput": rate},
    )
    found: list[dict[str, Any]] = []
    devtools.on("Network.loadingFinished", lambda answer: found.append(answer))
    return found


def test_the_list_does_not_wait_for_the_names_of_all_objects(desk: Visit) -> None:
    """Of 27,000 objects the names alone are 235 kB: 1.2 s at this rate."""
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))
    came = narrow(desk)
    page = desk.open("events", FIRST_ROW)
    assert [url for url in asked if "/objects" in url] == []
    page.wait_for_load_state("networkidle")
    assert sum(one["encodedDataLength"] for one in came) < OPENING_BYTES


def test_of_one_satellite_only_its_own_name_is_asked_for(desk: Visit, ask: httpx.Client) -> None:
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    number = event["primary_norad_id"]
    asked: list[httpx.URL] = []
    desk.page.on("request", lambda request: asked.append(httpx.URL(request.url)))
    page = desk.open(f"events?norad={number}", FIRST_ROW)
    expect(page.locator(".chosen")).to_contain_text(event["primary_name"])
    expect(page.locator(".object-strip h2")).to_contain_text(event["primary_name"])
    objects = [url for url in asked if url.path.endswith("/objects")]
    assert [url.params.get("norad_id") for url in objects] == [str(number)]


@pytest.mark.slow
def test_a_name_is_found_by_search_on_a_narrow_network(desk: Visit, ask: httpx.Client) -> None:
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    narrow(desk)
    page = desk.open("events", FIRST_ROW)
    page.get_by_label("Satellite").fill(event["primary_name"])
    page.keyboard.press("Enter")
    expect(page.locator(".chosen")).to_contain_text(event["primary_name"])

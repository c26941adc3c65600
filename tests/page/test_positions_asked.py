"""How often the globe asks for positions: not while the time is moved, one at a time, some left to others."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.page.browsing import Visit
from tests.page.conftest import OBJECTS
from tests.page.test_sign_in import forgive

DRAWN = f"canvas[data-objects='{OBJECTS}']"
NOTHING_DRAWN = "canvas[data-objects='0']"
NOTE = ".stage-note"


def asked_for(page: Page) -> list[str]:
    """Return the times whose positions are asked for, a list that grows."""
    times: list[str] = []

    def note(request: Request) -> None:
        if urlsplit(request.url).path == "/positions":
            times.extend(parse_qs(urlsplit(request.url).query)["at"])

    page.on("request", note)
    return times


def drag(page: Page, steps: int) -> None:
    """Move the time from one end to the other without letting go."""
    box = page.get_by_label("Time shown").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(steps):
        x = box["x"] + 5 + (box["width"] - 60) * step / steps
        page.mouse.move(x, box["y"] + box["height"] / 2)


@pytest.mark.slow
def test_a_time_that_is_dragged_asks_when_it_is_let_go(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    asked = asked_for(page)
    drag(page, 60)
    # Old positions are not shown under the new clock.
    page.wait_for_selector(NOTHING_DRAWN)
    expect(page.locator(NOTE)).to_have_text("Loading positions…")
    assert len(asked) <= 1  # the one ahead of the present may have been due
    page.mouse.up()
    page.wait_for_selector(DRAWN)
    expect(page.locator(NOTE)).to_be_hidden()
    assert len(asked) <= 3


@pytest.mark.slow
def test_a_key_held_down_asks_when_it_is_let_go(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    asked = asked_for(page)
    page.get_by_label("Time shown").focus()
    for _ in range(30):
        page.keyboard.press("PageUp")
    page.wait_for_selector(DRAWN)
    # A busy machine may let more than a quarter of a second pass between two of the 30.
    assert len(asked) <= 10


# Counted in the page: the browser may tell the end of a request later than the begin of the next. What is
# given up is over at once, though its promise says so only after the picture that asks for the next.
_COUNT = """() => {
  const own = window.fetch, seen = window.positions = { now: 0, most: 0 };
  window.fetch = async (path, asked) => {
    if (!String(path).startsWith("positions?")) return own(path, asked);
    seen.most = Math.max(seen.most, (seen.now += 1));
    let open = true;
    const end = () => { seen.now -= Number(open); open = false; };
    asked.signal.addEventListener("abort", end);
    try { const answer = await own(path, asked); return new Response(await answer.arrayBuffer(), answer); }
    finally { end(); }
  }; }"""


@pytest.mark.slow
def test_one_request_at_a_time_and_what_is_superseded_is_given_up(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    page.evaluate(_COUNT)
    page.route("**/positions?*", lambda _: None)  # never answered
    with page.expect_request("**/positions?*"):
        page.get_by_label("Time shown").fill("40000")
    with page.expect_event("requestfailed") as given_up:
        page.get_by_label("Time shown").fill("70000")
    assert "/positions?" in given_up.value.url
    page.unroute("**/positions?*")
    page.get_by_label("Time shown").fill("20000")
    page.wait_for_selector(DRAWN)
    assert page.evaluate("window.positions.most") == 1


@pytest.mark.slow
def test_the_last_requests_of_the_minute_are_left_to_the_lists(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)

    def nearly_used_up(route: Route) -> None:
        answer = route.fetch()
        told = {"RateLimit-Policy": '"credential";q=60;w=60', "RateLimit": '"credential";r=15;t=3'}
        route.fulfill(response=answer, headers={**answer.headers, **told})

    page.route("**/positions?*", nearly_used_up)
    page.wait_for_load_state("networkidle")  # what the view asks by itself has come
    asked = asked_for(page)
    with page.expect_request("**/positions?*"):
        page.get_by_label("Time shown").fill("50000")
    page.wait_for_selector(DRAWN)  # by the first frame alone
    assert len(asked) == 1
    with page.expect_request("**/positions?*"):  # after three seconds, by itself
        page.unroute("**/positions?*")


@pytest.mark.slow
def test_a_wait_counts_down_and_ends_in_an_answer(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    refusals = iter([True])

    def refused_once(route: Route) -> None:
        if next(refusals, False):
            headers = {"Retry-After": "4", "Content-Type": "application/problem+json"}
            route.fulfill(status=429, headers=headers, body='{"title": "Too many", "detail": "Wait."}')
        else:
            route.continue_()

    page.route("**/positions?*", refused_once)
    page.get_by_label("Time shown").fill("50000")
    # A busy machine shows some seconds for an instant only: two of them have to be seen, in their order.
    first = re.compile(r"Many requests: continuing in [34] s")
    expect(page.locator(".waiting")).to_have_text(first)
    expect(page.locator(".waiting")).to_have_text(re.compile(r"Many requests: continuing in [12] s"))
    page.wait_for_selector(DRAWN)
    expect(page.locator(".waiting")).to_be_empty()
    forgive(desk)


def let_run_be(page: Page, change: dict[str, Any]) -> None:
    def answer(route: Route) -> None:
        run = {**route.fetch().json(), **change}
        route.fulfill(body=json.dumps(run), content_type="application/json")

    page.route("**/runs/current", answer)


def test_no_time_outside_the_window_is_asked_for(desk: Visit) -> None:
    # Far from the window the service answers no positions at all.
    begin = datetime.now(UTC) + timedelta(days=5)
    window = [f"{time:%Y-%m-%dT%H:%M:%S}Z" for time in (begin, begin + timedelta(days=1))]
    let_run_be(desk.page, {"window_start": window[0], "window_end": window[1]})
    asked = asked_for(desk.page)
    desk.open("globe", DRAWN)
    assert asked
    assert all(window[0][:19] <= time[:19] <= window[1][:19] for time in asked)


@pytest.mark.slow
def test_the_last_frame_is_the_end_of_the_window(desk: Visit) -> None:
    # 700 s are two steps and a part of one, or one and a part of another.
    now = datetime.now(UTC).replace(microsecond=0)
    window = [f"{time:%Y-%m-%dT%H:%M:%S}Z" for time in (now, now + timedelta(seconds=700))]
    let_run_be(desk.page, {"window_start": window[0], "window_end": window[1]})
    asked = asked_for(desk.page)
    page = desk.open("globe", DRAWN)
    page.get_by_label("Time shown").fill("650")
    page.wait_for_selector(DRAWN)
    page.get_by_label("Speed").select_option("60")
    expect(page.locator(".time-bar time")).to_have_attribute("datetime", f"{window[1][:-1]}.000Z")
    page.wait_for_selector(DRAWN)
    assert f"{window[1][:-1]}.000Z" in asked
    assert [time for time in asked if not window[0][:19] <= time[:19] <= window[1][:19]] == []


def test_a_new_run_brings_its_own_window(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    before = page.get_by_label("Time shown").get_attribute("max")
    end = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%dT%H:%M:%S}Z"
    let_run_be(page, {"run_id": "later", "window_end": end})
    page.evaluate("window.dispatchEvent(new Event('skysieve:unreachable'))")  # it looks at the run at once
    expect(page.get_by_label("Time shown")).not_to_have_attribute("max", before or "")
    page.wait_for_selector(DRAWN)


@pytest.fixture
def historic(desk: Visit) -> Page:
    """Look at a run of years ago, as the page sees it."""
    let_run_be(desk.page, {"historic": True})
    return desk.open("globe", DRAWN)


@pytest.mark.slow
def test_a_historic_catalogue_has_one_clock(historic: Page) -> None:
    expect(historic.locator(".top .clock")).to_be_hidden()
    expect(historic.locator(".time-bar time")).to_be_visible()
    expect(historic.locator(".chip")).to_have_text("Data historic")
    expect(historic.locator(".chip .dot")).to_have_count(0)
    times = historic.locator(".event-list .meta").all_text_contents()
    assert times
    # No "in 13 h" of something years ago.
    assert [text for text in times if " into the window " not in text] == []
    historic.locator(".event-list button").first.click()
    historic.wait_for_selector(".card .plane")
    number = historic.locator(".key.primary").inner_text()
    historic.get_by_label("Name, number or owner").fill(number)
    historic.locator(".found button").first.click()
    historic.wait_for_selector(".card .event-list .meta")
    times = historic.locator(".card .event-list .meta").all_text_contents()
    assert [text for text in times if " into the window " not in text] == []

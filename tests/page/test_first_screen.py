"""What one sees first: the fleet's home once there is one, three steps, words that explain themselves."""

import json
import re

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.test_events_view import FIRST_ROW
from tests.page.test_every_view import AXE

FLEETS = "**/fleets?*"


def first(desk: Visit, fleets: list[dict[str, object]]) -> str:
    """Return the address that `#/` leads to if there are these fleets."""
    told = json.dumps({"fleets": fleets, "total": len(fleets)})
    desk.page.route(FLEETS, lambda route: route.fulfill(body=told, content_type="application/json"))
    desk.page.goto(desk.url)
    desk.page.wait_for_selector("#main > *")
    return desk.page.url.removeprefix(desk.url)


def test_the_only_fleet_is_the_first_screen(desk: Visit, ask: httpx.Client) -> None:
    answers = FleetAnswers(ask)
    answers.install(desk.page)
    assert first(desk, [answers.fleet]) == "/#/fleet/7"
    expect(desk.page.get_by_role("heading", level=1)).to_have_text(answers.fleet["name"])
    desk.page.get_by_role("link", name="Events", exact=True).click()
    desk.page.wait_for_url("**/#/events?fleet=7")  # the page is seen from the only fleet
    desk.page.wait_for_selector(FIRST_ROW)
    desk.page.get_by_role("link", name="skysieve", exact=True).click()
    desk.page.wait_for_url("**/#/fleet/7")
    desk.page.go_back()  # no entry in between, which would lead forward again
    desk.page.wait_for_selector(FIRST_ROW)


def test_of_several_fleets_the_list_is_the_first_screen(desk: Visit, ask: httpx.Client) -> None:
    one = FleetAnswers(ask).fleet
    assert first(desk, [one, one | {"id": 8, "name": "theirs"}]) == "/#/fleets"
    desk.page.get_by_role("link", name="theirs").wait_for()


@pytest.mark.parametrize("status", [200, 503])
def test_without_a_fleet_it_is_the_globe(desk: Visit, status: int) -> None:
    told = {"fleets": [], "total": 0, "title": "No data", "detail": "None."}
    desk.page.route(
        FLEETS,
        lambda route: route.fulfill(status=status, body=json.dumps(told), content_type="application/json"),
    )
    desk.page.goto(desk.url)
    desk.page.wait_for_selector("canvas[data-objects]")
    assert desk.page.url == f"{desk.url}/#/globe"
    desk.complaints[:] = [one for one in desk.complaints if "503" not in one]


def test_who_has_a_fleet_is_not_told_to_make_one(desk: Visit, ask: httpx.Client) -> None:
    FleetAnswers(ask).install(desk.page)
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    page = desk.open(f"event/{event['id']}", ".what-next a[href='#/fleets']")
    expect(page.locator(".what-next")).to_contain_text("Alerts and calendars")
    expect(page.locator(".what-next").get_by_text("make a fleet")).to_have_count(0)
    expect(page.locator(".first-visit").get_by_text("Make a fleet")).to_be_hidden()


def test_three_steps_are_shown_until_hidden(browser: Browser, served: Served) -> None:
    with visit(browser, served) as visited:
        page = visited.open("events", FIRST_ROW)
        steps = page.get_by_role("complementary", name="First steps")
        expect(steps.get_by_role("listitem")).to_have_count(3)
        expect(steps.get_by_role("link", name="Make a fleet")).to_have_attribute("href", "#/fleets")
        for width in (1440, 1024, 768, 390):
            page.set_viewport_size({"width": width, "height": 844})
            visited.screenshot(f"first-visit-{width}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        steps.get_by_role("button", name="Hide").click()
        expect(steps).to_have_count(0)
        page.reload()
        page.wait_for_selector(FIRST_ROW)
        expect(steps).to_have_count(0)


def test_a_word_explains_itself_by_mouse_and_keyboard(desk: Visit) -> None:
    page = desk.open("run", ".run .facts")
    page.get_by_text("Words", exact=True).click()
    word = page.get_by_role("button", name="ephemeris", exact=True)
    meaning = page.locator("dfn[data-term=ephemeris] .meaning")
    expect(word).to_have_accessible_description(re.compile("The path of an object as"))
    expect(meaning).to_be_hidden()
    word.focus()
    page.keyboard.press("Enter")
    expect(meaning).to_be_visible()
    box = meaning.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1440
    assert box["y"] + box["height"] <= 900
    desk.screenshot("glossary")
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()
    expect(word).to_be_focused()
    word.click()
    expect(meaning).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    page.locator("h1").click()
    expect(meaning).to_be_hidden()


def test_an_object_leads_to_the_public_catalogues(desk: Visit, ask: httpx.Client) -> None:
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    number = event["secondary_norad_id"]
    page = desk.open(f"events?norad={number}", ".object-strip a")
    expect(page.locator(".object-strip h2")).to_contain_text(event["secondary_name"])
    links = page.locator(".elsewhere a")
    found = {one.inner_text().split("\n")[0]: one for one in links.all()}
    assert set(found) == {"CelesTrak", "SATCAT", "Space-Track"}
    for one in found.values():
        assert str(number) in (one.get_attribute("href") or "")
        assert set((one.get_attribute("rel") or "").split()) == {"noopener", "noreferrer"}
        assert one.get_attribute("target") == "_blank"
    hosts = [httpx.URL(one.get_attribute("href") or "").host for one in found.values()]
    assert sorted(hosts) == ["celestrak.org", "celestrak.org", "www.space-track.org"]


def test_a_link_out_opens_under_the_pages_policy(desk: Visit, ask: httpx.Client) -> None:
    """The page's own Content-Security-Policy must not stop it; the other site learns nothing of the page."""
    (known,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    page = desk.open(f"events?norad={known['primary_norad_id']}", ".object-strip a")
    headers: list[dict[str, str]] = []
    page.context.route(
        "https://celestrak.org/**",
        lambda route: (
            headers.append(route.request.headers),
            route.fulfill(body="<p>elsewhere", content_type="text/html"),
        ),
    )
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="SATCAT").click()
    opened.value.wait_for_selector("text=elsewhere")
    assert opened.value.evaluate("window.opener") is None
    assert "referer" not in headers[0]
    desk.complaints[:] = [one for one in desk.complaints if "celestrak.org" not in one]

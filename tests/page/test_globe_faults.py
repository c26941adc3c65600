"""The globe, where one thing fails or is left: the others stay; and a fleet is found among all objects."""

import re
from datetime import datetime
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.browsing import Visit
from tests.page.conftest import OBJECTS
from tests.page.test_globe_view import DRAWN, arrive
from tests.page.test_globe_view import worst as worst  # a fixture
from tests.page.test_sign_in import forgive

FROM_MIDDLE_PX = """() => {
  const mark = document.querySelector(".marker.primary"), stage = document.querySelector(".stage");
  if (mark.hidden) return 1e6;
  const at = mark.getBoundingClientRect(), all = stage.getBoundingClientRect();
  return Math.hypot(at.x - all.x - all.width / 2, at.y - all.y - all.height / 2); }"""


def unavailable(route: Route) -> None:
    problem = '{"title": "Not ready", "detail": "The store is being replaced."}'
    route.fulfill(status=503, body=problem, content_type="application/problem+json")


@pytest.mark.slow
def test_the_whole_earth_is_shown_though_a_replay_was_followed(desk: Visit, worst: dict[str, Any]) -> None:
    """A regression test: the camera went back to the object that it had followed."""
    page = desk.open(f"globe?event={worst['id']}", ".card .plane")
    arrive(page, worst["tca"])
    page.get_by_role("button", name="Replay the minute").click()
    page.wait_for_function(f"() => ({FROM_MIDDLE_PX})() < 3")
    expect(page.locator(".left-to-tca")).to_have_text(re.compile(r"\d+ s before TCA"))
    # Half a minute at this speed, along straight lines.
    shown = datetime.fromisoformat(page.locator(".time-bar time").get_attribute("datetime") or "")
    told = page.locator(".read-out").inner_text()
    left_s = (datetime.fromisoformat(worst["tca"]) - shown).total_seconds()
    apart_km = float(told.partition(" km apart")[0].replace(",", ""))
    assert apart_km == pytest.approx(worst["relative_speed_m_s"] * left_s / 1e3, rel=0.2)
    page.get_by_role("button", name="The whole Earth").click()
    page.wait_for_function(f"() => ({FROM_MIDDLE_PX})() > 20")
    page.wait_for_selector("canvas[data-still]")
    assert page.evaluate(f"({FROM_MIDDLE_PX})()") > 20


def test_places_that_cannot_be_told_leave_the_list_of_events(desk: Visit, worst: dict[str, Any]) -> None:
    """A regression test: one failed request for a place replaced the list."""
    number = worst["primary_norad_id"]
    desk.page.route(re.compile(rf"/positions\?.*norad_id={number}"), unavailable)
    page = desk.open(f"globe?object={number}", DRAWN)
    card = page.get_by_label("Selected object")
    expect(card.get_by_text(re.compile("of these cannot be marked"))).to_be_visible()
    expect(card.locator(f"[data-event='{worst['id']}']")).to_be_visible()
    forgive(desk, "status of 503")


@pytest.mark.slow
def test_names_that_cannot_be_loaded_leave_the_coming_events(desk: Visit, ask: httpx.Client) -> None:
    desk.page.route("**/objects?fields*", unavailable)
    page = desk.open("globe", DRAWN)
    problem = page.locator(".object-filters").get_by_role("alert")
    expect(problem.filter(has_text="names could not be loaded")).to_be_visible()
    expect(page.locator(".coming .event-list button")).to_have_count(10)
    forgive(desk, "status of 503")


@pytest.fixture
def fleet(ask: httpx.Client, worst: dict[str, Any]) -> Any:
    """Make a fleet of the two objects of an event."""
    members = [worst["primary_norad_id"], worst["secondary_norad_id"]]
    made = ask.post("/fleets", json={"name": "Two of mine", "norad_ids": members}).raise_for_status().json()
    yield made
    ask.delete(f"/fleets/{made['id']}").raise_for_status()


def shown(page: Page) -> int:
    said = page.locator(".object-filters [role=status]").first.inner_text()
    return int(said.partition(" ")[0].replace(",", ""))


def test_a_fleet_is_drawn_alone_with_its_names(desk: Visit, fleet: Any, worst: dict[str, Any]) -> None:
    page = desk.open("globe", DRAWN)
    page.get_by_label("Fleet").select_option("Two of mine")
    expect(page.locator(".object-filters [role=status]").first).to_contain_text(f"2 of {OBJECTS:,}")
    assert f"fleet={fleet['id']}" in page.url
    listed = page.locator(".found button").evaluate_all("all => all.map(x => Number(x.dataset.object))")
    assert set(listed) == {worst["primary_norad_id"], worst["secondary_norad_id"]}
    names = page.locator(".marker.member").all_text_contents()
    assert set(names) == {worst["primary_name"], worst["secondary_name"]}
    page.reload()
    expect(page.locator(".object-filters [role=status]").first).to_contain_text(f"2 of {OBJECTS:,}")


@pytest.mark.slow
def test_the_list_is_of_what_is_drawn_the_most_dangerous_first(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    page.get_by_label("Name, number or owner").fill("DEB")
    page.get_by_label("low", exact=True).uncheck()
    page.get_by_label("none", exact=True).uncheck()
    said = page.locator(".object-filters [role=status]").first
    expect(said).to_contain_text(" of ")
    expect(page.locator(".found .more")).to_be_visible()
    page.locator(".found .more button").click()
    expect(page.locator(".found button[data-object]")).not_to_have_count(6)
    listed = page.locator(".found button[data-object]").count()
    assert 6 < listed <= shown(page)

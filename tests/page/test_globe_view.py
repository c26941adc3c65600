"""The globe: all objects, filters, an event with both orbits, its TCA, what moves and what does not."""

import re
from datetime import datetime
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.conftest import OBJECTS

DRAWN = f"canvas[data-objects='{OBJECTS}']"


def pictures(page: Page) -> int:
    return int(page.locator(".stage canvas").get_attribute("data-pictures") or 0)


def arrive(page: Page, tca: str) -> None:
    """Wait until the picture shows the TCA, and the camera, which sets out with it, has flown there."""
    expect(page.locator(".time-bar time")).to_have_attribute("datetime", to_ms(tca))
    page.wait_for_selector("canvas[data-still]")


@pytest.fixture
def worst(ask: httpx.Client) -> dict[str, Any]:
    """Return the most dangerous event that is still to come."""
    now = ask.get("/session").json()["now"]
    answer = ask.get("/conjunctions", params={"limit": 1, "tca_from": now}).raise_for_status()
    event: dict[str, Any] = answer.json()["conjunctions"][0]
    return event


@pytest.mark.slow
def test_all_objects_are_there_and_filters_choose_among_them(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("globe", DRAWN)
    said = page.locator(".object-filters [role=status]")
    expect(said).to_have_text(f"{OBJECTS:,} objects")
    objects = ask.get("/objects").json()["objects"]
    debris = sum(known["object_type"] == "debris" for known in objects)
    page.get_by_label("payload").uncheck()
    page.get_by_label("rocket body").uncheck()
    expect(said).to_have_text(f"{debris:,} of {OBJECTS:,} objects")
    page.get_by_label("Altitude from, km").fill("1000")
    page.get_by_label("Altitude to, km").fill("2000")
    expect(said).not_to_have_text(f"{debris:,} of {OBJECTS:,} objects")
    assert "type=debris" in page.url
    assert "low=1000" in page.url
    page.reload()
    page.wait_for_selector(DRAWN)
    assert not page.get_by_label("payload").is_checked()


def test_an_object_is_found_by_name_and_has_its_events(desk: Visit, ask: httpx.Client, worst: Any) -> None:
    page = desk.open("globe", DRAWN)
    page.get_by_label("Name, number or owner").fill(str(worst["primary_norad_id"]))
    page.locator(f".found button[data-object='{worst['primary_norad_id']}']").click()
    card = page.get_by_label("Selected object")
    expect(card.locator("h2")).to_have_text(worst["primary_name"])
    expect(card.locator(f"[data-event='{worst['id']}']")).to_be_visible()


@pytest.mark.slow
def test_an_event_is_selected_and_its_tca_is_shown(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open("globe", DRAWN)
    desk.screenshot("globe")
    page.locator(f".coming [data-event='{worst['id']}']").click()
    card = page.get_by_label("Selected event")
    expect(card.locator(".plane")).to_be_visible()
    expect(card.locator(".relative tr")).to_have_count(3)
    arrive(page, worst["tca"])
    page.get_by_label("Time shown").fill("60")
    expect(page.locator(".time-bar time")).not_to_have_attribute("datetime", to_ms(worst["tca"]))
    page.locator(".card").get_by_role("button", name="Jump to TCA").click()
    arrive(page, worst["tca"])
    for who in ("primary", "secondary"):
        expect(page.locator(f".marker.{who} span")).to_be_visible()
        expect(page.locator(f".marker.{who}")).to_have_text(worst[f"{who}_name"])
    assert _apart_px(page) < 3  # the two meet
    assert f"event={worst['id']}" in page.url
    desk.screenshot("globe-event")


def test_a_link_to_an_event_on_the_globe_opens_there(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"globe?event={worst['id']}", ".card .plane")
    expect(page.locator(".time-bar time")).to_have_attribute("datetime", to_ms(worst["tca"]))


@pytest.mark.slow
def test_a_point_is_selected_by_a_click(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"globe?event={worst['id']}", ".card .plane")
    expect(page.locator(".marker.primary span")).to_be_visible()
    arrive(page, worst["tca"])
    page.mouse.click(*_place_px(page, "primary"))
    expect(page.get_by_label("Selected object").locator("h2")).to_have_text(
        _either(worst["primary_name"], worst["secondary_name"])
    )


def test_time_is_sought_played_and_brought_back_to_now(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    shown = page.locator(".time-bar time")
    expect(page.get_by_role("button", name="Now")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Time shown").fill("3600")
    expect(page.get_by_role("button", name="Now")).to_have_attribute("aria-pressed", "false")
    begun = shown.get_attribute("datetime")
    page.get_by_label("Speed").select_option("300")
    expect(shown).not_to_have_attribute("datetime", begun or "")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Now").click()
    expect(page.get_by_role("button", name="Now")).to_have_attribute("aria-pressed", "true")
    assert page.get_by_label("Speed").input_value() == "1"


@pytest.mark.slow
def test_who_wants_less_motion_gets_less(browser: Browser, served: Served) -> None:
    with visit(browser, served) as visited:
        visited.page.emulate_media(reduced_motion="reduce")
        page = visited.open("globe", DRAWN)
        page.wait_for_selector(".event-list button")
        begun = pictures(page)
        page.wait_for_timeout(2000)
        assert pictures(page) - begun <= 4  # one a second, and what the lists cause


def test_unreadable_positions_are_reported(desk: Visit) -> None:
    desk.page.route("**/positions?*", lambda route: route.fulfill(body="nonsense", status=200))
    page = desk.open("globe", ".stage-note")
    expect(page.locator(".stage-note")).to_contain_text("cannot be read")
    expect(page.locator(".event-list button").first).to_be_visible()


def to_ms(time: str) -> str:
    """Return a time as the browser writes it."""
    return datetime.fromisoformat(time).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _place_px(page: Page, who: str) -> tuple[float, float]:
    x, y = page.locator(f".marker.{who}").evaluate(
        "x => [x.getBoundingClientRect().x, x.getBoundingClientRect().y]"
    )
    return float(x), float(y)


def _apart_px(page: Page) -> float:
    (x, y), (other_x, other_y) = _place_px(page, "primary"), _place_px(page, "secondary")
    return max(abs(x - other_x), abs(y - other_y))


def _either(*names: str) -> Any:
    return re.compile("|".join(f"^{re.escape(name)}$" for name in names))

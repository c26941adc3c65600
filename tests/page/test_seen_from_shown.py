"""An event opened from a fleet is seen from the fleet's satellite, and every picture says from whom."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.page.browsing import Visit
from tests.page.fleet_answers import FleetAnswers

READY = ".figures .plane"


@pytest.fixture
def event(ask: httpx.Client) -> dict[str, Any]:
    """Return the most dangerous event, whose secondary is the fleet's."""
    (one,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    return dict(one)


def test_its_miss_has_the_sign_that_the_fleet_shows(
    desk: Visit, ask: httpx.Client, event: dict[str, Any]
) -> None:
    own = event["secondary_norad_id"]
    seen = ask.get(f"/conjunctions/{event['id']}?from={own}").raise_for_status().json()
    answers = FleetAnswers(ask, satellites=1)
    shown = {name: seen[f"miss_{name}_m"] / 1000 for name in ("radial", "in_track", "cross_track")}
    answers.events = [event | {"fleet_norad_id": own, "volume": "box:2x25x25"}]
    answers.events[0] |= {f"fleet_miss_{name}_km": value for name, value in shown.items()}
    answers.install(desk.page)
    page = desk.open("fleet/7", ".fleet-events td")
    in_list = page.locator(".fleet-events [data-field=fleet_miss_radial_km]").text_content()
    page.locator(".fleet-events a[href*='#/event/']").first.click()
    page.wait_for_selector(READY)
    assert page.url.endswith(f"#/event/{event['id']}?from={own}")
    assert page.locator(".relative [data-field=miss_radial_m]").first.text_content() == f"{in_list} m"
    name = event["secondary_name"].strip()
    for text in (f"Seen from {name}", f"Miss seen from {name}"):
        expect(page.locator("#main")).to_contain_text(text)
    expect(page.locator(".figures [data-part=encounter]")).to_contain_text(f"Seen from {name}")
    expect(page.locator(".trend")).to_contain_text(f"Misses are in the axes of {name}")
    # It is a piece of debris, so it is no choice of its own.
    expect(page.get_by_label("Who burns").locator("option[value=primary]")).to_have_text(f"{name} (debris)")
    expect(page.get_by_label("Who burns")).to_have_value("")
    page.get_by_role("tab", name="Take away").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="KVN").click()
    lines = saved.value.path().read_text().splitlines()
    designators = [line.split("=")[1].strip() for line in lines if line.startswith("OBJECT_DESIGNATOR")]
    assert int(designators[0]) == own


@pytest.mark.parametrize("of", ["norad", "fleet"])
def test_an_event_opened_from_a_list_is_seen_from_the_object_that_the_list_is_of(
    desk: Visit, event: dict[str, Any], of: str
) -> None:
    """A list of one satellite, or a fleet's, opened its events as stored: seen from the other side."""
    own, wanted = event["secondary_norad_id"], str(event["id"])
    desk.page.route(
        "**/fleets/7/members", lambda route: route.fulfill(json={"members": [{"norad_id": own, "name": "A"}]})
    )
    desk.page.route("**/fleets/7", lambda route: route.fulfill(json={"id": 7, "radius": "shadow"}))
    without_fleet = re.compile(r"&?fleet=7")
    desk.page.route(
        "**/conjunctions?*fleet=7*",
        lambda route: route.continue_(url=without_fleet.sub("", route.request.url)),
    )
    page = desk.open(
        f"events?norad={own}" if of == "norad" else "events?fleet=7", f".row[data-id='{wanted}']"
    )
    link = page.locator(f".row[data-id='{wanted}'] .c-tca a")
    expect(link).to_have_attribute("href", f"#/event/{wanted}?from={own}")
    page.locator(f".row[data-id='{wanted}'] .c-miss").click()
    expect(page).to_have_url(re.compile(rf"#/event/{wanted}\?from={own}$"))
    page.wait_for_selector(READY)
    page.go_back()
    # Keys count once the list is current.
    page.wait_for_selector(f".grid:not([aria-busy]) .row[data-id='{wanted}']")
    expect(link).to_have_attribute("href", f"#/event/{wanted}?from={own}")
    page.locator(".grid").press("g")
    expect(page).to_have_url(re.compile(rf"#/globe\?event=\d+&from={own}"))


def test_a_switch_leads_to_the_other_side(desk: Visit, event: dict[str, Any]) -> None:
    page = desk.open(f"event/{event['id']}", READY)
    first, second = event["primary_name"].strip(), event["secondary_name"].strip()
    expect(page.locator(".seen-from")).to_contain_text(f"Seen from {first}")
    expect(page.get_by_label("Who burns")).to_have_value("")  # nobody's satellite is taken for able to thrust
    page.get_by_role("link", name=f"See it from {second}").click()
    expect(page.locator(".seen-from")).to_contain_text(f"Seen from {second}")
    expect(page.locator("h1 .object").first).to_contain_text(second)

"""What the path of each side is from, in words: in the list, on the card, in the event and in its history."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.page.browsing import Visit
from tests.page.test_every_view import AXE, PHONE

ON_EPHEMERIS = "operator's ephemeris"
ADDED = "2026-11-21T05:00:00Z"
Change = Callable[[Any], None]


@pytest.fixture
def worst(ask: httpx.Client) -> dict[str, Any]:
    """Return the most dangerous event."""
    event: dict[str, Any] = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"][0]
    return event


def changed(change: Change) -> Callable[[Route], None]:
    """Let an answer be another than it is."""

    def answer(route: Route) -> None:
        body = route.fetch().json()
        change(body)
        route.fulfill(body=json.dumps(body), content_type="application/json")

    return answer


def second_look(event: dict[str, Any]) -> None:
    """Let the newest run have the primary on its operator's ephemeris, and miss by far."""
    for row in (event, event["history"][-1]):
        row.update(primary_trajectory="ephemeris", miss_distance_m=15_310.0, risk_level="low")
        row.update(probability_best=2e-9, probability_level="low", near_level=None)
        row.update(secondary_trajectory="gp", origin="second_look")
    event["history"][0].update(miss_distance_m=1204.0, risk_level="high")
    event["history"][0].update(probability_best=3.1e-5, probability_level="high")


def on_ephemeris(geometry: dict[str, Any]) -> None:
    geometry["objects"]["primary"].update(
        trajectory="ephemeris",
        trajectory_id="2e65fadf8b9d6b72",
        trajectory_added=ADDED,
        covariance_source="trajectory",
    )


def test_the_list_says_who_is_on_an_ephemeris(desk: Visit) -> None:
    def first_row(page: dict[str, Any]) -> None:
        page["conjunctions"][0]["primary_trajectory"] = "ephemeris"
        page["conjunctions"][0]["secondary_trajectory"] = "supgp"

    desk.page.route("**/conjunctions?*", changed(first_row))
    page = desk.open("events", ".rows .row[data-id]")
    first, second = page.locator("#row-0"), page.locator("#row-1")
    expect(first.locator(".path")).to_have_text([ON_EPHEMERIS, "supplemental element set"])
    expect(second.locator(".path")).to_have_count(0)
    desk.screenshot("events-trajectories")
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    expect(first).to_contain_text(ON_EPHEMERIS)
    desk.screenshot("events-trajectories-phone")


@pytest.mark.slow
def test_the_event_shows_both_values_and_why_they_differ(desk: Visit, worst: dict[str, Any]) -> None:
    number = worst["id"]
    desk.page.route(f"**/conjunctions/{number}", changed(second_look))
    desk.page.route(f"**/conjunctions/{number}/geometry", changed(on_ephemeris))
    page = desk.open(f"event/{number}?tab=numbers", '[data-object="primary"]')
    expect(page.locator(".paths")).to_have_text(
        f"{worst['primary_name'].strip()} on its {ON_EPHEMERIS}, "
        f"{worst['secondary_name'].strip()} on its element set"
    )
    expect(page.locator(".event-head")).to_contain_text("found by the second look, on operators' ephemerides")
    why = page.locator(".changes li")
    expect(why).to_have_count(1)
    expect(why).to_contain_text(f"{worst['primary_name']}: element set → {ON_EPHEMERIS}.")
    expect(why).to_contain_text("Miss distance 1,204 m → 15,310 m, probability 3.1 × 10⁻⁵ → 2.0 × 10⁻⁹")
    expect(why).to_contain_text("level high → low.")
    primary, secondary = page.locator('[data-object="primary"]'), page.locator('[data-object="secondary"]')
    expect(primary).to_contain_text("2e65fadf8b9d6b72, added 2026-11-21 05:00:00 Z.")
    expect(primary).to_contain_text("of its operator")
    expect(primary).to_contain_text("Into the ephemeris")
    expect(primary).not_to_contain_text("Age of the elements")
    expect(secondary).to_contain_text("Age of the elements")
    expect(page.locator(".more-figures")).to_contain_text(
        f"from the {ON_EPHEMERIS} ({worst['primary_name'].strip()}) and SGP4"
    )
    page.get_by_role("tab", name="Trend").click()
    why.scroll_into_view_if_needed()
    desk.screenshot("event-trajectories")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_an_ephemeris_that_is_gone_is_said(desk: Visit, worst: dict[str, Any]) -> None:
    reason = "The ephemeris of it is no longer in the store."

    def gone(geometry: dict[str, Any]) -> None:
        on_ephemeris(geometry)
        geometry["objects"]["primary"].update(trajectory_id=None, trajectory_added=None)
        geometry["missing"]["objects.primary.trajectory_id"] = reason

    desk.page.route(f"**/conjunctions/{worst['id']}/geometry", changed(gone))
    page = desk.open(f"event/{worst['id']}?tab=numbers", '[data-object="primary"]')
    expect(page.locator('[data-object="primary"]')).to_contain_text("No longer in the store.")
    expect(page.locator(".more-figures")).to_contain_text(reason)
    expect(page.locator(".changes")).to_have_count(0)


@pytest.mark.slow
def test_a_value_since_the_last_run_belongs_to_the_history(desk: Visit, worst: dict[str, Any]) -> None:
    """A second look is no run: its value is the event's, and the runs' stay what they were."""

    def since(event: dict[str, Any]) -> None:
        second_look(event)
        event["history"][-1].update(primary_trajectory="gp", miss_distance_m=1204.0, risk_level="high")
        event["computed_at"] = "2100-01-01T00:00:00Z"

    desk.page.route(f"**/conjunctions/{worst['id']}", changed(since))
    page = desk.open(f"event/{worst['id']}", ".figures .plane")
    expect(page.locator(".changes time")).to_have_attribute("datetime", "2100-01-01T00:00:00Z")
    expect(page.locator(".changes li")).to_contain_text("1,204 m → 15,310 m")


@pytest.mark.slow
def test_of_many_changes_the_newest_are_shown(desk: Visit, worst: dict[str, Any]) -> None:
    """Each run falls back to element sets, and a second look follows each."""

    def often(event: dict[str, Any]) -> None:
        event["history"] = [
            {
                **event["history"][0],
                "computed_at": f"2026-11-{day:02}T{hour:02}:00:00Z",
                "primary_trajectory": kind,
                "secondary_trajectory": "gp",
            }
            for day in range(1, 5)
            for hour, kind in ((6, "gp"), (7, "ephemeris"))
        ]
        event["computed_at"] = event["history"][-1]["computed_at"]

    desk.page.route(f"**/conjunctions/{worst['id']}", changed(often))
    page = desk.open(f"event/{worst['id']}?tab=trend", ".changes")
    expect(page.locator(".changes li")).to_have_count(4)
    expect(page.locator(".changes time").first).to_have_attribute("datetime", "2026-11-04T07:00:00Z")
    expect(page.locator(".changes")).to_contain_text("and 3 earlier changes")


@pytest.mark.slow
def test_the_card_on_the_globe_says_it(desk: Visit, worst: dict[str, Any]) -> None:
    desk.page.route(f"**/conjunctions/{worst['id']}", changed(second_look))
    page = desk.open(f"globe?event={worst['id']}", ".card .pairs")
    expect(page.locator(".card .pairs")).to_contain_text(ON_EPHEMERIS)

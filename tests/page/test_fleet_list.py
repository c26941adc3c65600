"""The list of a fleet's events: what is coming, in which order, what is outside the volumes."""

import re

import httpx
from playwright.sync_api import expect

from tests.page.browsing import Visit
from tests.page.fleet_answers import FleetAnswers, time_text
from tests.page.test_fleets_view import READY, unfolded


def test_what_lies_outside_the_volumes_is_told(desk: Visit, answers: FleetAnswers) -> None:
    """A near approach was outside the thin volume of the handbook, and no word told of it."""
    base = answers.events[0] | {"miss_radial_m": 810.0, "fleet_norad_id": None}
    answers.outside = [
        base | {"id": 900, "probability_level": "medium"},
        *(base | {"id": 901 + place, "probability_level": "low"} for place in range(4)),
    ]
    answers.events.append(answers.events[0] | {"fleet_norad_id": answers.events[0]["secondary_norad_id"]})
    page = desk.open("fleet/7", READY)
    note = page.locator("[data-part=outside]")
    expect(note).to_contain_text("5 more events of these satellites lie outside")
    expect(note).to_contain_text("1 medium, 4 low")
    expect(note).to_contain_text("Alerts, calendar and report follow the volumes")
    row = page.locator("tr[data-event='900']")
    expect(row).to_contain_text("outside")
    expect(row.locator("[data-field=fleet_miss_radial_km]")).to_have_text("810")
    assert page.locator("tr[data-event='901']").count() == 0
    twice = answers.events[0]["id"]  # two of the fleet meet
    assert page.locator(f"tr[data-event='{twice}']").count() == 1
    expect(page.get_by_role("heading", name="Coming", level=2)).to_contain_text(
        "1 of them between two of these"
    )
    page.get_by_role("button", name="↓ Alerts").click()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Alerts"
    page.route("**/fleets/7/conjunctions", lambda route: route.fulfill(body="id\n", content_type="text/csv"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Events (CSV)").click()
    assert saved.value.suggested_filename == "fleet-7.csv"


def test_what_has_passed_is_not_coming(desk: Visit, answers: FleetAnswers) -> None:
    """Regression: "Coming 655 events" counted four whose TCA had passed; the lanes summed to 651."""
    passed = [answers.events[0] | {"id": 800 + place, "tca": time_text(-0.2)} for place in range(4)]
    coming = len(answers.events)
    answers.events += passed
    page = desk.open("fleet/7", READY)
    expect(page.get_by_role("heading", name="Coming", level=2)).to_have_text(f"Coming {coming} events")
    expect(page.locator(".lane-mark")).to_have_count(coming)
    expect(page.get_by_role("link", name=f"All {coming} events")).to_have_attribute(
        "href", re.compile(r"#/events\?fleet=7&from=20\d\d-\d\d-\d\dT\d\d%3A\d\d$")
    )
    for event in passed:
        expect(page.locator(f"tr[data-event='{event['id']}']")).to_have_count(0)


def test_the_list_is_in_the_order_of_the_service(desk: Visit, answers: FleetAnswers) -> None:
    """The page had a rule of its own for what is most dangerous; the rule is the service's."""
    answers.events.reverse()
    answers.outside = [
        answers.events[0] | {"id": 900, "probability_level": "critical", "fleet_norad_id": None}
    ]
    page = desk.open("fleet/7", READY)
    shown = page.locator(".fleet-events tbody tr").evaluate_all(
        "all => all.map(x => Number(x.dataset.event))"
    )
    received = [event["id"] for event in answers.events]
    assert shown == [*(number for number in received if number in shown), 900]
    assert len(shown) > 5


def test_the_list_leads_with_the_probability_and_flags_what_is_near(
    desk: Visit, answers: FleetAnswers
) -> None:
    unknown, near = answers.events[0], answers.events[-1]
    unknown.update(dict.fromkeys(("probability", "probability_2d", "probability_best", "probability_mc")))
    unknown.update(probability_level="unknown")
    near.update(near_level="critical", miss_distance_m=80.0, risk_level="critical")
    rank = ["critical", "high", "medium", "unknown", "low"].index
    answers.events.sort(key=lambda event: rank(event["probability_level"]))  # as the service
    page = unfolded(desk.open("fleet/7", READY))
    first = page.locator(f"tr[data-event='{unknown['id']}'] td").first
    expect(first.locator(".badge")).to_have_text("unknown")
    expect(first.locator(".near")).to_have_count(0)
    first = page.locator(f"tr[data-event='{near['id']}'] td").first
    expect(first.locator(".badge")).to_have_text("low")
    expect(first.locator(".near")).to_have_text("near: critical")
    mark = page.locator(f".lane-mark[data-event='{near['id']}']")
    expect(mark).to_have_class(re.compile(r"\blow near\b"))
    assert "near: 80.0 m" in (mark.get_attribute("aria-label") or "")
    expect(page.locator(f".lane-mark.unknown[data-event='{unknown['id']}']")).to_be_visible()
    expect(page.locator(".lanes-and-quiet .lane-legend")).to_contain_text("near: a miss under 1,000 m")
    levels = [rank(text) for text in page.locator(".fleet-events tbody .badge").all_inner_texts()]
    assert levels == sorted(levels)


def test_the_list_is_sorted_filtered_and_lengthened_in_place(desk: Visit, ask: httpx.Client) -> None:
    """It had 30 of 655 rows; the way to the others led to a list without the miss along the axes."""
    answers = FleetAnswers(ask, satellites=150)
    answers.install(desk.page)
    for place, event in enumerate(answers.events):
        event["fleet_miss_radial_km"] = (-1) ** place * (5.0 - place / 40)
    page = desk.open("fleet/7", READY)
    rows = page.locator(".fleet-events tbody tr")
    expect(rows).to_have_count(30)
    expect(rows.first.locator("td").nth(1)).to_contain_text(re.compile(r"in \d"))
    page.get_by_role("button", name="100 more").click()
    expect(rows).to_have_count(130)
    page.get_by_label("Sorted by").select_option("radial miss")
    shown = page.locator(".fleet-events [data-field=fleet_miss_radial_km]").evaluate_all(
        "all => all.map(x => Math.abs(x.value))"
    )
    assert shown == sorted(shown)
    own = answers.events[0]["fleet_norad_id"]
    page.get_by_label("Satellite", exact=True).select_option(str(own))
    mine = {event["id"] for event in answers.events if event["fleet_norad_id"] == own}
    expect(rows).to_have_count(len(mine))
    assert {int(row.get_attribute("data-event") or 0) for row in rows.all()} == mine

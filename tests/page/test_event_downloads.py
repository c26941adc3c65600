"""An event taken away: the report, the calendar, and what is said if the service cannot make them."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.page.browsing import Visit

FORMS = {
    "PDF": ("report", "application/pdf", "pdf"),
    "PNG": ("report", "image/png", "png"),
    "Calendar": ("calendar.ics", "text/calendar", "ics"),
}


def worst(ask: httpx.Client) -> int:
    return int(worst_event(ask)["id"])


def worst_event(ask: httpx.Client) -> dict[str, Any]:
    event: dict[str, Any] = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"][0]
    return event


def file_name(event: dict[str, Any], ending: str) -> str:
    """Return how the page names a file of an event: by its objects and its TCA, to the minute."""
    at = event["tca"][:16].replace("-", "").replace(":", "")
    return f"{event['primary_norad_id']}_{event['secondary_norad_id']}_{at}Z.{ending}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("button", FORMS)
def test_it_is_asked_for_by_its_type_and_saved_by_its_objects_and_time(
    desk: Visit, ask: httpx.Client, tmp_path: Path, button: str
) -> None:
    path, media, ending = FORMS[button]
    event, asked = worst_event(ask), []
    number, name = event["id"], file_name(event, ending)

    def answer(route: Route) -> None:
        asked.append(route.request.headers["accept"])
        route.fulfill(body=b"\x89 of the service", content_type=media)

    desk.page.route(f"**/conjunctions/{number}/{path}", answer)
    page = desk.open(f"event/{number}?tab=take", ".take-away")
    with page.expect_download() as started:
        page.get_by_role("button", name=button, exact=True).click()
    started.value.save_as(tmp_path / "saved")
    assert (tmp_path / "saved").read_bytes() == b"\x89 of the service"
    assert started.value.suggested_filename == name
    assert asked == [media]
    expect(page.locator(".take-away [role=status]")).to_have_text(f"Saved as {name}.")
    expect(page.locator(".take-away").get_by_role("link", name="Check it in What if")).to_have_attribute(
        "href", f"#/event/{number}?tab=what-if"
    )


def test_a_refusal_is_said_and_can_be_tried_again(desk: Visit, ask: httpx.Client) -> None:
    number = worst(ask)
    busy = {"title": "The service is busy", "detail": "Others wait for costly answers.", "status": 503}
    desk.page.route("**/report", lambda route: route.fulfill(status=503, json=busy))
    page = desk.open(f"event/{number}?tab=take", ".take-away")
    page.get_by_role("button", name="PDF", exact=True).click()
    expect(page.locator(".take-away [role=status]")).to_have_text("Others wait for costly answers.")
    expect(page.get_by_role("button", name="PDF", exact=True)).to_be_enabled()
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]


@pytest.mark.slow
def test_the_report_and_the_calendar_are_the_services(desk: Visit, ask: httpx.Client, tmp_path: Path) -> None:
    number = worst(ask)
    page = desk.open(f"event/{number}?tab=take", ".take-away")
    for button, begins in (("PDF", b"%PDF-"), ("PNG", b"\x89PNG"), ("Calendar", b"BEGIN:VCALENDAR")):
        with page.expect_download() as started:
            page.get_by_role("button", name=button, exact=True).click()
        started.value.save_as(tmp_path / button)
        assert (tmp_path / button).read_bytes().startswith(begins)

"""The view Sky: what decays, in which window, what was announced, and that no place is given."""

import json
from typing import Any

from playwright.sync_api import Browser, Route, expect

from tests.page.browsing import Served, visit
from tests.page.test_every_view import AXE, PHONE

WINDOW = ("2026-11-24T06:00:00Z", "2026-11-29T18:00:00Z")


def re_entry(number: int, name: str, **changed: Any) -> dict[str, Any]:
    return {
        "norad_id": number, "name": name, "median": "2026-11-26T12:00:00Z", "window_start": WINDOW[0],
        "window_end": WINDOW[1], "method": "history and set", "may_manoeuvre": False,
        "epoch": "2026-11-20T00:00:00Z", "earlier_epoch": "2026-11-17T00:00:00Z", "perigee_km": 201.4,
        "apogee_km": 233.6, "inclination_deg": 51.6, "exospheric_kelvin": 900.0, "announced": None, **changed,
    }  # fmt: skip


ANNOUNCED = {
    "source": "Space-Track", "message_epoch": "2026-11-25T00:00:00Z", "decay": "2026-11-26T09:10:00Z",
    "window_minutes": 720.0, "high_interest": False, "next_report_h": None,
}  # fmt: skip
ROWS = [
    re_entry(43012, "SL-4 R/B", announced=ANNOUNCED),
    re_entry(47000, "A SATELLITE WITH A LONG NAME 12", may_manoeuvre=True, method="set"),
]


def answer(route: Route) -> None:
    body = json.dumps({"run_id": "20261121T000000Z", "re_entries": ROWS, "total": 2})
    route.fulfill(body=body, content_type="application/json")


def test_the_list_is_as_answered(browser: Browser, served: Served) -> None:
    with visit(browser, served) as visited:
        visited.page.route("**/re-entries?*", answer)
        page = visited.open("sky", ".re-entries")
        visited.screenshot("sky-re-entries")
        first, second = page.locator(".re-entries tbody tr").all()
        times = first.locator("time").evaluate_all("all => all.map(one => one.dateTime)")
        assert times == ["2026-11-26T12:00:00Z", *WINDOW, "2026-11-26T09:10:00Z"]
        expect(first).to_contain_text("Space-Track: ")
        expect(first).to_contain_text("± 12.0 h")
        expect(first).not_to_contain_text("manoeuvre")
        expect(second).to_contain_text("if it does not manoeuvre")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run('#re-entries', {resultTypes: ['violations']})")
        assert [one["id"] for one in found["violations"]] == []


def test_it_fits_a_phone(browser: Browser, served: Served) -> None:
    with visit(browser, served, **PHONE) as visited:
        visited.page.route("**/re-entries?*", answer)
        page = visited.open("sky", ".re-entries")
        visited.screenshot("sky-re-entries-phone")
        assert page.evaluate("document.querySelector('#main').scrollWidth") <= 390

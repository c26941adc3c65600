"""The view Sky: what changed in the catalogue, what broke up, and how long one's own satellites stay."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.test_every_view import AXE
from tests.page.test_re_entries_shown import re_entry

RUN = "20211222T145525Z"
WIDTHS = (1440, 1024, 768, 390)
LISTED = [{"norad_id": 40_000 + i, "name": f"A THING {i}", "object_id": f"2021-1{i:02}A"} for i in range(3)]
CATALOGUE = {
    "run_id": RUN, "base_run_id": "20211221T145525Z", "epoch": "2021-12-22T14:55:25Z", "objects": 21_400,
    "objects_before": 20_794, "suspect": False, "missing_families": [], "stale": 0, "repeated": 0,
    "doubled": 0, "words": ["21,400 objects, 20,794 in the catalogue before.", "New: 612; 57 of 1 launch."],
    "launches": [{"launch": "2021-104", "objects": 57}], "new": LISTED, "pieces": 606, "back": LISTED[:1],
    "gone": LISTED[1:], "gone_total": 2, "renumbered": [{"was": 80_912, "norad_id": 49_513}], "runs": [],
}  # fmt: skip
BREAK_UP = {
    "id": 5, "parent_norad_id": 13552, "parent_name": "COSMOS 1408", "parent_object_id": "1982-092A",
    "at": "2021-11-15T02:47:00Z", "uncertainty_hours": 8.0, "altitude_km": 480.0,
    "speeds_m_s": [60.0, 90.0, 70.0], "pieces": 606, "words": "COSMOS 1408 (13552) broke up.",
    "runs": [{"run_id": RUN, "found_at": "2021-12-22T14:55:25Z", "new": 606, "total": 606}],
}  # fmt: skip
ORBITS = [
    {"norad_id": 49_000 + i, "name": "COSMOS 1408 DEB", "period_min": 92.0 + 0.1 * i,
     "perigee_km": 480.0 - i, "apogee_km": 490.0 + 9.0 * i}
    for i in range(40)
]  # fmt: skip
WITH_PIECES = {**BREAK_UP, "orbits": ORBITS, "approaches_per_day": 212.0, "fleets": [
    {"fleet_id": 7, "fleet": "mine", "approaches_per_day": 0.4}
]}  # fmt: skip


def told(content: Any) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=json.dumps(content), content_type="application/json")


def install(page: Page, ask: httpx.Client) -> None:
    mine = FleetAnswers(ask)
    falling = re_entry(40_000, "MINE 0", median="2028-03-04T12:00:00Z")
    high = {"perigee_km": 790.0, "outlook": "stays", "re_entry": None}
    low = {"perigee_km": 410.0, "outlook": "thrusts or unknown", "re_entry": None}
    lives = [
        {"norad_id": 40_000, "name": "MINE 0", "perigee_km": 400.0, "outlook": "decays", "re_entry": falling},
        *({"norad_id": 40_001 + i, "name": f"MINE {i + 1}", **high} for i in range(2)),
        {"norad_id": 40_003, "name": "MINE 3", **low},
    ]
    mine.lives = {"run_id": RUN, "satellites": lives, "total": len(lives)}
    mine.install(page)
    page.route("**/catalogue", told(CATALOGUE))
    page.route("**/fragmentations", told({"total": 1, "fragmentations": [BREAK_UP]}))
    page.route("**/fragmentations/5", told(WITH_PIECES))
    rows = [re_entry(43012, "SL-4 R/B")]
    page.route("**/re-entries?*", told({"run_id": RUN, "re_entries": rows, "total": 1}))


def opened(visited: Visit, ask: httpx.Client) -> Page:
    install(visited.page, ask)
    page = visited.open("sky", "[data-part=remaining-life]")
    page.wait_for_selector("#fragmentations article")
    page.wait_for_selector("#catalogue [data-part=words]")
    return page


@pytest.fixture
def sky(desk: Visit, ask: httpx.Client) -> Page:
    return opened(desk, ask)


def test_how_long_ones_own_satellites_stay(sky: Page) -> None:
    part = sky.locator("[data-part=remaining-life]")
    expect(part.locator(".total")).to_contain_text(
        "1 object of 4 will decay by drag within five years, 2 will not; of 1, low"
    )
    expect(part.locator("tbody tr")).to_have_count(1)
    assert part.locator("time").first.get_attribute("datetime") == "2028-03-04T12:00:00Z"


def test_the_catalogue_and_a_break_up_are_as_answered(sky: Page) -> None:
    words = sky.locator("#catalogue [data-part=words] li").all_text_contents()
    assert words == CATALOGUE["words"]
    expect(sky.locator("#catalogue [data-part=gone] summary")).to_have_text("Gone: 2")
    article = sky.locator("[data-fragmentation='5']")
    expect(article).to_contain_text("COSMOS 1408 (13552) broke up.")
    expect(article).to_contain_text("60, 90, 70 m/s")
    article.get_by_text("Orbits of the pieces").click()
    expect(article).to_contain_text("212.0; 0.4 inside the volumes of mine")
    assert article.locator(".gabbard .dot").count() == 2 * len(ORBITS)


@pytest.mark.parametrize("width", WIDTHS)
def test_all_sections_are_accessible_and_fit(
    browser: Browser, served: Served, ask: httpx.Client, width: int
) -> None:
    with visit(browser, served, viewport={"width": width, "height": 900}) as visited:
        page = opened(visited, ask)
        for summary in page.locator("#catalogue summary, #fragmentations summary").all():
            summary.click()
        page.wait_for_selector(".gabbard")
        visited.screenshot(f"sky-{width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run('#main', {resultTypes: ['violations']})")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []

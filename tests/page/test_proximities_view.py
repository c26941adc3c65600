"""Objects that stay together: one row an assembly, its members and pairs when opened."""

import json
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tests.page.browsing import Served, Visit, visit
from tests.page.test_every_view import AXE

# As on 2024-11-01: the ISS with two vehicles, a pair, and a formation of four that are connected in a chain.
NAMES = {
    25544: "ISS (ZARYA)", 49044: "ISS (NAUKA)", 60450: "PROGRESS-MS 28",
    31698: "TERRASAR-X", 36605: "TANDEM-X",
    56153: "PIESAT A", 56154: "PIESAT B", 56155: "PIESAT C", 56156: "PIESAT D",
}  # fmt: skip
PAIRS = [
    (49044, 60450, 0.0, 0.0, "same_elements"),
    (56154, 56155, 32.1, 2626.4, "co_orbiting"),
    (31698, 36605, 164.2, 768.3, "co_orbiting"),
    (56155, 56156, 223.0, 1329.1, "co_orbiting"),
    (25544, 49044, 281.0, 1702.5, "co_orbiting"),
    (25544, 60450, 281.0, 1702.5, "co_orbiting"),
    (56153, 56154, 281.7, 3507.0, "co_orbiting"),
]


# The nearest point is at 03:00 on 1 November: 1.5 and 0.4 days later; all others 0.125 days.
EPOCHS = {31698: "2024-10-30T15:00:00.000000Z", 56153: "2024-10-31T17:24:00.000000Z"}


def proximities() -> dict[str, Any]:
    rows = [
        {
            "primary_norad_id": one,
            "secondary_norad_id": other,
            "primary_name": NAMES[one],
            "secondary_name": NAMES[other],
            "tca": "2024-11-01T03:00:00.000000Z",
            "min_distance_m": least,
            "max_distance_m": most,
            "kind": kind,
            "leaves_at": "2024-11-02T01:00:00.000000Z" if one == 56154 else None,
        }
        for one, other, least, most, kind in PAIRS
    ]
    return {"proximities": rows, "total": len(rows)}


def bodies(route: Route) -> None:
    numbers = [int(text) for text in route.request.url.split("norad_id=")[1].split("&")[0].split(",")]
    station, moving = {25544, 49044, 60450}, {31698, 36605}
    objects = [
        {
            "norad_id": one,
            "complex_id": 25544 if one in station else None,
            "manoeuvring": one in moving,
            "epoch": EPOCHS.get(one, "2024-11-01T00:00:00.000000Z"),
            "trajectory": "ephemeris" if one == 36605 else "gp",
            "hard_body_source": "type" if one in station else "table",
        }
        for one in numbers
    ]
    route.fulfill(body=json.dumps({"objects": objects}), content_type="application/json")


def shown(visited: Visit) -> Page:
    told = json.dumps(proximities())
    visited.page.route(
        "**/proximities?*", lambda route: route.fulfill(body=told, content_type="application/json")
    )
    visited.page.route("**/objects?*", bodies)
    return visited.open("proximities", ".assemblies")


def test_one_row_is_one_assembly(desk: Visit) -> None:
    """Which objects belong together, by scipy's graphs."""
    page = shown(desk)
    numbers = sorted(NAMES)
    one, other = (np.searchsorted(numbers, [pair[i] for pair in PAIRS]) for i in (0, 1))
    _, labels = connected_components(
        coo_array((np.ones(len(PAIRS)), (one, other)), shape=(len(numbers),) * 2)
    )
    expected = {
        frozenset(n for n, of in zip(numbers, labels, strict=True) if of == label) for label in set(labels)
    }
    rows = page.locator("tr[data-members]").evaluate_all("all => all.map(x => x.dataset.members)")
    assert {frozenset(map(int, row.split())) for row in rows} == expected
    assert len(rows) == len(expected) == 3
    expect(page.locator("h1 .total")).to_have_text("3 groups of objects, made of 7 pairs")
    first, formation, pair = page.locator("tr[data-members]").all()
    expect(first).to_contain_text("3 objects that fly as one: ISS (ZARYA), ISS (NAUKA), PROGRESS-MS 28")
    expect(formation).to_contain_text("4 objects that stay together: PIESAT A")
    expect(pair).to_contain_text("TERRASAR-X, TANDEM-X")
    expect(pair).to_contain_text("manoeuvring")
    ages = [x.text_content() for x in page.locator("tr[data-members] td:nth-child(3)").all()]
    assert ages == ["0.1", "0.1 to 0.4", "1.5"]  # TANDEM-X flies on an ephemeris here, which has no such age
    expect(first).to_contain_text("radii guessed")
    expect(pair).not_to_contain_text("guessed")
    expect(first.locator("[data-field=min_distance_m]")).to_have_text("same set")
    least, most = (
        [float(x.get_attribute("value") or "nan") for x in page.locator(f"tr[data-members] {name}").all()]
        for name in ("[data-field=min_distance_m]", "[data-field=max_distance_m]")
    )
    assert least == [0.0, 32.1, 164.2]
    assert most == [1702.5, 3507.0, 768.3]
    assert "intent" not in page.locator("#main").inner_text().lower()


def test_an_assembly_opens_by_keyboard(desk: Visit) -> None:
    page = shown(desk)
    more = page.get_by_role("button", name="More about PIESAT A")
    more.focus()
    page.keyboard.press("Enter")
    more = page.get_by_role("button", name="Less about PIESAT A")
    expect(more).to_have_attribute("aria-expanded", "true")
    inside = page.locator("tr.inside:visible")
    expect(inside.get_by_role("listitem")).to_have_count(4)
    expect(inside.locator(".pairs-inside tbody tr")).to_have_count(3)
    expect(inside.locator(".elsewhere a")).to_have_count(12)
    expect(inside.get_by_role("listitem").first).to_contain_text("PIESAT A 56153 0.4 d old")
    desk.screenshot("proximities-open")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    page.keyboard.press("Enter")
    expect(inside).to_have_count(0)


@pytest.mark.parametrize("width", [390, 768])
def test_it_fits_narrow_screens(browser: Browser, served: Served, width: int) -> None:
    with visit(browser, served, viewport={"width": width, "height": 844}) as visited:
        page = shown(visited)
        page.get_by_role("button", name="More about PIESAT A").click()
        visited.screenshot(f"proximities-open-{width}")
        assert page.evaluate("document.querySelector('#main').scrollWidth") <= width

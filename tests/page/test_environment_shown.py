"""The view Sky: how crowded the shells are, where the objects are, and who causes the work of a fleet."""

import json
import re
from typing import Any

from playwright.sync_api import Browser, Route, expect

from tests.page.browsing import Served, visit
from tests.page.test_every_view import AXE, PHONE

RATES = {
    "approaches_1km_day": 1.0,
    "collisions_year": 0.01,
    "fragments_year": 4.0,
    "gas_collisions_year": 0.02,
}
TOTAL = {
    "days": 1.0, "objects": 3000.5, "approaches_1km_day": 985.0, "approaches_5km_day": 24344.0,
    "within_1km_day": 144.0, "within_5km_day": 2068.0, "collisions_year": 1.654, "fragments_year": 1002.0,
    "outside_1km_day": 528.0, "gas_outside_1km_day": 569.8, "gas_outside_collisions_year": 0.407,
}  # fmt: skip
FLEET = {"id": 7, "name": "Mine"}


def shell(
    one: str, altitude_km: float, near: float, gas: float | None, objects: float | None
) -> dict[str, Any]:
    return {
        "kind": "shell", "one": one, "other": None, "altitude_from_km": altitude_km,
        "altitude_to_km": altitude_km + 50.0, "objects": objects, "approaches_5km_day": near,
        "gas_1km_day": gas, **RATES,
    }  # fmt: skip


SHELLS = [
    shell("all", 500.0, 8000.0, 300.0, 3438.0), shell("outside", 500.0, 490.0, 19.0, 800.0),
    shell("within", 500.0, 900.0, None, None), shell("all", 550.0, 6200.0, 240.0, 2721.0),
    shell("outside", 550.0, 480.0, 19.2, 900.0), shell("within", 550.0, 1000.0, None, None),
]  # fmt: skip


def share(kind: str, group: str, part: float) -> dict[str, Any]:
    return {"kind": kind, "group": group, "approaches_1km_day": 1.0, "approaches_5km_day": 400.0 * part,
            "share": part, "collisions_year": 0.001}  # fmt: skip


WORK = {
    "run_id": "20241101T000000Z", "days": 1.0, "objects": 654, "approaches_1km_day": 18.0,
    "approaches_5km_day": 525.0, "within_1km_day": 0.0, "within_5km_day": 113.0, "collisions_year": 0.0068,
}  # fmt: skip
DENSITY = {
    "run_id": "20241101T000000Z", "altitude_edges_km": [500.0, 550.0, 600.0],
    "inclination_edges_deg": [50.0, 55.0, 60.0, 65.0], "objects": [[1500.2, 0.0, 12.0], [900.0, 3.25, 0.0]],
}  # fmt: skip
SHARES = [
    *(share("type", "debris", 0.76), share("type", "payload", 0.24)),
    *(share("owner", "unknown", 1.0), share("constellation", "none", 1.0)),
]
RUNS = [{"run_id": f"202411{day:02d}T000000Z", **TOTAL} for day in (1, 2, 3)]
ANSWERS: dict[str, Any] = {
    "?kind=shell": {"run_id": "20241101T000000Z", "days": 1.0, "rows": SHELLS},
    "/series": {"runs": RUNS, "total": 3},
    "/density": DENSITY,
    "/workload?fleet=7": {**WORK, "shares": SHARES},
}


def answer(route: Route) -> None:
    body = ANSWERS[route.request.url.partition("/environment")[2]]
    route.fulfill(body=json.dumps(body), content_type="application/json")


def fleets(route: Route) -> None:
    # What else a fleet has does not matter here.
    route.fulfill(body=json.dumps({"fleets": [FLEET], "total": 1}), content_type="application/json")


def no_lives(route: Route) -> None:
    body = json.dumps({"run_id": "20261121T000000Z", "satellites": [], "total": 0})
    route.fulfill(body=body, content_type="application/json")


def test_pictures_are_as_answered(browser: Browser, served: Served) -> None:
    with visit(browser, served) as visited:
        visited.page.route(re.compile("/environment"), answer)
        visited.page.route("**/fleets?*", fleets)
        visited.page.route("**/remaining-life", no_lives)
        page = visited.open("sky", ".environment .shares")
        visited.screenshot("sky-environment")
        expect(page.locator(".environment > .total")).to_contain_text(
            "24,344 approaches a day closer than 5 km"
        )
        expect(page.locator(".environment > .total")).to_contain_text(
            "2,068 of them within one constellation"
        )
        bars = page.locator("[data-picture=shells] .cells rect[data-count]")
        drawn = bars.evaluate_all("all => all.map(one => [one.className.baseVal, Number(one.dataset.count)])")
        parts = [(490, 6610, 900), (480, 4720, 1000)]
        names = ("part-outside", "part-mixed", "part-within")
        assert drawn == [[name, n] for numbers in parts for name, n in zip(names, numbers, strict=True)]
        cells = page.locator("[data-picture=density] rect.heat")
        assert cells.evaluate_all("all => all.map(one => Number(one.dataset.count))") == [
            1500.2,
            12,
            900,
            3.25,
        ]
        page.locator("[data-picture=shells] .cells").press("ArrowRight")
        expect(page.locator("[data-picture=shells] .told")).to_contain_text(
            "490 outside them where 475 would be by chance"
        )
        expect(page.locator("[data-picture=workload] tr[data-group=debris]")).to_contain_text("76 %")
        expect(page.locator("[data-picture=workload]")).to_contain_text("113 of them among themselves")
        assert page.locator("[data-picture=series] rect[data-count]").count() == 3
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run('#environment', {resultTypes: ['violations']})")
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]] == []


def test_it_fits_a_phone(browser: Browser, served: Served) -> None:
    with visit(browser, served, **PHONE) as visited:
        visited.page.route(re.compile("/environment"), answer)
        visited.page.route("**/fleets?*", fleets)
        visited.page.route("**/remaining-life", no_lives)
        page = visited.open("sky", ".environment .shares")
        visited.screenshot("sky-environment-phone")
        assert page.evaluate("document.querySelector('#main').scrollWidth") <= 390

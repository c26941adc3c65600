"""What holds for every view: on a phone, in light and dark, for a screen reader; what is said of the data."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from tests.page.browsing import Served, Visit, visit

AXE = Path(__file__).resolve().parents[2] / "api" / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
VIEWS = {
    "globe": "canvas[data-objects]:not([data-objects='0'])",
    "overview": ".overview [data-picture=likelihood]",
    "events": ".rows .row[data-id]",
    "event": ".figures .plane",
    "fleets": "[data-list=fleets] :is(table, .empty)",
    "messages": ".page .empty, .page table",
    "proximities": ".page .empty, .page table",
    "administration": "[data-list=credentials] table",
    "sky": "#re-entries :is(.empty, table)",
    "run": ".run .facts",
}


@pytest.fixture(scope="module")
def address(ask: httpx.Client) -> Callable[[str], str]:
    """Return a function from a view to an address that shows much of it."""
    (worst,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    return {"event": f"event/{worst['id']}", "globe": f"globe?event={worst['id']}"}.get  # type: ignore[return-value]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_it_is_accessible(
    browser: Browser, served: Served, address: Callable[[str], str | None], view: str, scheme: str
) -> None:
    with visit(browser, served, color_scheme=scheme) as visited:
        page = visited.open(address(view) or view, VIEWS[view])
        visited.screenshot(f"{view}-{scheme}")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
        told = [(v["id"], v["help"], [node["html"][:200] for node in v["nodes"][:3]]) for v in serious]
        assert told == []


@pytest.mark.parametrize("view", VIEWS)
def test_it_fits_a_phone(
    browser: Browser, served: Served, address: Callable[[str], str | None], view: str
) -> None:
    with visit(browser, served, **PHONE) as visited:
        page = visited.open(address(view) or view, VIEWS[view])
        visited.screenshot(f"{view}-phone")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate("document.querySelector('#main').scrollWidth") <= 390


def told(change: dict[str, Any]) -> Callable[[Route], None]:
    """Let the run be another than it is."""

    def answer(route: Route) -> None:
        run = {**route.fetch().json(), "synthetic": False, **change}
        route.fulfill(body=json.dumps(run), content_type="application/json")

    return answer


OLD = (datetime.now(UTC) - timedelta(hours=12, minutes=30)).isoformat().replace("+00:00", "Z")
TWO_DAYS_OLD = (datetime.now(UTC) - timedelta(days=2)).isoformat().replace("+00:00", "Z")
FRESH = (datetime.now(UTC) - timedelta(hours=11)).isoformat().replace("+00:00", "Z")


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({"finished": OLD}, ["stale"]),
        ({"finished": FRESH}, []),
        ({"finished": FRESH, "catalogue_epoch": TWO_DAYS_OLD, "catalogue_decision": "last_good"}, ["blind"]),
        ({"finished": FRESH, "catalogue_epoch": FRESH, "catalogue_decision": "last_good"}, ["last-good"]),
        ({"finished": OLD, "historic": True}, ["historic"]),
        ({"synthetic": True}, ["synthetic"]),
    ],
)
def test_it_is_said_what_the_data_are(desk: Visit, change: dict[str, Any], kinds: list[str]) -> None:
    desk.page.route("**/runs/current", told(change))
    page = desk.open("events", ".rows .row[data-id]")
    found = page.locator(".banner").evaluate_all("all => all.map(x => x.dataset.kind)")
    assert found == kinds
    if kinds == ["stale"]:
        expect(page.locator(".banner.stale")).to_contain_text(re.compile(r"12 h [3-5]\d min ago"))
        desk.screenshot("stale")


def test_a_historic_store_has_one_clock_that_begins_with_its_window(desk: Visit, ask: httpx.Client) -> None:
    """A regression test: "in 13 h" stood beside "750 d ago", and old data had a green dot."""
    run = ask.get("/runs/current").raise_for_status().json()
    (event,) = ask.get("/conjunctions?limit=1&complexes=collapse").raise_for_status().json()["conjunctions"]
    since = datetime.fromisoformat(event["tca"]) - datetime.fromisoformat(run["window_start"])
    minutes = round(since.total_seconds() / 60)
    desk.page.route("**/runs/current", told({"historic": True}))
    page = desk.open("events", ".rows .row[data-id]")
    expect(page.locator("#row-0 .c-tca small")).to_have_text(
        re.compile(rf"{minutes // 60} h {minutes % 60:02} min into the window")
    )
    expect(page.locator(".chip .dot")).to_have_count(0)
    page.get_by_role("link", name="Run", exact=True).click()
    page.wait_for_selector(".run .facts")
    expect(page.locator("#main")).not_to_contain_text("Age of the run")
    for word in (" ago", "in 1 h"):
        expect(page.locator("body")).not_to_contain_text(word)


def test_the_run_tells_what_was_left_out(desk: Visit) -> None:
    rejected = {"rejections": [{"line": 17, "record": "99999", "reason": "ECCENTRICITY is 1.5"}], "total": 1}
    desk.page.route(
        "**/rejections",
        lambda route: route.fulfill(body=json.dumps(rejected), content_type="application/json"),
    )
    page = desk.open("run", ".run table td >> text=99999")
    expect(page.get_by_role("cell", name="ECCENTRICITY is 1.5")).to_be_visible()


def test_times_are_in_utc_with_local_time_beside(desk: Visit) -> None:
    page = desk.open("run", ".run .facts")
    expect(page.locator(".clock .utc")).to_contain_text("UTC")
    expect(page.locator(".clock .local")).to_contain_text("CE")  # CET or CEST, in Berlin


def test_colours_are_chosen_and_kept(desk: Visit) -> None:
    page = desk.open("run", ".run .facts")
    page.get_by_label("Colours").select_option("dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    page.wait_for_selector(".run .facts")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_an_unknown_view_is_reported(desk: Visit) -> None:
    desk.open("nowhere", ".failure")
    expect(desk.page.locator(".failure")).to_contain_text("There is nothing at #/nowhere")

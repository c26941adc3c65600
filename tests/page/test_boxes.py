"""Every view at every width, light and dark, seen from everything or from a fleet: its boxes, and axe."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.measuring import faults
from tests.page.test_every_view import AXE, VIEWS

SATELLITES = 15
SIZES = {1440: 900, 1024: 768, 768: 1024, 390: 844}
SCHEMES = ("light", "dark")
PHONE, OFTEN = 390, (390, "light", True)
MOST_SCREENS = 5  # of an event's part on a phone
TABS = {
    "geometry": ".more-figures figure",
    "trend": ".trend-charts canvas",
    "what-if": "#part-what-if .what-if-form",
    "numbers": "[data-object=secondary] .facts",
    "take": ".take-away",
}
CASES = [(width, scheme, fleet) for width in SIZES for scheme in SCHEMES for fleet in (True, False)]


@pytest.fixture
def seen(
    browser: Browser, served: Served, ask: httpx.Client, request: pytest.FixtureRequest
) -> Iterator[tuple[Visit, int, bool]]:
    """Open a tab of a width and colours, with a fleet as its point of view or without."""
    width, scheme, fleet = request.param
    with visit(
        browser, served, viewport={"width": width, "height": SIZES[width]}, color_scheme=scheme
    ) as visited:
        if fleet:
            FleetAnswers(ask, SATELLITES).install(visited.page)
            visited.open("run", VIEWS["run"]).get_by_label("Point of view").select_option("7")
        yield visited, width, fleet


def views(ask: httpx.Client, fleet: bool) -> dict[str, str]:
    """Return the addresses of all views, and what is there when one is whole."""
    (worst,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    event = f"event/{worst['id']}"
    found = {event if view == "event" else view: ready for view, ready in VIEWS.items()}
    found |= {f"globe?event={worst['id']}": ".card .plane"}
    found |= {f"{event}?tab={tab}": ready for tab, ready in TABS.items()}
    return found | ({"fleet/7": ".fleet-events td"} if fleet else {})


def axe(page: Page) -> list[tuple[str, list[str]]]:
    """Return what axe finds serious."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
    return [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in serious]


def screens(page: Page) -> float:
    """Return how many screens high the view is."""
    height: float = page.evaluate(
        "Math.max(...['#main', '.shell'].map((x) => document.querySelector(x).scrollHeight)) / innerHeight"
    )
    return height


@pytest.mark.parametrize(
    "seen",
    [case if case == OFTEN else pytest.param(case, marks=pytest.mark.slow) for case in CASES],
    indirect=True,
    ids=lambda case: f"{case[0]}-{case[1]}-{'fleet' if case[2] else 'everything'}",
)
def test_nothing_is_cut_off_or_covered(seen: tuple[Visit, int, bool], ask: httpx.Client) -> None:
    visited, width, fleet = seen
    wrong: dict[str, object] = {}
    for address, ready in views(ask, fleet).items():
        visited.page.goto("about:blank")  # so that nothing of the view before is taken for this one
        page = visited.open(address, ready)
        page.wait_for_load_state("networkidle")
        page.evaluate("document.fonts.ready.then(() => 0)")
        found: dict[str, object] = {**faults(page)}
        if serious := axe(page):
            found["axe"] = serious
        if width == PHONE and page.locator(".top").bounding_box() != {
            "x": 0,
            "y": 0,
            "width": 390,
            "height": 48,
        }:
            found["head"] = page.locator(".top").bounding_box()
        if width == PHONE and address.startswith("event/") and screens(page) > MOST_SCREENS:
            found["screens"] = screens(page)
        if found:
            wrong[address] = found
    assert wrong == {}


@pytest.mark.parametrize("width", [PHONE, pytest.param(1440, marks=pytest.mark.slow)])
def test_the_sign_in_is_whole(browser: Browser, served: Served, width: int) -> None:
    for scheme in SCHEMES:
        size = {"width": width, "height": SIZES[width]}
        with visit(browser, served, signed_in=False, viewport=size, color_scheme=scheme) as visited:
            page = visited.open("", ".sign-in form")
            assert faults(page) == {}
            assert axe(page) == []


def test_the_views_are_behind_one_button_on_a_phone(browser: Browser, served: Served) -> None:
    with visit(browser, served, viewport={"width": PHONE, "height": SIZES[PHONE]}) as visited:
        page = visited.open("run", VIEWS["run"])
        runs = page.get_by_role("link", name="Events", exact=True)
        assert not runs.is_visible()
        page.get_by_role("button", name="Menu").click()
        assert page.get_by_role("button", name="Sign out").is_visible()
        assert faults(page).get("cut off", []) == []
        runs.click()
        page.wait_for_selector(VIEWS["events"])
        assert not runs.is_visible()
        page.get_by_role("button", name="Menu").click()
        page.keyboard.press("Escape")
        assert not runs.is_visible()


def test_the_parts_of_an_event_stay_in_reach_on_a_phone(
    browser: Browser, served: Served, ask: httpx.Client
) -> None:
    (worst,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    with visit(browser, served, viewport={"width": PHONE, "height": SIZES[PHONE]}) as visited:
        page = visited.open(f"event/{worst['id']}?tab=geometry", TABS["geometry"])
        page.locator(".shell").evaluate("(x) => x.scrollTo(0, x.scrollHeight)")
        for name in ("At a glance", "Take away"):
            page.get_by_role("tab", name=name).scroll_into_view_if_needed()
            box = page.get_by_role("tab", name=name).bounding_box()
            assert box is not None
            assert box["y"] >= 48
            assert box["y"] + box["height"] <= SIZES[PHONE] / 4

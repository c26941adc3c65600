"""Nothing is cut off or covered: on a wide screen, on a phone, upright and on its side, at 200 % zoom."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.waiting import wait_until
from tests.page.browsing import Served, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.test_every_view import VIEWS

SCREENS = {
    "1440": (1440, 900),
    "1024": (1024, 768),
    "900": (900, 900),
    "768": (768, 1024),
    "720": (720, 900),
    "zoomed": (640, 400),  # 1280 x 800 at 200 %
    "on-its-side": (844, 390),
    "phone": (390, 844),
}
PICTURES = ("1440", "1024", "768", "phone")
OFTEN = ("phone",)  # the narrowest
NO_MENU_PX = 617  # from here on the head has room for everything


@pytest.fixture(scope="module")
def address(ask: httpx.Client) -> Callable[[str], str]:
    """Return a function from a view to an address that shows much of it."""
    (worst,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    known = {"event": f"event/{worst['id']}", "globe": f"globe?event={worst['id']}"}
    return lambda view: known.get(view, view)


def size(screen: str) -> dict[str, Any]:
    width, height = SCREENS[screen]
    return {"viewport": {"width": width, "height": height}}


def clipped(page: Page, places: str) -> list[str]:
    """Return the texts that are wider than their element, or reach out of the window."""
    found: list[str] = page.locator(places).evaluate_all(
        """all => all.filter(x => x.checkVisibility() &&
             (x.scrollWidth > x.clientWidth + 1 || x.getBoundingClientRect().right > innerWidth + 1))
           .map(x => x.textContent)"""
    )
    return found


@pytest.mark.parametrize(
    "screen", [name if name in OFTEN else pytest.param(name, marks=pytest.mark.slow) for name in SCREENS]
)
def test_every_view_is_as_wide_as_the_screen(
    browser: Browser, served: Served, address: Callable[[str], str], screen: str
) -> None:
    width = SCREENS[screen][0]
    with visit(browser, served, **size(screen)) as visited:
        for view, ready in VIEWS.items():
            visited.page.goto("about:blank")  # so that nothing of the view before is taken for this one
            page = visited.open(address(view), ready)
            if screen in PICTURES:
                visited.screenshot(f"{view}-{screen}")
            box = page.get_by_role("button", name="Menu" if width < NO_MENU_PX else "Sign out").bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width, view
            for place in ("document.documentElement", "document.querySelector('#main')"):
                assert page.evaluate(f"{place}.scrollWidth") <= width, view


DESKS = (1024, 1280, 1440, 1920)  # px
OVERFLOWING = """() => [...document.querySelectorAll('#main :is(.scroll-x, table)')]
  .filter((x) => x.checkVisibility() && x.scrollWidth > x.clientWidth + 1)
  .map((x) => [x.getAttribute('aria-label') ?? x.className, x.scrollWidth, x.clientWidth])"""


@pytest.mark.parametrize("width", DESKS)
def test_no_table_is_wider_than_its_place(
    browser: Browser, served: Served, ask: httpx.Client, address: Callable[[str], str], width: int
) -> None:
    """Regression: one row "raised from medium" cut the exponents of all probabilities off at 1440 px."""
    with visit(browser, served, viewport={"width": width, "height": 900}) as visited:
        answers = FleetAnswers(ask, satellites=40)
        for event in answers.events:
            event |= {
                "primary_name": "STARLINK-31929",
                "secondary_name": "FENGYUN 1C DEB (LONG)",
                "diluted": True,
                "probability_method": "3d",
                "probability_best": 2.13e-12,
                "near_level": "high",
                "fleet_miss_in_track_km": -12.345,
            }
        answers.changes["raised"] = [{"id": event["id"], "before": "medium"} for event in answers.events]
        answers.install(visited.page)
        for view, ready in {**VIEWS, "fleet/7": ".fleet-events td"}.items():
            visited.page.goto("about:blank")
            page = visited.open(address(view), ready)
            assert page.evaluate(OVERFLOWING) == [], view


@pytest.mark.parametrize(
    "screen", [name if name in OFTEN else pytest.param(name, marks=pytest.mark.slow) for name in SCREENS]
)
def test_levels_times_distances_and_probabilities_are_whole(
    browser: Browser, served: Served, screen: str
) -> None:
    with visit(browser, served, **size(screen)) as visited:
        page = visited.open("events", VIEWS["events"])
        assert page.locator(".rows .c-p").first.is_visible()
        cells = ".rows :is(.c-risk, .c-tca, .c-miss, .c-p)"
        assert page.locator(cells).count() > 20
        assert clipped(page, cells) == []


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["1440", "1024"])
def test_what_is_selected_covers_no_name_on_the_globe(
    browser: Browser, served: Served, address: Callable[[str], str], screen: str
) -> None:
    with visit(browser, served, **size(screen)) as visited:
        page = visited.open(address("globe"), "canvas[data-still]")
        expect(page.locator(".marker.primary span")).to_be_visible()
        page.wait_for_selector(".card .plane")
        stage, panel = (page.locator(place).bounding_box() for place in (".stage", ".selection"))
        assert stage is not None
        assert panel is not None
        assert panel["x"] >= stage["x"] + stage["width"] or panel["x"] + panel["width"] <= stage["x"]


def scrolled(page: Page) -> float:
    """Return how far the view is scrolled; on a small screen the frame scrolls with it."""
    return float(
        page.evaluate("Math.max(...['#main', '.shell'].map(x => document.querySelector(x).scrollTop))")
    )


def swipe_up(page: Page, x: float, y: float) -> None:
    """Move a finger up by 200 px."""
    devtools = page.context.new_cdp_session(page)
    for step in range(11):
        kind = "touchMove" if step else "touchStart"
        touch = {"type": kind, "touchPoints": [{"x": x, "y": y - 20 * step}]}
        devtools.send("Input.dispatchTouchEvent", touch)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["phone", "on-its-side"])
def test_a_finger_on_the_globe_scrolls_the_page(browser: Browser, served: Served, screen: str) -> None:
    width, height = SCREENS[screen]
    with visit(browser, served, **size(screen), has_touch=True, is_mobile=True) as visited:
        page = visited.open("globe", VIEWS["globe"])
        swipe_up(page, width / 2, height * 0.6)
        wait_until(lambda: scrolled(page) > 100)


@pytest.mark.slow
def test_a_wheel_on_the_globe_scrolls_a_page_at_200_percent(browser: Browser, served: Served) -> None:
    with visit(browser, served, **size("zoomed")) as visited:
        page = visited.open("globe", VIEWS["globe"])
        page.locator(".stage canvas").hover()
        page.mouse.wheel(0, 200)
        wait_until(lambda: scrolled(page) > 100)

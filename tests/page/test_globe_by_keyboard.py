"""The globe without a pointer, and what "back" does there."""

from io import BytesIO
from typing import Any

import httpx
import matplotlib.image
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsing import Visit
from tests.page.test_globe_selected import middle_px
from tests.page.test_globe_view import DRAWN, arrive
from tests.page.test_globe_view import worst as worst  # a fixture

CANVAS = ".stage canvas"


@pytest.mark.slow
def test_back_undoes_a_selection_and_stays_on_the_page(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open("run", ".run .facts")
    page.get_by_role("link", name="Globe").click()
    page.wait_for_selector(DRAWN)
    page.locator(f".coming [data-event='{worst['id']}']").click()
    expect(page.get_by_label("Selected event")).to_be_visible()
    page.locator(".found button").first.click()
    expect(page.get_by_label("Selected object")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Selected event").locator("h2")).to_contain_text(worst["primary_name"])
    assert f"event={worst['id']}" in page.url
    page.go_back()
    expect(page.locator(".selection")).to_be_empty()
    page.go_forward()
    expect(page.get_by_label("Selected event")).to_be_visible()
    page.go_back()
    page.go_back()
    expect(page.locator(".run .facts").first).to_be_visible()


def test_a_link_is_one_step(desk: Visit, worst: dict[str, Any]) -> None:
    desk.open("run", ".run .facts")
    page = desk.open(f"globe?event={worst['id']}&risk=critical,high", ".card .plane")
    page.go_back()
    expect(page.locator(".run .facts").first).to_be_visible()


def marker(page: Page) -> Any:
    page.wait_for_selector("canvas[data-still]")
    return middle_px(page, ".marker.primary") - middle_px(page, ".stage")


def until_moved(page: Page, before: Any) -> Any:
    """Return where the marker is in the next picture that has it elsewhere."""
    page.wait_for_function(
        """([x, y]) => { const b = document.querySelector(".marker.primary").getBoundingClientRect(),
             s = document.querySelector(".stage").getBoundingClientRect();
           return Math.hypot(b.x - s.x - s.width / 2 - x, b.y - s.y - s.height / 2 - y) > 1 }""",
        arg=before.tolist(),
    )
    return marker(page)


@pytest.mark.slow
def test_the_globe_is_turned_and_zoomed_by_keys(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"globe?event={worst['id']}", ".card .plane")
    arrive(page, worst["tca"])
    middle = marker(page)
    canvas = page.locator(CANVAS)
    page.get_by_role("button", name="Nearer").focus()
    page.keyboard.press("Shift+Tab")
    expect(canvas).to_be_focused()
    assert canvas.evaluate("x => getComputedStyle(x).outlineStyle") == "solid"
    page.keyboard.press("ArrowRight")
    right = until_moved(page, middle)
    assert right[0] < -5  # the camera went east
    page.keyboard.press("ArrowUp")
    up = until_moved(page, right)
    assert up[1] > right[1] + 5
    page.keyboard.press("+")
    near = until_moved(page, up)
    assert np.hypot(*near) > 1.1 * np.hypot(*up)
    page.keyboard.press("-")
    far = until_moved(page, near)
    assert np.abs(far - up).max() < 2  # the same again
    page.keyboard.press("Escape")
    expect(page.locator(".selection")).to_be_empty()


def test_objects_are_chosen_by_keyboard_from_the_list(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("globe", DRAWN)
    names = {one["norad_id"]: one["name"] for one in ask.get("/objects").json()["objects"]}
    first = page.locator(".found button").first
    number = int(first.get_attribute("data-object") or 0)
    page.get_by_label("Name, number or owner").focus()
    page.keyboard.press("Tab")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Selected object").locator("h2")).to_have_text(names[number])


def picture(page: Page) -> Any:
    """Return what the globe shows, without what lies over it."""
    page.wait_for_load_state("networkidle")
    page.wait_for_selector("canvas[data-still]")
    page.locator(".stage > :not(canvas)").evaluate_all(
        "all => all.forEach((x) => (x.style.visibility = 'hidden'))"
    )
    shot = page.locator(".stage").screenshot()
    return matplotlib.image.imread(BytesIO(shot), format="png")[..., :3]


def test_a_view_chosen_stays_until_the_whole_earth_is_wanted(desk: Visit) -> None:
    """Regression: on each visit the globe was at its first view again."""
    page = desk.open("globe", DRAWN)
    at_first = picture(page)
    page.locator(CANVAS).focus()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    chosen = picture(page)

    def again() -> Any:
        page.get_by_role("link", name="Run", exact=True).click()
        page.wait_for_selector(".run .facts")
        page.get_by_role("link", name="Globe", exact=True).click()
        page.wait_for_selector(DRAWN)
        return picture(page)

    far = np.abs(chosen - at_first).mean()
    assert far > 0.01
    assert np.abs(again() - chosen).mean() < far / 3
    page.reload()
    page.wait_for_selector(DRAWN)
    assert np.abs(picture(page) - chosen).mean() < far / 3
    page.locator(CANVAS).focus()
    page.keyboard.press("Home")
    assert np.abs(again() - at_first).mean() < far / 3

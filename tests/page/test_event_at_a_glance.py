"""The first screen of an event, and its tabs: what decides fits one screen, and no label covers another."""

import io
import re
from typing import Any

import httpx
import numpy as np
import pypdf
import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.browsing import Visit
from tests.page.test_every_view import AXE, PHONE

TABS = ("At a glance", "Geometry", "Trend", "What if", "Numbers", "Take away")
FIT = "() => document.querySelector('#main').scrollHeight <= document.querySelector('#main').clientHeight"
BOXES = """all => all.filter(x => x.checkVisibility()).map(x => {
    const box = x.getBoundingClientRect();
    return [x.closest("svg:not(svg svg)").dataset.turn ?? x.closest("div").className, x.textContent,
            box.left, box.top, box.right, box.bottom];
})"""
LETTERS_PX = 3.0  # a box of type reaches beyond its letters, above and below


@pytest.fixture(scope="module")
def worst(ask: httpx.Client) -> dict[str, Any]:
    """Return the most dangerous event whose probability is the plane's."""
    listed = ask.get("/conjunctions?limit=50").raise_for_status().json()["conjunctions"]
    event: dict[str, Any] = next(one for one in listed if one["probability_method"] == "2d")
    return event


def opened(desk: Visit, event: dict[str, Any], tab: str = "") -> Page:
    page = desk.open(f"event/{event['id']}{tab and f'?tab={tab}'}", "[role=tablist]")
    page.wait_for_selector(".glance .plane", state="attached")
    page.wait_for_selector(".sparkline", state="attached")
    return page


def test_what_decides_is_on_one_screen(desk: Visit, ask: httpx.Client, worst: dict[str, Any]) -> None:
    page = opened(desk, worst)
    assert page.evaluate(FIT)
    for part in (".strip", ".glance .plane", ".likelihood", ".sparkline", ".step", ".whom"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    trend = ask.get(f"/conjunctions/{worst['id']}/trend").raise_for_status().json()
    expect(page.locator(".step")).to_have_text(trend["better_data"]["next_step"])
    shown = page.locator(".sparkline circle").evaluate_all("all => all.map(x => Number(x.dataset.value))")
    assert sorted(shown) == sorted(point["probability"] for point in trend["points"])
    desk.screenshot("event-at-a-glance")


def test_the_bar_reaches_from_half_to_double_the_errors(
    desk: Visit, ask: httpx.Client, worst: dict[str, Any]
) -> None:
    page = opened(desk, worst)
    curve = ask.get(f"/conjunctions/{worst['id']}/geometry").json()["probability_against_scale"]
    scale, chance = np.array(curve["scale"]), np.array(curve["probability"])
    inside = chance[(scale >= 0.499) & (scale <= 2.002)]
    bar = page.locator(".likelihood svg")
    assert float(bar.get_attribute("data-low") or "nan") == inside.min()
    assert float(bar.get_attribute("data-high") or "nan") == inside.max()
    at = float((page.locator(".likelihood .now").get_attribute("x1") or "").rstrip("%"))
    power = np.clip(np.log10(worst["probability_best"]), -9, 0)
    assert at == pytest.approx(100 * (power + 9) / 9, abs=0.01)


SHAPES = {  # long axis and short axis, m, 1 sigma; turned, degrees; miss, m
    "round": (240.0, 200.0, 30.0, (-28.0, -219.0)),
    "hairline": (28_116.0, 253.0, 0.0, (-4565.0, -135.0)),
    "upright": (8273.0, 570.0, 81.3, (186.0, -3630.0)),
    "oblique": (170_724.0, 989.0, -46.5, (50.0, -1251.0)),
    "on top": (14_389.0, 217.0, 0.0, (0.0, 0.0)),
}


def shaped(shape: str) -> Any:
    long, short, turned, (x, y) = SHAPES[shape]

    def answer(route: Route) -> None:
        sent = route.fetch().json()
        spread = {"sigma_major_m": long, "sigma_minor_m": short, "major_axis_deg": turned}
        halved = {**spread, "sigma_major_m": long / 2, "sigma_minor_m": short / 2}
        sent["encounter_plane"].update(
            miss_x_m=x, miss_y_m=y, combined=spread, primary=halved, secondary=spread
        )
        route.fulfill(json=sent)

    return answer


def named(route: Route) -> None:
    route.fulfill(
        json={**route.fetch().json(), "primary_name": "STARLINK-31929", "secondary_name": "FENGYUN 1C DEB"}
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_no_label_covers_another_and_no_ellipse_is_a_hairline(
    desk: Visit, worst: dict[str, Any], shape: str
) -> None:
    desk.page.route("**/geometry", shaped(shape))
    desk.page.route(re.compile(rf"/conjunctions/{worst['id']}$"), named)
    for width, height in ((1440, 900), tuple(PHONE["viewport"].values())):  # type: ignore[attr-defined]
        desk.page.set_viewport_size({"width": width, "height": height})
        desk.page.goto("about:blank")
        page = opened(desk, worst)
        for zoom in ("Whole ellipses", "Close-up"):
            page.get_by_role("button", name=zoom).click()
            assert covered(page) == [], (width, zoom)
        page.get_by_role("button", name="Whole ellipses").click()
        outer = page.locator(".glance .sigma-3 ellipse").bounding_box()
        assert outer is not None
        assert max(outer["width"], outer["height"]) < 5.5 * min(outer["width"], outer["height"])
        said = page.locator("[data-part=axes]")
        if shape == "round":
            expect(said).to_have_count(0)
        else:
            expect(said).to_contain_text("Unequal axes")
        expect(said.filter(has_text="turned")).to_have_count(int(shape in ("upright", "oblique")))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    desk.screenshot(f"event-plane-{shape.replace(' ', '-')}")


def covered(page: Page) -> list[tuple[str, str]]:
    """Return the texts of one drawing that lie across each other, or reach out of it."""
    boxes = page.locator(".glance svg text").evaluate_all(BOXES)
    found = []
    for i, (picture, text, left, top, right, bottom) in enumerate(boxes):
        for other, second, left_2, top_2, right_2, bottom_2 in boxes[i + 1 :]:
            wide = min(right, right_2) - max(left, left_2)
            high = min(bottom, bottom_2) - max(top, top_2)
            if picture == other and wide > 0 and high > LETTERS_PX:
                found.append((text, second))
    return found


def test_tabs_go_by_keyboard_and_stand_in_the_address(desk: Visit, worst: dict[str, Any]) -> None:
    page = opened(desk, worst)
    expect(page.get_by_role("tab")).to_have_text(list(TABS))
    page.get_by_role("tab", name="At a glance").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Take away")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    trend = page.get_by_role("tab", name="Trend")
    expect(trend).to_be_focused()
    expect(trend).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name="Trend")).to_be_visible()
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    assert page.url.endswith(f"#/event/{worst['id']}?tab=trend")
    page.reload()
    expect(page.get_by_role("tabpanel", name="Trend")).to_be_visible()
    page.get_by_role("tab", name="At a glance").click()
    assert page.url.endswith(f"#/event/{worst['id']}")
    page.get_by_role("link", name="Try a burn").click()
    expect(page.get_by_role("tab", name="What if")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("tabpanel", name="At a glance")).to_be_visible()


def test_a_hidden_tab_draws_when_it_is_opened_and_is_printed(desk: Visit, worst: dict[str, Any]) -> None:
    page = opened(desk, worst)
    page.wait_for_load_state("networkidle")
    assert page.locator("canvas").count() == 0
    pdf = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    text = " ".join(sheet.extract_text() for sheet in pdf.pages)
    for part in ("Probability against radius", "Relative path", "Inclination", "No number here"):
        assert part in re.sub(r"\s+", " ", text)
    page.get_by_role("tab", name="Geometry").click()
    expect(page.locator(".more-figures .chart canvas").first).to_be_visible()


@pytest.mark.parametrize("tab", ["geometry", "numbers", "take"])
def test_every_tab_is_accessible_and_fits_a_phone(desk: Visit, worst: dict[str, Any], tab: str) -> None:
    page = opened(desk, worst, tab)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    desk.screenshot(f"event-{tab}-phone")

"""What the globe answers about a selected object and event: place, orbit, marks of its events, a replay."""

import json
import re
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

import matplotlib.image
import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsing import Visit
from tests.page.test_globe_view import DRAWN, arrive, to_ms
from tests.page.test_globe_view import worst as worst  # a fixture

BLUER = 0.3  # than red: --orbit-primary; the sea is not as bright
BRIGHT = 0.6
POINT_PX = 7


def told(page: Page, path: str, **parameters: str) -> dict[str, Any]:
    """Ask the service with the page's session."""
    answer = page.request.get(f"{page.url.partition('#')[0]}{path}", params=parameters)
    assert answer.ok, answer.text()
    return answer.json()  # type: ignore[no-any-return]


@pytest.fixture
def at_tca(desk: Visit, worst: dict[str, Any]) -> Page:
    """Look at an event at its TCA, then select its primary."""
    desk.page.emulate_media(color_scheme="light")
    page = desk.open(f"globe?event={worst['id']}", ".card .plane")
    arrive(page, worst["tca"])
    page.get_by_label("Name, number or owner").fill(str(worst["primary_norad_id"]))
    page.locator(".found button").first.click()
    page.wait_for_selector("[data-part=orbit] [data-field=age_hours]")
    page.wait_for_selector("canvas[data-still]")
    return page


def middle_px(page: Page, place: str) -> npt.NDArray[np.float64]:
    """Return the middle of an element, and for a marker its point."""
    box = page.locator(place).evaluate(
        "x => (b => [b.x + b.width / 2, b.y + b.height / 2])(x.getBoundingClientRect())"
    )
    return np.array(box)


def test_an_object_is_flown_to_and_tells_its_orbit_and_the_age_of_its_elements(
    at_tca: Page, desk: Visit, worst: dict[str, Any]
) -> None:
    stage, marker = middle_px(at_tca, ".stage"), middle_px(at_tca, ".marker.object")
    assert np.abs(stage - marker).max() < 3
    card = at_tca.get_by_label("Selected object")
    number, at = str(worst["primary_norad_id"]), worst["tca"][:19] + "Z"
    orbit = told(at_tca, f"objects/{number}/orbit", at=at)
    for name in ("age_hours", "period_min", "perigee_km", "apogee_km", "inclination_deg"):
        expect(card.locator(f"[data-field={name}]")).to_have_attribute("value", f"{orbit[name]}")
    (there,) = told(at_tca, "positions", at=worst["tca"], norad_id=number)["satellites"]
    # Within the rounding of what is shown, and what the cubic between two frames is wrong by.
    said = card.locator("[data-part=place]").inner_text()
    found = re.fullmatch(r"([\d.]+)° ([NS]), ([\d.]+)° ([EW]), ([\d,]+) km up", said)
    assert found is not None, said
    assert abs(there["lat"]) == pytest.approx(float(found[1]), abs=0.06)
    assert (there["lat"] < 0) == (found[2] == "S")
    assert abs(there["lon"]) == pytest.approx(float(found[3]), abs=0.06)
    assert (there["lon"] < 0) == (found[4] == "W")
    assert there["alt"] == pytest.approx(float(found[5].replace(",", "")), abs=0.9)
    desk.screenshot("globe-object")


def test_its_last_manoeuvres_are_listed(desk: Visit, worst: dict[str, Any]) -> None:
    burns = [
        {"norad_id": worst["primary_norad_id"], "at": f"2026-11-{day}T04:10:12Z", "dv_m_s": size}
        for day, size in ((20, 0.3126), (11, 2.0))
    ]
    answer = {"manoeuvres": burns, "total": 7}
    desk.page.route("**/manoeuvres?limit=3", lambda route: route.fulfill(json=answer))
    page = desk.open(f"globe?object={worst['primary_norad_id']}", "[data-part=manoeuvres] dl")
    told_of = page.locator("[data-part=manoeuvres]")
    expect(told_of).to_contain_text("Its last manoeuvres")
    sizes = told_of.locator("[data-field=dv_m_s]")
    expect(sizes).to_have_count(2)
    expect(sizes.first).to_have_attribute("value", "0.3126")
    expect(sizes.first).to_contain_text("0.31")
    expect(told_of.locator("time").first).to_have_attribute("datetime", "2026-11-20T04:10:12Z")


@pytest.mark.slow
def test_the_line_of_its_orbit_passes_through_it(at_tca: Page) -> None:
    at_tca.locator(".overlay").evaluate_all("all => all.forEach(x => { x.style.visibility = 'hidden'; })")
    x, y = middle_px(at_tca, ".stage")
    half = 60
    shot = at_tca.screenshot(clip={"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half})
    picture = matplotlib.image.imread(BytesIO(shot), format="png")[..., :3]
    blue = np.argwhere((picture[..., 2] > BRIGHT) & (picture[..., 2] - picture[..., 0] > BLUER))
    assert len(blue) > 0.7 * half  # the trail behind it; ahead the line is fainter
    # It leads to the object, whose point covers the last of it.
    (rows, columns), distance = (blue - half).T, np.hypot(*(blue - half).T)
    near, far = distance.argmin(), distance.argmax()
    off_px = abs(rows[near] * columns[far] - rows[far] * columns[near])
    off_px /= np.hypot(rows[far] - rows[near], columns[far] - columns[near])
    assert distance[near] < POINT_PX
    assert off_px < 3


@pytest.mark.slow
def test_its_events_are_marks_on_its_path_and_on_the_time_bar(at_tca: Page, worst: dict[str, Any]) -> None:
    on_path = f".overlay .moment[data-event='{worst['id']}']"
    expect(at_tca.locator(on_path)).to_be_visible()
    # The time shown is this event's TCA: the object is at its mark.
    assert np.abs(middle_px(at_tca, on_path) - middle_px(at_tca, ".marker.object")).max() < 3
    on_bar = at_tca.locator(f".moments .moment[data-event='{worst['id']}']")
    thumb = float(at_tca.get_by_label("Time shown").input_value())
    span = float(at_tca.get_by_label("Time shown").get_attribute("max") or 0)
    track = at_tca.get_by_label("Time shown").bounding_box()
    assert track is not None
    expected = track["x"] + 8 + thumb / span * (track["width"] - 16)
    assert middle_px(at_tca, f".moments .moment[data-event='{worst['id']}']")[0] == pytest.approx(
        expected, abs=2
    )
    at_tca.locator(on_path).click()
    expect(at_tca.get_by_label("Selected event").locator("h2")).to_contain_text(worst["secondary_name"])
    at_tca.go_back()
    expect(at_tca.get_by_label("Selected object")).to_be_visible()
    on_bar.focus()
    at_tca.keyboard.press("Enter")
    expect(at_tca.get_by_label("Selected event")).to_be_visible()


def test_an_orbit_that_cannot_be_told_is_not_drawn(desk: Visit, worst: dict[str, Any]) -> None:
    problem = json.dumps({"title": "Not found", "detail": "No such object in the run."})
    desk.page.route(
        "**/objects/*/orbit?*",
        lambda route: route.fulfill(status=404, body=problem, content_type="application/problem+json"),
    )
    page = desk.open(f"globe?object={worst['primary_norad_id']}", DRAWN)
    card = page.get_by_label("Selected object")
    expect(card.get_by_role("alert")).to_have_text("No such object in the run.")
    expect(card.locator(".event-list button").first).to_be_visible()
    desk.complaints[:] = [said for said in desk.complaints if "404" not in said]


@pytest.mark.slow
def test_the_minute_around_tca_is_replayed_from_above(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"globe?event={worst['id']}", ".card .plane")
    arrive(page, worst["tca"])
    tca = datetime.fromisoformat(worst["tca"])
    page.get_by_role("button", name="Replay the minute").click()
    shown = page.locator(".time-bar time")
    expect(shown).not_to_have_attribute("datetime", to_ms(worst["tca"]))
    begun = datetime.fromisoformat(shown.get_attribute("datetime") or "")
    assert timedelta(seconds=20) < tca - begun <= timedelta(seconds=30)
    page.get_by_label("Speed").select_option("10")
    expect(page.locator(".time-bar .play")).to_have_attribute("aria-label", "Play")
    ended = datetime.fromisoformat(shown.get_attribute("datetime") or "")
    assert abs(ended - tca - timedelta(seconds=30)) < timedelta(milliseconds=2)
    page.wait_for_selector("canvas[data-still]")
    # The primary has gone on by 200 km or more, and is still in the middle.
    assert np.abs(middle_px(page, ".stage") - middle_px(page, ".marker.primary")).max() < 3
    desk.screenshot("globe-replay")

"""The globe to share: dusk at the start, colours of one's own, a picture, a clip; less where it is slow."""

import json
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import matplotlib.image
import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.api.waiting import wait_until
from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.test_globe_faults import fleet as fleet  # a fixture
from tests.page.test_globe_selected import told
from tests.page.test_globe_view import DRAWN, arrive
from tests.page.test_globe_view import worst as worst  # a fixture

EVENING_IN_EUROPE = timedelta(hours=16, minutes=30)
CAPTION_PX = 80
MIDDLE_PX = 5
WEBM = b"\x1a\x45\xdf\xa3"  # of EBML, its container
CLIP_S = 10.0
OWN = 0.65 * np.array([0x7F, 0xE6, 0xFF]) / 255 + 0.35  # --point-own, whiter in the middle
PICTURE = "PNG: save a picture"
CLIP = "Clip: save ten seconds of the encounter (WebM)"


def picture(page: Page) -> npt.NDArray[np.float32]:
    """Save a picture and read it: rows, columns, red, green and blue."""
    with page.expect_download() as coming:
        page.get_by_role("button", name=PICTURE).click()
    assert coming.value.suggested_filename.startswith("skysieve-2")
    saved = BytesIO(Path(coming.value.path()).read_bytes())
    return np.asarray(matplotlib.image.imread(saved, format="png")[..., :3])


def show_evening_in_europe(page: Page) -> None:
    start = datetime.fromisoformat(told(page, "runs/current")["window_start"])
    midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
    evening = midnight + EVENING_IN_EUROPE
    if evening < start:
        evening += timedelta(days=1)
    page.get_by_label("Time shown").fill(str(int((evening - start).total_seconds())))
    page.wait_for_selector("canvas[data-still]")  # the whole Earth is shown where its Sun stands
    page.get_by_role("button", name="The whole Earth").click()
    page.wait_for_selector("canvas[data-still]")


def test_a_picture_is_of_dusk_with_city_lights_and_a_caption(desk: Visit) -> None:
    page = desk.open("globe", DRAWN)
    page.wait_for_load_state("networkidle")  # the lights come last
    show_evening_in_europe(page)
    saved = picture(page)
    stage = page.locator(".stage").bounding_box()
    assert stage is not None
    assert saved.shape[0] == pytest.approx(stage["height"], abs=2)
    assert saved.shape[1] == pytest.approx(stage["width"], abs=2)
    sky, caption = saved[:-CAPTION_PX], saved[-CAPTION_PX:]
    middle = sky.shape[1] // 2
    assert sky[:, :middle, 2].mean() > 2 * sky[:, middle:, 2].mean()  # the Sun has set in the east
    night = sky[:, middle:]
    assert (night[..., 0] - night[..., 2] > 0.25).sum() > 200  # lights of cities are yellow
    assert (caption.min(axis=-1) > 0.8).sum() > 50  # letters


@pytest.mark.slow
def test_while_a_fleet_is_searched_none_is_no_all_clear_and_is_asked_again(
    desk: Visit, ask: httpx.Client
) -> None:
    """Regression: "None." stood until the next run, though the search had found events."""
    mine = FleetAnswers(ask)
    mine.install(desk.page)
    fleet, asked = mine.fleet, []

    def fleets(route: Route) -> None:
        asked.append(route.request.url)
        one = fleet | {"searching": len(asked) == 1}
        route.fulfill(body=json.dumps({"fleets": [one], "total": 1}), content_type="application/json")

    def events(route: Route) -> None:
        rows = [] if len(asked) == 1 else mine.events[:3]
        body = {"run_id": "", "total": len(rows), "conjunctions": rows}
        route.fulfill(body=json.dumps(body), content_type="application/json")

    desk.page.route("**/fleets?*", fleets)
    desk.page.route("**/conjunctions?*fleet=7*", events)
    page = desk.open("globe", ".coming .empty")
    expect(page.locator(".coming .empty")).to_contain_text("This is not an all-clear")
    expect(page.locator(".coming .event-list button")).to_have_count(3)


def test_without_a_fleet_the_worst_events_are_coloured(desk: Visit, worst: dict[str, Any]) -> None:
    assert not is_own_at_tca(desk, worst)
    page = desk.page
    expect(page.get_by_label("Coming events")).to_contain_text("Coming, most dangerous first")
    expect(page.get_by_label("What the picture shows")).to_contain_text("in the 40 worst events")


@pytest.mark.slow
def test_ones_own_satellites_are_coloured_and_their_events_listed(
    desk: Visit, ask: httpx.Client, fleet: Any, worst: dict[str, Any]
) -> None:
    """The list is of when the globe was opened, so the search of the new fleet comes first."""
    wait_until(lambda: not ask.get(f"/fleets/{fleet['id']}").json()["searching"], within_s=120.0)
    assert is_own_at_tca(desk, worst)
    page = desk.page
    expect(page.get_by_label("Coming events")).to_contain_text("Coming to your satellites")
    expect(page.get_by_label("What the picture shows")).to_contain_text("yours")
    query = f"fleet={fleet['id']}&limit=10&tca_from={told(page, 'session')['now']}"
    listed = ask.get(f"/conjunctions?{query}").raise_for_status().json()["conjunctions"]
    shown = page.locator(".coming .event-list button")
    assert worst["id"] in [one["id"] for one in listed]
    assert shown.evaluate_all("all => all.map(x => Number(x.dataset.event))") == [one["id"] for one in listed]


def is_own_at_tca(desk: Visit, event: dict[str, Any]) -> bool:
    """Return whether the object in the middle, at an event's TCA, has the colour of one's own."""
    page = desk.open(f"globe?event={event['id']}", ".card .plane")
    arrive(page, event["tca"])
    page.get_by_role("button", name="Close").click()  # what is selected has that colour too
    expect(page.locator(".marker.primary")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    saved = picture(page)
    y, x = saved.shape[0] // 2, saved.shape[1] // 2
    middle = saved[y - MIDDLE_PX : y + MIDDLE_PX, x - MIDDLE_PX : x + MIDDLE_PX]
    return bool((np.abs(middle - OWN).max(axis=-1) < 0.08).any())


@pytest.mark.slow
def test_ten_seconds_of_an_encounter_are_saved(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"globe?event={worst['id']}", "canvas[data-still]")
    button = page.get_by_role("button", name=CLIP)
    with page.expect_download() as coming:
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    assert coming.value.suggested_filename == f"skysieve-encounter-{worst['id']}.webm"
    film = Path(coming.value.path()).read_bytes()
    assert film.startswith(WEBM)
    assert len(film) > 20_000
    expect(button).to_have_attribute("aria-pressed", "false")
    shown = datetime.fromisoformat(page.locator(".time-bar time").get_attribute("datetime") or "")
    assert abs(shown - datetime.fromisoformat(worst["tca"]) - timedelta(seconds=50)) < timedelta(seconds=1)


@pytest.mark.slow
def test_a_clip_that_is_interrupted_is_not_saved(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"globe?event={worst['id']}", "canvas[data-still]")
    saved: list[str] = []
    page.on("download", lambda one: saved.append(one.suggested_filename))
    button = page.get_by_role("button", name=CLIP)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator(".card").get_by_role("button", name="Jump to TCA").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    picture(page)  # what comes after it is here
    assert [name for name in saved if name.endswith("webm")] == []


@pytest.mark.parametrize("why", ["no recorder", "less motion"])
def test_no_clip_is_offered_where_there_can_be_none(
    browser: Browser, served: Served, worst: dict[str, Any], why: str
) -> None:
    with visit(browser, served) as visited:
        if why == "no recorder":
            visited.page.add_init_script("delete window.MediaRecorder")
        else:
            visited.page.emulate_media(reduced_motion="reduce")
        page = visited.open(f"globe?event={worst['id']}", "canvas[data-still]")
        expect(page.get_by_role("button", name=PICTURE)).to_be_visible()
        expect(page.get_by_role("button", name=CLIP)).to_be_hidden()


@pytest.mark.slow
def test_where_pictures_come_slowly_there_is_less_in_them(desk: Visit) -> None:
    desk.page.add_init_script(
        """const own = window.requestAnimationFrame;
           window.requestAnimationFrame = (next) => setTimeout(() => own(next), 60);"""
    )
    page = desk.open("globe", DRAWN)
    page.get_by_label("Speed").select_option("60")
    canvas = page.locator(".stage canvas")
    expect(canvas).to_have_attribute("data-detail", "3")
    width, shown = canvas.evaluate("x => [x.width, x.clientWidth]")
    assert width == pytest.approx(0.6 * shown, abs=1)
    assert picture(page).shape[1] == pytest.approx(shown, abs=2)  # what is saved has all detail
    expect(canvas).to_have_attribute("data-detail", "3")

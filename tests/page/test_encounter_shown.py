"""The encounter in 3-D: what is drawn is what the service sent, to scale; else there are words."""

import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.test_every_view import AXE, PHONE

STAGE = ".encounter-stage"
DRAWN = f"{STAGE}[data-pictures]"
AXES = ("radial", "in_track", "cross_track")
DOUBLES = 1e-9  # both sides compute with these
ROUNDED_M = 0.00051  # the service rounds points of a path to 1 mm
# In 0.05 s, between two points of the path, gravity bends it by less (10 m/s^2 * 0.05^2 / 8 = 3 mm).
BENT_M = 0.005
NO_WEBGL = (
    "HTMLCanvasElement.prototype.getContext = (of => function (kind, ...rest) "
    "{ return kind.startsWith('webgl') ? null : of.call(this, kind, ...rest) })"
    "(HTMLCanvasElement.prototype.getContext)"
)


@pytest.fixture(scope="module")
def worst(ask: httpx.Client) -> dict[str, Any]:
    """Return the most dangerous event, with its geometry."""
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    return {**event, "geometry": ask.get(f"/conjunctions/{event['id']}/geometry").raise_for_status().json()}


def to_the_picture(page: Page) -> Locator:
    stage = page.locator(STAGE)
    stage.scroll_into_view_if_needed()
    page.wait_for_selector(DRAWN)
    return stage


def drawn(stage: Locator) -> dict[str, Any]:
    return dict(stage.evaluate("x => x.drawn()"))


def placed_m(rtn: dict[str, Any]) -> float:
    """Return how far the path may be from the state at TCA: an event's TCA is stored to the microsecond."""
    return ROUNDED_M + 1e-6 * float(np.linalg.norm(rtn["relative_velocity_m_s"]))


def scrub(page: Page, tick: int) -> None:
    page.get_by_label("Time from TCA").evaluate(
        "(slider, tick) => { slider.value = tick; slider.dispatchEvent(new Event('input')) }", tick
    )


def place(stage: Locator) -> np.ndarray:
    values = [stage.get_attribute(f"data-{axis.replace('_', '-')}-m") for axis in AXES]
    return np.array([float(value or "nan") for value in values])


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_what_is_drawn_is_what_the_service_sent(desk: Visit, ask: httpx.Client, count: int) -> None:
    """Matrices of the picture itself: squares of the semi-axes along their directions are the covariance."""
    events = ask.get("/conjunctions?limit=10000").raise_for_status().json()["conjunctions"]
    fast = [event for event in events if event["encounter"] == "fast"]
    for index in np.random.default_rng(2).choice(len(fast), count, replace=False).tolist():
        number = fast[index]["id"]
        sent = ask.get(f"/conjunctions/{number}/geometry").raise_for_status().json()
        rtn = sent["encounter_rtn"]
        page = desk.open(f"event/{number}?tab=geometry", f'[data-event="{number}"] {STAGE}')
        stage = to_the_picture(page)
        picture = drawn(stage)
        for who in ("primary", "secondary"):
            round_ = picture["ellipsoids"][who]
            semi_axes_m, axes = np.array(round_["semi_axes_m"]) / picture["sigma"], np.array(round_["axes"])
            covariance_m2 = np.array(rtn[f"covariance_{who}_m2"])
            largest = covariance_m2.max()
            np.testing.assert_allclose(axes.T * semi_axes_m**2 @ axes, covariance_m2, atol=DOUBLES * largest)
            assert np.linalg.det(axes) == pytest.approx(1.0)  # turned, not mirrored
            expected = [0.0] * 3 if who == "primary" else rtn["secondary_m"]
            np.testing.assert_allclose(round_["centre_m"], expected, atol=placed_m(rtn))
        moved(page, stage, rtn["path"])


def moved(page: Page, stage: Locator, path: dict[str, Any]) -> None:
    """Scrub: at the path's own times the picture has the path's own places, and tells the distance."""
    page.get_by_label("The slider spans").select_option("5")
    times = np.array(path["seconds_from_tca"])
    sent_m = np.transpose([path[f"{axis}_m"] for axis in AXES])
    for tick in (-100, -37, 0, 1, 100):
        scrub(page, tick)
        expected = sent_m[tick + 100]
        page.wait_for_function(
            "([at, s]) => document.querySelector(at).drawn().seconds === s",
            arg=[STAGE, float(times[tick + 100])],
        )
        np.testing.assert_array_equal(place(stage), expected)
        body = drawn(stage)["bodies"]["secondary"]["centre_m"]
        np.testing.assert_allclose(body, expected, rtol=DOUBLES, atol=1e-6)
        told = page.locator(".encounter-place data[data-field=distance_m]").get_attribute("value")
        assert float(told or "nan") == pytest.approx(float(np.linalg.norm(expected)), rel=DOUBLES)
    page.get_by_label("The slider spans").select_option("0.5")
    scrub(page, 63)
    between = [np.interp(0.315, times, sent_m[:, axis]) for axis in range(3)]
    np.testing.assert_allclose(place(stage), between, atol=BENT_M)


@pytest.mark.slow
def test_sigmas_zoom_and_scale(desk: Visit, worst: dict[str, Any]) -> None:
    """One of three sigmas is a third as large; the bar is as long as it says; bodies are seen to scale."""
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    stage = to_the_picture(page)
    three = drawn(stage)["ellipsoids"]["primary"]["semi_axes_m"]
    page.get_by_role("button", name="1 σ").click()
    page.wait_for_function(f"() => document.querySelector('{STAGE}').drawn().sigma === 1")
    assert three == pytest.approx(3 * np.array(drawn(stage)["ellipsoids"]["primary"]["semi_axes_m"]))
    page.get_by_label("Seen", exact=True).select_option("along")
    page.get_by_role("button", name="Bodies").click()
    page.wait_for_function(f"() => !document.querySelector('{STAGE}').drawn().enlarged")
    expect(page.locator("figure.encounter")).not_to_contain_text("larger than they are")
    page.wait_for_selector("[data-stop=bodies][aria-pressed=true]")
    radius_m = worst["geometry"]["objects"]["primary"]["hard_body_radius_m"]
    page.wait_for_function(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    picture = drawn(stage)
    assert picture["bodies"]["primary"]["radius_m"] == pytest.approx(radius_m)
    bar = page.locator(".scale-bar")
    length_m, width_px = (float(bar.get_attribute(f"data-{name}") or "nan") for name in ("metres", "px"))
    assert width_px == pytest.approx(length_m * picture["px_per_m"])
    box = bar.locator("i").bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(width_px, abs=1.0)
    # The primary, blue, seen in the picture: a column through its middle, off the arrow and the axis.
    pixels = np.asarray(Image.open(io.BytesIO(page.locator(f"{STAGE} canvas").screenshot())).convert("RGB"))
    height_px = (pixels[..., 2].astype(int) - pixels[..., 0] > 70).sum(axis=0).max()
    assert height_px == pytest.approx(2 * radius_m * picture["px_per_m"], abs=6)


@pytest.mark.slow
def test_the_cloud_has_the_share_that_the_probability_is(desk: Visit, worst: dict[str, Any]) -> None:
    """With bodies as large as the error: dots in the disk against the integral of the density over it."""
    geometry = json.loads(json.dumps(worst["geometry"]))
    plane = geometry["encounter_plane"]
    radius_m = 1.3 * plane["combined"]["sigma_minor_m"]
    plane["hard_body_radius_m"] = radius_m
    desk.page.route("**/geometry", lambda route: route.fulfill(body=json.dumps(geometry)))
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    to_the_picture(page)
    page.get_by_role("button", name="What the probability is").click()
    told = page.locator(".explained")
    hits, dots = (int(told.get_attribute(f"data-{name}") or 0) for name in ("hits", "dots"))
    spread = np.array(
        [
            [plane["combined"][a] for a in ("xx_m2", "xy_m2")],
            [plane["combined"][a] for a in ("xy_m2", "yy_m2")],
        ]
    )
    across = np.linspace(-radius_m, radius_m, 1001)
    x_m, y_m = np.meshgrid(across, across)
    off = np.stack([x_m - plane["miss_x_m"], y_m - plane["miss_y_m"]])
    density = np.exp(-0.5 * np.einsum("i...,ij,j...", off, np.linalg.inv(spread), off))
    density /= 2 * np.pi * np.sqrt(np.linalg.det(spread))
    share = float(density[np.hypot(x_m, y_m) < radius_m].sum() * (across[1] - across[0]) ** 2)
    chance = np.sqrt(dots * share * (1 - share))  # one sigma of the number of dots in it
    assert abs(hits - dots * share) < 4 * chance
    expect(told).to_contain_text("is the disk’s share of the cloud")
    shown = told.locator("data[data-field=probability_2d]").get_attribute("value")
    assert float(shown or "nan") == worst["probability_2d"]
    desk.screenshot("encounter-explained")


@pytest.mark.slow
def test_it_plays_and_turns_by_keys(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    stage = to_the_picture(page)
    first = page.locator(f"{STAGE} canvas").screenshot()
    stage.focus()
    for key in ("ArrowLeft", "ArrowUp", "+"):
        page.keyboard.press(key)
    page.wait_for_function(f"() => Number(document.querySelector('{STAGE}').dataset.pictures) >= 2")
    assert page.locator(f"{STAGE} canvas").screenshot() != first
    before = float(stage.get_attribute("data-seconds") or "nan")
    page.keyboard.press("Space")
    page.wait_for_function(
        f"() => Number(document.querySelector('{STAGE}').dataset.seconds) > {before} + 0.001"
    )
    page.keyboard.press("Space")
    expect(page.locator(".encounter-times .play")).to_have_accessible_name("Play")
    assert page.evaluate("document.querySelector('#main').scrollTop") > 0  # keys did not scroll it away


@pytest.mark.slow
def test_where_nothing_shall_move_it_goes_in_steps(
    browser: Browser, served: Served, worst: dict[str, Any]
) -> None:
    with visit(browser, served, viewport={"width": 1440, "height": 900}) as visited:
        visited.page.emulate_media(reduced_motion="reduce")
        page = visited.open(f"event/{worst['id']}?tab=geometry", STAGE)
        stage = to_the_picture(page)
        page.get_by_label("The slider spans").select_option("5")
        page.get_by_role("button", name="Step").click()
        assert float(stage.get_attribute("data-seconds") or "nan") == pytest.approx(0.5)
        page.get_by_role("button", name="Miss", exact=True).click()  # at once
        assert page.locator("[data-stop=miss]").get_attribute("aria-pressed") == "true"


def test_three_dimensions_are_loaded_when_they_are_seen(desk: Visit, worst: dict[str, Any]) -> None:
    sizes: dict[str, int] = {}
    desk.page.on(
        "response",
        lambda answer: (
            sizes.update({answer.url: int(answer.headers.get("content-length", 0))})
            if answer.url.endswith(".js")
            else None
        ),
    )
    page = desk.open(f"event/{worst['id']}", ".figures .plane")
    assert page.locator(DRAWN).count() == 0
    first, compressed = set(sizes), sum(sizes.values())
    page.get_by_role("tab", name="Geometry").click()
    to_the_picture(page)
    later = sum(size for url, size in sizes.items() if url not in first)
    assert compressed < 150_000
    assert 100_000 < later < 250_000


def missing_pictures(change: Callable[[dict[str, Any]], None]) -> Callable[[Route], None]:
    def answer(route: Route) -> None:
        geometry = route.fetch().json()
        change(geometry)
        route.fulfill(body=json.dumps(geometry), content_type="application/json")

    return answer


def nothing(geometry: dict[str, Any]) -> None:
    geometry["encounter_rtn"] = None
    geometry["missing"]["encounter_rtn"] = "The message has no states."


def no_covariance(geometry: dict[str, Any]) -> None:
    for who in ("primary", "secondary", "combined"):
        geometry["encounter_rtn"][f"covariance_{who}_m2"] = None
    geometry["missing"]["encounter_plane.covariance"] = "The primary has no covariance."


def no_path(geometry: dict[str, Any]) -> None:
    geometry["encounter_rtn"]["path"] = None


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (nothing, "The message has no states."),
        (no_covariance, "The primary has no covariance."),
        (no_path, "on a straight line"),
    ],
)
def test_what_is_not_known_is_said(
    desk: Visit, worst: dict[str, Any], change: Callable[[dict[str, Any]], None], words: str
) -> None:
    desk.page.route("**/geometry", missing_pictures(change))
    page = desk.open(f"event/{worst['id']}?tab=geometry", "figure.encounter")
    panel = page.locator("figure.encounter")
    expect(panel).to_contain_text(words)
    if change is no_covariance:
        to_the_picture(page)
        assert drawn(page.locator(STAGE))["ellipsoids"] == {}
        page.get_by_role("button", name="What the probability is").click()
        expect(panel.locator(".explained")).to_have_text(words)


def test_without_webgl_there_are_words_and_numbers(desk: Visit, worst: dict[str, Any]) -> None:
    desk.page.add_init_script(NO_WEBGL)
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    panel = page.locator("figure.encounter")
    page.locator(STAGE).scroll_into_view_if_needed()
    expect(panel).to_contain_text("cannot draw in three dimensions")
    page.get_by_label("The slider spans").select_option("5")
    scrub(page, -100)
    expected = worst["geometry"]["encounter_rtn"]["path"]["in_track_m"][0]
    told = panel.locator("data[data-field=in_track_m]").get_attribute("value")
    assert float(told or "nan") == expected
    panel.get_by_text("The picture in numbers").click()
    expect(panel.locator("tr[data-who]")).to_have_count(3)


def test_a_part_of_the_page_that_does_not_come_is_said(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"event/{worst['id']}", ".figures .plane")
    page.route("**/assets/*.js", lambda route: route.abort())
    page.get_by_role("tab", name="Geometry").click()
    page.locator(STAGE).scroll_into_view_if_needed()
    panel = page.locator("figure.encounter")
    expect(panel).to_contain_text("cannot be loaded: reload the page when the service answers again")
    expect(panel.locator("data[data-field=distance_m]")).to_be_visible()
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_it_is_accessible_and_fits_every_width(
    browser: Browser, served: Served, worst: dict[str, Any], scheme: str
) -> None:
    with visit(browser, served, color_scheme=scheme) as visited:
        page = visited.open(f"event/{worst['id']}?tab=geometry", STAGE)
        to_the_picture(page)
        page.get_by_text("The picture in numbers").click()
        page.get_by_role("button", name="What the probability is").click()
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run('figure.encounter', {resultTypes: ['violations']})")
        assert [v["id"] for v in found["violations"]] == []
        page.get_by_role("button", name="What the probability is").click()
        page.get_by_label("Seen", exact=True).select_option("aside")
        for width, height in ((1440, 900), (1024, 768), (768, 1024), tuple(PHONE["viewport"].values())):  # type: ignore[attr-defined]
            page.set_viewport_size({"width": width, "height": height})
            page.locator("figure.encounter").scroll_into_view_if_needed()
            page.wait_for_function(f"() => document.querySelector('{STAGE} canvas').clientWidth <= {width}")
            visited.screenshot(f"encounter-{scheme}-{width}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.querySelector('#main').scrollWidth") <= width

"""The encounter in 3-D where something is unusual: a lost picture, odd sizes, keys alone."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.page.browsing import Visit
from tests.page.test_encounter_shown import DRAWN, STAGE, drawn, missing_pictures, to_the_picture


@pytest.fixture(scope="module")
def worst(ask: httpx.Client) -> dict[str, Any]:
    """Return the most dangerous event, with its geometry."""
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    return {**event, "geometry": ask.get(f"/conjunctions/{event['id']}/geometry").raise_for_status().json()}


def test_a_lost_picture_is_said_and_comes_back(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    to_the_picture(page)
    page.evaluate(
        f"() => {{ window.lost = document.querySelector('{STAGE} canvas').getContext('webgl2')"
        ".getExtension('WEBGL_lose_context'); window.lost.loseContext(); }"
    )
    panel = page.locator("figure.encounter")
    expect(panel).to_contain_text("The graphics card dropped the picture")
    page.evaluate("window.lost.restoreContext()")
    expect(panel).not_to_contain_text("The graphics card dropped the picture")
    page.get_by_role("button", name="1 σ").click()
    page.wait_for_function(f"() => document.querySelector('{STAGE}').drawn().sigma === 1")


def flat(geometry: dict[str, Any]) -> None:
    """A million to one: as of an element set that is months old."""
    for who, sigma_m in (("primary", 1e6), ("secondary", 2e6), ("combined", 5**0.5 * 1e6)):
        spread = np.diag([1.0, sigma_m**2, 1.0])
        geometry["encounter_rtn"][f"covariance_{who}_m2"] = spread.tolist()


def touching(geometry: dict[str, Any]) -> None:
    geometry["objects"]["primary"]["hard_body_radius_m"] = geometry["miss_distance_m"]
    geometry["encounter_plane"]["hard_body_radius_m"] = geometry["miss_distance_m"] + 2


def slow(geometry: dict[str, Any]) -> None:
    rtn = geometry["encounter_rtn"]
    velocity_m_s = np.array(rtn["relative_velocity_m_s"])
    rtn["relative_velocity_m_s"] = (velocity_m_s / np.linalg.norm(velocity_m_s) * 1e-3).tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [(flat, "drawn larger"), (touching, ""), (slow, "So slow an encounter takes minutes or hours")],
)
def test_odd_encounters_are_drawn(
    desk: Visit, worst: dict[str, Any], change: Callable[[dict[str, Any]], None], words: str
) -> None:
    desk.page.route("**/geometry", missing_pictures(change))
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    stage = to_the_picture(page)
    for stop in ("Whole flight", "Bodies", "Miss", "Ellipsoids"):
        page.get_by_role("button", name=stop, exact=True).click()
        expect(page.locator("[data-stop][aria-pressed=true]")).to_have_count(1)
    expect(page.locator("figure.encounter")).to_contain_text(words)
    picture = drawn(stage)
    for who, one in picture["ellipsoids"].items():
        expected = json.loads(json.dumps(worst["geometry"]))
        change(expected)
        variances = np.linalg.eigvalsh(np.array(expected["encounter_rtn"][f"covariance_{who}_m2"]))[::-1]
        assert np.square(one["semi_axes_m"]) / 9 == pytest.approx(variances, rel=1e-3)
    desk.screenshot(f"encounter-{change.__name__}")


@pytest.mark.slow
def test_the_time_is_scrubbed_by_keys(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    stage = to_the_picture(page)
    page.get_by_label("The slider spans").select_option("5")
    page.get_by_label("Time from TCA").focus()
    page.keyboard.press("ArrowRight")
    assert float(stage.get_attribute("data-seconds") or "nan") == pytest.approx(0.05)
    page.keyboard.press("Home")
    assert float(stage.get_attribute("data-seconds") or "nan") == pytest.approx(-5)
    page.get_by_role("button", name="What the probability is").click()  # told at TCA
    assert float(stage.get_attribute("data-seconds") or "nan") == 0
    page.get_by_role("button", name="What the probability is").click()
    stage.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("Seen", exact=True)).to_have_value("turned")


@pytest.mark.slow
def test_the_summary_leads_to_the_picture_that_explains(desk: Visit, worst: dict[str, Any]) -> None:
    """Before the picture has been made: it is then seen along the flight, with the whole cloud."""
    page = desk.open(f"event/{worst['id']}?tab=geometry", STAGE)
    page.get_by_role("button", name="See it").click()
    page.wait_for_selector(DRAWN)
    expect(page.locator(".explained")).to_contain_text("share of the cloud")
    expect(page.get_by_label("Seen", exact=True)).to_have_value("along")
    shown = page.locator(STAGE).evaluate("x => x.drawn()")
    assert set(shown["ellipsoids"]) == {"combined"}
    box = page.locator(STAGE).bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 900

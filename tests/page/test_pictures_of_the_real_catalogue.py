"""Every picture of an event shows the service's numbers: 50 events of the real catalogue, of all kinds."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from storage.state.credentials import create_credential
from tests.page.browsing import Served, Visit, visit
from tests.page.real_store import CRITICAL, real_store
from tests.page.serving import service
from tests.page.test_encounter_shown import DRAWN, STAGE, placed_m
from tests.page.test_encounter_shown import drawn as drawn_in_space
from tests.page.test_event_pictures import (
    assert_curve,
    assert_paths,
    assert_plane,
    assert_probabilities,
    at,
    drawn,
)
from tests.page.test_event_view import OF_THE_EVENT, assert_same, shown

LEVELS = ("critical", "high", "medium", "low")
DOUBLES = 1e-9
HOURS = {"s": 3600, "min": 60, "h": 1, "days": 1 / 24}  # so many a unit of the axis
SECONDS = {"ms": 1e3, "s": 1, "min": 1 / 60, "h": 1 / 3600}
METRES = {"m": 1, "km": 1e-3}
TREND = {
    "Probability": "probability",
    "Miss, radial": "miss_radial_m",
    "Miss, in-track": "miss_in_track_m",
    "Miss, cross-track": "miss_cross_track_m",
    "Miss in sigmas": "miss_sigmas",
    "Shift of TCA": "tca_shift_s",
    "Age of the element sets": "primary_age_hours",
}
LEAST = 1e-30  # less is not drawn
BESIDE = {"half": 0.5, "double": 2.0}
NEAREST = 0.06  # as far as the curve's own points are from these


@pytest.fixture(scope="module")
def desk(
    browser: Browser, shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Visit, httpx.Client]]:
    """Sit before a part of the real catalogue, with a client that asks the same service."""
    store = real_store(shared_file, tmp_path_factory.mktemp("real"))
    made = create_credential(store, "bearer", "operations desk", datetime.now(UTC), per_minute=100_000)
    headers = {"Authorization": f"Bearer {made.secret}"}
    with (
        service(store) as url,
        httpx.Client(base_url=url, headers=headers, timeout=60) as ask,
        visit(browser, Served(url, made.secret)) as visited,
    ):
        yield visited, ask


def chosen(ask: httpx.Client, count: int) -> list[int]:
    """Return events of every kind: with messages, slow, without probability, told only, of each level."""
    rows = ask.get("/conjunctions?limit=10000").raise_for_status().json()["conjunctions"]
    kinds = [
        [row for row in rows if {row["primary_norad_id"], row["secondary_norad_id"]} == set(CRITICAL)],
        [row for row in rows if row["encounter"] == "slow" and row["origin"] == "run"],
        [row for row in rows if row["origin"] == "message"],
        [row for row in rows if row["probability_2d"] is None and row["encounter"] != "slow"],
        *([row for row in rows if row["risk_level"] == level] for level in LEVELS),
    ]
    assert all(kinds)
    rng = np.random.default_rng(11)
    wanted = [kinds[0][0]["id"]]
    while len(wanted) < count:
        for kind in kinds[1:]:
            left = [row["id"] for row in kind if row["id"] not in wanted]
            if left and len(wanted) < count:
                wanted.append(int(rng.choice(left)))
    return wanted


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, 50])
def test_every_picture_has_the_numbers_of_the_service(desk: tuple[Visit, httpx.Client], count: int) -> None:
    visited, ask = desk
    for number in chosen(ask, count):
        path = f"/conjunctions/{number}"
        event, geometry, trend = (
            ask.get(path + part).raise_for_status().json() for part in ("", "/geometry", "/trend")
        )
        page = visited.open(f"event/{number}?tab=geometry", f'[data-event="{number}"] .relative')
        page.wait_for_selector(".trend [data-points]", state="attached")
        told_numbers(page, event, geometry)
        if geometry["encounter_plane"]:
            assert_plane(page, geometry["encounter_plane"])
        if geometry["range"]:
            assert_paths(page, geometry["range"]["near"])
            assert_scales(page, geometry["range"]["near"])
            assert_range(page, geometry["range"]["near"])
        if geometry["probability_against_scale"]:
            assert_probabilities(page, geometry)
        page.get_by_role("tab", name="Trend").click()
        assert_trend(page, trend)
        page.get_by_role("tab", name="Geometry").click()
        assert_in_space(page, geometry["encounter_rtn"])


def told_numbers(page: Page, event: dict[str, Any], geometry: dict[str, Any]) -> None:
    """Compare what is said in words, in the strip and in the lists."""
    found = shown(page, ".told") + shown(page, ".strip") + shown(page, ".plane-numbers")
    assert {"miss_distance_m"} <= {field for field, _, _ in found}
    for field, exact, _ in found:
        name = field.rsplit(".", 1)[-1]
        if field.startswith("probability_against_scale."):
            curve = geometry["probability_against_scale"]
            near = np.abs(np.array(curve["scale"]) / BESIDE[name] - 1)
            assert near.min() < NEAREST
            sent = curve["probability"][int(near.argmin())]
        else:
            sent = event[field] if field in event else at(geometry, field)
        assert (float(exact) if exact else None) == sent, field
    assert_same(shown(page, OF_THE_EVENT) + shown(page, ".relative"), event)
    for who in ("primary", "secondary"):
        assert_same(shown(page, f'[data-object="{who}"]'), geometry["objects"][who])


def assert_range(page: Page, sent: dict[str, Any]) -> None:
    chart = drawn(page, "Range against time")
    in_time = SECONDS[chart["xLabel"].split(" ")[0]]
    in_length = METRES[chart["yLabel"].split(", ")[1]]
    seconds = [value * in_time for value in sent["seconds_from_tca"]]
    assert_curve(chart, seconds, [value * in_length for value in sent["range_m"]], 0)


def assert_scales(page: Page, sent: dict[str, list[float]]) -> None:
    """Compare the numbers beside the axes of the paths with the pixels of the path."""
    for upwards in ("radial_m", "cross_track_m"):
        picture = page.locator(f'[data-plane="{upwards}"]')
        unit = METRES[picture.locator("..").get_attribute("data-unit") or ""]
        texts = picture.locator(".tick").evaluate_all(
            "all => all.map(t => [t.getAttribute('text-anchor'), t.getAttribute('x'), t.getAttribute('y'),"
            " t.textContent])"
        )
        points = [
            one.split(",") for one in (picture.locator("polyline").get_attribute("points") or "").split()
        ]
        pixels = np.array(points, float)
        for anchor, column, name in (("middle", 0, "in_track_m"), ("end", 1, upwards)):
            ticks = [
                (float(text.replace("−", "-").replace(",", "")), float(at_[column]))
                for kind, *at_, text in texts
                if kind == anchor and re.fullmatch(r"−?[\d,.]+", text)
            ]
            if len(ticks) < 2 or np.ptp(sent[name]) == 0:
                continue
            (value, place), (other, end) = ticks[0], ticks[-1]
            px_unit = (end - place) / (other - value)
            spread = np.ptp(pixels[:, column]) / np.ptp(np.array(sent[name]) * unit)
            assert abs(px_unit) == pytest.approx(spread, abs=0.03 / np.ptp(np.array(sent[name]) * unit))


ENOUGH = 3  # points


def assert_trend(page: Page, trend: dict[str, Any]) -> None:
    """Compare the charts of a trend, and the table below them."""
    points = trend["points"]
    table = shown(page, ".timeline")
    names = ["hours_to_tca", "probability", "miss_distance_m", "tca_shift_s", "miss_sigmas"]
    for name in names:
        found = [float(exact) if exact else None for field, exact, _ in table if field == name]
        assert found == [point[name] for point in points], name
    times = len({point["hours_to_tca"] for point in points})
    if times < 2:
        return
    by_title = {title: name for title, name in TREND.items() if any(p[name] is not None for p in points)}
    for title, name in by_title.items():
        if name == "probability" and not any((p[name] or 0) >= LEAST for p in points):
            continue
        if times < ENOUGH and name != "probability" and page.locator(".trend .chart").count() == 1:
            continue  # two points are one chart and the table
        chart = drawn(page, title)
        after = "after" in chart["xLabel"]
        ordered = points if after else points[::-1]
        unit = HOURS[chart["xLabel"].split(" ")[0]]
        if not after:
            assert chart["x"] == pytest.approx([point["hours_to_tca"] * unit for point in ordered]), title
        scale = METRES.get(chart["yLabel"], 1.0)
        curves = [curve["values"] for curve in chart["curves"] if curve.get("name") == name]
        for place, point in enumerate(ordered):
            values = [curve[place] for curve in curves if curve[place] is not None]
            sent = point[name]
            if sent is None or (name == "probability" and sent < LEAST):
                assert values == [], title
            else:
                assert values == [pytest.approx(sent * scale, rel=DOUBLES)], title


def assert_in_space(page: Page, rtn: dict[str, Any] | None) -> None:
    """Compare the ellipsoids and bodies of the picture with the service's, from its own matrices."""
    if rtn is None:
        assert page.locator(STAGE).count() == 0
        return
    stage = page.locator(STAGE)
    stage.scroll_into_view_if_needed()
    page.wait_for_selector(DRAWN)
    picture = drawn_in_space(stage)
    secondary = picture["bodies"]["secondary"]["centre_m"]
    np.testing.assert_allclose(secondary, rtn["secondary_m"], atol=placed_m(rtn))
    known = {who for who in ("primary", "secondary") if rtn[f"covariance_{who}_m2"]}
    assert set(picture["ellipsoids"]) <= known
    for who, one in picture["ellipsoids"].items():
        semi_axes_m, axes = np.array(one["semi_axes_m"]) / picture["sigma"], np.array(one["axes"])
        covariance_m2 = np.array(rtn[f"covariance_{who}_m2"])
        largest = covariance_m2.max()
        np.testing.assert_allclose(axes.T * semi_axes_m**2 @ axes, covariance_m2, atol=DOUBLES * largest)

"""What the globe draws is right: the Sun, the objects chosen, and a time that is dragged for a minute."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import erfa
import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from storage.state.credentials import create_credential
from tests.api.waiting import wait_until
from tests.page.browsing import Served, Visit, visit
from tests.page.test_globe_selected import told
from tests.page.test_globe_view import DRAWN
from tests.page.test_globe_view import worst as worst  # a fixture
from tests.page.test_positions_asked import asked_for, let_run_be

TT_UTC_S = 69.184
MINUTE_S = 60.0
STEP_KM = 0.25  # of positions below 8,000 km from the middle of the Earth
PLACE = r"([\d.]+)° ([NS]), ([\d.]+)° ([EW]), ([\d,]+) km up"


def sun(time: datetime) -> Any:
    """Return the Sun's direction in ITRF: position and orientation of the Earth by IAU SOFA."""
    jd = 2_440_587.5 + time.timestamp() / 86_400
    tt = jd + TT_UTC_S / 86_400
    heliocentric, _ = erfa.epv00(tt, 0.0)
    direction = erfa.c2t06a(tt, 0.0, jd, 0.0, 0.0, 0.0) @ -heliocentric["p"]
    return direction / np.linalg.norm(direction)


def test_the_night_side_is_where_the_sun_is_down(desk: Visit) -> None:
    let_run_be(desk.page, {"window_start": "2026-01-01T00:00:00Z", "window_end": "2027-01-01T00:00:00Z"})
    desk.page.route("**/positions?*", lambda _: None)  # it needs none, and far from the run there are none
    page = desk.open("globe", "canvas[data-sun]")
    for day in (0.3, 79.9, 171.5, 265.2, 355.7):
        page.get_by_label("Time shown").fill(str(round(86_400 * day)))
        shown = datetime.fromtimestamp(
            datetime(2026, 1, 1, tzinfo=UTC).timestamp() + round(86_400 * day), UTC
        )
        there = sun(shown)
        # That of the time before may be near by chance.
        page.wait_for_function(
            """([x, y, z, limit]) => {
                 const [a, b, c] = document.querySelector("canvas").dataset.sun.split(" ");
                 return Math.hypot(a - x, b - y, c - z) < limit }""",
            arg=[*there.tolist(), float(np.radians(0.03))],
        )
        drawn = np.array(
            [float(part) for part in (page.locator("canvas").get_attribute("data-sun") or "").split()]
        )
        apart_deg = np.degrees(np.linalg.norm(drawn - there))
        assert apart_deg < 0.03  # what the formula promises, and the aberration of light


def of_a_constellation(members: set[int]) -> Callable[[Route], None]:
    """Let these objects be OneWeb's: synthetic ones have names of their own, in no constellation."""

    def answer(route: Route) -> None:
        objects = route.fetch().json()["objects"]
        for one in objects:
            one["constellation"] = "OneWeb" if one["norad_id"] in members else None
        route.fulfill(body=json.dumps({"objects": objects}), content_type="application/json")

    return answer


@pytest.mark.slow
def test_a_shell_and_a_constellation_are_chosen(desk: Visit, ask: httpx.Client) -> None:
    known = ask.get("/objects").json()["objects"]
    members = [one["norad_id"] for one in known if one["name"].startswith("SYNTH ONEWEB")]
    desk.page.route("**/objects?fields*", of_a_constellation(set(members)))
    asked = asked_for(desk.page)
    page = desk.open("globe", DRAWN)
    said = page.locator(".object-filters [role=status]")
    shown = told(page, "positions", at=asked[0])["satellites"]
    page.get_by_label("Shell").select_option("low, 650 to 1,000 km")
    expect(said).to_contain_text(" of ")
    sure, possible = (sum(650 + km <= one["alt"] <= 1000 - km for one in shown) for km in (STEP_KM, -STEP_KM))
    assert sure <= int(said.inner_text().partition(" of ")[0].replace(",", "")) <= possible
    page.get_by_label("Altitude to, km").fill("900")
    expect(page.get_by_label("Shell")).to_have_value("own")
    page.get_by_label("Shell").select_option("all")
    page.get_by_label("Constellation").select_option("OneWeb")
    expect(said).to_contain_text(f"{len(members):,} of ")
    assert "constellation=OneWeb" in page.url
    page.reload()
    expect(said).to_contain_text(f"{len(members):,} of ")


@pytest.mark.slow
def test_until_the_second_frame_comes_objects_are_where_gravity_moves_them(desk: Visit) -> None:
    start = datetime.fromisoformat(told(desk.open("run", ".run .facts"), "runs/current")["window_start"])
    first = start + timedelta(hours=6)  # far from now, whose frames are asked for first
    second = first + timedelta(seconds=300)  # the step of frames

    def not_second(route: Route) -> None:
        if second.strftime("at=%Y-%m-%dT%H%%3A%M%%3A%S") not in route.request.url:
            route.continue_()

    desk.page.route("**/positions?*", not_second)
    page = desk.open("globe", "canvas[data-sun]")
    with page.expect_response(lambda answer: first.strftime("at=%Y-%m-%dT%H%%3A%M%%3A%S") in answer.url):
        page.get_by_label("Time shown").fill(str(6 * 3600 + 290))
    page.wait_for_selector(DRAWN)
    at = (first + timedelta(seconds=290)).isoformat()
    there = sorted(told(page, "positions", at=at)["satellites"], key=lambda one: float(one["alt"]))
    for one in (there[0], there[len(there) // 2], there[-1]):
        page.get_by_label("Name, number or owner").fill(str(one["norad_id"]))
        page.locator(f".found [data-object='{one['norad_id']}']").click()
        place = page.locator("[data-part=place]")
        expect(place).to_contain_text("km up")
        found = re.fullmatch(PLACE, place.inner_text())
        assert found is not None
        # The rounding of what is shown, a kilometre, and a step of two bytes in three directions.
        step_km = 2.0 ** (np.frexp(max(abs(one[axis]) for axis in "xyz"))[1] - 15)
        assert abs(one["lat"]) == pytest.approx(float(found[1]), abs=0.06)
        assert abs(one["lon"]) == pytest.approx(float(found[3]), abs=0.07)
        assert one["alt"] == pytest.approx(float(found[5].replace(",", "")), abs=1.5 + step_km)


# The place of the selected object and the time that stands below it, of one picture.
_SHOWN = """() => [document.querySelector(".time-bar time").dateTime,
  document.querySelector("[data-part=place]").textContent,
  document.querySelector("canvas").dataset.objects]"""

_SETTLED = f"""() => document.querySelector("{DRAWN}") ||
  document.querySelector(".stage-note").textContent.includes("positions wait")"""


def wrong(page: Page, number: int, time: str, place: str, drawn: str) -> str:
    """Return what was shown of an object if that is not where it is at the time shown, else nothing."""
    found = re.fullmatch(PLACE, place)
    if found is None:
        return f"{drawn} objects, and {place}" if drawn != "0" else ""
    (there,) = told(page, "positions", at=time, norad_id=str(number))["satellites"]
    north = float(found[1]) * (1 if found[2] == "N" else -1)
    east = float(found[3]) * (1 if found[4] == "E" else -1)
    near = abs(there["lat"] - north) < 0.1 and abs((there["lon"] - east + 180) % 360 - 180) < 0.3
    return "" if near else f"{place} instead of {there['lat']}, {there['lon']} at {time}"


@pytest.mark.slow
def test_a_time_dragged_for_a_minute_is_refused_nothing_and_shows_nothing_wrong(
    browser: Browser, served: Served, synthetic_store: Path, worst: dict[str, Any]
) -> None:
    # With the limit of the service: 60 requests a minute. What is compared is asked by another session.
    usual = create_credential(synthetic_store, "bearer", "who drags", datetime.now(UTC))
    token = {"Authorization": f"Bearer {usual.secret}"}
    wait_until(lambda: httpx.get(f"{served.url}/runs/current", headers=token).is_success)  # it is known soon
    number = worst["primary_norad_id"]
    with visit(browser, served._replace(token=usual.secret)) as visited:
        page = visited.open(f"globe?object={number}", DRAWN)
        refused: list[str] = []
        page.on("response", lambda answer: refused.append(answer.url) if answer.status == 429 else None)
        box = page.get_by_label("Time shown").bounding_box()
        assert box is not None
        random, seen, moves, end = Random(24), [], 0, monotonic() + MINUTE_S
        page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
        page.mouse.down()
        while monotonic() < end:
            page.mouse.move(
                box["x"] + random.uniform(5, box["width"] - 5), box["y"] + box["height"] / 2, steps=8
            )
            moves += 1
            seen.append(page.evaluate(_SHOWN))  # whatever a picture shows has to be right
            if moves % 3 == 0:  # now and then it is let go, until it shows positions or says why not
                page.mouse.up()
                page.wait_for_function(_SETTLED)
                seen.append(page.evaluate(_SHOWN))
                page.mouse.down()
        page.mouse.up()
        assert refused == []
        page.wait_for_selector(DRAWN, timeout=65_000)
        assert refused == []
        assert any(drawn != "0" for _, _, drawn in seen)
    with visit(browser, served) as visited:  # the same times and places, as the service tells them
        page = visited.open("run", ".run .facts")
        for time, place, drawn in seen:
            assert wrong(page, number, time, place, drawn) == ""

"""How far off an object's sets are, in its card: asked for when opened, drawn from what the service says."""

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from storage.state.credentials import create_credential
from tests.object_history import ObjectHistory, publish_history
from tests.page.browsing import Served, Visit, visit
from tests.page.serving import service
from tests.page.test_every_view import AXE, PHONE

half_a_pixel = 0.5
AXES = ("radial", "in-track", "cross-track")


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, ObjectHistory]]:
    """Serve a store whose objects have a history."""
    store: Path = tmp_path_factory.mktemp("followed") / "store"
    history = publish_history(store)
    made = create_credential(store, "bearer", "desk", datetime.now(UTC), per_minute=100_000)
    with service(store) as url:
        yield Served(url, made.secret), history


def opened(visited: Visit, address: str, card: str) -> tuple[Page, Locator]:
    page = visited.open(address, f"{card} [data-part=errors]")
    part = page.locator(f"{card} [data-part=errors]")
    part.get_by_text("How far off its sets are").click()
    expect(part.locator(".axis-errors")).to_have_count(3)
    return page, part


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_picture_is_of_the_services_numbers(
    browser: Browser, followed: tuple[Served, ObjectHistory], scheme: str
) -> None:
    served, history = followed
    token = {"Authorization": f"Bearer {served.token}"}
    told = httpx.get(f"{served.url}/objects/{history.norad_id}/errors", headers=token, timeout=60.0).json()
    with visit(browser, served, color_scheme=scheme) as visited:
        asked: list[str] = []
        visited.page.on("request", lambda request: asked.append(request.url))
        visited.open(f"events?norad={history.norad_id}", ".object-strip [data-part=errors]")
        assert not [url for url in asked if url.endswith("/errors")], "only when it is opened"
        page, part = opened(visited, f"events?norad={history.norad_id}", ".object-strip")
        expect(part.locator("[data-part=words]")).to_have_text(told["words"])
        assert len([url for url in asked if url.endswith("/errors")]) == 1
        for axis, name in enumerate(AXES):
            picture = part.locator(f"[data-axis={name}]")
            assert "3 differences of its own sets" in (picture.get_attribute("aria-label") or "")
            points = [
                (float(one.get_attribute("cx") or 0), float(one.get_attribute("cy") or 0))
                for one in picture.locator("circle").all()
            ]
            line = [
                tuple(map(float, one.split(",")))
                for one in (picture.locator("polyline.law").get_attribute("points") or "").split()
            ]
            assert (len(points), len(line)) == (3, len(told["law"]["age_days"]))
            # One logarithmic scale for points and line: a decade is as high for both.
            values_m = [abs(one[axis]) for one in told["differences"]["missed_rtn_m"]]
            sigmas_m = [one[axis] for one in told["law"]["sigma_rtn_m"]]
            decade = decade_of(line, sigmas_m)
            for (_, y), value_m in zip(points, values_m, strict=True):
                expected = line[0][1] - decade * math.log10(max(value_m, 1.0) / sigmas_m[0])
                assert y == pytest.approx(expected, abs=half_a_pixel)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
        visited.screenshot(f"object-errors-{scheme}")


def decade_of(line: list[tuple[float, ...]], values_m: list[float]) -> float:
    """Return how many pixels a factor of ten is."""
    return (line[0][1] - line[-1][1]) / math.log10(values_m[-1] / values_m[0])


def test_the_card_beside_the_globe_has_it_too_and_fits_a_phone(
    browser: Browser, followed: tuple[Served, ObjectHistory]
) -> None:
    served, history = followed
    with visit(browser, served, **PHONE) as visited:
        page, part = opened(visited, f"globe?object={history.alone}", ".card")
        expect(part.locator("[data-part=words]")).to_contain_text("no earlier set of it")
        expect(part.locator("circle")).to_have_count(0)
        expect(part.locator(".legend")).not_to_contain_text("differences")
        part.scroll_into_view_if_needed()
        visited.screenshot("object-errors-phone")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_failure_is_told_and_opening_it_again_asks_again(
    browser: Browser, followed: tuple[Served, ObjectHistory]
) -> None:
    served, history = followed
    problem = json.dumps({"title": "Not found", "detail": "No such object.", "status": 404})

    def refused(route: Route) -> None:
        route.fulfill(status=404, content_type="application/problem+json", body=problem)

    with visit(browser, served) as visited:
        visited.page.route("**/errors", refused, times=1)
        page = visited.open(f"events?norad={history.norad_id}", ".object-strip [data-part=errors]")
        part = page.locator("[data-part=errors]")
        summary = part.locator("summary")
        summary.click()
        expect(part.get_by_role("alert")).to_have_text("No such object.")
        visited.complaints.clear()  # the browser notes the 404
        summary.click()
        summary.click()
        expect(part.locator(".axis-errors")).to_have_count(3)

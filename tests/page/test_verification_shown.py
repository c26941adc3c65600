"""How forecasts did, in the overview: the service's sentences, pictures and numbers, when opened."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

from flows.sources.files import read_file
from storage.state.credentials import create_credential
from tests.page.browsing import Served, Visit, visit
from tests.page.serving import service
from tests.page.test_every_view import AXE
from tests.page.test_printed import SHEET_PX, printed
from tests.runs import START, make_run


@pytest.fixture(scope="module")
def judged(small_catalogue: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a store whose last run has judged the first ones."""
    store = tmp_path_factory.mktemp("judged") / "store"
    for step in range(6):
        make_run(read_file(small_catalogue), store, START + np.timedelta64(6 * step, "h"), 18.0)
    made = create_credential(store, "bearer", "desk", datetime.now(UTC), per_minute=100_000)
    with service(store) as url:
        yield Served(url, made.secret)


def opened(visited: Visit) -> Locator:
    """Open the section, and wait for its pictures."""
    page = visited.open("overview", "[data-part=verification]")
    part = page.locator("[data-part=verification]").first
    part.get_by_text("How our forecasts did").click()
    expect(part.locator("figure")).to_have_count(3)
    return part


@pytest.fixture(scope="module")
def told(judged: Served) -> dict[str, Any]:
    """Return what the service says."""
    token = {"Authorization": f"Bearer {judged.token}"}
    answer = httpx.get(f"{judged.url}/verification", headers=token, timeout=60.0)
    found: dict[str, Any] = answer.raise_for_status().json()
    assert found["regions"]
    assert found["warnings"]
    return found


def test_the_overview_says_how_forecasts_did(browser: Browser, judged: Served, told: dict[str, Any]) -> None:
    with visit(browser, judged) as visited:
        asked: list[str] = []
        visited.page.on("request", lambda request: asked.append(request.url))
        page = visited.open("overview", "[data-part=verification]")
        assert not [url for url in asked if url.endswith("/verification")], "only when it is opened"
        part = page.locator("[data-part=verification]").first
        part.get_by_text("How our forecasts did").click()
        numbers = part.locator("[data-part=numbers]")
        expect(numbers.locator("table")).to_have_count(3)
        expect(numbers.locator("table").first).not_to_be_visible()
        numbers.get_by_text("Numbers").click()
        expect(numbers.locator("table").first).to_be_visible()
        sentences = part.locator("[data-part=words] li").all_text_contents()
        assert sentences == told["words"]
        first = part.locator("tbody tr").first.locator("td").all_text_contents()
        assert first[:3] == [
            str(told["warnings"][0]["days_ahead"]),
            told["warnings"][0]["level"],
            f"{told['warnings'][0]['encounters']:,.0f}",
        ]


def test_pictures_show_the_numbers_of_the_chosen_lead(
    browser: Browser, judged: Served, told: dict[str, Any]
) -> None:
    shares = [f"inside_{said}" for said in (50, 80, 95, 99)]
    leads = sorted({one["days_ahead"] for one in (*told["regions"], *told["warnings"])})
    assert len(leads) > 1
    with visit(browser, judged) as visited:
        part = opened(visited)
        chosen = part.get_by_role("group", name="Days ahead").get_by_role("button")
        expect(chosen).to_have_count(len(leads))
        for place, lead in enumerate(leads):
            chosen.nth(place).click()
            expect(chosen.nth(place)).to_have_attribute("aria-pressed", "true")
            held = [one[share] for one in told["regions"] if one["days_ahead"] == lead for share in shares]
            assert drawn(part, "reliability", "data-share") == pytest.approx(held)
            fates = [
                one[end]
                for one in told["warnings"]
                if one["days_ahead"] == lead
                for end in ("red", "medium", "low", "vanished")
            ]
            assert drawn(part, "fate", "data-count") == pytest.approx(fates)
        ratios = drawn(part, "law", "data-ratio")
        by_law = [one[axis] for one in told["errors"] for axis in ("radial", "in_track", "cross_track")]
        assert sorted(ratios) == pytest.approx(sorted(by_law))
        since = {(one["error_law"], one["since"]) for one in told["errors"]}
        rows = part.locator("[data-part=numbers] table").last.locator("tbody tr")
        shown = [row.locator("td").all_text_contents()[:2] for row in rows.all()]
        assert {(law, day) for law, day in shown} == since
        assert all(told["since"] <= day <= told["until"] for _, day in since)


def drawn(part: Locator, picture: str, attribute: str) -> list[float]:
    """Return the values of a picture's marks."""
    marks = part.locator(f"[data-picture={picture}] [{attribute}]")
    return [float(one.get_attribute(attribute) or "nan") for one in marks.all()]


def test_the_keyboard_reads_them(browser: Browser, judged: Served, told: dict[str, Any]) -> None:
    with visit(browser, judged) as visited:
        part = opened(visited)
        lead = next(one["days_ahead"] for one in told["regions"] if one["days_ahead"] > 0)
        first = next(one for one in told["regions"] if one["days_ahead"] == lead)
        picture = part.locator("[data-picture=reliability]")
        picture.evaluate("one => (one.matches('[tabindex]') ? one : one.querySelector('[tabindex]')).focus()")
        for _ in range(2):
            visited.page.keyboard.press("ArrowRight")
        low, high = first["between"][1]
        expect(part.locator("[data-picture=reliability] .told")).to_have_text(
            f"{first['kind'].capitalize()}, region of 80 %: {100 * first['inside_80']:.1f} % inside "
            f"({100 * low:.1f} % to {100 * high:.1f} %), of {first['encounters']:,.0f} encounters"
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 768, 1440])
def test_it_fits_and_is_accessible(browser: Browser, judged: Served, width: int, scheme: str) -> None:
    look: dict[str, Any] = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    with visit(browser, judged, **look) as visited:
        part = opened(visited)
        page = visited.page
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.querySelector('#main').scrollWidth") <= width
        part.get_by_text("Numbers", exact=True).click()
        assert page.evaluate("document.querySelector('#main').scrollWidth") <= width
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [v["id"] for v in found["violations"]] == []
        visited.screenshot(f"verification-{width}-{scheme}")


def test_on_paper_pictures_stay_and_buttons_go(browser: Browser, judged: Served) -> None:
    with visit(browser, judged, color_scheme="dark") as visited:
        opened(visited)
        sheets, seen = printed(visited.page)
        text = " ".join(sheets)
        for title in ("Did regions hold", "What became of each level?", "Were errors as large"):
            assert title in text
        assert "Days ahead of TCA:" not in text
        assert seen["theme"] == "light"
        assert seen["right"] <= SHEET_PX

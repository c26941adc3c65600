"""The page on paper: an event on two sheets, lists with the rows that are loaded, light, without buttons."""

import io
import re
from collections.abc import Iterator
from math import hypot
from typing import Any

import httpx
import pypdf
import pytest
from playwright.sync_api import Browser, Page

from tests.page.browsing import Served, Visit, visit

READABLE_PT = 6.6  # units; most are 7.7
SHEET_PX = 718  # A4 without margins of 10 mm, at 96 px an inch
PRESSED = ("Sign out", "Copy link", "Show on the globe", "Whole ellipses", "Close-up", "Find burns")
_WATCH = """() => addEventListener("beforeprint", () => {
    const right = (one) => one.getBoundingClientRect().right;
    const all = [...document.querySelectorAll("figure canvas, figure svg")];
    const seen = all.filter((one) => one.checkVisibility());
    window.printed = {
        theme: document.documentElement.dataset.theme,
        pictures: seen.length,
        right: Math.max(0, ...seen.map(right)),
        wide: document.querySelector("#app").scrollWidth,
    };
})"""


def smallest_pt(sheet: pypdf.PageObject) -> float:
    """Return the size of the smallest letters on a sheet, those of pictures on canvas aside."""
    sizes: list[float] = []

    def look(text: str, frame: list[float], matrix: list[float], _font: object, size: float) -> None:
        if text.strip():
            sizes.append(size * hypot(matrix[0], matrix[1]) * hypot(frame[0], frame[1]))

    sheet.extract_text(visitor_text=look)
    return min(sizes)


@pytest.fixture
def dark_desk(browser: Browser, served: Served) -> Iterator[Visit]:
    """Sit at a desk in the dark."""
    with visit(browser, served, color_scheme="dark") as visited:
        yield visited


def printed(page: Page) -> tuple[list[str], dict[str, Any]]:
    """Print what is shown; return the texts of the sheets, and what was there as it was printed."""
    page.evaluate(_WATCH)
    pdf = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    for sheet in pdf.pages:
        assert (round(sheet.mediabox.width), round(sheet.mediabox.height)) == (595, 842)  # A4, points
    seen: dict[str, Any] = page.evaluate("window.printed")
    seen["smallest_pt"] = min(smallest_pt(sheet) for sheet in pdf.pages)
    return [re.sub(r"\s+", " ", sheet.extract_text()) for sheet in pdf.pages], seen


def test_an_event_is_on_two_sheets_whole_and_light(dark_desk: Visit, ask: httpx.Client) -> None:
    event = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"][0]
    page = dark_desk.open(f"event/{event['id']}?tab=geometry", ".more-figures canvas")
    titles = page.locator("figure:not(.encounter) h2").all_text_contents()
    assert len(titles) > 5
    before = page.locator(".more-figures canvas").first.bounding_box()
    sheets, seen = printed(page)
    assert len(sheets) == 2
    text = " ".join(sheets)
    for part in (event["primary_name"], event["secondary_name"], str(event["id"]), "Inclination", *titles):
        assert part in text
    assert [part for part in PRESSED if part in text] == []
    assert "http" not in text
    assert "#/" not in text
    assert seen["theme"] == "light"
    assert seen["pictures"] > 4
    assert seen["right"] <= SHEET_PX + 1  # a fraction of a pixel
    assert seen["wide"] <= SHEET_PX  # a sheet that is wider is shrunk
    assert seen["smallest_pt"] >= READABLE_PT
    for number, sheet in enumerate(sheets, start=1):
        assert f"Event {event['id']}" in sheet
        assert f"{number} / {len(sheets)}" in sheet
    # And all is as before, once the browser has told that it has printed.
    page.wait_for_function("() => !document.documentElement.classList.contains('printing')")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.locator(".more-figures canvas").first.bounding_box() == before


@pytest.mark.slow
def test_of_a_long_history_the_newest_rows_are_printed_and_counted(desk: Visit, ask: httpx.Client) -> None:
    (event,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    trend = ask.get(f"/conjunctions/{event['id']}/trend").raise_for_status().json()
    told = {**trend["points"][0], "kind": "message", "originator": "CSPOC", "run_id": None}
    trend["points"] = [
        {**told, "hours_to_tca": 40.0 - i, "message_id": f"CDM {i:02}", "claimed_probability": 1e-6 * i}
        for i in range(30)
    ]
    desk.page.route("**/trend", lambda route: route.fulfill(json=trend))
    page = desk.open(f"event/{event['id']}?tab=trend", ".trend .chart")
    page.wait_for_selector('[data-object="secondary"]', state="attached")
    sheets, _ = printed(page)
    assert len(sheets) <= 3
    whole = next(sheet for sheet in sheets if "The newest 6 of 30 rows" in sheet)
    assert "30 messages" in whole  # the panel is not cut
    text = " ".join(sheets)
    assert all(f"CDM {i:02}" in text for i in range(24, 30))
    assert "CDM 23" not in text


@pytest.mark.slow
def test_a_list_has_the_rows_that_are_loaded_below_heads_on_each_sheet(
    dark_desk: Visit, ask: httpx.Client
) -> None:
    total = ask.get("/conjunctions?limit=1").raise_for_status().json()["total"]
    first = ask.get("/conjunctions?limit=200").raise_for_status().json()["conjunctions"]
    page = dark_desk.open("events", ".rows .row[data-id]")
    sheets, seen = printed(page)
    assert len(sheets) > 1
    for sheet in sheets:
        assert "TCA (UTC)" in sheet
        assert "Secondary" in sheet
    said = f"All {total:,}" if total <= len(first) else f"The 200 that are loaded of {total:,}"
    assert said in sheets[0]
    text = " ".join(sheets)
    for event in (first[0], first[len(first) // 2], first[-1]):
        assert f"{event['tca'][5:10]} {event['tca'][11:19]}" in text
        assert str(event["secondary_norad_id"]) in text
    assert seen["theme"] == "light"
    assert page.locator(".printed-rows").count() == 0

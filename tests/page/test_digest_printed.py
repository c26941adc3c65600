"""A digest as HTML on paper: two events a sheet, in letters of eight points, those of its pictures too."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pypdf
import pytest
from playwright.sync_api import Browser

from api.report.contents import report_on
from api.report.digest import digest_of
from api.report.write import write_digest_to
from api.settings import ApiSettings
from storage.in_memory.snapshot import Snapshot
from storage.settings import load_settings
from tests.api.report.verified import VERIFIED
from tests.page.test_printed import smallest_pt

READABLE_PT = 8.0
EVENTS = 5
SHEET_PX = 711  # A4 without margins of 11 mm, at 96 px an inch
_SCALE = """all => Math.min(...all.filter(one => one.checkVisibility()).map(
    one => 0.75 * one.getBoundingClientRect().width / one.viewBox.baseVal.width))"""


@pytest.mark.slow
def test_two_events_are_a_sheet_in_letters_that_can_be_read(
    synthetic_store: Path, browser: Browser, tmp_path: Path
) -> None:
    snapshot = Snapshot.load(synthetic_store)
    assert snapshot is not None
    settings, now = load_settings(ApiSettings, store=synthetic_store), datetime.now(UTC)
    digest = digest_of(snapshot, "low", EVENTS, settings, now)._replace(forecasts=VERIFIED)
    assert len(digest.events) == EVENTS
    file = tmp_path / "digest.html"
    with file.open("wb") as stream:
        write_digest_to(
            stream, digest, (report_on(snapshot, one.id, settings, now) for one in digest.events), ".html"
        )
    page = browser.new_page(viewport={"width": SHEET_PX, "height": 1000})
    page.goto(file.as_uri())
    page.emulate_media(media="print")
    assert page.locator("svg").evaluate_all(_SCALE) * READABLE_PT >= READABLE_PT  # as drawn, or larger
    sheets = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    page.close()
    assert len(sheets) <= 2 + (EVENTS + 1) // 2  # the last says how forecasts did
    assert min(map(smallest_pt, sheets)) >= READABLE_PT - 0.01  # digits of the file
    text = " ".join(sheet.extract_text() for sheet in sheets)
    assert all(f"event {event.id}" in text for event in digest.events)

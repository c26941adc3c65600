"""E-mail in a browser: it fits a phone, is readable in the dark, and says the same without its picture."""

from email.message import EmailMessage

import pytest
from playwright.sync_api import Browser

from tests.flows.alerts.channels.letters import made_up, written


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> EmailMessage:
    store = tmp_path_factory.mktemp("store")
    return written(store, made_up(store))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 700])
def test_it_fits_and_is_readable(browser: Browser, made: EmailMessage, width: int, scheme: str) -> None:
    shown = made.get_body(["html"])
    assert shown is not None
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    try:
        page.set_content(shown.get_content())  # where a mail program shows no pictures
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sheet = page.locator(".sheet")
        brightness = sheet.evaluate("one => Number(getComputedStyle(one).backgroundColor.match(/[0-9]+/)[0])")
        assert (brightness < 60) == (scheme == "dark")
        ink = page.locator("h1").evaluate("one => Number(getComputedStyle(one).color.match(/[0-9]+/)[0])")
        assert abs(ink - brightness) > 150
        assert page.get_by_role("link", name="Open the event").is_visible()
        assert page.get_by_role("link", name="I have this").is_visible()
        assert page.get_by_alt_text("The encounter plane").is_visible()
        boxes = [one.bounding_box() for one in page.get_by_role("link").all()]
        assert all(box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    finally:
        page.close()

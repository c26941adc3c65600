"""The static site in a browser: from the disk and from a file server, at three widths, light and dark."""

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from api.settings import ApiSettings
from api.site import contents
from api.site.build import build_site
from api.site.contents import Wishes
from storage.in_memory.snapshot import newest_snapshot
from storage.settings import load_settings
from tests.page.browsing import SCREENSHOTS
from tests.page.test_every_view import AXE

FIRST_PAGE_BYTES = 300_000
PAGED = 12
WIDTHS = {"wide": 1440, "tablet": 820, "phone": 390}


class Quiet(SimpleHTTPRequestHandler):
    """A file server that logs nothing."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(synthetic_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    settings = load_settings(ApiSettings, store=synthetic_store)
    snapshot = newest_snapshot(synthetic_store, analyses=False)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(contents, "PAGED", PAGED)
        build_site(folder, snapshot, Wishes(), settings, "1.2.3", snapshot.run.finished)
    return folder


@pytest.fixture(params=["disk", "server"])
def address(request: pytest.FixtureRequest, site: Path) -> Iterator[str]:
    """Give where the site is."""
    if request.param == "disk":
        yield site.as_uri()
        return
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """Give a tab in which nothing may go wrong."""
    found: list[str] = []
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.on("console", lambda said: found.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on(
        "requestfailed",  # of the page before, some are given up
        lambda request: None if request.failure == "net::ERR_ABORTED" else found.append(request.url),
    )
    yield page
    page.close()
    assert found == []


def pages(site: Path) -> list[str]:
    event = next((site / "events").iterdir()).name
    number = json.loads((site / "data/search.js").read_text().partition("=")[2])[0][0]
    return [*(one.name for one in site.glob("*.html")), f"events/{event}", f"object.html#{number}"]


def test_an_object_is_found_and_leads_to_its_events(address: str, site: Path, tab: Page) -> None:
    tab.goto(f"{address}/index.html")
    number, name = json.loads((site / "data/search.js").read_text().partition("=")[2])[7]
    tab.get_by_role("searchbox", name="Find an object").fill(str(number))
    tab.keyboard.press("Enter")
    expect(tab.locator("h1")).to_have_text(f"{name} {number}")
    expect(tab.locator("dl")).to_contain_text("Orbit")
    tab.goto(f"{address}/probability.html")
    first = tab.locator(".events tbody tr").first
    names = first.locator("td:nth-child(3) a").all_inner_texts()
    first.locator("td:nth-child(2) a").click()
    expect(tab.locator("h1")).to_contain_text(" and ".join(names))
    tab.locator(".lead a").first.click()
    expect(tab.locator("h1")).to_contain_text(names[0])
    expect(tab.locator(".events")).to_contain_text(names[1])


def test_a_list_is_filtered(address: str, tab: Page) -> None:
    tab.goto(f"{address}/distance.html")
    rows = tab.locator(".events tbody tr")
    name = rows.nth(3).locator("td:nth-child(3) a").first.inner_text()
    tab.get_by_label("Only rows with").fill(name.lower())
    expect(rows.filter(visible=True).first).to_contain_text(name)
    shown = rows.filter(visible=True).count()
    assert 0 < shown < rows.count()
    expect(tab.locator("#filtered")).to_have_text(f"{shown} of {rows.count()} rows")


@pytest.mark.parametrize("address", ["server"], indirect=True)
def test_the_first_page_is_light(address: str, tab: Page) -> None:
    answers: list[Response] = []
    tab.on("response", lambda answer: answers.append(answer))  # Playwright sets attributes on it
    tab.goto(f"{address}/", wait_until="networkidle")
    assert len(answers) >= 4  # page, styles, script, typeface
    assert sum(len(answer.body()) for answer in answers) < FIRST_PAGE_BYTES


@pytest.mark.parametrize("address", ["disk"], indirect=True)
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_every_page_is_accessible_and_fits(browser: Browser, address: str, site: Path, scheme: Any) -> None:
    wrong: dict[str, object] = {}
    page = browser.new_page(color_scheme=scheme)
    for path in pages(site):
        for name, width in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 900})
            page.goto("about:blank")
            page.goto(f"{address}/{path}")
            expect(page.locator("h1")).not_to_have_text("")
            SCREENSHOTS.mkdir(exist_ok=True)
            shown = path.split("/")[0].partition(".")[0]
            page.screenshot(path=SCREENSHOTS / f"site-{shown}-{scheme}-{name}.png")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wrong[f"{path} {name}"] = "too wide"
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        if found["violations"]:
            wrong[path] = [
                (one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found["violations"]
            ]
    page.close()
    assert wrong == {}


@pytest.mark.parametrize("address", ["disk"], indirect=True)
def test_a_page_that_grows_old_says_so(address: str, tab: Page) -> None:
    tab.clock.set_fixed_time("2099-01-01T00:00:00Z")
    tab.goto(f"{address}/index.html")
    expect(tab.locator(".banner.stale")).to_contain_text("have passed since this run")

"""A browser on the page, that notes what must not happen: errors in the console, requests to other hosts."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from api.routes.page import DIST

SCREENSHOTS = Path(__file__).parent / "screenshots"
WAIT_MS = 30_000  # for what takes a second on an idle machine
expect.set_options(timeout=WAIT_MS)
_QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--use-angle=swiftshader",
    "--use-gl=angle",
    "--enable-unsafe-swiftshader",
)


class Served(NamedTuple):
    """A running service, and a token for it."""

    url: str
    token: str


class Visit(NamedTuple):
    """A tab, and what it complained of."""

    page: Page
    url: str
    complaints: list[str]

    def open(self, address: str, ready: str) -> Page:
        """Go to a view, and wait until an element of it is there."""
        self.page.goto(f"{self.url}/#/{address}")
        self.page.wait_for_selector(ready)
        return self.page

    def screenshot(self, name: str) -> None:
        """Keep what is seen, for a person to look at."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


def missing(what: str) -> None:
    """Skip a test for want of something, which on the build machine must be there."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Debian's Chromium, without a graphics card."""
    if not (DIST / "index.html").is_file():
        missing("needs the page: `make page`")
    path = shutil.which("chromium")
    if path is None:
        missing("needs chromium: `apt-get install chromium`")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*_QUIET, *sandbox])
        yield browser
        browser.close()


@contextmanager
def visit(browser: Browser, served: Served, *, signed_in: bool = True, **context: Any) -> Iterator[Visit]:
    """Open a tab; at the end, nothing may have been complained of."""
    usual = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB", "timezone_id": "Europe/Berlin"}
    tab = browser.new_context(reduced_motion="no-preference", **{**usual, **context})
    if signed_in:
        tab.add_cookies([session_cookie(served)])
    page = tab.new_page()
    visited = Visit(page, served.url, _complaints(tab, page, served.url))
    yield visited
    complaints = [*visited.complaints]  # without those of requests that no longer have the test's answers
    page.unroute_all(behavior="ignoreErrors")  # a test may end while a request it answers is under way
    tab.close()
    assert complaints == [], complaints


def session_cookie(served: Served) -> Any:
    """Return the cookie of a new session, as a browser keeps it."""
    token = {"Authorization": f"Bearer {served.token}"}
    answer = httpx.post(f"{served.url}/session", headers=token, timeout=WAIT_MS / 1e3)
    ((name, value),) = answer.raise_for_status().cookies.items()
    return {"name": name, "value": value, "url": served.url, "sameSite": "Strict", "httpOnly": True}


def _complaints(tab: BrowserContext, page: Page, url: str) -> list[str]:
    found: list[str] = []
    page.on("console", lambda said: found.append(f"console: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    tab.on(
        "request",
        lambda request: (
            None
            if urlsplit(request.url).scheme in ("blob", "data") or request.url.startswith(url)
            else found.append(f"request to {request.url}")
        ),
    )
    return found

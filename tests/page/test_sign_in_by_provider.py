"""Signing in by an OpenID Connect provider, in a browser, there and back."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.api.access.provider import provider
from tests.page.browsing import Served, visit
from tests.page.serving import service

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::authlib.deprecate.AuthlibDeprecationWarning"),
]


def test_a_person_comes_back_to_the_link_and_is_signed_in(browser: Browser, synthetic_store: Path) -> None:
    with provider() as there:
        there.person("ada", skysieve_role="viewer")
        there.person("bob", skysieve_role=None)
        with (
            service(synthetic_store, SKYSIEVE_OIDC=there.setting) as url,
            visit(browser, Served(url, ""), signed_in=False) as visited,
        ):
            page, button = visited.page, f"Sign in with {urlsplit(there.url).netloc}"
            page.goto(f"{url}/#/run")
            page.get_by_role("link", name=button).click()
            page.locator("input[name=sub]").first.fill("bob")
            page.get_by_role("button", name="Authorize").first.click()
            expect(page.get_by_text("may do nothing here")).to_be_visible()
            page.get_by_role("link", name="Back to the sign-in").click()
            expect(page.get_by_label("Access token")).to_be_visible()
            page.goto(f"{url}/#/run")
            visited.screenshot("sign-in-by-provider")
            page.get_by_role("link", name=button).click()
            page.locator("input[name=sub]").first.fill("ada")
            page.get_by_role("button", name="Authorize").first.click()
            page.wait_for_selector(".run h1")
            assert page.url == f"{url}/#/run"
            assert "skysieve_" not in str(page.evaluate("document.cookie"))
            expect(page.get_by_role("button", name="Sign out")).to_have_attribute(
                "title", "Signed in with Ada Example (ada)"
            )
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("alert")).to_have_text("You are signed out.")
            expect(page.get_by_role("link", name=button)).to_be_visible()
            # The provider's own page has a style sheet of another host; refusals are what is tested.
            own = (there.url, "https://cdn.jsdelivr.net/", "Failed to load resource")
            visited.complaints[:] = [one for one in visited.complaints if not any(map(one.count, own))]

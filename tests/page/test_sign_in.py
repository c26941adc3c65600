"""Signing in and out, and the messages when something fails."""

from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from storage.state.credentials import create_credential, revoke_credential
from tests.api.waiting import wait_until
from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers, time_text
from tests.page.serving import service

# The browser itself writes refused requests into its console; the page must say it to the person.
REFUSED = "Failed to load resource"


def sign_in(visited: Visit, token: str) -> None:
    visited.page.goto(visited.url)
    visited.page.get_by_label("Access token").fill(token)
    visited.page.get_by_role("button", name="Sign in").click()


def forgive(visited: Visit, text: str = REFUSED) -> None:
    visited.complaints[:] = [complaint for complaint in visited.complaints if text not in complaint]


@pytest.mark.slow
def test_a_token_opens_the_page_and_signing_out_closes_it(browser: Browser, served: Served) -> None:
    with visit(browser, served, signed_in=False) as visited:
        sign_in(visited, served.token)
        visited.page.wait_for_selector(".event-list button")
        assert "skysieve_session" not in str(visited.page.evaluate("document.cookie"))
        visited.page.reload()
        visited.page.wait_for_selector(".event-list button")
        visited.page.get_by_role("button", name="Sign out").click()
        expect(visited.page.get_by_role("alert")).to_have_text("You are signed out.")
        visited.page.reload()
        expect(visited.page.get_by_label("Access token")).to_be_visible()
        visited.screenshot("sign-in")


def test_what_is_under_way_is_ended_before_the_session(desk: Visit) -> None:
    """Answered after it, it would be refused, and the refusal told as if something had failed."""
    desk.page.route("**/proximities?*", lambda _never_answered: None)
    with desk.page.expect_request("**/proximities?*"):
        desk.page.goto(f"{desk.url}/#/proximities")
    with desk.page.expect_event("requestfailed", lambda request: "/proximities?" in request.url):
        desk.page.get_by_role("button", name="Sign out").click()
    expect(desk.page.get_by_role("alert")).to_have_text("You are signed out.")


@pytest.mark.parametrize(
    ("token", "said"),
    [("broken", "malformed"), ("skysieve_bearer_1_" + "A" * 43, "unknown")],
)
def test_a_broken_token_is_reported(browser: Browser, served: Served, token: str, said: str) -> None:
    with visit(browser, served, signed_in=False) as visited:
        sign_in(visited, token)
        expect(visited.page.get_by_role("alert")).to_contain_text(said)
        forgive(visited)


def test_a_credential_that_only_reads_writes_nowhere(
    browser: Browser, served: Served, synthetic_store: Path, ask: httpx.Client
) -> None:
    """Regression: whoever only reads filled in forms, and then read a sentence with 403."""
    made = create_credential(synthetic_store, "bearer", "reader", datetime.now(UTC), role="viewer")
    header = {"Authorization": f"Bearer {made.secret}"}
    wait_until(lambda: httpx.get(f"{served.url}/runs/current", headers=header).is_success)
    with visit(browser, served._replace(token=made.secret)) as visited:
        answers = FleetAnswers(ask)
        answers.alerts = [answers.alert(1)]
        answers.feeds = [{"id": 1, "created": time_text(0), "made_by": "desk", "ended": False}]
        answers.install(visited.page)
        page = visited.open("fleet/7", "[data-alert]")
        expect(page.locator("[data-part=only-reads]")).to_contain_text("“reader”, which can only read")
        for name in (
            "Change…",
            "Remove fleet",
            "Send a test",
            "Switch off",
            "Remove",
            "Revoke",
            "Make an address",
        ):
            expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
        for name in ("Deliveries", "Report (PDF)", "Events (CSV)"):
            expect(page.get_by_role("button", name=name)).to_be_enabled()
        page.get_by_text("New alert").click()
        expect(page.get_by_role("button", name="Add alert")).to_be_disabled()
        page.goto(f"{served.url}/#/fleets")
        expect(page.get_by_role("button", name="New fleet…")).to_be_disabled()
        expect(page.locator("[data-part=only-reads]")).to_be_visible()


def test_a_session_that_ends_leads_to_the_sign_in(
    browser: Browser, served: Served, synthetic_store: Path
) -> None:
    made = create_credential(synthetic_store, "bearer", "short", datetime.now(UTC))
    header = {"Authorization": f"Bearer {made.secret}"}
    wait_until(lambda: httpx.get(f"{served.url}/runs/current", headers=header).is_success)
    with visit(browser, served._replace(token=made.secret)) as visited:
        visited.open("run", ".run h1")
        revoke_credential(synthetic_store, made.id, datetime.now(UTC))
        wait_until(lambda: not httpx.get(f"{served.url}/runs/current", headers=header).is_success)
        visited.page.get_by_role("link", name="Proximities").click()
        expect(visited.page.get_by_role("alert")).to_contain_text("revoked")
        forgive(visited)


@pytest.mark.slow
def test_an_empty_store_is_reported(browser: Browser, tmp_path: Path) -> None:
    made = create_credential(tmp_path, "bearer", "desk", datetime.now(UTC))
    with service(tmp_path) as url, visit(browser, Served(url, made.secret)) as visited:
        page = visited.open("globe", ".failure")
        expect(page.locator(".banner.down")).to_contain_text("No data yet")
        expect(page.locator(".failure")).to_contain_text("skysieve refresh")
        visited.screenshot("empty-store")
        forgive(visited)


def test_a_stopped_service_is_reported_and_tried_again(desk: Visit) -> None:
    desk.open("run", ".run h1")
    desk.page.route("**/proximities?*", lambda route: route.abort())
    desk.page.get_by_role("link", name="Proximities").click()
    expect(desk.page.get_by_role("alert")).to_contain_text("cannot be reached")
    desk.page.unroute("**/proximities?*")
    desk.page.get_by_role("button", name="Try again").click()
    desk.page.wait_for_selector(".page .panel .empty, .page table")
    forgive(desk)


def test_an_answer_that_is_not_json_is_reported(desk: Visit) -> None:
    desk.page.route("**/runs/current", lambda route: route.fulfill(body="<html>proxy", status=200))
    desk.open("run", ".failure")
    expect(desk.page.locator(".failure")).to_contain_text("not JSON")


@pytest.mark.slow
def test_a_page_over_its_limit_waits_as_long_as_the_service_says(desk: Visit) -> None:
    refusals = iter([True])

    def once(route: Route) -> None:
        if next(refusals, False):
            headers = {"Retry-After": "1", "Content-Type": "application/problem+json"}
            route.fulfill(status=429, headers=headers, body='{"title": "Too many", "detail": "Wait."}')
        else:
            route.continue_()

    desk.page.route("**/conjunctions?*", once)
    desk.open("events", ".rows .row[data-id]")
    forgive(desk)

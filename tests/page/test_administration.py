"""The page's administration: a credential is made, shown once, revoked; others do not see the view."""

from datetime import UTC, datetime
from pathlib import Path

import httpx
from playwright.sync_api import Browser, expect

from storage.state.credentials import create_credential
from tests.api.waiting import wait_until
from tests.page.browsing import Served, Visit, visit


def test_a_credential_is_made_works_and_is_revoked(desk: Visit, served: Served) -> None:
    page = desk.open("administration", "[data-list=credentials] table")
    page.get_by_label("Name", exact=True).fill("night shift")
    page.get_by_label("Role").select_option("viewer")
    page.get_by_role("button", name="Make a credential").click()
    secret = page.get_by_role("textbox", name="Secret").input_value()
    header = {"Authorization": f"Bearer {secret}"}
    wait_until(lambda: httpx.get(f"{served.url}/runs/current", headers=header).is_success)
    assert httpx.post(f"{served.url}/fleets", headers=header, json={"name": "x"}).status_code == 403
    row = page.locator("[data-credential]", has_text="night shift")
    expect(row).to_contain_text("viewer")
    desk.screenshot("administration")
    page.on("dialog", lambda dialog: dialog.accept())
    row.get_by_role("button", name="Revoke").click()
    expect(row).to_contain_text("revoked")
    wait_until(lambda: httpx.get(f"{served.url}/runs/current", headers=header).status_code == 401)
    log = page.locator("[data-list=audit]")
    expect(log.locator("tbody tr").first).to_contain_text("DELETE /credentials/{id}")
    expect(log).to_contain_text("POST /credentials")


def test_whom_to_call_and_links_are_listed_and_taken_back(desk: Visit, served: Served) -> None:
    header = {"Authorization": f"Bearer {served.token}"}
    (event,) = httpx.get(f"{served.url}/conjunctions?limit=1", headers=header).json()["conjunctions"]
    path = f"{served.url}/conjunctions/{event['id']}/links"
    address = httpx.post(path, headers=header, json={}, timeout=60).json()["url"]
    page = desk.open("administration", "[data-list=links] table")
    page.get_by_label("Operator").fill("Example Space")
    page.get_by_label("Owners").fill("EXSP, EXS")
    page.get_by_label("E-mail").fill("flight@example.org")
    page.get_by_role("button", name="Add an operator").click()
    entry = page.locator("[data-entry-of='Example Space']")
    expect(entry).to_contain_text("EXS, EXSP")
    desk.screenshot("administration_operators")
    page.on("dialog", lambda dialog: dialog.accept())
    entry.get_by_role("button", name="Remove").click()
    expect(entry).to_have_count(0)
    assert httpx.get(f"{served.url}/directory", headers=header).json()["total"] == 0
    link = page.locator("[data-link]").first
    link.get_by_role("button", name="Revoke").click()
    expect(link).to_contain_text("ended")
    assert httpx.get(address, timeout=60).status_code == 410


def test_a_run_is_asked_for(desk: Visit) -> None:
    page = desk.open("run", ".run-now")
    page.get_by_role("button", name="Run now").click()
    expect(page.locator("[data-part=run-progress]")).to_contain_text("Asked for")
    expect(page.get_by_role("button", name="Run now")).to_be_disabled()


def test_others_do_not_see_it(browser: Browser, served: Served, synthetic_store: Path) -> None:
    made = create_credential(synthetic_store, "bearer", "operator", datetime.now(UTC), role="operator")
    header = {"Authorization": f"Bearer {made.secret}"}
    wait_until(lambda: httpx.get(f"{served.url}/runs/current", headers=header).is_success)
    with visit(browser, served._replace(token=made.secret)) as visited:
        page = visited.open("run", ".run .facts")
        expect(page.get_by_role("link", name="Administration")).to_be_hidden()
        expect(page.get_by_role("button", name="Run now")).to_have_count(0)

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
    page.get_by_label("Name").fill("night shift")
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

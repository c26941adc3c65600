"""Who has an event: said on its page and in lists; taken on, taken over and let go there."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from storage.state.credentials import create_credential
from tests.api.waiting import wait_until
from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.test_every_view import AXE, PHONE
from tests.page.test_fleets_view import READY, unfolded

NAME, NOTE = "<b>Ana</b>", "Asked <script>alert(1)</script> & waiting"

KNOWN_WITHIN_S = 10.0  # a credential made while the service runs


@pytest.fixture
def event(ask: httpx.Client) -> Iterator[int]:
    """Give an event that no one has, and leave it so."""
    number: int = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"][0]["id"]
    yield number
    for one in ask.get("/acknowledgements").raise_for_status().json()["acknowledgements"]:
        take(ask, one["event_id"], "test", one["id"], withdrawn=True)


def take(
    ask: httpx.Client, event: int, name: str, replaces: int | None = None, *, withdrawn: bool = False
) -> int:
    asked = {"name": name, "replaces": replaces, "withdrawn": withdrawn}
    answer = ask.post(f"/conjunctions/{event}/acknowledgements", json=asked).raise_for_status()
    number: int = answer.json()["id"]
    return number


def line(page: Page) -> str:
    return page.locator(".had-line").inner_text()


def test_the_link_of_an_e_mail_opens_the_form_and_changes_nothing_by_itself(
    desk: Visit, ask: httpx.Client, event: int
) -> None:
    page = desk.open(f"event/{event}?acknowledge=true", ".had-form:not([hidden])")
    assert line(page) == "No one has this event yet."
    assert ask.get("/acknowledgements").json()["acknowledgements"] == []
    expect(page.get_by_label("Your name")).to_have_value("operations desk")  # who signed in
    expect(page.get_by_label("Note", exact=True)).to_be_focused()
    page.get_by_label("Your name").fill(NAME)
    page.keyboard.press("Tab")
    page.keyboard.type(NOTE)
    page.keyboard.press("Enter")
    expect(page.locator(".had-line strong")).to_contain_text(f"{NAME} has had this since")
    assert line(page).endswith(f" Z: {NOTE}.")
    assert page.locator(".had b, .had script").count() == 0
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run('.had', {resultTypes: ['violations']})")
    assert [one["id"] for one in found["violations"]] == []
    page = desk.open("events", f".row[data-id='{event}'] .had-by")
    mark = page.locator(f".row[data-id='{event}'] .had-by")
    assert mark.inner_text() == f"with {NAME}"
    assert f"{NAME} has had this since" in (mark.get_attribute("title") or "")


def test_who_was_quicker_is_told_and_can_be_taken_over_from(
    desk: Visit, ask: httpx.Client, event: int
) -> None:
    page = desk.open(f"event/{event}", ".had-doing")
    page.get_by_role("button", name="I have this").click()
    page.get_by_label("Your name").fill("Bo")
    take(ask, event, "Ana")  # meanwhile
    page.locator(".had-form button[type=submit]").click()
    expect(page.locator(".had .form-message").first).to_contain_text("Ana has had this since")
    expect(page.locator(".had-line")).to_contain_text("Ana has had this since")
    (refusal,) = desk.complaints
    assert "409" in refusal
    desk.complaints.clear()
    page.locator(".had-form").get_by_role("button", name="Take over").click()
    expect(page.locator(".had-line")).to_contain_text("Bo has had this since")
    page.locator(".had details summary").click()
    expect(page.locator(".had li").first).to_contain_text("Ana took this on at")
    page.get_by_role("button", name="Let go").click()
    expect(page.locator(".had-line")).to_have_text("No one has this event yet.")
    page.reload()
    page.get_by_role("button", name="I have this").click()
    expect(page.get_by_label("Your name")).to_have_value("Bo")  # remembered


def test_it_fits_a_phone_and_who_may_only_read_has_no_button(
    browser: Browser, served: Served, ask: httpx.Client, synthetic_store: Path, event: int
) -> None:
    take(ask, event, "A" * 60)
    with visit(browser, served, **PHONE) as visited:
        page = visited.open(f"event/{event}?acknowledge=true", ".had-form:not([hidden])")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    secret = create_credential(synthetic_store, "bearer", "screen", datetime.now(UTC), role="viewer").secret
    token = {"Authorization": f"Bearer {secret}"}
    wait_until(lambda: ask.get("/runs/current", headers=token).status_code == 200, KNOWN_WITHIN_S)
    with visit(browser, served._replace(token=secret)) as visited:
        page = visited.open(f"event/{event}?acknowledge=true", ".had-line strong")
        assert page.locator(".had :is(button, form)").count() == 0


def test_the_mark_on_the_time_line_of_a_fleet_says_who_has_the_event(
    desk: Visit, ask: httpx.Client, answers: FleetAnswers
) -> None:
    worst = answers.events[0]["id"]
    said = "Ana has had this since 2026-11-21 06:00 Z."
    listed = {"id": 1, "event_id": worst, "name": "Ana", "words": said}
    desk.page.route("**/acknowledgements", lambda route: route.fulfill(json={"acknowledgements": [listed]}))
    page = unfolded(desk.open("fleet/7", READY))
    mark = page.locator(f".lane-mark.had[data-event='{worst}']")
    assert (mark.get_attribute("title") or "").endswith(said)
    expect(page.locator(".lanes-and-quiet .lane-legend")).to_contain_text("a person has it")
    page.locator(".decision-plot").press("Home")  # the most dangerous
    expect(page.locator(".decision .told")).to_contain_text(said)

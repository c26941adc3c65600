"""Received messages on the page: events that only they tell, and runs and messages on one time line."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import Browser, expect

from storage.state.credentials import create_credential
from storage.times import utc_datetime
from tests.api.conftest import plausible
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.page.browsing import Served, Visit, visit
from tests.page.serving import service
from tests.page.test_every_view import AXE, PHONE
from tests.storage.messages.received import taken, text
from tests.told_events import summary

MADE = WINDOW_START - timedelta(hours=3)
SOON = WINDOW_START + timedelta(hours=5)
SUMMARISED, RESTRICTED, FULL = 820_000_020, 800_000_050, 820_000_000


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve two runs, messages about their first event, and events that only messages tell."""
    store = tmp_path_factory.mktemp("told") / "store"
    first = plausible(make_run())
    for hours in (0, 6):
        publish(store, plausible(make_run(hours_later=hours))._replace(conjunctions=first.conjunctions))
    row = first.conjunctions[0]
    pair = str(row["primary_norad_id"]), str(row["secondary_norad_id"])
    tca = utc_datetime(row["tca"])
    for hours, claim in ((0, "1e-5"), (8, "3e-4")):
        message = text(tca=tca, made=MADE + timedelta(hours=hours), pair=pair, probability=claim)
        taken(store, message.replace(" 100.0 [m**2]", " 160000.0 [m**2]"))
    taken(store, summary(MADE, tca, 0, SAT_1_ID=pair[0], SAT_2_ID=pair[1]))
    taken(store, summary(MADE, SOON, 5))
    free = summary(MADE, SOON, 0, SAT_1_ID=str(SUMMARISED), SAT_2_ID=str(SUMMARISED + 1)).encode()
    taken(store, free.decode(), restricted=False)
    taken(store, text(tca=SOON, made=MADE, pair=(str(FULL), str(FULL + 1))))
    made = create_credential(store, "bearer", "operations desk", datetime.now(UTC), per_minute=100_000)
    with service(store) as url:
        yield Served(url, made.secret)


@pytest.fixture
def desk(browser: Browser, told: Served) -> Iterator[Visit]:
    with visit(browser, told) as visited:
        yield visited


def event_of(told: Served, number: int, **wanted: str) -> int:
    """Return the id of the only event of an object."""
    answer = httpx.get(
        f"{told.url}/conjunctions",
        params={"norad_id": number, **wanted},
        headers={"Authorization": f"Bearer {told.token}"},
        timeout=60,
    )
    (event,) = answer.raise_for_status().json()["conjunctions"]
    return int(event["id"])


@pytest.mark.slow
def test_the_list_marks_what_only_messages_tell(desk: Visit) -> None:
    page = desk.open(f"events?norad={SUMMARISED},{RESTRICTED}", ".rows .row[data-id]")
    expect(page.locator(".rows .row[data-id]")).to_have_count(1)
    row = page.locator("#row-0")
    expect(row.locator(".c-notes")).to_have_text("message")
    expect(row.locator(".c-speed")).to_have_text("—")
    page.get_by_label("Restricted messages").check()
    expect(page.locator(".rows .row[data-id]")).to_have_count(2)
    expect(page.locator(".rows")).to_contain_text("restricted message")
    desk.screenshot("events-messages")
    page.locator(".row", has_text="restricted message").locator("a").click()
    page.wait_for_selector(".strip")
    expect(page.locator(".event-head")).to_contain_text("restricted message")


def test_what_was_received_is_listed_by_encounter_and_leads_to_it(desk: Visit, told: Served) -> None:
    """Regression: received messages had no place on the page."""
    page = desk.open("overview", ".overview [data-totals]")
    page.get_by_role("link", name="Received messages").click()
    cards = page.locator(".encounter-card")
    expect(cards).to_have_count(3)
    expect(page.locator("h1 .total")).to_have_text("3")
    ours = cards.filter(has=page.locator(".ours"))
    expect(ours).to_have_count(1)
    expect(ours.locator("[data-field=claimed_probability]").first).to_have_text("3.0 × 10⁻⁴")
    expect(ours).to_contain_text("1 restricted left out")
    alone = cards.filter(has_text="no run has it")
    expect(alone).to_have_count(2)
    ours.get_by_role("button", name="Show for your own use").click()
    expect(cards).to_have_count(4)
    kept_back = cards.filter(has_text="restricted").filter(has_text="no run has it")
    expect(kept_back).to_have_count(1)
    desk.screenshot("messages")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    free = alone.filter(has_not_text="restricted").first
    for place, said in ((kept_back, "restricted message"), (free, "in no run: reported by a re")):
        place.get_by_role("heading").get_by_role("link").click()
        expect(page.locator(".event-head")).to_contain_text(said)
        page.go_back()
        expect(cards).to_have_count(4)


def test_an_event_of_a_summary_shows_what_there_is(desk: Visit, told: Served) -> None:
    page = desk.open(f"event/{event_of(told, SUMMARISED)}?tab=numbers", '[data-object="secondary"]')
    expect(page.locator(".event-head")).to_contain_text("in no run: reported by a received message")
    expect(page.locator(".numbers")).to_contain_text("the probability that the sender claims decided")
    expect(page.locator(".relative")).to_contain_text("—")
    expect(page.locator(".glance")).to_contain_text("This event comes only from messages without states")
    expect(page.locator(".timeline tbody tr")).to_have_count(1)
    desk.screenshot("event-summary")
    assert "NaN" not in page.inner_text("main") + page.inner_text("body")


def test_an_event_of_a_full_message_is_drawn(desk: Visit, told: Served) -> None:
    page = desk.open(f"event/{event_of(told, FULL)}?tab=geometry", ".relative")
    expect(page.locator(".more-figures")).to_contain_text("two-body motion from the states of a message")
    expect(page.locator(".more-figures .plane").first).to_be_visible()
    desk.screenshot("event-message")


@pytest.mark.slow
def test_runs_and_messages_stand_on_one_time_line(desk: Visit, told: Served) -> None:
    number = plausible(make_run()).conjunctions["primary_norad_id"][0]
    other = plausible(make_run()).conjunctions["secondary_norad_id"][0]
    answer = httpx.get(
        f"{told.url}/conjunctions",
        params={"norad_id": int(number), "limit": 1000},
        headers={"Authorization": f"Bearer {told.token}"},
        timeout=60,
    ).json()["conjunctions"]
    (event,) = [one["id"] for one in answer if one["secondary_norad_id"] == int(other)]
    page = desk.open(f"event/{event}?tab=trend", ".timeline")
    rows = page.locator(".timeline tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("MADE UP 0")
    expect(rows.nth(0)).to_contain_text("1.0 × 10⁻⁵")
    expect(page.locator(".timeline")).to_contain_text("run 20261121T060000Z")
    expect(rows.nth(2)).to_contain_text("3.0 × 10⁻⁴")
    expect(page.locator(".trend canvas").last).to_be_visible()
    page.get_by_role("button", name="Show for your own use").click()
    expect(rows).to_have_count(5)
    expect(page.locator(".timeline")).to_contain_text("(restricted)")
    page.locator(".timeline").scroll_into_view_if_needed()
    desk.screenshot("event-timeline")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

"""Back leads to where the user was in a list: scrolled so far, the same row, focused; all by keyboard."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsing import Visit
from tests.page.test_events_view import FIRST_ROW, listed

EVENT = ".figures .plane"
ROWS_DOWN = 450  # two pages of the list further


def scrolled(page: Page, place: str = ".scroller") -> float:
    return float(page.evaluate(f"document.querySelector('{place}').scrollTop"))


def test_back_leads_to_the_row_that_was_opened(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events?order=tca", FIRST_ROW)
    (wanted,) = listed(ask, order="tca", complexes="collapse", offset=ROWS_DOWN, limit=1)["conjunctions"]
    page.evaluate(f"document.querySelector('.scroller').scrollTop = 42 * {ROWS_DOWN - 3}")
    row = page.locator(f"#row-{ROWS_DOWN}")
    expect(row).to_have_attribute("data-id", str(wanted["id"]))
    row.locator(".c-miss").click()
    page.wait_for_selector(EVENT)
    assert page.url.endswith(f"#/event/{wanted['id']}")
    page.go_back()
    expect(row).to_have_attribute("data-id", str(wanted["id"]))
    expect(row).to_have_attribute("aria-selected", "true")
    assert scrolled(page) == 42 * (ROWS_DOWN - 3)
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(f"#row-{ROWS_DOWN + 1}")).to_have_attribute("aria-selected", "true")
    # Forward, and a list that is opened anew begins at its beginning.
    page.go_forward()
    page.wait_for_selector(EVENT)
    page.get_by_role("link", name="Events", exact=True).click()
    page.wait_for_selector(FIRST_ROW)
    assert scrolled(page) == 0


@pytest.mark.slow
def test_a_reload_keeps_the_row_and_where_back_leads(desk: Visit) -> None:
    page = desk.open("events?order=tca", FIRST_ROW)
    page.evaluate(f"document.querySelector('.scroller').scrollTop = 42 * {ROWS_DOWN - 3}")
    row = page.locator(f"#row-{ROWS_DOWN}[data-id]")
    row.locator(".c-miss").click()
    page.wait_for_selector(EVENT)
    page.reload()
    page.wait_for_selector(EVENT)
    page.go_back()
    expect(row).to_have_attribute("aria-selected", "true")
    assert scrolled(page) == 42 * (ROWS_DOWN - 3)
    page.reload()
    expect(row).to_have_attribute("aria-selected", "true")
    assert scrolled(page) == 42 * (ROWS_DOWN - 3)
    expect(page.get_by_role("grid")).to_be_focused()


def test_back_finds_the_link_and_how_far_the_page_was_scrolled(desk: Visit) -> None:
    page = desk.page
    page.set_viewport_size({"width": 1000, "height": 420})
    desk.open("run", ".run .facts")
    page.get_by_role("link", name="medium").evaluate("link => link.focus({preventScroll: true})")
    before = page.evaluate("document.querySelector('#main').scrollTop = 150")
    page.keyboard.press("Enter")
    page.wait_for_selector(FIRST_ROW)
    page.go_back()
    page.wait_for_selector(".run .facts")
    expect(page.get_by_role("link", name="medium")).to_be_focused()
    assert scrolled(page, "#main") == before


def test_a_new_view_is_read_from_its_beginning(desk: Visit) -> None:
    page = desk.open("run", ".run .facts")
    page.get_by_role("link", name="medium").click()
    page.wait_for_selector(FIRST_ROW)
    expect(page.locator("#main")).to_be_focused()


def test_the_heads_sort_by_keyboard(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events", FIRST_ROW)
    page.get_by_role("grid").focus()
    for name in (
        "Level ↓",
        "What is level?",
        "TCA (UTC)",
        "What is TCA?",
        "Miss, m",
    ):
        page.keyboard.press("Tab")
        expect(page.get_by_role("columnheader").get_by_role("button", name=name, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    (nearest,) = listed(ask, limit=1, order="miss_distance")["conjunctions"]
    expect(page.locator("#row-0")).to_have_attribute("data-id", str(nearest["id"]))
    expect(page.get_by_role("button", name="Miss, m")).to_be_focused()


def test_a_phone_has_no_heads_and_sorts_all_the_same(desk: Visit, ask: httpx.Client) -> None:
    desk.page.set_viewport_size({"width": 390, "height": 844})
    page = desk.open("events", FIRST_ROW)
    page.get_by_label("Sorted by").select_option("time")
    (soonest,) = listed(ask, limit=1, order="tca")["conjunctions"]
    expect(page.locator("#row-0")).to_have_attribute("data-id", str(soonest["id"]))
    assert "order=tca" in page.url


@pytest.mark.parametrize("width", [1440, pytest.param(390, marks=pytest.mark.slow)])
def test_every_list_says_how_old_the_data_are_and_what_is_a_guess(
    desk: Visit, ask: httpx.Client, width: int
) -> None:
    """Against the service's own numbers: days from epoch to TCA as it stores them, `*_age_days`."""
    desk.page.set_viewport_size({"width": width, "height": 844})
    page = desk.open("events", FIRST_ROW)
    for i, event in enumerate(listed(ask, limit=8, complexes="collapse")["conjunctions"]):
        lines = page.locator(f"#row-{i} .data-line")
        expect(lines).to_have_count(2)
        for line, who in zip(lines.all(), ("primary", "secondary"), strict=True):
            assert line.is_visible()
            told = line.inner_text()
            assert f"{age(event, who)} d old" in told
            assert ("manoeuvring" in told.split(" d old")[0]) == bool(event[f"{who}_manoeuvring"])
            assert event[f"{who}_covariance_source"] == "default"
            assert "usual errors" in told
            assert len(line.text_content().split()) < 12  # type: ignore[union-attr]  # nothing hidden to be read out
            sentence = line.get_attribute("title") or ""
            assert f"epoch of its element set is {age(event, who)} days before TCA" in sentence
        mark = page.locator(f"#row-{i} .c-p")
        guessed = event["hard_body_source"] in ("class", "type") and event["probability_best"] is not None
        assert ("a radius is guessed" in (mark.text_content() or "")) == guessed


def age(event: dict[str, Any], who: str) -> str:
    return f"{event[f'{who}_age_days']:.1f}"

"""Whose satellites the page is seen from: chosen in the head, kept between visits, said by every address."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.api.waiting import wait_until
from tests.page.browsing import Visit
from tests.page.test_events_view import FIRST_ROW
from tests.page.test_fleets_view import serious

CHOICE = "select.point-of-view"
ONE_LINE_PX = 50


class Fleet(NamedTuple):
    name: str
    id: int
    members: set[int]


@pytest.fixture(scope="module")
def fleets(ask: httpx.Client) -> Iterator[list[Fleet]]:
    """Make two fleets, of the second objects of the most dangerous events, and remove them again."""
    worst = ask.get("/conjunctions?limit=40").raise_for_status().json()["conjunctions"]
    numbers = list(dict.fromkeys(event["secondary_norad_id"] for event in worst))[:8]
    made = []
    for name, own in (("ours", numbers[:4]), ("theirs", numbers[4:])):
        asked = {"name": name, "norad_ids": own, "volume": "box:5x50x50"}
        number = ask.post("/fleets", json=asked).raise_for_status().json()["id"]
        wait_until(lambda number=number: not ask.get(f"/fleets/{number}").json()["searching"])
        made.append(Fleet(name, number, set(own)))
    yield made
    for fleet in made:
        ask.delete(f"/fleets/{fleet.id}").raise_for_status()


def choose(page: Page, name: str) -> None:
    page.locator(CHOICE).select_option(label=name)


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_the_head_is_one_line_on_a_desk(desk: Visit, fleets: list[Fleet], width: int) -> None:
    desk.page.set_viewport_size({"width": width, "height": 800})
    page = desk.open("events", FIRST_ROW)
    choose(page, fleets[0].name)
    head = page.locator(".top").bounding_box()
    assert head is not None
    assert head["height"] < ONE_LINE_PX


def test_a_fleet_is_chosen_in_the_head_and_kept_between_visits(
    desk: Visit, ask: httpx.Client, fleets: list[Fleet]
) -> None:
    ours, theirs = fleets
    page = desk.open("events", FIRST_ROW)
    expect(page.locator(CHOICE).locator("option")).to_have_text(["Everything", "ours", "theirs"])
    assert "fleet" not in page.url  # of two fleets none is taken before one is chosen
    everything = page.locator("h1 .total").inner_text()
    choose(page, "ours")
    page.wait_for_url(f"**/#/events?fleet={ours.id}")
    # Asked now: other tests of this service analyse, which may add events of the same satellites.
    listed = ask.get(f"/fleets/{ours.id}/conjunctions?limit=1").raise_for_status().json()["total"]
    expect(page.locator("h1 .total")).to_have_text(f"{listed:,}")
    assert page.locator("h1 .total").inner_text() != everything
    desk.screenshot("point-of-view")
    assert serious(page) == []

    page.goto("about:blank")
    desk.open("events", FIRST_ROW)
    assert page.url.endswith(f"#/events?fleet={ours.id}")
    page.goto("about:blank")
    page.goto(desk.url)
    page.wait_for_url(f"**/#/fleet/{ours.id}")
    page.get_by_role("link", name="Overview", exact=True).click()
    page.wait_for_url(f"**/#/overview?fleet={ours.id}")

    desk.open(f"events?fleet={theirs.id}", FIRST_ROW)  # a link that names a fleet stays what it is
    assert page.url.endswith(f"#/events?fleet={theirs.id}")
    desk.open("events?miss=500", FIRST_ROW)
    assert page.url.endswith("#/events?miss=500")
    choose(page, "Everything")
    desk.open("events", FIRST_ROW)
    assert page.url.endswith("#/events")


def test_the_overview_of_a_fleet_has_its_numbers(desk: Visit, ask: httpx.Client, fleets: list[Fleet]) -> None:
    ours = fleets[0]
    told: dict[str, Any] = ask.get(f"/runs/current/overview?fleet={ours.id}").raise_for_status().json()
    page = desk.open(f"overview?fleet={ours.id}", "[data-picture=likelihood]")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Overview of ours")
    for level, many in told["by_level"].items():
        expect(page.locator(f"[data-totals] .badge.{level}")).to_have_text(f"{many:,} {level}")
    assert sum(told["by_level"].values()) == told["events"]
    page.locator("[data-totals] .badge.low").click()
    page.wait_for_url(f"**/#/events?level=low&fleet={ours.id}&complexes=rows")
    expect(page.locator("h1 .total")).to_have_text(f"{told['by_level']['low']:,}")


def test_an_event_is_opened_as_seen_from_the_own_satellite(desk: Visit, fleets: list[Fleet]) -> None:
    ours = fleets[0]
    page = desk.open(f"events?fleet={ours.id}", FIRST_ROW)
    first = page.locator(FIRST_ROW).first
    expect(
        first.locator("[role=gridcell]").nth(2).locator("strong.name")
    ).to_be_visible()  # its own stands first
    href = first.locator("a").first.get_attribute("href") or ""
    assert int(href.rsplit("from=", 1)[1]) in ours.members
    choose(page, "ours")
    page = desk.open("globe", "section[aria-label='Coming events'] [data-event]")
    page.locator("section[aria-label='Coming events'] [data-event]").first.click()
    page.get_by_role("link", name="Open event").click()
    page.get_by_role("tab", name="What if").click()
    assert int(re.findall(r"from=(\d+)", page.url)[0]) in ours.members
    burns = page.get_by_label("Who burns")
    own = burns.locator("option[value=primary]")  # what it is arrives after the address

    def consistent() -> bool:
        return burns.input_value() == ("primary" if own.is_enabled() else "")

    wait_until(consistent)  # one's own if it can, never the other

"""A fleet's home: lanes, marks, what changed, alerts, deliveries, feeds; by keyboard and by screen reader."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers
from tests.page.test_every_view import AXE
from tests.page.test_widths import SCREENS

READY = ".decision-plot .spot, .quiet-ones, [aria-label=Coming] .empty"


def unfolded(page: Page) -> Page:
    """Open the lanes, below the plot."""
    page.locator(".fold > summary").click()
    return page


def serious(page: Page) -> list[Any]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (v["id"], [node["html"][:200] for node in v["nodes"][:3]])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]


def test_each_satellite_has_a_lane_and_each_event_a_mark(desk: Visit, answers: FleetAnswers) -> None:
    page = unfolded(desk.open("fleet/7", READY))
    expect(page.get_by_role("heading", level=1)).to_have_text("mine; <b>ours</b>")
    busy = {event["fleet_norad_id"] for event in answers.events}
    expect(page.locator(".lanes li.lane")).to_have_count(len(busy))
    expect(page.locator(".lane-mark")).to_have_count(len(answers.events))
    worst = page.locator(".lane-mark[data-event='4']")
    assert worst.get_attribute("aria-label", timeout=1000).startswith("critical, ")  # type: ignore[union-attr]
    first_lane = page.locator(".lanes li.lane").first
    assert first_lane.locator(".lane-mark.critical").count() > 0  # the most dangerous satellite stands first
    desk.screenshot("fleet")


def test_marks_lie_at_their_times_and_now_is_marked(desk: Visit, answers: FleetAnswers) -> None:
    page = unfolded(desk.open("fleet/7", READY))
    run = page.evaluate("fetch('runs/current').then((answer) => answer.json())")
    times = page.evaluate(
        """() => [...document.querySelectorAll('.lane-mark')].map(
             (mark) => [Number(mark.dataset.event), parseFloat(mark.style.left)])"""
    )
    begin, end = (
        page.evaluate("(text) => Date.parse(text)", run[name]) for name in ("window_start", "window_end")
    )
    last = max(page.evaluate("(text) => Date.parse(text)", event["tca"]) for event in answers.events)
    for number, left in times:
        (event,) = [one for one in answers.events if one["id"] == number]
        tca = page.evaluate("(text) => Date.parse(text)", event["tca"])
        assert left == pytest.approx(100 * (tca - begin) / (max(end, last) - begin), abs=0.01)
    expect(page.locator(".now-word")).to_have_text("now")
    left = page.evaluate("parseFloat(document.querySelector('.now-line').style.left)")
    now = page.evaluate("Date.now()")
    assert left == pytest.approx(100 * (now - begin) / (max(end, last) - begin), abs=0.5)


def test_levels_differ_in_shape_not_only_in_colour(desk: Visit, answers: FleetAnswers) -> None:
    answers.events[-1].update(probability_level="unknown", probability_best=None)
    page = desk.open("fleet/7", READY)
    shapes = {
        level: page.locator(f".lane-mark.{level} path").first.get_attribute("d")
        for level in ("critical", "high", "medium", "unknown", "low")
    }
    assert len(set(shapes.values())) == 5


def test_one_click_leads_from_a_mark_to_its_event(
    desk: Visit, answers: FleetAnswers, ask: httpx.Client
) -> None:
    own = answers.sample["secondary_norad_id"]
    answers.events[0] |= {"id": answers.sample["id"], "fleet_norad_id": own}
    answers.satellites[0]["norad_id"] = own
    page = unfolded(desk.open("fleet/7", READY))
    page.locator(f".lane-mark[data-event='{answers.sample['id']}']").click()
    page.wait_for_selector(".figures .plane")
    assert page.url.endswith(f"#/event/{answers.sample['id']}?from={own}")


def test_satellites_without_events_are_named_and_unknown_ones(desk: Visit, answers: FleetAnswers) -> None:
    page = unfolded(desk.open("fleet/7", READY))
    busy = {event["fleet_norad_id"] for event in answers.events}
    quiet = [one["name"] for one in answers.satellites if one["found"] and one["norad_id"] not in busy]
    expect(page.locator(".quiet-ones summary")).to_contain_text(f"Nothing coming: {len(quiet)}")
    shown = page.locator(".names-in-columns li").evaluate_all("all => all.map(x => x.firstChild.textContent)")
    assert shown == quiet
    unknown = page.locator(".lanes-and-quiet .flag")
    expect(unknown).to_contain_text("Not in the catalogue of this run: 40001")
    expect(page.locator("[data-part=unknown]")).to_contain_text("40001 is not in the newest catalogue")


def test_what_changed_is_told_and_marked(desk: Visit, answers: FleetAnswers) -> None:
    page = desk.open("fleet/7", READY)
    for change in ("new", "raised", "eased", "gone"):
        text = f"{change.capitalize()} 1"
        expect(page.locator(f"[data-change={change}] h3")).to_have_text(text)
    expect(page.locator("[data-change=gone] li")).to_contain_text("MINE 2 and VANGUARD 1 was high")
    new, raised = answers.events[0]["id"], answers.events[-1]["id"]
    assert ", new, " in (page.locator(f".lane-mark[data-event='{new}']").get_attribute("aria-label") or "")
    mark = page.locator(f".lane-mark[data-event='{raised}']")
    assert "raised from low" in (mark.get_attribute("aria-label") or "")
    expect(page.locator(f"tr[data-event='{new}'] td").first).to_contain_text("new")


def test_before_any_run_has_looked_it_is_no_all_clear(desk: Visit, answers: FleetAnswers) -> None:
    """ "No event" was said of a fleet whose satellites had dangerous ones in the very run."""
    answers.outside = [
        answers.events[0] | {"id": 900 + place, "probability_level": "low"} for place in range(3)
    ]
    answers.outside[0]["probability_level"] = "high"
    names = [one["name"] for one in answers.members()]
    answers.events, answers.satellites = [], []
    answers.changes.update(run_id=None, before_run_id=None, new=[], raised=[], eased=[], gone=[])
    page = desk.open("fleet/7", ".unseen")
    panel = page.get_by_role("region", name="Not searched yet")
    expect(panel).to_contain_text(
        "No run has searched this fleet yet. This is not an all-clear. The next run will search"
    )
    expect(panel.get_by_role("link", name="3 events of them")).to_be_visible()
    expect(panel).to_contain_text("1 high, 2 low")
    expect(panel.locator(".worst li").first).to_contain_text("high")
    assert panel.locator(".names-in-columns li > a:first-child").all_inner_texts() == names
    assert panel.get_by_role("link", name=f"{names[0]}: show on the globe").count() == 1
    assert page.get_by_role("region", name="Coming").count() == 0
    expect(page.locator("[data-part=unknown]")).to_contain_text("40001 is not in the newest catalogue")
    desk.screenshot("fleet-not-looked-at")


def test_a_fleet_that_is_being_searched_says_so_and_then_shows_its_events(
    desk: Visit, answers: FleetAnswers
) -> None:
    """It said that the next run looks, hours later."""
    there = (answers.events, answers.satellites, answers.changes["run_id"])
    answers.events, answers.satellites = [], []
    answers.changes["run_id"] = None
    answers.fleet["searching"] = True
    page = desk.open("fleet/7", ".unseen")
    expect(page.locator("[data-part=searching]")).to_have_text("Searching now: its events appear here.")
    panel = page.get_by_role("region", name="Not searched yet")
    expect(panel).to_contain_text("This is not an all-clear. It is being searched now.")
    answers.events, answers.satellites, answers.changes["run_id"] = there
    answers.fleet["searching"] = False
    expect(page.locator(".decision-plot .spot").first).to_be_visible()
    expect(page.locator("[data-part=searching]")).to_have_count(0)
    answers.fleet["search_problem"] = "Free some space. The next run searches it."
    page.reload()
    expect(page.locator("[data-part=search-problem]")).to_have_text(
        "Not searched since it was changed. Free some space. The next run searches it."
    )


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_it_is_accessible(browser: Browser, served: Served, ask: httpx.Client, scheme: str) -> None:
    with visit(browser, served, color_scheme=scheme) as visited:
        answers = FleetAnswers(ask)
        answers.alerts = [answers.alert(1)]
        answers.install(visited.page)
        page = visited.open("fleet/7", READY)
        page.get_by_text("New alert").click()
        visited.screenshot(f"fleet-{scheme}")
        assert serious(page) == []
        page.get_by_role("button", name="Change…").click()
        assert serious(page) == []


@pytest.mark.parametrize(
    "screen", ["1440", *(pytest.param(name, marks=pytest.mark.slow) for name in ("1024", "768")), "phone"]
)
def test_a_fleet_of_300_fits_every_width(
    browser: Browser, served: Served, ask: httpx.Client, screen: str
) -> None:
    width, height = SCREENS[screen]
    with visit(browser, served, viewport={"width": width, "height": height}) as visited:
        answers = FleetAnswers(ask, satellites=300)
        answers.install(visited.page)
        page = unfolded(visited.open("fleet/7", READY))
        page.get_by_text("New alert").click()
        page.get_by_role("button", name="Make an address").click()
        page.wait_for_selector(".once")
        visited.screenshot(f"fleet-{screen}")
        for place in ("document.documentElement", "document.querySelector('#main')"):
            assert page.evaluate(f"{place}.scrollWidth") <= width
        assert page.evaluate(
            "document.querySelector('.lanes').scrollWidth <= document.querySelector('.lanes').clientWidth"
        )
        assert page.locator(".lanes").bounding_box()["height"] < 800  # type: ignore[index]
        page.get_by_role("button", name="satellites with events").click()
        expect(page.locator(".lanes li.lane")).to_have_count(
            len({one["fleet_norad_id"] for one in answers.events})
        )
        marks = page.locator(".lane-mark").evaluate_all(
            "all => all.filter(x => x.getBoundingClientRect().right > innerWidth).length"
        )
        assert marks == 0


def test_the_keyboard_goes_from_lane_to_mark(desk: Visit, answers: FleetAnswers) -> None:
    page = unfolded(desk.open("fleet/7", READY))
    page.locator(".lanes").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.lane-name') !== null")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "globe"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.classList.contains('lane-mark')")


def test_a_lane_counts_events_that_are_not_drawn(desk: Visit, answers: FleetAnswers) -> None:
    """The list has the most dangerous events of a large fleet: no satellite may seem quiet for that."""
    left_out = answers.events.pop()
    answers.satellites[5].update(events=3, worst="low", next_tca=left_out["tca"])
    page = unfolded(desk.open("fleet/7", READY))
    lane = page.locator(".lanes [data-norad='40005']")
    expect(lane).to_contain_text("3 events, 0 drawn")
    assert page.locator(".quiet-ones [data-norad='40005']").count() == 0


@pytest.mark.slow
def test_a_fleet_lives_at_the_real_service(browser: Browser, served: Served, ask: httpx.Client) -> None:
    """Made on the page, searched at once, shown by a calendar, removed on the page."""
    dangerous = ask.get("/conjunctions?limit=40").json()["conjunctions"]
    numbers = sorted({event["primary_norad_id"] for event in dangerous})
    with visit(browser, served) as visited:
        page = visited.open("fleets", "[data-list=fleets] :is(table, .empty)")
        page.get_by_role("button", name="New fleet…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name", exact=True).fill("real, one")
        dialog.get_by_label("Catalogue numbers").fill(" ".join(map(str, [*numbers, 999_999_999])))
        dialog.get_by_label("Volume around each").select_option("A box")
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert")).to_contain_text("999999999 is not in the newest catalogue")
        dialog.get_by_role("button", name="Save").click()
        page.wait_for_selector(".decision-plot .spot")
        expect(page.locator("[data-part=unknown]")).to_contain_text("999999999 is not in the newest")
        fleet = ask.get("/fleets").json()["fleets"][-1]
        assert (fleet["name"], fleet["unknown"]) == ("real, one", [999_999_999])
        assert fleet["search_problem"] is None
        inside = ask.get(f"/fleets/{fleet['id']}/conjunctions?limit=1000").json()["conjunctions"]
        shown = page.locator(".fleet-events tbody tr:not(.outside)")
        notable = [
            event["id"] for event in inside if event["probability_level"] != "low" or event["near_level"]
        ]
        ids = shown.evaluate_all("all => all.map(x => Number(x.dataset.event))")
        assert ids == [event["id"] for event in inside if event["id"] in ids]
        assert set(ids) >= set(notable[:30])
        assert 10 <= len(ids) <= 30
        expect(page.get_by_role("region", name="Changes")).to_contain_text(
            "No earlier run has searched the volumes of this fleet, so what is new or gone is not known."
        )

        page.get_by_role("button", name="Make an address").click()
        address = page.get_by_label("Calendar", exact=True).input_value()
        expect(page.locator("[data-part=local]")).to_contain_text("work on this computer only")
        calendar = httpx.get(f"{address}&level=low").raise_for_status()
        assert calendar.text.count("BEGIN:VEVENT") == len(inside)
        page.get_by_text("New alert").click()
        page.get_by_label("To", exact=True).fill("ops@example.org")
        page.get_by_role("button", name="Add alert").click()
        expect(page.locator("[data-alert]")).to_contain_text("E-mail ops@example.org")
        page.get_by_role("button", name="Switch off").click()
        expect(page.get_by_role("button", name="Switch on")).to_be_visible()
        visited.screenshot("fleet-real")

        page.goto(f"{served.url}/#/events?fleet={fleet['id']}")
        expect(page.locator("h1 .total")).to_have_text(str(len(inside)))
        page.goto(f"{served.url}/#/fleet/{fleet['id']}")
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Remove fleet").click()
        page.wait_for_url("**#/fleets")
        assert ask.get(f"/fleets/{fleet['id']}").status_code == 404
        assert httpx.get(address).status_code == 404

"""The decision plot of a fleet: where marks stand, brush, keys, labels that do not collide, numbers."""

import math
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from storage.times import parse_time as instant
from tests.page.browsing import Served, Visit, visit
from tests.page.fleet_answers import FleetAnswers, time_text
from tests.page.test_fleets_view import serious

PLOT = ".decision-plot"
SPOT = f"{PLOT} .spot"
COLLIDING = """() => {
  const boxes = [...document.querySelectorAll('.decision-plot text')]
    .map((one) => [one.textContent, one.getBoundingClientRect()]);
  const all = document.querySelector('.decision-plot').getBoundingClientRect();
  const cover = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  return [
    ...boxes.filter(([, box]) => box.left < all.left - 1 || box.right > all.right + 1).map(([text]) => text),
    ...boxes.flatMap(([a, one], i) =>
      boxes.slice(i + 1).filter(([, other]) => cover(one, other)).map(([b]) => [a, b])),
  ];
}"""


def places(page: Page) -> dict[int, tuple[float, float]]:
    """Return where each mark stands, px in the picture."""
    found = page.locator(SPOT).evaluate_all(
        """all => all.map(x => {
             const m = x.transform.baseVal[0].matrix;
             return [Number(x.dataset.event), m.e, m.f];
           })"""
    )
    return {number: (x, y) for number, x, y in found}


def ruler(page: Page) -> tuple[float, float, float, float]:
    """Return where the decades 1e-4 and 1e-6 and both edges of the time are drawn."""
    lines = page.evaluate(
        """() => [...document.querySelectorAll('.decision-plot line.limit')].map(x => [x.y1.baseVal.value,
             x.x1.baseVal.value, x.x2.baseVal.value])"""
    )
    return lines[0][0], lines[2][0], lines[0][1], lines[0][2]


def test_marks_stand_at_their_time_and_probability(desk: Visit, answers: FleetAnswers) -> None:
    page = desk.open("fleet/7", SPOT)
    found = places(page)
    assert found.keys() == {event["id"] for event in answers.events}
    at_1e4, at_1e6, left, right = ruler(page)
    times = {event["id"]: instant(event["tca"]).timestamp() for event in answers.events}
    first, last = min(times, key=times.__getitem__), max(times, key=times.__getitem__)
    per_s = (found[last][0] - found[first][0]) / (times[last] - times[first])
    for event in answers.events:
        x, y = found[event["id"]]
        expected = at_1e4 + (math.log10(1e-4 / event["probability_best"]) / 2) * (at_1e6 - at_1e4)
        assert y == pytest.approx(expected, abs=0.05)
        assert x == pytest.approx(found[first][0] + per_s * (times[event["id"]] - times[first]), abs=0.5)
        assert left <= x <= right
        bar = page.locator(f"{PLOT} .bar[data-event='{event['id']}']").get_attribute("d") or ""
        low = at_1e4 + (math.log10(1e-4 / (event["probability_best"] / 4)) / 2) * (at_1e6 - at_1e4)
        assert float(bar.split("V")[1].split("M")[0]) == pytest.approx(low, abs=0.05)
        assert page.locator(f"{PLOT} .tail[data-event='{event['id']}']").count() == 1
    now = page.evaluate("Date.now() / 1000")
    assert left + per_s * (times[first] - now) == pytest.approx(
        found[first][0], abs=2
    )  # now is the left edge
    desk.screenshot("decision-plot")


def test_what_is_less_or_unknown_stands_in_a_lane_of_its_own(desk: Visit, answers: FleetAnswers) -> None:
    answers.events[-1].update(probability_best=None, probability_level="unknown", probability=None,
                              probability_2d=None, probability_mc=None)  # fmt: skip
    answers.events[-2].update(probability_best=1e-30)
    page = desk.open("fleet/7", SPOT)
    lane = page.locator(f"{PLOT} .lower").evaluate(
        "x => [x.y.baseVal.value, x.y.baseVal.value + x.height.baseVal.value]"
    )
    found = places(page)
    less, unknown = found[answers.events[-2]["id"]][1], found[answers.events[-1]["id"]][1]
    assert lane[0] < less < unknown < lane[1]


@pytest.mark.parametrize("width", [1440, 768, 390])
@pytest.mark.parametrize("events", [0, 1, 655])
def test_no_label_covers_another_for_any_number_of_events(
    browser: Browser, served: Served, ask: httpx.Client, width: int, events: int
) -> None:
    with visit(browser, served, viewport={"width": width, "height": 900}) as visited:
        answers = FleetAnswers(ask, satellites=max(events, 3))
        answers.install(visited.page)
        answers.events = answers.events[:events]
        page = visited.open("fleet/7", SPOT if events else "[aria-label=Coming] .empty")
        visited.screenshot(f"decision-plot-{events}-{width}")
        expect(page.locator(SPOT)).to_have_count(events)
        if events:
            assert page.evaluate(COLLIDING) == []
            assert page.locator(f"{PLOT} text.name").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious(page) == []


def test_of_very_many_the_most_dangerous_and_the_nearest_are_drawn(desk: Visit, ask: httpx.Client) -> None:
    answers = FleetAnswers(ask, satellites=720)
    answers.install(desk.page)
    near = answers.events[-1] | {"miss_distance_m": 80.0, "near_level": "critical"}
    answers.events[-1] = near
    page = desk.open("fleet/7", SPOT)
    expect(page.locator(SPOT)).to_have_count(701)
    expect(page.locator(f"{SPOT}.near[data-event='{near['id']}']")).to_have_count(1)
    expect(page.get_by_role("heading", name="Coming", level=2)).to_contain_text(
        "701 of 720 events, the most dangerous and the nearest"
    )


def test_a_brush_zooms_and_the_list_follows(desk: Visit, answers: FleetAnswers) -> None:
    page = desk.open("fleet/7", SPOT)
    found = places(page)
    box = page.locator(f"{PLOT} svg").bounding_box()
    assert box is not None
    in_time = sorted(found, key=lambda number: found[number][0])
    to = (found[in_time[3]][0] + found[in_time[4]][0]) / 2
    page.mouse.move(box["x"] + 40, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + to, box["y"] + 90, steps=4)
    page.mouse.up()
    expect(page.locator(SPOT)).to_have_count(4)
    expect(page.locator(".decision .seen")).to_contain_text("4 events from")
    rows = page.locator(".fleet-events tbody tr")
    expect(rows).to_have_count(4)
    assert {int(row.get_attribute("data-event") or 0) for row in rows.all()} == set(in_time[:4])
    page.get_by_role("button", name="Whole time").click()
    expect(page.locator(SPOT)).to_have_count(len(answers.events))
    expect(rows).to_have_count(10)


def test_by_keyboard_from_the_worst_to_its_event(
    desk: Visit, answers: FleetAnswers, ask: httpx.Client
) -> None:
    own = answers.sample["secondary_norad_id"]
    answers.events[0] |= {"id": answers.sample["id"], "fleet_norad_id": own}
    answers.sure[0]["id"] = answers.sample["id"]
    page = desk.open("fleet/7", SPOT)
    page.locator(PLOT).focus()
    page.keyboard.press("Home")
    told = page.locator(".decision .told")
    expect(told).to_contain_text("critical")
    expect(told).to_contain_text("7.5 × 10⁻⁵ to 9.0 × 10⁻⁴ with errors half to twice as large")
    page.keyboard.press("ArrowDown")
    expect(told).not_to_contain_text(str(answers.events[0]["secondary_name"]))
    page.keyboard.press("Home")
    page.keyboard.press("+")
    expect(page.locator(SPOT)).not_to_have_count(len(answers.events))
    page.keyboard.press("Escape")
    expect(page.locator(SPOT)).to_have_count(len(answers.events))
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/#/event/{answers.sample['id']}?from={own}")


def test_a_click_on_a_mark_opens_its_event(desk: Visit, answers: FleetAnswers) -> None:
    page = desk.open("fleet/7", SPOT)
    number, (x, y) = next(iter(places(page).items()))
    box = page.locator(f"{PLOT} svg").bounding_box()
    assert box is not None
    page.route(
        f"**/conjunctions/{number}?*",
        lambda route: route.fulfill(status=404, json={"title": "", "detail": ""}),
    )
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.wait_for_url(f"**/#/event/{number}?from=*")
    desk.complaints[:] = [one for one in desk.complaints if "404" not in one]


def test_what_passes_leaves_the_plot(desk: Visit, answers: FleetAnswers) -> None:
    answers.events[0]["tca"] = time_text(0.01)
    page = desk.page
    page.clock.install()
    desk.open("fleet/7", SPOT)
    page.clock.fast_forward("02:00")
    expect(page.locator(SPOT)).to_have_count(len(answers.events) - 1)
    expect(page.locator("[aria-label=Coming] h2")).to_contain_text("1 passed since")


def test_numbers_are_those_of_the_trend(ask: httpx.Client) -> None:
    """For 20 events: bar and tail of the plot are the band and the points of the event's own trend."""
    numbers = sorted(
        {event["primary_norad_id"] for event in ask.get("/conjunctions?limit=20").json()["conjunctions"]}
    )
    fleet = ask.post("/fleets", json={"name": "decides", "norad_ids": numbers, "volume": "box:5x50x50"})
    number = fleet.raise_for_status().json()["id"]
    while ask.get(f"/fleets/{number}").json()["searching"]:
        pass
    made: list[dict[str, Any]] = ask.get(f"/fleets/{number}/decision").raise_for_status().json()["events"]
    ids = [one["id"] for one in ask.get(f"/fleets/{number}/conjunctions?limit=20").json()["conjunctions"]]
    assert {one["id"] for one in made} >= set(ids)
    tails = 0
    for one in (one for one in made if one["id"] in ids):
        points = ask.get(f"/conjunctions/{one['id']}/trend").raise_for_status().json()["points"]
        ends = [points[-1][name] for name in ("probability_low", "probability_high")]
        assert [one[f"probability_{end}"] for end in ("low", "high")] == pytest.approx(ends, rel=1e-12)
        former = [(p["hours_to_tca"], p["probability"]) for p in points[:-1]]
        assert [(f["hours_to_tca"], f["probability"]) for f in one["former"]] == pytest.approx(former)
        tails += len(former)
    assert tails > 0
    ask.delete(f"/fleets/{number}").raise_for_status()


def test_a_finger_chooses_first_and_opens_then(browser: Browser, served: Served, ask: httpx.Client) -> None:
    with visit(browser, served, viewport={"width": 390, "height": 844}, has_touch=True) as visited:
        answers = FleetAnswers(ask)
        answers.install(visited.page)
        page = visited.open("fleet/7", SPOT)
        page.locator(PLOT).scroll_into_view_if_needed()
        number = answers.events[0]["id"]
        x, y = places(page)[number]
        box = page.locator(f"{PLOT} svg").bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + x, box["y"] + y)
        expect(page.locator(".decision .told")).to_contain_text(answers.events[0]["secondary_name"])
        assert page.url.endswith("#/fleet/7")
        gone = {"title": "Not found", "detail": "Gone."}
        page.route(f"**/conjunctions/{number}?*", lambda route: route.fulfill(status=404, json=gone))
        page.touchscreen.tap(box["x"] + x, box["y"] + y)
        page.wait_for_url(f"**/#/event/{number}?from=*")
        visited.complaints[:] = [one for one in visited.complaints if "404" not in one]

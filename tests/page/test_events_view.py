"""The list of events: filters, address, keyboard, rows far down, download, records that cannot be read."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from screening.vocabulary import SIZES_FROM
from tests.page.browsing import Visit

FIRST_ROW = ".rows .row[data-id]"
# No probability at all, and very near.
WITHOUT = {
    **dict.fromkeys(
        ("probability", "probability_2d", "probability_3d", "probability_best", "probability_mc")
    ),
    "probability_method": None,
    "probability_level": "unknown",
    "near_level": "critical",
}


def listed(ask: httpx.Client, **parameters: object) -> dict[str, Any]:
    answer = ask.get("/conjunctions", params=parameters)  # type: ignore[arg-type]
    return answer.raise_for_status().json()  # type: ignore[no-any-return]


def total(page: Page) -> int:
    expect(page.locator("h1 .total")).not_to_have_text("…")
    return int(page.locator("h1 .total").inner_text().replace(",", ""))


def test_the_worst_stand_first_and_all_are_counted(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events", FIRST_ROW)
    everything = listed(ask, limit=5)
    assert total(page) == everything["total"]
    shown = [page.locator(f"#row-{i}").get_attribute("data-id") for i in range(5)]
    assert shown == [str(event["id"]) for event in everything["conjunctions"]]
    desk.screenshot("events")


def test_filters_stand_in_the_address_and_outlive_a_reload(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events", FIRST_ROW)
    page.get_by_label("medium", exact=True).check(force=True)
    page.get_by_label("high", exact=True).check(force=True)
    page.get_by_label("Miss at most, m").fill("5000")
    page.wait_for_url("**miss=5000**")
    expected = listed(ask, probability_level=["high", "medium"], max_miss_m=5000)
    expect(page.locator("h1 .total")).to_have_text(f"{expected['total']:,}")
    assert "level=high%2Cmedium" in page.url
    page.reload()
    page.wait_for_selector(FIRST_ROW)
    assert total(page) == expected["total"] < listed(ask, limit=1)["total"]
    assert page.get_by_label("Miss at most, m").input_value() == "5000"
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("h1 .total")).to_have_text(f"{listed(ask, limit=1)['total']:,}")


def test_a_link_by_the_missions_level_says_so(desk: Visit, ask: httpx.Client) -> None:
    """As from the numbers of a run, which counts by it: the list must be as long as the number says."""
    page = desk.open("events?risk=medium&complexes=rows", FIRST_ROW)
    assert total(page) == listed(ask, risk_level="medium", limit=1)["total"]
    expect(page.locator(".filters")).to_contain_text("mission’s risk level: medium")
    page.get_by_role("button", name="Any risk level").click()
    expect(page.locator("h1 .total")).to_have_text(f"{listed(ask, complexes='collapse')['total']:,}")


def test_the_level_is_the_probabilitys_and_what_is_unknown_is_not_low(desk: Visit) -> None:
    """A near miss without a probability was called low by its level, and critical by its miss."""
    desk.page.route("**/conjunctions?*", changed(lambda event: event.update(WITHOUT)))
    page = desk.open("events", FIRST_ROW)
    row = page.locator("#row-0")
    expect(row.locator(".badge")).to_have_text("unknown")
    expect(row.locator(".near")).to_have_text("near: critical")
    expect(row.locator(".c-p")).to_have_text("not computed")
    colours = [
        row.locator(".badge").evaluate(f"x => {{ {change}; return getComputedStyle(x).backgroundColor }}")
        for change in ("x.className = 'badge unknown'", "x.className = 'badge low'")
    ]
    assert colours[0] != colours[1]


def test_a_bound_is_told_as_at_most(desk: Visit) -> None:
    bound = {"probability_best": 2.5e-5, "probability_method": "bound", "probability_level": "high"}
    desk.page.route("**/conjunctions?*", changed(lambda event: event.update(bound)))
    page = desk.open("events", FIRST_ROW)
    expect(page.locator("#row-0 .c-p")).to_contain_text("at most 2.5 × 10⁻⁵")
    expect(page.locator("#row-0 .badge")).to_have_text("high")


def test_an_event_of_an_earlier_release_has_its_level_by_its_numbers(desk: Visit) -> None:
    earlier = dict.fromkeys(WITHOUT) | {"probability": 2e-6, "probability_2d": 3e-5, "miss_distance_m": 700.0}
    desk.page.route("**/conjunctions?*", changed(lambda event: event.update(earlier)))
    page = desk.open("events", FIRST_ROW)
    expect(page.locator("#row-0 .badge")).to_have_text("high")
    expect(page.locator("#row-0 .near")).to_have_text("near: medium")
    expect(page.locator("#row-0 .c-p")).to_contain_text("3.0 × 10⁻⁵")


def test_a_saved_fleet_is_chosen(desk: Visit) -> None:
    fleets = {"fleets": [{"id": 3, "name": "mine"}, {"id": 4, "name": "theirs"}], "total": 2}
    asked: list[str] = []

    def events(route: Route) -> None:
        asked.append(route.request.url)
        address = route.request.url.replace("fleet=4&", "")
        route.fulfill(response=route.fetch(url=address))

    desk.page.route(
        "**/fleets?*", lambda route: route.fulfill(body=json.dumps(fleets), content_type="application/json")
    )
    desk.page.route("**/fleets/4/members", lambda route: route.fulfill(json={"members": []}))
    desk.page.route("**/fleets/4", lambda route: route.fulfill(json={"id": 4, "radius": "bounding"}))
    desk.page.route("**/conjunctions?*", events)
    page = desk.open("events", FIRST_ROW)
    assert "fleet" not in asked[-1]
    page.get_by_label("Fleet").select_option("theirs")
    page.wait_for_url("**fleet=4**")
    expect(page.locator("h1 .total")).not_to_have_text("…")
    assert "fleet=4&" in asked[-1]
    own = "use this fleet’s own hard-body radii, of the spheres around its satellites, where published."
    expect(page.locator("[data-part=radius]")).to_contain_text(own)
    page.reload()
    page.wait_for_selector(FIRST_ROW)
    expect(page.get_by_label("Fleet")).to_have_value("4")
    page.get_by_label("Fleet").select_option("any")
    expect(page.get_by_label("Fleet")).to_have_value("")
    expect(page.locator("[data-part=radius]")).to_be_empty()


def test_a_satellite_is_found_by_its_name(desk: Visit, ask: httpx.Client) -> None:
    (event,) = listed(ask, limit=1)["conjunctions"]
    page = desk.open("events", FIRST_ROW)
    page.get_by_label("Satellite").fill(event["primary_name"].lower())
    page.keyboard.press("Enter")
    expected = f"{listed(ask, norad_id=event['primary_norad_id'])['total']:,}"
    expect(page.locator("h1 .total")).to_have_text(expected)
    expect(page.locator(".chosen")).to_contain_text(event["primary_name"])


def test_the_satellites_of_an_owner_are_found(desk: Visit, ask: httpx.Client) -> None:
    (event,) = listed(ask, limit=1)["conjunctions"]
    number, asked = event["primary_norad_id"], []

    def owned(route: Route) -> None:
        answer = route.fetch().json()
        for one in answer["objects"]:
            one |= {"owner": "SESS/NRL", "object_type": "payload"} if one["norad_id"] == number else {}
        route.fulfill(json=answer)

    def without_owner(route: Route) -> None:
        asked.append(httpx.URL(route.request.url).params["owner"])
        route.continue_(url=re.sub("owner=[^&]*", f"norad_id={number}", route.request.url))

    desk.page.route("**/objects?*", owned)
    desk.page.route("**/conjunctions?*owner=*", without_owner)
    page = desk.open("events", FIRST_ROW)
    field = page.get_by_label("Satellite")
    with page.expect_response("**/objects?*"):
        field.focus()
    field.fill("ses")
    suggested = page.locator("datalist option[value='owner SESS']")
    expect(suggested).to_have_text("SESS: 1 satellite")
    field.fill("owner nrl")
    field.press("Enter")
    expect(page).to_have_url(re.compile("owner=NRL"))
    expect(page.locator(".by-owner")).to_contain_text("owner NRL")
    expect(page.locator("h1 .total")).to_have_text(f"{listed(ask, norad_id=number)['total']:,}")
    assert set(asked) == {"NRL"}
    page.get_by_role("button", name="Any owner").click()
    expect(page).not_to_have_url(re.compile("owner="))
    field.fill("owner nobody")
    field.press("Enter")
    assert field.evaluate("x => x.validationMessage") == "No owner of the newest run is called nobody."


@pytest.mark.parametrize(
    ("typed", "sent"), [("2026-11-21", "2026-11-21T00:00Z"), ("2026-11-21 06:30", "2026-11-21T06:30Z")]
)
def test_times_are_utc(desk: Visit, typed: str, sent: str) -> None:
    page = desk.open("events", FIRST_ROW)
    with page.expect_request(lambda request: "tca_from=" in request.url) as asked:
        page.get_by_label("TCA from, UTC").fill(typed)
    assert httpx.URL(asked.value.url).params["tca_from"] == sent


def test_the_keyboard_goes_everywhere(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events", FIRST_ROW)
    second = listed(ask, limit=2)["conjunctions"][1]
    page.get_by_role("grid").focus()
    for pressed in ("End", "Home", "ArrowDown"):
        page.keyboard.press(pressed)
    expect(page.locator("#row-1[data-id]")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/#/event/{second['id']}")


def test_the_last_row_of_all_is_the_services_last(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events", FIRST_ROW)
    count = total(page)
    (last,) = listed(ask, offset=count - 1)["conjunctions"]
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    row = page.locator(f"#row-{count - 1}[data-id]")
    expect(row).to_have_attribute("data-id", str(last["id"]))
    assert page.locator(".rows .row").count() < 100


def test_sorting_by_another_column(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events", FIRST_ROW)
    page.get_by_role("button", name="TCA (UTC)").click()
    (soonest,) = listed(ask, limit=1, order="tca")["conjunctions"]
    expect(page.locator("#row-0")).to_have_attribute("data-id", str(soonest["id"]))
    assert page.get_by_role("columnheader", name="TCA").get_attribute("aria-sort") == "ascending"


def test_sorting_by_pieces_puts_the_most_expected_ones_first(desk: Visit, ask: httpx.Client) -> None:
    page = desk.open("events", FIRST_ROW)
    page.get_by_role("button", name="Pieces", exact=True).click()
    expected = listed(ask, limit=5, order="fragments", complexes="collapse")["conjunctions"]
    expect(page.locator("#row-0")).to_have_attribute("data-id", str(expected[0]["id"]))
    shown = [page.locator(f"#row-{i}").get_attribute("data-id") for i in range(5)]
    assert shown == [str(event["id"]) for event in expected]
    assert page.get_by_role("columnheader", name="Pieces").get_attribute("aria-sort") == "descending"


LEFT = (  # by a collision: whether it shatters both, pieces, and what the list shows
    (True, 1210.7, "✸ 1,200"),
    (False, 12.4, "12"),
    (False, 0.4, "< 1"),
    (None, None, "—"),
)


@pytest.mark.parametrize("width", [1440, 1024, 900, 390])
def test_what_a_collision_would_leave_stands_beside_the_probability(desk: Visit, width: int) -> None:
    def left(route: Route) -> None:
        listed = route.fetch().json()
        for place, event in enumerate(listed["conjunctions"]):
            event["catastrophic"], event["fragments_10cm"], _ = LEFT[place % len(LEFT)]
        route.fulfill(body=json.dumps(listed), content_type="application/json")

    desk.page.set_viewport_size({"width": width, "height": 844})
    desk.page.route("**/conjunctions?*", left)
    page = desk.open("events", FIRST_ROW)
    for i, (shatters, pieces, mark) in enumerate(LEFT):
        found = page.locator(f"#row-{i} .severity")
        count = mark.removeprefix("✸ ")
        sentence = (
            f"{count} pieces of 10 cm or more after a collision{', which shatters both' if shatters else ''}"
        )
        sentence = "The outcome of a collision is unknown." if pieces is None else sentence
        expect(found).to_have_attribute("title", sentence)
        expect(found.locator(".visually-hidden")).to_have_text(sentence)
        number = found.locator("data")
        expect(number).to_have_text(mark)
        assert number.is_visible() == (width > 704 or pieces is not None)  # on a phone a dash says nothing
        if not number.is_visible():
            continue
        chance = page.locator(f"#row-{i} .c-p data").first
        one, other = number.bounding_box(), chance.bounding_box()
        assert one is not None
        assert other is not None
        assert one["x"] + one["width"] <= width
        apart = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        assert (
            apart
            or one["y"] >= other["y"] + other["height"] - 1
            or other["y"] >= one["y"] + one["height"] - 1
        )
    cut = "all => all.filter(x => x.scrollWidth > x.clientWidth + 1).map(x => x.textContent)"
    assert page.locator(".rows :is(.c-p, .c-pieces)").evaluate_all(cut) == []
    desk.screenshot(f"events-pieces-{width}")


def test_the_owner_of_the_sizes_is_named(desk: Visit, ask: httpx.Client) -> None:
    (worst,) = listed(ask, limit=1)["conjunctions"]
    for address, ready in (("events", FIRST_ROW), (f"event/{worst['id']}", ".figures .plane")):
        page = desk.open(address, ready)
        said = page.locator(".sizes-from")
        expect(said).to_have_text("Sizes, masses and owners: J. McDowell, GCAT, CC BY 4.0")
        whose, licence = SIZES_FROM.split("), ")
        assert whose.split("(")[1] in (said.locator("a").first.get_attribute("href") or "")
        assert licence == said.locator("a").last.inner_text()


def test_the_filtered_list_is_downloaded(desk: Visit, ask: httpx.Client, tmp_path: Path) -> None:
    page = desk.open("events?risk=high", FIRST_ROW)
    with page.expect_download() as started:
        page.get_by_role("button", name="Download CSV").click()
    started.value.save_as(tmp_path / "events.csv")
    rows = list(csv.DictReader((tmp_path / "events.csv").read_text(encoding="utf-8").splitlines()))
    expected = listed(ask, risk_level="high", limit=10_000)["conjunctions"]
    assert [row["id"] for row in rows] == [str(event["id"]) for event in expected]
    assert started.value.suggested_filename.endswith("-events.csv")


def changed(change: Callable[[dict[str, Any]], None]) -> Callable[[Route], None]:
    """Let the first record of an answer be another."""

    def answer(route: Route) -> None:
        page = route.fetch().json()
        change(page["conjunctions"][0])
        route.fulfill(body=json.dumps(page), content_type="application/json")

    return answer


@pytest.mark.sampled(4)
@pytest.mark.parametrize("field", ["tca", "miss_distance_m", "risk_level", "id"])
def test_one_record_that_cannot_be_read_stops_no_other(desk: Visit, field: str) -> None:
    desk.page.route("**/conjunctions?*", changed(lambda event: event.update({field: None})))
    page = desk.open("events", FIRST_ROW)
    expect(page.locator(".row.unreadable")).to_contain_text(f"{field} cannot be read")
    assert page.locator(FIRST_ROW).count() > 10


def test_a_name_is_text_and_nothing_else(desk: Visit) -> None:
    name = '<img src="http://example.org/x" onerror="alert(1)">'
    desk.page.route("**/conjunctions?*", changed(lambda event: event.update(primary_name=name)))
    page = desk.open("events", FIRST_ROW)
    expect(page.locator("#row-0 .name").first).to_have_text(name)
    assert page.locator(".rows img").count() == 0


def test_words_and_marks_stay_open_when_the_list_is_drawn_anew(desk: Visit) -> None:
    page = desk.open("events", FIRST_ROW)
    page.get_by_text("Words and marks").click()
    page.get_by_role("link", name="Proximities", exact=True).click()
    expect(page.get_by_text("Words and marks")).to_have_count(0)
    page.get_by_role("link", name="Events", exact=True).click()
    expect(page.locator(".word-list")).to_have_attribute("open", "")

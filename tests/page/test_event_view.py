"""One event: its numbers are the service's, its pictures are there."""

import re
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.browsing import Visit
from tests.page.test_event_downloads import file_name, worst_event

OF_THE_EVENT = ".numbers > .stack > .panel"
OBJECT_FIELDS = ("age_hours", "sigma_r_m", "sigma_t_m", "sigma_n_m", "perigee_km", "apogee_km", "period_min")
NEEDED = (
    "miss_distance_m",
    "relative_speed_m_s",
    "probability_best",
    "probability",
    "probability_2d",
    "probability_3d",
    "probability_max",
    "probability_mc",
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SHOWN = re.compile(r"(?P<digits>[-0-9,]+)(?P<decimals>\.[0-9]+)?(?: × 10(?P<power>[-0-9]+))?")


def shown_number(text: str) -> tuple[float, float]:
    """Return the number that a person reads, and half of its last digit."""
    found = _SHOWN.match(text.replace("−", "-").translate(_SUPERSCRIPTS))
    assert found is not None, text
    decimals, power = found["decimals"] or "", int(found["power"] or 0)
    value = float(found["digits"].replace(",", "") + decimals) * 10.0**power
    return value, 0.5 * 10.0 ** (power - max(len(decimals) - 1, 0))


def shown(page: Page, place: str) -> list[tuple[str, str, str]]:
    """Return the numbers below an element: field, exact value, text."""
    found: list[tuple[str, str, str]] = page.locator(f"{place} data").evaluate_all(
        "all => all.map(x => [x.dataset.field, x.getAttribute('value'), x.textContent])"
    )
    return found


def assert_same(numbers: list[tuple[str, str, str]], sent: dict[str, Any]) -> None:
    for field, exact, text in numbers:
        value, text = sent[field], text.removeprefix("✸ ")
        if value is None:
            assert exact == "", field
            assert text == ("not computed" if field == "probability_best" else "—"), field
            continue
        assert float(exact) == value, field
        if text.startswith("< "):
            assert value < shown_number(text[2:].replace("10", "1 × 10", 1))[0], (field, text, value)
            continue
        read, half = shown_number(text)
        assert abs(read - value) <= half * (1 + 1e-9), (field, text, value)


@pytest.mark.parametrize("count", [15, pytest.param(50, marks=pytest.mark.slow)])
def test_numbers_are_those_of_the_service(desk: Visit, ask: httpx.Client, count: int) -> None:
    events = ask.get("/conjunctions?limit=10000").raise_for_status().json()["conjunctions"]
    chosen = np.random.default_rng(1).choice(len(events), min(count, len(events)), replace=False)
    checked = 0
    for index in chosen.tolist():
        number = events[index]["id"]
        page = desk.open(f"event/{number}?tab=numbers", f'[data-event="{number}"] [data-object="secondary"]')
        event = ask.get(f"/conjunctions/{number}").raise_for_status().json()
        objects = ask.get(f"/conjunctions/{number}/geometry").raise_for_status().json()["objects"]
        numbers = shown(page, ".strip .big") + shown(page, OF_THE_EVENT) + shown(page, ".relative")
        known = {name for name in NEEDED if event[name] is not None}
        assert known <= {field for field, _, _ in numbers}
        assert_same(numbers, event)
        for who in ("primary", "secondary"):
            facts = shown(page, f'[data-object="{who}"]')
            assert set(OBJECT_FIELDS) <= {field for field, _, _ in facts}
            assert_same(facts, objects[who])
        assert page.locator(".strip time").get_attribute("datetime") == event["tca"]
        checked += 1
    assert checked == count


@pytest.fixture
def worst(ask: httpx.Client) -> dict[str, Any]:
    """Return the most dangerous event."""
    answer = ask.get("/conjunctions?limit=1").raise_for_status()
    event: dict[str, Any] = answer.json()["conjunctions"][0]
    return event


def test_its_pictures_are_drawn(desk: Visit, ask: httpx.Client, worst: dict[str, Any]) -> None:
    page = desk.open(f"event/{worst['id']}", ".figures .plane")
    geometry = ask.get(f"/conjunctions/{worst['id']}/geometry").raise_for_status().json()
    expect(page.locator(".plane .sigma ellipse")).to_have_count(3)
    ellipses = page.locator(".plane .sigma ellipse").evaluate_all(
        "all => all.map(x => [Number(x.getAttribute('rx')), Number(x.getAttribute('ry'))])"
    )
    major, minor = np.sort(np.array(ellipses), axis=0).T
    assert np.allclose(major / major[0], [1, 2, 3])
    combined = geometry["encounter_plane"]["combined"]
    assert major / minor == pytest.approx(combined["sigma_major_m"] / combined["sigma_minor_m"])
    expect(page.locator(".plane .alone ellipse")).to_have_count(2)
    page.get_by_role("button", name="Close-up").click()
    expect(page.locator(".plane line.miss")).to_be_visible()
    page.get_by_role("button", name="What do these numbers rest on?").click()
    expect(page.get_by_text("No number here justifies a manoeuvre on its own")).to_be_visible()
    pictures = page.locator(".more-figures .chart[role=img]")
    expect(pictures).to_have_count(3)  # range, radius, dilution
    expect(pictures.locator("canvas")).to_have_count(0)  # nobody has opened their tab
    page.get_by_role("tab", name="Geometry").click()
    for i in range(3):
        expect(pictures.nth(i).locator("canvas")).to_be_visible()
    said = pictures.nth(1).get_attribute("aria-label") or ""
    assert "Probability against the combined hard-body radius" in said
    assert f"{geometry['encounter_plane']['hard_body_radius_m']:.2f} m: " in said
    assert "Probability against covariance scale" in (pictures.nth(2).get_attribute("aria-label") or "")
    pictures.nth(1).scroll_into_view_if_needed()
    desk.screenshot("event-radius")
    page.get_by_role("button", name="Wide").first.click()
    expect(page.locator(".path")).to_have_count(2)
    page.get_by_role("button", name="Wide").last.click()
    expect(pictures.nth(0).locator("canvas")).to_be_visible()
    desk.screenshot("event")


def test_every_number_has_a_line_that_says_what_it_is(desk: Visit, worst: dict[str, Any]) -> None:
    page = desk.open(f"event/{worst['id']}?tab=numbers", '[data-object="secondary"]')
    bare = page.locator(".facts > div").evaluate_all(
        "all => all.filter(x => x.querySelector('data') && !x.querySelector('.note')?.textContent)"
        ".filter(x => !x.querySelector('dfn'))"
        ".map(x => x.textContent)"
    )
    assert bare == []


def test_objects_without_a_name_go_by_their_number(desk: Visit, worst: dict[str, Any]) -> None:
    """Catalogues without names left holes in sentences, and `×` alone in the lists of the first screen."""

    def nameless(route: Route) -> None:
        answer = route.fetch()
        text = re.sub(r'"(primary_|secondary_)?name":\s*"[^"]*"', r'"\1name": ""', answer.text())
        route.fulfill(response=answer, body=text)

    for address in ("**/conjunctions*", "**/conjunctions/**"):
        desk.page.route(address, nameless)
    first, second = (str(worst[f"{who}_norad_id"]) for who in ("primary", "secondary"))
    page = desk.open(f"event/{worst['id']}", ".figures .plane")
    expect(page.locator("h1")).to_have_text(f"{first}×{second}")
    expect(page.locator(".seen-from")).to_have_text(f"Seen from {first} · See it from {second}")
    expect(page.locator(".whom [data-whom]").first).to_contain_text(first)
    for number in (first, second):
        expect(page.locator(".plane-key")).to_contain_text(f"{number} alone, 1 σ")
    page = desk.open(f"globe?event={worst['id']}", ".card h2")
    expect(page.locator(".card h2").first).to_have_text(f"{first} × {second}")
    expect(page.locator("[data-event] .names").first).to_have_text(re.compile(r"^\d+× \d+$"))


def test_without_its_geometry_the_numbers_stay(desk: Visit, worst: dict[str, Any]) -> None:
    desk.page.route("**/geometry", lambda route: route.fulfill(status=200, body="{"))
    page = desk.open(f"event/{worst['id']}", ".figures .failure")
    expect(page.locator(".glance .failure")).to_contain_text("not JSON")
    assert_same(shown(page, ".strip .big"), worst)
    expect(page.locator(".likelihood")).to_be_visible()


def test_an_event_that_is_not_there(desk: Visit) -> None:
    page = desk.open("event/12345", ".failure")
    expect(page.locator(".failure")).to_contain_text("no event 12345")
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]


def test_its_link_leads_back_to_it(desk: Visit, worst: dict[str, Any]) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = desk.open(f"event/{worst['id']}?tab=take", ".take-away")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{desk.url}/#/event/{worst['id']}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", ["KVN", "XML", "JSON"])
def test_an_event_is_saved_as_a_message(desk: Visit, ask: httpx.Client, tmp_path: Path, form: str) -> None:
    event = worst_event(ask)
    number = event["id"]
    page = desk.open(f"event/{number}?tab=take", f'[data-event="{number}"] .messages')
    with page.expect_download() as started:
        page.get_by_role("group", name="Conjunction data message").get_by_role("button", name=form).click()
    target = tmp_path / started.value.suggested_filename
    started.value.save_as(target)
    assert target.name == file_name(event, {"KVN": "cdm"}.get(form, form.lower()))
    expected = ask.get(f"/conjunctions/{number}/cdm", params={"format": form.lower()}).raise_for_status()
    assert target.read_text() == expected.text


def test_an_answer_of_another_address_is_not_shown(desk: Visit, worst: dict[str, Any]) -> None:
    """Going back while restricted messages are asked for: they must not stand at an address without them."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    desk.page.route(re.compile(r"/conjunctions/\d+\?restricted=true$"), hold)
    page = desk.open(f"event/{worst['id']}", ".figures .plane")
    with page.expect_request(re.compile("restricted=true$")):
        page.goto(f"{desk.url}/#/event/{worst['id']}?restricted=true")
    page.go_back()
    page.wait_for_selector(".figures .plane")
    for route in held:
        if not route.request.failure:
            route.fulfill(json={**worst, "primary_name": "SECRET", "history": [], "messages": []})
    expect(page.locator(".event-head")).to_contain_text(worst["primary_name"].strip())
    assert "SECRET" not in page.inner_text("#main")


LISTENERS = """
window.kept = 0;
for (const [name, by] of [["addEventListener", 1], ["removeEventListener", -1]]) {
  const of = window[name].bind(window);
  window[name] = (kind, ...rest) => {
    if (["dppxchange", "skysieve:theme"].includes(kind)) window.kept += by;
    return of(kind, ...rest);
  };
}
"""


@pytest.mark.slow
def test_its_charts_leave_nothing_behind(desk: Visit, worst: dict[str, Any]) -> None:
    desk.page.add_init_script(LISTENERS)
    page = desk.open("run", "h1")
    kept = []
    for _ in range(3):  # the first brings the library, which keeps a listener of its own
        page.evaluate(f"location.hash = '#/event/{worst['id']}?tab=geometry'")
        page.wait_for_selector(".more-figures canvas")
        page.get_by_role("button", name="Wide").last.click()
        page.evaluate("location.hash = '#/run'")
        page.wait_for_selector("h1:has-text('Run')")
        kept.append(page.evaluate("window.kept"))
    assert kept == [kept[0]] * 3


def test_an_event_that_the_newest_run_does_not_find_says_so(desk: Visit, worst: dict[str, Any]) -> None:
    number = re.compile(rf"/conjunctions/{worst['id']}$")
    desk.page.route(
        number, lambda route: route.fulfill(json={**route.fetch().json(), "run_id": "20200101T000000Z"})
    )
    page = desk.open(f"event/{worst['id']}", ".event-head .gone")
    expect(page.locator(".gone")).to_contain_text("no longer finds this encounter")
    expect(page.locator(".gone")).to_contain_text("20200101T000000Z")

"""The words of an event: those of the report, what its level means, and whom to ask."""

import fnmatch
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.page.browsing import Visit
from tests.page.test_every_view import PHONE

_POWER = re.compile(r"\d\.\d\de[-+]\d+")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SMALLEST = 1e-30  # written as less than that


def as_the_page_writes(text: str) -> str:
    """Return a text of the report with its probabilities as the page writes them."""

    def power(found: re.Match[str]) -> str:
        value = float(found[0])
        if value == 0 or value < _SMALLEST:
            return "0" if value == 0 else "< 10⁻³⁰"
        digits, exponent = found[0].split("e")
        if int(exponent) >= -2:
            return f"{value:#.3g}"
        return f"{digits} × 10{str(int(exponent)).translate(_RAISED)}"

    return _POWER.sub(power, text)


def events(ask: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (
        ask.get("/conjunctions?limit=10000").raise_for_status().json()["conjunctions"]
    )
    return found


def test_the_page_shows_the_words_of_the_service(desk: Visit, ask: httpx.Client) -> None:
    number = events(ask)[0]["id"]
    said = ask.get(f"/conjunctions/{number}").json()["words"]
    more = ask.get(f"/conjunctions/{number}/geometry").json()["words"]
    page = desk.open(f"event/{number}", '[data-told="sure"]')
    shown = page.locator("#main").text_content() or ""
    for once in ("headline", "encounter", "probability"):  # the strip has their names and numbers
        del said[once]
    for sentence in (*said.values(), *(more[name] for name in ("bound", "errors", "other_errors", "paths"))):
        assert as_the_page_writes(sentence) in shown
        assert shown.count(as_the_page_writes(sentence)) == 1 or not sentence
    expect(page.locator(".strip")).to_contain_text(said["passage"])
    sure = page.locator(".strip .sure").inner_text().split("\n", 1)[1].replace("\n", " ")
    assert sure.strip() == f"{more['certainty']} {more['reason']}"
    meaning = page.locator('[data-told="quality"] > [data-term="element set"] button')
    expect(meaning).to_have_attribute("aria-description", re.compile("published orbit"))


def test_a_phone_reads_what_decides_first_on_five_screens_at_most(desk: Visit, ask: httpx.Client) -> None:
    desk.page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    page = desk.open(f"event/{events(ask)[0]['id']}", ".figures .plane")
    tops = [
        page.locator(place).first.evaluate("x => x.getBoundingClientRect().top")
        for place in ("[role=tablist]", ".strip", ".plane", ".likelihood", ".went", ".what-next")
    ]
    assert tops == sorted(tops)
    assert page.locator(".strip").evaluate("x => x.getBoundingClientRect().bottom") < 844
    assert page.locator(".shell").evaluate("x => x.scrollHeight") <= 5 * 844
    # The bar of its parts stays in sight, below the menu.
    page.locator(".shell").evaluate("x => x.scrollTo(0, 1000)")
    bar = page.get_by_role("tablist").bounding_box()
    assert bar is not None
    assert 0 <= bar["y"] < 100
    expect(page.get_by_role("tab", name="At a glance")).to_be_in_viewport()


def test_whom_to_ask_is_the_contact_of_the_fleet_that_has_it(desk: Visit, ask: httpx.Client) -> None:
    (event, *_) = events(ask)
    fleets = [
        {"id": 1, "name": "silent", "contact": "", "name_pattern": "*", "objects": []},
        {"id": 7, "name": "by name", "contact": "flight@example.org", "name_pattern": "*", "objects": []},
        {
            "id": 9,
            "name": "by number",
            "contact": "+49 30 1234",
            "name_pattern": "",
            "objects": [{"norad_id": event["secondary_norad_id"]}],
        },
    ]
    desk.page.route("**/fleets?*", lambda route: route.fulfill(json={"fleets": fleets, "total": 3}))
    page = desk.open(f"event/{event['id']}", ".figures .plane")
    expect(page.locator('[data-whom="primary"] .contact')).to_have_text("flight@example.org")
    expect(page.locator('[data-whom="secondary"] .contact')).to_have_text("+49 30 1234")
    desk.page.unroute("**/fleets?*")
    desk.page.route("**/fleets?*", lambda route: route.fulfill(json={"fleets": [], "total": 0}))
    page.reload()
    page.wait_for_selector(".figures .plane")
    owner = page.locator('[data-whom="primary"] a')
    expect(owner).to_have_attribute("href", re.compile(rf"CATNR={event['primary_norad_id']}$"))
    for name in ("Space-Track", "TraCSS", "EU SST"):
        expect(page.locator(".whom").get_by_role("link", name=name)).to_be_visible()


PATTERNS = ["[]a]b", "a[!b]c*", "*link-[0-9]?", "x.y(", "??", "STAR*", "*4"]
NAMES = ["STARLINK-42", "starlink-4", "Starlink-4x", "abc", "axc 1", "x.y(", "xzy(4", "ab", "]b", "abcd"]


@pytest.mark.slow
def test_patterns_of_names_fit_as_in_python(desk: Visit, ask: httpx.Client) -> None:
    """By the reference: fnmatch of Python's library, which the service uses."""
    (event, *_) = events(ask)
    fleets = [
        {"id": i, "name": "one", "contact": pattern, "name_pattern": pattern, "objects": []}
        for i, pattern in enumerate(PATTERNS, 1)
    ]
    current: dict[str, str] = {}
    desk.page.route("**/fleets?*", lambda route: route.fulfill(json={"fleets": fleets, "total": 1}))
    desk.page.route(
        re.compile(rf"/conjunctions/{event['id']}$"),
        lambda route: route.fulfill(json={**route.fetch().json(), **current}),
    )
    for names in zip(NAMES[::2], NAMES[1::2], strict=True):
        current.update(zip(("primary_name", "secondary_name"), names, strict=True))
        desk.page.goto("about:blank")
        page = desk.open(f"event/{event['id']}", ".figures .plane")
        for who, name in zip(("primary", "secondary"), names, strict=True):
            fitting = [one for one in PATTERNS if fnmatch.fnmatchcase(name.upper(), one.upper())]
            expect(page.locator(f'[data-whom="{who}"] strong')).to_have_text(name)
            expect(page.locator(f'[data-whom="{who}"] .contact')).to_have_text(fitting[:1])

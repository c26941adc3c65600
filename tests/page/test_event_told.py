"""The words of an event: those of the report, what its level means, and whom to ask."""

import re
from typing import Any

import httpx
from playwright.sync_api import Route, expect

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


def test_whom_to_ask_is_what_the_service_says(desk: Visit, ask: httpx.Client) -> None:
    (event, *_) = events(ask)
    said = ask.get(f"/conjunctions/{event['id']}/geometry").json()["whom_to_ask"]
    page = desk.open(f"event/{event['id']}", ".figures .plane")
    for who in ("primary", "secondary"):
        expect(page.locator(f'[data-whom="{who}"] .contact')).to_have_text(said[who]["words"])
    owner = page.locator('[data-whom="primary"] a')
    expect(owner).to_have_attribute("href", re.compile(rf"CATNR={event['primary_norad_id']}$"))
    for name in ("Space-Track", "TraCSS", "EU SST"):
        expect(page.locator(".whom").get_by_role("link", name=name)).to_be_visible()

    def marked(route: Route) -> None:
        answer = route.fetch().json()
        of_it = {"words": "Ask <b>Example</b>: <img src=x>@example.org.", "fleet_id": 7}
        answer["whom_to_ask"]["primary"] |= of_it
        route.fulfill(json=answer)

    desk.page.route("**/geometry*", marked)
    page.reload()
    page.wait_for_selector(".figures .plane")
    expect(page.locator('[data-whom="primary"] .contact')).to_have_text(
        "Ask <b>Example</b>: <img src=x>@example.org."
    )
    expect(page.locator(".whom img, .whom b")).to_have_count(0)
    expect(page.locator(".whom").get_by_role("link", name="Fleet")).to_have_attribute("href", "#/fleet/7")


def test_what_operators_intend_is_said_to_the_service_and_shown(desk: Visit, ask: httpx.Client) -> None:
    (event, *_) = events(ask)
    words = "ISS: its operator will move (Example <b>Space</b>, 2026-11-21 06:30 UTC)."
    one = {
        "id": 2,
        "event_id": event["id"],
        "norad_id": event["primary_norad_id"],
        "name": "ISS",
        "intent": "will_move",
        "move_at": None,
        "note": "",
        "at": "2026-11-21T06:30:00Z",
        "organisation": "Example",
        "counts": True,
        "words": words,
    }
    sent: list[dict[str, object]] = []

    def answered(route: Route) -> None:
        if route.request.method == "POST":
            sent.append(route.request.post_data_json)
            route.fulfill(status=201, json=one)
        else:
            intents = [one, {**one, "id": 1, "counts": False, "words": "Waiting."}] if sent else []
            route.fulfill(json={**route.fetch().json(), "intents": intents})

    desk.page.route(re.compile(rf"/conjunctions/{event['id']}(/intents)?$"), answered)
    page = desk.open(f"event/{event['id']}", ".figures .plane")
    said = page.get_by_role("region", name="What operators intend")
    expect(said).to_be_hidden()
    page.get_by_role("tab", name="Take away").click()
    saying = page.get_by_role("region", name="Say what you intend")
    saying.get_by_label("When, UTC").fill("2026-11-21T14:05Z")
    saying.get_by_label("Note for all").fill("0.1 m/s")
    saying.get_by_role("button", name="Say it to all").click()
    expect(said.locator("strong")).to_have_text(words)
    expect(said.locator("b")).to_have_count(0)
    said.get_by_text("Said before").click()
    expect(said.locator("ul li")).to_have_text(["Waiting."])
    assert sent == [
        {"intent": "will_move", "move_at": "2026-11-21T14:05Z", "note": "0.1 m/s", "norad_id": None}
    ]


def test_a_link_without_a_credential_is_made_and_shown_once(desk: Visit, ask: httpx.Client) -> None:
    (event, *_) = events(ask)
    page = desk.open(f"event/{event['id']}", ".figures .plane")
    page.get_by_role("tab", name="Take away").click()
    page.get_by_role("button", name="Link without a credential").click()
    address = page.locator(".take-away a[href*=skysieve_link_]")
    expect(address).to_have_count(1)
    shared = httpx.get(str(address.get_attribute("href")), timeout=60)
    assert shared.status_code == 200
    assert event["primary_name"].strip() in shared.text

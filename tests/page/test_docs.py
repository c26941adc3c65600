"""/docs: what the service answers, drawn by our own script, from this host alone."""

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.test_every_view import AXE, PHONE

READY = ".operation"


def opened(visited: Visit, operation: str = "") -> None:
    visited.page.goto(f"{visited.url}/docs")
    visited.page.wait_for_selector(READY)
    if operation:
        shown = visited.page.locator(".operation h2").all_text_contents()
        visited.page.locator(".operation > summary").nth(shown.index(operation)).click()


def test_it_shows_every_operation(browser: Browser, served: Served, ask: httpx.Client) -> None:
    paths = ask.get("/openapi.json").json()["paths"]
    with visit(browser, served, signed_in=False) as visited:
        opened(visited)
        shown = visited.page.locator(".operation h2").all_text_contents()
        assert shown == [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
        visited.page.locator(".operation > summary").evaluate_all("all => all.forEach(one => one.click())")
        expect(visited.page.locator(".trial")).to_have_count(len(shown))
        expect(visited.page.get_by_text("repeatable").first).to_be_visible()
        visited.screenshot("docs")


def test_a_request_is_tried_out_with_a_token(browser: Browser, served: Served) -> None:
    with visit(browser, served, signed_in=False) as visited:
        opened(visited, "GET /proximities")
        visited.page.get_by_label("Bearer token").fill(served.token)
        visited.page.locator(".operation[open] .trial button").click()
        expect(visited.page.locator(".docs-answer strong")).to_contain_text("200")
        expect(visited.page.locator(".docs-answer pre")).to_contain_text('"total"')


def test_an_analysis_is_tried_out(browser: Browser, served: Served, ask: httpx.Client) -> None:
    (worst,) = ask.get("/conjunctions?limit=1").json()["conjunctions"]
    with visit(browser, served, signed_in=False) as visited:
        opened(visited, "POST /conjunctions/analyze")
        visited.page.get_by_label("Bearer token").fill(served.token)
        visited.page.get_by_label("Body").fill(f'{{"primary_norad_id": {worst["primary_norad_id"]}}}')
        visited.page.locator(".operation[open] .trial button").click()
        expect(visited.page.locator(".docs-answer pre")).to_contain_text("analyzed_at")


def test_the_session_of_the_page_reads_here_too(desk: Visit) -> None:
    opened(desk, "GET /conjunctions")
    desk.page.get_by_label("limit").fill("1")
    desk.page.get_by_label("risk_level").fill("high, low")
    desk.page.locator(".operation[open] .trial button").click()
    expect(desk.page.locator(".docs-answer p").first).to_contain_text("risk_level=high&risk_level=low")
    expect(desk.page.locator(".docs-answer strong")).to_contain_text("200")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(browser: Browser, served: Served, scheme: str) -> None:
    with visit(browser, served, signed_in=False, color_scheme=scheme) as visited:
        opened(visited, "GET /objects")
        visited.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = visited.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
        told = [(v["id"], v["help"], [node["html"][:200] for node in v["nodes"][:3]]) for v in serious]
        assert told == []


def test_it_fits_a_phone(browser: Browser, served: Served) -> None:
    with visit(browser, served, signed_in=False, **PHONE) as visited:
        opened(visited, "GET /objects")
        visited.screenshot("docs-phone")
        assert visited.page.evaluate("document.documentElement.scrollWidth") <= 390

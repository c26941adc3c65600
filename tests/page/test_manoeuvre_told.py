"""What if an object thrust: what is asked, the steps on the way, stopping, and what goes wrong."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.page.browsing import Visit
from tests.page.what_if import answered


@pytest.mark.slow
def test_it_can_be_stopped(panel: Locator, desk: Visit) -> None:
    desk.page.route("**/manoeuvres", lambda _held: None)
    with desk.page.expect_event("requestfailed") as gone:
        panel.get_by_role("button", name="Find burns").click()
        expect(panel.get_by_role("status")).to_contain_text("Searching")
        panel.get_by_role("button", name="Stop").click()
    assert gone.value.url.endswith("/manoeuvres")
    expect(panel.get_by_role("status")).to_have_text("Stopped.")
    expect(panel.get_by_role("button", name="Stop")).to_be_hidden()
    expect(panel.get_by_role("progressbar")).to_be_hidden()


def test_its_steps_are_shown_and_it_can_be_stopped_in_the_midst(panel: Locator, desk: Visit) -> None:
    told, bar = panel.get_by_role("status"), panel.get_by_role("progressbar")
    with desk.page.expect_event("requestfailed") as gone:
        panel.get_by_role("button", name="Find burns").click()
        expect(told).to_contain_text(re.compile(r"Searching: .* \(step [2-9] of 1[0-9]\)"))
        expect(bar).to_be_visible()
        assert 0.0 < bar.evaluate("bar => bar.position") < 1.0
        desk.screenshot("event-what-if-progress")
        panel.get_by_role("button", name="Stop").click()
    assert gone.value.url.endswith("/manoeuvres")
    expect(told).to_have_text("Stopped.")
    expect(bar).to_be_hidden()
    expect(panel.locator(".candidates")).to_have_count(0)


def test_a_refusal_after_it_began_is_told_in_words(panel: Locator, desk: Visit) -> None:
    problem = {
        "title": "The service is busy",
        "status": 503,
        "detail": "It takes longer than the 60 s allowed.",
    }
    desk.page.route("**/manoeuvres", answered(problem, "problem"))
    panel.get_by_role("button", name="Find burns").click()
    expect(panel.get_by_role("status")).to_have_text(problem["detail"])  # type: ignore[arg-type]
    expect(panel.get_by_role("progressbar")).to_be_hidden()


def test_an_answer_that_breaks_off_is_told(panel: Locator, desk: Visit) -> None:
    desk.page.route("**/manoeuvres", answered(None, ""))
    panel.get_by_role("button", name="Find burns").click()
    expect(panel.get_by_role("status")).to_contain_text("ended before its result")


@pytest.mark.slow
def test_errors_goal_and_days_are_asked_as_they_stand(
    panel: Locator, desk: Visit, searched: dict[str, Any]
) -> None:
    asked: list[dict[str, Any]] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        answered(searched)(route)

    desk.page.route("**/manoeuvres", answer)
    search = panel.get_by_role("button", name="Find burns")
    search.click()
    expect(panel.locator(".candidates")).to_be_visible()
    given = {"Goal: probability below": 1e-7, "Days after TCA to screen": 1.5}
    given |= {"Error of the burn’s size, %, 1 sigma": 2.5, "Error of its direction, degrees, 1 sigma": 0.5}
    for label, value in given.items():
        panel.get_by_label(label).fill(f"{value:.10f}")
    panel.get_by_label("Error of its direction, degrees, 1 sigma").press("Tab")
    expect(panel.locator(".candidates")).to_have_count(0)  # these were with other errors
    search.click()
    expect(panel.locator(".candidates")).to_be_visible()
    usual = {"goal": 1e-6, "days": 3, "size_error": 0.01, "direction_error_deg": 1}
    changed = {"goal": 1e-7, "days": 1.5, "size_error": 0.025, "direction_error_deg": 0.5}
    both = {"search": True, "object": "primary"}  # as the answer before had chosen
    assert asked == [usual | both, changed | both]


@pytest.mark.slow
def test_a_goal_that_is_reached_already_is_said_at_once(panel: Locator, planted: dict[str, Any]) -> None:
    panel.get_by_label("Goal: probability below").fill("0.9")
    panel.get_by_role("button", name="Find burns").click()
    said = panel.get_by_role("status")
    expect(said).to_contain_text("already below your goal")
    if planted["diluted"]:
        expect(said).to_contain_text("This is not an all-clear")
    expect(panel.get_by_role("progressbar")).to_be_hidden()

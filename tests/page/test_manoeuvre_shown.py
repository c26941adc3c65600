"""What if an object thrust: the panel on the event, against what the service computes on whole paths."""

import json
import re
from datetime import timedelta
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from storage.times import parse_time
from tests.page.browsing import Served, Visit, visit
from tests.page.test_event_view import shown_number
from tests.page.test_every_view import AXE, PHONE
from tests.page.what_if import GOAL, answered, at_what_if


def questions(desk: Visit) -> list[str]:
    """Return the addresses that are asked what if, from now on."""
    asked: list[str] = []
    desk.page.on(
        "request", lambda request: asked.append(request.url) if "manoeuvres" in request.url else None
    )
    return asked


def exact(place: Locator, field: str) -> float:
    return float(place.locator(f"data[data-field={field}]").first.get_attribute("value") or "nan")


def choose(panel: Locator, hours: float, dv_t_m_s: float) -> None:
    panel.get_by_label("Before TCA, h").fill(str(hours))
    panel.get_by_label("Along the track, m/s").fill(str(dv_t_m_s))


@pytest.mark.slow
def test_the_cheapest_burns_are_those_of_the_service(panel: Locator, searched: dict[str, Any]) -> None:
    """The page asks itself; some seconds later the service finds the same to a thousandth."""
    panel.get_by_role("button", name="Find burns").click()
    rows = panel.locator(".candidates tbody tr")
    candidates = searched["search"]["candidates"]
    expect(rows).to_have_count(len(candidates))
    for i, one in enumerate(candidates[:3]):
        row = rows.nth(i)
        assert exact(row, "dv_t_m_s") == pytest.approx(one["burns"][0]["dv_t_m_s"], rel=1e-2)
        assert exact(row, "probability") == pytest.approx(one["encounter"]["probability"], rel=1e-2)
        assert exact(row, "miss_distance_m") == pytest.approx(one["encounter"]["miss_distance_m"], rel=1e-2)
    best = rows.nth(searched["search"]["best"])
    expect(best).to_have_class("best")
    expect(best).to_contain_text("Best")
    expect(panel.locator(".candidate.best")).to_have_count(1)
    expect(panel).to_contain_text("It rests on a general element set")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "size"), [(30, 0.03), pytest.param(45, -0.021, marks=pytest.mark.slow), (58, 0.012)]
)
def test_what_moves_at_once_is_what_the_whole_path_gives(
    explored: Locator,
    ask: httpx.Client,
    planted: dict[str, Any],
    searched: dict[str, Any],
    row: int,
    size: float,
) -> None:
    """Between computed sizes the estimate is within 2 % of the miss, and 5 % of the probability."""
    hours = searched["search"]["trade_space"]["before_tca_hours"][row]
    choose(explored, hours, size)
    burn = {"before_hours": hours, "dv_r_m_s": 0.0, "dv_t_m_s": size, "dv_n_m_s": 0.0}
    made = ask.post(f"/conjunctions/{planted['id']}/manoeuvres", json={"burns": [burn], "goal": GOAL})
    encounter = made.raise_for_status().json()["burns"]["encounter"]
    estimate = explored.locator(".estimate")
    assert exact(estimate, "miss_distance_m") == pytest.approx(encounter["miss_distance_m"], rel=0.02)
    assert exact(estimate, "probability") == pytest.approx(encounter["probability"], rel=0.05)
    enough = encounter["probability"] < GOAL
    expect(estimate).to_contain_text("Below the goal" if enough else "Not below the goal")


def computed(ask: httpx.Client, planted: dict[str, Any], hours: float, dv_t_m_s: float) -> dict[str, Any]:
    """Return the event after a burn as the service computes it on whole paths."""
    burn = {"before_hours": hours, "dv_t_m_s": dv_t_m_s}
    made = ask.post(f"/conjunctions/{planted['id']}/manoeuvres", json={"burns": [burn], "goal": GOAL})
    encounter: dict[str, Any] = made.raise_for_status().json()["burns"]["encounter"]
    return encounter


def agrees(estimate: Locator, encounter: dict[str, Any]) -> None:
    assert exact(estimate, "miss_distance_m") == pytest.approx(encounter["miss_distance_m"], rel=0.02)
    assert exact(estimate, "probability") == pytest.approx(encounter["probability"], rel=0.05)


@pytest.mark.slow
def test_between_computed_times_nothing_is_made_up(
    explored: Locator, ask: httpx.Client, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    """Between times that are a good part of a revolution apart no number of the trade space holds."""
    times = searched["search"]["trade_space"]["before_tca_hours"]
    estimate = explored.locator(".estimate")
    row = next(i for i, hours in enumerate(times) if hours > 10.0)
    size = 0.03
    choose(explored, round((times[row] + times[row + 1]) / 2.0 - 0.01, 4), size)
    expect(estimate).to_contain_text("Between computed times")
    expect(estimate.locator("data")).to_have_count(0)
    estimate.get_by_role("button", name="Nearest computed").click()
    assert float(explored.get_by_label("Before TCA, h").input_value()) == pytest.approx(times[row], abs=1e-4)
    agrees(estimate, computed(ask, planted, times[row], size))


@pytest.mark.slow
def test_a_candidate_between_computed_times_has_its_own_numbers(
    explored: Locator, ask: httpx.Client, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    times = searched["search"]["trade_space"]["before_tca_hours"]
    candidates = searched["search"]["candidates"]
    burns = [one["burns"][0] for one in candidates]
    place = next(
        i
        for i, one in enumerate(burns)
        if min(abs(one["before_tca_hours"] - hours) for hours in times) > 1e-3
    )
    row = explored.locator(".candidates tbody tr").nth(place)
    row.get_by_role("button").click()
    estimate = explored.locator(".estimate")
    expect(estimate).to_contain_text("Of this candidate")
    hours = float(explored.get_by_label("Before TCA, h").input_value())
    size = float(explored.get_by_label("Along the track, m/s").input_value())
    agrees(estimate, computed(ask, planted, hours, size))


@pytest.mark.slow
def test_a_drag_chooses_a_burn_without_asking_again(
    explored: Locator, desk: Visit, searched: dict[str, Any]
) -> None:
    asked: list[str] = []
    desk.page.on(
        "request", lambda request: asked.append(request.url) if "manoeuvres" in request.url else None
    )
    space = searched["search"]["trade_space"]
    plot = explored.locator(".space-plot")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    times, sizes = len(space["before_tca_hours"]), len(space["dv_t_m_s"])
    rows = 4 * (sizes - 1) + 1  # of colour
    before = explored.locator(".estimate").inner_text()
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.down()
    for column, size in ((10, 8), (40, 32)):
        x = box["x"] + box["width"] * (times - 0.5 - column) / times
        desk.page.mouse.move(x, box["y"] + box["height"] * (rows - 0.5 - 4 * size) / rows)
        hours = float(explored.get_by_label("Before TCA, h").input_value())
        assert hours == pytest.approx(space["before_tca_hours"][column], abs=1e-4)
        # A pixel of 350 for 161 rows: less than half of the distance to the next computed size.
        dv_t_m_s = float(explored.get_by_label("Along the track, m/s").input_value())
        step_m_s = abs(space["dv_t_m_s"][size] - space["dv_t_m_s"][size + 1])
        assert abs(dv_t_m_s - space["dv_t_m_s"][size]) < 0.5 * step_m_s
    desk.page.mouse.up()
    assert explored.locator(".estimate").inner_text() != before
    here = float(explored.get_by_label("Along the track, m/s").input_value())
    desk.page.mouse.move(box["x"] + 5, box["y"] + 5)  # the button is up: nothing is chosen
    assert float(explored.get_by_label("Along the track, m/s").input_value()) == here
    assert asked == []
    desk.screenshot("event-what-if")


def test_the_sliders_go_by_keys(explored: Locator, desk: Visit, searched: dict[str, Any]) -> None:
    hours = searched["search"]["trade_space"]["before_tca_hours"]
    choose(explored, hours[20], 0.1)
    time = explored.get_by_label("When: early to late")
    time.focus()
    desk.page.keyboard.press("ArrowRight")
    later = float(explored.get_by_label("Before TCA, h").input_value())
    assert later == pytest.approx(hours[19], abs=1e-4)
    assert f"{later:g} hours before TCA" in (time.get_attribute("aria-valuetext") or "")
    size = explored.get_by_label("How much: backwards to forwards")
    size.focus()
    desk.page.keyboard.press("ArrowLeft")
    assert float(explored.get_by_label("Along the track, m/s").input_value()) < 0.1


def test_a_burn_is_checked_against_everything(
    panel: Locator, ask: httpx.Client, desk: Visit, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    best = searched["search"]["candidates"][searched["search"]["best"]]["burns"][0]
    stored = ask.get("/conjunctions?limit=1").json()["total"]
    choose(panel, best["before_tca_hours"], best["dv_t_m_s"])
    panel.get_by_label("Radial, m/s").fill("0.002")
    panel.get_by_role("button", name="Check this burn against everything").click()
    verdict = panel.locator(".verdict")
    expect(verdict).to_be_visible()
    burn = {"before_hours": best["before_tca_hours"], "dv_r_m_s": 0.002, "dv_t_m_s": best["dv_t_m_s"]}
    question = {"burns": [{**burn, "dv_n_m_s": 0.0}], "goal": GOAL}
    made = ask.post(f"/conjunctions/{planted['id']}/manoeuvres", json=question).raise_for_status().json()
    after = made["burns"]["encounter"]
    table = verdict.locator("tbody").first
    for row, (was, becomes) in enumerate(
        [
            (made["encounter"]["miss_distance_m"], after["miss_distance_m"]),
            (made["encounter"]["probability"], after["probability"]),
        ]
    ):
        cells = table.locator("tr").nth(row).locator("data")
        for cell, value in ((cells.nth(0), was), (cells.nth(1), becomes)):
            assert float(cell.get_attribute("value") or "nan") == pytest.approx(value, rel=1e-6)
            read, half = shown_number(cell.inner_text())
            assert abs(read - value) <= half * 1.001
    expect(verdict).to_contain_text("0.002 m/s radial")
    others = len(made["burns"]["changes"]) - 1  # the encounter that is to be avoided is in the table above
    expect(verdict).to_contain_text(f"Of {others} other encounters closer than 10 km")
    new = [one["after"]["probability"] for one in made["burns"]["changes"] if one["before"] is None]
    fresh = [probability for probability in new if probability is None or probability >= 1e-30]
    expect(verdict).to_contain_text(f"{len(fresh)} new")
    assert ask.get("/conjunctions?limit=1").json()["total"] == stored
    # The result has the focus and is in sight, with the button that keeps it: all were far below.
    expect(verdict.get_by_role("button", name="Keep this plan")).to_be_in_viewport()
    expect(verdict.locator("xpath=..")).to_be_focused()
    command = verdict.locator(".what-if-command").inner_text()
    assert re.search(r"--hours \d+(\.\d{1,2})? ", command), command
    assert not re.search(r"\.\d{10}", command), command
    changed = verdict.locator("tr[data-kind] td:nth-child(2)")
    assert all(re.search(r"[A-Z].* \(\d+\)$", text) for text in changed.all_inner_texts())
    desk.screenshot("event-what-if-checked")


def test_on_a_phone_the_table_of_a_checked_burn_is_not_cut(
    browser: Browser, served: Served, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    """The exponent of the probability was outside. The mass that is known is filled in."""

    def weighed(route: Route) -> None:
        geometry = route.fetch().json()
        geometry["objects"]["primary"]["mass_kg"] = 260.5
        route.fulfill(json=geometry)

    checked = {**searched, "search": None, "burns": searched["search"]["candidates"][0]}
    with visit(browser, served, **PHONE) as visited:
        visited.page.route("**/geometry*", weighed)
        panel = at_what_if(visited, planted).get_by_role("region", name="What if")
        panel.get_by_text("More: ").click()
        visited.page.route("**/manoeuvres", answered(checked), times=1)
        panel.get_by_role("button", name="Check this burn against everything").click()
        table = panel.get_by_role("region", name="As it is and after the burn")
        expect(table).to_be_visible()
        assert table.evaluate("x => x.scrollWidth <= x.clientWidth")
        expect(panel.get_by_label("Mass, kg")).to_have_value("260.5")
        visited.screenshot("event-what-if-phone-checked")


@pytest.mark.slow
def test_what_the_trade_space_does_not_have_is_said(explored: Locator, searched: dict[str, Any]) -> None:
    estimate = explored.locator(".estimate")
    choose(explored, 5, 20)
    expect(estimate).to_contain_text("Outside the range that the search computed")
    hours = searched["search"]["trade_space"]["before_tca_hours"][30]
    choose(explored, hours, 0.02)
    expect(estimate).to_contain_text("Miss ≈")
    explored.get_by_label("Cross-track, m/s").fill("0.1")
    expect(estimate).to_contain_text("only the check shows")


def test_the_form_asks_three_things_and_has_one_button(desk: Visit, planted: dict[str, Any]) -> None:
    page = desk.open(f"event/{planted['id']}?tab=what-if&from={planted['primary_norad_id']}", ".what-if")
    form = page.get_by_role("region", name="What if").locator("form")
    expect(form.locator("label:visible")).to_have_text(
        ["Who burns", "Not before, UTC", "Goal: probability below"]
    )
    expect(form.get_by_label("Who burns")).to_have_value("primary")
    form.get_by_label("Not before, UTC").fill("11/27/2026 10:05")
    form.get_by_role("button", name="Find burns").click()
    expect(form.get_by_label("Not before, UTC")).to_be_focused()  # ISO 8601, whatever the browser's language
    form.get_by_label("Not before, UTC").fill("")
    expect(form.get_by_role("button")).to_have_text(["Find burns"])
    form.get_by_label("Before TCA, h").evaluate("field => (field.value = '-3')")
    form.get_by_role("button", name="Find burns").click()
    expect(form.get_by_label("Before TCA, h")).to_be_focused()  # unfolded, to be seen


def test_the_offers_are_those_of_the_service(
    explored: Locator, desk: Visit, searched: dict[str, Any], planted: dict[str, Any]
) -> None:
    offers, space = searched["search"]["offers"], searched["search"]["trade_space"]
    kinds = {"cheapest": offers["cheapest"], "latest": offers["waiting"][-1]}
    for kind, offer in kinds.items():
        card = explored.locator(f"[data-offer={kind}]")
        expect(card.locator("p").first).to_have_text(offer["words"])
        assert " Screened against all other objects: " in offer["words"]
    expect(explored.locator("[data-part=when]")).to_contain_text(offers["waiting"][-1]["at"][11:19])
    waiting = explored.locator("[data-offer=waiting]")
    slider = explored.get_by_label("Wait until: early to late")
    slider.focus()
    for key, row in (("Home", -1), ("ArrowRight", -2)):
        desk.page.keyboard.press(key)
        hours = space["before_tca_hours"][row]
        offer = next(one for one in offers["waiting"] if one["before_tca_hours"] <= hours)
        expect(waiting).to_contain_text(offer["words"])
        expect(waiting).to_contain_text(space["at"][row][:10])
        screens = "Screen against" if offer["raised"] is None else "Check again"
        expect(waiting.get_by_role("button", name=screens)).to_be_visible()
    latest = explored.locator("[data-offer=latest]")
    latest.get_by_role("button", name="Take into the form").click()
    size = float(explored.get_by_label("Along the track, m/s").input_value())
    assert size == pytest.approx(kinds["latest"]["dv_t_m_s"], rel=1e-3)
    with desk.page.expect_request("**/manoeuvres*") as asked:
        latest.get_by_role("button", name="Check again").click()
    question: Any = asked.value.post_data_json
    assert question["burns"][0]["dv_t_m_s"] == size
    expect(explored.locator(".verdict")).to_be_visible()


def test_the_map_has_instants_and_half_revolutions_and_the_plane_follows(
    explored: Locator, searched: dict[str, Any], planted: dict[str, Any]
) -> None:
    space = searched["search"]["trade_space"]
    marks = explored.locator(".half-revolution")
    half = space["revolution_hours"] / 2
    counts = [float(mark.get_attribute("data-hours") or "nan") / half for mark in marks.all()]
    assert len(counts) > 3
    assert counts == pytest.approx([counts[0] + i for i in range(len(counts))])
    assert counts[0] == pytest.approx(round(counts[0]))
    tca = parse_time(planted["tca"])
    shown = explored.locator(".space-instants span").all_inner_texts()
    assert f"{tca - timedelta(hours=0.5):%m-%d\n%H:%M}" in shown
    plane = explored.locator("[data-part=plane-after] .plane")
    first = searched["search"]["candidate_miss_m"][searched["search"]["best"]]
    x, y = (metres_of(value) for value in first)
    expect(plane).to_have_attribute("aria-label", re.compile(rf"passes {x} m across and {y} m up"))
    row, column = 20, 35
    choose(explored, space["before_tca_hours"][row], space["dv_t_m_s"][column])
    x, y = (metres_of(space[f"miss_{axis}_m"][row][column]) for axis in "xy")
    expect(plane).to_have_attribute("aria-label", re.compile(rf"passes {x} m across and {y} m up"))
    choose(explored, space["before_tca_hours"][row], -space["dv_t_m_s"][column])
    expect(plane).not_to_have_attribute("aria-label", re.compile(rf"passes {x} m across and {y} m up"))
    explored.get_by_label("Radial, m/s").fill("0.1")
    expect(explored.locator("[data-part=plane-after]")).to_contain_text("Only the check shows")


def metres_of(value_m: float) -> str:
    """Return the beginning of a length as the page writes it; the form rounds sizes to four digits."""
    return re.escape(f"{abs(value_m):,.0f}"[:2]).join((r"[-−]?", r"[\d,.]*"))


@pytest.mark.slow
def test_the_goal_draws_its_line_anew(explored: Locator) -> None:
    drawn = explored.locator("canvas")
    first = drawn.evaluate("x => x.toDataURL()")
    explored.get_by_label("Goal: probability below").fill("1e-9")
    assert drawn.evaluate("x => x.toDataURL()") != first


def test_what_cannot_be_moved_is_not_offered_and_says_why(panel: Locator, desk: Visit) -> None:
    fragment = panel.get_by_label("Who burns").locator("option[value=secondary]")
    expect(fragment).to_have_text(re.compile(r" DEB \(debris\)$"))
    expect(fragment).to_be_disabled()
    facts = desk.page.locator("[data-object=secondary] .facts").first
    expect(facts).to_contain_text("Can manoeuvrenodebris")
    expect(facts).to_contain_text("Out of use.")


def test_a_burn_in_the_past_is_refused_in_words(panel: Locator, desk: Visit) -> None:
    choose(panel, 500, 0.05)
    panel.get_by_role("button", name="Check this burn against everything").click()
    expect(panel.get_by_role("status")).to_contain_text("burns begin at")
    expect(panel.get_by_role("button", name="Stop")).to_be_hidden()
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]


@pytest.mark.parametrize("hours", ["", "-3"])
def test_what_is_no_burn_is_not_sent(panel: Locator, desk: Visit, hours: str) -> None:
    asked: list[str] = []
    desk.page.on(
        "request", lambda request: asked.append(request.url) if "manoeuvres" in request.url else None
    )
    panel.get_by_label("Before TCA, h").fill(hours)
    for name in ("Check this burn against everything", "Find burns"):
        panel.get_by_role("button", name=name).click()
        assert panel.locator("input:invalid").count() == 1
    assert asked == []


@pytest.mark.slow
def test_nothing_that_is_enough_is_said(panel: Locator, desk: Visit, searched: dict[str, Any]) -> None:
    none = {**searched["search"], "candidates": [], "best": None, "radial": None, "cross_track": None}
    desk.page.route("**/manoeuvres", answered({**searched, "search": none}))
    panel.get_by_role("button", name="Find burns").click()
    expect(panel).to_contain_text("No burn along the track of up to 1 m/s is sufficient")
    expect(panel.locator(".space-plot")).to_be_visible()


def test_an_event_that_only_messages_tell_has_no_panel(desk: Visit, planted: dict[str, Any]) -> None:
    def told(route: Route) -> None:
        route.fulfill(body=json.dumps({**route.fetch().json(), "origin": "message"}))

    desk.page.route(f"**/conjunctions/{planted['id']}", told)
    page = desk.open(f"event/{planted['id']}?tab=what-if", ".figures .plane")  # the tab that there is
    expect(page.get_by_role("tab", name="What if")).to_have_count(0)
    expect(page.locator(".what-if")).to_have_count(0)


def test_what_is_all_but_impossible_is_not_news(
    panel: Locator, desk: Visit, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    """Regression: rows with probabilities under 1e-30 were called "new" and "better"."""
    verified = searched["search"]["candidates"][0]
    one = searched["encounter"] | {"probability": 1e-40, "other_norad_id": 7}
    changes = [{"before": None, "after": one}, {"before": one, "after": one | {"probability": 1e-50}}]
    body = searched | {"search": None, "burns": verified | {"changes": changes}}
    desk.page.route(f"**/conjunctions/{planted['id']}/manoeuvres", answered(body), times=1)
    panel.get_by_role("button", name="Check this burn against everything").click()
    expect(panel.locator(".verdict")).to_contain_text(
        "0 worse, 0 new, 0 better, 0 beyond 10 km, 0 the same, 2 negligible"
    )
    expect(panel.locator(".verdict [data-kind]")).to_have_count(0)


def test_a_new_pass_that_is_very_near_is_said_and_listed_first(
    panel: Locator, desk: Visit, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    """A burn that was enough for the goal led 18 m past another object, and the page called it good."""
    one = searched["encounter"] | {"other_norad_id": 7, "other_name": "IN THE WAY"}
    likely = one | {"probability": 1e-3, "other_norad_id": 8, "other_name": "LEFT"}
    near = one | {"probability": 3e-7, "miss_distance_m": 17.9}
    changes = [{"before": likely, "after": None}, {"before": None, "after": near}]
    verified = searched["search"]["candidates"][0]
    body = searched | {"search": None, "burns": verified | {"changes": changes, "raised": 0}}
    desk.page.route(f"**/conjunctions/{planted['id']}/manoeuvres", answered(body), times=1)
    panel.get_by_role("button", name="Check this burn against everything").click()
    verdict = panel.locator(".verdict")
    expect(verdict.locator("p").first).to_have_class("flag")
    expect(verdict.locator("p").first).to_contain_text(
        "It brings about a pass closer than 100 m: IN THE WAY (7), 17.9 m"
    )
    kinds = verdict.locator("[data-kind]").evaluate_all("all => all.map(one => one.dataset.kind)")
    assert kinds == ["new", "far"]
    expect(verdict.locator("[data-kind=far]")).to_contain_text("over 10 km")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_it_is_accessible_and_fits_a_phone(
    browser: Browser, served: Served, planted: dict[str, Any], searched: dict[str, Any], scheme: str
) -> None:
    checked = {**searched, "search": None, "burns": searched["search"]["candidates"][0]}
    with visit(browser, served, color_scheme=scheme) as visited:
        page = at_what_if(visited, planted)
        page.get_by_label("Who burns").select_option("primary")
        page.get_by_role("region", name="What if").get_by_text("More: ").click()
        for name, answer in (("Find burns", searched), ("Check this burn against everything", checked)):
            page.route("**/manoeuvres", answered(answer), times=1)
            page.get_by_role("button", name=name).click()
            page.wait_for_selector(".candidates" if answer is searched else ".verdict")
        page.locator(".what-if").scroll_into_view_if_needed()
        visited.screenshot(f"event-what-if-{scheme}")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
        fits(page, visited, scheme)


def fits(page: Page, visited: Visit, scheme: str) -> None:
    for width, height in ((1024, 768), (768, 1024), tuple(PHONE["viewport"].values())):  # type: ignore[attr-defined]
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".space-plot").scroll_into_view_if_needed()
        visited.screenshot(f"event-what-if-{scheme}-{width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.querySelector('#main').scrollWidth") <= width


def test_what_a_burn_raises_is_said_from_what_to_what(
    desk: Visit, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    """A column was called "Raises", and had a number."""
    best, *rest = searched["search"]["candidates"]
    other = searched["encounter"] | {"other_norad_id": 43_210, "other_name": "KOSMOS 1 DEB"}
    change = {"before": other | {"probability": 2e-9}, "after": other | {"probability": 3e-4}}
    raising = best | {"raised": 1, "changes": [change, *best["changes"]]}
    body = searched | {"search": searched["search"] | {"candidates": [raising, *rest]}}
    desk.page.route(f"**/conjunctions/{planted['id']}/manoeuvres", answered(body), times=1)
    panel = at_what_if(desk, planted).get_by_role("region", name="What if")
    panel.get_by_label("Who burns").select_option("primary")
    panel.get_by_role("button", name="Find burns").click()
    expect(panel.locator(".candidates th", has_text="Raises others")).to_be_visible()
    raised = panel.locator(".candidates [data-part=raised]").first
    expect(raised).to_have_text(" KOSMOS 1 DEB (43210): 2.0 × 10⁻⁹ → 3.0 × 10⁻⁴", use_inner_text=False)
    note = "how many other encounters the burn brings from below the goal to it or above"
    expect(panel.locator(".note", has_text=note)).to_be_visible()

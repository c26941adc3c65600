"""The trend of an event: its charts and its table show what the service sends."""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.browsing import Visit
from tests.page.test_event_pictures import BOXES, CANVAS_TEXTS, covered, drawn
from tests.page.test_event_view import shown
from tests.page.test_every_view import AXE, PHONE

CHARTS = {
    "Probability": "probability",
    "Miss, radial": "miss_radial_m",
    "Miss, in-track": "miss_in_track_m",
    "Miss, cross-track": "miss_cross_track_m",
    "Miss in sigmas": "miss_sigmas",
    "Shift of TCA": "tca_shift_s",
    "Age of the element sets": "primary_age_hours",
}


@pytest.fixture
def sent(ask: httpx.Client) -> dict[str, Any]:
    """Return the trend of the most dangerous event, told as of several times before TCA."""
    (worst,) = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"]
    answer: dict[str, Any] = ask.get(f"/conjunctions/{worst['id']}/trend").raise_for_status().json()
    first = answer["points"][0]
    answer["points"] = [
        {
            **first,
            "hours_to_tca": hours,
            "probability": chance,
            "probability_low": 0.3 * chance,
            "probability_high": 2 * chance,
            "band": "sigmas_half_to_double",
            "miss_radial_m": first["miss_radial_m"] + shift,
            "miss_sigmas": 1.5 + 0.01 * shift,
            "tca_shift_s": 0.01 * shift,
            "primary_age_hours": 72 - hours,
        }
        for hours, chance, shift in (
            (60.0, 3e-7, 40.0),
            (42.5, 8e-6, -12.0),
            (20.25, 4e-5, 5.0),
            (6.0, 2e-4, 0.0),
        )
    ]
    told = {
        **answer["points"][1],
        "kind": "message",
        "originator": "CSPOC",
        "message_id": "CDM 1",
        "run_id": None,
    }
    told.update(hours_to_tca=30.0, probability=6e-5, claimed_probability=9e-5, probability_low=None)
    told.update(risk_basis="claimed")
    answer["points"][0].update(risk_basis="distance")
    answer["points"].insert(2, told)
    burn = {"norad_id": answer["secondary_norad_id"], "hours_to_tca": 25.5, "dv_m_s": 0.31}
    answer["manoeuvres"] = [burn | {"at": "2024-10-31T04:10:12Z"}]
    return answer


def opened(desk: Visit, sent: dict[str, Any]) -> Page:
    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(sent), content_type="application/json")

    desk.page.route("**/trend", answer)
    return desk.open(f"event/{sent['id']}?tab=trend", ".trend-charts")


@pytest.mark.slow
def test_charts_and_table_are_the_services(desk: Visit, ask: httpx.Client, sent: dict[str, Any]) -> None:
    name = ask.get(f"/conjunctions/{sent['id']}").raise_for_status().json()["secondary_name"].strip()
    desk.page.add_init_script(CANVAS_TEXTS)
    page = opened(desk, sent)
    oldest_last = sent["points"][::-1]
    for title, field in CHARTS.items():
        chart = drawn(page, title)
        assert chart["x"] == [point["hours_to_tca"] for point in oldest_last], title
        assert chart["marks"] == [{"x": 25.5, "text": f"{name} manoeuvred"}], title
        runs = next(curve for curve in chart["curves"] if curve.get("name") == field)
        unit = 1.0 if "age" in field or max(map(abs, filter(None, runs["values"]))) > 0 else 0.0
        for value, point in zip(runs["values"], oldest_last, strict=True):
            ours = point["kind"] != "message" or "age" in field
            assert value == (unit * point[field] if ours else None), title
    likely = drawn(page, "Probability")
    assert {one["text"]: one["y"] for one in likely["limits"]} == sent["limits"]
    high, low = [curve["values"] for curve in likely["curves"] if curve.get("edge")]
    assert (high[0], low[0]) == (4e-4, 6e-5)
    claimed = next(curve for curve in likely["curves"] if curve["label"] == "claimed")
    assert claimed["values"] == [None, None, 9e-5, None, None]
    edges = [curve["values"] for curve in drawn(page, "Miss, radial")["curves"] if curve.get("edge")]
    newest = sent["points"][-1]
    assert edges[0][0] - edges[1][0] == pytest.approx(2 * newest["sigma_radial_m"])
    assert_table(page, sent["points"])
    page.locator(".trend-charts").scroll_into_view_if_needed()
    expect(page.locator(".trend canvas")).to_have_count(len(CHARTS))
    assert covered(page.evaluate(BOXES)) == []
    desk.screenshot("event-trend")


def assert_table(page: Page, points: list[dict[str, Any]]) -> None:
    rows = page.locator(".timeline tbody tr")
    expect(rows).to_have_count(len(points))
    for i, point in enumerate(points):
        numbers = shown(page, f".timeline tbody tr:nth-child({i + 1})")
        assert {"miss_distance_m", "sigma_in_track_m", "miss_sigmas", "probability_low"} <= {
            n for n, _, _ in numbers
        }
        for field, exact, _ in numbers:
            assert (float(exact) if exact else None) == point[field], field
    expect(rows.nth(2)).to_contain_text("CSPOC CDM 1")
    expect(rows.nth(2)).to_contain_text("near: critical")
    expect(rows.nth(0)).to_contain_text("near: ")


@pytest.mark.slow
def test_it_fits_a_phone_and_is_accessible(desk: Visit, sent: dict[str, Any]) -> None:
    page = opened(desk, sent)
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    page.locator(".trend").scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('#main').scrollWidth") <= 390
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    desk.screenshot("event-trend-phone")


def test_runs_of_one_time_are_no_trend(desk: Visit, sent: dict[str, Any]) -> None:
    for point in sent["points"]:
        point["hours_to_tca"] = 12.0
    desk.page.route("**/trend", lambda route: route.fulfill(json=sent))
    page = desk.open(f"event/{sent['id']}?tab=trend", ".timeline")
    expect(page.locator(".trend")).to_contain_text("there is no trend yet")
    expect(page.locator(".trend canvas")).to_have_count(0)


def test_a_trend_that_fails_can_be_asked_again(desk: Visit, sent: dict[str, Any]) -> None:
    problem = {"title": "Unavailable", "detail": "The store is being replaced.", "status": 503}
    desk.page.route("**/trend", lambda route: route.fulfill(status=503, json=problem))
    page = desk.open(f"event/{sent['id']}?tab=trend", ".trend .failure")
    expect(page.locator(".trend .failure")).to_contain_text("The store is being replaced.")
    expect(page.locator(".went")).to_contain_text("could not be loaded")
    desk.page.unroute("**/trend")
    page.locator(".trend .failure").get_by_role("button").click()
    expect(page.locator(".trend .timeline")).to_be_attached()
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]


@pytest.mark.slow
def test_a_long_history_has_no_text_across_another(desk: Visit, sent: dict[str, Any]) -> None:
    first, hours = sent["points"][0], [60 - i for i in range(60)]
    sent["points"] = [
        {**first, "hours_to_tca": h + 0.5, "probability": 1e-7 * (61 - h), "tca_shift_s": 1e-6 * h}
        for h in hours
    ]
    desk.page.add_init_script(CANVAS_TEXTS)
    page = opened(desk, sent)
    page.locator(".trend-charts").scroll_into_view_if_needed()
    expect(page.locator(".trend canvas")).to_have_count(len(CHARTS))
    assert covered(page.evaluate(BOXES)) == []
    # A millionth of a second is no drift: the axis spans a tenth.
    ticks = page.evaluate("[...window.canvasTexts.values()].flat().map(text => text[0])")
    assert not any(re.fullmatch(r"−?0\.0000\d+", tick) for tick in ticks)
    for width in (1024, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.locator(".trend-charts").scroll_into_view_if_needed()
        page.wait_for_function(f"() => document.querySelector('.trend canvas').clientWidth < {width}")
        assert covered(page.evaluate(BOXES)) == [], width
        desk.screenshot(f"event-trend-long-{width}")


def test_messages_have_error_bars(desk: Visit, sent: dict[str, Any]) -> None:
    """Regression: they bring a covariance, and stood there as bare points."""
    told = sent["points"][2]
    told.update(sigma_radial_m=7.0, probability_low=2e-5, probability_high=9e-5)
    page = opened(desk, sent)
    (miss,) = drawn(page, "Miss, radial")["bars"]
    assert (miss["x"], miss["high"] - miss["low"]) == (30.0, pytest.approx(14.0))
    (likely,) = drawn(page, "Probability")["bars"]
    assert (likely["low"], likely["high"]) == (2e-5, 9e-5)


def test_two_runs_are_one_chart_and_the_table(desk: Visit, sent: dict[str, Any]) -> None:
    sent["points"] = [sent["points"][0], sent["points"][-1]]
    page = opened(desk, sent)
    expect(page.locator(".trend .chart")).to_have_count(1)
    expect(page.locator(".timeline tbody tr")).to_have_count(2)


def test_a_few_minutes_long_before_tca_are_told_in_minutes(desk: Visit, sent: dict[str, Any]) -> None:
    """Regression: the axis read 51.9 and 51.8 h."""
    sent.update(manoeuvres=[], better_data={**sent["better_data"], "expected": []})
    hours = (51.9, 51.85, 51.8)
    sent["points"] = [{**sent["points"][0], "hours_to_tca": each} for each in hours]
    chart = drawn(opened(desk, sent), "Shift of TCA")
    assert (chart["x"], chart["xLabel"]) == (pytest.approx([0, 3, 6]), "min after the first")


def test_a_band_is_drawn_only_where_it_is_known(desk: Visit, sent: dict[str, Any]) -> None:
    for i, low, high in ((0, None, None), (1, 0.0, 1e-5)):
        sent["points"][i].update(probability_low=low, probability_high=high)
    likely = drawn(opened(desk, sent), "Probability")
    high, low = [curve["values"][::-1] for curve in likely["curves"] if curve.get("edge")]
    assert (high[0], low[0]) == (None, None)
    assert (high[1], low[1]) == (1e-5, 1e-30)  # down to nothing, not to its neighbour


@pytest.mark.parametrize(
    ("hours", "label", "x"),
    [
        ((0.04, 0.02, 0.01), "s to TCA", (36, 72, 144)),
        ((0.5, 0.25, -0.1), "min to TCA", (-6, 15, 30)),
        ((200.0, 100.0, 24.0), "days to TCA", (1, 100 / 24, 200 / 24)),
        ((-1.0, -1.5, -2.0), "min after the first", (0, 30, 60)),
    ],
)
def test_the_axis_has_the_unit_of_its_reach(
    desk: Visit, sent: dict[str, Any], hours: tuple[float, ...], label: str, x: tuple[float, ...]
) -> None:
    """Regression: an axis of a few minutes read 51.9 and 51.8 h."""
    sent["points"] = [{**sent["points"][0], "hours_to_tca": each} for each in hours]
    chart = drawn(opened(desk, sent), "Shift of TCA")
    assert (chart["x"], chart["xLabel"]) == (pytest.approx(list(x)), label)


def test_a_band_goes_on_behind_a_message_between_two_runs(desk: Visit, sent: dict[str, Any]) -> None:
    """On the line from run to run, by the logarithm: the message has no band of its own."""
    before, after = sent["points"][1], sent["points"][3]
    share = (42.5 - 30.0) / (42.5 - 20.25)
    high, low = [
        curve["values"] for curve in drawn(opened(desk, sent), "Probability")["curves"] if curve.get("edge")
    ]
    for edge, field in ((high, "probability_high"), (low, "probability_low")):
        between = before[field] * (after[field] / before[field]) ** share
        assert edge[2] == pytest.approx(between, rel=1e-9)


def test_messages_that_are_left_out_are_counted(desk: Visit, sent: dict[str, Any]) -> None:
    def with_left_out(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "restricted_messages": 2})

    desk.page.route(f"**/conjunctions/{sent['id']}", with_left_out)
    page = opened(desk, sent)
    expect(page.locator(".trend [data-points]")).to_have_text(
        "4 runs, 1 message and 2 restricted and not shown: see below."
    )
    expect(page.locator(".trend")).to_contain_text("2 received messages left out")

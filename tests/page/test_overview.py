"""The overview of a run: its counts are the service's, its cells lead to lists of as many events."""

import json
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.page.browsing import Served, Visit, visit
from tests.page.test_every_view import AXE

READY = ".overview [data-picture=likelihood]"
LEVELS = ("critical", "high", "medium", "low")
WIDTHS = ((1440, 900), (1024, 768), (768, 1024), (390, 844))


@pytest.fixture(scope="module")
def sent(ask: httpx.Client) -> dict[str, Any]:
    return dict(ask.get("/runs/current/overview").raise_for_status().json())


@pytest.fixture(scope="module")
def changed(ask: httpx.Client, sent: dict[str, Any]) -> dict[str, Any]:
    """Return an overview in which much has changed since the run before."""
    rows = ask.get("/conjunctions?limit=12").raise_for_status().json()["conjunctions"]
    worst = [{**row, "level_before": None} for row in rows]
    raised = [{**row, "level_before": "low"} for row in rows[:3]]
    return {
        **sent,
        "new": {"total": 40, "by_level": dict(zip(LEVELS, (1, 4, 5, 30), strict=True)), "worst": worst},
        "first_looked_for": {"total": 25, "by_level": dict.fromkeys(LEVELS, 5), "worst": worst[:2]},
        "raised": {"total": 3, "by_level": dict(zip(LEVELS, (1, 1, 1, 0), strict=True)), "worst": raised},
        "gone": {"total": 0, "by_level": dict.fromkeys(LEVELS, 0), "worst": []},
        "not_looked_for": {"total": 4, "by_level": dict.fromkeys(LEVELS, 1), "worst": worst[2:5]},
    }


def answered(body: dict[str, Any]) -> Any:
    return lambda route: route.fulfill(body=json.dumps(body), content_type="application/json")


def drawn(page: Page, picture: str, shape: tuple[int, int]) -> np.ndarray:
    """Return the counts of the cells of a picture as they are placed, rows from below."""
    counts = np.zeros(shape, np.int64)
    cells = page.locator(f"[data-picture={picture}] rect.heat").evaluate_all(
        "all => all.map(x => ['x', 'y', 'data-count'].map(name => Number(x.getAttribute(name))))"
    )
    for x, y, count in cells:
        counts[shape[0] - 1 - int(y), int(x)] = count
    return counts


def tabled(page: Page, picture: str) -> np.ndarray:
    """Return the same from the table for screen readers."""
    rows: list[list[str]] = page.locator(f"[data-picture={picture}] tbody tr").evaluate_all(
        "all => all.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))"
    )
    return np.array([[int(text.replace(",", "")) for text in row] for row in rows])


def without_empty(counts: np.ndarray) -> np.ndarray:
    """Leave out rows and columns of zeros."""
    return counts[counts.any(axis=1)][:, counts.any(axis=0)]


def test_pictures_and_tables_have_the_counts_of_the_service(desk: Visit, sent: dict[str, Any]) -> None:
    page = desk.open("overview", READY)
    by_orbit = np.array(sent["altitude_inclination"]["counts"])
    by_miss = np.array(sent["miss_probability"]["counts"]).T  # probability upwards
    least = np.array(sent["miss_probability"]["below"])
    with_least = np.vstack([least, by_miss])  # the table begins with what the picture leaves out
    for picture, counts, told in (("orbits", by_orbit, by_orbit), ("likelihood", by_miss, with_least)):
        assert counts.sum() > 100
        np.testing.assert_array_equal(drawn(page, picture, counts.shape), counts)
        np.testing.assert_array_equal(tabled(page, picture), without_empty(told))
    assert least.sum() > 0
    expect(page.locator("[data-picture=likelihood] figcaption")).to_contain_text(
        f"{least.sum():,} more are less likely than"
    )
    per_hour = sent["per_hour"]["counts"]
    by_level = np.array([per_hour[level] for level in LEVELS]).T
    np.testing.assert_array_equal(tabled(page, "hours"), without_empty(by_level))
    both = page.locator("[data-picture=hours] .cells")
    for place, levels in ((0, LEVELS[:3]), (1, LEVELS)):
        for level in levels:
            bars = (
                both.nth(place)
                .locator(f".bar-{level}")
                .evaluate_all(
                    "all => all.map(x => [Math.floor(Number(x.getAttribute('x'))), Number(x.dataset.count)])"
                )
            )
            assert bars == [[hour, count] for hour, count in enumerate(per_hour[level]) if count]
    for level in LEVELS[:3]:
        line = page.locator(f"[data-picture=likelihood] line.{level}")
        edges = sent["miss_probability"]["log10_probability_edges"]
        share = (np.log10(sent["limits"][level]) - edges[0]) / (edges[-1] - edges[0])
        assert float(line.get_attribute("y1") or "nan") == pytest.approx((len(edges) - 1) * (1 - share))


def test_an_hour_leads_to_a_list_of_as_many_events(desk: Visit, sent: dict[str, Any]) -> None:
    page = desk.open("overview", READY)
    plot = page.locator("[data-picture=hours] .cells").nth(1)
    plot.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    total = sum(sent["per_hour"]["counts"][level][2] for level in LEVELS)
    told = page.locator("[data-picture=hours] .told").nth(1)
    expect(told).to_contain_text(f"UTC: {total:,} events" if total != 1 else "UTC: 1 event")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rows .row[data-id]")
    expect(page.locator("h1 .total")).to_have_text(f"{total:,}")


def test_a_cell_leads_to_what_is_as_near_and_as_likely(
    desk: Visit, ask: httpx.Client, sent: dict[str, Any]
) -> None:
    wanted = sent["miss_probability"]
    counts = np.array(wanted["counts"]).T
    row, column = (int(one[-1]) for one in np.nonzero(counts))  # the likeliest
    page = desk.open("overview", READY)
    plot = page.locator("[data-picture=likelihood] .cells")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    at = ((column + 0.5) / counts.shape[1], 1 - (row + 0.5) / counts.shape[0])
    page.mouse.move(box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"])
    told = page.locator("[data-picture=likelihood] .told")
    number = counts[row, column]
    expect(told).to_contain_text(f": {number:,} {'event' if number == 1 else 'events'}.")
    plot.click(position={"x": at[0] * box["width"], "y": at[1] * box["height"]})
    page.wait_for_selector(".rows .row[data-id]")
    near, likely = 10 ** wanted["log10_miss_edges"][column + 1], 10 ** wanted["log10_probability_edges"][row]
    both = {"max_miss_m": f"{near:.6g}", "min_probability": f"{likely:.6g}", "limit": 1}
    expected = ask.get("/conjunctions", params=both).raise_for_status().json()["total"]
    expect(page.locator("h1 .total")).to_have_text(f"{expected:,}")
    assert expected >= number


def test_what_is_new_is_told_and_linked(desk: Visit, changed: dict[str, Any]) -> None:
    desk.page.route("**/runs/current/overview", answered(changed))
    page = desk.open("overview", READY)
    for kind in ("new", "first_looked_for", "raised", "gone", "not_looked_for"):
        panel, news = page.locator(f"[data-news={kind}]"), changed[kind]
        total = panel.locator("> h2 data[data-field=total], > summary data[data-field=total]")
        assert total.get_attribute("value") == str(news["total"])
        for level in LEVELS:
            shown = panel.locator(f"> .levels data[data-field={level}]")
            wanted = [str(news["by_level"][level])] if news["by_level"][level] else []  # none is not told
            assert shown.evaluate_all("all => all.map(x => x.getAttribute('value'))") == wanted
        own = panel.locator("> .worst a[data-id], > details:not([data-news]) a[data-id]")
        links = own.evaluate_all("all => all.map(x => x.getAttribute('href'))")
        assert links == [f"#/event/{row['id']}" for row in news["worst"]]
    new, gone = page.locator("[data-news=new]"), page.locator("[data-news=gone]")
    expect(new.locator("summary", has_text="searched for the first")).to_have_text(
        "25 searched for the first time, 5 critical, 5 high"
    )
    expect(gone.locator("summary")).to_have_text("4 no longer searched for, 1 critical, 1 high")
    gone.locator("summary").click()
    expect(gone).to_contain_text("They may still be valid")
    assert gone.locator("a[data-id]").count() == 3
    assert new.locator("[data-news=first_looked_for] a[data-id]").count() == 2
    expect(page.locator("[data-news=raised] .worst")).to_contain_text("was low")
    expect(page.locator("[data-news=gone]")).to_contain_text("None is gone")
    page.locator("[data-news=new] a[data-id]").first.click()
    page.wait_for_selector(f"[data-event='{changed['new']['worst'][0]['id']}']")


def test_a_first_run_has_nothing_to_compare_with(desk: Visit, sent: dict[str, Any]) -> None:
    kinds = ("new", "first_looked_for", "raised", "eased", "gone", "not_looked_for")
    first = {**sent, "before": None, **dict.fromkeys(kinds)}
    desk.page.route("**/runs/current/overview", answered(first))
    page = desk.open("overview", READY)
    expect(page.locator(".news")).to_contain_text("There is no run before this one")
    assert page.locator("[data-news]").count() == 0


def test_a_refusal_is_told_and_asked_again(desk: Visit) -> None:
    refused = {"title": "Store busy", "detail": "The store is being changed; ask again.", "status": 503}

    def refuse(route: Route) -> None:
        route.fulfill(status=503, body=json.dumps(refused), content_type="application/problem+json")

    desk.page.route("**/runs/current/overview", refuse, times=1)
    page = desk.open("overview", ".failure")
    expect(page.get_by_role("alert")).to_contain_text("The store is being changed; ask again.")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(READY)
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_it_fits_every_width(browser: Browser, served: Served, changed: dict[str, Any], scheme: str) -> None:
    with visit(browser, served, color_scheme=scheme) as visited:
        visited.page.route("**/runs/current/overview", answered(changed))
        page = visited.open("overview", READY)
        for number in range(3):  # tables open: what they hold is looked at too
            page.locator(".overview figure summary").nth(number).click()
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
        for width, height in WIDTHS:
            page.set_viewport_size({"width": width, "height": height})
            for part in ("news", "[data-picture=hours]", "[data-picture=likelihood]"):
                page.locator(
                    f".overview {part if part[0] == '[' else f'.{part}'}"
                ).scroll_into_view_if_needed()
                visited.screenshot(f"overview-{scheme}-{width}-{part.strip('[]').split('=')[-1]}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.querySelector('#main').scrollWidth") <= width


def test_levels_on_top_lead_to_their_lists(desk: Visit, sent: dict[str, Any]) -> None:
    page = desk.open("overview", READY)
    for level in LEVELS:
        told = page.locator(f"[data-totals] data[data-field={level}]")
        assert told.get_attribute("value") == str(sum(sent["per_hour"]["counts"][level]))
    page.locator("[data-totals] a.high").click()
    page.wait_for_selector(".rows .row[data-id]")
    expect(page.locator("h1 .total")).to_have_text(f"{sum(sent['per_hour']['counts']['high']):,}")


def test_a_finger_reads_before_it_opens(browser: Browser, served: Served) -> None:
    with visit(browser, served, has_touch=True) as visited:
        page = visited.open("overview", READY)
        plot = page.locator("[data-picture=hours] .cells").nth(1)
        plot.tap()
        expect(page.locator("[data-picture=hours] .told a").last).to_contain_text("events")
        assert page.evaluate("location.hash") == "#/overview"
        plot.tap()
        page.wait_for_selector(".rows .row[data-id]")

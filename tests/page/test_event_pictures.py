"""The pictures of an event: what they show is what the service sends, and no text covers another."""

from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.browsing import Visit
from tests.page.test_event_view import shown

Boxes = list[tuple[str, str, float, float, float, float]]

# Where each text of a canvas is drawn, on its last drawing; and where each of a drawing is.
CANVAS_TEXTS = """
window.canvasTexts = new Map();
const proto = CanvasRenderingContext2D.prototype, fill = proto.fillText, clear = proto.clearRect;
proto.clearRect = function (...where) {
  window.canvasTexts.delete(this.canvas);
  return clear.apply(this, where);
};
proto.fillText = function (text, x, y, ...rest) {
  const size = this.measureText(text), at = this.getTransform();
  if (at.b === 0 && text) {
    const [left, right] = [x - size.actualBoundingBoxLeft, x + size.actualBoundingBoxRight];
    const [top, bottom] = [y - size.actualBoundingBoxAscent, y + size.actualBoundingBoxDescent];
    const place = [at.e + at.a * left, at.f + at.d * top, at.e + at.a * right, at.f + at.d * bottom];
    if (!window.canvasTexts.has(this.canvas)) window.canvasTexts.set(this.canvas, []);
    window.canvasTexts.get(this.canvas).push([text, ...place]);
  }
  return fill.call(this, text, x, y, ...rest);
};
"""
BOXES = """
() => [
  ...[...window.canvasTexts].filter(([canvas]) => canvas.isConnected).flatMap(([, texts], i) =>
    texts.map((text) => [`canvas ${i}`, ...text])),
  ...[...document.querySelectorAll("svg.plane")].flatMap((svg, i) =>
    [...svg.querySelectorAll("text")].map((text) => {
      const box = text.getBoundingClientRect();
      return [`drawing ${i}`, text.textContent, box.left, box.top, box.right, box.bottom];
    })),
]
"""
SLIM = 5.0  # so many times as long as it is wide, an ellipse is drawn with unequal axes
NOTHING, NOTHING_OF_PEAK = 1e-30, 1e-12  # probabilities below this are not drawn
ONE_PX = 1.0  # a box of type reaches beyond its letters


def covered(boxes: Boxes) -> list[tuple[str, str]]:
    """Return the pairs of texts of one picture that overlap."""
    found = []
    for i, (picture, text, left, top, right, bottom) in enumerate(boxes):
        for other, second, left_2, top_2, right_2, bottom_2 in boxes[i + 1 :]:
            wide = min(right, right_2) - max(left, left_2)
            high = min(bottom, bottom_2) - max(top, top_2)
            # Texts of an axis drawn anew at one place are one text.
            if picture == other and text != second and wide > ONE_PX and high > 4 * ONE_PX:
                found.append((text, second))
    return found


def drawn(page: Page, title: str) -> dict[str, Any]:
    """Return what the chart below a heading says that it draws."""
    figure = page.locator("figure", has=page.get_by_role("heading", name=title, exact=True))
    found: dict[str, Any] = figure.locator(".chart").evaluate("x => x.drawn")
    return found


def some(ask: httpx.Client, count: int) -> list[int]:
    """Return the worst event, one slow one, and others at random."""
    listed = ask.get("/conjunctions?limit=10000").raise_for_status().json()["conjunctions"]
    slow = [one["id"] for one in listed if one["encounter"] == "slow"][:1]
    others = np.random.default_rng(8).choice([one["id"] for one in listed], count - 1 - len(slow))
    return [listed[0]["id"], *slow, *others.tolist()]


def at(sent: dict[str, Any], path: str) -> Any:
    for part in path.split("."):
        sent = sent[part]
    return sent


def assert_curve(found: dict[str, Any], x: list[float], y: list[float | None], least: float) -> None:
    """Compare a curve that leaves out what is too small to show."""
    assert found["x"] == pytest.approx(x)
    values = found["curves"][0]["values"]
    left_out = [sent for sent, value in zip(y, values, strict=True) if value is None]
    assert all(sent is None or sent < least for sent in left_out)
    pairs = [(value, sent) for sent, value in zip(y, values, strict=True) if value is not None]
    assert all(value == pytest.approx(sent) for value, sent in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, pytest.param(50, marks=pytest.mark.slow)])
def test_pictures_show_what_the_service_sends(desk: Visit, ask: httpx.Client, count: int) -> None:
    desk.page.add_init_script(CANVAS_TEXTS)
    for number in some(ask, count):
        page = desk.open(f"event/{number}?tab=geometry", f'[data-event="{number}"] .figures .path')
        sent = ask.get(f"/conjunctions/{number}/geometry").raise_for_status().json()
        for field, exact, _ in shown(page, ".plane-numbers") + shown(page, ".strip .geometry"):
            assert float(exact) == at(sent, field), field
        assert_plane(page, sent["encounter_plane"])
        assert_paths(page, sent["range"]["near"])
        assert_probabilities(page, sent)
        near = drawn(page, "Range against time")
        seconds, metres = sent["range"]["near"]["seconds_from_tca"], sent["range"]["near"]["range_m"]
        in_time = max(near["x"]) / max(seconds)
        in_length = max(near["curves"][0]["values"]) / max(metres)
        assert any(in_time == pytest.approx(unit) for unit in (1e3, 1, 1 / 60, 1 / 3600))
        assert any(in_length == pytest.approx(unit) for unit in (1, 1e-3))
        assert_curve(near, [s * in_time for s in seconds], [m * in_length for m in metres], 0)
        expect(page.locator(".more-figures canvas").last).to_be_visible()
        assert covered(page.evaluate(BOXES)) == [], number


def assert_plane(page: Page, plane: dict[str, Any]) -> None:
    """Compare the ellipses with the covariances, in the picture's own scale."""
    picture = page.locator(".plane").first
    turn = float(picture.get_attribute("data-turn") or "nan")
    sx, sy = map(float, (picture.get_attribute("data-per-metre") or "").split())
    ratio = plane["combined"] and plane["combined"]["sigma_major_m"] / plane["combined"]["sigma_minor_m"]
    assert (sx == pytest.approx(sy)) == (ratio is None or ratio <= SLIM)
    if turn == 0:
        (x, y), (other_x, other_y) = (centre(picture, who) for who in ("primary", "secondary"))
        assert ((other_x - x) / sx, (y - other_y) / sy) == pytest.approx(
            (plane["miss_x_m"], plane["miss_y_m"]), abs=1e-3 / min(sx, sy)
        )
    for kind, name, sigmas in (
        (".sigma-1", "combined", 1),
        (".sigma-3", "combined", 3),
        (".alone.primary", "primary", 1),
        (".alone.secondary", "secondary", 1),
    ):
        spread = plane[name]
        found = picture.locator(f"{kind} ellipse")
        if spread is None:
            expect(found).to_have_count(0)
            continue
        major, minor = (float(found.get_attribute(axis) or "nan") for axis in ("rx", "ry"))  # m
        assert major == pytest.approx(sigmas * spread["sigma_major_m"])
        assert minor == pytest.approx(max(sigmas * spread["sigma_minor_m"], 0.5 / sy))
        angle = (found.get_attribute("transform") or "").split("rotate(")[1].rstrip(")")
        assert float(angle) == pytest.approx(spread["major_axis_deg"] - turn)


def centre(picture: Locator, who: str) -> tuple[float, float]:
    """Return where an object is drawn."""
    dot = picture.locator(f"circle.{who}")
    return float(dot.get_attribute("cx") or "nan"), float(dot.get_attribute("cy") or "nan")


def assert_paths(page: Page, sent: dict[str, list[float]]) -> None:
    """Compare both views of the path with what is sent, by a straight line between pixels and metres."""
    for upwards in ("radial_m", "cross_track_m"):
        text = page.locator(f'[data-plane="{upwards}"] polyline').get_attribute("points") or ""
        pixels = np.array([point.split(",") for point in text.split()], float)
        for column, name, sign in ((0, "in_track_m", 1), (1, upwards, -1)):
            values = np.array(sent[name])
            spread = np.ptp(values)
            if spread == 0:
                continue
            slope, middle = np.polyfit(values, pixels[:, column], 1)
            assert sign * slope > 0
            assert np.abs(slope * values + middle - pixels[:, column]).max() < 0.02  # written to 0.01 px


def assert_probabilities(page: Page, sent: dict[str, Any]) -> None:
    scale, radius = sent["probability_against_scale"], sent["probability_against_radius"]
    if scale is None:
        return
    if scale["peak_probability"] >= NOTHING:
        dilution = drawn(page, "Probability against covariance scale")
        least = NOTHING_OF_PEAK * scale["peak_probability"] + NOTHING
        assert_curve(dilution, scale["scale"], scale["probability"], least)
        assert sorted(mark["x"] for mark in dilution["marks"]) == sorted([1, scale["peak_scale"]])
        assert {one["text"]: one["y"] for one in dilution["limits"]} == radius["limits"]
    if max(radius["probability"]) >= NOTHING:
        sizes = drawn(page, "Probability against radius")
        least = NOTHING_OF_PEAK * max(radius["probability"]) + NOTHING
        assert_curve(sizes, radius["radius_m"], radius["probability"], least)
        own = radius["hard_body_radius_m"]
        others = [radius[name] for name in ("mean_shadow_radius_m", "bounding_radius_m")]
        apart = [x for x in others if x is not None and not 1 / 1.001 <= x / own <= 1.001]
        assert [mark["x"] for mark in sizes["marks"]] == [own, *apart]
        assert {one["text"]: one["y"] for one in sizes["limits"]} == radius["limits"]


@pytest.mark.slow
def test_a_close_up_has_ellipses_at_round_parts_of_a_sigma(desk: Visit, ask: httpx.Client) -> None:
    (number, *_) = some(ask, 2)
    page = desk.open(f"event/{number}", ".figures .plane")
    page.get_by_role("button", name="Close-up").click()
    rings = page.locator(".plane").first.locator("[data-sigmas]")
    expect(rings).to_have_count(4)
    parts = sorted(rings.evaluate_all("all => all.map(x => Number(x.dataset.sigmas))"))
    assert parts == pytest.approx([part * parts[0] for part in (1, 2, 3, 4)])
    assert f"{parts[0]:e}"[0] in "125"
    scale = float((page.locator(".plane").first.get_attribute("data-per-metre") or "").split()[1])
    short = (
        page.locator(".plane")
        .first.locator(".sigma ellipse")
        .evaluate_all("all => all.map(x => Number(x.getAttribute('ry')))")
    )
    assert sum(half_m * scale < 500 for half_m in short) >= 3  # within the picture: it is no plain box
    desk.screenshot("event-close-up")


def test_where_the_pointer_is_the_time_is_told_in_full(desk: Visit, ask: httpx.Client) -> None:
    (number, *_) = some(ask, 2)
    page = desk.open(f"event/{number}?tab=geometry", ".more-figures .chart")
    figure = page.locator("figure", has=page.get_by_role("heading", name="Range against time"))
    figure.scroll_into_view_if_needed()
    expect(figure.locator("canvas")).to_be_visible()
    box = figure.locator(".u-over").bounding_box()
    assert box is not None
    figure.locator(".u-over").hover(position={"x": 0.73 * box["width"], "y": 20})
    expect(figure.locator(".read")).not_to_be_empty()
    told = figure.locator(".read").inner_text().split(" ")[0].replace(",", "").replace("−", "-")
    chart = drawn(page, "Range against time")
    assert min(abs(float(told) - x) for x in chart["x"]) < 5e-4 + 1e-9  # to the third decimal
    assert figure.locator(".read").inner_text().count("range") == 1


def test_a_probability_that_is_nothing_is_said_so(desk: Visit, ask: httpx.Client) -> None:
    """A curve at 1e-205 has no place on an axis."""
    (number, *_) = some(ask, 2)

    def tiny(geometry: dict[str, Any]) -> dict[str, Any]:
        for name, most in (
            ("probability_against_scale", "peak_probability"),
            ("probability_against_radius", ""),
        ):
            curve = geometry[name]
            curve["probability"] = [value * 1e-205 for value in curve["probability"]]
            for field in filter(None, ("probability_2d", most)):
                curve[field] *= 1e-205
        return geometry

    desk.page.route("**/geometry", lambda route: route.fulfill(json=tiny(route.fetch().json())))
    page = desk.open(f"event/{number}?tab=geometry", ".figures .path")
    expect(page.get_by_text("Below 10⁻³⁰ whatever the errors")).to_be_visible()
    expect(page.get_by_text("Below 10⁻³⁰ whatever the radius")).to_be_visible()
    assert "10⁻²" not in page.locator(".more-figures").inner_text()


def test_both_radii_are_marked_and_no_mark_covers_another(desk: Visit, ask: httpx.Client) -> None:
    (number, *_) = some(ask, 2)

    def sized(geometry: dict[str, Any]) -> dict[str, Any]:
        curve, side = geometry["probability_against_radius"], geometry["objects"]["primary"]
        own, chance = curve["hard_body_radius_m"], curve["probability_2d"]
        curve.update(mean_shadow_radius_m=own / 1.2, probability_mean_shadow=chance / 1.44)
        curve.update(bounding_radius_m=own * 1.3, probability_bounding=chance * 1.69)
        side.update(radius_m=1.26, bounding_radius_m=3.1, mass_kg=825.0, body_source="gcat")
        return geometry

    desk.page.add_init_script(CANVAS_TEXTS)
    desk.page.route("**/geometry", lambda route: route.fulfill(json=sized(route.fetch().json())))
    page = desk.open(f"event/{number}?tab=geometry", ".figures .path")
    curve = sized(ask.get(f"/conjunctions/{number}/geometry").json())["probability_against_radius"]
    marks = drawn(page, "Probability against radius")["marks"]
    radii = [curve[f"{name}_radius_m"] for name in ("hard_body", "mean_shadow", "bounding")]
    assert [mark["x"] for mark in marks] == pytest.approx(radii)
    assert [mark["text"].split(" ")[0] for mark in marks][1:] == ["mean", "around"]
    assert "at most" in marks[2]["text"]
    figure = page.locator("figure", has=page.get_by_role("heading", name="Probability against radius"))
    figure.scroll_into_view_if_needed()
    expect(page.locator(".more-figures canvas").last).to_be_visible()
    assert covered(page.evaluate(BOXES)) == []
    facts = page.locator('[data-object="primary"]')
    for name, value in (("radius_m", 1.26), ("bounding_radius_m", 3.1), ("mass_kg", 825.0)):
        expect(facts.locator(f'data[data-field="{name}"]')).to_have_attribute("value", f"{value:g}")
    expect(facts).to_contain_text("its own, of GCAT")
    desk.screenshot("event-both-radii")

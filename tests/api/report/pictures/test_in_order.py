"""What the pictures show is what the geometry says."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Ellipse, FancyArrowPatch

from api.models.trend import TrendPoint
from api.report.contents import Report
from api.report.pictures.dilution import SMALLEST, draw_dilution
from api.report.pictures.history import draw_history
from api.report.pictures.plane import draw_plane
from api.report.pictures.radius import draw_radius
from api.report.pictures.range import draw_range
from storage.pictures.style import PANEL_IN, Area

LAID_OUT = 4  # one picture of so many: that takes longer than drawing it


def drawn(draw: Callable[[Area, Report], None], report: Report) -> Figure:
    figure = Figure(figsize=PANEL_IN)
    draw(Area(figure, 0.0, 0.0, *PANEL_IN), report)
    return figure


def texts(figure: Figure) -> str:
    found = [text.get_text() for text in figure.texts]
    found += [text.get_text() for axes in figure.axes for text in axes.texts]
    return " ".join(found).replace("\n", " ")


def metres_per_unit(axes: Axes) -> float:
    return 1000.0 if "(km)" in axes.get_ylabel() else 1.0


@pytest.mark.slow
def test_the_ellipses_are_one_two_and_three_sigmas_around_the_secondary(reports: list[Report]) -> None:
    for report in reports:
        plane = report.geometry.plane
        assert plane is not None
        axes = drawn(draw_plane, report).axes[0]
        unit = metres_per_unit(axes)
        spread = plane.combined
        assert spread is not None
        filled = [p for p in axes.patches if type(p) is Ellipse and p.get_fill()]
        assert sorted(e.width * unit / 2 / spread.sigma_major_m for e in filled) == pytest.approx([1, 2, 3])
        for ellipse in filled:
            assert np.multiply(ellipse.center, unit) == pytest.approx([plane.miss_x_m, plane.miss_y_m])
            assert ellipse.height / ellipse.width == pytest.approx(
                spread.sigma_minor_m / spread.sigma_major_m
            )
            assert ellipse.angle == spread.major_axis_deg
        own = [
            p
            for p in axes.patches
            if type(p) is Ellipse and not p.get_fill() and p.get_linestyle() != "solid"
        ]
        assert plane.primary is not None
        assert plane.secondary is not None
        alone = [plane.primary.sigma_major_m, plane.secondary.sigma_major_m]
        assert sorted(e.width * unit / 2 for e in own) == pytest.approx(sorted(alone))


@pytest.mark.slow
def test_the_hard_body_is_to_scale_and_the_miss_ends_at_the_secondary(reports: list[Report]) -> None:
    for report in reports:
        plane = report.geometry.plane
        assert plane is not None
        for axes in drawn(draw_plane, report).axes:  # the magnifier too
            unit = metres_per_unit(axes)
            (radius,) = {p.radius for p in axes.patches if isinstance(p, Circle)}
            assert radius * unit == pytest.approx(report.event.hard_body_radius_m)
            (arrow,) = [p for p in axes.patches if isinstance(p, FancyArrowPatch)]
            end = arrow._posA_posB[1]  # the only record of where it was asked to go
            assert np.multiply(end, unit) == pytest.approx([plane.miss_x_m, plane.miss_y_m])


@pytest.mark.slow
def test_everything_lies_inside_the_plane_that_is_shown(reports: list[Report]) -> None:
    stretched = 0
    for report in reports:
        plane = report.geometry.plane
        assert plane is not None
        spread = plane.combined
        assert spread is not None
        axes = drawn(draw_plane, report).axes[0]
        unit = metres_per_unit(axes)
        for low_high, miss, variance in (
            (axes.get_xlim(), plane.miss_x_m, spread.xx_m2),
            (axes.get_ylim(), plane.miss_y_m, spread.yy_m2),
        ):
            low, high = np.multiply(low_high, unit)
            assert low < min(0.0, miss - 3 * variance**0.5)
            assert high > max(0.0, miss + 3 * variance**0.5)
        box = axes.get_position().size * PANEL_IN
        limits = np.array([axes.get_xlim(), axes.get_ylim()])
        scale = np.ptp(limits, axis=1) / box
        times = re.search(r"; upwards ([\d,]+) times stretched", axes.get_xlabel())
        if times is None:
            assert scale[0] == pytest.approx(scale[1]), "a circle is a circle"
        else:
            said = float(times[1].replace(",", ""))
            assert scale[0] / scale[1] == pytest.approx(said, abs=0.5)
            shape = [ellipse for ellipse in axes.patches if type(ellipse) is Ellipse and ellipse.get_fill()]
            path = shape[0].get_transform().transform_path(shape[0].get_path()).get_extents()
            assert 0.2 < path.height / path.width < 5.0, "not a hairline"
            stretched += 1
    assert 0 < stretched < len(reports)


@pytest.mark.slow
def test_the_distances_are_those_of_the_curve(reports: list[Report]) -> None:
    for report in reports:
        near, wide = drawn(draw_range, report).axes
        for axes, curve in ((near, report.geometry.near), (wide, report.geometry.wide)):
            assert curve is not None
            shown = np.asarray(axes.lines[0].get_ydata()) * metres_per_unit(axes)
            np.testing.assert_allclose(shown, curve.range_m)
        seconds = {"(ms)": 1e-3, "(s)": 1.0, "(min)": 60.0, "(h)": 3600.0}
        (unit,) = [factor for text, factor in seconds.items() if text in near.get_xlabel()]
        assert report.geometry.near is not None
        np.testing.assert_allclose(
            np.asarray(near.lines[0].get_xdata()) * unit, report.geometry.near.seconds_from_tca
        )
        assert near.get_ylim()[0] == 0.0


@pytest.mark.slow
def test_the_dilution_curve_marks_the_data_as_they_are_and_the_peak(reports: list[Report]) -> None:
    rated = [(report, report.geometry.dilution) for report in reports if report.geometry.dilution]
    assert len(rated) > 5
    for place, (report, curve) in enumerate(rated):
        figure = drawn(draw_dilution, report)
        axes = figure.axes[0]
        marks = [line for line in axes.lines if line.get_marker() == "o"]
        points = {(line.get_xdata()[0], line.get_ydata()[0]) for line in marks}
        as_it_is = max(curve.probability_2d, SMALLEST)
        assert points == {(1.0, as_it_is), (curve.peak_scale, curve.peak_probability)}
        assert f"as it is {curve.probability_2d:.2e}" in texts(figure)
        low, high = axes.get_ylim()
        assert low <= as_it_is < high
        assert curve.peak_probability < high
        assert ("too poor" in texts(figure)) == report.event.diluted
        if place % LAID_OUT:
            continue
        figure.draw_without_rendering()
        written = [text.get_window_extent() for text in axes.texts if not text.get_text().startswith(" ")]
        assert not any(a.overlaps(b) for a, b in combinations(written, 2))


@pytest.mark.slow
def test_the_curve_over_the_radius_marks_the_own_radius_and_the_limits(reports: list[Report]) -> None:
    rated = [(report, report.geometry.radius) for report in reports if report.geometry.radius]
    assert len(rated) > 5
    limits_seen: set[str] = set()
    marked: set[str] = set()
    for place, (report, curve) in enumerate(rated):
        figure = drawn(draw_radius, report)
        axes = figure.axes[0]
        (mark,) = [line for line in axes.lines if line.get_marker() == "o"]
        low, high = axes.get_ylim()
        assert low < high
        assert mark.get_xdata()[0] == curve.hard_body_radius_m
        assert mark.get_ydata()[0] == max(curve.probability_2d, low)
        assert f"{curve.probability_2d:.2e}" in texts(figure)
        assert max(curve.probability[-1], 1e-40) < high
        others = {
            line.get_marker(): (line.get_xdata()[0], line.get_ydata()[0])
            for line in axes.lines
            if line.get_marker() in ("^", "D")
        }
        sums = (
            ("^", curve.mean_shadow_radius_m, curve.probability_mean_shadow),
            ("D", curve.bounding_radius_m, curve.probability_bounding),
        )
        assert others == {
            sign: (own, max(chance, low))
            for sign, own, chance in sums
            if own is not None and chance is not None and abs(own / curve.hard_body_radius_m - 1) > 1e-3
        }
        marked |= set(others)
        for sign, (own, _) in others.items():
            legend = axes.get_legend()
            assert legend is not None
            length = f"{own:,.{2 if own < 10 else 1}f} m"
            assert any(length in text.get_text() for text in legend.get_texts()), sign
        drawn_limits = {text.get_text().strip() for text in axes.texts if text.get_text().startswith(" ")}
        assert drawn_limits == {
            name
            for name, limit in zip(("critical", "high", "medium"), (1e-4, 1e-5, 1e-6), strict=True)
            if low < limit < high
        }
        limits_seen |= drawn_limits
        if place % LAID_OUT:
            continue
        figure.draw_without_rendering()
        (label,) = [text for text in axes.texts if not text.get_text().startswith(" ")]
        box, frame = label.get_window_extent(), axes.get_window_extent()
        assert frame.x0 - 2 <= box.x0, "the text reaches out of the picture"
        assert box.x1 <= frame.x1 + 2
    assert limits_seen == {"critical", "high", "medium"}
    assert "D" in marked


def test_a_slow_event_shows_its_path_instead(reports: list[Report]) -> None:
    slow = [report for report in reports if "slow" in (report.event.probability_flag or "")]
    assert len(slow) >= 3
    for report in slow:
        figure = drawn(draw_dilution, report)
        (axes,) = figure.axes
        wide = report.geometry.wide
        assert wide is not None
        np.testing.assert_allclose(
            np.asarray(axes.lines[0].get_xdata()) * metres_per_unit(axes), wide.in_track_m
        )
        np.testing.assert_allclose(
            np.asarray(axes.lines[0].get_ydata()) * metres_per_unit(axes), wide.radial_m
        )
        assert "no probability in a plane" in texts(figure)


def with_points(report: Report, points: list[TrendPoint]) -> Report:
    trend = replace(report.trend, points=points)
    return report._replace(trend=trend, history=[report.event] * len(points))


def test_the_history_has_a_point_for_each_run(worst: Report) -> None:
    (one,) = worst.trend.points
    points = [
        replace(
            one,
            made=one.made + timedelta(hours=6 * i),
            miss_distance_m=900.0 / (i + 1),
            probability=None if i == 1 else 3e-6 * (i + 1),
            probability_low=None if i == 1 else 1e-6,
            probability_high=None if i == 1 else 4e-5 * (i + 1),
        )
        for i in range(4)
    ]
    figure = drawn(draw_history, with_points(worst, points))
    miss, chance = figure.axes
    np.testing.assert_allclose(miss.lines[0].get_ydata(), [900.0, 450.0, 300.0, 225.0])
    bands = [line for line in chance.lines if line.get_linewidth() == 2.5]
    assert [list(line.get_ydata()) for line in bands] == [
        [1e-6, pytest.approx(most)] for most in (4e-5, 12e-5, 16e-5)
    ]
    (curve,) = [line for line in chance.lines if len(line.get_ydata()) == 3]
    np.testing.assert_allclose(curve.get_ydata(), [3e-6, 9e-6, 12e-6])
    assert "4 runs" in texts(figure)
    assert "225.0 m" in texts(figure)


def test_a_bar_that_reaches_far_down_ends_at_the_edge(worst: Report) -> None:
    (one,) = worst.trend.points
    deep = replace(one, probability=1e-6, probability_low=1e-30, probability_high=2e-6)
    _, chance = drawn(draw_history, with_points(worst, [deep])).axes
    (band,) = [line for line in chance.lines if line.get_linewidth() == 2.5]
    assert list(band.get_ydata()) == [chance.get_ylim()[0], 2e-6]
    assert chance.get_ylim()[0] > 1e-8


@pytest.mark.parametrize("hours", [0.01, 1, 5, 7, 20, 33, 47, 49, 100, 200, 500, 2000, 20_000])
def test_a_history_of_any_length_has_readable_dates(worst: Report, hours: float) -> None:
    (one,) = worst.trend.points
    later = replace(one, made=one.made + timedelta(hours=hours))
    figure = drawn(draw_history, with_points(worst, [one, later]))
    figure.draw_without_rendering()
    labels = [label.get_text() for label in figure.axes[1].get_xticklabels()]
    assert 1 <= len([text for text in labels if text]) <= 9


def test_what_is_missing_says_why_in_its_place(bare: Report) -> None:
    assert "At rest." in texts(drawn(draw_plane, bare))
    assert "No sets." in texts(drawn(draw_range, bare))
    assert "Not rated." in texts(drawn(draw_dilution, bare))
    assert "Not rated." in texts(drawn(draw_radius, bare))
    assert "no run has found it yet" in texts(drawn(draw_history, bare))


def test_an_event_that_is_not_rated_has_its_miss_alone(worst: Report) -> None:
    assert worst.geometry.plane is not None
    plane = replace(worst.geometry.plane, primary=None, secondary=None, combined=None, miss_sigmas=None)
    event = worst.event._replace(hard_body_radius_m=None)
    (axes,) = drawn(
        draw_plane, worst._replace(event=event, geometry=worst.geometry._replace(plane=plane))
    ).axes
    assert [type(patch) for patch in axes.patches] == [FancyArrowPatch]


@pytest.mark.processes
def test_nothing_global_of_matplotlib_is_used(repository: Path) -> None:
    # pyplot keeps figures for ever, and is not for several threads.
    code = "import sys, api.report.write; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=repository, check=False).returncode == 0

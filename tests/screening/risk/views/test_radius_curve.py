"""The probability against the radius: quadrature of scipy, and the event's own radius on the curve."""

import numpy as np
import pytest
from scipy.integrate import dblquad

from screening.risk.views.event_geometry import BEYOND, LARGEST_M, SMALLEST_M, radius_curve
from tests.screening.risk.bare_plane import plane

same = 1e-6  # relative: what dblquad is asked for, with a margin


def integrated(miss: tuple[float, float], sigmas: tuple[float, float], radius_m: float) -> float:
    """Integrate the Gaussian over the disk around the origin, naively."""

    def density(y: float, x: float) -> float:
        exponent = ((x - miss[0]) / sigmas[0]) ** 2 + ((y - miss[1]) / sigmas[1]) ** 2
        return float(np.exp(-0.5 * exponent) / (2 * np.pi * sigmas[0] * sigmas[1]))

    def half_chord(x: float) -> float:
        return float(np.sqrt(max(radius_m**2 - x**2, 0.0)))

    value, _ = dblquad(
        density, -radius_m, radius_m, lambda x: -half_chord(x), half_chord, epsabs=0.0, epsrel=1e-8
    )
    return float(value)


@pytest.mark.parametrize(
    ("miss", "sigmas"),
    [
        ((60.0, 12.0), (580.0, 285.0)),  # of two fragments: the disk is small
        ((20.0, 5.0), (15.0, 6.0)),  # of a good message: the largest disk holds the miss
        ((5.0, 30.0), (200.0, 7.0)),  # long and thin
    ],
)
def test_it_is_the_integral_over_the_disk(miss: tuple[float, float], sigmas: tuple[float, float]) -> None:
    curve = radius_curve(plane(*miss, *sigmas), 6.5)
    assert curve is not None
    for place in (0, 15, 30, 45, len(curve.radius_m) - 1):
        expected = integrated(miss, sigmas, float(curve.radius_m[place]))
        assert curve.probability[place] == pytest.approx(expected, rel=same)
    assert curve.probability_2d == pytest.approx(integrated(miss, sigmas, 6.5), rel=same)


def test_a_small_disk_counts_by_its_area() -> None:
    curve = radius_curve(plane(300.0, 100.0, 2000.0, 900.0), 3.0)
    assert curve is not None
    per_area = curve.probability / curve.radius_m**2
    np.testing.assert_allclose(per_area, per_area[0], rtol=1e-3)  # (30 m / 900 m)^2 / 8


def test_it_grows_over_the_whole_range_in_even_steps() -> None:
    curve = radius_curve(plane(40.0, 10.0, 300.0, 20.0), 2.0)
    assert curve is not None
    assert curve.radius_m[[0, -1]] == pytest.approx([SMALLEST_M, LARGEST_M])
    steps = np.diff(np.log(curve.radius_m))
    np.testing.assert_allclose(steps, steps[0])
    assert (np.diff(curve.probability) > 0).all()


@pytest.mark.parametrize("own", [0.01, 0.05, 30.0, 200.0])
def test_the_own_radius_is_in_the_range_and_on_the_curve(own: float) -> None:
    curve = radius_curve(plane(400.0, 100.0, 300.0, 250.0), own)
    assert curve is not None
    assert curve.hard_body_radius_m == own
    assert curve.radius_m[0] <= min(SMALLEST_M, own / BEYOND)
    assert curve.radius_m[-1] * (1 + 1e-12) >= max(LARGEST_M, own * BEYOND)
    between = np.interp(np.log(own), np.log(curve.radius_m), np.log(curve.probability))
    assert np.log(curve.probability_2d) == pytest.approx(between, abs=1e-2)


def test_spheres_of_the_mean_shadows_and_around_both_are_in_the_range_and_integrated() -> None:
    miss, sigmas = (60.0, 12.0), (580.0, 285.0)
    curve = radius_curve(plane(*miss, *sigmas), 6.5, shadow_m=4.2, bounding_m=61.5)  # of a station
    assert curve is not None
    assert (curve.mean_shadow_radius_m, curve.bounding_radius_m) == (4.2, 61.5)
    assert curve.radius_m[-1] >= 61.5
    assert curve.probability_mean_shadow == pytest.approx(integrated(miss, sigmas, 4.2), rel=same)
    assert curve.probability_bounding == pytest.approx(integrated(miss, sigmas, 61.5), rel=same)
    assert curve.probability_2d == pytest.approx(integrated(miss, sigmas, 6.5), rel=same)


def test_without_published_dimensions_there_is_only_the_own_radius() -> None:
    curve = radius_curve(plane(40.0, 10.0, 300.0, 20.0), 2.0)
    assert curve is not None
    assert (
        [curve.mean_shadow_radius_m, curve.probability_mean_shadow]
        == [curve.bounding_radius_m, curve.probability_bounding]
        == [None] * 2
    )


def test_a_covariance_that_is_none_has_no_curve() -> None:
    assert radius_curve(plane(300.0, 0.0, 100.0, np.nan), 5.0) is None
    assert radius_curve(plane(300.0, 0.0, 100.0, 50.0), 0.0) is None

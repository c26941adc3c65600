"""The dilution curve against quadrature of scipy, and where it begins, peaks and ends."""

import numpy as np
import pytest
from scipy.stats import ncx2

from screening.risk.views.event_geometry import scale_curve
from tests.screening.risk.bare_plane import plane

same = 1e-9  # relative: what the integral is good for
# On one grid of 24 steps a decade the highest point may lie half a step beside the peak; near it the curve
# falls by less than this.
beside_the_peak = 0.01


def test_a_round_covariance_has_the_noncentral_chi_square() -> None:
    curve = scale_curve(plane(300.0, 400.0, 200.0, 200.0), 10.0)
    assert curve is not None
    sigma = 200.0 * curve.scale
    expected = ncx2.cdf((10.0 / sigma) ** 2, 2, (500.0 / sigma) ** 2)
    told = expected > 1e-100
    np.testing.assert_allclose(curve.probability[told], expected[told], rtol=1e-6)
    assert told.sum() > 50


def test_the_data_as_they_are_and_the_peak_lie_on_the_curve() -> None:
    curve = scale_curve(plane(800.0, 100.0, 500.0, 90.0), 12.0)
    assert curve is not None
    (as_it_is,) = np.flatnonzero(curve.scale == 1.0)
    assert curve.probability[as_it_is] == pytest.approx(curve.probability_2d, rel=same)
    assert curve.probability.max() <= curve.peak_probability * (1 + same)
    assert curve.probability.max() == pytest.approx(curve.peak_probability, rel=beside_the_peak)
    nearest = np.abs(np.log(curve.scale / curve.peak_scale)).argmin()
    assert abs(int(curve.probability.argmax()) - int(nearest)) <= 1
    np.testing.assert_allclose(np.diff(np.log(curve.scale)), np.log(10) / 24)


@pytest.mark.parametrize("miss", [1.0, 30.0, 1e5])
def test_both_the_peak_and_the_data_are_well_inside(miss: float) -> None:
    curve = scale_curve(plane(miss, 0.0, 100.0, 50.0), 5.0)
    assert curve is not None
    for shown in (1.0, curve.peak_scale or 1.0):
        assert curve.scale[0] < shown / 30
        assert curve.scale[-1] > shown * 30


def test_a_mean_inside_the_hard_body_has_its_peak_at_nothing() -> None:
    curve = scale_curve(plane(3.0, 0.0, 100.0, 50.0), 5.0)
    assert curve is not None
    assert (curve.peak_scale, curve.peak_probability) == (0.0, 1.0)
    assert (np.diff(curve.probability) < 0).all()


def test_a_covariance_that_is_none_has_no_curve() -> None:
    assert scale_curve(plane(300.0, 0.0, 100.0, np.nan), 5.0) is None

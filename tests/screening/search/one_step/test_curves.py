"""Curves of many objects at once are those of each object, to the last bit."""

import numpy as np
import pytest

from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients, position_along
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, window
from screening.search.one_step.curve_blocks import raise_to_curve_error, rough_coefficients
from screening.search.one_step.curves import Curves
from screening.search.one_step.pads import Knots
from screening.synthetic.catalogue import synthetic_catalogue

EPOCH = np.datetime64("2026-11-21T06:00", "us")
OBJECTS = 203  # of which the last do not fill a block
FAILED = 7


@pytest.fixture(scope="module")
def knots() -> Knots:
    """Return three knots of a catalogue, at the second of which one object has no state."""
    propagator = Propagator(synthetic_catalogue(OBJECTS, 3, EPOCH).elements, window(EPOCH, 1.0))
    times_s = np.arange(3) * KNOT_STEP_S
    knots = Knots(times_s, *propagator.on_grid(times_s))
    knots.errors[1, FAILED], knots.r_teme_km[1, :, FAILED], knots.v_teme_km_s[1, :, FAILED] = (
        6,
        np.nan,
        np.nan,
    )
    return knots


def _ends(knots: Knots, k: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    r, v = knots.r_teme_km, knots.v_teme_km_s
    return r[k], v[k], r[k + 1], v[k + 1]


def _exact(knots: Knots, k: int) -> FloatArray:
    out = np.empty((OBJECTS, POWERS, 3))
    hermite_coefficients(*_ends(knots, k), out)
    return out


@pytest.mark.parametrize("count", [1, 63, 64, 65, OBJECTS])
def test_rough_curves_are_the_exact_ones_rounded(knots: Knots, count: int) -> None:
    ends = [np.ascontiguousarray(x[:, :count]) for x in _ends(knots, 1)]
    rough = np.empty((3 * POWERS, count), np.float32)
    rough_coefficients(*ends, rough)
    exact = _exact(knots, 1)[:count].reshape(count, 3 * POWERS).T.astype(np.float32)
    np.testing.assert_array_equal(rough, exact)  # also where both are NaN


def test_exact_curves_are_there_for_the_objects_of_pairs_in_each_interval(knots: Knots) -> None:
    curves = Curves(knots)
    pairs = np.array([[3, 3, 150], [9, 202, 9], [0, 0, 0]], np.int32)[:2]
    for k in (0, 1):  # the second interval must not show curves of the first
        good = curves.enter(k)
        assert np.flatnonzero(~good).tolist() == [FAILED]
        few = curves.exact_of(pairs, 1)[[3, 9]].copy()
        all_of_them = curves.exact_of(pairs, 3)[[3, 9, 150, 202]]
        expected = _exact(knots, k)
        assert few.tobytes() == expected[[3, 9]].tobytes()
        assert all_of_them.tobytes() == expected[[3, 9, 150, 202]].tobytes()


def test_errors_of_curves_are_the_largest_distances_from_true_positions(knots: Knots) -> None:
    fractions = np.array([0.3, 0.7])
    objects = np.arange(1, OBJECTS, 2)
    exact = _exact(knots, 0)[objects]
    curve_km = np.array(
        [[[position_along(c, axis, s) for c in exact] for axis in range(3)] for s in fractions]
    )
    true_km = curve_km + np.random.default_rng(5).normal(0.0, 1.0, curve_km.shape)
    true_km[1, :, 4] = np.nan
    largest_km = np.zeros(OBJECTS)
    largest_km[objects[0]] = 100.0
    raise_to_curve_error(*_ends(knots, 0), objects, fractions, true_km, largest_km)
    x, y, z = np.moveaxis(curve_km - true_km, 1, 0)
    expected = np.fmax.reduce(np.sqrt(x**2 + y**2 + z**2))
    expected[np.isnan(expected)] = 0.0
    expected[0] = 100.0
    assert largest_km[objects].tobytes() == expected.tobytes()
    assert not largest_km[0::2].any()

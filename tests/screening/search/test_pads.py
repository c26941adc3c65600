"""A pad bounds what it was measured for: the distance of a curve from SGP4, also between the checks."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients, position_along
from screening.orbits.propagate import Propagator
from screening.orbits.timegrid import FloatArray, window
from screening.search.pads import FLOOR_KM, Knots, checked_groups, measured_pads_km

INTERVALS = 24
SPAN = window(np.datetime64("2024-11-01T00:00:00", "us"), 4.0)
FRACTIONS = (0.1, 0.2, 0.35, 0.5, 0.6, 0.75, 0.9)


def _eccentric(elements: ElementArray) -> ElementArray:
    some: ElementArray = elements[elements["eccentricity"] > 0.5][::4]
    return some


def _decaying(elements: ElementArray) -> ElementArray:
    some: ElementArray = elements[elements["mean_motion_rev_day"] > 16.0]
    return some


def _everything(elements: ElementArray) -> ElementArray:
    some: ElementArray = elements[::150]
    return some


def _largest_errors_km(propagator: Propagator, knots: Knots) -> FloatArray:
    largest = np.zeros(len(propagator))
    curves = np.empty((len(propagator), POWERS, 3))
    for k in range(INTERVALS):
        r, v = knots.r_teme_km, knots.v_teme_km_s
        hermite_coefficients(r[k], v[k], r[k + 1], v[k + 1], curves)
        times_s = knots.times_s[k] + np.array(FRACTIONS) * KNOT_STEP_S
        _, r_true, _ = propagator.on_grid(times_s)
        for s, true in zip(FRACTIONS, r_true, strict=True):
            here = np.array([[position_along(curve, axis, s) for curve in curves] for axis in range(3)])
            largest = np.fmax(largest, np.linalg.norm(here - true, axis=0))
    return largest


@pytest.mark.parametrize("some", [_eccentric, _decaying, _everything])
def test_no_curve_leaves_its_pad(real_elements: ElementArray, some: object) -> None:
    assert callable(some)
    elements = some(real_elements)
    propagator = Propagator(elements, SPAN)
    times_s = np.arange(INTERVALS + 1) * KNOT_STEP_S
    knots = Knots(times_s, *propagator.on_grid(times_s))
    pads_km = measured_pads_km(checked_groups(elements, propagator), knots)
    errors_km = _largest_errors_km(propagator, knots)
    assert len(elements) > 50
    assert (pads_km >= np.float32(FLOOR_KM)).all()
    assert (errors_km <= pads_km).all()
    assert (errors_km > FLOOR_KM).any()
    assert np.median(pads_km) < 0.1 or elements["eccentricity"].min() > 0.5  # a pad is no blanket

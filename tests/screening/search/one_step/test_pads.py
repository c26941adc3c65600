"""A pad bounds what it was measured for: the distance of a curve from SGP4, also between the checks."""

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients, position_along
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.one_step.pads import FLOOR_KM, Knots, checked_groups, measured_pads_km
from tests.screening.oracle import closest
from tests.screening.planting import crossing, element_set

INTERVALS = 24
SPAN = window(np.datetime64("2024-11-01T00:00:00", "us"), 4.0)
# The time of an approach is off by the defect of SGP4's velocity, the distance much less.
TCA_S = 0.2
ONE_METRE_KM = 1e-3
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
    times_s = np.arange(INTERVALS + 1, dtype=np.float64) * KNOT_STEP_S
    knots = Knots(times_s, *propagator.on_grid(times_s))
    pads_km = measured_pads_km(checked_groups(elements, propagator), knots)
    errors_km = _largest_errors_km(propagator, knots)
    assert len(elements) > 30
    assert (pads_km >= np.float32(FLOOR_KM)).all()
    assert (errors_km <= pads_km).all()
    assert (errors_km > FLOOR_KM).any()
    assert np.median(pads_km) < 0.1 or elements["eccentricity"].min() > 0.5  # a pad is no blanket


@pytest.mark.parametrize("start", ["2024-11-01", "2024-11-29"])
@pytest.mark.parametrize("hours_after", [2.0, 5.5, 8.0])
def test_an_object_with_a_wide_pad_is_searched(
    real_elements: ElementArray, start: str, hours_after: float
) -> None:
    """SGP4's velocity of COSMOS 1024 differs from the slope of its path, the more the older its elements.

    Its pad grows from 21 km to 185 km in four weeks, as far as a look-ahead of 720 h goes. It is an orbit.
    """
    cosmos = real_elements[real_elements["norad_id"] == 10970]
    span = window(np.datetime64(start, "us"), 10.0)
    at_s = hours_after * 3600.0
    _, r, v = Propagator(cosmos, span).at(np.zeros(1, np.int32), np.array([at_s]))
    states = crossing(r[0], v[0], np.cross(r[0], v[0]) / np.linalg.norm(r[0]), 5.0)
    partner = element_set(span.start + np.timedelta64(round(at_s), "s"), states.r2_km, states.v2_km_s, 90001)
    elements = np.concatenate([cosmos, partner])
    true = closest(elements, span, at_s)
    screening = screen_catalogue(elements, span, 10.0)
    assert not screening.failures
    rows = screening.encounters[np.abs(screening.encounters["tca_s"] - true.tca_s) < TCA_S]
    assert len(rows) == 1
    assert rows["miss_distance_km"][0] == pytest.approx(true.miss_km, abs=ONE_METRE_KM)

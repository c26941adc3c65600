"""How far drag moves an object, against python-sgp4 with and without the drag term."""

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.sgp4.drag_lag import drag_lag
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.timegrid import FloatArray

EPOCH_JD = 2460615.5
# Drag changes the orbit's size and shape too; on eccentric orbits within a day that is 7 % of what it shifts.
as_far_when_circular, as_far_when_eccentric = 0.02, 0.08


def orbit(
    mean_motion_rev_day: float, eccentricity: float, bstar: float, argument_of_perigee_deg: float = 40.0
) -> ElementArray:
    elements = np.zeros(1, ELEMENT_DTYPE)
    elements["epoch_jd"] = EPOCH_JD
    elements["mean_motion_rev_day"], elements["eccentricity"] = mean_motion_rev_day, eccentricity
    elements["inclination_deg"], elements["bstar_per_earth_radius"] = 63.4, bstar
    elements["argument_of_perigee_deg"], elements["mean_anomaly_deg"] = argument_of_perigee_deg, 100.0
    return elements


def lag_s_by_sgp4(elements: ElementArray, age_days: float) -> float:
    """By how long the drag term moves the object along its orbit, s: median over one revolution."""
    without = elements.copy()
    without["bstar_per_earth_radius"] = 0.0
    days = age_days + np.linspace(-0.5, 0.5, 200) / elements["mean_motion_rev_day"][0]
    states: list[tuple[FloatArray, FloatArray]] = []
    for each in (elements, without):
        (record,) = satrecs(each)
        error, r_km, v_km_s = record.sgp4_array(np.full(200, EPOCH_JD), days)
        assert (error == 0).all()
        states.append((r_km, v_km_s))
    (moved_km, _), (r_km, v_km_s) = states
    speed2 = np.einsum("ki,ki->k", v_km_s, v_km_s)
    lags = np.einsum("ki,ki->k", moved_km - r_km, v_km_s) / speed2
    return float(np.median(np.abs(lags)))


@pytest.mark.parametrize("age_days", [-7.0, -1.0, 1.0, 3.0, 7.0])
@pytest.mark.parametrize(
    ("name", "elements"),
    [
        ("station", orbit(15.50, 0.0009, 2e-4)),
        ("Swarm", orbit(15.22, 0.0003, 4.2e-4)),
        ("sun-synchronous", orbit(14.57, 0.0001, 2.5e-4)),
        ("negative", orbit(15.06, 0.0002, -3e-4)),
        ("Molniya", orbit(2.2, 0.735, 2e-3, 270.0)),  # deep space
        ("transfer", orbit(7.0, 0.42, 1e-3)),  # near earth by its period
    ],
)
def test_the_lag_is_that_of_sgp4(name: str, elements: ElementArray, age_days: float) -> None:
    expected = lag_s_by_sgp4(elements, age_days)
    found = drag_lag(elements).seconds(np.zeros(1, np.int64), np.array([age_days]))[0]
    assert expected > 1e-4, name
    eccentric = elements["eccentricity"][0] > 0.1
    as_far = as_far_when_eccentric if eccentric else as_far_when_circular
    assert found == pytest.approx(expected, rel=as_far), name


def test_no_drag_term_is_no_lag() -> None:
    for bstar in (0.0, np.nan):
        lag = drag_lag(orbit(15.2, 0.001, bstar)).seconds(np.zeros(2, np.int64), np.array([0.0, 7.0]))
        assert lag.tolist() == [0.0, 0.0]


def test_the_lag_never_shrinks_with_age() -> None:
    # A polynomial whose terms cancel each other some days before the epoch: the object soon decays.
    lag = drag_lag(orbit(16.35, 0.0005, 1e-3))
    ages = np.linspace(0.0, 20.0, 400)
    for side in (1.0, -1.0):
        seconds = lag.seconds(np.zeros(400, np.int64), side * ages)
        assert (np.diff(seconds) > 0.0).all()

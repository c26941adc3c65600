"""Deep-space states against python-sgp4, minute for minute from each epoch, and against themselves."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.sgp4.propagate import NO_ORBIT, Propagator
from screening.orbits.timegrid import TimeWindow, seconds_since, window
from tests.screening.oracle import prepared

FloatArray = npt.NDArray[np.float64]

# What is asked of a kernel of our own. COSMOS 1024 (e = 0.71, strong drag) comes to 0.5 mm after four weeks,
# the 99th percentile to 0.03 um.
ONE_MILLIMETRE_KM = 1e-6
ONE_MILLIMETRE_S_KM_S = 1e-6
# Times from another start are other floats: 1e-11 min, in which 6 um are flown at 10 km/s.
OTHER_START_KM = 1e-8
DAY_S = 86400.0
SPAN = window(np.datetime64("2024-11-01", "us"), 24.0)


# Each with what the formulas change at: the integrator's steps, Lyddane's limit at 11.459 degrees, the sign
# of the inclination, and the periods and eccentricities that resonate.
# Revolutions a day, eccentricity, inclination in degrees.
REGIMES = {
    "once a day": ((0.9, 1.1), (0.0, 0.3), (0.0, 70.0)),
    "twice a day": ((1.88, 2.13), (0.45, 0.74), (5.0, 120.0)),
    "any": ((0.3, 6.39), (0.0, 0.6), (0.0, 175.0)),
    "around 0.2 rad": ((0.95, 1.05), (0.0, 0.1), (11.4, 11.52)),
    "transfer around 0.2 rad": ((1.9, 2.4), (0.6, 0.73), (11.3, 11.6)),
    "equatorial": ((0.95, 6.0), (0.0, 0.1), (0.0, 0.05)),
    "nearly circular": ((0.9, 3.0), (0.0, 2e-4), (0.0, 90.0)),
    "perigees near the ground": ((2.0, 4.0), (0.5, 0.77), (0.0, 90.0)),
}


class Worst(NamedTuple):
    """The largest differences found, and how many states failed alike."""

    r_km: float
    v_km_s: float
    failed: int


def _against_python_sgp4(elements: ElementArray, span: TimeWindow, times_s: FloatArray) -> Worst:
    """Compare all states and codes; python-sgp4 gets minutes from epoch, as it rounds dates to 0.2 us."""
    error, r, v = Propagator(elements, span).on_grid(times_s)
    epoch_s = seconds_since(span, elements["epoch_jd"], elements["epoch_day_fraction"])
    worst_km = worst_km_s = 0.0
    for i, record in enumerate(prepared(elements)):
        for k, minutes in enumerate(((times_s - epoch_s[i]) / 60.0).tolist()):
            code, r_true, v_true = record.sgp4_tsince(minutes)
            if error[k, i] == NO_ORBIT:  # ours: python-sgp4 reports no error for such a state
                assert code == 0
                unbound = np.dot(v_true, v_true) * np.linalg.norm(r_true) > 2 * 398600.8
                before, after = (record.sgp4_tsince(minutes + side / 120.0)[1] for side in (-1, 1))
                assert unbound or np.linalg.norm(np.subtract(after, before) - v_true) > 3.0
                continue
            assert error[k, i] == code, (elements["norad_id"][i], minutes)
            if code == 0:
                worst_km = max(worst_km, np.abs(r[k, :, i] - r_true).max())
                worst_km_s = max(worst_km_s, np.abs(v[k, :, i] - v_true).max())
            else:
                assert np.isnan(r[k, :, i]).all()
                assert np.isnan(v[k, :, i]).all()
    return Worst(worst_km, worst_km_s, int((error != 0).sum()))


def _made_up(count: int, seed: int, regime: str) -> ElementArray:
    """Return element sets of a regime with epochs within 30 days of the window."""
    rng = np.random.default_rng(seed)
    elements = np.zeros(count, ELEMENT_DTYPE)
    names = ("mean_motion_rev_day", "eccentricity", "inclination_deg")
    for name, (low, high) in zip(names, REGIMES[regime], strict=True):
        elements[name] = rng.uniform(low, high, count)
    for name in ("raan_deg", "argument_of_perigee_deg", "mean_anomaly_deg"):
        elements[name] = rng.uniform(0.0, 360.0, count)
    elements["bstar_per_earth_radius"] = rng.uniform(0.0, 1e-4, count)
    elements["norad_id"] = np.arange(count) + 1
    elements["epoch_jd"] = SPAN.start_jd + rng.integers(-30, 31, count)
    elements["epoch_day_fraction"] = rng.uniform(0.0, 1.0, count)
    return elements


@pytest.fixture(scope="module")
def real_deep(real_elements: ElementArray) -> ElementArray:
    deep: ElementArray = real_elements[Propagator(real_elements, SPAN).is_deep_space]
    assert len(deep) > 4000
    return deep


def test_the_whole_catalogue_over_five_weeks(real_deep: ElementArray) -> None:
    # The catalogue's epochs lie from 28 days before the window to 3 days after its start.
    times_s = np.array([-3.0, -1.2, -0.1, 0.0, 0.3, 0.9, 2.4, 5.5, 11.0, 17.7, 24.1, 30.0]) * DAY_S
    worst = _against_python_sgp4(real_deep, SPAN, times_s)
    assert worst.r_km < ONE_MILLIMETRE_KM
    assert worst.v_km_s < ONE_MILLIMETRE_S_KM_S


def test_backward_from_the_epoch(real_deep: ElementArray) -> None:
    worst = _against_python_sgp4(real_deep[::7], SPAN, np.array([-60.0, -35.3, -31.0]) * DAY_S)
    assert worst.r_km < ONE_MILLIMETRE_KM
    assert worst.v_km_s < ONE_MILLIMETRE_S_KM_S


@pytest.mark.parametrize("regime", REGIMES)
def test_regimes_where_the_formulas_change(regime: str) -> None:
    elements = _made_up(300, 20241101, regime)
    times_s = np.array([-3.0, -0.5, 0.0, 0.51, 1.0, 14.0, 30.0]) * DAY_S
    worst = _against_python_sgp4(elements, SPAN, times_s)
    assert worst.r_km < ONE_MILLIMETRE_KM
    assert worst.v_km_s < ONE_MILLIMETRE_S_KM_S
    assert worst.failed > 0 or regime != "perigees near the ground"


def test_both_formulas_are_used_around_their_limit() -> None:
    """The regime would prove nothing if no object crossed 0.2 rad: SGP4's jump there shows the crossing."""
    elements = _made_up(300, 20241101, "around 0.2 rad")
    times_s = np.arange(0.0, 30 * DAY_S, 600.0)
    _, r, v = Propagator(elements, SPAN).on_grid(times_s)
    moved_km = np.linalg.norm(np.diff(r, axis=0) - 300.0 * (v[1:] + v[:-1]), axis=1)
    quiet_km = np.median(moved_km, axis=0)
    assert ((moved_km > quiet_km + 0.1).any(axis=0)).sum() > 10


def test_whole_steps_of_the_integrator() -> None:
    """At 720 minutes one parabola ends and the next begins, on either side of the epoch."""
    elements = np.concatenate([_made_up(64, 5, name) for name in ("once a day", "twice a day")])
    elements["epoch_jd"], elements["epoch_day_fraction"] = SPAN.start_jd, SPAN.start_day_fraction
    steps_s = np.array([-3, -2, -1, 0, 1, 2, 3]) * 720.0 * 60.0
    for offset_s in (-1e-6, 0.0, 1e-6):
        worst = _against_python_sgp4(elements, SPAN, steps_s + offset_s)
        assert worst.r_km < ONE_MILLIMETRE_KM


def test_the_order_of_questions_does_not_matter(real_deep: ElementArray) -> None:
    """The integrator goes on from where it is: whoever comes later or from behind must get the same bits."""
    some = real_deep[::9]
    propagator = Propagator(some, SPAN)
    times_s = np.sort(np.random.default_rng(3).uniform(-3 * DAY_S, 9 * DAY_S, 60))
    _, r, v = propagator.on_grid(times_s)
    backward = propagator.on_grid(times_s[::-1])
    in_pieces = [propagator.on_grid(piece)[1] for piece in np.split(times_s, [1, 2, 17, 40])]
    assert np.array_equal(backward[1][::-1], r)
    assert np.array_equal(backward[2][::-1], v)
    assert np.array_equal(np.concatenate(in_pieces), r)
    k, i = (each.ravel() for each in np.meshgrid(np.arange(60), np.arange(len(some)), indexing="ij"))
    order = np.random.default_rng(4).permutation(len(k))
    _, r_at, v_at = propagator.at(i[order].astype(np.int32), times_s[k[order]])
    assert np.array_equal(r_at, r[k, :, i][order])
    assert np.array_equal(v_at, v[k, :, i][order])


def test_any_subset_in_any_order(real_deep: ElementArray) -> None:
    propagator = Propagator(real_deep, SPAN)
    times_s = np.array([-7000.0, 0.0, 40_000.0, 90_000.0])
    _, r, v = propagator.on_grid(times_s)
    rng = np.random.default_rng(5)
    for size in (1, 31, 32, 33, 500):
        members = rng.permutation(len(real_deep))[:size]
        for chosen in (propagator.subset(members), Propagator(real_deep[members], SPAN)):
            _, r_of, v_of = chosen.on_grid(times_s)
            assert np.array_equal(r_of, r[:, :, members])
            assert np.array_equal(v_of, v[:, :, members])


@pytest.mark.parametrize(("days_earlier", "hours"), [(40, 24.0), (5, 1.0), (-40, 24.0), (3, 240.0)])
def test_a_window_elsewhere_gives_the_same_states(
    real_deep: ElementArray, days_earlier: int, hours: float
) -> None:
    some = real_deep[::5]
    times_s = np.array([-1000.0, 0.0, 5000.0, 80_000.0])
    _, r, _ = Propagator(some, SPAN).on_grid(times_s)
    elsewhere = TimeWindow(SPAN.start_jd - days_earlier, SPAN.start_day_fraction, hours * 3600.0)
    _, r_from_there, _ = Propagator(some, elsewhere).on_grid(times_s + days_earlier * DAY_S)
    assert np.abs(r_from_there - r).max() < OTHER_START_KM

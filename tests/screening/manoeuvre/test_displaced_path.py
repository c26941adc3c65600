"""Paths after burns that cannot be: into the Earth, away from it, of an object that has decayed."""

import numpy as np
import pytest

from screening.manoeuvre.displaced_path import OutOfReach, states_after
from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import julian_date, window
from screening.orbits.trajectories import Paths
from screening.risk.objects.known_paths import known_paths
from screening.synthetic.catalogue import synthetic_catalogue

EPOCH = np.datetime64("2026-11-22T00:00:00", "us")
EXACT = Execution()
GM_KM3_S2 = 398_600.4418  # IERS Conventions 2010


def element(**changed: float) -> ElementArray:
    """Give an element set of that epoch."""
    one = synthetic_catalogue(200, 1, EPOCH).elements[:1].copy()
    one["epoch_jd"], one["epoch_day_fraction"] = julian_date(EPOCH)
    one["bstar_per_earth_radius"] = 0.0
    for name, value in changed.items():
        one[name] = value
    return one


def paths_of(one: ElementArray, hours: float = 48.0) -> Paths:
    return known_paths(one, {}, window(EPOCH, hours)).paths


def after(paths: Paths, burns: list[Impulse], hours: float) -> tuple[np.ndarray, np.ndarray]:
    """Give the state some hours after the epoch."""
    until = np.array([EPOCH + np.timedelta64(round(hours * 3.6e9), "us")])
    states = states_after(paths, 0, burns, until, EXACT)
    return states.r_teme_km[0], states.v_teme_km_s[0]


def at(hours: float, *dv_rtn_m_s: float) -> Impulse:
    radial, along, across = dv_rtn_m_s
    return Impulse(EPOCH + np.timedelta64(round(hours * 3.6e9), "us"), (radial, along, across))


def test_a_path_that_leaves_the_earth_is_refused() -> None:
    """At its perigee an orbit of ten days is some 0.4 km/s short of escape: six burns are enough, or not."""
    paths = paths_of(
        element(mean_motion_rev_day=0.1, eccentricity=0.965, mean_anomaly_deg=358.0, inclination_deg=63.0)
    )
    perigee_h = min(np.arange(0.0, 4.0, 0.02), key=lambda h: float(np.linalg.norm(after(paths, [], h)[0])))
    r_km, v_km_s = after(paths, [], perigee_h)
    # Of |v + dv T|^2 = 2 GM / r, in which v.T = |r x v| / r.
    radius_km = float(np.linalg.norm(r_km))
    along = float(np.linalg.norm(np.cross(r_km, v_km_s))) / radius_km
    lacking = 2.0 * GM_KM3_S2 / radius_km - float(v_km_s @ v_km_s)
    escape_m_s = 1e3 * (np.sqrt(along**2 + lacking) - along)
    assert 50.0 < escape_m_s < 550.0
    far, _ = after(paths, [at(perigee_h + 1e-4 * i, 0.0, 0.16 * escape_m_s, 0.0) for i in range(6)], 40.0)
    assert np.linalg.norm(far) > 300_000.0
    with pytest.raises(OutOfReach, match="is a hyperbola: it leaves the Earth"):
        after(paths, [at(perigee_h + 1e-4 * i, 0.0, 0.175 * escape_m_s, 0.0) for i in range(6)], 40.0)


def test_a_path_into_the_earth_is_refused() -> None:
    paths = paths_of(element(mean_motion_rev_day=15.2, eccentricity=1e-3, inclination_deg=51.6))
    brakes = [at(1.0 + 1e-3 * i, 0.0, -100.0, 0.0) for i in range(3)]
    with pytest.raises(OutOfReach, match="meets the Earth's surface within"):
        after(paths, brakes, 5.0)
    after(paths, brakes[:1], 5.0)


def test_an_object_that_decays_meanwhile_has_no_path_after_it() -> None:
    one = element(mean_motion_rev_day=16.4, eccentricity=1e-3, inclination_deg=51.6)
    one["bstar_per_earth_radius"] = 0.002
    paths = paths_of(one, 240.0)
    after(paths, [at(1.0, 0.0, 0.01, 0.0)], 2.0)
    with pytest.raises(OutOfReach, match="it has decayed, or its data end"):
        after(paths, [at(1.0, 0.0, 0.01, 0.0)], 239.0)

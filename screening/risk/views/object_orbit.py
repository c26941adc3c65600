"""One revolution of an object around an instant, on an ephemeris that leads there or by its element set."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.revolution import Revolution, apsides_km, period_s, revolution
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, instants
from screening.risk.views.tracks import OnEphemeris, osculating


class ObjectOrbit(NamedTuple):
    """One revolution and the orbit's size."""

    orbit: Revolution
    ephemeris: int | None  # which one; None: on the element set
    epoch: np.datetime64  # UTC, of the element set; of an ephemeris, its first state
    period_s: float
    apsides_km: tuple[float, float]  # altitudes of perigee and apogee; on an ephemeris, osculating
    inclination_deg: float


def object_orbit(
    elements: ElementArray, ephemerides: Sequence[Ephemeris], instant: TimeWindow
) -> ObjectOrbit | None:
    """Compute one revolution around the start of `instant`.

    On the first of the ephemerides that has the object there on a closed orbit, else by SGP4 from the element
    set, (1,), or (0,) if there is none. None if neither leads there.
    """
    first, start = np.zeros(1, np.int32), np.zeros(1)
    for place, ephemeris in enumerate(ephemerides):
        path = OnEphemeris(ephemeris, instant)
        error, r_km, v_km_s = path.at(first, start)
        orbit = None if error[0] else osculating(r_km[0], v_km_s[0])
        if orbit is not None:
            around = revolution(path, 0, r_km[0], v_km_s[0], orbit.period_s)
            return ObjectOrbit(around, place, ephemeris.segments[0].epochs[0], *orbit)
    return _by_elements(elements, instant) if len(elements) else None


def _by_elements(elements: ElementArray, instant: TimeWindow) -> ObjectOrbit | None:
    path = Propagator(elements, instant)
    error, r_km, v_km_s = path.at(np.zeros(1, np.int32), np.zeros(1))
    if error[0]:
        return None
    motion = float(elements["mean_motion_rev_day"][0])
    period = period_s(motion)
    return ObjectOrbit(
        revolution(path, 0, r_km[0], v_km_s[0], period),
        None,
        instants(elements["epoch_jd"], elements["epoch_day_fraction"])[0],
        period,
        apsides_km(motion, float(elements["eccentricity"][0])),
        float(elements["inclination_deg"][0]),
    )
